//! Files that were opened before.

use crate::files::{self, FileAccess};
use std::path::{Path, PathBuf};

/// So many are remembered.
const MOST: usize = 12;
/// A list of paths is not longer, in bytes.
const MOST_BYTES: usize = 1 << 20;

/// The files that were on view, in a file of the user's: a path a line.
#[derive(Debug, Default)]
pub(super) struct RecentFiles {
    file: Option<PathBuf>,
    files: Vec<PathBuf>,
}

impl RecentFiles {
    /// As the file has them; none where it cannot be read.
    pub(super) fn new(file: Option<PathBuf>) -> Self {
        let bytes = file.as_deref().and_then(|file| files::read(file, MOST_BYTES).ok()).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let files = text.lines().filter(|line| !line.is_empty()).take(MOST).map(PathBuf::from).collect();
        Self { file, files }
    }

    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// A file is on view. What cannot be written is forgotten when the program ends, and nothing worse.
    pub(super) fn remember(&mut self, path: &Path) {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if self.files.first() == Some(&path) {
            return;
        }
        self.files.retain(|known| *known != path);
        self.files.insert(0, path);
        self.files.truncate(MOST);
        let Some(file) = &self.file else { return };
        // A path that is no text, or of several lines, has no place in it.
        let paths = self.files.iter().filter_map(|path| path.to_str()).filter(|path| !path.contains(char::is_control));
        let text = paths.flat_map(|path| [path, "\n"]).collect::<String>();
        let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
        let _best_effort = made && files::write_as(FileAccess::Private, file, text.as_bytes()).is_ok();
    }
}
