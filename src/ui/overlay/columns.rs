//! Several engines, each with a heading, and its candidates or its trouble below.

use super::canvas::OverlayCanvas;
use super::said::{NAME, QUIET};
use super::{rows, said};
use crate::bar::{BarView, EngineView};
use crate::text::{PartWord, phrase};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rangef, Rect};

/// The size of a win rate, in points at scale 1.
const VALUE: f32 = 16.0;

/// The least width of a column, in points at scale 1: a candidate with all but the moves after it.
const LEAST: f32 = 270.0;
/// Between two columns.
const GAP: f32 = 32.0;

/// The columns of a view of several engines, where so many rows of this width have room for them.
pub(super) fn fit(sheet: &OverlayCanvas<'_, '_>, view: &BarView, across: Rangef, rows: usize) -> Option<Vec<Rangef>> {
    let count = view.engines.len();
    let gap = GAP * sheet.scale;
    let width = (across.span() + gap) / count.max(1) as f32 - gap;
    // A heading alone says too little.
    let fit = count > 1 && rows > 1 && width >= LEAST * sheet.scale;
    let column = |nth: usize| {
        let left = across.min + (width + gap) * nth as f32;
        Rangef::new(left, left + width)
    };
    fit.then(|| (0..count).map(column).collect())
}

/// Draws every engine into its column of the rows.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, rows: &[Rect], columns: &[Rangef]) {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return };
    for (nth, (across, view)) in columns.iter().zip(&view.engines).enumerate() {
        let rows: Vec<_> = rows.iter().map(|row| Rect::from_x_y_ranges(*across, row.y_range())).collect();
        engine(sheet, view, nth, &rows);
        if nth > 0 {
            let middle = across.min - GAP / 2.0 * sheet.scale;
            let line = Rangef::new(middle, middle + sheet.scale.max(1.0));
            let line = Rect::from_x_y_ranges(line, first.union(*last).y_range());
            sheet.fill(line, CornerRadius::ZERO, sheet.theme().separator);
        }
    }
}

/// Draws the `nth` engine: its heading in the first row, and in the others what it says.
pub(super) fn engine(sheet: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, rows: &[Rect]) {
    let Some((top, rest)) = rows.split_first() else { return };
    sheet.engine = Some(nth);
    heading(sheet, engine, nth, *top);
    match (&engine.notice, rest) {
        (Some(notice), [first, .., last]) => said::notice(sheet, notice, first.union(*last)),
        (Some(notice), [only]) => said::notice(sheet, notice, *only),
        (Some(_), []) => {}
        (None, rest) => rows::draw(sheet, engine, rest),
    }
    sheet.engine = None;
}

/// An engine's number and name, and at the right end what it says of the position; underlined where the bar
/// follows it, as the side is whose turn it is.
fn heading(sheet: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, bounds: Rect) {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let quiet = if engine.stale { theme.stale } else { theme.quiet };
    let shade = match (engine.stale, engine.followed) {
        (true, _) => theme.stale,
        (false, true) => theme.text,
        (false, false) => theme.quiet,
    };
    let number = phrase::number(nth);
    let percent = engine.percent.map(|percent| format!("☗ {percent}%")).unwrap_or_default();
    let value = [TextRun::bold(&percent, shade)];
    let said = [TextRun::regular(&engine.evaluation, shade)];
    let figures = [TextRun::regular(&engine.figures[0], quiet)];
    let name = [TextRun::regular(&number, shade), TextRun::regular(" ", shade), TextRun::regular(&engine.name, shade)];
    let name = TextRuns::line(&name, NAME);

    // From the right, as long as there is room for the name, or for a good part of it.
    let kept = sheet.width(name).min(bounds.width() * 0.4) + said::signal_width(sheet, engine.signal);
    let mut left = bounds;
    for text in [TextRuns::line(&value, VALUE), TextRuns::line(&said, NAME), TextRuns::line(&figures, QUIET)] {
        let width = sheet.width(text) + 0.5;
        let gap = 12.0 * scale;
        if text.is_empty() || left.width() - width - gap < kept {
            continue;
        }
        sheet.line(text, VALUE, left.with_min_x(left.right() - width), Align::RIGHT);
        left = left.with_max_x(left.right() - width - gap);
    }
    said::signal(sheet, engine.signal, left);
    left.min.x += said::signal_width(sheet, engine.signal);
    let written = sheet.line(name, VALUE, left, Align::LEFT);
    let said = [engine.name.as_str(), &percent, &engine.evaluation, &engine.figures[0]];
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    sheet.name(PartWord::Engine, said.join(" "), bounds);
    if engine.followed {
        let top = bounds.center().y + 10.0 * scale;
        let line = written.with_min_y(top).with_max_y(top + 2.0 * scale);
        sheet.underline(line);
        sheet.name(PartWord::Followed, engine.name.as_str(), line);
    }
}
