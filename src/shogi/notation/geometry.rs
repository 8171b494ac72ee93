//! Directions of moves and relative positions of pieces, as seen by the side that moves.

use crate::{Color, Square};
use std::cmp::Ordering;

/// The direction of a move, from the view of its side, as notation states it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceMotion {
    /// 上, forward.
    Up,
    /// 寄, sideways.
    Across,
    Back,
}

/// The position of a piece relative to a square or to another piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RelativePosition {
    Right,
    Left,
    /// 直, on the same file.
    Straight,
}

impl PieceMotion {
    /// Returns the direction of a move of the side `color` between two squares.
    pub(super) fn between(color: Color, from: Square, to: Square) -> Self {
        match as_seen_by(color, from.rank().cmp(&to.rank())) {
            Ordering::Greater => Self::Up,
            Ordering::Equal => Self::Across,
            Ordering::Less => Self::Back,
        }
    }

    /// Returns the modifier in the official notation.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Up => "上",
            Self::Across => "寄",
            Self::Back => "引",
        }
    }
}

impl RelativePosition {
    /// Returns the position of `square` relative to `other`, as the side `color` sees the board.
    pub(super) fn relative_to(color: Color, square: Square, other: Square) -> Self {
        match as_seen_by(color, square.file().cmp(&other.file())) {
            Ordering::Greater => Self::Left,
            Ordering::Equal => Self::Straight,
            Ordering::Less => Self::Right,
        }
    }

    /// Returns the modifier in the official notation.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Right => "右",
            Self::Left => "左",
            Self::Straight => "直",
        }
    }
}

/// Returns an order of files or ranks as the side `color` sees them.
const fn as_seen_by(color: Color, order: Ordering) -> Ordering {
    match color {
        Color::Black => order,
        Color::White => order.reverse(),
    }
}
