//! The thread that reads files, looks at the one on view, and keeps a copy of what is not saved.

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

/// How often the file on view is looked at: a move of a broadcast is seen within this.
const PERIOD: Duration = Duration::from_millis(500);
/// Letters that may wait either way: more than anybody writes while a large file is read.
const WAITING: usize = 256;
/// Copies that were left behind are offered, at most so many.
const MOST: usize = 20;
/// A path is not longer, in bytes.
const LONGEST_PATH: usize = 1 << 16;
/// So much of their folder is looked through.
const LISTED: usize = 1000;

/// A file that was read.
#[derive(Debug)]
pub(super) struct FileEvent {
    pub(super) path: PathBuf,
    pub(super) reading: Result<ReadGames, Box<Message>>,
    pub(super) stamp: Option<FileStamp>,
    /// Whether it was read because it has changed.
    pub(super) is_followed: bool,
}

enum FileCommand {
    Read(PathBuf),
    Watch(Option<(PathBuf, Option<FileStamp>)>),
    /// What is to be kept is in the mailbox.
    Keep,
    /// A copy that was left behind is not needed any more: what is kept now holds it.
    Forget(PathBuf),
}

/// A record that is not saved, and the file that it is of.
type UnsavedRecord = (Arc<Record>, Option<OriginalFile>);

/// The file of a record with changes that are not saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OriginalFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it was when the record was read from it or written to it; `None` where that is not known.
    pub(crate) stamp: Option<FileStamp>,
}

impl OriginalFile {
    /// The file of a record.
    pub(super) fn from_open_file(paper: &super::OpenFile) -> Self {
        let path = std::path::absolute(paper.path()).unwrap_or_else(|_| paper.path().to_owned());
        Self { path, stamp: paper.stamp() }
    }

    /// As it is kept beside the copy: the path, NUL, and size and time of the file.
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

/// What is not saved; `None` where all is. Only the newest matters: each is written to the disk.
type LatestUnsaved = Latest<Option<UnsavedRecord>>;

/// A record that a program left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredFile {
    /// The copy.
    pub copy: PathBuf,
    /// The file that it is of.
    pub of: Option<OriginalFile>,
}

/// Does all that takes time with files. Its thread ends when it is dropped.
#[derive(Debug)]
pub(super) struct FileWorker {
    // Dropped before the thread, which ends by that.
    letters: SyncSender<FileCommand>,
    unsaved: LatestUnsaved,
    news: Receiver<FileEvent>,
    not_kept: Latest<CauseText>,
    _thread: Thread,
}

impl FileWorker {
    /// Begins. Copies are kept in a folder, where there is one.
    pub(super) fn start(aside: Option<PathBuf>, wake: super::WakeFn) -> io::Result<Self> {
        let (letters, inbox) = sync_channel(WAITING);
        let (outbox, news) = sync_channel(WAITING);
        let (unsaved, not_kept) = (LatestUnsaved::default(), Latest::default());
        let work = FileThread {
            aside,
            unsaved: unsaved.clone(),
            copy: None,
            copy_of: String::new(),
            is_kept: false,
            not_kept: Latest::clone(&not_kept),
            is_said: false,
            outbox,
            wake,
            watched: None,
            seen: None,
        };
        let body = move || work.run(&inbox);
        Ok(Self { letters, unsaved, news, not_kept, _thread: threads::named("records", body)? })
    }

    pub(super) fn read(&self, path: &Path) {
        self.send(FileCommand::Read(path.to_owned()));
    }

    pub(super) fn watch_file(&self, file: Option<(PathBuf, Option<FileStamp>)>) {
        self.send(FileCommand::Watch(file));
    }

    pub(super) fn keep(&self, record: Option<UnsavedRecord>) {
        self.unsaved.put(record);
        self.send(FileCommand::Keep);
    }

    pub(super) fn discard_copy(&self, copy: PathBuf) {
        self.send(FileCommand::Forget(copy));
    }

    pub(super) fn poll_events(&self) -> Vec<FileEvent> {
        self.news.try_iter().collect()
    }

    /// Why no copy of what is not saved can be kept, once.
    pub(super) fn not_kept(&self) -> Option<CauseText> {
        self.not_kept.take()
    }

    fn send(&self, letter: FileCommand) {
        // Its thread ends only with us.
        let _heard = self.letters.send(letter);
    }
}

struct FileThread {
    /// The folder for copies.
    aside: Option<PathBuf>,
    unsaved: LatestUnsaved,
    /// The copy of what is not saved, and what is held while there is one: by that it is known to be ours.
    copy: Option<(PathBuf, FileLock)>,
    /// The file that it says to be of; empty where it says nothing.
    copy_of: String,
    /// Whether it holds what was to be kept last.
    is_kept: bool,
    /// Why it could not be kept, for the user.
    not_kept: Latest<CauseText>,
    /// Whether that was said since it was kept last.
    is_said: bool,
    outbox: SyncSender<FileEvent>,
    wake: super::WakeFn,
    /// The file on view, and what it was when it was read.
    watched: Option<(PathBuf, Option<FileStamp>)>,
    /// What it was when it was looked at last: one that is being written is another every time.
    seen: Option<FileStamp>,
}

impl FileThread {
    fn run(mut self, inbox: &Receiver<FileCommand>) {
        let mut next = now();
        loop {
            // With nothing to look at there is nothing to wake up for.
            let left = if self.watched.is_some() { next.saturating_duration_since(now()) } else { Duration::MAX };
            // However many letters come.
            if left.is_zero() {
                self.check_watched();
                next = now() + PERIOD;
                continue;
            }
            match inbox.recv_timeout(left) {
                Ok(FileCommand::Read(path)) => self.read(path, false),
                Ok(FileCommand::Watch(file)) => self.watched = file,
                Ok(FileCommand::Keep) => {
                    if let Some(newest) = self.unsaved.take() {
                        self.keep(newest.as_ref());
                    }
                }
                Ok(FileCommand::Forget(copy)) => self.discard(&copy),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn read(&self, path: PathBuf, is_followed: bool) {
        // Before it is read: what is written meanwhile is read again.
        let stamp = files::stamp(&path);
        let reading = super::read(&path);
        // Nobody to hear it means that the program ends.
        let _heard = self.outbox.send(FileEvent { path, reading, stamp, is_followed });
        (self.wake)();
    }

    fn check_watched(&mut self) {
        let Some((path, known)) = &mut self.watched else { return };
        let now = files::stamp(path);
        let is_settled = std::mem::replace(&mut self.seen, now) == now;
        if now.is_none() || now == *known || !is_settled {
            return;
        }
        *known = now;
        let path = path.clone();
        self.read(path, true);
    }

    /// Removes what was left behind, if what came of it is kept.
    fn discard(&self, left_behind: &Path) {
        if self.is_kept {
            remove(left_behind);
        }
    }

    /// Where it cannot be written there is no copy; the user's own file is not touched by that.
    fn keep(&mut self, unsaved: Option<&UnsavedRecord>) {
        let Some((record, of)) = unsaved else {
            if let Some((copy, _lock)) = self.copy.take() {
                remove(&copy);
            }
            (self.copy_of, self.is_kept) = (String::new(), false);
            return;
        };
        if self.copy.is_none() {
            match self.aside.as_deref().map(new_copy).transpose() {
                Ok(copy) => self.copy = copy,
                Err(why) => self.report_not_kept(&why),
            }
        }
        let Some((copy, _lock)) = &self.copy else {
            self.is_kept = false;
            return;
        };
        let original = of.as_ref().and_then(OriginalFile::to_text).unwrap_or_default();
        if self.copy_of != original {
            let _only_its_name_is_lost = files::write_as(FileAccess::Own, &file_of(copy), original.as_bytes());
            self.copy_of = original;
        }
        let kept = files::write_as(FileAccess::Own, copy, &kifu::write(record, Target::Kifu).bytes);
        self.is_kept = kept.is_ok();
        match kept {
            Ok(()) => self.is_said = false,
            Err(why) => self.report_not_kept(&why),
        }
    }

    /// Says once that what is not saved is nowhere else.
    fn report_not_kept(&mut self, why: &WriteError) {
        if !std::mem::replace(&mut self.is_said, true) {
            self.not_kept.put(why.into());
            (self.wake)();
        }
    }
}

/// Where it is kept of which file a copy is.
fn file_of(copy: &Path) -> PathBuf {
    copy.with_added_extension("of")
}

/// Removes a copy, and what belongs to it.
pub(super) fn remove(copy: &Path) {
    let _was_never_there = files::remove(&file_of(copy));
    files::remove_with_lock(copy);
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that looks at files")]
fn now() -> Instant {
    Instant::now()
}

/// Where our copy is kept: a file that is not there yet and is nobody else's, as a program that had our number may
/// have left one behind, or may run in another container.
///
/// # Errors
/// Why there can be none.
fn new_copy(folder: &Path) -> Result<(PathBuf, FileLock), WriteError> {
    files::make_folder(folder)?;
    let own = std::process::id();
    let names = std::iter::once(format!("{own}.kifu")).chain((2..=99).map(|more| format!("{own}-{more}.kifu")));
    let mut free = names.map(|name| folder.join(name)).filter(|path| path.symlink_metadata().is_err());
    let held = free.find_map(|path| files::try_lock(&path).map(|lock| (path, lock)));
    held.ok_or_else(|| WriteError::new(folder, WriteRefusal::NoFreeName.into()))
}

/// The copies whose programs do not run any more: each holds a lock on its own while it does.
pub(super) fn left_behind(folder: &Path) -> Vec<RecoveredFile> {
    let is_copy = |path: &PathBuf| path.extension().is_some_and(|end| end == "kifu");
    let copies = files::list(folder, LISTED).into_iter().filter(|path| is_copy(path) && !files::is_locked(path));
    let with_file = |copy: PathBuf| {
        let text = files::read(&file_of(&copy), LONGEST_PATH).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        RecoveredFile { of: text.as_deref().and_then(OriginalFile::from_text), copy }
    };
    copies.take(MOST).map(with_file).collect()
}
