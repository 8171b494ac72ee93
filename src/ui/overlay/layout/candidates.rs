//! The candidates with their following moves, below a thin bar.

use super::{NoticeArea, compact, draw_layout, full, tray_sentence};
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::ends::{self, BarEnd};
use crate::overlay::list;
use crate::overlay::remaining_space::RemainingSpace;
use crate::overlay::shares::{self, BarAxis};
use crate::overlay::texts::{self, LINE_FONT_SIZE, NAME_FONT_SIZE};
use crate::text_runs::TextRuns;
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};
use shogibar_config::Layout;
use shogibar_games::bar::BarView;

/// The design size of the layout, in points.
pub(super) const DESIGN_SIZE: Vec2 = vec2(560.0, 188.0);
/// The width of the layout in which candidates have their following moves, in points at scale 1.
const DESIGN_WIDTH: f32 = 420.0;
/// The minimum size for the percentages, the bar and a candidate, in points at scale 1.
const MIN_SIZE: Vec2 = vec2(176.0, 92.0);
/// The smallest window width with names beside the percentages, in points of the screen.
const MIN_WIDTH_WITH_NAMES: f32 = 240.0;
/// The design width of the stacked layout, for narrower windows, in points at scale 1.
const STACKED_WIDTH: f32 = 208.0;
/// The smallest window height with more than one candidate, in points of the screen.
const MIN_HEIGHT_WITH_ROWS: f32 = 106.0;

/// The font size of a percentage, in points at scale 1.
const PERCENT_FONT_SIZE: f32 = 24.0;
/// The margin at the upper edge, in points at scale 1.
const TOP_MARGIN: f32 = 9.0;
/// The height of the line with names and percentages, in points at scale 1.
const HEAD_HEIGHT: f32 = 30.0;
/// The gap below the line with names and percentages, in points at scale 1.
const HEAD_GAP: f32 = 6.0;
/// The minimum height of the bar, in points at scale 1.
const MIN_BAR_HEIGHT: f32 = 14.0;
/// The height of a bar with a sentence, while the evaluation is hidden, in points at scale 1.
const SENTENCE_BAR_HEIGHT: f32 = 34.0;
/// The height of a separate line of names, or of the position in the game, in points at scale 1.
const ROW_HEIGHT: f32 = 24.0;

/// Draws the view into `rect`, or in another layout if candidates do not fit.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    let height = super::comfortable_size_of(Layout::Candidates, view).y;
    canvas.scale = super::layout_scale(size, vec2(DESIGN_WIDTH, height), MIN_SIZE);
    if canvas.scale < super::MIN_SCALE {
        // Candidates do not fit.
        return draw_layout(Layout::Bar, canvas, view, share, rect);
    }
    if size.y < MIN_HEIGHT_WITH_ROWS && size.x >= full::MIN_WIDTH {
        // The full layout has the evaluation beside a single candidate.
        return draw_layout(Layout::Full, canvas, view, share, rect);
    }
    if size.x < MIN_WIDTH_WITH_NAMES || super::is_tall(size) {
        canvas.draw_background(rect, rect);
        canvas.scale = super::layout_scale(
            size,
            vec2(STACKED_WIDTH, height + compact::BAR_BELOW_HEIGHT),
            MIN_SIZE,
        );
        return draw_stacked(canvas, view, share, rect);
    }
    let scale = canvas.scale;
    let used = if view.is_hidden && view.notice().is_none() {
        folded_rect(canvas, rect)
    } else {
        rect
    };
    canvas.draw_background(used, rect);
    let mut room = RemainingSpace(used.shrink2(vec2(14.0 * scale, 0.0)));
    room.cut_top(TOP_MARGIN * scale);
    if canvas.style.shows_header() || canvas.style.shows_numbers() {
        let head = room.cut_top(HEAD_HEIGHT * scale);
        draw_head(canvas, view, head);
        room.cut_top(HEAD_GAP * scale);
    }
    if view.is_hidden {
        let bar = room.cut_top(SENTENCE_BAR_HEIGHT * scale);
        shares::draw(
            canvas,
            view,
            share,
            tray_sentence(view, NoticeArea::Lines),
            bar,
            BarAxis::Across,
        );
        room.cut_top(8.0 * scale);
        if let Some(notice) = view.notice() {
            texts::draw_notice(canvas, notice, room.0);
        }
        return;
    }
    let lists = canvas.style.shows_candidates() || view.notice().is_some();
    room.cut_bottom(6.0 * scale);
    let height = if lists {
        MIN_BAR_HEIGHT * scale
    } else {
        (room.0.height() - 30.0 * scale).max(MIN_BAR_HEIGHT * scale)
    };
    let bar = room.cut_top(height);
    let is_notice_shown = shares::draw(
        canvas,
        view,
        share,
        tray_sentence(view, NoticeArea::Lines),
        bar,
        BarAxis::Across,
    );
    room.cut_top(8.0 * scale);
    list::draw(canvas, view, is_notice_shown, super::reserved_rows(view), room.0);
}

/// Returns the used part of the window while the evaluation is hidden: a bar with a sentence, and the line above it.
fn folded_rect(canvas: &OverlayCanvas<'_, '_>, rect: Rect) -> Rect {
    let has_head = canvas.style.shows_header() || canvas.style.shows_numbers();
    let height = 2.0 * TOP_MARGIN + SENTENCE_BAR_HEIGHT + if has_head { HEAD_HEIGHT + HEAD_GAP } else { 0.0 };
    rect.with_max_y((rect.top() + height * canvas.scale).min(rect.bottom()))
}

/// Draws names, percentages with the bar between them, and the candidates, all stacked.
fn draw_stacked(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let scale = canvas.scale;
    let mut room = RemainingSpace(rect.shrink2(vec2(12.0 * scale, compact::VERTICAL_MARGIN * scale)));
    let asked = super::reserved_rows(view) * view.engines.len().max(1);
    let list = asked as f32 * list::MIN_ROW_HEIGHT + list::FOOTER_HEIGHT;
    let head = compact::BAR_ROW_HEIGHT + compact::BAR_BELOW_HEIGHT;
    let mut free = room.0.height() / scale - head - list;
    let mut has_room = |wanted: bool, height: f32| {
        let fits = wanted && free >= height;
        free -= if fits { height } else { 0.0 };
        fits
    };
    let has_position_text = !view.position_text.concat().is_empty();
    let (names, has_position) = (
        has_room(canvas.style.shows_header(), ROW_HEIGHT),
        has_room(has_position_text, ROW_HEIGHT),
    );
    let higher = (free * 0.2).clamp(0.0, 30.0);
    if names {
        let row = room.cut_top(ROW_HEIGHT * scale);
        compact::draw_names(canvas, view, row);
    }
    let row = room.cut_top((head + higher) * scale);
    let is_notice_shown = compact::draw_numbers_and_bar(canvas, view, share, NoticeArea::Lines, row);
    if has_position {
        let row = room.cut_top(ROW_HEIGHT * scale);
        texts::draw_position_line(canvas, view, row, Align::Center);
    }
    list::draw(canvas, view, is_notice_shown, super::reserved_rows(view), room.0);
}

/// Draws percentages and names at the ends, and the position in the game between them.
fn draw_head(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let gap = 10.0 * scale;
    let mut room = RemainingSpace(bounds);
    let percent = if canvas.style.shows_numbers() {
        ends::number_width(canvas, PERCENT_FONT_SIZE)
    } else {
        0.0
    };
    let [left, right] = BarEnd::left_and_right(canvas);
    let (first, second) = (room.cut_left(percent), room.cut_right(percent));
    ends::draw_number(canvas, view, left, PERCENT_FONT_SIZE, first, Align::LEFT);
    ends::draw_number(canvas, view, right, PERCENT_FONT_SIZE, second, Align::RIGHT);
    let beside = if percent > 0.0 { gap } else { 0.0 };
    room.cut_left(beside);
    room.cut_right(beside);
    if !canvas.style.shows_header() {
        return;
    }
    let runs = texts::position_runs(view, theme);
    let wanted = canvas.width(TextRuns::line(&runs, LINE_FONT_SIZE));
    let wanted = if wanted > 0.0 { wanted + 2.0 * gap } else { 0.0 };
    // Names have precedence, but the middle gets up to 40 % of the width.
    let middle = wanted.min(room.0.width() * 0.4);
    let max_width = (room.0.width() - middle) / 2.0;
    let row = Rect::from_center_size(room.0.center(), vec2(room.0.width(), 24.0 * scale));
    let mut side: f32 = 0.0;
    for (end, room) in [
        (left, row.with_max_x(row.left() + max_width)),
        (right, row.with_min_x(row.right() - max_width)),
    ] {
        let taken = ends::draw_name(canvas, view, end, NAME_FONT_SIZE, room, false);
        side = side.max(ends::draw_threat(canvas, view, end, NAME_FONT_SIZE, (taken, room)).width() + gap);
    }
    texts::draw_position_line(canvas, view, room.0.shrink2(vec2(side, 0.0)), Align::Center);
}
