//! A file that another program keeps writing, and a folder of which the newest record is followed.
//!
//! [`core`] decides from stamps and contents; `shell` looks at the disk. Half-written, replaced, shorter, locked and missing
//! files are normal.

pub mod core;
pub(crate) mod shell;

use std::path::PathBuf;

/// The largest file that is read, in bytes.
pub const MAX_FILE: usize = 16 << 20;

/// What a file looks like without reading all of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LiveStamp {
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// A hash of the last bytes.
    pub tail: u64,
}

/// A record in a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FolderEntry {
    /// The time of the last change, in nanoseconds since 1970.
    pub modified: u128,
    /// The path of the file.
    pub path: PathBuf,
}
