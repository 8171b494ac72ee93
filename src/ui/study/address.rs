//! The dialog for the address of a game that is played elsewhere.

use super::StudyFrame;
use crate::access::name;
use crate::config::Command;
use crate::fonts::TextWeight;
use crate::live::{AddressError, LiveAddress};
use crate::text::command_text;
use crate::text::source::{SourcePhrase, address_error};
use crate::text::study::StudyPhrase;
use crate::text::visible::short;
use eframe::egui;
use egui::{Button, Key, Label, Modifiers, RichText, TextEdit, Ui};
use shogibar_model::action::AppAction;

/// The width of the dialog, in points.
const WIDTH: f32 = 460.0;
/// The most recent addresses that are listed.
const MOST_RECENT: usize = 6;

/// The dialog; `None` while it is closed.
#[derive(Debug, Default)]
pub(super) struct AddressDialog(Option<AddressForm>);

/// What is being entered. It may hold a password, so it has no `Debug` text.
#[derive(Default)]
struct AddressForm {
    text: String,
    error: Option<AddressError>,
    is_new: bool,
}

impl std::fmt::Debug for AddressForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AddressForm").field("error", &self.error).finish_non_exhaustive()
    }
}

impl AddressDialog {
    pub(super) fn open(&mut self) {
        self.0 = Some(AddressForm { is_new: true, ..AddressForm::default() });
    }

    pub(super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        let Some(form) = &mut self.0 else { return };
        let lang = frame.lang;
        let mut ends = ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
        let (mut is_open, mut is_done) = (true, false);
        let width = (ui.ctx().content_rect().width() - 60.0).clamp(120.0, WIDTH);
        let window = frame.dialog(command_text(Command::OpenAddress, lang));
        window.default_width(width).open(&mut is_open).show(ui.ctx(), |ui| {
            ui.set_max_width(width);
            is_done |= form.field(ui, frame, width);
            is_done |= form.recent(ui, frame);
            ui.add_space(6.0);
            let manners = RichText::new(SourcePhrase::Manners.text(lang)).size(12.5).color(frame.theme.quiet);
            ui.add(Label::new(manners).wrap());
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                let follow = RichText::new(SourcePhrase::Follow.text(lang)).font(TextWeight::Bold.at(14.0));
                is_done |= ui.button(follow).clicked();
                ends |= ui.button(StudyPhrase::Cancel.text(lang)).clicked();
            });
        });
        if is_done {
            match LiveAddress::parse(&form.text) {
                // The command line reads the standard input.
                Ok(LiveAddress::Stdin) => form.error = Some(AddressError::Empty),
                Ok(address) => {
                    frame.act(AppAction::OpenAddresses(vec![address]));
                    ends = true;
                }
                Err(error) => form.error = Some(error),
            }
        }
        if ends || !is_open {
            self.0 = None;
        }
    }
}

impl AddressForm {
    /// Draws the field, and below it what is wrong. Returns whether Enter was pressed.
    fn field(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>, width: f32) -> bool {
        let hint = SourcePhrase::Hint.text(frame.lang);
        let field = ui.add(TextEdit::singleline(&mut self.text).hint_text(hint).desired_width(width));
        name(&field, SourcePhrase::Address.text(frame.lang));
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
        }
        if field.changed() {
            self.error = None;
        }
        if let Some(error) = self.error {
            let why = RichText::new(address_error(error, frame.lang)).color(frame.theme.blunder);
            ui.add(Label::new(why).wrap());
        }
        field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter))
    }

    /// Draws the addresses that were entered before. Returns whether one was chosen.
    fn recent(&mut self, ui: &mut Ui, frame: &StudyFrame<'_>) -> bool {
        let recent = frame.view.recent.iter().filter_map(|path| path.to_str());
        let addresses: Vec<_> = recent.filter(|text| text.contains("://")).take(MOST_RECENT).collect();
        if addresses.is_empty() {
            return false;
        }
        ui.add_space(6.0);
        ui.label(RichText::new(SourcePhrase::Recent.text(frame.lang)).color(frame.theme.quiet));
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
