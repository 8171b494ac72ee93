//! All that is below or beside the bar, where it stands in one box: the candidates of one engine, or of all
//! below or beside each other, and a line of figures.

use super::canvas::OverlayCanvas;
use super::remaining_space::RemainingSpace;
use super::said::{self, NAME};
use super::{columns, rows};
use crate::bar::BarView;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect};

/// The least height of a row, and that of the line of figures, in points at scale 1.
pub(super) const ROW: f32 = 27.0;
pub(super) const FOOT: f32 = 26.0;

/// Draws the list into `bounds`, with so many candidates of each engine where there is room for them.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, asked: usize, bounds: Rect) {
    let mut room = RemainingSpace(bounds);
    let row = ROW * sheet.scale;
    let candidates = sheet.look.shows_candidates();
    let has_room = room.0.height() >= 2.0 * row + FOOT * sheet.scale;
    if sheet.look.shows_foot() && (has_room || (!candidates && view.notice().is_none())) {
        let foot = room.bottom(FOOT * sheet.scale);
        self::foot(sheet, view, foot);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the rows of a screen")]
    let mut most = (room.0.height() / row).floor() as usize;
    let engines = view.engines.len();
    // A heading, and something below it, where there are several.
    let least = if engines > 1 { 2 * engines } else { 1 };
    let rows = split(sheet, room.0, most);
    let passing = said::in_passing(view).and_then(|notice| said::notice_below(sheet, notice, &rows, least));
    match (passing, &view.notice) {
        (Some(left), _) => {
            most = left.len();
            room.0 = left.last().map_or(room.0, |last| room.0.with_max_y(last.bottom()));
        }
        (None, Some(notice)) => return said::notice(sheet, notice, room.0),
        (None, None) => {}
    }
    let wanted = if candidates { asked } else { 0 };
    if engines > 1 {
        // A heading and a candidate each, at least.
        let each = (wanted + 1).min(most / engines);
        if each > wanted.min(1) {
            let rows = split(sheet, room.0, each * engines);
            for (nth, (engine, rows)) in view.engines.iter().zip(rows.chunks(each)).enumerate() {
                columns::engine(sheet, engine, nth, rows);
            }
            return;
        }
        if let Some(columns) = columns::fit(sheet, view, room.0.x_range(), most) {
            let rows = split(sheet, room.0, most.min(wanted + 1));
            return columns::draw(sheet, view, &rows, &columns);
        }
    }
    if let Some(notice) = view.lead().notice.as_ref() {
        return said::notice(sheet, notice, room.0);
    }
    let rows = split(sheet, room.0, most.min(wanted));
    rows::draw(sheet, view.lead(), &rows);
}

/// The evaluation on the left, and on the right what the engine did for it, where it has no heading of its own.
pub(super) fn foot(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let theme = sheet.theme();
    let shade = if view.stale { theme.stale } else { theme.text };
    let result = view.decided.as_ref().map(|decided| [TextRun::bold(&decided.text, shade)]);
    let evaluation = said::evaluation(view, theme);
    let text = TextRuns::line(result.as_ref().map_or(&evaluation[..], |result| &result[..]), NAME);
    let several = view.engines.len() > 1;
    let mark = if several { 0.0 } else { said::signal_width(sheet, view.lead().signal) };
    let most = bounds.width() - if mark > 0.0 { mark + 8.0 * sheet.scale } else { 0.0 };
    let brief = view.decided.as_ref().map(|decided| [TextRun::bold(&decided.brief, shade)]);
    let shorter = brief.as_ref().map_or(&evaluation[..1], |brief| &brief[..]);
    // The figure says the same, and the figures of the engine come after both.
    let is_long = sheet.width(text) > most && !TextRuns::line(shorter, NAME).is_empty();
    let text = if is_long { TextRuns::line(shorter, NAME) } else { text };
    let width = (sheet.width(text) + 0.5).min(most);
    let mut room = RemainingSpace(bounds);
    let at = room.left(width);
    sheet.line(text, NAME, at, Align::LEFT);
    if view.decided.is_none() {
        said::name_evaluation(sheet, view, at);
    }
    room.left(if width > 1.0 { 14.0 * sheet.scale } else { 0.0 });
    if !several {
        said::figures(sheet, view.lead(), room.0);
    }
}

/// So many rows of one height, from the top.
fn split(sheet: &OverlayCanvas<'_, '_>, bounds: Rect, count: usize) -> Vec<Rect> {
    let height = (bounds.height() / count.max(1) as f32).min(rows::highest(sheet, bounds));
    let mut room = RemainingSpace(bounds);
    (0..count).map(|_| room.top(height)).collect()
}
