//! Saving the current record: to its own file, or to another one, which then becomes its file.
//!
//! A [`SaveJob`] is checked for a [`SaveConflict`](super::SaveConflict) first ([`OpenFile::conflict`]). If there is one,
//! nothing is written. The save then waits for the user's answer: [`RecordFile::save_despite_conflict`] or
//! [`RecordFile::cancel`].

use super::open_file::{OpenFile, SaveRefusal};
use super::{FileEffect, FileTask, GameList, Pending, RecordEvent, RecordFile};
use crate::kifu::{Loss, Record, Target};
use crate::study::Document;
use crate::text::RecordRemark;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a record is saved to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Save {
    /// To its own file, if it has unsaved changes or the file is missing.
    Own,
    /// To a file from a file dialog, in the format of its extension. An existing file is replaced: the dialog has asked.
    As(PathBuf),
    /// To a path that the user typed. An existing file is a conflict, unless it is the record's own.
    Checked(PathBuf),
    /// To a file, or to the record's own, after the user has confirmed the conflict.
    Confirmed(Option<PathBuf>),
}

impl Save {
    /// The file; `None` for the record's own.
    fn path(&self) -> Option<&Path> {
        match self {
            Self::Own => None,
            Self::As(path) | Self::Checked(path) => Some(path),
            Self::Confirmed(path) => path.as_deref(),
        }
    }
}

/// A save to be carried out, by `effects::files::save`.
#[derive(Debug)]
pub struct SaveJob {
    /// Where to, and what is confirmed.
    pub save: Save,
    /// The record's own file, if it can be saved to.
    pub own: Option<OpenFile>,
    /// The name of the record's own file, for an error; empty where it has none.
    pub own_name: String,
    /// The record.
    pub record: Arc<Record>,
    /// Whether it has unsaved changes.
    pub is_changed: bool,
}

/// The result of a save.
#[derive(Debug)]
pub enum Saved {
    /// The record is saved, as far as the format can hold it.
    Record {
        /// The file, with its new stamp.
        file: OpenFile,
        /// What the format could not hold.
        losses: Vec<Loss>,
    },
    /// Only the position was written: the record is not saved.
    Position(PathBuf),
    /// There was nothing to save.
    Nothing,
}

impl RecordFile {
    /// Starts to save the record. A save in progress is finished first, but one to another file replaces it: the first
    /// may hang.
    pub fn save(&mut self, save: Save, document: &Document) {
        let pending = match std::mem::take(&mut self.task) {
            FileTask::Idle => None,
            FileTask::AskingUnsaved(pending) => Some(pending),
            FileTask::AskingSave { pending, .. } => pending,
            // The file is opened after the save.
            FileTask::Opening { path, .. } => {
                Some(Pending { action: super::PendingAction::Open(path), saves_first: true })
            }
            FileTask::Saving { save: before, pending, .. }
                if save.path().is_some() && save.path() != before.path().or_else(|| self.path()) =>
            {
                pending
            }
            FileTask::Saving { request, save: before, revision, pending, .. } => {
                self.task = FileTask::Saving { request, save: before, revision, pending, again: Some(save) };
                return;
            }
        };
        let request = self.next_request();
        let job = SaveJob {
            save: save.clone(),
            own: self.open_file.clone().filter(OpenFile::was_read_whole),
            own_name: self.path().map(|path| path.display().to_string()).unwrap_or_default(),
            record: document.shared(),
            is_changed: document.is_changed(),
        };
        self.effects.push(FileEffect::Save { request, job: Box::new(job) });
        self.task = FileTask::Saving { request, save, revision: document.revision(), pending, again: None };
    }

    /// Saves before the pending action: the user chose that. Without a file to save to, the question stays until the
    /// user chooses a file.
    ///
    /// # Errors
    /// With a message if the record's file has more in it than the record.
    pub fn save_first(&mut self, document: &Document) -> Result<(), RecordRemark> {
        let FileTask::AskingUnsaved(pending) = &mut self.task else { return Ok(()) };
        pending.saves_first = true;
        if self.can_save() {
            self.save(Save::Own, document);
            return Ok(());
        }
        self.path().map_or(Ok(()), |path| Err(RecordRemark::NotWhole(path.display().to_string())))
    }

    /// Writes the record after the user has confirmed the conflict.
    pub fn save_despite_conflict(&mut self, document: &Document) {
        let FileTask::AskingSave { save, .. } = &self.task else { return };
        let path = save.path().map(Path::to_owned);
        self.save(Save::Confirmed(path), document);
    }

    pub(super) fn on_saved(
        &mut self,
        answered: u64,
        result: Result<Saved, SaveRefusal>,
        document: &Document,
    ) -> Vec<RecordEvent> {
        if !matches!(self.task, FileTask::Saving { request, .. } if request == answered) {
            return Vec::new();
        }
        let FileTask::Saving { save, revision, pending, again, .. } = std::mem::take(&mut self.task) else {
            return Vec::new();
        };
        let mut events = Vec::new();
        match result {
            Ok(Saved::Record { file, losses }) => {
                let name = file.path().display().to_string();
                events.push(RecordEvent::Saved(revision, saved_remark(name, file.target(), &losses)));
                if self.path() != Some(file.path()) || !self.can_save() {
                    // The record's file from now on. The games of its former file are no longer listed.
                    self.game_list = GameList::default();
                }
                self.open_file = Some(file);
                self.watch_file();
                if let Some(pending) = pending.filter(|pending| pending.saves_first) {
                    events.extend(self.proceed(pending, document.revision() == revision));
                }
            }
            Ok(Saved::Position(path)) => {
                events.extend(self.ask_again(pending, document));
                self.watch();
                events.push(RecordEvent::Notice(RecordRemark::PositionSaved(path.display().to_string()).into()));
            }
            Ok(Saved::Nothing) => {
                self.watch();
                match pending.filter(|pending| pending.saves_first) {
                    Some(pending) => events.extend(self.proceed(pending, !document.is_changed())),
                    None => events.push(RecordEvent::Notice(RecordRemark::NothingToSave.into())),
                }
            }
            Err(SaveRefusal::Conflict(conflict)) => {
                self.task = FileTask::AskingSave { conflict, save, pending };
                self.watch();
            }
            Err(SaveRefusal::Failed(why)) => {
                events.extend(self.ask_again(pending, document));
                // A change of the file that was ignored during the save is found again.
                self.watch();
                events.push(RecordEvent::Problem(why.into()));
            }
        }
        if let Some(again) = again
            && matches!(self.task, FileTask::Idle)
            && !events.iter().any(|event| matches!(event, RecordEvent::Proceed(_)))
        {
            self.save(again, document);
        }
        events
    }

    /// Asks again about a pending action after a save that has saved nothing. Without changes the action is returned.
    fn ask_again(&mut self, pending: Option<Pending>, document: &Document) -> Option<RecordEvent> {
        let pending = pending?;
        if !document.is_changed() {
            return Some(RecordEvent::Proceed(pending.action));
        }
        self.task = FileTask::AskingUnsaved(pending);
        None
    }

    /// Returns the pending action if the record is saved. After a change meanwhile, the question is asked again.
    fn proceed(&mut self, pending: Pending, is_saved: bool) -> Option<RecordEvent> {
        if is_saved {
            return Some(RecordEvent::Proceed(pending.action));
        }
        self.task = FileTask::AskingUnsaved(Pending { saves_first: false, ..pending });
        None
    }
}

fn saved_remark(name: String, target: Target, losses: &[Loss]) -> RecordRemark {
    match losses.first() {
        None => RecordRemark::Saved(name),
        Some(loss) => RecordRemark::SavedWithLoss(name, target, loss.clone(), losses.len()),
    }
}
