//! Files: reading, saving, watching, autosaving. None of it is done on the caller's thread.
//!
//! Each file that is read or saved has a thread of its own: one that hangs, as on a network, delays no other. One thread
//! watches the record's file; while that hangs, no later file is watched. One writes to the user's own folder.

mod user_folder;
mod watcher;

use crate::app::record_file::{
    FileEffect, FileEvent, OpenFile, Save, SaveConflict, SaveJob, SaveRefusal, Saved, is_position_format,
};
use crate::files::{self, WriteError};
use crate::kifu::{self, ReadGames};
use crate::store::Store;
use crate::text::{Message, RecordRemark, UnreadableRecord};
use crate::threads;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use user_folder::{FolderCommand, UserFolder};
use watcher::{FileWatcher, WatchRequest};

pub use user_folder::{recoverable_records, stored};

/// The longest wait for saves in progress when the program ends.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Receives the events, on any thread.
pub type FileListener = Arc<dyn Fn(FileEvent) + Send + Sync>;

/// The threads for files. A thread that the system cannot start is missing: without the others, nothing is watched or
/// autosaved.
#[derive(Debug)]
pub struct FileThreads {
    watcher: Option<FileWatcher>,
    // The drop waits until all is written.
    user_folder: Option<UserFolder>,
    listener: Listener,
    /// The number of saves in progress.
    saves: Arc<AtomicUsize>,
}

#[derive(Clone)]
struct Listener(FileListener);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

/// Sends an event when it is dropped, also when its thread panics.
struct Answer {
    listener: Listener,
    event: Option<FileEvent>,
    /// The count of saves to decrease.
    saves: Option<Arc<AtomicUsize>>,
}

impl Drop for Answer {
    fn drop(&mut self) {
        if let Some(event) = self.event.take() {
            (self.listener.0)(event);
        }
        if let Some(saves) = &self.saves {
            saves.fetch_sub(1, Ordering::Release);
        }
    }
}

impl FileThreads {
    /// Starts the threads. The store, where there is one, has the folder of autosave copies and the list of recent
    /// files.
    pub fn start(store: Option<&Store>, listener: FileListener) -> Self {
        let listener = Listener(listener);
        Self {
            watcher: FileWatcher::start(listener.clone()).ok(),
            user_folder: UserFolder::start(store, listener.clone()).ok(),
            listener,
            saves: Arc::default(),
        }
    }

    /// Carries out an effect. Never blocks. Returns what came of it if it failed at once.
    pub fn run(&self, effect: FileEffect) -> Option<FileEvent> {
        match effect {
            FileEffect::Read { request, path } => {
                let name = path.display().to_string();
                let failed = move |why: &io::Error| {
                    let why =
                        Message::RecordUnreadable(name.clone(), UnreadableRecord::Other(why.kind(), why.to_string()));
                    FileEvent::Read { request, result: Err(Box::new(why)), stamp: None }
                };
                let work = move || {
                    // Taken before reading: a write during the read is then noticed.
                    let stamp = files::stamp(&path);
                    FileEvent::Read { request, result: read(&path), stamp }
                };
                return self.start_thread("read", work, failed, None);
            }
            FileEffect::Save { request, job } => {
                let failed = move |why: &io::Error| {
                    let why = SaveRefusal::Failed(RecordRemark::NotSaved(why.into()));
                    FileEvent::Saved { request, result: Err(why) }
                };
                let work = move || FileEvent::Saved { request, result: save(*job) };
                return self.start_thread("save", work, failed, Some(&self.saves));
            }
            FileEffect::Watch { request, file } => {
                if let Some(watcher) = &self.watcher {
                    watcher.watch(WatchRequest { request, file });
                }
            }
            FileEffect::Autosave(unsaved) => {
                if let Some(user_folder) = &self.user_folder {
                    user_folder.autosave(unsaved);
                }
            }
            FileEffect::DeleteRecovered(copy) => self.send(FolderCommand::DeleteRecovered(copy)),
            FileEffect::DeleteCopies(copies) => self.send(FolderCommand::DeleteCopies(copies)),
            FileEffect::StoreRecent(files) => self.send(FolderCommand::StoreRecent(files)),
        }
        None
    }

    fn send(&self, command: FolderCommand) {
        if let Some(user_folder) = &self.user_folder {
            user_folder.send(command);
        }
    }

    /// Runs `work` on a thread of its own, which is never joined: a file may hang. If it panics, the answer is that of
    /// `failed`. Without a thread, that answer is returned.
    fn start_thread(
        &self,
        name: &str,
        work: impl FnOnce() -> FileEvent + Send + 'static,
        failed: impl Fn(&io::Error) -> FileEvent,
        saves: Option<&Arc<AtomicUsize>>,
    ) -> Option<FileEvent> {
        let (listener, panicked) = (self.listener.clone(), failed(&io::Error::other("it failed unexpectedly")));
        let count = saves.cloned();
        let body = move || {
            let mut answer = Answer { listener, event: Some(panicked), saves: count };
            answer.event = Some(work());
        };
        if let Some(saves) = saves {
            saves.fetch_add(1, Ordering::Acquire);
        }
        match threads::spawn(name, body) {
            Ok(thread) => {
                thread.detach();
                None
            }
            Err(why) => {
                if let Some(saves) = saves {
                    saves.fetch_sub(1, Ordering::Release);
                }
                Some(failed(&why))
            }
        }
    }
}

impl Drop for FileThreads {
    /// Waits until the saves in progress are done, at most a few seconds: a file may hang.
    fn drop(&mut self) {
        const STEP: Duration = Duration::from_millis(5);
        let mut waited = Duration::ZERO;
        while self.saves.load(Ordering::Acquire) > 0 && waited < EXIT_TIMEOUT {
            std::thread::park_timeout(STEP);
            waited += STEP;
        }
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

/// Carries out a save. Slow, as the file is synchronised with the disk.
///
/// # Errors
/// With a conflict, or with the reason if the file cannot be written. The file is then unchanged.
pub fn save(job: SaveJob) -> Result<Saved, SaveRefusal> {
    let SaveJob { save, own, own_name, record, is_changed } = job;
    let (path, is_confirmed) = match save {
        Save::Own if !is_changed && own.as_ref().is_some_and(|file| file.path().exists()) => return Ok(Saved::Nothing),
        Save::Own => (None, false),
        Save::Checked(path) if own.as_ref().is_some_and(|file| files::is_same(file.path(), &path)) => (None, false),
        Save::Checked(path) if path.exists() => {
            return Err(SaveRefusal::Conflict(SaveConflict::FileExists(path.display().to_string())));
        }
        Save::As(path) | Save::Checked(path) => (Some(path), false),
        Save::Confirmed(path) => (path, true),
    };
    let other = path.map(|path| OpenFile::new(&path, files::stamp(&path)));
    let not_whole = || SaveRefusal::Failed(RecordRemark::NotWhole(own_name));
    let mut file = other.or(own).ok_or_else(not_whole)?;
    let is_position = is_position_format(file.target()) && !record.is_empty();
    let written = kifu::write(&record, file.target());
    // The losses of a position file need no confirmation: the message states that the record is not saved.
    if !is_confirmed
        && !is_position
        && let Some(conflict) = file.conflict(files::stamp(file.path()), &written.losses)
    {
        return Err(SaveRefusal::Conflict(conflict));
    }
    let failed = |error: WriteError| SaveRefusal::Failed(RecordRemark::NotSaved((&error).into()));
    if written.bytes.len() > kifu::MAX_BYTES {
        // It would be too large to be read again.
        return Err(failed(WriteError::new(file.path(), ErrorKind::FileTooLarge.into())));
    }
    files::write_whole(file.path(), &written.bytes).map_err(failed)?;
    if is_position {
        return Ok(Saved::Position(file.path().to_owned()));
    }
    file.set_written(files::stamp(file.path()), &written.losses);
    Ok(Saved::Record { file, losses: written.losses })
}
