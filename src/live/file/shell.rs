//! The file access of the followed files.

use super::core::{WatchCore, WatchEffect, WatchEvent};
use super::{FileContent, FolderEntry, FollowedFile, LiveStamp, MAX_FILE_BYTES};
use crate::game::SourceProblem;
use crate::output::SourceOutput;
use crate::reader::fingerprint;
use shogibar_kifu::has_record_extension;
use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The number of last bytes of a file that are hashed at each check.
const TAIL_BYTES: u64 = 4096;

/// The maximum number of entries of a folder that are listed.
const MAX_LISTED_ENTRIES: usize = 20_000;

/// The pause before a file is checked again, as a multiple of the time for checking and reading it.
const PAUSE_FACTOR: u32 = 4;
/// The longest pause that a slow disk causes.
const MAX_PAUSE: Duration = Duration::from_secs(2);

/// Returns the minimum pause after a check and reading that took this long.
pub fn pause(took: Duration) -> Duration {
    took.saturating_mul(PAUSE_FACTOR).min(MAX_PAUSE)
}

/// Checks a file at the time `now`, and reads at most `limit` bytes if it has changed. Returns the content to apply;
/// `None` without a change, or if the file cannot be read.
pub fn poll(file: &mut FollowedFile, now: Duration, limit: usize) -> Option<FileContent> {
    let content = read_stamp(file.path()).and_then(|stamp| {
        file.on_stamp(now, stamp)
            .then(|| read(file.path(), limit))
            .transpose()
    });
    content.unwrap_or_else(|problem| {
        file.on_read_failed(&problem);
        None
    })
}

/// Watches a path until the source is dropped.
pub(crate) fn run(path: &Path, stop: &Receiver<()>, output: &SourceOutput, start: Instant) {
    let (mut core, effects) = WatchCore::start(path, start.elapsed());
    let mut queue: VecDeque<WatchEffect> = effects.into();
    loop {
        let begun = start.elapsed();
        while let Some(effect) = queue.pop_front() {
            let event = match effect {
                WatchEffect::Report(event) => {
                    output.report(event);
                    continue;
                }
                WatchEffect::Examine(path) => examine(path),
                WatchEffect::ReadStamp(path) => stamp_event(path),
                WatchEffect::Read(path) => {
                    let content = read(&path, MAX_FILE_BYTES);
                    WatchEvent::Content(path, content)
                }
            };
            queue.extend(core.step(start.elapsed(), event));
        }
        let now = start.elapsed();
        let wait = core
            .deadline()
            .saturating_sub(now)
            .max(pause(now.saturating_sub(begun)));
        match stop.recv_timeout(wait) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
        }
        queue.extend(core.step(start.elapsed(), WatchEvent::Deadline));
    }
}

/// Lists a folder, or reads the metadata of a file.
fn examine(path: PathBuf) -> WatchEvent {
    if !path.is_dir() {
        return stamp_event(path);
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "the shell's clock: how long listing takes"
    )]
    let begun = Instant::now();
    match list(&path) {
        Ok(entries) => WatchEvent::Listed(entries, begun.elapsed()),
        Err(error) => WatchEvent::Stamped(path, Err(problem(&error))),
    }
}

fn list(folder: &Path) -> io::Result<Vec<FolderEntry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder)?.take(MAX_LISTED_ENTRIES) {
        let Ok(entry) = entry else { continue };
        let path = entry.path();
        if !has_record_extension(&path) {
            continue;
        }
        // A link counts as its target.
        if let Ok(metadata) = fs::metadata(&path).map_err(drop)
            && metadata.is_file()
        {
            entries.push(FolderEntry {
                modified: modified(&metadata),
                path,
            });
        }
    }
    Ok(entries)
}

/// Returns the time of the last change, in nanoseconds since 1970; 0 if it is unknown.
fn modified(metadata: &fs::Metadata) -> u128 {
    let modified = metadata
        .modified()
        .ok()
        .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    modified.unwrap_or(Duration::ZERO).as_nanos()
}

fn stamp_event(path: PathBuf) -> WatchEvent {
    let stamp = read_stamp(&path);
    WatchEvent::Stamped(path, stamp)
}

fn read_stamp(path: &Path) -> Result<LiveStamp, SourceProblem> {
    stamp(path).map_err(|error| problem(&error))
}

/// Reads the metadata of a file, and hashes its end.
fn stamp(path: &Path) -> io::Result<LiveStamp> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        // Opening a pipe could block for ever, so only plain files are opened.
        return Err(ErrorKind::Unsupported.into());
    }
    let mut file = File::open(path)?;
    let size = metadata.len();
    file.seek(SeekFrom::Start(size.saturating_sub(TAIL_BYTES)))?;
    let mut tail = Vec::new();
    file.take(TAIL_BYTES).read_to_end(&mut tail)?;
    Ok(LiveStamp {
        size,
        modified: modified(&metadata),
        tail_hash: fingerprint(&tail),
    })
}

/// Reads a file of at most `limit` bytes.
fn read(path: &Path, limit: usize) -> Result<FileContent, SourceProblem> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| problem(&error))?;
    let metadata = file.metadata().map_err(|error| problem(&error))?;
    let age = metadata.modified().map(age).unwrap_or_default();
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let size = file
        .take(limit.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| problem(&error))?;
    if u64::try_from(size).is_ok_and(|size| size > limit) {
        return Err(SourceProblem::TooLarge);
    }
    Ok(FileContent {
        bytes,
        modified: modified(&metadata),
        age,
    })
}

/// Returns the time since a change; zero for a change in the future.
fn age(changed: SystemTime) -> Duration {
    #[expect(
        clippy::disallowed_methods,
        reason = "the shell's clock: how long ago a file was changed"
    )]
    let now = SystemTime::now();
    now.duration_since(changed).unwrap_or_default()
}

/// The error codes of Windows for a file that another program has locked.
const LOCK_ERRORS: [i32; 2] = [32, 33];

fn problem(error: &io::Error) -> SourceProblem {
    match error.kind() {
        _ if cfg!(windows)
            && error
                .raw_os_error()
                .is_some_and(|code| LOCK_ERRORS.contains(&code)) =>
        {
            SourceProblem::Locked
        }
        ErrorKind::NotFound | ErrorKind::NotADirectory => SourceProblem::NotFound,
        ErrorKind::PermissionDenied => SourceProblem::Denied,
        _ => SourceProblem::System,
    }
}
