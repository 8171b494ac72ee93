//! Corrections of the weights that were set by hand, fitted to games of the engine (`src/core/training`).
//!
//! All are sums over features: a feature is a number below [`FittedWeights::COUNT`], its weight a number of quarters of a
//! centipawn. Squares are as seen by the piece's owner, or by the king's owner where a king is part of the feature.
#![expect(clippy::indexing_slicing, reason = "every feature is below the number of weights")]

use rsshogi::types::{HandPiece, PieceType, Square};

/// The kinds of pieces but the king.
const KINDS: usize = 13;

/// The kinds of sliding pieces.
const SLIDERS: usize = 5;

/// The squares as seen from a king: 17 by 17, the king in the middle.
const RELATIVE: usize = 17 * 17;

/// The numbers of pieces of a kind in hand that have a weight: the first, the second, each further one.
const IN_HAND: usize = 3;

/// The attack units against a king that have a weight, 0–80.
const UNITS: usize = 81;

/// The squares of a king with tables of their own: the four home ranks.
const HOMES: usize = 36;

// The first feature of each group.
const BY_SQUARE: usize = 0;
const NEAR_OWN: usize = BY_SQUARE + KINDS * 81;
const NEAR_ENEMY: usize = NEAR_OWN + KINDS * RELATIVE;
const HAND: usize = NEAR_ENEMY + KINDS * RELATIVE;
const KING: usize = HAND + HandPiece::COUNT * IN_HAND;
const REACH_OWN: usize = KING + 81;
const REACH_ENEMY: usize = REACH_OWN + SLIDERS * RELATIVE;
const DANGER: usize = REACH_ENEMY + SLIDERS * RELATIVE;
const TEMPO: usize = DANGER + UNITS;
const AT_OWN_HOME: usize = TEMPO + 1;
const AT_ENEMY_HOME: usize = AT_OWN_HOME + HOMES * KINDS * 81;
const COUNT: usize = AT_ENEMY_HOME + HOMES * KINDS * 81;

/// The first bytes of a file of weights.
const MAGIC: [u8; 4] = *b"SBW1";

/// The weights of features from here on are stored as a byte each, the others as two.
const FIRST_SMALL: usize = AT_OWN_HOME;

/// The unit of a weight that is stored as a byte, in quarters of a centipawn.
const SMALL_UNIT: i16 = 2;

/// The weights that the program ships.
static SHIPPED: &[u8] = include_bytes!("../../../assets/engine/weights.bin");

/// The weights of all features, in quarters of a centipawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedWeights(Vec<i16>);

impl FittedWeights {
    /// The number of features.
    pub const COUNT: usize = COUNT;

    /// Returns no corrections: the weights set by hand count.
    pub fn none() -> Self {
        Self(vec![0; COUNT])
    }

    /// Returns the weights that the program ships.
    pub fn shipped() -> Self {
        Self::from_bytes(SHIPPED).unwrap_or_else(Self::none)
    }

    /// Rounds weights to what a file can hold. `value` returns the weight of a feature in quarters of a centipawn.
    pub fn from_values(value: impl Fn(usize) -> f32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "clamped")]
        let round = |value: f32, limit: f32| value.round().clamp(-limit, limit) as i16;
        let small = f32::from(SMALL_UNIT);
        let weight = |feature| match value(feature) {
            value if feature < FIRST_SMALL => round(value, 8_000.0),
            value => SMALL_UNIT * round(value / small, 127.0),
        };
        Self((0..COUNT).map(weight).collect())
    }

    /// Reads the content of a file. Returns `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (words, small) = bytes.strip_prefix(&MAGIC)?.split_at_checked(2 * FIRST_SMALL)?;
        if small.len() != COUNT - FIRST_SMALL {
            return None;
        }
        let words = words.chunks_exact(2).map(|word| i16::from_le_bytes([word[0], word[1]]));
        let small = small.iter().map(|byte| SMALL_UNIT * i16::from(byte.cast_signed()));
        Some(Self(words.chain(small).collect()))
    }

    /// Returns the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (words, small) = self.0.split_at(FIRST_SMALL);
        let words = words.iter().flat_map(|weight| weight.to_le_bytes());
        let small = small.iter().map(|weight| i8::try_from(weight / SMALL_UNIT).unwrap_or_default().cast_unsigned());
        MAGIC.into_iter().chain(words).chain(small).collect()
    }

    /// Returns the weight of a feature, in quarters of a centipawn.
    pub fn weight(&self, feature: usize) -> i32 {
        self.0[feature].into()
    }

    /// Returns the sum of the weights of some features, in quarters of a centipawn.
    pub(super) fn sum(&self, features: impl IntoIterator<Item = usize>) -> i32 {
        features.into_iter().map(|feature| self.weight(feature)).sum()
    }
}

/// Returns the features of a piece that depend on its owner's king.
pub(super) fn beside_own_king(king: Square, piece: PieceType, square: Square) -> impl Iterator<Item = usize> {
    let piece = kind_number(piece);
    let home = home(king).map(|home| AT_OWN_HOME + (home * KINDS + piece) * 81 + square.to_index());
    let others = [BY_SQUARE + piece * 81 + square.to_index(), NEAR_OWN + piece * RELATIVE + relative(king, square)];
    others.into_iter().chain(home)
}

/// Returns the features of a piece that depend on the opponent's king.
pub(super) fn beside_enemy_king(king: Square, piece: PieceType, square: Square) -> impl Iterator<Item = usize> {
    let piece = kind_number(piece);
    let home = home(king).map(|home| AT_ENEMY_HOME + (home * KINDS + piece) * 81 + square.to_index());
    std::iter::once(NEAR_ENEMY + piece * RELATIVE + relative(king, square)).chain(home)
}

/// Returns the features of so many pieces of a kind in hand.
pub(super) fn in_hand(piece: HandPiece, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |number| HAND + piece.to_index() * IN_HAND + number.min(IN_HAND - 1))
}

/// Returns the feature of a king's square.
pub(super) const fn king_square(king: Square) -> usize {
    KING + king.to_index()
}

/// Returns the feature of a square that a sliding piece attacks, beside its owner's king.
pub(super) fn reach_beside_own_king(king: Square, slider: usize, square: Square) -> usize {
    REACH_OWN + slider * RELATIVE + relative(king, square)
}

/// Returns the feature of a square that a sliding piece attacks, beside the opponent's king.
pub(super) fn reach_beside_enemy_king(king: Square, slider: usize, square: Square) -> usize {
    REACH_ENEMY + slider * RELATIVE + relative(king, square)
}

/// Returns the feature of an attack with so many units, at most 80.
pub(super) const fn danger(units: usize) -> usize {
    DANGER + if units < UNITS { units } else { UNITS - 1 }
}

/// Returns the feature of the side to move.
pub(super) const fn tempo() -> usize {
    TEMPO
}

/// Returns the number of a kind of sliding piece, below [`SLIDER_KINDS`]; 0 for other pieces.
pub(super) const fn slider_number(kind: PieceType) -> usize {
    match kind {
        PieceType::BISHOP => 1,
        PieceType::ROOK => 2,
        PieceType::HORSE => 3,
        PieceType::DRAGON => 4,
        _ => 0,
    }
}

/// The kinds of sliding pieces, by their number.
pub(super) const SLIDER_KINDS: [PieceType; SLIDERS] =
    [PieceType::LANCE, PieceType::BISHOP, PieceType::ROOK, PieceType::HORSE, PieceType::DRAGON];

/// Returns the number of a kind other than the king, below [`KINDS`]. The rules crate numbers the king between them.
fn kind_number(kind: PieceType) -> usize {
    let index = kind.to_index();
    if index > PieceType::KING.to_index() { index - 2 } else { index - 1 }
}

/// Returns the number of a home square of the king, below [`HOMES`].
fn home(king: Square) -> Option<usize> {
    let (file, rank) = (king.to_index() / 9, king.to_index() % 9);
    rank.checked_sub(5).map(|rank| file * 4 + rank)
}

/// Returns where a square lies as seen from a king, below [`RELATIVE`].
fn relative(king: Square, square: Square) -> usize {
    let (king, square) = (king.to_index(), square.to_index());
    (8 + square / 9 - king / 9) * 17 + 8 + square % 9 - king % 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_are_complete() {
        assert!(FittedWeights::from_bytes(SHIPPED).is_some(), "{} bytes", SHIPPED.len());
        assert!(SHIPPED.len() <= 150_000, "{} bytes", SHIPPED.len());
        assert_eq!(FittedWeights::shipped().to_bytes(), SHIPPED);
    }

    #[test]
    fn only_whole_files_are_read() {
        let bytes = FittedWeights::none().to_bytes();
        assert_eq!(FittedWeights::from_bytes(&bytes), Some(FittedWeights::none()));
        for wrong in [&[] as &[u8], &bytes[1..], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat()] {
            assert_eq!(FittedWeights::from_bytes(wrong), None, "{} bytes", wrong.len());
        }
    }

    #[test]
    fn weights_are_rounded_and_clamped() {
        let rounded = FittedWeights::from_values(|feature| match feature {
            0 => 1.6,
            1 => -1e9,
            AT_OWN_HOME => 5.1,
            AT_ENEMY_HOME => 1e9,
            _ => 0.0,
        });
        assert_eq!([0, 1, AT_OWN_HOME, AT_ENEMY_HOME].map(|feature| rounded.weight(feature)), [2, -8_000, 6, 254]);
        assert_eq!(FittedWeights::from_bytes(&rounded.to_bytes()), Some(rounded));
    }
}
