//! The material that a move gains or loses on its target square.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types"
)]

use super::weights::{BOARD_VALUE, CAPTURE_GAIN};
use rsshogi::board::Position;
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::types::{Bitboard, Color, Move32, PieceType, Square};

/// Returns the immediate material gain of a move, in centipawns.
pub(super) fn gain(position: &Position, mv: Move32) -> i32 {
    if mv.is_drop() {
        return 0;
    }
    CAPTURE_GAIN[position.piece_on(mv.to_sq()).piece_type().to_index()] + promotion_gain(mv)
}

/// Returns the value that a promotion adds to the piece, in centipawns; 0 without a promotion.
pub(super) fn promotion_gain(mv: Move32) -> i32 {
    if !mv.is_promotion() {
        return 0;
    }
    let after = mv.piece_after_move().piece_type();
    BOARD_VALUE[after.to_index()] - BOARD_VALUE[after.demote().to_index()]
}

/// The piece kinds in the order in which they capture in an exchange, cheapest first.
const CAPTURE_ORDER: [PieceType; 13] = [
    PieceType::PAWN,
    PieceType::LANCE,
    PieceType::KNIGHT,
    PieceType::PRO_PAWN,
    PieceType::PRO_LANCE,
    PieceType::PRO_KNIGHT,
    PieceType::SILVER,
    PieceType::PRO_SILVER,
    PieceType::GOLD,
    PieceType::BISHOP,
    PieceType::ROOK,
    PieceType::HORSE,
    PieceType::DRAGON,
];

/// Returns whether a move gains at least `threshold` centipawns if both sides capture on its square while that pays.
/// Pins, and promotions on recapture, are ignored.
pub(super) fn gains_at_least(position: &Position, mv: Move32, threshold: i32) -> bool {
    // The balance is the surplus of the side that captured last.
    let mut balance = gain(position, mv) - threshold;
    if balance < 0 {
        return false;
    }
    balance = CAPTURE_GAIN[mv.piece_after_move().piece_type().to_index()] - balance;
    if balance <= 0 {
        return true;
    }
    let target = mv.to_sq();
    let boards = position.bitboards();
    let mut occupied = boards.occupied();
    if !mv.is_drop() {
        occupied.clear(mv.from_sq());
    }
    occupied.set(target);
    let mut attackers = position.attackers_to(target, occupied) & occupied;
    let mut side = position.turn();
    let mut holds = true;
    loop {
        side = side.flip();
        attackers &= occupied;
        let ours = attackers & boards.color_pieces(side);
        if ours.is_empty() {
            return holds;
        }
        holds = !holds;
        let cheapest = CAPTURE_ORDER
            .iter()
            .find_map(|&kind| (ours & boards.pieces(kind)).lsb().map(|from| (kind, from)));
        let Some((kind, from)) = cheapest else {
            // Only the king is left, which must not be recaptured. So the exchange ends if the other side still attacks
            // the square.
            return holds ^ attackers.intersects(boards.color_pieces(side.flip()));
        };
        balance = CAPTURE_GAIN[kind.to_index()] - balance;
        if balance < i32::from(holds) {
            return holds;
        }
        occupied.clear(from);
        attackers |= sliders_to(position, target, occupied);
    }
}

/// Returns the sliding pieces of both sides that attack a square, with pieces on the squares `occupied`.
fn sliders_to(position: &Position, target: Square, occupied: Bitboard) -> Bitboard {
    let boards = position.bitboards();
    let lances = boards.pieces(PieceType::LANCE);
    (bishop_attacks(target, occupied) & boards.bishop_horse())
        | (rook_attacks(target, occupied) & boards.rook_dragon())
        | (lance_attacks(target, occupied, Color::WHITE) & lances & boards.color_pieces(Color::BLACK))
        | (lance_attacks(target, occupied, Color::BLACK) & lances & boards.color_pieces(Color::WHITE))
}
