//! The arrangements of the bar, a file for each. All of them can be drawn into any rectangle: what has no
//! room is left out, the bar and its percentages last.

mod bar;
mod candidates;
mod compact;
mod frame;
mod full;
mod vertical;

use super::canvas::OverlayCanvas;
use crate::bar::BarView;
use crate::config::Layout;
use eframe::egui;
use egui::{Rect, Vec2, vec2};

/// More candidates than this are not shown.
const MOST_CANDIDATES: usize = 5;
/// Room is kept for as many.
const FIRST_ROWS: usize = 3;
/// The height of a candidate as it was drawn.
const ROW: f32 = 30.0;
/// The smallest scale at which the quiet texts can be read; a smaller window shows less instead.
const SMALLEST: f32 = 0.8;

/// Draws the view into `rect`, with the seam at `share`.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    match sheet.look.layout {
        Layout::Full => full::draw(sheet, view, share, rect),
        Layout::Bar => bar::draw(sheet, view, share, rect),
        Layout::Candidates => candidates::draw(sheet, view, share, rect),
        Layout::Vertical => vertical::draw(sheet, view, share, rect),
        Layout::Compact => compact::draw(sheet, view, share, rect),
    }
}

/// The size in points in which a layout shows so many candidates of each of so many engines comfortably.
pub fn size_for(layout: Layout, candidates: usize, engines: usize) -> Vec2 {
    let candidates = candidates.clamp(FIRST_ROWS, MOST_CANDIDATES);
    let others = engines.saturating_sub(1);
    match layout {
        Layout::Full => {
            // Beside each other, each with a heading.
            let rows = candidates + others.min(1) - FIRST_ROWS;
            full::SIZE + vec2(0.0, ROW * rows as f32)
        }
        Layout::Candidates => {
            // Below each other, each with a heading.
            let rows = if others > 0 { engines * (candidates + 1) } else { candidates };
            candidates::SIZE + vec2(0.0, ROW * (rows - FIRST_ROWS) as f32)
        }
        Layout::Bar => bar::SIZE + vec2(bar::OTHER * others as f32, 0.0),
        Layout::Vertical => vertical::SIZE + vec2(0.0, vertical::OTHER * others as f32),
        Layout::Compact => compact::SIZE + vec2(0.0, compact::ROW * others as f32),
    }
}

/// The same for what a view has to show.
pub fn size_of(layout: Layout, view: &BarView) -> Vec2 {
    size_for(layout, asked(view), view.engines.len())
}

/// The smallest window of a layout, in points.
pub const fn least(layout: Layout) -> Vec2 {
    match layout {
        Layout::Vertical => vec2(48.0, 160.0),
        Layout::Full | Layout::Bar | Layout::Candidates | Layout::Compact => vec2(160.0, 24.0),
    }
}

/// Points of the screen for a point of a layout that was drawn for one size and needs another at least.
fn scale(size: Vec2, drawn: Vec2, least: Vec2) -> f32 {
    let size = size.max(vec2(1.0, 1.0));
    (size / drawn).min_elem().max(SMALLEST).min((size / least).min_elem())
}

/// Whether a window is so much higher than wide that all has to stand below each other.
fn is_upright(size: Vec2) -> bool {
    size.y > 1.5 * size.x
}

/// How many candidates of an engine there is to be room for.
fn asked(view: &BarView) -> usize {
    let asked = view.engines.iter().map(|engine| engine.asked).max().unwrap_or(0);
    asked.clamp(FIRST_ROWS, MOST_CANDIDATES)
}
