//! What every line of the protocol is made of: words between white space, numbers, and text in
//! whatever encoding the engine was written in.

use std::borrow::Cow;

/// The words of a line, one after the other, and what is left of the line after any of them.
///
/// Cloning looks ahead: a value that cannot be read is left for the next keyword.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// The words of `line`.
    pub const fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// What is left of the line, without the white space around it.
    pub const fn remaining(&self) -> &'a str {
        self.rest.trim_ascii()
    }

    /// Takes the next word if `read` makes something of it; else it stays where it is.
    pub fn value<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
        let mut ahead = self.clone();
        let value = read(ahead.next()?)?;
        *self = ahead;
        Some(value)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.rest.trim_ascii_start();
        let end = text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// Whether a character steers what shows it: C0, DEL, C1, the controls of bidirectional text and the line and
/// paragraph separators.
pub const fn is_control(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}')
}

/// A number as engines write them: `30`, `+30`, `-30`, `30.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The sign, where one is written.
    pub(super) sign: Option<Sign>,
    /// The whole part, the largest there is where it is larger than that.
    pub(super) magnitude: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Number {
    /// Reads the whole of `word`; `None` where anything but one number stands there.
    pub(super) fn read(word: &str) -> Option<Self> {
        let (sign, digits) = match word.as_bytes() {
            [b'+', digits @ ..] => (Some(Sign::Plus), digits),
            [b'-', digits @ ..] => (Some(Sign::Minus), digits),
            digits => (None, digits),
        };
        let mut magnitude = 0_u64;
        let mut bytes = digits.iter();
        let mut any = false;
        for byte in bytes.by_ref() {
            match byte {
                b'0'..=b'9' => {
                    magnitude = magnitude.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
                    any = true;
                }
                // What follows the point is dropped, but must be digits.
                b'.' if any => break,
                _ => return None,
            }
        }
        (any && bytes.all(u8::is_ascii_digit)).then_some(Self { sign, magnitude })
    }

    /// The number, saturated to what an `i64` holds.
    pub(super) fn signed(self) -> i64 {
        let magnitude = i64::try_from(self.magnitude).unwrap_or(i64::MAX);
        if self.is_negative() { self.magnitude.try_into().map_or(i64::MIN, |m: i64| -m) } else { magnitude }
    }

    pub(super) fn is_negative(self) -> bool {
        self.sign == Some(Sign::Minus)
    }
}

/// Reads a count: a number that is not negative.
pub(super) fn count(word: &str) -> Option<u64> {
    Number::read(word).filter(|number| !number.is_negative()).map(|number| number.magnitude)
}

/// Reads a small count; larger ones become the largest there is.
pub(super) fn small_count(word: &str) -> Option<u32> {
    count(word).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// The text of a line: UTF-8 where it is that, else `Shift_JIS`, which older Japanese engines and
/// Windows print, else UTF-8 with what cannot be read replaced.
pub fn decode(line: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(line) {
        return Cow::Borrowed(text);
    }
    encoding_rs::SHIFT_JIS
        .decode_without_bom_handling_and_without_replacement(line)
        .unwrap_or_else(|| String::from_utf8_lossy(line))
}
