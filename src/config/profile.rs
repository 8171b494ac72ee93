//! One engine as the user has set it up.

use super::warning::{self, Expected, SettingProblem, TableReader};
use super::{EngineNumber, Limit, ShellSyntax};
use crate::usi::option::is_one_line;
use serde::Serialize;
use std::collections::BTreeMap;
use toml::Table;

/// The largest number of threads, megabytes or candidates that is taken for one.
const MOST: u32 = 1 << 24;
/// The limits of a scale.
const SCALES: (f64, f64) = (1.0, 100_000.0);

/// An engine as the user has set it up. What is `None` is left to the program.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Profile {
    /// What it is called; no other is called the same.
    pub(super) name: String,
    /// What is started: a path, or the name of a program.
    pub program: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The folder it runs in; its own where nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The scale from its centipawns to win rates, 1 to 100,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub k: Option<f64>,
    /// Candidates to ask for, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipv: Option<u32>,
    /// Threads it may use, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Memory for its table, in MB, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash_mb: Option<u32>,
    /// How long a position is searched.
    #[serde(serialize_with = "words", skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// What is added to its environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// Its own options, by the names it gives them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// What this version does not know, kept for the one that does.
    #[serde(flatten)]
    pub(super) unknown: Table,
}

#[expect(clippy::ref_option, reason = "that is what serde hands over")]
fn words<S: serde::Serializer>(limit: &Option<Limit>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(limit) => serializer.collect_str(limit),
        None => serializer.serialize_none(),
    }
}

impl Profile {
    /// An engine that is started by these words, the program first.
    pub fn new(name: &str, command: impl IntoIterator<Item = String>) -> Self {
        let mut words = command.into_iter();
        let program = words.next().unwrap_or_default();
        Self { name: clean(name), program, arguments: words.collect(), ..Self::default() }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command as it could be typed.
    pub fn command(&self, shell: ShellSyntax) -> String {
        shell.join([&self.program].into_iter().chain(&self.arguments).map(String::as_str))
    }

    /// A number that goes by different names in different engines: as it is set here, or else by the
    /// name the engine gives it.
    pub fn number(&self, number: EngineNumber) -> Option<u32> {
        let own = match number {
            EngineNumber::MultiPv => self.multipv,
            EngineNumber::Threads => self.threads,
            EngineNumber::Hash => self.hash_mb,
        };
        let by_name = || self.options.iter().find(|(name, _)| EngineNumber::from_option(name) == Some(number));
        own.or_else(|| by_name()?.1.trim().parse().ok().filter(|n| *n > 0))
    }

    /// Sets such a number; `None` leaves it to the program.
    pub fn set_number(&mut self, number: EngineNumber, value: Option<u32>) {
        self.options.retain(|name, _| EngineNumber::from_option(name) != Some(number));
        *match number {
            EngineNumber::MultiPv => &mut self.multipv,
            EngineNumber::Threads => &mut self.threads,
            EngineNumber::Hash => &mut self.hash_mb,
        } = value;
    }

    /// Takes over what was changed between two of the same engine, and leaves all else as it is: another
    /// program may have changed that.
    pub fn take_over(&mut self, before: &Self, after: &Self) {
        let command = |profile: &Self| (profile.program.clone(), profile.arguments.clone());
        if command(before) != command(after) {
            (self.program, self.arguments) = command(after);
        }
        take(&mut self.folder, &before.folder, &after.folder);
        take(&mut self.k, &before.k, &after.k);
        take(&mut self.multipv, &before.multipv, &after.multipv);
        take(&mut self.threads, &before.threads, &after.threads);
        take(&mut self.hash_mb, &before.hash_mb, &after.hash_mb);
        take(&mut self.limit, &before.limit, &after.limit);
        take_entries(&mut self.environment, &before.environment, &after.environment);
        take_entries(&mut self.options, &before.options, &after.options);
    }

    /// Reads one out of a table; what is broken is said and has its default.
    pub(super) fn read(mut reader: TableReader<'_>) -> Self {
        let mut profile = Self {
            name: reader.text("name").as_deref().map(clean).unwrap_or_default(),
            program: reader.text("program").unwrap_or_default(),
            arguments: reader.take("arguments", Expected::Texts, warning::texts).unwrap_or_default(),
            folder: reader.text("folder").filter(|folder| !folder.is_empty()),
            k: reader.take("k", Expected::Number(SCALES.0, SCALES.1), |value| {
                let whole = || value.as_integer().and_then(|k| u32::try_from(k).ok()).map(f64::from);
                value.as_float().or_else(whole).filter(|k| is_scale(*k))
            }),
            multipv: reader.whole("multipv", MOST),
            threads: reader.whole("threads", MOST),
            hash_mb: reader.whole("hash_mb", MOST),
            limit: reader.take("limit", Expected::Limit, |value| value.as_str()?.parse().ok()),
            environment: reader.texts_by_name("environment").collect(),
            options: reader.texts_by_name("options").collect(),
            unknown: Table::new(),
        };
        if profile.program.is_empty() {
            reader.find("program", SettingProblem::NoProgram);
        }
        profile.environment.retain(|name, value| {
            let fits = is_variable(name, value);
            if !fits {
                reader.find("environment", SettingProblem::NoVariable);
            }
            fits
        });
        profile.options.retain(|name, value| {
            let fits = is_one_line(name, value).is_ok();
            if !fits {
                reader.find_in("options", name, SettingProblem::ControlCharacter);
            }
            fits
        });
        profile.unknown = reader.into_rest();
        profile
    }
}

fn take<T: Clone + PartialEq>(here: &mut T, before: &T, after: &T) {
    if before != after {
        here.clone_from(after);
    }
}

fn take_entries<T: Clone + PartialEq>(
    here: &mut BTreeMap<String, T>,
    before: &BTreeMap<String, T>,
    after: &BTreeMap<String, T>,
) {
    here.retain(|name, _| after.contains_key(name) || !before.contains_key(name));
    let changed = after.iter().filter(|(name, value)| before.get(*name) != Some(value));
    here.extend(changed.map(|(name, value)| (name.clone(), value.clone())));
}

/// Whether this is a scale from centipawns to win rates.
pub fn is_scale(k: f64) -> bool {
    (SCALES.0..=SCALES.1).contains(&k)
}

/// Whether the system can hold such a variable.
pub fn is_variable(name: &str, value: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
}

/// A name that fits into a line.
pub(super) fn clean(name: &str) -> String {
    name.replace(char::is_control, " ").trim().to_owned()
}
