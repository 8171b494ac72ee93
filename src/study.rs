//! A game record that is studied: walked through, changed, and said in words, row by row. Pure.

mod document;
mod rows;
mod said;
mod tree;

pub use document::{Document, Refused};
pub use rows::{Row, rows};
pub use said::{Said, best_informed};
pub use tree::{Cell, Tree};
