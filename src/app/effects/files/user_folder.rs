//! The thread that writes to the user's own folder: autosave copies and the list of recent files.

use super::Listener;
use crate::app::record_file::{FileEvent, OriginalFile, RecoverableRecord, StoredFiles, UnsavedRecord};
use crate::files::{self, FileAccess, FileLock, WriteError, WriteRefusal};
use crate::kifu::{self, Target};
use crate::session::Latest;
use crate::store::Store;
use crate::threads::{self, Thread};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// The capacity of the channel to the thread.
const CHANNEL_CAPACITY: usize = 256;
/// The most recoverable records that are offered.
const MAX_RECOVERABLE: usize = 20;
/// The most bytes of a stored path, and of the list of recent files.
const MAX_PATH_BYTES: usize = 1 << 16;
const MAX_RECENT_BYTES: usize = 1 << 20;
/// The most entries of the autosave folder that are listed.
const MAX_LISTED: usize = 1000;

pub(super) enum FolderCommand {
    /// Autosave the newest record.
    Autosave,
    /// Delete the copy of a recovered record, if its last autosave succeeded.
    DeleteRecovered(PathBuf),
    DeleteCopies(Vec<PathBuf>),
    StoreRecent(Vec<PathBuf>),
}

/// The thread that writes to the user's folder. It ends when this is dropped, after all commands.
#[derive(Debug)]
pub(super) struct UserFolder {
    // Dropped before the thread, which ends when its channel closes.
    commands: SyncSender<FolderCommand>,
    newest: Latest<Option<UnsavedRecord>>,
    _thread: Thread,
}

impl UserFolder {
    pub(super) fn start(store: Option<&Store>, listener: Listener) -> io::Result<Self> {
        let (commands, inbox) = sync_channel(CHANNEL_CAPACITY);
        let newest = Latest::default();
        let thread = FolderThread {
            listener,
            folder: store.map(Store::unsaved_folder),
            recent_file: store.map(Store::recent_file),
            newest: Latest::clone(&newest),
            copy: None,
            copy_original: String::new(),
            is_autosaved: false,
            is_error_reported: false,
        };
        let body = move || thread.run(&inbox);
        Ok(Self { commands, newest, _thread: threads::spawn("user folder", body)? })
    }

    pub(super) fn autosave(&self, unsaved: Option<UnsavedRecord>) {
        self.newest.put(unsaved);
        self.send(FolderCommand::Autosave);
    }

    /// Queues a command. If the disk hangs and the queue is full, it is dropped: the newest record is autosaved by an
    /// earlier command, and all else can be done without.
    pub(super) fn send(&self, command: FolderCommand) {
        let _is_full = self.commands.try_send(command);
    }
}

struct FolderThread {
    listener: Listener,
    /// The folder of the autosave copies.
    folder: Option<PathBuf>,
    recent_file: Option<PathBuf>,
    /// The record to autosave; `None` if there are no unsaved changes. Of several in a row, only the newest is written.
    newest: Latest<Option<UnsavedRecord>>,
    /// The autosave copy, and the lock that marks it as that of a running program.
    copy: Option<(PathBuf, FileLock)>,
    /// The original file that is stored beside the copy; empty where there is none.
    copy_original: String,
    /// Whether the last autosave succeeded.
    is_autosaved: bool,
    /// Whether a failure was reported since the last successful autosave.
    is_error_reported: bool,
}

impl FolderThread {
    fn run(mut self, inbox: &Receiver<FolderCommand>) {
        while let Ok(command) = inbox.recv() {
            match command {
                FolderCommand::Autosave => {
                    // `None`: an earlier command has autosaved the newest record already.
                    if let Some(newest) = self.newest.take() {
                        self.autosave(newest.as_ref());
                    }
                }
                // It stays if the record could not be autosaved again.
                FolderCommand::DeleteRecovered(copy) if self.is_autosaved => delete_copy(&copy),
                FolderCommand::DeleteRecovered(_) => {}
                FolderCommand::DeleteCopies(copies) => copies.iter().for_each(|copy| delete_copy(copy)),
                FolderCommand::StoreRecent(files) => self.store_recent(&files),
            }
        }
    }

    /// Writes the record to the autosave copy; `None` deletes the copy. The user's own file is never touched.
    ///
    /// After a failure, an earlier copy stays as it was.
    fn autosave(&mut self, unsaved: Option<&UnsavedRecord>) {
        let Some(UnsavedRecord { record, original }) = unsaved else {
            if let Some((copy, _lock)) = self.copy.take() {
                delete_copy(&copy);
            }
            (self.copy_original, self.is_autosaved) = (String::new(), false);
            return;
        };
        if self.copy.is_none() {
            match self.folder.as_deref().map(lock_new_copy).transpose() {
                Ok(copy) => self.copy = copy,
                Err(why) => self.report_autosave_error(&why),
            }
        }
        let Some((copy, _lock)) = &self.copy else {
            self.is_autosaved = false;
            return;
        };
        let original = original.as_ref().and_then(OriginalFile::to_text).unwrap_or_default();
        if self.copy_original != original {
            // If this fails, the record is recovered without its file.
            let _best_effort = if original.is_empty() {
                files::remove(&original_file(copy))
            } else {
                files::write_as(FileAccess::Own, &original_file(copy), original.as_bytes())
            };
            self.copy_original = original;
        }
        let written = files::write_as(FileAccess::Own, copy, &kifu::write(record, Target::Kifu).bytes);
        self.is_autosaved = written.is_ok();
        match written {
            Ok(()) => self.is_error_reported = false,
            Err(why) => self.report_autosave_error(&why),
        }
    }

    /// Reports that an autosave failed: once, until one succeeds.
    fn report_autosave_error(&mut self, why: &WriteError) {
        if !std::mem::replace(&mut self.is_error_reported, true) {
            (self.listener.0)(FileEvent::NotAutosaved(why.into()));
        }
    }

    /// Stores the list of recent files, one path a line. If it cannot be written, it lasts until the program ends.
    fn store_recent(&self, files: &[PathBuf]) {
        let Some(file) = &self.recent_file else { return };
        // Paths that are not UTF-8 or have control characters cannot be stored.
        let paths = files.iter().filter_map(|path| path.to_str()).filter(|path| !path.contains(char::is_control));
        let text = paths.flat_map(|path| [path, "\n"]).collect::<String>();
        let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
        let _best_effort = made && files::write_as(FileAccess::Private, file, text.as_bytes()).is_ok();
    }
}

/// Returns what earlier runs have stored.
pub fn stored(store: &Store) -> StoredFiles {
    let folder = store.unsaved_folder();
    let recoverable = recoverable_records(&folder);
    StoredFiles { recent: recent_files(store), recoverable, autosave_folder: Some(folder) }
}

/// Reads the list of recent files; empty if it cannot be read.
fn recent_files(store: &Store) -> Vec<PathBuf> {
    let bytes = files::read(&store.recent_file(), MAX_RECENT_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().filter(|line| !line.is_empty()).map(PathBuf::from).collect()
}

/// The file beside an autosave copy that names the original file.
fn original_file(copy: &Path) -> PathBuf {
    copy.with_added_extension("of")
}

/// Locks a new autosave copy, which is not written yet. A name may be taken: a program of the same process id has left
/// its copy, or runs in another container.
///
/// # Errors
/// If the folder cannot be made, or no name is free.
fn lock_new_copy(folder: &Path) -> Result<(PathBuf, FileLock), WriteError> {
    files::make_folder(folder)?;
    let own = std::process::id();
    let names = std::iter::once(format!("{own}.kifu")).chain((2..=99).map(|more| format!("{own}-{more}.kifu")));
    let mut free = names.map(|name| folder.join(name)).filter(|path| path.symlink_metadata().is_err());
    let locked = free.find_map(|path| files::try_lock(&path).map(|lock| (path, lock)));
    locked.ok_or_else(|| WriteError::new(folder, WriteRefusal::NoFreeName.into()))
}

/// Deletes an autosave copy and the files that belong to it.
fn delete_copy(copy: &Path) {
    let _was_not_there = files::remove(&original_file(copy));
    files::remove_with_lock(copy);
}

/// Lists the autosave copies that are not locked: their programs have ended without deleting them.
pub fn recoverable_records(folder: &Path) -> Vec<RecoverableRecord> {
    let is_copy = |path: &PathBuf| path.extension().is_some_and(|end| end == "kifu");
    let copies = files::list(folder, MAX_LISTED).into_iter().filter(|path| is_copy(path) && !files::is_locked(path));
    let with_original = |copy: PathBuf| {
        let text =
            files::read(&original_file(&copy), MAX_PATH_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        RecoverableRecord { original: text.as_deref().and_then(OriginalFile::from_text), copy }
    };
    copies.take(MAX_RECOVERABLE).map(with_original).collect()
}
