//! The file that an analysis keeps beside the record it is to write, until that is written.

use super::journal::{self, KnownResults};
use super::{Finding, FindingKind};
use crate::files::{self, Appender, WriteError};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What has been found so far, in a file. One with nothing in it is not left behind.
#[derive(Debug)]
pub struct StateFile {
    file: Appender,
    is_empty: bool,
}

/// Why nothing can be kept.
#[derive(Debug, Error)]
pub enum StateError {
    /// Another analysis of the same record is under way, and has this file.
    #[error("another analysis is at work on it: {} is in use", .0.display())]
    Busy(PathBuf),
    /// The file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] StateUnwritable),
}

/// The file cannot be written, by its path.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct StateUnwritable(#[from] WriteError);

impl StateUnwritable {
    /// Which file, and why.
    pub(crate) const fn file(&self) -> &WriteError {
        &self.0
    }
}

impl StateFile {
    /// Where the file of a record stands: `.game.kif.analysis` beside `game.kif`, whatever links lead there.
    pub fn path(record: &Path) -> PathBuf {
        let record = record.canonicalize().unwrap_or_else(|_not_there_yet| record.to_owned());
        let name = record.file_name().unwrap_or_default();
        let parts: [&OsStr; 3] = [".".as_ref(), name, ".analysis".as_ref()];
        record.with_file_name(parts.into_iter().collect::<OsString>())
    }

    /// Opens the file of a record, or makes one, and says what an earlier run has left in it.
    ///
    /// # Errors
    /// When another analysis has it, it is no such file, or it cannot be written.
    pub fn open(record: &Path) -> Result<(Self, KnownResults), StateError> {
        let path = Self::path(record);
        let opened = Appender::open(&path, journal::MAX_BYTES).map_err(StateUnwritable)?;
        let (file, bytes) = opened.ok_or(StateError::Busy(path))?;
        if journal::is_foreign(&bytes) {
            return Err(StateUnwritable(WriteError::new(file.path(), files::WriteRefusal::Foreign.into())).into());
        }
        // Whoever has the file is the only one who writes the record.
        files::remove_leftovers(&record.canonicalize().unwrap_or_else(|_not_there_yet| record.to_owned()));
        Ok((Self { file, is_empty: bytes.is_empty() }, journal::read(&bytes)))
    }

    /// Adds what was found. It is safe on the disk when this returns.
    ///
    /// # Errors
    /// Why it cannot be written; what was kept before stays.
    pub fn keep(&mut self, findings: &[Finding]) -> Result<(), StateUnwritable> {
        let lines = findings.iter().map(|finding| match &finding.said {
            FindingKind::Judged(judgement) => journal::write(finding.key, judgement),
            FindingKind::Known(_) | FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => {
                String::new()
            }
        });
        let lines = lines.collect::<String>();
        if lines.is_empty() {
            return Ok(());
        }
        self.file.add(lines.as_bytes())?;
        self.is_empty = false;
        Ok(())
    }

    /// Removes what the record has now: what was found by engines of these [signatures](super::signature). What
    /// others have found, in an analysis that was not done, stays for that.
    ///
    /// # Errors
    /// Why it cannot be removed.
    pub fn finish(mut self, signatures: &[&str]) -> Result<(), StateUnwritable> {
        self.is_empty = false;
        let rest = journal::without(&self.file.read(journal::MAX_BYTES)?, signatures);
        if rest.is_empty() { Ok(self.file.remove()?) } else { Ok(self.file.replace(&rest)?) }
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        if self.is_empty {
            let _stays_and_does_no_harm = self.file.remove();
        }
    }
}
