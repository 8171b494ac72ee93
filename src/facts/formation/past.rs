//! The past of a game: the former squares of pieces, the captures, and the moves.

use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The moves and captures of both sides before a position.
#[derive(Clone, Debug, Default)]
pub(super) struct Past {
    /// The number of moves played.
    ply: u16,
    black: SidePast,
    white: SidePast,
}

/// The moves and captures of a side before a position.
#[derive(Clone, Debug, Default)]
struct SidePast {
    /// For each kind of piece, the squares on which the side has had such a piece, as bits.
    visited_squares: [u128; PieceKind::ALL.len()],
    captured_kinds: Vec<PieceKind>,
    moves: Vec<Move>,
}

impl Past {
    pub(super) fn new(start: &Position) -> Self {
        let mut past = Self::default();
        for square in Square::all() {
            if let Some(piece) = start.piece_on(square) {
                past.side_mut(piece.color).add_visited_square(piece.kind, square);
            }
        }
        past
    }

    pub(super) fn play(&mut self, before: &Position, mv: Move, after: &Position) {
        let side = self.side_mut(before.side_to_move());
        side.moves.push(mv);
        side.captured_kinds
            .extend(before.piece_on(mv.to()).map(|piece| piece.kind.unpromoted()));
        if let Some(piece) = after.piece_on(mv.to()) {
            side.add_visited_square(piece.kind, mv.to());
        }
        self.ply = self.ply.saturating_add(1);
    }

    /// Returns the number of moves played.
    pub(super) const fn ply(&self) -> u16 {
        self.ply
    }

    pub(super) fn has_stood(&self, color: Color, kind: PieceKind, square: Square) -> bool {
        self.side(color)
            .visited_squares
            .get(kind as usize)
            .is_some_and(|squares| squares & bit(square) != 0)
    }

    pub(super) fn has_captured(&self, color: Color, kind: PieceKind) -> bool {
        self.side(color).captured_kinds.contains(&kind)
    }

    pub(super) fn has_played(&self, color: Color, mv: Move) -> bool {
        self.side(color).moves.contains(&mv)
    }

    const fn side(&self, color: Color) -> &SidePast {
        match color {
            Color::Black => &self.black,
            Color::White => &self.white,
        }
    }

    const fn side_mut(&mut self, color: Color) -> &mut SidePast {
        match color {
            Color::Black => &mut self.black,
            Color::White => &mut self.white,
        }
    }
}

impl SidePast {
    fn add_visited_square(&mut self, kind: PieceKind, square: Square) {
        if let Some(squares) = self.visited_squares.get_mut(kind as usize) {
            *squares |= bit(square);
        }
    }
}

const fn bit(square: Square) -> u128 {
    1 << square.index()
}
