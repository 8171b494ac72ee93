//! Copies a text for a button, and shows a mark beside the button for some time.

use eframe::egui;
use egui::{Color32, Id, RichText, Ui};
use shogibar_base::Lang;
use shogibar_model::pages_text::ObsWord;
use std::time::Duration;

/// The time for which the mark is shown after a copy, in seconds.
const MARK_SECONDS: f64 = 4.0;

/// Copies a text to the clipboard for the button of this name, and stores the time for [`show_mark`].
pub(crate) fn copy(ui: &Ui, button: &str, text: String) {
    ui.copy_text(text);
    let now = ui.input(|input| input.time);
    ui.data_mut(|data| data.insert_temp(copy_time_id(button), now));
}

/// Shows the mark for [`MARK_SECONDS`] after the button of this name has copied its text.
pub(crate) fn show_mark(ui: &mut Ui, button: &str, color: Color32, lang: Lang) {
    let Some(since) = ui.data(|data| data.get_temp::<f64>(copy_time_id(button))) else {
        return;
    };
    let remaining = since + MARK_SECONDS - ui.input(|input| input.time);
    if remaining > 0.0 {
        ui.label(RichText::new(ObsWord::Copied.text(lang)).color(color));
        ui.request_repaint_after(Duration::from_secs_f64(remaining));
    }
}

fn copy_time_id(button: &str) -> Id {
    Id::unique(("copied", button))
}
