//! The thread that watches the file of a game's record.

use super::Listener;
use super::reading::read_part;
use shogibar_base::{Latest, threads};
use shogibar_files::FileStamp;
use shogibar_live::file::{self, FILE_CHECK_INTERVAL, FollowedFile};
use shogibar_live::reader::ReaderUpdate;
use shogibar_model::ids::GameId;
use shogibar_model::record_file::{FileEvent, RequestNumber};
use std::io;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default)]
pub(super) struct WatchRequest {
    /// The number of the request, which the events have.
    pub(super) request: RequestNumber,
    /// The file, and the stamp of the version that this program has read or written, if known; `None` to watch no file.
    pub(super) file: Option<(PathBuf, Option<FileStamp>)>,
}

/// The thread that watches a file. Dropping it ends the thread.
#[derive(Debug)]
pub(super) struct FileWatcher {
    /// The signal for the thread. If the channel is full, a signal is already waiting, and the thread takes the newest
    /// request.
    wake_up: SyncSender<()>,
    newest_request: Latest<WatchRequest>,
}

impl FileWatcher {
    pub(super) fn start(game: GameId, listener: Listener) -> io::Result<Self> {
        let (wake_up, wake_ups) = sync_channel(1);
        let newest = Latest::default();
        let requests = Latest::clone(&newest);
        // The thread is not joined: a file may hang.
        threads::spawn("watch", move || {
            run(&requests, &wake_ups, |event| (listener.0)(game, event));
        })?
        .detach();
        Ok(Self {
            wake_up,
            newest_request: newest,
        })
    }

    pub(super) fn watch(&self, request: WatchRequest) {
        self.newest_request.put(request);
        let _woken_already = self.wake_up.try_send(());
    }
}

/// Watches the file of the newest request until the channel closes.
fn run(requests: &Latest<WatchRequest>, wake_ups: &Receiver<()>, report: impl Fn(FileEvent)) {
    let start = now();
    let mut watched = None;
    loop {
        if let Some(newest) = requests.take() {
            watched = WatchedRecord::from_request(newest, watched);
        }
        let begun = now();
        let wait = match &mut watched {
            Some(file) => {
                if let Some(event) = file.poll(begun - start) {
                    report(event);
                }
                FILE_CHECK_INTERVAL.max(file::pause(begun.elapsed()))
            }
            // Without a watched file, the thread does not wake up by itself.
            None => Duration::MAX,
        };
        if wake_ups.recv_timeout(wait) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

/// The file that a [`WatchRequest`] asked to watch.
struct WatchedRecord {
    request: RequestNumber,
    file: FollowedFile,
    /// The stamp of the version that this program has read or written, until a version of another program is reported.
    known_stamp: Option<FileStamp>,
    /// The stamp of the version that was last reported, and the number of its bytes that were read.
    reported_version: Option<(FileStamp, usize)>,
}

impl WatchedRecord {
    /// Begins to watch the file of a request. If `before` is about the same file, its state is used. Returns `None` if
    /// the request has no file.
    fn from_request(newest: WatchRequest, before: Option<Self>) -> Option<Self> {
        let (path, written) = newest.file?;
        let same = before
            .map(|before| before.file)
            .filter(|file| file.path() == path);
        let mut file = same.unwrap_or_else(|| FollowedFile::new(&path));
        // The answer to an older request may have been ignored, so the file is read again.
        file.read_again();
        Some(Self {
            request: newest.request,
            file,
            known_stamp: written,
            reported_version: None,
        })
    }

    /// Checks the file at the time `now`. Returns a version that another program has written, once it is complete.
    fn poll(&mut self, now: Duration) -> Option<FileEvent> {
        let content = file::poll(&mut self.file, now, shogibar_kifu::MAX_BYTES)?;
        let modified = u64::try_from(content.modified).unwrap_or(u64::MAX);
        let stamp = FileStamp {
            size: u64::try_from(content.bytes.len()).ok()?,
            modified,
        };
        let is_written = self.known_stamp == Some(stamp);
        let update = self.file.update(now, &content, is_written);
        if is_written || !matches!(update, ReaderUpdate::Changed(_) | ReaderUpdate::Same) {
            return None;
        }
        // A content that the reader refused has no known part: it may be cut off.
        let part = self.file.reader().known_part(&content.bytes)?;
        let version = Some((stamp, part.len()));
        if self.reported_version == version {
            return None;
        }
        let games = read_part(self.file.path(), &content.bytes, part).ok()?;
        (self.known_stamp, self.reported_version) = (None, version);
        Some(FileEvent::Changed {
            request: self.request,
            games,
            stamp: Some(stamp),
        })
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the clock of the thread that watches a file"
)]
fn now() -> Instant {
    Instant::now()
}
