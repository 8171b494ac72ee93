//! The static evaluation of a position: material, placement and mobility of the pieces, king safety and threats.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::kinds::{seen_by, slider_number};
use super::king_tables::{KingTables, PieceSums};
use super::net::NetBase;
use super::reach::Reach;
use super::threats::{SideThreats, race_feature};
use super::weights::{ATTACK_UNITS, HAND_ATTACK_UNITS, MAX_ATTACK_UNITS, UNDEFENDED_SQUARE_UNITS};
use rsshogi::board::attack_tables::{bishop_attacks, lance_attacks, rook_attacks};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, PieceType, Square};

/// The maximum absolute evaluation, in centipawns; larger scores are mates.
pub(super) const MAX_EVALUATION: i32 = 20_000;

/// The evaluation terms of one side that are computed for each position.
#[derive(Default)]
struct SideTerms {
    /// Pieces in hand, the king's square and the mobility of sliding pieces, in quarters of a centipawn.
    score: i32,
    /// The attack units of sliding pieces around the opponent's king.
    attack_units: i32,
    /// The attack units of sliding pieces around the side's king.
    defence: i32,
    hand_attack_units: i32,
    /// The squares that the pieces attack.
    reach: Reach,
}

/// The features of one side. Only the attack units also have a weight that was set by hand.
pub(super) struct SideFeatures {
    /// The attack units on the opponent's king, 0–[`MAX_ATTACK_UNITS`].
    pub(super) attack_units: usize,
    pub(super) pinned_pieces: Bitboard,
    /// The class of the king's escapes, as in [`escape_feature`](super::fitted::escape_feature).
    pub(super) escapes: usize,
    /// The class of the side's invasions, as in [`invasion_feature`](super::fitted::invasion_feature).
    pub(super) invasions: usize,
}

/// The evaluation terms of both sides of a position, the side to move first.
pub(super) struct BothSides<'a> {
    tables: &'a KingTables,
    position: &'a Position,
    sums: &'a PieceSums,
    terms: [SideTerms; 2],
}

/// Returns the value of a position in centipawns, as seen by the side to move. `sums` are those of the position.
///
/// Both sides must have a king.
pub(super) fn evaluate(tables: &KingTables, position: &Position, sums: &PieceSums) -> i32 {
    let sides = BothSides::new(tables, position, sums);
    let pieces = if position.turn() == Color::BLACK {
        sums.score
    } else {
        -sums.score
    };
    let terms = sides.terms[0].score - sides.terms[1].score;
    let found = sides.feature_value(0) - sides.feature_value(1);
    let (mut ours, mut theirs) = (0, 0);
    let race = sides.visit_threats(&mut |threat, side| match side {
        0 => ours += tables.threat(threat),
        _ => theirs += tables.threat(threat),
    });
    let threats = ours - theirs + tables.threat(race);
    ((pieces + terms + found + threats + tables.tempo()) / 4).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

/// Returns the value that a net's value is added to, in centipawns as seen by the side to move.
pub(super) fn evaluate_base(
    tables: &KingTables,
    position: &Position,
    sums: &PieceSums,
    base: NetBase,
) -> i32 {
    match base {
        NetBase::Evaluation => evaluate(tables, position, sums),
        NetBase::Pieces => evaluate_pieces(tables, position, sums),
        NetBase::Nothing => 0,
    }
}

/// Returns the value of the pieces beside both kings, the hands, the kings' squares and the bonus of the side to move.
/// The value is in centipawns, as seen by the side to move.
fn evaluate_pieces(tables: &KingTables, position: &Position, sums: &PieceSums) -> i32 {
    let own = |us: Color| {
        let hand = position.hand(us);
        let in_hand = HandPiece::iter().map(|piece| tables.hand(piece, hand.count(piece)));
        tables.king(seen_by(us, position.king_square(us))) + if hand.bits() == 0 { 0 } else { in_hand.sum() }
    };
    let value = sums.score + own(Color::BLACK) - own(Color::WHITE);
    let value = if position.turn() == Color::BLACK {
        value
    } else {
        -value
    };
    ((value + tables.tempo()) / 4).clamp(-MAX_EVALUATION, MAX_EVALUATION)
}

impl<'a> BothSides<'a> {
    /// Computes the terms of both sides. `sums` are those of the position.
    pub(super) fn new(tables: &'a KingTables, position: &'a Position, sums: &'a PieceSums) -> Self {
        let (us, them) = (position.turn(), position.turn().flip());
        let (ours, theirs) = (
            Reach::from_stepping_pieces(position, us),
            Reach::from_stepping_pieces(position, them),
        );
        let steps = [ours.step_attacks, theirs.step_attacks];
        let terms = [
            side_terms(tables, position, us, ours, steps[1]),
            side_terms(tables, position, them, theirs, steps[0]),
        ];
        Self {
            tables,
            position,
            sums,
            terms,
        }
    }

    /// Returns the colour of side 0, which is to move, or of side 1, its opponent.
    fn color(&self, side: usize) -> Color {
        if side == 0 {
            self.position.turn()
        } else {
            self.position.turn().flip()
        }
    }

    /// Calls `visit` with the number of each threat and the side that it counts for, 0 or 1. Returns the number of one
    /// more threat that counts for the side to move: [`race_feature`].
    pub(super) fn visit_threats(&self, visit: &mut impl FnMut(usize, usize)) -> usize {
        let [for_them, for_us] = [0, 1].map(|side| {
            let (own, enemy) = (&self.terms[side].reach, &self.terms[1 - side].reach);
            let threats = SideThreats::new(self.position, self.color(side), own, enemy);
            threats.visit(&mut |feature| visit(feature, side))
        });
        race_feature(for_us, for_them)
    }

    fn feature_value(&self, side: usize) -> i32 {
        let found = self.features(side);
        let mut score = self.tables.danger(found.attack_units);
        score += self.tables.escapes(found.escapes) + self.tables.invasions(found.invasions);
        for square in &found.pinned_pieces {
            score += self
                .tables
                .pinned(self.position.piece_on(square).piece_type(), side == 0);
        }
        score
    }

    pub(super) fn features(&self, side: usize) -> SideFeatures {
        let us = self.color(side);
        let (ours, theirs) = (&self.terms[side], &self.terms[1 - side]);
        let king = self.position.king_square(us);
        let own = self.position.bitboards().color_pieces(us);
        let free = KING_ATTACKS[king]
            .and_not(own | theirs.reach.attacked_once)
            .count() as usize;
        let strength = match theirs.hand_attack_units {
            0 => 0,
            1..=5 => 1,
            _ => 2,
        };
        let enemy_king = KING_ATTACKS[self.position.king_square(us.flip())];
        let camp = Bitboard::promotion_zone(us).and_not(own | theirs.reach.attacked_once | enemy_king);
        let open = (ours.reach.major_attacks & camp).count().min(4) as usize;
        SideFeatures {
            attack_units: danger(self.position, self.sums, us, (ours, theirs)),
            pinned_pieces: self.position.pinned_pieces(us),
            escapes: 9 * strength + free,
            invasions: 5 * usize::from(side == 0) + open,
        }
    }
}

/// Returns the terms of a side. `reach` has only the squares that the side's stepping pieces attack.
fn side_terms(
    tables: &KingTables,
    position: &Position,
    us: Color,
    reach: Reach,
    enemy_steps: Bitboard,
) -> SideTerms {
    let mut side = SideTerms {
        reach,
        ..SideTerms::default()
    };
    let hand = position.hand(us);
    if hand.bits() != 0 {
        for piece in HandPiece::iter() {
            side.score += tables.hand(piece, hand.count(piece));
            // More than two pieces of a kind cannot all join an attack, so only two count.
            side.hand_attack_units +=
                hand.count(piece).min(2).cast_signed() * HAND_ATTACK_UNITS[piece.to_index()];
        }
    }
    let (own_king, their_king) = (position.king_square(us), position.king_square(us.flip()));
    side.score += tables.king(seen_by(us, own_king));
    let (own_zone, their_zone) = (KING_ATTACKS[own_king], KING_ATTACKS[their_king]);
    let boards = position.bitboards();
    let blocked = boards.color_pieces(us) | enemy_steps;
    let sliders = boards.pieces(PieceType::LANCE) | boards.bishop_horse() | boards.rook_dragon();
    for square in &(sliders & boards.color_pieces(us)) {
        let kind = position.piece_on(square).piece_type();
        let reach = attacks(kind, square, us, boards.occupied());
        side.reach.add_slider(kind, reach, blocked);
        let slider = slider_number(kind);
        let by_own_king = tables.reach_own(slider, seen_by(us, own_king));
        let by_enemy_king = tables.reach_enemy(slider, seen_by(us.flip(), their_king));
        for target in &reach {
            let (ours, theirs) = (seen_by(us, target), seen_by(us.flip(), target));
            side.score +=
                i32::from(by_own_king[ours.to_index()]) + i32::from(by_enemy_king[theirs.to_index()]);
        }
        side.attack_units += ATTACK_UNITS[kind.to_index()] * (reach & their_zone).count().cast_signed();
        side.defence += ATTACK_UNITS[kind.to_index()] * (reach & own_zone).count().cast_signed();
    }
    side
}

/// Returns the attack units on the opponent's king that the defence does not answer, at most [`MAX_ATTACK_UNITS`].
/// Pieces in hand add units, and more so during an attack.
fn danger(
    position: &Position,
    sums: &PieceSums,
    us: Color,
    (ours, theirs): (&SideTerms, &SideTerms),
) -> usize {
    let zone = KING_ATTACKS[position.king_square(us.flip())];
    let undefended = (zone & ours.reach.attacked_once)
        .and_not(theirs.reach.attacked_once)
        .count()
        .cast_signed();
    let units = sums.attack_units[us.to_index()] + ours.attack_units;
    let defence = sums.defence[us.flip().to_index()] + theirs.defence;
    let in_hand = ours.hand_attack_units;
    let attack = units + units * in_hand / 40 + in_hand + UNDEFENDED_SQUARE_UNITS * undefended;
    usize::try_from((attack - defence / 2).clamp(0, MAX_ATTACK_UNITS)).unwrap_or(0)
}

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
