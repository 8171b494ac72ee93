//! The boxes of the full layout in the window's rectangle.

use super::{FIRST_ROWS, MOST_CANDIDATES, ROW};
use eframe::egui;
use egui::{Rangef, Rect, Vec2, vec2};

/// The maximum number of rows: the candidates and a line of headings.
const MOST_ROWS: usize = MOST_CANDIDATES + 1;
/// The minimum size for the names, the bar and the percentages, in points at scale 1.
pub(super) const LEAST: Vec2 = vec2(480.0, 76.0);
/// The width that the following moves of a candidate need beside the figures.
const WIDTH: f32 = 720.0;

/// The parts that need room.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameNeeds {
    /// Names and place.
    pub(super) header: bool,
    /// Percentages at the ends of the bar.
    pub(super) numbers: bool,
    /// The maximum number of rows below it.
    pub(super) rows: usize,
}

/// The boxes, in points of the screen.
#[derive(Clone, Debug)]
pub(super) struct OverlayFrame {
    /// Points of the screen per point of the layout.
    pub(super) scale: f32,
    /// Names and place.
    pub(super) names: Rect,
    /// The percentage on the left.
    pub(super) left: Rect,
    /// The bar.
    pub(super) bar: Rect,
    /// The percentage on the right.
    pub(super) right: Rect,
    /// The thin line above the rows; empty in the lowest windows.
    pub(super) separator: Rect,
    /// The candidates, from the separator to the margin.
    pub(super) rows: Rect,
    /// The number of rows that fit.
    pub(super) count: usize,
}

/// The heights of the layout from top to bottom, in points at scale 1.
#[derive(Clone, Copy)]
struct FrameHeights {
    top: f32,
    names: f32,
    over_bar: f32,
    bar: f32,
    over_line: f32,
    under_line: f32,
    row: f32,
    bottom: f32,
}

/// The design heights.
const EASY: FrameHeights = FrameHeights {
    top: 12.0,
    names: 26.0,
    over_bar: 13.0,
    bar: 30.0,
    over_line: 12.0,
    under_line: 11.0,
    row: ROW,
    bottom: 10.0,
};

/// The minimum heights.
const TIGHT: FrameHeights = FrameHeights {
    top: 8.0,
    names: 23.0,
    over_bar: 7.0,
    bar: 28.0,
    over_line: 5.0,
    under_line: 4.0,
    row: 27.0,
    bottom: 6.0,
};

impl FrameHeights {
    fn total(self, rows: usize) -> f32 {
        let head = self.top + self.names + self.over_bar + self.bar + self.over_line;
        if rows == 0 { head } else { head + self.under_line + self.row * rows as f32 + self.bottom }
    }

    /// Interpolates between tight (0) and easy (1).
    fn between(t: f32) -> Self {
        let mix = |tight: f32, easy: f32| tight + (easy - tight) * t;
        Self {
            top: mix(TIGHT.top, EASY.top),
            names: mix(TIGHT.names, EASY.names),
            over_bar: mix(TIGHT.over_bar, EASY.over_bar),
            bar: mix(TIGHT.bar, EASY.bar),
            over_line: mix(TIGHT.over_line, EASY.over_line),
            under_line: mix(TIGHT.under_line, EASY.under_line),
            row: mix(TIGHT.row, EASY.row),
            bottom: mix(TIGHT.bottom, EASY.bottom),
        }
    }

    /// Returns the heights without names and place.
    fn headless(self) -> Self {
        Self { names: 0.0, over_bar: 0.0, ..self }
    }

    /// Returns the heights that fill `height` with this number of rows. Extra height goes to the bar and the rows
    /// first, then to everything.
    fn filling(height: f32, rows: usize, header: bool) -> Self {
        let of = |heights: Self| if header { heights } else { heights.headless() };
        let (least, easy) = (of(TIGHT).total(rows), of(EASY).total(rows));
        let mut heights = Self::between(((height - least) / (easy - least)).clamp(0.0, 1.0));
        heights = of(heights);
        let mut spare = (height - easy).max(0.0);
        let mut give = |to: &mut f32, most: f32, times: usize| {
            let each = (spare / times.max(1) as f32).min(most);
            *to += each;
            spare -= each * times as f32;
        };
        // Where there is almost nothing else, the bar gets all of it.
        give(&mut heights.bar, 24.0 + ROW * FIRST_ROWS.saturating_sub(rows) as f32, 1);
        give(&mut heights.row, 14.0, rows);
        // A third goes to the rows, a quarter to the bar, and the rest between them.
        let rows_share = if rows == 0 { 0.0 } else { spare / 3.0 };
        heights.row += rows_share / rows.max(1) as f32;
        heights.bar += spare / 4.0;
        let rest = (spare * 0.75 - rows_share) / 6.0;
        for gap in [&mut heights.top, &mut heights.over_line, &mut heights.under_line] {
            *gap += rest;
        }
        let under_names = if header { &mut heights.over_bar } else { &mut heights.top };
        *under_names += rest;
        heights
    }
}

impl OverlayFrame {
    /// Lays out a window for what is needed, or for as many rows as fit.
    pub(super) fn fit(window: Rect, needs: FrameNeeds) -> Self {
        let size = window.size().max(vec2(1.0, 1.0));
        let easy = if needs.header { EASY } else { EASY.headless() };
        let scale = super::scale(size, vec2(WIDTH, easy.total(needs.rows)), LEAST);
        let height = size.y / scale;
        let count = rows(height, needs.header).min(needs.rows);
        let heights = FrameHeights::filling(height, count, needs.header);

        let inside = window.shrink2(vec2(16.0 * scale, 0.0));
        let mut y = window.top();
        let mut take = |height: f32| {
            let top = y;
            y += height * scale;
            inside.with_min_y(top).with_max_y(y)
        };
        take(heights.top);
        let names = take(heights.names);
        take(heights.over_bar);
        let bar = take(heights.bar);
        let separator = take(heights.over_line);
        take(heights.under_line);
        let rows = take(heights.row * count as f32);

        let (percent, gap) = match (needs.numbers, size.x < 640.0 * scale) {
            (false, _) => (0.0, 0.0),
            (true, true) => (66.0, 10.0),
            (true, false) => (86.0, 14.0),
        };
        let (percent, gap) = (percent * scale, gap * scale);
        Self {
            scale,
            names,
            left: bar.with_max_x(bar.left() + percent),
            bar: bar.shrink2(vec2(percent + gap, 0.0)),
            right: bar.with_min_x(bar.right() - percent),
            separator: separator.with_min_y(separator.bottom() - 1.0),
            rows,
            count,
        }
    }

    /// Returns the boxes of the rows, limited to this part of the width.
    pub(super) fn rows_across(&self, across: Rangef) -> Vec<Rect> {
        let rows = (0..self.count).map(|index| self.row(index));
        rows.map(|row| Rect::from_x_y_ranges(across, row.y_range())).collect()
    }

    /// Returns the box of one row, counted from 0.
    fn row(&self, index: usize) -> Rect {
        let height = self.rows.height() / self.count.max(1) as f32;
        let top = self.rows.top() + height * index as f32;
        self.rows.with_min_y(top).with_max_y(top + height)
    }
}

/// Returns the number of rows that fit into a height, in points at scale 1. The first three are squeezed in; the others
/// need their full height.
fn rows(height: f32, header: bool) -> usize {
    let of = |heights: FrameHeights| if header { heights } else { heights.headless() };
    let most = |heights: FrameHeights, most: usize| (0..=most).rev().find(|rows| of(heights).total(*rows) <= height);
    if height >= of(EASY).total(FIRST_ROWS) {
        most(EASY, MOST_ROWS).unwrap_or(FIRST_ROWS)
    } else {
        most(TIGHT, FIRST_ROWS).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::{FrameNeeds, OverlayFrame};
    use eframe::egui::{Pos2, Rect, vec2};

    fn check(size: (f32, f32), asked: usize, scale: f32, rows: usize) {
        let needs = FrameNeeds { header: true, numbers: true, rows: asked };
        let frame = OverlayFrame::fit(Rect::from_min_size(Pos2::ZERO, vec2(size.0, size.1)), needs);
        assert!((frame.scale - scale).abs() < 0.01, "{size:?} is drawn at {}", frame.scale);
        assert_eq!(frame.count, rows, "rows in {size:?}");
        assert!(
            frame.bar.bottom() <= size.1 && (rows == 0 || frame.rows.bottom() <= size.1 + 0.01),
            "{size:?} holds {frame:?}"
        );
    }

    #[test]
    fn fits_every_window() {
        check((1080.0, 204.0), 3, 1.0, 3);
        check((1080.0, 204.0), 5, 0.8, 4);
        check((1080.0, 264.0), 5, 1.0, 5);
        check((480.0, 110.0), 5, 0.8, 2);
        check((480.0, 300.0), 5, 0.8, 5);
        check((1920.0, 1080.0), 3, 2.67, 3);
        check((3840.0, 725.4), 5, 2.75, 5);
        check((640.0, 150.0), 5, 0.8, 3);
        check((160.0, 24.0), 5, 0.32, 0);
        check((1.0, 1.0), 5, 0.002, 5);
    }
}
