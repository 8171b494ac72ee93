//! Reading of a table of a settings file. An invalid entry is reported and affects only itself.
//!
//! The caller decides what becomes of entries with unknown keys: [`TableReader::warn_of_rest`] reports them,
//! [`TableReader::into_rest`] returns them to be kept.

use super::warning::{Expected, SettingProblem, SettingWarning};
use toml::{Table, Value};

/// A reader that takes known entries out of a table. The remaining entries are unknown.
pub(super) struct TableReader<'a> {
    key: String,
    table: Table,
    warnings: &'a mut Vec<SettingWarning>,
}

impl<'a> TableReader<'a> {
    /// Creates a reader of the table at `key`.
    pub(super) const fn new(key: String, table: Table, warnings: &'a mut Vec<SettingWarning>) -> Self {
        Self { key, table, warnings }
    }

    /// Takes an entry. If `read` returns `None`, a warning with `wanted` is added.
    pub(super) fn take<T>(&mut self, key: &str, wanted: Expected, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
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

    /// Removes and returns a text. An entry of another type is removed and reported.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.take(key, Expected::Text, text)
    }

    /// Removes and returns a whole number from 1 to `max`. Any other entry is removed and reported.
    pub(super) fn whole(&mut self, key: &str, max: u32) -> Option<u32> {
        let read = |value: &Value| u32::try_from(value.as_integer()?).ok().filter(|n| (1..=max).contains(n));
        self.take(key, Expected::Whole(1, max), read)
    }

    /// Reads a group: the table at `key`, or this table if the key is empty. An absent table counts as empty. Entries
    /// that `read` does not take stay in the table.
    pub(super) fn group<T>(&mut self, key: &str, read: impl FnOnce(&mut TableReader<'_>) -> T) -> T {
        if key.is_empty() {
            return read(self);
        }
        let table = self.take(key, Expected::Table, |value| value.as_table().cloned()).unwrap_or_default();
        let mut group = TableReader::new(self.path(key), table, self.warnings);
        let value = read(&mut group);
        let rest = group.into_rest();
        if !rest.is_empty() {
            self.table.insert(key.to_owned(), Value::Table(rest));
        }
        value
    }

    /// Returns a reader of `value`, the entry `index`, from 0, of the list at `key`. Returns `None` with a warning if
    /// the value is not a table.
    pub(super) fn element(&mut self, key: &str, index: usize, value: Value) -> Option<TableReader<'_>> {
        let key = format!("{}[{}]", self.path(key), index + 1);
        let Value::Table(table) = value else {
            self.warnings.push(SettingWarning { key, problem: SettingProblem::Wanted(Expected::Table) });
            return None;
        };
        Some(TableReader::new(key, table, self.warnings))
    }

    /// Removes a table of texts, and returns its keys and texts. Invalid entries are reported and skipped.
    pub(super) fn texts_by_name(&mut self, key: &str) -> impl Iterator<Item = (String, String)> {
        let table = self.take(key, Expected::Table, |value| value.as_table().cloned()).unwrap_or_default();
        let mut entries = TableReader::new(self.path(key), table, self.warnings);
        let names: Vec<String> = entries.table.keys().cloned().collect();
        let read = names.into_iter().map(|name| (entries.text(&name), name));
        let read: Vec<_> = read.filter_map(|(text, name)| Some((name, text?))).collect();
        read.into_iter()
    }

    /// Adds a warning about an entry.
    pub(super) fn warn(&mut self, key: &str, problem: SettingProblem) {
        let key = self.path(key);
        self.warnings.push(SettingWarning { key, problem });
    }

    /// Adds a warning about an entry of the table at `group`.
    pub(super) fn warn_in(&mut self, group: &str, key: &str, problem: SettingProblem) {
        let entry_key = TableReader::new(self.path(group), Table::new(), self.warnings).path(key);
        self.warnings.push(SettingWarning { key: entry_key, problem });
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
    fn path(&self, key: &str) -> String {
        let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let key = if plain { key.to_owned() } else { format!("{key:?}") };
        if self.key.is_empty() { key } else { format!("{}.{key}", self.key) }
    }
}

/// Converts a value to a text. Numbers and truth values are taken as they are written.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// Converts a value to a list of texts.
pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}
