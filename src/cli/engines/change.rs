//! `shogibar engines add`, `set` and so on: changes of the user's engines.

use super::{CliOutcome, Streams};
use crate::cli::command_error::{CommandError, SettingError};
use shogibar_config::{NameError, Profile, ShellSyntax, UnclosedQuoteError, is_valid_variable, warning_text};
use shogibar_engine::failure_text;
use shogibar_engine::options::{EngineNumber, ParseLimitError};
use shogibar_engine::usi::option::check_one_line;
use shogibar_machine::discovery;
use shogibar_machine::store::StoreError;
use shogibar_shogi::score::WinRateModel;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Subcommand)]
pub(super) enum ProfileChange {
    /// Add an engine: `engines add NAME -- ssh host ./engine`
    Add {
        /// The name for the engine
        name: String,
        /// The folder it runs in [default: the engine's folder]
        #[arg(long, value_name = "DIR")]
        folder: Option<PathBuf>,
        /// The program and its arguments
        #[arg(last = true, required = true, value_name = "COMMAND")]
        command: Vec<String>,
    },
    /// Remove an engine from the list; its program stays
    Remove {
        /// The name of the engine
        name: String,
    },
    /// Rename an engine
    Rename {
        /// The name of the engine
        name: String,
        /// The new name
        new: String,
    },
    /// Copy an engine's profile, and print the name of the copy
    Duplicate {
        /// The name of the engine
        name: String,
    },
    /// Make an engine the default; it may be `builtin`
    Default {
        /// The name of the engine
        name: String,
    },
    /// Change a profile (command, folder, k, multipv, threads, hash, limit, env.NAME) or an option of the engine
    Set {
        /// The name of the engine
        name: String,
        /// `KEY=VALUE`, or `KEY` alone to restore the default
        #[arg(required = true, value_name = "KEY=VALUE")]
        settings: Vec<String>,
    },
}

pub(super) fn run(change: &ProfileChange, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    let store = super::super::store().ok_or(CommandError::NoFolder)?;
    // Problems of the file are reported before it may be overwritten.
    let lang = streams.lang;
    super::super::profiles(Some(&store), lang, streams)?;
    let mut folder_set = None;
    let saved = store.change_profiles(|profiles| -> Result<_, ProfileChangeError> {
        match change {
            ProfileChange::Add {
                name,
                folder,
                command,
            } => {
                let profile = new_profile(check_name(name)?, folder.as_deref(), command)?;
                folder_set.clone_from(&profile.folder);
                profiles.add(profile)?;
            }
            ProfileChange::Remove { name } => _ = profiles.remove(name)?,
            ProfileChange::Rename { name, new } => profiles.rename(name, check_name(new)?)?,
            ProfileChange::Duplicate { name } => return Ok(Some(profiles.duplicate(name)?)),
            ProfileChange::Default { name } => profiles.set_default(name)?,
            ProfileChange::Set { name, settings } => {
                let profile = profiles.get_mut(name)?;
                let folder = profile.folder.clone();
                for setting in settings {
                    match setting.split_once('=') {
                        Some((key, value)) => {
                            set_value(profile, key.trim(), value).map_err(|why| setting_error(key, why))?;
                        }
                        None => {
                            reset_value(profile, setting.trim())
                                .map_err(|why| setting_error(setting.trim(), why))?;
                        }
                    }
                }
                folder_set = if profile.folder == folder {
                    None
                } else {
                    profile.folder.clone()
                };
            }
        }
        Ok(None)
    });
    let written = saved.map_err(|ProfileChangeError(error)| error)?;
    if let Some(backup) = &written.backup {
        writeln!(
            streams.err,
            "{}",
            warning_text::engines_backup_made(&backup.toml_error, &backup.path, lang)
        )?;
    }
    // The folder is saved anyway: it may be on a disk that is not connected now.
    if let Some(folder) = folder_set.filter(|folder| !discovery::is_folder(folder)) {
        writeln!(streams.err, "{}", failure_text::no_folder(&folder, lang))?;
    }
    if let Some(name) = written.value {
        writeln!(streams.out, "{name}")?;
    }
    Ok(CliOutcome::Done)
}

/// Any error of a change. The errors of the store and of names can be converted into it.
struct ProfileChangeError(anyhow::Error);

impl From<anyhow::Error> for ProfileChangeError {
    fn from(error: anyhow::Error) -> Self {
        Self(error)
    }
}

impl From<StoreError> for ProfileChangeError {
    fn from(error: StoreError) -> Self {
        Self(error.into())
    }
}

impl From<NameError> for ProfileChangeError {
    fn from(error: NameError) -> Self {
        Self(error.into())
    }
}

/// Creates a profile of a typed command. The paths become absolute, so that the profile works in any folder.
fn new_profile(name: &str, folder: Option<&Path>, command: &[String]) -> anyhow::Result<Profile> {
    let mut profile = Profile::new(name, command.iter().cloned());
    let absolute = |path: &Path| -> anyhow::Result<String> {
        let path =
            std::path::absolute(path).map_err(|error| CommandError::BadPath(path.to_owned(), error))?;
        Ok(path
            .to_str()
            .map(str::to_owned)
            .ok_or(CommandError::PathNotUtf8(path))?)
    };
    profile.folder = folder.map(absolute).transpose()?;
    let program = Path::new(&profile.program);
    let is_path = program.components().count() > 1 && !profile.program.starts_with("~/");
    if is_path && folder.is_none() {
        profile.program = absolute(program)?;
    }
    // In `node uci.js` the script is a file of the current folder.
    if !is_path
        && folder.is_none()
        && profile
            .arguments
            .iter()
            .any(|argument| Path::new(argument).is_file())
    {
        profile.folder = Some(absolute(Path::new("."))?);
    }
    Ok(profile)
}

/// Returns the profile name. Fails if the name has control characters, as it could then not be stored unchanged.
fn check_name(name: &str) -> anyhow::Result<&str> {
    check_one_line(name, "").map_err(|_control| setting_error(name, SettingError::NotOneLine))?;
    Ok(name)
}

fn setting_error(key: &str, why: SettingError) -> anyhow::Error {
    CommandError::Setting(key.to_owned(), why).into()
}

fn set_value(profile: &mut Profile, key: &str, value: &str) -> Result<(), SettingError> {
    check_one_line(key, value).map_err(|_control| SettingError::NotOneLine)?;
    if let Some(number) = number_of_key(key) {
        let number_of = value.trim().parse().ok().filter(|n| (1..=1 << 24).contains(n));
        profile.set_number(number, Some(number_of.ok_or(SettingError::Whole)?));
        return Ok(());
    }
    if let Some(variable) = key.strip_prefix("env.") {
        if !is_valid_variable(variable, value) {
            return Err(SettingError::Variable);
        }
        profile.environment.insert(variable.to_owned(), value.to_owned());
        return Ok(());
    }
    match key {
        "" => return Err(SettingError::NoKey),
        "name" => return Err(SettingError::Name),
        "command" => {
            let mut words = ShellSyntax::here()
                .split(value)
                .map_err(|UnclosedQuoteError| SettingError::OpenQuote)?
                .into_iter();
            profile.program = words.next().ok_or(SettingError::Command)?;
            profile.arguments = words.collect();
        }
        "folder" => profile.folder = Some(value.to_owned()),
        "k" => {
            let model = value.trim().parse().ok().and_then(WinRateModel::from_k);
            profile.model = Some(model.ok_or(SettingError::Scale)?);
            profile.fitted_net = None;
        }
        "limit" => profile.limit = Some(value.parse().map_err(|ParseLimitError| SettingError::Limit)?),
        option => _ = profile.options.insert(option.to_owned(), value.to_owned()),
    }
    Ok(())
}

fn reset_value(profile: &mut Profile, key: &str) -> Result<(), SettingError> {
    if let Some(number) = number_of_key(key) {
        profile.set_number(number, None);
        return Ok(());
    }
    if let Some(variable) = key.strip_prefix("env.") {
        profile.environment.remove(variable);
        return Ok(());
    }
    match key {
        "" | "name" | "command" => return Err(SettingError::Needed),
        "folder" => profile.folder = None,
        "k" => (profile.model, profile.fitted_net) = (None, None),
        "limit" => profile.limit = None,
        option => _ = profile.options.remove(option).ok_or(SettingError::NotSet)?,
    }
    Ok(())
}

/// Returns the number that a key sets. The key is `threads`, `hash` or `multipv`, or the name of the option in an
/// engine, such as `USI_Hash`. Returns `None` for another key.
fn number_of_key(key: &str) -> Option<EngineNumber> {
    if key == "hash_mb" {
        Some(EngineNumber::Hash)
    } else {
        EngineNumber::from_option(key)
    }
}
