//! The light of the squares of a board, compared with each other.
//!
//! The light shows whether an object in one colour covers a square, and whether the square is highlighted. Faint pieces
//! are proposed moves or pieces that are dragged. The network sees each square normalized, without its light and
//! contrast.

use crate::grid::{Grid, column_and_row};
use crate::network::{EMPTY, HIDDEN, KIND_COUNT, Probabilities, likeliest};
use crate::picture::Picture;

/// The least contrast of a visible side, as a share of the usual contrast of the board's sides.
const MIN_SIDE_CONTRAST_SHARE: f32 = 0.25;
/// The greatest variation of a flat square, as a share of the median variation of squares with a piece.
const MAX_FLAT_VARIATION_SHARE: f32 = 0.2;
/// The greatest difference of equal light, as a share of the median variation of squares with a piece.
const MAX_LIGHT_DIFFERENCE_SHARE: f32 = 0.15;
/// The least usual contrast of sides of a usable board, in grey levels.
const MIN_SIDE_CONTRAST: f32 = 6.0;
/// The least median variation of pieces of a usable board, in grey levels.
const MIN_PIECE_VARIATION: f32 = 2.0;
/// The distance from a side up to which the line is searched, in squares.
const LINE_SEARCH_REACH: f32 = 0.12;
const SIDE_SAMPLES: u8 = 9;
/// The number of samples across a square and down it.
const SQUARE_SAMPLES: usize = 16;
/// The number of kinds that can be dropped, the first ones of the classes. Other kinds are never faint: kings have few
/// lines, and promoted pieces may have another colour.
const DROPPABLE_KIND_COUNT: usize = 7;

/// The number of [`Measures`].
pub const MEASURE_COUNT: usize = 8;
/// The measures of a square, each from 0 to 1.
///
/// 0: a constant 1. 1: the visible share of the sides, or 0 for a flat square. 2: whether the square is flat. 3: flat
/// with all sides visible. 4: flat and highlighted. 5: flat with neither. 6: without a visible side and not
/// highlighted. 7: the faintness of the piece if its kind can be dropped.
pub type Measures = [f32; MEASURE_COUNT];

/// The light of one square, in grey levels.
#[derive(Clone, Copy, Debug, Default)]
struct SquareLight {
    /// The median within the square, without the edge.
    median: f32,
    /// The median of the square's corners, which pieces hardly cover.
    ground: f32,
    /// The standard deviation within the square, without the edge.
    variation: f32,
    /// The contrast of the left, right, upper and lower side.
    side_contrasts: [f32; 4],
    /// Whether at least half of the lines that lead away from the square's corners are visible. Measured for flat
    /// squares only.
    is_framed: bool,
}

/// The light of a board's squares.
#[derive(Clone, Debug, Default)]
pub struct BoardLight {
    squares: Vec<SquareLight>,
    /// The usual contrast of a side: the median, or the contrast of lines between flat squares where that is less.
    usual_side_contrast: f32,
    /// The median variation of the squares with a piece: of Black, then of White.
    piece_variations: [f32; 2],
    /// The median light of the empty squares of even and of odd indices. A board may have two colours.
    ground_lights: [f32; 2],
}

impl BoardLight {
    /// Measures the light of all squares. `squares` are the network's probabilities.
    pub fn new(picture: &Picture, grid: &Grid, squares: &[Probabilities]) -> Self {
        let lights: Vec<SquareLight> = (0..squares.len())
            .map(|index| SquareLight::new(picture, grid, index))
            .collect();
        let classes: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
        let median_of = |shows: fn(usize) -> bool, value: fn(&SquareLight) -> f32| {
            let shown = lights.iter().zip(&classes).filter(|(_, class)| shows(**class));
            median(shown.map(|(light, _)| value(light)).collect())
        };
        let mut board = Self {
            usual_side_contrast: median(lights.iter().flat_map(|light| light.side_contrasts).collect()),
            piece_variations: [
                median_of(|class| (1..=KIND_COUNT).contains(&class), |light| light.variation),
                median_of(
                    |class| (1 + KIND_COUNT..HIDDEN).contains(&class),
                    |light| light.variation,
                ),
            ],
            ground_lights: [0, 1].map(|parity| {
                let shown = lights
                    .iter()
                    .zip(&classes)
                    .skip(parity)
                    .step_by(2)
                    .filter(|(_, class)| **class == EMPTY);
                median(shown.map(|(light, _)| light.median).collect())
            }),
            squares: lights,
        };
        let flat: Vec<usize> = (0..squares.len()).filter(|index| board.is_flat(*index)).collect();
        board.usual_side_contrast = board
            .usual_side_contrast
            .min(board.line_contrast(&flat).unwrap_or(f32::INFINITY));
        // The measurement of these lines takes most of the time, and only flat squares need it.
        for index in flat {
            let lines = outer_contrasts(picture, grid, index);
            let seen = lines
                .iter()
                .filter(|line| **line >= board.usual_side_contrast * MIN_SIDE_CONTRAST_SHARE)
                .count();
            if let Some(light) = board.squares.get_mut(index) {
                light.is_framed = 2 * seen >= lines.len();
            }
        }
        board
    }

    /// Returns the upper quartile of the contrast of the sides between two flat squares. `None` where hardly any line
    /// is visible. Other sides do not count: edges of pieces may have far more contrast than lines. The upper quartile
    /// is used because an object may cover many flat squares.
    fn line_contrast(&self, flat: &[usize]) -> Option<f32> {
        let is_between =
            |index: usize, side: usize| neighbour(index, side).is_some_and(|near| flat.contains(&near));
        let sides = |index: usize| {
            self.squares
                .get(index)
                .map(|light| light.side_contrasts)
                .unwrap_or_default()
        };
        let mut contrasts: Vec<f32> = flat
            .iter()
            .flat_map(|index| {
                let index = *index;
                sides(index)
                    .into_iter()
                    .enumerate()
                    .filter(move |(side, _)| is_between(index, *side))
            })
            .map(|(_, contrast)| contrast)
            .collect();
        contrasts.sort_by(f32::total_cmp);
        contrasts
            .get(3 * contrasts.len() / 4)
            .copied()
            .filter(|contrast| *contrast >= MIN_SIDE_CONTRAST)
    }

    /// Returns the measures of a square with these probabilities. On a board of little contrast, the constant and
    /// the sides are 1, and all other measures 0.
    pub fn measures(&self, index: usize, square: &Probabilities) -> Measures {
        let [black, white] = self.piece_variations;
        if self.usual_side_contrast < MIN_SIDE_CONTRAST || black.max(white) < MIN_PIECE_VARIATION {
            return [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        }
        let seen = self.visible_side_count(index);
        let is_highlighted = self.is_highlighted(index);
        let number = |is_so: bool| f32::from(u8::from(is_so));
        let flat = |is_so: bool| number(is_so && self.is_flat(index));
        let of_side = |side: usize| {
            square
                .get(1 + side * KIND_COUNT..1 + (side + 1) * KIND_COUNT)
                .unwrap_or_default()
        };
        let sum = |side: usize| of_side(side).iter().sum::<f32>();
        let side = usize::from(sum(1) > sum(0));
        let dropped = of_side(side).iter().take(DROPPABLE_KIND_COUNT).sum::<f32>()
            / (sum(0) + sum(1)).max(f32::MIN_POSITIVE);
        let usual = if side == 0 { black } else { white };
        let share = self
            .squares
            .get(index)
            .map_or(1.0, |light| light.variation / usual.max(MIN_PIECE_VARIATION));
        let faint = ((0.65 - share) / 0.3).clamp(0.0, 1.0);
        [
            1.0,
            seen / 4.0 * (1.0 - flat(true)),
            flat(true),
            flat(seen > 3.5),
            flat(is_highlighted && seen < 3.5),
            flat(!is_highlighted && seen < 3.5),
            number(seen < 0.5 && !is_highlighted),
            faint * dropped,
        ]
    }

    /// Returns the mean measures of some squares that look alike.
    pub(crate) fn mean_measures<'a>(
        &self,
        squares: impl ExactSizeIterator<Item = (usize, &'a Probabilities)>,
    ) -> Measures {
        let count = squares.len() as f32;
        let mut mean = [0.0; MEASURE_COUNT];
        for (index, square) in squares {
            mean.iter_mut()
                .zip(self.measures(index, square))
                .for_each(|(sum, value)| *sum += value / count);
        }
        mean
    }

    /// Returns whether two squares have a similar variation. A faint piece and a clear one of the same kind do not.
    pub fn have_similar_variation(&self, one: usize, other: usize) -> bool {
        let variations = self.squares.get(one).zip(self.squares.get(other));
        let [one, other] = variations.map_or([0.0; 2], |(one, other)| [one.variation, other.variation]);
        one.max(other) <= 1.35 * one.min(other)
    }

    /// Returns whether a square has hardly any variation.
    fn is_flat(&self, index: usize) -> bool {
        let [black, white] = self.piece_variations;
        self.squares
            .get(index)
            .is_some_and(|light| light.variation < black.max(white) * MAX_FLAT_VARIATION_SHARE)
    }

    /// Returns the visible share of the square's sides, times 4. On a board without lines, a side between two squares
    /// of the same light is not expected to be visible. 0 without an expected side.
    fn visible_side_count(&self, index: usize) -> f32 {
        let min_contrast = self.usual_side_contrast * MIN_SIDE_CONTRAST_SHARE;
        let [even, odd] = self.ground_lights;
        let has_lines = (even - odd).abs() < 0.5 * self.usual_side_contrast;
        let ground = |index: usize| self.squares.get(index).map(|light| light.ground);
        let differs = |side: usize| {
            let pair = ground(index).zip(neighbour(index, side).and_then(ground));
            pair.is_none_or(|(one, other)| (one - other).abs() >= min_contrast)
        };
        let sides = self
            .squares
            .get(index)
            .map(|light| light.side_contrasts)
            .unwrap_or_default();
        let expected = sides
            .iter()
            .enumerate()
            .filter(|(side, _)| has_lines || differs(*side));
        let (visible, count) = expected.fold((0.0, 0.0), |(visible, count), (_, contrast)| {
            (
                visible + f32::from(u8::from(*contrast >= min_contrast)),
                count + 1.0,
            )
        });
        if count > 0.0 { 4.0 * visible / count } else { 0.0 }
    }

    /// Returns whether a flat square is highlighted. Such a square has the light of empty squares of one colour, and
    /// every flat neighbour has a visible side. The sides of a highlighted square may have any colour.
    fn is_highlighted(&self, index: usize) -> bool {
        let [black, white] = self.piece_variations;
        self.is_flat(index)
            && self.squares.get(index).is_some_and(|light| {
                let is_near = |ground: f32| {
                    (light.median - ground).abs() < black.max(white) * MAX_LIGHT_DIFFERENCE_SHARE
                };
                light.is_framed && self.ground_lights.into_iter().any(is_near)
            })
            && !(0..4)
                .filter_map(|side| neighbour(index, side))
                .any(|near| self.is_flat(near) && self.visible_side_count(near) < 0.5)
    }
}

fn median(mut values: Vec<f32>) -> f32 {
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the index of the next square on a side: left (0), right (1), upper (2) or lower (3). `None` beyond
/// the board.
const fn neighbour(index: usize, side: usize) -> Option<usize> {
    match side {
        0 if !index.is_multiple_of(9) => Some(index - 1),
        1 if index % 9 < 8 => Some(index + 1),
        2 if index > 8 => Some(index - 9),
        3 if index < 72 => Some(index + 9),
        _ => None,
    }
}

impl SquareLight {
    fn new(picture: &Picture, grid: &Grid, index: usize) -> Self {
        let at = |sample: usize| 0.1 + 0.8 * (sample as f32 + 0.5) / SQUARE_SAMPLES as f32;
        let (column, row) = column_and_row(index);
        let value = |sample: usize| {
            let (x, y) = grid.pixel(
                column + at(sample % SQUARE_SAMPLES),
                row + at(sample / SQUARE_SAMPLES),
            );
            picture.interpolate(x, y)
        };
        let values: Vec<f32> = (0..SQUARE_SAMPLES * SQUARE_SAMPLES).map(value).collect();
        let last = SQUARE_SAMPLES * SQUARE_SAMPLES - 1;
        let corners = [0, SQUARE_SAMPLES - 1, last + 1 - SQUARE_SAMPLES, last]
            .map(value)
            .to_vec();
        let count = values.len() as f32;
        let mean = values.iter().sum::<f32>() / count;
        let variation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count).sqrt();
        Self {
            ground: median(corners),
            median: median(values),
            variation,
            side_contrasts: side_contrasts(picture, grid, index),
            is_framed: false,
        }
    }
}

/// Returns the contrast of the left, right, upper and lower side of a square, in grey levels.
fn side_contrasts(picture: &Picture, grid: &Grid, index: usize) -> [f32; 4] {
    let (column, row) = column_and_row(index);
    let (width, height) = grid.square_size();
    let upright = |x: f32| contrast(width, |along, off| grid.pixel(x + off, row + along), picture);
    let level = |y: f32| contrast(height, |along, off| grid.pixel(column + along, y + off), picture);
    [
        upright(column),
        upright(column + 1.0),
        level(row),
        level(row + 1.0),
    ]
}

/// Returns the contrasts of the board's lines that lead away from the corners of a square, up to 0.4 squares.
fn outer_contrasts(picture: &Picture, grid: &Grid, index: usize) -> Vec<f32> {
    const OUTER_LINE_LENGTH: f32 = 0.4;
    let (column, row) = column_and_row(index);
    let (width, height) = grid.square_size();
    let is_on_board = |at: f32| (0.0..=9.0).contains(&at);
    let mut contrasts = Vec::new();
    for (across, down) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        let ((x, y), (right, below)) = (
            (column + across, row + down),
            (2.0 * across - 1.0, 2.0 * down - 1.0),
        );
        if is_on_board(x + right) {
            contrasts.push(contrast(
                height,
                |along, off| grid.pixel(x + right * OUTER_LINE_LENGTH * along, y + off),
                picture,
            ));
        }
        if is_on_board(y + below) {
            contrasts.push(contrast(
                width,
                |along, off| grid.pixel(x + off, y + below * OUTER_LINE_LENGTH * along),
                picture,
            ));
        }
    }
    contrasts
}

/// Returns the contrast of a line: the range of the mean greys along parallels up to [`LINE_SEARCH_REACH`] away. `size`
/// is the size of a square across the line, in pixels. `pixel` maps a position along the line and an offset, in
/// squares.
fn contrast(size: f32, pixel: impl Fn(f32, f32) -> (f32, f32), picture: &Picture) -> f32 {
    let (mut least, mut most) = (f32::MAX, f32::MIN);
    let mut off = -LINE_SEARCH_REACH;
    while off <= LINE_SEARCH_REACH {
        let mean = (0..SIDE_SAMPLES)
            .map(|sample| {
                let (x, y) = pixel(
                    0.2 + 0.6 * (f32::from(sample) + 0.5) / f32::from(SIDE_SAMPLES),
                    off,
                );
                picture.interpolate(x, y)
            })
            .sum::<f32>()
            / f32::from(SIDE_SAMPLES);
        (least, most) = (least.min(mean), most.max(mean));
        // A line may be one pixel wide, so the samples are one pixel apart, or more on a large square.
        off += (1.0 / size).max(LINE_SEARCH_REACH / 20.0);
    }
    most - least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joint::WEIGHTS;

    /// A bare board of squares of 30 pixels. A rectangle of one colour covers a part of it.
    fn board(cover: (usize, usize), to: (usize, usize), grey: u8) -> Picture {
        let pixel = |index: usize| {
            let (x, y) = (index % 300, index / 300);
            let is_covered = (cover.0..to.0).contains(&x) && (cover.1..to.1).contains(&y);
            let is_line =
                |coordinate: usize| (15..=285).contains(&coordinate) && (coordinate - 15).is_multiple_of(30);
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

    fn grid() -> Grid {
        Grid::new([(15.5, 15.5), (285.5, 15.5), (285.5, 285.5), (15.5, 285.5)]).unwrap()
    }

    /// Probabilities of two classes: `chance` for the first, the rest for the other.
    fn seen(class: usize, chance: f32, other: usize) -> Probabilities {
        std::array::from_fn(|index| {
            if index == class {
                chance
            } else if index == other {
                1.0 - chance
            } else {
                0.0
            }
        })
    }

    fn read(picture: &Picture, squares: &[Probabilities]) -> Vec<usize> {
        let light = BoardLight::new(picture, &grid(), squares);
        let weighed = |index: usize, square: &Probabilities| {
            let mut square = *square;
            square = square.map(|chance| chance.max(1e-5));
            WEIGHTS.apply_light(&light.measures(index, &square), &mut square);
            likeliest(&square).0
        };
        squares
            .iter()
            .enumerate()
            .map(|(index, square)| weighed(index, square))
            .collect()
    }

    fn hidden_squares(picture: &Picture) -> Vec<usize> {
        let mut squares = [seen(EMPTY, 0.9, HIDDEN); 81];
        // A visible piece in a corner.
        squares[80] = seen(1, 0.99, EMPTY);
        let classes = read(picture, &squares);
        (0..81).filter(|index| classes[*index] == HIDDEN).collect()
    }

    /// The board with a piece in its last square.
    fn with_piece(mut picture: Picture) -> Picture {
        picture.fill((263, 263), (277, 277), 30);
        picture
    }

    #[test]
    fn squares_without_sides_are_hidden() {
        assert_eq!(hidden_squares(&with_piece(board((0, 0), (0, 0), 0))), [0; 0]);
        assert_eq!(
            hidden_squares(&with_piece(board((40, 40), (140, 110), 240))),
            [10, 11, 12, 19, 20, 21]
        );
        assert_eq!(
            hidden_squares(&with_piece(board((40, 40), (140, 110), 20))),
            [10, 11, 12, 19, 20, 21]
        );
    }

    #[test]
    fn a_highlighted_square_is_not_hidden() {
        assert_eq!(
            hidden_squares(&with_piece(board((46, 46), (75, 75), 230))),
            [0; 0]
        );
    }

    #[test]
    fn a_flat_square_with_all_its_sides_is_not_hidden() {
        // A piece, a highlighted square, a letter that reaches into a square, half a cover, and a whole one.
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
        let mut squares = [seen(EMPTY, 0.98, HIDDEN); 81];
        squares[0] = seen(1, 0.98, HIDDEN);
        for (index, chance) in [(20, 0.98), (30, 0.98), (50, 0.995), (60, 0.995)] {
            squares[index] = seen(HIDDEN, chance, EMPTY);
        }
        let classes = read(&picture, &squares);
        assert_eq!(
            [0, 20, 30, 50, 60].map(|index| classes[index]),
            [1, EMPTY, EMPTY, HIDDEN, HIDDEN]
        );
    }

    #[test]
    fn faint_lines_beside_bright_pieces_are_visible() {
        // The lower half has bright pieces with an outline; the lines have a sixth of its contrast.
        let mut picture = Picture::new(300, 300, vec![120; 300 * 300]).unwrap();
        for line in 0..10 {
            picture.fill((15 + 30 * line, 15), (16 + 30 * line, 286), 108);
            picture.fill((15, 15 + 30 * line), (286, 16 + 30 * line), 108);
        }
        let mut squares = [seen(HIDDEN, 0.8, EMPTY); 81];
        for index in 36..81_i64 {
            let (x, y) = (15 + index % 9 * 30, 15 + index / 9 * 30);
            picture.fill((x + 2, y + 2), (x + 29, y + 29), 190);
            picture.fill((x + 10, y + 8), (x + 20, y + 22), 30);
            squares[usize::try_from(index).unwrap()] = seen(1, 0.99, EMPTY);
        }
        assert_eq!(read(&picture, &squares)[..27], [EMPTY; 27]);
    }

    #[test]
    fn a_square_with_highlighted_sides_is_not_hidden() {
        // A piece. The colour of the board surrounds one square, two neighbours, one in another light, and one with its
        // surroundings.
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
        for class in [EMPTY, HIDDEN] {
            let mut squares = [seen(EMPTY, 0.98, HIDDEN); 81];
            squares[0] = seen(1, 0.98, HIDDEN);
            for index in [30, 50, 51, 64, 33] {
                squares[index] = seen(class, 0.6, EMPTY + HIDDEN - class);
            }
            let classes = read(&picture, &squares);
            assert_eq!(
                [30, 50, 51, 64, 33].map(|index| classes[index]),
                [EMPTY, HIDDEN, HIDDEN, HIDDEN, HIDDEN]
            );
        }
    }

    #[test]
    fn two_highlighted_squares_of_a_board_of_two_colours_are_not_hidden() {
        for (one, other, highlighted) in [(150, 200, 175), (200, 150, 120), (240, 160, 200)] {
            let mut picture = Picture::new(300, 300, vec![90; 300 * 300]).unwrap();
            for index in 0..81_i64 {
                let (x, y) = (15 + index % 9 * 30, 15 + index / 9 * 30);
                let grey = if index % 2 == 0 { one } else { other };
                picture.fill(
                    (x, y),
                    (x + 30, y + 30),
                    if matches!(index, 40 | 41) {
                        highlighted
                    } else {
                        grey
                    },
                );
            }
            // A piece on one of the two squares, and a piece in the last square.
            picture.fill((173, 143), (187, 157), 30);
            let mut squares = [seen(EMPTY, 0.98, HIDDEN); 81];
            squares[40] = seen(HIDDEN, 0.85, EMPTY);
            squares[41] = seen(1, 0.99, EMPTY);
            squares[80] = seen(1, 0.99, EMPTY);
            assert_eq!(
                read(&with_piece(picture), &squares)[40],
                EMPTY,
                "{one} {other} {highlighted}"
            );
        }
    }

    #[test]
    fn a_faint_piece_is_none() {
        let mut picture = board((0, 0), (0, 0), 0);
        // Of four pieces of a side one is faint and one has promoted; the other side has another colour.
        let pieces = [
            (10, 1, 30),
            (20, 2, 25),
            (30, 1, 140),
            (40, 9, 130),
            (50, 15, 120),
            (60, 17, 120),
        ];
        let mut squares = [seen(EMPTY, 0.98, HIDDEN); 81];
        for (index, class, grey) in pieces {
            let (x, y) = (15 + index % 9 * 30, 15 + index / 9 * 30);
            picture.fill((x + 10, y + 8), (x + 20, y + 22), grey);
            squares[usize::try_from(index).unwrap()] = seen(class, 0.98, EMPTY);
        }
        let classes = read(&picture, &squares);
        assert_eq!(
            [10, 20, 30, 40, 50, 60].map(|index: usize| classes[index]),
            [1, 2, EMPTY, 9, 15, 17]
        );
    }

    #[test]
    fn thin_letters_with_small_shifts_are_read() {
        // Eight letters that cover about a twentieth of their squares, some of them half a pixel off.
        let mut picture = board((0, 0), (0, 0), 0);
        let mut squares = [seen(EMPTY, 0.98, HIDDEN); 81];
        for index in 0..8_i64 {
            let (x, y) = (15 + index * 30 + 14, 15 + 8);
            picture.fill((x, y), (x + 2 + index % 2, y + 12), 60);
            squares[usize::try_from(index).unwrap()] = seen(1, 0.97, EMPTY);
        }
        assert_eq!(read(&picture, &squares)[..8], [1; 8]);
    }

    #[test]
    fn a_board_without_lines_hides_nothing() {
        let picture = Picture::new(300, 300, vec![190; 300 * 300]).unwrap();
        assert_eq!(hidden_squares(&picture), [0; 0]);
    }
}
