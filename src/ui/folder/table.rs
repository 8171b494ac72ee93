//! The table of the games that are over. Only the rows in view are drawn.

use super::{FolderAction, tenths};
use crate::PaintTheme;
use crate::text::folder::{Column, FolderPhrase, SideColumn};
use crate::text::visible::short;
use crate::text::{Label as Word, Lang};
use eframe::egui;
use egui::{
    Align, Button, Color32, FontId, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2,
};
use shogibar_games::folder::ResultRow;

/// The height of a row, in points.
const ROW: f32 = 26.0;
/// The font size, in points.
const SIZE: f32 = 13.5;
/// The gap between columns, in points.
const GAP: f32 = 14.0;
/// The minimum width of a column of texts, in points.
const MIN_COLUMN_WIDTH: f32 = 64.0;
/// The maximum width of a column of texts by its contents, in points.
const MAX_COLUMN_WIDTH: f32 = 260.0;
/// The number of rows whose contents are measured.
const MEASURED: usize = 200;
/// The number of columns of text. The columns of numbers follow.
const TEXTS: usize = 4;
/// The widest a row gets, in points.
const WIDEST: f32 = 1400.0;
/// The width that the scroll bar takes, in points.
const SCROLL: f32 = 12.0;

/// Draws the table in the rest of `ui`.
pub(super) fn show(ui: &mut Ui, rows: &[ResultRow], theme: &PaintTheme, lang: Lang, actions: &mut Vec<FolderAction>) {
    let black = Word::Black.text(lang);
    let white = Word::White.text(lang);
    let mean_loss = SideColumn::MeanLoss.text(lang);
    let marks = FolderPhrase::Marks.text(lang);
    let headings = [
        Column::File.text(lang).to_owned(),
        black.to_owned(),
        white.to_owned(),
        Column::Result.text(lang).to_owned(),
        format!("☗ {mean_loss}"),
        format!("☗ {marks}"),
        format!("☖ {mean_loss}"),
        format!("☖ {marks}"),
    ];
    let widths = widths(ui, &headings, rows);
    // In a narrow window the table is moved sideways.
    ScrollArea::horizontal().id_salt("folder columns").auto_shrink(false).show(ui, |ui| {
        ui.set_min_width(widths.iter().sum::<f32>() + SCROLL);
        let cells = headings.each_ref().map(|heading| (heading.as_str(), theme.quiet));
        row(ui, &widths, &cells, false);
        ScrollArea::vertical().id_salt("folder table").auto_shrink(false).show_rows(
            ui,
            ROW,
            rows.len(),
            |ui, range| {
                for game in rows.get(range).unwrap_or_default() {
                    let cells = cells_of(game);
                    let mut cells = cells.each_ref().map(|cell| (cell.as_str(), theme.text));
                    if let Some((_, color)) = cells.first_mut() {
                        *color = theme.accent;
                    }
                    if row(ui, &widths, &cells, true) {
                        actions.push(FolderAction::Open(game.record.clone()));
                    }
                }
            },
        );
    });
}

/// Returns the widths of the columns, each with the gap after it. Numbers have the width of their heading. The texts
/// share the rest by their contents, and each has a minimum width.
fn widths(ui: &Ui, headings: &[String; 8], rows: &[ResultRow]) -> [f32; 8] {
    let mut widths = headings.each_ref().map(|heading| text_width(ui, heading));
    for game in rows.iter().take(MEASURED) {
        for (width, text) in widths.iter_mut().zip([&game.file, &game.players[0], &game.players[1], &game.result]) {
            *width = width.max(text_width(ui, text).min(MAX_COLUMN_WIDTH));
        }
    }
    let mut widths = widths.map(|width| width + GAP);
    let (texts, numbers) = widths.split_at_mut(TEXTS);
    let room = ui.available_width().min(WIDEST) - SCROLL - numbers.iter().sum::<f32>();
    share(texts, room);
    widths
}

/// Scales the widths of columns so that together they fill the room. A column gets narrower than the minimum width only
/// if its contents are. If this needs more than the room, the columns exceed it.
pub(super) fn share(widths: &mut [f32], room: f32) {
    let mut open: Vec<&mut f32> = widths.iter_mut().collect();
    let mut room = room;
    loop {
        let part = room / open.iter().map(|width| **width).sum::<f32>();
        let count = open.len();
        // A column that keeps its minimum width leaves less room to the others.
        open.retain_mut(|width| {
            let min_width = width.min(MIN_COLUMN_WIDTH + GAP);
            let is_open = **width * part >= min_width;
            if !is_open {
                **width = min_width;
                room -= min_width;
            }
            is_open
        });
        if open.len() == count {
            for width in open {
                *width *= part;
            }
            return;
        }
    }
}

/// Returns the width of a text of the table, in points.
fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = FontId::proportional(SIZE);
    ui.fonts_mut(|fonts| text.chars().map(|c| fonts.glyph_width(&font, c)).sum())
}

fn cells_of(game: &ResultRow) -> [String; 8] {
    let file = game.game.map_or_else(|| game.file.clone(), |number| format!("{} #{number}", game.file));
    let [black, white] = &game.players;
    let [(black_loss, black_marks), (white_loss, white_marks)] = game.sides.each_ref().map(|side| {
        let marks = side.marks.map(|count| count.to_string()).join(" / ");
        (tenths(side.stats.mean_loss), if side.moves > 0 { marks } else { String::new() })
    });
    let text = |text: &str| short(text).into_owned();
    [text(&file), text(black), text(white), text(&game.result), black_loss, black_marks, white_loss, white_marks]
}

/// Draws a row. The first cell of a game is a link; returns whether it was clicked.
fn row(ui: &mut Ui, widths: &[f32; 8], cells: &[(&str, Color32); 8], is_game: bool) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let (mut left, mut is_clicked) = (rect.left(), false);
    for (number, (width, (text, color))) in widths.iter().zip(cells).enumerate() {
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width - GAP, rect.bottom()));
        left += width;
        let is_number = number >= TEXTS;
        let layout =
            if is_number { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
        let mut inside = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout));
        let text = RichText::new(*text).size(SIZE).color(*color);
        if number == 0 && is_game {
            // A label could not be reached by the keyboard, so this is a button without a frame.
            is_clicked = inside.add(Button::new(text).frame(false).truncate()).clicked();
        } else {
            inside.add(Label::new(text).truncate());
        }
    }
    is_clicked
}
