//! The form for the address of a game that is played elsewhere.

use crate::PaintTheme;
use crate::access::name;
use crate::dialog::DialogEnd;
use crate::fonts::TextWeight;
use crate::live::{AddressError, LiveAddress};
use crate::text::Lang;
use crate::text::source::{SourcePhrase, address_error};
use crate::text::study::StudyPhrase;
use crate::text::visible::short;
use eframe::egui;
use egui::{Button, Key, Label, RichText, TextEdit, Ui};
use std::path::PathBuf;

/// The width of the dialog, in points.
const WIDTH: f32 = 460.0;
/// The maximum number of recent addresses that are listed.
const MAX_RECENT: usize = 6;

/// The form with the entered text. It may contain a password, so it has no `Debug` text.
#[derive(Default)]
pub struct AddressForm {
    text: String,
    error: Option<AddressError>,
    is_new: bool,
}

impl std::fmt::Debug for AddressForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddressForm").field("error", &self.error).finish_non_exhaustive()
    }
}

impl AddressForm {
    /// Creates an empty form.
    pub fn new() -> Self {
        Self { is_new: true, ..Self::default() }
    }

    /// Draws the form within a width. `recent` has the addresses and files that were opened last.
    pub fn show(&mut self, ui: &mut Ui, recent: &[PathBuf], theme: &PaintTheme, lang: Lang) -> DialogEnd<LiveAddress> {
        let width = ui.available_width().min(WIDTH);
        ui.set_max_width(width);
        let mut is_done = self.field(ui, theme, lang, width);
        is_done |= self.recent(ui, recent, theme, lang);
        ui.add_space(6.0);
        let manners = RichText::new(SourcePhrase::Manners.text(lang)).size(12.5).color(theme.quiet);
        ui.add(Label::new(manners).wrap());
        ui.add_space(8.0);
        let mut ends = false;
        ui.horizontal(|ui| {
            let follow = RichText::new(SourcePhrase::Follow.text(lang)).font(TextWeight::Bold.at(14.0));
            is_done |= ui.button(follow).clicked();
            ends |= ui.button(StudyPhrase::Cancel.text(lang)).clicked();
        });
        if is_done {
            match LiveAddress::parse(&self.text) {
                // The command line reads the standard input.
                Ok(LiveAddress::Stdin) => self.error = Some(AddressError::Empty),
                Ok(address) => return DialogEnd::Done(address),
                Err(error) => self.error = Some(error),
            }
        }
        if ends { DialogEnd::Closed } else { DialogEnd::Stays }
    }
    /// Draws the field, and below it the error. Returns whether Enter was pressed.
    fn field(&mut self, ui: &mut Ui, theme: &PaintTheme, lang: Lang, width: f32) -> bool {
        let hint = SourcePhrase::Hint.text(lang);
        let field = ui.add(TextEdit::singleline(&mut self.text).hint_text(hint).desired_width(width));
        name(&field, SourcePhrase::Address.text(lang));
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
    fn recent(&mut self, ui: &mut Ui, recent: &[PathBuf], theme: &PaintTheme, lang: Lang) -> bool {
        let recent = recent.iter().filter_map(|path| path.to_str());
        let addresses: Vec<_> = recent.filter(|text| text.contains("://")).take(MAX_RECENT).collect();
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
