//! The list of recently opened files.

use crate::files::{self, FileAccess};
use std::path::{Path, PathBuf};

/// The most files in the list.
const MAX_FILES: usize = 12;
/// The most bytes of the list's file.
const MAX_BYTES: usize = 1 << 20;

/// The recently opened files, stored in a text file with one path per line.
#[derive(Debug, Default)]
pub(super) struct RecentFiles {
    file: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl RecentFiles {
    /// Reads the list from a file; empty if it cannot be read.
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        let bytes = file.as_deref().and_then(|file| files::read(file, MAX_BYTES).ok()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let files = text.lines().filter(|line| !line.is_empty()).take(MAX_FILES).map(PathBuf::from).collect();
        Self { file, files }
    }

    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Moves a file to the top of the list. If the list cannot be written, it lasts until the program ends.
    pub(super) fn add(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if self.files.first() == Some(&path) {
            return;
        }
        self.files.retain(|known| *known != path);
        self.files.insert(0, path);
        self.files.truncate(MAX_FILES);
        let Some(file) = &self.file else { return };
        // Paths that are not UTF-8 or have control characters cannot be stored.
        let paths = self.files.iter().filter_map(|path| path.to_str()).filter(|path| !path.contains(char::is_control));
        let text = paths.flat_map(|path| [path, "\n"]).collect::<String>();
        let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
        let _best_effort = made && files::write_as(FileAccess::Private, file, text.as_bytes()).is_ok();
    }
}
