//! One file that is followed, without disk and clock: when it is read, and what of it is taken.

use super::{FileContent, LiveStamp};
use crate::game::SourceProblem;
use crate::reader::{GameReader, QUIET, ReadCertainty, ReaderUpdate};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file of which the content is followed. Times are those of the caller's clock.
#[derive(Debug)]
pub struct FollowedFile {
    path: PathBuf,
    /// What it looked like when its content was last asked for.
    stamp: Option<LiveStamp>,
    reader: GameReader,
}

impl FollowedFile {
    /// Follows a file of which nothing is known.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), stamp: None, reader: GameReader::new(path, QUIET) }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what the content is read as.
    pub const fn reader(&self) -> &GameReader {
        &self.reader
    }

    /// Applies a look at the time `now`. Returns whether the file has to be read.
    pub fn looked(&mut self, now: Duration, stamp: LiveStamp) -> bool {
        let is_same = self.stamp.replace(stamp) == Some(stamp) && !self.reader.is_due(now);
        if is_same {
            self.reader.reset_growth();
        }
        !is_same
    }

    /// Has the file read at the next look.
    pub const fn read_again(&mut self) {
        self.stamp = None;
    }

    /// Notes that the file could not be looked at or read, and tries it again. A file that is too large is read again when
    /// it has changed.
    pub fn failed(&mut self, problem: &SourceProblem) {
        if *problem != SourceProblem::TooLarge {
            self.read_again();
        }
    }

    /// Applies the content at the time `now`. `is_own` is whether this program has written it: it is then whole, whatever was
    /// there before.
    pub fn update(&mut self, now: Duration, content: &FileContent, is_own: bool) -> ReaderUpdate {
        if is_own {
            self.reader = GameReader::new(&self.path, QUIET);
        }
        // Later, the looks alone count: the clock of another machine may be wrong.
        let is_settled = is_own || self.reader.known().is_none() && content.age >= QUIET;
        let certainty = if is_settled { ReadCertainty::Settled } else { ReadCertainty::MayBePartial };
        self.reader.update(now, &content.bytes, certainty)
    }
}
