//! Autosaved records, and the user's files that they belong to.

use super::OpenFile;
use crate::files::FileStamp;
use crate::kifu::Record;
use std::path::PathBuf;
use std::sync::Arc;

/// A record with unsaved changes, and its file.
#[derive(Clone, Debug)]
pub struct UnsavedRecord {
    /// The record.
    pub record: Arc<Record>,
    /// The user's file that it was read from or saved to.
    pub original: Option<OriginalFile>,
}

/// The user's file of an autosaved record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The file's stamp when the record was read or written; `None` if unknown.
    pub(crate) stamp: Option<FileStamp>,
}

impl OriginalFile {
    /// The file of the current record.
    pub(super) fn from_open_file(file: &OpenFile) -> Self {
        let path = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_owned());
        // Without a stamp, the user is asked before the file is written: it has more in it than the record.
        Self { path, stamp: file.stamp().filter(|_| file.was_read_whole()) }
    }

    /// The text stored beside the copy: the path, NUL, and size and time of the file.
    pub(crate) fn to_text(&self) -> Option<String> {
        let path = self.path.to_str()?;
        Some(match self.stamp {
            Some(FileStamp { size, modified }) => format!("{path}\0{size} {modified}"),
            None => path.to_owned(),
        })
    }

    /// Reads what [`to_text`](Self::to_text) has written. Earlier versions wrote the path alone.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let (path, stamp) = text.split_once('\0').unwrap_or((text, ""));
        let number = |text: &str| text.parse().ok();
        let stamp = stamp
            .split_once(' ')
            .and_then(|(size, modified)| Some(FileStamp { size: number(size)?, modified: number(modified)? }));
        (!path.is_empty()).then(|| Self { path: path.into(), stamp })
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
