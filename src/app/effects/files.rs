//! Files: reading, saving, watching, autosaving. None of it is done on the caller's thread.
//!
//! Each file that is read or saved has a thread of its own: one that hangs, as on a network, delays nothing else. A
//! third thread watches the record's file, a fourth writes to the user's own folder.

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
use user_folder::{FolderCommand, UserFolder};
use watcher::{FileWatcher, WatchRequest};

pub use user_folder::{recoverable_records, stored};

/// Receives the events, on any thread.
pub type FileListener = Arc<dyn Fn(FileEvent) + Send + Sync>;

/// The threads for files.
#[derive(Debug)]
pub struct FileThreads {
    watcher: FileWatcher,
    // Dropped last: the drop waits until all is written.
    user_folder: UserFolder,
    listener: Listener,
}

#[derive(Clone)]
struct Listener(FileListener);

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Listener")
    }
}

impl FileThreads {
    /// Starts the threads. The store, where there is one, has the folder of autosave copies and the list of recent
    /// files.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn start(store: Option<&Store>, listener: FileListener) -> io::Result<Self> {
        let listener = Listener(listener);
        Ok(Self {
            watcher: FileWatcher::start(listener.clone())?,
            user_folder: UserFolder::start(store, listener.clone())?,
            listener,
        })
    }

    /// Carries out an effect. Never blocks.
    pub fn run(&self, effect: FileEffect) {
        match effect {
            FileEffect::Read { request, path } => {
                let name = path.display().to_string();
                let work = move || {
                    // Taken before reading: a write during the read is then noticed.
                    let stamp = files::stamp(&path);
                    FileEvent::Read { request, result: read(&path), stamp }
                };
                self.start_thread("read", work, move |why| {
                    let why = Message::RecordUnreadable(name, UnreadableRecord::Other(why.kind(), why.to_string()));
                    FileEvent::Read { request, result: Err(Box::new(why)), stamp: None }
                });
            }
            FileEffect::Save { request, job } => {
                let work = move || FileEvent::Saved { request, result: save(*job) };
                self.start_thread("save", work, move |why| {
                    let why = SaveRefusal::Failed(RecordRemark::NotSaved(why.into()));
                    FileEvent::Saved { request, result: Err(why) }
                });
            }
            FileEffect::Watch { request, file } => self.watcher.watch(WatchRequest { request, file }),
            FileEffect::Autosave(unsaved) => self.user_folder.autosave(unsaved),
            FileEffect::DeleteRecovered(copy) => self.user_folder.send(FolderCommand::DeleteRecovered(copy)),
            FileEffect::DeleteCopies(copies) => self.user_folder.send(FolderCommand::DeleteCopies(copies)),
            FileEffect::StoreRecent(files) => self.user_folder.send(FolderCommand::StoreRecent(files)),
        }
    }

    /// Runs `work` on a thread of its own. Without a thread, the answer is that of `failed`.
    fn start_thread(
        &self,
        name: &str,
        work: impl FnOnce() -> FileEvent + Send + 'static,
        failed: impl FnOnce(&io::Error) -> FileEvent,
    ) {
        let Listener(listener) = self.listener.clone();
        match threads::spawn(name, move || listener(work())) {
            Ok(thread) => thread.detach(),
            Err(why) => (self.listener.0)(failed(&why)),
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
