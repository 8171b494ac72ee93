//! One followed file, without disk and clock: when it is read, and when its content is accepted.

use super::{FileContent, LiveStamp};
use crate::game::SourceProblem;
use crate::reader::{GameReader, QUIET_TIME, ReadCertainty, ReaderUpdate};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file whose content is followed. Times are those of the caller's clock.
#[derive(Debug)]
pub struct FollowedFile {
    path: PathBuf,
    /// The metadata of the file when its content was last requested; `None` if the file has to be read.
    stamp: Option<LiveStamp>,
    reader: GameReader,
}

impl FollowedFile {
    /// Creates a followed file whose content is not known yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            stamp: None,
            reader: GameReader::new(path, QUIET_TIME),
        }
    }

    /// Creates a followed file of which one game is followed: the last one, and then the next.
    pub(super) fn of_game(path: &Path) -> Self {
        let file = Self::new(path);
        Self {
            reader: file.reader.for_game(None),
            ..file
        }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the reader of the content.
    pub const fn reader(&self) -> &GameReader {
        &self.reader
    }

    /// Applies the metadata at the time `now`. Returns whether the file has to be read.
    pub fn on_stamp(&mut self, now: Duration, stamp: LiveStamp) -> bool {
        let is_same = self.stamp.replace(stamp) == Some(stamp) && !self.reader.is_due(now);
        if is_same {
            self.reader.reset_growth();
        }
        !is_same
    }

    /// Requests that the file is read at the next check.
    pub const fn read_again(&mut self) {
        self.stamp = None;
    }

    /// Records that the file could not be read, so that it is tried again. A file that is too large is read again when
    /// it has changed.
    pub fn on_read_failed(&mut self, problem: &SourceProblem) {
        if *problem != SourceProblem::TooLarge {
            self.read_again();
        }
    }

    /// Applies the content at the time `now`, and returns what changes. `is_written` is whether this program has
    /// written the content, which is then complete and independent of the former one.
    pub fn update(&mut self, now: Duration, content: &FileContent, is_written: bool) -> ReaderUpdate {
        if is_written {
            self.reader = GameReader::new(&self.path, QUIET_TIME);
        }
        // Later, only the caller's clock counts: the clock of another machine may be wrong.
        let is_settled = is_written || self.reader.known().is_none() && content.age >= QUIET_TIME;
        let certainty = if is_settled {
            ReadCertainty::Settled
        } else {
            ReadCertainty::MayBePartial
        };
        self.reader.update(now, &content.bytes, certainty)
    }
}
