//! What an engine may be shown.

use super::illegal::is_dead;
use super::{Color, PieceKind, Position, Square};
use thiserror::Error;

/// Why a position is not shown to an engine: several crash on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsearchable {
    /// A side has no king, or two.
    #[error("{0:?} must have exactly one king")]
    Kings(Color),
    /// The side that just moved stands in check.
    #[error("the side not to move is in check")]
    OpponentInCheck,
    /// More pieces of a kind than a set holds.
    #[error("too many pieces of kind {}", .0.letter())]
    TooMany(PieceKind),
    /// A side has two unpromoted pawns on a file.
    #[error("two pawns on file {0}")]
    TwoPawns(u8),
    /// A piece that can never move.
    #[error("the piece on {0} can never move")]
    DeadPiece(Square),
}

impl Position {
    /// Whether an engine may be shown this position.
    ///
    /// # Errors
    /// What is wrong with it, in a form that can be said to the user.
    pub fn searchable(&self) -> Result<(), Unsearchable> {
        for color in [Color::Black, Color::White] {
            let king = self.pieces_of(color).filter(|(_, kind)| *kind == PieceKind::King).count();
            if king != 1 {
                return Err(Unsearchable::Kings(color));
            }
        }
        self.count_pieces()?;
        for color in [Color::Black, Color::White] {
            self.check_placement(color)?;
        }
        if self.opponent_in_check() { Err(Unsearchable::OpponentInCheck) } else { Ok(()) }
    }

    pub(super) fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
        Square::all().filter_map(move |square| {
            let piece = self.piece_on(square)?;
            (piece.color == color).then_some((square, piece.kind))
        })
    }

    fn count_pieces(&self) -> Result<(), Unsearchable> {
        for kind in PieceKind::IN_HAND {
            let board = Square::all().filter_map(|square| self.piece_on(square));
            let on_board = board.filter(|piece| piece.kind.unpromoted() == kind).count();
            let in_hand = self.hand(Color::Black).count(kind) + self.hand(Color::White).count(kind);
            if on_board + usize::from(in_hand) > usize::from(kind.in_a_set()) {
                return Err(Unsearchable::TooMany(kind));
            }
        }
        Ok(())
    }

    fn check_placement(&self, color: Color) -> Result<(), Unsearchable> {
        let mut pawn_files = 0_u16;
        for (square, kind) in self.pieces_of(color) {
            if is_dead(color, kind, square) {
                return Err(Unsearchable::DeadPiece(square));
            }
            if kind == PieceKind::Pawn {
                let file = 1 << square.file();
                if pawn_files & file != 0 {
                    return Err(Unsearchable::TwoPawns(square.file()));
                }
                pawn_files |= file;
            }
        }
        Ok(())
    }
}
