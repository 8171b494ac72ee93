//! Corrections of the weights that were set by hand, fitted to games of the engine (`tools/fit`).
//!
//! Each correction is a sum over features. A feature is a number below [`FittedWeights::COUNT`], its weight is in
//! quarters of a centipawn. Squares are as seen by the piece's owner, or by the king's owner if the feature has a king.
//! A feature and its mirror image are one feature: the rules are the same for both.
#![expect(
    clippy::indexing_slicing,
    reason = "every feature is below the number of weights"
)]

use super::kinds::{KIND_COUNT, SLIDER_COUNT, kind_number};
use super::threats;
use flate2::Compression;
use flate2::bufread::{GzDecoder, GzEncoder};
use rsshogi::types::{HandPiece, PieceType, Square};
use std::io::{self, Read as _};

/// The number of squares of five files, from the edge to the middle.
const HALF_BOARD_SQUARE_COUNT: usize = 45;

/// The number of squares as seen from a king: 9 files away from it, 17 ranks with the king in the middle.
const RELATIVE_SQUARE_COUNT: usize = 9 * 17;

/// The number of weights of a kind in hand: for the first piece, the second, and each further one.
const HAND_WEIGHT_COUNT: usize = 3;

/// The number of weights for the attack units against a king, 0–80.
const DANGER_COUNT: usize = 81;

/// The number of weights for free squares beside a king: 0–8 squares, for three strengths of the opponent's hand.
pub(super) const ESCAPE_COUNT: usize = 9 * 3;

/// The number of weights for undefended squares where bishops and rooks may promote: 0–4 squares, for the side that is
/// not to move and for the side to move.
pub(super) const INVASION_COUNT: usize = 5 * 2;

/// The first feature of pieces by their square.
const BY_SQUARE_START: usize = 0;
/// The first feature of pieces by their square as seen from their owner's king.
const NEAR_OWN_START: usize = BY_SQUARE_START + KIND_COUNT * HALF_BOARD_SQUARE_COUNT;
/// The first feature of pieces by their square as seen from the opponent's king.
const NEAR_ENEMY_START: usize = NEAR_OWN_START + KIND_COUNT * RELATIVE_SQUARE_COUNT;
/// The first feature of pieces in hand.
const HAND_START: usize = NEAR_ENEMY_START + KIND_COUNT * RELATIVE_SQUARE_COUNT;
/// The first feature of kings by their square.
const KING_START: usize = HAND_START + HandPiece::COUNT * HAND_WEIGHT_COUNT;
/// The first feature of squares that a sliding piece attacks, as seen from its owner's king.
const REACH_OWN_START: usize = KING_START + HALF_BOARD_SQUARE_COUNT;
/// The first feature of squares that a sliding piece attacks, as seen from the opponent's king.
const REACH_ENEMY_START: usize = REACH_OWN_START + SLIDER_COUNT * RELATIVE_SQUARE_COUNT;
/// The first feature of attack units against a king.
const DANGER_START: usize = REACH_ENEMY_START + SLIDER_COUNT * RELATIVE_SQUARE_COUNT;
/// The feature of the side to move.
const TEMPO_FEATURE: usize = DANGER_START + DANGER_COUNT;
/// The first feature of pinned pieces.
const PINNED_START: usize = TEMPO_FEATURE + 1;
/// The first feature of free squares beside a king.
const ESCAPE_START: usize = PINNED_START + 2 * KIND_COUNT;
/// The first feature of undefended squares where bishops and rooks may promote.
const INVASION_START: usize = ESCAPE_START + ESCAPE_COUNT;
/// The first feature of threats.
const THREAT_START: usize = INVASION_START + INVASION_COUNT;
/// The first feature of pieces by their square and the square of their owner's king.
const BY_OWN_KING_START: usize = THREAT_START + threats::FEATURE_COUNT;
/// The first feature of pieces by their square and the square of the opponent's king.
const BY_ENEMY_KING_START: usize = BY_OWN_KING_START + HALF_BOARD_SQUARE_COUNT * KIND_COUNT * 81;
const FEATURE_COUNT: usize = BY_ENEMY_KING_START + HALF_BOARD_SQUARE_COUNT * KIND_COUNT * 81;

/// The first bytes of a file of weights.
const MAGIC: [u8; 4] = *b"SBW3";

/// The first feature whose weight is stored as a byte. The weights of features below it are stored as two bytes.
const FIRST_BYTE_FEATURE: usize = BY_OWN_KING_START;

/// The unit of a weight that is stored as a byte, in quarters of a centipawn.
const BYTE_WEIGHT_UNIT: i16 = 2;

/// The maximum number of bytes that are unpacked of a file.
const MAX_UNPACKED_BYTES: u64 = 1 << 20;

/// The weights that the program ships.
static SHIPPED_WEIGHTS: &[u8] = include_bytes!("../../assets/engine/weights.bin.gz");

/// The weights of all features, in quarters of a centipawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedWeights(Vec<i16>);

impl FittedWeights {
    /// The number of features.
    pub const COUNT: usize = FEATURE_COUNT;

    /// Creates weights of 0: only the weights set by hand count.
    pub fn none() -> Self {
        Self(vec![0; FEATURE_COUNT])
    }

    /// Returns the weights that the program ships.
    pub fn shipped() -> Self {
        Self::from_bytes(SHIPPED_WEIGHTS).unwrap_or_else(Self::none)
    }

    /// Creates weights, rounded to what a file can hold. `value` returns the weight of a feature in quarters of a
    /// centipawn.
    pub fn from_values(value: impl Fn(usize) -> f32) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "the value is clamped before the cast"
        )]
        let round = |value: f32, limit: f32| value.round().clamp(-limit, limit) as i16;
        let small = f32::from(BYTE_WEIGHT_UNIT);
        Self(
            (0..FEATURE_COUNT)
                .map(|feature| match value(feature) {
                    value if feature < FIRST_BYTE_FEATURE => round(value, 8_000.0),
                    value => BYTE_WEIGHT_UNIT * round(value / small, 127.0),
                })
                .collect(),
        )
    }

    /// Reads the content of a file, which is compressed by gzip. Returns `None` for anything else.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut unpacked = Vec::new();
        let mut decoder = GzDecoder::new(bytes);
        decoder
            .by_ref()
            .take(MAX_UNPACKED_BYTES)
            .read_to_end(&mut unpacked)
            .ok()?;
        if !decoder.into_inner().is_empty() {
            return None;
        }
        let (words, small) = unpacked
            .strip_prefix(&MAGIC)?
            .split_at_checked(2 * FIRST_BYTE_FEATURE)?;
        if small.len() != FEATURE_COUNT - FIRST_BYTE_FEATURE {
            return None;
        }
        let words = words
            .chunks_exact(2)
            .map(|word| i16::from_le_bytes([word[0], word[1]]));
        let small = small
            .iter()
            .map(|byte| BYTE_WEIGHT_UNIT * i16::from(byte.cast_signed()));
        Some(Self(words.chain(small).collect()))
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    ///
    /// Fails if the compression fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let (words, small) = self.0.split_at(FIRST_BYTE_FEATURE);
        let words = words.iter().flat_map(|weight| weight.to_le_bytes());
        let small = small.iter().map(|weight| {
            i8::try_from(weight / BYTE_WEIGHT_UNIT)
                .unwrap_or_default()
                .cast_unsigned()
        });
        let content: Vec<u8> = MAGIC.into_iter().chain(words).chain(small).collect();
        let mut packed = Vec::new();
        GzEncoder::new(content.as_slice(), Compression::best()).read_to_end(&mut packed)?;
        Ok(packed)
    }

    /// Returns whether a feature is a threat.
    pub fn is_threat(feature: usize) -> bool {
        (THREAT_START..THREAT_START + threats::FEATURE_COUNT).contains(&feature)
    }

    /// Returns the weight of a feature, in quarters of a centipawn.
    pub fn weight(&self, feature: usize) -> i32 {
        self.0[feature].into()
    }

    pub(super) fn sum(&self, features: impl IntoIterator<Item = usize>) -> i32 {
        features.into_iter().map(|feature| self.weight(feature)).sum()
    }
}

pub(super) fn own_king_features(king: Square, piece: PieceType, square: Square) -> [usize; 3] {
    let piece = kind_number(piece);
    [
        BY_SQUARE_START + piece * HALF_BOARD_SQUARE_COUNT + half_board_index(square),
        NEAR_OWN_START + piece * RELATIVE_SQUARE_COUNT + relative_index(king, square),
        BY_OWN_KING_START + king_piece_index(king, piece, square),
    ]
}

pub(super) fn enemy_king_features(king: Square, piece: PieceType, square: Square) -> [usize; 2] {
    let piece = kind_number(piece);
    [
        NEAR_ENEMY_START + piece * RELATIVE_SQUARE_COUNT + relative_index(king, square),
        BY_ENEMY_KING_START + king_piece_index(king, piece, square),
    ]
}

/// Returns the features of `count` pieces of a kind in hand.
pub(super) fn hand_features(piece: HandPiece, count: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |number| {
        HAND_START + piece.to_index() * HAND_WEIGHT_COUNT + number.min(HAND_WEIGHT_COUNT - 1)
    })
}

pub(super) const fn king_square_feature(king: Square) -> usize {
    KING_START + half_board_index(king)
}

pub(super) fn own_king_reach_feature(king: Square, slider: usize, square: Square) -> usize {
    REACH_OWN_START + slider * RELATIVE_SQUARE_COUNT + relative_index(king, square)
}

pub(super) fn enemy_king_reach_feature(king: Square, slider: usize, square: Square) -> usize {
    REACH_ENEMY_START + slider * RELATIVE_SQUARE_COUNT + relative_index(king, square)
}

/// Returns the feature of an attack with this number of units, at most 80.
pub(super) const fn danger_feature(units: usize) -> usize {
    DANGER_START
        + if units < DANGER_COUNT {
            units
        } else {
            DANGER_COUNT - 1
        }
}

/// Returns the feature of a pinned piece. `may_move` is whether the piece's owner is to move.
pub(super) fn pinned_feature(piece: PieceType, may_move: bool) -> usize {
    PINNED_START + usize::from(may_move) * KIND_COUNT + kind_number(piece)
}

/// Returns the feature of a king's escapes, by their class. The class is the number of free squares beside the king
/// that the opponent does not attack. With attack units in the opponent's hand the class is 9 more, with more than
/// five units 18 more.
pub(super) const fn escape_feature(class: usize) -> usize {
    ESCAPE_START + class
}

/// Returns the feature of a side's invasions, by their class. The class is the number of undefended squares where large
/// pieces may promote, and 5 more where the side is to move.
pub(super) const fn invasion_feature(class: usize) -> usize {
    INVASION_START + class
}

/// Returns the feature of a threat, by its number in [`threats`].
pub(super) const fn threat_feature(number: usize) -> usize {
    THREAT_START + number
}

/// Returns the feature of the side to move.
pub(super) const fn tempo_feature() -> usize {
    TEMPO_FEATURE
}

/// Returns the index of a square or of its mirror image, below [`HALF_BOARD_SQUARE_COUNT`].
const fn half_board_index(square: Square) -> usize {
    let (file, rank) = (square.to_index() / 9, square.to_index() % 9);
    9 * if file > 4 { 8 - file } else { file } + rank
}

/// Returns the index of a square as seen from a king, below [`RELATIVE_SQUARE_COUNT`].
const fn relative_index(king: Square, square: Square) -> usize {
    let (king, square) = (king.to_index(), square.to_index());
    (square / 9).abs_diff(king / 9) * 17 + 8 + square % 9 - king % 9
}

/// Returns the index of a combination of king's square, piece and square. The board is mirrored so that the king is
/// not on the left. For a king in the middle, it is mirrored so that the piece is not on the left.
const fn king_piece_index(king: Square, piece: usize, square: Square) -> usize {
    let (file, rank) = (square.to_index() / 9, square.to_index() % 9);
    let king_file = king.to_index() / 9;
    let is_mirrored = king_file > 4 || king_file == 4 && file > 4;
    let file = if is_mirrored { 8 - file } else { file };
    (half_board_index(king) * KIND_COUNT + piece) * 81 + 9 * file + rank
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_weights_are_complete() {
        assert!(
            FittedWeights::from_bytes(SHIPPED_WEIGHTS).is_some(),
            "{} bytes",
            SHIPPED_WEIGHTS.len()
        );
        assert!(
            SHIPPED_WEIGHTS.len() <= 150_000,
            "{} bytes",
            SHIPPED_WEIGHTS.len()
        );
        assert_ne!(FittedWeights::shipped(), FittedWeights::none());
    }

    #[test]
    fn only_whole_files_are_read() {
        let bytes = FittedWeights::none().to_bytes().unwrap();
        assert_eq!(FittedWeights::from_bytes(&bytes), Some(FittedWeights::none()));
        for wrong in [
            &[] as &[u8],
            &bytes[1..],
            &bytes[..bytes.len() - 1],
            &bytes[..40],
            &[&bytes[..], &[0]].concat(),
        ] {
            assert_eq!(FittedWeights::from_bytes(wrong), None, "{} bytes", wrong.len());
        }
    }

    #[test]
    fn weights_are_rounded_and_clamped() {
        let rounded = FittedWeights::from_values(|feature| match feature {
            0 => 1.6,
            1 => -1e9,
            BY_OWN_KING_START => 5.1,
            BY_ENEMY_KING_START => 1e9,
            _ => 0.0,
        });
        assert_eq!(
            [0, 1, BY_OWN_KING_START, BY_ENEMY_KING_START].map(|feature| rounded.weight(feature)),
            [2, -8_000, 6, 254]
        );
        assert_eq!(
            FittedWeights::from_bytes(&rounded.to_bytes().unwrap()),
            Some(rounded)
        );
    }
}
