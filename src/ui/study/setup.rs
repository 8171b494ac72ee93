//! A position that is put together on the board.

use super::{StudyAction, StudyFrame};
use crate::kifu;
use crate::shogi::{Position, Setup};
use crate::text::board::unsearchable;
use crate::text::study::{StudyCommand, StudyPhrase, handicap};
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{RichText, Ui};

/// The row of tools while a position is put together.
pub(super) fn tools(ui: &mut Ui, sheet: &mut StudyFrame<'_>, position: &mut Option<Position>) {
    let Some(now) = position else { return };
    let lang = sheet.lang;
    ui.label(RichText::new(StudyCommand::SetUp.text(lang)).font(TextWeight::Bold.at(14.0)));
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
        *now = Setup::from_position(now).build(now.side_to_move().flip(), now.move_number().max(1));
    }
    let troubles = now.problems();
    let is_done = ui.button(RichText::new(StudyPhrase::Done.text(lang)).font(TextWeight::Bold.at(14.0))).clicked();
    let is_left = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
    if let Some(first) = troubles.first() {
        // Problems have one king only, and may be set up all the same: an engine is not shown them.
        ui.label(RichText::new(unsearchable(*first, lang)).color(sheet.theme.accent));
    }
    if is_done {
        sheet.act(StudyAction::Start(Box::new(now.clone())));
    }
    // What is done stays until it is on view: what was there before may have to be saved first.
    if is_left {
        *position = None;
    }
}
