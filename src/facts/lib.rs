//! What can be proved about a position or a move. It uses no file, thread or clock, and has no sentence.
//!
//! Positions, lines and values go in, [`Fact`]s come out, each with the moves that show it. All searches are bounded by
//! nodes, so that the facts are the same on every machine.

mod fact;

pub use fact::{Exchange, Fact, FactKind, FactPlace, Gain};
pub use shogibar_core::{kifu, random, score, search, shogi};
