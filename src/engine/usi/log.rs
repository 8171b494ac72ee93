//! Logs of the traffic with an engine: `seconds mark text`, one line each.
//!
//! The text has two escapes for other bytes: `\r` for a carriage return and `\xNN` for a single byte. `\xNN` stands for
//! bytes that are not UTF-8, control characters and characters that change the text direction. So a log is safe to
//! print on a terminal. A backslash that would begin an escape is written `\x5c`. Logs of other programs also write a
//! whole line as `(non-utf8) b'…'`. [`LogReader`] also reads the lines of other programs.

mod foreign;

use super::tokens::decode;
use foreign::{FramedLine, Mark};
use shogibar_base::visible::is_control;
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// The source of a line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// `>`: sent to the engine.
    Sent,
    /// `<`: the engine's standard output.
    Output,
    /// `!`: the engine's standard error.
    Stderr,
    /// `#`: a note of the program that wrote the log.
    Note,
}

impl Direction {
    const fn symbol(self) -> char {
        match self {
            Self::Sent => '>',
            Self::Output => '<',
            Self::Stderr => '!',
            Self::Note => '#',
        }
    }

    /// Returns the source with a mark; `None` for other characters.
    const fn from_symbol(symbol: u8) -> Option<Self> {
        match symbol {
            b'>' => Some(Self::Sent),
            b'<' => Some(Self::Output),
            b'!' => Some(Self::Stderr),
            b'#' => Some(Self::Note),
            _ => None,
        }
    }
}

/// One line of a log. `Display` writes the line without a line break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry<'a> {
    /// The time since the log began, in milliseconds; in a log of another program, the time of day.
    pub millis: u64,
    /// The source of the line.
    pub direction: Direction,
    /// The text, as the bytes that went through the pipe, without the line break.
    pub bytes: Cow<'a, [u8]>,
}

impl<'a> LogEntry<'a> {
    /// Parses one line of a log of this program; `None` where it is not one. A line break at its end is removed, a
    /// carriage return included.
    pub fn read(line: &'a [u8]) -> Option<Self> {
        let line = without_line_break(line.trim_ascii_start());
        let (seconds, rest) = line.split_at_checked(line.iter().position(u8::is_ascii_whitespace)?)?;
        let (mark, text) = rest.trim_ascii_start().split_first()?;
        let text = match text {
            [] => text,
            [b' ' | b'\t', text @ ..] => text,
            _ => return None,
        };
        Some(Self {
            millis: millis(seconds)?,
            direction: Direction::from_symbol(*mark)?,
            bytes: unescape(text),
        })
    }

    /// Returns an entry that does not borrow the line it was read from.
    pub fn into_owned(self) -> LogEntry<'static> {
        LogEntry {
            millis: self.millis,
            direction: self.direction,
            bytes: Cow::Owned(self.bytes.into_owned()),
        }
    }

    /// Returns the text, decoded.
    pub fn text(&self) -> Cow<'_, str> {
        decode(&self.bytes)
    }
}

/// Reads the lines of one log of this or another program.
///
/// Programs disagree about `<`: some mark with it what the engine said, others what the engine was told. The words of
/// USI decide, since a command is never a reply. The first line with such a word decides for the whole log.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogReader {
    /// Whether `<` marks what the engine was told; `None` before the first line that shows it.
    is_crossed: Option<bool>,
}

/// A line of a log with its engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine<'a> {
    /// The number of the engine, or the code of the letter that the log has for it; 0 where the log has neither.
    pub engine: u32,
    /// The line.
    pub entry: LogEntry<'a>,
}

impl LogReader {
    /// Parses the next line of the log; `None` where it is not a line of a log.
    pub fn read<'a>(&mut self, line: &'a [u8]) -> Option<LogLine<'a>> {
        if let Some(mut entry) = LogEntry::read(line) {
            entry.direction = match entry.direction {
                Direction::Sent => self.direction(Mark::Right, &entry.bytes),
                Direction::Output => self.direction(Mark::Left, &entry.bytes),
                other => other,
            };
            return Some(LogLine { engine: 0, entry });
        }
        let FramedLine {
            millis,
            mark,
            engine,
            text,
        } = FramedLine::parse(line)?;
        let entry = LogEntry {
            millis,
            direction: self.direction(mark, text),
            bytes: text.into(),
        };
        Some(LogLine { engine, entry })
    }

    fn direction(&mut self, mark: Mark, text: &[u8]) -> Direction {
        let is_right = match mark {
            Mark::ToEngine => return Direction::Sent,
            Mark::FromEngine => return Direction::Output,
            Mark::Right => true,
            Mark::Left => false,
        };
        if self.is_crossed.is_none() {
            self.is_crossed = foreign::is_command(text).map(|is_command| is_command != is_right);
        }
        if is_right == self.is_crossed.unwrap_or(false) {
            Direction::Output
        } else {
            Direction::Sent
        }
    }
}

impl fmt::Display for LogEntry<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:>5}.{:03} {}",
            self.millis / 1000,
            self.millis % 1000,
            self.direction.symbol()
        )?;
        if !self.bytes.is_empty() {
            f.write_char(' ')?;
        }
        // Output that looks like `(non-utf8) b'…'` must not be read as that form.
        let bytes = match (quoted(&self.bytes), &*self.bytes) {
            (Some(_), [_, rest @ ..]) => {
                f.write_str("\\x28")?;
                rest
            }
            (_, bytes) => bytes,
        };
        escape(bytes, f)
    }
}

/// Returns a line without the CR and LF characters at its end.
fn without_line_break(mut line: &[u8]) -> &[u8] {
    while let [before @ .., b'\r' | b'\n'] = line {
        line = before;
    }
    line
}

/// Parses `12.345` as milliseconds; `None` for other texts. Further digits are dropped, and a number that is too large
/// is clamped.
fn millis(seconds: &[u8]) -> Option<u64> {
    let mut parts = seconds.splitn(2, |byte| *byte == b'.');
    let (whole, fraction) = (parts.next()?, parts.next().unwrap_or_default());
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let thousandths = fraction.iter().chain(b"000").take(3);
    let all = whole.iter().chain(thousandths);
    Some(all.fold(0_u64, |n, digit| {
        n.saturating_mul(10).saturating_add(u64::from(digit - b'0'))
    }))
}

fn escape(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for chunk in bytes.utf8_chunks() {
        let mut chars = chunk.valid().chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\r' => f.write_str("\\r")?,
                '\\' if matches!(chars.peek(), Some('r' | 'x')) => f.write_str("\\x5c")?,
                c if is_control(c) => escape_bytes(c.encode_utf8(&mut [0; 4]).as_bytes(), f)?,
                c => f.write_char(c)?,
            }
        }
        escape_bytes(chunk.invalid(), f)?;
    }
    Ok(())
}

/// Writes each byte as `\xNN`.
fn escape_bytes(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "\\x{byte:02x}"))
}

/// Returns the text between the quotes of `(non-utf8) b'…'`; `None` for other texts.
fn quoted(text: &[u8]) -> Option<&[u8]> {
    match text.strip_prefix(b"(non-utf8) b")? {
        [b'\'', inner @ .., b'\''] | [b'"', inner @ .., b'"'] => Some(inner),
        _ => None,
    }
}

/// Returns the bytes of a line from its text in a log.
fn unescape(text: &[u8]) -> Cow<'_, [u8]> {
    if let Some(text) = quoted(text) {
        return Cow::Owned(replace_escapes(text, true));
    }
    if text.contains(&b'\\') {
        Cow::Owned(replace_escapes(text, false))
    } else {
        Cow::Borrowed(text)
    }
}

/// Replaces escapes by their bytes. In the quoted form every backslash begins an escape.
fn replace_escapes(text: &[u8], quoted: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let (byte, after) = match after {
            _ if *first != b'\\' => (*first, after),
            [b'x', high, low, after @ ..] if let Some(byte) = hex(*high, *low) => (byte, after),
            [b'r', after @ ..] => (b'\r', after),
            [b'n', after @ ..] if quoted => (b'\n', after),
            [b't', after @ ..] if quoted => (b'\t', after),
            [other @ (b'\\' | b'\'' | b'"'), after @ ..] if quoted => (*other, after),
            _ => (*first, after),
        };
        out.push(byte);
        rest = after;
    }
    out
}

/// Returns the byte of two hexadecimal digits; `None` for other characters.
fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |byte| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    Some(digit(high)? * 16 + digit(low)?)
}

#[cfg(test)]
mod tests {
    use super::Direction::{Note, Output, Sent, Stderr};
    use super::*;

    #[test]
    fn reads_lines_of_every_kind() {
        let check = |line: &[u8], expect: Option<(u64, Direction, &[u8])>| {
            let entry = LogEntry::read(line);
            let parts = entry
                .as_ref()
                .map(|entry| (entry.millis, entry.direction, &*entry.bytes));
            assert_eq!(parts, expect, "{}", line.escape_ascii());
        };
        check(b"    0.028 > usi\r\n", Some((28, Sent, b"usi")));
        check(
            b"    0.091 < id name Sekirei",
            Some((91, Output, b"id name Sekirei")),
        );
        check(
            b"    1.794 ! unknown command isready\\r",
            Some((1794, Stderr, b"unknown command isready\r")),
        );
        check(b"   12.5 #   two  spaces", Some((12500, Note, b"  two  spaces")));
        check(b"0.1 <", Some((100, Output, b"")));
        check(b"0.1 < ", Some((100, Output, b"")));
        check(b"3 > go", Some((3000, Sent, b"go")));
        check(b"0.1239 > go", Some((123, Sent, b"go")));
        check(
            b"0.1 < x\\x82\\xe2 \\x \\xg1 \\y",
            Some((100, Output, b"x\x82\xe2 \\x \\xg1 \\y")),
        );
        check(
            b"0.1 < (non-utf8) b'a\\x82\\\\b\\'\"'",
            Some((100, Output, b"a\x82\\b'\"")),
        );
        check(
            b"0.1 < (non-utf8) b\"can't\\x82\"",
            Some((100, Output, b"can't\x82")),
        );
        check(b"0.1 < (non-utf8) b'", Some((100, Output, b"(non-utf8) b'")));
        check(b"99999999999999999999999.1 > go", Some((u64::MAX, Sent, b"go")));
        for line in [
            &b""[..],
            b" ",
            b"id name x",
            b"0.1",
            b"0.1 ?",
            b"0.1 >go",
            b"-1 > go",
            b".5 > go",
            b"1e3 > go",
        ] {
            check(line, None);
        }
    }

    #[test]
    fn escapes_all_control_characters() {
        for c in '\0'..'\u{3000}' {
            let text = String::from(c);
            let entry = LogEntry {
                millis: 0,
                direction: Direction::Output,
                bytes: text.as_bytes().into(),
            };
            let written = entry.to_string();
            assert_eq!(written.contains(c), !is_control(c), "U+{:04X}", u32::from(c));
            assert_eq!(LogEntry::read(written.as_bytes()), Some(entry));
        }
    }

    #[test]
    fn output_is_read_back() {
        let check = |bytes: &[u8], written: &str| {
            let entry = LogEntry {
                millis: 1028,
                direction: Direction::Output,
                bytes: bytes.into(),
            };
            assert_eq!(entry.to_string(), written);
            assert_eq!(LogEntry::read(written.as_bytes()), Some(entry), "{written}");
        };
        check(b"info depth 1", "    1.028 < info depth 1");
        check(b"", "    1.028 <");
        check(b"usi\r", "    1.028 < usi\\r");
        check("評価値".as_bytes(), "    1.028 < 評価値");
        check(b"\x82\xe2\x82", "    1.028 < \\x82\\xe2\\x82");
        check(
            b"C:\\readme\\x82 \\d\\",
            "    1.028 < C:\\x5creadme\\x5cx82 \\d\\",
        );
        check(b"a\nb", "    1.028 < a\\x0ab");
        check(b"checkmate ", "    1.028 < checkmate ");
        check(b"\x1b]0;x\x07\t\x7f", "    1.028 < \\x1b]0;x\\x07\\x09\\x7f");
        check(
            "\u{9b}2J\u{202e}x\u{2069}".as_bytes(),
            "    1.028 < \\xc2\\x9b2J\\xe2\\x80\\xaex\\xe2\\x81\\xa9",
        );
        check(
            "\u{206a}\u{206f}".as_bytes(),
            "    1.028 < \\xe2\\x81\\xaa\\xe2\\x81\\xaf",
        );
        check(b"(non-utf8) b'b'", "    1.028 < \\x28non-utf8) b'b'");
    }
}
