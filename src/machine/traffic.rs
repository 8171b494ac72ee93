//! The traffic log: commands to engines and their output, in files that `explain` and `replay` read.
//!
//! Each engine has a [`Recorder`] with a thread that writes. Recording never blocks: lines wait in a queue of bounded
//! size, and lines beyond it are counted and noted. A file is closed when it reaches its largest size. The next one
//! begins with a header, so that it can be read without the earlier files.

mod file;

use file::LogWriter;
use shogibar_base::threads::{self, Thread, lock};
use shogibar_engine::LogProblem;
use shogibar_engine::observer::LogHeader;
use shogibar_engine::session::TrafficRecorder;
use shogibar_engine::usi::log::{Direction, LogEntry};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The largest size of a log file, in bytes.
pub const MAX_FILE_BYTES: u64 = 64 << 20;
/// The queue size below which `info` lines and lines of the standard error are queued, in bytes.
const MAX_SEARCH_QUEUE_BYTES: usize = 8 << 20;
/// The queue size below which other lines are queued, in bytes. The log cannot be understood without these lines.
const MAX_QUEUE_BYTES: usize = 32 << 20;
/// The size of a queue item without its text, in bytes. The factor 2 is for the free space of a queue that grows by
/// doubling.
const ITEM_OVERHEAD_BYTES: usize = 2 * size_of::<QueueItem>();
/// The longest wait for the last lines to be written. The disk may not answer.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

/// The traffic log of all engines of the program; it may be off. Clones share the log.
#[derive(Clone)]
pub struct TrafficLog(Arc<SharedLog>);

/// The state shared by the log, its recorders and their threads.
struct SharedLog {
    file: Mutex<Option<PathBuf>>,
    /// The number of times that another file was set.
    revision: AtomicU64,
    /// The log files that engines of this program write to.
    used_files: Mutex<BTreeSet<PathBuf>>,
    problems: Mutex<UnreadProblems>,
    /// The version of the program, for the header of each file.
    version: &'static str,
    max_bytes: u64,
}

/// The problems of the log that the caller has not taken yet.
#[derive(Default)]
struct UnreadProblems {
    problems: Vec<LogProblem>,
    /// The last revision for which a problem was reported. One message is enough for all engines.
    reported_revision: Option<u64>,
    callback: Option<Box<dyn Fn() + Send>>,
}

impl Default for TrafficLog {
    fn default() -> Self {
        Self::new("")
    }
}

impl TrafficLog {
    /// Creates a log of this version of the program. It is off.
    pub fn new(version: &'static str) -> Self {
        Self::with_max_bytes(version, MAX_FILE_BYTES)
    }

    /// Creates a log with files of at most `max_bytes` bytes. It is off.
    fn with_max_bytes(version: &'static str, max_bytes: u64) -> Self {
        Self(Arc::new(SharedLog {
            file: Mutex::default(),
            revision: AtomicU64::new(0),
            used_files: Mutex::default(),
            problems: Mutex::default(),
            version,
            max_bytes,
        }))
    }

    /// Sets the file to which the traffic is recorded from now on; `None` records nothing. Further engines write to
    /// `FILE-2` and so on.
    pub fn set_file(&self, file: Option<&Path>) {
        let mut now = lock(&self.0.file);
        if now.as_deref() != file {
            *now = file.map(Path::to_owned);
            self.0.revision.fetch_add(1, Ordering::Release);
        }
    }

    /// Sets the function that is called when a problem occurs, on any thread.
    pub fn set_problem_callback(&self, callback: impl Fn() + Send + 'static) {
        lock(&self.0.problems).callback = Some(Box::new(callback));
    }

    /// Removes and returns the problems since the last call.
    pub fn take_problems(&self) -> Vec<LogProblem> {
        std::mem::take(&mut lock(&self.0.problems).problems)
    }

    /// Creates a recorder for an engine of this name.
    pub fn recorder(&self, engine: &str) -> Arc<Recorder> {
        Arc::new(Recorder {
            log: self.clone(),
            engine: engine.to_owned(),
            start_time: now(),
            lines: Arc::default(),
            thread: Mutex::default(),
        })
    }
}

impl SharedLog {
    /// Reports that recording has stopped, once for each revision.
    fn report(&self, revision: u64, problem: LogProblem) {
        let mut problems = lock(&self.problems);
        if problems.reported_revision == Some(revision) {
            return;
        }
        problems.reported_revision = Some(revision);
        problems.problems.push(problem);
        if let Some(callback) = &problems.callback {
            callback();
        }
    }
}

impl fmt::Debug for TrafficLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TrafficLog")
            .field("file", &*lock(&self.0.file))
            .finish_non_exhaustive()
    }
}

/// A recorder for the traffic of one engine.
#[derive(Debug)]
pub struct Recorder {
    log: TrafficLog,
    engine: String,
    start_time: Instant,
    lines: Arc<Mutex<LineQueue>>,
    thread: Mutex<Option<WriterThread>>,
}

/// The thread that writes the log.
#[derive(Debug)]
struct WriterThread {
    wake_sender: SyncSender<()>,
    end_receiver: Receiver<()>,
    thread: Thread,
}

/// The lines of one engine that wait to be written.
#[derive(Debug, Default)]
struct LineQueue {
    /// The header of a file that would begin now.
    header: LogHeader,
    queue: VecDeque<QueueItem>,
    /// The size of the queue, in bytes.
    bytes: usize,
    /// The last revision of the log that was applied.
    revision: u64,
    /// Whether a file is set, so that lines are recorded.
    is_on: bool,
    is_closed: bool,
}

/// An item of the queue to the thread that writes the log.
#[derive(Debug)]
enum QueueItem {
    /// The following lines belong into this file; `None` records none. `millis` is the time since the start of the
    /// recorder.
    Begin {
        file: Option<PathBuf>,
        millis: u64,
        revision: u64,
        header: Box<LogHeader>,
    },
    Line(LogEntry<'static>),
    /// Lines were left out because the queue was full. `millis` is the time of the first one, `count` their number.
    Dropped {
        millis: u64,
        count: u64,
    },
}

impl TrafficRecorder for Recorder {
    /// Stops recording, and waits until everything is written.
    fn close(&self) {
        lock(&self.lines).is_closed = true;
        self.finish();
    }

    fn record(&self, direction: Direction, bytes: &[u8]) {
        let millis = u64::try_from(self.start_time.elapsed().as_millis()).unwrap_or(u64::MAX);
        let entry = LogEntry {
            millis,
            direction,
            bytes: bytes.into(),
        };
        let is_waiting = {
            let mut lines = lock(&self.lines);
            if lines.is_closed {
                return;
            }
            lines.queue_file_change(&self.log.0, millis);
            lines.header.on_entry(&entry);
            if lines.is_on {
                lines.push(entry);
            }
            !lines.queue.is_empty()
        };
        if is_waiting {
            self.wake_writer();
        }
    }
}

impl LineQueue {
    /// Queues a [`QueueItem::Begin`] if another file was set.
    fn queue_file_change(&mut self, log: &SharedLog, millis: u64) {
        let revision = log.revision.load(Ordering::Acquire);
        if revision == self.revision {
            return;
        }
        self.revision = revision;
        let file = lock(&log.file).clone();
        self.is_on = file.is_some();
        self.queue.push_back(QueueItem::Begin {
            file,
            millis,
            revision,
            header: Box::new(self.header.clone()),
        });
    }

    /// Queues a line. If the queue is full, counts the line as dropped.
    fn push(&mut self, entry: LogEntry<'_>) {
        let is_frequent =
            entry.direction == Direction::Stderr || entry.bytes.trim_ascii_start().starts_with(b"info");
        let room = if is_frequent {
            MAX_SEARCH_QUEUE_BYTES
        } else {
            MAX_QUEUE_BYTES
        };
        if self.bytes < room {
            self.bytes += entry.bytes.len() + ITEM_OVERHEAD_BYTES;
            self.queue.push_back(QueueItem::Line(entry.into_owned()));
        } else if let Some(QueueItem::Dropped { count, .. }) = self.queue.back_mut() {
            *count += 1;
        } else {
            self.queue.push_back(QueueItem::Dropped {
                millis: entry.millis,
                count: 1,
            });
        }
    }
}

impl Recorder {
    /// Wakes the thread that writes. Starts the thread for the first line.
    fn wake_writer(&self) {
        let mut thread = lock(&self.thread);
        if thread.is_none() && !lock(&self.lines).is_closed {
            *thread = self.start();
        }
        if let Some(writer_thread) = &*thread {
            // A full channel means that the thread is about to read the queue.
            let _is_awake_already = writer_thread.wake_sender.try_send(());
        }
    }

    fn start(&self) -> Option<WriterThread> {
        let (wake_sender, wake_receiver) = sync_channel(1);
        let (done_sender, done) = sync_channel(1);
        let (lines, mut writer) = (
            Arc::clone(&self.lines),
            LogWriter::new(Arc::clone(&self.log.0), &self.engine),
        );
        let write = move || {
            loop {
                let is_last = wake_receiver.recv().is_err();
                let items = {
                    let mut lines = lock(&lines);
                    lines.bytes = 0;
                    std::mem::take(&mut lines.queue)
                };
                writer.write(items);
                if is_last {
                    break;
                }
            }
            drop(writer);
            let _nobody_waits = done_sender.try_send(());
        };
        match threads::spawn("traffic log", write) {
            Ok(thread) => Some(WriterThread {
                wake_sender,
                end_receiver: done,
                thread,
            }),
            Err(error) => {
                let mut lines = lock(&self.lines);
                (lines.is_on, lines.bytes) = (false, 0);
                lines.queue.clear();
                self.log
                    .0
                    .report(lines.revision, LogProblem::NotWritten((&error).into()));
                None
            }
        }
    }

    /// Ends the thread once it has written the rest of the queue. Waits for this end, at most [`CLOSE_TIMEOUT`].
    fn finish(&self) {
        let Some(WriterThread {
            wake_sender,
            end_receiver: done,
            thread,
        }) = lock(&self.thread).take()
        else {
            return;
        };
        drop(wake_sender);
        // A disk that does not answer must not block the end of the program. The thread is then left alone.
        if done.recv_timeout(CLOSE_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
            thread.detach();
        }
    }
}

impl Drop for Recorder {
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
