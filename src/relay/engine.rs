//! The choice of the engine that the relay starts.

use super::arguments::Arguments;
use super::link;
use super::text::RelayError;
use shogibar_config::{
    MAX_CONFIG_BYTES, Profile, Profiles, RelaySettings, Settings, named_program, profile_program, user_folder,
};
use shogibar_engine::process::Program;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// The part of the user's configuration that the relay needs. Unreadable files count as empty.
#[derive(Debug, Default)]
pub(super) struct RelayConfig {
    /// The folder of the configuration; `None` for a user without a home folder.
    pub(super) folder: Option<PathBuf>,
    profiles: Profiles,
    pub(super) settings: RelaySettings,
}

#[derive(Debug)]
pub(super) struct RelayEngine {
    pub(super) name: String,
    pub(super) program: Program,
    /// Whether the traffic is copied to the window.
    pub(super) is_shown: bool,
}

impl RelayConfig {
    /// Reads the user's configuration. Its folder is that of the link by which the relay was started, or else the
    /// user's usual one.
    pub(super) fn read() -> Self {
        let started = std::env::args_os().next().map(PathBuf::from);
        let linked = started
            .filter(|path| path.components().count() > 1)
            .and_then(|path| link::configuration_folder(&path));
        let Some(folder) = linked.or_else(user_folder) else {
            return Self::default();
        };
        let profiles = read_text(&folder.join("engines.toml")).and_then(|text| Profiles::read(&text).ok());
        let settings = read_text(&folder.join("settings.toml")).and_then(|text| Settings::read(&text).ok());
        Self {
            profiles: profiles.map(|(profiles, _)| profiles).unwrap_or_default(),
            settings: settings.map(|(settings, _)| settings.relay).unwrap_or_default(),
            folder: Some(folder),
        }
    }

    fn profile(&self, name: &str) -> Option<&Profile> {
        self.profiles.get(name).or_else(|| {
            self.profiles
                .iter()
                .find(|profile| link::file_name(profile.name()) == name)
        })
    }
}

/// Returns the text of a plain file, up to the largest size of a configuration file; `None` if the file cannot be read.
fn read_text(path: &Path) -> Option<String> {
    let mut text = String::new();
    // Opening a pipe with this name would block, so only plain files count.
    path.is_file().then_some(())?;
    File::open(path)
        .ok()?
        .take(MAX_CONFIG_BYTES as u64)
        .read_to_string(&mut text)
        .ok()?;
    Some(text)
}

/// Returns the engine to start: that of the arguments, or else of the settings. The built-in engine is started only on
/// request.
///
/// # Errors
/// Fails if no engine is named, or there is none of this name, or the system cannot tell a path.
pub(super) fn choose(arguments: &Arguments, config: &RelayConfig) -> Result<RelayEngine, RelayError> {
    let from_settings = config
        .settings
        .engine
        .as_deref()
        .filter(|name| !name.is_empty())
        .map(OsStr::new);
    let name = arguments
        .engine
        .as_deref()
        .or(from_settings)
        .ok_or(RelayError::NoEngine)?;
    let profile = name.to_str().and_then(|name| config.profile(name));
    let mut program = match profile {
        Some(profile) => profile_program(profile, main_program)?,
        None => named_program(name, &[], None, main_program)?,
    };
    // A program that was not found has its name as its path.
    if program.path.components().count() == 1 {
        return Err(RelayError::Unknown(program.path.display().to_string()));
    }
    program.arguments.extend(arguments.engine_args.iter().cloned());
    let name_text = profile.map_or_else(
        || name.to_string_lossy().into_owned(),
        |profile| profile.name().to_owned(),
    );
    Ok(RelayEngine {
        name: name_text,
        program,
        is_shown: !arguments.no_window,
    })
}

pub(super) fn main_program() -> io::Result<PathBuf> {
    link::program_beside("shogibar")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_that_of_the_arguments_or_of_the_settings() {
        let mut config = RelayConfig::default();
        // A program that exists on every machine.
        let program = std::env::current_exe().unwrap().to_string_lossy().into_owned();
        let words = [program, "host".to_owned(), "./engine".to_owned()];
        let mut profile = Profile::new("far", words);
        profile.environment.insert("A".to_owned(), "b".to_owned());
        config.profiles.add(profile).unwrap();
        let arguments = |engine: Option<&str>| Arguments {
            engine: engine.map(Into::into),
            no_window: false,
            engine_args: vec!["-x".into()],
        };
        assert!(matches!(
            choose(&arguments(None), &config),
            Err(RelayError::NoEngine)
        ));
        let built_in = choose(&arguments(Some("builtin")), &config).unwrap().program;
        assert_eq!(built_in.arguments, ["engine", "-x"]);
        config.settings.engine = Some("far".to_owned());
        let far = choose(&arguments(None), &config).unwrap();
        assert_eq!(far.name, "far");
        assert_eq!(far.program.arguments, ["host", "./engine", "-x"]);
        assert_eq!(far.program.environment, [("A".into(), "b".into())]);
        assert!(
            choose(&arguments(Some("./other")), &config)
                .unwrap()
                .program
                .path
                .is_absolute()
        );
    }
}
