//! The change of the game that one reading suggests.

use super::board::BoardClasses;
use super::game::SeenGame;
use super::search::Explanation;
use shogibar_shogi::{Color, Move};

/// The number of still readings in a row that must agree on moves, and on a rotation.
const MOVE_READINGS: u32 = 2;
/// The number of still readings in a row after which the likelier of two explanations becomes a guess.
const GUESS_READINGS: u32 = 15;
/// The number of still readings in a row after which one contradicting square counts as misread.
const MISREAD_READINGS: u32 = 4;

/// The change that one reading suggests.
#[derive(Clone, Debug)]
pub(super) enum Suggestion {
    /// No change: the picture shows the current position.
    Keep,
    /// No change: the reading is not clear.
    Wait,
    /// No change: the picture shows another position, which [`TrackingMode::Game`](super::TrackingMode::Game) ignores.
    Away,
    /// No change: the reading is not a legal board.
    Impossible,
    /// No change: the board lacks a king.
    NoKing,
    /// The picture is rotated by 180°.
    Rotated,
    /// Moves from a node; no moves where the picture shows the node itself.
    Moves {
        from: usize,
        moves: Vec<Move>,
        /// The side that plays the first move; `None` without moves.
        side: Option<Color>,
        /// The board after the moves.
        board: BoardClasses,
        is_guess: bool,
        required_readings: u32,
    },
    /// A new board.
    Board {
        board: BoardClasses,
        required_readings: u32,
    },
    /// A square with the class of the game that is read as another one.
    Misread {
        square: usize,
        class: usize,
        read: usize,
    },
}

impl Suggestion {
    pub(super) fn node(game: &SeenGame, node: usize) -> Self {
        let board = game.board_of(node);
        Self::Moves {
            from: node,
            moves: Vec::new(),
            side: None,
            board,
            is_guess: false,
            required_readings: MOVE_READINGS,
        }
    }

    /// Returns the number of still readings in a row that must agree on the suggestion.
    pub(super) const fn required_readings(&self) -> u32 {
        match self {
            Self::Board {
                required_readings, ..
            }
            | Self::Moves {
                required_readings, ..
            } => *required_readings,
            Self::Misread { .. } => MISREAD_READINGS,
            Self::Keep | Self::Wait | Self::Away | Self::Impossible | Self::NoKing | Self::Rotated => {
                MOVE_READINGS
            }
        }
    }

    /// Returns whether two suggestions are of the same change.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Rotated, Self::Rotated) => true,
            (
                Self::Moves { from, board, .. },
                Self::Moves {
                    from: other,
                    board: other_board,
                    ..
                },
            ) => from == other && board == other_board,
            (Self::Board { board, .. }, Self::Board { board: other, .. }) => board == other,
            (
                Self::Misread { square, read, .. },
                Self::Misread {
                    square: other,
                    read: other_read,
                    ..
                },
            ) => (square, read) == (other, other_read),
            _ => false,
        }
    }
}

impl Explanation {
    /// Creates a suggestion of the moves from a node.
    pub(super) fn suggest(self, from: usize) -> Suggestion {
        let is_guess = self.is_guess;
        self.suggest_after(from, is_guess, MOVE_READINGS)
    }

    /// Creates a suggestion of the moves from a node as a guess, where other moves are about as likely.
    pub(super) fn suggest_guess(self, from: usize) -> Suggestion {
        self.suggest_after(from, true, GUESS_READINGS)
    }

    /// Creates a suggestion of the moves from a node that needs `required_readings` still readings.
    fn suggest_after(self, from: usize, is_guess: bool, required_readings: u32) -> Suggestion {
        let Self {
            moves, side, board, ..
        } = self;
        Suggestion::Moves {
            from,
            moves,
            side: Some(side),
            board,
            is_guess,
            required_readings,
        }
    }
}
