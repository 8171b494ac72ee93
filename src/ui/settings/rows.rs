//! Rows: what a setting is called on the left, how it is set on the right, what it does below.

use super::SettingsFrame;
use crate::config::Settings;
use crate::text::Lang;
use crate::text::settings::SettingItem;
use crate::ui::access::name;
use eframe::egui;
use egui::{Align, Label, Layout, RichText, Ui, vec2};

/// The width of the column on the left, in points.
const LABEL: f32 = 136.0;
/// The height of a row, in points.
const ROW: f32 = 24.0;

impl SettingsFrame<'_> {
    /// A row with whatever sets it.
    pub(super) fn row(&mut self, ui: &mut Ui, item: SettingItem, add: impl FnOnce(&mut Ui, &mut Self)) {
        self.columns(ui, Some(item), |ui, sheet| {
            add(ui, sheet);
            sheet.quiet(ui, item.explanation(sheet.lang));
        });
    }

    /// A row of things of which one is chosen.
    pub(super) fn choice<T: Copy + PartialEq>(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        all: &[T],
        text: impl Fn(T, Lang) -> &'static str,
        setting: impl Fn(&mut Settings) -> &mut T,
    ) {
        self.row(ui, item, |ui, sheet| {
            ui.horizontal_wrapped(|ui| {
                ui.spacing_mut().item_spacing.x = 16.0;
                for one in all {
                    let text = text(*one, sheet.lang);
                    let button = ui.radio_value(setting(&mut sheet.settings), *one, text);
                    name(&button, &format!("{}: {text}", item.label(sheet.lang)));
                }
            });
        });
    }

    /// A row with a check box.
    pub(super) fn switch(&mut self, ui: &mut Ui, item: SettingItem, setting: impl FnOnce(&mut Settings) -> &mut bool) {
        self.columns(ui, None, |ui, sheet| {
            ui.checkbox(setting(&mut sheet.settings), item.label(sheet.lang));
            sheet.quiet(ui, item.explanation(sheet.lang));
        });
    }

    /// One more explanation of the row above.
    pub(super) fn below(&mut self, ui: &mut Ui, text: &str) {
        self.columns(ui, None, |ui, sheet| sheet.quiet(ui, text));
    }

    /// An explanation, if there is one.
    pub(super) fn quiet(&self, ui: &mut Ui, text: &str) {
        if !text.is_empty() {
            ui.add(Label::new(RichText::new(text).size(12.5).color(self.theme.quiet)).wrap());
        }
    }

    /// A line below a field, which is there also when nothing is said in it, so that nothing below moves: what is wrong
    /// with what was typed, or what else is to be known.
    pub(super) fn line(&self, ui: &mut Ui, said: Result<&str, &str>) {
        let (text, color) = match said {
            Ok(text) => (text, self.theme.quiet),
            Err(text) => (text, self.theme.accent),
        };
        let shown = if text.is_empty() { "　" } else { text };
        let label = ui.add(Label::new(RichText::new(shown).size(12.5).color(color)).truncate());
        if !text.is_empty() {
            label.on_hover_text(text);
        }
    }

    fn columns(&mut self, ui: &mut Ui, item: Option<SettingItem>, add: impl FnOnce(&mut Ui, &mut Self)) {
        ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
            ui.allocate_ui_with_layout(vec2(LABEL, ROW), Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_size(vec2(LABEL, ROW));
                if let Some(item) = item {
                    ui.add(Label::new(item.label(self.lang)).wrap());
                }
            });
            ui.vertical(|ui| {
                ui.spacing_mut().interact_size.y = ROW;
                add(ui, self);
            });
        });
    }
}
