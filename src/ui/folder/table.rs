//! The table of the analysed games. Only the rows in view are drawn.

use super::{FolderAction, format_tenths};
use crate::PaintTheme;
use eframe::egui;
use egui::{
    Align, Button, Color32, FontId, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2,
    vec2,
};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_games::Label as Word;
use shogibar_games::folder::ResultRow;
use shogibar_games::folder_text::{Column, FolderPhrase, SideColumn};

/// The height of a row, in points.
const ROW_HEIGHT: f32 = 26.0;
/// The font size of the table, in points.
const FONT_SIZE: f32 = 13.5;
/// The gap between columns, in points.
const COLUMN_GAP: f32 = 14.0;
/// The minimum width of a column of texts, in points.
const MIN_COLUMN_WIDTH: f32 = 64.0;
/// The maximum width of a column of texts by its contents, in points.
const MAX_COLUMN_WIDTH: f32 = 260.0;
/// The maximum number of rows whose contents are measured.
const MAX_MEASURED_ROWS: usize = 200;
/// The number of columns of text. The columns of numbers follow.
const TEXT_COLUMN_COUNT: usize = 4;
/// The maximum width of the table, in points.
const MAX_TABLE_WIDTH: f32 = 1400.0;
/// The width that the scroll bar takes, in points.
const SCROLL_BAR_WIDTH: f32 = 12.0;

/// Draws the table in the rest of `ui`.
pub(super) fn show(
    ui: &mut Ui,
    rows: &[ResultRow],
    theme: &PaintTheme,
    lang: Lang,
    actions: &mut Vec<FolderAction>,
) {
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
    let widths = column_widths(ui, &headings, rows);
    // In a narrow window the table is scrolled sideways.
    ScrollArea::horizontal()
        .id_salt("folder columns")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.set_min_width(widths.iter().sum::<f32>() + SCROLL_BAR_WIDTH);
            let cells = headings.each_ref().map(|heading| (heading.as_str(), theme.quiet));
            draw_row(ui, &widths, &cells, false);
            ScrollArea::vertical()
                .id_salt("folder table")
                .auto_shrink(false)
                .show_rows(ui, ROW_HEIGHT, rows.len(), |ui, range| {
                    for game in rows.get(range).unwrap_or_default() {
                        let cells = cell_texts(game);
                        let mut cells = cells.each_ref().map(|cell| (cell.as_str(), theme.text));
                        if let Some((_, color)) = cells.first_mut() {
                            *color = theme.accent;
                        }
                        if draw_row(ui, &widths, &cells, true) {
                            actions.push(FolderAction::Open(game.record.clone()));
                        }
                    }
                });
        });
}

/// Returns the widths of the columns, each with the gap after it. A column of numbers has the width of its heading. The
/// columns of texts share the rest by the widths of their contents.
fn column_widths(ui: &Ui, headings: &[String; 8], rows: &[ResultRow]) -> [f32; 8] {
    let mut widths = headings.each_ref().map(|heading| text_width(ui, heading));
    for game in rows.iter().take(MAX_MEASURED_ROWS) {
        for (width, text) in
            widths
                .iter_mut()
                .zip([&game.file, &game.players[0], &game.players[1], &game.result])
        {
            *width = width.max(text_width(ui, text).min(MAX_COLUMN_WIDTH));
        }
    }
    let mut widths = widths.map(|width| width + COLUMN_GAP);
    let (texts, numbers) = widths.split_at_mut(TEXT_COLUMN_COUNT);
    let room = ui.available_width().min(MAX_TABLE_WIDTH) - SCROLL_BAR_WIDTH - numbers.iter().sum::<f32>();
    scale_widths(texts, room);
    widths
}

/// Scales the widths of columns so that together they fill `room`. A column gets narrower than [`MIN_COLUMN_WIDTH`]
/// only if its contents are narrower. Columns that cannot shrink enough exceed the room.
pub(super) fn scale_widths(widths: &mut [f32], room: f32) {
    let mut open: Vec<&mut f32> = widths.iter_mut().collect();
    let mut room = room;
    loop {
        let part = room / open.iter().map(|width| **width).sum::<f32>();
        let count = open.len();
        // A column that keeps its minimum width leaves less room to the others.
        open.retain_mut(|width| {
            let min_width = width.min(MIN_COLUMN_WIDTH + COLUMN_GAP);
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
    let font = FontId::proportional(FONT_SIZE);
    ui.fonts_mut(|fonts| text.chars().map(|c| fonts.glyph_width(&font, c)).sum())
}

/// Returns the texts of a game's row: the file, the players, the result, and the mean loss and marks of each side.
fn cell_texts(game: &ResultRow) -> [String; 8] {
    let file = game
        .game
        .map_or_else(|| game.file.clone(), |number| format!("{} #{number}", game.file));
    let [black, white] = &game.players;
    let [(black_loss, black_marks), (white_loss, white_marks)] = game.sides.each_ref().map(|side| {
        let marks = side.marks.map(|count| count.to_string()).join(" / ");
        (
            format_tenths(side.stats.mean_loss),
            if side.moves > 0 { marks } else { String::new() },
        )
    });
    let text = |text: &str| short(text).into_owned();
    [
        text(&file),
        text(black),
        text(white),
        text(&game.result),
        black_loss,
        black_marks,
        white_loss,
        white_marks,
    ]
}

/// Draws a row of headings, or of a game if `is_game`. The first cell of a game is a link. Returns whether the link was
/// clicked.
fn draw_row(ui: &mut Ui, widths: &[f32; 8], cells: &[(&str, Color32); 8], is_game: bool) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW_HEIGHT), Sense::hover());
    let (mut left, mut is_clicked) = (rect.left(), false);
    for (number, (width, (text, color))) in widths.iter().zip(cells).enumerate() {
        let cell = Rect::from_min_max(
            pos2(left, rect.top()),
            pos2(left + width - COLUMN_GAP, rect.bottom()),
        );
        left += width;
        let is_number = number >= TEXT_COLUMN_COUNT;
        let layout = if is_number {
            Layout::right_to_left(Align::Center)
        } else {
            Layout::left_to_right(Align::Center)
        };
        let mut inside = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout));
        let text = RichText::new(*text).size(FONT_SIZE).color(*color);
        if number == 0 && is_game {
            // The keyboard cannot reach a label, so the link is a button without a frame.
            is_clicked = inside.add(Button::new(text).frame(false).truncate()).clicked();
        } else {
            inside.add(Label::new(text).truncate());
        }
    }
    is_clicked
}
