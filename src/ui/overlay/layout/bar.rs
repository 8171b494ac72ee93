//! The bar in one line: names, percentages and bar, behind them the evaluation and the best move, and before them the
//! place in the game.

use super::{compact, vertical};
use crate::bar::{BarView, EngineView};
use crate::text::{Lang, PartWord, phrase};
use crate::ui::overlay::canvas::OverlayCanvas;
use crate::ui::overlay::ends::{self, BarEnd};
use crate::ui::overlay::remaining_space::RemainingSpace;
use crate::ui::overlay::said::{self, LINE, NAME};
use crate::ui::overlay::share_bar::{self, BarAxis};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The size the layout was drawn for, in points.
pub(super) const SIZE: Vec2 = vec2(860.0, 44.0);
/// How much wider it is for each further engine.
pub(super) const OTHER: f32 = 190.0;
/// What all but the place and the evaluation need, and what the bar and the percentages do.
const WHOLE: Vec2 = vec2(720.0, 44.0);
const BARE: Vec2 = vec2(300.0, 44.0);
/// What the percentages and the bar need at least.
const LEAST: Vec2 = vec2(200.0, 44.0);
/// A window that is so many times as wide as high has room for one line, and the others for more.
const LONG: f32 = 12.0;

// The sizes of type, in points at scale 1.
const PERCENT: f32 = 26.0;
const MOVE: f32 = 18.0;

/// The bar is at least so long.
const LENGTH_LEAST: f32 = 60.0;
/// As high as it was drawn, and as high as it becomes.
const HEIGHT: f32 = 24.0;
const HEIGHT_MOST: f32 = 72.0;
/// Of a name is seen so much, or it is not there.
const NAME_LEAST: f32 = 60.0;
/// The bar has at least so much of the line, and still as much where there are names beside it, and others.
const BAR_LEAST: f32 = 0.25;
const BAR_BESIDE_NAMES: f32 = 0.3;
const BAR_BESIDE_OTHERS: f32 = 0.5;
/// A longer bar leaves the rest to others, in points at scale 1.
const BAR_EASY: f32 = 420.0;
/// Between two things.
const GAP: f32 = 12.0;

/// The room for a move: five kanji, as in ▲５八金左, are usual, and the bar keeps its length with them.
const fn move_least(lang: Lang) -> f32 {
    match lang {
        Lang::Ja => 90.0,
        Lang::En => 60.0,
    }
}

/// Draws the view into `rect`.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if super::is_upright(size) {
        vertical::draw(sheet, view, share, rect);
    } else if size.x < LONG * size.y && compact::has_room(size) {
        compact::draw(sheet, view, share, rect);
    } else {
        line(sheet, view, share, rect);
    }
}

/// Draws all in one line.
pub(super) fn line(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let whole = (rect.size() / WHOLE).min_elem();
    sheet.scale = if whole >= super::SMALLEST { whole } else { super::scale(rect.size(), BARE, LEAST) };
    sheet.ground(rect);
    let (scale, gap) = (sheet.scale, GAP * sheet.scale);
    let mut room = RemainingSpace(rect.shrink2(vec2(14.0 * scale, 0.0)));
    let percent = if sheet.look.shows_numbers() { ends::percent_width(sheet, PERCENT) + gap } else { 0.0 };
    // A loser has no number, and what is said of it in the bar needs the room.
    let winner = view.decided.as_ref().and_then(|decided| decided.winner);
    let percent = |end: BarEnd| if winner.is_none_or(|winner| winner == end.color) { percent } else { 0.0 };
    let [left, right] = BarEnd::both(sheet).map(percent);
    let whole = room.0.width();
    let mut line = BarLine { bar: whole - left - right, whole, least: LENGTH_LEAST * scale };

    // What is asked first is given first, and stands further to the right.
    let signal = said::signal_of(sheet, view);
    let beside = if signal.is_some() { gap / 2.0 } else { 0.0 };
    let mark = line.give(said::signal_width(sheet, signal) + beside, 0.0);
    if mark > 0.0 {
        said::signal(sheet, signal, room.right(mark).translate(vec2(gap, 0.0)));
    }
    best(sheet, view, &mut line, &mut room);
    let names = names(sheet, view, &mut line);
    if !is_in_bar(view) {
        others(sheet, view, &mut line, &mut room);
        evaluation(sheet, view, &mut line, &mut room);
        place(sheet, view, &mut line, &mut room);
    }

    for (end, width) in BarEnd::both(sheet).into_iter().zip(names) {
        let is_left = end.align == Align::LEFT;
        // Names on the outer side, and the gap on the inner one.
        let mut take = |width: f32| {
            let cut = if is_left { room.left(width) } else { room.right(width) };
            let inner = gap.min(width);
            if is_left { cut.with_max_x(cut.right() - inner) } else { cut.with_min_x(cut.left() + inner) }
        };
        let (name, number) = (take(width), take(percent(end)));
        if width > 0.0 {
            let row = Rect::from_center_size(name.center(), vec2(name.width(), 26.0 * scale));
            ends::name(sheet, view, end, NAME, row);
        }
        ends::percentage(sheet, view, end, PERCENT, number);
    }
    let higher = (rect.height() - SIZE.y * scale).max(0.0) * 0.6;
    let height = (HEIGHT * scale + higher).min(HEIGHT_MOST * scale);
    let bar = Rect::from_center_size(room.0.center(), vec2(room.0.width(), height));
    match view.notice().filter(|_| is_in_bar(view)) {
        Some(notice) => {
            let sentence = TextRun::regular(&notice.text, said::notice_color(sheet.theme(), notice));
            let shown = share_bar::draw_sentence(sheet, sentence, bar);
            sheet.name(PartWord::Notice, notice.text.as_str(), shown);
        }
        None => share_bar::draw(sheet, view, share, bar, BarAxis::Across),
    }
}

/// What of the line is still the bar's.
struct BarLine {
    bar: f32,
    whole: f32,
    least: f32,
}

impl BarLine {
    /// Takes so much from the bar where that leaves it this part of the whole, or else nothing.
    fn give(&mut self, wanted: f32, part: f32) -> f32 {
        let given = if self.bar - wanted >= (self.whole * part).max(self.least) { wanted } else { 0.0 };
        self.bar -= given;
        given
    }

    /// The same for what the bar comes before.
    fn take_space(&mut self, wanted: f32, scale: f32) -> f32 {
        self.give(wanted, BAR_BESIDE_OTHERS.min(BAR_EASY * scale / self.whole.max(1.0)))
    }
}

/// Whether a notice stands in the bar: while that is nobody's.
fn is_in_bar(view: &BarView) -> bool {
    view.notice().is_some() && !share_bar::is_shared(view) && view.decided.is_none()
}

/// Whether the place stands where the best move would, of which there is none.
fn is_place_last(sheet: &OverlayCanvas<'_, '_>, view: &BarView) -> bool {
    let keeps = sheet.look.shows_candidates() && view.lead().asked > 0;
    keeps && view.lead().candidates.is_empty() && view.notice().is_none()
}

/// The best move, or a sentence in its place, or the place.
fn best(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    let theme = sheet.theme();
    if let Some(notice) = view.notice().filter(|_| !is_in_bar(view)) {
        let runs = [TextRun::regular(&notice.text, said::notice_color(theme, notice))];
        let text = TextRuns::line(&runs, NAME);
        let at = last(sheet, text, line, room);
        sheet.line(text, NAME, at, Align::RIGHT);
        return sheet.name(PartWord::Notice, notice.text.as_str(), at);
    }
    let engine = view.lead();
    if !sheet.look.shows_candidates() || (engine.candidates.is_empty() && engine.asked == 0) {
        return;
    }
    let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
    let (is_place, best) = (is_place_last(sheet, view), [TextRun::bold(word, shade(sheet, engine))]);
    let place = said::place(view, theme);
    let (runs, size) = if is_place { (&place[..], LINE) } else { (&best[..], MOVE) };
    let text = TextRuns::line(runs, size);
    let at = last(sheet, text, line, room);
    sheet.line(text, size, at, Align::RIGHT);
    if is_place {
        sheet.name(PartWord::Place, view.place.concat(), at);
    } else {
        sheet.name(PartWord::BestMove, word, at);
    }
}

/// The room at the right end for a text, or for a move.
fn last(sheet: &mut OverlayCanvas<'_, '_>, text: TextRuns<'_>, line: &mut BarLine, room: &mut RemainingSpace) -> Rect {
    let (least, gap) = (move_least(sheet.look.lang) * sheet.scale, GAP * sheet.scale);
    let wanted = (sheet.width(text) + 0.5).max(least).min(line.whole * 0.4) + gap;
    cut(room, line.give(wanted, BAR_LEAST), gap)
}

fn shade(sheet: &OverlayCanvas<'_, '_>, engine: &EngineView) -> egui::Color32 {
    if engine.stale { sheet.theme().stale } else { sheet.theme().text }
}

/// So much from the right, without the gap on its left.
fn cut(room: &mut RemainingSpace, width: f32, gap: f32) -> Rect {
    let cut = room.right(width);
    cut.with_min_x(cut.left() + gap.min(width))
}

/// The width of each of the names with a gap, as far as there is room for them.
fn names(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine) -> [f32; 2] {
    if !sheet.look.shows_header() {
        return [0.0; 2];
    }
    let gap = GAP * sheet.scale;
    let [left, right] = BarEnd::both(sheet).map(|end| ends::name_width(sheet, view, end.color, NAME) + gap);
    // A short name leaves its room to a long one.
    let half = (line.bar - (line.whole * BAR_BESIDE_NAMES).max(line.least)) / 2.0;
    let widths = [left.min(half + (half - right).max(0.0)), right.min(half + (half - left).max(0.0))];
    let is_readable = |(width, whole): (&f32, f32)| *width >= whole.min(NAME_LEAST * sheet.scale + gap);
    let fits = widths.iter().zip([left, right]).all(is_readable) && line.give(widths.iter().sum(), 0.0) > 0.0;
    if fits { widths } else { [0.0; 2] }
}

/// The evaluation.
fn evaluation(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    let decided = view.decided.is_some();
    // The bar says how it was decided.
    let evaluation = said::evaluation(view, sheet.theme());
    let evaluation = evaluation.map(|run| if decided { TextRun { text: "", ..run } } else { run });
    if let Some(at) = text(sheet, &evaluation, line, room) {
        said::name_evaluation(sheet, view, at);
    }
}

/// The place in the game, at the left end: there it is no candidate, and the bar stays nearer to the middle.
fn place(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    if is_place_last(sheet, view) {
        return;
    }
    let runs = said::place(view, sheet.theme());
    let given = line.take_space(wanted(sheet, TextRuns::line(&runs, LINE)), sheet.scale);
    if given > 0.0 {
        let at = room.left(given);
        let shown =
            sheet.line(TextRuns::line(&runs, LINE), LINE, at.with_max_x(at.right() - GAP * sheet.scale), Align::LEFT);
        sheet.name(PartWord::Place, view.place.concat(), shown);
    }
}

/// The best move of each engine that the bar does not show, with its win rate.
fn others(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, line: &mut BarLine, room: &mut RemainingSpace) {
    for (nth, engine) in view.engines.iter().enumerate().filter(|(nth, _)| *nth != view.lead).rev() {
        let number = phrase::number(nth);
        let percent = engine.percent.map_or_else(|| " –".to_owned(), |percent| format!(" ☗{percent}%"));
        let percent = if sheet.look.shows_numbers() { percent } else { String::new() };
        let word = engine.candidates.first().map(|best| format!(" {}", best.word)).unwrap_or_default();
        let (quiet, shade) = (sheet.theme().quiet, shade(sheet, engine));
        let runs = [TextRun::regular(&number, quiet), TextRun::regular(&percent, shade), TextRun::bold(&word, shade)];
        let shown = if percent.is_empty() && word.is_empty() { None } else { text(sheet, &runs, line, room) };
        if let Some(at) = shown {
            sheet.engine = Some(nth);
            sheet.name(PartWord::BestMove, word.trim(), at);
            sheet.engine = None;
        }
    }
}

/// A text where there is room for it; gives back where it came to be.
fn text(
    sheet: &mut OverlayCanvas<'_, '_>,
    runs: &[TextRun<'_>],
    line: &mut BarLine,
    room: &mut RemainingSpace,
) -> Option<Rect> {
    let text = TextRuns::line(runs, LINE);
    let given = line.take_space(wanted(sheet, text), sheet.scale);
    let at = (given > 0.0).then(|| cut(room, given, GAP * sheet.scale))?;
    Some(sheet.line(text, LINE, at, Align::RIGHT))
}

/// What a text takes with a gap, in steps, so that the bar does not change its length with every figure; nothing
/// where there is none.
fn wanted(sheet: &mut OverlayCanvas<'_, '_>, text: TextRuns<'_>) -> f32 {
    let step = 24.0 * sheet.scale;
    if text.is_empty() { 0.0 } else { (sheet.width(text) / step).ceil() * step + GAP * sheet.scale }
}
