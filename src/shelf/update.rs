//! Brings the index up to date with the record folders: what is new is read, what is gone does not count any more.

use crate::games::{MAX_RECORD, ShelfGame, games_of};
use crate::segment::SegmentBuilder;
use crate::shelf::{Shelf, ShelfError};
use shogibar_core::kifu;
use shogibar_engine::threads;
use shogibar_files::{self as files, FileError, FileStamp};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread::Scope;

/// The positions after which a segment is written: about 8 MB.
const SEGMENT: usize = 400_000;

/// The segments beyond which small ones are joined.
const MOST_SEGMENTS: usize = 64;

/// The files that threads may have read beyond what is added.
const AHEAD: usize = 64;

/// The most problems that are kept.
const MOST_PROBLEMS: usize = 100;

/// How an update is watched and ended.
pub struct UpdateControl<'c> {
    /// Set to end it. What was read so far is kept.
    pub cancelled: &'c AtomicBool,
    /// Told how many files were read, of how many.
    pub progress: &'c (dyn Fn(usize, usize) + Sync),
    /// The threads that read files.
    pub threads: usize,
}

impl fmt::Debug for UpdateControl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateControl").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// What an update did.
#[derive(Debug, Default)]
pub struct ShelfUpdate {
    /// The files that were read.
    pub read: usize,
    /// The files that are gone, or were read again because they had changed.
    pub gone: usize,
    /// The files and folders that cannot be read; the first of them.
    pub problems: Vec<FileError>,
    /// The links that were not followed.
    pub links: Vec<PathBuf>,
    /// Where the old index lies, if it could not be trusted.
    pub set_aside: Option<PathBuf>,
    /// Whether all was read: it was not cancelled.
    pub is_whole: bool,
}

/// A file that was read.
struct ReadFile {
    path: String,
    stamp: FileStamp,
    games: Result<Vec<ShelfGame>, FileError>,
}

impl Shelf {
    /// Brings the index at `path` up to date with the records below folders, and opens it. Games of other folders are taken out.
    ///
    /// Only files that are new or have changed, by size and time, are read. An index that cannot be trusted is set aside and made anew.
    ///
    /// # Errors
    /// If the index cannot be read or written, or another program is writing it.
    pub fn update(
        path: &Path,
        folders: &[PathBuf],
        control: &UpdateControl<'_>,
    ) -> Result<(Self, ShelfUpdate), ShelfError> {
        let _lock = files::try_lock(path).ok_or(ShelfError::Busy)?;
        let mut update = ShelfUpdate::default();
        let first = Self::open(path).and_then(|shelf| shelf.updated(path, folders, (control, &mut update)));
        let shelf = match first {
            Err(ShelfError::Damaged(_)) => {
                update = ShelfUpdate { set_aside: Some(Self::set_aside(path)?), ..ShelfUpdate::default() };
                Self::open(path)?.updated(path, folders, (control, &mut update))?
            }
            shelf => shelf?,
        };
        Ok((shelf, update))
    }

    fn updated(
        mut self,
        path: &Path,
        folders: &[PathBuf],
        (control, update): (&UpdateControl<'_>, &mut ShelfUpdate),
    ) -> Result<Self, ShelfError> {
        let mut wanted = files_below(folders, update);
        let mut dead = Vec::new();
        for (nth, segment) in self.segments().enumerate() {
            for (file, name, stamp) in segment.files() {
                if wanted.get(name) == Some(&stamp) {
                    wanted.remove(name);
                } else {
                    dead.push([u32::try_from(nth).unwrap_or(u32::MAX), file]);
                }
            }
        }
        update.gone = dead.len();
        if !dead.is_empty() {
            self.append_dead(&dead)?;
        }
        self.add_files(&wanted, (control, update))?;
        update.is_whole = !control.cancelled.load(Ordering::Relaxed);
        if update.is_whole && self.is_wasteful() {
            return self.written_anew(path);
        }
        Ok(self)
    }

    fn add_files(
        &mut self,
        wanted: &BTreeMap<String, FileStamp>,
        (control, update): (&UpdateControl<'_>, &mut ShelfUpdate),
    ) -> Result<(), ShelfError> {
        let list: Vec<_> = wanted.iter().collect();
        let next = AtomicUsize::new(0);
        let (sender, receiver) = sync_channel(AHEAD);
        std::thread::scope(|scope: &Scope<'_, '_>| {
            for _ in 0..control.threads.clamp(1, list.len().max(1)) {
                let (sender, list, next) = (sender.clone(), &list, &next);
                let work = move || {
                    while !control.cancelled.load(Ordering::Relaxed)
                        && let Some((path, stamp)) = list.get(next.fetch_add(1, Ordering::Relaxed))
                        && sender.send(read_file(path, **stamp)).is_ok()
                    {}
                };
                // Without threads nothing is read; the next update goes on.
                let _none = threads::spawn_in_scope(scope, "shelf", work);
            }
            drop(sender);
            let mut builder = SegmentBuilder::default();
            for ReadFile { path, stamp, games } in receiver {
                update.read += 1;
                (control.progress)(update.read, list.len());
                match games {
                    Ok(games) => builder.add(&path, stamp, &games),
                    Err(problem) if update.problems.len() < MOST_PROBLEMS => update.problems.push(problem),
                    Err(_) => {}
                }
                if builder.len() >= SEGMENT {
                    self.append_segment(&std::mem::take(&mut builder).finish())?;
                }
            }
            if !builder.is_empty() {
                self.append_segment(&builder.finish())?;
            }
            Ok(())
        })
    }

    /// Whether half of the games do not count any more, or there are many small segments.
    fn is_wasteful(&self) -> bool {
        let [mut games, mut living, mut small] = [0; 3];
        for segment in self.segments() {
            let [all, positions] = segment.counts();
            games += all;
            living += segment.living_games();
            small += usize::from(positions < SEGMENT);
        }
        living * 2 < games || small > MOST_SEGMENTS
    }

    /// Writes the living games to a new file, which takes the place of this one.
    fn written_anew(mut self, path: &Path) -> Result<Self, ShelfError> {
        let beside = path.with_extension("new");
        let mut shelf = Self::empty(&beside)?;
        let mut builder = SegmentBuilder::default();
        let mut number = 0;
        while let Some((segment, entries)) = self.segment_with_entries(number)? {
            builder.add_segment(segment, &entries);
            if builder.len() >= SEGMENT {
                shelf.append_segment(&std::mem::take(&mut builder).finish())?;
            }
            number += 1;
        }
        shelf.append_segment(&builder.finish())?;
        // The old file is closed first: it is replaced.
        drop(self);
        shelf.replace(path)?;
        Ok(shelf)
    }
}

/// Returns the record files below folders with their stamps.
fn files_below(folders: &[PathBuf], update: &mut ShelfUpdate) -> BTreeMap<String, FileStamp> {
    let mut found = BTreeMap::new();
    for folder in folders {
        let walked = files::walk(folder);
        update.links.extend(walked.links);
        update.problems.extend(walked.errors);
        for path in walked.files.iter().filter(|path| kifu::has_record_extension(path)) {
            if let (Some(name), Some(stamp)) = (path.to_str(), files::stamp(path)) {
                found.insert(name.to_owned(), stamp);
            }
        }
    }
    found
}

fn read_file(path: &str, stamp: FileStamp) -> ReadFile {
    let games = files::read(Path::new(path), MAX_RECORD).map(|bytes| games_of(&bytes, Path::new(path)));
    ReadFile { path: path.to_owned(), stamp, games }
}
