//! The frame of a line in the log of another program: a time, words of the program, a mark, the engine, the USI line.
//!
//! `[2026-02-03T12:34:56.100] [INFO] usi - sid=1: > go infinite`, `12:34:56.100 <1:bestmove 7g7f`, `>C:usi`,
//! `2026/08/22 8:43:20'100 [1<] usi`, `ToEngine: usi`.

use std::borrow::Cow;

/// What the mark of a line tells about its direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// An arrow to the right. In most programs the line went to the engine, in others it came from it.
    Right,
    /// An arrow to the left, the opposite of [`Mark::Right`].
    Left,
    ToEngine,
    FromEngine,
}

/// The marks, as they are written. An arrow may have a shaft: `-->`, `<<`.
const MARKS: [(&str, Mark); 6] = [
    ("ToEngine", Mark::ToEngine),
    ("FromEngine", Mark::FromEngine),
    (">", Mark::Right),
    ("<", Mark::Left),
    ("→", Mark::Right),
    ("←", Mark::Left),
];

/// The first words of lines to an engine.
const COMMAND_WORDS: [&str; 10] = [
    "usi",
    "isready",
    "setoption",
    "usinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "gameover",
    "quit",
];

/// The first words of lines of an engine.
const REPLY_WORDS: [&str; 7] = [
    "id",
    "option",
    "usiok",
    "readyok",
    "info",
    "bestmove",
    "checkmate",
];

/// The longest part of a line before its mark, in bytes.
const MAX_HEAD_BYTES: usize = 200;
/// The longest name of an engine after a mark, in bytes.
const MAX_TAG_BYTES: usize = 64;
/// The longest shaft of an arrow after its head, in bytes.
const MAX_SHAFT_BYTES: usize = 4;

/// A line of another program's log.
pub(super) struct FramedLine<'a> {
    /// The time of day in milliseconds; 0 where there is none.
    pub(super) millis: u64,
    pub(super) mark: Mark,
    /// The number or the first letter of the engine; 0 where there is neither.
    pub(super) engine: u32,
    /// The USI line, without a line break.
    pub(super) text: &'a [u8],
}

impl<'a> FramedLine<'a> {
    /// Splits a line at the first mark that a command or a reply follows; `None` without such a mark.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        let line = super::without_line_break(line.trim_ascii_start());
        (0..line.len().min(MAX_HEAD_BYTES)).find_map(|at| Self::split_at(line, at))
    }

    /// Splits a line at the mark at `at`; `None` where there is no mark, or not between a frame and a USI line.
    fn split_at(line: &'a [u8], at: usize) -> Option<Self> {
        let (head, rest) = line.split_at_checked(at)?;
        let (mark, after) = MARKS
            .iter()
            .find_map(|(text, mark)| Some((*mark, rest.strip_prefix(text.as_bytes())?)))?;
        let shaft = after
            .iter()
            .take(MAX_SHAFT_BYTES)
            .take_while(|byte| b"-=<>".contains(byte))
            .count();
        let after = after.get(shaft..)?;
        let head = String::from_utf8_lossy(head);
        let (head, bracketed) = split_bracket(&head, after);
        let (tag, text) = split_tag(after, shaft > 0 || head.ends_with(['-', '=']))?;
        let engine = bracketed
            .or_else(|| tag.as_deref().map(engine_number))
            .or_else(|| session_number(head));
        (bracketed.is_some() || is_head(head)).then(|| Self {
            millis: time_of_day(head).unwrap_or(0),
            mark,
            engine: engine.unwrap_or(0),
            text,
        })
    }
}

/// Returns whether a line went to the engine, by its first word; `None` for any other word.
pub(super) fn is_command(text: &[u8]) -> Option<bool> {
    let word = text
        .split(u8::is_ascii_whitespace)
        .find(|word| !word.is_empty())?;
    let is_word = |known: &&str| known.as_bytes() == word;
    if COMMAND_WORDS.iter().any(is_word) {
        return Some(true);
    }
    REPLY_WORDS.iter().any(is_word).then_some(false)
}

/// Removes `[1` from the end of a head if `]` follows the mark: `[1<]`, `[0:>]`. Returns the number, 0 where there is
/// none.
fn split_bracket<'a>(head: &'a str, after: &[u8]) -> (&'a str, Option<u32>) {
    let (before, inside) = match head.rsplit_once('[') {
        Some(split) if after.starts_with(b"]") => split,
        _ => return (head, None),
    };
    let digits = inside.trim_end_matches([':', ',', ' ']);
    match digits.parse() {
        Ok(number) => (before, Some(number)),
        Err(_) if digits.is_empty() => (before, Some(0)),
        Err(_) => (head, None),
    }
}

/// Splits the text after a mark into the engine and the USI line: `1:usi`, `C:usi`, `1 usi`, `Name(0): usi`, `: usi`.
/// `None` without a USI line. `has_shaft` is whether the arrow is long enough to stand beside a line: `-->usi`.
fn split_tag(after: &[u8], has_shaft: bool) -> Option<(Option<Cow<'_, str>>, &[u8])> {
    let text = without_separators(after);
    if (has_shaft || text.len() < after.len()) && is_command(text).is_some() {
        return Some((None, text));
    }
    let digits = after
        .iter()
        .take(MAX_TAG_BYTES)
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let name = after
        .iter()
        .take(MAX_TAG_BYTES)
        .take_while(|byte| !b":<>[]".contains(byte))
        .count();
    let end = if digits > 0 { digits } else { name };
    let (tag, rest) = after.split_at_checked(end)?;
    let text = without_separators(rest);
    let is_tag = !tag.is_empty() && !tag.starts_with(b" ") && text.len() < rest.len();
    (is_tag && is_command(text).is_some()).then(|| (Some(String::from_utf8_lossy(tag)), text))
}

/// Returns a text without the characters that part a frame from its line.
fn without_separators(text: &[u8]) -> &[u8] {
    let separators = text.iter().take_while(|byte| b"]:,| \t".contains(byte)).count();
    text.get(separators..).unwrap_or_default()
}

/// Returns the last number in the name of an engine, or else its first character: `Name(1)`, `C`.
fn engine_number(tag: &str) -> u32 {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = tag.trim_end_matches(|c| !is_digit(c));
    let digits = digits
        .get(digits.trim_end_matches(is_digit).len()..)
        .unwrap_or_default();
    digits
        .parse()
        .unwrap_or_else(|_| tag.chars().next().map_or(0, u32::from))
}

/// Returns the number after `sid=` or `pid=`.
fn session_number(head: &str) -> Option<u32> {
    let (_, rest) = head.split_once("sid=").or_else(|| head.split_once("pid="))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

/// Returns whether a text may precede a mark: digits and signs without a word, a text with a time, or one that ends
/// with a separator.
fn is_head(head: &str) -> bool {
    let head = head.trim_end();
    let has_word = head.contains(|c: char| c.is_alphabetic());
    !has_word || head.ends_with([':', ']', ')', ',', '-', '=', '|']) || time_of_day(head).is_some()
}

/// Returns the first time of day in a text, in milliseconds since midnight: `12:34:56.789`, `8:43:20'100`,
/// `8:43:20 PM`. `None` without a time.
fn time_of_day(text: &str) -> Option<u64> {
    let (hours, rest) = text.match_indices(':').find_map(|(at, _)| {
        let (before, after) = (text.get(..at)?, text.get(at + 1..)?);
        let digits = before
            .bytes()
            .rev()
            .take(2)
            .take_while(u8::is_ascii_digit)
            .count();
        let hours = before.get(before.len() - digits..)?.parse::<u64>().ok()?;
        (after.get(2..)?.starts_with(':')).then_some((hours, after))
    })?;
    let minutes = rest.get(..2)?.parse::<u64>().ok()?;
    let seconds = rest.get(3..5)?.parse::<u64>().ok()?;
    let rest = rest.get(5..)?;
    let fraction = rest.strip_prefix(['.', ',', '\'', ':']).unwrap_or_default();
    let digits = fraction
        .bytes()
        .take_while(u8::is_ascii_digit)
        .chain(*b"000")
        .take(3);
    let millis = digits.fold(0, |millis, digit| millis * 10 + u64::from(digit - b'0'));
    let half = rest
        .split_ascii_whitespace()
        .find(|word| matches!(*word, "AM" | "PM" | "am" | "pm"));
    let is_afternoon = text.contains("午後") || half.is_some_and(|half| half.eq_ignore_ascii_case("PM"));
    let has_half = is_afternoon || text.contains("午前") || half.is_some();
    let hours = if has_half {
        hours % 12 + if is_afternoon { 12 } else { 0 }
    } else {
        hours
    };
    Some(((hours * 60 + minutes) * 60 + seconds) * 1000 + millis)
}

#[cfg(test)]
mod tests;
