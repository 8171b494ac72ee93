//! The layouts of the bar, one file each. A layout can be drawn into any rectangle. Parts that do not fit are left out;
//! the bar and the percentages are left out last.

mod bar;
mod candidates;
mod compact;
mod frame;
mod full;
mod vertical;

use super::canvas::{Crowding, OverlayCanvas};
use super::shares::TraySentence;
use super::texts;
use eframe::egui;
use egui::{Rect, Vec2, vec2};
use shogibar_config::Layout;
use shogibar_games::bar::{BarNotice, BarView, MAX_CANDIDATES};

/// The minimum number of candidate rows with reserved room.
const MIN_RESERVED_ROWS: usize = 3;
/// The design height of a candidate row, in points at scale 1.
const CANDIDATE_ROW_HEIGHT: f32 = 30.0;
/// The smallest scale at which the quiet texts are readable. A smaller window shows fewer parts instead.
const MIN_SCALE: f32 = 0.8;

/// Draws the view into `rect`, with Black's share `share`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    draw_layout(canvas.style.layout, canvas, view, share, rect);
}

/// Draws the view in a layout, which may differ from that of the style if the window is too small for it.
fn draw_layout(layout: Layout, canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    match layout {
        Layout::Full => full::draw(canvas, view, share, rect),
        Layout::Bar => bar::draw(canvas, view, share, rect),
        Layout::Candidates => candidates::draw(canvas, view, share, rect),
        Layout::Vertical => vertical::draw(canvas, view, share, rect),
        Layout::Compact => compact::draw(canvas, view, share, rect),
    }
}

/// Returns the comfortable size of a layout in points, for this number of candidates and engines.
pub fn comfortable_size(layout: Layout, candidates: usize, engines: usize) -> Vec2 {
    let candidates = candidates.clamp(MIN_RESERVED_ROWS, MAX_CANDIDATES);
    let others = engines.saturating_sub(1);
    match layout {
        Layout::Full => {
            // The engines are side by side, each with a heading.
            let rows = candidates + others.min(1) - MIN_RESERVED_ROWS;
            full::DESIGN_SIZE + vec2(0.0, full::ROW_HEIGHT * rows as f32)
        }
        Layout::Candidates => {
            // The engines are stacked, each with a heading.
            let rows = if others > 0 {
                engines * (candidates + 1)
            } else {
                candidates
            };
            candidates::DESIGN_SIZE + vec2(0.0, CANDIDATE_ROW_HEIGHT * (rows - MIN_RESERVED_ROWS) as f32)
        }
        Layout::Bar => bar::DESIGN_SIZE + vec2(bar::EXTRA_ENGINE_WIDTH * others as f32, 0.0),
        Layout::Vertical => vertical::DESIGN_SIZE + vec2(0.0, vertical::EXTRA_ENGINE_HEIGHT * others as f32),
        Layout::Compact => compact::DESIGN_SIZE + vec2(0.0, compact::LINE_HEIGHT * others as f32),
    }
}

/// Returns the comfortable size of a layout in points, for the candidates and engines of a view.
pub fn comfortable_size_of(layout: Layout, view: &BarView) -> Vec2 {
    comfortable_size(layout, reserved_rows(view), view.engines.len())
}

/// Returns the smallest window size of a layout, in points.
pub const fn minimum_size(layout: Layout) -> Vec2 {
    match layout {
        Layout::Vertical => vec2(48.0, 160.0),
        Layout::Full | Layout::Bar | Layout::Candidates | Layout::Compact => vec2(160.0, 24.0),
    }
}

/// Returns the scale of a layout that was designed for the size `drawn` and needs at least `min_size`.
fn layout_scale(size: Vec2, drawn: Vec2, min_size: Vec2) -> f32 {
    let size = size.max(vec2(1.0, 1.0));
    (size / drawn)
        .min_elem()
        .max(MIN_SCALE)
        .min((size / min_size).min_elem())
}

/// Returns whether a window is much higher than wide, so that the parts have to be stacked.
fn is_tall(size: Vec2) -> bool {
    size.y > 1.5 * size.x
}

/// The room for a notice outside the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NoticeArea {
    /// A notice can only be shown in the tray.
    Nowhere,
    /// A notice has a line outside the tray.
    Line,
    /// A notice has several lines outside the tray.
    Lines,
}

/// Returns the sentence that the tray shows instead of the shares: without shares, any notice. With shares, only a
/// notice that has precedence and has no room outside the tray. `other` is the room outside the tray.
fn tray_sentence(view: &BarView, other: NoticeArea) -> Option<TraySentence<'_>> {
    let is_empty = view.share.is_none() && view.decided_win.is_none();
    let is_notice_shown =
        |notice: &&BarNotice| is_empty || other == NoticeArea::Nowhere && texts::has_precedence(view, notice);
    let notice = view.notice().filter(is_notice_shown)?;
    let max_crowding = match other {
        NoticeArea::Nowhere => Crowding::CutOff,
        NoticeArea::Line => Crowding::Narrowed,
        NoticeArea::Lines => Crowding::Shrunk,
    };
    Some(TraySentence {
        text: &notice.text,
        max_crowding,
    })
}

/// Returns the notice that is shown outside the tray, unless the tray shows it (`is_in_tray`). While values are stale,
/// only a notice with precedence is shown.
fn notice_outside_tray(view: &BarView, is_in_tray: bool) -> Option<&BarNotice> {
    // While values are stale, their grey already shows that the engine is not ready.
    view.notice()
        .filter(|notice| !is_in_tray && (!view.is_stale || texts::has_precedence(view, notice)))
}

fn reserved_rows(view: &BarView) -> usize {
    let asked = view
        .engines
        .iter()
        .map(|engine| engine.multipv)
        .max()
        .unwrap_or(0);
    asked.clamp(MIN_RESERVED_ROWS, MAX_CANDIDATES)
}
