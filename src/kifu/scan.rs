//! Lines and characters of a record.

use super::Place;

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) text: &'a str,
}

impl<'a> Line<'a> {
    /// The spot in this line where a part of it begins.
    pub(super) fn spot(self, part: &str) -> Spot<'a> {
        Spot { line: self, offset: (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize) }
    }

    /// The line without blanks and control characters at its ends.
    pub(super) fn trimmed(&self) -> &'a str {
        self.text.trim_matches(|c: char| c.is_whitespace() || c.is_control())
    }
}

/// A spot in a line. Its column is counted only when it is asked for: a line can be long.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot<'a> {
    line: Line<'a>,
    offset: usize,
}

impl Spot<'_> {
    pub(super) fn place(self) -> Place {
        let before = self.line.text.get(..self.offset).map_or(0, |before| before.chars().count());
        Place { line: self.line.number, column: u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1) }
    }

    pub(super) const fn line_number(self) -> u32 {
        self.line.number
    }
}

/// The lines of a text, ended by LF, CRLF or CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let mut number = 0_u32;
    std::iter::from_fn(move || {
        let text = rest?;
        number = number.saturating_add(1);
        let end = text.bytes().position(|byte| byte == b'\n' || byte == b'\r');
        let Some((line, after)) = end.and_then(|end| text.split_at_checked(end)) else {
            rest = None;
            return (!text.is_empty()).then_some(Line { number, text });
        };
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(Line { number, text: line })
    })
}

/// Reads a text from its front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    /// Takes the next character if `read` makes something of it.
    pub(super) fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut chars = self.rest.chars();
        let value = read(chars.next()?)?;
        self.rest = chars.as_str();
        Some(value)
    }

    /// Takes the next character if it is this one, in half or full width.
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        self.take(|c| (half(c) == wanted).then_some(())).is_some()
    }

    pub(super) fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// A number of decimal digits in half or full width.
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = self.take(digit)?;
        while let Some(next) = self.take(digit) {
            number = number.saturating_mul(10).saturating_add(next);
        }
        Some(number)
    }
}

/// The half-width form of a full-width ASCII character.
pub(super) fn half(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// A decimal digit in half or full width.
pub(super) fn digit(c: char) -> Option<u32> {
    half(c).to_digit(10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_they_like() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = lines(text).map(|line| line.text).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[]);
        check("a", &["a"]);
        check("a\nb\n", &["a", "b"]);
        check("a\r\nb\r\n\r\nc", &["a", "b", "", "c"]);
        check("a\rb\r", &["a", "b"]);
        check("\n\r", &["", ""]);
    }

    #[test]
    fn places_count_characters() {
        let text = "あ\n　７六歩";
        let line = lines(text).nth(1).expect("two lines");
        assert_eq!(line.spot(line.text.trim()).place(), Place { line: 2, column: 2 });
        assert_eq!(line.spot("elsewhere").place().line, 2);
    }

    #[test]
    fn numbers_do_not_overflow() {
        assert_eq!(Scanner::new("１2手").number(), Some(12));
        assert_eq!(Scanner::new("99999999999999").number(), Some(u32::MAX));
        assert_eq!(Scanner::new("手").number(), None);
    }
}
