//! The font field: a checked name, or a choice from a list.

use super::SettingsFrame;
use crate::config::Settings;
use crate::text::settings::{self, SettingItem, SettingsPhrase};
use crate::ui::access::name;
use eframe::egui;
use egui::{Button, Frame, ScrollArea, TextEdit, Ui};

/// The height of the list, in points.
const LIST: f32 = 150.0;

/// The state of the field between frames.
#[derive(Debug, Default)]
pub(super) struct FontField {
    text: String,
    /// The setting that the text was last synchronized with.
    synced: Option<String>,
    is_listed: bool,
}

impl FontField {
    /// Shows the field of a setting.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        frame: &mut SettingsFrame<'_>,
        setting: fn(&mut Settings) -> &mut Option<String>,
    ) {
        if self.synced != *setting(&mut frame.settings) {
            self.set(setting(&mut frame.settings).clone());
        }
        let (lang, fonts) = (frame.lang, frame.view.fonts);
        ui.horizontal_wrapped(|ui| {
            let hint = SettingsPhrase::ShippedFont.text(lang);
            let field = ui.add(TextEdit::singleline(&mut self.text).hint_text(hint).desired_width(280.0));
            name(&field, item.label(lang));
            if field.changed() {
                self.take(frame, setting);
            }
            let list = if self.is_listed { SettingsPhrase::CloseList } else { SettingsPhrase::ListFonts };
            let button = ui.add_enabled(fonts.is_some(), Button::new(list.text(lang)));
            name(&button, &format!("{}: {}", item.label(lang), list.text(lang)));
            if button.clicked() {
                self.is_listed = !self.is_listed;
            }
        });
        let Some(fonts) = fonts else {
            frame.line(ui, Ok(SettingsPhrase::LookingForFonts.text(lang)));
            return;
        };
        let typed = self.text.trim();
        let is_none = !typed.is_empty() && find(fonts, typed).is_none();
        let wrong = is_none.then(|| settings::no_font(typed, lang));
        frame.line(ui, wrong.as_deref().map_or(Ok(""), Err));
        if self.is_listed {
            ui.push_id(item, |ui| self.list(ui, fonts, frame, setting));
        }
    }

    /// Applies the typed name, if it is a font.
    fn take(&mut self, frame: &mut SettingsFrame<'_>, setting: fn(&mut Settings) -> &mut Option<String>) {
        let typed = self.text.trim();
        if typed.is_empty() {
            *setting(&mut frame.settings) = None;
        } else if let Some(found) = find(frame.view.fonts.unwrap_or_default(), typed) {
            *setting(&mut frame.settings) = Some(found.to_owned());
        }
        // The typed text is kept as it is.
        self.synced.clone_from(setting(&mut frame.settings));
    }

    fn set(&mut self, font: Option<String>) {
        self.text = font.clone().unwrap_or_default();
        self.synced = font;
    }

    /// Shows the fonts whose name contains the typed text; all fonts, if the text is a font's name.
    fn list(
        &mut self,
        ui: &mut Ui,
        fonts: &[String],
        frame: &mut SettingsFrame<'_>,
        setting: fn(&mut Settings) -> &mut Option<String>,
    ) {
        let typed = self.text.trim().to_lowercase();
        let is_one = find(fonts, &typed).is_some();
        let listed: Vec<_> = fonts.iter().filter(|font| is_one || font.to_lowercase().contains(&typed)).collect();
        let row = ui.spacing().interact_size.y;
        let mut chosen = None;
        let of = setting(&mut frame.settings).clone();
        Frame::group(ui.style()).show(ui, |ui| {
            let rows = listed.len() + 1;
            ScrollArea::vertical().max_height(LIST).auto_shrink([false, true]).show_rows(ui, row, rows, |ui, rows| {
                for place in rows {
                    // The first entry is the shipped font.
                    let font = place.checked_sub(1).and_then(|place| listed.get(place)).copied();
                    let text = font.map_or_else(|| SettingsPhrase::ShippedFont.text(frame.lang), String::as_str);
                    let is_chosen = ui.selectable_label(of.as_ref() == font, text).clicked();
                    chosen = is_chosen.then(|| font.cloned()).or_else(|| chosen.take());
                }
            });
        });
        if let Some(font) = chosen {
            self.set(font.clone());
            *setting(&mut frame.settings) = font;
        }
    }
}

/// Returns the font of this name, ignoring case.
fn find<'a>(fonts: &'a [String], name: &str) -> Option<&'a str> {
    let name = name.to_lowercase();
    fonts.iter().find(|font| font.to_lowercase() == name).map(String::as_str)
}
