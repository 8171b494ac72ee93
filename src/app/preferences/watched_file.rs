//! A file that others may write, looked at now and then.

use crate::files::{self, FileStamp};
use std::path::Path;

/// What is known of the versions of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WatchedFile {
    /// The one that was read.
    read: Option<FileStamp>,
    /// The one that was there at the last look.
    seen: Option<FileStamp>,
}

/// What is to be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchAction {
    /// Nothing: it is as it was when it was read, or gone. An editor may have taken it away to put another in its
    /// place, so what was read stays in force.
    Known,
    /// It is to be looked at again soon: somebody may be in the middle of writing it, and half a file may well
    /// be read as a whole one.
    Moving,
    /// It is to be read.
    New,
}

impl WatchedFile {
    /// What is there, which is going to be read now.
    pub(super) fn new(path: Option<&Path>) -> Self {
        let stamp = path.and_then(files::stamp);
        Self { read: stamp, seen: stamp }
    }

    /// Looks; a file that is not what it was at the look before is not waited for where that cannot be.
    pub(super) fn check(&mut self, path: &Path, can_wait: bool) -> WatchAction {
        let stamp = files::stamp(path);
        if std::mem::replace(&mut self.seen, stamp) != stamp && can_wait {
            return WatchAction::Moving;
        }
        if stamp.is_none() || stamp == self.read {
            return WatchAction::Known;
        }
        // The one that was there before it is read: a later one is seen the next time.
        self.read = stamp;
        WatchAction::New
    }

    /// Takes what stands there for whole: we wrote it.
    pub(super) fn accept_current(&mut self, path: &Path) {
        self.seen = files::stamp(path);
    }

    /// Whether a file that was read is there no more, as of the last look.
    pub(super) const fn is_gone(&self) -> bool {
        self.read.is_some() && self.seen.is_none()
    }

    /// Whether there was a file at the last look.
    pub(super) const fn is_there(&self) -> bool {
        self.seen.is_some()
    }
}
