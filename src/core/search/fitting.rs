//! What the tool that fits the weights needs of a position: its static value and its features.

use super::evaluate::evaluate;
use super::features::{beside_enemy, beside_own, in_hand, on_square, seen_by};
use super::king_tables::{KingTables, PieceSums};
use super::think::board;
use crate::shogi::Position;
use rsshogi::board;
use rsshogi::types::{Color, HandPiece, PieceType};

/// Returns the static evaluation of a position in the search's centipawns, as seen by the side to move, or `None` if the
/// position is not searchable.
pub fn static_value(position: &Position) -> Option<i32> {
    position.searchable().ok()?;
    let (tables, board) = (KingTables::get(), board(position));
    Some(evaluate(tables, &board, &PieceSums::new(tables, &board)))
}

/// Returns the features of a position with their signs, 1 for Black's and -1 for White's, or `None` if a king is missing.
pub fn features(position: &Position) -> Option<Vec<(usize, i8)>> {
    position.searchable().ok()?;
    let board = board(position);
    let mut found = Vec::with_capacity(160);
    for us in Color::iter() {
        add_side(&board, us, &mut found);
    }
    Some(found)
}

fn add_side(board: &board::Position, us: Color, found: &mut Vec<(usize, i8)>) {
    let sign = if us == Color::BLACK { 1 } else { -1 };
    let own_king = seen_by(us, board.king_square(us));
    let enemy_king = seen_by(us, board.king_square(us.flip()));
    for square in &board.pieces_by_color(us) {
        let kind = board.piece_on(square).piece_type();
        let square = seen_by(us, square);
        found.push((on_square(kind, square), sign));
        if kind != PieceType::KING {
            found.push((beside_own(kind, square, own_king), sign));
            found.push((beside_enemy(kind, square, enemy_king), sign));
        }
    }
    for piece in HandPiece::iter() {
        let count = usize::try_from(board.hand(us).count(piece)).unwrap_or(0);
        found.extend((1..=count).map(|count| (in_hand(piece, count), sign)));
    }
}
