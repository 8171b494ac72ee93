//! The file of the current record, as a state machine without I/O: open, save, watch, autosave, recover.
//!
//! Each function may add [`FileEffect`]s. `effects::files` carries them out on other threads; the result of one is a
//! [`FileEvent`]. At most one of the user's requests is in progress: the [`FileTask`].

mod game_list;
mod open_file;
mod original;
mod save;

use crate::Message;
use game_list::GameList;
use shogibar_base::CauseText;
use shogibar_base::visible::visible_file_name;
use shogibar_files::FileStamp;
use shogibar_games::RecordRemark;
use shogibar_games::study::Document;
use shogibar_kifu::{ReadGames, Record, Warning};
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use open_file::{OpenFile, SaveConflict, SaveRefusal, target_of};
pub use original::{OriginalFile, RecoverableRecord, UnsavedRecord};
pub use save::{Disk, PreparedSave, SaveJob, SaveOutcome, SaveRequest};

/// A function that is called from another thread when there are new events.
pub type WakeFn = Arc<dyn Fn() + Send + Sync>;

/// The number of a request for work with files, from 1. The answer has the number of its request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct RequestNumber(u64);

/// An action that ends the work on the current record. If it has unsaved changes, the user is asked first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PendingAction {
    /// Open a file.
    Open(PathBuf),
    /// Select another game of the file.
    Select {
        /// The index of the game.
        game: usize,
        /// The number of moves to the position to show.
        ply: usize,
    },
    /// Show a record that has no file: the first of these.
    Show(Vec<Arc<Record>>),
    /// Close the game.
    Close,
    /// End the program.
    Quit,
}

/// A pending action, which waits until the record is saved or its changes are discarded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeferredAction {
    action: PendingAction,
    /// Whether the user chose to save first. The action then follows the save. If `false`, a save drops the action.
    saves_first: bool,
}

/// The task in progress with the record's file. There is only one at a time, so no two questions are open at once.
#[derive(Clone, Debug, Default)]
pub enum FileTask {
    /// No task is in progress.
    #[default]
    Idle,
    /// A file is being read, to be opened.
    Opening {
        /// The number of the request.
        request: RequestNumber,
        /// The path of the file.
        path: PathBuf,
        /// The revision of the current record when the file was requested.
        revision: u64,
        /// The user's file of the record, if the file is an autosave copy that is recovered.
        original: Option<OriginalFile>,
        /// The index of the game to open, if the file is an autosave copy.
        index: usize,
    },
    /// The user is asked about unsaved changes.
    AskingUnsaved(DeferredAction),
    /// The record is being written.
    Saving {
        /// The number of the request.
        request: RequestNumber,
        /// The target, and the confirmed conflicts.
        save: SaveRequest,
        /// The revision of the record that is written.
        revision: u64,
        /// The action that waits for the save.
        pending: Option<DeferredAction>,
        /// A save that was requested meanwhile, and follows this one.
        next_save: Option<SaveRequest>,
    },
    /// The user is asked to confirm a save. Nothing was written.
    AskingSave {
        /// The reason why the user has to confirm the save.
        conflict: SaveConflict,
        /// The save to carry out once it is confirmed.
        save: SaveRequest,
        /// The action that waits for the save.
        pending: Option<DeferredAction>,
    },
}

/// Work with files, done on another thread.
#[derive(Debug)]
pub enum FileEffect {
    /// Read a file that the user opens. Answered by [`FileEvent::Read`].
    Read {
        /// The number of the request.
        request: RequestNumber,
        /// The path of the file.
        path: PathBuf,
    },
    /// Write the record. Answered by [`FileEvent::Saved`].
    Save {
        /// The number of the request.
        request: RequestNumber,
        /// The content to write, and the target.
        job: Box<SaveJob>,
    },
    /// Watch a file. Each change from the version with this stamp is answered by a [`FileEvent::Changed`].
    Watch {
        /// The number of the request.
        request: RequestNumber,
        /// The path of the file and its stamp; `None` ends the watching.
        file: Option<(PathBuf, Option<FileStamp>)>,
    },
    /// Write the record to the autosave copy; `None` deletes the copy.
    Autosave(Option<UnsavedRecord>),
    /// Delete the former copy of a recovered record, if the last autosave succeeded.
    DeleteRecovered(PathBuf),
}

/// The result of a [`FileEffect`].
#[derive(Debug)]
pub enum FileEvent {
    /// A file was read, or cannot be read.
    Read {
        /// The number of the request.
        request: RequestNumber,
        /// The games, or a message for the user.
        result: Result<ReadGames, Box<Message>>,
        /// The file's stamp before it was read.
        stamp: Option<FileStamp>,
    },
    /// The file to be opened is a folder.
    Folder {
        /// The number of the request.
        request: RequestNumber,
    },
    /// The record was written, or the save was refused.
    Saved {
        /// The number of the request.
        request: RequestNumber,
        /// What was written, or why nothing was written.
        result: Result<SaveOutcome, SaveRefusal>,
    },
    /// Another program has changed the watched file.
    Changed {
        /// The number of the request to watch the file.
        request: RequestNumber,
        /// The games of the new version.
        games: ReadGames,
        /// The stamp of the file.
        stamp: Option<FileStamp>,
    },
    /// The record could not be autosaved, for this cause. Reported once, until an autosave succeeds.
    NotAutosaved(CauseText),
}

/// An event of the record's file that the model applies to the game.
#[derive(Debug)]
pub enum RecordEvent {
    /// Another record was opened, with the warnings of reading it.
    Opened(Arc<Record>, Vec<Warning>),
    /// A record was read from this autosave copy, and counts as unsaved.
    Recovered(Arc<Record>, PathBuf),
    /// Another program has changed the file. Holds the new record.
    Reloaded(Arc<Record>),
    /// Another program has added moves to the file, and the record has unsaved changes. Holds the new record and the
    /// former one of the file, for a merge.
    Grown(Arc<Record>, Arc<Record>),
    /// The path to be opened is a folder, whose newest record is followed.
    Folder(PathBuf),
    /// A revision of the record was saved. Holds the revision, and a message for the user.
    Saved(u64, RecordRemark),
    /// The pending action may be carried out now.
    Proceed(PendingAction),
    /// A message for the user.
    Notice(Message),
    /// A failure, as a message for the user.
    Problem(Message),
}

/// The file of the current record, its autosave copy and the list of its games.
#[derive(Debug, Default)]
pub struct RecordFile {
    /// The record's file; `None` if it has none.
    open_file: Option<OpenFile>,
    /// The record in the file; `None` if it is unknown, or the file has several games.
    record_on_disk: Option<Arc<Record>>,
    /// Whether the record exists only in this program, because it has neither a file nor an address, or is recovered.
    is_only_here: bool,
    task: FileTask,
    /// Whether another program has changed the file, and the record was not reloaded because of unsaved changes.
    is_changed_on_disk: bool,
    game_list: GameList,
    /// The file that the record was opened from or saved to, until it is listed as recent.
    recent_path: Option<PathBuf>,
    autosave_folder: Option<PathBuf>,
    /// The number of the last request. Answers to older requests are ignored.
    last_request: RequestNumber,
    watch_request: RequestNumber,
    effects: Vec<FileEffect>,
}

impl RecordFile {
    /// Creates the state of a record without a file. A file in the folder of autosave copies never becomes the record's
    /// file.
    pub fn new(autosave_folder: Option<PathBuf>) -> Self {
        Self {
            autosave_folder,
            ..Self::default()
        }
    }

    /// Removes and returns the effects since the last call.
    pub fn take_effects(&mut self) -> Vec<FileEffect> {
        std::mem::take(&mut self.effects)
    }

    /// Returns the path of the record's file; `None` if the record has no file.
    pub fn path(&self) -> Option<&Path> {
        self.open_file.as_ref().map(OpenFile::path)
    }

    /// Returns the name of the record's file, with control characters made visible.
    pub fn name(&self) -> Option<String> {
        visible_file_name(self.path()?)
    }

    /// Returns the path to suggest for saving: the record's file, or a new one beside a file that cannot be saved to.
    /// Without a file, the name is made from the players, if they are known.
    pub fn suggested_path(&self, players: Option<&str>) -> PathBuf {
        let Some(path) = self.path() else {
            let name = players.map_or_else(|| "shogibar".to_owned(), shogibar_config::file_name);
            return format!("{name}.kifu").into();
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        if open_file::target_of(&path).is_some_and(open_file::is_position_format) {
            return path.with_extension("kifu");
        }
        if self.can_save() {
            return path;
        }
        let stem = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        let extension = path
            .extension()
            .map(|end| format!(".{}", end.to_string_lossy()))
            .unwrap_or_default();
        path.with_file_name(format!("{stem}-2{extension}"))
    }

    /// Returns whether the record can be saved to its file: there is one, and the record has all its content.
    pub fn can_save(&self) -> bool {
        self.open_file.as_ref().is_some_and(OpenFile::was_read_whole)
    }

    /// Removes and returns the file that the record was opened from or saved to since the last call.
    pub fn take_recent(&mut self) -> Option<PathBuf> {
        self.recent_path.take()
    }

    /// Returns whether something would be lost: the record has unsaved changes, or exists only in this program.
    pub const fn is_unsaved(&self, document: &Document) -> bool {
        self.is_only_here || document.is_changed()
    }

    /// Sets that the record exists only in this program, so that it counts as unsaved.
    pub const fn set_only_here(&mut self) {
        self.is_only_here = true;
    }

    /// Returns whether no task is in progress.
    pub const fn is_idle(&self) -> bool {
        matches!(self.task, FileTask::Idle)
    }

    /// Returns the task in progress.
    pub const fn task(&self) -> &FileTask {
        &self.task
    }

    /// Returns whether the user is being asked about unsaved changes.
    pub const fn is_asking(&self) -> bool {
        matches!(self.task, FileTask::AskingUnsaved(_))
    }

    /// Returns whether the user is being asked anything.
    pub const fn has_question(&self) -> bool {
        matches!(
            self.task,
            FileTask::AskingUnsaved(_) | FileTask::AskingSave { .. }
        )
    }

    /// Returns whether the record is being written.
    pub const fn is_saving(&self) -> bool {
        matches!(self.task, FileTask::Saving { .. })
    }

    /// Returns the files to which the record is being saved. One of them becomes the record's file, unless the save
    /// fails.
    pub fn save_paths(&self) -> impl Iterator<Item = &Path> {
        let saves = match &self.task {
            FileTask::Saving { save, next_save, .. } => [Some(save), next_save.as_ref()],
            FileTask::AskingSave { save, .. } => [Some(save), None],
            FileTask::Idle | FileTask::Opening { .. } | FileTask::AskingUnsaved(_) => [None, None],
        };
        saves.into_iter().flatten().filter_map(SaveRequest::path)
    }

    /// Returns whether the end of the program waits for an answer, or for a save.
    pub fn delays_quit(&self) -> bool {
        let pending = match &self.task {
            FileTask::AskingUnsaved(pending) => Some(pending),
            FileTask::Saving { pending, .. } | FileTask::AskingSave { pending, .. } => pending.as_ref(),
            FileTask::Idle | FileTask::Opening { .. } => None,
        };
        pending.is_some_and(|pending| pending.action == PendingAction::Quit)
    }

    /// Returns the file that is being opened, as the user knows it. For an autosave copy, this is the user's file of
    /// its record; `None` if there is none.
    pub fn requested_path(&self) -> Option<&Path> {
        let FileTask::Opening { path, original, .. } = &self.task else {
            return None;
        };
        match original {
            Some(original) => Some(&original.path),
            None => Some(path.as_path()).filter(|path| !self.is_autosave_copy(path)),
        }
    }

    /// Returns whether a path is that of an autosave copy. A copy of any program never becomes the record's file.
    fn is_autosave_copy(&self, path: &Path) -> bool {
        self.autosave_folder
            .as_deref()
            .is_some_and(|folder| path.starts_with(folder))
    }

    /// Returns whether the user is being asked about unsaved changes, because the program is to end.
    pub fn is_asking_before_quit(&self) -> bool {
        matches!(&self.task, FileTask::AskingUnsaved(pending) if pending.action == PendingAction::Quit)
    }

    /// Returns the conflict that the user has to confirm before the record is written.
    pub const fn save_conflict(&self) -> Option<&SaveConflict> {
        if let FileTask::AskingSave { conflict, .. } = &self.task {
            Some(conflict)
        } else {
            None
        }
    }

    /// Returns the path of the file that is being read, which may be an autosave copy.
    pub fn opening_path(&self) -> Option<&Path> {
        if let FileTask::Opening { path, .. } = &self.task {
            Some(path)
        } else {
            None
        }
    }

    /// Returns whether another program has changed the file, and unsaved changes keep the record from being reloaded.
    pub const fn is_changed_on_disk(&self) -> bool {
        self.is_changed_on_disk
    }

    /// Requests an action that ends the work on the record. Returns the action at once if there are no unsaved changes,
    /// or if another game is selected from a list that keeps the changes.
    ///
    /// Otherwise the action waits for the answer of the user, or for a save in progress.
    pub fn request(&mut self, action: PendingAction, document: &Document) -> Option<PendingAction> {
        // A game that is not in the list ends no work, such as the reading of a file.
        if matches!(action, PendingAction::Select { game, .. } if game >= self.game_list.titles().len()) {
            return None;
        }
        if let FileTask::Saving { pending, .. } = &mut self.task {
            let next = DeferredAction {
                action,
                saves_first: true,
            };
            if next.action == PendingAction::Quit && pending.as_ref() == Some(&next) {
                // At the second request to quit, the user is asked, because the save may hang. The result of the save
                // is then ignored.
                self.task = FileTask::AskingUnsaved(next);
            } else {
                *pending = Some(next);
            }
            return None;
        }
        let keeps_list = matches!(action, PendingAction::Select { .. }) && self.keeps_list();
        if self.is_unsaved(document) && !keeps_list {
            self.task = FileTask::AskingUnsaved(DeferredAction {
                action,
                saves_first: false,
            });
            return None;
        }
        // A file is read on while the program is to end, because the user may cancel the end.
        if action != PendingAction::Quit {
            self.task = FileTask::Idle;
        }
        Some(action)
    }

    /// Drops the question in progress, because the user has cancelled. A question that waits behind it is asked again.
    pub fn cancel_question(&mut self) {
        self.task = match std::mem::take(&mut self.task) {
            FileTask::AskingSave {
                pending: Some(pending),
                ..
            } => FileTask::AskingUnsaved(pending),
            FileTask::AskingSave { .. } | FileTask::AskingUnsaved(_) => FileTask::Idle,
            other => other,
        };
    }

    /// Ends the question in progress, because the user discards the changes. Returns the pending action.
    pub fn discard_changes(&mut self) -> Option<PendingAction> {
        match std::mem::take(&mut self.task) {
            FileTask::AskingUnsaved(pending) => Some(pending.action),
            FileTask::AskingSave { pending, .. } => pending.map(|pending| pending.action),
            other => {
                self.task = other;
                None
            }
        }
    }

    /// Returns the record as it was last read from its file or written to it; `None` if the file has several games.
    pub(crate) fn record_on_disk(&self) -> Option<&Arc<Record>> {
        self.record_on_disk.as_ref()
    }

    /// Starts to read a file. `revision` is the present revision of the record. If the record is changed during the
    /// reading, the user is asked before the file is opened.
    pub fn open(&mut self, path: &Path, revision: u64) {
        self.start_reading(path.to_owned(), None, 0, revision);
    }

    /// Starts to read an autosave copy, to recover its record. `revision` is as for [`open`](Self::open).
    pub fn recover(&mut self, found: RecoverableRecord, revision: u64) {
        self.start_reading(found.copy, found.original_file, found.index, revision);
    }

    /// Starts to read a file. For an autosave copy, `original` is the user's file and `index` is the game to open.
    fn start_reading(&mut self, path: PathBuf, original: Option<OriginalFile>, index: usize, revision: u64) {
        let request = self.next_request_number();
        self.effects.push(FileEffect::Read {
            request,
            path: path.clone(),
        });
        self.task = FileTask::Opening {
            request,
            path,
            revision,
            original,
            index,
        };
    }

    /// Makes a file that was read the file of the record. `stamp` is from the time of reading. Returns the first game
    /// and the warnings; `None` for a file without a game.
    pub fn set_opened(
        &mut self,
        path: &Path,
        read: ReadGames,
        stamp: Option<FileStamp>,
    ) -> Option<(Arc<Record>, Vec<Warning>)> {
        self.open_file = Some(OpenFile::from_read_games(path, &read, stamp));
        self.is_only_here = false;
        self.watch_file();
        let games: Vec<_> = read.games.into_iter().map(Arc::new).collect();
        self.game_list = GameList::new(&games);
        self.record_on_disk = match games.as_slice() {
            [only] => Some(Arc::clone(only)),
            _ => None,
        };
        Some((games.into_iter().next()?, read.warnings))
    }

    /// Detaches the current record from its file.
    pub fn detach(&mut self) {
        (
            self.open_file,
            self.game_list,
            self.record_on_disk,
            self.is_only_here,
        ) = (None, GameList::default(), None, false);
        self.watch_file();
    }

    /// Begins to watch the record's file, and lists it as recent. Without a file, ends the watching.
    fn watch_file(&mut self) {
        self.is_changed_on_disk = false;
        self.recent_path = self.path().map(Path::to_owned);
        self.request_watch();
    }

    /// Requests to watch the record's file; without a file, to end the watching.
    fn request_watch(&mut self) {
        let file = self
            .open_file
            .as_ref()
            .map(|file| (file.path().to_owned(), file.stamp()));
        self.watch_request = self.next_request_number();
        self.effects.push(FileEffect::Watch {
            request: self.watch_request,
            file,
        });
    }

    const fn next_request_number(&mut self) -> RequestNumber {
        self.last_request.0 += 1;
        self.last_request
    }

    /// Autosaves the record if it is unsaved; otherwise deletes its autosave copy.
    pub fn autosave(&mut self, document: &Document) {
        let original = self
            .open_file
            .as_ref()
            .map(|file| OriginalFile::from_open_file(file, document.record()));
        let unsaved = self.is_unsaved(document).then(|| {
            let (games, current) = self.games(document);
            UnsavedRecord {
                games,
                current_index: current,
                original_file: original,
            }
        });
        self.effects.push(FileEffect::Autosave(unsaved));
    }

    /// Deletes the autosave copy, because nothing is unsaved, or the user discards the changes.
    pub fn delete_autosave(&mut self) {
        self.effects.push(FileEffect::Autosave(None));
    }

    /// Deletes the copy from which a record was recovered, once the record is autosaved again.
    pub fn delete_recovered(&mut self, copy: PathBuf) {
        self.effects.push(FileEffect::DeleteRecovered(copy));
    }

    /// Applies the result of an effect. Returns the changes to the record.
    pub fn on_event(&mut self, event: FileEvent, document: &Document) -> Vec<RecordEvent> {
        match event {
            FileEvent::Read {
                request,
                result,
                stamp,
            } => self
                .on_read(request, result, stamp, document)
                .into_iter()
                .collect(),
            FileEvent::Folder { request: answered } => match std::mem::take(&mut self.task) {
                FileTask::Opening {
                    request,
                    path,
                    revision,
                    ..
                } if request == answered => self
                    .path_unless_changed(path, revision, document)
                    .map(RecordEvent::Folder)
                    .into_iter()
                    .collect(),
                task => {
                    self.task = task;
                    Vec::new()
                }
            },
            FileEvent::Saved { request, result } => self.on_saved(request, result, document),
            FileEvent::Changed {
                request,
                games,
                stamp,
            } => self
                .on_changed(request, &games, stamp, document)
                .into_iter()
                .collect(),
            FileEvent::NotAutosaved(why) => {
                vec![RecordEvent::Problem(RecordRemark::NotAutosaved(why).into())]
            }
        }
    }

    /// Returns the path that is being opened, if the record was not changed during the reading. Otherwise asks the user
    /// about the changes, and returns `None`. `revision` is that of the record before the reading.
    fn path_unless_changed(&mut self, path: PathBuf, revision: u64, document: &Document) -> Option<PathBuf> {
        if !self.is_unsaved(document) || document.revision() == revision {
            return Some(path);
        }
        let action = PendingAction::Open(path);
        self.task = FileTask::AskingUnsaved(DeferredAction {
            action,
            saves_first: false,
        });
        None
    }

    /// Applies the result of reading a file. `None`: the request was an older one, the file has no game, or the user is
    /// asked because the record was changed meanwhile.
    fn on_read(
        &mut self,
        answered: RequestNumber,
        result: Result<ReadGames, Box<Message>>,
        stamp: Option<FileStamp>,
        document: &Document,
    ) -> Option<RecordEvent> {
        // The answer to an older request is ignored.
        if !matches!(&self.task, FileTask::Opening { request, .. } if *request == answered) {
            return None;
        }
        let FileTask::Opening {
            path,
            revision,
            original,
            index,
            ..
        } = std::mem::take(&mut self.task)
        else {
            return None;
        };
        let read = match result {
            Ok(read) => read,
            Err(why) => return Some(RecordEvent::Problem(*why)),
        };
        let path = self.path_unless_changed(path, revision, document)?;
        if self.is_autosave_copy(&path) {
            return self.set_recovered(path, original.as_ref(), index, read);
        }
        let (record, warnings) = self.set_opened(&path, read, stamp)?;
        Some(RecordEvent::Opened(record, warnings))
    }

    /// Attaches the record of an autosave copy to the user's file, if the record has one. Returns the event with game
    /// `index` of the copy, or with its first game. `None`: the copy has no game.
    fn set_recovered(
        &mut self,
        copy: PathBuf,
        original: Option<&OriginalFile>,
        index: usize,
        read: ReadGames,
    ) -> Option<RecordEvent> {
        self.detach();
        self.open_file = original.map(OpenFile::from_original);
        // A file without a stamp is not watched, because a change cannot be detected.
        if self.open_file.as_ref().is_some_and(|file| file.stamp().is_some()) {
            self.watch_file();
        }
        self.is_only_here = true;
        let mut games = read.games;
        if let Some(original) = original {
            for game in &mut games {
                game.add_extension_characters(&original.extension_characters);
            }
        }
        let games: Vec<_> = games.into_iter().map(Arc::new).collect();
        self.game_list = GameList::new(&games);
        let record = self
            .game_list
            .select(index)
            .or_else(|| games.into_iter().next())?;
        Some(RecordEvent::Recovered(record, copy))
    }

    /// Applies a change of the open file by another program. Returns the event with the new record. If there are
    /// unsaved changes, returns the event for a merge of further moves, or a notice, once. Returns `None` if nothing
    /// follows.
    fn on_changed(
        &mut self,
        request: RequestNumber,
        read: &ReadGames,
        stamp: Option<FileStamp>,
        document: &Document,
    ) -> Option<RecordEvent> {
        // A version from before a save is ignored. So is a change during a save, which then replaces it or finds a
        // conflict.
        if request != self.watch_request || matches!(self.task, FileTask::Saving { .. }) {
            return None;
        }
        let is_unsaved = self.is_unsaved(document);
        let file = self.open_file.as_mut()?;
        let games: Vec<_> = read.games.iter().cloned().map(Arc::new).collect();
        let only = match games.as_slice() {
            [only] => Some(only),
            _ => None,
        };
        if is_unsaved {
            if let Some((base, newer)) = self
                .record_on_disk
                .as_ref()
                .zip(only)
                .filter(|(base, newer)| has_grown(base, newer))
            {
                let (base, newer) = (Arc::clone(base), Arc::clone(newer));
                *file = OpenFile::from_read_games(file.path(), read, stamp);
                (self.record_on_disk, self.is_changed_on_disk) = (Some(Arc::clone(&newer)), false);
                return Some(RecordEvent::Grown(newer, base));
            }
            // The notice is shown once, until the record is saved or reloaded.
            let is_new = !std::mem::replace(&mut self.is_changed_on_disk, true);
            let name = file.path().display().to_string();
            return is_new.then(|| RecordEvent::Problem(RecordRemark::ChangedElsewhere(name).into()));
        }
        *file = OpenFile::from_read_games(file.path(), read, stamp);
        self.is_changed_on_disk = false;
        self.record_on_disk = only.map(Arc::clone);
        // A game is known by its players and moves. Its place in the file may change.
        let (shown, before) = (document.record(), self.game_list.current_index());
        let versions = games
            .iter()
            .enumerate()
            .filter(|(_, game)| game.is_version_of(shown));
        let nearest = versions.max_by_key(|(index, game)| (game.common_moves(shown), *index == before));
        let index = nearest.map_or(0, |(index, _)| index);
        self.game_list = GameList::new(&games);
        self.game_list.select(index);
        games.get(index).map(Arc::clone).map(RecordEvent::Reloaded)
    }
}

/// Returns whether a record continues another one by further moves, without variations.
fn has_grown(base: &Record, newer: &Record) -> bool {
    let (before, now): (Vec<_>, Vec<_>) = (base.moves().collect(), newer.moves().collect());
    let is_line = newer.all().count() == newer.main_line().count() + 1;
    is_line && base.start() == newer.start() && now.len() > before.len() && now.starts_with(&before)
}
