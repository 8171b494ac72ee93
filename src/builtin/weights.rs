//! The weights of the evaluation in centipawns, set by hand: a pawn on the board is 100. The module `fitted` has
//! corrections of these weights.
//!
//! Tables by kind are indexed by the rules crate's piece type. Tables by rank run from the far edge (0) to the back
//! rank (8) of the piece's owner.
#![expect(
    clippy::indexing_slicing,
    reason = "constants: an index out of bounds would not compile"
)]

use rsshogi::types::{HandPiece, PieceType};

pub(super) type ByKind<T> = [T; PieceType::COUNT];

/// The bonus of the side to move.
pub(super) const TEMPO_BONUS: i32 = 20;

/// The value of a piece on the board. A promoted small piece is worth almost a gold. Losing that piece costs less, as
/// the opponent gets only the unpromoted piece.
pub(super) const BOARD_VALUE: ByKind<i32> = [
    0, 100, 280, 300, 450, 720, 860, 520, 0, 490, 490, 500, 510, 1000, 1180, 0,
];

/// The value of a piece in hand. A piece in hand is worth more than on the board, as it can be dropped anywhere.
pub(super) const HAND_VALUE: [i32; HandPiece::COUNT] = {
    let mut worth = [0; HandPiece::COUNT];
    worth[HandPiece::PAWN.to_index()] = 100;
    worth[HandPiece::LANCE.to_index()] = 290;
    worth[HandPiece::KNIGHT.to_index()] = 310;
    worth[HandPiece::SILVER.to_index()] = 475;
    worth[HandPiece::BISHOP.to_index()] = 760;
    worth[HandPiece::ROOK.to_index()] = 910;
    worth[HandPiece::GOLD.to_index()] = 540;
    worth
};

/// The change of material when a piece is captured: its owner loses it, and the other side holds it.
pub(super) const CAPTURE_GAIN: ByKind<i32> = {
    let mut swing = [0; PieceType::COUNT];
    let mut kind = 1;
    while kind < PieceType::COUNT - 1 {
        let demoted = if kind > 8 { kind - 8 } else { kind };
        if demoted != 8 {
            swing[kind] = BOARD_VALUE[kind] + HAND_VALUE[demoted - 1];
        }
        kind += 1;
    }
    swing
};

/// The value of a piece by its rank. Pawns gain as they advance. Silvers and knights should leave the back rank but are
/// easily chased when far advanced. Golds should stay home.
pub(super) const RANK_VALUE: ByKind<[i32; 9]> = [
    [0; 9],
    [0, 20, 20, 18, 12, 4, 0, 0, 0],          // pawn
    [0, 0, 0, 0, 0, 0, 0, 0, 5],              // lance
    [0, 0, 10, 10, -10, -12, 0, 0, 0],        // knight
    [10, 20, 25, 25, 20, 14, 8, -2, -14],     // silver
    [0, 0, 0, 0, 0, 0, 0, 0, -5],             // bishop
    [30, 30, 25, 0, 0, 0, -5, 0, 0],          // rook
    [-20, 0, 10, 5, 0, -2, 0, 2, -4],         // gold
    [150, 130, 100, 0, -60, -60, -50, -8, 0], // king
    [0; 9],
    [0; 9],
    [0; 9],
    [0; 9],
    [0; 9],
    [0; 9],
    [0; 9],
];

/// The value of the king on its two back ranks, by file. Castles are on the sides, not in the middle.
pub(super) const KING_FILE_VALUE: [i32; 9] = [10, 24, 14, -4, -16, -4, 14, 24, 10];

/// The value of a piece by its distance (in king moves) from its owner's king, in centipawns.
pub(super) const OWN_KING_DISTANCE_VALUE: ByKind<[i32; 4]> = {
    let mut values = [[0; 4]; PieceType::COUNT];
    values[PieceType::PAWN.to_index()] = [0, 8, 4, 0];
    values[PieceType::KNIGHT.to_index()] = [0, 6, 2, 0];
    values[PieceType::LANCE.to_index()] = [0, 4, 0, 0];
    values[PieceType::SILVER.to_index()] = [0, 22, 12, 0];
    values[PieceType::GOLD.to_index()] = [0, 30, 18, 4];
    values[PieceType::HORSE.to_index()] = [0, 60, 40, 20];
    values
};

/// The value of a piece by its distance (in king moves) from the opponent's king, in centipawns.
pub(super) const ENEMY_KING_DISTANCE_VALUE: ByKind<[i32; 4]> = {
    let mut values = [[0; 4]; PieceType::COUNT];
    values[PieceType::SILVER.to_index()] = [0, 25, 20, 8];
    values[PieceType::GOLD.to_index()] = [0, 35, 25, 8];
    values[PieceType::PRO_PAWN.to_index()] = [0, 70, 50, 20];
    values[PieceType::PRO_LANCE.to_index()] = [0, 60, 45, 15];
    values[PieceType::PRO_KNIGHT.to_index()] = [0, 60, 45, 15];
    values[PieceType::PRO_SILVER.to_index()] = [0, 60, 45, 15];
    values[PieceType::HORSE.to_index()] = [0, 30, 25, 15];
    values[PieceType::DRAGON.to_index()] = [0, 30, 25, 15];
    values
};

/// The number of distances from a king that have different values. The last one includes all larger distances.
pub(super) const DISTANCE_COUNT: usize = 6;

/// The value of each reachable square, in quarters of a centipawn, by its distance from the opponent's king.
pub(super) const ENEMY_KING_REACH_VALUE: [i32; DISTANCE_COUNT] = [0, 64, 40, 25, 17, 10];

/// The value of each reachable square, in quarters of a centipawn, by its distance from the king of the piece's owner.
pub(super) const OWN_KING_REACH_VALUE: [i32; DISTANCE_COUNT] = [0, 40, 25, 15, 9, 5];

/// The weight of each square next to a king that a piece attacks, in attack units. Next to its owner's king, the piece
/// defends the square.
pub(super) const ATTACK_UNITS: ByKind<i32> = [0, 1, 1, 2, 3, 3, 4, 3, 0, 4, 4, 4, 4, 4, 5, 0];

pub(super) const HAND_ATTACK_UNITS: [i32; HandPiece::COUNT] = {
    let mut units = [0; HandPiece::COUNT];
    units[HandPiece::LANCE.to_index()] = 1;
    units[HandPiece::KNIGHT.to_index()] = 2;
    units[HandPiece::SILVER.to_index()] = 3;
    units[HandPiece::BISHOP.to_index()] = 3;
    units[HandPiece::ROOK.to_index()] = 4;
    units[HandPiece::GOLD.to_index()] = 4;
    units
};

/// The weight of an attacked square next to the king that only the king defends, in attack units.
pub(super) const UNDEFENDED_SQUARE_UNITS: i32 = 4;

/// The value of an attack unit that the defence does not answer, in centipawns. A steeper growth was tried: it was not
/// more accurate, and less stable.
pub(super) const ATTACK_UNIT_VALUE: i32 = 14;

/// The maximum number of attack units that count. A stronger attack wins in any case.
pub(super) const MAX_ATTACK_UNITS: i32 = 80;
