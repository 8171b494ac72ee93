//! The search for a program by its name on this machine, and `~` for the home folder in paths.

use super::Program;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

impl Program {
    /// Returns the program that a user has named: a path, or a program on `PATH` or in a common folder. A program that
    /// does not exist is not an error here: it is reported when it is started.
    ///
    /// # Errors
    /// Fails if the system cannot tell the current folder.
    pub fn named(name: &OsStr, arguments: &[String], folder: Option<PathBuf>) -> io::Result<Self> {
        let words = || arguments.iter().map(Into::into);
        let program = if Path::new(name).components().count() > 1 {
            let path = expand_tilde(name);
            let path = std::path::absolute(
                folder
                    .as_ref()
                    .map_or_else(|| path.clone(), |folder| folder.join(&path)),
            )?;
            Self {
                path,
                arguments: words().collect(),
                folder,
                ..Self::default()
            }
        } else {
            // In `node uci.js` the files are beside the script, not beside node.
            let file = || {
                arguments
                    .iter()
                    .map(expand_tilde)
                    .find(|path| path.is_absolute() && path.is_file())
            };
            let folder = folder.or_else(|| Some(file()?.parent()?.to_owned()));
            let path = find_program(name).unwrap_or_else(|| name.into());
            Self {
                path,
                arguments: words().collect(),
                folder,
                ..Self::default()
            }
        };
        Ok(program.through_shell())
    }

    /// Returns a program that runs a shell script by the shell, if the script is not executable. Scripts of unpacked
    /// archives often are not. Returns any other program unchanged.
    fn through_shell(mut self) -> Self {
        let is_script = self.path.extension().is_some_and(|end| end == "sh");
        if cfg!(unix) && is_script && self.path.is_file() && which::which(&self.path).is_err() {
            self.folder = self.folder.or_else(|| Some(self.path.parent()?.to_owned()));
            let script = std::mem::replace(&mut self.path, "/bin/sh".into());
            self.arguments.insert(0, script.into());
        }
        self
    }
}

/// Expands `~` to the home folder: not every command comes from a shell.
pub fn expand_tilde(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    let below_home = || Some(env::home_dir()?.join(path.strip_prefix("~").ok()?));
    below_home().unwrap_or_else(|| path.into())
}

/// Returns a path with `~` for the home folder, as [`expand_tilde`] reads it.
pub fn abbreviate_home(path: &Path) -> String {
    let below_home =
        env::home_dir().and_then(|home| Some(Path::new("~").join(path.strip_prefix(home).ok()?)));
    below_home.as_deref().unwrap_or(path).display().to_string()
}

/// Finds a program on `PATH`, or else in one of [`program_folders`]; `None` if it is in neither.
pub fn find_program(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = name.as_ref();
    which::which(name).ok().or_else(|| {
        let folders = env::join_paths(program_folders()).ok()?;
        which::which_in(name, Some(folders), "/").ok()
    })
}

/// Returns the folders that are searched for programs besides `PATH`. Debian puts games into a folder that is often not
/// on `PATH`. A program that is started from a desktop lacks the folders of Homebrew and cargo.
pub fn program_folders() -> Vec<PathBuf> {
    let fixed: &[&str] = if cfg!(windows) {
        &[]
    } else {
        &[
            "/usr/games",
            "/usr/local/games",
            "/usr/local/bin",
            "/opt/homebrew/bin",
        ]
    };
    let user_folders: &[&str] = if cfg!(windows) {
        &[
            "scoop/shims",
            "AppData/Local/Microsoft/WinGet/Links",
            ".cargo/bin",
        ]
    } else {
        &[".local/bin", "bin", ".cargo/bin"]
    };
    let home = env::home_dir();
    let user_folders = user_folders
        .iter()
        .filter_map(|name| Some(home.as_ref()?.join(name)));
    fixed.iter().map(PathBuf::from).chain(user_folders).collect()
}
