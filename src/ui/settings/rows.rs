//! Rows: the name of a setting on the left, the widget on the right, and an explanation below.

use super::SettingsFrame;
use crate::access::set_accessible_label;
use eframe::egui;
use egui::{Align, Label, Layout, RichText, Slider, Ui, vec2};
use shogibar_config::Settings;
use shogibar_config::settings_text::{SettingChoice, SettingItem};
use std::ops::RangeInclusive;

/// The width of the left column, with the names, in points.
const NAME_COLUMN_WIDTH: f32 = 136.0;
/// The height of a row, in points.
const ROW_HEIGHT: f32 = 24.0;

impl SettingsFrame<'_> {
    pub(super) fn show_row(&mut self, ui: &mut Ui, item: SettingItem, add: impl FnOnce(&mut Ui, &mut Self)) {
        self.show_columns(ui, Some(item), |ui, frame| {
            add(ui, frame);
            frame.show_quiet(ui, item.explanation(frame.lang));
        });
    }

    /// Shows a row whose widget shows the explanation itself, because its errors replace the explanation.
    pub(super) fn show_field(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        add: impl FnOnce(&mut Ui, &mut Self),
    ) {
        self.show_columns(ui, Some(item), add);
    }

    /// Shows a row of radio buttons.
    pub(super) fn show_choice(&mut self, ui: &mut Ui, item: SettingItem, choice: SettingChoice) {
        self.show_row(ui, item, |ui, frame| {
            ui.horizontal_wrapped(|ui| frame.show_radio_buttons(ui, item, choice));
        });
    }

    fn show_radio_buttons(&mut self, ui: &mut Ui, item: SettingItem, choice: SettingChoice) {
        ui.spacing_mut().item_spacing.x = 16.0;
        let chosen = (choice.chosen)(&self.settings);
        for (index, name) in (choice.names)(self.lang).into_iter().enumerate() {
            let button = ui.radio(chosen == Some(index), name);
            set_accessible_label(&button, &format!("{}: {name}", item.label(self.lang)));
            if button.clicked() {
                (choice.choose)(&mut self.settings, index);
            }
        }
    }

    /// Shows a row with a slider for a percentage.
    pub(super) fn show_slider(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        range: RangeInclusive<u8>,
        setting: impl FnOnce(&mut Settings) -> &mut u8,
    ) {
        self.show_row(ui, item, |ui, frame| {
            let slider = Slider::new(setting(&mut frame.settings), range)
                .suffix("%")
                .step_by(5.0);
            set_accessible_label(&ui.add(slider), item.label(frame.lang));
        });
    }

    /// Shows a row with a check box.
    pub(super) fn show_switch(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        setting: impl FnOnce(&mut Settings) -> &mut bool,
    ) {
        self.show_columns(ui, None, |ui, frame| {
            ui.checkbox(setting(&mut frame.settings), item.label(frame.lang));
            frame.show_quiet(ui, item.explanation(frame.lang));
        });
    }

    /// Shows another explanation below the previous row.
    pub(super) fn show_below(&mut self, ui: &mut Ui, text: &str) {
        self.show_columns(ui, None, |ui, frame| frame.show_quiet(ui, text));
    }

    /// Shows an explanation in the quiet colour, unless it is empty.
    pub(super) fn show_quiet(&self, ui: &mut Ui, text: &str) {
        if !text.is_empty() {
            ui.add(Label::new(RichText::new(text).size(12.5).color(self.theme.quiet)).wrap());
        }
    }

    /// Shows a line below a field: an error (`Err`) or other information (`Ok`). An empty line also takes space, so
    /// that nothing below moves.
    pub(super) fn show_line(&self, ui: &mut Ui, message: Result<&str, &str>) {
        let (text, color) = match message {
            Ok(text) => (text, self.theme.quiet),
            Err(text) => (text, self.theme.blunder),
        };
        let shown = if text.is_empty() { "　" } else { text };
        let label = ui.add(Label::new(RichText::new(shown).size(12.5).color(color)).truncate());
        if !text.is_empty() {
            label.on_hover_text(text);
        }
    }

    /// Shows the name of a setting in the left column, or nothing for `None`, and a widget in the right column.
    fn show_columns(&mut self, ui: &mut Ui, item: Option<SettingItem>, add: impl FnOnce(&mut Ui, &mut Self)) {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.allocate_ui_with_layout(
                vec2(NAME_COLUMN_WIDTH, ROW_HEIGHT),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_size(vec2(NAME_COLUMN_WIDTH, ROW_HEIGHT));
                    if let Some(item) = item {
                        ui.add(Label::new(item.label(self.lang)).wrap());
                    }
                },
            );
            ui.vertical(|ui| {
                ui.spacing_mut().interact_size.y = ROW_HEIGHT;
                add(ui, self);
            });
        });
    }
}
