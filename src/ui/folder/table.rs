//! The table of the games that are over. Only the rows in view are drawn.

use super::{FolderAction, tenths};
use crate::folder::ResultRow;
use crate::text::folder::{Column, FolderPhrase, SideColumn};
use crate::text::visible::visible;
use crate::text::{Label as Word, Lang};
use crate::ui::PaintTheme;
use eframe::egui;
use egui::{Align, Button, Color32, Label, Layout, Rect, RichText, ScrollArea, Sense, Ui, UiBuilder, pos2, vec2};

/// The height of a row, in points.
const ROW: f32 = 26.0;
/// The widths of the columns of numbers and of marks, in points.
const NUMBER: f32 = 106.0;
const MARKS: f32 = 138.0;
/// The widest a row gets, in points.
const WIDEST: f32 = 1400.0;

/// A column: its width, and whether it is aligned to the right.
type TableColumn = (f32, bool);

/// Draws the table in the rest of `ui`.
pub(super) fn show(
    ui: &mut Ui,
    rows: &[ResultRow],
    (theme, lang): (&PaintTheme, Lang),
    actions: &mut Vec<FolderAction>,
) {
    let width = ui.available_width().min(WIDEST);
    let columns = columns(width);
    let black = Word::Black.text(lang);
    let white = Word::White.text(lang);
    let of = |side: &str| format!("{side}{}{}", lang.pick("", " "), SideColumn::Accuracy.text(lang));
    let marks = FolderPhrase::Marks.text(lang);
    let headings = [
        Column::File.text(lang).to_owned(),
        black.to_owned(),
        white.to_owned(),
        Column::Result.text(lang).to_owned(),
        of(black),
        format!("☗ {marks}"),
        of(white),
        format!("☖ {marks}"),
    ];
    let cells = headings.each_ref().map(|heading| (heading.as_str(), theme.quiet));
    row(ui, &columns, &cells, false);
    ScrollArea::vertical().id_salt("folder table").auto_shrink(false).show_rows(ui, ROW, rows.len(), |ui, range| {
        for game in rows.get(range).unwrap_or_default() {
            let cells = cells_of(game);
            let mut cells = cells.each_ref().map(|cell| (cell.as_str(), theme.text));
            if let Some((_, color)) = cells.first_mut() {
                *color = theme.accent;
            }
            if row(ui, &columns, &cells, true) {
                actions.push(FolderAction::Open(game.record.clone()));
            }
        }
    });
}

fn columns(width: f32) -> [TableColumn; 8] {
    let names = ((width - 2.0 * (NUMBER + MARKS)) / 4.2).max(90.0);
    let number = (NUMBER, true);
    [
        (names * 1.4, false),
        (names * 0.9, false),
        (names * 0.9, false),
        (names * 1.0, false),
        number,
        (MARKS, true),
        number,
        (MARKS, true),
    ]
}

fn cells_of(game: &ResultRow) -> [String; 8] {
    let file = game.game.map_or_else(|| game.file.clone(), |number| format!("{} #{number}", game.file));
    let [black, white] = &game.players;
    let [first, second] = game.sides.each_ref().map(|side| {
        let marks = side.marks.map(|count| count.to_string()).join(" / ");
        (tenths(side.accuracy()), if side.moves > 0 { marks } else { String::new() })
    });
    let text = |text: &str| visible(text).into_owned();
    [text(&file), text(black), text(white), text(&game.result), first.0, first.1, second.0, second.1]
}

/// Draws a row. The first cell of a game is a link; returns whether it was clicked.
fn row(ui: &mut Ui, columns: &[TableColumn; 8], cells: &[(&str, Color32); 8], is_game: bool) -> bool {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let (mut left, mut is_clicked) = (rect.left(), false);
    for (number, ((width, is_right), (text, color))) in columns.iter().zip(cells).enumerate() {
        let cell = Rect::from_min_max(pos2(left, rect.top()), pos2(left + width - 10.0, rect.bottom()));
        left += width;
        let layout =
            if *is_right { Layout::right_to_left(Align::Center) } else { Layout::left_to_right(Align::Center) };
        let mut inside = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout));
        let text = RichText::new(*text).size(13.5).color(*color);
        if number == 0 && is_game {
            // A label would not be reached by the keyboard.
            is_clicked = inside.add(Button::new(text).frame(false).truncate()).clicked();
        } else {
            inside.add(Label::new(text).truncate());
        }
    }
    is_clicked
}
