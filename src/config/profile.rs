//! A profile: one engine as the user has set it up.

use super::ShellSyntax;
use super::table_reader::{TableReader, to_texts};
use super::warning::{SettingProblem, SettingValueType};
use serde::Serialize;
use shogibar_engine::options::{EngineNumber, Limit};
use shogibar_engine::usi::option::check_one_line;
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeMap;
use toml::Table;

/// The maximum number of threads, of megabytes of the hash table, and of candidates.
const MAX_COUNT: u32 = 1 << 24;

/// An engine as the user has set it up. Fields that are `None` use the default.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Profile {
    /// The name, unique among the profiles.
    pub(super) name: String,
    /// The program: a path, or the name of a program.
    pub program: String,
    /// The arguments of the program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The working folder; `None` for the folder of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The model that converts the engine's centipawns to win rates.
    #[serde(
        rename = "k",
        serialize_with = "serialize_k",
        skip_serializing_if = "Option::is_none"
    )]
    pub model: Option<WinRateModel>,
    /// The name of the net that the model was fitted to, as games store it; `None` if the model was not fitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitted_net: Option<String>,
    /// The number of candidates to request, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipv: Option<u32>,
    /// The number of threads that the engine may use, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The size of the engine's hash table in MB, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash_mb: Option<u32>,
    /// The search limit of a position.
    #[serde(serialize_with = "serialize_limit", skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// The variables added to the engine's environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The engine's options, by their names.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Entries that this version does not know. They are kept for a version that does.
    #[serde(flatten)]
    pub(super) unknown_entries: Table,
}

/// Writes a search limit as the arguments of `go`.
#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
fn serialize_limit<S: serde::Serializer>(limit: &Option<Limit>, serializer: S) -> Result<S::Ok, S::Error> {
    match limit {
        Some(limit) => serializer.collect_str(limit),
        None => serializer.serialize_none(),
    }
}

#[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
fn serialize_k<S: serde::Serializer>(model: &Option<WinRateModel>, serializer: S) -> Result<S::Ok, S::Error> {
    model.map(WinRateModel::k).serialize(serializer)
}

impl Profile {
    /// Creates a profile from a name and a command, the program first.
    pub fn new(name: &str, command: impl IntoIterator<Item = String>) -> Self {
        let mut words = command.into_iter();
        let program = words.next().unwrap_or_default();
        Self {
            name: clean_name(name),
            program,
            arguments: words.collect(),
            ..Self::default()
        }
    }

    /// Returns the name of the profile.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the command line, quoted for a shell.
    pub fn command(&self, shell: ShellSyntax) -> String {
        shell.join(
            [&self.program]
                .into_iter()
                .chain(&self.arguments)
                .map(String::as_str),
        )
    }

    /// Returns a number that engines have under different option names. A field of the profile takes precedence over an
    /// option of the engine. Returns `None` if the profile sets neither.
    pub fn number(&self, number: EngineNumber) -> Option<u32> {
        let setting = match number {
            EngineNumber::MultiPv => self.multipv,
            EngineNumber::Threads => self.threads,
            EngineNumber::Hash => self.hash_mb,
        };
        let by_name = || {
            self.options
                .iter()
                .find(|(name, _)| EngineNumber::from_option(name) == Some(number))
        };
        setting.or_else(|| by_name()?.1.trim().parse().ok().filter(|n| *n > 0))
    }

    /// Sets a number that engines have under different option names; `None` restores the default.
    pub fn set_number(&mut self, number: EngineNumber, value: Option<u32>) {
        self.options
            .retain(|name, _| EngineNumber::from_option(name) != Some(number));
        *match number {
            EngineNumber::MultiPv => &mut self.multipv,
            EngineNumber::Threads => &mut self.threads,
            EngineNumber::Hash => &mut self.hash_mb,
        } = value;
    }

    /// Applies the changes from `before` to `after`, two versions of the same profile. All other entries stay, because
    /// another program may have changed them.
    pub fn apply_changes(&mut self, before: &Self, after: &Self) {
        let command = |profile: &Self| (profile.program.clone(), profile.arguments.clone());
        if command(before) != command(after) {
            (self.program, self.arguments) = command(after);
        }
        take_change(&mut self.folder, &before.folder, &after.folder);
        take_change(&mut self.model, &before.model, &after.model);
        take_change(&mut self.fitted_net, &before.fitted_net, &after.fitted_net);
        take_change(&mut self.multipv, &before.multipv, &after.multipv);
        take_change(&mut self.threads, &before.threads, &after.threads);
        take_change(&mut self.hash_mb, &before.hash_mb, &after.hash_mb);
        take_change(&mut self.limit, &before.limit, &after.limit);
        take_changed_entries(&mut self.environment, &before.environment, &after.environment);
        take_changed_entries(&mut self.options, &before.options, &after.options);
    }

    /// Reads a profile from a table. Invalid entries are reported and get their defaults.
    pub(super) fn read(mut reader: TableReader<'_>) -> Self {
        let mut profile = Self {
            name: reader
                .take_text("name")
                .as_deref()
                .map(clean_name)
                .unwrap_or_default(),
            program: reader.take_text("program").unwrap_or_default(),
            arguments: reader
                .take("arguments", SettingValueType::Texts, to_texts)
                .unwrap_or_default(),
            folder: reader.take_text("folder").filter(|folder| !folder.is_empty()),
            model: reader.take(
                "k",
                SettingValueType::Number(*WinRateModel::K_RANGE.start(), *WinRateModel::K_RANGE.end()),
                |value| {
                    value
                        .as_float()
                        .or_else(|| {
                            value
                                .as_integer()
                                .and_then(|k| u32::try_from(k).ok())
                                .map(f64::from)
                        })
                        .and_then(WinRateModel::from_k)
                },
            ),
            fitted_net: reader.take_text("fitted_net"),
            multipv: reader.take_whole_number("multipv", MAX_COUNT),
            threads: reader.take_whole_number("threads", MAX_COUNT),
            hash_mb: reader.take_whole_number("hash_mb", MAX_COUNT),
            limit: reader.take("limit", SettingValueType::Limit, |value| {
                value.as_str()?.parse().ok()
            }),
            environment: reader.take_texts_by_name("environment").into_iter().collect(),
            options: reader.take_texts_by_name("options").into_iter().collect(),
            unknown_entries: Table::new(),
        };
        if profile.program.is_empty() {
            reader.warn("program", SettingProblem::NoProgram);
        }
        profile.environment.retain(|name, value| {
            let fits = is_valid_variable(name, value);
            if !fits {
                reader.warn("environment", SettingProblem::NoVariable);
            }
            fits
        });
        profile.options.retain(|name, value| {
            let fits = check_one_line(name, value).is_ok();
            if !fits {
                reader.warn_in("options", name, SettingProblem::ControlCharacter);
            }
            fits
        });
        profile.unknown_entries = reader.into_rest();
        profile
    }
}

/// Sets `here` to `after` if this differs from `before`.
fn take_change<T: Clone + PartialEq>(here: &mut T, before: &T, after: &T) {
    if before != after {
        here.clone_from(after);
    }
}

/// Applies to `here` the entries that were added, changed or removed between `before` and `after`.
fn take_changed_entries<T: Clone + PartialEq>(
    here: &mut BTreeMap<String, T>,
    before: &BTreeMap<String, T>,
    after: &BTreeMap<String, T>,
) {
    here.retain(|name, _| after.contains_key(name) || !before.contains_key(name));
    let changed = after
        .iter()
        .filter(|(name, value)| before.get(*name) != Some(value));
    here.extend(changed.map(|(name, value)| (name.clone(), value.clone())));
}

/// Returns whether the system allows an environment variable of this name and value.
pub fn is_valid_variable(name: &str, value: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
}

/// Returns a name as one line: control characters become spaces, and the ends are trimmed.
pub(super) fn clean_name(name: &str) -> String {
    name.replace(char::is_control, " ").trim().to_owned()
}
