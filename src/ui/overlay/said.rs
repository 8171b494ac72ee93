//! What is said beside the bar: the place in the game, the evaluation, figures, a sentence.

use super::canvas::OverlayCanvas;
use crate::bar::{BarNotice, BarView, EngineSignal, EngineView};
use crate::config;
use crate::text::{PartWord, phrase};
use crate::ui::PaintTheme;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Color32, Rect};

// The sizes of type, in points at scale 1.
pub(super) const NAME: f32 = 15.0;
pub(super) const LINE: f32 = 13.5;
pub(super) const QUIET: f32 = 12.5;

/// The mark of how an engine fares, and its distance to what it belongs to, in points at scale 1.
const SIGNAL: f32 = 9.0;
const SIGNAL_GAP: f32 = 6.0;

/// Where in the game we are.
pub(super) fn place<'a>(view: &'a BarView, theme: &PaintTheme) -> Vec<TextRun<'a>> {
    let [before, last, after] = view.place.each_ref().map(|part| part.trim());
    // A little air around the move, which the words themselves do not ask for in Japanese.
    let space = TextRun::bold(if last.is_empty() { "" } else { " " }, theme.text);
    let (before, after) = (TextRun::regular(before, theme.quiet), TextRun::regular(after, theme.quiet));
    vec![before, space, TextRun::bold(last, theme.text), space, after]
}

/// Draws the place in the game on one line, or of it the last move where there is no room for the number.
pub(super) fn draw_place(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect, align: Align) -> Rect {
    let theme = sheet.theme();
    let last = view.place[1].trim();
    let short = phrase::after(last, sheet.look.lang);
    let (whole, short) = (place(view, theme), [TextRun::regular(&short, theme.quiet)]);
    let fits = last.is_empty() || sheet.width(TextRuns::line(&whole, LINE)) <= bounds.width();
    let text = TextRuns::line(if fits { &whole } else { &short }, LINE);
    let text = sheet.shrunk(text, bounds.width());
    // Cut off it would be taken for a candidate.
    let has_room = last.is_empty() || sheet.width(text) <= bounds.width();
    let shown = sheet.line(if has_room { text } else { TextRuns::line(&[], LINE) }, LINE, bounds, align);
    sheet.name(PartWord::Place, view.place.concat(), shown);
    shown
}

/// The evaluation and the situation in words.
pub(super) fn evaluation<'a>(view: &'a BarView, theme: &PaintTheme) -> [TextRun<'a>; 3] {
    let shade = if view.stale { theme.stale } else { theme.text };
    let space = if view.evaluation.is_empty() || view.situation.is_empty() { "" } else { " " };
    [&view.evaluation, space, &view.situation].map(|text| TextRun::bold(text, shade))
}

/// Tells a screen reader of the evaluation.
pub(super) fn name_evaluation(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, rect: Rect) {
    sheet.name(PartWord::Evaluation, view.evaluation.as_str(), rect);
    sheet.name(PartWord::Situation, view.situation.as_str(), rect);
}

/// What an engine did for its values, in one line at the right end of `bounds`, as much of it as there is room for;
/// gives back what it takes.
pub(super) fn figures(sheet: &mut OverlayCanvas<'_, '_>, engine: &EngineView, bounds: Rect) -> Rect {
    let (theme, lang) = (sheet.theme(), sheet.look.lang);
    let quiet = if engine.stale { theme.stale } else { theme.quiet };
    let [depth, speed] = &engine.figures;
    let mark = signal_width(sheet, engine.signal);
    let all: [&[&str]; 4] =
        [&[depth, speed, &engine.own_name], &[depth, &engine.own_name], &[depth], &[&engine.own_name]];
    let mut texts = all.into_iter().map(|parts| phrase::together(parts, lang));
    let fits =
        |text: &String| sheet.width(TextRuns::line(&[TextRun::regular(text, quiet)], QUIET)) + mark <= bounds.width();
    let text = texts.find(fits).unwrap_or_default();
    let written = sheet.line(
        TextRuns::line(&[TextRun::regular(&text, quiet)], QUIET),
        QUIET,
        bounds.with_min_x(bounds.left() + mark),
        Align::RIGHT,
    );
    sheet.name(PartWord::Engine, text, written);
    let left = if written.width() > 0.0 { written.left() } else { bounds.right() };
    signal(sheet, engine.signal, Rect::from_x_y_ranges(left - mark..=left, bounds.y_range()));
    bounds.with_min_x(left - mark)
}

/// The mark of the one that stands for all.
pub(super) fn signal_of(sheet: &OverlayCanvas<'_, '_>, view: &BarView) -> Option<EngineSignal> {
    view.signal().filter(|_| sheet.look.shows(config::OverlayPart::Signal))
}

/// The room that a mark takes with the gap behind it; none where there is no mark.
pub(super) fn signal_width(sheet: &OverlayCanvas<'_, '_>, signal: Option<EngineSignal>) -> f32 {
    if signal.is_some() { (SIGNAL + SIGNAL_GAP) * sheet.scale } else { 0.0 }
}

/// The mark of how an engine fares, at the left end of `bounds`.
pub(super) fn signal(sheet: &mut OverlayCanvas<'_, '_>, signal: Option<EngineSignal>, bounds: Rect) {
    let Some(signal) = signal else { return };
    let size = SIGNAL * sheet.scale;
    let at = egui::pos2(bounds.left(), bounds.center().y - size / 2.0);
    let square = Rect::from_min_size(at, egui::Vec2::splat(size));
    sheet.signal(signal, square);
    sheet.name(PartWord::Signal, signal.text(sheet.look.lang), square);
}

/// A sentence in place of the candidates, with the last lines of the engine below it.
pub(super) fn notice(sheet: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, bounds: Rect) {
    let theme = sheet.theme();
    let line = 22.0 * sheet.scale;
    // The sentence goes first, but where there is room for more than two lines one is a detail's.
    let reserved = if notice.details.is_empty() || bounds.height() < 3.0 * line { 0.0 } else { line };
    let room = ((bounds.height() - reserved) / line).floor().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let text = TextRuns {
        runs: &[TextRun::regular(&notice.text, notice_color(theme, notice))],
        size: NAME,
        lines: room as usize,
    };
    let written = sheet.block(text, bounds);
    sheet.name(PartWord::Notice, [std::slice::from_ref(&notice.text), &notice.details].concat().join("\n"), bounds);

    let height = 17.0 * sheet.scale;
    let mut top = written.bottom() + 4.0 * sheet.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let fitting = ((bounds.bottom() + 2.0 * sheet.scale - top) / height).floor().max(0.0) as usize;
    // The last ones: there the engine says what happened to it.
    for detail in notice.details.iter().skip(notice.details.len().saturating_sub(fitting)) {
        let row = bounds.with_min_y(top).with_max_y(top + height);
        sheet.line(TextRuns::line(&[TextRun::regular(detail, theme.quiet)], QUIET), QUIET, row, Align::LEFT);
        top += height;
    }
}

/// A sentence in passing takes no more of `rows` than it needs, from the last one up, and leaves so many at least, and
/// gives back those that are left; `None` where there are no more than those, and nothing was written.
pub(super) fn notice_below<'r>(
    sheet: &mut OverlayCanvas<'_, '_>,
    said: &BarNotice,
    rows: &'r [Rect],
    least: usize,
) -> Option<&'r [Rect]> {
    let most = rows.len().checked_sub(least).filter(|most| *most > 0)?;
    let (top, bottom) = (rows.first()?, rows.last()?);
    let width = sheet.width(TextRuns::line(&[TextRun::regular(&said.text, notice_color(sheet.theme(), said))], NAME));
    // Lines break before their end.
    let lines = (width / (top.width() * 0.9).max(1.0)).ceil().max(1.0);
    let needed = lines * 22.0 * sheet.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few rows")]
    let count = (needed / top.height().max(1.0)).ceil().max(1.0) as usize;
    let (left, taken) = rows.split_at(rows.len() - count.min(most));
    let room = taken.first()?.union(*bottom);
    let slack = (room.height() - needed).max(0.0);
    notice(sheet, said, room.with_min_y(room.top() + slack / 2.0));
    Some(left)
}

/// What is said in passing while there are candidates to be seen.
pub(super) fn in_passing(view: &BarView) -> Option<&BarNotice> {
    let has_candidates = view.engines.iter().any(|engine| !engine.candidates.is_empty());
    view.notice.as_ref().filter(|notice| !notice.failure && has_candidates)
}

pub(super) fn notice_color(theme: &PaintTheme, notice: &BarNotice) -> Color32 {
    if notice.failure { theme.accent } else { theme.quiet }
}
