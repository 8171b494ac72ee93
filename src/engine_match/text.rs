//! Texts of a match between two engines.

use shogibar_base::{Lang, messages, phrases, sentences};

phrases! {
    /// The kinds of end of a match game.
    pub enum GameEndWord {
        Mate => "詰み", "mate";
        Declaration => "入玉宣言", "declaration";
        Resignation => "投了", "resignation";
        TimeUp => "切れ負け", "loss on time";
        Certain => "評価値による打ち切り", "certain score";
        Repetition => "千日手", "repetition";
        PerpetualCheck => "連続王手の千日手", "perpetual check";
        MaxPlies => "最大手数", "320 plies";
        IllegalMove => "反則", "illegal move";
        Failed => "エンジンの異常", "engine failure";
    }
}

messages! {
    /// The reason why a match is not played.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub enum MatchRefusal in lang {
        /// An engine cannot be used; holds its name and the kind of failure.
        Engine(name: String, why: String) => "{name}: {why}", "{name}: {why}";
        OtherMatch(path: String) =>
            "{path} には別の対局（条件・局面の違うもの）が入っています。別のフォルダーを指定してください。",
            "{path} contains another match, with other limits or openings: choose another folder";
        /// The folder holds a match of another engine; holds the name of the one that differs.
        OtherEngine(path: String, engine: String) =>
            "{path} には別のエンジンの対局が入っています（{engine} のプログラム・引数・オプション・スレッド数・ファイル・順序のどれかが違います）。\
             別のフォルダーを指定してください。",
            "{path} contains another match: {engine} is not the engine that played there (its program, arguments, options, \
             threads, files or order differ): choose another folder";
        /// Another program plays in the folder.
        Busy(path: String) =>
            "{path} では別の shogibar match が対局中です。終わるまで待つか、別のフォルダーを指定してください。",
            "another shogibar match is running in {path}: wait until it ends, or choose another folder";
        /// An engine has failed in each of this number of games.
        NothingDecided(games: usize) =>
            "{games}局すべてがエンジンの異常で終わったため、結果はありません。",
            "there is no result: an engine failed in every game ({games})";
        /// A file is not a game of the match.
        NotAGame(path: String) =>
            "{path} はこの対局の棋譜ではありません。移動するか、別のフォルダーを指定してください。",
            "{path} is not a game of this match: move it away, or choose another folder";
        Openings(path: String, why: String) =>
            "{path} から開始局面を読めません（{why}）。", "no openings can be read from {path}: {why}";
    }
}

impl MatchRefusal {
    /// Returns the sentence in a language.
    pub fn text(&self, lang: Lang) -> String {
        self.sentence(lang)
    }
}

sentences! {
    /// Returns the message that the match continues after the games in its folder.
    pub fn resumed(games: usize; lang) =>
        "フォルダーにある{games}局の続きから始めます。", "continuing after the {games} in the folder" [games: "game"];

    /// Returns a finished game: number, players, winner, reason, plies, and the wins, losses and draws of the first
    /// engine. `counts` holds wins, draws and losses.
    pub fn game([number, plies]: [usize; 2], names: [&str; 2], result: &str, end: GameEndWord, counts: [usize; 3]; lang) =>
        "{number}局目　☗{black} {result} ☖{white}　{end}（{plies}手）　通算 {wins}勝{losses}敗{draws}分",
        "game {number}: ☗{black} {result} ☖{white} · {end}, {plies} · {wins} won, {losses} lost, {draws} drawn"
        [plies: "ply" | "plies"],
        black = names[0], white = names[1], end = end.text(lang),
        wins = counts[0], draws = counts[1], losses = counts[2];

    /// Returns the answer of an engine that is not a legal move, for the record.
    pub fn illegal_answer(answer: &str; lang) => "反則手: bestmove {answer}", "illegal: bestmove {answer}";

    /// Returns the note about an engine in a game.
    pub fn note(number: usize, note: &str; lang) => "{number}局目: {note}", "game {number}: {note}";

    /// Returns the score of a match.
    pub fn score(names: [&str; 2], counts: [usize; 3], percent: f64; lang) =>
        "{one} 対 {other}: {wins}勝{losses}敗{draws}分（得点率 {percent:.1}%）",
        "{one} against {other}: {wins} won, {losses} lost, {draws} drawn ({percent:.1} % of the points)",
        one = names[0], other = names[1], wins = counts[0], draws = counts[1], losses = counts[2];

    /// Returns the difference in strength and its interval.
    pub fn elo(elo: f64, low: f64, high: f64; lang) =>
        "レート差 {elo}（95%区間 {low}〜{high}）", "Elo {elo} (95 % interval {low} to {high})",
        elo = signed(elo), low = signed(low), high = signed(high);

    /// Returns the state of the sequential test.
    pub fn sprt(llr: f64, elo0: f64, elo1: f64; lang) =>
        "SPRT（{elo0}, {elo1}）　LLR {llr:+.2}", "SPRT ({elo0}, {elo1}): LLR {llr:+.2}";

    /// Returns the outcome of the sequential test: the difference is closer to `elo` than to `other`.
    pub fn decided(elo: f64, other: f64; lang) =>
        "検定の結果: 差は {other} より {elo} に近いといえます。", "decided: the difference is closer to {elo} than to {other}";

    /// Returns the message that a match was cancelled and can be continued.
    pub fn cancelled(folder: &str; lang) =>
        "中断しました。同じコマンドで {folder} の続きから始まります。", "stopped; run the same command to continue in {folder}";
}

fn signed(elo: f64) -> String {
    if elo.is_infinite() {
        return if elo > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    format!("{elo:+.0}")
}
