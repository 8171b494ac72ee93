//! The bar upright, Black below as on a board, with the candidates beside or below it where there is room.

use super::bar;
use crate::bar::View;
use crate::text::Part;
use crate::ui::lettering::{Run, Text};
use crate::ui::overlay::ends::{self, End};
use crate::ui::overlay::room::Room;
use crate::ui::overlay::said::{self, LINE, NAME};
use crate::ui::overlay::share::{self, Axis};
use crate::ui::overlay::sheet::Sheet;
use crate::ui::overlay::{list, rows};
use eframe::egui;
use egui::{Align, CornerRadius, Rect, Vec2, vec2};

/// The size the layout was drawn for, in points.
pub(super) const SIZE: Vec2 = vec2(100.0, 440.0);
/// What the percentages and the bar need at least.
const LEAST: Vec2 = vec2(60.0, 150.0);
/// A lower window has room for a line only, in points of the screen.
const LOWEST: f32 = 110.0;

// The sizes of type, in points at scale 1.
const PERCENT: f32 = 24.0;
const MOVE: f32 = 18.0;

/// The bar is so wide, and at least so long.
const BAR: f32 = 30.0;
const LENGTH_LEAST: f32 = 80.0;
/// What the heights of the others are.
const NUMBER: f32 = 34.0;
const NAMES: f32 = 26.0;
const BEST: f32 = 26.0;
const QUIET: f32 = 20.0;
const MARK: f32 = 18.0;

/// Draws the view into `rect`.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, view: &View, share: f32, rect: Rect) {
    if rect.height() < LOWEST {
        return bar::draw(sheet, view, share, rect);
    }
    sheet.scale = super::scale(rect.size(), SIZE, LEAST);
    sheet.ground(rect);
    let scale = sheet.scale;
    let margin = if rect.width() < SIZE.x * scale { 4.0 } else { 8.0 };
    let mut room = Room(rect.shrink2(vec2(margin * scale, 10.0 * scale)));
    let lists = sheet.look.shows_candidates() || view.notice().is_some();
    let beside = lists && rect.width() >= (SIZE.x + rows::CELL) * scale;
    let rows = super::asked(view) * view.engines.len().max(1) + usize::from(view.engines.len() > 1);
    let below = rows as f32 * super::ROW * scale;
    if beside {
        let column = room.left(SIZE.x * scale - 2.0 * margin * scale);
        room.left(14.0 * scale);
        upright(sheet, view, share, column, false);
        self::beside(sheet, view, room.0);
    } else if lists && rect.width() >= 200.0 * scale && room.0.height() >= 300.0 * scale + below {
        let list = room.bottom(below + 34.0 * scale);
        room.bottom(10.0 * scale);
        upright(sheet, view, share, room.0, false);
        let list = list.shrink2(vec2(8.0 * scale, 0.0));
        list::draw(sheet, view, super::asked(view), list);
    } else {
        upright(sheet, view, share, room.0, true);
    }
}

/// The bar with what stands at its ends, and below it, where it is `alone`, what is said of the position.
fn upright(sheet: &mut Sheet<'_, '_>, view: &View, share: f32, bounds: Rect, alone: bool) {
    let scale = sheet.scale;
    let mut room = Room(bounds);
    let [lower, upper] = End::upright(sheet);
    let look = sheet.look;
    let mut spare = room.0.height() - LENGTH_LEAST * scale;
    let mut has_room = |wanted: bool, height: f32| {
        let fits = wanted && spare >= height * scale;
        spare -= if fits { height * scale } else { 0.0 };
        fits
    };
    let numbers = has_room(look.shows_numbers(), 2.0 * NUMBER);
    let names = has_room(look.shows_header(), 2.0 * NAMES);
    if alone {
        below(sheet, view, &mut room, &mut has_room);
    }
    for (end, is_upper) in [(upper, true), (lower, false)] {
        let mut take = |height: f32| if is_upper { room.top(height * scale) } else { room.bottom(height * scale) };
        if names {
            let at = take(NAMES);
            let row = Rect::from_center_size(at.center(), vec2(at.width(), 22.0 * scale));
            ends::name(sheet, view, end, NAME, row);
        }
        if numbers {
            let at = take(NUMBER);
            ends::percentage(sheet, view, end, PERCENT, at);
        }
    }
    let width = (BAR * scale + (room.0.width() - SIZE.x * scale).max(0.0) * 0.3).min(room.0.width());
    let bar = Rect::from_center_size(room.0.center(), vec2(width, room.0.height() - 8.0 * scale));
    share::draw(sheet, view, share, bar, Axis::Up);
}

/// What is said of the position, from the lower edge up, the most important first.
fn below(sheet: &mut Sheet<'_, '_>, view: &View, room: &mut Room, has_room: &mut impl FnMut(bool, f32) -> bool) {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let engine = view.lead();
    let shade = if engine.stale || view.stale { theme.stale } else { theme.text };
    let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
    let signal = said::signal_of(sheet, view);
    let keeps = sheet.look.shows_candidates() && engine.asked > 0;
    let notice = view.notice().filter(|notice| notice.failure || !keeps);
    let sentence = view.notice().map(|notice| (notice.text.as_str(), said::notice_color(theme, notice)));

    // What there is room for, from the most important on, and how high it is.
    let best = has_room(keeps || sentence.is_some(), BEST);
    let long = best && notice.is_some() && has_room(true, 3.0 * QUIET);
    let evaluation = has_room(sheet.look.shows(crate::config::Part::Evaluation), QUIET);
    let situation = has_room(sheet.look.shows(crate::config::Part::Situation), QUIET);
    let mark = has_room(signal.is_some(), MARK);
    let place = has_room(sheet.look.shows_header(), QUIET);

    let line = |sheet: &mut Sheet<'_, '_>, run: Run<'_>, size: f32, at: Rect| {
        sheet.line(Text::line(&[run], size), size, at, Align::Center)
    };
    if mark {
        let at = room.bottom(MARK * scale);
        said::signal(sheet, signal, at.translate(vec2((at.width() - 9.0 * scale) / 2.0, 0.0)));
    }
    if place {
        let at = room.bottom(QUIET * scale);
        let runs = said::place(view, theme);
        sheet.line(Text::line(&runs, LINE), LINE, at, Align::Center);
        sheet.name(Part::Place, view.place.concat(), at);
    }
    if situation {
        let at = room.bottom(QUIET * scale);
        line(sheet, Run::regular(&view.situation, shade), LINE, at);
        sheet.name(Part::Situation, view.situation.as_str(), at);
    }
    if evaluation {
        let at = room.bottom(QUIET * scale);
        line(sheet, Run::bold(&view.evaluation, shade), LINE, at);
        sheet.name(Part::Evaluation, view.evaluation.as_str(), at);
    }
    if !best {
        return;
    }
    let at = room.bottom((BEST + if long { 3.0 * QUIET } else { 0.0 }) * scale);
    match sentence {
        Some(_) if long => {
            if let Some(notice) = view.notice() {
                said::notice(sheet, notice, at.shrink2(vec2(0.0, 4.0 * scale)));
            }
        }
        Some((text, color)) => {
            line(sheet, Run::regular(text, color), LINE, at);
            sheet.name(Part::Notice, text, at);
        }
        None => {
            line(sheet, Run::bold(word, shade), MOVE, at);
            sheet.name(Part::BestMove, word, at);
        }
    }
}

/// The place, and all candidates.
fn beside(sheet: &mut Sheet<'_, '_>, view: &View, bounds: Rect) {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let mut room = Room(bounds);
    let runs = said::place(view, theme);
    let place = Text::line(&runs, LINE);
    if !place.is_empty() {
        let at = room.top(26.0 * scale);
        sheet.line(place, LINE, at, Align::LEFT);
        sheet.name(Part::Place, view.place.concat(), at);
        let line = room.top(10.0 * scale);
        let line = line.with_min_y(line.center().y).with_max_y(line.center().y + 1.0);
        sheet.fill(line, CornerRadius::ZERO, theme.separator);
    }
    list::draw(sheet, view, super::asked(view), room.0);
}
