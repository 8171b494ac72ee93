//! The values of settings in a file.

use super::super::theme::Rgba;
use super::super::warning::{Expected, TableReader};
use super::{Ground, Language, Layout, Pieces};
use toml::{Table, Value};

/// The longest text of a setting, in bytes.
const LONGEST: usize = 1000;

/// A type of setting.
pub(super) trait SettingField: Sized {
    /// The expected value, for warnings.
    const WANTED: Expected;

    /// Converts a value of the file. Returns `None` if it is not a valid setting.
    fn from_toml(value: &Value) -> Option<Self>;

    /// Returns the value for the file.
    fn value(&self) -> Value;
}

/// Reads a setting from a table. Returns `None` if it is absent or invalid.
pub(super) fn read<T: SettingField>(reader: &mut TableReader<'_>, key: &str) -> Option<T> {
    reader.take(key, T::WANTED, T::from_toml)
}

/// Writes a setting into a table.
pub(super) fn write<T: SettingField>(table: &mut Table, key: &str, setting: &T) {
    table.insert(key.to_owned(), setting.value());
}

impl SettingField for bool {
    const WANTED: Expected = Expected::Bool;

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn value(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl SettingField for String {
    const WANTED: Expected = Expected::Line;

    fn from_toml(value: &Value) -> Option<Self> {
        let text = value.as_str().filter(|text| text.len() <= LONGEST && !text.contains(char::is_control));
        text.map(|text| text.trim().to_owned())
    }

    fn value(&self) -> Value {
        Value::String(self.clone())
    }
}

impl SettingField for Option<String> {
    const WANTED: Expected = Expected::Line;

    fn from_toml(value: &Value) -> Option<Self> {
        String::from_toml(value).map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    fn value(&self) -> Value {
        Value::String(self.clone().unwrap_or_default())
    }
}

impl SettingField for Rgba {
    const WANTED: Expected = Expected::Color;

    fn from_toml(value: &Value) -> Option<Self> {
        Self::from_toml(value)
    }

    fn value(&self) -> Value {
        Value::String(self.to_string())
    }
}

macro_rules! words {
    ($($choice:ty)+) => {
        $(impl SettingField for $choice {
            const WANTED: Expected = Expected::OneOf(Self::NAMES);

            fn from_toml(value: &Value) -> Option<Self> {
                Self::from_name(value.as_str()?)
            }

            fn value(&self) -> Value {
                Value::String(self.name().to_owned())
            }
        })+
    };
}

words!(Language Layout Ground Pieces);
