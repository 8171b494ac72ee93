//! Squares whose reading the contrast of the whole board corrects: something in one colour covers them, they are marked, or a piece is
//! faint, as one that is proposed or on its way is drawn.

use crate::grid::Grid;
use crate::network::{EMPTY, HIDDEN, KINDS, Probabilities, likeliest};
use crate::picture::Picture;
use std::ops::RangeInclusive;

/// A side of a square with less than this share of the contrast that those of the board have is not seen.
const LEAST_SIDE: f32 = 0.25;
/// A piece with less than this share of the contrast that those of the board have is faint.
const LEAST_PIECE: f32 = 0.5;
/// With less than this share of the contrast of the pieces a square is flat.
const MOST_FLAT: f32 = 0.2;
/// Two squares have the same light where it differs by less than this share of the contrast of the pieces.
const SAME_LIGHT: f32 = 0.05;
/// A piece is faint only where its class is so likely.
const LEAST_LIKELY: f32 = 0.9;
/// With less contrast than this, in grey levels, nothing is known.
const LEAST_KNOWN: f32 = 6.0;
/// How far beside a side its line is looked for, in squares.
const REACH: f32 = 0.12;
/// The number of places along a side that are looked at.
const SAMPLES: u8 = 9;
/// The number of places across a square and down it that are looked at.
const PIECE_SAMPLES: usize = 16;
/// The kinds that can be dropped come first.
const DROPPED: usize = 7;
/// The probability that stays of the class that such a square looks like.
const KEPT: f32 = 0.02;

/// The contrast of most sides of a board's squares, and of most pieces of each of the two players, and the light of most empty squares, in grey
/// levels.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoardContrast {
    sides: f32,
    pieces: [f32; 2],
    ground: f32,
}

impl BoardContrast {
    /// Looks at all squares. `squares` are their probabilities.
    pub fn new(picture: &Picture, grid: &Grid, squares: &[Probabilities]) -> Self {
        let median_of = |classes: RangeInclusive<usize>, value: fn(&SquareLight) -> f32| {
            let shown = squares.iter().enumerate().filter(|(_, square)| classes.contains(&likeliest(square).0));
            median(shown.map(|(place, _)| value(&SquareLight::new(picture, grid, place))).collect())
        };
        let pieces_of = |classes| median_of(classes, |light| light.contrast);
        Self {
            sides: median((0..81).flat_map(|place| side_contrasts(picture, grid, place)).collect()),
            pieces: [pieces_of(1..=KINDS), pieces_of(1 + KINDS..=2 * KINDS)],
            ground: median_of(EMPTY..=EMPTY, |light| light.median),
        }
    }

    /// Changes what a square, by its number from the top left, shows. Returns whether it has changed.
    ///
    /// - One that looks empty while none of its sides is seen is hidden, unless it is marked.
    /// - One that looks hidden while its middle is flat is empty if all its sides are seen or it is marked.
    /// - One with a faint piece of a kind that can be dropped is likely empty: kings have few lines, and promoted pieces may have another colour.
    ///
    /// A marked square, whose sides may have any colour, has the light of the empty ones, and what covers it is no wider than itself.
    pub fn weigh(self, picture: &Picture, grid: &Grid, place: usize, square: &mut Probabilities) -> bool {
        let (class, chance) = likeliest(square);
        let [black, white] = self.pieces;
        let light = |place: usize| SquareLight::new(picture, grid, place);
        let is_flat = |place: usize| light(place).contrast < black.max(white) * MOST_FLAT;
        let is_seen = |contrast: &f32| *contrast >= self.sides * LEAST_SIDE;
        let seen_sides =
            |place: usize| side_contrasts(picture, grid, place).iter().filter(|side| is_seen(side)).count();
        let is_marked = || {
            is_flat(place)
                && (light(place).median - self.ground).abs() < black.max(white) * SAME_LIGHT
                && !neighbours(place).any(|near| is_flat(near) && seen_sides(near) == 0)
                && mostly(&outer_contrasts(picture, grid, place), is_seen)
        };
        let now = match class {
            EMPTY => {
                (self.sides >= LEAST_KNOWN && seen_sides(place) == 0 && !is_marked()).then(|| shown(HIDDEN, EMPTY))
            }
            HIDDEN => {
                let is_known = self.sides.min(black.max(white)) >= LEAST_KNOWN;
                let is_empty = || is_flat(place) && (seen_sides(place) == 4 || is_marked());
                (is_known && is_empty()).then(|| shown(EMPTY, HIDDEN))
            }
            class if class < HIDDEN && (class - 1) % KINDS < DROPPED && chance >= LEAST_LIKELY => {
                let usual = if class > KINDS { white } else { black };
                let is_faint = || light(place).contrast < usual * LEAST_PIECE;
                (usual >= LEAST_KNOWN && is_faint()).then(|| shown(EMPTY, class))
            }
            _ => None,
        };
        *square = now.unwrap_or(*square);
        now.is_some()
    }
}

/// Returns the probabilities of a square that likely shows one class, and less likely another.
fn shown(likely: usize, other: usize) -> Probabilities {
    std::array::from_fn(|class| match class {
        _ if class == likely => 1.0 - KEPT,
        _ if class == other => KEPT,
        _ => 0.0,
    })
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns whether at least half of some values are such.
fn mostly(values: &[f32], is_such: impl Fn(&f32) -> bool) -> bool {
    2 * values.iter().filter(|value| is_such(value)).count() >= values.len()
}

/// The squares beside a square, by their numbers.
fn neighbours(place: usize) -> impl Iterator<Item = usize> {
    let (column, row) = (place % 9, place / 9);
    let beside = [(column > 0).then(|| place - 1), (column < 8).then(|| place + 1)];
    let above = [(row > 0).then(|| place - 9), (row < 8).then(|| place + 9)];
    beside.into_iter().chain(above).flatten()
}

/// The light of a square without its edge, in grey levels.
#[derive(Clone, Copy, Debug, Default)]
struct SquareLight {
    median: f32,
    /// The difference of the brightest and the darkest twentieth.
    contrast: f32,
}

impl SquareLight {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    fn new(picture: &Picture, grid: &Grid, place: usize) -> Self {
        let at = |sample: usize| 0.1 + 0.8 * (sample as f32 + 0.5) / PIECE_SAMPLES as f32;
        let value = |sample: usize| {
            let (column, row) = ((place % 9) as f32, (place / 9) as f32);
            let (x, y) = grid.pixel(column + at(sample % PIECE_SAMPLES), row + at(sample / PIECE_SAMPLES));
            picture.at(x, y)
        };
        let mut values: Vec<f32> = (0..PIECE_SAMPLES * PIECE_SAMPLES).map(value).collect();
        values.sort_by(f32::total_cmp);
        let at = |hundredth: usize| values.get(values.len() * hundredth / 100).copied().unwrap_or_default();
        Self { median: at(50), contrast: at(95) - at(5) }
    }
}

/// Returns the contrast of the sides of a square, in grey levels: how much the mean along a side differs from those beside it.
#[expect(clippy::cast_precision_loss, reason = "below nine")]
fn side_contrasts(picture: &Picture, grid: &Grid, place: usize) -> [f32; 4] {
    let (column, row) = ((place % 9) as f32, (place / 9) as f32);
    let (width, height) = grid.square_size();
    let upright = |x: f32| contrast(width, |along, off| grid.pixel(x + off, row + along), picture);
    let level = |y: f32| contrast(height, |along, off| grid.pixel(column + along, y + off), picture);
    [upright(column), upright(column + 1.0), level(row), level(row + 1.0)]
}

/// Returns the contrast of the lines of the board that begin at the corners of a square and lead away from it, up to 0.4 squares far.
#[expect(clippy::cast_precision_loss, reason = "below nine")]
fn outer_contrasts(picture: &Picture, grid: &Grid, place: usize) -> Vec<f32> {
    const FAR: f32 = 0.4;
    let (column, row) = ((place % 9) as f32, (place / 9) as f32);
    let (width, height) = grid.square_size();
    let is_on_board = |at: f32| (0.0..=9.0).contains(&at);
    let mut contrasts = Vec::new();
    for (across, down) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let ((x, y), (right, below)) = ((column + across, row + down), (2.0 * across - 1.0, 2.0 * down - 1.0));
        if is_on_board(x + right) {
            contrasts.push(contrast(height, |along, off| grid.pixel(x + right * FAR * along, y + off), picture));
        }
        if is_on_board(y + below) {
            contrasts.push(contrast(width, |along, off| grid.pixel(x + off, y + below * FAR * along), picture));
        }
    }
    contrasts
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
        let mut squares = [[0.0; HIDDEN + 1]; 81];
        for square in &mut squares {
            square[EMPTY] = 1.0;
        }
        let contrast = BoardContrast::new(picture, &grid, &squares);
        for (place, square) in squares.iter_mut().enumerate() {
            contrast.weigh(picture, &grid, place, square);
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
    fn a_flat_square_with_all_its_sides_is_not_hidden() {
        // A piece, a marked square, a letter that reaches into one, half a cover, and a whole one.
        let mut picture = board((0, 0), (0, 0), 0);
        for ((x, y), (to_x, to_y), grey) in [
            ((24, 24), (36, 38), 30),
            ((76, 76), (105, 105), 120),
            ((114, 105), (128, 109), 30),
            ((165, 165), (180, 195), 240),
            ((200, 200), (260, 230), 240),
        ] {
            picture.fill((x, y), (to_x, to_y), grey);
        }
        let grid = Grid::new([(15.5, 15.5), (285.5, 15.5), (285.5, 285.5), (15.5, 285.5)]).unwrap();
        let mut squares = [shown(EMPTY, HIDDEN); 81];
        squares[0] = shown(1, HIDDEN);
        let contrast = BoardContrast::new(&picture, &grid, &squares);
        let mut read = |place: usize| {
            let mut square = shown(HIDDEN, EMPTY);
            contrast.weigh(&picture, &grid, place, &mut square);
            likeliest(&square).0
        };
        assert_eq!([0, 20, 30, 50, 60].map(&mut read), [HIDDEN, EMPTY, EMPTY, HIDDEN, HIDDEN]);
    }

    #[test]
    fn a_square_with_marked_sides_is_not_hidden() {
        // A piece; the sides of one square, of two beside each other, of one in another light, and of one with what is around it have the
        // colour of the board.
        let mut picture = board((0, 0), (0, 0), 0);
        picture.fill((24, 24), (36, 38), 30);
        for ((x, y), (to_x, to_y), grey) in [
            ((104, 104), (137, 137), 190),
            ((164, 164), (227, 197), 190),
            ((44, 224), (77, 257), 205),
            ((183, 93), (237, 147), 190),
        ] {
            picture.fill((x, y), (to_x, to_y), grey);
        }
        let grid = Grid::new([(15.5, 15.5), (285.5, 15.5), (285.5, 285.5), (15.5, 285.5)]).unwrap();
        let mut squares = [shown(EMPTY, HIDDEN); 81];
        squares[0] = shown(1, HIDDEN);
        let contrast = BoardContrast::new(&picture, &grid, &squares);
        for seen in [EMPTY, HIDDEN] {
            let read = [30, 50, 51, 64, 33].map(|place| {
                let mut square = shown(seen, EMPTY + HIDDEN - seen);
                contrast.weigh(&picture, &grid, place, &mut square);
                likeliest(&square).0
            });
            assert_eq!(read, [EMPTY, HIDDEN, HIDDEN, HIDDEN, HIDDEN]);
        }
    }

    #[test]
    fn a_faint_piece_is_none() {
        let mut picture = board((0, 0), (0, 0), 0);
        // Of four pieces of a side one is faint and one has promoted; the other side has another colour.
        let pieces = [(10, 1, 30), (20, 2, 25), (30, 1, 130), (40, 9, 130), (50, 15, 120), (60, 17, 120)];
        let mut squares = [[0.0; HIDDEN + 1]; 81];
        for square in &mut squares {
            square[EMPTY] = 1.0;
        }
        for (place, class, grey) in pieces {
            let (x, y) = (15 + place % 9 * 30, 15 + place / 9 * 30);
            picture.fill((x + 10, y + 8), (x + 20, y + 22), grey);
            squares[usize::try_from(place).unwrap()] = std::array::from_fn(|other| f32::from(u8::from(other == class)));
        }
        let grid = Grid::new([(15.5, 15.5), (285.5, 15.5), (285.5, 285.5), (15.5, 285.5)]).unwrap();
        let contrast = BoardContrast::new(&picture, &grid, &squares);
        for (place, square) in squares.iter_mut().enumerate() {
            contrast.weigh(&picture, &grid, place, square);
        }
        assert_eq!([10, 20, 30, 40, 50, 60].map(|place: usize| likeliest(&squares[place]).0), [1, 2, EMPTY, 9, 15, 17]);
    }

    #[test]
    fn a_board_without_lines_hides_nothing() {
        let picture = Picture::new(300, 300, vec![190; 300 * 300]).unwrap();
        assert_eq!(hidden_places(&picture), [0; 0]);
    }
}
