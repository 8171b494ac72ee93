//! The words that end a KIF game.

use super::super::end::{Mark, Reason, Verdict};
use super::side;
use crate::shogi::numeral;

/// Words in place of a move. What they say is of the side whose turn it is.
const MARKS: [(&str, Reason, Verdict); 26] = [
    ("投了", Reason::Resignation, Verdict::MoverLoses),
    ("詰み", Reason::Checkmate, Verdict::MoverLoses),
    ("詰", Reason::Checkmate, Verdict::MoverLoses),
    ("切れ負け", Reason::TimeUp, Verdict::MoverLoses),
    ("時間切れ", Reason::TimeUp, Verdict::MoverLoses),
    ("Time-up", Reason::TimeUp, Verdict::MoverLoses),
    ("反則勝ち", Reason::Foul, Verdict::MoverWins),
    ("反則負け", Reason::Foul, Verdict::MoverLoses),
    ("反則手", Reason::Foul, Verdict::Open),
    ("入玉勝ち", Reason::Declaration, Verdict::MoverWins),
    ("入玉勝", Reason::Declaration, Verdict::MoverWins),
    ("宣言勝ち", Reason::Declaration, Verdict::MoverWins),
    ("勝ち宣言", Reason::Declaration, Verdict::MoverWins),
    ("不戦勝", Reason::Forfeit, Verdict::MoverWins),
    ("不戦勝ち", Reason::Forfeit, Verdict::MoverWins),
    ("不戦敗", Reason::Forfeit, Verdict::MoverLoses),
    ("不戦負け", Reason::Forfeit, Verdict::MoverLoses),
    ("千日手", Reason::Repetition, Verdict::Draw),
    ("持将棋", Reason::Impasse, Verdict::Draw),
    ("引き分け", Reason::Other, Verdict::Draw),
    ("引分", Reason::Other, Verdict::Draw),
    ("最大手数", Reason::MaxMoves, Verdict::Draw),
    ("中断", Reason::Interruption, Verdict::Open),
    ("封じ手", Reason::Sealed, Verdict::Open),
    ("不詰", Reason::NoMate, Verdict::Open),
    ("終了", Reason::Other, Verdict::Open),
];

/// What a line that starts with まで may say of the reason; the first that it holds counts.
const REASONS: [(&str, Reason, Verdict); 13] = [
    ("時間切れ", Reason::TimeUp, Verdict::MoverLoses),
    ("切れ負け", Reason::TimeUp, Verdict::MoverLoses),
    ("反則", Reason::Foul, Verdict::Open),
    ("入玉", Reason::Declaration, Verdict::Open),
    ("宣言", Reason::Declaration, Verdict::Open),
    ("不戦", Reason::Forfeit, Verdict::Open),
    ("千日手", Reason::Repetition, Verdict::Draw),
    ("持将棋", Reason::Impasse, Verdict::Draw),
    ("最大手数", Reason::MaxMoves, Verdict::Draw),
    ("中断", Reason::Interruption, Verdict::Open),
    ("封じ手", Reason::Sealed, Verdict::Open),
    ("不詰", Reason::NoMate, Verdict::Open),
    ("詰", Reason::Checkmate, Verdict::MoverLoses),
];

/// The end a word in place of a move means.
pub(super) fn mark(word: &str) -> Option<Mark> {
    MARKS.iter().find(|(known, ..)| *known == word).map(|(_, reason, verdict)| Mark::new(*reason, *verdict))
}

/// A text up to a blank, a bracket, a remark or the sign of a branch.
pub(super) fn first_word(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | '（' | '#' | '+')).next().unwrap_or_default()
}

/// A text up to a remark.
pub(super) fn without_remark(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim()
}

/// What `まで114手で後手の勝ち` says.
pub(super) fn summary(text: &str) -> Option<Mark> {
    let text = without_remark(text.strip_prefix("まで")?);
    let (reason, verdict) = REASONS
        .iter()
        .find(|(word, ..)| text.contains(word))
        .map_or((Reason::Other, Verdict::Open), |(_, reason, verdict)| (*reason, *verdict));
    let named = text.char_indices().rev().find_map(|(at, _)| text.get(at..).and_then(side));
    let verdict = match named {
        Some((color, rest)) if rest.contains('勝') => Verdict::Winner(color),
        Some((color, rest)) if rest.contains(['負', '敗']) => Verdict::Winner(color.flip()),
        _ => verdict,
    };
    Some(Mark::new(reason, verdict))
}

/// Whether a line starts with まで and says how a game ended; other texts, too, have lines that start
/// with the word.
pub(super) fn is_result(text: &str) -> bool {
    let says_how = |mark: Mark| (mark.reason, mark.verdict) != (Reason::Other, Verdict::Open);
    let counts = |text: &str| text.trim_start().starts_with(|c: char| numeral(c).is_some()) && text.contains('手');
    summary(text).is_some_and(says_how) || text.strip_prefix("まで").is_some_and(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::Color;

    #[test]
    fn results_name_the_winner() {
        let check = |text: &str, reason, verdict| assert_eq!(summary(text), Some(Mark::new(reason, verdict)), "{text}");
        check("まで114手で後手の勝ち", Reason::Other, Verdict::Winner(Color::White));
        check("まで33手で下手の勝ち", Reason::Other, Verdict::Winner(Color::Black));
        check("まで83手で先手の反則負け#x", Reason::Foul, Verdict::Winner(Color::White));
        check("まで2手で先手の反則勝ち", Reason::Foul, Verdict::Winner(Color::Black));
        check("まで97手で時間切れにより後手の勝ち", Reason::TimeUp, Verdict::Winner(Color::White));
        check("まで60手で千日手", Reason::Repetition, Verdict::Draw);
        check("まで7手で中断", Reason::Interruption, Verdict::Open);
        check("まで7手詰", Reason::Checkmate, Verdict::MoverLoses);
        assert_eq!(summary("投了"), None);
    }
}
