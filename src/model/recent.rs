//! The list of recently opened files and addresses.

use shogibar_live::LiveAddress;
use std::path::{Path, PathBuf};

/// The maximum number of entries in the list.
const MAX_RECENT_FILES: usize = 12;

/// The recently opened files and addresses, the latest first.
#[derive(Debug, Default)]
pub struct RecentFiles(Vec<PathBuf>);

impl RecentFiles {
    /// Creates the list from the stored entries, the latest first.
    pub fn new(mut files: Vec<PathBuf>) -> Self {
        files.truncate(MAX_RECENT_FILES);
        Self(files)
    }

    /// Returns the files and addresses, the latest first.
    pub fn files(&self) -> &[PathBuf] {
        &self.0
    }

    /// Adds a file to the list, or moves it to the top. Returns whether the list has changed.
    pub fn add(&mut self, path: &Path) -> bool {
        self.add_entry(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()))
    }

    /// Adds an address to the list, in its displayed form, or moves it to the top. Returns whether the list has
    /// changed.
    pub fn add_address(&mut self, address: &LiveAddress) -> bool {
        self.add_entry(address.to_string().into())
    }

    /// Adds an entry, or moves it to the top. Returns whether the list has changed.
    fn add_entry(&mut self, path: PathBuf) -> bool {
        if self.0.first() == Some(&path) {
            return false;
        }
        self.0.retain(|known| *known != path);
        self.0.insert(0, path);
        self.0.truncate(MAX_RECENT_FILES);
        true
    }
}
