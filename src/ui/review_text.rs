//! Texts of the review of a game's mistakes.

use shogibar_base::{Lang, phrases, say, sentences};
use shogibar_games::Label;

phrases! {
    /// A text of the review card.
    pub enum ReviewPhrase {
        Review => "振り返り", "Review";
        BetterWas => "最善は", "Better was";
        Best => "最善", "Best";
        Played => "実戦", "Played";
        PunishLine => "とがめる順", "Punishing line";
        BetterLine => "最善の順", "Better line";
        AddLine => "棋譜に加える", "Add";
        IsAdded => "棋譜にあります", "Added";
        Previous => "前のミス", "Previous mistake";
        Next => "次のミス", "Next mistake";
        Mistakes => "ミス一覧", "Mistakes";
        Decisive => "勝敗を分けた手", "Decisive move";
        AboutDecisive =>
            "輪の付いた印は勝敗を分けた手です。10点以上損して、どちらが優勢かが変わりました。",
            "A mark with a ring is a decisive move: it lost 10 points or more and changed who is ahead.";
        ByLoss => "損の大きい順に", "By loss";
        ByMove => "手の順に", "By move";
        BadMoves => "悪手", "Mistakes";
        DubiousMoves => "疑問手", "Dubious";
        NoMistakes => "悪手・疑問手はありません。", "No mistakes or dubious moves.";
        NoBetter => "最善手は記録されていません。", "The better move is not recorded.";
        Withheld => "解析が終わると、ミスがここに出ます。", "Mistakes appear here when the analysis is done.";
        NotAnalysed =>
            "一局解析をすると、悪手・疑問手と最善手がここに出ます。",
            "Analyse the game to see its mistakes and the better moves here.";
    }
}

/// Returns the short label of the button for the previous or the next mistake.
pub const fn short_step(phrase: ReviewPhrase, lang: Lang) -> &'static str {
    match phrase {
        ReviewPhrase::Previous => lang.pick("前へ", "Back"),
        _ => lang.pick("次へ", "Next"),
    }
}

/// Returns the unit of points of win rate.
pub const fn points(lang: Lang) -> &'static str {
    lang.pick("点", "pts")
}

/// Returns the text after a line that mates: `まで7手詰`.
pub fn until_mate(plies: Option<u32>, lang: Lang) -> String {
    match plies {
        Some(plies) => say!(lang: "まで{plies}手詰", "mate in {plies}"),
        None => lang.pick("まで詰み", "mate").to_owned(),
    }
}

sentences! {
    /// Returns a move with its mark, if any, and its loss, for a screen reader: `▲9六玉 悪手 −26点`.
    pub fn lossy_move(word: &str, mark: Option<Label>, loss: &str; lang) =>
        "{word}{mark} −{loss}点", "{word}{mark} −{loss}" [loss: "pt"],
        mark = mark.map(|mark| format!(" {}", mark.text(lang))).unwrap_or_default();

    /// Returns the move that was played next.
    pub fn next_played(word: &str; lang) => "実戦の次の手：{word}", "Played next: {word}";

    /// Returns a win rate with its name: `最善 54%`.
    pub fn rate(name: ReviewPhrase, percent: u8; lang) => "{name} {percent}%", "{name} {percent}%", name = name.text(lang);
}
