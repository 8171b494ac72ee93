//! The log of what engines are told and say, when it is set and not named.

use super::Store;
use crate::files;
use std::path::{Path, PathBuf};

/// So much of a folder is looked through for logs.
const MOST_LOGGED: usize = 10_000;

impl Store {
    /// Where it is recorded what engines are told and say, when that is set.
    pub fn log_file(&self) -> PathBuf {
        self.folder.join("engines.log")
    }

    /// Makes the folder for that file, which is there once something was set. What is in the way of it is said when the
    /// file is written.
    pub(crate) fn make_log_folder(&self) {
        let _said_with_the_file = files::make_folder(&self.folder);
    }

    /// The files of a log, of all engines and of all parts, with their sizes in bytes.
    pub fn log_files(log: &Path) -> Vec<(PathBuf, u64)> {
        let name = log.file_name().unwrap_or_default().as_encoded_bytes();
        let is_part = |path: &PathBuf| {
            let rest = path.file_name().and_then(|own| own.as_encoded_bytes().strip_prefix(name));
            rest.is_some_and(|rest| rest.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.')))
        };
        let files = log.parent().map(|folder| files::list(folder, MOST_LOGGED)).unwrap_or_default();
        let sized = files.into_iter().filter(is_part).filter_map(|path| Some((files::stamp(&path)?.size, path)));
        sized.map(|(size, path)| (path, size)).collect()
    }
}
