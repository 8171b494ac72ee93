//! The titles of games to choose from.

use eframe::egui;
use egui::{Button, ScrollArea, TextStyle, Ui};

/// Shows the titles of games; only visible ones are laid out. `current` is the index of the present game. Returns the
/// index of a clicked game; `None` without a click.
pub fn show_game_titles(ui: &mut Ui, titles: &[String], current: usize, area: ScrollArea) -> Option<usize> {
    let mut chosen = None;
    let height = ui.text_style_height(&TextStyle::Button) + 2.0 * ui.spacing().button_padding.y;
    area.show_rows(ui, height, titles.len(), |ui, rows| {
        for (nth, title) in titles.iter().enumerate().skip(rows.start).take(rows.len()) {
            let entry = Button::selectable(nth == current, title)
                .truncate()
                .frame_when_inactive(false);
            if ui.add(entry).clicked() {
                chosen = Some(nth);
            }
        }
    });
    chosen
}
