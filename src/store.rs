//! The user's configuration folder: settings, the engines set up in it, themes.

mod log;
mod portable;
mod themes;
mod why;

pub use themes::{ImportError, ThemeEntry, export_theme};

use crate::config::{NotToml, Profiles, SettingWarning, Settings, Theme};
use crate::files::{self, FileAccess, FileError, FileStamp, WriteError};
use crate::text::Remark;
use directories::ProjectDirs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest file of settings that is read, in bytes; a profile has a few hundred.
const MOST: usize = 4 << 20;

/// The folder of the user's themes, in that of the settings.
const THEMES: &str = "themes";
/// So many are listed.
const MOST_THEMES: usize = 1000;
/// So many programs that run on a folder are told from each other.
#[cfg(feature = "gui")]
const MOST_SEATS: usize = 8;

/// The folder in which settings are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// One of the programs that run on a folder. The system gives it up with the program, however that ends.
#[cfg(feature = "gui")]
#[derive(Debug, Default)]
pub(crate) struct InstanceSlot {
    /// How many others sit before it.
    pub(crate) others: usize,
    _lock: Option<files::FileLock>,
}

/// What was read of a file, and what was wrong with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigReading<T = Profiles> {
    /// What is set: the engines, or all else.
    pub value: T,
    /// What was not understood.
    pub findings: Vec<SettingWarning>,
    /// The file is no TOML: why. What is usual counts in its place.
    pub not_toml: Option<String>,
}

/// What came of a change that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedConfig<T> {
    /// What was asked for.
    pub value: T,
    /// What in the file is still not understood.
    pub findings: Vec<SettingWarning>,
    /// Where the file was no TOML before.
    pub aside: Option<Backup>,
}

/// A file that was no TOML, and was put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backup {
    /// Why it is none.
    pub why: String,
    /// Where it is.
    pub path: PathBuf,
}

/// A theme of the user's, and what was wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub struct ThemeReading {
    /// The theme; where the file is no TOML, the one that is used when nothing is said.
    pub theme: Theme,
    /// What was not understood.
    pub findings: Vec<SettingWarning>,
    /// The file is no TOML: why. It stays where it is: nobody but the user writes it, and may be about to.
    pub not_toml: Option<String>,
}

/// Why settings could not be read or written. They are then as they were.
#[derive(Debug, Error)]
pub enum StoreError {
    /// They cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ConfigUnreadable),
    /// They cannot be written.
    #[error(transparent)]
    Unwritable(#[from] ConfigUnwritable),
    /// Another program was writing them at the same time.
    #[error("{} is being changed by another program", .0.display())]
    Busy(PathBuf),
}

/// A file cannot be read, by its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ConfigUnreadable(#[from] FileError);

/// A file cannot be written, by its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct ConfigUnwritable(#[from] WriteError);

impl Store {
    /// The one in a folder, which need not be there.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The one beside a portable program, or else that of this user, as the system has it; `None` for a user who has
    /// no home.
    pub fn for_user() -> Option<Self> {
        let beside = std::env::current_exe().ok().and_then(|program| portable::folder_beside(&program));
        let of_system = || Some(ProjectDirs::from("", "", "shogibar")?.config_dir().to_owned());
        beside.or_else(of_system).map(Self::new)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of engines in it.
    pub fn engines_file(&self) -> PathBuf {
        self.folder.join("engines.toml")
    }

    /// The list of records that were opened before.
    pub fn recent_file(&self) -> PathBuf {
        self.folder.join("recent.txt")
    }

    /// The folder for records that are not saved.
    pub fn unsaved_folder(&self) -> PathBuf {
        self.folder.join("unsaved")
    }

    /// When newer versions were asked for last, and which there was.
    pub fn updates_file(&self) -> PathBuf {
        self.folder.join("updates.txt")
    }

    /// The file of settings in it.
    pub fn settings_file(&self) -> PathBuf {
        self.folder.join("settings.toml")
    }

    /// The engines. None where there is no file, or one that is no TOML.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn profiles(&self) -> Result<ConfigReading, ConfigUnreadable> {
        let path = self.engines_file();
        let reading = FileEdit::<Profiles>::read(&path)?.reading;
        // One of an earlier version may lie open.
        if reading.value.access() == FileAccess::Secret {
            files::close_to_others(&path);
        }
        Ok(reading)
    }

    /// All that is set but for the engines. The usual settings where there is no file, or one that is no TOML.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn settings(&self) -> Result<ConfigReading<Settings>, ConfigUnreadable> {
        Ok(FileEdit::read(&self.settings_file())?.reading)
    }

    /// The file of a theme; `None` for a name that no theme can have.
    pub fn theme_file(&self, name: &str) -> Option<PathBuf> {
        let is_a_name = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', ':', '\0']);
        is_a_name.then(|| self.folder.join(THEMES).join(format!("{name}.toml")))
    }

    /// The names of the user's themes.
    pub fn themes(&self) -> Vec<String> {
        let files = files::list(&self.folder.join(THEMES), MOST_THEMES);
        let files = files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "toml"));
        let names = files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()));
        names.filter(|name| self.theme_file(name).is_some()).collect()
    }

    /// A theme of the user's; `None` where there is no such file.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn theme(&self, name: &str) -> Result<Option<ThemeReading>, ConfigUnreadable> {
        let Some(path) = self.theme_file(name) else { return Ok(None) };
        match files::read(&path, MOST) {
            Err(error) if error.is_absent() => Ok(None),
            bytes => Ok(Some(ThemeReading::new(&bytes?))),
        }
    }

    /// Reads the engines, changes them and writes them, while no other program of ours does so. In the file only
    /// that changes; a copy is put aside of one in which something is written over that was not understood.
    ///
    /// # Errors
    /// With what `change` says, and then nothing is written; or when the file cannot be read or written.
    pub fn change<T, E: From<StoreError>>(
        &self,
        change: impl FnOnce(&mut Profiles) -> Result<T, E>,
    ) -> Result<SavedConfig<T>, E> {
        self.edit(&self.engines_file(), change)
    }

    /// Reads the settings, changes them and writes them, likewise.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn change_settings(&self, change: impl FnOnce(&mut Settings)) -> Result<SavedConfig<Settings>, StoreError> {
        self.edit(&self.settings_file(), |settings: &mut Settings| {
            change(settings);
            Ok(settings.clone())
        })
    }

    /// Puts the file of settings aside where it is no TOML. For the start of the program: later on somebody may be
    /// about to write it.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn clear_settings(&self) -> Result<Option<Backup>, StoreError> {
        let path = self.settings_file();
        let draft = FileEdit::<Settings>::read(&path)?;
        let Some(why) = draft.reading.not_toml else { return Ok(None) };
        let aside = Backup { why, path: files::set_aside(&path, &draft.bytes).map_err(ConfigUnwritable)? };
        if files::stamp(&path) == draft.stamp {
            files::remove(&path).map_err(ConfigUnwritable)?;
        }
        Ok(Some(aside))
    }

    fn edit<C: ConfigFile, T, E: From<StoreError>>(
        &self,
        path: &Path,
        change: impl FnOnce(&mut C) -> Result<T, E>,
    ) -> Result<SavedConfig<T>, E> {
        let _held = self.hold(path)?;
        let mut draft = FileEdit::<C>::read(path).map_err(StoreError::from)?;
        let value = change(&mut draft.reading.value)?;
        Ok(draft.write(path, value)?)
    }

    /// Keeps other programs from writing a file.
    fn hold(&self, path: &Path) -> Result<impl Sized + use<>, StoreError> {
        files::make_folder(&self.folder).map_err(ConfigUnwritable)?;
        Ok(files::lock(path).map_err(ConfigUnwritable)?)
    }

    /// A seat among the programs that run on this folder, until it is dropped.
    #[cfg(feature = "gui")]
    pub(crate) fn seat(&self) -> InstanceSlot {
        let free = |seat: usize| {
            let lock = files::try_lock(&self.folder.join(format!("running-{}", seat + 1)));
            lock.map(|lock| InstanceSlot { others: seat, _lock: Some(lock) })
        };
        match files::make_folder(&self.folder) {
            Ok(()) => (0..MOST_SEATS).find_map(free).unwrap_or_default(),
            Err(_) => InstanceSlot::default(),
        }
    }

    /// The text of a file that can be had again, such as what was found out about programs; `None`
    /// where there is none.
    pub(crate) fn cached(&self, name: &str) -> Option<String> {
        String::from_utf8(files::read(&self.folder.join(name), MOST).ok()?).ok()
    }

    /// Keeps such a text. It does no harm when that fails.
    pub(crate) fn cache(&self, name: &str, text: &str) {
        let folder = files::make_folder(&self.folder);
        let _found_out_again =
            folder.and_then(|()| files::write_as(FileAccess::Private, &self.folder.join(name), text.as_bytes()));
    }
}

/// What a file of the store holds.
trait ConfigFile: Default {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml>;

    /// The text of the file with this in it.
    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static>;

    /// Who may read the file.
    fn access(&self) -> FileAccess {
        FileAccess::Private
    }
}

impl ConfigFile for Profiles {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml> {
        Self::read(text)
    }

    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static> {
        Self::write_into(self, text)
    }

    /// A variable of an engine's environment may be a password.
    fn access(&self) -> FileAccess {
        if self.iter().any(|profile| !profile.environment.is_empty()) {
            FileAccess::Secret
        } else {
            FileAccess::Private
        }
    }
}

impl ConfigFile for Settings {
    fn read(text: &str) -> Result<(Self, Vec<SettingWarning>), NotToml> {
        Self::read(text)
    }

    fn write_into(&self, text: &str) -> Result<String, impl std::error::Error + Send + Sync + 'static> {
        Self::write_into(self, text)
    }
}

/// A file between being read and being written.
struct FileEdit<C> {
    reading: ConfigReading<C>,
    bytes: Vec<u8>,
    /// The version that was read, or an earlier one.
    stamp: Option<FileStamp>,
}

impl<C: ConfigFile> FileEdit<C> {
    /// Reads a file, and leaves it as it is.
    fn read(path: &Path) -> Result<Self, ConfigUnreadable> {
        let stamp = files::stamp(path);
        let bytes = match files::read(path, MOST) {
            Err(error) if error.is_absent() => Vec::new(),
            bytes => bytes?,
        };
        let read = std::str::from_utf8(&bytes).map_err(|error| error.to_string());
        let reading = match read.and_then(|text| C::read(text).map_err(|error| error.to_string())) {
            Ok((value, findings)) => ConfigReading { value, findings, not_toml: None },
            Err(why) => ConfigReading { value: C::default(), findings: Vec::new(), not_toml: Some(why) },
        };
        Ok(Self { reading, bytes, stamp })
    }

    /// Writes what it has become by a change that gave this `result`. A copy is put aside where something is written
    /// over that was not understood.
    fn write<T>(self, path: &Path, result: T) -> Result<SavedConfig<T>, StoreError> {
        let ConfigReading { value, findings, not_toml } = self.reading;
        let access = value.access();
        let before = std::str::from_utf8(&self.bytes).ok().filter(|_| not_toml.is_none());
        let text = value.write_into(before.unwrap_or_default());
        let text =
            text.map_err(|error| WriteError::new(path, std::io::Error::other(error))).map_err(ConfigUnwritable)?;
        if before == Some(&text) && self.stamp.is_some() {
            return Ok(SavedConfig { value: result, findings, aside: None });
        }
        let left = C::read(&text).map(|(_, findings)| findings).unwrap_or_default();
        let is_lost = not_toml.is_some() || findings.iter().any(|finding| !left.contains(finding));
        if files::stamp(path) != self.stamp {
            return Err(StoreError::Busy(path.to_owned()));
        }
        let aside = is_lost.then(|| files::set_aside(path, &self.bytes)).transpose().map_err(ConfigUnwritable)?;
        files::remove_leftovers(path);
        files::write_as(access, path, text.as_bytes()).map_err(ConfigUnwritable)?;
        let aside = not_toml.zip(aside).map(|(why, path)| Backup { why, path });
        Ok(SavedConfig { value: result, findings: left, aside })
    }
}

impl ThemeReading {
    /// Reads the file of a theme.
    ///
    /// # Errors
    /// When it is not there or cannot be read.
    pub fn from_file(path: &Path) -> Result<Self, ConfigUnreadable> {
        Ok(Self::new(&files::read(path, MOST)?))
    }

    /// What is wrong with it, under this name.
    pub fn warnings(&self, name: &str) -> impl Iterator<Item = Remark> {
        let none = self.not_toml.iter().map(|why| Remark::ThemeUnreadable(name.to_owned(), why.clone()));
        let lost = self.findings.iter().map(|finding| Remark::ThemeLost(name.to_owned(), finding.clone()));
        none.chain(lost)
    }

    fn new(bytes: &[u8]) -> Self {
        let read = std::str::from_utf8(bytes).map_err(|error| error.to_string());
        match read.and_then(|text| Theme::read(text).map_err(|error| error.to_string())) {
            Ok((theme, findings)) => Self { theme, findings, not_toml: None },
            Err(why) => Self::none(why),
        }
    }

    /// That of a file that is no theme.
    fn none(why: String) -> Self {
        let theme = Theme::shipped(Theme::USUAL).unwrap_or_default();
        Self { theme, findings: Vec::new(), not_toml: Some(why) }
    }
}

#[cfg(test)]
mod tests;
