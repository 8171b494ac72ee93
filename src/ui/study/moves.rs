//! The move list of the current line.

use super::scroll_to_current::{ScrollToCurrent, offset_in_view};
use super::{ROW_HEIGHT, StudyFrame};
use crate::PaintTheme;
use crate::fonts::TextWeight;
use crate::graph::{mark_color, mark_letter};
use crate::study_text::accessible_text;
use crate::theme::faded;
use eframe::egui;
use egui::{
    Align2, Color32, CornerRadius, Id, Pos2, Response, Role, ScrollArea, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo, pos2, vec2,
};
use shogibar_base::Lang;
use shogibar_games::analysis::MoveMark;
use shogibar_games::phrase::millis_clock;
use shogibar_games::study::{DocumentEdit, MoveRow};

/// The state of the list between frames.
#[derive(Debug, Default)]
pub(super) struct MoveList {
    /// The scrolling of the list. Its key holds the number of rows, the height of the list and its id on the page.
    scrolling: ScrollToCurrent<(usize, u32, Id)>,
    /// The scroll offset, in points.
    offset: f32,
}

impl MoveList {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (rows, ply) = (frame.view.rows, frame.view.document.ply());
        let height = ui.available_height();
        let mut area = ScrollArea::vertical().auto_shrink(false).id_salt("moves");
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small height in points"
        )]
        let room = (rows.len(), height as u32, ui.scope_id());
        if self.scrolling.is_due(ui, frame.view.document.current(), room) {
            area = area.vertical_scroll_offset(offset_in_view(self.offset, (ply, rows.len()), height));
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let branch_index = branch_index(frame);
        let shown = area.show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
            for (nth, row) in rows.iter().enumerate().take(range.end).skip(range.start) {
                if show_row(ui, frame, row, (nth == ply, nth >= branch_index)).clicked() {
                    frame.act(DocumentEdit::GoTo(nth));
                }
            }
        });
        self.offset = shown.state.clamped_offset().y;
    }
}

/// Returns the index of the first row whose move is not in the main line.
fn branch_index(frame: &StudyFrame<'_>) -> usize {
    let document = frame.view.document;
    let main = document.record().main_line();
    // The start is a row as well.
    1 + document
        .line()
        .iter()
        .zip(main)
        .take_while(|(node, main)| *node == main)
        .count()
}

/// The right edge of the number, in points from the left.
const NUMBER_RIGHT: f32 = 26.0;
/// The left edge of the move, in points from the left.
const MOVE_LEFT: f32 = 36.0;
/// The right edge of the time, in points from the right.
const TIME_RIGHT: f32 = 98.0;
/// The right edge of the value, in points from the right.
const VALUE_RIGHT: f32 = 38.0;
/// The middle of the mark's dot, in points from the right.
const MARK_CENTER: f32 = 18.0;
/// The radius of a mark's dot, in points.
const DOT_RADIUS: f32 = 8.5;
/// The largest width of a value, in points.
const MAX_VALUE_WIDTH: f32 = 56.0;

/// Draws one row. `is_here` means that the row is the current move, `is_quiet` that it is in another line than the
/// game.
fn show_row(
    ui: &mut Ui,
    frame: &StudyFrame<'_>,
    row: &MoveRow,
    (is_here, is_quiet): (bool, bool),
) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::click());
    let rect = rect.expand2(vec2(8.0, -1.0));
    let value = frame.value_text(row.node);
    let mark = if frame.view.bar.is_hidden {
        None
    } else {
        frame.view.insight.mark(row.node)
    };
    response.widget_info(|| {
        let value = value.as_ref().map_or("", |(value, _)| value);
        let mark = mark.map_or("", |mark| mark.label().text(frame.lang));
        let spent = row
            .time_spent
            .map(|spent| millis_clock(spent.0))
            .unwrap_or_default();
        let what = format!("{} {}", row.number, row.text);
        let label = accessible_text(
            &what,
            &[value, mark, &spent],
            row.has_comment,
            row.alternative_count,
            frame.lang,
        );
        WidgetInfo::selected(Role::Button, true, is_here, label)
    });
    let theme = frame.theme;
    let background = match (is_here, response.hovered()) {
        (true, _) => theme.accent,
        (false, true) => theme.rail,
        (false, false) => Color32::TRANSPARENT,
    };
    let (text, quiet) = match (is_here, is_quiet) {
        (true, _) => (theme.on_accent, theme.on_accent),
        (false, true) => (theme.quiet, theme.quiet),
        (false, false) => (theme.text, theme.quiet),
    };
    let painter = ui.painter();
    painter.rect_filled(rect, CornerRadius::same(5), background);
    if response.has_focus() {
        let stroke = Stroke::new(2.0, theme.text);
        painter.rect_stroke(rect, CornerRadius::same(5), stroke, StrokeKind::Inside);
    }
    let from_left = |x: f32| pos2(rect.left() + x, rect.center().y);
    let from_right = |x: f32| pos2(rect.right() - x, rect.center().y);
    let weight = if is_here {
        TextWeight::Bold
    } else {
        TextWeight::Regular
    };
    let number = if row.number > 0 {
        row.number.to_string()
    } else {
        String::new()
    };
    painter.text(
        from_left(NUMBER_RIGHT),
        Align2::RIGHT_CENTER,
        number,
        TextWeight::Regular.at(12.5),
        quiet,
    );
    let written = painter.text(
        from_left(MOVE_LEFT),
        Align2::LEFT_CENTER,
        &row.text,
        weight.at(14.5),
        text,
    );
    let mut beside = written.right() + 4.0;
    for (shows, mark) in [(row.alternative_count > 0, "+"), (row.has_comment, "*")] {
        if shows {
            let at = pos2(beside, rect.center().y);
            let color = if is_here || mark == "*" {
                quiet
            } else {
                theme.accent
            };
            beside = painter
                .text(at, Align2::LEFT_CENTER, mark, TextWeight::Regular.at(13.0), color)
                .right()
                + 2.0;
        }
    }
    let mut left_of_value = rect.right();
    if let Some((value, _)) = value {
        let galley = |size: f32| painter.layout_no_wrap(value.clone(), weight.at(size), text);
        let whole = galley(13.5);
        let fitted = if whole.size().x > MAX_VALUE_WIDTH {
            galley(11.5)
        } else {
            whole
        };
        let rect = Align2::RIGHT_CENTER.anchor_size(from_right(VALUE_RIGHT), fitted.size());
        left_of_value = rect.left();
        painter.galley(rect.min, fitted, text);
    }
    if let Some(spent) = row.time_spent {
        let galley = painter.layout_no_wrap(millis_clock(spent.0), TextWeight::Regular.at(12.5), quiet);
        let rect = Align2::RIGHT_CENTER.anchor_size(from_right(TIME_RIGHT), galley.size());
        if rect.left() > beside && rect.right() < left_of_value {
            painter.galley(rect.min, galley, quiet);
        }
    }
    if let Some(mark) = mark {
        let strength = if is_quiet && !is_here { 0.6 } else { 1.0 };
        draw_mark(
            ui,
            theme,
            mark,
            strength,
            from_right(MARK_CENTER),
            DOT_RADIUS,
            frame.lang,
        );
    }
    response
}

/// Draws the mark of a move as a dot with its letter. `strength` is the opacity from 0 to 1.
fn draw_mark(
    ui: &Ui,
    theme: &PaintTheme,
    mark: MoveMark,
    strength: f32,
    center: Pos2,
    radius: f32,
    lang: Lang,
) {
    let background = faded(mark_color(mark, theme), theme.card, strength);
    ui.painter().circle_filled(center, radius + 1.0, theme.card);
    ui.painter().circle_filled(center, radius, background);
    let size = radius * if lang == Lang::Ja { 1.4 } else { 1.2 };
    let text = mark_letter(mark, lang);
    ui.painter().text(
        center,
        Align2::CENTER_CENTER,
        text,
        TextWeight::Bold.at(size),
        theme.on_mark,
    );
}
