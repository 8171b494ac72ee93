//! Autosaved records, and the user's files that they belong to.

use super::OpenFile;
use crate::files::FileStamp;
use crate::kifu::{Record, Target};
use std::path::PathBuf;
use std::sync::Arc;

/// An unsaved record, and its file.
#[derive(Clone, Debug)]
pub struct UnsavedRecord {
    /// The record alone, or all games to select from, with the index of the record.
    pub games: (Vec<Arc<Record>>, usize),
    /// The user's file that it was read from or saved to.
    pub original: Option<OriginalFile>,
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
    /// The characters of the file that older readers of its encoding do not know.
    pub(super) own_characters: String,
}

impl OriginalFile {
    /// The file of the current record.
    pub(super) fn from_open_file(file: &OpenFile, record: &Record) -> Self {
        let path = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_owned());
        // Without a stamp, the user is asked before the file is written: it has more in it than the record.
        let stamp = file.stamp().filter(|_| file.was_read_whole());
        Self { path, stamp, target: Some(file.target()), own_characters: record.own_characters() }
    }

    /// The text stored beside the copy, its parts separated by NUL: the path, size and time of the file, its format, its own
    /// characters.
    pub fn to_text(&self) -> Option<String> {
        let stamp = self.stamp.map(|FileStamp { size, modified }| format!("{size} {modified}")).unwrap_or_default();
        let target = self.target.map(Target::name).unwrap_or_default();
        Some([self.path.to_str()?, &stamp, target, &self.own_characters].join("\0"))
    }

    /// Reads what [`to_text`](Self::to_text) has written. Earlier versions wrote fewer parts.
    pub fn from_text(text: &str) -> Option<Self> {
        let mut parts = text.split('\0');
        let mut part = || parts.next().unwrap_or_default();
        let (path, stamp, target, own_characters) = (part(), part(), part(), part());
        let number = |text: &str| text.parse().ok();
        let stamp = stamp
            .split_once(' ')
            .and_then(|(size, modified)| Some(FileStamp { size: number(size)?, modified: number(modified)? }));
        let (target, own_characters) = (Target::from_name(target), own_characters.to_owned());
        (!path.is_empty()).then(|| Self { path: path.into(), stamp, target, own_characters })
    }
}

/// A record that a program left in an autosave copy when it ended abnormally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoverableRecord {
    /// The autosave copy.
    pub copy: PathBuf,
    /// The user's file that the record was read from or saved to.
    pub original: Option<OriginalFile>,
}
