//! The movement of the pieces, without a board.

use shogibar_shogi::{Color, PieceKind, Square};
use std::sync::LazyLock;

/// One of the eight directions, as Black sees them: 0 is forward, then clockwise. The opposite of a direction is 4
/// further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Direction(u8);

/// A set of directions, with a bit for each.
type Directions = u8;

const ORTHOGONAL_DIRECTIONS: Directions = 0b0101_0101;
const DIAGONAL_DIRECTIONS: Directions = 0b1010_1010;
const ALL_DIRECTIONS: Directions = 0b1111_1111;
const FORWARD_DIRECTION: Directions = 0b0000_0001;
/// The three directions forward: straight and diagonal.
const FRONT_DIRECTIONS: Directions = 0b1000_0011;

/// The change of file and rank in each direction. A file to the right has the lower number.
const DIRECTION_STEPS: [[i8; 2]; 8] = [
    [0, -1],
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, 1],
    [1, 1],
    [1, 0],
    [1, -1],
];

impl Direction {
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    pub(crate) const fn opposite(self) -> Self {
        Self((self.0 + 4) % 8)
    }

    const fn is_in(self, directions: Directions) -> bool {
        directions & (1 << self.0) != 0
    }

    const fn seen_by(self, side: Color) -> Self {
        match side {
            Color::Black => self,
            Color::White => self.opposite(),
        }
    }
}

const fn steps(kind: PieceKind) -> Directions {
    match kind {
        PieceKind::Pawn => FORWARD_DIRECTION,
        PieceKind::Silver => FRONT_DIRECTIONS | DIAGONAL_DIRECTIONS,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => FRONT_DIRECTIONS | ORTHOGONAL_DIRECTIONS,
        PieceKind::King => ALL_DIRECTIONS,
        PieceKind::Horse => ORTHOGONAL_DIRECTIONS,
        PieceKind::Dragon => DIAGONAL_DIRECTIONS,
        PieceKind::Lance | PieceKind::Knight | PieceKind::Bishop | PieceKind::Rook => 0,
    }
}

const fn slides(kind: PieceKind) -> Directions {
    match kind {
        PieceKind::Lance => FORWARD_DIRECTION,
        PieceKind::Bishop | PieceKind::Horse => DIAGONAL_DIRECTIONS,
        PieceKind::Rook | PieceKind::Dragon => ORTHOGONAL_DIRECTIONS,
        _ => 0,
    }
}

/// Returns whether a piece of `side` reaches the square `distance` squares away in a direction on an empty board. The
/// jump of a knight is not included.
pub(crate) const fn reaches(kind: PieceKind, side: Color, direction: Direction, distance: usize) -> bool {
    let direction = direction.seen_by(side);
    direction.is_in(slides(kind)) || distance == 1 && direction.is_in(steps(kind))
}

/// Returns the range of a piece of `side` in a direction: 0, 1 or 8 squares.
pub(crate) const fn range(kind: PieceKind, side: Color, direction: Direction) -> usize {
    let direction = direction.seen_by(side);
    if direction.is_in(slides(kind)) {
        8
    } else if direction.is_in(steps(kind)) {
        1
    } else {
        0
    }
}

/// Returns the squares from `square` to the edge in a direction, without `square` itself, the nearest first.
pub(crate) fn ray(square: Square, direction: Direction) -> &'static [Square] {
    static RAYS: LazyLock<Vec<[Vec<Square>; 8]>> = LazyLock::new(|| {
        let rays = |square| std::array::from_fn(|direction| walk(square, direction));
        Square::all().map(rays).collect()
    });
    let rays = RAYS
        .get(square.index())
        .and_then(|rays| rays.get(usize::from(direction.0)));
    rays.map_or(&[], Vec::as_slice)
}

/// Returns the squares from `square` to the edge in a direction, without `square` itself.
fn walk(square: Square, direction: usize) -> Vec<Square> {
    let Some([file, rank]) = DIRECTION_STEPS.get(direction).copied() else {
        return Vec::new();
    };
    std::iter::successors(shifted(square, file, rank), |square| shifted(*square, file, rank)).collect()
}

/// Returns the square that is some files and ranks away; `None` off the board.
fn shifted(square: Square, file: i8, rank: i8) -> Option<Square> {
    Square::new(
        square.file().checked_add_signed(file)?,
        square.rank().checked_add_signed(rank)?,
    )
}

/// Returns the squares to which a knight of `side` jumps.
pub(crate) fn jumps(square: Square, side: Color) -> impl Iterator<Item = Square> {
    let forward = if side == Color::Black { -2 } else { 2 };
    [-1, 1]
        .into_iter()
        .filter_map(move |file| shifted(square, file, forward))
}

/// Returns the rank as `side` counts it: 1 is the farthest, 9 the nearest.
pub(crate) const fn rank_of(square: Square, side: Color) -> u8 {
    match side {
        Color::Black => square.rank(),
        Color::White => 10 - square.rank(),
    }
}

/// Returns whether a square lies in the camp of the opponent of `side`.
pub(crate) const fn is_in_camp(square: Square, side: Color) -> bool {
    rank_of(square, side) <= 3
}

/// Returns whether a piece of `side` has a move from a square on an empty board.
pub(crate) const fn can_stand(kind: PieceKind, side: Color, square: Square) -> bool {
    match kind {
        PieceKind::Pawn | PieceKind::Lance => rank_of(square, side) > 1,
        PieceKind::Knight => rank_of(square, side) > 2,
        _ => true,
    }
}

/// Returns the direction from one square to another; `None` unless they lie on a rank, a file or a diagonal.
pub(crate) fn direction_between(from: Square, to: Square) -> Option<Direction> {
    Direction::all().find(|direction| ray(from, *direction).contains(&to))
}
