//! A move that is typed.

use super::{Sheet, StudyAction};
use crate::shogi::notation;
use crate::shogi::{History, Move};
use crate::text::study::Phrase;
use crate::ui::access::name;
use eframe::egui;
use egui::{Event, Id, Key, TextEdit, Ui};

/// The field for a move to be typed.
#[derive(Debug, Default)]
pub(super) struct Entry {
    text: String,
    /// Whether what was typed last is no move.
    is_wrong: bool,
}

/// The field is found again wherever it stands.
fn id() -> Id {
    Id::unique("move to be typed")
}

impl Entry {
    /// A digit that is typed anywhere begins a move.
    pub(super) fn begin(&mut self, ui: &Ui) {
        if ui.ctx().egui_wants_keyboard_input() {
            return;
        }
        let begins =
            |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || ('１'..='９').contains(&c) || c == '同');
        let typed = ui.input(|input| {
            let text = |event: &Event| if let Event::Text(text) = event { Some(text.clone()) } else { None };
            input.events.iter().find_map(text).filter(|text| begins(text))
        });
        if let Some(typed) = typed {
            self.text = typed;
            self.is_wrong = false;
            ui.memory_mut(|memory| memory.request_focus(id()));
            // Behind what was typed, not before it.
            let mut state = egui::text_edit::TextEditState::load(ui.ctx(), id()).unwrap_or_default();
            let end = egui::text::CCursor::new(self.text.chars().count());
            state.cursor.set_char_range(Some(egui::text::CCursorRange::one(end)));
            state.store(ui.ctx(), id());
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>) {
        let hint = Phrase::TypeMove.text(sheet.lang);
        let field = TextEdit::singleline(&mut self.text).id(id()).hint_text("76歩").desired_width(72.0);
        let field = field.text_color_opt(self.is_wrong.then_some(sheet.theme.accent));
        let field = ui.add(field).on_hover_text(hint);
        name(&field, hint);
        if field.changed() {
            self.is_wrong = false;
        }
        if !field.lost_focus() {
            return;
        }
        if !ui.input(|input| input.key_pressed(Key::Enter)) {
            self.text.clear();
            return;
        }
        match read(&self.text, sheet.view.history) {
            Some(mv) => {
                sheet.act(StudyAction::Play(mv));
                self.text.clear();
                // The next one may follow at once.
                field.request_focus();
            }
            None if self.text.is_empty() => {}
            None => {
                self.is_wrong = true;
                field.request_focus();
            }
        }
    }
}

/// The move that is meant, in USI or in words.
fn read(text: &str, history: &History) -> Option<Move> {
    let (text, now) = (text.trim(), history.now());
    let usi = Move::from_usi(text).filter(|mv| now.is_legal(*mv));
    usi.or_else(|| notation::read(text, now, history.last_move().map(Move::to)).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_typed() {
        let history = History::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let check =
            |text, expect: Option<&str>| assert_eq!(read(text, &history), expect.and_then(Move::from_usi), "{text}");
        check("2g2f", Some("2g2f"));
        check(" 26歩", Some("2g2f"));
        check("２六歩 ", Some("2g2f"));
        check("22角成", Some("8h2b+"));
        check("2六飛", None);
        check("", None);
        check("9i9i", None);
    }
}
