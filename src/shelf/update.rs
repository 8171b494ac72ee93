//! Updates the index for the record folders: new files are read, and removed files no longer count.

use crate::builder::{FilePart, SegmentBuilder};
use crate::games::{ShelfGame, read_games};
use crate::shelf::{Shelf, ShelfError};
use shogibar_base::file_error::{FileError, WriteRefusal};
use shogibar_base::threads;
use shogibar_files as files;
use shogibar_files::FileStamp;
use shogibar_kifu::ReadError;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;

/// The number of positions after which a segment is written: about 8 MB.
const SEGMENT_POSITIONS: usize = 400_000;
/// The number of positions in the first segment of an update. The size doubles with each segment. So a killed update
/// loses little of its work.
const FIRST_SEGMENT_POSITIONS: usize = SEGMENT_POSITIONS / 8;

/// The number of positions after which the games of a large file are passed on as a part.
const PART_POSITIONS: usize = 20_000;

/// The maximum number of parts that are read and not yet added.
const MAX_PARTS_AHEAD: usize = 16;

const SMALL_SEGMENT_POSITIONS: usize = SEGMENT_POSITIONS / 16;

/// The number of small segments above which they are joined.
const MAX_SMALL_SEGMENTS: usize = 64;

/// The maximum number of problems that are stored.
const MAX_PROBLEMS: usize = 100;

/// The control of an update: cancelling, progress and threads.
pub struct UpdateControl<'c> {
    /// Set by the caller to end the update. The games that were read before stay in the index.
    pub is_cancelled: &'c AtomicBool,
    /// Called after each file with the number of files read, and the number of files to read.
    pub progress: &'c mut dyn FnMut(usize, usize),
    /// The number of threads that read files.
    pub threads: usize,
}

impl fmt::Debug for UpdateControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateControl")
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

/// A reason why a file or folder is not in the index.
#[derive(Debug, thiserror::Error)]
pub enum ShelfProblem {
    /// The file or folder cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The file has the extension of a record, but is not a record. Has the path of the file.
    #[error("{}: {}", .0.display(), .1)]
    NoRecord(PathBuf, ReadError),
}

/// The result of an update of the index.
#[derive(Debug, Default)]
pub struct ShelfUpdate {
    /// The number of files that were read.
    pub read_files: usize,
    /// The number of files that no longer exist, or were read again because they had changed.
    pub removed_files: usize,
    /// The first unreadable files and folders. These are tried again in each update.
    pub problems: Vec<ShelfProblem>,
    /// The number of all unreadable files and folders.
    pub unreadable_count: usize,
    /// The links that were not followed.
    pub links: Vec<PathBuf>,
    /// The new path of a damaged index that was renamed; `None` if the index was not damaged.
    pub backup: Option<PathBuf>,
    /// Whether the update was not cancelled, so that it has tried all files.
    pub is_complete: bool,
}

impl ShelfUpdate {
    /// Counts a problem, and stores it if there are not too many.
    fn add_problem(&mut self, problem: ShelfProblem) {
        self.unreadable_count += 1;
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// A part of a file that was read: some of its games.
struct ReadPart {
    path: String,
    stamp: FileStamp,
    /// The number of games of the file before `games`.
    games_before: usize,
    games: Vec<ShelfGame>,
    /// Whether the whole file could be read; `None` before the last part.
    end: Option<Result<(), ShelfProblem>>,
}

impl Shelf {
    /// Updates the index at `path` to the records below folders. Returns the index and the result of the update. Games
    /// of other folders are removed from the index. A record file may be given instead of a folder.
    ///
    /// Only files that are new or have changed, by size and time, are read. A damaged index is renamed and built again.
    ///
    /// # Errors
    /// Fails if the index cannot be read or written, or another program is writing it.
    pub fn update(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let _lock = Self::lock(path)?;
        let mut update = ShelfUpdate::default();
        match Self::open(path).and_then(|shelf| shelf.update_to(path, folders, control, &mut update)) {
            Err(ShelfError::Damaged(_)) => Self::rebuild(path, folders, control),
            shelf => shelf.map(|shelf| (shelf, update)),
        }
    }

    /// Renames a damaged index, and builds a new one.
    ///
    /// # Errors
    /// Fails like [`update`](Self::update).
    pub fn replace_damaged(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let _lock = Self::lock(path)?;
        Self::rebuild(path, folders, control)
    }

    fn lock(path: &Path) -> Result<Option<files::FileLock>, ShelfError> {
        let lock = files::lock(path).map_err(|error| match WriteRefusal::from_io(error.problem()) {
            Some(WriteRefusal::Held) => ShelfError::Busy,
            _ => error.into(),
        })?;
        files::remove_leftovers(path);
        Ok(lock)
    }

    /// Renames the index at `path`, and builds a new one. The index must be locked.
    fn rebuild(
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let mut update = ShelfUpdate {
            backup: Some(Self::move_to_backup(path)?),
            ..ShelfUpdate::default()
        };
        let shelf = Self::open(path)?.update_to(path, folders, control, &mut update)?;
        Ok((shelf, update))
    }

    /// Updates the open index at `path` to the records below folders.
    fn update_to(
        mut self,
        path: &Path,
        folders: &[PathBuf],
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<Self, ShelfError> {
        let WantedFiles {
            mut files,
            unreadable_folders,
        } = WantedFiles::below(folders, update);
        // A file below a folder that cannot be read counts as unchanged, so its games stay.
        let is_current = |path: &str, stamp: &FileStamp| {
            files
                .get(path)
                .map_or_else(|| is_below(path, &unreadable_folders), |current| current == stamp)
        };
        let whole = self
            .segments()
            .flat_map(|segment| segment.files().filter(|file| file.has_last_part));
        let present: BTreeSet<String> = whole
            .filter(|file| is_current(file.path, &file.stamp))
            .map(|file| file.path.to_owned())
            .collect();
        let mut removed = Vec::new();
        for (nth, segment) in self.segments().enumerate() {
            let gone = segment
                .files()
                .filter(|file| !present.contains(file.path) || !is_current(file.path, &file.stamp));
            removed.extend(gone.map(|file| [u32::try_from(nth).unwrap_or(u32::MAX), file.index]));
        }
        files.retain(|path, _| !present.contains(path));
        update.removed_files = removed.len();
        if !removed.is_empty() {
            self.append_removed(&removed)?;
        }
        self.add_files(&files, control, update)?;
        update.is_complete = !control.is_cancelled.load(Ordering::Relaxed);
        if !update.is_complete {
            return Ok(self);
        }
        if self.is_mostly_removed() {
            return self.rewrite(path);
        }
        self.join_small_segments()?;
        Ok(self)
    }

    /// Reads the wanted files with several threads, and adds their games.
    fn add_files(
        &mut self,
        wanted: &BTreeMap<String, FileStamp>,
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<(), ShelfError> {
        let (list, next, cancelled) = (
            wanted.iter().collect::<Vec<_>>(),
            AtomicUsize::new(0),
            control.is_cancelled,
        );
        let (sender, receiver) = sync_channel(MAX_PARTS_AHEAD);
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
                // If no thread can be started, no file is read. The next update continues.
                let _none = threads::spawn_in_scope(scope, "shelf", || read_all(sender));
            }
            drop(sender);
            self.add_parts(receiver, list.len(), control, update)
        })
    }

    /// Adds the parts of files as they arrive. `count` is the number of files to read.
    fn add_parts(
        &mut self,
        parts: Receiver<ReadPart>,
        count: usize,
        control: &mut UpdateControl<'_>,
        update: &mut ShelfUpdate,
    ) -> Result<(), ShelfError> {
        let (mut builder, mut size) = (SegmentBuilder::default(), FIRST_SEGMENT_POSITIONS);
        for ReadPart {
            path,
            stamp,
            games_before: before,
            games,
            end,
        } in parts
        {
            let is_last = matches!(end, Some(Ok(())));
            if is_last || !games.is_empty() {
                builder.add(&FilePart {
                    path: &path,
                    stamp,
                    games_before: before,
                    games: &games,
                    is_last,
                });
            }
            if let Some(end) = end {
                update.read_files += 1;
                (control.progress)(update.read_files, count);
                end.unwrap_or_else(|problem| update.add_problem(problem));
            }
            if builder.position_count() >= size {
                size = (size * 2).min(SEGMENT_POSITIONS);
                self.append_segment(&std::mem::take(&mut builder).finish())?;
            }
        }
        if builder.is_empty() {
            Ok(())
        } else {
            self.append_segment(&builder.finish())
        }
    }

    /// Returns whether more than half of the games are of removed files.
    fn is_mostly_removed(&self) -> bool {
        let [mut games, mut valid] = [0; 2];
        for segment in self.segments() {
            games += segment.counts()[0];
            valid += segment.present_game_count();
        }
        valid * 2 < games
    }

    /// Joins the small segments if there are more than [`MAX_SMALL_SEGMENTS`].
    fn join_small_segments(&mut self) -> Result<(), ShelfError> {
        let small: Vec<usize> = self
            .segments()
            .enumerate()
            .filter(|(_, segment)| {
                segment.counts()[1] < SMALL_SEGMENT_POSITIONS && segment.present_game_count() > 0
            })
            .map(|(nth, _)| nth)
            .collect();
        if small.len() <= MAX_SMALL_SEGMENTS {
            return Ok(());
        }
        let (mut builder, mut joined) = (SegmentBuilder::default(), Vec::new());
        for nth in small {
            let Some((segment, entries)) = self.segment_with_entries(nth)? else {
                continue;
            };
            builder.add_segment(segment, &entries);
            joined.extend(
                segment
                    .files()
                    .map(|file| [u32::try_from(nth).unwrap_or(u32::MAX), file.index]),
            );
        }
        // If the program is killed between these writes, the files are read again.
        self.append_removed(&joined)?;
        self.append_segment(&builder.finish())
    }

    /// Writes the index without removed files to a new file, which replaces the file at `path`. Returns the new index.
    fn rewrite(mut self, path: &Path) -> Result<Self, ShelfError> {
        let mut anew = Self::create_beside(path)?;
        let mut builder = SegmentBuilder::default();
        let mut index = 0;
        while let Some((segment, entries)) = self.segment_with_entries(index)? {
            builder.add_segment(segment, &entries);
            if builder.position_count() >= SEGMENT_POSITIONS {
                anew.append_segment(&std::mem::take(&mut builder).finish())?;
            }
            index += 1;
        }
        anew.append_segment(&builder.finish())?;
        // The old file is closed before it is replaced: some systems do not replace open files.
        drop(self);
        anew.replace(path)?;
        Ok(anew)
    }
}

/// The record files that the index is to have.
#[derive(Debug, Default)]
struct WantedFiles {
    files: BTreeMap<String, FileStamp>,
    /// The folders that exist and cannot be read.
    unreadable_folders: Vec<PathBuf>,
}

impl WantedFiles {
    /// Finds the record files below folders. A file among `folders` counts whatever its extension. Adds problems and
    /// links to `update`.
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
                found
                    .unreadable_folders
                    .extend((!error.is_absent()).then(|| error.path().to_owned()));
                update.add_problem(error.into());
            }
            walked
                .files
                .iter()
                .filter(|path| shogibar_kifu::has_record_extension(path))
                .for_each(|path| found.add(path));
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

/// Reads a file and sends its games in parts. The last part has the result of reading the file. Returns whether the
/// parts are received: the receiver is gone if the index cannot be written.
fn read_file(path: &str, stamp: FileStamp, sender: &SyncSender<ReadPart>) -> bool {
    let name = Path::new(path);
    let (mut before, mut games, mut positions, mut is_wanted) = (0, Vec::new(), 0, true);
    let send = |before: usize, games: Vec<ShelfGame>, end| {
        sender
            .send(ReadPart {
                path: path.to_owned(),
                stamp,
                games_before: before,
                games,
                end,
            })
            .is_ok()
    };
    let read = files::read(name, shogibar_kifu::MAX_BYTES)
        .map_err(ShelfProblem::from)
        .and_then(|bytes| {
            let mut add = |game: ShelfGame| {
                positions += game.positions.len();
                games.push(game);
                if positions >= PART_POSITIONS && is_wanted {
                    let count = games.len();
                    is_wanted = send(before, std::mem::take(&mut games), None);
                    (before, positions) = (before + count, 0);
                }
            };
            match read_games(&bytes, name, &mut add) {
                // A JSON file without a record is no problem: many other programs write JSON.
                Err(_)
                    if name
                        .extension()
                        .is_some_and(|end| end.eq_ignore_ascii_case("json")) =>
                {
                    Ok(())
                }
                read => read.map_err(|error| ShelfProblem::NoRecord(name.to_owned(), error)),
            }
        });
    is_wanted && send(before, games, Some(read))
}
