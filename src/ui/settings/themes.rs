//! The themes to choose from, each with a picture of it, and what can be done with the chosen one.

use super::{SettingsAction, SettingsFrame};
use crate::store::ThemeEntry;
use crate::text::settings::{self, SettingItem, SettingsPhrase};
use crate::ui::PaintTheme;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::accesskit::Role;
use egui::{
    Align2, CornerRadius, FontId, Label, Painter, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

/// A card, in points, and its picture.
const CARD: egui::Vec2 = vec2(146.0, 66.0);
const PICTURE: f32 = 36.0;

/// Black's share in the pictures.
const SHARE: f32 = 0.62;

pub(super) fn show(ui: &mut Ui, sheet: &mut SettingsFrame<'_>) {
    let themes = sheet.view.themes;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        for entry in themes {
            if card(ui, entry, entry.name == sheet.settings.overlay.theme, sheet) {
                sheet.settings.overlay.theme.clone_from(&entry.name);
            }
        }
    });
    // What is wrong with the one in use may stand above all.
    let trouble = themes.iter().flat_map(|entry| entry.reading.warnings(&entry.name));
    for remark in trouble.filter(|remark| !sheet.view.trouble.contains(remark)) {
        let text = RichText::new(remark.text(sheet.lang)).size(12.5).color(sheet.theme.accent);
        ui.add(Label::new(text).wrap());
    }
    ui.add_space(4.0);
    let chosen = themes.iter().find(|entry| entry.name == sheet.settings.overlay.theme);
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(chosen.is_some(), |ui| {
            if ui.button(SettingsPhrase::CopyTheme.text(sheet.lang)).clicked() {
                sheet.actions.extend(chosen.map(|entry| SettingsAction::CopyTheme(entry.name.clone())));
            }
        });
        if ui.button(SettingsPhrase::ImportTheme.text(sheet.lang)).clicked() {
            sheet.actions.push(SettingsAction::ImportTheme);
        }
        ui.add_enabled_ui(chosen.is_some(), |ui| {
            if ui.button(SettingsPhrase::ExportTheme.text(sheet.lang)).clicked() {
                sheet.actions.extend(chosen.map(|entry| SettingsAction::ExportTheme(entry.name.clone())));
            }
        });
    });
    if let Some(file) = chosen.and_then(|entry| entry.file.as_ref()) {
        sheet.quiet(ui, &file.display().to_string());
    }
}

/// A theme to be chosen; whether it was.
fn card(ui: &mut Ui, entry: &ThemeEntry, is_chosen: bool, sheet: &SettingsFrame<'_>) -> bool {
    let (rect, card) = ui.allocate_exact_size(CARD, Sense::click());
    let name = match &entry.file {
        Some(_) => entry.name.as_str(),
        None => settings::theme(&entry.name, sheet.lang),
    };
    let spoken = format!("{}: {name}", SettingItem::Theme.label(sheet.lang));
    card.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_chosen, &spoken));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&card);
        let edge = if is_chosen { Stroke::new(2.0, sheet.theme.accent) } else { visuals.bg_stroke };
        let painter = ui.painter().with_clip_rect(rect.expand(2.0));
        painter.rect(rect, CornerRadius::same(8), visuals.weak_bg_fill, edge, StrokeKind::Inside);
        if card.has_focus() {
            let focus = Stroke::new(1.0, sheet.theme.text);
            painter.rect_stroke(rect.expand(2.0), CornerRadius::same(9), focus, StrokeKind::Inside);
        }
        let picture = Rect::from_min_size(rect.min, vec2(CARD.x, PICTURE)).shrink2(vec2(4.0, 0.0));
        picture_of(&painter, picture.translate(vec2(0.0, 4.0)), &entry.reading.theme.into());
        let at = pos2(rect.min.x + 10.0, rect.max.y - 13.0);
        let room = rect.with_max_x(rect.max.x - 8.0);
        painter.with_clip_rect(room).text(at, Align2::LEFT_CENTER, name, FontId::proportional(13.0), sheet.theme.text);
    }
    card.on_hover_text(name).clicked()
}

/// A bar in the colours of a theme, on its ground.
fn picture_of(painter: &Painter, rect: Rect, theme: &PaintTheme) {
    let corner = |points: u8| CornerRadius::same(points.min(6));
    painter.rect_filled(rect, corner(theme.panel_corner), theme.panel.to_opaque());
    let [left, right] = [rect.min.x + 32.0, rect.max.x - 32.0];
    let seam = left + (right - left) * SHARE;
    let bar = |from: f32, to: f32| Rect::from_x_y_ranges(from..=to, rect.center().y - 6.0..=rect.center().y + 6.0);
    let round = corner(theme.bar_corner);
    for (part, corner, fill, edge) in [
        (bar(left, seam), CornerRadius { ne: 0, se: 0, ..round }, theme.black, theme.black_edge),
        (bar(seam, right), CornerRadius { nw: 0, sw: 0, ..round }, theme.white, theme.white_edge),
    ] {
        painter.rect(part, corner, fill, Stroke::new(1.0, edge), StrokeKind::Inside);
    }
    painter.rect_filled(bar(seam - 1.5, seam + 1.5).expand2(vec2(0.0, 2.0)), CornerRadius::ZERO, theme.accent);
    for (at, align, text) in [
        (pos2(rect.min.x + 6.0, rect.center().y), Align2::LEFT_CENTER, "62"),
        (pos2(rect.max.x - 6.0, rect.center().y), Align2::RIGHT_CENTER, "38"),
    ] {
        painter.text(at, align, text, TextWeight::Bold.at(15.0), theme.text);
    }
}
