//! The form in which a position that was read off the screen is corrected: squares, pieces in hand and the side to
//! move.

use crate::PaintTheme;
use crate::board::{BoardAction, BoardInput, BoardMode, BoardStyle, BoardView};
use crate::correction_text::{CorrectionPhrase, missing_pieces};
use crate::dialog::DialogStatus;
use crate::fonts::TextWeight;
use crate::study_text::StudyPhrase;
use eframe::egui;
use egui::{Button, RichText, Sense, Ui, vec2};
use shogibar_base::Lang;
use shogibar_games::Label;
use shogibar_live::BoardCorrection;
use shogibar_shogi::position_text::unsearchable;
use shogibar_shogi::{Color, History, Move, PieceKind, Position, Setup};

/// The height of the controls below the board, in points.
const CONTROLS_HEIGHT: f32 = 132.0;

/// The form with a position that is being corrected.
#[derive(Debug)]
pub struct CorrectionForm {
    /// The start of the game, as it was read.
    start: Position,
    /// The moves to the position, as they were read.
    moves: Vec<Move>,
    position: Position,
    /// The state of the board between frames.
    board_input: BoardInput,
    /// Whether the user's corrections were dropped because another position was read in the meantime.
    was_reset: bool,
    /// Whether the user has stated that the missing pieces do not belong to the game, as in a handicap game.
    omits_missing_pieces: bool,
}

impl CorrectionForm {
    /// Creates the form for the current position of a game.
    pub fn new(history: &History) -> Self {
        Self {
            start: history.start().clone(),
            moves: history.moves().to_vec(),
            position: history.now().without_history(),
            board_input: BoardInput::default(),
            was_reset: false,
            omits_missing_pieces: false,
        }
    }

    /// Plays the moves that were read later on the corrected position. If that is impossible, the form shows the
    /// position as it was read.
    fn follow_game(&mut self, history: &History) {
        let is_same_start = *history.start() == self.start;
        if is_same_start && history.moves() == self.moves {
            return;
        }
        let moves = if is_same_start {
            history.moves().strip_prefix(self.moves.as_slice())
        } else {
            None
        };
        let played = moves.and_then(|moves| {
            let mut position = self.position.clone();
            moves.iter().try_for_each(|mv| position.play(*mv)).ok()?;
            Some(position.without_history())
        });
        self.was_reset = played.is_none();
        self.start = history.start().clone();
        self.moves = history.moves().to_vec();
        self.position = played.unwrap_or_else(|| history.now().without_history());
    }

    /// Draws the form of a game with the present moves. Returns the corrected position when the form is completed.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        history: &History,
        style: BoardStyle,
        flipped: bool,
        theme: &PaintTheme,
        lang: Lang,
    ) -> DialogStatus<BoardCorrection> {
        self.follow_game(history);
        let (how, color) = if self.was_reset {
            (CorrectionPhrase::Reset, theme.blunder)
        } else {
            (CorrectionPhrase::How, theme.quiet)
        };
        ui.label(RichText::new(how.text(lang)).color(color));
        ui.add_space(4.0);
        self.show_board(ui, style, flipped, theme, lang);
        self.show_side_to_move(ui, lang);
        let problem = self.position.problems().first().copied();
        let missing = missing_pieces(&self.missing(), lang);
        match problem {
            Some(problem) => ui.label(RichText::new(unsearchable(problem, lang)).color(theme.blunder)),
            None if missing.is_empty() => ui.label(CorrectionPhrase::NoneLeft.text(lang)),
            None => ui.checkbox(&mut self.omits_missing_pieces, &missing),
        };
        // A missing piece may be in a hand. The user has to state that it is not.
        let is_complete = missing.is_empty() || self.omits_missing_pieces;
        self.show_hand_buttons(ui, !missing.is_empty(), lang);
        ui.add_space(4.0);
        let (is_done, is_cancelled) = ui
            .horizontal(|ui| {
                let done = RichText::new(CorrectionPhrase::Use.text(lang)).font(TextWeight::Bold.at(14.0));
                let is_done = ui
                    .add_enabled(problem.is_none() && is_complete, Button::new(done))
                    .clicked();
                (is_done, ui.button(StudyPhrase::Cancel.text(lang)).clicked())
            })
            .inner;
        if is_done {
            return DialogStatus::Done(BoardCorrection {
                moves: self.moves.clone(),
                position: self.position.clone(),
            });
        }
        if is_cancelled {
            DialogStatus::Closed
        } else {
            DialogStatus::Open
        }
    }

    /// Shows the board and applies the user's edits.
    fn show_board(&mut self, ui: &mut Ui, style: BoardStyle, flipped: bool, theme: &PaintTheme, lang: Lang) {
        let position = self.position.clone();
        let view = BoardView {
            is_flipped: flipped,
            mode: BoardMode::Correct,
            style,
            ..BoardView::new(&position, lang)
        };
        let room = vec2(
            ui.available_width(),
            (ui.available_height() - CONTROLS_HEIGHT).max(120.0),
        );
        let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
        for action in self.board_input.show(ui, rect, &view, theme, lang).actions {
            if let BoardAction::Edit(position) = action {
                // The side to move follows from the moves, if there are any.
                let side = if self.moves.is_empty() {
                    position.side_to_move()
                } else {
                    self.position.side_to_move()
                };
                self.position = position.with_side_to_move(side);
                self.was_reset = false;
            }
        }
        ui.add_space(4.0);
    }

    /// Shows the choice of the side to move. It is disabled if moves were read, because the side follows from them.
    fn show_side_to_move(&mut self, ui: &mut Ui, lang: Lang) {
        ui.horizontal(|ui| {
            ui.label(CorrectionPhrase::ToMove.text(lang));
            for (color, label) in [(Color::Black, Label::Black), (Color::White, Label::White)] {
                let is_its_turn = self.position.side_to_move() == color;
                let choice = Button::selectable(is_its_turn, label.text(lang));
                if ui.add_enabled(self.moves.is_empty(), choice).clicked() && !is_its_turn {
                    self.position = self.position.with_side_to_move(color);
                }
            }
        });
    }

    /// Shows the buttons that put all missing pieces into a hand. The buttons are disabled unless `has_any`.
    fn show_hand_buttons(&mut self, ui: &mut Ui, has_any: bool, lang: Lang) {
        ui.horizontal(|ui| {
            for (color, phrase) in [
                (Color::Black, CorrectionPhrase::AllToBlack),
                (Color::White, CorrectionPhrase::AllToWhite),
            ] {
                if ui.add_enabled(has_any, Button::new(phrase.text(lang))).clicked() {
                    let mut setup = Setup::from_position(&self.position);
                    setup.add_remaining_to_hand(color);
                    self.position = setup.build(self.position.side_to_move(), self.position.move_number());
                }
            }
        });
    }

    /// Returns the pieces that are neither on the board nor in a hand: kinds and numbers.
    fn missing(&self) -> Vec<(PieceKind, u8)> {
        let setup = Setup::from_position(&self.position);
        let kinds = PieceKind::IN_HAND
            .into_iter()
            .map(|kind| (kind, setup.unused_count(kind)));
        kinds.filter(|(_, count)| *count > 0).collect()
    }
}

#[cfg(test)]
mod tests;
