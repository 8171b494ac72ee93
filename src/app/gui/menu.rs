//! The menu of the right mouse button.

use crate::text::{Command, Lang};
use eframe::egui;
use egui::{Button, Grid, Popup, Response, ScrollArea, Ui};

/// The entries as they stand: back on the left, on on the right. Low rows, because a menu cannot
/// reach beyond the window, and the window is low.
const ROWS: [&[Command]; 9] = [
    &[Command::Back, Command::Forward],
    &[Command::TenBack, Command::TenForward],
    &[Command::First, Command::Last],
    &[Command::Pause, Command::Follow],
    &[Command::Study, Command::Layout],
    &[Command::Hide, Command::ClickThrough],
    &[Command::CopyPicture, Command::SavePicture],
    &[Command::Settings, Command::Engines],
    &[Command::Quit],
];

/// Shows the menu where the ground was clicked and gives back what was chosen.
pub(super) fn show(ground: &Response, lang: Lang) -> Option<Command> {
    let shown = Popup::context_menu(ground).show(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(12.0, 0.0);
        let entries = |ui: &mut Ui| {
            ROWS.iter()
                .flat_map(|row| {
                    let chosen: Vec<_> = row.iter().map(|command| entry(ui, *command, lang)).collect();
                    ui.end_row();
                    chosen
                })
                .flatten()
                .last()
        };
        // A window lower than the menu scrolls it: there has to be a way out by mouse.
        let most = ui.ctx().content_rect().height() - 2.0 * ui.spacing().menu_margin.sum().y;
        let grid = |ui: &mut Ui| Grid::new("commands").num_columns(2).show(ui, entries).inner;
        ScrollArea::vertical().max_height(most).show(ui, grid).inner
    });
    shown.and_then(|shown| shown.inner)
}

/// One entry of the menu; gives back the command when it was chosen.
fn entry(ui: &mut Ui, command: Command, lang: Lang) -> Option<Command> {
    let size = egui::vec2(118.0, 20.0);
    let button = Button::new(command.text(lang)).shortcut_text(command.key());
    ui.add_sized(size, button).clicked().then_some(command)
}
