//! The engine profiles of the user, by name and in the user's order.

use super::profile::{Profile, clean_name};
use super::rewrite::rewrite;
use super::table_reader::TableReader;
use super::warning::{SettingProblem, SettingValueType, SettingWarning};
use serde::Serialize;
use thiserror::Error;
use toml::{Table, Value};

/// The reserved name of the built-in engine.
pub const BUILT_IN_NAME: &str = "builtin";

/// The engine profiles of the user, and the settings of the built-in engine. The names of the profiles are distinct;
/// none is empty or `builtin`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Profiles {
    /// The name of the default engine; `None` for the first profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(flatten)]
    unknown_entries: Table,
    #[serde(rename = "builtin", skip_serializing_if = "is_without_settings")]
    built_in: Profile,
    #[serde(rename = "engine", skip_serializing_if = "Vec::is_empty")]
    engines: Vec<Profile>,
}

/// The error of a text that is not TOML, with the message of the parser.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotTomlError(String);

/// The error of a profile name that is unknown or not allowed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// There is no profile of this name.
    #[error("there is no engine profile '{0}'")]
    Unknown(String),
    /// Another profile has this name.
    #[error("there is an engine profile '{0}' already")]
    Taken(String),
    /// The name is reserved for the built-in engine.
    #[error("'{BUILT_IN_NAME}' is the engine inside this program")]
    BuiltIn,
    /// The name is empty.
    #[error("a name cannot be empty")]
    Empty,
}

impl NotTomlError {
    /// Creates the error from the parser's error.
    pub(super) fn new(error: &toml::de::Error) -> Self {
        Self(error.message().to_owned())
    }
}

impl Default for Profiles {
    fn default() -> Self {
        Self {
            default: None,
            unknown_entries: Table::new(),
            built_in: plain_built_in(),
            engines: Vec::new(),
        }
    }
}

/// Returns the built-in engine without settings.
fn plain_built_in() -> Profile {
    Profile::new(BUILT_IN_NAME, [BUILT_IN_NAME.to_owned()])
}

/// Returns whether the built-in engine has no settings. Such an engine is not written to the file.
fn is_without_settings(built_in: &Profile) -> bool {
    *built_in == plain_built_in()
}

impl Profiles {
    /// Reads the engines file. Invalid entries are reported and get their defaults.
    ///
    /// # Errors
    /// Fails if the text is not TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError> {
        let table: Table = toml::from_str(text).map_err(|error| NotTomlError::new(&error))?;
        let (mut profiles, mut warnings) = (Self::default(), Vec::new());
        let mut reader = TableReader::new(String::new(), table, &mut warnings);
        profiles.default = reader.take_text("default").filter(|name| !name.is_empty());
        let engines = reader.take("engine", SettingValueType::Tables, |value| match value {
            Value::Array(engines) => Some(engines.clone()),
            // A single engine, written as a table with single brackets.
            Value::Table(_) => Some(vec![value.clone()]),
            _ => None,
        });
        let built_in = reader.take("builtin", SettingValueType::Table, |value| {
            value.as_table().cloned()
        });
        profiles.unknown_entries = reader.into_rest();
        if let Some(mut table) = built_in {
            table.insert("program".to_owned(), Value::String(BUILT_IN_NAME.to_owned()));
            let read = Profile::read(TableReader::new(BUILT_IN_NAME.to_owned(), table, &mut warnings));
            let plain = plain_built_in();
            profiles.built_in = Profile {
                name: plain.name,
                program: plain.program,
                arguments: Vec::new(),
                folder: None,
                ..read
            };
        }
        for (index, value) in engines.into_iter().flatten().enumerate() {
            let key = format!("engine[{}]", index + 1);
            if let Value::Table(table) = value {
                profiles.read_engine(&key, table, &mut warnings);
            } else {
                warnings.push(SettingWarning {
                    key,
                    problem: SettingProblem::Wanted(SettingValueType::Table),
                });
            }
        }
        if let Some(name) = profiles.default.take_if(|name| {
            name != BUILT_IN_NAME && !profiles.engines.iter().any(|profile| profile.name == *name)
        }) {
            warnings.push(SettingWarning {
                key: "default".to_owned(),
                problem: SettingProblem::NoSuchEngine(name),
            });
        }
        Ok((profiles, warnings))
    }

    /// Reads a profile and adds it at the end. A profile without an allowed name gets one, with a warning.
    fn read_engine(&mut self, key: &str, table: Table, warnings: &mut Vec<SettingWarning>) {
        let mut profile = Profile::read(TableReader::new(key.to_owned(), table, warnings));
        if self.check_name(&profile.name).is_err() {
            profile.name = self.free_name(&profile.name);
            warnings.push(SettingWarning {
                key: format!("{key}.name"),
                problem: SettingProblem::Renamed(profile.name.clone()),
            });
        }
        self.engines.push(profile);
    }

    /// Returns the text of the file. [`read`](Self::read) returns the same profiles from it.
    ///
    /// # Errors
    /// No error is expected: TOML can hold these tables of texts and numbers.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Returns the text of the user's file with these profiles in it. Unchanged entries keep their form. If the text is
    /// not TOML, the result is a new file.
    ///
    /// # Errors
    /// No error is expected, as in [`write`](Self::write).
    pub fn write_into(&self, text: &str) -> Result<String, toml::ser::Error> {
        let before = Self::read(text)
            .ok()
            .and_then(|(before, _)| Table::try_from(before).ok());
        let rewritten = before.zip(Table::try_from(self).ok());
        let rewritten = rewritten.and_then(|(before, after)| rewrite(text, &before, &after, "name"));
        let whole = self.write()?;
        let is_same =
            |text: &String| Self::read(text).is_ok_and(|(again, _)| again.write().as_ref() == Ok(&whole));
        Ok(rewritten.filter(is_same).unwrap_or(whole))
    }

    /// Returns all profiles in the user's order, without the settings of the built-in engine.
    pub fn iter(&self) -> std::slice::Iter<'_, Profile> {
        self.engines.iter()
    }

    /// Returns the profile of this name, or for `builtin` the settings of the built-in engine. Returns `None` if there
    /// is no profile of this name.
    pub fn get(&self, name: &str) -> Option<&Profile> {
        if name == BUILT_IN_NAME {
            return Some(&self.built_in);
        }
        self.engines.iter().find(|profile| profile.name == name)
    }

    /// Returns the profile of this name, or for `builtin` the settings of the built-in engine, for changes.
    ///
    /// # Errors
    /// Fails if there is no profile of this name.
    pub fn get_mut(&mut self, name: &str) -> Result<&mut Profile, NameError> {
        if name == BUILT_IN_NAME {
            return Ok(&mut self.built_in);
        }
        self.engines
            .iter_mut()
            .find(|profile| profile.name == name)
            .ok_or_else(|| NameError::Unknown(name.to_owned()))
    }

    /// Returns the default profile: the chosen one, or else the first. Returns `None` for the built-in engine.
    pub fn default_profile(&self) -> Option<&Profile> {
        match &self.default {
            Some(name) => self.engines.iter().find(|profile| profile.name == *name),
            None => self.engines.first(),
        }
    }

    /// Returns the name of the default engine, which may be `builtin`.
    pub fn default_name(&self) -> &str {
        self.default_profile().map_or(BUILT_IN_NAME, Profile::name)
    }

    /// Sets the default engine, which may be `builtin`.
    ///
    /// # Errors
    /// Fails if there is no profile of this name.
    pub fn set_default(&mut self, name: &str) -> Result<(), NameError> {
        self.get_mut(name)?;
        self.default = Some(name.to_owned());
        Ok(())
    }

    /// Adds a profile at the end.
    ///
    /// # Errors
    /// Fails if the name is not allowed; [`free_name`](Self::free_name) returns one that is.
    pub fn add(&mut self, profile: Profile) -> Result<(), NameError> {
        self.check_name(&profile.name)?;
        self.engines.push(profile);
        Ok(())
    }

    /// Copies a profile and inserts the copy behind it. Returns the name of the copy, such as `YaneuraOu 2`.
    ///
    /// # Errors
    /// Fails if there is no profile of this name.
    pub fn duplicate(&mut self, name: &str) -> Result<String, NameError> {
        let index = self.index_of(name)?;
        let mut copy = self.get_mut(name)?.clone();
        copy.name = self.free_name(name);
        let name = copy.name.clone();
        self.engines.insert(index + 1, copy);
        Ok(name)
    }

    /// Renames a profile.
    ///
    /// # Errors
    /// Fails if there is no profile of this name, or the new name is not allowed.
    pub fn rename(&mut self, name: &str, new: &str) -> Result<(), NameError> {
        let new = clean_name(new);
        let index = self.index_of(name)?;
        if name != new {
            self.check_name(&new)?;
        }
        if self.default.as_deref() == Some(name) {
            self.default = Some(new.clone());
        }
        if let Some(profile) = self.engines.get_mut(index) {
            profile.name = new;
        }
        Ok(())
    }

    /// Removes a profile and returns it.
    ///
    /// # Errors
    /// Fails if there is no profile of this name.
    pub fn remove(&mut self, name: &str) -> Result<Profile, NameError> {
        let index = self.index_of(name)?;
        self.default.take_if(|default| default == name);
        Ok(self.engines.remove(index))
    }

    /// Returns an allowed name: `name`, or `name` with a number. A number at the end of a taken name is counted up:
    /// after `YaneuraOu 2` comes `YaneuraOu 3`.
    pub fn free_name(&self, name: &str) -> String {
        let name = Some(clean_name(name))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| "engine".to_owned());
        if self.check_name(&name).is_ok() {
            return name;
        }
        let counted = name
            .rsplit_once(' ')
            .and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?)));
        let (stem, from) = counted.map_or((name.as_str(), 2), |(stem, n)| (stem, n.saturating_add(1)));
        let mut names = (from..=u32::MAX).map(|n| format!("{stem} {n}"));
        names.find(|name| self.check_name(name).is_ok()).unwrap_or(name)
    }

    fn check_name(&self, name: &str) -> Result<(), NameError> {
        match name {
            "" => Err(NameError::Empty),
            BUILT_IN_NAME => Err(NameError::BuiltIn),
            _ if self.get(name).is_some() => Err(NameError::Taken(name.to_owned())),
            _ => Ok(()),
        }
    }

    fn index_of(&self, name: &str) -> Result<usize, NameError> {
        self.engines
            .iter()
            .position(|profile| profile.name == name)
            .ok_or_else(|| NameError::Unknown(name.to_owned()))
    }
}

impl<'a> IntoIterator for &'a Profiles {
    type Item = &'a Profile;
    type IntoIter = std::slice::Iter<'a, Profile>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
