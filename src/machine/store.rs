//! The user's configuration folder: reads and writes settings, engine profiles and themes, and names the other files.

mod error_text;
mod log;
mod themes;

pub use themes::{ImportError, ThemeEntry, export_theme};

use shogibar_base::file_error::{FileError, WriteError};
use shogibar_base::stable_hash::StableHasher;
use shogibar_config::{
    MAX_CONFIG_BYTES, NotTomlError, Profiles, Remark, SettingWarning, Settings, Theme, user_folder,
};
use shogibar_files::{FileAccess, FileStamp};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The subfolder of the user's themes.
const THEMES_FOLDER: &str = "themes";
const MAX_LISTED_THEMES: usize = 1000;
/// The largest number of running instances that are distinguished.
const MAX_INSTANCES: usize = 8;

/// The configuration folder, with the files of the settings, engines and themes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
    /// The port of `shogibar serve`; `None` for the windows.
    port: Option<u16>,
}

/// The slot of one running instance of the program on a configuration folder. The system frees its lock when the
/// program ends, even by a crash.
#[derive(Debug, Default)]
pub struct InstanceSlot {
    /// The number of earlier slots, which other instances hold.
    pub others: usize,
    _lock: Option<shogibar_files::FileLock>,
}

/// The result of reading a configuration file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigReading<T = Profiles> {
    /// The content: the profiles, or the settings.
    pub value: T,
    /// The entries that were not understood.
    pub findings: Vec<SettingWarning>,
    /// The TOML error, if the file is not TOML. The value is then the default.
    pub toml_error: Option<String>,
}

/// The result of a change that was saved.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedConfig<T> {
    /// The value that the change returned.
    pub value: T,
    /// The entries in the file that are still not understood.
    pub findings: Vec<SettingWarning>,
    /// The backup, if the file was not TOML before.
    pub backup: Option<Backup>,
}

/// The backup of a file that was not TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// The TOML error.
    pub toml_error: String,
    /// The path of the backup.
    pub path: PathBuf,
}

/// The result of reading a user theme.
#[derive(Clone, Debug, PartialEq)]
pub struct ThemeReading {
    /// The theme; the default one if the file is not TOML.
    pub theme: Theme,
    /// The entries that were not understood.
    pub findings: Vec<SettingWarning>,
    /// The TOML error, if the file is not TOML. The file is not backed up: only the user writes it, and may be editing
    /// it now.
    pub toml_error: Option<String>,
}

/// The reason why a configuration file could not be read or written. The file is unchanged.
#[derive(Debug, Error)]
pub enum StoreError {
    /// A file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ConfigReadError),
    /// A file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ConfigWriteError),
    /// Another program was writing the file at the same time.
    #[error("{} is being changed by another program", .0.display())]
    Busy(PathBuf),
}

/// The error of a file that cannot be read, with its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ConfigReadError(#[from] FileError);

/// The error of a file that cannot be written, with its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ConfigWriteError(#[from] WriteError);

impl Store {
    /// Creates a store for a folder. The folder need not exist.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder, port: None }
    }

    /// Returns the store of `shogibar serve` on a port, which has a workspace and values of its own.
    #[must_use]
    pub fn for_port(self, port: u16) -> Self {
        Self {
            port: Some(port),
            ..self
        }
    }

    /// Returns the store of this user. Returns `None` for a user without a home folder.
    pub fn for_user() -> Option<Self> {
        user_folder().map(Self::new)
    }

    /// Returns the folder that the store's files are in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the path of the engines file.
    pub fn engines_file(&self) -> PathBuf {
        self.folder.join("engines.toml")
    }

    /// Returns the path of the list of recent records.
    pub fn recent_file(&self) -> PathBuf {
        self.folder.join("recent.txt")
    }

    /// Returns the path of the file that stores the games and bars of the last run.
    pub fn workspace_file(&self) -> PathBuf {
        self.folder.join(self.port.map_or_else(
            || "workspace.toml".to_owned(),
            |port| format!("serve-{port}.toml"),
        ))
    }

    /// Returns the path of the file with the values that were shown in the last games.
    pub fn values_file(&self) -> PathBuf {
        self.folder.join(
            self.port
                .map_or_else(|| "values.jsonl".to_owned(), |port| format!("serve-{port}.jsonl")),
        )
    }

    /// Returns the path of the file with the piece sets that were learnt from the screen.
    pub fn pieces_file(&self) -> PathBuf {
        self.folder.join("pieces.bin")
    }

    /// Returns the path of the file with the evaluations of the user's finished games.
    pub fn calibration_file(&self) -> PathBuf {
        self.folder.join("calibration.jsonl")
    }

    /// Returns the path of the drill deck: the file with the user's mistakes, which are asked again.
    pub fn mistakes_file(&self) -> PathBuf {
        self.folder.join("mistakes.jsonl")
    }

    /// Returns the path of the index of the shelf in the main window, whichever folders it has.
    pub fn window_shelf_file(&self) -> PathBuf {
        self.folder.join("shelf.index")
    }

    /// Returns the path of the index of the positions in the records below `folders`, for `shogibar shelf`.
    pub fn shelf_file(&self, folders: &[PathBuf]) -> PathBuf {
        let mut names: Vec<_> = folders.iter().map(|folder| folder.to_string_lossy()).collect();
        names.sort();
        names.dedup();
        let mut hasher = StableHasher::new();
        for name in &names {
            hasher.add_text(name);
        }
        self.folder.join(format!("shelf-{:016x}.index", hasher.finish()))
    }

    /// Locks the stored workspace. Returns `None` if another instance has the lock.
    pub fn lock_workspace(&self) -> Option<shogibar_files::FileLock> {
        shogibar_files::make_folder(&self.folder).ok()?;
        shogibar_files::try_lock(&self.workspace_file())
    }

    /// Returns the folder for unsaved records.
    pub fn unsaved_folder(&self) -> PathBuf {
        self.folder.join("unsaved")
    }

    /// Returns the path of the file with the last update check: its time, and the version found.
    pub fn updates_file(&self) -> PathBuf {
        self.folder.join("updates.txt")
    }

    /// Returns the path of the settings file.
    pub fn settings_file(&self) -> PathBuf {
        self.folder.join("settings.toml")
    }

    /// Reads the profiles. They are empty if the file does not exist or is not TOML.
    ///
    /// # Errors
    /// Fails if the file exists and cannot be read.
    pub fn profiles(&self) -> Result<ConfigReading, ConfigReadError> {
        let path = self.engines_file();
        let reading = FileEdit::<Profiles>::read(&path)?.reading;
        // A file written by an earlier version may be readable by other users, who are then locked out.
        if reading.value.access() == FileAccess::Secret {
            shogibar_files::restrict_to_user(&path);
        }
        Ok(reading)
    }

    /// Reads the settings. They are the defaults if the file does not exist or is not TOML.
    ///
    /// # Errors
    /// Fails if the file exists and cannot be read.
    pub fn settings(&self) -> Result<ConfigReading<Settings>, ConfigReadError> {
        Ok(FileEdit::read(&self.settings_file())?.reading)
    }

    /// Returns the path of a theme file. Returns `None` if no theme can have this name.
    pub fn theme_file(&self, name: &str) -> Option<PathBuf> {
        let is_a_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
        is_a_name.then(|| self.folder.join(THEMES_FOLDER).join(format!("{name}.toml")))
    }

    /// Returns the names of the user's themes.
    pub fn themes(&self) -> Vec<String> {
        let files = shogibar_files::list(&self.folder.join(THEMES_FOLDER), MAX_LISTED_THEMES);
        let files = files
            .iter()
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
        let names = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        names.filter(|name| self.theme_file(name).is_some()).collect()
    }

    /// Reads a user theme. Returns `None` if the file does not exist.
    ///
    /// # Errors
    /// Fails if the file exists and cannot be read.
    pub fn theme(&self, name: &str) -> Result<Option<ThemeReading>, ConfigReadError> {
        let Some(path) = self.theme_file(name) else {
            return Ok(None);
        };
        match shogibar_files::read(&path, MAX_CONFIG_BYTES) {
            Err(error) if error.is_absent() => Ok(None),
            bytes => Ok(Some(ThemeReading::new(&bytes?))),
        }
    }

    /// Reads, changes and writes the profiles under a lock against other instances. The rest of the file is unchanged.
    /// Makes a backup if an entry that was not understood is overwritten.
    ///
    /// # Errors
    /// Fails with the error of `change`, or if the file cannot be read or written. Nothing is then written.
    pub fn change_profiles<T, E: From<StoreError>>(
        &self,
        change: impl FnOnce(&mut Profiles) -> Result<T, E>,
    ) -> Result<SavedConfig<T>, E> {
        self.edit(&self.engines_file(), change)
    }

    /// Reads, changes and writes the settings, as [`change_profiles`](Self::change_profiles) does. Returns the changed settings.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written.
    pub fn change_settings(
        &self,
        change: impl FnOnce(&mut Settings),
    ) -> Result<SavedConfig<Settings>, StoreError> {
        self.edit(&self.settings_file(), |settings: &mut Settings| {
            change(settings);
            Ok(settings.clone())
        })
    }

    /// Copies a settings file that is not TOML to a backup, and returns the backup. Then removes the file, unless the
    /// user has changed it meanwhile. Returns `None` if the file is TOML. Called only at the start of the program:
    /// later the user may be editing the file.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written, or another instance holds its lock.
    pub fn back_up_broken_settings(&self) -> Result<Option<Backup>, StoreError> {
        let path = self.settings_file();
        // Of two programs that start at once, only one makes the backup.
        let _lock = self.lock_file(&path)?;
        let file_edit = FileEdit::<Settings>::read(&path)?;
        let Some(why) = file_edit.reading.toml_error else {
            return Ok(None);
        };
        let backup = Backup {
            toml_error: why,
            path: shogibar_files::write_backup(&path, &file_edit.bytes).map_err(ConfigWriteError)?,
        };
        if shogibar_files::stamp(&path) == file_edit.stamp {
            shogibar_files::remove(&path).map_err(ConfigWriteError)?;
        }
        Ok(Some(backup))
    }

    /// Reads, changes and writes a file under a lock, as [`change_profiles`](Self::change_profiles) does.
    fn edit<C: ConfigFile, T, E: From<StoreError>>(
        &self,
        path: &Path,
        change: impl FnOnce(&mut C) -> Result<T, E>,
    ) -> Result<SavedConfig<T>, E> {
        let _lock = self.lock_file(path)?;
        let mut file_edit = FileEdit::<C>::read(path).map_err(StoreError::from)?;
        let value = change(&mut file_edit.reading.value)?;
        Ok(file_edit.write(path, value)?)
    }

    /// Locks a file, and returns the lock. While the lock is held, other instances do not write the file.
    fn lock_file(&self, path: &Path) -> Result<impl Sized + use<>, StoreError> {
        shogibar_files::make_folder(&self.folder).map_err(ConfigWriteError)?;
        Ok(shogibar_files::lock(path).map_err(ConfigWriteError)?)
    }

    /// Claims and returns a slot among the instances that run on this folder. The slot is free again when it is
    /// dropped.
    pub fn claim_slot(&self) -> InstanceSlot {
        let free = |index: usize| {
            let lock = shogibar_files::try_lock(&self.folder.join(format!("running-{}", index + 1)));
            lock.map(|lock| InstanceSlot {
                others: index,
                _lock: Some(lock),
            })
        };
        match shogibar_files::make_folder(&self.folder) {
            Ok(()) => (0..MAX_INSTANCES).find_map(free).unwrap_or_default(),
            Err(_) => InstanceSlot::default(),
        }
    }

    /// Returns the text of a cache file in the folder, such as the results of engine probes. Returns `None` if it
    /// cannot be read.
    pub fn read_cache(&self, name: &str) -> Option<String> {
        String::from_utf8(shogibar_files::read(&self.folder.join(name), MAX_CONFIG_BYTES).ok()?).ok()
    }

    /// Writes a cache file in the folder. Errors are ignored: the content can be computed again.
    pub fn write_cache(&self, name: &str, text: &str) {
        let folder = shogibar_files::make_folder(&self.folder);
        let _best_effort = folder.and_then(|()| {
            shogibar_files::write_as(FileAccess::Private, &self.folder.join(name), text.as_bytes())
        });
    }
}

trait ConfigFile: Default {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError>;

    /// Returns the new text of a file with this content. `text` is the present one, whose comments are kept.
    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static>;

    fn access(&self) -> FileAccess {
        FileAccess::Private
    }
}

impl ConfigFile for Profiles {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError> {
        Self::read(text)
    }

    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static> {
        Self::write_into(self, text)
    }

    /// Returns the secret access if an engine has environment variables, because one of them may hold a password.
    fn access(&self) -> FileAccess {
        if self.iter().any(|profile| !profile.environment.is_empty()) {
            FileAccess::Secret
        } else {
            FileAccess::Private
        }
    }
}

impl ConfigFile for Settings {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotTomlError> {
        Self::read(text)
    }

    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static> {
        Self::write_into(self, text)
    }

    /// Returns the secret access if the file has tokens: with these, others could see and hide the evaluations.
    fn access(&self) -> FileAccess {
        if self.obs.token.is_empty() && self.obs.control_token.is_empty() {
            FileAccess::Private
        } else {
            FileAccess::Secret
        }
    }
}

/// A configuration file that was read, and is to be written.
struct FileEdit<C> {
    reading: ConfigReading<C>,
    bytes: Vec<u8>,
    /// The stamp taken before the file was read.
    stamp: Option<FileStamp>,
}

impl<C: ConfigFile> FileEdit<C> {
    /// Reads a file without changing it.
    fn read(path: &Path) -> Result<Self, ConfigReadError> {
        let stamp = shogibar_files::stamp(path);
        let bytes = match shogibar_files::read(path, MAX_CONFIG_BYTES) {
            Err(error) if error.is_absent() => Vec::new(),
            bytes => bytes?,
        };
        let read = std::str::from_utf8(&bytes).map_err(|error| error.to_string());
        let reading = match read.and_then(|text| C::read(text).map_err(|error| error.to_string())) {
            Ok((value, findings)) => ConfigReading {
                value,
                findings,
                toml_error: None,
            },
            Err(why) => ConfigReading {
                value: C::default(),
                findings: Vec::new(),
                toml_error: Some(why),
            },
        };
        Ok(Self {
            reading,
            bytes,
            stamp,
        })
    }

    /// Writes the changed value. `result` is what the change returned, for the caller. Makes a backup if an entry that
    /// was not understood is overwritten.
    fn write<T>(self, path: &Path, result: T) -> Result<SavedConfig<T>, StoreError> {
        let ConfigReading {
            value,
            findings,
            toml_error,
        } = self.reading;
        let access = value.access();
        let before = if toml_error.is_none() {
            std::str::from_utf8(&self.bytes).ok()
        } else {
            None
        };
        let text = value.write_into(before.unwrap_or_default());
        let text = text
            .map_err(|error| WriteError::new(path, std::io::Error::other(error)))
            .map_err(ConfigWriteError)?;
        if before == Some(&text) && self.stamp.is_some() {
            return Ok(SavedConfig {
                value: result,
                findings,
                backup: None,
            });
        }
        let unresolved = C::read(&text).map(|(_, findings)| findings).unwrap_or_default();
        let is_lost = toml_error.is_some() || findings.iter().any(|finding| !unresolved.contains(finding));
        if shogibar_files::stamp(path) != self.stamp {
            return Err(StoreError::Busy(path.to_owned()));
        }
        let backup_path = is_lost
            .then(|| shogibar_files::write_backup(path, &self.bytes))
            .transpose()
            .map_err(ConfigWriteError)?;
        shogibar_files::remove_leftovers(path);
        shogibar_files::write_as(access, path, text.as_bytes()).map_err(ConfigWriteError)?;
        let backup = toml_error.zip(backup_path).map(|(why, path)| Backup {
            toml_error: why,
            path,
        });
        Ok(SavedConfig {
            value: result,
            findings: unresolved,
            backup,
        })
    }
}

impl ThemeReading {
    /// Reads a theme file.
    ///
    /// # Errors
    /// Fails if the file does not exist or cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, ConfigReadError> {
        Ok(Self::new(&shogibar_files::read(path, MAX_CONFIG_BYTES)?))
    }

    /// Returns the warnings about the theme, which call the theme `name`.
    pub fn warnings(&self, name: &str) -> impl Iterator<Item = Remark> {
        let none = self
            .toml_error
            .iter()
            .map(|why| Remark::ThemeUnreadable(name.to_owned(), why.clone()));
        let lost = self
            .findings
            .iter()
            .map(|finding| Remark::ThemeLost(name.to_owned(), finding.clone()));
        none.chain(lost)
    }

    fn new(bytes: &[u8]) -> Self {
        let read = std::str::from_utf8(bytes).map_err(|error| error.to_string());
        match read.and_then(|text| Theme::read(text).map_err(|error| error.to_string())) {
            Ok((theme, findings)) => Self {
                theme,
                findings,
                toml_error: None,
            },
            Err(why) => Self::invalid(why),
        }
    }

    fn invalid(why: String) -> Self {
        let theme = Theme::shipped(Theme::DEFAULT).unwrap_or_default();
        Self {
            theme,
            findings: Vec::new(),
            toml_error: Some(why),
        }
    }
}

#[cfg(test)]
mod tests;
