//! The upright bar, with Black at the bottom as on a board. The candidates are beside or below it where there is room.

use super::draw_as;
use crate::bar::{BarView, EngineView};
use crate::config::Layout;
use crate::text::{PartWord, phrase};
use crate::ui::overlay::canvas::OverlayCanvas;
use crate::ui::overlay::ends::{self, BarEnd};
use crate::ui::overlay::remaining_space::RemainingSpace;
use crate::ui::overlay::share_bar::{self, BarAxis};
use crate::ui::overlay::texts::{self, LINE, NAME};
use crate::ui::overlay::{list, rows};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rect, Vec2, vec2};

/// The design size of the layout, in points.
pub(super) const SIZE: Vec2 = vec2(100.0, 440.0);
/// The design size with candidates beside the bar, and their following moves.
const BESIDE: Vec2 = vec2(420.0, 230.0);
/// The height of the parts beside the bar except the rows, and the height of a row.
const BESIDE_ROWS: f32 = 82.0;
const BESIDE_ROW: f32 = 40.0;
/// The minimum size for the percentages and the bar.
const LEAST: Vec2 = vec2(60.0, 138.0);
/// A lower window shows a single line, in points of the screen.
const LOWEST: f32 = 110.0;

// The font sizes, in points at scale 1.
const PERCENT: f32 = 24.0;
const MOVE: f32 = 18.0;
const SAID: f32 = 12.5;

/// The minimum width of a list below the bar, the height needed above the list, and the height of the figures below its
/// rows.
const LIST_WIDTH: f32 = 224.0;
const LIST_ABOVE: f32 = 360.0;
const LIST_FOOT: f32 = 34.0;
/// The additional height for each further engine.
pub(super) const OTHER: f32 = 20.0;

/// The width of the bar and its minimum length.
const BAR: f32 = 30.0;
const LENGTH_LEAST: f32 = 50.0;
/// The heights of the other parts.
const NUMBER: f32 = 34.0;
const NAMES: f32 = 26.0;
const BEST: f32 = 30.0;
const SENTENCE: f32 = 210.0;
const QUIET: f32 = 20.0;
const MARK: f32 = 18.0;

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    if rect.height() < LOWEST && rect.width() > rect.height() {
        return draw_as(Layout::Bar, canvas, view, share, rect);
    }
    let lists = canvas.look.shows_candidates() || view.notice().is_some();
    let alone = super::scale(rect.size(), SIZE, LEAST);
    let beside = lists && rect.width() >= (SIZE.x + rows::CELL) * alone;
    let rows = super::asked(view) * view.engines.len().max(1) + usize::from(view.engines.len() > 1);
    let list = rows as f32 * super::ROW + LIST_FOOT;
    let with_list = (rect.size() / vec2(LIST_WIDTH, LIST_ABOVE + list)).min_elem();
    let below = lists && !beside && with_list >= super::SMALLEST;
    canvas.scale = match (beside, below) {
        (true, _) => {
            let height = BESIDE.y.max(BESIDE_ROWS + BESIDE_ROW * rows as f32);
            super::scale(rect.size(), vec2(BESIDE.x, height), LEAST)
        }
        (false, true) => with_list,
        (false, false) => alone,
    };
    canvas.ground(rect);
    let scale = canvas.scale;
    let margin = if rect.width() < SIZE.x * scale { 4.0 } else { 8.0 };
    let mut room = RemainingSpace(rect.shrink2(vec2(margin * scale, 10.0 * scale)));
    if beside {
        let column = room.left((SIZE.x - 2.0 * margin) * scale);
        room.left(14.0 * scale);
        upright(canvas, view, share, column, false);
        self::draw_beside(canvas, view, room.0);
    } else if below {
        let list = room.bottom(list * scale).shrink2(vec2(6.0 * scale, 0.0));
        let line = room.bottom(16.0 * scale);
        let line = line.with_min_y(line.center().y).with_max_y(line.center().y + 1.0);
        canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
        upright(canvas, view, share, room.0, false);
        list::draw(canvas, view, super::asked(view), list);
    } else {
        upright(canvas, view, share, room.0, true);
    }
}

/// Draws the bar with its ends. If `alone`, it draws the evaluation and the best move below it.
fn upright(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, bounds: Rect, alone: bool) {
    let scale = canvas.scale;
    let mut room = RemainingSpace(bounds);
    let [lower, upper] = BarEnd::upright(canvas);
    let look = canvas.look;
    let mut free = room.0.height() - LENGTH_LEAST * scale;
    let mut has_room = |wanted: bool, height: f32| {
        let fits = wanted && free >= height * scale;
        free -= if fits { height * scale } else { 0.0 };
        fits
    };
    let numbers = has_room(look.shows_numbers(), 2.0 * NUMBER);
    // The best move has priority over the names.
    let best = if alone && look.shows_candidates() { BEST } else { 0.0 };
    let names = look.shows_header() && has_room(true, 2.0 * NAMES + best);
    if names {
        let _given_back = has_room(true, -best);
    }
    if alone {
        below(canvas, view, &mut room, &mut has_room);
    }
    for (end, is_upper) in [(upper, true), (lower, false)] {
        let mut take = |height: f32| if is_upper { room.top(height * scale) } else { room.bottom(height * scale) };
        if names {
            let at = take(NAMES);
            let row = Rect::from_center_size(at.center(), vec2(at.width(), 22.0 * scale));
            ends::name(canvas, view, end, NAME, row);
        }
        if numbers {
            let at = take(NUMBER);
            ends::percentage(canvas, view, end, PERCENT, at);
        }
    }
    let width = (BAR * scale + (room.0.width() - SIZE.x * scale).max(0.0) * 0.3).min(room.0.width());
    let bar = Rect::from_center_size(room.0.center(), vec2(width, room.0.height() - 8.0 * scale));
    share_bar::draw(canvas, view, share, bar, BarAxis::Up);
}

/// Draws the values of the position at the bottom. Lines get room in order of their importance.
fn below(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    room: &mut RemainingSpace,
    has_room: &mut impl FnMut(bool, f32) -> bool,
) {
    let (scale, look) = (canvas.scale, canvas.look);
    let signal = texts::signal_of(canvas, view);
    let keeps = look.shows_candidates() && view.lead().multipv > 0;
    let long = view.notice().filter(|notice| notice.failure || !keeps);
    let best = match long {
        Some(_) => [SENTENCE, SENTENCE / 2.0, BEST].into_iter().find(|height| has_room(true, *height)),
        None => (keeps && has_room(true, BEST)).then_some(BEST),
    };
    let [evaluation, situation] = [look.shows_evaluation(), look.shows_situation()]
        .map(|shown| has_room(shown && long.is_none() && (best.is_some() || !keeps), QUIET));
    let others: Vec<_> = view.engines.iter().enumerate().filter(|(nth, _)| *nth != view.lead).collect();
    let others: Vec<_> = others.into_iter().filter(|_| has_room(look.shows_numbers(), QUIET)).collect();
    let mark = has_room(signal.is_some(), MARK);
    let place = has_room(look.shows_header(), QUIET);

    // The lines are placed from the bottom up.
    if mark {
        let at = room.bottom(MARK * scale);
        texts::signal(canvas, signal, at.translate(vec2((at.width() - 9.0 * scale) / 2.0, 0.0)));
    }
    if place {
        texts::draw_place(canvas, view, room.bottom(QUIET * scale), Align::Center);
    }
    for (nth, engine) in others.into_iter().rev() {
        other(canvas, engine, nth, room.bottom(QUIET * scale));
    }
    let shade = if view.stale { canvas.theme().stale } else { canvas.theme().text };
    for (is_there, part, text, run) in [
        (situation, PartWord::Situation, &view.advantage, TextRun::regular(&view.advantage, shade)),
        (evaluation, PartWord::Evaluation, &view.evaluation, TextRun::bold(&view.evaluation, shade)),
    ] {
        if is_there {
            let at = room.bottom(QUIET * scale);
            let runs = [run];
            let shown = canvas.shrunk(TextRuns::line(&runs, SAID), at.width());
            canvas.line(shown, SAID, at, Align::Center);
            canvas.name(part, text.as_str(), at);
        }
    }
    if let Some(height) = best {
        let at = room.bottom(height * scale);
        self::best(canvas, view, at, height > BEST);
    }
}

/// Draws the best move, or a notice in its place, which may be long.
fn best(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect, long: bool) {
    let theme = canvas.theme();
    let engine = view.lead();
    match view.notice() {
        Some(notice) if long => texts::notice(canvas, notice, bounds.shrink2(vec2(0.0, 6.0 * canvas.scale))),
        Some(notice) => {
            let runs = [TextRun::regular(&notice.text, texts::notice_color(theme, notice))];
            canvas.line(TextRuns::line(&runs, LINE), LINE, bounds, Align::Center);
            canvas.name(PartWord::Notice, notice.text.as_str(), bounds);
        }
        None => {
            let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
            let shade = if engine.stale { theme.stale } else { theme.text };
            let runs = [TextRun::bold(word, shade)];
            let text = canvas.shrunk(TextRuns::line(&runs, MOVE), bounds.width());
            // A cut off move would look like another move.
            if canvas.width(text) <= bounds.width() {
                canvas.line(text, MOVE, bounds, Align::Center);
            }
            canvas.name(PartWord::BestMove, word, bounds);
        }
    }
}

/// Draws an engine that is not the lead engine: its number and Black's win rate.
fn other(canvas: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, bounds: Rect) {
    let theme = canvas.theme();
    let shade = if engine.stale { theme.stale } else { theme.quiet };
    let percent = engine.percent.map_or_else(|| "–".to_owned(), |percent| format!("☗ {percent}%"));
    let text = format!("{} {percent}", phrase::number(nth));
    canvas.line(TextRuns::line(&[TextRun::regular(&text, shade)], SAID), SAID, bounds, Align::Center);
    canvas.engine = Some(nth);
    canvas.name(PartWord::Engine, percent, bounds);
    canvas.engine = None;
}

/// Draws the place and all candidates.
fn draw_beside(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let mut room = RemainingSpace(bounds);
    if !view.position_text.concat().is_empty() {
        texts::draw_place(canvas, view, room.top(26.0 * scale), Align::LEFT);
        let line = room.top(10.0 * scale);
        let line = line.with_min_y(line.center().y).with_max_y(line.center().y + 1.0);
        canvas.fill(line, CornerRadius::ZERO, theme.separator);
    }
    list::draw(canvas, view, super::asked(view), room.0);
}
