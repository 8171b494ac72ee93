//! Detection of changed squares of a board.

use crate::grid::{Grid, column_and_row};
use crate::picture::Picture;

/// The number of parts into which the width and the height of a square are divided.
const PARTS_PER_SIDE: usize = 8;
/// The greatest difference in grey levels of an unchanged part. Differences by video encoders on still pictures are
/// smaller.
const MAX_PART_NOISE: u8 = 14;
/// The least number of changed parts of a changed square.
const MIN_CHANGED_PARTS: usize = 2;

/// A small picture of a square: the mean grey of its 8 × 8 parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareThumbnail([u8; PARTS_PER_SIDE * PARTS_PER_SIDE]);

impl SquareThumbnail {
    /// Returns whether the thumbnails show different contents.
    pub fn differs(&self, other: &Self) -> bool {
        let changed = self
            .0
            .iter()
            .zip(&other.0)
            .filter(|(a, b)| a.abs_diff(**b) > MAX_PART_NOISE);
        changed.count() >= MIN_CHANGED_PARTS
    }
}

/// Returns the thumbnails of the 81 squares, from the top left, row by row.
pub fn square_thumbnails(picture: &Picture, grid: &Grid) -> Vec<SquareThumbnail> {
    (0..81)
        .map(|index| square_thumbnail(picture, grid, index))
        .collect()
}

/// Returns the thumbnail of a square, by its index from the top left, row by row.
fn square_thumbnail(picture: &Picture, grid: &Grid, index: usize) -> SquareThumbnail {
    let (column, row) = column_and_row(index);
    let at = |part: usize| part as f32 / PARTS_PER_SIDE as f32;
    let mut parts = [0; PARTS_PER_SIDE * PARTS_PER_SIDE];
    for (part, mean) in parts.iter_mut().enumerate() {
        let (x, y) = (at(part % PARTS_PER_SIDE), at(part / PARTS_PER_SIDE));
        let from = grid.pixel(column + x, row + y);
        let to = grid.pixel(column + x + at(1), row + y + at(1));
        *mean = mean_grey(picture, from, to);
    }
    SquareThumbnail(parts)
}

/// Returns the mean grey level of the rectangle between two points; 0 outside of the picture.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the picture"
)]
fn mean_grey(picture: &Picture, from: (f32, f32), to: (f32, f32)) -> u8 {
    let bound = |coordinate: f32, size: usize| (coordinate.round().max(0.0) as usize).min(size);
    let (left, top) = (bound(from.0, picture.width()), bound(from.1, picture.height()));
    let (right, bottom) = (
        bound(to.0, picture.width()).max(left + 1),
        bound(to.1, picture.height()).max(top + 1),
    );
    let (mut sum, mut count) = (0_u32, 0_u32);
    for y in top..bottom {
        for value in picture.row(y).get(left..right).unwrap_or_default() {
            sum += u32::from(*value);
            count += 1;
        }
    }
    u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the grey picture of a board of 360 × 360 pixels. `mark` is the column and row of a square whose right
    /// half is dark. `noise` is the maximum of the grey levels that are added to the pixels.
    fn picture(mark: Option<(usize, usize)>, noise: usize) -> Picture {
        let pixels = (0..360 * 360).map(|index| {
            let (x, y) = (index % 360, index / 360);
            let is_mark = mark.is_some_and(|(column, row)| (x / 40, y / 40) == (column, row) && x % 40 > 20);
            let grey = if is_mark { 60 } else { 180 };
            u8::try_from(grey + (x * 7 + y * 13) % (noise + 1)).unwrap()
        });
        Picture::new(360, 360, pixels.collect()).unwrap()
    }

    #[test]
    fn finds_the_square_that_changed() {
        let grid = Grid::new([(0.0, 0.0), (360.0, 0.0), (360.0, 360.0), (0.0, 360.0)]).unwrap();
        let thumbnails = |picture: &Picture| square_thumbnails(picture, &grid);
        let changed = |before: &Picture, after: &Picture| -> Vec<usize> {
            let (before, after) = (thumbnails(before), thumbnails(after));
            (0..81)
                .filter(|index| before[*index].differs(&after[*index]))
                .collect()
        };
        assert_eq!(
            changed(&picture(None, 0), &picture(None, 12)),
            Vec::<usize>::new()
        );
        assert_eq!(
            changed(&picture(None, 0), &picture(Some((3, 2)), 12)),
            [2 * 9 + 3]
        );
    }
}
