//! The form for the address of a game that is played elsewhere.

use crate::PaintTheme;
use crate::access::set_accessible_label;
use crate::dialog::DialogStatus;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{Button, Key, Label, RichText, TextEdit, Ui};
use shogibar_base::Lang;
use shogibar_base::visible::short;
use shogibar_live::source_text::{SourcePhrase, address_error};
use shogibar_live::{AddressError, LiveAddress};
use std::path::PathBuf;

/// The width of the dialog, in points.
const DIALOG_WIDTH: f32 = 460.0;
/// The maximum number of recent addresses that are listed.
const MAX_RECENT_ADDRESSES: usize = 6;

/// The form with the entered text. `Debug` does not show the text, because it may contain a password.
#[derive(Default)]
pub struct AddressForm {
    text: String,
    error: Option<AddressError>,
    /// Whether the form has not been drawn yet. The field gets the focus when it is drawn first.
    is_new: bool,
}

impl std::fmt::Debug for AddressForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddressForm")
            .field("error", &self.error)
            .finish_non_exhaustive()
    }
}

impl AddressForm {
    /// Creates an empty form.
    pub fn new() -> Self {
        Self {
            is_new: true,
            ..Self::default()
        }
    }

    /// Draws the form within a width. `recent` has the addresses and files that were opened last.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        recent: &[PathBuf],
        theme: &PaintTheme,
        lang: Lang,
    ) -> DialogStatus<LiveAddress> {
        let width = ui.available_width().min(DIALOG_WIDTH);
        ui.set_max_width(width);
        let mut is_entered = self.show_field(ui, theme, lang, width);
        is_entered |= self.show_recent(ui, recent, theme, lang);
        ui.add_space(6.0);
        let manners = RichText::new(SourcePhrase::Manners.text(lang))
            .size(12.5)
            .color(theme.quiet);
        ui.add(Label::new(manners).wrap());
        ui.add_space(8.0);
        let mut is_cancelled = false;
        ui.horizontal(|ui| {
            let follow = RichText::new(SourcePhrase::Follow.text(lang)).font(TextWeight::Bold.at(14.0));
            is_entered |= ui.button(follow).clicked();
            is_cancelled |= ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        });
        if is_entered {
            match LiveAddress::parse(&self.text) {
                // Only the command line can read the standard input.
                Ok(LiveAddress::Stdin) => self.error = Some(AddressError::Empty),
                Ok(address) => return DialogStatus::Done(address),
                Err(error) => self.error = Some(error),
            }
        }
        if is_cancelled {
            DialogStatus::Closed
        } else {
            DialogStatus::Open
        }
    }

    /// Draws the field, and below it the error. Returns whether Enter was pressed.
    fn show_field(&mut self, ui: &mut Ui, theme: &PaintTheme, lang: Lang, width: f32) -> bool {
        let hint = SourcePhrase::Hint.text(lang);
        let field = ui.add(
            TextEdit::singleline(&mut self.text)
                .hint_text(hint)
                .desired_width(width),
        );
        set_accessible_label(&field, SourcePhrase::Address.text(lang));
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        if field.changed() {
            self.error = None;
        }
        if let Some(error) = self.error {
            let why = RichText::new(address_error(error, lang)).color(theme.blunder);
            ui.add(Label::new(why).wrap());
        }
        field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
    }

    /// Draws the addresses that were entered before. Returns whether one was chosen.
    fn show_recent(&mut self, ui: &mut Ui, recent: &[PathBuf], theme: &PaintTheme, lang: Lang) -> bool {
        let recent = recent.iter().filter_map(|path| path.to_str());
        let addresses: Vec<_> = recent
            .filter(|text| text.contains("://"))
            .take(MAX_RECENT_ADDRESSES)
            .collect();
        if addresses.is_empty() {
            return false;
        }
        ui.add_space(6.0);
        ui.label(RichText::new(SourcePhrase::Recent.text(lang)).color(theme.quiet));
        let mut is_chosen = false;
        for address in addresses {
            let entry = Button::new(short(address)).truncate().frame_when_inactive(false);
            if ui.add(entry).clicked() {
                address.clone_into(&mut self.text);
                is_chosen = true;
            }
        }
        is_chosen
    }
}
