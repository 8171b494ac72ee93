//! A game record that is studied: walked through, changed, and said in words, row by row. Pure.

mod document;
mod evaluation_cache;
mod insight;
mod move_rows;
mod node_words;
mod tree;

pub use document::{Document, MoveRefused};
pub use evaluation_cache::EvaluationCache;
pub use insight::{EvaluationSeries, RecordInsight};
pub use move_rows::{MoveRow, MoveRows, rows};
pub use node_words::NodeWords;
pub use tree::{TreeCell, VariationTree};

/// What is to become of changes that are not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// They are saved first.
    Save,
    /// They are thrown away.
    Discard,
    /// All stays as it is.
    Cancel,
}
