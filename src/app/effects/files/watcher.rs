//! The thread that watches the record's file.
//!
//! The source of files that grow says when there is a newer record: it knows half-written files and looks ten times a
//! second. The file is then read again as a file to save to. A slower look finds changes that leave the game as it is.

use super::Listener;
use super::reading::read_finished;
use crate::files::{self, FileStamp};
use crate::kifu::{ReadGames, Record};
use crate::live::{self, LiveAddress, LiveSource, SourceConfig, SourceEvent};
use crate::model::ids::GameId;
use crate::model::record_file::{FileEvent, has_grown};
use crate::session::Latest;
use crate::threads;
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

/// The interval between two checks of the watched file. Two equal stamps in a row are needed to read it.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);

/// The largest file that the source follows, in bytes.
const MAX_FILE: u64 = live::file::MAX_FILE as u64;

/// The interval between two attempts to read the record that the source has seen.
const RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// The number of those attempts. After them, the slower look decides.
const MOST_ATTEMPTS: u32 = 20;

/// The number of attempts in turn at which the file had changed again, from which it is a stream of moves.
const STREAM_MISSES: u32 = 3;

/// A request to watch a file from the version with this stamp on; `None` for no file.
#[derive(Clone, Debug, Default)]
pub(super) struct WatchRequest {
    pub(super) request: u64,
    pub(super) file: Option<(PathBuf, Option<FileStamp>)>,
}

/// The thread that watches a file. It ends when this is dropped.
#[derive(Debug)]
pub(super) struct FileWatcher {
    /// A full channel means that something is waiting already, and the thread takes the newest.
    wake_up: Arc<SyncSender<()>>,
    newest: Latest<WatchRequest>,
}

impl FileWatcher {
    pub(super) fn start(game: GameId, listener: Listener) -> io::Result<Self> {
        let (wake_up, wake_ups) = sync_channel(1);
        let (wake_up, newest) = (Arc::new(wake_up), Latest::default());
        let thread = WatchThread {
            newest: Latest::clone(&newest),
            watched: WatchRequest::default(),
            last_stamp: None,
            refused_stamp: None,
            source: None,
            seen: Latest::default(),
            known: None,
            pending: None,
            misses: 0,
            // What wakes the thread must not keep it alive.
            wake_up: Arc::downgrade(&wake_up),
        };
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
    /// The stamp of a version with another game than the source has reported.
    refused_stamp: Option<FileStamp>,
    /// Reports what the file has. Missing where the system has no thread for it.
    source: Option<LiveSource>,
    /// The newest record that the source has reported, until it is taken.
    seen: Latest<Arc<Record>>,
    /// The same once it is taken.
    known: Option<Arc<Record>>,
    /// That record until it is read here, and the number of attempts left.
    pending: Option<(Arc<Record>, u32)>,
    /// The number of attempts since the file was last as the source has reported.
    misses: u32,
    wake_up: Weak<SyncSender<()>>,
}

impl WatchThread {
    fn run(mut self, wake_ups: &Receiver<()>, report: impl Fn(FileEvent)) {
        let mut next_check = now();
        loop {
            if let Some(newest) = self.newest.take() {
                self.take_request(newest);
            }
            if let Some(record) = self.seen.take() {
                self.known = Some(Arc::clone(&record));
                self.pending = Some((record, MOST_ATTEMPTS));
            }
            if let Some(event) = self.read_pending() {
                report(event);
            }
            // Without a watched file there is no need to wake up.
            let wait = match &self.watched.file {
                Some(_) if self.pending.is_some() => RETRY_INTERVAL,
                Some(_) => next_check.saturating_duration_since(now()),
                None => Duration::MAX,
            };
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

    fn take_request(&mut self, newest: WatchRequest) {
        let path = |request: &WatchRequest| request.file.as_ref().map(|(path, _)| path.clone());
        if path(&newest) != path(&self.watched) {
            // An event of the old source may be on its way. It has a slot of its own.
            (self.seen, self.known, self.pending, self.refused_stamp) = (Latest::default(), None, None, None);
            self.source = path(&newest).and_then(|path| self.start_source(path));
        }
        self.watched = newest;
    }

    fn start_source(&self, path: PathBuf) -> Option<LiveSource> {
        let (seen, wake_up) = (Latest::clone(&self.seen), Weak::clone(&self.wake_up));
        let listener = move |event| {
            if let (SourceEvent::Game(game), Some(wake_up)) = (event, wake_up.upgrade()) {
                seen.put(game.record);
                let _woken_already = wake_up.try_send(());
            }
        };
        // Without it, changes are seen later.
        LiveSource::start(LiveAddress::Path(path), &SourceConfig::new(env!("CARGO_PKG_VERSION")), listener).ok()
    }

    /// Reads the version of the file that the source has seen. While the file has another one, it is tried again.
    fn read_pending(&mut self) -> Option<FileEvent> {
        let request = self.watched.request;
        let (record, attempts) = self.pending.take()?;
        let (path, known_stamp) = self.watched.file.as_mut()?;
        let stamp = files::stamp(path);
        if stamp.is_some() && stamp == *known_stamp {
            return None;
        }
        let games = read_finished(path).ok().filter(|_| stamp.is_some() && files::stamp(path) == stamp);
        // A file that grows all the time has more moves again.
        let is_stream = self.misses >= STREAM_MISSES;
        let is_wanted = |read: &Record| *read == *record || is_stream && has_grown(&record, read);
        let Some(games) = games.filter(|read| read.games.last().is_some_and(is_wanted)) else {
            self.misses = self.misses.saturating_add(1);
            self.pending = attempts.checked_sub(1).map(|left| (record, left));
            return None;
        };
        // As long as it is a stream, the next version is taken at once, too.
        if games.games.last() == Some(&*record) {
            self.misses = 0;
        }
        (*known_stamp, self.last_stamp) = (stamp, stamp);
        Some(FileEvent::Changed { request, games, stamp })
    }

    /// Reads the watched file if it has changed, and the last two checks found the same stamp. The source decides when
    /// another game in it is taken. A file that cannot be read may be incomplete: its next version is read.
    fn check(&mut self) -> Option<FileEvent> {
        let request = self.watched.request;
        let (path, known_stamp) = self.watched.file.as_mut()?;
        let stamp = files::stamp(path);
        // A file that is being written has another stamp at each check.
        let is_stable = std::mem::replace(&mut self.last_stamp, stamp) == stamp;
        if stamp.is_none() || stamp == *known_stamp || stamp == self.refused_stamp || !is_stable {
            return None;
        }
        let games = read_finished(path).ok().filter(|_| files::stamp(path) == stamp);
        let has_known_game = |read: &ReadGames| read.games.last() == self.known.as_deref();
        // A larger file is not followed by the source.
        let is_followed = self.source.is_some() && stamp.is_some_and(|stamp| stamp.size <= MAX_FILE);
        if is_followed && !games.as_ref().is_some_and(has_known_game) {
            self.refused_stamp = stamp;
            return None;
        }
        *known_stamp = stamp;
        Some(FileEvent::Changed { request, games: games?, stamp })
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the thread that checks files")]
fn now() -> Instant {
    Instant::now()
}
