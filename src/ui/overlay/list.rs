//! The list below or beside the bar: the candidates of one engine or of all engines, a notice, and a line of figures.

use super::canvas::OverlayCanvas;
use super::context_line::{self, LineEnd, LineOrder};
use super::remaining_space::RemainingSpace;
use super::texts::{self, NAME_FONT_SIZE};
use super::{columns, ends, rows, turning_card};
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect};
use shogibar_games::bar::BarView;

/// The minimum height of a row, in points at scale 1.
pub(super) const MIN_ROW_HEIGHT: f32 = 27.0;
/// The height of the footer, in points at scale 1. The footer has the evaluation or the result, and the context line.
pub(super) const FOOTER_HEIGHT: f32 = 26.0;

/// Draws the list into `bounds`, with up to `max_candidates` candidates of each engine. A notice is drawn unless the
/// bar already shows it (`is_notice_shown`).
pub(super) fn draw(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    is_notice_shown: bool,
    max_candidates: usize,
    bounds: Rect,
) {
    let mut room = RemainingSpace(bounds);
    let row = MIN_ROW_HEIGHT * canvas.scale;
    let candidates = canvas.style.shows_candidates();
    let has_room = room.0.height() >= 2.0 * row + FOOTER_HEIGHT * canvas.scale;
    let has_footer = canvas.style.shows_footer() || context_line::is_wanted(canvas, view);
    if has_footer && (has_room || (!candidates && view.notice().is_none())) {
        let footer = room.cut_bottom(FOOTER_HEIGHT * canvas.scale);
        draw_footer(canvas, view, footer);
    }
    if let Some(card) = &view.turning_card
        && turning_card::draw_in_place(canvas, card, room.0)
    {
        return;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number of rows"
    )]
    let mut max_rows = (room.0.height() / row).floor() as usize;
    let engines = view.engines.len();
    // Several engines each need a heading and at least one row.
    let min_rows = if engines > 1 { 2 * engines } else { 1 };
    let rows = split_rows(canvas, room.0, max_rows);
    let passing = texts::notice_beside_candidates(view)
        .and_then(|notice| texts::draw_notice_below(canvas, notice, &rows, min_rows));
    match (passing, &view.notice) {
        (Some(left), _) => {
            max_rows = left.len();
            room.0 = left
                .last()
                .map_or(room.0, |last| room.0.with_max_y(last.bottom()));
        }
        (None, Some(notice)) if !is_notice_shown => return texts::draw_notice(canvas, notice, room.0),
        (None, _) => {}
    }
    let wanted = if candidates { max_candidates } else { 0 };
    if engines > 1 {
        // Each engine has at least a heading and one candidate.
        let each = (wanted + 1).min(max_rows / engines);
        if each > wanted.min(1) {
            let rows = split_rows(canvas, room.0, each * engines);
            for (nth, (engine, rows)) in view.engines.iter().zip(rows.chunks(each)).enumerate() {
                columns::draw_engine(canvas, engine, nth, rows);
            }
            return;
        }
        if let Some(columns) = columns::fit_columns(canvas, view, room.0.x_range(), max_rows) {
            let rows = split_rows(canvas, room.0, max_rows.min(wanted + 1));
            return columns::draw(canvas, view, &rows, &columns);
        }
    }
    let lead = view.lead();
    let notice = if is_notice_shown {
        None
    } else {
        lead.notice.as_ref()
    };
    let rows = match notice {
        Some(_) if lead.candidates.is_empty() => vec![room.0],
        _ => split_rows(canvas, room.0, max_rows.min(wanted)),
    };
    let left = notice.map_or(&rows[..], |notice| {
        texts::draw_engine_notice(canvas, lead, notice, &rows)
    });
    rows::draw(canvas, lead, left);
}

/// Draws the evaluation or the result on the left, and then the context line. If there is only one engine, its figures
/// are on the right.
fn draw_footer(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let theme = canvas.theme();
    let shade = ends::shade_if_stale(canvas, theme.text, view.is_stale, ends::STALE_NUMBER_STRENGTH);
    let result = view
        .decided_win
        .as_ref()
        .map(|decided| [TextRun::bold(&decided.text, shade)]);
    let evaluation = texts::evaluation_runs(view, theme);
    let text = TextRuns::line(
        result.as_ref().map_or(&evaluation[..], |result| &result[..]),
        NAME_FONT_SIZE,
    );
    let several = view.engines.len() > 1;
    let mark = if several {
        0.0
    } else {
        texts::signal_width(canvas, texts::signal_with_mark(view.lead().signal))
    };
    let max_width = bounds.width()
        - if mark > 0.0 {
            mark + 8.0 * canvas.scale
        } else {
            0.0
        };
    let brief = view
        .decided_win
        .as_ref()
        .map(|decided| [TextRun::bold(&decided.brief, shade)]);
    let shorter = brief.as_ref().map_or(&evaluation[..1], |brief| &brief[..]);
    // If the text is too long, only the main figure is drawn.
    let is_long = canvas.width(text) > max_width && !TextRuns::line(shorter, NAME_FONT_SIZE).is_empty();
    let text = if is_long {
        TextRuns::line(shorter, NAME_FONT_SIZE)
    } else {
        text
    };
    let width = (canvas.width(text) + 0.5).min(max_width);
    let mut room = RemainingSpace(bounds);
    let at = room.cut_left(width);
    canvas.draw_line(text, NAME_FONT_SIZE, at, Align::LEFT);
    if view.decided_win.is_none() {
        texts::add_evaluation_parts(canvas, view, at);
    }
    room.cut_left(if width > 1.0 { 14.0 * canvas.scale } else { 0.0 });
    let end = (LineEnd::Figures, LineOrder::EventLast);
    context_line::draw(canvas, view, end, texts::QUIET_FONT_SIZE, room.0);
}

/// Splits a rectangle into this number of rows of one height, from the top. The rows may leave space at the bottom.
fn split_rows(canvas: &OverlayCanvas<'_, '_>, bounds: Rect, count: usize) -> Vec<Rect> {
    let height = (bounds.height() / count.max(1) as f32).min(rows::max_row_height(canvas, bounds));
    let mut room = RemainingSpace(bounds);
    (0..count).map(|_| room.cut_top(height)).collect()
}
