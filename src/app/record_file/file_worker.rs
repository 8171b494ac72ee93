//! The thread that reads files, watches the current one, and autosaves.

use crate::files::{self, FileAccess, FileLock, FileStamp, WriteError, WriteRefusal};
use crate::kifu::{self, ReadGames, Record, Target};
use crate::session::Latest;
use crate::text::{CauseText, Message};
use crate::threads::{self, Thread};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The interval between two checks of the current file. Two equal stamps in a row are needed to read it, so a change
/// is seen up to 1 s late.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// The capacity of each channel: more than is sent while a large file is read.
const CHANNEL_CAPACITY: usize = 256;
/// The most recoverable records that are offered.
const MAX_RECOVERABLE: usize = 20;
/// The most bytes of a stored path.
const MAX_PATH_BYTES: usize = 1 << 16;
/// The most entries of the autosave folder that are listed.
const MAX_LISTED: usize = 1000;

/// A file was read.
#[derive(Debug)]
pub(super) struct FileEvent {
    pub(super) path: PathBuf,
    pub(super) result: Result<ReadGames, Box<Message>>,
    /// The file's stamp before it was read.
    pub(super) stamp: Option<FileStamp>,
    /// Whether it was read because the watched file has changed, not because the user opens it.
    pub(super) is_reload: bool,
}

enum FileCommand {
    /// Read a file that the user opens.
    Read(PathBuf),
    /// Watch a file from the version with this stamp on; `None` for no file.
    Watch(Option<(PathBuf, Option<FileStamp>)>),
    /// Autosave the newest record.
    Autosave,
    /// Delete the copy of a recovered record, if its last autosave succeeded.
    DeleteRecovered(PathBuf),
}

/// An unsaved record, and its file.
type UnsavedRecord = (Arc<Record>, Option<OriginalFile>);

/// The user's file of an autosaved record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The file's stamp when the record was read or written; `None` if unknown.
    pub(crate) stamp: Option<FileStamp>,
}

impl OriginalFile {
    /// The file of the current record.
    pub(super) fn from_open_file(file: &super::OpenFile) -> Self {
        let path = std::path::absolute(file.path()).unwrap_or_else(|_| file.path().to_owned());
        Self { path, stamp: file.stamp() }
    }

    /// The text stored beside the copy: the path, NUL, and size and time of the file.
    fn to_text(&self) -> Option<String> {
        let path = self.path.to_str()?;
        Some(match self.stamp {
            Some(FileStamp { size, modified }) => format!("{path}\0{size} {modified}"),
            None => path.to_owned(),
        })
    }

    /// Reads what [`to_text`](Self::to_text) has written. Earlier versions wrote the path alone.
    fn from_text(text: &str) -> Option<Self> {
        let (path, stamp) = text.split_once('\0').unwrap_or((text, ""));
        let number = |text: &str| text.parse().ok();
        let stamp = stamp
            .split_once(' ')
            .and_then(|(size, modified)| Some(FileStamp { size: number(size)?, modified: number(modified)? }));
        (!path.is_empty()).then(|| Self { path: path.into(), stamp })
    }
}

/// A record that a program left in an autosave copy when it ended abnormally.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoverableRecord {
    /// The autosave copy.
    pub copy: PathBuf,
    /// The user's file that the record was read from or saved to.
    pub original: Option<OriginalFile>,
}

/// Reads, watches and autosaves files on its own thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct FileWorker {
    // Dropped before the thread, which ends when its channel closes.
    commands: SyncSender<FileCommand>,
    newest: NewestRecord,
    events: Receiver<FileEvent>,
    autosave_error: Latest<CauseText>,
    _thread: Thread,
}

/// The record to autosave; `None` if there are no unsaved changes. Of several records in a row, only the newest is
/// written.
type NewestRecord = Latest<Option<UnsavedRecord>>;

impl FileWorker {
    /// Starts the thread. Autosave copies are written to `folder`, where given.
    pub(super) fn start(folder: Option<PathBuf>, wake: super::WakeFn) -> io::Result<Self> {
        let (commands, inbox) = sync_channel(CHANNEL_CAPACITY);
        let (outbox, events) = sync_channel(CHANNEL_CAPACITY);
        let (newest, autosave_error) = (NewestRecord::default(), Latest::default());
        let thread = FileThread {
            outbox,
            wake,
            watched: None,
            last_stamp: None,
            folder,
            newest: newest.clone(),
            copy: None,
            copy_original: String::new(),
            is_autosaved: false,
            autosave_error: Latest::clone(&autosave_error),
            is_error_reported: false,
        };
        let body = move || thread.run(&inbox);
        Ok(Self { commands, newest, events, autosave_error, _thread: threads::spawn("records", body)? })
    }

    /// Reads a file that the user opens.
    pub(super) fn read(&self, path: &Path) {
        self.send(FileCommand::Read(path.to_owned()));
    }

    /// Watches a file from the version with this stamp on; `None` ends watching.
    pub(super) fn watch_file(&self, file: Option<(PathBuf, Option<FileStamp>)>) {
        self.send(FileCommand::Watch(file));
    }

    /// Writes the record to the autosave copy; `None` deletes the copy.
    pub(super) fn autosave(&self, record: Option<UnsavedRecord>) {
        self.newest.put(record);
        self.send(FileCommand::Autosave);
    }

    /// Deletes the copy of a recovered record, if its last autosave succeeded.
    pub(super) fn delete_recovered(&self, copy: PathBuf) {
        self.send(FileCommand::DeleteRecovered(copy));
    }

    /// Returns the events since the last call.
    pub(super) fn poll_events(&self) -> Vec<FileEvent> {
        self.events.try_iter().collect()
    }

    /// Returns once why the autosave failed.
    pub(super) fn autosave_error(&self) -> Option<CauseText> {
        self.autosave_error.take()
    }

    fn send(&self, command: FileCommand) {
        // The thread ends only when this is dropped.
        let _sent = self.commands.send(command);
    }
}

struct FileThread {
    outbox: SyncSender<FileEvent>,
    wake: super::WakeFn,
    /// The watched file, and the stamp of the version that was last read or written here.
    watched: Option<(PathBuf, Option<FileStamp>)>,
    /// The watched file's stamp at the last check.
    last_stamp: Option<FileStamp>,
    /// The folder of the autosave copies.
    folder: Option<PathBuf>,
    newest: NewestRecord,
    /// The autosave copy, and the lock that marks it as that of a running program.
    copy: Option<(PathBuf, FileLock)>,
    /// The original file that is stored beside the copy; empty where there is none.
    copy_original: String,
    /// Whether the last autosave succeeded.
    is_autosaved: bool,
    /// Why an autosave failed, for the user.
    autosave_error: Latest<CauseText>,
    /// Whether a failure was reported since the last successful autosave.
    is_error_reported: bool,
}

impl FileThread {
    fn run(mut self, inbox: &Receiver<FileCommand>) {
        let mut next_check = now();
        loop {
            // Without a watched file there is no need to wake up.
            let wait = if self.watched.is_some() { next_check.saturating_duration_since(now()) } else { Duration::MAX };
            // Checked first: many commands cannot delay it.
            if wait.is_zero() {
                self.check_watched();
                next_check = now() + CHECK_INTERVAL;
                continue;
            }
            match inbox.recv_timeout(wait) {
                Ok(FileCommand::Read(path)) => self.read(path, false),
                Ok(FileCommand::Watch(file)) => self.watched = file,
                Ok(FileCommand::Autosave) => {
                    // `None`: an earlier command has autosaved the newest record already.
                    if let Some(newest) = self.newest.take() {
                        self.autosave(newest.as_ref());
                    }
                }
                Ok(FileCommand::DeleteRecovered(copy)) => self.delete_recovered(&copy),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn read(&self, path: PathBuf, is_reload: bool) {
        // Taken before reading: a write during the read is then noticed.
        let stamp = files::stamp(&path);
        let result = super::read(&path);
        // A closed channel means that the program ends.
        let _sent = self.outbox.send(FileEvent { path, result, stamp, is_reload });
        (self.wake)();
    }

    /// Reads the watched file if it has changed, and the last two checks found the same stamp.
    fn check_watched(&mut self) {
        let Some((path, known_stamp)) = &mut self.watched else { return };
        let stamp = files::stamp(path);
        // A file that is being written has another stamp at each check.
        let is_stable = std::mem::replace(&mut self.last_stamp, stamp) == stamp;
        if stamp.is_none() || stamp == *known_stamp || !is_stable {
            return;
        }
        *known_stamp = stamp;
        let path = path.clone();
        self.read(path, true);
    }

    /// Deletes the copy of a recovered record. It stays if the record could not be autosaved again.
    fn delete_recovered(&self, copy: &Path) {
        if self.is_autosaved {
            delete_copy(copy);
        }
    }

    /// Writes the record to the autosave copy; `None` deletes the copy. The user's own file is never touched.
    ///
    /// After a failure, an earlier copy stays as it was.
    fn autosave(&mut self, unsaved: Option<&UnsavedRecord>) {
        let Some((record, original)) = unsaved else {
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
            let _best_effort = files::write_as(FileAccess::Own, &original_file(copy), original.as_bytes());
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
            self.autosave_error.put(why.into());
            (self.wake)();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that checks files")]
fn now() -> Instant {
    Instant::now()
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
pub(super) fn delete_copy(copy: &Path) {
    let _was_not_there = files::remove(&original_file(copy));
    files::remove_with_lock(copy);
}

/// Lists the autosave copies that are not locked: their programs have ended without deleting them.
pub(super) fn recoverable_records(folder: &Path) -> Vec<RecoverableRecord> {
    let is_copy = |path: &PathBuf| path.extension().is_some_and(|end| end == "kifu");
    let copies = files::list(folder, MAX_LISTED).into_iter().filter(|path| is_copy(path) && !files::is_locked(path));
    let with_original = |copy: PathBuf| {
        let text =
            files::read(&original_file(&copy), MAX_PATH_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        RecoverableRecord { original: text.as_deref().and_then(OriginalFile::from_text), copy }
    };
    copies.take(MAX_RECOVERABLE).map(with_original).collect()
}
