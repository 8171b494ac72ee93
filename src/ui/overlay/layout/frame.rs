//! The rectangles of the parts of the full layout in a window.

use super::MAX_CANDIDATES;
use eframe::egui;
use egui::{Rangef, Rect, Vec2, vec2};

/// The maximum number of rows: the candidates and a line of headings.
const MAX_ROWS: usize = MAX_CANDIDATES + 1;
/// The number of candidate rows that have precedence over the graph if not everything fits.
const PREFERRED_ROWS: usize = 3;
/// The minimum size for the names, the bar and the numbers, in points at scale 1.
pub(super) const MIN_SIZE: Vec2 = vec2(480.0, 76.0);
/// The width of the layout in which candidates have their following moves, in points at scale 1.
const DESIGN_WIDTH: f32 = 720.0;

/// The margin at the left and right edge, in points at scale 1.
const SIDE_MARGIN: f32 = 19.0;
/// The width of a number's box, in points at scale 1.
const NUMBER_BOX_WIDTH: f32 = 124.0;
/// The width of a number's box in a narrow window, in points at scale 1.
const NARROW_NUMBER_BOX_WIDTH: f32 = 92.0;
/// The gap between a number's box and the bar, in points at scale 1.
const NUMBER_GAP: f32 = 10.0;

/// The parts of the bar that need room in a layout.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a separate part of the picture"
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameNeeds {
    /// Whether the header is shown: names, clocks and move number.
    pub(super) header: bool,
    /// Whether the move of each player is shown above the bar.
    pub(super) moves: bool,
    /// Whether numbers are shown at the ends of the bar.
    pub(super) numbers: bool,
    /// Whether the graph of the game so far is shown.
    pub(super) graph: bool,
    /// The maximum number of rows below the graph.
    pub(super) rows: usize,
    /// Whether the context line is shown.
    pub(super) context: bool,
}

/// The rectangles of the layout, in points of the screen. A rectangle without room is empty.
#[derive(Clone, Debug)]
pub(super) struct OverlayFrame {
    /// Points of the screen per point of the layout.
    pub(super) scale: f32,
    /// Names, clocks and move number.
    pub(super) header: Rect,
    /// The move of each player, above the bar.
    pub(super) moves: Rect,
    /// The number at the left end of the bar.
    pub(super) left: Rect,
    pub(super) bar: Rect,
    /// The number at the right end of the bar.
    pub(super) right: Rect,
    pub(super) graph: Rect,
    /// The candidates.
    pub(super) rows: Rect,
    /// The number of rows that fit.
    pub(super) row_count: usize,
    /// The context line, at the lower edge.
    pub(super) context: Rect,
    /// Everything above the graph. Only this part stays visible while the evaluation is hidden.
    pub(super) head: Rect,
}

/// The heights of the layout from top to bottom, in points at scale 1.
#[derive(Clone, Copy)]
struct FrameHeights {
    top: f32,
    header: f32,
    moves: f32,
    bar: f32,
    under_bar: f32,
    graph: f32,
    under_graph: f32,
    row: f32,
    bottom: f32,
    context: f32,
}

/// The design heights, in points at scale 1: those of a window of 1300×430.
const DESIGN_HEIGHTS: FrameHeights = FrameHeights {
    top: 5.0,
    header: 33.0,
    moves: 34.0,
    bar: 52.0,
    under_bar: 13.0,
    graph: 41.0,
    under_graph: 13.0,
    row: 27.0,
    bottom: 5.0,
    context: 23.0,
};

/// The minimum heights, in points at scale 1.
const MIN_HEIGHTS: FrameHeights = FrameHeights {
    top: 3.0,
    header: 24.0,
    moves: 24.0,
    bar: 34.0,
    under_bar: 6.0,
    graph: 28.0,
    under_graph: 5.0,
    row: 25.0,
    bottom: 3.0,
    context: 19.0,
};

/// The parts for which there is room.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each flag is a separate part of the picture"
)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FrameParts {
    header: bool,
    moves: bool,
    graph: bool,
    /// The number of rows below the graph.
    rows: usize,
    context: bool,
}

impl FrameHeights {
    /// Returns the heights for these parts; 0 for other parts.
    fn for_parts(self, parts: FrameParts) -> Self {
        let part = |is_there: bool, height: f32| if is_there { height } else { 0.0 };
        let below = parts.graph || parts.rows > 0;
        Self {
            header: part(parts.header, self.header),
            moves: part(parts.moves, self.moves),
            // Without a line above the bar, the bar needs some distance from the edge.
            top: if parts.header || parts.moves {
                self.top
            } else {
                self.top + 4.0
            },
            under_bar: if below { self.under_bar } else { self.bottom + 4.0 },
            graph: part(parts.graph, self.graph),
            under_graph: part(parts.graph && parts.rows > 0, self.under_graph),
            row: part(parts.rows > 0, self.row),
            bottom: part(below, self.bottom),
            context: part(parts.context, self.context),
            ..self
        }
    }

    fn total(self, rows: usize) -> f32 {
        let head = self.top + self.header + self.moves + self.bar + self.under_bar;
        head + self.graph + self.under_graph + self.row * rows as f32 + self.bottom + self.context
    }

    /// Interpolates between the minimum heights (0) and the design heights (1).
    fn between(t: f32) -> Self {
        let mix =
            |part: fn(&Self) -> f32| part(&MIN_HEIGHTS) + (part(&DESIGN_HEIGHTS) - part(&MIN_HEIGHTS)) * t;
        Self {
            top: mix(|heights| heights.top),
            header: mix(|heights| heights.header),
            moves: mix(|heights| heights.moves),
            bar: mix(|heights| heights.bar),
            under_bar: mix(|heights| heights.under_bar),
            graph: mix(|heights| heights.graph),
            under_graph: mix(|heights| heights.under_graph),
            row: mix(|heights| heights.row),
            bottom: mix(|heights| heights.bottom),
            context: mix(|heights| heights.context),
        }
    }

    /// Returns the heights of these parts that fill `height`. Additional height goes to the bar and the rows first, and
    /// then to all parts.
    fn fill_height(height: f32, parts: FrameParts) -> Self {
        let total = |heights: Self| heights.for_parts(parts).total(parts.rows);
        let (tight, easy) = (total(MIN_HEIGHTS), total(DESIGN_HEIGHTS));
        let mut heights = Self::between(((height - tight) / (easy - tight)).clamp(0.0, 1.0)).for_parts(parts);
        let mut spare = (height - easy).max(0.0);
        let mut give = |to: &mut f32, max: f32, times: usize| {
            let each = (spare / times.max(1) as f32).min(max);
            *to += each;
            spare -= each * times as f32;
        };
        // The fewer rows there are, the more spare height the bar gets.
        give(
            &mut heights.bar,
            12.0 + DESIGN_HEIGHTS.row * PREFERRED_ROWS.saturating_sub(parts.rows) as f32,
            1,
        );
        give(&mut heights.row, 14.0, parts.rows);
        if parts.graph {
            heights.graph += spare / 3.0;
            spare *= 2.0 / 3.0;
        }
        // A third of the spare height goes to the rows, a quarter to the bar, the rest to the gaps.
        let rows_share = if parts.rows == 0 { 0.0 } else { spare / 3.0 };
        heights.row += rows_share / parts.rows.max(1) as f32;
        heights.bar += spare / 4.0;
        let rest = (spare * 0.75 - rows_share) / 6.0;
        heights.top += rest;
        heights.under_bar += rest;
        heights
    }
}

/// Returns the needed parts that fit into a height, in points at scale 1. The most important parts are added first.
fn fitting_parts(height: f32, needs: FrameNeeds) -> FrameParts {
    let mut parts = FrameParts {
        header: needs.header,
        moves: false,
        graph: false,
        rows: 0,
        context: false,
    };
    let fits = |parts: FrameParts| MIN_HEIGHTS.for_parts(parts).total(parts.rows) <= height;
    if !fits(parts) {
        parts.header = false;
    }
    let add = |now: &mut FrameParts, more: FrameParts| {
        if fits(more) {
            *now = more;
        }
    };
    let now = &mut parts;
    add(
        now,
        FrameParts {
            moves: needs.moves,
            ..*now
        },
    );
    for _ in 0..needs.rows.min(PREFERRED_ROWS) {
        add(
            now,
            FrameParts {
                rows: now.rows + 1,
                ..*now
            },
        );
    }
    add(
        now,
        FrameParts {
            context: needs.context,
            ..*now
        },
    );
    add(
        now,
        FrameParts {
            graph: needs.graph,
            ..*now
        },
    );
    for _ in now.rows..needs.rows.min(MAX_ROWS) {
        add(
            now,
            FrameParts {
                rows: now.rows + 1,
                ..*now
            },
        );
    }
    parts
}

impl OverlayFrame {
    /// Lays out a window for the needed parts, or for as many of them as fit.
    pub(super) fn fit(window: Rect, needs: FrameNeeds) -> Self {
        let size = window.size().max(vec2(1.0, 1.0));
        let FrameNeeds {
            header,
            moves,
            graph,
            rows,
            context,
            ..
        } = needs;
        let all = FrameParts {
            header,
            moves,
            graph,
            rows: rows.min(MAX_ROWS),
            context,
        };
        let scale = super::layout_scale(
            size,
            vec2(DESIGN_WIDTH, DESIGN_HEIGHTS.for_parts(all).total(all.rows)),
            MIN_SIZE,
        );
        let parts = fitting_parts(size.y / scale, needs);
        let heights = FrameHeights::fill_height(size.y / scale, parts);

        let inside = window.shrink2(vec2(SIDE_MARGIN * scale, 0.0));
        let mut y = window.top();
        let mut take = |height: f32| {
            let top = y;
            y += height * scale;
            inside.with_min_y(top).with_max_y(y)
        };
        take(heights.top);
        let header = take(heights.header);
        let moves = take(heights.moves);
        let bar = take(heights.bar);
        let gap = take(heights.under_bar);
        let graph = take(heights.graph);
        take(heights.under_graph);
        let rows = take(heights.row * parts.rows as f32);
        let context = inside.with_min_y(window.bottom() - heights.context * scale);

        let number = match (needs.numbers, size.x < 640.0 * scale) {
            (false, _) => 0.0,
            (true, true) => NARROW_NUMBER_BOX_WIDTH + NUMBER_GAP,
            (true, false) => NUMBER_BOX_WIDTH + NUMBER_GAP,
        } * scale;
        let beside = |rect: Rect| rect.shrink2(vec2(number, 0.0));
        let gap_of_number = if needs.numbers { NUMBER_GAP * scale } else { 0.0 };
        Self {
            scale,
            header,
            moves: beside(moves),
            left: bar.with_max_x(bar.left() + number - gap_of_number),
            bar: beside(bar),
            right: bar.with_min_x(bar.right() - number + gap_of_number),
            graph,
            rows,
            row_count: parts.rows,
            context,
            head: window.with_max_y((gap.bottom().max(bar.bottom() + 10.0 * scale)).min(window.bottom())),
        }
    }

    /// Returns the boxes of the rows, each limited to this horizontal range.
    pub(super) fn rows_across(&self, across: Rangef) -> Vec<Rect> {
        let rows = (0..self.row_count).map(|index| self.row(index));
        rows.map(|row| Rect::from_x_y_ranges(across, row.y_range()))
            .collect()
    }

    /// Returns the box of one row, counted from 0.
    fn row(&self, index: usize) -> Rect {
        let height = self.rows.height() / self.row_count.max(1) as f32;
        let top = self.rows.top() + height * index as f32;
        self.rows.with_min_y(top).with_max_y(top + height)
    }
}

#[cfg(test)]
mod tests {
    use super::FrameNeeds;
    use super::OverlayFrame;
    use eframe::egui::{Pos2, Rect, vec2};

    fn check(size: (f32, f32), asked: usize, scale: f32, rows: usize, has_graph: bool) {
        let needs = FrameNeeds {
            header: true,
            moves: true,
            numbers: true,
            graph: true,
            rows: asked,
            context: false,
        };
        let frame = OverlayFrame::fit(Rect::from_min_size(Pos2::ZERO, vec2(size.0, size.1)), needs);
        assert!(
            (frame.scale - scale).abs() < 0.01,
            "{size:?} is drawn at {}",
            frame.scale
        );
        assert_eq!(
            (frame.row_count, frame.graph.height() > 0.0),
            (rows, has_graph),
            "in {size:?}"
        );
        assert!(
            frame.bar.bottom() <= size.1 && (rows == 0 || frame.rows.bottom() <= size.1 + 0.01),
            "{size:?} holds {frame:?}"
        );
    }

    #[test]
    fn fits_every_window() {
        check((838.0, 277.0), 3, 1.0, 3, true);
        check((1300.0, 430.0), 3, 1.55, 3, true);
        check((1080.0, 204.0), 3, 0.8, 3, true);
        check((1080.0, 204.0), 5, 0.8, 5, true);
        check((480.0, 110.0), 5, 0.8, 1, false);
        check((480.0, 300.0), 5, 0.8, 5, true);
        check((160.0, 24.0), 5, 0.32, 0, false);
        check((1.0, 1.0), 5, 0.002, 5, true);
    }
}
