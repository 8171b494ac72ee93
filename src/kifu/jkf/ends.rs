//! The end of a JKF game: CSA's codes, and a comment line with the details that they lack.
//!
//! The details are in the first line of the comment: `終局：封じ手`, `反則手：８六角打`, `読めない手：５五象`,
//! `終局：「words」`. If the outcome is not the default, `（先手の勝ち）`, `（後手の勝ち）`, `（引き分け）` or
//! `（勝敗なし）` follows.

use super::super::csa;
use super::super::end::{End, EndMark, MarkOutcome, Outcome, Reason, find_mark};
use shogibar_shogi::Color;

/// The names of ends in a comment line with details.
const END_NAMES: [(&str, EndMark); 15] = [
    ("投了", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    ("詰み", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("切れ負け", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("反則負け", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    ("反則勝ち", EndMark::new(Reason::Foul, MarkOutcome::MoverWins)),
    (
        "入玉勝ち",
        EndMark::new(Reason::Declaration, MarkOutcome::MoverWins),
    ),
    (
        "宣言による引き分け",
        EndMark::new(Reason::Declaration, MarkOutcome::Draw),
    ),
    ("不戦敗", EndMark::new(Reason::Forfeit, MarkOutcome::MoverLoses)),
    ("不戦勝", EndMark::new(Reason::Forfeit, MarkOutcome::MoverWins)),
    ("千日手", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("持将棋", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("最大手数", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("中断", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("封じ手", EndMark::new(Reason::Sealed, MarkOutcome::Open)),
    ("不詰", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
];

/// The prefixes of a comment line with a move that was not played.
const CUT_PREFIXES: [(&str, Reason); 2] = [
    ("反則手：", Reason::IllegalMove),
    ("読めない手：", Reason::Unreadable),
];

/// The outcomes at the end of a comment line with details.
const OUTCOME_SUFFIXES: [(&str, Outcome); 4] = [
    ("（先手の勝ち）", Outcome::Win(Color::Black)),
    ("（後手の勝ち）", Outcome::Win(Color::White)),
    ("（引き分け）", Outcome::Draw),
    ("（勝敗なし）", Outcome::Open),
];

/// Returns a code in upper case, without a `%` before it.
pub(super) fn normalize_code(code: &str) -> String {
    code.trim().trim_start_matches('%').to_ascii_uppercase()
}

/// Returns the meaning of a code, and the words for the end: the code with `%` before it. `None` for an unknown code.
pub(super) fn from_code(code: &str) -> Option<(EndMark, String)> {
    let mark = match code {
        // A foul without a named side belongs to the side that moved last.
        "ILLEGAL_ACTION" => EndMark::new(Reason::Foul, MarkOutcome::MoverWins),
        _ => csa::end_mark(code)?,
    };
    Some((mark, format!("%{code}")))
}

/// Returns the code for an end, or the nearest one. Also returns the line with details, if a reader needs it before
/// `comment` to restore the end.
pub(super) fn to_code(end: &End, mover: Color, comment: Option<&str>) -> (&'static str, Option<String>) {
    let code = nearest_code(end, mover);
    let is_complete =
        from_code(code).is_some_and(|(mark, words)| End::from_mark(mark, mover, &words) == *end);
    // If the comment looks like a line with details, the true line is written before it.
    let is_plain = comment.is_none_or(|comment| split_details(comment, code, mover).is_none());
    (
        code,
        (!(is_complete && is_plain)).then(|| details_line(end, mover)),
    )
}

/// Returns the end that the first line of a comment states, and the rest of the comment. Returns `None` if that line
/// has no details, or details that contradict `code`.
pub(super) fn split_details<'c>(
    comment: &'c str,
    code: &str,
    mover: Color,
) -> Option<(End, Option<&'c str>)> {
    let (line, rest) = comment
        .split_once('\n')
        .map_or((comment, None), |(line, rest)| (line, Some(rest)));
    let end = parse_details_line(line, mover)?;
    (nearest_code(&end, mover) == code).then_some((end, rest))
}

fn nearest_code(end: &End, mover: Color) -> &'static str {
    match (end.reason, end.outcome) {
        (Reason::Resignation, _) => "TORYO",
        (Reason::Checkmate, _) => "TSUMI",
        (Reason::TimeUp, _) => "TIME_UP",
        (Reason::Foul, Outcome::Win(winner)) if winner == mover => {
            if winner == Color::Black {
                "-ILLEGAL_ACTION"
            } else {
                "+ILLEGAL_ACTION"
            }
        }
        (Reason::Foul | Reason::IllegalMove, _) => "ILLEGAL_MOVE",
        (Reason::Declaration | Reason::MaxMoves | Reason::Other, Outcome::Draw) => "HIKIWAKE",
        (Reason::Declaration, _) => "KACHI",
        (Reason::Repetition, _) => "SENNICHITE",
        (Reason::Impasse, _) => "JISHOGI",
        (Reason::NoMate, _) => "FUZUMI",
        (Reason::Unreadable, _) => "ERROR",
        (Reason::Other, _) if end.words() == "%MATTA" => "MATTA",
        (Reason::Other, _) if end.words() == "%ERROR" => "ERROR",
        (Reason::MaxMoves | Reason::Interruption | Reason::Sealed | Reason::Forfeit | Reason::Other, _) => {
            "CHUDAN"
        }
    }
}

fn details_line(end: &End, mover: Color) -> String {
    let words = one_line(end.words());
    let cut = CUT_PREFIXES.iter().find(|(_, reason)| *reason == end.reason);
    let (mut line, default) = match (cut, end.reason) {
        (Some((label, _)), _) => (format!("{label}{words}"), Outcome::Open),
        (None, Reason::Other) => (format!("終局：「{words}」"), Outcome::Open),
        (None, reason) => {
            let named = || END_NAMES.iter().filter(|(_, mark)| mark.reason == reason);
            let fits = named().find(|(_, mark)| mark.outcome_for(mover) == end.outcome);
            let (name, default) = fits
                .or_else(|| named().next())
                .map_or(("", Outcome::Open), |(name, mark)| {
                    (*name, mark.outcome_for(mover))
                });
            (format!("終局：{name}"), default)
        }
    };
    // Words that look like an outcome are followed by the true one.
    if default != end.outcome || split_outcome(&line).is_some() {
        line.push_str(
            OUTCOME_SUFFIXES
                .iter()
                .find(|(_, outcome)| *outcome == end.outcome)
                .map_or("", |(text, _)| text),
        );
    }
    line
}

/// Parses a comment line with the details of an end; `None` for another line.
fn parse_details_line(line: &str, mover: Color) -> Option<End> {
    let (content, outcome) = match split_outcome(line) {
        Some((content, outcome)) => (content, Some(outcome)),
        None => (line, None),
    };
    for (label, reason) in CUT_PREFIXES {
        if let Some(words) = content.strip_prefix(label) {
            return Some(End::new(reason, outcome.unwrap_or(Outcome::Open), words));
        }
    }
    let name = content.strip_prefix("終局：")?;
    if let Some(words) = name.strip_prefix('「').and_then(|name| name.strip_suffix('」')) {
        return Some(End::new(Reason::Other, outcome.unwrap_or(Outcome::Open), words));
    }
    let mark = find_mark(&END_NAMES, |known| known == name)?;
    Some(End::new(
        mark.reason,
        outcome.unwrap_or_else(|| mark.outcome_for(mover)),
        "",
    ))
}

/// Splits the outcome off a comment line with details; `None` for a line without an outcome.
fn split_outcome(line: &str) -> Option<(&str, Outcome)> {
    OUTCOME_SUFFIXES
        .iter()
        .find_map(|(text, outcome)| Some((line.strip_suffix(text)?, *outcome)))
}

pub(super) fn one_line(words: &str) -> String {
    words.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_trips_every_end() {
        let check = |reason, outcome, words: &str, code, line: Option<&str>| {
            let end = End::new(reason, outcome, words);
            let mover = Color::White;
            let (found, statement) = to_code(&end, mover, None);
            assert_eq!((found, statement.as_deref()), (code, line), "{end:?}");
            let comment = statement.map_or_else(|| "comment".to_owned(), |line| format!("{line}\ncomment"));
            let read = split_details(&comment, code, mover);
            let of_code = || {
                from_code(code)
                    .map(|(mark, words)| End::from_mark(mark, mover, &words))
                    .expect(code)
            };
            let (read, rest) = read.unwrap_or_else(|| (of_code(), Some(&comment)));
            assert_eq!((read, rest), (end, Some("comment")), "{comment}");
        };
        let (black, white) = (Outcome::Win(Color::Black), Outcome::Win(Color::White));
        check(Reason::Resignation, black, "", "TORYO", None);
        check(
            Reason::Resignation,
            white,
            "",
            "TORYO",
            Some("終局：投了（後手の勝ち）"),
        );
        check(Reason::Foul, black, "", "ILLEGAL_MOVE", None);
        check(Reason::Foul, white, "", "+ILLEGAL_ACTION", None);
        check(
            Reason::Foul,
            Outcome::Open,
            "",
            "ILLEGAL_MOVE",
            Some("終局：反則負け（勝敗なし）"),
        );
        check(Reason::Declaration, white, "", "KACHI", None);
        check(Reason::Declaration, Outcome::Draw, "", "HIKIWAKE", None);
        check(
            Reason::MaxMoves,
            Outcome::Draw,
            "",
            "HIKIWAKE",
            Some("終局：最大手数"),
        );
        check(Reason::Sealed, Outcome::Open, "", "CHUDAN", Some("終局：封じ手"));
        check(Reason::Forfeit, white, "", "CHUDAN", Some("終局：不戦勝"));
        check(
            Reason::Repetition,
            white,
            "",
            "SENNICHITE",
            Some("終局：千日手（後手の勝ち）"),
        );
        check(
            Reason::IllegalMove,
            Outcome::Open,
            "８六角打",
            "ILLEGAL_MOVE",
            Some("反則手：８六角打"),
        );
        check(
            Reason::IllegalMove,
            black,
            "８六角打",
            "ILLEGAL_MOVE",
            Some("反則手：８六角打（先手の勝ち）"),
        );
        check(
            Reason::Unreadable,
            Outcome::Open,
            "",
            "ERROR",
            Some("読めない手："),
        );
        check(
            Reason::Unreadable,
            Outcome::Open,
            "？（引き分け）",
            "ERROR",
            Some("読めない手：？（引き分け）（勝敗なし）"),
        );
        check(Reason::Other, Outcome::Open, "%MATTA", "MATTA", None);
        check(Reason::Other, Outcome::Open, "%ERROR", "ERROR", None);
        check(
            Reason::Other,
            Outcome::Draw,
            "引き分け",
            "HIKIWAKE",
            Some("終局：「引き分け」（引き分け）"),
        );
        check(
            Reason::Other,
            Outcome::Open,
            "封じ手",
            "CHUDAN",
            Some("終局：「封じ手」"),
        );
        check(
            Reason::Other,
            Outcome::Open,
            "a」（引き分け）",
            "CHUDAN",
            Some("終局：「a」（引き分け）」"),
        );
    }

    #[test]
    fn does_not_take_a_comment_for_an_end() {
        let end = End::new(Reason::Resignation, Outcome::Win(Color::White), "");
        assert_eq!(
            to_code(&end, Color::Black, Some("終局：投了")),
            ("TORYO", Some("終局：投了".to_owned()))
        );
        assert_eq!(to_code(&end, Color::Black, Some("終局：封じ手")), ("TORYO", None));
        assert_eq!(to_code(&end, Color::Black, Some("終局：なし")), ("TORYO", None));
    }

    #[test]
    fn tolerates_unusual_codes() {
        let check = |code: &str, reason, outcome, words: &str| {
            let found = from_code(&normalize_code(code))
                .map(|(mark, words)| End::from_mark(mark, Color::Black, &words));
            assert_eq!(found, Some(End::new(reason, outcome, words)), "{code}");
        };
        let (black, white) = (Outcome::Win(Color::Black), Outcome::Win(Color::White));
        check("toryo", Reason::Resignation, white, "");
        check("%TSUMI", Reason::Checkmate, white, "");
        check("ILLEGAL_ACTION", Reason::Foul, black, "");
        check("+ILLEGAL_ACTION", Reason::Foul, white, "");
        check("MAX_MOVES", Reason::MaxMoves, Outcome::Draw, "");
        check("matta", Reason::Other, Outcome::Open, "%MATTA");
        assert_eq!(from_code("WON"), None);
    }
}
