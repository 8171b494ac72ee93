//! The state file of an analysis, which stays next to the record until the results are written into the record. The
//! thread of the analysis stores each result there before it begins the next search, so a kill loses at most the
//! position that each engine searches.

use super::journal::{self, KnownResults};
use super::{Finding, FindingKind};
use shogibar_base::file_error::WriteError;
use shogibar_base::threads::lock;
use shogibar_files::Appender;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use thiserror::Error;

/// The state file with the findings so far. Dropping removes an empty file.
#[derive(Debug)]
pub struct StateFile {
    file: Appender,
    is_empty: bool,
}

/// An error of the state file.
#[derive(Debug, Error)]
pub enum StateError {
    /// Another analysis of the same record uses the file with this path.
    #[error("another analysis is at work on it: {} is in use", .0.display())]
    Busy(PathBuf),
    /// The file cannot be written.
    #[error(transparent)]
    Unwritable(#[from] StateWriteError),
}

/// The error of a state file that cannot be written.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct StateWriteError(#[from] WriteError);

impl StateWriteError {
    /// Returns the path of the file and the reason.
    pub const fn file(&self) -> &WriteError {
        &self.0
    }
}

impl StateFile {
    /// Returns the path of the state file of a record: `.game.kif.analysis` next to `game.kif`. Symbolic links are
    /// resolved.
    pub fn path(record: &Path) -> PathBuf {
        let record = record
            .canonicalize()
            .unwrap_or_else(|_not_there_yet| record.to_owned());
        let name = record.file_name().unwrap_or_default();
        let parts: [&OsStr; 3] = [".".as_ref(), name, ".analysis".as_ref()];
        record.with_file_name(parts.into_iter().collect::<OsString>())
    }

    /// Opens the state file of a record, or creates one. Returns the file and the results of an earlier run.
    ///
    /// # Errors
    /// Fails if another analysis uses the file, if it is not a state file, or if it cannot be written.
    pub fn open(record: &Path) -> Result<(Self, KnownResults), StateError> {
        let path = Self::path(record);
        let opened = Appender::open(&path, journal::MAX_BYTES).map_err(StateWriteError)?;
        let (file, bytes) = opened.ok_or(StateError::Busy(path))?;
        if journal::is_foreign(&bytes) {
            return Err(StateWriteError(WriteError::new(
                file.path(),
                shogibar_base::file_error::WriteRefusal::Foreign.into(),
            ))
            .into());
        }
        // This analysis has the state file, so no other one writes the record: remaining temporary files are not in
        // use.
        shogibar_files::remove_leftovers(
            &record
                .canonicalize()
                .unwrap_or_else(|_not_there_yet| record.to_owned()),
        );
        Ok((
            Self {
                file,
                is_empty: bytes.is_empty(),
            },
            journal::read(&bytes),
        ))
    }

    /// Appends the results of the searches among the findings. When this returns, the results are safe on the disk.
    /// Fails if the file cannot be written; earlier results stay.
    fn append<'a>(&mut self, findings: impl IntoIterator<Item = &'a Finding>) -> Result<(), StateWriteError> {
        let lines = findings.into_iter().map(|finding| match &finding.outcome {
            FindingKind::Searched(result) => journal::write(finding.key, result),
            FindingKind::Known(_)
            | FindingKind::Skipped
            | FindingKind::Nothing
            | FindingKind::GivenUp(..) => String::new(),
        });
        let lines = lines.collect::<String>();
        if lines.is_empty() {
            return Ok(());
        }
        self.file.append_synced(lines.as_bytes())?;
        self.is_empty = false;
        Ok(())
    }

    /// Removes the results with these [signatures](super::signature), because the record has them now. Results of other
    /// engines stay for their unfinished analysis.
    ///
    /// # Errors
    /// Fails if the file cannot be removed or replaced.
    pub fn finish(mut self, signatures: &[&str]) -> Result<(), StateWriteError> {
        self.is_empty = false;
        let rest = journal::remove_results(&self.file.read(journal::MAX_BYTES)?, signatures);
        if rest.is_empty() {
            Ok(self.file.remove()?)
        } else {
            Ok(self.file.replace(&rest)?)
        }
    }
}

/// The state files of the games of an analysis. Clones share the files.
#[derive(Clone, Debug, Default)]
pub struct StateFiles(Arc<Mutex<OpenStateFiles>>);

#[derive(Debug, Default)]
struct OpenStateFiles {
    /// The files by the number of the game.
    files: BTreeMap<usize, StateFile>,
    /// The first error since the last call of [`StateFiles::check`].
    error: Option<StateWriteError>,
}

impl StateFiles {
    /// Adds the file of the game with this number.
    pub fn add(&self, game: usize, file: StateFile) {
        lock(&self.0).files.insert(game, file);
    }

    /// Removes and returns the file of a game; `None` if the game has none.
    pub fn take(&self, game: usize) -> Option<StateFile> {
        lock(&self.0).files.remove(&game)
    }

    /// Stores findings in the files of their games. An error is returned by the next [`check`](Self::check).
    pub fn store(&self, findings: &[Finding]) {
        let OpenStateFiles { files, error } = &mut *lock(&self.0);
        for (number, file) in files {
            let of_game = findings.iter().filter(|finding| finding.game == *number);
            if let Err(why) = file.append(of_game) {
                error.get_or_insert(why);
            }
        }
    }

    /// Returns the first error of [`store`](Self::store) since the last call.
    ///
    /// # Errors
    /// Fails if a file could not be written.
    pub fn check(&self) -> Result<(), StateWriteError> {
        lock(&self.0).error.take().map_or(Ok(()), Err)
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        if self.is_empty {
            let _stays_and_does_no_harm = self.file.remove();
        }
    }
}
