//! The path of a file, typed, where the system has no dialog for that.

use super::{StudyAction, StudyFrame};
use crate::text::study::{StudyCommand, StudyPhrase};
use crate::ui::access::name;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditOutput;
use egui::{Align, Button, Key, Layout, RichText, TextEdit, Ui};
use std::path::{Path, PathBuf};

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPurposeKind {
    /// A record to be opened.
    Open,
    /// A record to be written.
    Save,
    /// A report to be written.
    Report,
}

/// The field, and what it is for.
#[derive(Debug, Default)]
pub(super) struct PathField {
    wanted: Option<PathPurposeKind>,
    text: String,
    is_new: bool,
}

impl PathField {
    pub(super) fn open(&mut self, wanted: PathPurposeKind, offer: &Path) {
        // Where it goes is to be seen.
        let here = if offer.as_os_str().is_empty() { Path::new("./") } else { offer };
        let here = std::path::absolute(here).unwrap_or_else(|_| here.to_owned());
        *self = Self { wanted: Some(wanted), text: here.display().to_string(), is_new: true };
    }

    pub(super) const fn is_open(&self) -> bool {
        self.wanted.is_some()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut StudyFrame<'_>) {
        let (Some(wanted), lang) = (self.wanted, sheet.lang) else { return };
        let deed = match wanted {
            PathPurposeKind::Open => StudyCommand::Open,
            PathPurposeKind::Save => StudyCommand::SaveAs,
            PathPurposeKind::Report => StudyCommand::Report,
        };
        ui.label(RichText::new(deed.text(lang)).font(TextWeight::Bold.at(14.0)));
        let layout = Layout::right_to_left(Align::Center);
        let (is_cancelled, does, field) = ui
            .with_layout(layout, |ui| {
                let is_cancelled = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
                let done = Button::new(
                    if wanted == PathPurposeKind::Open { StudyCommand::Open } else { StudyCommand::Save }.text(lang),
                );
                let does = ui.add_enabled(!self.text.trim().is_empty(), done).clicked();
                let width = ui.available_width();
                (is_cancelled, does, TextEdit::singleline(&mut self.text).desired_width(width).show(ui))
            })
            .inner;
        let TextEditOutput { response: field, mut state, .. } = field;
        let field = field.response;
        name(&field, StudyPhrase::Path.text(lang));
        if std::mem::take(&mut self.is_new) {
            field.request_focus();
            // At the end: what was typed here before may have been shorter.
            let end = CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(CCursorRange::one(end)));
            state.store(ui.ctx(), field.id);
        }
        let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let is_left = ui.input(|input| input.key_pressed(Key::Escape));
        if (does || is_entered) && !self.text.trim().is_empty() {
            sheet.act(StudyAction::Name(wanted, PathBuf::from(self.text.trim())));
            self.wanted = None;
        }
        if is_cancelled || is_left {
            self.wanted = None;
        }
    }
}
