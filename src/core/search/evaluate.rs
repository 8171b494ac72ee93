//! The static evaluation of a position: material, placement and mobility of the pieces, and king safety.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::fitted::slider_number;
use super::king_tables::{KingTables, PieceSums, seen_by};
use super::weights::{ATTACK_UNITS, HAND_ATTACK_UNITS, MAX_ATTACK_UNITS, UNDEFENDED_SQUARE};
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
    let our_attack = tables.danger(danger(position, sums, us, (&ours, &theirs)));
    let their_attack = tables.danger(danger(position, sums, them, (&theirs, &ours)));
    let score = pieces + ours.score - theirs.score + our_attack - their_attack + tables.tempo();
    (score / 4).clamp(-LIMIT, LIMIT)
}

/// Returns the attack units of the side to move and of the other one, 0–[`MAX_ATTACK_UNITS`]. They do not depend on fitted
/// weights.
pub(super) fn attack_units(tables: &KingTables, position: &Position, sums: &PieceSums) -> [usize; 2] {
    let (us, them) = (position.turn(), position.turn().flip());
    let (ours, theirs) = (side_terms(tables, position, us), side_terms(tables, position, them));
    [danger(position, sums, us, (&ours, &theirs)), danger(position, sums, them, (&theirs, &ours))]
}

fn side_terms(tables: &KingTables, position: &Position, us: Color) -> SideTerms {
    let mut side = SideTerms::default();
    let hand = position.hand(us);
    if hand.bits() != 0 {
        for piece in HandPiece::iter() {
            side.score += tables.hand(piece, hand.count(piece));
            // More than two pieces of a kind cannot all join an attack.
            side.in_hand += hand.count(piece).min(2).cast_signed() * HAND_ATTACK_UNITS[piece.to_index()];
        }
    }
    let (own_king, their_king) = (position.king_square(us), position.king_square(us.flip()));
    side.score += tables.king(seen_by(us, own_king));
    side.attacked = step_attacks(position, us);
    let (own_zone, their_zone) = (KING_ATTACKS[own_king], KING_ATTACKS[their_king]);
    let boards = position.bitboards();
    let sliders = boards.pieces(PieceType::LANCE) | boards.bishop_horse() | boards.rook_dragon();
    for square in &(sliders & boards.color_pieces(us)) {
        let kind = position.piece_on(square).piece_type();
        let reach = attacks(kind, square, us, boards.occupied());
        side.attacked |= reach;
        let slider = slider_number(kind);
        let by_own_king = tables.reach_own(slider, seen_by(us, own_king));
        let by_enemy_king = tables.reach_enemy(slider, seen_by(us.flip(), their_king));
        for target in &reach {
            let (ours, theirs) = (seen_by(us, target), seen_by(us.flip(), target));
            side.score += i32::from(by_own_king[ours.to_index()]) + i32::from(by_enemy_king[theirs.to_index()]);
        }
        side.attack += ATTACK_UNITS[kind.to_index()] * (reach & their_zone).count().cast_signed();
        side.defence += ATTACK_UNITS[kind.to_index()] * (reach & own_zone).count().cast_signed();
    }
    side
}

/// Returns the attack units on the opponent's king that the defence does not answer, at most [`MAX_ATTACK_UNITS`]. Pieces in
/// hand increase them, and more so during an attack.
fn danger(position: &Position, sums: &PieceSums, us: Color, (ours, theirs): (&SideTerms, &SideTerms)) -> usize {
    let zone = KING_ATTACKS[position.king_square(us.flip())];
    let undefended = (zone & ours.attacked).and_not(theirs.attacked).count().cast_signed();
    let units = sums.attack[us.to_index()] + ours.attack;
    let defence = sums.defence[us.flip().to_index()] + theirs.defence;
    let attack = units + units * ours.in_hand / 40 + ours.in_hand + UNDEFENDED_SQUARE * undefended;
    usize::try_from((attack - defence / 2).clamp(0, MAX_ATTACK_UNITS)).unwrap_or(0)
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
