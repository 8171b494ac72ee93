//! The selectable themes, each with a preview, and the actions on the selected one.

use super::{SettingsAction, SettingsFrame};
use crate::PaintTheme;
use crate::fonts::TextWeight;
use eframe::egui;
use egui::accesskit::Role;
use egui::{
    Align2, CornerRadius, FontId, Label, Painter, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};
use shogibar_config::settings_text::{self, SettingItem, SettingsPhrase};
use shogibar_machine::store::ThemeEntry;

/// The size of a card, in points.
const CARD_SIZE: egui::Vec2 = vec2(146.0, 66.0);
/// The height of the preview in a card, in points.
const PREVIEW_HEIGHT: f32 = 36.0;

const PREVIEW_SHARE: f32 = 0.62;

/// Shows the themes, the warnings about the themes, the actions on the selected theme, and the path of its file.
pub(super) fn show(ui: &mut Ui, frame: &mut SettingsFrame<'_>) {
    let themes = frame.view.themes;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 8.0);
        for entry in themes {
            if show_card(ui, entry, entry.name == frame.settings.overlay.theme, frame) {
                frame.settings.overlay.theme.clone_from(&entry.name);
            }
        }
    });
    // Warnings that are already among the page's problems are not repeated.
    let warnings = themes
        .iter()
        .flat_map(|entry| entry.reading.warnings(&entry.name));
    for remark in warnings.filter(|remark| !frame.view.problems.contains(remark)) {
        let text = RichText::new(remark.text(frame.lang))
            .size(12.5)
            .color(frame.theme.blunder);
        ui.add(Label::new(text).wrap());
    }
    ui.add_space(4.0);
    let chosen = themes
        .iter()
        .find(|entry| entry.name == frame.settings.overlay.theme);
    ui.horizontal_wrapped(|ui| {
        ui.add_enabled_ui(chosen.is_some(), |ui| {
            if ui.button(SettingsPhrase::CopyTheme.text(frame.lang)).clicked() {
                frame
                    .actions
                    .extend(chosen.map(|entry| SettingsAction::CopyTheme(entry.name.clone())));
            }
        });
        if ui.button(SettingsPhrase::ImportTheme.text(frame.lang)).clicked() {
            frame.actions.push(SettingsAction::ImportTheme);
        }
        ui.add_enabled_ui(chosen.is_some(), |ui| {
            if ui.button(SettingsPhrase::ExportTheme.text(frame.lang)).clicked() {
                frame
                    .actions
                    .extend(chosen.map(|entry| SettingsAction::ExportTheme(entry.name.clone())));
            }
        });
    });
    if let Some(file) = chosen.and_then(|entry| entry.file.as_ref()) {
        frame.show_quiet(ui, &file.display().to_string());
    }
}

/// Shows the card of a theme. Returns whether the card was clicked.
fn show_card(ui: &mut Ui, entry: &ThemeEntry, is_chosen: bool, frame: &SettingsFrame<'_>) -> bool {
    let (rect, card) = ui.allocate_exact_size(CARD_SIZE, Sense::click());
    let name = match &entry.file {
        Some(_) => entry.name.as_str(),
        None => settings_text::theme(&entry.name, frame.lang),
    };
    let label = format!("{}: {name}", SettingItem::Theme.label(frame.lang));
    card.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_chosen, &label));
    if ui.is_rect_visible(rect) {
        let visuals = ui.style().interact(&card);
        let edge = if is_chosen {
            Stroke::new(2.0, frame.theme.accent)
        } else {
            visuals.bg_stroke
        };
        let painter = ui.painter().with_clip_rect(rect.expand(2.0));
        painter.rect(
            rect,
            CornerRadius::same(8),
            visuals.weak_bg_fill,
            edge,
            StrokeKind::Inside,
        );
        if card.has_focus() {
            let focus = Stroke::new(1.0, frame.theme.text);
            painter.rect_stroke(rect.expand(2.0), CornerRadius::same(9), focus, StrokeKind::Inside);
        }
        let picture =
            Rect::from_min_size(rect.min, vec2(CARD_SIZE.x, PREVIEW_HEIGHT)).shrink2(vec2(4.0, 0.0));
        draw_preview(
            &painter,
            picture.translate(vec2(0.0, 4.0)),
            &crate::theme::from_config(entry.reading.theme),
        );
        let at = pos2(rect.min.x + 10.0, rect.max.y - 13.0);
        let room = rect.with_max_x(rect.max.x - 8.0);
        painter.with_clip_rect(room).text(
            at,
            Align2::LEFT_CENTER,
            name,
            FontId::proportional(13.0),
            frame.theme.text,
        );
    }
    card.on_hover_text(name).clicked()
}

/// Draws a bar in the colours of a theme, on the theme's background.
fn draw_preview(painter: &Painter, rect: Rect, theme: &PaintTheme) {
    let corner = |points: u8| CornerRadius::same(points.min(6));
    painter.rect_filled(rect, corner(theme.panel_corner), theme.panel.to_opaque());
    let [left, right] = [rect.min.x + 32.0, rect.max.x - 32.0];
    let seam = left + (right - left) * PREVIEW_SHARE;
    let bar =
        |from: f32, to: f32| Rect::from_x_y_ranges(from..=to, rect.center().y - 6.0..=rect.center().y + 6.0);
    let round = corner(theme.bar_corner);
    painter.rect_filled(
        bar(left, right).expand(2.0),
        corner(theme.bar_corner.saturating_add(2)),
        theme.tray,
    );
    for (part, corner, fill) in [
        (
            bar(left, seam),
            CornerRadius {
                ne: 0,
                se: 0,
                ..round
            },
            theme.black,
        ),
        (
            bar(seam, right),
            CornerRadius {
                nw: 0,
                sw: 0,
                ..round
            },
            theme.white,
        ),
    ] {
        painter.rect_filled(part, corner, fill);
    }
    painter.rect_filled(bar(seam - 2.5, seam + 2.5), CornerRadius::ZERO, theme.tray);
    painter.rect_filled(bar(seam - 1.0, seam + 1.0), CornerRadius::ZERO, theme.seam);
    for (at, align, text) in [
        (pos2(rect.min.x + 6.0, rect.center().y), Align2::LEFT_CENTER, "62"),
        (
            pos2(rect.max.x - 6.0, rect.center().y),
            Align2::RIGHT_CENTER,
            "38",
        ),
    ] {
        painter.text(at, align, text, TextWeight::Bold.at(15.0), theme.text);
    }
}
