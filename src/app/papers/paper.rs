//! A file that holds the record on view.

use crate::files::{self, Stamp};
use crate::kifu::{self, Loss, Reading, Record, Target};
use crate::text::PaperRemark;
use std::path::{Path, PathBuf};

/// A file, how the record is written in it, and what it was when it was read or written last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paper {
    path: PathBuf,
    target: Target,
    /// Whether all that is in it is in the record: one game, all of it understood.
    is_whole: bool,
    pub(super) stamp: Option<Stamp>,
}

impl Paper {
    /// A file that was read, when it was this.
    pub(super) fn of(path: &Path, reading: &Reading, stamp: Option<Stamp>) -> Self {
        Self {
            path: path.to_owned(),
            // A line of USI has no place for comments.
            target: match reading.target {
                Target::Usi => target_of(path).unwrap_or(Target::Kifu),
                own => own,
            },
            is_whole: reading.games.len() == 1 && reading.warnings.is_empty(),
            stamp,
        }
    }

    /// A file that is to be written.
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), target: target_of(path).unwrap_or(Target::Kifu), is_whole: true, stamp: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) const fn target(&self) -> Target {
        self.target
    }

    pub(super) const fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    pub(super) const fn is_whole(&self) -> bool {
        self.is_whole
    }

    pub(super) fn save(&mut self, record: &Record) -> Result<Vec<Loss>, PaperRemark> {
        let written = kifu::write(record, self.target);
        files::write_whole(&self.path, &written.bytes).map_err(|error| PaperRemark::NotSaved(error.to_string()))?;
        self.stamp = files::stamp(&self.path);
        Ok(written.losses)
    }
}

/// The format that the end of a file's name stands for; `None` for one that stands for none.
pub fn target_of(path: &Path) -> Option<Target> {
    Target::from_name(&path.extension()?.to_str()?.to_ascii_lowercase())
}
