//! A JSON pull parser. The parser stores nothing of what has been read and does not recurse, so nesting depth is
//! unlimited.
//!
//! The parser is more tolerant than the standard where the meaning is clear. Commas may be missing or repeated. A
//! string may contain line ends and backslashes that escape nothing.

mod string;
mod value;

pub(super) use value::JsonValue;

use super::super::scan::{Line, TextSpot, char_count};
use std::borrow::Cow;

/// A JSON reader: a text and the reading offset. A copy saves the offset for later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json<'a> {
    text: &'a str,
    /// The reading offset, in bytes.
    offset: usize,
    /// The number of the current line, from 1.
    line: u32,
    /// The byte offset of the current line, or a later offset in it.
    line_start: usize,
    /// The number of characters of the line before `line_start`.
    characters_before: u32,
}

/// The kind of a value, known by its first character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonKind {
    Object,
    Array,
    String,
    /// A number, `true`, `false` or `null`.
    Word,
}

/// The reason why reading cannot continue. The error is at the reading offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonError {
    /// The text ends inside a value.
    UnexpectedEnd,
    /// Another token is expected.
    Expected(&'static str),
}

impl<'a> Json<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self {
            text,
            offset: 0,
            line: 1,
            line_start: 0,
            characters_before: 0,
        }
    }

    /// Returns the spot at the reading offset, for a warning.
    pub(super) fn spot(&self) -> TextSpot<'a> {
        let text = self.text.get(self.line_start..).unwrap_or_default();
        Line {
            number: self.line,
            text,
            characters_before: self.characters_before,
        }
        .spot(self.rest())
    }

    /// Counts the characters of the line up to the reading offset, once for all later warnings about this line.
    pub(super) fn count_line(&mut self) {
        self.characters_before = self
            .characters_before
            .saturating_add(char_count(self.text.get(self.line_start..self.offset)));
        self.line_start = self.offset;
    }

    /// Returns the text that has not been read.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.offset..).unwrap_or_default()
    }

    /// Returns the text read since an earlier offset.
    pub(super) fn since(&self, earlier: &Self) -> &'a str {
        self.text.get(earlier.offset..self.offset).unwrap_or_default()
    }

    pub(super) fn kind(&mut self) -> Result<JsonKind, JsonError> {
        match self.next_byte() {
            Some(b'{') => Ok(JsonKind::Object),
            Some(b'[') => Ok(JsonKind::Array),
            Some(b'"') => Ok(JsonKind::String),
            Some(b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => Ok(JsonKind::Word),
            Some(_) => Err(JsonError::Expected("a value")),
            None => Err(JsonError::UnexpectedEnd),
        }
    }

    /// Returns whether only blanks follow.
    pub(super) fn is_over(&mut self) -> bool {
        self.next_byte().is_none()
    }

    /// Enters an object. [`next_key`](Self::next_key) then reads each key, which a value follows.
    pub(super) fn begin_object(&mut self) -> Result<(), JsonError> {
        self.expect_byte(b'{', "an object")
    }

    /// Enters an array. [`next_item`](Self::next_item) then returns whether a value follows.
    pub(super) fn begin_array(&mut self) -> Result<(), JsonError> {
        self.expect_byte(b'[', "an array")
    }

    /// Reads the next key of the current object. At the end of the object, leaves it and returns `None`.
    pub(super) fn next_key(&mut self) -> Result<Option<Cow<'a, str>>, JsonError> {
        if !self.advance_to_next(b'}')? {
            return Ok(None);
        }
        if self.byte() != Some(b'"') {
            return Err(JsonError::Expected("a key"));
        }
        let key = self.read_string()?;
        self.expect_byte(b':', "a colon")?;
        Ok(Some(key))
    }

    /// Returns whether the current array has another value. At the end of the array, leaves it.
    pub(super) fn next_item(&mut self) -> Result<bool, JsonError> {
        self.advance_to_next(b']')
    }

    /// Reads a value of any kind. An object or an array is skipped, and returned as text.
    pub(super) fn read_value(&mut self) -> Result<JsonValue<'a>, JsonError> {
        match self.kind()? {
            JsonKind::String => Ok(JsonValue::Text(self.read_string()?)),
            JsonKind::Word => self.read_word(),
            JsonKind::Object | JsonKind::Array => {
                let before = *self;
                self.skip()?;
                Ok(JsonValue::Nested(self.since(&before)))
            }
        }
    }

    /// Skips a value of any kind. Skipping takes one byte of memory per nesting level.
    pub(super) fn skip(&mut self) -> Result<(), JsonError> {
        if matches!(self.kind()?, JsonKind::String | JsonKind::Word) {
            return self.read_value().map(drop);
        }
        let mut ends = Vec::new();
        while let Some(byte) = self.next_byte() {
            match byte {
                b'{' => ends.push(b'}'),
                b'[' => ends.push(b']'),
                b'"' => {
                    self.skip_string()?;
                    continue;
                }
                b'}' | b']' => match ends.pop() {
                    Some(end) if end == byte => {}
                    Some(b']') => return Err(JsonError::Expected("the end of an array")),
                    _ => return Err(JsonError::Expected("the end of an object")),
                },
                _ => {}
            }
            self.offset += 1;
            if ends.is_empty() {
                return Ok(());
            }
        }
        Err(JsonError::UnexpectedEnd)
    }

    /// Returns the byte at the reading offset; `None` at the end of the text.
    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    /// Skips blanks and line ends. Returns the next byte; `None` at the end of the text.
    fn next_byte(&mut self) -> Option<u8> {
        // Many files are deeply indented, so eight blanks are skipped at once.
        const INDENT: [u8; 8] = [b' '; 8];
        loop {
            while self
                .text
                .as_bytes()
                .get(self.offset..)
                .is_some_and(|rest| rest.starts_with(&INDENT))
            {
                self.offset += INDENT.len();
            }
            match self.byte()? {
                b' ' | b'\t' => self.offset += 1,
                byte @ (b'\n' | b'\r') => self.end_line(byte),
                byte => return Some(byte),
            }
        }
    }

    /// Skips a character of a line end: LF, CR, or one of CRLF. `byte` is that character.
    fn end_line(&mut self, byte: u8) {
        self.offset += 1;
        if byte == b'\n' || self.byte() != Some(b'\n') {
            self.line = self.line.saturating_add(1);
            self.line_start = self.offset;
            self.characters_before = 0;
        }
    }

    /// Skips the byte `wanted`, which an error calls `name`.
    fn expect_byte(&mut self, wanted: u8, name: &'static str) -> Result<(), JsonError> {
        match self.next_byte() {
            Some(byte) if byte == wanted => {
                self.offset += 1;
                Ok(())
            }
            Some(_) => Err(JsonError::Expected(name)),
            None => Err(JsonError::UnexpectedEnd),
        }
    }

    /// Skips commas. Returns whether an item follows; at `end`, leaves the object or array and returns `false`.
    fn advance_to_next(&mut self, end: u8) -> Result<bool, JsonError> {
        loop {
            match self.next_byte() {
                Some(b',') => self.offset += 1,
                Some(byte) if byte == end => {
                    self.offset += 1;
                    return Ok(false);
                }
                Some(_) => return Ok(true),
                None => return Err(JsonError::UnexpectedEnd),
            }
        }
    }

    /// Reads a number, `true`, `false` or `null`.
    fn read_word(&mut self) -> Result<JsonValue<'a>, JsonError> {
        let rest = self.rest();
        let length = rest
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.'))
            .count();
        let word = rest.get(..length).unwrap_or_default();
        let value = match word {
            "null" => JsonValue::Null,
            "true" => JsonValue::Bool(true),
            "false" => JsonValue::Bool(false),
            _ if word.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                return Err(JsonError::Expected("a value"));
            }
            _ => JsonValue::Number(word),
        };
        self.offset += length;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the keys of the object in a text with the kinds of their values, and the error that ends the reading.
    fn outline(text: &str) -> String {
        let mut json = Json::new(text);
        let mut found = String::new();
        let broken = json.begin_object().and_then(|()| {
            while let Some(key) = json.next_key()? {
                found += &key;
                found += match json.kind()? {
                    JsonKind::Object => "{}",
                    JsonKind::Array => "[]",
                    JsonKind::String => "\"\"",
                    JsonKind::Word => "0",
                };
                json.skip()?;
            }
            Ok(())
        });
        let position = json.spot().position();
        match broken {
            Ok(()) => found,
            Err(JsonError::UnexpectedEnd) => format!("{found} off at {}:{}", position.line, position.column),
            Err(JsonError::Expected(what)) => {
                format!("{found} no {what} at {}:{}", position.line, position.column)
            }
        }
    }

    #[test]
    fn skips_nested_values() {
        let check = |text: &str, expected: &str| assert_eq!(outline(text), expected, "{text}");
        check(
            r#"{"a":{"b":[1,{"c":"]}\""}]},"d":[],"e":"f","g":null}"#,
            "a{}d[]e\"\"g0",
        );
        check("{ \"a\" : 1 , \"b\":2, }", "a0b0");
        check("{\"a\":1 \"b\":2}", "a0b0");
        check("{\"あ\":\r\n[1,\n  2", "あ[] off at 3:4");
        check("{\"a\":[\n歩歩 }", "a[] no the end of an array at 2:4");
        check("{\r\"a\" 1}", " no a colon at 2:5");
        check("{a:1}", " no a key at 1:2");
        check("[]", " no an object at 1:1");
        check("", " off at 1:1");
        check(
            &format!("{{\"a\":{}", "[".repeat(1_000_000)),
            "a[] off at 1:1000006",
        );
        check(
            &format!("{{\"a\":{}{}}}", "[{\"a\":".repeat(500_000), "}]".repeat(500_000)),
            "a[]",
        );
    }
}
