//! Arbitrary positions for property tests. Most are impossible in a game, and the program must handle all of them.

use super::PieceKind;
use super::Position;
use proptest::collection::vec;
use proptest::prelude::*;

/// Returns a strategy for SFENs. Each square holds any piece with the probability `crowd`; the hands are
/// in SFEN order.
pub fn sfen(crowd: f64) -> impl Strategy<Value = String> {
    let squares = vec(proptest::option::weighted(crowd, 0..28_usize), 81);
    (squares, vec(0..3_u8, 14), 0..9999_u16, any::<bool>()).prop_map(|(squares, hands, number, white)| {
        let ranks: Vec<String> = squares
            .chunks(9)
            .map(|rank| {
                rank.iter()
                    .map(|square| square.map_or_else(|| "1".to_owned(), piece))
                    .collect()
            })
            .collect();
        let side = if white { "w" } else { "b" };
        format!("{} {side} {} {number}", ranks.join("/"), hands_text(&hands))
    })
}

/// Returns the SFEN of a piece: one of [`PieceKind::ALL`] for Black, then one for White.
fn piece(index: usize) -> String {
    #[expect(clippy::indexing_slicing, reason = "there are only fourteen kinds")]
    let kind = PieceKind::ALL[index % 14];
    let plus = if kind.is_promoted() { "+" } else { "" };
    let letter = kind.letter();
    format!(
        "{plus}{}",
        if index < 14 {
            letter
        } else {
            letter.to_ascii_lowercase()
        }
    )
}

/// Returns SFEN's text of both hands, from the number of pieces of each kind in SFEN order.
fn hands_text(counts: &[u8]) -> String {
    let held = counts
        .iter()
        .zip("RBGSNLPrbgsnlp".chars())
        .filter(|(count, _)| **count > 0);
    let held: Vec<String> = held.map(|(count, letter)| format!("{count}{letter}")).collect();
    if held.is_empty() {
        "-".to_owned()
    } else {
        held.concat()
    }
}

/// Returns a strategy for positions with boards of [`sfen`].
pub fn position(crowd: f64) -> impl Strategy<Value = Position> {
    sfen(crowd).prop_filter_map("no position", |text| Position::from_sfen(&text).ok())
}
