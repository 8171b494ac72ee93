//! The files of the traffic log, as written by the thread of one engine.

use super::{QueueItem, SharedLog};
use shogibar_base::count::counted;
use shogibar_base::file_error::WriteError;
use shogibar_base::threads::lock;
use shogibar_engine::LogProblem;
use shogibar_engine::observer::LogHeader;
use shogibar_engine::usi::log::{Direction, LogEntry};
use shogibar_files::Appender;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest number of engines that have a log file.
const MAX_ENGINE_FILES: u32 = 999;
/// The largest number of names that are tried for a full file: `FILE.1`, `FILE.2` …. A file that is no log of this
/// program is not replaced.
const MAX_PART_NAMES: u32 = 99;
/// The number of bytes that are read to check whether a file is a log.
const HEAD_BYTES: usize = 1 << 12;
/// The number of buffered bytes above which they are written.
const FLUSH_BYTES: usize = 1 << 16;
/// The beginning of the first line of a log written by this program.
const LOG_SIGNATURE: &str = "shogibar ";

/// The reason why a file cannot be written.
enum WriteFailure {
    Unwritable(WriteError),
    /// The file exists and is not a log.
    NotALog(PathBuf),
}

impl From<WriteError> for WriteFailure {
    fn from(error: WriteError) -> Self {
        Self::Unwritable(error)
    }
}

pub(super) struct LogWriter {
    log: Arc<SharedLog>,
    engine: String,
    /// The file that was set; `None` if nothing is recorded.
    file: Option<PathBuf>,
    revision: u64,
    open_log: Option<OpenLog>,
    header: LogHeader,
    /// Whole lines that wait to be written.
    text: Vec<u8>,
}

struct OpenLog {
    file: Appender,
    size: u64,
    /// Dropped after `file` is closed, so that the next owner of the path finds the file unlocked.
    _path: ClaimedPath,
}

/// A path to which only this engine of the program writes, until this value is dropped.
struct ClaimedPath {
    path: PathBuf,
    log: Arc<SharedLog>,
}

impl ClaimedPath {
    /// Claims a path. Returns `None` if another engine has claimed it.
    fn new(path: PathBuf, log: &Arc<SharedLog>) -> Option<Self> {
        lock(&log.used_files).insert(path.clone()).then(|| Self {
            path,
            log: Arc::clone(log),
        })
    }
}

impl Drop for ClaimedPath {
    fn drop(&mut self) {
        lock(&self.log.used_files).remove(&self.path);
    }
}

impl LogWriter {
    pub(super) fn new(log: Arc<SharedLog>, engine: &str) -> Self {
        let engine = engine.to_owned();
        Self {
            log,
            engine,
            file: None,
            revision: 0,
            open_log: None,
            header: LogHeader::default(),
            text: Vec::new(),
        }
    }

    pub(super) fn write(&mut self, items: impl IntoIterator<Item = QueueItem>) {
        for item in items {
            if let Err(failure) = self.write_item(item) {
                self.fail(failure);
            }
        }
        if let Err(failure) = self.flush() {
            self.fail(failure);
        }
    }

    fn write_item(&mut self, item: QueueItem) -> Result<(), WriteFailure> {
        match item {
            QueueItem::Begin {
                file,
                millis,
                revision,
                header,
            } => {
                // A failure of the previous file does not affect the next one.
                if let Err(failure) = self.flush() {
                    self.report(failure);
                }
                self.open_log = None;
                (self.file, self.revision, self.header) = (file, revision, *header);
                self.open_file(millis)
            }
            QueueItem::Line(entry) => {
                if self.open_log.is_some() {
                    self.add_line(&entry)?;
                }
                self.header.on_entry(&entry);
                Ok(())
            }
            QueueItem::Dropped { millis, count } => {
                let lines = counted(&count, &["line was", "lines were"]);
                let note = format!("{lines} left out here: the disk was slower than the engine");
                self.add_line(&note_entry(millis, &note))
            }
        }
    }

    /// Buffers a line. If the file would become too large, begins the next file first.
    fn add_line(&mut self, entry: &LogEntry<'_>) -> Result<(), WriteFailure> {
        let Some(open) = &self.open_log else { return Ok(()) };
        let line = format!("{entry}\n");
        if open.size + byte_count(&self.text) + byte_count(line.as_bytes()) > self.log.max_bytes {
            self.flush()?;
            self.rotate(entry.millis)?;
        }
        self.text.extend(line.as_bytes());
        if self.text.len() > FLUSH_BYTES {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Opens the file that was set, and writes the header. Does nothing if no file was set.
    fn open_file(&mut self, millis: u64) -> Result<(), WriteFailure> {
        let Some(file) = &self.file else { return Ok(()) };
        let open = open_free_file(file, &self.log)?;
        let is_full = open.size >= self.log.max_bytes;
        self.open_log = Some(open);
        if is_full {
            return self.rotate(millis);
        }
        self.write_header(millis, "")
    }

    /// Renames a full file, and begins the next one.
    fn rotate(&mut self, millis: u64) -> Result<(), WriteFailure> {
        let Some(open) = self.open_log.take() else {
            return Ok(());
        };
        let part = open.rename_to_part()?;
        drop(open);
        let Some(file) = &self.file else { return Ok(()) };
        self.open_log = Some(open_free_file(file, &self.log)?);
        self.write_header(millis, &format!("; what was before is in {}", part.display()))
    }

    /// Writes the first line, and the lines that make the file readable without the earlier ones.
    fn write_header(&mut self, millis: u64, suffix: &str) -> Result<(), WriteFailure> {
        let version = self.log.version;
        let note = format!(
            "{LOG_SIGNATURE}{version}, what {} is told and says{suffix}",
            self.engine
        );
        self.text
            .extend(format!("{}\n", note_entry(millis, &note)).as_bytes());
        for line in self.header.lines() {
            self.text.extend(format!("{line}\n").as_bytes());
        }
        self.flush()
    }

    /// Writes the buffered lines to the open file.
    fn flush(&mut self) -> Result<(), WriteFailure> {
        let text = std::mem::take(&mut self.text);
        let open = match &mut self.open_log {
            Some(open) if !text.is_empty() => open,
            _ => return Ok(()),
        };
        open.file.append(&text)?;
        open.size += byte_count(&text);
        Ok(())
    }

    /// Stops writing until another file is set.
    fn fail(&mut self, failure: WriteFailure) {
        (self.open_log, self.file) = (None, None);
        self.text.clear();
        self.report(failure);
    }

    fn report(&self, failure: WriteFailure) {
        let message = match failure {
            WriteFailure::Unwritable(error) => LogProblem::NotWritten((&error).into()),
            WriteFailure::NotALog(path) => LogProblem::NotALog(path.display().to_string()),
        };
        self.log.report(self.revision, message);
    }
}

impl OpenLog {
    /// Opens a log file. Returns `None` if another program writes to it.
    fn new(claimed: ClaimedPath) -> Result<Option<Self>, WriteFailure> {
        let path = &claimed.path;
        let Some((file, head)) = Appender::open(path, HEAD_BYTES)? else {
            return Ok(None);
        };
        if !is_log(&head) {
            return Err(WriteFailure::NotALog(path.clone()));
        }
        let size = file.size()?;
        Ok(Some(Self {
            file,
            size,
            _path: claimed,
        }))
    }

    /// Renames the full file, and returns the new path. Only an older log of this program is replaced.
    fn rename_to_part(&self) -> Result<PathBuf, WriteFailure> {
        let path = self.file.path();
        let part = (1..=MAX_PART_NAMES)
            .map(|number| with_suffix(path, &format!(".{number}")))
            .find(|part| part.symlink_metadata().is_err() || has_log_signature(part));
        let part = part.ok_or_else(|| WriteError::new(path, ErrorKind::AlreadyExists.into()))?;
        self.file.move_to(&part)?;
        Ok(part)
    }
}

impl Drop for OpenLog {
    fn drop(&mut self) {
        if self.size == 0 && self.file.size().is_ok_and(|size| size == 0) {
            let _stays_and_does_no_harm = self.file.remove();
        }
    }
}

/// Opens the first of `FILE`, `FILE-2` … that no other engine writes to.
///
/// If `FILE` cannot be read, or is no log, the call fails for every engine.
fn open_free_file(file: &Path, log: &Arc<SharedLog>) -> Result<OpenLog, WriteFailure> {
    match shogibar_files::read_program_file(file, HEAD_BYTES) {
        Ok(head) if !is_log(&head) => return Err(WriteFailure::NotALog(file.to_owned())),
        Err(problem) if problem.kind() != ErrorKind::NotFound => {
            return Err(WriteError::new(file, problem).into());
        }
        _ => {}
    }
    for number in 1..=MAX_ENGINE_FILES {
        let path = if number == 1 {
            file.to_owned()
        } else {
            with_suffix(file, &format!("-{number}"))
        };
        let Some(claimed) = ClaimedPath::new(path, log) else {
            continue;
        };
        if let Some(open) = OpenLog::new(claimed)? {
            return Ok(open);
        }
    }
    Err(WriteError::new(file, ErrorKind::AlreadyExists.into()).into())
}

/// Returns whether a file that begins with `head` is empty or a log.
fn is_log(head: &[u8]) -> bool {
    head.is_empty() || LogEntry::read(head.split(|byte| *byte == b'\n').next().unwrap_or_default()).is_some()
}

fn has_log_signature(path: &Path) -> bool {
    let head = shogibar_files::read_program_file(path, HEAD_BYTES).unwrap_or_default();
    let first = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    LogEntry::read(first).is_some_and(|entry| {
        entry.direction == Direction::Note && entry.bytes.starts_with(LOG_SIGNATURE.as_bytes())
    })
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}

fn note_entry(millis: u64, note: &str) -> LogEntry<'_> {
    LogEntry {
        millis,
        direction: Direction::Note,
        bytes: note.as_bytes().into(),
    }
}

fn byte_count(text: &[u8]) -> u64 {
    u64::try_from(text.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traffic::TrafficLog;
    use shogibar_base::Lang;

    #[test]
    fn begins_a_file_after_a_failed_write_to_the_previous_one() {
        let folder = std::env::temp_dir().join(format!("shogibar-begin-{}", std::process::id()));
        shogibar_files::make_folder(&folder).unwrap();
        let (old, new) = (folder.join("old"), folder.join("new"));
        shogibar_files::write_whole(&old, b"    0.000 # old\n").unwrap();
        let log = TrafficLog::default();
        let mut writer = LogWriter::new(Arc::clone(&log.0), "A");
        writer.revision = 1;
        let claimed = ClaimedPath::new(old.clone(), &log.0).unwrap();
        writer.open_log = Some(OpenLog {
            file: Appender::read_only(&old),
            size: 0,
            _path: claimed,
        });
        writer.text.extend(b"    0.001 > usi\n");
        let begin = QueueItem::Begin {
            file: Some(new.clone()),
            millis: 2,
            revision: 2,
            header: Box::default(),
        };
        let line = QueueItem::Line(LogEntry {
            millis: 3,
            direction: Direction::Sent,
            bytes: b"isready".into(),
        });
        writer.write([begin, line]);
        assert!(
            shogibar_files::read(&new, 1 << 10)
                .unwrap()
                .ends_with(b"> isready\n")
        );
        let trouble: Vec<_> = log
            .take_problems()
            .iter()
            .map(|message| message.text(Lang::En))
            .collect();
        assert!(trouble.len() == 1 && trouble[0].contains("old"), "{trouble:?}");
        drop(writer);
        assert!(new.exists());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
