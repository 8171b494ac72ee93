//! The static evaluation of a position: material, placement and mobility of the pieces,
//! and king safety.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::weights::{
    ATTACK_UNIT_VALUE, ATTACK_UNITS, BY_RANK, DISTANCES, HAND_ATTACK_UNITS, IN_HAND, KING_BY_FILE, MAX_ATTACK_UNITS,
    NEAR_ENEMY_KING, NEAR_OWN_KING, ON_BOARD, REACH_NEAR_ENEMY_KING, REACH_NEAR_OWN_KING, TEMPO, UNDEFENDED_SQUARE,
};
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, PieceType, Square};

/// The limit of an evaluation; scores beyond it are mates.
const LIMIT: i32 = 20_000;

/// The evaluation terms of one side.
#[derive(Default)]
struct SideSum {
    /// Material, placement and mobility, in centipawns.
    score: i32,
    /// The attack units on the squares around the opponent's king.
    attack: i32,
    /// The attack units on the squares around the own king, without those of the king.
    defence: i32,
    /// The attack units in hand.
    in_hand: i32,
    /// The squares attacked by a piece other than the king.
    attacked: Bitboard,
}

/// Returns the value of a position in centipawns, as seen by the side to move.
///
/// Both sides must have a king.
pub(super) fn evaluate(position: &Position) -> i32 {
    let us = position.turn();
    let them = us.flip();
    let (ours, theirs) = (side_sum(position, us), side_sum(position, them));
    let threat = danger(&ours, &theirs, position.king_square(them)) - danger(&theirs, &ours, position.king_square(us));
    (ours.score - theirs.score + threat + TEMPO).clamp(-LIMIT, LIMIT)
}

fn side_sum(position: &Position, us: Color) -> SideSum {
    let mut side = SideSum::default();
    let hand = position.hand(us);
    for piece in HandPiece::iter() {
        let count = hand.count(piece).cast_signed();
        side.score += count * IN_HAND[piece.to_index()];
        // More than two pieces of a kind cannot all join an attack.
        side.in_hand += count.min(2) * HAND_ATTACK_UNITS[piece.to_index()];
    }
    let occupied = position.bitboards().occupied();
    let (own_king, their_king) = (position.king_square(us), position.king_square(us.flip()));
    let (own_zone, their_zone) = (KING_ATTACKS[own_king], KING_ATTACKS[their_king]);
    for square in &position.bitboards().color_pieces(us) {
        let piece_type = position.piece_on(square).piece_type();
        let kind = piece_type.to_index();
        side.score += ON_BOARD[kind] + BY_RANK[kind][rank(us, square)];
        if piece_type == PieceType::KING {
            if rank(us, square) >= 7 {
                side.score += KING_BY_FILE[square.to_index() / 9];
            }
            continue;
        }
        let reach = attacks(piece_type, square, us, occupied);
        side.attacked |= reach;
        side.score +=
            NEAR_OWN_KING[kind][distance(square, own_king)] + NEAR_ENEMY_KING[kind][distance(square, their_king)];
        let near = |king: Square, weights: &[i32; DISTANCES]| -> i32 {
            let rings = RING[king.to_index()].iter().zip(weights);
            rings.map(|(ring, weight)| weight * (reach & *ring).count().cast_signed()).sum()
        };
        side.score += (near(their_king, &REACH_NEAR_ENEMY_KING) + near(own_king, &REACH_NEAR_OWN_KING)) / 4;
        side.attack += ATTACK_UNITS[kind] * (reach & their_zone).count().cast_signed();
        side.defence += ATTACK_UNITS[kind] * (reach & own_zone).count().cast_signed();
    }
    side
}

/// Returns the value of an attack on the king, from the attack units that the defence does not answer. Pieces in hand
/// increase it, and more so during an attack.
fn danger(attacker: &SideSum, defender: &SideSum, king: Square) -> i32 {
    let undefended = (KING_ATTACKS[king] & attacker.attacked).and_not(defender.attacked).count().cast_signed();
    let attack =
        attacker.attack + attacker.attack * attacker.in_hand / 40 + attacker.in_hand + UNDEFENDED_SQUARE * undefended;
    ATTACK_UNIT_VALUE * (attack - defender.defence / 2).clamp(0, MAX_ATTACK_UNITS)
}

/// The squares at each distance from a square.
const RING: [[Bitboard; DISTANCES]; 81] = {
    let mut rings = [[Bitboard::EMPTY; DISTANCES]; 81];
    let mut from = 0;
    while from < 81 {
        let mut bits = [0_u128; DISTANCES];
        let mut to = 0;
        while to < 81 {
            let files = (from / 9_usize).abs_diff(to / 9);
            let ranks = (from % 9_usize).abs_diff(to % 9);
            let king_moves = if files > ranks { files } else { ranks };
            bits[if king_moves < DISTANCES { king_moves } else { DISTANCES - 1 }] |= 1 << to;
            to += 1;
        }
        let mut ring = 0;
        while ring < DISTANCES {
            rings[from][ring] = Bitboard::from_packed_bits(bits[ring]);
            ring += 1;
        }
        from += 1;
    }
    rings
};

/// Returns the rank as `us` counts, 0 at the far edge.
const fn rank(us: Color, square: Square) -> usize {
    let rank = square.to_index() % 9;
    match us {
        Color::Black => rank,
        Color::White => 8 - rank,
    }
}

/// Returns the distance in king moves, at most 3.
const fn distance(a: Square, b: Square) -> usize {
    let files = (a.to_index() / 9).abs_diff(b.to_index() / 9);
    let ranks = (a.to_index() % 9).abs_diff(b.to_index() % 9);
    let king_moves = if files > ranks { files } else { ranks };
    if king_moves < 3 { king_moves } else { 3 }
}

/// Returns the squares that a piece attacks.
pub(super) fn attacks(kind: PieceType, square: Square, us: Color, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[square][us.to_index()],
        PieceType::LANCE => lance_attacks(square, occupied, us),
        PieceType::KNIGHT => KNIGHT_ATTACKS[square][us.to_index()],
        PieceType::SILVER => SILVER_ATTACKS[square][us.to_index()],
        PieceType::BISHOP => bishop_attacks(square, occupied),
        PieceType::ROOK => rook_attacks(square, occupied),
        PieceType::HORSE => bishop_attacks(square, occupied) | KING_ATTACKS[square],
        PieceType::DRAGON => rook_attacks(square, occupied) | KING_ATTACKS[square],
        PieceType::KING => KING_ATTACKS[square],
        _ => GOLD_ATTACKS[square][us.to_index()],
    }
}
