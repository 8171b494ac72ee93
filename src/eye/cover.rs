//! Which squares something covers in one colour: they look empty, but the lines around them are not seen.

use crate::grid::Grid;
use crate::network::{EMPTY, HIDDEN, Probabilities, likeliest};
use crate::picture::Picture;

/// A side of a square with less than this share of the contrast that those of the board have is not seen.
const LEAST_SHARE: f32 = 0.25;
/// With less contrast than this, in grey levels, it is not known which sides are seen.
const FAINT: f32 = 6.0;
/// How far beside a side its line is looked for, in squares.
const REACH: f32 = 0.12;
/// The probability that nothing stands on a covered square, beside that it is hidden.
const PERHAPS_EMPTY: f32 = 0.01;
/// The number of places along a side that are looked at.
const SAMPLES: u8 = 9;

/// The lines of a board, as the sides of its squares show them.
#[derive(Clone, Copy, Debug, Default)]
pub struct SquareSides {
    /// The contrast of most of them, in grey levels.
    contrast: f32,
}

impl SquareSides {
    /// Looks at the sides of all squares.
    pub fn new(picture: &Picture, grid: &Grid) -> Self {
        let mut contrasts: Vec<f32> = (0..81).flat_map(|place| contrasts(picture, grid, place)).collect();
        contrasts.sort_by(f32::total_cmp);
        Self { contrast: contrasts.get(contrasts.len() / 2).copied().unwrap_or_default() }
    }

    /// Hides a square, by its number from the top left, that looks empty while none of its sides is seen.
    pub fn hide_covered(self, picture: &Picture, grid: &Grid, place: usize, square: &mut Probabilities) {
        let least = self.contrast * LEAST_SHARE;
        let is_seen = |contrast: &f32| *contrast >= least;
        if self.contrast >= FAINT
            && likeliest(square).0 == EMPTY
            && !contrasts(picture, grid, place).iter().any(is_seen)
        {
            *square = std::array::from_fn(|class| match class {
                HIDDEN => 1.0 - PERHAPS_EMPTY,
                EMPTY => PERHAPS_EMPTY,
                _ => 0.0,
            });
        }
    }
}

/// Returns the contrast of the sides of a square, in grey levels: how much the mean along a side differs from those beside it.
#[expect(clippy::cast_precision_loss, reason = "below nine")]
fn contrasts(picture: &Picture, grid: &Grid, place: usize) -> [f32; 4] {
    let (column, row) = ((place % 9) as f32, (place / 9) as f32);
    let (width, height) = grid.square_size();
    let upright = |x: f32| contrast(width, |along, off| grid.pixel(x + off, row + along), picture);
    let level = |y: f32| contrast(height, |along, off| grid.pixel(column + along, y + off), picture);
    [upright(column), upright(column + 1.0), level(row), level(row + 1.0)]
}

fn contrast(size: f32, pixel: impl Fn(f32, f32) -> (f32, f32), picture: &Picture) -> f32 {
    let (mut least, mut most) = (f32::MAX, f32::MIN);
    let mut off = -REACH;
    while off <= REACH {
        let sample = |sample: u8| {
            let (x, y) = pixel(0.2 + 0.6 * (f32::from(sample) + 0.5) / f32::from(SAMPLES), off);
            picture.at(x, y)
        };
        let mean = (0..SAMPLES).map(sample).sum::<f32>() / f32::from(SAMPLES);
        (least, most) = (least.min(mean), most.max(mean));
        // A line may be one pixel wide.
        off += (1.0 / size).max(REACH / 20.0);
    }
    most - least
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bare board of squares of 30 pixels, with something in one colour from one pixel to another.
    fn board(cover: (usize, usize), to: (usize, usize), grey: u8) -> Picture {
        let pixel = |place: usize| {
            let (x, y) = (place % 300, place / 300);
            let is_covered = (cover.0..to.0).contains(&x) && (cover.1..to.1).contains(&y);
            let is_line = |place: usize| (15..=285).contains(&place) && (place - 15).is_multiple_of(30);
            if is_covered {
                grey
            } else if is_line(x) || is_line(y) {
                60
            } else {
                190
            }
        };
        Picture::new(300, 300, (0..300 * 300).map(pixel).collect()).unwrap()
    }

    fn hidden_places(picture: &Picture) -> Vec<usize> {
        let grid = Grid::new([(15.5, 15.5), (285.5, 15.5), (285.5, 285.5), (15.5, 285.5)]).unwrap();
        let sides = SquareSides::new(picture, &grid);
        let mut squares = [[0.0; HIDDEN + 1]; 81];
        for (place, square) in squares.iter_mut().enumerate() {
            square[EMPTY] = 1.0;
            sides.hide_covered(picture, &grid, place, square);
        }
        (0..81).filter(|place| likeliest(&squares[*place]).0 == HIDDEN).collect()
    }

    #[test]
    fn squares_without_sides_are_hidden() {
        assert_eq!(hidden_places(&board((0, 0), (0, 0), 0)), [0; 0]);
        assert_eq!(hidden_places(&board((40, 40), (140, 110), 190)), [10, 11, 12, 19, 20, 21]);
        assert_eq!(hidden_places(&board((40, 40), (140, 110), 20)), [10, 11, 12, 19, 20, 21]);
    }

    #[test]
    fn a_marked_square_is_not_hidden() {
        assert_eq!(hidden_places(&board((46, 46), (75, 75), 230)), [0; 0]);
    }

    #[test]
    fn a_board_without_lines_hides_nothing() {
        let picture = Picture::new(300, 300, vec![190; 300 * 300]).unwrap();
        assert_eq!(hidden_places(&picture), [0; 0]);
    }
}
