//! The move list of the current line.

use super::scroll_to_current::{ScrollToCurrent, brought_into_view};
use super::{ROW, StudyAction, StudyFrame};
use crate::study::MoveRow;
use crate::text::Lang;
use crate::text::study::{accessible_text, clock};
use crate::ui::fonts::TextWeight;
use crate::ui::graph::color_of;
use eframe::egui;
use egui::{Align2, Color32, CornerRadius, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

/// The state of the list between frames.
#[derive(Debug, Default)]
pub(super) struct MoveList {
    /// By the number of rows and the height of the list.
    in_view: ScrollToCurrent<(usize, u32)>,
    /// The scroll offset, in points.
    offset: f32,
}

impl MoveList {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (rows, place) = (frame.view.rows, frame.view.document.place());
        let height = ui.available_height();
        let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("moves");
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height in points")]
        let room = (rows.len(), height as u32);
        if self.in_view.is_due(ui, frame.view.document.current(), room) {
            area = area.vertical_scroll_offset(brought_into_view(self.offset, (place, rows.len()), height));
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let shown = area.show_rows(ui, ROW, rows.len(), |ui, range| {
            for (nth, row) in rows.iter().enumerate().take(range.end).skip(range.start) {
                if self::row(ui, frame, row, nth == place).clicked() {
                    frame.act(StudyAction::GoTo(nth));
                }
            }
        });
        self.offset = shown.state.clamped_offset().y;
    }
}

/// Draws one row.
fn row(ui: &mut Ui, frame: &StudyFrame<'_>, row: &MoveRow, is_here: bool) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::click());
    let value = frame.value(row.node);
    let mark = frame.view.insight.mark(row.node).filter(|_| !frame.view.bar.hidden);
    response.widget_info(|| {
        let value = value.as_ref().map_or("", |(value, _)| value);
        let mark = mark.map_or("", |mark| mark.label().text(frame.lang));
        let spent = row.spent.map(|spent| clock(spent.0)).unwrap_or_default();
        let what = format!("{} {}", row.number, row.text);
        let label = accessible_text(&what, &[value, mark, &spent], row.has_comment, row.others, frame.lang);
        WidgetInfo::selected(Role::Button, true, is_here, label)
    });
    let theme = frame.theme;
    let ground = match (is_here, response.hovered()) {
        (true, _) => theme.black,
        (false, true) => theme.rail,
        (false, false) => Color32::TRANSPARENT,
    };
    let (text, quiet) =
        if is_here { (theme.on_black, theme.on_black.gamma_multiply(0.75)) } else { (theme.text, theme.quiet) };
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(4), ground);
    let at = |share: f32| pos2(rect.left() + rect.width() * share, rect.center().y);
    let number = if row.number > 0 { row.number.to_string() } else { String::new() };
    painter.text(at(0.11), Align2::RIGHT_CENTER, number, TextWeight::Regular.at(13.0), quiet);
    let word = Rect::from_min_max(at(0.14), rect.right_bottom());
    let written = painter.text(word.left_top(), Align2::LEFT_CENTER, &row.text, TextWeight::Regular.at(15.0), text);
    let mut beside = written.right() + 6.0;
    for (shows, mark, color) in [(row.others > 0, "+", theme.accent), (row.has_comment, "*", quiet)] {
        if shows {
            let mark =
                painter.text(pos2(beside, at(0.0).y), Align2::LEFT_CENTER, mark, TextWeight::Regular.at(13.0), color);
            beside = mark.right() + 3.0;
        }
    }
    // The columns at the right, with their maximum widths.
    let marks = rect.right() - if frame.lang == Lang::Ja { 56.0 } else { 76.0 };
    let times = marks - if rect.width() < 340.0 { 58.0 } else { 78.0 };
    let at_x = |x: f32| pos2(x, rect.center().y);
    if let Some(spent) = row.spent.filter(|_| times - 44.0 > beside) {
        painter.text(at_x(times), Align2::RIGHT_CENTER, clock(spent.0), TextWeight::Regular.at(13.0), quiet);
    }
    if let Some((value, decided)) = value {
        let color = if decided && !is_here { theme.accent } else { text };
        painter.text(at_x(marks), Align2::RIGHT_CENTER, value, TextWeight::Regular.at(14.0), color);
    }
    if let Some(mark) = mark {
        let color = if is_here { text } else { color_of(mark, theme) };
        painter.text(
            rect.right_center() - vec2(8.0, 0.0),
            Align2::RIGHT_CENTER,
            mark.label().text(frame.lang),
            TextWeight::Regular.at(12.0),
            color,
        );
    }
    response
}
