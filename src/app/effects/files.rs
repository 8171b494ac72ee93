//! Reads, saves, watches and autosaves record files. The caller's thread never waits for a file.
//!
//! Each read and each save has a thread of its own: a file that hangs, as on a network, delays no other. Each game has
//! a thread that watches its file; while this thread hangs, no later file of the game is watched. One thread writes to
//! the user's configuration folder.

mod autosave_copy;
mod disk_thread;
mod reading;
#[cfg(test)]
mod tests;
mod user_folder;
mod watcher;

use reading::read_when_stable;
use shogibar_base::file_error::WriteError;
use shogibar_base::threads;
use shogibar_files::FileStamp;
use shogibar_games::RecordRemark;
use shogibar_games::calibration::UserGame;
use shogibar_kifu::UnreadableRecord;
use shogibar_machine::store::Store;
use shogibar_model::Message;
use shogibar_model::game::StoredValues;
use shogibar_model::ids::GameId;
use shogibar_model::record_file::{Disk, FileEffect, FileEvent, SaveJob, SaveOutcome, SaveRefusal};
use shogibar_model::workspace::Workspace;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use user_folder::{FolderCommand, UserFolderThread};
use watcher::{FileWatcher, WatchRequest};

pub use autosave_copy::recoverable_records;
pub use reading::{check_readable, read};
pub use user_folder::{stored_files, stored_workspace};

/// The longest wait for saves in progress when the program ends.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// The function that receives the events of a game's file, on any thread.
pub type FileListener = Arc<dyn Fn(GameId, FileEvent) + Send + Sync>;

/// The threads for files. If the system cannot start a thread for watching or autosaving, that task is not done.
#[derive(Debug)]
pub struct FileThreads {
    watchers: BTreeMap<GameId, FileWatcher>,
    // Dropping the thread waits until everything is written. `None` where the system has no thread.
    user_folder: Option<UserFolderThread>,
    listener: Listener,
    /// A token that each save in progress holds.
    save_token: Arc<()>,
}

/// A [`FileListener`] with an empty `Debug`.
#[derive(Clone)]
struct Listener(FileListener);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

/// Sends an event when it is dropped, even if its thread panics.
struct EventOnDrop {
    listener: Listener,
    game: GameId,
    event: Option<FileEvent>,
    /// The token of the save in progress; `None` for other requests. Dropped after the event is sent.
    _save_token: Option<Arc<()>>,
}

impl Drop for EventOnDrop {
    fn drop(&mut self) {
        if let Some(event) = self.event.take() {
            (self.listener.0)(self.game, event);
        }
    }
}

impl FileThreads {
    /// Starts the threads. The store, where there is one, has the folder of autosave copies and the list of recent
    /// files.
    pub fn start(store: Option<&Store>, listener: FileListener) -> Self {
        let listener = Listener(listener);
        Self {
            watchers: BTreeMap::new(),
            user_folder: UserFolderThread::start(store, listener.clone()).ok(),
            listener,
            save_token: Arc::default(),
        }
    }

    /// Carries out an effect for a game. Never blocks. Returns an event only if the effect failed at once.
    pub fn run(&mut self, game: GameId, effect: FileEffect) -> Option<FileEvent> {
        match effect {
            FileEffect::Read { request, path } => {
                let name = path.display().to_string();
                let failed = move |why: &io::Error| {
                    let why = Message::RecordUnreadable(
                        name.clone(),
                        UnreadableRecord::Other(why.kind(), why.to_string()),
                    );
                    FileEvent::Read {
                        request,
                        result: Err(Box::new(why)),
                        stamp: None,
                    }
                };
                let work = move || {
                    if path.is_dir() {
                        return FileEvent::Folder { request };
                    }
                    let (result, stamp) = read_when_stable(&path);
                    FileEvent::Read {
                        request,
                        result,
                        stamp,
                    }
                };
                return self.start_thread("read", game, work, failed, None);
            }
            FileEffect::Save { request, job } => {
                let failed = move |why: &io::Error| {
                    let why = SaveRefusal::Failed(RecordRemark::NotSaved(why.into()));
                    FileEvent::Saved {
                        request,
                        result: Err(why),
                    }
                };
                return self.start_thread(
                    "save",
                    game,
                    move || FileEvent::Saved {
                        request,
                        result: save(*job),
                    },
                    failed,
                    Some(Arc::clone(&self.save_token)),
                );
            }
            FileEffect::Watch { request, file } => {
                // Without a file, there is nothing to watch.
                if file.is_some()
                    && let Entry::Vacant(entry) = self.watchers.entry(game)
                    && let Ok(watcher) = FileWatcher::start(game, self.listener.clone())
                {
                    entry.insert(watcher);
                }
                if let Some(watcher) = self.watchers.get(&game) {
                    watcher.watch(WatchRequest { request, file });
                }
            }
            FileEffect::Autosave(unsaved) => {
                if let Some(user_folder) = &self.user_folder {
                    user_folder.autosave(game, unsaved);
                }
            }
            FileEffect::DeleteRecovered(copy) => self.send(FolderCommand::DeleteRecovered(game, copy)),
        }
        None
    }

    /// Ends the work for a game that is closed, and deletes its autosave copy.
    pub fn close(&mut self, game: GameId) {
        self.watchers.remove(&game);
        if let Some(user_folder) = &self.user_folder {
            user_folder.autosave(game, None);
        }
    }

    /// Deletes autosave copies that the user does not want.
    pub fn delete_copies(&self, copies: Vec<PathBuf>) {
        self.send(FolderCommand::DeleteCopies(copies));
    }

    /// Stores the list of recently opened files.
    pub fn store_recent(&self, files: Vec<PathBuf>) {
        self.send(FolderCommand::StoreRecent(files));
    }

    /// Stores the evaluations of the user's finished games.
    pub fn store_results(&self, games: Vec<UserGame>) {
        self.send(FolderCommand::StoreResults(games));
    }

    /// Stores the games and bars for the next start.
    pub fn store_workspace(&self, workspace: Workspace) {
        self.send(FolderCommand::StoreWorkspace(workspace));
    }

    /// Stores the values that were shown, by game.
    pub fn store_values(&self, values: Vec<Arc<StoredValues>>) {
        self.send(FolderCommand::StoreValues(values));
    }

    fn send(&self, command: FolderCommand) {
        if let Some(user_folder) = &self.user_folder {
            user_folder.send(command);
        }
    }

    /// Runs `work` on a new thread, which is never joined: a file may hang. The event of `work` is sent; if `work`
    /// panics, that of `failed`. If no thread can be started, the event of `failed` is returned.
    fn start_thread(
        &self,
        name: &str,
        game: GameId,
        work: impl FnOnce() -> FileEvent + Send + 'static,
        failed: impl Fn(&io::Error) -> FileEvent,
        save_token: Option<Arc<()>>,
    ) -> Option<FileEvent> {
        let (listener, panicked) = (
            self.listener.clone(),
            failed(&io::Error::other("it failed unexpectedly")),
        );
        let body = move || {
            let mut on_drop = EventOnDrop {
                listener,
                game,
                event: Some(panicked),
                _save_token: save_token,
            };
            on_drop.event = Some(work());
        };
        match threads::spawn(name, body) {
            Ok(thread) => {
                thread.detach();
                None
            }
            Err(why) => Some(failed(&why)),
        }
    }
}

impl Drop for FileThreads {
    /// Waits until the saves in progress are done, at most 5 s: a file may hang.
    fn drop(&mut self) {
        const CHECK_INTERVAL: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while Arc::strong_count(&self.save_token) > 1 && waited < EXIT_TIMEOUT {
            std::thread::park_timeout(CHECK_INTERVAL);
            waited += CHECK_INTERVAL;
        }
    }
}

/// Carries out a save. Slow, as the file is synchronised with the disk.
///
/// # Errors
/// Fails with a conflict, or with the reason why the file cannot be written. The file is then unchanged.
pub fn save(job: SaveJob) -> Result<SaveOutcome, SaveRefusal> {
    let Some(prepared) = job.prepare(&LocalDisk)? else {
        return Ok(SaveOutcome::Nothing);
    };
    let failed = |error: WriteError| SaveRefusal::Failed(RecordRemark::NotSaved((&error).into()));
    if prepared.bytes().len() > shogibar_kifu::MAX_BYTES {
        // The file would be too large to be read again, so it is not written.
        return Err(failed(WriteError::new(
            prepared.path(),
            ErrorKind::FileTooLarge.into(),
        )));
    }
    shogibar_files::write_whole(prepared.path(), prepared.bytes()).map_err(failed)?;
    let stamp = shogibar_files::stamp(prepared.path());
    Ok(prepared.into_outcome(stamp))
}

/// The file system of this machine.
struct LocalDisk;

impl Disk for LocalDisk {
    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn stamp(&self, path: &Path) -> Option<FileStamp> {
        shogibar_files::stamp(path)
    }

    fn is_same(&self, one: &Path, other: &Path) -> bool {
        shogibar_files::is_same_file(one, other)
    }
}
