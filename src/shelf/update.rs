//! Updates the index for the record folders: new files are read, and removed files no longer count.

use crate::builder::{FilePart, SegmentBuilder};
use crate::games::{ShelfGame, read_games};
use crate::segment::Segment;
use crate::shelf::{Shelf, ShelfError};
use shogibar_core::kifu::{self, ReadError};
use shogibar_engine::threads;
use shogibar_files::{self as files, FileError, FileStamp, WriteRefusal};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

/// The number of positions after which a segment is written: about 8 MB.
const SEGMENT: usize = 400_000;
/// The number of positions of the first segments: smaller ones, so that little is lost by a stop.
const FIRST_SEGMENT: usize = SEGMENT / 8;

/// The positions after which a part of a large file is passed on.
const PART: usize = 20_000;

/// The number of parts that threads may read ahead.
const AHEAD: usize = 16;

/// A segment with fewer positions is small.
const SMALL_SEGMENT: usize = SEGMENT / 16;

/// The number of small segments above which they are joined.
const MAX_SMALL_SEGMENTS: usize = 64;

/// The maximum number of problems that are stored.
const MAX_PROBLEMS: usize = 100;

/// How an update is cancelled, reports its progress and shares its work.
pub struct UpdateControl<'c> {
    /// Set to end the update. The files read by then are kept.
    pub is_cancelled: &'c AtomicBool,
    /// Called with the number of files read, and the number of all files.
    pub progress: &'c mut dyn FnMut(usize, usize),
    /// The number of threads that read files.
    pub threads: usize,
}

impl fmt::Debug for UpdateControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateControl").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// The reason why a file is not in the index.
#[derive(Debug, thiserror::Error)]
pub enum ShelfProblem {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has the name of a record, and is not one. Holds its path.
    #[error("{}: {}", .0.display(), .1)]
    NoRecord(PathBuf, ReadError),
}

/// What an update of the index has done.
#[derive(Debug, Default)]
pub struct ShelfUpdate {
    /// The number of files that were read.
    pub read_files: usize,
    /// The number of files that no longer exist, or were read again because they had changed.
    pub removed_files: usize,
    /// The first unreadable files and folders. They are tried again each time.
    pub problems: Vec<ShelfProblem>,
    /// The number of all unreadable files and folders.
    pub unreadable_count: usize,
    /// The links that were not followed.
    pub links: Vec<PathBuf>,
    /// The new path of the old index, if that was damaged.
    pub backup: Option<PathBuf>,
    /// Whether all files were read, because the update was not cancelled.
    pub is_whole: bool,
}

impl ShelfUpdate {
    fn add_problem(&mut self, problem: ShelfProblem) {
        self.unreadable_count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// Some games of a file that was read.
struct ReadPart {
    path: String,
    stamp: FileStamp,
    games_before: usize,
    games: Vec<ShelfGame>,
    /// The end of the file, with its problem if it has one; `None` before the last part.
    end: Option<Result<(), ShelfProblem>>,
}

impl Shelf {
    /// Updates the index at `path` for the records below folders. Returns it with the changes. Games of other folders
    /// are removed. A record file may be given instead of a folder.
    ///
    /// Only files that are new or have changed, by size and time, are read. A damaged index is renamed and made again.
    ///
    /// # Errors
    /// If the index cannot be read or written, or another program is writing it.
    pub fn update(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let _lock = Self::locked(path)?;
        let mut update = ShelfUpdate::default();
        match Self::open(path).and_then(|shelf| shelf.updated(path, folders, control, &mut update)) {
            Err(ShelfError::Damaged(_)) => Self::made_anew(path, folders, control),
            shelf => shelf.map(|shelf| (shelf, update)),
        }
    }

    /// Renames an index that was found damaged, and makes it again.
    ///
    /// # Errors
    /// Fails like [`update`](Self::update).
    pub fn replace_damaged(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let _lock = Self::locked(path)?;
        Self::made_anew(path, folders, control)
    }

    /// Locks the index, where the system has locks, and returns the lock.
    fn locked(path: &Path) -> Result<Option<files::FileLock>, ShelfError> {
        let lock = files::lock(path).map_err(|error| match WriteRefusal::from_io(error.problem()) {
            Some(WriteRefusal::Held) => ShelfError::Busy,
            _ => error.into(),
        })?;
        files::remove_leftovers(path);
        Ok(lock)
    }

    fn made_anew(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let mut update = ShelfUpdate { backup: Some(Self::move_to_backup(path)?), ..ShelfUpdate::default() };
        let shelf = Self::open(path)?.updated(path, folders, control, &mut update)?;
        Ok((shelf, update))
    }

    fn updated(
        mut self,
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<Self, ShelfError> {
        let WantedFiles { mut files, unreadable_folders } = WantedFiles::below(folders, update);
        // A file below a folder that cannot be read counts as unchanged, so its games stay.
        let is_current = |path: &str, stamp: &FileStamp| {
            files.get(path).map_or_else(|| is_below(path, &unreadable_folders), |current| current == stamp)
        };
        let whole = self.segments().flat_map(|segment| segment.files().filter(|file| file.is_whole));
        let present: BTreeSet<String> =
            whole.filter(|file| is_current(file.path, &file.stamp)).map(|file| file.path.to_owned()).collect();
        let mut dead = Vec::new();
        for (nth, segment) in self.segments().enumerate() {
            let gone =
                segment.files().filter(|file| !present.contains(file.path) || !is_current(file.path, &file.stamp));
            dead.extend(gone.map(|file| [u32::try_from(nth).unwrap_or(u32::MAX), file.number]));
        }
        files.retain(|path, _| !present.contains(path));
        update.removed_files = dead.len();
        if !dead.is_empty() {
            self.append_dead(&dead)?;
        }
        self.add_files(&files, control, update)?;
        update.is_whole = !control.is_cancelled.load(Ordering::Relaxed);
        if !update.is_whole {
            return Ok(self);
        }
        if self.is_wasteful() {
            return self.written_anew(path);
        }
        self.join_small_segments()?;
        Ok(self)
    }

    fn add_files(
        &mut self,
        wanted: &BTreeMap<String, FileStamp>,
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<(), ShelfError> {
        let (list, next, cancelled) = (wanted.iter().collect::<Vec<_>>(), AtomicUsize::new(0), control.is_cancelled);
        let (sender, receiver) = sync_channel(AHEAD);
        let read_all = |sender: SyncSender<ReadPart>| {
            while !cancelled.load(Ordering::Relaxed)
                && let Some((path, stamp)) = list.get(next.fetch_add(1, Ordering::Relaxed))
            {
                if !read_file(path, **stamp, &sender) {
                    break;
                }
            }
        };
        std::thread::scope(|scope: &Scope<'_, '_>| {
            for _ in 0..control.threads.clamp(1, list.len().max(1)) {
                let sender = sender.clone();
                // Without threads no file is read; the next update continues.
                let _none = threads::spawn_in_scope(scope, "shelf", || read_all(sender));
            }
            drop(sender);
            self.add_parts(receiver, list.len(), control, update)
        })
    }

    /// Adds files as they are read.
    fn add_parts(
        &mut self,
        parts: Receiver<ReadPart>,
        count: usize,
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<(), ShelfError> {
        let (mut builder, mut size) = (SegmentBuilder::default(), FIRST_SEGMENT);
        for ReadPart { path, stamp, games_before: before, games, end } in parts {
            let is_last = matches!(end, Some(Ok(())));
            if is_last || !games.is_empty() {
                builder.add(&FilePart { path: &path, stamp, games_before: before, games: &games, is_last });
            }
            if let Some(end) = end {
                update.read_files += 1;
                (control.progress)(update.read_files, count);
                end.unwrap_or_else(|problem| update.add_problem(problem));
            }
            if builder.len() >= size {
                size = (size * 2).min(SEGMENT);
                self.append_segment(&std::mem::take(&mut builder).finish())?;
            }
        }
        if builder.is_empty() { Ok(()) } else { self.append_segment(&builder.finish()) }
    }

    /// Whether half of the games do not count any more.
    fn is_wasteful(&self) -> bool {
        let [mut games, mut living] = [0; 2];
        for segment in self.segments() {
            games += segment.counts()[0];
            living += segment.living_game_count();
        }
        living * 2 < games
    }

    /// Joins the small segments, where there are many.
    fn join_small_segments(&mut self) -> Result<(), ShelfError> {
        let is_small = |segment: &Segment| segment.counts()[1] < SMALL_SEGMENT && segment.living_game_count() > 0;
        let small: Vec<usize> =
            self.segments().enumerate().filter(|(_, segment)| is_small(segment)).map(|(nth, _)| nth).collect();
        if small.len() <= MAX_SMALL_SEGMENTS {
            return Ok(());
        }
        let (mut builder, mut joined) = (SegmentBuilder::default(), Vec::new());
        for nth in small {
            let Some((segment, entries)) = self.segment_with_entries(nth)? else { continue };
            builder.add_segment(segment, &entries);
            joined.extend(segment.files().map(|file| [u32::try_from(nth).unwrap_or(u32::MAX), file.number]));
        }
        // If the program is killed between these writes, the files are read again.
        self.append_dead(&joined)?;
        self.append_segment(&builder.finish())
    }

    /// Writes the valid games to a new file, which replaces this one, and returns the new index.
    fn written_anew(mut self, path: &Path) -> Result<Self, ShelfError> {
        let mut anew = Self::beside(path)?;
        let mut builder = SegmentBuilder::default();
        let mut number = 0;
        while let Some((segment, entries)) = self.segment_with_entries(number)? {
            builder.add_segment(segment, &entries);
            if builder.len() >= SEGMENT {
                anew.append_segment(&std::mem::take(&mut builder).finish())?;
            }
            number += 1;
        }
        anew.append_segment(&builder.finish())?;
        // The old file is closed first, because it is replaced.
        drop(self);
        anew.replace(path)?;
        Ok(anew)
    }
}

/// The record files that the index should have.
#[derive(Debug, Default)]
struct WantedFiles {
    /// The stamps of the files, by path.
    files: BTreeMap<String, FileStamp>,
    /// The folders that exist and cannot be read.
    unreadable_folders: Vec<PathBuf>,
}

impl WantedFiles {
    /// Returns the record files below folders. A given file is returned itself.
    fn below(folders: &[PathBuf], update: &mut ShelfUpdate) -> Self {
        let mut found = Self::default();
        for folder in folders.iter().map(|folder| files::canonical(folder)) {
            if folder.is_file() {
                found.add(&folder);
                continue;
            }
            let walked = files::walk(&folder);
            update.links.extend(walked.links);
            for error in walked.errors {
                found.unreadable_folders.extend((!error.is_absent()).then(|| error.path().to_owned()));
                update.add_problem(error.into());
            }
            walked.files.iter().filter(|path| kifu::has_record_extension(path)).for_each(|path| found.add(path));
        }
        found
    }

    fn add(&mut self, path: &Path) {
        if let (Some(name), Some(stamp)) = (path.to_str(), files::stamp(path)) {
            self.files.insert(name.to_owned(), stamp);
        }
    }
}

fn is_below(path: &str, folders: &[PathBuf]) -> bool {
    folders.iter().any(|folder| Path::new(path).starts_with(folder))
}

/// Reads a file and passes its games on in parts, the last one with the file's problem. Returns whether they are
/// accepted: they are not if the index cannot be written.
fn read_file(path: &str, stamp: FileStamp, sender: &SyncSender<ReadPart>) -> bool {
    let name = Path::new(path);
    let (mut before, mut games, mut positions, mut is_wanted) = (0, Vec::new(), 0, true);
    let send = |before: usize, games: Vec<ShelfGame>, end| {
        sender.send(ReadPart { path: path.to_owned(), stamp, games_before: before, games, end }).is_ok()
    };
    let read = files::read(name, kifu::MAX_BYTES).map_err(ShelfProblem::from).and_then(|bytes| {
        let mut add = |game: ShelfGame| {
            positions += game.positions.len();
            games.push(game);
            if positions >= PART && is_wanted {
                let count = games.len();
                is_wanted = send(before, std::mem::take(&mut games), None);
                (before, positions) = (before + count, 0);
            }
        };
        match read_games(&bytes, name, &mut add) {
            // Many files of other programs are JSON.
            Err(_) if name.extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) => Ok(()),
            read => read.map_err(|error| ShelfProblem::NoRecord(name.to_owned(), error)),
        }
    });
    is_wanted && send(before, games, Some(read))
}
