//! The texts beside the bar: move number and last move, live mark, reason, evaluation, figures, signal and notices.

use super::canvas::OverlayCanvas;
use super::chips::Chip;
use crate::text_runs::{TextRun, TextRuns};
use crate::{PaintTheme, PartWord};
use eframe::egui;
use egui::{Align, Color32, Rect};
use shogibar_games::bar::{BarNotice, BarView, EngineSignal, EngineView, LiveMark};
use shogibar_games::phrase;

/// The font size of names and notices, in points at scale 1.
pub(super) const NAME_FONT_SIZE: f32 = 15.0;
/// The font size of following moves and of other lines, in points at scale 1.
pub(super) const LINE_FONT_SIZE: f32 = 13.5;
/// The font size of secondary texts, in points at scale 1.
pub(super) const QUIET_FONT_SIZE: f32 = 12.5;

/// The height of a line of a notice, in points at scale 1 and a text size of 100 %.
const NOTICE_LINE_HEIGHT: f32 = 22.0;

/// The size of the signal mark, in points at scale 1.
const SIGNAL_SIZE: f32 = 9.0;
/// The gap between the signal mark and the text, in points at scale 1.
const SIGNAL_GAP: f32 = 6.0;

/// Returns the move number and the last move as text runs.
pub(super) fn position_runs<'a>(view: &'a BarView, theme: &PaintTheme) -> Vec<TextRun<'a>> {
    let [before, last, after] = view.position_text.each_ref().map(|part| part.trim());
    // Japanese words need no spaces, but the move needs some distance from the text around it.
    let space = TextRun::bold(if last.is_empty() { "" } else { " " }, theme.text);
    let (before, after) = (
        TextRun::regular(before, theme.quiet),
        TextRun::regular(after, theme.quiet),
    );
    vec![before, space, TextRun::bold(last, theme.text), space, after]
}

/// The font size of the names of opening and castles, in ems of the move number.
const FORMATION_FONT_EMS: f32 = 0.88;

/// Draws the move number, the opening or castles where `has_formation`, and whether the game is live, in the middle of
/// `bounds`.
pub(super) fn draw_number_and_live(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    size: f32,
    bounds: Rect,
    has_formation: bool,
) {
    let theme = canvas.theme();
    let text = view.position_text[0].trim_end_matches([' ', ':']);
    let brief = phrase::brief_position(text, canvas.style.lang);
    let [whole_runs, brief_runs] = [text, brief].map(|text| [TextRun::regular(text, theme.quiet)]);
    let [formation, shorter] = [&view.reason.formation.text, &view.reason.formation.brief].map(|name| {
        if has_formation {
            Chip::formation(canvas, name, size * FORMATION_FONT_EMS)
        } else {
            None
        }
    });
    let numbers = [
        (&whole_runs, formation),
        (&whole_runs, shorter),
        (&whole_runs, None),
        (&brief_runs, None),
    ];
    let live = if canvas.style.shows(shogibar_config::OverlayPart::Signal) {
        view.live_mark
    } else {
        None
    };
    let word = live.map(|live| live.text(canvas.style.lang)).unwrap_or_default();
    let runs = [TextRun::bold(&word, theme.text)];
    let text = TextRuns::line(&runs, size);
    let unit = size * canvas.scale;
    let (dot, gap) = (0.5 * unit, 0.9 * unit);
    let mark = if word.is_empty() {
        0.0
    } else {
        dot + 0.3 * unit + canvas.width(text)
    };
    if mark > bounds.width() {
        return;
    }
    // The live mark has precedence over the other texts.
    let room = bounds.width() - if mark > 0.0 { mark + gap } else { 0.0 };
    let mut numbers = numbers.into_iter().map(|(runs, chip)| {
        let text = TextRuns::line(runs, size);
        let number_width = canvas.width(text);
        let chip = chip.map(|chip| (chip, chip.width(canvas) + gap));
        let whole = number_width + chip.map_or(0.0, |(_, width)| width);
        (text, number_width, chip, whole)
    });
    let number = numbers.find(|(_, number_width, _, whole)| *whole <= room && *number_width > 0.0);
    let between = if number.is_some() && mark > 0.0 { gap } else { 0.0 };
    let mut left = bounds.center().x - (number.map_or(0.0, |(.., whole)| whole) + between + mark) / 2.0;
    if let Some((number, number_width, chip, whole)) = number {
        let rect = bounds.with_min_x(left).with_max_x(left + number_width + 0.5);
        canvas.draw_line(number, size, rect, Align::LEFT);
        canvas.add_named_part(PartWord::Position, view.position_text.concat(), rect);
        if let Some((chip, _)) = chip {
            let rect = chip.draw(canvas, left + number_width + gap, bounds);
            canvas.add_named_part(PartWord::Formation, chip.word, rect);
        }
        left += whole + between;
    }
    if let Some(live) = live {
        let center = egui::pos2(left + dot / 2.0, bounds.center().y);
        canvas.draw_live_dot(center, dot / 2.0, live == LiveMark::Live);
        let rect = bounds
            .with_min_x(left + dot + 0.3 * unit)
            .with_max_x(left + mark + 0.5);
        canvas.draw_line(text, size, rect, Align::LEFT);
        canvas.add_named_part(PartWord::Live, word.as_str(), rect);
    }
}

/// Draws the sentence about the last move or the position in the middle of `bounds`, or its short form. Returns whether
/// one of them fits.
pub(super) fn draw_reason(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    size: f32,
    bounds: Rect,
) -> bool {
    let color = if view.is_stale {
        canvas.theme().quiet
    } else {
        canvas.theme().text
    };
    for words in [&view.reason.sentence, &view.reason.short_sentence]
        .into_iter()
        .filter(|words| !words.is_empty())
    {
        let runs = [TextRun::bold(words, color)];
        let text = TextRuns::line(&runs, size);
        if canvas.fits_squeezed(text, bounds.size()) {
            let shown = canvas.draw_squeezed(text, size, bounds, Align::Center);
            canvas.add_named_part(PartWord::Reason, words.as_str(), shown);
            return true;
        }
    }
    false
}

/// Draws at the left end of `bounds` whether the game is live: a dot if the shown position is the newest one, otherwise
/// a dot with a word. Returns the remaining rectangle.
pub(super) fn draw_live(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, size: f32, bounds: Rect) -> Rect {
    let live = match view.live_mark {
        Some(live) if canvas.style.shows(shogibar_config::OverlayPart::Signal) => live,
        _ => return bounds,
    };
    let (is_live, word) = (live == LiveMark::Live, live.text(canvas.style.lang));
    let runs = [TextRun::bold(
        if is_live { "" } else { &word },
        canvas.theme().text,
    )];
    let text = TextRuns::line(&runs, size);
    let unit = size * canvas.scale;
    let (dot, gap) = (0.5 * unit, 0.3 * unit);
    let width = if is_live {
        0.0
    } else {
        gap + canvas.width(text) + 0.5
    };
    if dot + width > bounds.width() {
        return bounds;
    }
    canvas.draw_live_dot(
        egui::pos2(bounds.left() + dot / 2.0, bounds.center().y),
        dot / 2.0,
        is_live,
    );
    let rect = bounds.with_max_x(bounds.left() + dot + width);
    if !is_live {
        canvas.draw_line(text, size, rect.with_min_x(rect.left() + dot + gap), Align::LEFT);
    }
    canvas.add_named_part(PartWord::Live, word.as_str(), rect);
    bounds.with_min_x(rect.right() + 0.6 * unit)
}

/// Draws the evaluation and the situation in the middle of `bounds`. While the values belong to another position, draws
/// the status of the engine.
pub(super) fn draw_middle(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, size: f32, bounds: Rect) {
    let theme = canvas.theme();
    let status = view.lead().status.as_str();
    let is_stale = view.is_stale && !status.is_empty();
    let whole = phrase::together(&[&view.evaluation, &view.advantage], canvas.style.lang);
    let texts = match is_stale {
        true => [status, ""],
        false if view.decided_win.is_some() || view.is_hidden => [""; 2],
        false => [whole.as_str(), view.evaluation.as_str()],
    };
    // The moves beside this text end at the bounds.
    let bounds = bounds.shrink2(egui::vec2(0.4 * size * canvas.scale, 0.0));
    // If both do not fit even in narrow text, the evaluation is drawn alone.
    let Some(text) = texts.into_iter().filter(|text| !text.is_empty()).find(|text| {
        canvas.fits_squeezed(
            TextRuns::line(&[TextRun::regular(text, theme.quiet)], size),
            bounds.size(),
        )
    }) else {
        return;
    };
    let shown = canvas.draw_squeezed(
        TextRuns::line(&[TextRun::regular(text, theme.quiet)], size),
        size,
        bounds,
        Align::Center,
    );
    match is_stale {
        // The screen reader already has a notice.
        true if view.notice.is_some() => {}
        true => canvas.add_named_part(PartWord::Notice, status, shown),
        false => add_evaluation_parts(canvas, view, shown),
    }
}

/// Draws the move number and the last move on one line. The move number is left out if it does not fit. Returns the
/// rectangle of the text.
pub(super) fn draw_position_line(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    bounds: Rect,
    align: Align,
) -> Rect {
    let theme = canvas.theme();
    let bounds = draw_live(canvas, view, LINE_FONT_SIZE, bounds);
    let last = view.position_text[1].trim();
    let short = phrase::after(last, canvas.style.lang);
    let (whole, short) = (
        position_runs(view, theme),
        [TextRun::regular(&short, theme.quiet)],
    );
    let fits = last.is_empty() || canvas.width(TextRuns::line(&whole, LINE_FONT_SIZE)) <= bounds.width();
    let text = TextRuns::line(if fits { &whole } else { &short }, LINE_FONT_SIZE);
    let text = canvas.shrink_to_width(text, bounds.width());
    // The end of a text that is cut off would look like a candidate, so nothing is drawn without enough room.
    let has_room = last.is_empty() || canvas.width(text) <= bounds.width();
    let shown = canvas.draw_line(
        if has_room {
            text
        } else {
            TextRuns::line(&[], LINE_FONT_SIZE)
        },
        LINE_FONT_SIZE,
        bounds,
        align,
    );
    canvas.add_named_part(PartWord::Position, view.position_text.concat(), shown);
    shown
}

pub(super) fn evaluation_runs<'a>(view: &'a BarView, theme: &PaintTheme) -> [TextRun<'a>; 3] {
    let shade = if view.is_stale { theme.quiet } else { theme.text };
    let space = if view.evaluation.is_empty() || view.advantage.is_empty() {
        ""
    } else {
        " "
    };
    [&view.evaluation, space, &view.advantage].map(|text| TextRun::bold(text, shade))
}

/// Adds the evaluation and the situation for screen readers.
pub(super) fn add_evaluation_parts(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, rect: Rect) {
    canvas.add_named_part(PartWord::Evaluation, view.evaluation.as_str(), rect);
    canvas.add_named_part(PartWord::Situation, view.advantage.as_str(), rect);
}

/// Returns the signal of the view; `None` if the style hides signals, or if the signal has no mark.
pub(super) fn shown_signal(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> Option<EngineSignal> {
    if canvas.style.shows(shogibar_config::OverlayPart::Signal) {
        signal_with_mark(view.signal())
    } else {
        None
    }
}

/// Returns the signal if it has a mark; `None` for a signal of normal operation.
pub(super) fn signal_with_mark(signal: Option<EngineSignal>) -> Option<EngineSignal> {
    signal.filter(|signal| matches!(signal, EngineSignal::Paused | EngineSignal::Lost))
}

/// Returns the width of a signal with the gap after it; 0 without a signal.
pub(super) fn signal_width(canvas: &OverlayCanvas<'_, '_>, signal: Option<EngineSignal>) -> f32 {
    if signal.is_some() {
        (SIGNAL_SIZE + SIGNAL_GAP) * canvas.scale
    } else {
        0.0
    }
}

/// Draws an engine's signal at the left end of `bounds`.
pub(super) fn draw_signal(canvas: &mut OverlayCanvas<'_, '_>, signal: Option<EngineSignal>, bounds: Rect) {
    let Some(signal) = signal else { return };
    let size = SIGNAL_SIZE * canvas.scale;
    let at = egui::pos2(bounds.left(), bounds.center().y - size / 2.0);
    let square = Rect::from_min_size(at, egui::Vec2::splat(size));
    canvas.draw_signal(signal, square);
    canvas.add_named_part(PartWord::Signal, signal.text(canvas.style.lang), square);
}

/// Returns the height of a line of a notice, in points of the screen.
pub(super) fn notice_line_height(canvas: &OverlayCanvas<'_, '_>) -> f32 {
    NOTICE_LINE_HEIGHT * canvas.scale * canvas.style.text_size.fraction().max(1.0)
}

/// Draws a notice instead of the candidates. The engine's last lines of output are only on the engines page.
pub(super) fn draw_notice(canvas: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, bounds: Rect) {
    let room = (bounds.height() / notice_line_height(canvas) + 0.01)
        .floor()
        .max(1.0);
    let runs = [TextRun::regular(
        &notice.text,
        notice_color(canvas.theme(), notice),
    )];
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number of lines"
    )]
    let text = TextRuns {
        lines: room as usize,
        ..TextRuns::line(&runs, NAME_FONT_SIZE)
    };
    canvas.draw_block(text, bounds);
    canvas.add_named_part(PartWord::Notice, notice.text.as_str(), bounds);
}

/// Draws a notice into the last rows: as few rows as it needs, so that at least `min_rows` rows remain. Returns the
/// remaining rows; `None` if no row can be taken and nothing was drawn.
pub(super) fn draw_notice_below<'r>(
    canvas: &mut OverlayCanvas<'_, '_>,
    notice: &BarNotice,
    rows: &'r [Rect],
    min_rows: usize,
) -> Option<&'r [Rect]> {
    let max_rows = rows
        .len()
        .checked_sub(min_rows)
        .filter(|max_rows| *max_rows > 0)?;
    let (top, bottom) = (rows.first()?, rows.last()?);
    let needed = max_notice_lines(canvas, notice, top.width()) * notice_line_height(canvas);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number of rows"
    )]
    let count = (needed / top.height().max(1.0)).ceil().max(1.0) as usize;
    let (left, taken) = rows.split_at(rows.len() - count.min(max_rows));
    let room = taken.first()?.union(*bottom);
    let slack = (room.height() - needed).max(0.0);
    draw_notice(canvas, notice, room.with_min_y(room.top() + slack / 2.0));
    Some(left)
}

/// Draws an engine's notice below the rows of the engine's candidates, or instead of the rows. Returns the remaining
/// rows.
pub(super) fn draw_engine_notice<'r>(
    canvas: &mut OverlayCanvas<'_, '_>,
    engine: &EngineView,
    notice: &BarNotice,
    rows: &'r [Rect],
) -> &'r [Rect] {
    let stays = !engine.candidates.is_empty();
    if let Some(left) = stays
        .then(|| draw_notice_below(canvas, notice, rows, 1))
        .flatten()
    {
        return left;
    }
    if let Some(bounds) = rows.iter().copied().reduce(Rect::union) {
        draw_notice(canvas, notice, bounds);
    }
    &[]
}

/// Returns whether a notice is shown even instead of values: a failure, or a notice that no engine caused.
pub(super) const fn has_precedence(view: &BarView, notice: &BarNotice) -> bool {
    notice.is_failure || view.notice.is_some()
}

/// Returns the width of a notice in one line, in points of the screen.
pub(super) fn notice_width(canvas: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, size: f32) -> f32 {
    canvas.width(TextRuns::line(
        &[TextRun::regular(&notice.text, Color32::PLACEHOLDER)],
        size,
    ))
}

pub(super) fn max_notice_lines(canvas: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, width: f32) -> f32 {
    // A line may break before its right end, so each counts as nine tenths of the width.
    (notice_width(canvas, notice, NAME_FONT_SIZE) / (width * 0.9).max(1.0))
        .ceil()
        .max(1.0)
}

/// Draws a notice in one line, cut off if it is too long.
pub(super) fn draw_notice_line(
    canvas: &mut OverlayCanvas<'_, '_>,
    notice: &BarNotice,
    size: f32,
    bounds: Rect,
    align: Align,
) {
    let runs = [TextRun::regular(
        &notice.text,
        notice_color(canvas.theme(), notice),
    )];
    let shown = canvas.draw_line(TextRuns::line(&runs, size), size, bounds, align);
    canvas.add_named_part(PartWord::Notice, notice.text.as_str(), shown);
}

/// Returns the notice of the view if it is shown together with candidates; `None` for a failure or without candidates.
pub(super) fn notice_beside_candidates(view: &BarView) -> Option<&BarNotice> {
    let has_candidates = view.engines.iter().any(|engine| !engine.candidates.is_empty());
    view.notice
        .as_ref()
        .filter(|notice| !notice.is_failure && has_candidates)
}

/// Returns the colour of a notice on the panel.
pub(super) fn notice_color(theme: &PaintTheme, notice: &BarNotice) -> Color32 {
    if notice.is_failure {
        theme.loss
    } else {
        theme.quiet
    }
}
