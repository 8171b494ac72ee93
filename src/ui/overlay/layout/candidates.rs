//! The candidates with their lines, below a thin bar.

use super::bar;
use crate::bar::View;
use crate::text::Part;
use crate::ui::lettering::Text;
use crate::ui::overlay::ends::{self, End};
use crate::ui::overlay::list;
use crate::ui::overlay::room::Room;
use crate::ui::overlay::said::{self, LINE, NAME};
use crate::ui::overlay::share::{self, Axis};
use crate::ui::overlay::sheet::Sheet;
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The size the layout was drawn for, in points.
pub(super) const SIZE: Vec2 = vec2(560.0, 188.0);
/// What the percentages, the bar and a candidate need at least.
const LEAST: Vec2 = vec2(300.0, 92.0);

/// The size of a percentage, in points at scale 1.
const PERCENT: f32 = 24.0;
/// The heights of what is above the candidates.
const TOP: f32 = 9.0;
const HEAD: f32 = 30.0;
const BAR: f32 = 8.0;

/// Draws the view into `rect`.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, view: &View, share: f32, rect: Rect) {
    sheet.scale = super::scale(rect.size(), SIZE, LEAST);
    if sheet.scale < super::SMALLEST {
        // There is no room for any.
        return bar::draw(sheet, view, share, rect);
    }
    sheet.ground(rect);
    let scale = sheet.scale;
    let mut room = Room(rect.shrink2(vec2(14.0 * scale, 0.0)));
    room.top(TOP * scale);
    if sheet.look.shows_header() || sheet.look.shows_numbers() {
        let head = room.top(HEAD * scale);
        self::head(sheet, view, head);
        room.top(6.0 * scale);
    }
    let lists = sheet.look.shows_candidates() || view.notice().is_some();
    room.bottom(6.0 * scale);
    let height = if lists { BAR * scale } else { (room.0.height() - 30.0 * scale).max(BAR * scale) };
    let bar = room.top(height);
    share::draw(sheet, view, share, bar, Axis::Across);
    room.top(8.0 * scale);
    list::draw(sheet, view, super::asked(view), room.0);
}

/// Percentages and names at the ends, and the place in the game between them.
fn head(sheet: &mut Sheet<'_, '_>, view: &View, bounds: Rect) {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let gap = 10.0 * scale;
    let mut room = Room(bounds);
    let percent = if sheet.look.shows_numbers() { ends::percent_width(sheet, PERCENT) } else { 0.0 };
    let [left, right] = End::both(sheet);
    let (first, second) = (room.left(percent), room.right(percent));
    ends::percentage(sheet, view, left, PERCENT, first);
    ends::percentage(sheet, view, right, PERCENT, second);
    let beside = if percent > 0.0 { gap } else { 0.0 };
    room.left(beside);
    room.right(beside);
    if !sheet.look.shows_header() {
        return;
    }
    let place = said::place(view, theme);
    let place = Text::line(&place, LINE);
    let wanted = if place.is_empty() { 0.0 } else { sheet.width(place) + 2.0 * gap };
    // The names come first, but not with all that they may be.
    let middle = wanted.min(room.0.width() * 0.4);
    let most = (room.0.width() - middle) / 2.0;
    let row = Rect::from_center_size(room.0.center(), vec2(room.0.width(), 24.0 * scale));
    let first = ends::name(sheet, view, left, NAME, row.with_max_x(row.left() + most));
    let second = ends::name(sheet, view, right, NAME, row.with_min_x(row.right() - most));
    let side = first.width().max(second.width()) + gap;
    let shown = sheet.line(place, LINE, room.0.shrink2(vec2(side, 0.0)), Align::Center);
    sheet.name(Part::Place, view.place.concat(), shown);
}
