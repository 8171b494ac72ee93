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

/// How often the current file is checked: a move of a broadcast is seen within this.
const PERIOD: Duration = Duration::from_millis(500);
/// The capacity of each channel: more than is sent while a large file is read.
const CHANNEL_CAPACITY: usize = 256;
/// The most recovered records that are offered.
const MAX_RECOVERED: usize = 20;
/// The most bytes of a stored path.
const MAX_PATH_BYTES: usize = 1 << 16;
/// The most entries of the autosave folder that are listed.
const MAX_LISTED: usize = 1000;

/// A file that was read.
#[derive(Debug)]
pub(super) struct FileEvent {
    pub(super) path: PathBuf,
    pub(super) reading: Result<ReadGames, Box<Message>>,
    pub(super) stamp: Option<FileStamp>,
    /// Whether it was read because the file has changed.
    pub(super) is_followed: bool,
}

enum FileCommand {
    Read(PathBuf),
    Watch(Option<(PathBuf, Option<FileStamp>)>),
    /// Autosave the record in `unsaved`.
    Autosave,
    /// Delete a recovered copy, as the autosave now holds its record.
    DiscardCopy(PathBuf),
}

/// An unsaved record, and its file.
type UnsavedRecord = (Arc<Record>, Option<OriginalFile>);

/// The file of a record with unsaved changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalFile {
    /// The absolute path.
    pub path: PathBuf,
    /// The file's stamp when the record was read or written; `None` if unknown.
    pub(crate) stamp: Option<FileStamp>,
}

impl OriginalFile {
    /// The file of a record.
    pub(super) fn from_open_file(paper: &super::OpenFile) -> Self {
        let path = std::path::absolute(paper.path()).unwrap_or_else(|_| paper.path().to_owned());
        Self { path, stamp: paper.stamp() }
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

/// The record to autosave; `None` if all is saved. Only the newest counts: each is written to the disk.
type LatestUnsaved = Latest<Option<UnsavedRecord>>;

/// A record that a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredFile {
    /// The autosave copy.
    pub copy: PathBuf,
    /// The file that the record was opened from or saved to.
    pub original: Option<OriginalFile>,
}

/// Does all slow file work on its own thread, which ends when this is dropped.
#[derive(Debug)]
pub(super) struct FileWorker {
    // Dropped before the thread, which ends when its channel closes.
    commands: SyncSender<FileCommand>,
    unsaved: LatestUnsaved,
    events: Receiver<FileEvent>,
    not_kept: Latest<CauseText>,
    _thread: Thread,
}

impl FileWorker {
    /// Starts the thread. Autosave copies go to `folder`, where given.
    pub(super) fn start(folder: Option<PathBuf>, wake: super::WakeFn) -> io::Result<Self> {
        let (commands, inbox) = sync_channel(CHANNEL_CAPACITY);
        let (outbox, events) = sync_channel(CHANNEL_CAPACITY);
        let (unsaved, not_kept) = (LatestUnsaved::default(), Latest::default());
        let work = FileThread {
            folder,
            unsaved: unsaved.clone(),
            copy: None,
            copy_original: String::new(),
            is_kept: false,
            not_kept: Latest::clone(&not_kept),
            is_reported: false,
            outbox,
            wake,
            watched: None,
            last_stamp: None,
        };
        let body = move || work.run(&inbox);
        Ok(Self { commands, unsaved, events, not_kept, _thread: threads::spawn("records", body)? })
    }

    pub(super) fn read(&self, path: &Path) {
        self.send(FileCommand::Read(path.to_owned()));
    }

    pub(super) fn watch_file(&self, file: Option<(PathBuf, Option<FileStamp>)>) {
        self.send(FileCommand::Watch(file));
    }

    pub(super) fn autosave(&self, record: Option<UnsavedRecord>) {
        self.unsaved.put(record);
        self.send(FileCommand::Autosave);
    }

    pub(super) fn discard_copy(&self, copy: PathBuf) {
        self.send(FileCommand::DiscardCopy(copy));
    }

    pub(super) fn poll_events(&self) -> Vec<FileEvent> {
        self.events.try_iter().collect()
    }

    /// Returns once why the autosave failed.
    pub(super) fn autosave_error(&self) -> Option<CauseText> {
        self.not_kept.take()
    }

    fn send(&self, command: FileCommand) {
        // The thread ends only when this is dropped.
        let _sent = self.commands.send(command);
    }
}

struct FileThread {
    /// The folder of the autosave copies.
    folder: Option<PathBuf>,
    unsaved: LatestUnsaved,
    /// The autosave copy, and the lock that marks it as ours.
    copy: Option<(PathBuf, FileLock)>,
    /// The original file that is stored beside the copy; empty where there is none.
    copy_original: String,
    /// Whether the last autosave succeeded.
    is_kept: bool,
    /// Why autosave failed, for the user.
    not_kept: Latest<CauseText>,
    /// Whether the failure was reported since the last successful autosave.
    is_reported: bool,
    outbox: SyncSender<FileEvent>,
    wake: super::WakeFn,
    /// The current file, and its stamp when it was read.
    watched: Option<(PathBuf, Option<FileStamp>)>,
    /// Its stamp at the last check. A file that is being written has another each time.
    last_stamp: Option<FileStamp>,
}

impl FileThread {
    fn run(mut self, inbox: &Receiver<FileCommand>) {
        let mut next = now();
        loop {
            // Without a watched file there is no need to wake up.
            let wait = if self.watched.is_some() { next.saturating_duration_since(now()) } else { Duration::MAX };
            // Checked first: many commands cannot delay it.
            if wait.is_zero() {
                self.check_watched();
                next = now() + PERIOD;
                continue;
            }
            match inbox.recv_timeout(wait) {
                Ok(FileCommand::Read(path)) => self.read(path, false),
                Ok(FileCommand::Watch(file)) => self.watched = file,
                Ok(FileCommand::Autosave) => {
                    if let Some(newest) = self.unsaved.take() {
                        self.keep(newest.as_ref());
                    }
                }
                Ok(FileCommand::DiscardCopy(copy)) => self.discard(&copy),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn read(&self, path: PathBuf, is_followed: bool) {
        // Taken before reading: a write during the read is then noticed.
        let stamp = files::stamp(&path);
        let reading = super::read(&path);
        // A closed channel means that the program ends.
        let _sent = self.outbox.send(FileEvent { path, reading, stamp, is_followed });
        (self.wake)();
    }

    fn check_watched(&mut self) {
        let Some((path, known)) = &mut self.watched else { return };
        let now = files::stamp(path);
        let is_settled = std::mem::replace(&mut self.last_stamp, now) == now;
        if now.is_none() || now == *known || !is_settled {
            return;
        }
        *known = now;
        let path = path.clone();
        self.read(path, true);
    }

    /// Deletes a recovered copy, if its record is autosaved again.
    fn discard(&self, left_behind: &Path) {
        if self.is_kept {
            remove(left_behind);
        }
    }

    /// Autosaves the record, or deletes the copy. A failure leaves no copy; the user's own file is never touched.
    fn keep(&mut self, unsaved: Option<&UnsavedRecord>) {
        let Some((record, original_of)) = unsaved else {
            if let Some((copy, _lock)) = self.copy.take() {
                remove(&copy);
            }
            (self.copy_original, self.is_kept) = (String::new(), false);
            return;
        };
        if self.copy.is_none() {
            match self.folder.as_deref().map(new_copy).transpose() {
                Ok(copy) => self.copy = copy,
                Err(why) => self.report_not_kept(&why),
            }
        }
        let Some((copy, _lock)) = &self.copy else {
            self.is_kept = false;
            return;
        };
        let original = original_of.as_ref().and_then(OriginalFile::to_text).unwrap_or_default();
        if self.copy_original != original {
            let _only_its_name_is_lost = files::write_as(FileAccess::Own, &original_file(copy), original.as_bytes());
            self.copy_original = original;
        }
        let kept = files::write_as(FileAccess::Own, copy, &kifu::write(record, Target::Kifu).bytes);
        self.is_kept = kept.is_ok();
        match kept {
            Ok(()) => self.is_reported = false,
            Err(why) => self.report_not_kept(&why),
        }
    }

    /// Reports once that autosave failed.
    fn report_not_kept(&mut self, why: &WriteError) {
        if !std::mem::replace(&mut self.is_reported, true) {
            self.not_kept.put(why.into());
            (self.wake)();
        }
    }
}

/// The file beside a copy that names the original.
fn original_file(copy: &Path) -> PathBuf {
    copy.with_added_extension("of")
}

/// Deletes a copy and the files that belong to it.
pub(super) fn remove(copy: &Path) {
    let _was_never_there = files::remove(&original_file(copy));
    files::remove_with_lock(copy);
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that checks files")]
fn now() -> Instant {
    Instant::now()
}

/// Creates and locks a new autosave file of ours. A program with the same process id may have left a copy
/// behind, or may run in another container.
///
/// # Errors
/// Fails if the folder cannot be made, or no name is free.
fn new_copy(folder: &Path) -> Result<(PathBuf, FileLock), WriteError> {
    files::make_folder(folder)?;
    let own = std::process::id();
    let names = std::iter::once(format!("{own}.kifu")).chain((2..=99).map(|more| format!("{own}-{more}.kifu")));
    let mut free = names.map(|name| folder.join(name)).filter(|path| path.symlink_metadata().is_err());
    let held = free.find_map(|path| files::try_lock(&path).map(|lock| (path, lock)));
    held.ok_or_else(|| WriteError::new(folder, WriteRefusal::NoFreeName.into()))
}

/// Lists the copies whose programs run no more. A running program holds a lock on its copy.
pub(super) fn left_behind(folder: &Path) -> Vec<RecoveredFile> {
    let is_copy = |path: &PathBuf| path.extension().is_some_and(|end| end == "kifu");
    let copies = files::list(folder, MAX_LISTED).into_iter().filter(|path| is_copy(path) && !files::is_locked(path));
    let with_file = |copy: PathBuf| {
        let text =
            files::read(&original_file(&copy), MAX_PATH_BYTES).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        RecoveredFile { original: text.as_deref().and_then(OriginalFile::from_text), copy }
    };
    copies.take(MAX_RECOVERED).map(with_file).collect()
}
