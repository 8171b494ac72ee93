//! The lines of a board in a picture.

use crate::linear::solve;
use crate::picture::Picture;

/// A point (x, y), in pixels unless stated otherwise.
pub type Point = (f32, f32);

/// A projective map between two planes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography([f64; 9]);

impl Homography {
    /// Creates the map from four points to four others. `None` where three of the points lie on a line.
    #[expect(clippy::indexing_slicing, reason = "two equations for each of four points")]
    #[expect(clippy::many_single_char_names, reason = "coordinates")]
    pub fn between(from: &[Point; 4], to: &[Point; 4]) -> Option<Self> {
        let mut rows = [[0.0_f64; 9]; 8];
        for (index, (from, to)) in from.iter().zip(to).enumerate() {
            let (x, y, u, v) = (
                f64::from(from.0),
                f64::from(from.1),
                f64::from(to.0),
                f64::from(to.1),
            );
            rows[2 * index] = [x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u];
            rows[2 * index + 1] = [0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v];
        }
        let [a, b, c, d, e, f, g, h] = solve(rows)?;
        Some(Self([a, b, c, d, e, f, g, h, 1.0]))
    }

    /// Maps a point of the first plane to the second.
    #[expect(clippy::cast_possible_truncation, reason = "coordinates need no more")]
    #[expect(clippy::many_single_char_names, reason = "the factors of a matrix")]
    pub fn apply(&self, x: f32, y: f32) -> Point {
        let [a, b, c, d, e, f, g, h, i] = self.0;
        let (x, y) = (f64::from(x), f64::from(y));
        let depth = g * x + h * y + i;
        (
            ((a * x + b * y + c) / depth) as f32,
            ((d * x + e * y + f) / depth) as f32,
        )
    }
}

/// Returns the column and row of a square, 0–8 each. `index` is 0–80 from the top left, row by row.
pub const fn column_and_row(index: usize) -> Point {
    ((index % 9) as f32, (index / 9) as f32)
}

/// The width and height of a square's picture in pixels.
pub const PICTURE_SIDE: usize = 32;
/// The margin around a square in its picture, as a share of the square's side.
const PICTURE_MARGIN: f32 = 0.1;

/// The outer lines of a board in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    corners: [Point; 4],
    /// The map from columns and rows to pixels.
    map: Homography,
}

impl Grid {
    /// Creates a grid from its outer corners: top left, top right, bottom right, bottom left. `None` where three
    /// corners lie on a line.
    pub fn new(corners: [Point; 4]) -> Option<Self> {
        let squares = [(0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)];
        Some(Self {
            corners,
            map: Homography::between(&squares, &corners)?,
        })
    }

    /// Returns the outer corners: top left, top right, bottom right, bottom left.
    pub const fn corners(&self) -> &[Point; 4] {
        &self.corners
    }

    /// Returns the point at a column and row, in squares from the top left corner.
    pub fn pixel(&self, column: f32, row: f32) -> Point {
        self.map.apply(column, row)
    }

    /// Returns the width and height of a square in pixels.
    pub fn square_size(&self) -> Point {
        let [top_left, top_right, bottom_right, bottom_left] = self.corners;
        let distance = |from: Point, to: Point| (to.0 - from.0).hypot(to.1 - from.1);
        (
            (distance(top_left, top_right) + distance(bottom_left, bottom_right)) / 18.0,
            (distance(top_left, bottom_left) + distance(top_right, bottom_right)) / 18.0,
        )
    }

    /// Reads the picture of a square into `PICTURE_SIDE` × `PICTURE_SIDE` values, normalized for light and contrast.
    /// `column` and `row` count from the top left.
    pub fn read_square(&self, picture: &Picture, column: f32, row: f32, values: &mut [f32]) {
        self.read_area(picture, (column, row), 1.0, values);
    }

    /// Reads the picture of a square area of any size, as [`read_square`](Self::read_square). The top left corner and
    /// the side are in squares of the board. The area may lie beside the board.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "at most 8"
    )]
    pub fn read_area(&self, picture: &Picture, corner: Point, side: f32, values: &mut [f32]) {
        let (column, row) = corner;
        let span = side * (1.0 + 2.0 * PICTURE_MARGIN);
        let (left, top) = (column - side * PICTURE_MARGIN, row - side * PICTURE_MARGIN);
        let (width, height) = self.square_size();
        let samples = (width.max(height) * span / PICTURE_SIDE as f32)
            .ceil()
            .clamp(1.0, 8.0) as usize;
        let step = span / (PICTURE_SIDE * samples) as f32;
        for (index, value) in values.iter_mut().enumerate().take(PICTURE_SIDE * PICTURE_SIDE) {
            let (across, down) = (index % PICTURE_SIDE, index / PICTURE_SIDE);
            let mut sum = 0.0;
            for inner in 0..samples * samples {
                let x = (across * samples + inner % samples) as f32 + 0.5;
                let y = (down * samples + inner / samples) as f32 + 0.5;
                let (x, y) = self.pixel(left + x * step, top + y * step);
                sum += picture.interpolate(x, y);
            }
            *value = sum / (samples * samples) as f32;
        }
        normalize(values);
    }
}

/// Normalizes grey levels: subtracts the mean, and divides by the deviation plus an offset.
fn normalize(values: &mut [f32]) {
    // In grey levels. With the offset, the noise of a flat square stays small.
    const DEVIATION_OFFSET: f32 = 8.0;
    let count = values.len().max(1) as f32;
    let mean = values.iter().sum::<f32>() / count;
    let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count).sqrt();
    for value in values {
        *value = (*value - mean) / (deviation + DEVIATION_OFFSET);
    }
}
