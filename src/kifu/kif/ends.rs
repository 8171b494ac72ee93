//! The words that end a KIF game.

use super::super::end::{End, EndMark, MarkOutcome, Outcome, Reason, find_mark};
use super::draw::side_name;
use super::side;
use crate::scan::{Scanner, digit, is_invisible};
use shogibar_shogi::{Color, SIDE_MARKS, numeral};

/// The words in place of a move that end a game.
const END_MARKS: [(&str, EndMark); 26] = [
    ("投了", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    ("詰み", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("詰", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("切れ負け", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("時間切れ", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("Time-up", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("反則勝ち", EndMark::new(Reason::Foul, MarkOutcome::MoverWins)),
    ("反則負け", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    ("反則手", EndMark::new(Reason::Foul, MarkOutcome::Open)),
    (
        "入玉勝ち",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    (
        "入玉勝",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    (
        "宣言勝ち",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    (
        "勝ち宣言",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    ("不戦勝", EndMark::new(Reason::Forfeit, MarkOutcome::MoverWins)),
    ("不戦勝ち", EndMark::new(Reason::Forfeit, MarkOutcome::MoverWins)),
    ("不戦敗", EndMark::new(Reason::Forfeit, MarkOutcome::MoverLoses)),
    ("不戦負け", EndMark::new(Reason::Forfeit, MarkOutcome::MoverLoses)),
    ("千日手", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("持将棋", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("引き分け", EndMark::new(Reason::Other, MarkOutcome::Draw)),
    ("引分", EndMark::new(Reason::Other, MarkOutcome::Draw)),
    ("最大手数", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("中断", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("封じ手", EndMark::new(Reason::Sealed, MarkOutcome::Open)),
    ("不詰", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("終了", EndMark::new(Reason::Other, MarkOutcome::Open)),
];

/// The length of the longest of these words, in characters.
const MAX_MARK_CHARS: usize = 7;

/// The words for reasons in a summary line (`まで…`); the first match counts.
const SUMMARY_REASONS: [(&str, EndMark); 17] = [
    ("投了", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    ("時間切れ", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("切れ負け", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("反則", EndMark::new(Reason::Foul, MarkOutcome::Open)),
    ("入玉", EndMark::new(Reason::Declaration, MarkOutcome::Open)),
    ("宣言", EndMark::new(Reason::Declaration, MarkOutcome::Open)),
    ("不戦", EndMark::new(Reason::Forfeit, MarkOutcome::Open)),
    ("千日手", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("持将棋", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("最大手数", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("中断", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("指し掛け", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("封じ手", EndMark::new(Reason::Sealed, MarkOutcome::Open)),
    ("不詰", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("詰", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("引き分け", EndMark::new(Reason::Other, MarkOutcome::Draw)),
    ("引分", EndMark::new(Reason::Other, MarkOutcome::Draw)),
];

/// Returns the mark of the first word of a text, with the word; `None` if the word is no mark.
pub(in super::super) fn first_mark(text: &str) -> Option<(EndMark, &str)> {
    // No mark is longer, and a line may be long.
    let end = text
        .char_indices()
        .nth(MAX_MARK_CHARS + 1)
        .map_or(text.len(), |(end, _)| end);
    let word = first_word(text.get(..end).unwrap_or_default());
    end_mark(word).map(|mark| (mark, word))
}

/// Returns the mark of a word that names the winner, as 先手勝ち; `None` for another word.
pub(in super::super) fn winner_mark(word: &str) -> Option<EndMark> {
    let (winner, rest) = side(word)?;
    let wins = matches!(rest, "勝" | "勝ち" | "の勝ち" | "勝利" | "の勝利");
    wins.then(|| EndMark::new(Reason::Other, MarkOutcome::Winner(winner)))
}

fn end_mark(word: &str) -> Option<EndMark> {
    find_mark(&END_MARKS, |known| known == word)
}

/// Returns a text up to a blank, a bracket, a remark or the sign of a branch.
fn first_word(text: &str) -> &str {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | '（' | '#' | '+'))
        .next()
        .unwrap_or_default()
}

/// Returns a text without its remark.
pub(super) fn without_remark(text: &str) -> &str {
    text.split('#').next().unwrap_or_default().trim()
}

/// Parses a summary like `まで114手で後手の勝ち`; `None` for a text that does not begin with まで.
pub(in super::super) fn parse_summary(text: &str) -> Option<EndMark> {
    let text = without_remark(text.strip_prefix("まで")?);
    let mark = find_mark(&SUMMARY_REASONS, |word| text.contains(word))
        .unwrap_or(EndMark::new(Reason::Other, MarkOutcome::Open));
    let named = text
        .char_indices()
        .rev()
        .find_map(|(at, _)| text.get(at..).and_then(side));
    let outcome = match named {
        Some((color, rest)) if rest.contains('勝') => MarkOutcome::Winner(color),
        Some((color, rest)) if rest.contains(['負', '敗']) || rest.starts_with("投了") => {
            MarkOutcome::Winner(color.flip())
        }
        _ => mark.outcome,
    };
    Some(EndMark::new(mark.reason, outcome))
}

const DRAW_WORD: &str = "引き分け";

/// Returns whether words in place of a move are a single word, not an unreadable move.
pub(super) fn is_word(words: &str) -> bool {
    let begins_like_a_move =
        |c: char| numeral(c).is_some() || c == '同' || SIDE_MARKS.contains(&c) || digit(c).is_some();
    !words.starts_with(|c| begins_like_a_move(c) || matches!(c, '*' | '&' | '\'' | '|'))
        && !words.starts_with("まで")
        && !words.contains(is_invisible)
        && !words.is_empty()
        && first_word(words) == words
}

/// Returns the number of moves that `まで114手で` states; `None` for another text.
pub(super) fn stated_move_count(text: &str) -> Option<u32> {
    Scanner::new(text.strip_prefix("まで")?.trim_start_matches(['、', ' ', '　'])).number()
}

/// Returns the text after `まで114手で`, without the winner and a remark.
pub(super) fn sentence_of(text: &str) -> &str {
    let text = without_remark(text);
    let sentence = text
        .split_once("手で")
        .map_or(text, |(_, sentence)| sentence.trim());
    match sentence.rsplit_once("により") {
        Some((reason, winner)) if side(winner).is_some() || winner == DRAW_WORD => reason,
        _ => sentence,
    }
}

/// Returns whether a line is a summary that states a result or a number of moves. Other texts may begin with まで, too.
pub(in super::super) fn is_result(text: &str) -> bool {
    let counts =
        |text: &str| text.trim_start().starts_with(|c: char| numeral(c).is_some()) && text.contains('手');
    parse_summary(text).is_some_and(|mark| (mark.reason, mark.outcome) != (Reason::Other, MarkOutcome::Open))
        || text.strip_prefix("まで").is_some_and(counts)
}

/// The words with which KIF and KI2 write an end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EndWords {
    /// The word in place of a move: `投了`, or the move that was not played. `None` if only the summary states the end.
    pub(super) word: Option<String>,
    /// The result of a move that was not played.
    pub(super) result: Option<&'static str>,
    /// The summary line: `まで7手で先手の勝ち`.
    pub(super) summary: Option<String>,
}

/// Returns the words for an end in KIF after `ply` moves, with `mover` to move. A strict reader does not know all
/// summaries: an unknown one is omitted if it adds nothing.
pub(super) fn kif_end_words(end: &End, ply: u16, mover: Color, is_handicap: bool) -> EndWords {
    let full = end_words(end, ply, mover, is_handicap);
    let without = EndWords {
        summary: None,
        ..full.clone()
    };
    let is_known = !matches!(
        end.reason,
        Reason::Declaration | Reason::Forfeit | Reason::MaxMoves | Reason::Other
    );
    if !is_known && read_back(&without, end.reason, mover).as_ref() == Some(end) {
        without
    } else {
        full
    }
}

/// Returns the words for an end in KI2. Only an unplayed move is written in place of a move.
pub(super) fn ki2_end_words(end: &End, ply: u16, mover: Color, is_handicap: bool) -> EndWords {
    let full = end_words(end, ply, mover, is_handicap);
    EndWords {
        word: if end.is_cut() { full.word } else { None },
        result: None,
        ..full
    }
}

/// Returns the words for an end, as KIF and KI2 have them in common.
fn end_words(end: &End, ply: u16, mover: Color, is_handicap: bool) -> EndWords {
    let total = u32::from(ply) + u32::from(end.is_cut());
    let summary = sentence(end, mover, is_handicap).map(|sentence| format!("まで{total}手で{sentence}"));
    if end.is_cut() {
        // The result follows the illegal move: the opponent wins by it, or resigns anyway.
        let result = match end.outcome {
            Outcome::Win(winner) if winner == mover => Some("投了"),
            Outcome::Win(_) if end.reason == Reason::IllegalMove => Some("反則勝ち"),
            _ => None,
        };
        return EndWords {
            word: Some(end.words().to_owned()),
            result,
            summary,
        };
    }
    if end.words().starts_with("まで") {
        return EndWords {
            summary: Some(end.words().to_owned()),
            ..EndWords::default()
        };
    }
    EndWords {
        word: end_word(end, mover).map(str::to_owned),
        result: None,
        summary,
    }
}

/// Returns whether a word in place of a move states the end. Such a word can have a time.
pub(super) fn has_word(end: &End, mover: Color) -> bool {
    end.is_cut() || end_word(end, mover).is_some()
}

/// Returns the word in place of a move for an end. If no word has this reason and outcome, returns a word for the
/// reason. `None` if the reason has no word.
fn end_word(end: &End, mover: Color) -> Option<&str> {
    if end.reason == Reason::Other {
        return (is_word(end.words()) && !states_mover_win(end, mover)).then(|| end.words());
    }
    let of_reason = || END_MARKS.iter().filter(|(_, mark)| mark.reason == end.reason);
    of_reason()
        .find(|(_, mark)| mark.outcome_for(mover) == end.outcome)
        .or_else(|| of_reason().next())
        .map(|(word, _)| *word)
}

/// Returns a short description of an end.
pub(super) fn phrase(end: &End, mover: Color, is_handicap: bool) -> String {
    let word = end_word(end, mover).unwrap_or_else(|| end.words());
    match sentence(end, mover, is_handicap) {
        Some(sentence) if !means(word, mover, end.outcome) => sentence,
        _ => word.to_owned(),
    }
}

/// Returns the sentence for an end in a line that starts with まで; `None` if the end needs no sentence.
fn sentence(end: &End, mover: Color, is_handicap: bool) -> Option<String> {
    Some(match (end.reason, end.outcome) {
        (Reason::Other, outcome) if means(end.words(), mover, outcome) || states_mover_win(end, mover) => {
            end.words().to_owned()
        }
        (reason, Outcome::Win(winner)) => {
            let name = side_name(winner, is_handicap);
            match reason {
                Reason::Resignation | Reason::Unreadable => format!("{name}の勝ち"),
                Reason::Foul if winner == mover => format!("{name}の反則勝ち"),
                Reason::IllegalMove if winner == mover => format!("{name}の勝ち"),
                Reason::IllegalMove => format!("{name}の反則勝ち"),
                Reason::Foul => format!("{}の反則負け", side_name(winner.flip(), is_handicap)),
                Reason::Checkmate if winner == mover.flip() => "詰み".to_owned(),
                Reason::Declaration => format!("{name}の入玉勝ち"),
                Reason::Forfeit => format!("{name}の不戦勝"),
                Reason::TimeUp => format!("時間切れにより{name}の勝ち"),
                Reason::Checkmate => format!("詰みにより{name}の勝ち"),
                Reason::Repetition => format!("連続王手の千日手により{name}の勝ち"),
                Reason::Impasse => format!("持将棋により{name}の勝ち"),
                Reason::MaxMoves => format!("最大手数により{name}の勝ち"),
                Reason::Interruption => format!("中断により{name}の勝ち"),
                Reason::Sealed => format!("封じ手により{name}の勝ち"),
                Reason::NoMate => format!("不詰により{name}の勝ち"),
                Reason::Other if end.words().is_empty() => format!("{name}の勝ち"),
                Reason::Other => format!("{}により{name}の勝ち", end.words()),
            }
        }
        (Reason::Repetition, Outcome::Draw) => "千日手".to_owned(),
        (Reason::Impasse, Outcome::Draw) => "持将棋".to_owned(),
        (Reason::MaxMoves, Outcome::Draw) => "最大手数".to_owned(),
        (Reason::Other, Outcome::Draw) if !end.words().is_empty() => {
            format!("{}により{DRAW_WORD}", end.words())
        }
        (_, Outcome::Draw) => DRAW_WORD.to_owned(),
        (Reason::Interruption, Outcome::Open) => "中断".to_owned(),
        (Reason::Sealed, Outcome::Open) => "封じ手".to_owned(),
        (Reason::NoMate, Outcome::Open) => "不詰".to_owned(),
        (Reason::Foul, Outcome::Open) => "反則手".to_owned(),
        (Reason::Other, Outcome::Open) if !end.words().is_empty() => end.words().to_owned(),
        (_, Outcome::Open) => return None,
    })
}

fn means(word: &str, mover: Color, outcome: Outcome) -> bool {
    end_mark(word).is_some_and(|mark| mark.outcome_for(mover) == outcome)
}

fn states_mover_win(end: &End, mover: Color) -> bool {
    let stated = parse_summary(&format!("まで{}", end.words()));
    end.outcome == Outcome::Win(mover)
        && stated == Some(EndMark::new(Reason::Other, MarkOutcome::Winner(mover)))
}

/// Returns the end that a reader makes of the words for an end of this reason; `None` without words.
pub(super) fn read_back(end_words: &EndWords, reason: Reason, mover: Color) -> Option<End> {
    let mut end = match &end_words.word {
        Some(words) if matches!(reason, Reason::IllegalMove | Reason::Unreadable) => {
            let mut cut = End::new(reason, Outcome::Open, words);
            if let Some(mark) = end_words.result.and_then(end_mark) {
                cut.apply_mark(mark, mover.flip());
            }
            Some(cut)
        }
        Some(word) => {
            let mark = end_mark(word).unwrap_or(EndMark::new(Reason::Other, MarkOutcome::Open));
            Some(End::from_mark(mark, mover, word))
        }
        None => None,
    };
    if let Some((words, summary)) = end_words
        .summary
        .as_deref()
        .and_then(|text| Some((sentence_of(text), parse_summary(text)?)))
    {
        match &mut end {
            None => end = Some(End::from_summary(summary, mover, words)),
            Some(end) => drop(end.apply_summary(summary, if end.is_cut() { mover.flip() } else { mover })),
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::Color;

    #[test]
    fn reads_the_winner_of_a_summary() {
        let check = |text: &str, reason, outcome| {
            assert_eq!(parse_summary(text), Some(EndMark::new(reason, outcome)), "{text}");
        };
        check(
            "まで114手で後手の勝ち",
            Reason::Other,
            MarkOutcome::Winner(Color::White),
        );
        check(
            "まで33手で下手の勝ち",
            Reason::Other,
            MarkOutcome::Winner(Color::Black),
        );
        check(
            "まで83手で先手の反則負け#x",
            Reason::Foul,
            MarkOutcome::Winner(Color::White),
        );
        check(
            "まで2手で先手の反則勝ち",
            Reason::Foul,
            MarkOutcome::Winner(Color::Black),
        );
        check(
            "まで97手で時間切れにより後手の勝ち",
            Reason::TimeUp,
            MarkOutcome::Winner(Color::White),
        );
        check("まで60手で千日手", Reason::Repetition, MarkOutcome::Draw);
        check("まで7手で中断", Reason::Interruption, MarkOutcome::Open);
        check("まで7手詰", Reason::Checkmate, MarkOutcome::MoverLoses);
        assert_eq!(parse_summary("投了"), None);
    }

    #[test]
    fn names_the_winner_once() {
        let check = |outcome, words: &str, word: Option<&str>, sentence: &str| {
            let end = End::new(Reason::Other, outcome, words);
            let written = kif_end_words(&end, 2, Color::Black, false);
            assert_eq!(written.word.as_deref(), word);
            assert_eq!(written.summary, Some(format!("まで2手で{sentence}")));
            assert_eq!(read_back(&written, Reason::Other, Color::Black), Some(end));
        };
        check(Outcome::Win(Color::Black), "", None, "先手の勝ち");
        check(
            Outcome::Win(Color::White),
            "判定",
            Some("判定"),
            "判定により後手の勝ち",
        );
    }
}
