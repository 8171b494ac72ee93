//! The bar and two small lines, for a corner of a stream: the best move, and the evaluation.

use super::{bar, vertical};
use crate::bar::{BarView, EngineView};
use crate::text::{PartWord, phrase};
use crate::ui::overlay::canvas::OverlayCanvas;
use crate::ui::overlay::ends::{self, BarEnd};
use crate::ui::overlay::remaining_space::RemainingSpace;
use crate::ui::overlay::said::{self, LINE, NAME};
use crate::ui::overlay::share_bar::{self, BarAxis};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The size the layout was drawn for, in points.
pub(super) const SIZE: Vec2 = vec2(280.0, 80.0);
/// The height of a further line.
pub(super) const ROW: f32 = 24.0;
/// What the percentages, the bar and a line need at least.
const LEAST: Vec2 = vec2(170.0, 64.0);

// The sizes of type, in points at scale 1.
const PERCENT: f32 = 28.0;
const MOVE: f32 = 18.0;

/// The height of the bar with the percentages.
pub(super) const BAR_ROW: f32 = 38.0;
const BAR: f32 = 22.0;
/// A narrower window has no room for a bar between the percentages, and needs so much more for one below them; and
/// the height of these.
const NARROW: f32 = 220.0;
pub(super) const BAR_BELOW: f32 = 14.0;
const NUMBERS: f32 = 32.0;
pub(super) const MARGIN: f32 = 7.0;

/// Whether there is room for more than one line.
pub(super) fn has_room(size: Vec2) -> bool {
    super::scale(size, SIZE, LEAST) >= super::SMALLEST
}

/// Draws the view into `rect`.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    if super::is_upright(rect.size()) {
        return vertical::draw(sheet, view, share, rect);
    }
    if !has_room(rect.size()) {
        return bar::line(sheet, view, share, rect);
    }
    sheet.scale = super::scale(rect.size(), SIZE, LEAST);
    sheet.ground(rect);
    let scale = sheet.scale;
    let mut room = RemainingSpace(rect.shrink2(vec2(14.0 * scale, MARGIN * scale)));
    // By their importance, as long as there is room for them.
    let mut free = room.0.height() - BAR_ROW * scale;
    let mut has_room = |wanted: bool| {
        let fits = wanted && free >= ROW * scale * 0.9;
        free -= if fits { ROW * scale } else { 0.0 };
        fits
    };
    let look = sheet.look;
    let best = has_room(look.shows_candidates() || look.shows_foot() || view.notice().is_some());
    let others: Vec<_> = view.engines.iter().enumerate().filter(|(nth, _)| *nth != view.lead).collect();
    let others: Vec<_> =
        others.into_iter().filter(|_| has_room(look.shows_candidates() || look.shows_numbers())).collect();
    let header = has_room(look.shows_header());
    let place = header && has_room(!is_blank(view) && !view.place.concat().is_empty());
    // What is left makes the bar higher, and then the margins.
    let higher = free.clamp(0.0, 26.0 * scale);
    let above = (free - higher).max(0.0) / 2.0;
    room.top(above);
    room.bottom(above);

    if header {
        let row = room.top(ROW * scale);
        names(sheet, view, row);
    }
    let row = room.top(BAR_ROW * scale + higher);
    numbers(sheet, view, share, row);
    let height = room.0.height() / (usize::from(best) + others.len() + usize::from(place)).max(1) as f32;
    if best {
        let row = room.top(height);
        self::best(sheet, view, row);
    }
    for (nth, engine) in others {
        let row = room.top(height);
        other(sheet, engine, nth, row);
    }
    if place {
        self::place(sheet, view, room.0);
    }
}

/// Whether there is nothing to be said of the position.
fn is_blank(view: &BarView) -> bool {
    view.lead().candidates.is_empty() && view.evaluation.is_empty() && view.situation.is_empty()
}

/// A name at each end.
pub(super) fn names(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let half = bounds.width() / 2.0 - 6.0 * sheet.scale;
    let [left, right] = BarEnd::both(sheet);
    let row = bounds.with_max_y(bounds.bottom() - 2.0 * sheet.scale);
    ends::name(sheet, view, left, NAME, row.with_max_x(row.left() + half));
    ends::name(sheet, view, right, NAME, row.with_min_x(row.right() - half));
}

fn place(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    said::draw_place(sheet, view, bounds, Align::Center);
}

/// The bar between its percentages, or below them where it would be short.
pub(super) fn numbers(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, bounds: Rect) {
    let scale = sheet.scale;
    let mut room = RemainingSpace(bounds);
    let is_narrow = sheet.look.shows_numbers() && bounds.width() < NARROW * scale;
    if is_narrow && bounds.height() >= (BAR_ROW + BAR_BELOW) * scale {
        let row = room.top(NUMBERS * scale);
        for end in BarEnd::both(sheet) {
            ends::percentage(sheet, view, end, PERCENT, row);
        }
        let bar = room.0.with_min_y(room.0.top() + 4.0 * scale).with_max_y(room.0.bottom() - 4.0 * scale);
        return share_bar::draw(sheet, view, share, bar, BarAxis::Across);
    }
    if sheet.look.shows_numbers() {
        let (percent, gap) = (ends::percent_width(sheet, PERCENT), 10.0 * scale);
        let [left, right] = BarEnd::both(sheet);
        // A loser has no number, and what is said of it in the bar needs the room.
        let winner = view.decided.as_ref().and_then(|decided| decided.winner);
        let width = |end: BarEnd| if winner.is_none_or(|winner| winner == end.color) { percent + gap } else { 0.0 };
        let (first, second) = (room.left(width(left)), room.right(width(right)));
        ends::percentage(sheet, view, left, PERCENT, first.with_max_x(first.left() + percent));
        ends::percentage(sheet, view, right, PERCENT, second.with_min_x(second.right() - percent));
    }
    let height = bounds.height() - (BAR_ROW - BAR) * scale;
    let bar = Rect::from_center_size(room.0.center(), vec2(room.0.width(), height));
    share_bar::draw(sheet, view, share, bar, BarAxis::Across);
}

/// The best move and the evaluation, or a sentence in their place.
fn best(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let mut room = RemainingSpace(bounds);
    let signal = said::signal_of(sheet, view);
    let mark = room.right(said::signal_width(sheet, signal));
    said::signal(sheet, signal, mark.translate(vec2(mark.width() - 9.0 * scale, 0.0)));
    if let Some(notice) = view.notice() {
        let runs = [TextRun::regular(&notice.text, said::notice_color(theme, notice))];
        let shown = sheet.line(TextRuns::line(&runs, NAME), NAME, room.0, Align::LEFT);
        return sheet.name(PartWord::Notice, notice.text.as_str(), shown);
    }
    if is_blank(view) {
        return place(sheet, view, room.0);
    }
    let engine = view.lead();
    let shade = if engine.stale { theme.stale } else { theme.text };
    let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
    let runs = [TextRun::bold(word, shade)];
    let text = TextRuns::line(&runs, MOVE);
    let width = if word.is_empty() { 0.0 } else { (sheet.width(text) + 0.5).min(room.0.width() * 0.6) };
    let at = room.left(width);
    sheet.line(text, MOVE, at, Align::LEFT);
    sheet.name(PartWord::BestMove, word, at);
    room.left(if width > 0.0 { 10.0 * scale } else { 0.0 });
    let evaluation = said::evaluation(view, theme);
    let short = [evaluation[0]];
    let fits = sheet.width(TextRuns::line(&evaluation, LINE)) <= room.0.width();
    // The figure alone says it, too.
    let evaluation = if fits || view.evaluation.is_empty() { &evaluation[..] } else { &short[..] };
    let shown = sheet.line(TextRuns::line(evaluation, LINE), MOVE, room.0, Align::RIGHT);
    said::name_evaluation(sheet, view, shown);
}

/// An engine that the bar does not show, in short.
fn other(sheet: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, bounds: Rect) {
    let theme = sheet.theme();
    let shade = if engine.stale { theme.stale } else { theme.quiet };
    let number = phrase::number(nth);
    let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
    let percent = engine.percent.map(|percent| format!("☗ {percent}%")).unwrap_or_default();
    let values = phrase::together(&[&percent, &engine.evaluation], sheet.look.lang);
    sheet.engine = Some(nth);
    let mut room = RemainingSpace(bounds);
    let mark = room.right(said::signal_width(sheet, engine.signal));
    said::signal(sheet, engine.signal, mark.translate(vec2(mark.width() - 9.0 * sheet.scale, 0.0)));
    let runs = [TextRun::regular(&number, shade), TextRun::regular(" ", shade), TextRun::bold(word, shade)];
    let text = TextRuns::line(&runs, NAME);
    let at = room.left((sheet.width(text) + 0.5).min(room.0.width() * 0.6));
    sheet.line(text, NAME, at, Align::LEFT);
    sheet.name(PartWord::BestMove, word, at);
    room.left(10.0 * sheet.scale);
    let said = match &engine.notice {
        Some(notice) => TextRun::regular(&notice.text, said::notice_color(theme, notice)),
        None => TextRun::regular(&values, shade),
    };
    sheet.line(TextRuns::line(&[said], LINE), NAME, room.0, Align::RIGHT);
    sheet.name(PartWord::Engine, values.as_str(), room.0);
    sheet.engine = None;
}
