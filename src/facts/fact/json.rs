//! The fields of [`FactKind`](crate::FactKind) in JSON.

#![expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]

use super::{Gain, KingAttack, KingSafety};
use serde::Serializer;
use shogibar_shogi::{PieceKind, Square};

/// Writes the letter of a piece in USI, with `+` where it is promoted.
pub(super) fn piece<S: Serializer>(kind: &PieceKind, serializer: S) -> Result<S::Ok, S::Error> {
    let sign = if kind.is_promoted() { "+" } else { "" };
    serializer.collect_str(&format_args!("{sign}{}", kind.unpromoted().letter()))
}

/// Writes a list with one square.
pub(super) fn square<S: Serializer>(square: &Square, serializer: S) -> Result<S::Ok, S::Error> {
    squares(&[*square], serializer)
}

/// Writes squares in USI.
pub(super) fn squares<S: Serializer>(squares: &[Square], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(squares.iter().map(ToString::to_string))
}

/// Writes the gain of the opponent.
pub(super) fn loss<S: Serializer>(gain: &Gain, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_i32(-gain.0)
}

/// Writes both kings: at the end of the line, and at the end of the other line.
pub(super) fn exposed_king<S: Serializer>(
    king: &KingSafety,
    other: &KingSafety,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map([
        ("guards", [king.guards, other.guards]),
        ("escapes", [king.escapes, other.escapes]),
    ])
}

/// Writes the attackers at the end of the line, and at the end of the other line.
pub(super) fn attack_ends<S: Serializer>(
    attack: &KingAttack,
    other: &KingAttack,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map([("attackers", [attack.attackers, other.attackers])])
}

/// Writes the points under the 24-point and the 27-point rule, and the missing points and pieces.
pub(super) fn entering_king<S: Serializer>(
    points_24: &u8,
    points_27: &u8,
    missing_points: &u8,
    missing_pieces: &u8,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map([
        ("points", [points_24, points_27]),
        ("missing", [missing_points, missing_pieces]),
    ])
}
