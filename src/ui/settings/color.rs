//! The field of a colour: a button that shows it and opens a picker, and the colour as it is written.

use super::SettingsFrame;
use crate::config::Rgba;
use crate::text::settings::{SettingItem, SettingsPhrase};
use crate::ui::access::name;
use eframe::egui;
use egui::{TextEdit, Ui};

/// What the field keeps from frame to frame.
#[derive(Debug, Default)]
pub(super) struct ColorField {
    text: String,
    /// The setting that the text was taken from, or is.
    of: Option<Rgba>,
}

impl ColorField {
    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut SettingsFrame<'_>) {
        let (lang, label) = (sheet.lang, SettingItem::KeyColor.label(sheet.lang));
        let color = &mut sheet.settings.window.key_color;
        let mut parsed = Some(*color);
        ui.horizontal(|ui| {
            let Rgba([mut srgb @ .., _]) = *color;
            let button = ui.color_edit_button_srgb(&mut srgb);
            name(&button, label);
            if button.changed() {
                let [red, green, blue] = srgb;
                *color = Rgba([red, green, blue, 0xFF]);
            }
            if self.of != Some(*color) {
                (self.text, self.of) = (color.to_string(), Some(*color));
            }
            let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(90.0));
            name(&field, &format!("{label}: {}", SettingsPhrase::ColorCode.text(lang)));
            // A colour that is taken out has nothing shining through.
            parsed = Rgba::parse(&self.text).filter(|color| color.is_opaque());
            if let Some(parsed) = parsed.filter(|_| field.changed()) {
                *color = parsed;
                // What is typed is left as it stands.
                self.of = Some(parsed);
            }
        });
        sheet.line(ui, if parsed.is_some() { Ok("") } else { Err(SettingsPhrase::ColorHint.text(lang)) });
    }
}
