//! JSON strings.

use super::{Json, JsonError};
use std::borrow::Cow;

impl<'a> Json<'a> {
    /// Reads a string, at its opening quote.
    pub(super) fn read_string(&mut self) -> Result<Cow<'a, str>, JsonError> {
        self.offset += 1;
        let start = self.offset;
        let plain = self.read_plain();
        if self.byte() == Some(b'"') {
            self.offset += 1;
            return Ok(Cow::Borrowed(plain));
        }
        self.offset = start;
        self.read_escaped().map(Cow::Owned)
    }

    /// Reads the characters of a string that need no unescaping.
    fn read_plain(&mut self) -> &'a str {
        let start = self.offset;
        let rest = self.text.as_bytes().get(start..).unwrap_or_default();
        self.offset += rest
            .iter()
            .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20))
            .unwrap_or(rest.len());
        self.text.get(start..self.offset).unwrap_or_default()
    }

    /// Reads the rest of a string that needs unescaping.
    fn read_escaped(&mut self) -> Result<String, JsonError> {
        let mut string = String::new();
        loop {
            string.push_str(self.read_plain());
            match self.byte().ok_or(JsonError::UnexpectedEnd)? {
                b'"' => {
                    self.offset += 1;
                    return Ok(string);
                }
                b'\\' => {
                    self.offset += 1;
                    self.read_escape(&mut string)?;
                }
                byte @ (b'\n' | b'\r') => {
                    string.push(char::from(byte));
                    self.end_line(byte);
                }
                byte => {
                    string.push(replace_nul(byte.into()));
                    self.offset += 1;
                }
            }
        }
    }

    /// Reads an escape sequence after its backslash.
    fn read_escape(&mut self, string: &mut String) -> Result<(), JsonError> {
        let byte = self.byte().ok_or(JsonError::UnexpectedEnd)?;
        let character = match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                self.offset += 1;
                string.push(self.read_code_point());
                return Ok(());
            }
            _ => {
                string.push('\\');
                return Ok(());
            }
        };
        string.push(character);
        self.offset += 1;
        Ok(())
    }

    /// Reads a code point of four hex digits, or a surrogate pair. Returns U+FFFD for NUL and for invalid digits.
    fn read_code_point(&mut self) -> char {
        let Some(first) = self.read_utf16_unit() else {
            return char::REPLACEMENT_CHARACTER;
        };
        if let 0xd800..=0xdbff = first {
            let before = *self;
            let second = if self.rest().starts_with("\\u") {
                self.offset += 2;
                self.read_utf16_unit()
            } else {
                None
            };
            if let Some(low @ 0xdc00..=0xdfff) = second {
                let code = 0x1_0000 + ((first - 0xd800) << 10) + (low - 0xdc00);
                return char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
            }
            *self = before;
        }
        replace_nul(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads a UTF-16 code unit of four hex digits; `None` for other characters.
    fn read_utf16_unit(&mut self) -> Option<u32> {
        let digits = self
            .rest()
            .get(..4)
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        self.offset += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    pub(super) fn skip_string(&mut self) -> Result<(), JsonError> {
        self.offset += 1;
        loop {
            self.read_plain();
            match self.byte().ok_or(JsonError::UnexpectedEnd)? {
                b'"' => {
                    self.offset += 1;
                    return Ok(());
                }
                b'\\' => {
                    self.offset += 1;
                    // Skip an escaped quote or backslash. Any other escaped character needs no special treatment.
                    self.offset += usize::from(matches!(self.byte(), Some(b'"' | b'\\')));
                }
                byte @ (b'\n' | b'\r') => self.end_line(byte),
                _ => self.offset += 1,
            }
        }
    }
}

/// Replaces NUL, which no text of a record may contain.
fn replace_nul(c: char) -> char {
    if c == '\0' { char::REPLACEMENT_CHARACTER } else { c }
}

#[cfg(test)]
mod tests {
    use super::super::JsonValue;
    use super::*;

    #[test]
    fn unescapes_strings_only_if_necessary() {
        let check = |text: &str, expected: Result<&str, JsonError>| {
            let value = Json::new(text).read_value();
            let found = value.map(|value| match value {
                JsonValue::Text(text) => text.into_owned(),
                other => format!("{other:?}"),
            });
            assert_eq!(found.as_deref(), expected.as_deref(), "{text}");
            let mut skipped = Json::new(text);
            assert_eq!(skipped.skip().is_ok(), expected.is_ok(), "{text}");
        };
        check(r#" "歩" "#, Ok("歩"));
        check(r#""a\n\"\\\/\t\r\b\fb""#, Ok("a\n\"\\/\t\r\u{8}\u{c}b"));
        check(r#""\u6b69\u0041""#, Ok("歩A"));
        check(r#""\ud842\udfb7野""#, Ok("𠮷野"));
        check(r#""\ud842 \udfb7\ud842\u0041""#, Ok("\u{fffd} \u{fffd}\u{fffd}A"));
        check(r#""\u0000\u12""#, Ok("\u{fffd}\u{fffd}12"));
        check("\"a\0b\nc\r\nd\"", Ok("a\u{fffd}b\nc\r\nd"));
        check(r#""C:\Users""#, Ok(r"C:\Users"));
        check("\"abc", Err(JsonError::UnexpectedEnd));
        check("\"abc\\", Err(JsonError::UnexpectedEnd));
        check("\"abc\\\"", Err(JsonError::UnexpectedEnd));
        check("'abc'", Err(JsonError::Expected("a value")));
        check("歩", Err(JsonError::Expected("a value")));
    }
}
