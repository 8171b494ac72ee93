//! A JSON text with the warnings about it.

use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind, JsonValue};
use shogibar_shogi::Color;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The maximum number of unknown keys that are reported, each once.
const MAX_UNKNOWN_KEYS: usize = 200;

/// A JSON text that is being read, with the warnings about it.
#[derive(Debug)]
pub(super) struct JsonSource<'a, 'w> {
    pub(super) json: Json<'a>,
    pub(super) warnings: &'w mut Warnings,
    unknown_keys: BTreeSet<String>,
}

impl<'a, 'w> JsonSource<'a, 'w> {
    pub(super) const fn new(json: Json<'a>, warnings: &'w mut Warnings) -> Self {
        Self {
            json,
            warnings,
            unknown_keys: BTreeSet::new(),
        }
    }

    /// Enters the object that is the value of a key. Returns whether it is an object; another value is skipped and
    /// reported, unless it is null.
    pub(super) fn enter_object(&mut self, key: &'static str) -> Result<bool, JsonError> {
        if self.json.kind()? == JsonKind::Object {
            self.json.begin_object()?;
            return Ok(true);
        }
        self.reject_value(key).map(|()| false)
    }

    /// Enters the array that is the value of a key. Returns whether it is an array; another value is skipped and
    /// reported, unless it is null.
    pub(super) fn enter_array(&mut self, key: &'static str) -> Result<bool, JsonError> {
        if self.json.kind()? == JsonKind::Array {
            self.json.begin_array()?;
            return Ok(true);
        }
        self.reject_value(key).map(|()| false)
    }

    /// Skips a value of the wrong kind. Reports it unless it is null.
    pub(super) fn reject_value(&mut self, key: &'static str) -> Result<(), JsonError> {
        self.take(key, |value| {
            if let JsonValue::Null = value {
                Some(())
            } else {
                None
            }
        })
        .map(drop)
    }

    /// Converts a value with `read`. `null` becomes `None`; other values that `read` rejects are reported.
    pub(super) fn take<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(JsonValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, JsonError> {
        self.json.kind()?;
        let before = self.json;
        let value = self.json.read_value()?;
        let is_null = matches!(value, JsonValue::Null);
        let read = read(value);
        if read.is_none() && !is_null {
            self.warnings.add(
                before.spot(),
                RecordProblem::InvalidValue(key, quote(self.json.since(&before))),
            );
        }
        Ok(read)
    }

    /// Reads a text. A number becomes its digits. `null` becomes `None`; another value, too, and is reported.
    pub(super) fn read_text(&mut self, key: &'static str) -> Result<Option<Cow<'a, str>>, JsonError> {
        self.take(key, |value| match value {
            JsonValue::Text(text) => Some(text),
            JsonValue::Number(digits) => Some(Cow::Borrowed(digits)),
            JsonValue::Null | JsonValue::Bool(_) | JsonValue::Nested(_) => None,
        })
    }

    /// Reads a side: 0 for Black, 1 for White. `null` becomes `None`; another value, too, and is reported.
    pub(super) fn read_color(&mut self) -> Result<Option<Color>, JsonError> {
        self.take("color", |value| match value.small_number()? {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        })
    }

    /// Skips the value of an unknown key. Reports the key the first time.
    pub(super) fn skip_unknown(&mut self, key: &str) -> Result<(), JsonError> {
        self.json.kind()?;
        let is_new = self.unknown_keys.len() < MAX_UNKNOWN_KEYS && self.unknown_keys.insert(quote(key));
        if is_new {
            self.warnings
                .add(self.json.spot(), RecordProblem::UnknownKey(quote(key)));
        }
        self.json.skip()
    }

    /// Skips the value of a repeated key, and reports the key.
    pub(super) fn reject_duplicate(&mut self, key: &'static str) -> Result<(), JsonError> {
        self.json.kind()?;
        self.warnings.add(self.json.spot(), RecordProblem::SecondKey(key));
        self.json.skip()
    }

    /// Reports why reading stops.
    pub(super) fn report(&mut self, broken: JsonError) {
        let problem = match broken {
            JsonError::UnexpectedEnd => RecordProblem::UnexpectedEnd,
            JsonError::Expected(what) => RecordProblem::InvalidJson(what),
        };
        self.warnings.add(self.json.spot(), problem);
    }
}
