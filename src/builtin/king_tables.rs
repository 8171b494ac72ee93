//! The values of all terms of the evaluation, and the part of the evaluation that is a sum over the pieces. Each piece
//! has a value by its square and the square of each of the two kings. The sum is kept up to date move by move instead
//! of being computed for each position.
#![expect(
    clippy::indexing_slicing,
    reason = "tables indexed by the rules crate's own piece types, colours and squares"
)]

use super::fitted::{self, ESCAPE_COUNT, FittedWeights, INVASION_COUNT};
use super::kinds::{SLIDER_KINDS, seen_by};
use super::net::Net;
use super::threats;
use super::weights::{
    ATTACK_UNIT_VALUE, ATTACK_UNITS, BOARD_VALUE, ByKind, DISTANCE_COUNT, ENEMY_KING_DISTANCE_VALUE,
    ENEMY_KING_REACH_VALUE, HAND_VALUE, KING_FILE_VALUE, MAX_ATTACK_UNITS, OWN_KING_DISTANCE_VALUE,
    OWN_KING_REACH_VALUE, RANK_VALUE, TEMPO_BONUS,
};
use rsshogi::board::{GOLD_ATTACKS, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, Position, SILVER_ATTACKS};
use rsshogi::types::{Bitboard, Color, HandPiece, Move32, Piece, PieceType, Square};
use std::sync::{Arc, LazyLock};

#[derive(Clone, Copy, Debug, Default)]
struct PieceWorth {
    /// Material, placement and mobility, in quarters of a centipawn.
    score: i16,
    /// The attack units on the squares around the king.
    units: i16,
}

/// The number of values for one king square: one for each kind of piece and square.
const VALUES_PER_KING_SQUARE: usize = PieceType::COUNT * 81;

/// The maximum number of pieces of a kind in hand: all pawns.
const MAX_IN_HAND: usize = 18;

/// A value of each square, in quarters of a centipawn.
pub(super) type BySquare = [i16; 81];

/// The values of all pieces, by king square, piece type and square, all as seen by the king's owner. The tables also
/// have the values of all other terms. Each value is the sum of the weight set by hand and the fitted one.
#[derive(Debug)]
pub struct KingTables {
    own_pieces: Vec<PieceWorth>,
    /// The values of the opponent's pieces.
    enemy_pieces: Vec<PieceWorth>,
    /// The value of the square of the owner's king, in quarters of a centipawn.
    king: [i32; 81],
    /// The value of a number of pieces of a kind in hand, in quarters of a centipawn.
    hand: [[i32; MAX_IN_HAND + 1]; HandPiece::COUNT],
    /// The value of a square that a sliding piece attacks, by its kind and the square of its owner's king.
    reach_own: Vec<[BySquare; 81]>,
    /// The value of a square that a sliding piece attacks, by its kind and the square of the opponent's king.
    reach_enemy: Vec<[BySquare; 81]>,
    /// The value of a number of attack units, in quarters of a centipawn.
    danger: [i32; MAX_ATTACK_UNITS as usize + 1],
    /// The value of a pinned piece by its type, in quarters of a centipawn. The first entry is for an owner who is not
    /// to move.
    pin_values: [ByKind<i32>; 2],
    /// The value of a king's escapes by their class, in quarters of a centipawn.
    escapes: [i32; ESCAPE_COUNT],
    /// The value of a side's invasions by their class, in quarters of a centipawn.
    invasions: [i32; INVASION_COUNT],
    /// The values of threats, in quarters of a centipawn.
    threats: [i16; threats::FEATURE_COUNT],
    /// The bonus of the side to move, in quarters of a centipawn.
    tempo: i32,
    /// The net that corrects the value, if there is one.
    net: Option<Net>,
}

/// The tables with the weights and the net that the program ships.
static SHIPPED_TABLES: LazyLock<Arc<KingTables>> = LazyLock::new(|| {
    let tables = KingTables::new(&FittedWeights::shipped());
    Arc::new(KingTables {
        net: Net::shipped(),
        ..tables
    })
});

impl KingTables {
    /// Returns the tables with the weights and the net that the program ships. The first call builds them.
    pub fn shipped() -> Arc<Self> {
        Arc::clone(&SHIPPED_TABLES)
    }

    /// Builds the tables with fitted weights: some 2 MB.
    pub fn new(fitted: &FittedWeights) -> Self {
        let mut tables = Self {
            own_pieces: vec![PieceWorth::default(); 81 * VALUES_PER_KING_SQUARE],
            enemy_pieces: vec![PieceWorth::default(); 81 * VALUES_PER_KING_SQUARE],
            king: [0; 81],
            hand: [[0; MAX_IN_HAND + 1]; HandPiece::COUNT],
            reach_own: vec![[[0; 81]; 81]; SLIDER_KINDS.len()],
            reach_enemy: vec![[[0; 81]; 81]; SLIDER_KINDS.len()],
            danger: [0; MAX_ATTACK_UNITS as usize + 1],
            pin_values: [false, true].map(|may_move| pin_values(fitted, may_move)),
            escapes: std::array::from_fn(|class| fitted.weight(fitted::escape_feature(class))),
            invasions: std::array::from_fn(|class| fitted.weight(fitted::invasion_feature(class))),
            threats: std::array::from_fn(|number| narrow(fitted.weight(fitted::threat_feature(number)))),
            tempo: 4 * TEMPO_BONUS + fitted.weight(fitted::tempo_feature()),
            net: None,
        };
        for king in Square::iter() {
            tables.king[king.to_index()] =
                4 * king_square_value(king) + fitted.weight(fitted::king_square_feature(king));
            for kind in kinds() {
                for square in Square::iter() {
                    let at = index(king, kind, square);
                    let own = fitted.sum(fitted::own_king_features(king, kind, square));
                    let enemy = fitted.sum(fitted::enemy_king_features(king, kind, square));
                    tables.own_pieces[at] = own_piece_worth(king, kind, square).corrected(own);
                    tables.enemy_pieces[at] = enemy_piece_worth(king, kind, square).corrected(enemy);
                }
            }
            for slider in 0..SLIDER_KINDS.len() {
                for square in Square::iter() {
                    let by_distance = |weights: &[i32; DISTANCE_COUNT]| {
                        weights[distance(square, king).min(DISTANCE_COUNT - 1)]
                    };
                    let own = fitted.weight(fitted::own_king_reach_feature(king, slider, square));
                    let enemy = fitted.weight(fitted::enemy_king_reach_feature(king, slider, square));
                    let (at, square) = (king.to_index(), square.to_index());
                    tables.reach_own[slider][at][square] = narrow(by_distance(&OWN_KING_REACH_VALUE) + own);
                    tables.reach_enemy[slider][at][square] =
                        narrow(by_distance(&ENEMY_KING_REACH_VALUE) + enemy);
                }
            }
        }
        for piece in HandPiece::iter() {
            for (number, (value, count)) in tables.hand[piece.to_index()].iter_mut().zip(0_i32..).enumerate()
            {
                *value = 4 * count * HAND_VALUE[piece.to_index()]
                    + fitted.sum(fitted::hand_features(piece, number));
            }
        }
        for (number, (value, units)) in tables.danger.iter_mut().zip(0_i32..).enumerate() {
            *value = 4 * units * ATTACK_UNIT_VALUE + fitted.weight(fitted::danger_feature(number));
        }
        tables
    }

    /// Returns the tables with a net. The net's value is added to the terms that the net's [`base`](Net::base) names.
    #[must_use]
    pub fn with_net(self, net: Net) -> Self {
        Self {
            net: Some(net),
            ..self
        }
    }

    pub(super) const fn net(&self) -> Option<&Net> {
        self.net.as_ref()
    }

    /// Returns the value of the king's square, as seen by the king's owner, in quarters of a centipawn.
    pub(super) fn king(&self, king: Square) -> i32 {
        self.king[king.to_index()]
    }

    /// Returns the value of `count` pieces of a kind in hand, in quarters of a centipawn.
    pub(super) fn hand(&self, piece: HandPiece, count: u32) -> i32 {
        self.hand[piece.to_index()][(count as usize).min(MAX_IN_HAND)]
    }

    /// Returns the values of the squares that a slider attacks, as seen by its owner, with the king on `king`.
    pub(super) fn reach_own(&self, slider: usize, king: Square) -> &BySquare {
        &self.reach_own[slider][king.to_index()]
    }

    /// Returns the values of the squares that a slider attacks, as seen by the opponent, with the king on `king`.
    pub(super) fn reach_enemy(&self, slider: usize, king: Square) -> &BySquare {
        &self.reach_enemy[slider][king.to_index()]
    }

    /// Returns the value of attack units, at most [`MAX_ATTACK_UNITS`], in quarters of a centipawn.
    pub(super) fn danger(&self, units: usize) -> i32 {
        self.danger[units]
    }

    /// Returns the value of a pinned piece, in quarters of a centipawn. `may_move` is whether the owner is to move.
    pub(super) fn pinned(&self, kind: PieceType, may_move: bool) -> i32 {
        self.pin_values[usize::from(may_move)][kind.to_index()]
    }

    /// Returns the value of a king's escapes by their class, as in [`fitted::escape_feature`], in quarters of a
    /// centipawn.
    pub(super) fn escapes(&self, class: usize) -> i32 {
        self.escapes[class]
    }

    /// Returns the value of a side's invasions by their class, as in [`fitted::invasion_feature`], in quarters of a
    /// centipawn.
    pub(super) fn invasions(&self, class: usize) -> i32 {
        self.invasions[class]
    }

    /// Returns the value of a threat, by its number in [`threats`], in quarters of a centipawn.
    pub(super) fn threat(&self, number: usize) -> i32 {
        self.threats[number].into()
    }

    /// Returns the bonus of the side to move, in quarters of a centipawn.
    pub(super) const fn tempo(&self) -> i32 {
        self.tempo
    }
}

fn kinds() -> impl Iterator<Item = PieceType> {
    PieceType::iter().filter(|kind| !matches!(*kind, PieceType::KING | PieceType::NONE))
}

/// Returns the values of pinned pieces by their type, in quarters of a centipawn.
fn pin_values(fitted: &FittedWeights, may_move: bool) -> ByKind<i32> {
    let mut values = [0; PieceType::COUNT];
    for kind in kinds() {
        values[kind.to_index()] = fitted.weight(fitted::pinned_feature(kind, may_move));
    }
    values
}

impl PieceWorth {
    /// Returns the worth with its score raised by `by`.
    fn corrected(self, by: i32) -> Self {
        Self {
            score: narrow(i32::from(self.score) + by),
            ..self
        }
    }
}

/// Returns the value of the king's square set by hand, as seen by the king's owner, in centipawns.
const fn king_square_value(king: Square) -> i32 {
    let (file, rank) = (king.to_index() / 9, king.to_index() % 9);
    RANK_VALUE[PieceType::KING.to_index()][rank] + if rank >= 7 { KING_FILE_VALUE[file] } else { 0 }
}

/// Returns the value of a Black piece beside the Black king.
fn own_piece_worth(king: Square, piece: PieceType, square: Square) -> PieceWorth {
    let reach = step_reach(piece, square, Color::BLACK);
    let at = piece.to_index();
    let placed = BOARD_VALUE[at]
        + RANK_VALUE[at][square.to_index() % 9]
        + distance_value(&OWN_KING_DISTANCE_VALUE, piece, square, king);
    PieceWorth {
        score: narrow(4 * placed + weight_of_reach(reach, king, &OWN_KING_REACH_VALUE)),
        units: narrow(ATTACK_UNITS[at] * (reach & KING_ATTACKS[king]).count().cast_signed()),
    }
}

/// Returns the value of a White piece beside the Black king, as seen by White.
fn enemy_piece_worth(king: Square, piece: PieceType, square: Square) -> PieceWorth {
    let reach = step_reach(piece, square, Color::WHITE);
    PieceWorth {
        score: narrow(
            4 * distance_value(&ENEMY_KING_DISTANCE_VALUE, piece, square, king)
                + weight_of_reach(reach, king, &ENEMY_KING_REACH_VALUE),
        ),
        units: narrow(ATTACK_UNITS[piece.to_index()] * (reach & KING_ATTACKS[king]).count().cast_signed()),
    }
}

fn distance_value(values: &ByKind<[i32; 4]>, piece: PieceType, square: Square, king: Square) -> i32 {
    values[piece.to_index()][distance(square, king).min(3)]
}

/// Returns the sum of the weights of the squares in `reach`, by their distance from the king.
fn weight_of_reach(reach: Bitboard, king: Square, weights: &[i32; DISTANCE_COUNT]) -> i32 {
    reach
        .iter()
        .map(|square| weights[distance(square, king).min(DISTANCE_COUNT - 1)])
        .sum()
}

/// Returns the squares that a piece attacks, independent of other pieces; none for a sliding piece.
fn step_reach(kind: PieceType, square: Square, us: Color) -> Bitboard {
    match kind {
        PieceType::PAWN => PAWN_ATTACKS[square][us.to_index()],
        PieceType::KNIGHT => KNIGHT_ATTACKS[square][us.to_index()],
        PieceType::SILVER => SILVER_ATTACKS[square][us.to_index()],
        PieceType::LANCE | PieceType::BISHOP | PieceType::ROOK | PieceType::HORSE | PieceType::DRAGON => {
            Bitboard::EMPTY
        }
        _ => GOLD_ATTACKS[square][us.to_index()],
    }
}

pub(super) const fn distance(a: Square, b: Square) -> usize {
    let files = (a.to_index() / 9).abs_diff(b.to_index() / 9);
    let ranks = (a.to_index() % 9).abs_diff(b.to_index() % 9);
    if files > ranks { files } else { ranks }
}

const fn index(king: Square, piece: PieceType, square: Square) -> usize {
    king.to_index() * VALUES_PER_KING_SQUARE + piece.to_index() * 81 + square.to_index()
}

/// Converts a value to the type of the tables; a larger one is clamped.
fn narrow(value: i32) -> i16 {
    i16::try_from(value).unwrap_or(if value < 0 { i16::MIN } else { i16::MAX })
}

/// The sums over all pieces of a position but the kings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PieceSums {
    /// Material, placement and mobility in quarters of a centipawn, Black's minus White's.
    pub(super) score: i32,
    /// The attack units of each side around the opponent's king, without those of sliding pieces.
    pub(super) attack_units: [i32; 2],
    /// The attack units of each side around its king, without those of sliding pieces.
    pub(super) defence: [i32; 2],
}

impl PieceSums {
    pub(super) fn new(tables: &KingTables, position: &Position) -> Self {
        let kings = kings(position);
        let mut sums = Self::default();
        for square in &position.pieces() {
            let piece = position.piece_on(square);
            if piece.piece_type() != PieceType::KING {
                sums.add(tables, kings, piece, square, 1);
            }
        }
        sums
    }

    /// Returns the sums after `mv`, a move in `position` that does not move the king.
    pub(super) fn after(mut self, tables: &KingTables, position: &Position, mv: Move32) -> Self {
        let kings = kings(position);
        let to = mv.to_sq();
        if !mv.is_drop() {
            let from = mv.from_sq();
            self.add(tables, kings, position.piece_on(from), from, -1);
            let captured = position.piece_on(to);
            if !captured.is_empty() {
                self.add(tables, kings, captured, to, -1);
            }
        }
        self.add(tables, kings, mv.piece_after_move(), to, 1);
        self
    }

    /// Adds a piece to the sums, or removes it where `sign` is -1.
    fn add(&mut self, tables: &KingTables, kings: [Square; 2], piece: Piece, square: Square, sign: i32) {
        let (us, kind) = (piece.color(), piece.piece_type());
        let [own_king, enemy_king] = if us == Color::BLACK {
            kings
        } else {
            [kings[1], kings[0]]
        };
        let own = tables.own_pieces[index(seen_by(us, own_king), kind, seen_by(us, square))];
        let enemy =
            tables.enemy_pieces[index(seen_by(us.flip(), enemy_king), kind, seen_by(us.flip(), square))];
        let side = if us == Color::BLACK { sign } else { -sign };
        self.score += side * (i32::from(own.score) + i32::from(enemy.score));
        self.attack_units[us.to_index()] += sign * i32::from(enemy.units);
        self.defence[us.to_index()] += sign * i32::from(own.units);
    }
}

fn kings(position: &Position) -> [Square; 2] {
    [
        position.king_square(Color::BLACK),
        position.king_square(Color::WHITE),
    ]
}
