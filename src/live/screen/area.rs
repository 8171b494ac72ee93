//! Areas of the screen.

use std::fmt;

/// The smallest width and height of an area, in pixels: a board of 9 × 9 squares of 10 pixels.
const MIN_AREA_SIZE: u32 = 90;

/// An area of the screen in pixels. On a desktop of several screens the origin is that of the whole desktop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenArea {
    /// The left edge.
    pub left: i32,
    /// The upper edge.
    pub top: i32,
    /// The width. An entered area has at least `MIN_AREA_SIZE`.
    pub width: u32,
    /// The height. An entered area has at least `MIN_AREA_SIZE`.
    pub height: u32,
}

impl ScreenArea {
    /// Parses `LEFT,TOP,WIDTH,HEIGHT`. Returns `None` for any other text, and for an area too small for a board.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(',').map(str::trim);
        let (left, top) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let (width, height) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let area = Self {
            left,
            top,
            width,
            height,
        };
        (numbers.next().is_none() && width.min(height) >= MIN_AREA_SIZE).then_some(area)
    }

    /// Returns whether a pixel lies in the area.
    #[cfg(any(target_os = "linux", test))]
    pub(super) fn contains(self, x: i32, y: i32) -> bool {
        let is_in =
            |at: i32, from: i32, size: u32| (0..i64::from(size)).contains(&(i64::from(at) - i64::from(from)));
        is_in(x, self.left, self.width) && is_in(y, self.top, self.height)
    }

    pub(super) fn overlaps(self, other: Self) -> bool {
        let meet = |from: i32, size: u32, other_from: i32, other_size: u32| {
            let end = |from: i32, size: u32| i64::from(from) + i64::from(size);
            i64::from(from) < end(other_from, other_size) && i64::from(other_from) < end(from, size)
        };
        meet(self.left, self.width, other.left, other.width)
            && meet(self.top, self.height, other.top, other.height)
    }

    /// Returns the parts of this area that are outside of another one.
    #[cfg(any(target_os = "linux", windows, test))]
    pub(super) fn without(self, other: Self) -> Vec<Self> {
        let ends = |area: Self| {
            let end = |from: i32, size: u32| i64::from(from) + i64::from(size);
            [
                area.left.into(),
                area.top.into(),
                end(area.left, area.width),
                end(area.top, area.height),
            ]
        };
        let [left, top, right, bottom] = ends(self);
        let [from_x, from_y, to_x, to_y] = ends(other);
        let (from_y, to_y) = (from_y.clamp(top, bottom), to_y.clamp(top, bottom));
        let (from_x, to_x) = (from_x.clamp(left, right), to_x.clamp(left, right));
        if from_x >= to_x || from_y >= to_y {
            return vec![self];
        }
        let parts = [
            [left, top, right, from_y],
            [left, to_y, right, bottom],
            [left, from_y, from_x, to_y],
            [to_x, from_y, right, to_y],
        ];
        let area = |[left, top, right, bottom]: [i64; 4]| {
            let size = |from: i64, to: i64| u32::try_from(to - from).ok().filter(|size| *size > 0);
            let (left_edge, top_edge) = (i32::try_from(left).ok()?, i32::try_from(top).ok()?);
            Some(Self {
                left: left_edge,
                top: top_edge,
                width: size(left, right)?,
                height: size(top, bottom)?,
            })
        };
        parts.into_iter().filter_map(area).collect()
    }
}

impl fmt::Display for ScreenArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            left,
            top,
            width,
            height,
        } = self;
        write!(f, "{left},{top},{width},{height}")
    }
}
