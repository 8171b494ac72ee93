//! The response of each pixel to thin lines, dark or bright.

use crate::picture::Picture;

/// The direction of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineDirection {
    /// From top to bottom.
    Vertical,
    /// From left to right.
    Horizontal,
}

/// A picture and the strength of lines at each pixel, in grey levels.
#[derive(Clone, Debug)]
pub struct LineMap {
    /// The picture's width in pixels.
    pub width: usize,
    /// The picture's height in pixels.
    pub height: usize,
    /// The grey level of each pixel, row by row.
    grey: Vec<u8>,
    /// The strength of vertical lines at each pixel, row by row.
    vertical_lines: Vec<u8>,
    /// The strength of horizontal lines at each pixel, row by row.
    horizontal_lines: Vec<u8>,
}

/// The greatest counted strength of a line at a pixel, in grey levels.
const MAX_PIXEL_STRENGTH: u8 = 48;

impl LineMap {
    /// Computes the lines of a picture.
    pub fn new(picture: &Picture) -> Self {
        let (width, height) = (picture.width(), picture.height());
        let grey = picture.pixels().to_vec();
        let vertical = vertical_strengths(&grey, width);
        let horizontal = horizontal_strengths(&grey, width, height);
        Self {
            width,
            height,
            grey,
            vertical_lines: vertical,
            horizontal_lines: horizontal,
        }
    }

    /// Returns the map at half the size. The strength of a thin line does not decrease.
    #[must_use]
    #[expect(clippy::indexing_slicing, reason = "halves of the sizes")]
    pub fn half(&self) -> Self {
        let (width, height) = (self.width / 2, self.height / 2);
        let mut half = Self {
            width,
            height,
            grey: vec![0; width * height],
            vertical_lines: Vec::new(),
            horizontal_lines: Vec::new(),
        };
        let mut vertical = half.grey.clone();
        let mut horizontal = half.grey.clone();
        for y in 0..height {
            let upper = 2 * y * self.width;
            let lower = upper + self.width;
            for x in 0..width {
                let four = [upper + 2 * x, upper + 2 * x + 1, lower + 2 * x, lower + 2 * x + 1];
                let index = y * width + x;
                half.grey[index] = mean(
                    mean(self.grey[four[0]], self.grey[four[3]]),
                    mean(self.grey[four[1]], self.grey[four[2]]),
                );
                let across = &self.vertical_lines;
                vertical[index] =
                    mean(across[four[0]], across[four[2]]).max(mean(across[four[1]], across[four[3]]));
                let down = &self.horizontal_lines;
                horizontal[index] =
                    mean(down[four[0]], down[four[1]]).max(mean(down[four[2]], down[four[3]]));
            }
        }
        half.vertical_lines = vertical_strengths(&half.grey, width);
        half.horizontal_lines = horizontal_strengths(&half.grey, width, height);
        for (new, old) in half
            .vertical_lines
            .iter_mut()
            .zip(vertical)
            .chain(half.horizontal_lines.iter_mut().zip(horizontal))
        {
            *new = (*new).max(old);
        }
        half
    }

    /// Returns the strength of a line at a point, interpolated across the line; 0 outside of the picture.
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
    pub fn interpolated_strength(&self, direction: LineDirection, x: f32, y: f32) -> f32 {
        let (across, along) = if direction == LineDirection::Vertical {
            (x, y)
        } else {
            (y, x)
        };
        let first = (across - 0.5).floor();
        let share = across - 0.5 - first;
        let (first, along) = (first as i64, along.floor() as i64);
        let value = |across: i64| match direction {
            LineDirection::Vertical => f32::from(self.strength_at(direction, across, along)),
            LineDirection::Horizontal => f32::from(self.strength_at(direction, along, across)),
        };
        value(first) * (1.0 - share) + value(first + 1) * share
    }

    /// Returns the greatest strength of a line at a point and up to `reach` pixels beside the line; 0 outside of the
    /// picture.
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a picture")]
    pub fn max_strength(&self, direction: LineDirection, x: f32, y: f32, reach: i64) -> f32 {
        let (x, y) = (x.floor() as i64, y.floor() as i64);
        let values = (-reach..=reach).map(|step| match direction {
            LineDirection::Vertical => self.strength_at(direction, x + step, y),
            LineDirection::Horizontal => self.strength_at(direction, x, y + step),
        });
        f32::from(values.max().unwrap_or_default())
    }

    /// Returns the strength of a line at a pixel; 0 outside of the picture.
    fn strength_at(&self, direction: LineDirection, x: i64, y: i64) -> u8 {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else {
            return 0;
        };
        if x < self.width {
            self.strengths(direction)
                .get(y * self.width + x)
                .copied()
                .unwrap_or_default()
        } else {
            0
        }
    }

    /// Returns the strengths of lines in a direction, row by row.
    pub fn strengths(&self, direction: LineDirection) -> &[u8] {
        match direction {
            LineDirection::Vertical => &self.vertical_lines,
            LineDirection::Horizontal => &self.horizontal_lines,
        }
    }
}

const fn mean(left: u8, right: u8) -> u8 {
    left.midpoint(right)
}

/// Returns the grey levels by which a value is darker or brighter than both neighbours; 0 between them.
fn ridge(before: u8, value: u8, after: u8) -> u8 {
    let dark = before.min(after).saturating_sub(value);
    let bright = value.saturating_sub(before.max(after));
    dark.max(bright)
}

/// Returns the strength of vertical lines at each pixel: the ridge over one or two neighbours in the row.
#[expect(clippy::indexing_slicing, reason = "two pixels from the edges")]
fn vertical_strengths(grey: &[u8], width: usize) -> Vec<u8> {
    let mut strengths = vec![0; grey.len()];
    if width < 5 {
        return strengths;
    }
    for (row, target) in grey.chunks_exact(width).zip(strengths.chunks_exact_mut(width)) {
        let inner = &mut target[2..width - 2];
        for (x, strength) in inner.iter_mut().enumerate() {
            let near = ridge(row[x + 1], row[x + 2], row[x + 3]);
            let far = ridge(row[x], row[x + 2], row[x + 4]);
            *strength = near.max(far).min(MAX_PIXEL_STRENGTH);
        }
    }
    strengths
}

/// Returns the strength of horizontal lines at each pixel, as [`vertical_strengths`] but along the columns.
#[expect(clippy::indexing_slicing, reason = "two pixels from the edges")]
fn horizontal_strengths(grey: &[u8], width: usize, height: usize) -> Vec<u8> {
    let mut strengths = vec![0; grey.len()];
    if height < 5 {
        return strengths;
    }
    for y in 2..height - 2 {
        let row = |y: usize| &grey[y * width..(y + 1) * width];
        let (second, first, middle, below, last) = (row(y - 2), row(y - 1), row(y), row(y + 1), row(y + 2));
        let target = &mut strengths[y * width..(y + 1) * width];
        for (x, strength) in target.iter_mut().enumerate() {
            let near = ridge(first[x], middle[x], below[x]);
            let far = ridge(second[x], middle[x], last[x]);
            *strength = near.max(far).min(MAX_PIXEL_STRENGTH);
        }
    }
    strengths
}
