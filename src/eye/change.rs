//! Which squares of a board look different from before.

use crate::grid::Grid;
use crate::picture::Picture;

/// The number of parts of a square's width and height.
const PARTS: usize = 8;
/// A part whose mean grey differs by more has changed: more than what an encoder of films does to a still picture.
const PART_CHANGED: u8 = 14;
/// So many parts that have changed are a change of the square.
const LEAST_PARTS: usize = 2;

/// A small picture of a square: the mean grey of its 8 × 8 parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareThumbnail([u8; PARTS * PARTS]);

impl SquareThumbnail {
    /// Returns whether the two look different.
    pub fn differs(&self, other: &Self) -> bool {
        let changed = self.0.iter().zip(&other.0).filter(|(a, b)| a.abs_diff(**b) > PART_CHANGED);
        changed.count() >= LEAST_PARTS
    }
}

/// Returns the thumbnails of the 81 squares, from the top left, row by row.
pub fn square_thumbnails(picture: &Picture, grid: &Grid) -> Vec<SquareThumbnail> {
    (0..81).map(|place| square_thumbnail(picture, grid, place)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn square_thumbnail(picture: &Picture, grid: &Grid, place: usize) -> SquareThumbnail {
    let (column, row) = ((place % 9) as f32, (place / 9) as f32);
    let at = |part: usize| part as f32 / PARTS as f32;
    let mut parts = [0; PARTS * PARTS];
    for (part, mean) in parts.iter_mut().enumerate() {
        let (x, y) = (at(part % PARTS), at(part / PARTS));
        let from = grid.pixel(column + x, row + y);
        let to = grid.pixel(column + x + at(1), row + y + at(1));
        *mean = mean_grey(picture, from, to);
    }
    SquareThumbnail(parts)
}

/// Returns the mean grey between two pixels; 0 outside of the picture.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
fn mean_grey(picture: &Picture, from: (f32, f32), to: (f32, f32)) -> u8 {
    let bound = |place: f32, size: usize| (place.round().max(0.0) as usize).min(size);
    let (left, top) = (bound(from.0, picture.width()), bound(from.1, picture.height()));
    let (right, bottom) = (bound(to.0, picture.width()).max(left + 1), bound(to.1, picture.height()).max(top + 1));
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

    fn picture(mark: Option<(usize, usize)>, noise: usize) -> Picture {
        let pixels = (0..360 * 360).map(|place| {
            let (x, y) = (place % 360, place / 360);
            let is_mark = mark.is_some_and(|(column, row)| (x / 40, y / 40) == (column, row) && x % 40 > 20);
            let grey = if is_mark { 60 } else { 180 };
            u8::try_from(grey + (x * 7 + y * 13) % (noise + 1)).unwrap()
        });
        Picture::new(360, 360, pixels.collect()).unwrap()
    }

    #[test]
    fn tells_the_square_that_changed() {
        let grid = Grid::new([(0.0, 0.0), (360.0, 0.0), (360.0, 360.0), (0.0, 360.0)]).unwrap();
        let thumbnails = |picture: &Picture| square_thumbnails(picture, &grid);
        let changed = |before: &Picture, after: &Picture| -> Vec<usize> {
            let (before, after) = (thumbnails(before), thumbnails(after));
            (0..81).filter(|place| before[*place].differs(&after[*place])).collect()
        };
        assert_eq!(changed(&picture(None, 0), &picture(None, 12)), Vec::<usize>::new());
        assert_eq!(changed(&picture(None, 0), &picture(Some((3, 2)), 12)), [2 * 9 + 3]);
    }
}
