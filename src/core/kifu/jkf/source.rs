//! The text that is read, and what is noticed in it.

use super::super::warning::{RecordProblem, Warnings, quote};
use super::json::{Json, JsonError, JsonKind, JsonValue};
use crate::shogi::Color;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// How many keys are remembered that are not known, so that each is told of once.
const MAX_UNKNOWN: usize = 200;

#[derive(Debug)]
pub(super) struct JsonSource<'a, 'w> {
    pub(super) json: Json<'a>,
    pub(super) warnings: &'w mut Warnings,
    unknown: BTreeSet<String>,
}

impl<'a, 'w> JsonSource<'a, 'w> {
    pub(super) const fn new(text: &'a str, warnings: &'w mut Warnings) -> Self {
        Self { json: Json::new(text), warnings, unknown: BTreeSet::new() }
    }

    /// Goes into the object that a key has for its value, if it is one.
    pub(super) fn object(&mut self, key: &'static str) -> Result<bool, JsonError> {
        if self.json.kind()? == JsonKind::Object {
            self.json.begin_object()?;
            return Ok(true);
        }
        self.not_of_its_kind(key).map(|()| false)
    }

    /// Goes into the array that a key has for its value, if it is one.
    pub(super) fn array(&mut self, key: &'static str) -> Result<bool, JsonError> {
        if self.json.kind()? == JsonKind::Array {
            self.json.begin_array()?;
            return Ok(true);
        }
        self.not_of_its_kind(key).map(|()| false)
    }

    /// Passes over a value, and tells of it unless it is none at all.
    pub(super) fn not_of_its_kind(&mut self, key: &'static str) -> Result<(), JsonError> {
        self.take(key, |value| if let JsonValue::Null = value { Some(()) } else { None }).map(drop)
    }

    /// What `read` makes of a value. `null` is nothing, and what `read` makes nothing of is told.
    pub(super) fn take<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(JsonValue<'a>) -> Option<T>,
    ) -> Result<Option<T>, JsonError> {
        self.json.kind()?;
        let before = self.json;
        let value = self.json.value()?;
        let is_null = matches!(value, JsonValue::Null);
        let read = read(value);
        if read.is_none() && !is_null {
            self.warnings.add(before.spot(), RecordProblem::Value(key, quote(self.json.since(&before))));
        }
        Ok(read)
    }

    /// A text; a number stands for its digits.
    pub(super) fn text(&mut self, key: &'static str) -> Result<Option<Cow<'a, str>>, JsonError> {
        self.take(key, |value| match value {
            JsonValue::Text(text) => Some(text),
            JsonValue::Number(digits) => Some(Cow::Borrowed(digits)),
            JsonValue::Null | JsonValue::Bool(_) | JsonValue::Nested(_) => None,
        })
    }

    pub(super) fn color(&mut self) -> Result<Option<Color>, JsonError> {
        self.take("color", |value| match value.small()? {
            0 => Some(Color::Black),
            1 => Some(Color::White),
            _ => None,
        })
    }

    /// Passes over the value of a key that is not known, and tells of it the first time.
    pub(super) fn unknown(&mut self, key: &str) -> Result<(), JsonError> {
        self.json.kind()?;
        let is_new = self.unknown.len() < MAX_UNKNOWN && self.unknown.insert(quote(key));
        if is_new {
            self.warnings.add(self.json.spot(), RecordProblem::UnknownKey(quote(key)));
        }
        self.json.skip()
    }

    /// Passes over the value of a key that has come before, and tells of it.
    pub(super) fn reject_duplicate(&mut self, key: &'static str) -> Result<(), JsonError> {
        self.json.kind()?;
        self.warnings.add(self.json.spot(), RecordProblem::KeyAgain(key));
        self.json.skip()
    }

    /// Tells why reading stops.
    pub(super) fn report(&mut self, broken: JsonError) {
        let problem = match broken {
            JsonError::Off => RecordProblem::BreaksOff,
            JsonError::Expected(what) => RecordProblem::NoJson(what),
        };
        self.warnings.add(self.json.spot(), problem);
    }
}
