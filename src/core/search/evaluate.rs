//! The static evaluation of a position: material, placement and mobility of the pieces, and king safety.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::fitted::{THREATS, slider_number};
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
    /// Those attacked by a piece that is neither king nor sliding.
    steps: Bitboard,
    /// Those attacked by a bishop or rook that is not promoted.
    large_reach: Bitboard,
}

/// What the evaluation finds out for one side. Its features have fitted weights only, except for the attack units.
pub(super) struct SideFindings {
    /// The attack units on the opponent's king, 0–[`MAX_ATTACK_UNITS`].
    pub(super) attack_units: usize,
    /// The threatened pieces, by the threat.
    pub(super) threatened: [Bitboard; THREATS],
    /// The number of [`escapes`](super::fitted::escapes).
    pub(super) escapes: usize,
    /// The number of [`invasions`](super::fitted::invasions).
    pub(super) invasions: usize,
}

/// Returns the value of a position in centipawns, as seen by the side to move. `sums` are those of the position.
///
/// Both sides must have a king.
pub(super) fn evaluate(tables: &KingTables, position: &Position, sums: &PieceSums) -> i32 {
    let us = position.turn();
    let them = us.flip();
    let (ours, theirs) = (side_terms(tables, position, us), side_terms(tables, position, them));
    let pieces = if us == Color::BLACK { sums.score } else { -sums.score };
    let our_findings = findings(position, sums, us, (&ours, &theirs));
    let their_findings = findings(position, sums, them, (&theirs, &ours));
    let found =
        found_value(tables, position, &our_findings, true) - found_value(tables, position, &their_findings, false);
    ((pieces + ours.score - theirs.score + found + tables.tempo()) / 4).clamp(-LIMIT, LIMIT)
}

/// Returns the value of the findings for one side, in quarters of a centipawn.
fn found_value(tables: &KingTables, position: &Position, found: &SideFindings, may_move: bool) -> i32 {
    let mut score = tables.danger(found.attack_units);
    score += tables.escapes(found.escapes) + tables.invasions(found.invasions);
    for (threat, squares) in found.threatened.iter().enumerate() {
        for square in squares {
            score += tables.threatened(position.piece_on(square).piece_type(), threat, may_move);
        }
    }
    score
}

/// Returns the findings for the side to move and for the other one.
pub(super) fn both_findings(tables: &KingTables, position: &Position, sums: &PieceSums) -> [SideFindings; 2] {
    let (us, them) = (position.turn(), position.turn().flip());
    let (ours, theirs) = (side_terms(tables, position, us), side_terms(tables, position, them));
    [findings(position, sums, us, (&ours, &theirs)), findings(position, sums, them, (&theirs, &ours))]
}

/// Returns the findings for `us`, with the terms of both sides.
fn findings(
    position: &Position,
    sums: &PieceSums,
    us: Color,
    (ours, theirs): (&SideTerms, &SideTerms),
) -> SideFindings {
    let boards = position.bitboards();
    let king = position.king_square(us);
    let own = boards.color_pieces(us);
    let pawns = boards.pieces_for(PieceType::PAWN, us.flip()).packed_bits();
    let by_pawn = Bitboard::from_packed_bits(if us == Color::BLACK { down(pawns) } else { up(pawns) });
    let defended = ours.attacked | KING_ATTACKS[king];
    let attacked = (own & theirs.attacked).and_not(Bitboard::from_square(king));
    let others = attacked.and_not(by_pawn);
    let large = boards.bishop_horse() | boards.rook_dragon();
    let threatened = [
        (attacked & by_pawn).and_not(boards.pieces(PieceType::PAWN)),
        others.and_not(defended),
        others & defended,
        others & defended & large & theirs.steps,
        position.pinned_pieces(us),
    ];
    let free = KING_ATTACKS[king].and_not(own | theirs.attacked).count() as usize;
    let strength = match theirs.in_hand {
        0 => 0,
        1..=5 => 1,
        _ => 2,
    };
    let enemy_king = KING_ATTACKS[position.king_square(us.flip())];
    let camp = Bitboard::promotion_zone(us).and_not(own | theirs.attacked | enemy_king);
    let open = (ours.large_reach & camp).count().min(4) as usize;
    SideFindings {
        attack_units: danger(position, sums, us, (ours, theirs)),
        threatened,
        escapes: 9 * strength + free,
        invasions: 5 * usize::from(position.turn() == us) + open,
    }
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
    side.steps = step_attacks(position, us);
    side.attacked = side.steps;
    let (own_zone, their_zone) = (KING_ATTACKS[own_king], KING_ATTACKS[their_king]);
    let boards = position.bitboards();
    let sliders = boards.pieces(PieceType::LANCE) | boards.bishop_horse() | boards.rook_dragon();
    for square in &(sliders & boards.color_pieces(us)) {
        let kind = position.piece_on(square).piece_type();
        let reach = attacks(kind, square, us, boards.occupied());
        side.attacked |= reach;
        if matches!(kind, PieceType::BISHOP | PieceType::ROOK) {
            side.large_reach |= reach;
        }
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
