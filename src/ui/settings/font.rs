//! The font field: a name that is checked, or a choice from a list that shows each name in its font.

use super::{SettingsAction, SettingsFrame};
use crate::access::set_accessible_label;
use crate::font_sample;
use eframe::egui;
use egui::{
    Button, Color32, ColorImage, Frame, Rect, Response, RichText, ScrollArea, TextEdit, TextureHandle,
    TextureOptions, Ui, pos2, vec2,
};
use shogibar_config::Settings;
use shogibar_config::settings_text::{self, SettingItem, SettingsPhrase};
use std::collections::BTreeMap;

/// The height of the list, in points.
const LIST_HEIGHT: f32 = 240.0;

/// A function that returns the setting of a font field.
type FontSetting = fn(&mut Settings) -> &mut Option<String>;

/// The maximum number of stored samples. If there are more, the samples of rows out of view are dropped.
const MAX_SAMPLES: usize = 64;

/// The pictures of font names that have been drawn, each in its font.
#[derive(Default)]
pub(super) struct FontSamples {
    textures: BTreeMap<String, TextureHandle>,
    /// The fonts without a sample that were last requested.
    requested_fonts: Vec<String>,
}

impl FontSamples {
    /// Stores the samples of further fonts as textures.
    pub(super) fn add(&mut self, ui: &Ui, samples: &[(String, ColorImage)]) {
        for (font, picture) in samples {
            let texture =
                ui.ctx()
                    .load_texture(format!("font {font}"), picture.clone(), TextureOptions::LINEAR);
            self.textures.insert(font.clone(), texture);
        }
    }

    /// Requests the samples of the visible rows, and drops other samples if there are too many.
    fn request(&mut self, ui: &Ui, visible: &[&String], frame: &mut SettingsFrame<'_>) {
        let missing: Vec<String> = visible
            .iter()
            .filter(|font| !self.textures.contains_key(font.as_str()))
            .map(|font| (*font).clone())
            .collect();
        if self.textures.len() > MAX_SAMPLES {
            self.textures.retain(|font, _| visible.contains(&font));
        }
        if missing != self.requested_fonts {
            self.requested_fonts.clone_from(&missing);
            frame
                .actions
                .push(SettingsAction::SampleFonts(missing, ui.pixels_per_point()));
        }
    }

    /// Shows a row of the list: the sample of the font, or `text` if there is no sample.
    fn show_row(&self, ui: &mut Ui, is_chosen: bool, text: &str, font: Option<&String>) -> Response {
        let Some(sample) = font.and_then(|font| self.textures.get(font)) else {
            return ui.selectable_label(is_chosen, text);
        };
        // The invisible text is for screen readers. The picture is drawn over it.
        let [width, height] = font_sample::SAMPLE_SIZE.map(|points| points as f32);
        let invisible = RichText::new(text).color(Color32::TRANSPARENT);
        let row = ui.add(Button::selectable(is_chosen, invisible).min_size(vec2(width, 0.0)));
        let at = pos2(
            row.rect.left() + ui.spacing().button_padding.x,
            row.rect.center().y - height / 2.0,
        );
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let color = ui.style().interact_selectable(&row, is_chosen).text_color();
        ui.painter().image(
            sample.id(),
            Rect::from_min_size(at, vec2(width, height)),
            whole,
            color,
        );
        row.on_hover_text(text)
    }
}

impl std::fmt::Debug for FontSamples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FontSamples")
            .field("drawn", &self.textures.len())
            .finish_non_exhaustive()
    }
}

/// The state of a font field between frames.
#[derive(Debug, Default)]
pub(super) struct FontField {
    /// The name as typed.
    text: String,
    /// The setting with which the text was last synchronized; `None` for the shipped font.
    synced_name: Option<String>,
    is_list_open: bool,
}

impl FontField {
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        item: SettingItem,
        frame: &mut SettingsFrame<'_>,
        setting: FontSetting,
        samples: &mut FontSamples,
    ) {
        if self.synced_name != *setting(&mut frame.settings) {
            self.set_font(setting(&mut frame.settings).clone());
        }
        let (lang, fonts) = (frame.lang, frame.view.fonts);
        ui.horizontal_wrapped(|ui| {
            let hint = SettingsPhrase::ShippedFont.text(lang);
            let field = ui.add(
                TextEdit::singleline(&mut self.text)
                    .hint_text(hint)
                    .desired_width(280.0),
            );
            set_accessible_label(&field, item.label(lang));
            if field.changed() {
                self.apply_text(frame, setting);
            }
            let list = if self.is_list_open {
                SettingsPhrase::CloseList
            } else {
                SettingsPhrase::ListFonts
            };
            let button = ui.add_enabled(fonts.is_some(), Button::new(list.text(lang)));
            set_accessible_label(&button, &format!("{}: {}", item.label(lang), list.text(lang)));
            if button.clicked() {
                self.is_list_open = !self.is_list_open;
            }
        });
        let Some(fonts) = fonts else {
            frame.show_line(ui, Ok(SettingsPhrase::LookingForFonts.text(lang)));
            return;
        };
        let typed = self.text.trim();
        let is_none = !typed.is_empty() && find_font(fonts, typed).is_none();
        let wrong = is_none.then(|| settings_text::no_font(typed, lang));
        frame.show_line(
            ui,
            wrong.as_deref().map_or_else(|| Ok(item.explanation(lang)), Err),
        );
        if self.is_list_open {
            ui.push_id(item, |ui| self.show_list(ui, fonts, samples, frame, setting));
        }
    }

    /// Applies the typed name, if a font has this name.
    fn apply_text(&mut self, frame: &mut SettingsFrame<'_>, setting: FontSetting) {
        let typed = self.text.trim();
        if typed.is_empty() {
            *setting(&mut frame.settings) = None;
        } else if let Some(found) = find_font(frame.view.fonts.unwrap_or_default(), typed) {
            *setting(&mut frame.settings) = Some(found.to_owned());
        }
        // The text in the field stays as the user has typed it.
        self.synced_name.clone_from(setting(&mut frame.settings));
    }

    /// Shows a font in the field; `None` is the shipped font.
    fn set_font(&mut self, font: Option<String>) {
        self.text = font.clone().unwrap_or_default();
        self.synced_name = font;
    }

    /// Shows the fonts whose name contains the typed text. If the text is the name of a font, shows all fonts.
    fn show_list(
        &mut self,
        ui: &mut Ui,
        fonts: &[String],
        samples: &mut FontSamples,
        frame: &mut SettingsFrame<'_>,
        setting: FontSetting,
    ) {
        let typed = self.text.trim().to_lowercase();
        let is_one = find_font(fonts, &typed).is_some();
        let listed: Vec<_> = fonts
            .iter()
            .filter(|font| is_one || font.to_lowercase().contains(&typed))
            .collect();
        let row = ui.spacing().interact_size.y;
        let mut chosen = None;
        let current = setting(&mut frame.settings).clone();
        Frame::group(ui.style()).show(ui, |ui| {
            let rows = listed.len() + 1;
            // Inside the scrolling page the list would become lower, so it has a minimum height.
            let area = ScrollArea::vertical()
                .max_height(LIST_HEIGHT)
                .min_scrolled_height(LIST_HEIGHT)
                .auto_shrink([false, true]);
            area.show_rows(ui, row, rows, |ui, rows| {
                let visible = rows
                    .clone()
                    .filter_map(|index| listed.get(index.checked_sub(1)?).copied());
                samples.request(ui, &visible.collect::<Vec<_>>(), frame);
                for index in rows {
                    // The first entry is the shipped font.
                    let font = index.checked_sub(1).and_then(|index| listed.get(index)).copied();
                    let text =
                        font.map_or_else(|| SettingsPhrase::ShippedFont.text(frame.lang), String::as_str);
                    let is_chosen = samples
                        .show_row(ui, current.as_ref() == font, text, font)
                        .clicked();
                    chosen = is_chosen.then(|| font.cloned()).or_else(|| chosen.take());
                }
            });
        });
        if let Some(font) = chosen {
            self.set_font(font.clone());
            *setting(&mut frame.settings) = font;
        }
    }
}

/// Returns the font of this name, ignoring case; `None` if there is none.
fn find_font<'a>(fonts: &'a [String], name: &str) -> Option<&'a str> {
    let name = name.to_lowercase();
    fonts
        .iter()
        .find(|font| font.to_lowercase() == name)
        .map(String::as_str)
}
