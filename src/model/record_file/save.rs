//! Saving the current record: to its file, or to another file, which then becomes the record's file.
//!
//! [`SaveJob::prepare`] checks for a [`SaveConflict`] first. If there is one, nothing is written. The save then waits
//! for the user's answer: [`RecordFile::save_despite_conflict`] or [`RecordFile::cancel_question`].

use super::open_file::{OpenFile, SaveConflict, SaveRefusal, is_position_format};
use super::{DeferredAction, FileEffect, FileTask, GameList, RecordEvent, RecordFile, RequestNumber};
use shogibar_files::FileStamp;
use shogibar_games::RecordRemark;
use shogibar_games::study::Document;
use shogibar_kifu::{Loss, Record, Target};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A request to save the record: the target, and what the user has confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveRequest {
    /// Save to the record's file, if the record has unsaved changes or the file is missing.
    Current,
    /// Save to a file from a file dialog, in the format of its extension. An existing file is replaced: the dialog has
    /// asked.
    As(PathBuf),
    /// Save to a path that the user typed. An existing file is a conflict, unless it is the record's file.
    Checked(PathBuf),
    /// Save after the user has confirmed the conflict. `None` is the record's file.
    Confirmed(Option<PathBuf>),
}

impl SaveRequest {
    /// Returns the path of the target; `None` for the record's file.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Current => None,
            Self::As(path) | Self::Checked(path) => Some(path),
            Self::Confirmed(path) => path.as_deref(),
        }
    }
}

/// A save to be carried out, by `effects::files::save`.
#[derive(Debug)]
pub struct SaveJob {
    /// The target, and the confirmed conflicts.
    save: SaveRequest,
    file: Option<OpenFile>,
    /// The path of the record's file, for an error message; empty if there is none.
    file_name: String,
    /// The record only, or all games to select from.
    games: Vec<Arc<Record>>,
    /// The index of the record in `games`.
    current_index: usize,
    /// Whether the record would be lost: see [`RecordFile::is_unsaved`].
    is_unsaved: bool,
}

/// The queries about files on which the result of a save depends.
pub trait Disk {
    /// Returns whether a file or folder exists at this path.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the stamp of a file; `None` if there is no file.
    fn stamp(&self, path: &Path) -> Option<FileStamp>;

    /// Returns whether two paths lead to the same file.
    fn is_same(&self, one: &Path, other: &Path) -> bool;
}

/// A save that is ready to be written: nothing has to be confirmed.
#[derive(Debug)]
pub struct PreparedSave {
    file: OpenFile,
    bytes: Vec<u8>,
    losses: Vec<Loss>,
    /// Whether the format holds a position, and not the record's moves.
    is_position: bool,
}

impl SaveJob {
    /// Decides which file is written in which format, and whether the user has to confirm it. Returns `None` if there
    /// is nothing to save.
    ///
    /// # Errors
    /// Fails with a conflict that the user has to confirm, or if there is no file to save to.
    pub fn prepare(self, disk: &impl Disk) -> Result<Option<PreparedSave>, SaveRefusal> {
        let Self {
            save,
            file,
            file_name,
            games,
            current_index: current,
            is_unsaved,
        } = self;
        let (path, is_confirmed) = match save {
            SaveRequest::Current
                if !is_unsaved && file.as_ref().is_some_and(|file| disk.exists(file.path())) =>
            {
                return Ok(None);
            }
            SaveRequest::Current => (None, false),
            SaveRequest::Checked(path)
                if file.as_ref().is_some_and(|file| disk.is_same(file.path(), &path)) =>
            {
                (None, false)
            }
            SaveRequest::Checked(path) if disk.exists(&path) => {
                return Err(SaveRefusal::Conflict(SaveConflict::FileExists(
                    path.display().to_string(),
                )));
            }
            SaveRequest::As(path) | SaveRequest::Checked(path) => (Some(path), false),
            SaveRequest::Confirmed(path) => (path, true),
        };
        let other = path.map(|path| OpenFile::new(&path, disk.stamp(&path)));
        let file = other
            .or(file)
            .ok_or(SaveRefusal::Failed(RecordRemark::NotWhole(file_name)))?;
        let is_position =
            is_position_format(file.target()) && games.get(current).is_some_and(|record| !record.is_empty());
        let written = shogibar_kifu::write_games(&games, current, file.target());
        // The losses of a position file need no confirmation, because the message states that the record is not saved.
        if !is_confirmed
            && !is_position
            && let Some(conflict) = file.conflict(disk.stamp(file.path()), &written.losses)
        {
            return Err(SaveRefusal::Conflict(conflict));
        }
        Ok(Some(PreparedSave {
            file,
            bytes: written.bytes,
            losses: written.losses,
            is_position,
        }))
    }
}

impl PreparedSave {
    /// Returns the path of the file that is written.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns the bytes to write.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the outcome once the bytes are written. `stamp` is the new stamp of the file.
    pub fn into_outcome(self, stamp: Option<FileStamp>) -> SaveOutcome {
        let Self {
            mut file,
            losses,
            is_position,
            ..
        } = self;
        if is_position {
            return SaveOutcome::Position(file.path().to_owned());
        }
        file.set_written(stamp, &losses);
        SaveOutcome::Record { file, losses }
    }
}

/// The outcome of a save that succeeded.
#[derive(Debug)]
pub enum SaveOutcome {
    /// The record is saved, except for its losses.
    Record {
        /// The file, with its new stamp.
        file: OpenFile,
        /// The losses of the format.
        losses: Vec<Loss>,
    },
    /// Only the position was written: the record is not saved.
    Position(PathBuf),
    /// There was nothing to save.
    Nothing,
}

impl RecordFile {
    /// Starts to save the record. A save in progress is finished first. A save to another file does not wait for it,
    /// because the first may hang.
    pub fn save(&mut self, save: SaveRequest, document: &Document) {
        let pending = match std::mem::take(&mut self.task) {
            FileTask::Idle => None,
            FileTask::AskingUnsaved(pending) => Some(pending),
            FileTask::AskingSave { pending, .. } => pending,
            // The file that is being read is opened after the save.
            FileTask::Opening { path, .. } => Some(DeferredAction {
                action: super::PendingAction::Open(path),
                saves_first: true,
            }),
            FileTask::Saving {
                save: before,
                pending,
                ..
            } if save.path().is_some() && save.path() != before.path().or_else(|| self.path()) => pending,
            FileTask::Saving {
                request,
                save: before,
                revision,
                pending,
                ..
            } => {
                self.task = FileTask::Saving {
                    request,
                    save: before,
                    revision,
                    pending,
                    next_save: Some(save),
                };
                return;
            }
        };
        let request = self.next_request_number();
        let (games, current) = self.games(document);
        let job = SaveJob {
            save: save.clone(),
            file: self.open_file.clone().filter(OpenFile::was_read_whole),
            file_name: self
                .path()
                .map(|path| path.display().to_string())
                .unwrap_or_default(),
            games,
            current_index: current,
            is_unsaved: self.is_unsaved(document),
        };
        self.effects.push(FileEffect::Save {
            request,
            job: Box::new(job),
        });
        self.task = FileTask::Saving {
            request,
            save,
            revision: document.revision(),
            pending,
            next_save: None,
        };
    }

    /// Saves the record before the pending action, as the user chose. Without a file, the question stays until the user
    /// chooses one.
    ///
    /// # Errors
    /// Fails with a message if the record's file has more content than the record.
    pub fn save_first(&mut self, document: &Document) -> Result<(), RecordRemark> {
        let FileTask::AskingUnsaved(pending) = &mut self.task else {
            return Ok(());
        };
        pending.saves_first = true;
        if self.can_save() {
            self.save(SaveRequest::Current, document);
            return Ok(());
        }
        self.path().map_or(Ok(()), |path| {
            Err(RecordRemark::NotWhole(path.display().to_string()))
        })
    }

    /// Writes the record after the user has confirmed the conflict.
    pub fn save_despite_conflict(&mut self, document: &Document) {
        let FileTask::AskingSave { save, .. } = &self.task else {
            return;
        };
        let path = save.path().map(Path::to_owned);
        self.save(SaveRequest::Confirmed(path), document);
    }

    /// Applies the result of a save, and begins the save that was requested meanwhile. Returns the changes, and the
    /// action that has waited.
    pub(super) fn on_saved(
        &mut self,
        answered: RequestNumber,
        result: Result<SaveOutcome, SaveRefusal>,
        document: &Document,
    ) -> Vec<RecordEvent> {
        let (save, revision, pending, next_save) = match std::mem::take(&mut self.task) {
            FileTask::Saving {
                request,
                save,
                revision,
                pending,
                next_save,
            } if request == answered => (save, revision, pending, next_save),
            // The result of a save that was replaced by another one is ignored.
            other => {
                self.task = other;
                return Vec::new();
            }
        };
        let mut events = Vec::new();
        match result {
            // Only one of several games was written, so the games count as unsaved.
            Ok(SaveOutcome::Record { file, losses })
                if losses.iter().any(|loss| matches!(loss, Loss::Games(_))) =>
            {
                let name = file.path().display().to_string();
                events.push(RecordEvent::Notice(
                    saved_remark(name, file.target(), &losses).into(),
                ));
                events.extend(pending.and_then(|pending| self.proceed(pending, !self.is_unsaved(document))));
                self.request_watch();
            }
            Ok(SaveOutcome::Record { file, losses }) => {
                let name = file.path().display().to_string();
                events.push(RecordEvent::Saved(
                    revision,
                    saved_remark(name, file.target(), &losses),
                ));
                if !self.keeps_list() && (self.path() != Some(file.path()) || !self.can_save()) {
                    // The record has another file now, so the games of the former file are no longer listed.
                    self.game_list = GameList::default();
                }
                let is_whole = losses.is_empty()
                    && document.revision() == revision
                    && self.game_list.titles().is_empty();
                self.record_on_disk = is_whole.then(|| document.shared_record());
                self.open_file = Some(file);
                self.is_only_here = false;
                self.watch_file();
                if let Some(pending) = pending.filter(|pending| pending.saves_first) {
                    let pending = DeferredAction {
                        saves_first: false,
                        ..pending
                    };
                    events.extend(self.proceed(pending, document.revision() == revision));
                }
            }
            Ok(SaveOutcome::Position(path)) => {
                events.extend(pending.and_then(|pending| self.proceed(pending, !self.is_unsaved(document))));
                self.request_watch();
                events.push(RecordEvent::Notice(
                    RecordRemark::PositionSaved(path.display().to_string()).into(),
                ));
            }
            Ok(SaveOutcome::Nothing) => {
                self.request_watch();
                match pending.filter(|pending| pending.saves_first) {
                    Some(pending) => {
                        let pending = DeferredAction {
                            saves_first: false,
                            ..pending
                        };
                        events.extend(self.proceed(pending, !self.is_unsaved(document)));
                    }
                    None => events.push(RecordEvent::Notice(RecordRemark::NothingToSave.into())),
                }
            }
            Err(SaveRefusal::Conflict(conflict)) => {
                self.task = FileTask::AskingSave {
                    conflict,
                    save,
                    pending,
                };
                self.request_watch();
            }
            Err(SaveRefusal::Failed(why)) => {
                events.extend(pending.and_then(|pending| self.proceed(pending, !self.is_unsaved(document))));
                // Watching begins again, so that a change that was ignored during the save is found.
                self.request_watch();
                events.push(RecordEvent::Problem(why.into()));
            }
        }
        if let Some(next_save) = next_save
            && matches!(self.task, FileTask::Idle)
            && !events
                .iter()
                .any(|event| matches!(event, RecordEvent::Proceed(_)))
        {
            self.save(next_save, document);
        }
        events
    }

    /// Returns the event to carry out the pending action, if all is saved. Otherwise asks the user again.
    fn proceed(&mut self, pending: DeferredAction, is_saved: bool) -> Option<RecordEvent> {
        if is_saved {
            return Some(RecordEvent::Proceed(pending.action));
        }
        self.task = FileTask::AskingUnsaved(pending);
        None
    }
}

fn saved_remark(name: String, target: Target, losses: &[Loss]) -> RecordRemark {
    match losses.first() {
        None => RecordRemark::Saved(name),
        Some(loss) => RecordRemark::SavedWithLoss(name, target, loss.clone(), losses.len()),
    }
}
