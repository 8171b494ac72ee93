//! The orientation of a board by the coordinates beside it.
//!
//! Files are numbered from right to left and ranks from top to bottom as Black sees them. No number is recognized: 一 is
//! the lowest letter of the ranks, 1 is the narrowest of the files, and a 9 is a rotated 6.

use crate::grid::{Grid, PICTURE_SIDE, Point};
use crate::picture::Picture;
use crate::templates::{SquarePicture, correlation};

/// The number of steps along the side of a square.
const STEPS_PER_SQUARE: f32 = 40.0;
/// The distance from the outer lines up to which coordinates are searched, in steps.
const SEARCH_DEPTH: u8 = 32;
/// The part of a square at each end that contains no part of a coordinate, in squares.
const END_MARGIN: f32 = 0.12;
const STEPS_BETWEEN_MARGINS: u8 = 31;
/// A point is ink where its contrast is above this share of the greatest contrast.
const MIN_INK_SHARE: f32 = 0.4;
/// The least contrast of the clearest point of a coordinate, in grey levels.
const MIN_INK_CONTRAST: f32 = 30.0;
/// The greatest extent of the smallest coordinate, as a share of the second smallest.
const MAX_SIZE_RATIO: f32 = 0.7;
/// The least correlation of a 9 and a rotated 6.
const MIN_ROTATED_CORRELATION: f32 = 0.7;
/// The least lead of this correlation over that of the 9 and the 6 as it stands.
const MIN_ROTATION_GAIN: f32 = 0.1;
/// The least lead of this correlation over the correlation of the two numbers at the mirrored positions.
const MIN_ROTATED_CORRELATION_LEAD: f32 = 0.25;

/// An edge of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

/// A number beside the board.
struct Coordinate {
    /// The extent along the edge, in steps.
    extent: f32,
    /// The column and row of the middle, in squares from the top left corner of the board.
    middle: Point,
    /// The larger one of both extents, in squares.
    side: f32,
}

/// Returns whether White is at the bottom of a board. `None` without coordinates, and where they are unclear or
/// disagree.
pub fn is_rotated(picture: &Picture, grid: &Grid) -> Option<bool> {
    let rotated = |edge: Edge| {
        let coordinates = coordinates(picture, grid, edge)?;
        let one = smallest_end(coordinates.each_ref().map(|coordinate| coordinate.extent));
        let nine = one
            .map(|end| 8 - end)
            .or_else(|| end_of_nine(picture, grid, &coordinates))?;
        Some(match edge {
            Edge::Left | Edge::Right => nine == 0,
            Edge::Top | Edge::Bottom => nine == 8,
        })
    };
    let mut votes = [Edge::Right, Edge::Left, Edge::Top, Edge::Bottom]
        .into_iter()
        .filter_map(rotated);
    let first = votes.next()?;
    votes.all(|other| other == first).then_some(first)
}

/// Returns the end, 0 or 8, of a 9 that is the 6 beside it, rotated. `None` where no end clearly is.
fn end_of_nine(picture: &Picture, grid: &Grid, coordinates: &[Coordinate; 9]) -> Option<usize> {
    let side = coordinates
        .iter()
        .map(|coordinate| coordinate.side)
        .fold(0.0, f32::max);
    let pictures = coordinates.each_ref().map(|Coordinate { middle, .. }| {
        let mut values: SquarePicture = [0.0; PICTURE_SIDE * PICTURE_SIDE];
        grid.read_area(
            picture,
            (middle.0 - side / 2.0, middle.1 - side / 2.0),
            side,
            &mut values,
        );
        values
    });
    // A block or a letter that is the same when rotated is no 6.
    let likeness = |six: usize, nine: usize| {
        let (six, nine) = (pictures.get(six)?, pictures.get(nine)?);
        let mut rotated = *six;
        rotated.reverse();
        let rotated = correlation(&rotated, nine);
        Some(if rotated > correlation(six, nine) + MIN_ROTATION_GAIN {
            rotated
        } else {
            0.0
        })
    };
    let (at_start, at_end) = (likeness(3, 0)?, likeness(5, 8)?);
    let is_clear = at_start.max(at_end) >= MIN_ROTATED_CORRELATION
        && (at_start - at_end).abs() >= MIN_ROTATED_CORRELATION_LEAD;
    is_clear.then_some(if at_start > at_end { 0 } else { 8 })
}

/// Returns the end, 0 or 8, with the clearly smallest of nine coordinates. `None` where a coordinate
/// between the ends is the smallest, or the second smallest is hardly larger.
fn smallest_end(sizes: [f32; 9]) -> Option<usize> {
    let mut sorted = sizes;
    sorted.sort_by(f32::total_cmp);
    let [smallest, second, ..] = sorted;
    let is_clear = smallest <= MAX_SIZE_RATIO * second;
    [0, 8]
        .into_iter()
        .find(|end| is_clear && sizes.get(*end) == Some(&smallest))
}

/// Returns the nine coordinates along an edge. `None` where a square has no coordinate.
fn coordinates(picture: &Picture, grid: &Grid, edge: Edge) -> Option<[Coordinate; 9]> {
    let found: Option<Vec<_>> = (0_u8..9)
        .map(|square| coordinate(picture, grid, edge, f32::from(square)))
        .collect();
    found?.try_into().ok()
}

/// Returns the coordinate beside a square. `None` where no coordinate is clear, or where it reaches a margin.
fn coordinate(picture: &Picture, grid: &Grid, edge: Edge, square: f32) -> Option<Coordinate> {
    let position = |along: f32, across: f32| {
        let along = square + END_MARGIN + along / STEPS_PER_SQUARE;
        let across = across / STEPS_PER_SQUARE;
        match edge {
            Edge::Top => (along, -across),
            Edge::Bottom => (along, 9.0 + across),
            Edge::Left => (-across, along),
            Edge::Right => (9.0 + across, along),
        }
    };
    let value = |along: u8, across: u8| {
        let (column, row) = position(f32::from(along), f32::from(across) + 0.5);
        let (x, y) = grid.pixel(column, row);
        picture.interpolate(x, y)
    };
    // The background of a layer is the mean of its two ends. So lines along the edge are no ink.
    let layers: Vec<(u8, Vec<f32>)> = (0..SEARCH_DEPTH)
        .map(|across| {
            let ground = value(0, across).midpoint(value(STEPS_BETWEEN_MARGINS - 1, across));
            (
                across,
                (0..STEPS_BETWEEN_MARGINS)
                    .map(|along| (value(along, across) - ground).abs())
                    .collect(),
            )
        })
        .collect();
    let most = layers
        .iter()
        .flat_map(|(_, layer)| layer)
        .copied()
        .fold(0.0, f32::max);
    if most < MIN_INK_CONTRAST {
        return None;
    }
    let is_ink = |value: &f32| *value > MIN_INK_SHARE * most;
    let has_ink = |(_, layer): &(u8, Vec<f32>)| layer.iter().any(is_ink);
    let number = layers
        .chunk_by(|one, other| has_ink(one) == has_ink(other))
        .filter(|run| run.first().is_some_and(has_ink));
    let number = number.max_by_key(|run| run.len())?;
    let inked = |along: &u8| {
        number
            .iter()
            .filter_map(|(_, layer)| layer.get(usize::from(*along)))
            .any(is_ink)
    };
    let (first, last) = (
        (0..STEPS_BETWEEN_MARGINS).find(inked)?,
        (0..STEPS_BETWEEN_MARGINS).rev().find(inked)?,
    );
    if first == 0 || last + 1 == STEPS_BETWEEN_MARGINS {
        return None;
    }
    let (extent, depth) = (f32::from(last - first + 1), number.len() as f32);
    let middle = position(
        f32::from(first.midpoint(last)),
        f32::from(number.first()?.0) + depth / 2.0,
    );
    Some(Coordinate {
        extent,
        middle,
        side: extent.max(depth) / STEPS_PER_SQUARE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE_SIZE: i64 = 40;
    /// The picture's width and height.
    const PICTURE_SIZE: usize = 520;

    /// A dark rectangle beside the board: its top left corner from the middle of the coordinate, and its size.
    type Rectangle = ((i64, i64), (i64, i64));

    fn block((width, height): (i64, i64)) -> Vec<Rectangle> {
        vec![((-width / 2, -height / 2), (width, height))]
    }

    /// Reads a board with squares of 40 pixels from (60, 60). These coordinates are beside it.
    fn is_board_rotated(
        ranks: Option<&[Vec<Rectangle>; 9]>,
        files: Option<&[Vec<Rectangle>; 9]>,
    ) -> Option<bool> {
        let mut picture = Picture::new(PICTURE_SIZE, PICTURE_SIZE, vec![200; PICTURE_SIZE * PICTURE_SIZE])
            .expect("a square");
        let mut draw = |middle: (i64, i64), coordinate: &[Rectangle]| {
            for (corner, (width, height)) in coordinate {
                let (x, y) = (middle.0 + corner.0, middle.1 + corner.1);
                picture.fill((x, y), (x + width, y + height), 40);
            }
        };
        let middle = |square: i64| 60 + SQUARE_SIZE / 2 + square * SQUARE_SIZE;
        for (square, rank) in (0..).zip(ranks.into_iter().flatten()) {
            draw((60 + 9 * SQUARE_SIZE + 14, middle(square)), rank);
        }
        for (square, file) in (0..).zip(files.into_iter().flatten()) {
            draw((middle(square), 46), file);
        }
        // The edge of the board runs along all coordinates.
        draw((60 + 9 * SQUARE_SIZE + 26, 260), &block((3, 500)));
        let (near, far) = (60.0, 420.0);
        let grid = Grid::new([(near, near), (far, near), (far, far), (near, far)]).expect("a square");
        is_rotated(&picture, &grid)
    }

    /// Returns the coordinates in the opposite order.
    fn reversed(coordinates: &[Vec<Rectangle>; 9]) -> [Vec<Rectangle>; 9] {
        std::array::from_fn(|square| coordinates[8 - square].clone())
    }

    #[test]
    fn coordinates_show_the_side_at_the_bottom() {
        let ranks = [
            (14, 3),
            (14, 10),
            (14, 12),
            (14, 12),
            (14, 13),
            (14, 12),
            (14, 13),
            (14, 10),
            (14, 13),
        ]
        .map(block);
        let files = [
            (10, 14),
            (9, 14),
            (9, 14),
            (10, 14),
            (9, 14),
            (10, 14),
            (9, 14),
            (9, 14),
            (4, 14),
        ]
        .map(block);
        assert_eq!(is_board_rotated(Some(&ranks), Some(&files)), Some(false));
        assert_eq!(
            is_board_rotated(Some(&reversed(&ranks)), Some(&reversed(&files))),
            Some(true)
        );
        assert_eq!(is_board_rotated(Some(&reversed(&ranks)), None), Some(true));
        assert_eq!(is_board_rotated(None, Some(&files)), Some(false));
        assert_eq!(
            is_board_rotated(Some(&ranks), Some(&reversed(&files))),
            None,
            "they disagree"
        );
        assert_eq!(is_board_rotated(None, None), None);
        assert_eq!(
            is_board_rotated(Some(&[(14, 12); 9].map(block)), None),
            None,
            "all alike"
        );
        let mut letters = [(10, 12); 9];
        letters[8] = (4, 9);
        assert_eq!(is_board_rotated(Some(&letters.map(block)), None), None, "a to i");
    }

    #[test]
    fn a_nine_is_a_rotated_six() {
        // The 1 is as wide as the others, as that of many fonts. The bars are the middle and the ends of each number.
        let (top, middle, bottom) = (((-5, -7), (10, 3)), ((-5, -1), (10, 2)), ((-5, 4), (10, 3)));
        let (left, right) = (((-5, -7), (3, 14)), ((2, -7), (3, 14)));
        let (upper_left, upper_right) = (((-5, -7), (3, 7)), ((2, -7), (3, 7)));
        let (lower_left, lower_right) = (((-5, 0), (3, 7)), ((2, 0), (3, 7)));
        let ranks = [
            vec![((-1, -7), (3, 14)), bottom],
            vec![top, upper_right, middle, lower_left, bottom],
            vec![top, right, middle, bottom],
            vec![upper_left, middle, right],
            vec![top, upper_left, middle, lower_right, bottom],
            vec![top, left, middle, lower_right, bottom],
            vec![top, right],
            vec![top, left, right, middle, bottom],
            vec![top, upper_left, middle, right, bottom],
        ];
        assert_eq!(is_board_rotated(Some(&ranks), None), Some(false));
        assert_eq!(is_board_rotated(Some(&reversed(&ranks)), None), Some(true));
        assert_eq!(is_board_rotated(None, Some(&reversed(&ranks))), Some(false));
        assert_eq!(
            is_board_rotated(Some(&ranks), Some(&ranks)),
            None,
            "they disagree"
        );
    }
}
