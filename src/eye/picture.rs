//! Grey pictures.

/// A grey picture: 0 is black, 255 white.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Creates a picture from rows of pixels. `None` where the number of pixels is not `width` × `height`.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>) -> Option<Self> {
        (width.checked_mul(height) == Some(pixels.len())).then_some(Self {
            width,
            height,
            pixels,
        })
    }

    /// Creates a picture from pixels of three or four bytes: red, green, blue, and an unused one. `None` where the
    /// number of pixels is not `width` × `height`.
    pub fn from_rgb(width: usize, height: usize, bytes: &[u8], bytes_per_pixel: usize) -> Option<Self> {
        let pixels = bytes
            .chunks_exact(bytes_per_pixel.max(3))
            .map(|pixel| match pixel {
                [red, green, blue, ..] => grey(*red, *green, *blue),
                _ => 0,
            })
            .collect();
        Self::new(width, height, pixels)
    }

    /// Returns the width in pixels.
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Returns the height in pixels.
    pub const fn height(&self) -> usize {
        self.height
    }

    /// Returns the pixels, row by row.
    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// Returns a row of pixels; an empty one outside of the picture.
    pub fn row(&self, y: usize) -> &[u8] {
        self.pixels
            .get(y * self.width..(y + 1) * self.width)
            .unwrap_or_default()
    }

    /// Fills a rectangle with one value. `from` is the upper left pixel (x, y). `to` is the pixel to the right of and
    /// below the lower right one. Both may lie outside of the picture.
    pub fn fill(&mut self, from: (i64, i64), to: (i64, i64), value: u8) {
        let bound = |coordinate: i64, size: usize| usize::try_from(coordinate).unwrap_or(0).min(size);
        let (left, right) = (bound(from.0, self.width), bound(to.0, self.width));
        for y in bound(from.1, self.height)..bound(to.1, self.height) {
            let row = y * self.width;
            if let Some(pixels) = self.pixels.get_mut(row + left..row + right) {
                pixels.fill(value);
            }
        }
    }

    /// Returns the picture at half the size: each pixel is the mean of four.
    #[must_use]
    pub fn half(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut pixels = Vec::with_capacity(width * height);
        for y in 0..height {
            let (upper, _) = self.row(2 * y).as_chunks::<2>();
            let (lower, _) = self.row(2 * y + 1).as_chunks::<2>();
            pixels.extend(
                upper
                    .iter()
                    .zip(lower)
                    .map(|([a, b], [c, d])| a.midpoint(*d).midpoint(b.midpoint(*c))),
            );
        }
        Self {
            width,
            height,
            pixels,
        }
    }

    /// Returns a picture whose edges are dark lines: white minus twice the greater difference of two opposite
    /// neighbours.
    #[must_use]
    pub fn edges(&self) -> Self {
        let value = |x: usize, y: usize| self.row(y).get(x).copied().unwrap_or_default();
        let (right, bottom) = (self.width.saturating_sub(1), self.height.saturating_sub(1));
        let pixel = |x: usize, y: usize| {
            let across = value(x.saturating_sub(1), y).abs_diff(value((x + 1).min(right), y));
            let down = value(x, y.saturating_sub(1)).abs_diff(value(x, (y + 1).min(bottom)));
            u8::MAX - across.max(down).saturating_mul(2)
        };
        let pixels = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        Self {
            pixels: pixels.map(|(x, y)| pixel(x, y)).collect(),
            ..*self
        }
    }

    /// Returns the value at a point: the bilinear interpolation of four pixels. Outside of the picture, returns the
    /// value at the picture's edge.
    pub fn interpolate(&self, x: f32, y: f32) -> f32 {
        let (left, right, across) = pixels_around(x, self.width);
        let (top, bottom, down) = pixels_around(y, self.height);
        let value = |x: usize, y: usize| self.row(y).get(x).map_or(0.0, |value| f32::from(*value));
        let upper = value(left, top) * (1.0 - across) + value(right, top) * across;
        let lower = value(left, bottom) * (1.0 - across) + value(right, bottom) * across;
        upper * (1.0 - down) + lower * down
    }
}

/// Returns the grey value of a colour, by the weights of Rec. 601.
pub fn grey(red: u8, green: u8, blue: u8) -> u8 {
    let sum = 77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue);
    u8::try_from(sum >> 8).unwrap_or(u8::MAX)
}

/// Returns the indices of the two pixels next to a coordinate, and the distance of the coordinate from the first.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the picture"
)]
fn pixels_around(coordinate: f32, count: usize) -> (usize, usize, f32) {
    let last = count.saturating_sub(1);
    // NaN maps to the first pixel.
    let coordinate = if coordinate.is_nan() {
        0.0
    } else {
        (coordinate - 0.5).clamp(0.0, last as f32)
    };
    let first = coordinate as usize;
    (first, (first + 1).min(last), coordinate - first as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find_grids;

    #[test]
    fn half_a_picture_has_the_mean_of_four_pixels() {
        let picture =
            Picture::new(5, 3, vec![0, 10, 100, 100, 9, 20, 30, 100, 104, 9, 7, 7, 7, 7, 7]).unwrap();
        assert_eq!(picture.half(), Picture::new(2, 1, vec![15, 101]).unwrap());
        assert!(Picture::new(1, 1, vec![3]).unwrap().half().pixels().is_empty());
    }

    #[test]
    fn squares_of_two_colours_have_lines_between_their_edges() {
        let (left, top, size) = (31, 22, 26);
        let grey = |index: usize| {
            let (x, y) = (index % 320, index / 320);
            let square = |coordinate: usize, from: usize| {
                coordinate
                    .checked_sub(from)
                    .map(|off| off / size)
                    .filter(|at| *at < 9)
            };
            square(x, left)
                .zip(square(y, top))
                .map_or(250, |(column, row)| 170 + 30 * u8::from((column + row) % 2 == 0))
        };
        let picture = Picture::new(320, 300, (0..320 * 300).map(grey).collect()).unwrap();
        assert_eq!(find_grids(&picture), []);
        let found = find_grids(&picture.edges());
        let corners = found.first().map(|found| *found.grid.corners()).unwrap();
        let (right, bottom) = (left + 9 * size, top + 9 * size);
        for ((x, y), (across, down)) in
            corners
                .into_iter()
                .zip([(left, top), (right, top), (right, bottom), (left, bottom)])
        {
            assert!(
                (x - across as f32).abs() < 1.0 && (y - down as f32).abs() < 1.0,
                "{corners:?}"
            );
        }
    }
}
