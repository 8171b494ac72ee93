//! The candidates with their following moves, below a thin bar.

use super::{NoticeArea, compact, draw_as, full, sentence};
use crate::bar::BarView;
use crate::config::Layout;
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::ends::{self, BarEnd};
use crate::overlay::list;
use crate::overlay::remaining_space::RemainingSpace;
use crate::overlay::texts::{self, LINE, NAME};
use crate::overlay::tray::{self, BarAxis};
use crate::text_runs::TextRuns;
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The design size of the layout, in points.
pub(super) const SIZE: Vec2 = vec2(560.0, 188.0);
/// The width that the following moves of a candidate need.
const WIDTH: f32 = 420.0;
/// The minimum size for the percentages, the bar and a candidate.
const MIN_SIZE: Vec2 = vec2(176.0, 92.0);
/// The smallest window width with names beside the percentages, in points of the screen.
const NARROW: f32 = 240.0;
/// The design width of the stacked layout, for narrower windows, in points at scale 1.
const STACKED: f32 = 208.0;
/// The smallest window height with more than one candidate, in points of the screen.
const LOW: f32 = 106.0;

/// The font size of a percentage, in points at scale 1.
const PERCENT: f32 = 24.0;
/// The margin at the upper edge, in points at scale 1.
const TOP: f32 = 9.0;
/// The height of the line with names and percentages, in points at scale 1.
const HEAD: f32 = 30.0;
/// The gap below that line, in points at scale 1.
const UNDER_HEAD: f32 = 6.0;
/// The minimum height of the bar, in points at scale 1.
const BAR: f32 = 14.0;
/// The height of a bar with a sentence.
const HIDDEN_BAR: f32 = 34.0;
/// The height of a line of names, or of the position in the game, if each has a separate line.
const ROW: f32 = 24.0;

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    let height = super::size_of(Layout::Candidates, view).y;
    canvas.scale = super::scale(size, vec2(WIDTH, height), MIN_SIZE);
    if canvas.scale < super::MIN_SCALE {
        // Candidates do not fit.
        return draw_as(Layout::Bar, canvas, view, share, rect);
    }
    if size.y < LOW && size.x >= full::NARROWEST {
        // In that layout, a single candidate has the evaluation beside it.
        return draw_as(Layout::Full, canvas, view, share, rect);
    }
    if size.x < NARROW || super::is_upright(size) {
        canvas.draw_background(rect, rect);
        canvas.scale = super::scale(size, vec2(STACKED, height + compact::BAR_BELOW), MIN_SIZE);
        return stacked(canvas, view, share, rect);
    }
    let scale = canvas.scale;
    let used = if view.is_hidden && view.notice().is_none() { folded(canvas, rect) } else { rect };
    canvas.draw_background(used, rect);
    let mut room = RemainingSpace(used.shrink2(vec2(14.0 * scale, 0.0)));
    room.cut_top(TOP * scale);
    if canvas.style.shows_header() || canvas.style.shows_numbers() {
        let head = room.cut_top(HEAD * scale);
        self::head(canvas, view, head);
        room.cut_top(UNDER_HEAD * scale);
    }
    if view.is_hidden {
        let bar = room.cut_top(HIDDEN_BAR * scale);
        tray::draw(canvas, view, share, sentence(view, NoticeArea::Lines), bar, BarAxis::Across);
        room.cut_top(8.0 * scale);
        if let Some(notice) = view.notice() {
            texts::notice(canvas, notice, room.0);
        }
        return;
    }
    let lists = canvas.style.shows_candidates() || view.notice().is_some();
    room.cut_bottom(6.0 * scale);
    let height = if lists { BAR * scale } else { (room.0.height() - 30.0 * scale).max(BAR * scale) };
    let bar = room.cut_top(height);
    let is_notice_shown = tray::draw(canvas, view, share, sentence(view, NoticeArea::Lines), bar, BarAxis::Across);
    room.cut_top(8.0 * scale);
    list::draw(canvas, view, is_notice_shown, super::asked(view), room.0);
}

/// Returns the remaining part of the window while the evaluation is hidden. It has a bar with a sentence, and the rows
/// above.
fn folded(canvas: &OverlayCanvas<'_, '_>, rect: Rect) -> Rect {
    let has_head = canvas.style.shows_header() || canvas.style.shows_numbers();
    let height = 2.0 * TOP + HIDDEN_BAR + if has_head { HEAD + UNDER_HEAD } else { 0.0 };
    rect.with_max_y((rect.top() + height * canvas.scale).min(rect.bottom()))
}

/// Draws names, percentages with the bar between them, and the candidates, all stacked.
fn stacked(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let scale = canvas.scale;
    let mut room = RemainingSpace(rect.shrink2(vec2(12.0 * scale, compact::MARGIN * scale)));
    let asked = super::asked(view) * view.engines.len().max(1);
    let list = asked as f32 * list::ROW + list::FOOT;
    let head = compact::BAR_ROW + compact::BAR_BELOW;
    let mut free = room.0.height() / scale - head - list;
    let mut has_room = |wanted: bool, height: f32| {
        let fits = wanted && free >= height;
        free -= if fits { height } else { 0.0 };
        fits
    };
    let is_notice_shown = !view.position_text.concat().is_empty();
    let (names, has_position) = (has_room(canvas.style.shows_header(), ROW), has_room(is_notice_shown, ROW));
    let higher = (free * 0.2).clamp(0.0, 30.0);
    if names {
        let row = room.cut_top(ROW * scale);
        compact::names(canvas, view, row);
    }
    let row = room.cut_top((head + higher) * scale);
    let is_notice_shown = compact::numbers(canvas, view, share, NoticeArea::Lines, row);
    if has_position {
        let row = room.cut_top(ROW * scale);
        texts::draw_position_line(canvas, view, row, Align::Center);
    }
    list::draw(canvas, view, is_notice_shown, super::asked(view), room.0);
}

/// Draws percentages and names at the ends, and the position in the game between them.
fn head(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let gap = 10.0 * scale;
    let mut room = RemainingSpace(bounds);
    let percent = if canvas.style.shows_numbers() { ends::number_width(canvas, PERCENT) } else { 0.0 };
    let [left, right] = BarEnd::both(canvas);
    let (first, second) = (room.cut_left(percent), room.cut_right(percent));
    ends::number(canvas, view, left, PERCENT, first, Align::LEFT);
    ends::number(canvas, view, right, PERCENT, second, Align::RIGHT);
    let beside = if percent > 0.0 { gap } else { 0.0 };
    room.cut_left(beside);
    room.cut_right(beside);
    if !canvas.style.shows_header() {
        return;
    }
    let runs = texts::position_runs(view, theme);
    let wanted = canvas.width(TextRuns::line(&runs, LINE));
    let wanted = if wanted > 0.0 { wanted + 2.0 * gap } else { 0.0 };
    // Names take precedence, but not in their full width.
    let middle = wanted.min(room.0.width() * 0.4);
    let max_width = (room.0.width() - middle) / 2.0;
    let row = Rect::from_center_size(room.0.center(), vec2(room.0.width(), 24.0 * scale));
    let mut side: f32 = 0.0;
    for (end, room) in
        [(left, row.with_max_x(row.left() + max_width)), (right, row.with_min_x(row.right() - max_width))]
    {
        let taken = ends::name(canvas, view, end, NAME, room, false);
        side = side.max(ends::threat(canvas, view, end, NAME, (taken, room)).width() + gap);
    }
    texts::draw_position_line(canvas, view, room.0.shrink2(vec2(side, 0.0)), Align::Center);
}
