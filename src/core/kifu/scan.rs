//! Lines and characters of a record.

use super::TextPlace;

/// A line without its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Its number, from 1.
    pub(super) number: u32,
    pub(super) text: &'a str,
    /// How many characters of it stand before the text: none, but for a line that is too long to count
    /// them over and over again.
    pub(super) before: u32,
}

impl<'a> Line<'a> {
    /// The spot in this line where a part of it begins.
    pub(super) fn spot(self, part: &str) -> TextSpot<'a> {
        TextSpot { line: self, offset: (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize) }
    }

    /// What stands in this line from a part of it on, blanks at its end included: they belong to a comment. The
    /// sign for the end of a file does not.
    pub(super) fn from(&self, part: &'a str) -> &'a str {
        self.text.get(self.spot(part).offset()..).unwrap_or(part).trim_end_matches(['\0', '\u{1a}'])
    }

    /// The line without blanks and control characters at its ends.
    pub(super) fn trimmed(&self) -> &'a str {
        let text = self.text.trim_ascii();
        match text.as_bytes() {
            // Mostly that was all.
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
            _ => text.trim_matches(|c: char| c.is_whitespace() || c.is_control()),
        }
    }
}

/// A spot in a line. Its column is counted only when it is asked for: a line can be long.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextSpot<'a> {
    line: Line<'a>,
    offset: usize,
}

impl TextSpot<'_> {
    pub(super) fn place(self) -> TextPlace {
        let before = self.line.before.saturating_add(count(self.line.text.get(..self.offset)));
        TextPlace { line: self.line.number, column: before.saturating_add(1) }
    }

    /// Where it is in its line, in bytes.
    pub(super) const fn offset(self) -> usize {
        self.offset
    }

    pub(super) const fn line_number(self) -> u32 {
        self.line.number
    }
}

/// How many characters a text has.
pub(super) fn count(text: Option<&str>) -> u32 {
    text.map_or(0, |text| u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
}

/// The lines of a text, ended by LF, CRLF or CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let mut number = 0_u32;
    std::iter::from_fn(move || {
        let text = rest?;
        number = number.saturating_add(1);
        let end = memchr::memchr2(b'\n', b'\r', text.as_bytes());
        let Some((line, after)) = end.and_then(|end| text.split_at_checked(end)) else {
            rest = None;
            return (!text.is_empty()).then_some(Line { number, text, before: 0 });
        };
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(Line { number, text: line, before: 0 })
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
    #[inline]
    pub(super) fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut chars = self.rest.chars();
        let value = read(chars.next()?)?;
        self.rest = chars.as_str();
        Some(value)
    }

    /// Takes the next character if it is this one, in half or full width.
    #[inline]
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        match self.ascii() {
            Some((byte, rest)) if char::from(byte) == wanted => self.rest = rest,
            Some(_) => return false,
            None => return self.take(|c| (half(c) == wanted).then_some(())).is_some(),
        }
        true
    }

    /// Takes the next character if it is a digit, in half or full width.
    #[inline]
    pub(super) fn digit(&mut self) -> Option<u32> {
        match self.ascii() {
            Some((byte @ b'0'..=b'9', rest)) => {
                self.rest = rest;
                Some(u32::from(byte - b'0'))
            }
            Some(_) => None,
            None => self.take(digit),
        }
    }

    /// The next character and what follows it, where it is ASCII, as most are that are looked for.
    #[inline]
    fn ascii(self) -> Option<(u8, &'a str)> {
        let byte = self.rest.bytes().next().filter(u8::is_ascii)?;
        Some((byte, self.rest.get(1..)?))
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        let text = self.rest.trim_ascii_start();
        // Mostly that was all.
        let is_all = text.as_bytes().first().is_some_and(u8::is_ascii_graphic);
        self.rest = if is_all { text } else { text.trim_start() };
    }

    /// A number of decimal digits in half or full width.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = self.digit()?;
        while let Some(next) = self.digit() {
            number = number.saturating_mul(10).saturating_add(next);
        }
        Some(number)
    }
}

/// The half-width form of a full-width ASCII character.
#[inline]
pub(super) fn half(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// A decimal digit in half or full width.
#[inline]
pub(super) fn digit(c: char) -> Option<u32> {
    match c {
        '0'..='9' => Some(u32::from(c) - u32::from('0')),
        '０'..='９' => Some(u32::from(c) - u32::from('０')),
        _ => None,
    }
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
        assert_eq!(line.spot(line.text.trim()).place(), TextPlace { line: 2, column: 2 });
        assert_eq!(line.spot("elsewhere").place().line, 2);
    }

    #[test]
    fn numbers_do_not_overflow() {
        assert_eq!(Scanner::new("１2手").number(), Some(12));
        assert_eq!(Scanner::new("99999999999999").number(), Some(u32::MAX));
        assert_eq!(Scanner::new("手").number(), None);
    }
}
