//! A game record that is studied: walked through, changed, and said in words, row by row. Pure.

mod document;
mod insight;
mod rows;
mod said;
mod tree;
mod words;

pub use document::{Document, Refused};
pub use insight::{Insight, Series};
pub use rows::{Row, Rows, rows};
pub use said::Said;
pub use tree::{Cell, Tree};
pub use words::Words;

/// What is to become of changes that are not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// They are saved first.
    Save,
    /// They are thrown away.
    Discard,
    /// All stays as it is.
    Cancel,
}
