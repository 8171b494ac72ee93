//! A position set up piece by piece.

use super::{Color, Piece, PieceKind, Position, Square};
use rsshogi::board::{BoardArray, PositionState};
use rsshogi::types::{self as rules, Hand, HandPiece};
use std::sync::LazyLock;
use thiserror::Error;

/// A board and hands being set up, for example from a diagram. The result may be any position: kings may
/// be missing, as in [`Position`].
#[derive(Clone, PartialEq, Eq)]
pub struct Setup {
    board: BoardArray,
    hands: [Hand; Color::COUNT],
}

/// The error of pieces that no hand can hold: kings, promoted pieces, or more of a kind than a set has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no hand can hold {count} more of {}", .kind.letter())]
pub struct HandLimitError {
    /// The kind of the rejected pieces.
    pub kind: PieceKind,
    /// The number of the rejected pieces.
    pub count: u8,
}

impl Default for Setup {
    fn default() -> Self {
        Self::empty()
    }
}

impl Setup {
    /// Creates an empty board with empty hands.
    pub const fn empty() -> Self {
        Self {
            board: BoardArray::empty(),
            hands: [Hand::ZERO; Color::COUNT],
        }
    }

    /// Returns whether this is the starting position of an even game.
    pub fn is_startpos(&self) -> bool {
        static STARTPOS: LazyLock<Setup> = LazyLock::new(|| Setup::from_position(&Position::startpos()));
        *self == *STARTPOS
    }

    /// Creates a setup with the board and hands of a position.
    pub fn from_position(position: &Position) -> Self {
        let PositionState { board, hands, .. } = position.state();
        Self { board, hands }
    }

    /// Puts a piece on a square and replaces the piece there; `None` clears the square.
    pub fn put(&mut self, square: Square, piece: Option<Piece>) {
        let piece = piece.map_or(rules::Piece::NONE, |Piece { color, kind }| {
            rules::Piece::from_parts(color, kind.to_rules())
        });
        self.board.set(square.to_rules(), piece);
    }

    /// Returns the piece on a square; `None` for an empty square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let piece = self.board.get(square.to_rules());
        PieceKind::from_rules(piece.piece_type()).map(|kind| Piece {
            color: piece.color(),
            kind,
        })
    }

    /// Adds `count` pieces to a side's hand.
    ///
    /// # Errors
    /// Fails if the hand cannot hold them; it is then unchanged.
    pub fn add_to_hand(&mut self, color: Color, kind: PieceKind, count: u8) -> Result<(), HandLimitError> {
        let error = HandLimitError { kind, count };
        let piece = HandPiece::from_piece_type(kind.to_rules()).ok_or(error)?;
        let hand = self.hands.get_mut(color.to_index()).ok_or(error)?;
        if hand.count(piece) + u32::from(count) > u32::from(kind.count_in_set()) {
            return Err(error);
        }
        *hand = hand.checked_add(piece, count.into()).ok_or(error)?;
        Ok(())
    }

    /// Removes a piece from a side's hand. Returns whether there was one.
    pub fn remove_from_hand(&mut self, color: Color, kind: PieceKind) -> bool {
        let Some(piece) = HandPiece::from_piece_type(kind.to_rules()) else {
            return false;
        };
        let Some(hand) = self.hands.get_mut(color.to_index()) else {
            return false;
        };
        let reduced = hand.checked_sub(piece, 1);
        *hand = reduced.unwrap_or(*hand);
        reduced.is_some()
    }

    /// Returns the number of pieces of a kind in a set that are neither in a hand nor on the board.
    pub fn unused_count(&self, kind: PieceKind) -> u8 {
        let on_board = Square::all().filter_map(|square| self.piece_on(square));
        let on_board = on_board
            .filter(|piece| piece.kind.unpromoted() == kind.unpromoted())
            .count();
        let in_hand = HandPiece::from_piece_type(kind.unpromoted().to_rules())
            .map_or(0, |piece| self.hands.iter().map(|hand| hand.count(piece)).sum());
        let used = u32::try_from(on_board)
            .unwrap_or(u32::MAX)
            .saturating_add(in_hand);
        u8::try_from(u32::from(kind.count_in_set()).saturating_sub(used)).unwrap_or(0)
    }

    /// Adds all unused pieces of the set to a hand.
    pub fn add_remaining_to_hand(&mut self, color: Color) {
        for kind in PieceKind::IN_HAND {
            // The hand can hold them: the unused pieces and those in hand never exceed a set.
            let _held = self.add_to_hand(color, kind, self.unused_count(kind));
        }
    }

    /// Returns the position with this side to move and this number of the next move. The number 0 becomes 1.
    pub fn build(&self, side_to_move: Color, move_number: u16) -> Position {
        let (board, hands) = (self.board, self.hands);
        Position::from_state(&PositionState {
            board,
            hands,
            side_to_move,
            ply: move_number.max(1),
        })
    }
}

impl std::fmt::Debug for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Setup({})", self.build(Color::Black, 1).sfen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rebuilds_a_position_from_its_pieces() {
        let check = |sfen: &str| {
            let position = Position::from_sfen(sfen).expect("an SFEN");
            let mut setup = Setup::empty();
            for square in Square::all() {
                setup.put(square, position.piece_on(square));
            }
            for color in [Color::Black, Color::White] {
                for kind in PieceKind::IN_HAND {
                    setup
                        .add_to_hand(color, kind, position.hand(color).count(kind))
                        .expect("a hand of a position");
                }
            }
            let built = setup.build(position.side_to_move(), position.move_number());
            assert_eq!(built, position, "{sfen}");
            assert_eq!(
                Setup::from_position(&position).build(position.side_to_move(), position.move_number()),
                position
            );
        };
        check("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
        check("6p+B1/5n3/5Sk1S/5N1L1/4BG3/9/9/9/9 w 2r3g2s2n3l17p 12");
        check("9/9/9/9/9/9/9/9/9 b - 1");
    }

    #[test]
    fn limits_hands_to_the_pieces_of_a_set() {
        let mut setup = Setup::empty();
        assert_eq!(setup.add_to_hand(Color::Black, PieceKind::Pawn, 18), Ok(()));
        assert_eq!(
            setup.add_to_hand(Color::Black, PieceKind::Pawn, 1),
            Err(HandLimitError {
                kind: PieceKind::Pawn,
                count: 1
            })
        );
        assert!(
            setup.add_to_hand(Color::White, PieceKind::King, 1).is_err(),
            "a king in hand"
        );
        assert!(
            setup.add_to_hand(Color::White, PieceKind::Horse, 1).is_err(),
            "a promoted piece in hand"
        );
        assert_eq!(setup.unused_count(PieceKind::Pawn), 0);
        assert_eq!(setup.unused_count(PieceKind::Rook), 2);
        assert!(
            setup.remove_from_hand(Color::Black, PieceKind::Pawn),
            "there are eighteen"
        );
        assert_eq!(setup.unused_count(PieceKind::Pawn), 1);
        assert!(
            !setup.remove_from_hand(Color::White, PieceKind::Pawn),
            "there is none"
        );
        assert!(
            !setup.remove_from_hand(Color::White, PieceKind::King),
            "no hand holds one"
        );
    }
}
