//! The engines of the user, by name and in the user's order.

use super::profile::{Profile, clean};
use super::rewrite::rewrite;
use super::warning::{Expected, SettingProblem, SettingWarning, TableReader};
use serde::Serialize;
use thiserror::Error;
use toml::{Table, Value};

/// The name of the engine inside this program, which no other can have.
pub const BUILT_IN: &str = "builtin";

/// The engines of the user. Their names are distinct, none is empty and none is `builtin`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Profiles {
    #[serde(skip_serializing_if = "Option::is_none")]
    default: Option<String>,
    #[serde(flatten)]
    unknown: Table,
    #[serde(rename = "engine", skip_serializing_if = "Vec::is_empty")]
    engines: Vec<Profile>,
}

/// A file that is no TOML at all, and where it stops being one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotToml(String);

/// Why an engine cannot be called so.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// There is none of this name.
    #[error("there is no engine profile '{0}'")]
    Unknown(String),
    /// Another has this name.
    #[error("there is an engine profile '{0}' already")]
    Taken(String),
    /// It is the built-in engine's.
    #[error("'{BUILT_IN}' is the engine inside this program")]
    BuiltIn,
    /// It is empty.
    #[error("a name cannot be empty")]
    Empty,
}

impl NotToml {
    pub(super) fn new(error: &toml::de::Error) -> Self {
        Self(error.message().to_owned())
    }
}

impl Profiles {
    /// Reads a file of engines. What is broken in it falls to its default alone, and is said.
    ///
    /// # Errors
    /// When it is no TOML.
    pub fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml> {
        let table: Table = toml::from_str(text).map_err(|error| NotToml::new(&error))?;
        let (mut profiles, mut findings) = (Self::default(), Vec::new());
        let mut reader = TableReader::new(String::new(), table, &mut findings);
        profiles.default = reader.text("default").filter(|name| !name.is_empty());
        let engines = reader.take("engine", Expected::Tables, |value| match value {
            Value::Array(engines) => Some(engines.clone()),
            // One alone, written with single brackets.
            Value::Table(_) => Some(vec![value.clone()]),
            _ => None,
        });
        profiles.unknown = reader.into_rest();
        for (place, value) in engines.into_iter().flatten().enumerate() {
            let key = format!("engine[{}]", place + 1);
            if let Value::Table(table) = value {
                profiles.read_engine(&key, table, &mut findings);
            } else {
                findings.push(SettingWarning { key, problem: SettingProblem::Wanted(Expected::Table) });
            }
        }
        if let Some(name) = profiles
            .default
            .take_if(|name| name != BUILT_IN && !profiles.engines.iter().any(|profile| profile.name == *name))
        {
            findings.push(SettingWarning { key: "default".to_owned(), problem: SettingProblem::NoSuchEngine(name) });
        }
        Ok((profiles, findings))
    }

    fn read_engine(&mut self, key: &str, table: Table, findings: &mut Vec<SettingWarning>) {
        let mut profile = Profile::read(TableReader::new(key.to_owned(), table, findings));
        if self.check_name(&profile.name).is_err() {
            profile.name = self.free_name(&profile.name);
            findings.push(SettingWarning {
                key: format!("{key}.name"),
                problem: SettingProblem::Renamed(profile.name.clone()),
            });
        }
        self.engines.push(profile);
    }

    /// The file: [`read`](Self::read) gives the same engines again.
    ///
    /// # Errors
    /// None is known: these are tables of texts and numbers, which TOML can hold.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// The user's file with these engines in it: what is as it was there stays as it is written. The whole file
    /// where that is none.
    ///
    /// # Errors
    /// None is known, as of [`write`](Self::write).
    pub fn write_into(&self, text: &str) -> Result<String, toml::ser::Error> {
        let before = Self::read(text).ok().and_then(|(before, _)| Table::try_from(before).ok());
        let rewritten = before.zip(Table::try_from(self).ok());
        let rewritten = rewritten.and_then(|(before, after)| rewrite(text, &before, &after, "name"));
        let whole = self.write()?;
        let is_same = |text: &String| Self::read(text).is_ok_and(|(again, _)| again.write().as_ref() == Ok(&whole));
        Ok(rewritten.filter(is_same).unwrap_or(whole))
    }

    /// All of them, in the user's order.
    pub fn iter(&self) -> std::slice::Iter<'_, Profile> {
        self.engines.iter()
    }

    /// The one of this name.
    pub fn get(&self, name: &str) -> Option<&Profile> {
        self.engines.iter().find(|profile| profile.name == name)
    }

    /// The one of this name, to be changed.
    ///
    /// # Errors
    /// When there is none.
    pub fn get_mut(&mut self, name: &str) -> Result<&mut Profile, NameError> {
        let unknown = || NameError::Unknown(name.to_owned());
        self.engines.iter_mut().find(|profile| profile.name == name).ok_or_else(unknown)
    }

    /// The one that is used when nothing is said: the chosen one, or the first; `None` is the
    /// built-in engine.
    pub fn default_profile(&self) -> Option<&Profile> {
        match &self.default {
            Some(name) => self.get(name),
            None => self.engines.first(),
        }
    }

    /// The name of the one that is used when nothing is said; it may be `builtin`.
    pub fn default_name(&self) -> &str {
        self.default_profile().map_or(BUILT_IN, Profile::name)
    }

    /// Chooses the one that is used when nothing is said; it may be `builtin`.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn set_default(&mut self, name: &str) -> Result<(), NameError> {
        if name != BUILT_IN {
            self.get_mut(name)?;
        }
        self.default = Some(name.to_owned());
        Ok(())
    }

    /// Adds an engine at the end.
    ///
    /// # Errors
    /// When its name cannot be had; [`free_name`](Self::free_name) is one that can.
    pub fn add(&mut self, profile: Profile) -> Result<(), NameError> {
        self.check_name(&profile.name)?;
        self.engines.push(profile);
        Ok(())
    }

    /// Copies an engine, to stand behind it, and says what the copy is called: `YaneuraOu 2`.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn duplicate(&mut self, name: &str) -> Result<String, NameError> {
        let place = self.place(name)?;
        let mut copy = self.get_mut(name)?.clone();
        copy.name = self.free_name(name);
        let name = copy.name.clone();
        self.engines.insert(place + 1, copy);
        Ok(name)
    }

    /// Calls an engine something else.
    ///
    /// # Errors
    /// When there is none of this name, or the new one cannot be had.
    pub fn rename(&mut self, name: &str, new: &str) -> Result<(), NameError> {
        let new = clean(new);
        let place = self.place(name)?;
        if name != new {
            self.check_name(&new)?;
        }
        if self.default.as_deref() == Some(name) {
            self.default = Some(new.clone());
        }
        if let Some(profile) = self.engines.get_mut(place) {
            profile.name = new;
        }
        Ok(())
    }

    /// Takes an engine out.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<Profile, NameError> {
        let place = self.place(name)?;
        self.default.take_if(|default| default == name);
        Ok(self.engines.remove(place))
    }

    /// A name that can be had: this one, or this one with a number. A number it has already is
    /// counted on from.
    pub fn free_name(&self, name: &str) -> String {
        let name = Some(clean(name)).filter(|name| !name.is_empty()).unwrap_or_else(|| "engine".to_owned());
        if self.check_name(&name).is_ok() {
            return name;
        }
        let counted = name.rsplit_once(' ').and_then(|(stem, n)| Some((stem, n.parse::<u32>().ok()?)));
        let (stem, from) = counted.map_or((name.as_str(), 2), |(stem, n)| (stem, n.saturating_add(1)));
        let mut names = (from..=u32::MAX).map(|n| format!("{stem} {n}"));
        names.find(|name| self.check_name(name).is_ok()).unwrap_or(name)
    }

    fn check_name(&self, name: &str) -> Result<(), NameError> {
        match name {
            "" => Err(NameError::Empty),
            BUILT_IN => Err(NameError::BuiltIn),
            _ if self.get(name).is_some() => Err(NameError::Taken(name.to_owned())),
            _ => Ok(()),
        }
    }

    fn place(&self, name: &str) -> Result<usize, NameError> {
        let unknown = || NameError::Unknown(name.to_owned());
        self.engines.iter().position(|profile| profile.name == name).ok_or_else(unknown)
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
