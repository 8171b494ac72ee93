//! The thread that watches the record's file.

use super::{Listener, read};
use crate::app::ids::GameId;
use crate::app::record_file::FileEvent;
use crate::files::{self, FileStamp};
use crate::session::Latest;
use crate::threads;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The interval between two checks of the watched file. Two equal stamps in a row are needed to read it, so a change
/// is seen up to 1 s late.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// A request to watch a file from the version with this stamp on; `None` for no file.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchRequest {
    pub(super) request: u64,
    pub(super) file: Option<(PathBuf, Option<FileStamp>)>,
}

/// The thread that watches a file. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct FileWatcher {
    /// A full channel means that a request is waiting already, and the thread takes the newest.
    wake_up: SyncSender<()>,
    newest: Latest<WatchRequest>,
}

impl FileWatcher {
    pub(super) fn start(game: GameId, listener: Listener) -> io::Result<Self> {
        let (wake_up, wake_ups) = sync_channel(1);
        let newest = Latest::default();
        let thread = WatchThread { newest: Latest::clone(&newest), watched: WatchRequest::default(), last_stamp: None };
        // Not waited for: a file may hang.
        threads::spawn("watch", move || thread.run(&wake_ups, |event| (listener.0)(game, event)))?.detach();
        Ok(Self { wake_up, newest })
    }

    pub(super) fn watch(&self, request: WatchRequest) {
        self.newest.put(request);
        let _woken_already = self.wake_up.try_send(());
    }
}

struct WatchThread {
    newest: Latest<WatchRequest>,
    /// The watched file, and the stamp of the version that was last read or written by this program.
    watched: WatchRequest,
    /// The watched file's stamp at the last check.
    last_stamp: Option<FileStamp>,
}

impl WatchThread {
    fn run(mut self, wake_ups: &Receiver<()>, report: impl Fn(FileEvent)) {
        let mut next_check = now();
        loop {
            if let Some(newest) = self.newest.take() {
                self.watched = newest;
            }
            // Without a watched file there is no need to wake up.
            let is_watching = self.watched.file.is_some();
            let wait = if is_watching { next_check.saturating_duration_since(now()) } else { Duration::MAX };
            if wait.is_zero() {
                if let Some(event) = self.check() {
                    report(event);
                }
                next_check = now() + CHECK_INTERVAL;
                continue;
            }
            if wake_ups.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }

    /// Reads the watched file if it has changed, and the last two checks found the same stamp. A file that cannot be
    /// read may be incomplete: its next version is read.
    fn check(&mut self) -> Option<FileEvent> {
        let request = self.watched.request;
        let (path, known_stamp) = self.watched.file.as_mut()?;
        let stamp = files::stamp(path);
        // A file that is being written has another stamp at each check.
        let is_stable = std::mem::replace(&mut self.last_stamp, stamp) == stamp;
        if stamp.is_none() || stamp == *known_stamp || !is_stable {
            return None;
        }
        *known_stamp = stamp;
        let games = read(path).ok().filter(|_| files::stamp(path) == stamp)?;
        Some(FileEvent::Changed { request, games, stamp })
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that checks files")]
fn now() -> Instant {
    Instant::now()
}
