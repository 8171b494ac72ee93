//! The notes on the current move: its comment.

use super::{StudyFrame, StudyPage};
use crate::text::study::StudyPhrase;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{RichText, Ui};

impl StudyPage {
    /// Draws the comment.
    pub(super) fn notes(&mut self, ui: &mut Ui, frame: &mut StudyFrame<'_>) {
        ui.label(RichText::new(StudyPhrase::Comment.text(frame.lang)).font(TextWeight::Bold.at(14.0)));
        self.comment.show(ui, frame);
    }
}
