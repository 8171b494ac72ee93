//! Lines and characters of a record.

use super::TextPosition;

/// The length of a line from which on it is read in parts, in bytes.
const MAX_COUNTED_BYTES: usize = 1000;

/// The characters that begin a piece's name.
pub(super) const PIECE_CHARACTERS: &str = "歩香桂銀金角飛玉王成と馬龍竜";

/// A line without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// The line number, from 1.
    pub(super) number: u32,
    pub(super) text: &'a str,
    /// The number of characters of the line before `text`. It is 0 except in very long lines, where it avoids repeated
    /// counting.
    pub(super) characters_before: u32,
}

impl<'a> Line<'a> {
    /// Returns the spot in this line where `part` begins.
    pub(super) fn spot(self, part: &str) -> TextSpot<'a> {
        TextSpot {
            line: self,
            offset: (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize),
        }
    }

    /// Returns a long line from just before `part` on, so that the characters before it are counted once.
    pub(super) fn advanced_to(self, part: &str) -> Self {
        let offset = self.spot(part).offset();
        if offset < MAX_COUNTED_BYTES {
            return self;
        }
        // The character before `part` stays.
        let begin = self
            .text
            .get(..offset)
            .and_then(|before| before.char_indices().next_back())
            .map_or(0, |(at, _)| at);
        let counted = char_count(self.text.get(..begin));
        let text = self.text.get(begin..).unwrap_or_default();
        Self {
            text,
            characters_before: self.characters_before.saturating_add(counted),
            ..self
        }
    }

    /// Returns the character before `part`; `None` at the beginning of the line.
    pub(super) fn char_before(self, part: &str) -> Option<char> {
        self.text.get(..self.spot(part).offset())?.chars().next_back()
    }

    /// Returns the text of this line from `part` on. Trailing blanks are included because they belong to a comment.
    /// End-of-file characters at the end are not included.
    pub(super) fn text_from(&self, part: &'a str) -> &'a str {
        self.text
            .get(self.spot(part).offset()..)
            .unwrap_or(part)
            .trim_end_matches(['\0', '\u{1a}'])
    }

    /// Returns the rest of `text`, the text that contains this line, from the line on.
    pub(super) fn rest_of(&self, text: &'a str) -> &'a str {
        let before = (self.text.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        text.get(before..).unwrap_or_default()
    }

    /// Returns the line without blanks and control characters at its ends.
    pub(super) fn trimmed(&self) -> &'a str {
        let text = self.text.trim_ascii();
        match text.as_bytes() {
            // Usually nothing else remains to be trimmed.
            [first, .., last] if first.is_ascii_graphic() && last.is_ascii_graphic() => text,
            _ => text.trim_matches(|c: char| c.is_whitespace() || c.is_control()),
        }
    }
}

/// Returns a text without blanks, control characters and invisible characters at its ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c.is_control() || is_invisible(c))
}

/// Returns whether a character takes no space: zero-width blanks and joiners, soft hyphens.
pub(super) const fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}')
}

/// A spot in a line, by its byte offset. The column is counted only on demand, because a line can be long.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextSpot<'a> {
    line: Line<'a>,
    offset: usize,
}

impl TextSpot<'_> {
    /// Returns the beginning of a text, for warnings about the whole text.
    pub(super) const fn start() -> Self {
        Self {
            line: Line {
                number: 1,
                text: "",
                characters_before: 0,
            },
            offset: 0,
        }
    }

    /// Returns the line and the column, counted in characters.
    pub(super) fn position(self) -> TextPosition {
        let before = self
            .line
            .characters_before
            .saturating_add(char_count(self.line.text.get(..self.offset)));
        TextPosition {
            line: self.line.number,
            column: before.saturating_add(1),
        }
    }

    /// Returns the offset in the line, in bytes.
    pub(super) const fn offset(self) -> usize {
        self.offset
    }

    /// Returns the number of the line, from 1.
    pub(super) const fn line_number(self) -> u32 {
        self.line.number
    }
}

/// Returns the number of characters in a text; 0 for `None`.
pub(super) fn char_count(text: Option<&str>) -> u32 {
    text.map_or(0, |text| u32::try_from(text.chars().count()).unwrap_or(u32::MAX))
}

#[cfg(test)]
thread_local! {
    /// The number of lines that this thread has read.
    pub(super) static LINES_READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Returns the lines of a text, which end with LF, CRLF or CR.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let mut rest = Some(text);
    let mut number = 0_u32;
    std::iter::from_fn(move || {
        let text = rest?;
        number = number.saturating_add(1);
        #[cfg(test)]
        LINES_READ.with(|read| read.set(read.get() + 1));
        let end = memchr::memchr2(b'\n', b'\r', text.as_bytes());
        let Some((line, after)) = end.and_then(|end| text.split_at_checked(end)) else {
            rest = None;
            return (!text.is_empty()).then_some(Line {
                number,
                text,
                characters_before: 0,
            });
        };
        rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
        Some(Line {
            number,
            text: line,
            characters_before: 0,
        })
    })
}

/// A reader of a text from its front.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scanner<'a> {
    pub(super) rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub(super) const fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    /// Consumes the next character if `read` accepts it. Returns the value of `read`.
    #[inline]
    pub(super) fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut chars = self.rest.chars();
        let value = read(chars.next()?)?;
        self.rest = chars.as_str();
        Some(value)
    }

    /// Consumes the next character if it is `wanted`, in half or full width. Returns whether a character was consumed.
    #[inline]
    pub(super) fn eat(&mut self, wanted: char) -> bool {
        match self.ascii() {
            Some((byte, rest)) if char::from(byte) == wanted => self.rest = rest,
            Some(_) => return false,
            None => return self.take(|c| (half_width(c) == wanted).then_some(())).is_some(),
        }
        true
    }

    /// Consumes the next character if it is a digit, in half or full width. Returns its value, 0 to 9.
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

    /// Returns the next character and the rest if the character is ASCII, the most common case.
    #[inline]
    fn ascii(self) -> Option<(u8, &'a str)> {
        let byte = self.rest.bytes().next().filter(u8::is_ascii)?;
        Some((byte, self.rest.get(1..)?))
    }

    #[inline]
    pub(super) fn skip_blanks(&mut self) {
        let text = self.rest.trim_ascii_start();
        // Usually nothing else remains to be trimmed.
        let is_all = text.as_bytes().first().is_some_and(u8::is_ascii_graphic);
        self.rest = if is_all { text } else { text.trim_start() };
    }

    /// Reads a number of decimal digits in half or full width, at most [`u32::MAX`]. Returns `None`, and consumes
    /// nothing, without a digit.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u32> {
        let mut number = self.digit()?;
        while let Some(next) = self.digit() {
            number = number.saturating_mul(10).saturating_add(next);
        }
        Some(number)
    }
}

/// Returns the half-width form of a full-width ASCII character. Other characters are unchanged.
#[inline]
pub(super) fn half_width(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

/// Returns the value of a decimal digit in half or full width; `None` for another character.
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
    fn accepts_every_line_end() {
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
    fn counts_columns_in_characters() {
        let text = "あ\n　７六歩";
        let line = lines(text).nth(1).expect("two lines");
        assert_eq!(
            line.spot(line.text.trim()).position(),
            TextPosition { line: 2, column: 2 }
        );
        assert_eq!(line.spot("elsewhere").position().line, 2);
    }

    #[test]
    fn saturates_large_numbers() {
        assert_eq!(Scanner::new("１2手").number(), Some(12));
        assert_eq!(Scanner::new("99999999999999").number(), Some(u32::MAX));
        assert_eq!(Scanner::new("手").number(), None);
    }
}
