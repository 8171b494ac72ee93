//! Numbers of the kinds of pieces, and squares as a side sees them.

use rsshogi::types::{Color, PieceType, Square};

/// The number of kinds of pieces except the king.
pub(super) const KIND_COUNT: usize = 13;

pub(super) const SLIDER_COUNT: usize = 5;

/// Returns the number of a kind of sliding piece, below [`SLIDER_COUNT`]; 0 for other pieces.
pub(super) const fn slider_number(kind: PieceType) -> usize {
    match kind {
        PieceType::BISHOP => 1,
        PieceType::ROOK => 2,
        PieceType::HORSE => 3,
        PieceType::DRAGON => 4,
        _ => 0,
    }
}

pub(super) const SLIDER_KINDS: [PieceType; SLIDER_COUNT] = [
    PieceType::LANCE,
    PieceType::BISHOP,
    PieceType::ROOK,
    PieceType::HORSE,
    PieceType::DRAGON,
];

/// Returns the number of a kind other than the king, below [`KIND_COUNT`]. The rules crate's numbers have the king
/// between the other kinds.
pub(super) fn kind_number(kind: PieceType) -> usize {
    let index = kind.to_index();
    if index > PieceType::KING.to_index() {
        index - 2
    } else {
        index - 1
    }
}

/// Returns the square as seen by `us`: rotated by a half turn for White.
pub(super) const fn seen_by(us: Color, square: Square) -> Square {
    match us {
        Color::BLACK => square,
        Color::WHITE => square.flip(),
    }
}
