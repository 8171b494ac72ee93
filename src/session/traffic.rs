//! The traffic log: what engines are told and say, in files that `explain` and `replay` read.
//!
//! Each engine has a [`Recorder`] with a thread that writes. Recording never blocks: lines wait in a queue of bounded
//! size, and what has no room in it is counted and noted. A file is given up when it reaches its largest size, and the
//! next one begins with what is needed to understand it.

mod file;

use crate::text::Message;
use crate::threads::{self, Thread, lock};
use crate::usi::log::{Direction, LogEntry};
use crate::usi::log_header::LogHeader;
use file::LogWriter;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The largest size of a file, in bytes.
pub const MAX_BYTES: u64 = 64 << 20;
/// Lines of a search and of the standard error wait while the queue is smaller than this, in bytes.
const ROOM: usize = 8 << 20;
/// What else is said, and what is sent, waits while it is smaller than this: without it the rest means nothing.
const LAST_ROOM: usize = 32 << 20;
/// What an entry of the queue takes beside its text, in bytes: the queue grows by doubling.
const OVERHEAD: usize = 2 * size_of::<QueueItem>();
/// How long it is waited for the last lines to be written, on a disk that may not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where engines' talk is recorded, if it is: for all engines of the program. Clones are the same log.
#[derive(Clone)]
pub struct TrafficLog(Arc<SharedLog>);

/// What the log, its recorders and their threads share.
struct SharedLog {
    file: Mutex<Option<PathBuf>>,
    /// Counts the changes of the file.
    revision: AtomicU64,
    /// The files that are written to by engines of this program.
    taken: Mutex<BTreeSet<PathBuf>>,
    trouble: Mutex<LogProblem>,
    max_bytes: u64,
}

/// What went wrong.
#[derive(Default)]
struct LogProblem {
    messages: Vec<Message>,
    /// The revision of which something was said: once is enough for all engines.
    said_of: Option<u64>,
    wake: Option<Box<dyn Fn() + Send>>,
}

impl Default for TrafficLog {
    fn default() -> Self {
        Self::with_max_bytes(MAX_BYTES)
    }
}

impl TrafficLog {
    /// A log whose files are at most so large, in bytes. It is off.
    fn with_max_bytes(max_bytes: u64) -> Self {
        Self(Arc::new(SharedLog {
            file: Mutex::default(),
            revision: AtomicU64::new(0),
            taken: Mutex::default(),
            trouble: Mutex::default(),
            max_bytes,
        }))
    }

    /// Records to a file from now on, a second engine to `FILE-2` and so on; `None` records nothing.
    pub fn set_file(&self, file: Option<&Path>) {
        let mut now = lock(&self.0.file);
        if now.as_deref() != file {
            *now = file.map(Path::to_owned);
            self.0.revision.fetch_add(1, Ordering::Release);
        }
    }

    /// Calls `wake` on another thread when something has gone wrong.
    pub fn on_trouble(&self, wake: impl Fn() + Send + 'static) {
        lock(&self.0.trouble).wake = Some(Box::new(wake));
    }

    /// What went wrong since this was asked last.
    pub fn problems(&self) -> Vec<Message> {
        std::mem::take(&mut lock(&self.0.trouble).messages)
    }

    /// A recorder for an engine of this name.
    pub fn recorder(&self, engine: &str) -> Recorder {
        Recorder(Arc::new(RecorderInner {
            log: self.clone(),
            engine: engine.to_owned(),
            started: now(),
            talk: Arc::default(),
            thread: Mutex::default(),
        }))
    }
}

impl SharedLog {
    /// Says that nothing is recorded any more, once for each file that was set.
    fn report(&self, revision: u64, message: Message) {
        let mut trouble = lock(&self.trouble);
        if trouble.said_of == Some(revision) {
            return;
        }
        trouble.said_of = Some(revision);
        trouble.messages.push(message);
        if let Some(wake) = &trouble.wake {
            wake();
        }
    }
}

impl fmt::Debug for TrafficLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrafficLog").field("file", &*lock(&self.0.file)).finish_non_exhaustive()
    }
}

/// Records the talk of one engine. Clones record the same talk.
#[derive(Clone, Debug)]
pub struct Recorder(Arc<RecorderInner>);

#[derive(Debug)]
struct RecorderInner {
    log: TrafficLog,
    engine: String,
    started: Instant,
    talk: Arc<Mutex<QueuedLine>>,
    thread: Mutex<Option<WriterThread>>,
}

/// The thread that writes.
#[derive(Debug)]
struct WriterThread {
    bell: SyncSender<()>,
    done: Receiver<()>,
    thread: Thread,
}

/// What was said, and is yet to be written.
#[derive(Debug, Default)]
struct QueuedLine {
    /// What a file that begins now has to begin with.
    preface: LogHeader,
    queue: VecDeque<QueueItem>,
    /// What is in the queue, in bytes.
    bytes: usize,
    /// The revision of the log that was looked at last.
    revision: u64,
    is_on: bool,
    is_closed: bool,
}

/// Something to be written.
#[derive(Debug)]
enum QueueItem {
    /// Write to this file from now on, or to none; when, which revision of the log it is of, and what the file has to
    /// begin with.
    Begin { file: Option<PathBuf>, millis: u64, revision: u64, preface: Box<LogHeader> },
    /// A line of the talk.
    Line(LogEntry<'static>),
    /// So many lines had no room, from this time on.
    Dropped { millis: u64, count: u64 },
}

impl Recorder {
    /// Records a line that is sent to the engine.
    pub fn sent(&self, line: &str) {
        self.record(Direction::Sent, line.as_bytes());
    }

    /// Records a line of the engine's output.
    pub fn output(&self, line: &[u8]) {
        self.record(Direction::Output, line);
    }

    /// Records a line of the engine's standard error.
    pub fn stderr(&self, line: &[u8]) {
        self.record(Direction::Stderr, line);
    }

    /// Records something that happened to the engine.
    pub fn note(&self, text: &str) {
        self.record(Direction::Note, text.as_bytes());
    }

    /// Records nothing more, and waits until all is written.
    pub fn close(&self) {
        lock(&self.0.talk).is_closed = true;
        self.0.finish();
    }

    fn record(&self, mark: Direction, bytes: &[u8]) {
        let inner = &*self.0;
        let millis = u64::try_from(inner.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let entry = LogEntry { millis, mark, bytes: bytes.into() };
        let is_waiting = {
            let mut talk = lock(&inner.talk);
            if talk.is_closed {
                return;
            }
            talk.apply_command(&inner.log.0, millis);
            talk.preface.note(&entry);
            if talk.is_on {
                talk.push(entry);
            }
            !talk.queue.is_empty()
        };
        if is_waiting {
            inner.wake_writer();
        }
    }
}

impl QueuedLine {
    /// Begins another file where another was set.
    fn apply_command(&mut self, log: &SharedLog, millis: u64) {
        let revision = log.revision.load(Ordering::Acquire);
        if revision == self.revision {
            return;
        }
        self.revision = revision;
        let file = lock(&log.file).clone();
        self.is_on = file.is_some();
        self.queue.push_back(QueueItem::Begin { file, millis, revision, preface: Box::new(self.preface.clone()) });
    }

    fn push(&mut self, entry: LogEntry<'_>) {
        let is_plenty = entry.mark == Direction::Stderr || entry.bytes.trim_ascii_start().starts_with(b"info");
        let room = if is_plenty { ROOM } else { LAST_ROOM };
        if self.bytes < room {
            self.bytes += entry.bytes.len() + OVERHEAD;
            self.queue.push_back(QueueItem::Line(entry.into_owned()));
        } else if let Some(QueueItem::Dropped { count, .. }) = self.queue.back_mut() {
            *count += 1;
        } else {
            self.queue.push_back(QueueItem::Dropped { millis: entry.millis, count: 1 });
        }
    }
}

impl RecorderInner {
    /// Wakes the thread that writes, and starts it where there is none yet.
    fn wake_writer(&self) {
        let mut thread = lock(&self.thread);
        if thread.is_none() && !lock(&self.talk).is_closed {
            *thread = self.start();
        }
        if let Some(writing) = &*thread {
            // A full channel means that it is about to look.
            let _rung_already = writing.bell.try_send(());
        }
    }

    fn start(&self) -> Option<WriterThread> {
        let (bell, rings) = sync_channel(1);
        let (all_done, done) = sync_channel(1);
        let (talk, mut writer) = (Arc::clone(&self.talk), LogWriter::new(Arc::clone(&self.log.0), &self.engine));
        let write = move || {
            loop {
                let is_last = rings.recv().is_err();
                let items = {
                    let mut talk = lock(&talk);
                    talk.bytes = 0;
                    std::mem::take(&mut talk.queue)
                };
                writer.write(items);
                if is_last {
                    break;
                }
            }
            drop(writer);
            let _nobody_waits = all_done.try_send(());
        };
        match threads::named("traffic log", write) {
            Ok(thread) => Some(WriterThread { bell, done, thread }),
            Err(error) => {
                let mut talk = lock(&self.talk);
                (talk.is_on, talk.bytes) = (false, 0);
                talk.queue.clear();
                self.log.0.report(talk.revision, Message::LogNotWritten((&error).into()));
                None
            }
        }
    }

    /// Has the rest be written, and waits for that.
    fn finish(&self) {
        let Some(WriterThread { bell, done, thread }) = lock(&self.thread).take() else { return };
        drop(bell);
        // A disk that does not answer is not waited for without end.
        if done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
            thread.detach();
        }
    }
}

impl Drop for RecorderInner {
    fn drop(&mut self) {
        self.finish();
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock of the log")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests;
