//! The words of the panel with which the user controls the outputs.

use shogibar_base::Lang;

shogibar_base::phrases! {
    /// A fixed text of the panel.
    pub enum ProgrammeWord {
        Title => "放送中", "On air";
        OffAir => "放送していません", "Not on air";
        Bar => "バー", "Bar";
        Pages => "OBS", "OBS";
        Lock => "この対局に固定", "Lock to this game";
        Next => "次に出すもの", "Next";
        NoNext => "次に出す対局はありません", "No other game waits";
        Switch => "切り替える", "Switch";
        UnlockAndSwitch => "固定を外して切り替える", "Unlock and switch";
        List => "すべての対局のページに加える", "Add to the page of all games";
        OnlyHere => "見えるのはこの窓だけ", "Seen only in this window";
        LockedHint => "固定中　自動では替わりません", "Locked: nothing changes it by itself";
        Delay => "遅らせる", "Delay";
        DelayNone => "0", "0";
        DelayMoves => "5手", "5 moves";
        DelaySeconds => "30秒", "30 s";
        DelayMinutes => "15分", "15 min";
        DelayEnd => "終局後", "after game";
        InTime => "そのまま", "No delay";
        NumbersOnly => "数字だけ", "Numbers only";
        NumbersOnlyHint => "指し手・戦型・盤面を出さない", "No move, opening or board";
        OwnGame => "自分の対局", "My own game";
        OwnGameHint => "終局まで評価を出さない", "No evaluation until it ends";
        OwnGameAsk => "これは自分の対局ですか？", "Is this your own game?";
        Yes => "はい", "Yes";
        No => "いいえ", "No";
        OwnGameRule => "この取り込み元の対局は", "Games of this source are";
        OwnNever => "自分の対局ではない", "not mine";
        OwnAsk => "毎回たずねる", "asked about";
        OwnAlways => "いつも自分の対局", "always mine";
        AllNumbersOnly => "すべての対局を数字だけにする", "Numbers only for every game";
        Credit => "クレジット", "Credit";
        CreditHint => "主催・棋戦など（80字まで）", "Organizer or event, up to 80 characters";
        ForYou => "あなただけに　放送には出ません", "Only for you, never on air";
        NoMessage => "知らせはありません", "No messages";
        Rights => "有料放送の指し手を同時に見せることを違法とした判決があります（2025年、2026年）。数字だけについての判例は見つかっていません。主催者に確かめてください。法律の助言ではありません。",
            "Courts have held that showing the moves of paid broadcasts in real time is unlawful. No ruling on the number alone was found. Ask the organiser. This is not legal advice.";
        Professional => "プロの対局を中継するとき", "When you show a professional game";
        MakeNumbersOnly => "この対局を数字だけにする", "Show only numbers of this game";
        Guideline => "ガイドライン（日本将棋連盟）", "Guidelines (Japan Shogi Association)";
        FairPlay => "公正な使い方", "Fair play";
    }
}

/// The address of the organizers' guidelines.
pub const GUIDELINE_URL: &str = "https://www.shogi.or.jp/kifuguideline/terms.html";

/// Returns for how long an output has shown its game.
pub fn since(minutes: u64, lang: Lang) -> String {
    match lang {
        Lang::Ja if minutes == 0 => "いまから".to_owned(),
        Lang::En if minutes == 0 => "just now".to_owned(),
        Lang::Ja => format!("{minutes}分前から"),
        Lang::En => format!("for {minutes} min"),
    }
}

/// Returns the number of the move that viewers see, and the newest one.
pub fn behind(shown: usize, newest: usize, lang: Lang) -> String {
    match lang {
        Lang::Ja => format!("放送は{shown}手目　実際は{newest}手目"),
        Lang::En => format!("viewers: move {shown}, now: {newest}"),
    }
}

/// Returns how long ago a message was shown.
pub fn ago(minutes: u64, lang: Lang) -> String {
    match lang {
        Lang::Ja if minutes == 0 => "いま".to_owned(),
        Lang::En if minutes == 0 => "now".to_owned(),
        Lang::Ja => format!("{minutes}分前"),
        Lang::En => format!("{minutes} min ago"),
    }
}
