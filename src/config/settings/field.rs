//! How one setting stands in a file.

use super::super::finding::{Reader, Wanted};
use super::super::theme::Rgba;
use super::{Ground, Language, Layout, Pieces};
use toml::{Table, Value};

/// The longest text that is a setting, in bytes.
const LONGEST: usize = 1000;

/// A kind of setting.
pub(super) trait Field: Sized {
    /// What it is to be, to be said where it is not.
    const WANTED: Wanted;

    /// The setting of a value; `None` where it is no such setting.
    fn of(value: &Value) -> Option<Self>;

    /// Its value.
    fn value(&self) -> Value;
}

/// Takes a setting out of a file; `None` where it is not there or broken.
pub(super) fn read<T: Field>(reader: &mut Reader<'_>, key: &str) -> Option<T> {
    reader.take(key, T::WANTED, T::of)
}

/// Puts a setting into a file.
pub(super) fn write<T: Field>(table: &mut Table, key: &str, setting: &T) {
    table.insert(key.to_owned(), setting.value());
}

impl Field for bool {
    const WANTED: Wanted = Wanted::Truth;

    fn of(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn value(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl Field for String {
    const WANTED: Wanted = Wanted::Line;

    fn of(value: &Value) -> Option<Self> {
        let text = value.as_str().filter(|text| text.len() <= LONGEST && !text.contains(char::is_control));
        text.map(|text| text.trim().to_owned())
    }

    fn value(&self) -> Value {
        Value::String(self.clone())
    }
}

impl Field for Option<String> {
    const WANTED: Wanted = Wanted::Line;

    fn of(value: &Value) -> Option<Self> {
        String::of(value).map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    fn value(&self) -> Value {
        Value::String(self.clone().unwrap_or_default())
    }
}

impl Field for Rgba {
    const WANTED: Wanted = Wanted::Color;

    fn of(value: &Value) -> Option<Self> {
        Self::of_setting(value)
    }

    fn value(&self) -> Value {
        Value::String(self.to_string())
    }
}

macro_rules! words {
    ($($choice:ty)+) => {
        $(impl Field for $choice {
            const WANTED: Wanted = Wanted::OneOf(Self::NAMES);

            fn of(value: &Value) -> Option<Self> {
                Self::from_name(value.as_str()?)
            }

            fn value(&self) -> Value {
                Value::String(self.name().to_owned())
            }
        })+
    };
}

words!(Language Layout Ground Pieces);
