//! The thread that writes to the user's configuration folder: autosave copies, recent files and the workspace. It also
//! writes the values that were shown, and the evaluations of the user's games.

use super::Listener;
use super::autosave_copy::{AutosaveCopy, delete_copy, recoverable_records};
use super::disk_thread::{DiskThread, DiskWrite};
use shogibar_base::file_error::WriteError;
use shogibar_base::threads::{self, Thread, lock};
use shogibar_files::{Appender, FileAccess};
use shogibar_games::calibration::{UserGame, net_of};
use shogibar_machine::store::Store;
use shogibar_model::StoredFiles;
use shogibar_model::game::StoredValues;
use shogibar_model::ids::GameId;
use shogibar_model::record_file::{FileEvent, UnsavedRecord};
use shogibar_model::workspace::Workspace;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const CHANNEL_CAPACITY: usize = 256;
/// The maximum number of bytes of the list of recent files.
const MAX_RECENT_BYTES: usize = 1 << 20;
/// The maximum number of bytes of the stored workspace.
const MAX_WORKSPACE_BYTES: usize = 4 << 20;
/// The maximum number of bytes of the stored values.
const MAX_VALUES_BYTES: usize = 16 << 20;
/// The time without a command after which a workspace and values are stored.
const STORE_DELAY: Duration = Duration::from_millis(500);
/// The longest delay before a workspace or values are stored, while newer ones replace them.
const MAX_STORE_DELAY: Duration = Duration::from_secs(2);

pub(super) enum FolderCommand {
    /// Autosave the newest record of each game.
    Autosave,
    /// Delete the copy of a recovered record, if the last autosave of its game succeeded.
    DeleteRecovered(GameId, PathBuf),
    DeleteCopies(Vec<PathBuf>),
    /// Store the list of recently opened files.
    StoreRecent(Vec<PathBuf>),
    StoreWorkspace(Workspace),
    /// Store the values that were shown, by game.
    StoreValues(Vec<Arc<StoredValues>>),
    /// Store the evaluations of the user's finished games.
    StoreResults(Vec<UserGame>),
}

/// The newest record of each game, until it is autosaved; `None` for a game without unsaved changes.
type NewestRecords = Arc<Mutex<BTreeMap<GameId, Option<UnsavedRecord>>>>;

/// The thread that writes to the user's folder. Dropping it waits for all commands.
#[derive(Debug)]
pub(super) struct UserFolderThread {
    // Dropped before `_thread`: the thread ends when this channel closes.
    commands: SyncSender<FolderCommand>,
    newest_records: NewestRecords,
    _thread: Thread,
}

impl UserFolderThread {
    pub(super) fn start(store: Option<&Store>, listener: Listener) -> io::Result<Self> {
        let (commands, inbox) = sync_channel(CHANNEL_CAPACITY);
        let newest = NewestRecords::default();
        let thread = UserFolderWorker {
            disk_thread: DiskThread::start(listener.clone())?,
            listener,
            folder: store.map(Store::unsaved_folder),
            store: store.cloned(),
            recent_file: store.map(Store::recent_file),
            workspace_file: store.map(Store::workspace_file),
            newest_records: Arc::clone(&newest),
            values_file: store.map(Store::values_file),
            waiting_workspace: None,
            waiting_values: None,
            copies: BTreeMap::new(),
            is_error_reported: false,
        };
        Ok(Self {
            commands,
            newest_records: newest,
            _thread: threads::spawn("user folder", move || thread.run(&inbox))?,
        })
    }

    /// Stores the record of a game, which the thread then autosaves. `None` deletes the copy of a game without unsaved
    /// changes.
    pub(super) fn autosave(&self, game: GameId, unsaved: Option<UnsavedRecord>) {
        lock(&self.newest_records).insert(game, unsaved);
        self.send(FolderCommand::Autosave);
    }

    /// Queues a command. If the disk hangs and the queue is full, the command is dropped. An earlier command in the
    /// queue then autosaves the newest records, and the other commands are dispensable.
    pub(super) fn send(&self, command: FolderCommand) {
        let _is_full = self.commands.try_send(command);
    }
}

/// The work of the thread. Without a user's folder, the store and the paths are `None`.
struct UserFolderWorker {
    listener: Listener,
    /// The folder of the autosave copies.
    folder: Option<PathBuf>,
    store: Option<Store>,
    recent_file: Option<PathBuf>,
    workspace_file: Option<PathBuf>,
    values_file: Option<PathBuf>,
    /// The records to autosave. Only the newest record of a game is written.
    newest_records: NewestRecords,
    /// The workspace to store; stored after [`STORE_DELAY`] or [`MAX_STORE_DELAY`].
    waiting_workspace: Option<Workspace>,
    /// The values to store; stored together with the workspace.
    waiting_values: Option<Vec<Arc<StoredValues>>>,
    /// The autosave copy of each game with unsaved changes.
    copies: BTreeMap<GameId, AutosaveCopy>,
    disk_thread: DiskThread,
    /// Whether a failure was reported since the last successful autosave.
    is_error_reported: bool,
}

impl UserFolderWorker {
    /// Executes commands until the channel is closed. A workspace and values are stored after a delay.
    fn run(mut self, inbox: &Receiver<FolderCommand>) {
        let mut due: Option<Instant> = None;
        loop {
            // While a workspace waits to be stored, others may replace it: every step through a game creates one.
            let command = if self.waiting_workspace.is_none() && self.waiting_values.is_none() {
                due = None;
                inbox.recv().map_err(|_closed| RecvTimeoutError::Disconnected)
            } else {
                let due = *due.get_or_insert_with(|| now() + MAX_STORE_DELAY);
                match due.saturating_duration_since(now()) {
                    Duration::ZERO => Err(RecvTimeoutError::Timeout),
                    remaining => inbox.recv_timeout(STORE_DELAY.min(remaining)),
                }
            };
            match command {
                Ok(command) => self.execute(command),
                Err(RecvTimeoutError::Timeout) => self.store_waiting(),
                Err(RecvTimeoutError::Disconnected) => return self.store_waiting(),
            }
        }
    }

    /// Carries out a command. A workspace and values are only stored later.
    fn execute(&mut self, command: FolderCommand) {
        match command {
            FolderCommand::Autosave => {
                // There are none if an earlier command has already autosaved the newest records.
                let newest = std::mem::take(&mut *lock(&self.newest_records));
                for (game, unsaved) in newest {
                    self.autosave(game, unsaved.as_ref());
                }
            }
            // The recovered copy is deleted only after the record was autosaved again.
            FolderCommand::DeleteRecovered(game, copy) => {
                let current = self.copies.get(&game);
                let written = current.and_then(|current| Some((current, current.written_bytes.clone()?)));
                if let Some((current, bytes)) = written {
                    self.disk_thread.write(
                        current.path(),
                        DiskWrite {
                            game,
                            bytes,
                            replaced_copy: Some(copy),
                        },
                    );
                }
            }
            FolderCommand::DeleteCopies(copies) => copies.iter().for_each(|copy| delete_copy(copy)),
            FolderCommand::StoreRecent(files) => self.store_recent(&files),
            FolderCommand::StoreWorkspace(workspace) => self.waiting_workspace = Some(workspace),
            FolderCommand::StoreValues(values) => self.waiting_values = Some(values),
            FolderCommand::StoreResults(games) => self.store_results(games),
        }
    }

    fn store_results(&self, games: Vec<UserGame>) {
        let Some(store) = &self.store else { return };
        let profiles = store.profiles().unwrap_or_default().value;
        let lines: String = games
            .into_iter()
            .map(|game| {
                let net = profiles
                    .iter()
                    .find(|profile| game.is_evaluated_by(profile.name()))
                    .and_then(net_of);
                UserGame { net, ..game }.line()
            })
            .collect();
        // An error is ignored: later fits only have fewer games.
        if let Ok(Some((mut file, _))) = Appender::open(&store.calibration_file(), 0) {
            let _best_effort = file.append(lines.as_bytes());
        }
    }

    fn store_waiting(&mut self) {
        if let Some(workspace) = self.waiting_workspace.take() {
            store_text(self.workspace_file.as_deref(), &workspace.to_text());
        }
        if let Some(values) = self.waiting_values.take() {
            // Texts and numbers can always be serialized, so the default is never used.
            let line =
                |values: &Arc<StoredValues>| serde_json::to_string(&**values).unwrap_or_default() + "\n";
            let mut room = MAX_VALUES_BYTES;
            // The oldest values, which come first, are left out if there are too many.
            let lines = values.iter().rev().map(line).take_while(|line| {
                room = room.saturating_sub(line.len());
                room > 0
            });
            store_text(
                self.values_file.as_deref(),
                &lines.collect::<Vec<_>>().into_iter().rev().collect::<String>(),
            );
        }
    }

    /// Writes a game's record to its autosave copy; `None` deletes the copy. The user's record file is never touched.
    ///
    /// After a failure, an earlier copy stays as it was.
    fn autosave(&mut self, game: GameId, unsaved: Option<&UnsavedRecord>) {
        let Some(unsaved) = unsaved else {
            if let Some(copy) = self.copies.remove(&game) {
                self.disk_thread.delete(copy);
            }
            return;
        };
        let copy = match self.copies.entry(game) {
            Entry::Occupied(copy) => copy.into_mut(),
            Entry::Vacant(entry) => match self.folder.as_deref().map(AutosaveCopy::create).transpose() {
                Ok(Some(copy)) => entry.insert(copy),
                Ok(None) => return,
                Err(why) => return self.report_autosave_error(game, &why),
            },
        };
        match copy.write(unsaved) {
            Ok(bytes) => {
                self.is_error_reported = false;
                self.disk_thread.write(
                    copy.path(),
                    DiskWrite {
                        game,
                        bytes,
                        replaced_copy: None,
                    },
                );
            }
            Err(why) => self.report_autosave_error(game, &why),
        }
    }

    /// Reports a failed autosave, unless a failure was reported since the last success.
    fn report_autosave_error(&mut self, game: GameId, why: &WriteError) {
        if !std::mem::replace(&mut self.is_error_reported, true) {
            (self.listener.0)(game, FileEvent::NotAutosaved(why.into()));
        }
    }

    /// Stores the list of recent files, one path a line. A list that cannot be written lasts until the program ends.
    fn store_recent(&self, files: &[PathBuf]) {
        // Paths that are not UTF-8 or have control characters cannot be stored, so they are left out.
        let paths = files
            .iter()
            .filter_map(|path| path.to_str())
            .filter(|path| !path.contains(char::is_control));
        let text = paths.flat_map(|path| [path, "\n"]).collect::<String>();
        store_text(self.recent_file.as_deref(), &text);
    }
}

/// Writes a text to a file. Errors are ignored: the text is then lost when the program ends. The function does not
/// wait for the disk, as autosaves may be next.
fn store_text(file: Option<&Path>, text: &str) {
    let Some(file) = file else { return };
    let made = file
        .parent()
        .is_none_or(|folder| shogibar_files::make_folder(folder).is_ok());
    let _best_effort =
        made && shogibar_files::write_unsynced(FileAccess::Private, file, text.as_bytes()).is_ok();
}

#[expect(
    clippy::disallowed_methods,
    reason = "the time that a workspace waits to be stored"
)]
fn now() -> Instant {
    Instant::now()
}

/// Returns the games and bars that the last run has stored; an empty workspace if they cannot be read.
pub fn stored_workspace(store: &Store) -> Workspace {
    let bytes = shogibar_files::read(&store.workspace_file(), MAX_WORKSPACE_BYTES).unwrap_or_default();
    Workspace::from_text(&String::from_utf8_lossy(&bytes))
}

/// Returns the files that earlier runs have stored.
pub fn stored_files(store: &Store) -> StoredFiles {
    let folder = store.unsaved_folder();
    let recoverable = recoverable_records(&folder);
    let values = stored_values(store);
    StoredFiles {
        recent_files: recent_files(store),
        recoverable_records: recoverable,
        autosave_folder: Some(folder),
        values,
    }
}

/// Reads the values that were shown; those that cannot be read are left out.
fn stored_values(store: &Store) -> Vec<StoredValues> {
    let bytes = shogibar_files::read(&store.values_file(), MAX_VALUES_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Reads the list of recent files; empty if it cannot be read.
fn recent_files(store: &Store) -> Vec<PathBuf> {
    let bytes = shogibar_files::read(&store.recent_file(), MAX_RECENT_BYTES).unwrap_or_default();
    String::from_utf8_lossy(&bytes)
        .lines()
        .filter(|line| !line.is_empty())
        .map(PathBuf::from)
        .collect()
}
