//! The notice about the record and its file, above the content of the page.

use super::StudyFrame;
use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::study_text::StudyPhrase;
use crate::theme::shadow;
use eframe::egui;
use egui::{
    Align2, Area, Button, Color32, CornerRadius, Frame, Id, Margin, Order, Rect, RichText, Stroke, Ui, vec2,
};
use shogibar_games::bar::BarNotice;
use shogibar_model::action::AppAction;
use std::time::Duration;

/// The duration of a transient notice, in seconds. It is the same as on the bar.
const TRANSIENT_SECONDS: f64 = 6.0;

/// The shown text, and the time when it appeared, in seconds of the window's clock.
#[derive(Debug, Default)]
pub(super) struct TransientNotice(Option<(String, f64)>);

impl TransientNotice {
    /// Shows the notice at the top of a rectangle. Dismisses a transient notice when its time is over.
    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>, over: Rect) {
        let Some(notice) = frame.view.notice else {
            self.0 = None;
            return;
        };
        let now = ui.input(|input| input.time);
        if self.0.as_ref().is_none_or(|(text, _)| *text != notice.text) {
            self.0 = Some((notice.text.clone(), now));
        }
        let since = self.0.as_ref().map_or(now, |(_, since)| *since);
        if notice.is_transient {
            let left = since + TRANSIENT_SECONDS - now;
            if left <= 0.0 {
                frame.act(AppAction::DismissTransient);
                return;
            }
            ui.ctx().request_repaint_after(Duration::from_secs_f64(left));
        }
        show_notice(ui, frame, notice, over);
    }
}

fn show_notice(ui: &Ui, frame: &mut StudyFrame<'_>, notice: &BarNotice, over: Rect) {
    let theme = frame.theme;
    let (border, color) = if notice.is_failure {
        (theme.blunder, theme.blunder)
    } else {
        (theme.separator, theme.text)
    };
    show_strip(ui, theme, "study notice", border, over, |ui| {
        let text = RichText::new(&notice.text).size(14.0).color(color);
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - 36.0).max(120.0));
            ui.add(egui::Label::new(text).wrap());
        });
        let close = ui.add(Button::new("×").frame_when_inactive(false));
        set_accessible_label(&close, StudyPhrase::Dismiss.text(frame.lang));
        if close.clicked() {
            frame.act(AppAction::DismissUnreadable);
        }
    });
}

/// Draws a strip at the top of a rectangle, with content in a wrapping row. Returns the rectangle of the strip.
/// `border` is the colour of the border.
pub(super) fn show_strip(
    ui: &Ui,
    theme: &PaintTheme,
    id: &str,
    border: Color32,
    over: Rect,
    show: impl FnOnce(&mut Ui),
) -> Rect {
    let frame = Frame::NONE
        .fill(theme.card)
        .stroke(Stroke::new(1.0, border))
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(14, 8))
        .shadow(shadow(theme));
    let area = Area::new(Id::unique(id)).order(Order::Foreground);
    let area = area
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(over.center_top() + vec2(0.0, 6.0));
    let shown = area.show(ui.ctx(), |ui| {
        ui.set_max_width((over.width() - 60.0).clamp(160.0, 760.0));
        frame.show(ui, |ui| ui.horizontal_wrapped(show));
    });
    // The strip is centred with the width of its previous frame.
    let (rect, salt) = (shown.response.rect, Id::unique((id, "width")));
    let before: f32 = ui.data(|data| data.get_temp(salt)).unwrap_or_default();
    if (before - rect.width()).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(salt, rect.width()));
        ui.ctx().request_discard("a strip in the middle");
    }
    rect
}
