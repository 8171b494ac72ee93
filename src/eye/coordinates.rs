//! Which way up a board is, told by the numbers beside it.
//!
//! Files are numbered from right to left and ranks from top to bottom as Black sees them. No number has to be read: of the ranks 一 is
//! the lowest letter, of the files 1 is the narrowest.

use crate::grid::Grid;
use crate::picture::Picture;

/// The steps for each square.
const STEPS: f32 = 40.0;
/// How far from the outer lines numbers are looked for, in steps.
const DEPTH: u8 = 32;
/// The share of a square at each end that no number reaches into.
const MARGIN: f32 = 0.12;
/// The steps between.
const LENGTH: u8 = 31;
/// A point that is so far from the ground, as a share of the largest difference, belongs to the number.
const INK: f32 = 0.4;
/// Numbers differ from their ground by at least so many greys.
const LEAST_CONTRAST: f32 = 30.0;
/// The number at one end is at most this share of the next smallest one.
const SMALLEST: f32 = 0.7;

/// A side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    Top,
    Bottom,
    Left,
    Right,
}

/// Returns whether White is at the bottom of a board. `None` where the numbers beside it do not say so, or there are none.
pub fn is_turned(picture: &Picture, grid: &Grid) -> Option<bool> {
    let turned = |edge: Edge| {
        let end = smallest_end(number_lengths(picture, grid, edge)?)?;
        Some(match edge {
            Edge::Left | Edge::Right => end == 8,
            Edge::Top | Edge::Bottom => end == 0,
        })
    };
    let mut said = [Edge::Right, Edge::Left, Edge::Top, Edge::Bottom].into_iter().filter_map(turned);
    let first = said.next()?;
    said.all(|other| other == first).then_some(first)
}

/// Returns the end, 0 or 8, at which the by far smallest of nine numbers is.
fn smallest_end(sizes: [f32; 9]) -> Option<usize> {
    let mut sorted = sizes;
    sorted.sort_by(f32::total_cmp);
    let [smallest, second, ..] = sorted;
    let is_clear = smallest <= SMALLEST * second;
    [0, 8].into_iter().find(|end| is_clear && sizes.get(*end) == Some(&smallest))
}

/// Returns how long each of the nine numbers beside an edge is along it, in steps. `None` where a square has none.
fn number_lengths(picture: &Picture, grid: &Grid, edge: Edge) -> Option<[f32; 9]> {
    let mut lengths = [0.0; 9];
    for (place, length) in (0_u8..).zip(&mut lengths) {
        *length = number_length(picture, grid, edge, f32::from(place))?;
    }
    Some(lengths)
}

fn number_length(picture: &Picture, grid: &Grid, edge: Edge, place: f32) -> Option<f32> {
    let value = |along: u8, across: u8| {
        let along = place + MARGIN + f32::from(along) / STEPS;
        let across = (f32::from(across) + 0.5) / STEPS;
        let (column, row) = match edge {
            Edge::Top => (along, -across),
            Edge::Bottom => (along, 9.0 + across),
            Edge::Left => (-across, along),
            Edge::Right => (9.0 + across, along),
        };
        let (x, y) = grid.pixel(column, row);
        picture.at(x, y)
    };
    // In a layer along the edge the ground is what both ends show: so lines along the edge are no ink.
    let layers: Vec<Vec<f32>> = (0..DEPTH)
        .map(|across| {
            let ground = value(0, across).midpoint(value(LENGTH - 1, across));
            (0..LENGTH).map(|along| (value(along, across) - ground).abs()).collect()
        })
        .collect();
    let most = layers.iter().flatten().copied().fold(0.0, f32::max);
    let has_ink = |layer: &Vec<f32>| layer.iter().any(|value| *value > INK * most);
    let number =
        layers.chunk_by(|one, other| has_ink(one) == has_ink(other)).filter(|run| run.first().is_some_and(has_ink));
    let number = number.max_by_key(|run| run.len()).filter(|_| most >= LEAST_CONTRAST)?;
    let inked =
        |along: &u8| number.iter().filter_map(|layer| layer.get(usize::from(*along))).any(|value| *value > INK * most);
    let (first, last) = ((0..LENGTH).find(inked)?, (0..LENGTH).rev().find(inked)?);
    let is_whole = first > 0 && last + 1 < LENGTH;
    is_whole.then(|| f32::from(last - first + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: i64 = 40;
    /// The picture's width and height.
    const SIZE: usize = 520;

    /// A board of 40 pixels a square from (60, 60), and beside it one mark a square, of these widths and heights.
    fn is_board_turned(ranks: Option<[(i64, i64); 9]>, files: Option<[(i64, i64); 9]>) -> Option<bool> {
        let mut picture = Picture::new(SIZE, SIZE, vec![200; SIZE * SIZE]).expect("a square");
        let mut mark = |middle: (i64, i64), (width, height): (i64, i64)| {
            let (x, y) = (middle.0 - width / 2, middle.1 - height / 2);
            picture.fill((x, y), (x + width, y + height), 40);
        };
        let middle = |place: i64| 60 + SQUARE / 2 + place * SQUARE;
        for (place, size) in (0..).zip(ranks.into_iter().flatten()) {
            mark((60 + 9 * SQUARE + 14, middle(place)), size);
        }
        for (place, size) in (0..).zip(files.into_iter().flatten()) {
            mark((middle(place), 46), size);
        }
        // The edge of the board runs along all numbers.
        mark((60 + 9 * SQUARE + 26, 260), (3, 500));
        let (near, far) = (60.0, 420.0);
        let grid = Grid::new([(near, near), (far, near), (far, far), (near, far)]).expect("a square");
        is_turned(&picture, &grid)
    }

    #[test]
    fn numbers_tell_who_is_at_the_bottom() {
        let ranks = [(14, 3), (14, 10), (14, 12), (14, 12), (14, 13), (14, 12), (14, 13), (14, 10), (14, 13)];
        let files = [(10, 14), (9, 14), (9, 14), (10, 14), (9, 14), (10, 14), (9, 14), (9, 14), (4, 14)];
        let reversed = |sizes: [(i64, i64); 9]| std::array::from_fn(|place| sizes[8 - place]);
        assert_eq!(is_board_turned(Some(ranks), Some(files)), Some(false));
        assert_eq!(is_board_turned(Some(reversed(ranks)), Some(reversed(files))), Some(true));
        assert_eq!(is_board_turned(Some(reversed(ranks)), None), Some(true));
        assert_eq!(is_board_turned(None, Some(files)), Some(false));
        assert_eq!(is_board_turned(Some(ranks), Some(reversed(files))), None, "they disagree");
        assert_eq!(is_board_turned(None, None), None);
        assert_eq!(is_board_turned(Some([(14, 12); 9]), None), None, "all alike");
        let mut letters = [(10, 12); 9];
        letters[8] = (4, 9);
        assert_eq!(is_board_turned(Some(letters), None), None, "a to i");
    }
}
