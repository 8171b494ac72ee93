//! Reading settings so that what is broken is lost alone, and said.

use toml::{Table, Value};

/// Something in a file of settings that was not understood; its default is used instead.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingWarning {
    /// Where: `engine[2].k`, counted from 1.
    pub key: String,
    /// What is wrong with it.
    pub problem: SettingProblem,
}

/// What is wrong with a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingProblem {
    /// It is to be something else.
    Wanted(Expected),
    /// An engine has no name, or one that is taken; it is called this instead.
    Renamed(String),
    /// An engine has no program, and cannot be started.
    NoProgram,
    /// There is no engine of this name.
    NoSuchEngine(String),
    /// No theme of this name comes with the program.
    NoSuchTheme(String),
    /// There is no such setting.
    Unknown,
    /// Another setting, at this key, has the same keys.
    SameKeys(&'static str),
    /// No variable of the environment can be called this or hold that.
    NoVariable,
    /// An option of an engine has a line break or another control character in its name or value.
    ControlCharacter,
}

/// What a setting is to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expected {
    /// A text.
    Text,
    /// A list of texts.
    Texts,
    /// A table.
    Table,
    /// A list of tables.
    Tables,
    /// A number from the one to the other.
    Number(f64, f64),
    /// A whole number from the one to the other.
    Whole(u32, u32),
    /// The end of a search, in the words of `go`.
    Limit,
    /// A colour.
    Color,
    /// A width and a height.
    Size,
    /// `true` or `false`.
    Truth,
    /// A text of one line.
    Line,
    /// A list of keys.
    Keys,
    /// One of these words.
    OneOf(&'static [&'static str]),
}

/// Takes the settings it knows out of a table; what is left is unknown.
pub(super) struct TableReader<'a> {
    key: String,
    table: Table,
    findings: &'a mut Vec<SettingWarning>,
}

impl<'a> TableReader<'a> {
    /// A reader of the table at `key`.
    pub(super) const fn new(key: String, table: Table, findings: &'a mut Vec<SettingWarning>) -> Self {
        Self { key, table, findings }
    }

    /// Takes a setting; one that `read` does not take is said to be no `wanted`.
    pub(super) fn take<T>(&mut self, key: &str, wanted: Expected, read: impl FnOnce(&Value) -> Option<T>) -> Option<T> {
        let value = self.table.remove(key)?;
        let value = read(&value);
        if value.is_none() {
            self.find(key, SettingProblem::Wanted(wanted));
        }
        value
    }

    /// Takes a text.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        self.take(key, Expected::Text, text)
    }

    /// Takes a whole number from 1 to `max`.
    pub(super) fn whole(&mut self, key: &str, max: u32) -> Option<u32> {
        let read = |value: &Value| u32::try_from(value.as_integer()?).ok().filter(|n| (1..=max).contains(n));
        self.take(key, Expected::Whole(1, max), read)
    }

    /// A reader of the table at `key`, which is empty where there is none.
    pub(super) fn group(&mut self, key: &str) -> TableReader<'_> {
        let table = self.take(key, Expected::Table, |value| value.as_table().cloned()).unwrap_or_default();
        TableReader::new(self.path(key), table, self.findings)
    }

    /// A reader of one table of the list at `key`, counted from 0; `None` where it is no table.
    pub(super) fn element(&mut self, key: &str, index: usize, value: Value) -> Option<TableReader<'_>> {
        let key = format!("{}[{}]", self.path(key), index + 1);
        let Value::Table(table) = value else {
            self.findings.push(SettingWarning { key, problem: SettingProblem::Wanted(Expected::Table) });
            return None;
        };
        Some(TableReader::new(key, table, self.findings))
    }

    /// Takes a table of texts; an entry that is none is lost alone.
    pub(super) fn texts_by_name(&mut self, key: &str) -> impl Iterator<Item = (String, String)> {
        let table = self.take(key, Expected::Table, |value| value.as_table().cloned()).unwrap_or_default();
        let mut entries = TableReader::new(self.path(key), table, self.findings);
        let names: Vec<String> = entries.table.keys().cloned().collect();
        let read = names.into_iter().map(|name| (entries.text(&name), name));
        let read: Vec<_> = read.filter_map(|(text, name)| Some((name, text?))).collect();
        read.into_iter()
    }

    /// Says what is wrong with a setting.
    pub(super) fn find(&mut self, key: &str, problem: SettingProblem) {
        let key = self.path(key);
        self.findings.push(SettingWarning { key, problem });
    }

    /// Says what is wrong with an entry of the table at `group`.
    pub(super) fn find_in(&mut self, group: &str, key: &str, problem: SettingProblem) {
        let entry = TableReader::new(self.path(group), Table::new(), self.findings).path(key);
        self.findings.push(SettingWarning { key: entry, problem });
    }

    /// Says of everything that was not taken that there is no such setting.
    pub(super) fn find_rest(mut self) {
        let rest: Vec<String> = std::mem::take(&mut self.table).into_iter().map(|(key, _)| key).collect();
        for key in rest {
            self.find(&key, SettingProblem::Unknown);
        }
    }

    /// What was not taken.
    pub(super) fn into_rest(self) -> Table {
        self.table
    }

    fn path(&self, key: &str) -> String {
        let plain = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
        let key = if plain { key.to_owned() } else { format!("{key:?}") };
        if self.key.is_empty() { key } else { format!("{}.{key}", self.key) }
    }
}

/// A text; a number or a truth value is taken as it is written.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Some(value.to_string()),
        Value::Datetime(_) | Value::Array(_) | Value::Table(_) => None,
    }
}

/// A list of texts.
pub(super) fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}
