//! The options of an engine as a form: rows with values that are searched, changed and reset.

use super::Profile;
use shogibar_engine::options::{
    EngineNumber, Presets, RejectedOption, clamp, number_of, option_index, plain_name, rejected_options,
    stored_value,
};
use shogibar_engine::usi::option::OptionError;
use shogibar_engine::usi::{OptionKind, OptionSpec};
use std::collections::BTreeMap;

/// The values of those options of an engine that the user has not set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDefaults {
    /// The numbers that engines have under different option names.
    pub numbers: BTreeMap<EngineNumber, u32>,
    /// The preset values, by option name.
    pub presets: BTreeMap<String, String>,
}

impl OptionDefaults {
    /// Creates the defaults from these numbers and the presets of an engine whose `id name` is `engine`.
    pub fn new(
        presets: &Presets,
        engine: &str,
        numbers: impl IntoIterator<Item = (EngineNumber, u32)>,
    ) -> Self {
        let presets = presets
            .options_for(engine)
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self {
            numbers: numbers.into_iter().collect(),
            presets: presets.collect(),
        }
    }
}

/// The options of an engine and their values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionForm {
    rows: Vec<OptionRow>,
    rejected_options: Vec<RejectedOption>,
}

/// An option of an engine and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRow {
    option: OptionSpec,
    /// The number that the option sets; `None` for an option that only some engines have.
    number: Option<EngineNumber>,
    /// The default that the engine declares; `None` if it declares none.
    default: Option<String>,
    /// The value that applies if the user sets none; `None` if it is unknown.
    effective_default: Option<String>,
    /// The value that the user sets; `None` for the default.
    user_value: Option<String>,
    /// Whether the row was set or reset in this form. Other rows keep their entry in the profile.
    is_edited: bool,
    /// The names under which the profile stores the option.
    names: Vec<String>,
}

impl OptionRow {
    /// Returns the option, as the engine declares it.
    pub const fn option(&self) -> &OptionSpec {
        &self.option
    }

    /// Returns the displayed value: the user's, or else the default. The engine may refuse this value.
    pub fn value(&self) -> &str {
        self.user_value
            .as_deref()
            .or(self.effective_default.as_deref())
            .unwrap_or_default()
    }

    /// Returns the default that the engine declares. Returns `None` if it declares none.
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// Returns the number that the option sets; `None` for an option that only some engines have. Such a number is a
    /// field of the profile.
    pub const fn number(&self) -> Option<EngineNumber> {
        self.number
    }

    /// Returns whether the user has set a value that differs from the default.
    pub fn is_changed(&self) -> bool {
        self.user_value.is_some()
    }

    /// Returns the error of the user's value, which is then neither sent nor stored. Returns `None` for a valid value,
    /// for the default, and for a button.
    pub fn problem(&self) -> Option<OptionError> {
        if self.option.kind == OptionKind::Button {
            return None;
        }
        self.option.setoption(self.user_value.as_ref()?).err()
    }

    /// Sets the user's value. A value that is the same as the default counts as none.
    fn set_user_value(&mut self, value: &str) {
        let is_default = self
            .effective_default
            .as_deref()
            .is_some_and(|default| self.is_same_value(default, value));
        self.user_value = (!is_default).then(|| value.to_owned());
    }

    fn reset_row(&mut self) {
        (self.user_value, self.is_edited) = (None, true);
    }

    /// Returns whether two values are the same to the engine, such as `+5` and `5`.
    fn is_same_value(&self, a: &str, b: &str) -> bool {
        a == b
            || self
                .option
                .setoption(a)
                .ok()
                .is_some_and(|line| Some(line) == self.option.setoption(b).ok())
    }
}

impl OptionForm {
    /// Creates the form of an engine's options, filled from a profile.
    pub fn new(options: &[OptionSpec], profile: &Profile, defaults: &OptionDefaults) -> Self {
        let row = |(index, option): (usize, &OptionSpec)| {
            let (number, default) = (number_of(option), declared_default(option));
            let program_default = match number {
                Some(number) => defaults
                    .numbers
                    .get(&number)
                    .map(|value| clamp(option, &value.to_string())),
                None => defaults
                    .presets
                    .get(&option.name)
                    .map(|value| clamp(option, value)),
            };
            let program_default = program_default.filter(|value| option.setoption(value).is_ok());
            let mut row = OptionRow {
                option: option.clone(),
                number,
                effective_default: program_default.or_else(|| default.clone()),
                default,
                user_value: None,
                is_edited: false,
                names: profile
                    .options
                    .keys()
                    .filter(|name| option_index(options, name) == Some(index))
                    .cloned()
                    .collect(),
            };
            let value = match number {
                Some(number) => profile
                    .number(number)
                    .map(|value| clamp(option, &value.to_string())),
                None => stored_value(options, index, &profile.options).map(|(_, value)| value.to_owned()),
            };
            if option.kind != OptionKind::Button
                && let Some(value) = value
            {
                row.set_user_value(&value);
            }
            row
        };
        let rows = options.iter().enumerate().map(row).collect();
        Self {
            rows,
            rejected_options: rejected_options(options, &profile.options),
        }
    }

    /// Returns all rows, in the engine's order.
    pub fn rows(&self) -> &[OptionRow] {
        &self.rows
    }

    /// Returns the stored options that the engine does not accept.
    pub fn rejected_options(&self) -> &[RejectedOption] {
        &self.rejected_options
    }

    /// Returns the indices of the rows that contain every word of `search`, in the name, the value or the choices. Case
    /// is ignored, and an underscore equals a space.
    pub fn matching_rows(&self, search: &str) -> impl Iterator<Item = usize> {
        let words: Vec<String> = search.split_whitespace().map(plain_name).collect();
        self.rows.iter().enumerate().filter_map(move |(index, row)| {
            let choices = match &row.option.kind {
                OptionKind::Combo { vars, .. } => vars.join(" "),
                _ => String::new(),
            };
            let text = plain_name(&format!("{} {} {choices}", row.option.name, row.value()));
            words
                .iter()
                .all(|word| text.contains(word.as_str()))
                .then_some(index)
        })
    }

    /// Sets a row to a value that was typed or chosen.
    pub fn set(&mut self, index: usize, value: &str) {
        if let Some(row) = self.rows.get_mut(index) {
            row.set_user_value(value);
            row.is_edited = true;
        }
    }

    /// Resets a row to its default.
    pub fn reset(&mut self, index: usize) {
        if let Some(row) = self.rows.get_mut(index) {
            row.reset_row();
        }
    }

    /// Resets the options that only some engines have to their defaults. The numbers that every engine has stay, since
    /// they are fields of the profile.
    pub fn reset_all(&mut self) {
        self.rows
            .iter_mut()
            .filter(|row| row.number.is_none())
            .for_each(OptionRow::reset_row);
    }

    /// Writes the rows that were set or reset into a profile. Options that do not fit the engine stay in it. A value
    /// that the engine refuses does not replace the stored one.
    pub fn store(&self, profile: &mut Profile) {
        for row in self
            .rows
            .iter()
            .filter(|row| row.is_edited && row.problem().is_none() && row.option.kind != OptionKind::Button)
        {
            if let Some(number) = row.number {
                profile.set_number(
                    number,
                    row.user_value
                        .as_ref()
                        .and_then(|value| value.trim().parse().ok()),
                );
                continue;
            }
            profile.options.retain(|name, _| !row.names.contains(name));
            if let Some(value) = &row.user_value {
                profile.options.insert(row.option.name.clone(), value.clone());
            }
        }
    }
}

/// Returns the default that an engine declares for an option, as a user would type it; `None` if it declares none.
fn declared_default(option: &OptionSpec) -> Option<String> {
    match &option.kind {
        OptionKind::Check { default } => default.map(|value| value.to_string()),
        OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
        OptionKind::Combo { default, .. }
        | OptionKind::String { default }
        | OptionKind::Filename { default } => default.clone(),
        OptionKind::Button => None,
    }
}

#[cfg(test)]
mod tests;
