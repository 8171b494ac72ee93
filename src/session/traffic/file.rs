//! The files of the traffic log, as the thread of one engine writes them.

use super::{QueueItem, SharedLog};
use crate::files::{self, Appender, WriteError};
use crate::text::Message;
use crate::threads::lock;
use crate::usi::log::{Direction, LogEntry};
use crate::usi::log_header::LogHeader;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// So many engines have a file each.
const MOST_FILES: u32 = 999;
/// So many files that were full stay beside one that others made.
const MOST_PARTS: u32 = 99;
/// So much of a file is read to tell whether it is a log, in bytes.
const HEAD: usize = 1 << 12;
/// So much is written at once, in bytes.
const CHUNK: usize = 1 << 16;
/// What the first line of a log of ours begins with.
const OURS: &str = "shogibar ";

/// Why a file cannot be written to.
enum WriteFailure {
    Unwritable(WriteError),
    /// What is in it is something else.
    NoLog(PathBuf),
}

impl From<WriteError> for WriteFailure {
    fn from(error: WriteError) -> Self {
        Self::Unwritable(error)
    }
}

/// Writes the log of one engine.
pub(super) struct LogWriter {
    log: Arc<SharedLog>,
    engine: String,
    /// The file that was set, and which revision of the log that is.
    file: Option<PathBuf>,
    revision: u64,
    open: Option<OpenLog>,
    /// What the next file has to begin with.
    preface: LogHeader,
    /// Whole lines that are yet to be written.
    text: Vec<u8>,
}

/// A file that is written to.
struct OpenLog {
    file: Appender,
    size: u64,
    log: Arc<SharedLog>,
}

impl LogWriter {
    pub(super) fn new(log: Arc<SharedLog>, engine: &str) -> Self {
        let engine = engine.to_owned();
        Self { log, engine, file: None, revision: 0, open: None, preface: LogHeader::default(), text: Vec::new() }
    }

    /// Writes these.
    pub(super) fn write(&mut self, items: impl IntoIterator<Item = QueueItem>) {
        for item in items {
            if let Err(failure) = self.add(item) {
                self.fail(failure);
            }
        }
        if let Err(failure) = self.flush() {
            self.fail(failure);
        }
    }

    fn add(&mut self, item: QueueItem) -> Result<(), WriteFailure> {
        match item {
            QueueItem::Begin { file, millis, revision, preface } => {
                // What is wrong with the file before says nothing of the one that begins.
                if let Err(failure) = self.flush() {
                    self.report(failure);
                }
                self.open = None;
                (self.file, self.revision, self.preface) = (file, revision, *preface);
                self.begin(millis)
            }
            QueueItem::Line(entry) => {
                if self.open.is_some() {
                    self.add_line(&entry)?;
                }
                self.preface.note(&entry);
                Ok(())
            }
            QueueItem::Dropped { millis, count } => {
                let note = format!("{count} lines were left out here: the disk was slower than the engine");
                self.add_line(&entry(millis, &note))
            }
        }
    }

    fn add_line(&mut self, entry: &LogEntry<'_>) -> Result<(), WriteFailure> {
        let Some(open) = &self.open else { return Ok(()) };
        let line = format!("{entry}\n");
        if open.size + length(&self.text) + length(line.as_bytes()) > self.log.max_bytes {
            self.flush()?;
            self.rotate(entry.millis)?;
        }
        self.text.extend(line.as_bytes());
        if self.text.len() > CHUNK { self.flush() } else { Ok(()) }
    }

    /// Opens a file, and begins it.
    fn begin(&mut self, millis: u64) -> Result<(), WriteFailure> {
        let Some(file) = &self.file else { return Ok(()) };
        let open = claim(file, &self.log)?;
        let is_full = open.size >= self.log.max_bytes;
        self.open = Some(open);
        if is_full {
            return self.rotate(millis);
        }
        self.write_header(millis, "")
    }

    /// Puts a full file aside, and begins the next.
    fn rotate(&mut self, millis: u64) -> Result<(), WriteFailure> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let aside = open.set_aside()?;
        drop(open);
        let Some(file) = &self.file else { return Ok(()) };
        self.open = Some(claim(file, &self.log)?);
        self.write_header(millis, &format!("; what was before is in {}", aside.display()))
    }

    /// The first line, and what is needed to understand those that follow.
    fn write_header(&mut self, millis: u64, more: &str) -> Result<(), WriteFailure> {
        let version = env!("CARGO_PKG_VERSION");
        let note = format!("{OURS}{version}, what {} is told and says{more}", self.engine);
        self.text.extend(format!("{}\n", entry(millis, &note)).as_bytes());
        for line in self.preface.lines() {
            self.text.extend(format!("{line}\n").as_bytes());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), WriteFailure> {
        let text = std::mem::take(&mut self.text);
        let Some(open) = self.open.as_mut().filter(|_| !text.is_empty()) else { return Ok(()) };
        open.file.note(&text)?;
        open.size += length(&text);
        Ok(())
    }

    /// Nothing more is written until another file is set.
    fn fail(&mut self, failure: WriteFailure) {
        (self.open, self.file) = (None, None);
        self.text.clear();
        self.report(failure);
    }

    /// Says why the file that is set is not written to.
    fn report(&self, failure: WriteFailure) {
        let message = match failure {
            WriteFailure::Unwritable(error) => Message::LogNotWritten((&error).into()),
            WriteFailure::NoLog(path) => Message::LogIsNoLog(path.display().to_string()),
        };
        self.log.report(self.revision, message);
    }
}

impl OpenLog {
    /// Opens a file; `None` where another program writes to it.
    fn new(path: &Path, log: &Arc<SharedLog>) -> Result<Option<Self>, WriteFailure> {
        let Some((file, head)) = Appender::open(path, HEAD)? else { return Ok(None) };
        if !is_log(&head) {
            return Err(WriteFailure::NoLog(path.to_owned()));
        }
        let size = file.size()?;
        Ok(Some(Self { file, size, log: Arc::clone(log) }))
    }

    /// Gives the file another name, under which only an older log of ours is replaced, and says which.
    fn set_aside(&self) -> Result<PathBuf, WriteFailure> {
        let path = self.file.path();
        let is_free = |aside: &PathBuf| aside.symlink_metadata().is_err() || is_ours(aside);
        let aside = (1..=MOST_PARTS).map(|part| with_end(path, &format!(".{part}"))).find(is_free);
        let aside = aside.ok_or_else(|| WriteError::new(path, ErrorKind::AlreadyExists.into()))?;
        self.file.move_to(&aside)?;
        Ok(aside)
    }
}

impl Drop for OpenLog {
    fn drop(&mut self) {
        if self.size == 0 && self.file.size().is_ok_and(|size| size == 0) {
            let _stays_and_does_no_harm = self.file.remove();
        }
        lock(&self.log.taken).remove(self.file.path());
    }
}

/// The first of `FILE`, `FILE-2` … that no other engine writes to.
///
/// What is in the way of the first is in the way of all, whoever looks first.
fn claim(file: &Path, log: &Arc<SharedLog>) -> Result<OpenLog, WriteFailure> {
    match files::read_own(file, HEAD) {
        Ok(head) if !is_log(&head) => return Err(WriteFailure::NoLog(file.to_owned())),
        Err(problem) if problem.kind() != ErrorKind::NotFound => return Err(WriteError::new(file, problem).into()),
        _ => {}
    }
    for number in 1..=MOST_FILES {
        let path = if number == 1 { file.to_owned() } else { with_end(file, &format!("-{number}")) };
        if !lock(&log.taken).insert(path.clone()) {
            continue;
        }
        match OpenLog::new(&path, log) {
            Ok(Some(open)) => return Ok(open),
            other => {
                lock(&log.taken).remove(&path);
                other?;
            }
        }
    }
    Err(WriteError::new(file, ErrorKind::AlreadyExists.into()).into())
}

/// Whether a file that begins so is a log, or nothing yet.
fn is_log(head: &[u8]) -> bool {
    head.is_empty() || LogEntry::read(head.split(|byte| *byte == b'\n').next().unwrap_or_default()).is_some()
}

/// Whether a file is a log that we wrote.
fn is_ours(path: &Path) -> bool {
    let head = files::read_own(path, HEAD).unwrap_or_default();
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    LogEntry::read(first).is_some_and(|entry| entry.mark == Direction::Note && entry.bytes.starts_with(OURS.as_bytes()))
}

/// A path with something more at its end.
fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut longer = path.as_os_str().to_owned();
    longer.push(end);
    longer.into()
}

fn entry(millis: u64, note: &str) -> LogEntry<'_> {
    LogEntry { millis, mark: Direction::Note, bytes: note.as_bytes().into() }
}

fn length(text: &[u8]) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::TrafficLog;
    use crate::text::Lang;

    #[test]
    fn a_file_begins_where_the_one_before_cannot_be_written() {
        let folder = std::env::temp_dir().join(format!("shogibar-begin-{}", std::process::id()));
        files::make_folder(&folder).unwrap();
        let (old, new) = (folder.join("old"), folder.join("new"));
        files::write_whole(&old, b"    0.000 # old\n").unwrap();
        let log = TrafficLog::default();
        let mut writer = LogWriter::new(Arc::clone(&log.0), "A");
        writer.revision = 1;
        writer.open = Some(OpenLog { file: Appender::read_only(&old), size: 0, log: Arc::clone(&log.0) });
        writer.text.extend(b"    0.001 > usi\n");
        let begin = QueueItem::Begin { file: Some(new.clone()), millis: 2, revision: 2, preface: Box::default() };
        let line = QueueItem::Line(LogEntry { millis: 3, mark: Direction::Sent, bytes: b"isready".into() });
        writer.write([begin, line]);
        assert!(files::read(&new, 1 << 10).unwrap().ends_with(b"> isready\n"));
        let trouble: Vec<_> = log.problems().iter().map(|message| message.text(Lang::En)).collect();
        assert!(trouble.len() == 1 && trouble[0].contains("old"), "{trouble:?}");
        drop(writer);
        assert!(new.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
