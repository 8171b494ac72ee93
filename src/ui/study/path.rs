//! The field for a file path, if the system has no file dialog.

use super::{StudyAction, StudyFrame};
use crate::access::set_accessible_label;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditOutput;
use egui::{Button, Color32, Key, RichText, TextEdit, TextStyle, Ui};
use shogibar_config::{Command, command_text};
use std::path::{Path, PathBuf};

/// The margin inside the field, in points.
const FIELD_MARGIN: f32 = 12.0;

/// The purpose of a requested file path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPurposeKind {
    /// Opening a record.
    Open,
    /// Writing a record.
    Save,
    /// Writing a report.
    Report,
    /// Writing a picture.
    Picture,
    /// Writing a video.
    Video,
}

#[derive(Debug, Default)]
pub(super) struct PathField {
    /// The purpose of the path; `None` while the field is closed.
    purpose: Option<PathPurposeKind>,
    text: String,
    /// Whether the field was opened since the last frame.
    is_new: bool,
}

impl PathField {
    pub(super) fn open(&mut self, purpose: PathPurposeKind, offer: &Path) {
        // An absolute path shows in which folder the file will be.
        let path = if offer.as_os_str().is_empty() {
            Path::new("./")
        } else {
            offer
        };
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        *self = Self {
            purpose: Some(purpose),
            text: path.display().to_string(),
            is_new: true,
        };
    }

    pub(super) const fn is_open(&self) -> bool {
        self.purpose.is_some()
    }

    /// Closes the field when another record is shown. A field that was opened since the last frame stays open, because
    /// it is for the new record.
    pub(super) fn leave_record(&mut self) {
        if !self.is_new {
            *self = Self::default();
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        let (Some(purpose), lang) = (self.purpose, frame.lang) else {
            return;
        };
        let command = match purpose {
            PathPurposeKind::Open => Command::Open,
            PathPurposeKind::Save => Command::SaveAs,
            PathPurposeKind::Report => Command::Report,
            PathPurposeKind::Picture => Command::SavePicture,
            PathPurposeKind::Video => Command::SaveVideo,
        };
        ui.label(RichText::new(command_text(command, lang)).font(TextWeight::Bold.at(14.0)));
        let command = if purpose == PathPurposeKind::Open {
            Command::Open
        } else {
            Command::Save
        };
        let [done, cancel] = [command_text(command, lang), StudyPhrase::Cancel.text(lang)];
        // The field takes the width that the buttons leave. It comes first, so that Tab leads from it to the buttons.
        let width = ui.available_width()
            - [done, cancel]
                .map(|text| button_width(ui, text))
                .iter()
                .sum::<f32>();
        let field = TextEdit::singleline(&mut self.text)
            .desired_width((width - FIELD_MARGIN).max(0.0))
            .show(ui);
        let TextEditOutput {
            response: field,
            mut state,
            ..
        } = field;
        let field = field.response;
        set_accessible_label(&field, StudyPhrase::Path.text(lang));
        let does = ui
            .add_enabled(!self.text.trim().is_empty(), Button::new(done))
            .clicked();
        let is_cancelled = ui.button(cancel).clicked();
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
            // The cursor goes to the end: the previous text of the field may have been shorter.
            let end = CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(CCursorRange::one(end)));
            state.store(ui.ctx(), field.id);
        }
        let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let is_left = ui.input(|input| input.key_pressed(Key::Escape));
        if (does || is_entered) && !self.text.trim().is_empty() {
            frame.act(StudyAction::PathChosen(purpose, PathBuf::from(self.text.trim())));
            self.purpose = None;
        }
        if is_cancelled || is_left {
            self.purpose = None;
        }
    }
}

fn button_width(ui: &Ui, text: &str) -> f32 {
    let (font, spacing) = (TextStyle::Button.resolve(ui.style()), ui.spacing());
    let text = ui
        .painter()
        .layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER)
        .size()
        .x;
    text + 2.0 * spacing.button_padding.x + spacing.item_spacing.x
}
