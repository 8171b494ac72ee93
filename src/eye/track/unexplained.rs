//! First boards and readings that no moves explain: when they are accepted.

use super::board::{BoardClasses, MIN_FAR_DISTANCE, SQUARE_COUNT, Start, State};
use super::evidence::{Evidence, MAX_HIDDEN_SQUARES, MIN_WRONG_DEFICIT, Misreadings};
use super::game::{Fit, SeenGame};
use super::search::{Explanation, ExplanationResult, MAX_MOVES, MAX_WRONG_SQUARES, POSITION_BUDGET, Search};
use super::suggestion::Suggestion;
use shogibar_shogi::Position;

/// The number of still readings in a row that must agree on another board.
const BOARD_READINGS: u32 = 3;
/// The number of agreeing still readings for a board that differs in fewer than [`MIN_FAR_DISTANCE`] squares.
const NEAR_BOARD_READINGS: u32 = 8;
/// The number of agreeing still readings for a dropped piece that resembles no piece in the side's hand.
const MISREAD_DROP_READINGS: u32 = 10;
/// The maximum number of squares of a board that count as misread.
const MAX_MISREAD_SQUARES: usize = 4;
/// The number of still readings after which a new game replaces the current one.
const NEW_GAME_READINGS: u32 = 20;
/// The number of still readings after which a later board of the game, or an abandoned game, is accepted.
const LATER_BOARD_READINGS: u32 = 16;
/// The number of still readings after which a board with doubtful squares is accepted.
const DOUBTFUL_BOARD_READINGS: u32 = 40;
/// The number of still readings after which a first board with doubtful squares is accepted. A wrong first board costs
/// nothing.
const DOUBTFUL_FIRST_BOARD_READINGS: u32 = 12;
/// The maximum number of squares of a doubtful board that differ from the reading.
const MAX_DOUBTFUL_SQUARES: usize = 8;
/// The number of still readings after which a board with a few hidden squares is accepted. Squares that stay hidden may
/// be highlighted in an unknown way.
const HIDDEN_BOARD_READINGS: u32 = 20;
/// The maximum number of hidden squares that are revealed while pieces are missing.
const MAX_REVEALED_SQUARES: usize = 4;

/// Counts the readings that no moves explained.
#[derive(Clone, Debug, Default)]
pub(super) struct UnexplainedReadings {
    /// The number of still readings that showed the start of a new game.
    new_game_readings: u32,
    /// The number of still readings that showed a later board of the game, or an abandoned game.
    later_readings: u32,
    doubtful_readings: u32,
    /// The legal board in place of a doubtful reading; `None` without one.
    forced_board: Option<BoardClasses>,
    /// The indices of the squares that were hidden last.
    hidden_squares: Vec<usize>,
    /// The number of still readings in a row with the same `hidden_squares`.
    hidden_readings: u32,
}

impl UnexplainedReadings {
    /// Resets all counts and removes the forced board.
    pub(super) const fn reset(&mut self) {
        (
            self.new_game_readings,
            self.later_readings,
            self.doubtful_readings,
            self.hidden_readings,
        ) = (0, 0, 0, 0);
        self.forced_board = None;
    }

    /// Returns whether a board takes the place of a doubtful reading.
    pub(super) fn is_forced(&self, board: &BoardClasses) -> bool {
        self.forced_board.as_ref() == Some(board)
    }

    pub(super) fn suggest_first(&mut self, evidence: &Evidence) -> Suggestion {
        let revealed = self.reveal(evidence);
        self.suggest_board(
            revealed.as_ref().unwrap_or(evidence),
            BOARD_READINGS,
            DOUBTFUL_FIRST_BOARD_READINGS,
        )
    }

    /// Returns the reading with its hidden squares revealed. `None` without hidden squares. `None` also where a piece
    /// may be below them: pieces are missing, and the squares are many, blank, or were not hidden for long.
    fn reveal(&mut self, evidence: &Evidence) -> Option<Evidence> {
        let is_same = self.hidden_squares == *evidence.hidden_squares();
        self.hidden_readings = if is_same { self.hidden_readings + 1 } else { 1 };
        self.hidden_squares.clone_from(evidence.hidden_squares());
        let is_highlighted = evidence.hidden_count <= MAX_REVEALED_SQUARES
            && self.hidden_readings >= HIDDEN_BOARD_READINGS
            && !evidence.has_blank_square();
        (evidence.hidden_count > 0 && (evidence.is_complete() || is_highlighted))
            .then(|| evidence.clone().reveal())
    }

    /// Returns the suggestion for a reading that no moves of the game explain. `wrong` is the number of contradicting
    /// squares.
    pub(super) fn suggest(
        &mut self,
        evidence: &Evidence,
        game: &SeenGame,
        misreadings: &Misreadings,
        wrong: usize,
        fits: &[Fit],
        follows_everything: bool,
    ) -> Suggestion {
        if wrong <= MAX_WRONG_SQUARES {
            return suggest_misread(evidence, game, misreadings);
        }
        let readings = if wrong < MIN_FAR_DISTANCE {
            // The reading is near the game, so the game is more credible than a doubtful board.
            self.doubtful_readings = 0;
            NEAR_BOARD_READINGS
        } else {
            BOARD_READINGS
        };
        let revealed = self.reveal(evidence);
        let new_board = self.suggest_board(
            revealed.as_ref().unwrap_or(evidence),
            readings,
            DOUBTFUL_BOARD_READINGS,
        );
        let new_board = if matches!(new_board, Suggestion::Impossible) && wrong < MAX_HIDDEN_SQUARES {
            Suggestion::Wait
        } else {
            new_board
        };
        let Suggestion::Board { board, .. } = &new_board else {
            return new_board;
        };
        if follows_everything || can_other_side_explain(evidence, game, misreadings) {
            return new_board;
        }
        if let Some(node) = game.abandoned_node(fits) {
            self.later_readings += 1;
            return if self.later_readings < LATER_BOARD_READINGS {
                Suggestion::Away
            } else {
                Suggestion::node(game, node)
            };
        }
        if *board == BoardClasses::from_position(&Position::startpos()) {
            self.new_game_readings += 1;
            return if self.new_game_readings < NEW_GAME_READINGS {
                Suggestion::Away
            } else {
                new_board
            };
        }
        // A variation is nearer to an earlier position of the game than to the last one.
        let is_later = game.current_tree(fits).all(|(_, fit)| fit.wrong_squares >= wrong);
        self.later_readings += u32::from(is_later);
        if self.later_readings < LATER_BOARD_READINGS {
            Suggestion::Away
        } else {
            new_board
        }
    }

    /// Returns the likeliest legal board after `readings` doubtful readings. `None` before that, for more than
    /// [`MAX_DOUBTFUL_SQUARES`] squares that differ from the reading, and for an impossible start. The board stays the
    /// same while no other one is nearer to the reading.
    fn doubtful_board(&mut self, evidence: &Evidence, readings: u32) -> Option<BoardClasses> {
        if self.doubtful_readings < readings {
            return None;
        }
        let (board, read) = (evidence.forced_board(), evidence.best_board());
        if board.distance(&read) > MAX_DOUBTFUL_SQUARES || Start::from_board(&board, None).is_none() {
            return None;
        }
        let nearest = self
            .forced_board
            .filter(|forced| forced.distance(&read) <= board.distance(&read));
        self.forced_board = nearest.or(Some(board));
        self.forced_board
    }

    /// Returns the suggestion of the board that was read. A board that differs from a known start only in kinds of
    /// pieces counts as that start. A board at most [`MAX_MOVES`] moves after the even start counts as the even start.
    /// `readings` is the number of readings that must agree. A doubtful board is suggested after `doubtful_readings`.
    fn suggest_board(&mut self, evidence: &Evidence, readings: u32, doubtful_readings: u32) -> Suggestion {
        if let Some(board) = evidence.known_start() {
            return Suggestion::Board {
                board,
                required_readings: readings,
            };
        }
        let can_be = |board: &BoardClasses| Start::from_board(board, None).is_some();
        let read = evidence.certain_board();
        let possible = read
            .filter(can_be)
            .or_else(|| evidence.legal_board().filter(can_be));
        self.doubtful_readings = if possible.is_some() || evidence.hidden_count > 0 {
            0
        } else {
            self.doubtful_readings + 1
        };
        let possible = possible.or_else(|| self.doubtful_board(evidence, doubtful_readings));
        let Some(board) = possible.or(read) else {
            return Suggestion::Wait;
        };
        let start = Start::from_position(&Position::startpos());
        if board != start.board && board.distance(&start.board) <= 2 * MAX_MOVES {
            let mut budget = POSITION_BUDGET / 4;
            let none = Misreadings::none();
            if let ExplanationResult::Found(Explanation { wrong_squares: 0, .. }) = Search::run(
                &start.states,
                &start.board,
                evidence,
                &none,
                1..=MAX_MOVES,
                &mut budget,
            ) {
                return Suggestion::Board {
                    board: start.board,
                    required_readings: readings,
                };
            }
        }
        match possible {
            Some(board) if !board.has_both_kings() => Suggestion::NoKing,
            Some(board) => Suggestion::Board {
                board,
                required_readings: readings,
            },
            None => Suggestion::Impossible,
        }
    }
}

/// Returns the suggestion for a single contradicting square: the drop of a misread piece, or a misread square.
fn suggest_misread(evidence: &Evidence, game: &SeenGame, misreadings: &Misreadings) -> Suggestion {
    let contradicts =
        |square: &usize| evidence.deficit(*square, game.board.class(*square)) >= MIN_WRONG_DEFICIT;
    let known = (0..SQUARE_COUNT).filter(contradicts).count();
    match (0..SQUARE_COUNT).find(|square| misreadings.is_wrong(evidence, *square, game.board.class(*square)))
    {
        Some(square) if let Some((mv, side, board)) = game.misread_drop(evidence, square) => {
            Suggestion::Moves {
                from: game.current_node(),
                moves: vec![mv],
                side: Some(side),
                board,
                is_guess: true,
                required_readings: MISREAD_DROP_READINGS,
            }
        }
        Some(square) if evidence.hidden_count == 0 && known <= MAX_MISREAD_SQUARES => Suggestion::Misread {
            square,
            class: game.board.class(square),
            read: evidence.best_class(square),
        },
        _ => Suggestion::Wait,
    }
}

/// Returns whether, after a guess, one or two moves that the other side begins explain the reading. The guess then had
/// a move too few.
fn can_other_side_explain(evidence: &Evidence, game: &SeenGame, misreadings: &Misreadings) -> bool {
    if game.unsettled_origins().is_empty() {
        return false;
    }
    let states: Vec<State> = game.states.iter().map(State::other_side).collect();
    let mut budget = POSITION_BUDGET / 4;
    let found = Search::run(&states, &game.board, evidence, misreadings, 1..=2, &mut budget);
    matches!(found, ExplanationResult::Found(_))
}
