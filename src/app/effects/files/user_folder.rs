//! The thread that writes to the user's own folder: autosave copies, the list of recent files, and the workspace.

use super::Listener;
use crate::app::ids::GameId;
use crate::app::model::StoredFiles;
use crate::app::record_file::{FileEvent, OriginalFile, RecoverableRecord, UnsavedRecord};
use crate::app::workspace::Workspace;
use crate::files::{self, FileAccess, FileLock, WriteError, WriteRefusal};
use crate::kifu::{self, Target};
use crate::store::Store;
use crate::threads::{self, Thread, lock};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The capacity of the channel to the thread.
const CHANNEL_CAPACITY: usize = 256;
/// The most recoverable records that are offered.
const MAX_RECOVERABLE: usize = 20;
/// The most bytes of a stored path, and of the list of recent files.
const MAX_PATH_BYTES: usize = 1 << 16;
const MAX_RECENT_BYTES: usize = 1 << 20;
/// The most bytes of the stored workspace.
const MAX_WORKSPACE_BYTES: usize = 4 << 20;
/// How long a workspace waits to be stored.
const WORKSPACE_DELAY: Duration = Duration::from_millis(500);
/// The most copies of one program.
const MAX_COPIES: usize = 999;
/// The most entries of the autosave folder that are listed.
const MAX_LISTED: usize = 1000;

pub(super) enum FolderCommand {
    /// Autosave the newest record of each game.
    Autosave,
    /// Delete the copy of a recovered record, if the last autosave of its game succeeded.
    DeleteRecovered(GameId, PathBuf),
    DeleteCopies(Vec<PathBuf>),
    StoreRecent(Vec<PathBuf>),
    StoreWorkspace(Workspace),
}

/// The newest record of each game that is not autosaved yet; `None` for a game without unsaved changes.
type NewestRecords = Arc<Mutex<BTreeMap<GameId, Option<UnsavedRecord>>>>;

/// The thread that writes to the user's folder. It ends when this is dropped, after all commands.
#[derive(Debug)]
pub(super) struct UserFolder {
    // Dropped before the thread, which ends when its channel closes.
    commands: SyncSender<FolderCommand>,
    newest: NewestRecords,
    _thread: Thread,
}

impl UserFolder {
    pub(super) fn start(store: Option<&Store>, listener: Listener) -> io::Result<Self> {
        let (commands, inbox) = sync_channel(CHANNEL_CAPACITY);
        let newest = NewestRecords::default();
        let thread = FolderThread {
            listener,
            folder: store.map(Store::unsaved_folder),
            recent_file: store.map(Store::recent_file),
            workspace_file: store.map(Store::workspace_file),
            newest: Arc::clone(&newest),
            waiting_workspace: None,
            copies: BTreeMap::new(),
            disk: DiskThread::start()?,
            is_error_reported: false,
        };
        let body = move || thread.run(&inbox);
        Ok(Self { commands, newest, _thread: threads::spawn("user folder", body)? })
    }

    pub(super) fn autosave(&self, game: GameId, unsaved: Option<UnsavedRecord>) {
        lock(&self.newest).insert(game, unsaved);
        self.send(FolderCommand::Autosave);
    }

    /// Queues a command. If the disk hangs and the queue is full, it is dropped: the newest records are autosaved by an
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
    workspace_file: Option<PathBuf>,
    /// The records to autosave. Of several in a row of one game, only the newest is written.
    newest: NewestRecords,
    /// The workspace to store, once none has replaced it for some time.
    waiting_workspace: Option<Workspace>,
    /// The autosave copy of each game with unsaved changes.
    copies: BTreeMap<GameId, AutosaveCopy>,
    disk: DiskThread,
    /// Whether a failure was reported since the last successful autosave.
    is_error_reported: bool,
}

/// A thread that waits for the disk, which may take a second. Meanwhile the next edits are written: if the program ends,
/// all that is written stays.
struct DiskThread {
    // Dropped before the thread, which ends when its channel closes.
    wake: SyncSender<()>,
    /// The files that may not be on the disk yet.
    written: Arc<Mutex<BTreeSet<PathBuf>>>,
    _thread: Thread,
}

impl DiskThread {
    fn start() -> io::Result<Self> {
        let (wake, woken) = sync_channel(1);
        let written = Arc::<Mutex<BTreeSet<PathBuf>>>::default();
        let shared = Arc::clone(&written);
        let sync_all = move || {
            for () in woken {
                let paths = std::mem::take(&mut *lock(&shared));
                for path in paths {
                    // A failure of the disk is reported by the next write.
                    let _best_effort = files::sync(&path);
                }
            }
        };
        Ok(Self { wake, written, _thread: threads::spawn("disk", sync_all)? })
    }

    fn sync(&self, path: &Path) {
        lock(&self.written).insert(path.to_owned());
        let _is_awake = self.wake.try_send(());
    }
}

/// An autosave copy.
struct AutosaveCopy {
    path: PathBuf,
    /// Marks it as that of a running program.
    _lock: FileLock,
    /// The original file that is stored beside it; empty where there is none.
    original: String,
    /// Whether the last autosave succeeded.
    is_written: bool,
}

impl FolderThread {
    fn run(mut self, inbox: &Receiver<FolderCommand>) {
        loop {
            // While a workspace waits to be stored, others may replace it: every step through a game makes one.
            let command = match self.waiting_workspace {
                None => inbox.recv().map_err(|_closed| RecvTimeoutError::Disconnected),
                Some(_) => inbox.recv_timeout(WORKSPACE_DELAY),
            };
            match command {
                Ok(command) => self.execute(command),
                Err(RecvTimeoutError::Timeout) => self.store_workspace(),
                Err(RecvTimeoutError::Disconnected) => return self.store_workspace(),
            }
        }
    }

    fn execute(&mut self, command: FolderCommand) {
        match command {
            FolderCommand::Autosave => {
                // Empty: an earlier command has autosaved the newest records already.
                let newest = std::mem::take(&mut *lock(&self.newest));
                for (game, unsaved) in newest {
                    self.autosave(game, unsaved.as_ref());
                }
            }
            // It stays if the record could not be autosaved again.
            FolderCommand::DeleteRecovered(game, copy) => {
                if self.copies.get(&game).is_some_and(|own| own.is_written && files::sync(&own.path).is_ok()) {
                    delete_copy(&copy);
                }
            }
            FolderCommand::DeleteCopies(copies) => copies.iter().for_each(|copy| delete_copy(copy)),
            FolderCommand::StoreRecent(files) => self.store_recent(&files),
            FolderCommand::StoreWorkspace(workspace) => self.waiting_workspace = Some(workspace),
        }
    }

    fn store_workspace(&mut self) {
        if let Some(workspace) = self.waiting_workspace.take() {
            store(self.workspace_file.as_deref(), &workspace.to_text());
        }
    }

    /// Writes a game's record to its autosave copy; `None` deletes the copy. The user's own file is never touched.
    ///
    /// After a failure, an earlier copy stays as it was.
    fn autosave(&mut self, game: GameId, unsaved: Option<&UnsavedRecord>) {
        let Some(unsaved) = unsaved else {
            if let Some(copy) = self.copies.remove(&game) {
                delete_copy(&copy.path);
            }
            return;
        };
        let copy = match self.copies.entry(game) {
            Entry::Occupied(copy) => copy.into_mut(),
            Entry::Vacant(place) => match self.folder.as_deref().map(AutosaveCopy::create).transpose() {
                Ok(Some(copy)) => place.insert(copy),
                Ok(None) => return,
                Err(why) => return self.report_autosave_error(game, &why),
            },
        };
        match copy.write(unsaved) {
            Ok(()) => {
                self.is_error_reported = false;
                self.disk.sync(&copy.path);
            }
            Err(why) => self.report_autosave_error(game, &why),
        }
    }

    /// Reports that an autosave failed: once, until one succeeds.
    fn report_autosave_error(&mut self, game: GameId, why: &WriteError) {
        if !std::mem::replace(&mut self.is_error_reported, true) {
            (self.listener.0)(game, FileEvent::NotAutosaved(why.into()));
        }
    }

    /// Stores the list of recent files, one path a line. If it cannot be written, it lasts until the program ends.
    fn store_recent(&self, files: &[PathBuf]) {
        // Paths that are not UTF-8 or have control characters cannot be stored.
        let paths = files.iter().filter_map(|path| path.to_str()).filter(|path| !path.contains(char::is_control));
        let text = paths.flat_map(|path| [path, "\n"]).collect::<String>();
        store(self.recent_file.as_deref(), &text);
    }
}

impl AutosaveCopy {
    /// Locks a new copy, which is not written yet. A name may be taken: a program of the same process id has left its
    /// copy, or runs in another container, or it is that of another game.
    ///
    /// # Errors
    /// If the folder cannot be made, or no name is free.
    fn create(folder: &Path) -> Result<Self, WriteError> {
        files::make_folder(folder)?;
        let own = std::process::id();
        let names =
            std::iter::once(format!("{own}.kifu")).chain((2..=MAX_COPIES).map(|more| format!("{own}-{more}.kifu")));
        let mut free = names.map(|name| folder.join(name)).filter(|path| path.symlink_metadata().is_err());
        let locked = free.find_map(|path| files::try_lock(&path).map(|lock| (path, lock)));
        let (path, lock) = locked.ok_or_else(|| WriteError::new(folder, WriteRefusal::NoFreeName.into()))?;
        Ok(Self { path, _lock: lock, original: String::new(), is_written: false })
    }

    fn write(&mut self, UnsavedRecord { record, original }: &UnsavedRecord) -> Result<(), WriteError> {
        let original = original.as_ref().and_then(OriginalFile::to_text).unwrap_or_default();
        if self.original != original {
            // If this fails, the record is recovered without its file.
            let _best_effort = if original.is_empty() {
                files::remove(&original_file(&self.path))
            } else {
                files::write_as(FileAccess::Own, &original_file(&self.path), original.as_bytes())
            };
            self.original = original;
        }
        let written = files::write_unsynced(FileAccess::Own, &self.path, &kifu::write(record, Target::Kifu).bytes);
        self.is_written = written.is_ok();
        written
    }
}

/// Stores a text. If it cannot be written, it lasts until the program ends. The disk is not waited for: autosaves may
/// be next.
fn store(file: Option<&Path>, text: &str) {
    let Some(file) = file else { return };
    let made = file.parent().is_none_or(|folder| files::make_folder(folder).is_ok());
    let _best_effort = made && files::write_unsynced(FileAccess::Private, file, text.as_bytes()).is_ok();
}

/// Returns what the last run has stored about its games and bars; nothing if it cannot be read.
pub fn stored_workspace(store: &Store) -> Workspace {
    let bytes = files::read(&store.workspace_file(), MAX_WORKSPACE_BYTES).unwrap_or_default();
    Workspace::from_text(&String::from_utf8_lossy(&bytes))
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
