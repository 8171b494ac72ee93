//! The default file of the USI traffic log.

use super::Store;

use std::path::{Path, PathBuf};

/// The largest number of entries of a folder that are searched for log files.
const MAX_LISTED_ENTRIES: usize = 10_000;

impl Store {
    /// Returns the default path of the USI traffic log.
    pub fn log_file(&self) -> PathBuf {
        self.folder.join("engines.log")
    }

    /// Creates the folder of the log file. An error is ignored: the first write to the log reports it.
    pub fn make_log_folder(&self) {
        let _reported_on_write = shogibar_files::make_folder(&self.folder);
    }

    /// Returns the files of a log with their sizes in bytes: the files of all engines, and the parts that were renamed
    /// when they were full.
    pub fn log_files(log: &Path) -> Vec<(PathBuf, u64)> {
        let name = log.file_name().unwrap_or_default().as_encoded_bytes();
        let is_part = |path: &PathBuf| {
            let rest = path
                .file_name()
                .and_then(|file_name| file_name.as_encoded_bytes().strip_prefix(name));
            rest.is_some_and(|rest| {
                rest.iter()
                    .all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'))
            })
        };
        let files = log
            .parent()
            .map(|folder| shogibar_files::list(folder, MAX_LISTED_ENTRIES))
            .unwrap_or_default();
        let sized = files
            .into_iter()
            .filter(is_part)
            .filter_map(|path| Some((shogibar_files::stamp(&path)?.size, path)));
        sized.map(|(size, path)| (path, size)).collect()
    }
}
