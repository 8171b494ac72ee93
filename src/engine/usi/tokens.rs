//! The elements of a USI line: words between white space, numbers, and text in the encoding of
//! the engine.

use std::borrow::Cow;

/// An iterator over the words of a line, which also gives the remaining text after any of them.
///
/// A clone looks ahead: a word that is not a value can then be read as the next keyword.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// Creates an iterator over the words of `line`.
    pub const fn new(line: &'a str) -> Self {
        Self { rest: line }
    }

    /// Returns the remaining text, without the white space around it.
    pub const fn remaining(&self) -> &'a str {
        self.rest.trim_ascii()
    }

    /// Returns the result of `read` for the next word, and consumes the word unless the result is `None`.
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
        let end = text
            .bytes()
            .position(|byte| byte.is_ascii_whitespace())
            .unwrap_or(text.len());
        let (word, rest) = text.split_at_checked(end)?;
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }
}

/// A number in the forms that engines print: `30`, `+30`, `-30`, `30.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// The sign; `None` where none is written.
    pub(super) sign: Option<Sign>,
    /// The whole part without its sign, clamped to the largest value.
    pub(super) magnitude: u64,
}

/// The sign that is written before a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
}

impl Number {
    /// Parses all of `word`; `None` where it is not exactly one number.
    pub(super) fn read(word: &str) -> Option<Self> {
        let (sign, digits) = match word.as_bytes() {
            [b'+', digits @ ..] => (Some(Sign::Plus), digits),
            [b'-', digits @ ..] => (Some(Sign::Minus), digits),
            digits => (None, digits),
        };
        let mut magnitude = 0_u64;
        let mut bytes = digits.iter();
        let mut has_digits = false;
        for byte in bytes.by_ref() {
            match byte {
                b'0'..=b'9' => {
                    magnitude = magnitude
                        .saturating_mul(10)
                        .saturating_add(u64::from(byte - b'0'));
                    has_digits = true;
                }
                // The digits after the point are dropped, but only digits are allowed.
                b'.' if has_digits => break,
                _ => return None,
            }
        }
        (has_digits && bytes.all(u8::is_ascii_digit)).then_some(Self { sign, magnitude })
    }

    /// Returns the number, clamped to an `i64`.
    pub(super) fn signed(self) -> i64 {
        let magnitude = i64::try_from(self.magnitude).unwrap_or(i64::MAX);
        if self.is_negative() {
            self.magnitude.try_into().map_or(i64::MIN, |m: i64| -m)
        } else {
            magnitude
        }
    }

    pub(super) fn is_negative(self) -> bool {
        self.sign == Some(Sign::Minus)
    }
}

/// Parses a non-negative number; `None` for other texts.
pub(super) fn read_count(word: &str) -> Option<u64> {
    Number::read(word)
        .filter(|number| !number.is_negative())
        .map(|number| number.magnitude)
}

/// Parses a non-negative number, clamped to a `u32`; `None` for other texts.
pub(super) fn read_small_count(word: &str) -> Option<u32> {
    read_count(word).map(|n| u32::try_from(n).unwrap_or(u32::MAX))
}

/// Decodes a line: as UTF-8, else as `Shift_JIS`, which older Japanese engines and Windows print, or else as UTF-8 with
/// replacement characters.
pub fn decode(line: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(line) {
        return Cow::Borrowed(text);
    }
    encoding_rs::SHIFT_JIS
        .decode_without_bom_handling_and_without_replacement(line)
        .unwrap_or_else(|| String::from_utf8_lossy(line))
}
