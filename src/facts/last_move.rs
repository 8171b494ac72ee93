//! The move that led to a position.

use crate::shogi::{Move, Position};

/// The move of the opponent before a move.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a> {
    /// The position before the last move.
    pub position_before: &'a Position,
    /// The move.
    pub mv: Move,
}
