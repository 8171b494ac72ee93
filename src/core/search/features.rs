//! The features whose weights are fitted to games: pieces on their squares, and pieces by their place beside each king.
//! A weight is in quarters of a centipawn and is added to the values that are set by hand.

use rsshogi::types::{Color, HandPiece, PieceType, Square};

/// The number of squares of half a board: the left half mirrors the right one.
const HALF_BOARD: usize = 45;

/// The number of places beside a king: 9 distances in files and 17 in ranks.
const PLACES: usize = 9 * 17;

/// The largest number of pieces of a kind in hand that has a weight of its own.
const MAX_IN_HAND: usize = 18;

const OWN_KING: usize = PieceType::COUNT * HALF_BOARD;
const ENEMY_KING: usize = OWN_KING + PieceType::COUNT * PLACES;
const HAND: usize = ENEMY_KING + PieceType::COUNT * PLACES;

/// The number of features.
pub const FEATURE_COUNT: usize = HAND + HandPiece::COUNT * MAX_IN_HAND;

/// Returns the feature of a piece on its square, as seen by its owner.
pub(super) const fn on_square(kind: PieceType, square: Square) -> usize {
    let (file, rank) = (square.to_index() / 9, square.to_index() % 9);
    let file = if file < 5 { file } else { 8 - file };
    kind.to_index() * HALF_BOARD + file * 9 + rank
}

/// Returns the feature of a piece by its place beside its own king, as seen by its owner.
pub(super) const fn beside_own(piece: PieceType, square: Square, king: Square) -> usize {
    OWN_KING + piece.to_index() * PLACES + place(square, king)
}

/// Returns the feature of a piece by its place beside the opponent's king, as seen by its owner.
pub(super) const fn beside_enemy(piece: PieceType, square: Square, king: Square) -> usize {
    ENEMY_KING + piece.to_index() * PLACES + place(square, king)
}

/// Returns the feature of having at least `count` pieces of a kind in hand, from 1.
pub(super) fn in_hand(piece: HandPiece, count: usize) -> usize {
    HAND + piece.to_index() * MAX_IN_HAND + count.clamp(1, MAX_IN_HAND) - 1
}

const fn place(square: Square, king: Square) -> usize {
    let files = (square.to_index() / 9).abs_diff(king.to_index() / 9);
    files * 17 + square.to_index() % 9 + 8 - king.to_index() % 9
}

/// Returns the square as Black would see it in the place of `us`.
pub(super) const fn seen_by(us: Color, square: Square) -> Square {
    match us {
        Color::BLACK => square,
        Color::WHITE => square.flip(),
    }
}
