//! The colour fields: a button with a colour picker, and the colour code. The fields of the two sides also have
//! presets.

use super::SettingsFrame;
use crate::access::set_accessible_label;
use eframe::egui;
use egui::accesskit::Role;
use egui::{
    Button, CornerRadius, Label, RichText, Sense, Stroke, StrokeKind, TextEdit, Ui, WidgetInfo, vec2,
};
use shogibar_config::settings_text::{SettingItem, SettingsPhrase};
use shogibar_config::{Remark, Rgba, Settings};
use shogibar_shogi::{Color, side_name};

/// The size of a preset's swatch, in points.
const SWATCH_SIZE: egui::Vec2 = vec2(30.0, 22.0);

/// The presets for Black's colour, which are dark.
const BLACK_PRESETS: [[u8; 3]; 6] = [
    [0x4A, 0x72, 0xAA],
    [0x1F, 0x6F, 0x6B],
    [0x3E, 0x7D, 0x4F],
    [0x6A, 0x55, 0xA8],
    [0xA8, 0x3B, 0x5B],
    [0x00, 0x00, 0x00],
];
/// The presets for White's colour, which are light.
const WHITE_PRESETS: [[u8; 3]; 6] = [
    [0xF3, 0xE9, 0xD2],
    [0xFF, 0xFF, 0xFF],
    [0xF7, 0xD3, 0xDB],
    [0xD5, 0xEB, 0xC0],
    [0xCD, 0xE6, 0xF3],
    [0xF6, 0xD9, 0x6B],
];

/// The state of a colour field between frames.
#[derive(Debug, Default)]
pub(super) struct ColorField {
    /// The colour code as typed.
    text: String,
    /// The setting with which the text was last synchronized; `None` before the first frame.
    synced_color: Option<Rgba>,
}

impl ColorField {
    /// Shows the field of the key colour.
    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
        let label = SettingItem::KeyColor.label(frame.lang);
        let mut color = frame.settings.window.key_color;
        let mut is_valid = true;
        ui.horizontal(|ui| is_valid = self.show_picker(ui, label, &mut color, frame));
        frame.settings.window.key_color = color;
        let explanation = SettingItem::KeyColor.explanation(frame.lang);
        frame.show_line(
            ui,
            if is_valid {
                Ok(explanation)
            } else {
                Err(SettingsPhrase::ColorHint.text(frame.lang))
            },
        );
    }

    pub(super) fn show_side(&mut self, ui: &mut Ui, side: Color, frame: &mut SettingsFrame<'_>) {
        let (item, presets) = match side {
            Color::Black => (SettingItem::BlackColor, BLACK_PRESETS),
            Color::White => (SettingItem::WhiteColor, WHITE_PRESETS),
        };
        let (lang, label) = (frame.lang, item.label(frame.lang));
        let chosen = *side_setting(side, &mut frame.settings);
        let theme = frame
            .view
            .themes
            .iter()
            .find(|entry| entry.name == frame.settings.overlay.theme);
        let theme = theme.map(|entry| entry.reading.theme).unwrap_or_default();
        let mut color = chosen.unwrap_or(if side == Color::Black {
            theme.black
        } else {
            theme.white
        });
        let before = color;
        let mut is_valid = true;
        ui.horizontal_wrapped(|ui| {
            let text = SettingsPhrase::ThemeColor.text(lang);
            let button = ui.add(Button::selectable(chosen.is_none(), text));
            set_accessible_label(&button, &format!("{label}: {text}"));
            if button.clicked() {
                *side_setting(side, &mut frame.settings) = None;
            }
            for [red, green, blue] in presets {
                let preset = Rgba([red, green, blue, 0xFF]);
                if show_swatch(
                    ui,
                    preset,
                    chosen == Some(preset),
                    &format!("{label}: {preset}"),
                    frame,
                ) {
                    *side_setting(side, &mut frame.settings) = Some(preset);
                }
            }
            is_valid = self.show_picker(ui, label, &mut color, frame);
        });
        if color != before {
            *side_setting(side, &mut frame.settings) = Some(color);
        }
        let overlay = &frame.settings.overlay;
        let warnings = theme
            .with_sides(overlay.black, overlay.white)
            .side_contrast_warnings();
        let key = side_name(side);
        let warning = warnings
            .into_iter()
            .find(|warning| warning.key == key && (overlay.black, overlay.white) != (None, None));
        match warning {
            _ if !is_valid => frame.show_line(ui, Err(SettingsPhrase::ColorHint.text(lang))),
            Some(warning) => {
                let text = RichText::new(Remark::SettingLost(warning).text(lang))
                    .size(12.5)
                    .color(frame.theme.accent);
                ui.add(Label::new(text).wrap());
            }
            None => frame.show_line(ui, Ok(item.explanation(lang))),
        }
    }

    /// Shows the picker and the code of a colour. Returns whether the typed code is valid.
    fn show_picker(&mut self, ui: &mut Ui, label: &str, color: &mut Rgba, frame: &SettingsFrame<'_>) -> bool {
        let Rgba([mut srgb @ .., _]) = *color;
        let button = ui.color_edit_button_srgb(&mut srgb);
        set_accessible_label(&button, label);
        if button.changed() {
            let [red, green, blue] = srgb;
            *color = Rgba([red, green, blue, 0xFF]);
        }
        if self.synced_color != Some(*color) {
            (self.text, self.synced_color) = (color.to_string(), Some(*color));
        }
        let field = ui.add(TextEdit::singleline(&mut self.text).desired_width(90.0));
        set_accessible_label(
            &field,
            &format!("{label}: {}", SettingsPhrase::ColorCode.text(frame.lang)),
        );
        // The colour has to be opaque, so codes with transparency are ignored.
        let parsed = Rgba::parse(&self.text).filter(|color| color.is_opaque());
        if field.changed()
            && let Some(parsed) = parsed
        {
            *color = parsed;
            // The text in the field stays as the user has typed it.
            self.synced_color = Some(parsed);
        }
        parsed.is_some()
    }
}

const fn side_setting(side: Color, settings: &mut Settings) -> &mut Option<Rgba> {
    match side {
        Color::Black => &mut settings.overlay.black,
        Color::White => &mut settings.overlay.white,
    }
}

/// Shows a preset, and returns whether it was clicked.
fn show_swatch(ui: &mut Ui, color: Rgba, is_chosen: bool, label: &str, frame: &SettingsFrame<'_>) -> bool {
    let (rect, swatch) = ui.allocate_exact_size(SWATCH_SIZE, Sense::click());
    swatch.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_chosen, label));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&swatch);
        let edge = if is_chosen {
            Stroke::new(2.5, frame.theme.accent)
        } else {
            Stroke::new(1.0, frame.theme.tick)
        };
        let fill = crate::theme::to_color32(color);
        ui.painter()
            .rect(rect, CornerRadius::same(4), fill, edge, StrokeKind::Inside);
        if swatch.has_focus() || swatch.hovered() {
            ui.painter().rect_stroke(
                rect.expand(2.0),
                CornerRadius::same(6),
                visuals.fg_stroke,
                StrokeKind::Inside,
            );
        }
    }
    swatch.clicked()
}
