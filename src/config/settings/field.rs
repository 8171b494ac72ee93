//! The traits of a setting in a file, and the settings that are one value.

use super::super::table_reader::TableReader;
use super::super::theme::{BoardColors, Rgba};
use super::super::warning::SettingValueType;
use super::{
    Background, DigitFont, Language, Layout, ObsPort, Percent, PieceCharacters, PositionLimit, VideoPace,
    WindowColors,
};
use toml::{Table, Value};

/// The maximum length of a text in a setting, in bytes.
const MAX_TEXT_BYTES: usize = 1000;

pub(super) trait Setting: Sized {
    /// Reads the setting at `key` of a table. Returns `None` if it is absent or invalid.
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self>;

    /// Writes the setting at `key` of a table.
    fn write_at(&self, table: &mut Table, key: &str);

    /// Applies the changes from `before` to `after`. Other settings are unchanged.
    fn apply_changes(&mut self, before: &Self, after: &Self);
}

pub(super) trait SettingField: Clone + PartialEq {
    /// The expected type and range of the value, for warnings.
    const EXPECTED: SettingValueType;

    /// Converts a value of the file. Returns `None` if it is not a valid setting.
    fn from_toml(value: &Value) -> Option<Self>;

    /// Returns the value that is written to the file.
    fn value(&self) -> Value;
}

impl<T: SettingField> Setting for T {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        reader.take(key, T::EXPECTED, T::from_toml)
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        table.insert(key.to_owned(), self.value());
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        if before != after {
            self.clone_from(after);
        }
    }
}

/// The unknown entries of the file. `Settings::read` stores these entries when everything else has been read.
impl Setting for Table {
    fn read_at(_: &mut TableReader<'_>, _: &str) -> Option<Self> {
        None
    }

    fn write_at(&self, table: &mut Table, _: &str) {
        table.extend(self.clone());
    }

    fn apply_changes(&mut self, _: &Self, _: &Self) {}
}

/// Writes a group into the table at `key`, or into `table` itself if the key is empty. Unknown entries stay.
pub(super) fn write_group(table: &mut Table, key: &str, write: impl FnOnce(&mut Table)) {
    if key.is_empty() {
        return write(table);
    }
    let mut group = match table.remove(key) {
        Some(Value::Table(group)) => group,
        _ => Table::new(),
    };
    write(&mut group);
    table.insert(key.to_owned(), Value::Table(group));
}

impl SettingField for bool {
    const EXPECTED: SettingValueType = SettingValueType::Bool;

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_bool()
    }

    fn value(&self) -> Value {
        Value::Boolean(*self)
    }
}

impl SettingField for String {
    const EXPECTED: SettingValueType = SettingValueType::Line;

    fn from_toml(value: &Value) -> Option<Self> {
        let text = value
            .as_str()
            .filter(|text| text.len() <= MAX_TEXT_BYTES && !text.contains(char::is_control));
        text.map(|text| text.trim().to_owned())
    }

    fn value(&self) -> Value {
        Value::String(self.clone())
    }
}

impl SettingField for Option<String> {
    const EXPECTED: SettingValueType = SettingValueType::Line;

    fn from_toml(value: &Value) -> Option<Self> {
        String::from_toml(value).map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    fn value(&self) -> Value {
        Value::String(self.clone().unwrap_or_default())
    }
}

impl SettingField for Vec<String> {
    const EXPECTED: SettingValueType = SettingValueType::Texts;

    fn from_toml(value: &Value) -> Option<Self> {
        value.as_array()?.iter().map(String::from_toml).collect()
    }

    fn value(&self) -> Value {
        Value::Array(self.iter().map(SettingField::value).collect())
    }
}

impl SettingField for Rgba {
    const EXPECTED: SettingValueType = SettingValueType::Color;

    fn from_toml(value: &Value) -> Option<Self> {
        Self::from_toml(value)
    }

    fn value(&self) -> Value {
        Value::String(self.to_string())
    }
}

/// The setting is an opaque colour. An empty text stands for `None`.
impl SettingField for Option<Rgba> {
    const EXPECTED: SettingValueType = SettingValueType::Color;

    fn from_toml(value: &Value) -> Option<Self> {
        match value.as_str()?.trim() {
            "" => Some(None),
            _ => Rgba::from_toml(value).filter(|color| color.is_opaque()).map(Some),
        }
    }

    fn value(&self) -> Value {
        Value::String(self.map(|color| color.to_string()).unwrap_or_default())
    }
}

impl<const MIN: u8, const MAX: u8> SettingField for Percent<MIN, MAX> {
    const EXPECTED: SettingValueType = SettingValueType::Whole(MIN as u32, MAX as u32);

    fn from_toml(value: &Value) -> Option<Self> {
        let percent = u8::try_from(value.as_integer()?).ok()?;
        Self::RANGE.contains(&percent).then_some(Self(percent))
    }

    fn value(&self) -> Value {
        Value::Integer(self.0.into())
    }
}

impl SettingField for ObsPort {
    const EXPECTED: SettingValueType = SettingValueType::Whole(1, u16::MAX as u32);

    fn from_toml(value: &Value) -> Option<Self> {
        u16::try_from(value.as_integer()?)
            .ok()
            .filter(|port| *port > 0)
            .map(Self)
    }

    fn value(&self) -> Value {
        Value::Integer(self.0.into())
    }
}

/// Implements [`SettingField`] for enums whose values have names.
macro_rules! choice_settings {
    ($($choice:ty)+) => {
        $(impl SettingField for $choice {
            const EXPECTED: SettingValueType = SettingValueType::OneOf(Self::NAMES);

            fn from_toml(value: &Value) -> Option<Self> {
                Self::from_name(value.as_str()?)
            }

            fn value(&self) -> Value {
                Value::String(self.name().to_owned())
            }
        })+
    };
}

choice_settings!(Language Layout Background PieceCharacters VideoPace PositionLimit DigitFont WindowColors BoardColors);
