//! Lines in the logs of other programs: a time, words of the program, a mark of the direction, the text.
//!
//! `[2026-02-03T12:34:56.100] [INFO] usi - sid=1: > go infinite`, `12:34:56.100 <1:bestmove 7g7f`, `ToEngine: usi`.

use super::{Direction, LogEntry};

/// The marks of directions, longer ones first.
const DIRECTION_MARKS: [(&str, Direction); 4] = [
    ("ToEngine", Direction::Sent),
    ("FromEngine", Direction::Output),
    (">", Direction::Sent),
    ("<", Direction::Output),
];

/// The first words of lines to an engine.
const COMMAND_WORDS: [&str; 10] =
    ["usi", "isready", "setoption", "usinewgame", "position", "go", "stop", "ponderhit", "gameover", "quit"];

/// The first words of lines of an engine.
const REPLY_WORDS: [&str; 7] = ["id", "option", "usiok", "readyok", "info", "bestmove", "checkmate"];

/// The longest part of a line before its mark, in bytes.
const MAX_HEAD_BYTES: usize = 200;

/// The parts of a line of another program's log.
struct ForeignLine<'a> {
    /// The text before the mark of the direction.
    head: &'a str,
    direction: Direction,
    /// The number of the engine after the mark; `None` where there is none.
    engine: Option<u32>,
    text: &'a str,
}

/// Parses a line; `None` where it is not a line of a log.
pub(super) fn read(line: &[u8]) -> Option<LogEntry<'_>> {
    let ForeignLine { head, direction, text, .. } = ForeignLine::parse(line)?;
    Some(LogEntry { millis: time_of_day(head).unwrap_or(0), direction, bytes: text.as_bytes().into() })
}

/// Returns the number of the engine in a line: `sid=2` before the mark or `2:` after it. Returns 0 where there is none.
pub(super) fn engine_number(line: &[u8]) -> u32 {
    let Some(ForeignLine { head, engine, .. }) = ForeignLine::parse(line) else { return 0 };
    let session = || head.split_once("sid=").and_then(|(_, rest)| number(rest)).map(|(number, _)| number);
    engine.or_else(session).unwrap_or(0)
}

impl<'a> ForeignLine<'a> {
    /// Splits a line at the first mark with a command or a reply after it; `None` without such a mark.
    fn parse(line: &'a [u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?.trim();
        let indices = line.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_HEAD_BYTES);
        indices.filter(|at| line.as_bytes().get(*at).is_some_and(|byte| b"TF<>".contains(byte))).find_map(|at| {
            let (head, rest) = line.split_at_checked(at)?;
            let (mark, direction) = DIRECTION_MARKS.into_iter().find(|(mark, _)| rest.starts_with(mark))?;
            let rest = rest.strip_prefix(mark)?;
            let (engine, rest) = match number(rest) {
                Some((engine, rest)) => (Some(engine), rest),
                None => (None, rest),
            };
            let text = rest.trim_start_matches([':', ',', ' ', '\t']);
            let is_apart = text.len() < rest.len() && is_head(head);
            (is_apart && is_known(text, direction)).then_some(Self { head, direction, engine, text })
        })
    }
}

/// Returns whether a text may precede a mark: nothing, a time, or a text that ends with `:`, `]`, `,`, `-` or `|`.
fn is_head(head: &str) -> bool {
    let head = head.trim_end();
    head.is_empty() || head.ends_with([':', ']', ',', '-', '|']) || time_of_day(head).is_some()
}

/// Returns whether a text begins with a command or a reply, depending on the direction.
fn is_known(text: &str, direction: Direction) -> bool {
    let word = text.split_ascii_whitespace().next().unwrap_or_default();
    match direction {
        Direction::Sent => COMMAND_WORDS.contains(&word),
        _ => REPLY_WORDS.contains(&word),
    }
}

/// Splits a number of one or two digits from the beginning of a text; `None` without a digit.
fn number(text: &str) -> Option<(u32, &str)> {
    let end = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, rest))
}

/// Returns the last time like `12:34:56.789` in a text, in milliseconds since midnight; `None` without a time.
fn time_of_day(text: &str) -> Option<u64> {
    text.match_indices(':').rev().find_map(|(second, _)| {
        let (before, after) = (text.get(..second)?, text.get(second + 1..)?);
        let minutes = before.get(before.len().checked_sub(2)?..)?.parse::<u64>().ok()?;
        let hours = before.get(..before.len() - 2)?.strip_suffix(':')?;
        let hours = hours.get(hours.len().checked_sub(2)?..)?.parse::<u64>().ok()?;
        let seconds = after.get(..2)?.parse::<u64>().ok()?;
        let fraction = after.get(2..)?.strip_prefix(['.', ',']).unwrap_or_default();
        let digits = fraction.bytes().take_while(u8::is_ascii_digit).chain(*b"000").take(3);
        let millis = digits.fold(0, |millis, digit| millis * 10 + u64::from(digit - b'0'));
        Some(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis)
    })
}

#[cfg(test)]
mod tests {
    use super::super::Direction::{Output, Sent};
    use super::*;

    #[test]
    fn lines_of_other_programs_are_read() {
        let check = |line: &str, expect: Option<(u64, Direction, &str, u32)>| {
            let entry = LogEntry::read_any(line.as_bytes());
            let parts = entry.as_ref().map(|entry| (entry.millis, entry.direction, entry.text()));
            let expect_parts = expect.map(|(millis, direction, text, _)| (millis, direction, text.into()));
            assert_eq!(parts, expect_parts, "{line}");
            assert_eq!(engine_number(line.as_bytes()), expect.map_or(0, |(.., engine)| engine), "{line}");
        };
        let noon = 12 * 3_600_000 + 34 * 60_000 + 56_000;
        let home = "[2026-02-03T12:34:56.100] [INFO] usi - sid=2:";
        check(&format!("{home} > go infinite"), Some((noon + 100, Sent, "go infinite", 2)));
        check(&format!("{home} < info string a > b"), Some((noon + 100, Output, "info string a > b", 2)));
        check(&format!("{home} launch: /opt/engine"), None);
        check(">1:usi", Some((0, Sent, "usi", 1)));
        check("<1:bestmove 7g7f\r\n", Some((0, Output, "bestmove 7g7f", 1)));
        check("12:34:56 >2: isready", Some((noon, Sent, "isready", 2)));
        check("2026/02/03 12:34:56.5 < readyok", Some((noon + 500, Output, "readyok", 0)));
        check("2026/02/03 12:34:56,789,>,stop", Some((noon + 789, Sent, "stop", 0)));
        check("ToEngine: position startpos", Some((0, Sent, "position startpos", 0)));
        check("12:34:56.000 FromEngine id name A", Some((noon, Output, "id name A", 0)));
        check("> usi", Some((0, Sent, "usi", 0)));
        for line in ["> hello", "a < b", "x > go", "if a < info", ">", "usi", "", "<html>", "12:34 > go"] {
            check(line, None);
        }
    }
}
