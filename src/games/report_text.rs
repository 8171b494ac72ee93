//! Texts of a game report.

use crate::phrase;
use shogibar_base::{Lang, phrases, say, sentences};

phrases! {
    /// A short text of a report.
    pub enum ReportWord {
        Players => "両対局者の指し手", "The players";
        Side => "手番", "Side";
        Player => "対局者", "Player";
        Accuracy => "正確さ", "Accuracy";
        AboutAccuracy =>
            "平均損失は1手ごとに失った勝率（点）の平均、一致率は判定エンジンの最善手を指した割合です。勝敗が決まってからの手（指す前も後も、同じ側の勝率が90%を超える手）は、\
                この2つに数えません。正確さは100からすべての手の平均損失を引いた値です。判定エンジンの最善手を指した手は、評価が後で下がっても損失に数えません。",
            "The mean loss is the average loss of win rate per move, in points; the agreement is how often the judge's best move was \
                played. Neither counts moves of a decided game (the same side is over 90% before and after). The accuracy is 100 minus \
                the mean loss of all moves. The judge's own choice loses nothing, even if its value fell later.";
        Phases => "段階ごとの指し手", "By phase";
        AboutPhases =>
            "序盤は取られた駒（歩を除く）が2枚まで、中盤は3〜7枚、終盤は8枚からです。",
            "The opening lasts until the third capture of a piece other than a pawn, the middle game until the eighth.";
        Phase => "段階", "Phase";
        Costliest => "最も損をした手", "Costliest move";
        Decided => "勝敗が決まってから", "decided game";
        Mistakes => "ミス一覧", "Mistakes";
        Choices => "一致率", "Agreement";
        Course => "形勢", "Course of the game";
        DecisiveMoves => "勝敗を分けた手", "Decisive moves";
        NoDecisiveMoves => "この一局の勝敗を分けた一手はありません。", "No single move decided the game.";
        AboutArrows =>
            "青い矢印はエンジンの最善手、灰色の矢印は実戦の手です。",
            "Blue arrows are the engine's choice, grey ones what was played.";
        Played => "実戦", "Played";
        Best => "最善", "Best";
        Punish => "とがめる順", "Punished by";
        Moves => "全指し手", "Moves";
        Number => "手数", "No.";
        Move => "指し手", "Move";
        Time => "消費時間", "Time";
        Evaluation => "評価値", "Evaluation";
        Mark => "評", "Mark";
        NoPieces => "なし", "nothing";
        Judge => "判定", "Judged by";
        Others => "ほかの評価", "Other curves";
        MeanLoss => "平均損失", "Mean loss";
        NotAnalysed =>
            "この棋譜には評価値がありません。解析すると、形勢と勝敗を分けた手がここに表示されます。",
            "This record has no evaluations. Analyse the game to see its course and the decisive moves here.";
        MadeBy => "Shogibar で作成", "Made with Shogibar";
    }
}

/// Returns a game by its players: `佐藤 対 鈴木`.
pub fn versus([black, white]: [&str; 2], lang: Lang) -> String {
    format!("{black} {} {white}", lang.pick("対", "vs"))
}

/// Returns the result of a game: `113手まで、先手勝ち（投了）`; for a record without a result `途中まで（113手）`.
pub fn result(moves: usize, outcome: &str, why: &str, lang: Lang) -> String {
    // A draw is named only by its reason.
    let why = if why == outcome { "" } else { why };
    match (outcome.is_empty(), why.is_empty()) {
        (true, _) => say!(lang: "途中まで（{moves}手）", "{moves}" [moves: "move"]),
        (false, true) => say!(lang: "{moves}手まで、{outcome}", "{outcome} · {moves}" [moves: "move"]),
        (false, false) => {
            say!(lang: "{moves}手まで、{outcome}（{why}）", "{outcome} ({why}) · {moves}" [moves: "move"])
        }
    }
}

/// Returns the name of a header of a record in a language. An unknown header is returned unchanged.
pub fn header(key: &str, lang: Lang) -> &str {
    let english = match key {
        "棋戦" => "Event",
        "表題" => "Title",
        "開始日時" => "Began",
        "終了日時" => "Ended",
        "対局日" => "Date",
        "場所" => "Place",
        "持ち時間" => "Time allowed",
        "消費時間" => "Time used",
        "手合割" => "Handicap",
        "戦型" => "Opening",
        "備考" => "Remarks",
        "秒読み" => "Byoyomi",
        other => other,
    };
    lang.pick(key, english)
}

/// Returns the value of a header in a language. Only handicaps are translated.
pub fn value_of_header(key: &str, value: &str, lang: Lang) -> String {
    if key == "手合割" {
        phrase::handicap(value, lang)
    } else {
        value.to_owned()
    }
}

sentences! {
    /// Returns the change of a side's win rate: `先手の勝率 62% → 35%`.
    pub fn fall(side: &str, [before, after]: [u8; 2]; lang) =>
        "{side}の勝率 {before}% → {after}%", "{side}'s win rate {before}% → {after}%";

    /// Returns the mark of a move with its loss: `悪手（−27.3）`.
    pub fn mark_with_loss(mark: &str, loss: f64; lang) => "{mark}（−{loss:.1}）", "{mark} (−{loss:.1})";

    /// Returns the note that reasons are still searched for.
    pub fn missing_reasons(count: usize; lang) =>
        "{count}手の理由は、まだ調べているところです。", "The reasons of {count} are still being searched for." [count: "move"];

    /// Returns a number of moves: `18手`.
    pub fn moves(count: usize; lang) => "{count}手", "{count}" [count: "move"];

    /// Returns the loss of a move without a mark: `−3.2点`.
    pub fn points(loss: f64; lang) => "−{loss:.1}点", "−{loss:.1}";

    /// Returns the text alternative of the graph.
    pub fn graph(moves: usize, side: &str; lang) =>
        "{moves}手の対局における{side}の勝率の推移", "{side}'s win rate over the {moves} of the game" [moves: "move"];

    /// Returns the heading of a variation: `変化（87手目）`.
    pub fn variation(number: usize; lang) => "変化（{number}手目）", "Instead of move {number}";

    /// Returns the note about further decisive moves, which are not shown.
    pub fn more(count: usize; lang) => "ほかに{count}か所", "and {count} more";

    /// Returns the error of an existing file that is not a report.
    pub fn not_a_report(path: &str; lang) =>
        "{path} は既にあり、レポートではないので上書きしません。",
        "{path} already exists and is not a report: it is not replaced";

    /// Returns the error of a report file with an unknown extension.
    pub fn unknown_end(path: &str; lang) =>
        "{path}: レポートのファイル名は .html か .png で終わるようにしてください。",
        "{path}: the name of a report must end in .html or .png";

    /// Returns the error of a report and a record with the same path.
    pub fn same_path(path: &str; lang) =>
        "{path}: レポートと棋譜を同じ場所に書くことはできません。",
        "{path}: a report and a record cannot be written to the same file";
}

/// Returns the title of a column of a side's win rates: `先手勝率`.
pub fn win_rate(side: &str, lang: Lang) -> String {
    format!("{side}{}", lang.pick("勝率", "'s win rate"))
}

/// Returns the description of a point of the graph: `先手勝率 35%　評価値 −230`.
pub fn point(side: &str, rate: u8, value: &str, lang: Lang) -> String {
    let (rate_word, value_word) = (win_rate(side, lang), ReportWord::Evaluation.text(lang));
    format!(
        "{rate_word} {rate}%{}{value_word} {value}",
        lang.pick("　", " · ")
    )
}

/// Returns the legend of the graph: the side of the win rate, and the meaning of the bars, if any.
pub fn about_course(side: &str, has_times: bool, lang: Lang) -> String {
    let line = say!(lang: "線は{side}の勝率です。", "The line is {side}'s win rate.");
    let bars = lang.pick(
        "下の棒は各手の消費時間です。",
        " The bars are the times of the moves.",
    );
    if has_times { line + bars } else { line }
}

/// Returns the text alternative of a diagram: its position in the game and the pieces in hand.
pub fn diagram(label: &str, hands: [(&str, &str); 2], lang: Lang) -> String {
    let [(black, in_black), (white, in_white)] = hands;
    say!(lang:
        "{label}。{black}の持駒 {in_black}、{white}の持駒 {in_white}",
        "Diagram {label}. In {black}'s hand: {in_black}. In {white}'s hand: {in_white}")
}

/// Returns the caption of a diagram from the middle of a game: `途中図は86手目△6三銀まで`, `after move 86, P-5e`. At the
/// start, `word` is the word for the first position.
pub fn up_to(number: usize, word: &str, lang: Lang) -> String {
    match number {
        0 => say!(lang: "{word}", "at the start"),
        _ => say!(lang: "途中図は{number}手目{word}まで", "after move {number}, {word}"),
    }
}

/// Returns the error of a program that was built without pictures.
pub fn no_pictures(lang: Lang) -> &'static str {
    lang.pick(
        "この shogibar は画面なしで作られているため、PNG は書けません。.html を指定してください。",
        "this shogibar was built without windows and cannot draw pictures: use .html",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_states_its_reason() {
        let check = |outcome, why, lang, expect: &str| assert_eq!(result(113, outcome, why, lang), expect);
        check("先手勝ち", "投了", Lang::Ja, "113手まで、先手勝ち（投了）");
        check("千日手", "千日手", Lang::Ja, "113手まで、千日手");
        check(
            "Black wins",
            "resigned",
            Lang::En,
            "Black wins (resigned) · 113 moves",
        );
        check("", "", Lang::En, "113 moves");
        check("", "", Lang::Ja, "途中まで（113手）");
    }

    #[test]
    fn a_diagram_in_the_middle_of_a_game_is_captioned() {
        assert_eq!(up_to(86, "△6三銀", Lang::Ja), "途中図は86手目△6三銀まで");
        assert_eq!(up_to(0, "開始局面", Lang::Ja), "開始局面");
        assert_eq!(up_to(86, "S-6c", Lang::En), "after move 86, S-6c");
    }

    #[test]
    fn header_names_are_translated() {
        assert_eq!(
            [
                header("棋戦", Lang::Ja),
                header("棋戦", Lang::En),
                header("X", Lang::En)
            ],
            ["棋戦", "Event", "X"]
        );
        assert_eq!(value_of_header("手合割", "角落ち", Lang::En), "bishop");
    }
}
