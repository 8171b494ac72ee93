//! The bar in one line: the place in the game, names, percentages and bar, then the evaluation and the best move.

use super::{compact, draw_as};
use crate::bar::{BarView, EngineView};
use crate::config::Layout;
use crate::text::{Lang, PartWord, phrase};
use crate::ui::overlay::canvas::OverlayCanvas;
use crate::ui::overlay::ends::{self, BarEnd};
use crate::ui::overlay::remaining_space::RemainingSpace;
use crate::ui::overlay::share_bar::{self, BarAxis};
use crate::ui::overlay::texts::{self, LINE, NAME};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The design size of the layout, in points.
pub(super) const SIZE: Vec2 = vec2(860.0, 44.0);
/// The additional width for each further engine.
pub(super) const OTHER: f32 = 190.0;
/// The design sizes of everything except place and evaluation, and of the bar with the percentages.
const WHOLE: Vec2 = vec2(720.0, 44.0);
const BARE: Vec2 = vec2(300.0, 44.0);
/// The minimum size for the percentages and the bar.
const LEAST: Vec2 = vec2(200.0, 44.0);
/// A window this many times as wide as high has room for one line; others have room for more.
const LONG: f32 = 12.0;

// The font sizes, in points at scale 1.
const PERCENT: f32 = 26.0;
const MOVE: f32 = 18.0;

/// The minimum length of the bar.
const LENGTH_LEAST: f32 = 60.0;
/// The design height of the bar, and its maximum height.
const HEIGHT: f32 = 24.0;
const HEIGHT_MOST: f32 = 72.0;
/// The minimum width of a name; a narrower one is left out.
const NAME_LEAST: f32 = 60.0;
/// The bar's minimum shares of the line: alone, beside names, and beside other parts.
const BAR_LEAST: f32 = 0.25;
const BAR_BESIDE_NAMES: f32 = 0.3;
const BAR_BESIDE_OTHERS: f32 = 0.5;
/// A bar longer than this leaves the rest to other parts, in points at scale 1.
const BAR_EASY: f32 = 420.0;
/// The gap between two parts.
const GAP: f32 = 12.0;

/// Returns the minimum width of a move: five kanji, as in ▲５八金左, are common, so that the bar keeps its length with
/// them.
const fn move_least(lang: Lang) -> f32 {
    match lang {
        Lang::Ja => 90.0,
        Lang::En => 60.0,
    }
}

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if super::is_upright(size) {
        draw_as(Layout::Vertical, canvas, view, share, rect);
    } else if size.x < LONG * size.y && compact::has_room(size) {
        draw_as(Layout::Compact, canvas, view, share, rect);
    } else {
        line(canvas, view, share, rect);
    }
}

/// Draws everything in one line.
fn line(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let whole = (rect.size() / WHOLE).min_elem();
    canvas.scale = if whole >= super::SMALLEST { whole } else { super::scale(rect.size(), BARE, LEAST) };
    canvas.ground(rect);
    let (scale, gap) = (canvas.scale, GAP * canvas.scale);
    let mut room = RemainingSpace(rect.shrink2(vec2(14.0 * scale, 0.0)));
    let percent = if canvas.look.shows_numbers() { ends::percent_width(canvas, PERCENT) + gap } else { 0.0 };
    // The loser has no number, and the result in the bar needs the room.
    let winner = view.decided.as_ref().and_then(|decided| decided.winner);
    let percent = |end: BarEnd| if winner.is_none_or(|winner| winner == end.color) { percent } else { 0.0 };
    let [left, right] = BarEnd::both(canvas).map(percent);
    let whole = room.0.width();
    let mut line = BarLine { bar: whole - left - right, whole, least: LENGTH_LEAST * scale };

    // The parts that are requested first get room first and are further to the right.
    let signal = texts::signal_of(canvas, view);
    let beside = if signal.is_some() { gap / 2.0 } else { 0.0 };
    let mark = line.give(texts::signal_width(canvas, signal) + beside, 0.0);
    if mark > 0.0 {
        texts::signal(canvas, signal, room.right(mark).translate(vec2(gap, 0.0)));
    }
    best(canvas, view, &mut line, &mut room);
    let names = names(canvas, view, &mut line);
    if !is_in_bar(view) {
        others(canvas, view, &mut line, &mut room);
        evaluation(canvas, view, &mut line, &mut room);
        place(canvas, view, &mut line, &mut room);
    }

    for (end, width) in BarEnd::both(canvas).into_iter().zip(names) {
        let is_left = end.align == Align::LEFT;
        // The name is on the outer side, the gap on the inner side.
        let mut take = |width: f32| {
            let cut = if is_left { room.left(width) } else { room.right(width) };
            let inner = gap.min(width);
            if is_left { cut.with_max_x(cut.right() - inner) } else { cut.with_min_x(cut.left() + inner) }
        };
        let (name, number) = (take(width), take(percent(end)));
        if width > 0.0 {
            let row = Rect::from_center_size(name.center(), vec2(name.width(), 26.0 * scale));
            ends::name(canvas, view, end, NAME, row);
        }
        ends::percentage(canvas, view, end, PERCENT, number);
    }
    let higher = (rect.height() - SIZE.y * scale).max(0.0) * 0.6;
    let height = (HEIGHT * scale + higher).min(HEIGHT_MOST * scale);
    let bar = Rect::from_center_size(room.0.center(), vec2(room.0.width(), height));
    match view.notice().filter(|_| is_in_bar(view)) {
        Some(notice) => {
            let sentence = TextRun::regular(&notice.text, texts::notice_color(canvas.theme(), notice));
            let shown = share_bar::draw_sentence(canvas, sentence, bar);
            canvas.name(PartWord::Notice, notice.text.as_str(), shown);
        }
        None => share_bar::draw(canvas, view, share, bar, BarAxis::Across),
    }
}

/// The part of the line that still belongs to the bar.
struct BarLine {
    bar: f32,
    whole: f32,
    least: f32,
}

impl BarLine {
    /// Takes room from the bar, if that leaves it this fraction of the whole. Otherwise returns 0.
    fn give(&mut self, wanted: f32, part: f32) -> f32 {
        let given = if self.bar - wanted >= (self.whole * part).max(self.least) { wanted } else { 0.0 };
        self.bar -= given;
        given
    }

    /// Takes room for a part with a lower priority than the bar.
    fn take_space(&mut self, wanted: f32, scale: f32) -> f32 {
        self.give(wanted, BAR_BESIDE_OTHERS.min(BAR_EASY * scale / self.whole.max(1.0)))
    }
}

/// Returns whether a notice is drawn in the bar, as long as the bar is empty.
fn is_in_bar(view: &BarView) -> bool {
    view.notice().is_some() && !share_bar::is_shared(view) && view.decided.is_none()
}

/// Returns whether the place is drawn where the best move would be, because there is none.
fn is_place_last(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> bool {
    let keeps = canvas.look.shows_candidates() && view.lead().multipv > 0;
    keeps && view.lead().candidates.is_empty() && view.notice().is_none()
}

/// Draws the best move, or a notice or the place instead.
fn best(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    let theme = canvas.theme();
    if let Some(notice) = view.notice().filter(|_| !is_in_bar(view)) {
        let runs = [TextRun::regular(&notice.text, texts::notice_color(theme, notice))];
        let text = TextRuns::line(&runs, NAME);
        let at = last(canvas, text, line, room);
        canvas.line(text, NAME, at, Align::RIGHT);
        return canvas.name(PartWord::Notice, notice.text.as_str(), at);
    }
    let engine = view.lead();
    if !canvas.look.shows_candidates() || (engine.candidates.is_empty() && engine.multipv == 0) {
        return;
    }
    let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
    let (is_place, best) = (is_place_last(canvas, view), [TextRun::bold(word, shade(canvas, engine))]);
    let place = texts::place(view, theme);
    let (runs, size) = if is_place { (&place[..], LINE) } else { (&best[..], MOVE) };
    let text = TextRuns::line(runs, size);
    let at = last(canvas, text, line, room);
    canvas.line(text, size, at, Align::RIGHT);
    if is_place {
        canvas.name(PartWord::Place, view.position_text.concat(), at);
    } else {
        canvas.name(PartWord::BestMove, word, at);
    }
}

/// Returns the room at the right end for a text, or for a move.
fn last(canvas: &mut OverlayCanvas<'_, '_>, text: TextRuns<'_>, line: &mut BarLine, room: &mut RemainingSpace) -> Rect {
    let (least, gap) = (move_least(canvas.look.lang) * canvas.scale, GAP * canvas.scale);
    let wanted = (canvas.width(text) + 0.5).max(least).min(line.whole * 0.4) + gap;
    cut(room, line.give(wanted, BAR_LEAST), gap)
}

fn shade(canvas: &OverlayCanvas<'_, '_>, engine: &EngineView) -> egui::Color32 {
    if engine.stale { canvas.theme().stale } else { canvas.theme().text }
}

/// Cuts a width from the right, without the gap on its left.
fn cut(room: &mut RemainingSpace, width: f32, gap: f32) -> Rect {
    let cut = room.right(width);
    cut.with_min_x(cut.left() + gap.min(width))
}

/// Returns the width of each name with a gap, as far as there is room.
fn names(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine) -> [f32; 2] {
    if !canvas.look.shows_header() {
        return [0.0; 2];
    }
    let gap = GAP * canvas.scale;
    let [left, right] = BarEnd::both(canvas).map(|end| ends::name_width(canvas, view, end.color, NAME) + gap);
    // A short name leaves its room to a long one.
    let half = (line.bar - (line.whole * BAR_BESIDE_NAMES).max(line.least)) / 2.0;
    let widths = [left.min(half + (half - right).max(0.0)), right.min(half + (half - left).max(0.0))];
    let is_readable = |(width, whole): (&f32, f32)| *width >= whole.min(NAME_LEAST * canvas.scale + gap);
    let fits = widths.iter().zip([left, right]).all(is_readable) && line.give(widths.iter().sum(), 0.0) > 0.0;
    if fits { widths } else { [0.0; 2] }
}

/// Draws the evaluation.
fn evaluation(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    let decided = view.decided.is_some();
    // The bar itself shows how the game was decided.
    let evaluation = texts::evaluation(view, canvas.theme());
    let evaluation = evaluation.map(|run| if decided { TextRun { text: "", ..run } } else { run });
    if let Some(at) = text(canvas, &evaluation, line, room) {
        texts::name_evaluation(canvas, view, at);
    }
}

/// Draws the place in the game at the left end. There it does not look like a candidate, and the bar stays nearer to
/// the centre.
fn place(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    if is_place_last(canvas, view) {
        return;
    }
    let runs = texts::place(view, canvas.theme());
    let given = line.take_space(wanted(canvas, TextRuns::line(&runs, LINE)), canvas.scale);
    if given > 0.0 {
        let at = room.left(given);
        let shown =
            canvas.line(TextRuns::line(&runs, LINE), LINE, at.with_max_x(at.right() - GAP * canvas.scale), Align::LEFT);
        canvas.name(PartWord::Place, view.position_text.concat(), shown);
    }
}

/// Draws the best move of each engine that is not the lead engine, with its win rate.
fn others(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    for (nth, engine) in view.engines.iter().enumerate().filter(|(nth, _)| *nth != view.lead).rev() {
        let number = phrase::number(nth);
        let percent = engine.percent.map_or_else(|| " –".to_owned(), |percent| format!(" ☗{percent}%"));
        let percent = if canvas.look.shows_numbers() { percent } else { String::new() };
        let word = engine.candidates.first().map(|best| format!(" {}", best.word)).unwrap_or_default();
        let (quiet, shade) = (canvas.theme().quiet, shade(canvas, engine));
        let runs = [TextRun::regular(&number, quiet), TextRun::regular(&percent, shade), TextRun::bold(&word, shade)];
        let shown = if percent.is_empty() && word.is_empty() { None } else { text(canvas, &runs, line, room) };
        if let Some(at) = shown {
            canvas.engine = Some(nth);
            canvas.name(PartWord::BestMove, word.trim(), at);
            canvas.engine = None;
        }
    }
}

/// Draws a text if there is room for it. Returns its rectangle.
fn text(
    canvas: &mut OverlayCanvas<'_, '_>,
    runs: &[TextRun<'_>],
    line: &mut BarLine,
    room: &mut RemainingSpace,
) -> Option<Rect> {
    let text = TextRuns::line(runs, LINE);
    let given = line.take_space(wanted(canvas, text), canvas.scale);
    let at = (given > 0.0).then(|| cut(room, given, GAP * canvas.scale))?;
    Some(canvas.line(text, LINE, at, Align::RIGHT))
}

/// Returns the width of a text with a gap; 0 for an empty text. It grows in steps, so that the bar does not change its
/// length with every figure.
fn wanted(canvas: &mut OverlayCanvas<'_, '_>, text: TextRuns<'_>) -> f32 {
    let step = 24.0 * canvas.scale;
    if text.is_empty() { 0.0 } else { (canvas.width(text) / step).ceil() * step + GAP * canvas.scale }
}
