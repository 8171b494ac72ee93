//! The texts beside the bar: place in the game, evaluation, figures and notices.

use super::canvas::OverlayCanvas;
use crate::bar::{BarNotice, BarView, EngineSignal, EngineView};
use crate::config;
use crate::text::{PartWord, phrase};
use crate::ui::PaintTheme;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Color32, Rect};

// The font sizes, in points at scale 1.
pub(super) const NAME: f32 = 15.0;
pub(super) const LINE: f32 = 13.5;
pub(super) const QUIET: f32 = 12.5;

/// The size of the signal mark, and its gap to the text, in points at scale 1.
const SIGNAL: f32 = 9.0;
const SIGNAL_GAP: f32 = 6.0;

/// Returns the place in the game as text runs.
pub(super) fn place<'a>(view: &'a BarView, theme: &PaintTheme) -> Vec<TextRun<'a>> {
    let [before, last, after] = view.position_text.each_ref().map(|part| part.trim());
    // Japanese words need no spaces, but the move needs some distance to the text around it.
    let space = TextRun::bold(if last.is_empty() { "" } else { " " }, theme.text);
    let (before, after) = (TextRun::regular(before, theme.quiet), TextRun::regular(after, theme.quiet));
    vec![before, space, TextRun::bold(last, theme.text), space, after]
}

/// Draws the place in the game on one line. Where the move number does not fit, it draws the last move only.
pub(super) fn draw_place(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect, align: Align) -> Rect {
    let theme = canvas.theme();
    let last = view.position_text[1].trim();
    let short = phrase::after(last, canvas.look.lang);
    let (whole, short) = (place(view, theme), [TextRun::regular(&short, theme.quiet)]);
    let fits = last.is_empty() || canvas.width(TextRuns::line(&whole, LINE)) <= bounds.width();
    let text = TextRuns::line(if fits { &whole } else { &short }, LINE);
    let text = canvas.shrunk(text, bounds.width());
    // A cut off text would look like a candidate.
    let has_room = last.is_empty() || canvas.width(text) <= bounds.width();
    let shown = canvas.line(if has_room { text } else { TextRuns::line(&[], LINE) }, LINE, bounds, align);
    canvas.name(PartWord::Place, view.position_text.concat(), shown);
    shown
}

/// Returns the evaluation and the advantage in words as text runs.
pub(super) fn evaluation<'a>(view: &'a BarView, theme: &PaintTheme) -> [TextRun<'a>; 3] {
    let shade = if view.stale { theme.stale } else { theme.text };
    let space = if view.evaluation.is_empty() || view.advantage.is_empty() { "" } else { " " };
    [&view.evaluation, space, &view.advantage].map(|text| TextRun::bold(text, shade))
}

/// Adds the evaluation's screen reader names.
pub(super) fn name_evaluation(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, rect: Rect) {
    canvas.name(PartWord::Evaluation, view.evaluation.as_str(), rect);
    canvas.name(PartWord::Situation, view.advantage.as_str(), rect);
}

/// Draws an engine's figures in one line at the right end of `bounds`, as many as fit. Returns the room that they take.
pub(super) fn figures(canvas: &mut OverlayCanvas<'_, '_>, engine: &EngineView, bounds: Rect) -> Rect {
    let (theme, lang) = (canvas.theme(), canvas.look.lang);
    let quiet = if engine.stale { theme.stale } else { theme.quiet };
    let [depth, speed] = &engine.stats;
    let mark = signal_width(canvas, engine.signal);
    let all: [&[&str]; 4] =
        [&[depth, speed, &engine.own_name], &[depth, &engine.own_name], &[depth], &[&engine.own_name]];
    let mut texts = all.into_iter().map(|parts| phrase::together(parts, lang));
    let fits =
        |text: &String| canvas.width(TextRuns::line(&[TextRun::regular(text, quiet)], QUIET)) + mark <= bounds.width();
    let text = texts.find(fits).unwrap_or_default();
    let written = canvas.line(
        TextRuns::line(&[TextRun::regular(&text, quiet)], QUIET),
        QUIET,
        bounds.with_min_x(bounds.left() + mark),
        Align::RIGHT,
    );
    canvas.name(PartWord::Engine, text, written);
    let left = if written.width() > 0.0 { written.left() } else { bounds.right() };
    signal(canvas, engine.signal, Rect::from_x_y_ranges(left - mark..=left, bounds.y_range()));
    bounds.with_min_x(left - mark)
}

/// Returns the signal of the view, if it is shown.
pub(super) fn signal_of(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> Option<EngineSignal> {
    view.signal().filter(|_| canvas.look.shows(config::OverlayPart::Signal))
}

/// Returns the width of a signal with the gap behind it; 0 without a signal.
pub(super) fn signal_width(canvas: &OverlayCanvas<'_, '_>, signal: Option<EngineSignal>) -> f32 {
    if signal.is_some() { (SIGNAL + SIGNAL_GAP) * canvas.scale } else { 0.0 }
}

/// Draws an engine's signal at the left end of `bounds`.
pub(super) fn signal(canvas: &mut OverlayCanvas<'_, '_>, signal: Option<EngineSignal>, bounds: Rect) {
    let Some(signal) = signal else { return };
    let size = SIGNAL * canvas.scale;
    let at = egui::pos2(bounds.left(), bounds.center().y - size / 2.0);
    let square = Rect::from_min_size(at, egui::Vec2::splat(size));
    canvas.signal(signal, square);
    canvas.name(PartWord::Signal, signal.text(canvas.look.lang), square);
}

/// Draws a notice in place of the candidates, with the engine's last lines below it.
pub(super) fn notice(canvas: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, bounds: Rect) {
    let theme = canvas.theme();
    let line = 22.0 * canvas.scale;
    // The sentence comes first, but with room for more than two lines one line is reserved for a detail.
    let reserved = if notice.details.is_empty() || bounds.height() < 3.0 * line { 0.0 } else { line };
    let room = ((bounds.height() - reserved) / line).floor().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let text = TextRuns {
        runs: &[TextRun::regular(&notice.text, notice_color(theme, notice))],
        size: NAME,
        lines: room as usize,
    };
    let written = canvas.block(text, bounds);
    canvas.name(PartWord::Notice, [std::slice::from_ref(&notice.text), &notice.details].concat().join("\n"), bounds);

    let height = 17.0 * canvas.scale;
    let mut top = written.bottom() + 4.0 * canvas.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let fitting = ((bounds.bottom() + 2.0 * canvas.scale - top) / height).floor().max(0.0) as usize;
    // The last lines are shown, because there the engine says what happened to it.
    for detail in notice.details.iter().skip(notice.details.len().saturating_sub(fitting)) {
        let row = bounds.with_min_y(top).with_max_y(top + height);
        canvas.line(TextRuns::line(&[TextRun::regular(detail, theme.quiet)], QUIET), QUIET, row, Align::LEFT);
        top += height;
    }
}

/// Draws a transient notice into the last rows, as few as it needs, and leaves at least `least` rows. Returns the
/// remaining rows; `None` where no row can be taken and nothing was drawn.
pub(super) fn notice_below<'r>(
    canvas: &mut OverlayCanvas<'_, '_>,
    message: &BarNotice,
    rows: &'r [Rect],
    least: usize,
) -> Option<&'r [Rect]> {
    let most = rows.len().checked_sub(least).filter(|most| *most > 0)?;
    let (top, bottom) = (rows.first()?, rows.last()?);
    let width =
        canvas.width(TextRuns::line(&[TextRun::regular(&message.text, notice_color(canvas.theme(), message))], NAME));
    // A line may break before its end.
    let lines = (width / (top.width() * 0.9).max(1.0)).ceil().max(1.0);
    let needed = lines * 22.0 * canvas.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few rows")]
    let count = (needed / top.height().max(1.0)).ceil().max(1.0) as usize;
    let (left, taken) = rows.split_at(rows.len() - count.min(most));
    let room = taken.first()?.union(*bottom);
    let slack = (room.height() - needed).max(0.0);
    notice(canvas, message, room.with_min_y(room.top() + slack / 2.0));
    Some(left)
}

/// Returns a notice that is shown together with candidates.
pub(super) fn in_passing(view: &BarView) -> Option<&BarNotice> {
    let has_candidates = view.engines.iter().any(|engine| !engine.candidates.is_empty());
    view.notice.as_ref().filter(|notice| !notice.failure && has_candidates)
}

pub(super) fn notice_color(theme: &PaintTheme, notice: &BarNotice) -> Color32 {
    if notice.failure { theme.accent } else { theme.quiet }
}
