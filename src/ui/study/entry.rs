//! A move that is typed.

use super::{Sheet, StudyAction};
use crate::kifu::NodeId;
use crate::shogi::notation::{self, ReadError};
use crate::shogi::{History, Move, Position, Square};
use crate::text::record;
use crate::text::study::Phrase;
use crate::ui::access::{name, text};
use eframe::egui;
use egui::{Event, Id, Key, TextEdit, Tooltip, Ui};

/// The field for a move to be typed.
#[derive(Debug, Default)]
pub(super) struct Entry {
    text: String,
    /// Why what was typed last is no move, and where it was to be played.
    wrong: Option<(ReadError, NodeId)>,
}

/// The field is found again wherever it stands.
fn id() -> Id {
    Id::unique("move to be typed")
}

impl Entry {
    /// A digit that is typed anywhere begins a move.
    pub(super) fn begin(&mut self, ui: &Ui) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let begins =
            |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || ('１'..='９').contains(&c) || c == '同');
        let typed =
            ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Text(text) if begins(text))));
        if typed {
            // The field, which is shown later in this frame, takes the letter itself.
            self.text.clear();
            self.wrong = None;
            ui.memory_mut(|memory| memory.request_focus(id()));
        }
    }

    pub(super) fn show(&mut self, ui: &mut Ui, sheet: &mut Sheet<'_>) {
        let (lang, here) = (sheet.lang, sheet.view.document.here());
        // What was no move there is no matter here.
        if self.wrong.take_if(|(_, at)| *at != here).is_some() {
            self.text.clear();
        }
        let hint = Phrase::TypeMove.text(lang);
        let field =
            TextEdit::singleline(&mut self.text).id(id()).hint_text(lang.pick("76歩", "P-7f")).desired_width(72.0);
        let field = ui.add(field.text_color_opt(self.wrong.as_ref().map(|_| sheet.theme.accent)));
        name(&field, hint);
        if field.changed() {
            self.wrong = None;
        }
        let field = match &self.wrong {
            None => field.on_hover_text(hint),
            Some((why, _)) => {
                let why = record::no_move(why, lang);
                Tooltip::for_widget(&field).show(|ui| text(&ui.label(&why), &why));
                field
            }
        };
        if !field.lost_focus() {
            return;
        }
        if !ui.input(|input| input.key_pressed(Key::Enter)) {
            self.text.clear();
            self.wrong = None;
            return;
        }
        match read(&self.text, sheet.view.history) {
            Ok(mv) => {
                sheet.act(StudyAction::Play(mv));
                self.text.clear();
                // The next one may follow at once.
                field.request_focus();
            }
            Err(_) if self.text.trim().is_empty() => {}
            Err(why) => {
                self.wrong = Some((why, here));
                field.request_focus();
            }
        }
    }
}

/// The move that is meant: in USI, in words, by the numbers of its squares (7776), or by where it goes, if only one
/// piece goes there.
fn read(text: &str, history: &History) -> Result<Move, ReadError> {
    let (text, now) = (text.trim(), history.now());
    if let Some(mv) = Move::from_usi(text) {
        return now.check(mv).map(|()| mv).map_err(|reason| ReadError::Illegal { mv, reason });
    }
    match (notation::read_western(text, now).as_slice(), by_numbers(text, now)) {
        ([only], _) => Ok(*only),
        ([], Some(mv)) => Ok(mv),
        ([], None) => notation::read(text, now, history.last_move().map(Move::to)),
        (several, _) => Err(ReadError::Ambiguous(several.to_vec())),
    }
}

fn by_numbers(text: &str, now: &Position) -> Option<Move> {
    let (text, promotes) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
    let digits: Vec<u8> =
        text.chars().map(|c| c.to_digit(10).and_then(|digit| u8::try_from(digit).ok())).collect::<Option<_>>()?;
    let (from, to) = match *digits.as_slice() {
        [file, rank] => (None, Square::new(file, rank)?),
        [from_file, from_rank, file, rank] => (Some(Square::new(from_file, from_rank)?), Square::new(file, rank)?),
        _ => return None,
    };
    let is_meant = |mv: &Move| {
        let is_promotion = matches!(mv, Move::Board { promote: true, .. });
        mv.to() == to && from.is_none_or(|from| mv.from() == Some(from)) && is_promotion == promotes
    };
    let moves = now.legal_moves();
    let mut meant = moves.iter().copied().filter(is_meant);
    let first = meant.next()?;
    // A drop is seldom meant where a piece on the board can go as well.
    let others: Vec<_> = std::iter::once(first).chain(meant).filter(|mv| mv.from().is_some()).collect();
    match *others.as_slice() {
        [only] => Some(only),
        [] => Some(first).filter(|_| moves.iter().filter(|mv| is_meant(mv)).count() == 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_typed() {
        let history = History::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let check = |text, expect: Option<&str>| {
            assert_eq!(read(text, &history).ok(), expect.and_then(Move::from_usi), "{text}");
        };
        check("2g2f", Some("2g2f"));
        check(" 26歩", Some("2g2f"));
        check("２六歩 ", Some("2g2f"));
        check("22角成", Some("8h2b+"));
        check("2六飛", None);
        check("", None);
        check("9i9i", None);
        check("2726", Some("2g2f"));
        check("26", Some("2g2f"));
        check("8822+", Some("8h2b+"));
        check("8822", Some("8h2b"));
        check("58", None);
        check("2728", None);
        check("260", None);
        check("P-2f", Some("2g2f"));
        check("bx2b+", Some("8h2b+"));
        check("G-5h", None);
    }
}
