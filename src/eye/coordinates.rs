//! The orientation of a board by the coordinates beside it.
//!
//! Files are numbered from right to left and ranks from top to bottom as Black sees them. No number is recognized: 一 is
//! the lowest letter of the ranks, and 1 is the narrowest of the files.

use crate::grid::Grid;
use crate::picture::Picture;

/// The number of steps along the side of a square.
const STEPS_PER_SQUARE: f32 = 40.0;
/// The distance from the outer lines up to which coordinates are searched, in steps.
const SEARCH_DEPTH: u8 = 32;
/// The part of a square at each end that contains no part of a coordinate, in squares.
const END_MARGIN: f32 = 0.12;
/// The number of steps between the margins.
const STEPS_BETWEEN_MARGINS: u8 = 31;
/// A point is ink where its contrast is above this share of the greatest contrast.
const MIN_INK_SHARE: f32 = 0.4;
/// The least contrast of the clearest point of a coordinate, in grey levels.
const MIN_INK_CONTRAST: f32 = 30.0;
/// The greatest extent of the smallest coordinate, as a share of the second smallest.
const MAX_SIZE_RATIO: f32 = 0.7;

/// An edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

/// Returns whether White is at the bottom of a board. `None` without coordinates, and where they are unclear or
/// disagree.
pub fn is_rotated(picture: &Picture, grid: &Grid) -> Option<bool> {
    let rotated = |edge: Edge| {
        let end = smallest_end(coordinate_lengths(picture, grid, edge)?)?;
        Some(match edge {
            Edge::Left | Edge::Right => end == 8,
            Edge::Top | Edge::Bottom => end == 0,
        })
    };
    let mut votes = [Edge::Right, Edge::Left, Edge::Top, Edge::Bottom].into_iter().filter_map(rotated);
    let first = votes.next()?;
    votes.all(|other| other == first).then_some(first)
}

/// Returns the end, 0 or 8, with the clearly smallest of nine coordinates. `None` where a coordinate
/// between the ends is the smallest, or the second smallest is hardly larger.
fn smallest_end(sizes: [f32; 9]) -> Option<usize> {
    let mut sorted = sizes;
    sorted.sort_by(f32::total_cmp);
    let [smallest, second, ..] = sorted;
    let is_clear = smallest <= MAX_SIZE_RATIO * second;
    [0, 8].into_iter().find(|end| is_clear && sizes.get(*end) == Some(&smallest))
}

/// Returns the extents of the nine coordinates along an edge, in steps. `None` where a square has no coordinate.
fn coordinate_lengths(picture: &Picture, grid: &Grid, edge: Edge) -> Option<[f32; 9]> {
    let mut lengths = [0.0; 9];
    for (square, length) in (0_u8..).zip(&mut lengths) {
        *length = coordinate_length(picture, grid, edge, f32::from(square))?;
    }
    Some(lengths)
}

/// Returns the extent of the coordinate beside a square, along the edge, in steps. `None` where no coordinate is clear,
/// or where it reaches a margin.
fn coordinate_length(picture: &Picture, grid: &Grid, edge: Edge, square: f32) -> Option<f32> {
    let value = |along: u8, across: u8| {
        let along = square + END_MARGIN + f32::from(along) / STEPS_PER_SQUARE;
        let across = (f32::from(across) + 0.5) / STEPS_PER_SQUARE;
        let (column, row) = match edge {
            Edge::Top => (along, -across),
            Edge::Bottom => (along, 9.0 + across),
            Edge::Left => (-across, along),
            Edge::Right => (9.0 + across, along),
        };
        let (x, y) = grid.pixel(column, row);
        picture.interpolate(x, y)
    };
    // The background of a layer is the mean of its two ends. So lines along the edge are no ink.
    let layers: Vec<Vec<f32>> = (0..SEARCH_DEPTH)
        .map(|across| {
            let ground = value(0, across).midpoint(value(STEPS_BETWEEN_MARGINS - 1, across));
            (0..STEPS_BETWEEN_MARGINS).map(|along| (value(along, across) - ground).abs()).collect()
        })
        .collect();
    let most = layers.iter().flatten().copied().fold(0.0, f32::max);
    let has_ink = |layer: &Vec<f32>| layer.iter().any(|value| *value > MIN_INK_SHARE * most);
    let number =
        layers.chunk_by(|one, other| has_ink(one) == has_ink(other)).filter(|run| run.first().is_some_and(has_ink));
    let number = number.max_by_key(|run| run.len()).filter(|_| most >= MIN_INK_CONTRAST)?;
    let inked = |along: &u8| {
        number.iter().filter_map(|layer| layer.get(usize::from(*along))).any(|value| *value > MIN_INK_SHARE * most)
    };
    let (first, last) = ((0..STEPS_BETWEEN_MARGINS).find(inked)?, (0..STEPS_BETWEEN_MARGINS).rev().find(inked)?);
    let is_whole = first > 0 && last + 1 < STEPS_BETWEEN_MARGINS;
    is_whole.then(|| f32::from(last - first + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE_SIZE: i64 = 40;
    /// The picture's width and height.
    const PICTURE_SIZE: usize = 520;

    /// Reads a board with squares of 40 pixels from (60, 60). Marks of these widths and heights are beside it.
    fn is_board_rotated(ranks: Option<[(i64, i64); 9]>, files: Option<[(i64, i64); 9]>) -> Option<bool> {
        let mut picture =
            Picture::new(PICTURE_SIZE, PICTURE_SIZE, vec![200; PICTURE_SIZE * PICTURE_SIZE]).expect("a square");
        let mut mark = |middle: (i64, i64), (width, height): (i64, i64)| {
            let (x, y) = (middle.0 - width / 2, middle.1 - height / 2);
            picture.fill((x, y), (x + width, y + height), 40);
        };
        let middle = |square: i64| 60 + SQUARE_SIZE / 2 + square * SQUARE_SIZE;
        for (square, size) in (0..).zip(ranks.into_iter().flatten()) {
            mark((60 + 9 * SQUARE_SIZE + 14, middle(square)), size);
        }
        for (square, size) in (0..).zip(files.into_iter().flatten()) {
            mark((middle(square), 46), size);
        }
        // The edge of the board runs along all coordinates.
        mark((60 + 9 * SQUARE_SIZE + 26, 260), (3, 500));
        let (near, far) = (60.0, 420.0);
        let grid = Grid::new([(near, near), (far, near), (far, far), (near, far)]).expect("a square");
        is_rotated(&picture, &grid)
    }

    #[test]
    fn coordinates_show_the_side_at_the_bottom() {
        let ranks = [(14, 3), (14, 10), (14, 12), (14, 12), (14, 13), (14, 12), (14, 13), (14, 10), (14, 13)];
        let files = [(10, 14), (9, 14), (9, 14), (10, 14), (9, 14), (10, 14), (9, 14), (9, 14), (4, 14)];
        let reversed = |sizes: [(i64, i64); 9]| std::array::from_fn(|square| sizes[8 - square]);
        assert_eq!(is_board_rotated(Some(ranks), Some(files)), Some(false));
        assert_eq!(is_board_rotated(Some(reversed(ranks)), Some(reversed(files))), Some(true));
        assert_eq!(is_board_rotated(Some(reversed(ranks)), None), Some(true));
        assert_eq!(is_board_rotated(None, Some(files)), Some(false));
        assert_eq!(is_board_rotated(Some(ranks), Some(reversed(files))), None, "they disagree");
        assert_eq!(is_board_rotated(None, None), None);
        assert_eq!(is_board_rotated(Some([(14, 12); 9]), None), None, "all alike");
        let mut letters = [(10, 12); 9];
        letters[8] = (4, 9);
        assert_eq!(is_board_rotated(Some(letters), None), None, "a to i");
    }
}
