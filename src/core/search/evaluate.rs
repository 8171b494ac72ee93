//! The static evaluation of a position: material, placement and mobility of the pieces, and king safety.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::king_tables::{KingTables, PieceSums, distance, seen_by};
use super::weights::{
    ATTACK_UNIT_VALUE, ATTACK_UNITS, DISTANCES, HAND_ATTACK_UNITS, IN_HAND, MAX_ATTACK_UNITS, REACH_NEAR_ENEMY_KING,
    REACH_NEAR_OWN_KING, TEMPO, UNDEFENDED_SQUARE,
};
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, PieceType, Square};

/// The limit of an evaluation; scores beyond it are mates.
const LIMIT: i32 = 20_000;

/// The evaluation terms of one side that are computed for each position.
#[derive(Default)]
struct SideTerms {
    /// Pieces in hand, the king's place and the mobility of sliding pieces, in quarters of a centipawn.
    score: i32,
    /// The attack units of sliding pieces around the opponent's king.
    attack: i32,
    /// The attack units of sliding pieces around the own king.
    defence: i32,
    /// The attack units in hand.
    in_hand: i32,
    /// The squares attacked by a piece other than the king.
    attacked: Bitboard,
}

/// Returns the value of a position in centipawns, as seen by the side to move. `sums` are those of the position.
///
/// Both sides must have a king.
pub(super) fn evaluate(tables: &KingTables, position: &Position, sums: &PieceSums) -> i32 {
    let us = position.turn();
    let them = us.flip();
    let (ours, theirs) = (side_terms(tables, position, us), side_terms(tables, position, them));
    let pieces = if us == Color::BLACK { sums.score } else { -sums.score };
    let score = (pieces + ours.score - theirs.score) / 4;
    let threat = danger(position, sums, us, (&ours, &theirs)) - danger(position, sums, them, (&theirs, &ours));
    (score + threat + TEMPO).clamp(-LIMIT, LIMIT)
}

fn side_terms(tables: &KingTables, position: &Position, us: Color) -> SideTerms {
    let mut side = SideTerms::default();
    let hand = position.hand(us);
    if hand.bits() != 0 {
        for piece in HandPiece::iter() {
            side.score += 4 * hand.count(piece).cast_signed() * IN_HAND[piece.to_index()];
            // More than two pieces of a kind cannot all join an attack.
            side.in_hand += hand.count(piece).min(2).cast_signed() * HAND_ATTACK_UNITS[piece.to_index()];
        }
    }
    let (own_king, their_king) = (position.king_square(us), position.king_square(us.flip()));
    side.score += tables.king(seen_by(us, own_king));
    side.attacked = step_attacks(position, us);
    let (own_zone, their_zone) = (KING_ATTACKS[own_king], KING_ATTACKS[their_king]);
    let (near_own, near_enemy) = (&NEAR_OWN[own_king.to_index()], &NEAR_ENEMY[their_king.to_index()]);
    let boards = position.bitboards();
    let sliders = boards.pieces(PieceType::LANCE) | boards.bishop_horse() | boards.rook_dragon();
    for square in &(sliders & boards.color_pieces(us)) {
        let kind = position.piece_on(square).piece_type();
        let reach = attacks(kind, square, us, boards.occupied());
        side.attacked |= reach;
        for target in &reach {
            side.score += i32::from(near_own[target.to_index()] + near_enemy[target.to_index()]);
        }
        side.attack += ATTACK_UNITS[kind.to_index()] * (reach & their_zone).count().cast_signed();
        side.defence += ATTACK_UNITS[kind.to_index()] * (reach & own_zone).count().cast_signed();
    }
    side
}

/// Returns the value of an attack on the opponent's king, from the attack units that the defence does not answer. Pieces
/// in hand increase it, and more so during an attack.
fn danger(position: &Position, sums: &PieceSums, us: Color, (ours, theirs): (&SideTerms, &SideTerms)) -> i32 {
    let zone = KING_ATTACKS[position.king_square(us.flip())];
    let undefended = (zone & ours.attacked).and_not(theirs.attacked).count().cast_signed();
    let units = sums.attack[us.to_index()] + ours.attack;
    let defence = sums.defence[us.flip().to_index()] + theirs.defence;
    let attack = units + units * ours.in_hand / 40 + ours.in_hand + UNDEFENDED_SQUARE * undefended;
    ATTACK_UNIT_VALUE * (attack - defence / 2).clamp(0, MAX_ATTACK_UNITS)
}

/// A value of each square.
type BySquare = [i16; 81];

/// The value of a square that a sliding piece attacks, by the square of its own king.
static NEAR_OWN: [BySquare; 81] = by_distance(&REACH_NEAR_OWN_KING);

/// The same by the square of the opponent's king.
static NEAR_ENEMY: [BySquare; 81] = by_distance(&REACH_NEAR_ENEMY_KING);

#[expect(clippy::cast_possible_truncation, reason = "the weights are below 100")]
const fn by_distance(weights: &[i32; DISTANCES]) -> [BySquare; 81] {
    let mut values = [[0; 81]; 81];
    let mut king = 0;
    while king < 81 {
        let mut square = 0;
        while square < 81 {
            let distance = distance(Square::from_index(king), Square::from_index(square));
            values[king][square] = weights[if distance < DISTANCES { distance } else { DISTANCES - 1 }] as i16;
            square += 1;
        }
        king += 1;
    }
    values
}

/// The squares of the board.
const BOARD: u128 = (1 << 81) - 1;

/// The squares of the first rank, and those of the last one.
const FIRST_RANK: u128 = BOARD / 0x1FF;
const LAST_RANK: u128 = FIRST_RANK << 8;

/// Returns the squares that the pieces of one side other than king and sliding pieces attack.
pub(super) fn step_attacks(position: &Position, us: Color) -> Bitboard {
    let boards = position.bitboards();
    let of = |kind| boards.pieces_for(kind, us).packed_bits();
    // A square is file * 9 + rank, so a step along the file is a shift by 1, and one to the next file a shift by 9.
    let golds = (boards.golds() & boards.color_pieces(us)).packed_bits();
    let silvers = of(PieceType::SILVER);
    let knights = of(PieceType::KNIGHT);
    let (ahead, behind, jump) = if us == Color::BLACK {
        (up(golds | silvers), down(silvers), up(up(knights)))
    } else {
        (down(golds | silvers), up(silvers), down(down(knights)))
    };
    let (pawns, gold_behind) = if us == Color::BLACK {
        (up(of(PieceType::PAWN)), down(golds))
    } else {
        (down(of(PieceType::PAWN)), up(golds))
    };
    let beside = ahead | behind | jump | golds;
    Bitboard::from_packed_bits(pawns | ahead | gold_behind | (beside << 9) | (beside >> 9))
}

const fn up(squares: u128) -> u128 {
    (squares & !FIRST_RANK) >> 1
}

const fn down(squares: u128) -> u128 {
    (squares & !LAST_RANK) << 1
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
