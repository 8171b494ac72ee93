//! Reading of a table of a settings file. An invalid entry is reported and affects only itself.
//!
//! The caller decides about entries with unknown keys: [`TableReader::warn_of_rest`] reports these entries,
//! [`TableReader::into_rest`] returns them to be stored.

use super::warning::{SettingProblem, SettingValueType, SettingWarning};
use toml::{Table, Value};

/// A reader that takes known entries out of a table. The remaining entries are unknown.
pub(super) struct TableReader<'a> {
    /// The key of the table in the file; empty for the whole file.
    key: String,
    table: Table,
    warnings: &'a mut Vec<SettingWarning>,
}

impl<'a> TableReader<'a> {
    /// Creates a reader of the table at `key`.
    pub(super) const fn new(key: String, table: Table, warnings: &'a mut Vec<SettingWarning>) -> Self {
        Self { key, table, warnings }
    }

    /// Removes an entry and reads its value. If `read` returns `None`, adds a warning with `wanted`.
    pub(super) fn take<T>(
        &mut self,
        key: &str,
        wanted: SettingValueType,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let value = self.table.remove(key)?;
        let value = read(&value);
        if value.is_none() {
            self.warn(key, SettingProblem::Wanted(wanted));
        }
        value
    }

    /// Drops an entry without reading it. Returns whether the entry existed.
    pub(super) fn drop(&mut self, key: &str) -> bool {
        self.table.remove(key).is_some()
    }

    /// Removes and returns a text. An entry of another type is removed and reported. Returns `None` without a valid
    /// text.
    pub(super) fn take_text(&mut self, key: &str) -> Option<String> {
        self.take(key, SettingValueType::Text, to_text)
    }

    /// Removes and returns a whole number from 1 to `max`. Any other entry is removed and reported. Returns `None`
    /// without a valid number.
    pub(super) fn take_whole_number(&mut self, key: &str, max: u32) -> Option<u32> {
        let read = |value: &Value| {
            u32::try_from(value.as_integer()?)
                .ok()
                .filter(|n| (1..=max).contains(n))
        };
        self.take(key, SettingValueType::Whole(1, max), read)
    }

    /// Reads a group: the table at `key`, or this table if the key is empty. An absent table counts as empty. Entries
    /// that `read` does not take stay in the table.
    pub(super) fn read_group<T>(&mut self, key: &str, read: impl FnOnce(&mut TableReader<'_>) -> T) -> T {
        if key.is_empty() {
            return read(self);
        }
        let table = self
            .take(key, SettingValueType::Table, |value| value.as_table().cloned())
            .unwrap_or_default();
        let mut group = TableReader::new(self.full_key(key), table, self.warnings);
        let value = read(&mut group);
        let rest = group.into_rest();
        if !rest.is_empty() {
            self.table.insert(key.to_owned(), Value::Table(rest));
        }
        value
    }

    /// Returns a reader of `value`, the entry `index`, from 0, of the list at `key`. Returns `None` with a warning if
    /// the value is not a table.
    pub(super) fn element_reader(
        &mut self,
        key: &str,
        index: usize,
        value: Value,
    ) -> Option<TableReader<'_>> {
        let key = format!("{}[{}]", self.full_key(key), index + 1);
        let Value::Table(table) = value else {
            self.warnings.push(SettingWarning {
                key,
                problem: SettingProblem::Wanted(SettingValueType::Table),
            });
            return None;
        };
        Some(TableReader::new(key, table, self.warnings))
    }

    /// Removes a table of texts, and returns its keys and texts. Invalid entries are reported and skipped.
    pub(super) fn take_texts_by_name(&mut self, key: &str) -> Vec<(String, String)> {
        let table = self
            .take(key, SettingValueType::Table, |value| value.as_table().cloned())
            .unwrap_or_default();
        let mut entries = TableReader::new(self.full_key(key), table, self.warnings);
        let names: Vec<String> = entries.table.keys().cloned().collect();
        let read = names.into_iter().map(|name| (entries.take_text(&name), name));
        read.filter_map(|(text, name)| Some((name, text?))).collect()
    }

    pub(super) fn warn(&mut self, key: &str, problem: SettingProblem) {
        let key = self.full_key(key);
        self.warnings.push(SettingWarning { key, problem });
    }

    /// Adds a warning about an entry of the table at `group`.
    pub(super) fn warn_in(&mut self, group: &str, key: &str, problem: SettingProblem) {
        let entry_key = TableReader::new(self.full_key(group), Table::new(), self.warnings).full_key(key);
        self.warnings.push(SettingWarning {
            key: entry_key,
            problem,
        });
    }

    /// Adds a warning about each entry that was not taken.
    pub(super) fn warn_of_rest(&mut self) {
        for (key, _) in std::mem::take(&mut self.table) {
            self.warn(&key, SettingProblem::Unknown);
        }
    }

    /// Returns the entries that were not taken.
    pub(super) fn into_rest(self) -> Table {
        self.table
    }

    /// Returns the whole key of an entry, such as `engine[2].options.Hash`.
    fn full_key(&self, key: &str) -> String {
        let plain = !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let key = if plain { key.to_owned() } else { format!("{key:?}") };
        if self.key.is_empty() {
            key
        } else {
            format!("{}.{key}", self.key)
        }
    }
}

/// Converts a value to a text. Numbers and truth values are taken as they are written. Returns `None` for another type.
fn to_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Converts a value to a list of texts. Returns `None` if the value or an element has another type.
pub(super) fn to_texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(to_text).collect()
}
