//! The shelf: an index of the positions in the user's game records. It finds the games that had a position by any
//! sequence of moves, their next moves and their results.
//!
//! The index is one file of segments that are only appended. A segment covers the games of some record files and is
//! never changed. [`Segment`] reads a segment from bytes, without I/O. [`Shelf`] reads and writes the file.

mod answer;
mod builder;
mod bytes;
mod entry;
mod error_text;
mod games;
mod key;
mod segment;
mod shelf;
pub mod shelf_text;
mod update;

pub use answer::{DayError, FilterWords, GameFilter, NextMove, ShelfAnswer, ShelfHit, ShelfQuery};
pub use builder::{FilePart, SegmentBuilder};
pub use games::{ShelfGame, ShelfPosition, read_games};
pub use key::ShelfKey;
pub use segment::{Segment, SegmentError};
pub use shelf::{MAGIC, Shelf, ShelfCounts, ShelfError};

pub use update::{ShelfProblem, ShelfUpdate, UpdateControl};
