//! The user's configuration folder, and the engines set up in it.

use crate::config::{Finding, Profiles};
use crate::files::{self, FileError, WriteError};
use directories::ProjectDirs;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The largest file of settings that is read, in bytes; a profile has a few hundred.
const MOST: usize = 4 << 20;

/// The folder in which settings are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    folder: PathBuf,
}

/// What was read, and what was wrong with it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The engines.
    pub profiles: Profiles,
    /// What was not understood.
    pub findings: Vec<Finding>,
    /// The file was no TOML: why, and where it was put.
    pub set_aside: Option<(String, PathBuf)>,
}

/// Why settings could not be read or written. They are then as they were.
#[derive(Debug, Error)]
pub enum StoreError {
    /// They cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// They cannot be written.
    #[error(transparent)]
    Unwritable(#[from] Unwritable),
}

/// A file cannot be read, by its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct Unreadable(#[from] FileError);

/// A file cannot be written, by its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct Unwritable(#[from] WriteError);

impl Store {
    /// The one in a folder, which need not be there.
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The one of this user, as the system has it; `None` for a user who has no home.
    pub fn of_user() -> Option<Self> {
        ProjectDirs::from("", "", "shogibar").map(|folders| Self::new(folders.config_dir().to_owned()))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of engines in it.
    pub fn engines_file(&self) -> PathBuf {
        self.folder.join("engines.toml")
    }

    /// The engines. None where there is no file; of a file that is no TOML a copy is put aside.
    ///
    /// # Errors
    /// When the file is there and cannot be read.
    pub fn profiles(&self) -> Result<Reading, StoreError> {
        let path = self.engines_file();
        let bytes = match files::read(&path, MOST) {
            Err(error) if error.is_absent() => return Ok(Reading::default()),
            bytes => bytes.map_err(Unreadable)?,
        };
        let read = std::str::from_utf8(&bytes).map_err(|error| error.to_string());
        let read = read.and_then(|text| Profiles::read(text).map_err(|error| error.to_string()));
        Ok(match read {
            Ok((profiles, findings)) => Reading { profiles, findings, set_aside: None },
            Err(why) => {
                let aside = files::set_aside(&path).map_err(Unwritable)?;
                files::remove(&path).map_err(Unwritable)?;
                Reading { set_aside: Some((why, aside)), ..Reading::default() }
            }
        })
    }

    /// Reads the engines, changes them and writes them, while no other program does so. What was not
    /// understood would be lost by that: a copy of such a file is put aside.
    ///
    /// # Errors
    /// With what `change` says, and then nothing is written; or when the file cannot be read or written.
    pub fn change<T, E: From<StoreError>>(&self, change: impl FnOnce(&mut Profiles) -> Result<T, E>) -> Result<T, E> {
        let path = self.engines_file();
        files::make_folder(&self.folder).map_err(|error| StoreError::from(Unwritable(error)))?;
        let _held = files::lock(&path);
        let mut reading = self.profiles()?;
        let result = change(&mut reading.profiles)?;
        self.write(&reading).map_err(StoreError::from)?;
        Ok(result)
    }

    fn write(&self, reading: &Reading) -> Result<(), Unwritable> {
        let path = self.engines_file();
        let text = reading.profiles.write().map_err(|error| WriteError::new(&path, std::io::Error::other(error)))?;
        if !reading.findings.is_empty() {
            files::set_aside(&path)?;
        }
        files::remove_leftovers(&path);
        Ok(files::write_whole(&path, text.as_bytes())?)
    }

    /// The text of a file that can be had again, such as what was found out about programs; `None`
    /// where there is none.
    pub(crate) fn cached(&self, name: &str) -> Option<String> {
        String::from_utf8(files::read(&self.folder.join(name), MOST).ok()?).ok()
    }

    /// Keeps such a text. It does no harm when that fails.
    pub(crate) fn cache(&self, name: &str, text: &str) {
        let folder = files::make_folder(&self.folder);
        let _found_out_again = folder.and_then(|()| files::write_whole(&self.folder.join(name), text.as_bytes()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{NameError, Profile};

    /// A store of its own, gone when the test is.
    struct Scratch(Store);

    impl Scratch {
        fn new(name: &str, file: Option<&[u8]>) -> Self {
            let folder = std::env::temp_dir().join(format!("shogibar-store-{name}-{}", std::process::id()));
            let store = Store::new(folder.join("設定"));
            if let Some(bytes) = file {
                files::make_folder(store.folder()).unwrap();
                files::write_whole(&store.engines_file(), bytes).unwrap();
            }
            Self(store)
        }

        fn names(&self) -> Vec<String> {
            let files = files::list(self.0.folder(), 100);
            files.iter().map(|path| path.file_name().unwrap().display().to_string()).collect()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _never_made = std::fs::remove_dir_all(self.0.folder().parent().unwrap());
        }
    }

    #[derive(Debug, Error)]
    enum TestError {
        #[error(transparent)]
        Store(#[from] StoreError),
        #[error(transparent)]
        Name(#[from] NameError),
    }

    fn add(store: &Store, name: &str) -> Result<(), TestError> {
        store.change(|profiles| Ok(profiles.add(Profile::new(name, ["program".to_owned()]))?))
    }

    #[test]
    fn what_is_changed_is_there_again() {
        let scratch = Scratch::new("again", None);
        assert_eq!(scratch.0.profiles().unwrap(), Reading::default());
        add(&scratch.0, "a").unwrap();
        add(&scratch.0, "水匠").unwrap();
        assert!(matches!(add(&scratch.0, "a"), Err(TestError::Name(_))));
        let reading = scratch.0.profiles().unwrap();
        assert_eq!(reading.profiles.iter().map(Profile::name).collect::<Vec<_>>(), ["a", "水匠"]);
        assert_eq!(scratch.names(), ["engines.toml", "engines.toml.lock"]);
    }

    #[test]
    fn rubbish_is_put_aside() {
        for rubbish in [b"not = [toml".as_slice(), b"\xff\xfe\x00", b"\x00"] {
            let scratch = Scratch::new("rubbish", Some(rubbish));
            let reading = scratch.0.profiles().unwrap();
            let (_, aside) = reading.set_aside.unwrap();
            assert!(aside.ends_with("engines.toml.broken-1"), "{}", aside.display());
            assert_eq!(files::read(&aside, MOST).unwrap(), rubbish);
            assert_eq!(scratch.names(), ["engines.toml.broken-1"]);
            add(&scratch.0, "a").unwrap();
            assert_eq!(files::read(&aside, MOST).unwrap(), rubbish, "what was put aside is left alone");
        }
    }

    #[test]
    fn what_is_not_understood_is_not_written_over() {
        let file = b"[[engine]]\nname = 'a'\nprogram = 'p'\nk = 'much'\n";
        let scratch = Scratch::new("findings", Some(file));
        assert_eq!(scratch.0.profiles().unwrap().findings.len(), 1);
        assert_eq!(scratch.names(), ["engines.toml"], "reading changes nothing");
        add(&scratch.0, "b").unwrap();
        let aside = scratch.0.folder().join("engines.toml.broken-1");
        assert_eq!(files::read(&aside, MOST).unwrap(), file);
        add(&scratch.0, "c").unwrap();
        assert_eq!(scratch.names(), ["engines.toml", "engines.toml.broken-1", "engines.toml.lock"]);
    }

    #[test]
    fn what_cannot_be_read_is_not_written() {
        let scratch = Scratch::new("folder", None);
        files::make_folder(&scratch.0.engines_file()).unwrap();
        assert!(scratch.0.profiles().is_err());
        assert!(add(&scratch.0, "a").is_err());
        let large = Scratch::new("large", Some(&vec![b'#'; MOST + 1]));
        assert!(matches!(add(&large.0, "a"), Err(TestError::Store(StoreError::Unreadable(_)))));
        assert_eq!(large.names(), ["engines.toml", "engines.toml.lock"]);
    }

    #[test]
    fn what_was_killed_in_the_middle_leaves_nothing_behind() {
        let scratch = Scratch::new("leftovers", Some(b""));
        files::write_whole(&scratch.0.folder().join(".engines.toml.1.new"), b"half").unwrap();
        files::write_whole(&scratch.0.folder().join(".others.toml.1.new"), b"another's").unwrap();
        add(&scratch.0, "a").unwrap();
        assert_eq!(scratch.names(), [".others.toml.1.new", "engines.toml", "engines.toml.lock"]);
    }
}
