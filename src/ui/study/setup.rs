//! The position that is set up on the board, with its toolbar.

use super::StudyFrame;
use crate::fonts::TextWeight;
use crate::study_text::{SetupPhrase, StudyPhrase};
use eframe::egui;
use egui::{Event, Key, Label, Modifiers, RichText, Ui};
use shogibar_config::{Command, command_text};
use shogibar_games::phrase::handicap;
use shogibar_model::action::AppAction;
use shogibar_shogi::position_text::unsearchable;
use shogibar_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// A position being set up, with the changes that can be undone and redone.
#[derive(Debug)]
pub(super) struct SetupEditor {
    position: Position,
    undo_positions: Vec<Position>,
    redo_positions: Vec<Position>,
}

impl SetupEditor {
    pub(super) fn new(position: Position) -> Self {
        Self {
            position,
            undo_positions: Vec::new(),
            redo_positions: Vec::new(),
        }
    }

    /// Returns the position being set up.
    pub(super) const fn position(&self) -> &Position {
        &self.position
    }

    /// Changes the position, if the new position differs.
    pub(super) fn set(&mut self, position: Position) {
        if self.position != position {
            self.undo_positions
                .push(std::mem::replace(&mut self.position, position));
            self.redo_positions.clear();
        }
    }

    fn undo(&mut self) {
        if let Some(before) = self.undo_positions.pop() {
            self.redo_positions
                .push(std::mem::replace(&mut self.position, before));
        }
    }

    fn redo(&mut self) {
        if let Some(after) = self.redo_positions.pop() {
            self.undo_positions
                .push(std::mem::replace(&mut self.position, after));
        }
    }

    /// Returns whether Escape ends the setup. Escape does not end a setup with changes.
    pub(super) fn is_ended_by_escape(&self, ui: &Ui) -> bool {
        self.undo_positions.is_empty()
            && self.redo_positions.is_empty()
            && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape))
    }

    /// Applies the keys that undo and redo, and a pasted position. Returns whether a pasted text is not a position.
    pub(super) fn handle_keys(&mut self, ui: &Ui) -> bool {
        let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
        if pressed(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z) || pressed(Modifiers::COMMAND, Key::Y) {
            self.redo();
        } else if pressed(Modifiers::COMMAND, Key::Z) {
            self.undo();
        }
        let mut pasted = None;
        ui.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Paste(text) => {
                    pasted = Some(text.clone());
                    false
                }
                _ => true,
            });
        });
        let Some(text) = pasted else { return false };
        let position = read_position(&text);
        let is_wrong = position.is_none();
        if let Some(position) = position {
            self.set(position);
        }
        is_wrong
    }
}

/// Reads the last position of a pasted record or position.
fn read_position(text: &str) -> Option<Position> {
    let (record, _warnings) = shogibar_kifu::read(text.as_bytes()).ok()?.into_first()?;
    let last = record.main_line().last();
    let history = last.map_or_else(|| record.history(0), |last| record.history_at(last));
    Some(history.now().without_history())
}

/// Returns the position seen from the other side: the board is rotated, and the pieces and the turn change sides.
fn swap_sides(position: &Position) -> Position {
    let mut setup = Setup::empty();
    for (square, Piece { color, kind }) in pieces(position) {
        if let Some(square) = Square::new(10 - square.file(), 10 - square.rank()) {
            setup.put(
                square,
                Some(Piece {
                    color: color.flip(),
                    kind,
                }),
            );
        }
    }
    copy_hands(position, &mut setup, Color::flip);
    setup.build(position.side_to_move().flip(), position.move_number())
}

/// Returns the position with left and right exchanged.
fn mirror(position: &Position) -> Position {
    let mut setup = Setup::empty();
    for (square, piece) in pieces(position) {
        if let Some(square) = Square::new(10 - square.file(), square.rank()) {
            setup.put(square, Some(piece));
        }
    }
    copy_hands(position, &mut setup, |color| color);
    setup.build(position.side_to_move(), position.move_number())
}

/// Returns the position with all unused pieces in White's hand, as mating problems have it.
fn rest_to_white(position: &Position) -> Position {
    let mut setup = Setup::from_position(position);
    setup.add_remaining_to_hand(Color::White);
    setup.build(position.side_to_move(), position.move_number())
}

fn pieces(position: &Position) -> impl Iterator<Item = (Square, Piece)> + '_ {
    Square::all().filter_map(|square| Some((square, position.piece_on(square)?)))
}

/// Adds the hands of a position to a setup. `to` returns the side that gets the hand of a side.
fn copy_hands(position: &Position, setup: &mut Setup, to: fn(Color) -> Color) {
    for color in [Color::Black, Color::White] {
        for kind in PieceKind::IN_HAND {
            // The hand of a position never holds more pieces than a set has.
            let _held = setup.add_to_hand(to(color), kind, position.hand(color).count(kind));
        }
    }
}

/// Draws the toolbar while a position is set up.
pub(super) fn show_tools(ui: &mut Ui, frame: &mut StudyFrame<'_>, editor: &mut Option<SetupEditor>) {
    let Some(setup) = editor else { return };
    let lang = frame.lang;
    ui.label(RichText::new(command_text(Command::SetUp, lang)).font(TextWeight::Bold.at(14.0)));
    for (phrase, is_possible, step) in [
        (
            SetupPhrase::Undo,
            !setup.undo_positions.is_empty(),
            SetupEditor::undo as fn(&mut SetupEditor),
        ),
        (
            SetupPhrase::Redo,
            !setup.redo_positions.is_empty(),
            SetupEditor::redo,
        ),
    ] {
        if ui
            .add_enabled(is_possible, egui::Button::new(phrase.text(lang)))
            .clicked()
        {
            step(setup);
        }
    }
    ui.menu_button(StudyPhrase::Handicap.text(lang), |ui| {
        for name in shogibar_kifu::handicaps() {
            if ui.button(handicap(name, lang)).clicked() {
                setup.set(shogibar_kifu::handicap(name).unwrap_or_else(Position::startpos));
                ui.close();
            }
        }
    });
    ui.menu_button(SetupPhrase::Change.text(lang), |ui| {
        show_changes(ui, frame, setup);
    });
    if ui.button(StudyPhrase::PassTurn.text(lang)).clicked() {
        let now = setup.position.clone();
        setup.set(now.with_side_to_move(now.side_to_move().flip()));
    }
    let is_done = ui
        .button(RichText::new(StudyPhrase::Done.text(lang)).font(TextWeight::Bold.at(14.0)))
        .clicked();
    let is_cancelled = ui.button(StudyPhrase::Cancel.text(lang)).clicked();
    show_state(ui, frame, &setup.position);
    if is_done {
        frame.act(AppAction::StartGame(Box::new(setup.position.clone())));
    }
    // After `Done`, the setup stays until its position is the current record: unsaved changes may have to be saved
    // first.
    if is_cancelled {
        *editor = None;
    }
}

/// Draws the menu of the changes of the whole board.
fn show_changes(ui: &mut Ui, frame: &StudyFrame<'_>, setup: &mut SetupEditor) {
    let empty = |position: &Position| Setup::empty().build(position.side_to_move(), 1);
    for (phrase, change) in [
        (SetupPhrase::Empty, empty as fn(&Position) -> Position),
        (SetupPhrase::EmptyToHands, |position| {
            rest_to_white(&Setup::empty().build(position.side_to_move(), 1))
        }),
        (SetupPhrase::RestToWhite, rest_to_white),
        (SetupPhrase::SwapSides, swap_sides),
        (SetupPhrase::Mirror, mirror),
    ] {
        if ui.button(phrase.text(frame.lang)).clicked() {
            setup.set(change(&setup.position));
            ui.close();
        }
    }
}

/// Draws the possible uses of the position, or an explanation how to change pieces.
fn show_state(ui: &mut Ui, frame: &StudyFrame<'_>, position: &Position) {
    let (theme, lang) = (frame.theme, frame.lang);
    let (text, color) = match position.problems().first() {
        Some(_) if position.searchable_for_mate().is_ok() => {
            (SetupPhrase::MatingProblem.text(lang).to_owned(), theme.text)
        }
        Some(problem) => (unsearchable(*problem, lang), theme.blunder),
        None => (SetupPhrase::Hint.text(lang).to_owned(), theme.quiet),
    };
    let text = RichText::new(text).size(13.0).color(color);
    ui.add(Label::new(text).truncate())
        .on_hover_text(SetupPhrase::Hint.text(lang));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogibar_shogi::any;

    #[test]
    fn changes_of_the_whole_board() {
        let check = |change: fn(&Position) -> Position, sfen: &str, expect: &str| {
            assert_eq!(change(&Position::from_sfen(sfen).unwrap()).sfen(), expect);
        };
        check(
            swap_sides,
            "4k4/9/9/9/9/9/9/2P6/4K4 b R 1",
            "4k4/6p2/9/9/9/9/9/9/4K4 w r 1",
        );
        check(
            mirror,
            "4k4/9/9/9/9/9/9/2P6/4K4 b R 1",
            "4k4/9/9/9/9/9/9/6P2/4K4 b R 1",
        );
        check(
            rest_to_white,
            "4k4/9/4P4/9/9/9/9/9/9 b G 1",
            "4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        );
    }

    #[test]
    fn a_pasted_position_or_record_is_read() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(
                read_position(text).map(|position| position.sfen()).as_deref(),
                expect,
                "{text}"
            );
        };
        let start = Position::startpos().sfen();
        check(&start, Some(&start));
        check(
            "position startpos moves 7g7f",
            Some("lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2"),
        );
        check("hello", None);
    }

    proptest! {
        #[test]
        fn both_changes_are_their_own_inverses(sfen in any::sfen(0.3)) {
            let position = Position::from_sfen(&sfen).unwrap();
            prop_assert_eq!(&swap_sides(&swap_sides(&position)), &position);
            prop_assert_eq!(&mirror(&mirror(&position)), &position);
        }

        #[test]
        fn everything_can_be_undone_and_redone(sfens in prop::collection::vec(any::sfen(0.3), 1..6)) {
            let positions: Vec<_> = sfens.iter().map(|sfen| Position::from_sfen(sfen).unwrap()).collect();
            let mut editor = SetupEditor::new(Position::startpos());
            for position in &positions {
                editor.set(position.clone());
            }
            let steps = editor.undo_positions.len();
            (0..steps).for_each(|_| editor.undo());
            prop_assert_eq!(editor.position(), &Position::startpos());
            (0..steps).for_each(|_| editor.redo());
            prop_assert_eq!(editor.position(), positions.last().unwrap());
        }
    }
}
