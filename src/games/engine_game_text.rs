//! Texts of a game against an engine.

use shogibar_base::{Lang, phrases, sentences};
use shogibar_engine::option_text;
use shogibar_engine::options::Limit;
use shogibar_kifu::{Millis, TimeControl};

phrases! {
    /// A text of a game against an engine.
    pub enum EngineGamePhrase {
        Event => "エンジンとの対局", "Game against an engine";
        Title => "エンジンと対局", "Play against an engine";
        About =>
            "この局面から、新しいタブで指し始めます。元の棋譜は変わりません。",
            "The game starts from this position in a new tab. This record stays as it is.";
        You => "あなた", "You";
        Engine => "相手", "Opponent";
        Side => "あなたの側", "Your side";
        Strength => "相手の強さ", "Strength";
        StrengthHelp =>
            "読む局面の数で弱くします。わざと悪い手は選びません。内蔵エンジンどうしでは、一つ上の強さに1割ほどしか勝てません。",
            "Lower levels search fewer positions, but never play a bad move on purpose. Against the next level, the built-in engine wins about one game in ten.";
        Clock => "持ち時間", "Clock";
        NoClock => "なし", "None";
        MainMinutes => "分", "min";
        Byoyomi => "秒読み（秒）", "Byoyomi (s)";
        Increment => "1手ごとに加算（秒）", "Added per move (s)";
        NoTime => "持ち時間か秒読みを入れてください。", "Set a main time or a byoyomi.";
        ByClock => "持ち時間いっぱい", "By its clock";
        ShowValues => "評価値を表示しながら指す", "Show the evaluation during the game";
        Begin => "対局開始", "Start the game";
        YourTurn => "あなたの番です", "Your turn";
        EngineTurn => "相手が考えています", "The opponent is thinking";
        Starting => "エンジンを準備しています。時計は止まっています", "The engine is getting ready. The clock is stopped";
        Failed => "エンジンが止まりました。時計は止まっています。", "The engine has stopped. The clock is stopped.";
        Interrupted => "中断しています", "Interrupted";
        YouWin => "あなたの勝ち", "You win";
        YouLose => "あなたの負け", "You lose";
        Draw => "引き分け", "Draw";
        Resign => "投了", "Resign";
        ReallyResign => "投了しますか？", "Resign?";
        TakeBack => "待った", "Take back";
        Interrupt => "中断", "Interrupt";
        Resume => "続ける", "Resume";
        Declare => "入玉宣言", "Declare a win";
        Close => "対局を終える", "Close";
        OnlyNewest =>
            "対局中は、最新の局面でだけ指せます。End キーで戻れます。",
            "During the game you can play only in the newest position. Press End to go there.";
        NotYourTurn => "相手の番です。", "It is the opponent's turn.";
        NotDuringGame =>
            "対局中はできません。対局を中断するか、終えてからにしてください。",
            "Not possible during the game. Interrupt or finish it first.";
        AlreadyPlaying =>
            "対局中です。それを終えてから始めてください。", "A game is in progress. Finish it first.";
        OverHere => "この局面で対局は終わっています。", "The game is over in this position.";
    }
}

sentences! {
    /// Returns the name of an engine as a player, with its limit: `内蔵エンジン（1万ノード）`.
    fn limited(engine: &str, limit: &str; lang) => "{engine}（{limit}）", "{engine} ({limit})";

    /// Returns a level of strength, from 1, with its limit: `強さ3（1,000ノード）`.
    pub fn level(level: usize, limit: &str; lang) => "強さ{level}（{limit}）", "Level {level} ({limit})";

    /// Returns the origin of a game: `37手目から（元の棋譜 A – B）`.
    fn begun_from_game(ply: usize, players: &str; lang) =>
        "{ply}手目から（元の棋譜 {players}）", "From move {ply} of {players}";

    /// Returns a result with its reason: `あなたの勝ち（投了）`.
    pub fn ended(result: &str, why: &str; lang) => "{result}（{why}）", "{result} ({why})";

    fn begun_from_ply(ply: usize; lang) => "{ply}手目から", "From move {ply}";
}

/// Returns the name of an engine as a player, with its limit unless the clock is the limit:
/// `内蔵エンジン（1万ノード）`.
pub fn player(engine: &str, limit: Limit, lang: Lang) -> String {
    if limit == Limit::Infinite {
        engine.to_owned()
    } else {
        limited(engine, &option_text::limit(Some(limit), lang), lang)
    }
}

/// Returns the origin of a game: `37手目から（元の棋譜 A – B）`. Without players, only the move.
pub fn begun_from(ply: usize, players: &str, lang: Lang) -> String {
    if players.is_empty() {
        begun_from_ply(ply, lang)
    } else {
        begun_from_game(ply, players, lang)
    }
}

/// Returns a time control in the form of records, which is Japanese in both languages: `10分+30秒`, `5分+5秒加算`.
pub fn time_control(control: TimeControl) -> String {
    let time = |Millis(ms): Millis| {
        let (minutes, seconds) = (ms / 60_000, ms / 1000 % 60);
        match (minutes, seconds) {
            (0, seconds) => format!("{seconds}秒"),
            (minutes, 0) => format!("{minutes}分"),
            (minutes, seconds) => format!("{minutes}分{seconds}秒"),
        }
    };
    match (control.main, control.byoyomi, control.increment) {
        (main, Millis(0), Millis(0)) => time(main),
        (main, Millis(0), increment) => format!("{}+{}加算", time(main), time(increment)),
        (Millis(0), byoyomi, _) => format!("0分+{}", time(byoyomi)),
        (main, byoyomi, _) => format!("{}+{}", time(main), time(byoyomi)),
    }
}
