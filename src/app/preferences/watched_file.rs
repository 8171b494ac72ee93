//! A file that other programs may write, checked at intervals.

use shogibar_files::FileStamp;
use std::path::Path;

/// The known versions of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WatchedFile {
    /// The version that was read.
    read_stamp: Option<FileStamp>,
    /// The version at the last check.
    last_stamp: Option<FileStamp>,
}

/// The action for a file after a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WatchAction {
    /// No action: the file is unchanged since it was read, or gone. An editor may have removed it in order to replace
    /// it, so the last content stays in force.
    Known,
    /// Check the file again soon: it may be half written, and half a file may be valid.
    Changing,
    /// Read the file: it is new or has changed.
    New,
}

impl WatchedFile {
    /// Creates the known versions of a file that is read next.
    pub(super) fn new(path: Option<&Path>) -> Self {
        let stamp = path.and_then(shogibar_files::stamp);
        Self {
            read_stamp: stamp,
            last_stamp: stamp,
        }
    }

    /// Checks the file's stamp, and returns the action for the file. If `can_wait`, the action for a file that has
    /// changed since the last check is [`WatchAction::Changing`].
    pub(super) fn check(&mut self, path: &Path, can_wait: bool) -> WatchAction {
        let stamp = shogibar_files::stamp(path);
        if std::mem::replace(&mut self.last_stamp, stamp) != stamp && can_wait {
            return WatchAction::Changing;
        }
        if stamp.is_none() || stamp == self.read_stamp {
            return WatchAction::Known;
        }
        // This is the stamp from before the reading, so that the next check notices a later version.
        self.read_stamp = stamp;
        WatchAction::New
    }

    /// Marks the current version as complete, because this program has written it.
    pub(super) fn accept_current(&mut self, path: &Path) {
        self.last_stamp = shogibar_files::stamp(path);
    }

    /// Returns whether a file that was read was gone at the last check.
    pub(super) const fn is_gone(&self) -> bool {
        self.read_stamp.is_some() && self.last_stamp.is_none()
    }

    /// Returns whether there was a file at the last check.
    pub(super) const fn is_there(&self) -> bool {
        self.last_stamp.is_some()
    }
}
