//! The toolbar while a position is set up on the board.

use super::StudyFrame;
use crate::config::Command;
use crate::fonts::TextWeight;
use crate::kifu;
use crate::shogi::{Position, Setup};
use crate::text::command_text;
use crate::text::position::unsearchable;
use crate::text::study::{StudyPhrase, handicap};
use eframe::egui;
use egui::{RichText, Ui};
use shogibar_model::action::AppAction;

/// Draws the toolbar while a position is set up.
pub(super) fn tools(ui: &mut Ui, frame: &mut StudyFrame<'_>, position: &mut Option<Position>) {
    let Some(now) = position else { return };
    let lang = frame.lang;
    ui.label(RichText::new(command_text(Command::SetUp, lang)).font(TextWeight::Bold.at(14.0)));
    ui.menu_button(StudyPhrase::Handicap.text(lang), |ui| {
        for name in kifu::handicaps() {
            if ui.button(handicap(name, lang)).clicked() {
                *now = kifu::handicap(name).unwrap_or_else(Position::startpos);
                ui.close();
            }
        }
    });
    if ui.button(StudyPhrase::Clear.text(lang)).clicked() {
        *now = Setup::empty().build(now.side_to_move(), 1);
    }
    if ui.button(StudyPhrase::PassTurn.text(lang)).clicked() {
        *now = now.with_side_to_move(now.side_to_move().flip());
    }
    let problems = now.problems();
    let is_done = ui.button(RichText::new(StudyPhrase::Done.text(lang)).font(TextWeight::Bold.at(14.0))).clicked();
    let is_left = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
    if let Some(first) = problems.first() {
        // Mate problems with one king are allowed: they are only not given to an engine.
        ui.label(RichText::new(unsearchable(*first, lang)).color(frame.theme.blunder));
    }
    if is_done {
        frame.act(AppAction::StartGame(Box::new(now.clone())));
    }
    // After `Done` the setup stays until it is the current record: unsaved changes may have to be saved first.
    if is_left {
        *position = None;
    }
}
