//! The analysis of a folder: every game of every record below it, in one queue.
//!
//! - [`scan()`] lists the games, and the output file of each.
//! - [`run()`] analyses the games. When a game is over, the record, the report and the tables are written at once.
//! - [`FolderControl`] pauses and cancels the analysis from other threads.
//! - [`ResultTable`] has a row for each game. The table is written as HTML and as CSV.

mod base;
mod control;
mod estimate;
mod finish;
mod html_table;
mod run;
mod scan;
mod table;
#[cfg(test)]
mod tests;

pub use base::{holds_comments, is_within};
pub use control::{FolderControl, FolderWakes};
pub use run::{FolderEvent, FolderProgress, FolderStage, FolderSummary, FolderTask, run};
pub use scan::{FolderGame, FolderScan, scan};
pub use table::{ResultRow, ResultTable};

use std::fmt;

/// The name of the file of the table as HTML, in the output folder.
pub const HTML_TABLE_NAME: &str = "results.html";

/// The name of the file of the table as CSV, in the output folder.
pub const CSV_TABLE_NAME: &str = "results.csv";

/// The error that prevents or ends the analysis of a folder, as a sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderError(pub String);

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for FolderError {}
