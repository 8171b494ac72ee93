//! The move that led to a position.

use shogibar_shogi::{History, Move, Position};

/// The move of the opponent before a move.
#[derive(Clone, Copy, Debug)]
pub struct LastMove<'a> {
    /// The position before the last move.
    pub position_before: &'a Position,
    /// The move.
    pub mv: Move,
}

impl<'a> LastMove<'a> {
    /// Returns the last move of a game; `None` at the start. `before` is the game without that move.
    pub fn of_game(before: Option<&'a History>, game: &History) -> Option<Self> {
        Some(Self {
            position_before: before?.now(),
            mv: game.last_move()?,
        })
    }
}
