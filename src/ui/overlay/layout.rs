//! The layouts of the bar, one file each. Each can be drawn into any rectangle. Parts that do not fit are left out. The
//! bar and its percentages are left out last.

mod bar;
mod candidates;
mod compact;
mod frame;
mod full;
mod vertical;

use super::canvas::{Crowding, OverlayCanvas};
use super::texts;
use super::tray::TraySentence;
use crate::bar::{BarNotice, BarView, MAX_CANDIDATES};
use crate::config::Layout;
use eframe::egui;
use egui::{Rect, Vec2, vec2};

/// The minimum number of candidate rows with reserved room.
const FIRST_ROWS: usize = 3;
/// The design height of a candidate row.
const ROW: f32 = 30.0;
/// The smallest scale at which the quiet texts are readable; a smaller window shows less instead.
const MIN_SCALE: f32 = 0.8;

/// Draws the view into `rect`, with Black's share `share`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    draw_as(canvas.style.layout, canvas, view, share, rect);
}

/// Draws the view in another layout, if the chosen one has no room.
fn draw_as(layout: Layout, canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    match layout {
        Layout::Full => full::draw(canvas, view, share, rect),
        Layout::Bar => bar::draw(canvas, view, share, rect),
        Layout::Candidates => candidates::draw(canvas, view, share, rect),
        Layout::Vertical => vertical::draw(canvas, view, share, rect),
        Layout::Compact => compact::draw(canvas, view, share, rect),
    }
}

/// Returns the comfortable size of a layout in points, for this number of candidates and engines.
pub fn size_for(layout: Layout, candidates: usize, engines: usize) -> Vec2 {
    let candidates = candidates.clamp(FIRST_ROWS, MAX_CANDIDATES);
    let others = engines.saturating_sub(1);
    match layout {
        Layout::Full => {
            // The engines are side by side, each with a heading.
            let rows = candidates + others.min(1) - FIRST_ROWS;
            full::SIZE + vec2(0.0, full::ROW * rows as f32)
        }
        Layout::Candidates => {
            // The engines are stacked, each with a heading.
            let rows = if others > 0 { engines * (candidates + 1) } else { candidates };
            candidates::SIZE + vec2(0.0, ROW * (rows - FIRST_ROWS) as f32)
        }
        Layout::Bar => bar::SIZE + vec2(bar::OTHER * others as f32, 0.0),
        Layout::Vertical => vertical::SIZE + vec2(0.0, vertical::OTHER * others as f32),
        Layout::Compact => compact::SIZE + vec2(0.0, compact::ROW * others as f32),
    }
}

/// Returns the comfortable size of a layout for a view.
pub fn size_of(layout: Layout, view: &BarView) -> Vec2 {
    size_for(layout, asked(view), view.engines.len())
}

/// Returns the smallest window size of a layout, in points.
pub const fn minimum_size(layout: Layout) -> Vec2 {
    match layout {
        Layout::Vertical => vec2(48.0, 160.0),
        Layout::Full | Layout::Bar | Layout::Candidates | Layout::Compact => vec2(160.0, 24.0),
    }
}

/// Returns the scale of a layout that was designed for the size `drawn` and needs at least `min_size`.
fn scale(size: Vec2, drawn: Vec2, min_size: Vec2) -> f32 {
    let size = size.max(vec2(1.0, 1.0));
    (size / drawn).min_elem().max(MIN_SCALE).min((size / min_size).min_elem())
}

/// Returns whether a window is much higher than wide, so that all parts have to be stacked.
fn is_upright(size: Vec2) -> bool {
    size.y > 1.5 * size.x
}

/// The possible position of a notice beside the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoticeArea {
    Nowhere,
    Line,
    Lines,
}

/// Returns the text of the tray in place of the shares. While the tray is empty, this is any notice. Otherwise it is a
/// notice that has to be seen and has no other position.
fn sentence(view: &BarView, other: NoticeArea) -> Option<TraySentence<'_>> {
    let is_empty = view.share.is_none() && view.decided_win.is_none();
    let is_notice_shown =
        |notice: &&BarNotice| is_empty || other == NoticeArea::Nowhere && texts::has_to_be_seen(view, notice);
    let notice = view.notice().filter(is_notice_shown)?;
    let max_crowding = match other {
        NoticeArea::Nowhere => Crowding::Cut,
        NoticeArea::Line => Crowding::Narrow,
        NoticeArea::Lines => Crowding::Easy,
    };
    Some(TraySentence { text: &notice.text, max_crowding })
}

/// Returns the notice for a position beside the tray.
fn notice_beside(view: &BarView, is_in_tray: bool) -> Option<&BarNotice> {
    // The greyed values show that an engine is not ready.
    let is_shown = |notice: &&BarNotice| !view.is_stale || texts::has_to_be_seen(view, notice);
    view.notice().filter(|_| !is_in_tray).filter(is_shown)
}

/// Returns the number of candidate rows to reserve.
fn asked(view: &BarView) -> usize {
    let asked = view.engines.iter().map(|engine| engine.multipv).max().unwrap_or(0);
    asked.clamp(FIRST_ROWS, MAX_CANDIDATES)
}
