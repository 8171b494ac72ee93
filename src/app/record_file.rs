//! The file of the current record: opening, saving, watching for writes of other programs, and autosave.
//!
//! Unsaved changes are autosaved, so that a crash loses nothing.

mod file_worker;
mod game_list;
mod open_file;
mod recent;
#[cfg(test)]
mod tests;

use crate::files::{self, FileStamp};
use crate::kifu::{self, Loss, ReadGames, Record, Target, Warning};
use crate::store::Store;
use crate::text::visible::visible;
use crate::text::{self, Lang, Message, RecordRemark};
use file_worker::{FileEvent, FileWorker};
use game_list::{GameEntry, GameList};
use open_file::{OpenFile, SaveRefusal};
use recent::RecentFiles;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use file_worker::{OriginalFile, RecoveredFile};
pub use open_file::target_of;

/// A callback, called from another thread when [`RecordFile::poll`] has new events.
pub type WakeFn = Arc<dyn Fn() + Send + Sync>;

/// An action that replaces the current record, carried out once no unsaved changes can be lost.
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

/// A reason to ask the user before a record is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveConflict {
    /// The format cannot hold the whole record: the first loss, and the number of losses.
    Lossy(Target, Loss, usize),
    /// Another program has written to the file since it was read. Holds the file's name.
    ChangedElsewhere(String),
    /// A file of this name exists, and the user was not asked about it. Holds the file's name.
    FileExists(String),
}

/// The result of writing a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The record is saved, as far as the format can hold it.
    Record(RecordRemark),
    /// Only the position was written: the record is not saved.
    Position(RecordRemark),
}

/// A change to the current record that comes from its file.
#[derive(Debug)]
pub enum RecordEvent {
    /// Another record was opened, with a message for the user where there is one.
    Opened(Arc<Record>, Option<Message>),
    /// A recovered record, which is in no file of the user, and its recovery copy.
    Recovered(Record, PathBuf),
    /// The file was changed by another program: the new record.
    Reloaded(Record),
    /// A message for the user.
    Notice(Message),
}

/// The file of the current record, its autosave copy and the list of opened games.
#[derive(Debug)]
pub struct RecordFile {
    open_file: Option<OpenFile>,
    worker: Option<FileWorker>,
    /// The action that waits for the user's answer about unsaved changes.
    pending: Option<PendingAction>,
    /// Whether the user chose to save them first. Saving may raise another question.
    is_agreed: bool,
    /// The conflict to confirm before the record is written, and the target file where another was named.
    conflict: Option<(SaveConflict, Option<PathBuf>)>,
    /// Whether the file has changes of other programs that are not loaded, because of unsaved changes.
    is_behind: bool,
    /// The file that is being read, and the record's revision when it was requested.
    reading: Option<(PathBuf, u64)>,
    game_list: GameList,
    /// Records left behind by a program that ended abnormally.
    recovered_files: Vec<RecoveredFile>,
    /// The folder of the autosave copies.
    autosave_folder: Option<PathBuf>,
    recent: RecentFiles,
}

impl SaveConflict {
    /// Returns the question for the user, in a language.
    pub fn text(&self, lang: Lang) -> String {
        match self {
            Self::Lossy(target, loss, count) => text::loses(*target, loss, *count, lang),
            Self::ChangedElsewhere(name) => text::changed_elsewhere(name, lang),
            Self::FileExists(name) => text::file_exists(name, lang),
        }
    }
}

impl RecordFile {
    /// Creates the state. The store, where there is one, has the autosave folder and the list of recent files.
    pub fn new(store: Option<&Store>, wake: WakeFn) -> Self {
        let autosave_folder = store.map(Store::unsaved_folder);
        let recent = RecentFiles::new(store.map(Store::recent_file));
        let recovered_files = autosave_folder.as_deref().map(file_worker::left_behind).unwrap_or_default();
        let worker = FileWorker::start(autosave_folder.clone(), wake).ok();
        let game_list = GameList::default();
        Self {
            open_file: None,
            worker,
            pending: None,
            is_agreed: false,
            conflict: None,
            is_behind: false,
            reading: None,
            game_list,
            recovered_files,
            autosave_folder,
            recent,
        }
    }

    /// Takes in a file that was read, with the stamp it had then. Returns its first game and the warnings.
    pub(super) fn set_opened(
        &mut self,
        path: &Path,
        reading: ReadGames,
        stamp: Option<FileStamp>,
    ) -> Option<(Arc<Record>, Vec<Warning>)> {
        self.open_file = Some(OpenFile::from_reading(path, &reading, stamp));
        self.conflict = None;
        self.watch_file();
        let games: Vec<_> = reading.games.into_iter().map(Arc::new).collect();
        self.game_list.add_games(path, &games);
        Some((games.into_iter().next()?, reading.warnings))
    }

    /// The titles of the listed games or files, and the index of the current one. Empty where there is only one.
    pub fn game_names(&self) -> (&[String], usize) {
        (self.game_list.titles(), self.game_list.at())
    }

    /// The file; `None` where the record is in none.
    pub fn path(&self) -> Option<&Path> {
        self.open_file.as_ref().map(OpenFile::path)
    }

    /// The recently opened files, the latest first.
    pub fn recent(&self) -> &[PathBuf] {
        self.recent.files()
    }

    /// The file that is being read.
    pub fn reading(&self) -> Option<&Path> {
        self.reading.as_ref().map(|(path, _)| path.as_path())
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
        let holds_no_moves = open_file::target_of(&path).is_some_and(open_file::holds_no_moves);
        if holds_no_moves { path.with_extension("kifu") } else { path }
    }

    /// Whether the user is being asked about unsaved changes.
    pub const fn is_asking(&self) -> bool {
        self.pending.is_some()
    }

    /// Whether that question stands because the program is to end.
    pub fn is_quitting(&self) -> bool {
        self.pending == Some(PendingAction::Quit)
    }

    /// Requests an action that replaces the record. Returns it at once if no changes are unsaved.
    ///
    /// Else the action waits for the user's answer.
    pub fn request(&mut self, action: PendingAction, is_changed: bool) -> Option<PendingAction> {
        self.is_agreed = false;
        if is_changed {
            self.pending = Some(action);
            return None;
        }
        Some(action)
    }

    /// Records the answer that changes are saved before the pending action.
    pub const fn confirm_pending(&mut self) {
        self.is_agreed = true;
    }

    /// Returns the pending action after a save, but only if the user chose to save for it.
    pub fn on_saved(&mut self) -> Option<PendingAction> {
        let is_agreed = self.is_agreed;
        self.take_pending().filter(|_| is_agreed)
    }

    /// Removes and returns the pending action, as the user has answered.
    pub const fn take_pending(&mut self) -> Option<PendingAction> {
        self.is_agreed = false;
        self.pending.take()
    }

    /// Starts to read a file on the worker thread. `revision` is that of the current record.
    pub fn open(&mut self, path: &Path, revision: u64) {
        self.reading = Some((path.to_owned(), revision));
        if let Some(worker) = &self.worker {
            worker.read(path);
        }
    }

    /// Detaches the current record from its file.
    pub fn close(&mut self) {
        (self.open_file, self.game_list, self.conflict) = (None, GameList::default(), None);
        self.watch_file();
    }

    /// Starts to read the first of several files, and lists the others.
    pub fn open_all(&mut self, files: Vec<PathBuf>, revision: u64) {
        let Some(first) = files.first().cloned() else { return };
        self.game_list = GameList::from_files(files);
        self.open(&first, revision);
    }

    /// Adds files to the list.
    pub fn set_files(&mut self, files: &[PathBuf]) {
        self.game_list.add(files);
    }

    /// Selects an entry of the list by its index. Returns a game; a file is read first instead.
    pub fn select(&mut self, at: usize, revision: u64) -> Option<Arc<Record>> {
        match self.game_list.select(at)? {
            GameEntry::Game(game) => {
                self.conflict = None;
                Some(game)
            }
            GameEntry::File(path) => {
                self.open(&path, revision);
                None
            }
        }
    }

    /// Whether saving overwrites nothing that was not read; else another file has to be chosen.
    pub fn can_save(&self) -> bool {
        self.open_file.as_ref().is_some_and(OpenFile::is_whole)
    }

    /// Writes the record to its file, or to `path` in the format of its extension. Returns `None` if that has to be
    /// [confirmed](Self::save_conflict) first.
    ///
    /// # Errors
    /// Fails with a message if the file cannot be written. Its old contents are kept.
    pub fn save(&mut self, path: Option<&Path>, record: &Record) -> Result<Option<SaveOutcome>, RecordRemark> {
        self.write(path, record, false)
    }

    /// Saves to a path where no dialog of the system has asked about an existing file.
    ///
    /// # Errors
    /// Fails as [`save`](Self::save) does.
    pub fn save_without_questions(
        &mut self,
        path: &Path,
        record: &Record,
    ) -> Result<Option<SaveOutcome>, RecordRemark> {
        let is_own = self.open_file.as_ref().is_some_and(|file| file.is_whole() && files::is_same(file.path(), path));
        if is_own {
            return self.save(None, record);
        }
        if path.exists() {
            self.conflict = Some((SaveConflict::FileExists(path.display().to_string()), Some(path.to_owned())));
            return Ok(None);
        }
        self.save(Some(path), record)
    }

    /// Writes the record after the user has confirmed the conflict.
    ///
    /// # Errors
    /// Fails as [`save`](Self::save) does.
    pub fn save_despite_conflict(&mut self, record: &Record) -> Result<Option<SaveOutcome>, RecordRemark> {
        let Some((_, path)) = self.conflict.take() else { return Ok(None) };
        self.write(path.as_deref(), record, true)
    }

    /// The conflict to confirm before the record is written.
    pub const fn save_conflict(&self) -> Option<&SaveConflict> {
        match &self.conflict {
            Some((conflict, _)) => Some(conflict),
            None => None,
        }
    }

    /// Drops the conflict: the user has not confirmed it.
    pub fn cancel_save(&mut self) {
        self.conflict = None;
    }

    fn write(
        &mut self,
        path: Option<&Path>,
        record: &Record,
        is_confirmed: bool,
    ) -> Result<Option<SaveOutcome>, RecordRemark> {
        // A new attempt to save drops the conflict of the one before.
        self.conflict = None;
        let mut other = path.map(OpenFile::new);
        let not_whole = || RecordRemark::NotWhole(String::new());
        let file =
            other.as_mut().or_else(|| self.open_file.as_mut().filter(|file| file.is_whole())).ok_or_else(not_whole)?;
        let (name, target) = (file.path().display().to_string(), file.target());
        let is_position = open_file::holds_no_moves(target) && !record.is_empty();
        match file.save(record, is_confirmed || is_position) {
            Ok(_) if is_position => Ok(Some(SaveOutcome::Position(RecordRemark::PositionSaved(name)))),
            Ok(losses) => {
                if let Some(other) = other {
                    self.open_file = Some(other);
                    self.game_list = GameList::default();
                }
                self.watch_file();
                Ok(Some(SaveOutcome::Record(saved_notice(name, target, &losses))))
            }
            Err(SaveRefusal::Conflict(conflict)) => {
                self.conflict = Some((conflict, path.map(Path::to_owned)));
                Ok(None)
            }
            Err(SaveRefusal::Failed(why)) => Err(why),
        }
    }

    /// Whether the file has changes of other programs that are not loaded, because of unsaved changes.
    pub const fn is_behind(&self) -> bool {
        self.is_behind
    }

    /// Starts to watch the file for changes, from its current contents on.
    fn watch_file(&mut self) {
        self.is_behind = false;
        if let Some(file) = &self.open_file {
            self.recent.add(file.path());
        }
        if let Some(worker) = &self.worker {
            worker.watch_file(self.open_file.as_ref().map(|file| (file.path().to_owned(), file.stamp())));
        }
    }

    /// Autosaves the unsaved record; `None` removes the copy, as all is saved.
    pub fn autosave(&self, record: Option<Arc<Record>>) {
        if let Some(worker) = &self.worker {
            let original = self.open_file.as_ref().map(OriginalFile::from_open_file);
            worker.autosave(record.map(|record| (record, original)));
        }
    }

    /// The number of recovered records, and the file name of the first; `None` where there are none.
    pub fn recovery_summary(&self) -> Option<(usize, Option<String>)> {
        let name = self.recovered_files.first()?.original.as_ref().and_then(|original| original.path.file_name());
        Some((self.recovered_files.len(), name.map(|name| visible(&name.to_string_lossy()).into_owned())))
    }

    /// Records left behind by a program that ended abnormally, which can be recovered.
    pub fn recovered_files(&self) -> &[RecoveredFile] {
        &self.recovered_files
    }

    /// Marks a copy as recovered. It is removed once the record is autosaved again.
    pub fn mark_recovered(&mut self, copy: PathBuf) {
        self.recovered_files.retain(|found| found.copy != copy);
        if let Some(worker) = &self.worker {
            worker.discard_copy(copy);
        }
    }

    /// Deletes the recovered records, as the user does not want them.
    pub fn discard_recovered(&mut self) {
        for found in std::mem::take(&mut self.recovered_files) {
            file_worker::remove(&found.copy);
        }
    }

    /// Returns the events since the last call. `changed` is the record's revision if it has unsaved changes.
    pub fn poll(&mut self, changed: Option<u64>) -> Vec<RecordEvent> {
        let events = self.worker.as_ref().map(FileWorker::poll_events).unwrap_or_default();
        let not_kept = self.worker.as_ref().and_then(FileWorker::autosave_error);
        let notice = not_kept.map(|why| RecordEvent::Notice(RecordRemark::NotKeptAside(why).into()));
        events.into_iter().filter_map(|event| self.on_file_event(event, changed)).chain(notice).collect()
    }

    fn on_file_event(&mut self, event: FileEvent, changed: Option<u64>) -> Option<RecordEvent> {
        let FileEvent { path, reading, stamp, is_followed } = event;
        if is_followed {
            return self.follow(&path, reading, stamp, changed.is_some());
        }
        // Ignored: another file was requested since.
        let (_, revision) = self.reading.take_if(|(wanted, _)| *wanted == path)?;
        // The record was changed while the file was read: ask, then read it again.
        if changed.is_some_and(|changed| changed != revision) {
            self.pending = Some(PendingAction::Open(path));
            return None;
        }
        let reading = match reading {
            Ok(reading) => reading,
            Err(why) => return Some(RecordEvent::Notice(*why)),
        };
        if self.autosave_folder.as_deref().is_some_and(|folder| path.starts_with(folder)) {
            self.close();
            let found = self.recovered_files.iter().find(|found| found.copy == path);
            self.open_file = found.and_then(|found| found.original.as_ref()).map(OpenFile::from_original);
            // Without a stamp, a change of the file cannot be detected.
            if self.open_file.as_ref().is_some_and(|file| file.stamp().is_some()) {
                self.watch_file();
            }
            let (record, _) = reading.into_first()?;
            return Some(RecordEvent::Recovered(record, path));
        }
        let (record, warnings) = self.set_opened(&path, reading, stamp)?;
        let first = warnings.first().cloned();
        Some(RecordEvent::Opened(record, first.map(|first| Message::RecordWarnings(warnings.len(), first))))
    }

    fn follow(
        &mut self,
        path: &Path,
        reading: Result<ReadGames, Box<Message>>,
        stamp: Option<FileStamp>,
        is_changed: bool,
    ) -> Option<RecordEvent> {
        let file = self.open_file.as_mut().filter(|file| file.path() == path)?;
        // A half-written file is skipped: the rest will come. So is one that was read before our own write.
        let reading = reading.ok().filter(|_| files::stamp(path) == stamp)?;
        if is_changed {
            // It stays so until the record is saved or read again. The user is told once, not at every move.
            let is_new = !std::mem::replace(&mut self.is_behind, true);
            return is_new
                .then(|| RecordEvent::Notice(RecordRemark::ChangedElsewhere(path.display().to_string()).into()));
        }
        *file = OpenFile::from_reading(path, &reading, stamp);
        self.is_behind = false;
        reading.into_first().map(|(record, _)| RecordEvent::Reloaded(record))
    }
}

fn saved_notice(name: String, target: Target, losses: &[Loss]) -> RecordRemark {
    match losses.first() {
        None => RecordRemark::Saved(name),
        Some(loss) => RecordRemark::SavedWithLoss(name, target, loss.clone(), losses.len()),
    }
}

/// Reads a file as a record.
///
/// # Errors
/// Fails with a message for the user if the file cannot be read.
pub fn read(path: &Path) -> Result<ReadGames, Box<Message>> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(path.display().to_string(), why));
    let bytes = files::read(path, kifu::MAX_BYTES).map_err(|error| unreadable((&error).into()))?;
    kifu::read_named(&bytes, path).map_err(|error| unreadable((&error).into()))
}
