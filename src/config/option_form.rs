//! The options of an engine as a form: rows with values, to be searched, changed and put back. It is
//! drawn elsewhere.

use super::engine_number::plain;
use super::resolve_options::{RejectedOption, is_number, misfits, nearest, place_of, stored};
use super::{EngineNumber, Presets, Profile};
use crate::usi::option::OptionError;
use crate::usi::{OptionKind, OptionSpec};
use std::collections::BTreeMap;

/// What an engine is set to where the user sets nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDefault {
    /// What goes by another name in every engine.
    pub numbers: BTreeMap<EngineNumber, u32>,
    /// What is known to suit the engine, by the names of its options.
    pub presets: BTreeMap<String, String>,
}

impl OptionDefault {
    /// These numbers, and what suits an engine that calls itself `engine`.
    pub fn new(presets: &Presets, engine: &str, numbers: impl IntoIterator<Item = (EngineNumber, u32)>) -> Self {
        let presets = presets.options_for(engine).map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self { numbers: numbers.into_iter().collect(), presets: presets.collect() }
    }
}

/// The options of an engine, and what they are to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionForm {
    rows: Vec<OptionRow>,
    misfits: Vec<RejectedOption>,
}

/// An option of an engine, and what it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionRow {
    option: OptionSpec,
    number: Option<EngineNumber>,
    default: Option<String>,
    /// What it is when the user sets nothing.
    usual: Option<String>,
    /// What the user sets.
    set: Option<String>,
    /// Whether that was set or put back in this form. What was not stays in the profile as it stands there.
    touched: bool,
    /// The names under which the profile holds it.
    names: Vec<String>,
}

impl OptionRow {
    /// The option, as the engine declares it.
    pub const fn option(&self) -> &OptionSpec {
        &self.option
    }

    /// Its value, as it is shown: what the user sets, or else what is usual. It may be one that the
    /// engine does not take.
    pub fn value(&self) -> &str {
        self.set.as_deref().or(self.usual.as_deref()).unwrap_or_default()
    }

    /// The engine's own default; `None` where it declares none.
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// The number it is, if it is one that every engine has: that belongs to the profile itself.
    pub const fn number(&self) -> Option<EngineNumber> {
        self.number
    }

    /// Whether the user sets it to something else than what is usual.
    pub fn is_changed(&self) -> bool {
        self.set.is_some()
    }

    /// What is wrong with the value. Such a one is neither sent nor stored.
    pub fn problem(&self) -> Option<OptionError> {
        let value = self.set.as_ref().filter(|_| self.option.kind != OptionKind::Button)?;
        self.option.set(value).err()
    }

    fn change(&mut self, value: &str) {
        let usual = self.usual.as_deref().is_some_and(|usual| self.means(usual, value));
        self.set = (!usual).then(|| value.to_owned());
    }

    fn reset_row(&mut self) {
        (self.set, self.touched) = (None, true);
    }

    /// Whether two values are one to the engine: `+5` and `5`, and nothing and `<empty>`.
    fn means(&self, a: &str, b: &str) -> bool {
        a == b || self.option.set(a).ok().is_some_and(|line| Some(line) == self.option.set(b).ok())
    }
}

impl OptionForm {
    /// The form for an engine's options, filled from a profile.
    pub fn new(options: &[OptionSpec], profile: &Profile, usual: &OptionDefault) -> Self {
        let row = |(place, option): (usize, &OptionSpec)| {
            let (number, default) = (is_number(option), default(option));
            let ours = match number {
                Some(number) => usual.numbers.get(&number).map(|value| nearest(option, &value.to_string())),
                None => usual.presets.get(&option.name).map(|value| nearest(option, value)),
            };
            let ours = ours.filter(|value| option.set(value).is_ok());
            let mut row = OptionRow {
                option: option.clone(),
                number,
                usual: ours.or_else(|| default.clone()),
                default,
                set: None,
                touched: false,
                names: profile.options.keys().filter(|name| place_of(options, name) == Some(place)).cloned().collect(),
            };
            let value = match number {
                Some(number) => profile.number(number).map(|value| nearest(option, &value.to_string())),
                None => stored(options, place, &profile.options).map(|(_, value)| value.to_owned()),
            };
            if let Some(value) = value.filter(|_| option.kind != OptionKind::Button) {
                row.change(&value);
            }
            row
        };
        let rows = options.iter().enumerate().map(row).collect();
        Self { rows, misfits: misfits(options, &profile.options) }
    }

    /// All rows, in the engine's order.
    pub fn rows(&self) -> &[OptionRow] {
        &self.rows
    }

    /// What the profile holds and the engine does not take.
    pub fn misfits(&self) -> &[RejectedOption] {
        &self.misfits
    }

    /// The places of the rows in which every word of `search` stands, in the name, the value or the
    /// choices. Case does not count, nor whether it is a space or an underscore.
    pub fn found(&self, search: &str) -> impl Iterator<Item = usize> {
        let words: Vec<String> = search.split_whitespace().map(plain).collect();
        self.rows.iter().enumerate().filter_map(move |(place, row)| {
            let choices = match &row.option.kind {
                OptionKind::Combo { vars, .. } => vars.join(" "),
                _ => String::new(),
            };
            let text = plain(&format!("{} {} {choices}", row.option.name, row.value()));
            words.iter().all(|word| text.contains(word.as_str())).then_some(place)
        })
    }

    /// Sets a row to a value, as it is typed or chosen.
    pub fn set(&mut self, place: usize, value: &str) {
        if let Some(row) = self.rows.get_mut(place) {
            row.change(value);
            row.touched = true;
        }
    }

    /// Puts a row back to what is usual.
    pub fn reset(&mut self, place: usize) {
        if let Some(row) = self.rows.get_mut(place) {
            row.reset_row();
        }
    }

    /// Puts the engine's own options back to what is usual. The numbers that every engine has are the
    /// profile's, and stay.
    pub fn reset_all(&mut self) {
        self.rows.iter_mut().filter(|row| row.number.is_none()).for_each(OptionRow::reset_row);
    }

    /// Writes what was set or put back in this form into a profile. What does not fit the engine stays in
    /// it, and so does what stood there before a value that the engine does not take.
    pub fn store(&self, profile: &mut Profile) {
        let is_meant =
            |row: &&OptionRow| row.touched && row.problem().is_none() && row.option.kind != OptionKind::Button;
        for row in self.rows.iter().filter(is_meant) {
            if let Some(number) = row.number {
                profile.set_number(number, row.set.as_ref().and_then(|value| value.trim().parse().ok()));
                continue;
            }
            profile.options.retain(|name, _| !row.names.contains(name));
            if let Some(value) = &row.set {
                profile.options.insert(row.option.name.clone(), value.clone());
            }
        }
    }
}

/// The default of an option, as it would be typed.
fn default(option: &OptionSpec) -> Option<String> {
    match &option.kind {
        OptionKind::Check { default } => default.map(|value| value.to_string()),
        OptionKind::Spin { default, .. } => default.map(|value| value.to_string()),
        OptionKind::Combo { default, .. } | OptionKind::String { default } | OptionKind::Filename { default } => {
            default.clone()
        }
        OptionKind::Button => None,
    }
}

#[cfg(test)]
mod tests;
