//! Saving the current record: to its own file, or to another one, which then becomes its file.
//!
//! A save checks for a [`SaveConflict`] first (`OpenFile::conflict`). If there is one, nothing is written. The save then waits for the user's
//! answer: [`RecordFile::save_despite_conflict`] or [`RecordFile::cancel_save`]. [`OpenFile::save`] writes the file.

use super::open_file::{self, OpenFile, SaveConflict, SaveRefusal};
use super::{GameList, RecordFile};
use crate::files;
use crate::kifu::{Loss, Record, Target};
use crate::text::RecordRemark;
use std::path::{Path, PathBuf};

/// The result of writing a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The record is saved, as far as the format can hold it.
    Record(RecordRemark),
    /// Only the position was written: the record is not saved.
    Position(RecordRemark),
}

/// A save that waits for the user's confirmation.
#[derive(Debug)]
pub(super) struct UnconfirmedSave {
    conflict: SaveConflict,
    /// The file to write; `None` for the record's own.
    path: Option<PathBuf>,
}

impl RecordFile {
    /// Whether the record can be saved to its own file. It cannot if it has no file, or if the file contains more than
    /// was read, which would be lost.
    pub fn can_save(&self) -> bool {
        self.open_file.as_ref().is_some_and(OpenFile::was_read_whole)
    }

    /// Writes the record to its own file, or to `path` in the format of its extension. An existing file at `path` is
    /// replaced. Returns `None` if the user has to confirm a [conflict](Self::save_conflict) first.
    ///
    /// # Errors
    /// With a message if the file cannot be written. It is then unchanged.
    pub fn save(&mut self, path: Option<&Path>, record: &Record) -> Result<Option<SaveOutcome>, RecordRemark> {
        self.write(path, record, false)
    }

    /// Saves to a path as [`save`](Self::save) does, but an existing file there is a conflict, unless it is the
    /// record's own. For a path that the user typed: a file dialog has asked about an existing file already.
    ///
    /// # Errors
    /// As [`save`](Self::save).
    pub fn save_checked(&mut self, path: &Path, record: &Record) -> Result<Option<SaveOutcome>, RecordRemark> {
        let is_own =
            self.open_file.as_ref().is_some_and(|file| file.was_read_whole() && files::is_same(file.path(), path));
        if is_own {
            return self.save(None, record);
        }
        if path.exists() {
            let conflict = SaveConflict::FileExists(path.display().to_string());
            self.unconfirmed_save = Some(UnconfirmedSave { conflict, path: Some(path.to_owned()) });
            return Ok(None);
        }
        self.save(Some(path), record)
    }

    /// The conflict that the user has to confirm before the record is written.
    pub fn save_conflict(&self) -> Option<&SaveConflict> {
        self.unconfirmed_save.as_ref().map(|save| &save.conflict)
    }

    /// Writes the record after the user has confirmed the conflict. Returns `None` if there is none.
    ///
    /// # Errors
    /// As [`save`](Self::save).
    pub fn save_despite_conflict(&mut self, record: &Record) -> Result<Option<SaveOutcome>, RecordRemark> {
        let Some(save) = self.unconfirmed_save.take() else { return Ok(None) };
        self.write(save.path.as_deref(), record, true)
    }

    /// Drops the save with a conflict: the user has not confirmed it.
    pub fn cancel_save(&mut self) {
        self.unconfirmed_save = None;
    }

    fn write(
        &mut self,
        path: Option<&Path>,
        record: &Record,
        is_confirmed: bool,
    ) -> Result<Option<SaveOutcome>, RecordRemark> {
        // A new attempt to save drops the one before.
        self.unconfirmed_save = None;
        let mut other_file = path.map(OpenFile::new);
        let own_file = self.open_file.as_mut().filter(|file| file.was_read_whole());
        let not_whole = || RecordRemark::NotWhole(String::new());
        let file = other_file.as_mut().or(own_file).ok_or_else(not_whole)?;
        let (name, target) = (file.path().display().to_string(), file.target());
        let is_position = open_file::is_position_format(target) && !record.is_empty();
        // The losses of a position file need no confirmation: the message states that the record is not saved.
        match file.save(record, is_confirmed || is_position) {
            Ok(_) if is_position => Ok(Some(SaveOutcome::Position(RecordRemark::PositionSaved(name)))),
            Ok(losses) => {
                if other_file.is_some() {
                    // The record's file from now on. The games of its former file are no longer listed.
                    (self.open_file, self.game_list) = (other_file, GameList::default());
                }
                self.watch_file();
                Ok(Some(SaveOutcome::Record(saved_remark(name, target, &losses))))
            }
            Err(SaveRefusal::Conflict(conflict)) => {
                self.unconfirmed_save = Some(UnconfirmedSave { conflict, path: path.map(Path::to_owned) });
                Ok(None)
            }
            Err(SaveRefusal::Failed(why)) => Err(why),
        }
    }
}

fn saved_remark(name: String, target: Target, losses: &[Loss]) -> RecordRemark {
    match losses.first() {
        None => RecordRemark::Saved(name),
        Some(loss) => RecordRemark::SavedWithLoss(name, target, loss.clone(), losses.len()),
    }
}
