//! The field for typing a move.

use super::keys::KeysInUse;
use super::notice::show_strip;
use super::{BoardInput, PaintTheme, StudyFrame};
use crate::access::{set_accessible_label, set_accessible_text};
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, Event, Id, Key, Rect, Response, TextEdit, Tooltip, Ui};
use shogibar_base::Lang;
use shogibar_games::bar::position_hash;
use shogibar_shogi::notation::{self, MoveReadError};
use shogibar_shogi::{History, Move, Position, Square, position_text};

/// The text field into which the user types a move.
#[derive(Debug, Default)]
pub(super) struct MoveEntry {
    text: String,
    /// The reason why the last input was not a move, and the hash of the position at that time; `None` without a
    /// problem.
    problem: Option<(MoveReadError, u64)>,
    /// Whether the board is asking if the typed move promotes.
    awaits_promotion: bool,
}

/// The result of reading the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TypedMove {
    /// A complete move.
    Move(Move),
    /// A move between two squares that may promote or not.
    Either(Square, Square),
}

fn field_id() -> Id {
    Id::unique("move to be typed")
}

impl MoveEntry {
    /// Returns which keys the page may use. While the field is empty, these are the keys that are not part of a move.
    pub(super) fn keys_in_use(&self, ctx: &Context) -> KeysInUse {
        let is_here = ctx.memory(|memory| memory.has_focus(field_id()));
        if is_here && self.text.is_empty() {
            KeysInUse::EmptyMoveEntry
        } else {
            KeysInUse::read(ctx)
        }
    }

    /// Focuses the field if a character that can begin a move is typed anywhere. `takes_letters` means that no letter
    /// is a shortcut.
    pub(super) fn focus_on_typing(&mut self, ui: &Ui, takes_letters: bool) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let is_first =
            |c: char| matches!(c, '1'..='9' | '１'..='９' | '同') || takes_letters && c.is_alphabetic();
        let typed = ui.input(|input| {
            input
                .events
                .iter()
                .any(|event| matches!(event, Event::Text(text) if text.starts_with(is_first)))
        });
        if typed {
            // The field is drawn later in this frame and receives the character itself.
            self.text.clear();
            self.problem = None;
            ui.memory_mut(|memory| memory.request_focus(field_id()));
        }
    }

    /// Draws the field with a width in points. `board` asks whether a move promotes. Returns a move that the user
    /// enters in the last position of `history`.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        theme: &PaintTheme,
        lang: Lang,
        history: &History,
        board: &mut BoardInput,
        width: f32,
    ) -> Option<Move> {
        let here = position_hash(history);
        // An error in another position is no longer relevant.
        if self.problem.take_if(|(_, at)| *at != here).is_some() {
            self.text.clear();
        }
        let hint = StudyPhrase::TypeMove.text(lang);
        let field = TextEdit::singleline(&mut self.text)
            .id(field_id())
            .hint_text(StudyPhrase::MoveHint.text(lang))
            .desired_width(width);
        let field = ui.add(field.text_color_opt(self.problem.as_ref().map(|_| theme.blunder)));
        set_accessible_label(&field, hint);
        if field.changed() {
            self.problem = None;
        }
        let field = if self.problem.is_none() {
            field.on_hover_text(hint)
        } else {
            field
        };
        // After the board's question is answered, the field gets the focus for the next move.
        if self.awaits_promotion && !board.is_busy() {
            self.awaits_promotion = false;
            field.request_focus();
        }
        if field.lost_focus() {
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                return self.enter_move(ui, history, board, &field);
            }
            self.text.clear();
            self.problem = None;
        }
        None
    }

    /// Shows why the input was not a move. The message is at the top of the rectangle if there is one, otherwise beside
    /// the field.
    pub(super) fn show_problem(&self, ui: &Ui, frame: &StudyFrame<'_>, now: &Position, over: Option<Rect>) {
        let Some((why, _)) = &self.problem else { return };
        let why = position_text::no_move(why, now, frame.lang);
        let label = |ui: &mut Ui| set_accessible_text(&ui.label(&why), &why);
        if let Some(over) = over {
            show_strip(ui, frame.theme, "refused move", frame.theme.blunder, over, label);
        } else if let Some(field) = ui.ctx().read_response(field_id()) {
            Tooltip::for_widget(&field).show(label);
        }
    }

    /// Reads the field, and returns the move. If the move may promote or not, asks on the board and returns `None`.
    /// Selects invalid input, so that the next input replaces it.
    fn enter_move(
        &mut self,
        ui: &Ui,
        history: &History,
        board: &mut BoardInput,
        field: &Response,
    ) -> Option<Move> {
        match read(&self.text, history) {
            Ok(typed) => {
                self.text.clear();
                match typed {
                    // The field gets the focus, so that the next move can be typed at once.
                    TypedMove::Move(mv) => {
                        field.request_focus();
                        return Some(mv);
                    }
                    TypedMove::Either(from, to) => {
                        board.open_promotion(from, to, history.now());
                        self.awaits_promotion = true;
                    }
                }
            }
            Err(_) if self.text.trim().is_empty() => self.text.clear(),
            Err(why) => {
                self.problem = Some((why, position_hash(history)));
                field.request_focus();
                let mut state = TextEditState::load(ui.ctx(), field.id).unwrap_or_default();
                let end = CCursor::new(self.text.chars().count());
                state
                    .cursor
                    .set_char_range(Some(CCursorRange::two(CCursor::default(), end)));
                state.store(ui.ctx(), field.id);
            }
        }
        None
    }
}

/// Reads a move in USI, in words or by its square numbers (7776). The destination is enough if only one piece can move
/// there.
fn read(text: &str, history: &History) -> Result<TypedMove, MoveReadError> {
    let (text, now) = (text.trim(), history.now());
    let checked = |mv| {
        now.check(mv)
            .map(|()| TypedMove::Move(mv))
            .map_err(|reason| MoveReadError::Illegal { mv, reason })
    };
    if let Some(mv) = Move::from_usi(text) {
        return checked(mv);
    }
    match parse_numbers(text) {
        Some((Some(from), to, true)) => {
            return checked(Move::Board {
                from,
                to,
                promote: true,
            });
        }
        Some((Some(from), to, false)) => match promotion_legality(from, to, now) {
            [true, true] => return Ok(TypedMove::Either(from, to)),
            [_, promote] => return checked(Move::Board { from, to, promote }),
        },
        Some((None, to, promote)) => {
            return only_move_to(to, promote, now, text).map(|mv| {
                if promote {
                    TypedMove::Move(mv)
                } else {
                    with_promotion_choice(mv, now)
                }
            });
        }
        None => {}
    }
    let mv = match notation::read_western(text, now) {
        Err(MoveReadError::Unreadable(_)) => notation::read(text, now, history.last_move().map(Move::to)),
        read => read,
    }?;
    // These characters state that the move does not promote. A move in KIF, which names the origin, is always complete.
    let is_explicit = text.contains(['不', '生', '=', '(', '（']);
    Ok(if is_explicit {
        TypedMove::Move(mv)
    } else {
        with_promotion_choice(mv, now)
    })
}

/// Returns whether a move between two squares is legal: without promotion, and with promotion.
fn promotion_legality(from: Square, to: Square, now: &Position) -> [bool; 2] {
    [false, true].map(|promote| now.is_legal(Move::Board { from, to, promote }))
}

/// Returns a move as it is, except for a move without promotion whose piece could promote: it becomes
/// [`TypedMove::Either`].
fn with_promotion_choice(mv: Move, now: &Position) -> TypedMove {
    match mv {
        Move::Board {
            from,
            to,
            promote: false,
        } if promotion_legality(from, to, now) == [true, true] => TypedMove::Either(from, to),
        mv => TypedMove::Move(mv),
    }
}

/// Parses square numbers: origin (if given), destination, and whether the move promotes. Examples: 7776, 2233+, 76.
fn parse_numbers(text: &str) -> Option<(Option<Square>, Square, bool)> {
    let (text, promotes) = text.strip_suffix('+').map_or((text, false), |text| (text, true));
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(10).and_then(|digit| u8::try_from(digit).ok()))
        .collect::<Option<_>>()?;
    match *digits.as_slice() {
        [file, rank] => Some((None, Square::new(file, rank)?, promotes)),
        [from_file, from_rank, file, rank] => Some((
            Some(Square::new(from_file, from_rank)?),
            Square::new(file, rank)?,
            promotes,
        )),
        _ => None,
    }
}

/// Returns the only move to a square. Moves on the board are preferred to drops. Where a move on the board is possible,
/// a drop is rarely meant.
fn only_move_to(to: Square, promotes: bool, now: &Position, text: &str) -> Result<Move, MoveReadError> {
    // A piece that must promote does so without a question.
    let has_to = |mv: &Move| match *mv {
        Move::Board {
            from,
            to,
            promote: true,
        } => !now.is_legal(Move::Board {
            from,
            to,
            promote: false,
        }),
        _ => false,
    };
    let (moves, drops): (Vec<_>, Vec<_>) = now
        .legal_moves()
        .into_iter()
        .filter(|mv| {
            mv.to() == to && (matches!(mv, Move::Board { promote: true, .. }) == promotes || has_to(mv))
        })
        .partition(|mv| mv.from().is_some());
    match (moves.as_slice(), drops.as_slice()) {
        ([only], _) | ([], [only]) => Ok(*only),
        ([], []) => Err(MoveReadError::Unreadable(text.to_owned())),
        ([], several) | (several, _) => Err(MoveReadError::Ambiguous(several.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::Lang;

    #[test]
    fn forced_promotion_is_not_asked() {
        let history = History::from_usi("sfen 4k4/2P6/9/9/9/9/9/9/4K4 b - 1").unwrap();
        for text in ["7271", "71", "7271+"] {
            assert_eq!(
                read(text, &history).ok(),
                Move::from_usi("7b7a+").map(TypedMove::Move),
                "{text}"
            );
        }
    }

    #[test]
    fn moves_are_read_in_all_notations() {
        let history = History::from_usi("startpos moves 7g7f 3c3d").unwrap();
        let check = |text, expect: Option<&str>| {
            assert_eq!(
                read(text, &history).ok(),
                expect.and_then(Move::from_usi).map(TypedMove::Move),
                "{text}"
            );
        };
        let asks = |text| {
            let squares = (Square::new(8, 8).unwrap(), Square::new(2, 2).unwrap());
            assert_eq!(
                read(text, &history),
                Ok(TypedMove::Either(squares.0, squares.1)),
                "{text}"
            );
        };
        for text in ["8822", "22", "22角", "２二角", "bx2b"] {
            asks(text);
        }
        for text in ["8h2b", "22角不成", "22角(88)", "bx2b="] {
            check(text, Some("8h2b"));
        }
        check("22角成", Some("8h2b+"));
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
        check("58", None);
        check("2728", None);
        check("260", None);
        check("P-2f", Some("2g2f"));
        check("bx2b+", Some("8h2b+"));
        check("G-5h", None);
        let why = |text| position_text::no_move(&read(text, &history).unwrap_err(), history.now(), Lang::Ja);
        assert_eq!(why("2725"), "2七の駒は2五に動けません。");
        assert_eq!(why("P-2e"), "2五へそのように動ける歩はありません。");
        assert_eq!(why("P*5e"), "持駒に歩がありません。");
        assert_eq!(
            why("58"),
            "どの手か決まりません（5八飛、5八金右、5八金左、5八玉）。"
        );
        assert_eq!(why("ほげ"), "指し手として読めません（例：76歩、7776、7g7f）。");
        let english =
            |text| position_text::no_move(&read(text, &history).unwrap_err(), history.now(), Lang::En);
        assert_eq!(
            english("2725"),
            "2g2e is illegal: the piece on 2g cannot reach 2e."
        );
        assert_eq!(english("G-5h"), "It could be G4i-5h or G6i-5h.");
    }
}
