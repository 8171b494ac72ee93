//! A file that another program keeps writing, and a folder of which the newest record is followed.
//!
//! [`FollowedFile`] and [`core`] decide from stamps and contents; `shell` reads the disk. Half-written, replaced,
//! shorter, locked and missing files are normal.

pub mod core;
mod followed;
pub(crate) mod shell;

pub use followed::FollowedFile;
pub use shell::{pause, poll};

use std::path::PathBuf;
use std::time::Duration;

/// The interval between two checks of a file, and the minimum interval between two listings of a folder. On a slow disk
/// `pause` makes both longer.
pub const FILE_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// The maximum size of a file that a source reads, in bytes.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// The size and time of a followed file, and a hash of its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveStamp {
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// A hash of the last bytes.
    pub tail_hash: u64,
}

/// The content of a file, and the time of its last change as it was before the reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContent {
    /// The content.
    pub bytes: Vec<u8>,
    /// The time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// The time since the last change by the system's clock; zero for a change in the future.
    pub age: Duration,
}

/// A record file in a followed folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// The path of the file.
    pub path: PathBuf,
}
