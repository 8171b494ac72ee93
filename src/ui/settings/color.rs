//! The colour field: a button with a colour picker, and the colour code.

use super::SettingsFrame;
use crate::config::Rgba;
use crate::text::settings::{SettingItem, SettingsPhrase};
use crate::ui::access::name;
use eframe::egui;
use egui::{TextEdit, Ui};

/// The state of the field between frames.
#[derive(Debug, Default)]
pub(super) struct ColorField {
    text: String,
    /// The setting that the text was last synchronized with.
    synced: Option<Rgba>,
}

impl ColorField {
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
        let (lang, label) = (frame.lang, SettingItem::KeyColor.label(frame.lang));
        let color = &mut frame.settings.window.key_color;
        let mut parsed = Some(*color);
        ui.horizontal(|ui| {
            let Rgba([mut srgb @ .., _]) = *color;
            let button = ui.color_edit_button_srgb(&mut srgb);
            name(&button, label);
            if button.changed() {
                let [red, green, blue] = srgb;
                *color = Rgba([red, green, blue, 0xFF]);
            }
            if self.synced != Some(*color) {
                (self.text, self.synced) = (color.to_string(), Some(*color));
            }
            let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(90.0));
            name(&field, &format!("{label}: {}", SettingsPhrase::ColorCode.text(lang)));
            // A key colour must be opaque.
            parsed = Rgba::parse(&self.text).filter(|color| color.is_opaque());
            if let Some(parsed) = parsed.filter(|_| field.changed()) {
                *color = parsed;
                // The typed text is kept as it is.
                self.synced = Some(parsed);
            }
        });
        frame.line(ui, if parsed.is_some() { Ok("") } else { Err(SettingsPhrase::ColorHint.text(lang)) });
    }
}
