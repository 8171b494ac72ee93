//! The key of a position. It is independent of the moves that lead to it, and of the version of the program.

use shogibar_base::random::mix;
use shogibar_shogi::{Color, PieceKind, Position, Square};

/// A hash of the board, the hands and the side to move. Among ten million positions, the probability that two have the
/// same key is 3 in a million. The probability that a lookup finds another position is 1 in a trillion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShelfKey(pub u64);

/// The number that is added to the sum if White is to move.
const WHITE_TO_MOVE_NUMBER: u64 = 0x9E6C_63D0_876A_9A47;

/// The index of pieces in hand: the squares of the board have 0 to 80.
const HAND_INDEX: u64 = 81;

impl ShelfKey {
    /// Returns the key of a position. The move number and the history of the position do not count.
    pub fn from_position(position: &Position) -> Self {
        let mut sum = if position.side_to_move() == Color::White {
            WHITE_TO_MOVE_NUMBER
        } else {
            0
        };
        for (index, square) in Square::all().enumerate() {
            if let Some(piece) = position.piece_on(square) {
                sum = sum.wrapping_add(piece_number(piece.kind, piece.color, index as u64));
            }
        }
        for color in [Color::Black, Color::White] {
            for kind in PieceKind::IN_HAND {
                let count = u64::from(position.hand(color).count(kind));
                sum = sum.wrapping_add(piece_number(kind, color, HAND_INDEX).wrapping_mul(count));
            }
        }
        Self(spread(sum))
    }
}

/// Returns the number that a piece adds to the sum. `index` is the index of the square of the piece, or [`HAND_INDEX`].
const fn piece_number(kind: PieceKind, color: Color, index: u64) -> u64 {
    let color = if matches!(color, Color::Black) { 0 } else { 1 };
    spread((index * 16 + kind_number(kind)) * 2 + color + 1)
}

/// Returns the number of a kind of piece. These numbers never change, because keys in existing files depend on them.
const fn kind_number(kind: PieceKind) -> u64 {
    match kind {
        PieceKind::Pawn => 0,
        PieceKind::Lance => 1,
        PieceKind::Knight => 2,
        PieceKind::Silver => 3,
        PieceKind::Gold => 4,
        PieceKind::Bishop => 5,
        PieceKind::Rook => 6,
        PieceKind::King => 7,
        PieceKind::ProPawn => 8,
        PieceKind::ProLance => 9,
        PieceKind::ProKnight => 10,
        PieceKind::ProSilver => 11,
        PieceKind::Horse => 12,
        PieceKind::Dragon => 13,
    }
}

/// Returns a hash of a number, whose bits depend on all bits of the number.
const fn spread(number: u64) -> u64 {
    mix(number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::History;
    use std::collections::HashMap;

    #[test]
    fn keys_are_the_same_as_in_existing_files() {
        assert_eq!(
            ShelfKey::from_position(&Position::startpos()).0,
            0x0E73_1DCD_A9D5_7FEB
        );
    }

    #[test]
    fn transpositions_have_one_key() {
        let key = |usi: &str| ShelfKey::from_position(History::from_usi(usi).unwrap().now());
        assert_eq!(
            key("startpos moves 7g7f 3c3d 2g2f"),
            key("startpos moves 2g2f 3c3d 7g7f")
        );
        assert_ne!(key("startpos moves 7g7f"), key("startpos"));
        assert_ne!(
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1"),
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b p 1")
        );
        assert_ne!(
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1"),
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 w P 1")
        );
        assert_ne!(
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1"),
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b 2P 1")
        );
        assert_eq!(
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1"),
            key("sfen 4k4/9/9/9/9/9/9/9/4K4 b P 57")
        );
    }

    #[test]
    fn different_positions_have_different_keys() {
        let mut known: HashMap<u64, String> = HashMap::new();
        let mut random = shogibar_base::random::SplitMix(1);
        for _ in 0..100 {
            let mut position = Position::startpos();
            for _ in 0..60 {
                let legal = position.legal_moves();
                let Some(mv) = legal.get(random.below(legal.len())) else {
                    break;
                };
                position.play(*mv).unwrap();
                let sfen = position.sfen().rsplit_once(' ').unwrap().0.to_owned();
                let before = known.insert(ShelfKey::from_position(&position).0, sfen.clone());
                assert!(before.is_none_or(|before| before == sfen), "{sfen}");
            }
        }
    }
}
