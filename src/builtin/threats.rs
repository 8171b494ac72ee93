//! Features of attacks: threatened pieces and their value to the opponent, the squares around a king, drops, checks,
//! and the reach of sliding pieces. These features have fitted weights only.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::kinds::{KIND_COUNT, SLIDER_COUNT, kind_number, seen_by};
use super::reach::{Reach, TWO_STEP_SQUARES, ahead};
use super::weights::CAPTURE_GAIN;
use rsshogi::board::attack_tables::{bishop_attacks, rook_attacks};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, PieceType, Square};

/// The number of ways in which a piece is attacked; see `attack_on`.
const ATTACK_COUNT: usize = 6;

/// The number of classes of defence: not defended, once, more often.
const DEFENCE_COUNT: usize = 3;

/// The number of squares at most two steps away from a king, counting mirror images once: three files of five ranks.
const NEAR_SQUARE_COUNT: usize = 15;

/// The number of classes of a gain's size; see [`gain_size`].
const GAIN_SIZE_COUNT: usize = 9;

/// The number of classes for the safe squares that a sliding piece attacks.
const REACH_CLASS_COUNT: usize = 17;

/// The number of classes for counts of squares to drop pieces on, in steps of two.
const HOLE_CLASS_COUNT: usize = 9;

/// The first feature of attacked pieces.
const ATTACKED_START: usize = 0;
/// The first feature of the two largest gains of the opponent.
const GAINS_START: usize = ATTACKED_START + KIND_COUNT * 2 * ATTACK_COUNT * DEFENCE_COUNT;
/// The first feature of the largest gains of both sides.
const RACE_START: usize = GAINS_START + GAIN_SIZE_COUNT * GAIN_SIZE_COUNT * 2;
/// The first feature of pieces that a pawn can attack.
const PAWNS_START: usize = RACE_START + GAIN_SIZE_COUNT * GAIN_SIZE_COUNT;
/// The first feature of attacked squares near the king.
const ZONE_START: usize = PAWNS_START + KIND_COUNT * 2 * 2 * 2;
/// The first feature of drops that give check.
const DROPS_START: usize = ZONE_START + 2 * 2 * DEFENCE_COUNT * 3 * NEAR_SQUARE_COUNT;
/// The first feature of moves on the board that give check.
const CHECKS_START: usize = DROPS_START + HandPiece::COUNT * 2 * 4 * 2;
/// The first feature of undefended squares in the camp, where the opponent may drop a piece.
const HOLES_START: usize = CHECKS_START + 5 * 2 * 2;
/// The first feature of the squares that a sliding piece can safely move to.
const REACH_START: usize = HOLES_START + HOLE_CLASS_COUNT * 4 * 2;
/// The first feature of undefended squares near the king, where the opponent may drop a piece.
const NEAR_HOLES_START: usize = REACH_START + SLIDER_COUNT * REACH_CLASS_COUNT;
/// The number of features of this module.
pub(super) const FEATURE_COUNT: usize = NEAR_HOLES_START + HandPiece::COUNT * HOLE_CLASS_COUNT * 2;

/// The threats against one side. The features count for that side, so that most of their weights are negative.
#[derive(Clone, Copy)]
pub(super) struct SideThreats<'a> {
    position: &'a Position,
    us: Color,
    king_square: Square,
    own_pieces: Bitboard,
    enemy_pieces: Bitboard,
    empty_squares: Bitboard,
    reach: &'a Reach,
    enemy_reach: &'a Reach,
    /// The squares that the side attacks, its king included.
    defended_squares: Bitboard,
    may_move: bool,
}

/// The possible gains of the opponent from the threats against a side, as the sizes of the two largest.
#[derive(Clone, Copy, Default)]
pub(super) struct Gains {
    largest: usize,
    second_largest: usize,
}

impl Gains {
    /// Adds a gain of a size, as [`gain_size`] returns it.
    fn add(&mut self, size: usize) {
        if size > self.largest {
            *self = Self {
                largest: size,
                second_largest: self.largest,
            };
        } else if size > self.second_largest {
            self.second_largest = size;
        }
    }
}

impl<'a> SideThreats<'a> {
    /// Creates the threats against `us`. `reach` is that of `us`, with the sliding pieces.
    pub(super) fn new(position: &'a Position, us: Color, reach: &'a Reach, enemy_reach: &'a Reach) -> Self {
        let boards = position.bitboards();
        let king_square = position.king_square(us);
        Self {
            position,
            us,
            king_square,
            own_pieces: boards.color_pieces(us),
            enemy_pieces: boards.color_pieces(us.flip()),
            empty_squares: position.empties(),
            reach,
            enemy_reach,
            defended_squares: reach.attacked_once | KING_ATTACKS[king_square],
            may_move: position.turn() == us,
        }
    }

    /// Calls `visit` for each feature that counts for the side, except [`race_feature`]. Returns the opponent's gains.
    pub(super) fn visit(&self, visit: &mut impl FnMut(usize)) -> Gains {
        let gains = self.visit_attacked(visit);
        self.visit_pawns(visit);
        self.visit_zone(visit);
        self.visit_drops(visit);
        self.visit_checks(visit);
        self.visit_reach(visit);
        gains
    }

    /// Visits the pieces that are attacked. Returns the two largest gains by capturing them.
    fn visit_attacked(&self, visit: &mut impl FnMut(usize)) -> Gains {
        let may_move = usize::from(self.may_move);
        let by_king = KING_ATTACKS[self.position.king_square(self.us.flip())].and_not(self.defended_squares);
        let pieces = self.own_pieces.and_not(Bitboard::from_square(self.king_square));
        let mut gains = Gains::default();
        for square in &(pieces & (self.enemy_reach.attacked_once | by_king)) {
            let piece = self.position.piece_on(square).piece_type();
            let defence = if self.reach.attacked_twice.test(square) {
                2
            } else {
                usize::from(self.defended_squares.test(square))
            };
            let (attack, cost) = self.attack_on(square);
            let kind = kind_number(piece);
            visit(ATTACKED_START + ((kind * 2 + may_move) * ATTACK_COUNT + attack) * DEFENCE_COUNT + defence);
            let worth = CAPTURE_GAIN[piece.to_index()];
            gains.add(gain_size(match defence {
                0 => worth,
                1 if attack == 3 || attack == 4 => worth - 100,
                _ => worth - cost,
            }));
        }
        visit(GAINS_START + (gains.largest * GAIN_SIZE_COUNT + gains.second_largest) * 2 + may_move);
        gains
    }

    /// Returns the class of an attack on a square, and about the value of the attacker if it is captured. The classes
    /// are: only a pawn (0), only another piece that does not slide (1), only a sliding piece (2). Further: several
    /// (3), several that all slide (4), only the king (5).
    fn attack_on(&self, square: Square) -> (usize, i32) {
        let by = self.enemy_reach;
        if by.pawn_attacks.test(square) {
            return (0, CAPTURE_GAIN[PieceType::PAWN.to_index()]);
        }
        if !by.attacked_once.test(square) {
            return (5, 0);
        }
        let with_step = by.step_attacks.test(square);
        let attack = match (by.attacked_twice.test(square), with_step) {
            (false, true) => 1,
            (false, false) => 2,
            (true, true) => 3,
            (true, false) => 4,
        };
        let attacker = if by.lance_attacks.test(square) || by.knight_attacks.test(square) {
            PieceType::KNIGHT
        } else if by.silver_attacks.test(square) {
            PieceType::SILVER
        } else if with_step {
            PieceType::GOLD
        } else {
            PieceType::BISHOP
        };
        (attack, CAPTURE_GAIN[attacker.to_index()])
    }

    /// Visits the pieces that a pawn can attack by a move or a drop.
    fn visit_pawns(&self, visit: &mut impl FnMut(usize)) {
        let boards = self.position.bitboards();
        let can_drop = self.position.hand(self.us.flip()).count(HandPiece::PAWN) > 0;
        let pawns = boards.pieces(PieceType::PAWN);
        let pieces = self
            .own_pieces
            .and_not(pawns | Bitboard::from_square(self.king_square));
        let targets = Bitboard::from_packed_bits(ahead(self.us, pieces.packed_bits())) & self.empty_squares;
        let files = files_with(boards.pieces_for(PieceType::PAWN, self.us.flip()));
        for target in &targets {
            let is_move = self.enemy_reach.pawn_attacks.test(target);
            if !is_move && (!can_drop || files >> (target.to_index() / 9) & 1 != 0) {
                continue;
            }
            let piece = Bitboard::from_packed_bits(ahead(self.us.flip(), 1 << target.to_index()));
            let Some(square) = piece.lsb() else { continue };
            let kind = kind_number(self.position.piece_on(square).piece_type());
            let which = (usize::from(self.may_move) * 2 + usize::from(is_move)) * 2;
            visit(PAWNS_START + kind * 8 + which + usize::from(self.reach.attacked_once.test(target)));
        }
    }

    /// Visits the squares at most two steps away from the king that the opponent attacks.
    fn visit_zone(&self, visit: &mut impl FnMut(usize)) {
        let may_move = usize::from(self.may_move);
        let king = seen_by(self.us, self.king_square).to_index();
        for square in &(TWO_STEP_SQUARES[self.king_square.to_index()] & self.enemy_reach.attacked_once) {
            let attack = 2 * may_move + usize::from(self.enemy_reach.attacked_twice.test(square));
            let defence = usize::from(self.reach.attacked_once.test(square))
                + usize::from(self.reach.attacked_twice.test(square));
            let occupant =
                usize::from(self.own_pieces.test(square)) + 2 * usize::from(self.enemy_pieces.test(square));
            let square = seen_by(self.us, square).to_index();
            let offset = (square / 9).abs_diff(king / 9) * 5 + square % 9 + 2 - king % 9;
            visit(
                ZONE_START + ((attack * DEFENCE_COUNT + defence) * 3 + occupant) * NEAR_SQUARE_COUNT + offset,
            );
        }
    }

    /// Visits the opponent's drops near the king that give check and cannot be captured, by the king's free squares.
    /// Also visits the undefended squares near the king and in the camp, if the opponent has pieces to drop.
    fn visit_drops(&self, visit: &mut impl FnMut(usize)) {
        let hand = self.position.hand(self.us.flip());
        if hand.bits() == 0 {
            return;
        }
        let may_move = usize::from(self.may_move);
        let us = self.us.to_index();
        let beside = KING_ATTACKS[self.king_square];
        let free = beside
            .and_not(self.own_pieces | self.enemy_reach.attacked_once)
            .count()
            .min(3) as usize;
        let safe = (self.enemy_reach.attacked_once & self.empty_squares).and_not(self.reach.attacked_once);
        let (gold, silver) = (
            GOLD_ATTACKS[self.king_square][us],
            SILVER_ATTACKS[self.king_square][us],
        );
        let near = hole_class(
            (TWO_STEP_SQUARES[self.king_square.to_index()] & self.empty_squares)
                .and_not(self.reach.attacked_once),
        );
        let straight = GOLD_ATTACKS[self.king_square][0] & GOLD_ATTACKS[self.king_square][1];
        for piece in HandPiece::iter() {
            if hand.count(piece) == 0 {
                continue;
            }
            visit(NEAR_HOLES_START + (piece.to_index() * HOLE_CLASS_COUNT + near) * 2 + may_move);
            let squares = match piece {
                HandPiece::PAWN | HandPiece::LANCE => straight & silver & safe,
                HandPiece::KNIGHT => (KNIGHT_ATTACKS[self.king_square][us] & self.empty_squares)
                    .and_not(self.reach.attacked_once),
                HandPiece::SILVER => silver & safe,
                HandPiece::GOLD => gold & safe,
                HandPiece::BISHOP => beside.and_not(straight) & safe,
                _ => straight & safe,
            };
            let squares = squares.count().min(2) as usize;
            if squares > 0 {
                visit(DROPS_START + ((piece.to_index() * 2 + squares - 1) * 4 + free) * 2 + may_move);
            }
        }
        let camp = Bitboard::promotion_zone(self.us.flip()) & self.empty_squares;
        let holes = hole_class(camp.and_not(self.defended_squares));
        let large =
            usize::from(hand.count(HandPiece::ROOK) > 0) + 2 * usize::from(hand.count(HandPiece::BISHOP) > 0);
        visit(HOLES_START + (holes * 4 + large) * 2 + may_move);
    }

    /// Visits the checks by moves of the opponent's knights, silvers, golds, bishops and rooks to undefended squares.
    fn visit_checks(&self, visit: &mut impl FnMut(usize)) {
        let us = self.us.to_index();
        let occupied = self.own_pieces | self.enemy_pieces;
        let safe = (self.empty_squares | self.own_pieces).and_not(self.defended_squares);
        let checks = [
            KNIGHT_ATTACKS[self.king_square][us] & self.enemy_reach.knight_attacks,
            SILVER_ATTACKS[self.king_square][us] & self.enemy_reach.silver_attacks,
            GOLD_ATTACKS[self.king_square][us] & self.enemy_reach.gold_attacks,
            bishop_attacks(self.king_square, occupied) & self.enemy_reach.diagonal_attacks,
            rook_attacks(self.king_square, occupied) & self.enemy_reach.straight_attacks,
        ];
        for (kind, squares) in checks.into_iter().enumerate() {
            let squares = (squares & safe).count().min(2) as usize;
            if squares > 0 {
                visit(CHECKS_START + (kind * 2 + squares - 1) * 2 + usize::from(self.may_move));
            }
        }
    }

    /// Visits the sliding pieces, by the number of squares that they can safely move to.
    fn visit_reach(&self, visit: &mut impl FnMut(usize)) {
        for (slider, squares) in self.reach.sliders() {
            visit(REACH_START + slider * REACH_CLASS_COUNT + squares.min(REACH_CLASS_COUNT - 1));
        }
    }
}

/// Returns the feature of both sides' gains; it counts for the side to move.
pub(super) const fn race_feature(for_us: Gains, for_them: Gains) -> usize {
    RACE_START + for_us.largest * GAIN_SIZE_COUNT + for_them.largest
}

/// Returns the class of a number of squares, in steps of two, below [`HOLE_CLASS_COUNT`].
fn hole_class(squares: Bitboard) -> usize {
    (squares.count() as usize / 2).min(HOLE_CLASS_COUNT - 1)
}

/// Returns the class of a gain, given in centipawns, below [`GAIN_SIZE_COUNT`].
fn gain_size(gain: i32) -> usize {
    const GAIN_LIMITS_CP: [i32; GAIN_SIZE_COUNT - 1] = [0, 150, 300, 450, 700, 1_000, 1_300, 1_600];
    GAIN_LIMITS_CP.iter().filter(|limit| gain > **limit).count()
}

fn files_with(squares: Bitboard) -> u32 {
    let squares = squares.packed_bits();
    (0..9).fold(0, |files, file| {
        files | u32::from(squares >> (9 * file) & 0x1FF != 0) << file
    })
}
