//! What is said of the record and its file, over the foot of the page.

use super::{Sheet, StudyAction};
use crate::text::study::Phrase;
use crate::ui::access::name;
use eframe::egui;
use egui::{Align2, Area, Button, CornerRadius, Frame, Id, Margin, Order, RichText, Shadow, Stroke, Ui, vec2};

pub(super) fn show(ui: &Ui, sheet: &mut Sheet<'_>) {
    let Some(notice) = sheet.view.notice else { return };
    let theme = sheet.theme;
    let frame = Frame::NONE
        .fill(theme.card)
        .stroke(Stroke::new(1.0, if notice.failure { theme.accent } else { theme.separator }))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(14, 8))
        .shadow(Shadow { offset: [0, 4], blur: 18, spread: 0, color: theme.text.gamma_multiply(0.18) });
    let area = Area::new(Id::unique("study notice")).order(Order::Foreground);
    area.anchor(Align2::CENTER_BOTTOM, vec2(0.0, -22.0)).show(ui.ctx(), |ui| {
        ui.set_max_width((ui.ctx().content_rect().width() - 60.0).clamp(160.0, 760.0));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let color = if notice.failure { theme.accent } else { theme.text };
                let text = RichText::new(&notice.text).size(14.0).color(color);
                ui.scope(|ui| {
                    ui.set_max_width((ui.available_width() - 36.0).max(120.0));
                    ui.add(egui::Label::new(text).wrap());
                });
                let close = ui.add(Button::new("×").frame_when_inactive(false));
                name(&close, Phrase::Seen.text(sheet.lang));
                if close.clicked() {
                    sheet.act(StudyAction::Seen);
                }
            });
        });
    });
}
