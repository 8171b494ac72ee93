//! Several engines, each with a heading and its candidates or notice below it.

use super::canvas::OverlayCanvas;
use super::texts::{self, NAME_FONT_SIZE, QUIET_FONT_SIZE};
use super::{ends, rows};
use crate::PartWord;
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rangef, Rect};
use shogibar_games::bar::{BarView, EngineView};
use shogibar_games::phrase;

/// The font size of a win rate, in points at scale 1.
const VALUE_FONT_SIZE: f32 = 16.0;

/// The minimum width of a column, in points at scale 1: a candidate without the following moves.
const MIN_COLUMN_WIDTH: f32 = 270.0;
/// The gap between two columns, in points at scale 1.
const COLUMN_GAP: f32 = 32.0;

/// Returns the columns of a view with several engines. `None` for one engine, or if the columns do not fit into this
/// width and this number of rows.
pub(super) fn fit_columns(
    canvas: &OverlayCanvas<'_, '_>,
    view: &BarView,
    across: Rangef,
    rows: usize,
) -> Option<Vec<Rangef>> {
    let count = view.engines.len();
    let gap = COLUMN_GAP * canvas.scale;
    let width = (across.span() + gap) / count.max(1) as f32 - gap;
    // The first row has the headings, so at least two rows are needed.
    let fit = count > 1 && rows > 1 && width >= MIN_COLUMN_WIDTH * canvas.scale;
    fit.then(|| {
        (0..count)
            .map(|nth| {
                let left = across.min + (width + gap) * nth as f32;
                Rangef::new(left, left + width)
            })
            .collect()
    })
}

pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, rows: &[Rect], columns: &[Rangef]) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return;
    };
    for (nth, (across, view)) in columns.iter().zip(&view.engines).enumerate() {
        let rows: Vec<_> = rows
            .iter()
            .map(|row| Rect::from_x_y_ranges(*across, row.y_range()))
            .collect();
        draw_engine(canvas, view, nth, &rows);
        if nth > 0 {
            let middle = across.min - COLUMN_GAP / 2.0 * canvas.scale;
            let line = Rangef::new(middle, middle + canvas.scale.max(1.0));
            let line = Rect::from_x_y_ranges(line, first.union(*last).y_range());
            canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
        }
    }
}

/// Draws the `nth` engine: the heading in the first row, the candidates and a notice in the others.
pub(super) fn draw_engine(
    canvas: &mut OverlayCanvas<'_, '_>,
    engine: &EngineView,
    nth: usize,
    rows: &[Rect],
) {
    let Some((top, rest)) = rows.split_first() else {
        return;
    };
    canvas.engine = Some(nth);
    draw_heading(canvas, engine, nth, *top);
    let rest = engine.notice.as_ref().map_or(rest, |notice| {
        texts::draw_engine_notice(canvas, engine, notice, rest)
    });
    rows::draw(canvas, engine, rest);
    canvas.engine = None;
}

/// Draws an engine's number and name, and the values at the right end. The name is underlined if the bar follows the
/// engine.
fn draw_heading(canvas: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, bounds: Rect) {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let quiet = theme.quiet;
    let shade = match (engine.is_stale, engine.is_followed) {
        (true, _) => ends::shade_if_stale(canvas, theme.text, true, ends::STALE_NUMBER_STRENGTH),
        (false, true) => theme.text,
        (false, false) => theme.quiet,
    };
    let number = phrase::number(nth);
    let percent = engine
        .percent
        .map(|percent| format!(" {percent}%"))
        .unwrap_or_default();
    let piece = if percent.is_empty() { "" } else { ends::BLACK_PIECE };
    let value = [
        TextRun::bold(piece, ends::black_piece_color(canvas, engine.is_stale)),
        TextRun::bold(&percent, shade),
    ];
    let evaluation = [TextRun::regular(&engine.evaluation, shade)];
    let figures = [TextRun::regular(&engine.stats[0], quiet)];
    let name = [
        TextRun::regular(&number, shade),
        TextRun::regular(" ", shade),
        TextRun::regular(&engine.name, shade),
    ];
    let name = TextRuns::line(&name, NAME_FONT_SIZE);

    // Values are added from the right while there is room for most of the name.
    let signal = texts::signal_with_mark(engine.signal);
    let min_width = canvas.width(name).min(bounds.width() * 0.4) + texts::signal_width(canvas, signal);
    let mut rest = bounds;
    for text in [
        TextRuns::line(&value, VALUE_FONT_SIZE),
        TextRuns::line(&evaluation, NAME_FONT_SIZE),
        TextRuns::line(&figures, QUIET_FONT_SIZE),
    ] {
        let width = canvas.width(text) + 0.5;
        let gap = 12.0 * scale;
        if text.is_empty() || rest.width() - width - gap < min_width {
            continue;
        }
        canvas.draw_line(
            text,
            VALUE_FONT_SIZE,
            rest.with_min_x(rest.right() - width),
            Align::RIGHT,
        );
        rest = rest.with_max_x(rest.right() - width - gap);
    }
    texts::draw_signal(canvas, signal, rest);
    rest.min.x += texts::signal_width(canvas, signal);
    let written = canvas.draw_line(name, VALUE_FONT_SIZE, rest, Align::LEFT);
    let percent = format!("{piece}{percent}");
    let texts = [
        engine.name.as_str(),
        &percent,
        &engine.evaluation,
        &engine.stats[0],
    ];
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    canvas.add_named_part(PartWord::Engine, texts.join(" "), bounds);
    if engine.is_followed {
        let top = bounds.center().y + 10.0 * scale;
        let line = written.with_min_y(top).with_max_y(top + 2.0 * scale);
        canvas.draw_underline(line);
        canvas.add_named_part(PartWord::Followed, engine.name.as_str(), line);
    }
}
