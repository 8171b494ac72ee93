//! The file of the current record: opening, saving, watching for writes of other programs, and autosave.
//!
//! - `save`: the record is written to its file, or to another one.
//! - `open_file`: one file, with its format and the conditions for writing it.
//! - `file_worker`: the thread that reads files, watches the current one, and autosaves. Saving is done by the caller.
//! - `game_list`, `recent`: the games and files to select from, and the recently opened files.

mod file_worker;
mod game_list;
mod open_file;
mod recent;
mod save;
#[cfg(test)]
mod tests;

use crate::files::{self, FileStamp};
use crate::kifu::{self, ReadGames, Record, Warning};
use crate::store::Store;
use crate::text::visible::visible;
use crate::text::{Message, RecordRemark};
use file_worker::{FileEvent, FileWorker};
use game_list::{GameEntry, GameList};
use open_file::OpenFile;
use recent::RecentFiles;
use save::UnconfirmedSave;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use file_worker::{OriginalFile, RecoverableRecord};
pub use open_file::{SaveConflict, target_of};
pub use save::SaveOutcome;

/// A callback, called from another thread when [`RecordFile::poll`] has new events.
pub type WakeFn = Arc<dyn Fn() + Send + Sync>;

/// An action that ends the work on the current record. If it has unsaved changes, the user is asked first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingAction {
    /// Open a file.
    Open(PathBuf),
    /// Open the first of several files, and list the others.
    OpenAll(Vec<PathBuf>),
    /// Select another game or file of the list, by its index.
    Select(usize),
    /// Show another record.
    Show(Box<Record>),
    /// End the program.
    Quit,
}

/// A change to the current record that comes from its file.
#[derive(Debug)]
pub enum RecordEvent {
    /// Another record was opened, with a message for the user where there is one.
    Opened(Arc<Record>, Option<Message>),
    /// A record was recovered from this autosave copy. It has unsaved changes.
    Recovered(Record, PathBuf),
    /// The file was changed by another program: the new record.
    Reloaded(Record),
    /// A message for the user.
    Notice(Message),
}

/// The file of the current record, its autosave copy and the list of opened games.
#[derive(Debug)]
pub struct RecordFile {
    /// The record's file; `None` if it has none.
    open_file: Option<OpenFile>,
    /// The worker thread; `None` if the system cannot start one.
    worker: Option<FileWorker>,
    /// The file that is being opened.
    opening: Option<Opening>,
    /// The action that waits for the user's answer about unsaved changes.
    pending: Option<PendingAction>,
    /// Whether the user chose to save before the pending action. Saving may raise another question.
    saves_first: bool,
    /// The save that waits for the user's confirmation.
    unconfirmed_save: Option<UnconfirmedSave>,
    /// Whether another program has changed the file, and unsaved changes keep the record from being reloaded.
    is_changed_on_disk: bool,
    game_list: GameList,
    recent: RecentFiles,
    /// The folder of the autosave copies.
    autosave_folder: Option<PathBuf>,
    /// The records of programs that ended abnormally, with unsaved changes.
    recoverable: Vec<RecoverableRecord>,
}

/// A file that the worker thread reads, to be opened.
#[derive(Debug)]
struct Opening {
    path: PathBuf,
    /// The revision of the current record when the file was requested.
    revision: u64,
}

impl RecordFile {
    /// Creates the state. The store, where there is one, has the autosave folder and the list of recent files.
    pub fn new(store: Option<&Store>, wake: WakeFn) -> Self {
        let autosave_folder = store.map(Store::unsaved_folder);
        let recent = RecentFiles::new(store.map(Store::recent_file));
        let recoverable = autosave_folder.as_deref().map(file_worker::recoverable_records).unwrap_or_default();
        let worker = FileWorker::start(autosave_folder.clone(), wake).ok();
        Self {
            open_file: None,
            worker,
            opening: None,
            pending: None,
            saves_first: false,
            unconfirmed_save: None,
            is_changed_on_disk: false,
            game_list: GameList::default(),
            recent,
            autosave_folder,
            recoverable,
        }
    }

    /// The file; `None` if the record has none.
    pub fn path(&self) -> Option<&Path> {
        self.open_file.as_ref().map(OpenFile::path)
    }

    /// The file's name, with control characters made visible.
    pub fn name(&self) -> Option<String> {
        let name = self.path()?.file_name()?;
        Some(visible(&name.to_string_lossy()).into_owned())
    }

    /// The file to suggest for saving: the record's own, or one beside it where the format holds no moves.
    pub fn suggested_path(&self) -> PathBuf {
        let Some(path) = self.path() else { return PathBuf::from("shogibar.kifu") };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let is_position = open_file::target_of(&path).is_some_and(open_file::is_position_format);
        if is_position { path.with_extension("kifu") } else { path }
    }

    /// The recently opened files, the latest first.
    pub fn recent(&self) -> &[PathBuf] {
        self.recent.files()
    }

    /// Requests an action that ends the work on the record. Returns it at once if there are no unsaved changes.
    ///
    /// Else the action waits for the user's answer.
    pub fn request(&mut self, action: PendingAction, is_changed: bool) -> Option<PendingAction> {
        self.saves_first = false;
        if is_changed {
            self.pending = Some(action);
            return None;
        }
        Some(action)
    }

    /// Whether the user is being asked about unsaved changes.
    pub const fn is_asking(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether the user is being asked because the program is to end.
    pub fn is_quitting(&self) -> bool {
        self.pending == Some(PendingAction::Quit)
    }

    /// Notes the answer to save before the pending action. [`on_saved`](Self::on_saved) then returns the action.
    pub const fn note_save_first(&mut self) {
        self.saves_first = true;
    }

    /// Ends the question about unsaved changes after a save. Returns the pending action if the user chose to save
    /// before it. After any other save it is dropped.
    pub fn on_saved(&mut self) -> Option<PendingAction> {
        let saves_first = self.saves_first;
        self.take_pending().filter(|_| saves_first)
    }

    /// Removes and returns the pending action: the user has chosen to discard the changes, or to cancel.
    pub const fn take_pending(&mut self) -> Option<PendingAction> {
        self.saves_first = false;
        self.pending.take()
    }

    /// Starts to read a file on the worker thread. `revision` is that of the current record.
    pub fn open(&mut self, path: &Path, revision: u64) {
        self.opening = Some(Opening { path: path.to_owned(), revision });
        if let Some(worker) = &self.worker {
            worker.read(path);
        }
    }

    /// Starts to read the first of several files, and lists the others.
    pub fn open_all(&mut self, files: Vec<PathBuf>, revision: u64) {
        let Some(first) = files.first().cloned() else { return };
        self.game_list = GameList::from_files(files);
        self.open(&first, revision);
    }

    /// The file that is being opened.
    pub fn opening_path(&self) -> Option<&Path> {
        self.opening.as_ref().map(|opening| opening.path.as_path())
    }

    /// Sets a file that has been read as the file of the record, with the stamp it had then. Returns its first game
    /// and the warnings.
    pub(super) fn set_opened(
        &mut self,
        path: &Path,
        read: ReadGames,
        stamp: Option<FileStamp>,
    ) -> Option<(Arc<Record>, Vec<Warning>)> {
        self.open_file = Some(OpenFile::from_read_games(path, &read, stamp));
        self.unconfirmed_save = None;
        self.watch_file();
        let games: Vec<_> = read.games.into_iter().map(Arc::new).collect();
        self.game_list.add_games(path, &games);
        Some((games.into_iter().next()?, read.warnings))
    }

    /// Detaches the current record from its file.
    pub fn detach(&mut self) {
        (self.open_file, self.game_list, self.unconfirmed_save) = (None, GameList::default(), None);
        self.watch_file();
    }

    /// Adds files to the list of games.
    pub fn add_files(&mut self, files: &[PathBuf]) {
        self.game_list.add(files);
    }

    /// The titles of the listed games or files, and the index of the current one. Empty where there is only one.
    pub fn game_titles(&self) -> (&[String], usize) {
        (self.game_list.titles(), self.game_list.at())
    }

    /// Selects an entry of the list by its index. Returns a game; a file is read first instead.
    pub fn select(&mut self, at: usize, revision: u64) -> Option<Arc<Record>> {
        match self.game_list.select(at)? {
            GameEntry::Game(game) => {
                self.unconfirmed_save = None;
                Some(game)
            }
            GameEntry::File(path) => {
                self.open(&path, revision);
                None
            }
        }
    }

    /// Watches the record's file for later changes, and lists it as recent. Without a file, nothing is watched.
    fn watch_file(&mut self) {
        self.is_changed_on_disk = false;
        if let Some(file) = &self.open_file {
            self.recent.add(file.path());
        }
        if let Some(worker) = &self.worker {
            worker.watch_file(self.open_file.as_ref().map(|file| (file.path().to_owned(), file.stamp())));
        }
    }

    /// Whether another program has changed the file, and unsaved changes keep the record from being reloaded.
    pub const fn is_changed_on_disk(&self) -> bool {
        self.is_changed_on_disk
    }

    /// Autosaves the unsaved record. `None` deletes the autosave copy, as there are no unsaved changes.
    pub fn autosave(&self, record: Option<Arc<Record>>) {
        if let Some(worker) = &self.worker {
            let original = self.open_file.as_ref().map(OriginalFile::from_open_file);
            worker.autosave(record.map(|record| (record, original)));
        }
    }

    /// The records of programs that ended abnormally, with unsaved changes.
    pub fn recoverable(&self) -> &[RecoverableRecord] {
        &self.recoverable
    }

    /// The number of recoverable records, and the name of the first one's file; `None` where there are none.
    pub fn recovery_summary(&self) -> Option<(usize, Option<String>)> {
        let name = self.recoverable.first()?.original.as_ref().and_then(|original| original.path.file_name());
        Some((self.recoverable.len(), name.map(|name| visible(&name.to_string_lossy()).into_owned())))
    }

    /// Marks a record as recovered, by its autosave copy. The copy is deleted if the record is autosaved again.
    pub fn mark_recovered(&mut self, copy: PathBuf) {
        self.recoverable.retain(|found| found.copy != copy);
        if let Some(worker) = &self.worker {
            worker.delete_recovered(copy);
        }
    }

    /// Deletes all recoverable records, as the user does not want them.
    pub fn discard_recoverable(&mut self) {
        for found in std::mem::take(&mut self.recoverable) {
            file_worker::delete_copy(&found.copy);
        }
    }

    /// Returns the events since the last call. `unsaved_revision` is the record's revision if it has unsaved changes.
    pub fn poll(&mut self, unsaved_revision: Option<u64>) -> Vec<RecordEvent> {
        let events = self.worker.as_ref().map(FileWorker::poll_events).unwrap_or_default();
        let autosave_error = self.worker.as_ref().and_then(FileWorker::autosave_error);
        let notice = autosave_error.map(|why| RecordEvent::Notice(RecordRemark::NotAutosaved(why).into()));
        events.into_iter().filter_map(|event| self.on_file_event(event, unsaved_revision)).chain(notice).collect()
    }

    fn on_file_event(&mut self, event: FileEvent, unsaved_revision: Option<u64>) -> Option<RecordEvent> {
        if event.is_reload {
            self.on_reloaded(event, unsaved_revision.is_some())
        } else {
            self.on_opened(event, unsaved_revision)
        }
    }

    fn on_opened(&mut self, event: FileEvent, unsaved_revision: Option<u64>) -> Option<RecordEvent> {
        let FileEvent { path, result, stamp, is_reload: _ } = event;
        // Ignored: another file was requested since.
        let requested = self.opening.take_if(|opening| opening.path == path)?;
        // The record was changed while the file was read: the user is asked, then the file is read again.
        if unsaved_revision.is_some_and(|revision| revision != requested.revision) {
            self.pending = Some(PendingAction::Open(path));
            return None;
        }
        let read = match result {
            Ok(read) => read,
            Err(why) => return Some(RecordEvent::Notice(*why)),
        };
        if self.autosave_folder.as_deref().is_some_and(|folder| path.starts_with(folder)) {
            return self.recover(path, read);
        }
        let (record, warnings) = self.set_opened(&path, read, stamp)?;
        let first = warnings.first().cloned();
        Some(RecordEvent::Opened(record, first.map(|first| Message::RecordWarnings(warnings.len(), first))))
    }

    /// Attaches the record of an autosave copy to the user's file that it was read from or saved to.
    fn recover(&mut self, copy: PathBuf, read: ReadGames) -> Option<RecordEvent> {
        self.detach();
        let found = self.recoverable.iter().find(|found| found.copy == copy);
        self.open_file = found.and_then(|found| found.original.as_ref()).map(OpenFile::from_original);
        // Without a stamp, a change of the file cannot be detected.
        if self.open_file.as_ref().is_some_and(|file| file.stamp().is_some()) {
            self.watch_file();
        }
        let (record, _warnings) = read.into_first()?;
        Some(RecordEvent::Recovered(record, copy))
    }

    /// Replaces the record by that of its changed file, unless the record has unsaved changes.
    fn on_reloaded(&mut self, event: FileEvent, is_changed: bool) -> Option<RecordEvent> {
        let FileEvent { path, result, stamp, is_reload: _ } = event;
        let file = self.open_file.as_mut().filter(|file| file.path() == path)?;
        // Ignored: a file that cannot be read, as it may be incomplete, and one that was written again since.
        let read = result.ok().filter(|_| files::stamp(&path) == stamp)?;
        if is_changed {
            // The user is told once, until the record is saved or opened again.
            let is_new = !std::mem::replace(&mut self.is_changed_on_disk, true);
            return is_new
                .then(|| RecordEvent::Notice(RecordRemark::ChangedElsewhere(path.display().to_string()).into()));
        }
        *file = OpenFile::from_read_games(&path, &read, stamp);
        self.is_changed_on_disk = false;
        read.into_first().map(|(record, _warnings)| RecordEvent::Reloaded(record))
    }
}

/// Reads a file as a record.
///
/// # Errors
/// With a message for the user if the file cannot be read.
pub fn read(path: &Path) -> Result<ReadGames, Box<Message>> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(path.display().to_string(), why));
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read_named(&bytes, path).map_err(|error| unreadable((&error).into()))
}
