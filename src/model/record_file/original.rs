//! Autosaved records, and the user's files to which they belong.

use super::OpenFile;
use shogibar_files::FileStamp;
use shogibar_kifu::{Record, Target};
use std::path::PathBuf;
use std::sync::Arc;

/// An unsaved record with the user's file, as it is autosaved.
#[derive(Clone, Debug)]
pub struct UnsavedRecord {
    /// The record only, or all games to select from.
    pub games: Vec<Arc<Record>>,
    /// The index of the record in `games`.
    pub current_index: usize,
    /// The user's file of the record; `None` if the record has no file.
    pub original_file: Option<OriginalFile>,
}

/// The user's file of an autosaved record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The file's stamp when the record was read or written; `None` if unknown.
    pub stamp: Option<FileStamp>,
    /// The format of the file; `None` if unknown.
    pub(super) target: Option<Target>,
    pub(super) extension_characters: String,
}

impl OriginalFile {
    /// Creates the description of an open file that is stored with the autosave copy of `record`.
    pub(super) fn from_open_file(file: &OpenFile, record: &Record) -> Self {
        let path = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_owned());
        // No stamp if the file has more content than the record: the user is then asked before the file is written.
        let stamp = if file.was_read_whole() { file.stamp() } else { None };
        Self {
            path,
            stamp,
            target: Some(file.target()),
            extension_characters: record.extension_characters(),
        }
    }

    /// Returns the path, size and time of the file, its format, and its extension characters, separated by NUL. Returns
    /// `None` for a path that is not UTF-8.
    fn to_text(&self) -> Option<String> {
        let stamp = self
            .stamp
            .map(|FileStamp { size, modified }| format!("{size} {modified}"))
            .unwrap_or_default();
        let target = self.target.map(Target::name).unwrap_or_default();
        Some([self.path.to_str()?, &stamp, target, &self.extension_characters].join("\0"))
    }

    /// Reads the parts written by [`to_text`](Self::to_text). Earlier versions wrote fewer. `None` without a path.
    fn from_parts(parts: &[&str]) -> Option<Self> {
        let part = |nth| parts.get(nth).copied().unwrap_or_default();
        let number = |text: &str| text.parse().ok();
        let stamp = part(1).split_once(' ').and_then(|(size, modified)| {
            Some(FileStamp {
                size: number(size)?,
                modified: number(modified)?,
            })
        });
        let (path, target) = (PathBuf::from(part(0)), Target::from_name(part(2)));
        (!part(0).is_empty()).then(|| Self {
            path,
            stamp,
            target,
            extension_characters: part(3).to_owned(),
        })
    }
}

impl UnsavedRecord {
    /// Returns the text that is stored beside the copy: the user's file and the index of the record, separated by NUL.
    /// Empty without a file, if the index is 0.
    pub fn to_text(&self) -> String {
        let file = self.original_file.as_ref().and_then(OriginalFile::to_text);
        match (file, self.current_index) {
            (file, 0) => file.unwrap_or_default(),
            (file, at) => format!("{}\0{at}", file.as_deref().unwrap_or("\0\0\0")),
        }
    }
}

/// A record that a program left in an autosave copy when it ended abnormally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoverableRecord {
    /// The path of the autosave copy.
    pub copy: PathBuf,
    /// The user's file of the record; `None` if the record has no file.
    pub original_file: Option<OriginalFile>,
    /// The index of the record among the games of the copy.
    pub index: usize,
}

impl RecoverableRecord {
    /// Reads the text that [`UnsavedRecord::to_text`] has written beside the copy.
    pub fn from_text(copy: PathBuf, text: &str) -> Self {
        let parts: Vec<_> = text.split('\0').collect();
        let at = parts.get(4).and_then(|at| at.parse().ok()).unwrap_or_default();
        Self {
            copy,
            original_file: OriginalFile::from_parts(&parts),
            index: at,
        }
    }
}
