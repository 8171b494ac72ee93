//! A position that is put together on the board.

use super::{Sheet, StudyAction};
use crate::kifu;
use crate::shogi::{Position, Setup};
use crate::text::board::trouble;
use crate::text::study::{Deed, Phrase, handicap};
use crate::ui::fonts::Weight;
use eframe::egui;
use egui::{RichText, Ui};

/// The row of tools while a position is put together.
pub(super) fn tools(ui: &mut Ui, sheet: &mut Sheet<'_>, position: &mut Option<Position>) {
    let Some(now) = position else { return };
    let lang = sheet.lang;
    ui.label(RichText::new(Deed::SetUp.text(lang)).font(Weight::Bold.at(14.0)));
    ui.menu_button(Phrase::Handicap.text(lang), |ui| {
        for name in kifu::handicaps() {
            if ui.button(handicap(name, lang)).clicked() {
                *now = kifu::handicap(name).unwrap_or_else(Position::startpos);
                ui.close();
            }
        }
    });
    if ui.button(Phrase::Clear.text(lang)).clicked() {
        *now = Setup::empty().build(now.side_to_move(), 1);
    }
    if ui.button(Phrase::PassTurn.text(lang)).clicked() {
        *now = Setup::of(now).build(now.side_to_move().flip(), now.move_number().max(1));
    }
    let troubles = now.troubles();
    let is_done = ui.button(RichText::new(Phrase::Done.text(lang)).font(Weight::Bold.at(14.0))).clicked();
    let is_left = ui.button(Phrase::Cancel.text(lang)).clicked();
    if let Some(first) = troubles.first() {
        // Problems have one king only, and may be set up all the same: an engine is not shown them.
        ui.label(RichText::new(trouble(*first, lang)).color(sheet.theme.accent));
    }
    if is_done {
        sheet.act(StudyAction::Start(Box::new(now.clone())));
    }
    // What is done stays until it is on view: what was there before may have to be saved first.
    if is_left {
        *position = None;
    }
}
