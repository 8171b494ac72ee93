//! What a look suggests.

use super::board::Board;
use super::game::SeenGame;
use super::search::Explanation;
use shogibar_core::shogi::{Color, Move};

/// The number of still looks in a row that must agree on moves.
const MOVE_LOOKS: u32 = 2;
/// The number of still looks in a row after which the likelier of two explanations is taken as a guess.
const LIKELY_LOOKS: u32 = 15;
/// The number of still looks in a row after which one contradicting square is taken as misread.
const MISREAD_LOOKS: u32 = 4;

/// What one look suggests.
#[derive(Clone, Debug)]
pub(super) enum Suggestion {
    Keep,
    Wait,
    Away,
    Impossible,
    /// A board without one of the kings.
    NoKing,
    Turned,
    /// Moves from a node; none where the picture shows the node itself.
    Moves {
        from: usize,
        moves: Vec<Move>,
        side: Option<Color>,
        board: Board,
        is_guess: bool,
        looks: u32,
    },
    Board {
        board: Board,
        looks: u32,
    },
    Misread {
        place: usize,
        class: usize,
        read: usize,
    },
}

impl Suggestion {
    /// Suggests a node that the picture shows.
    pub(super) fn node(game: &SeenGame, node: usize) -> Self {
        let board = game.board_of(node);
        Self::Moves { from: node, moves: Vec::new(), side: None, board, is_guess: false, looks: MOVE_LOOKS }
    }

    /// Returns the number of looks that must agree.
    pub(super) const fn looks(&self) -> u32 {
        match self {
            Self::Board { looks, .. } | Self::Moves { looks, .. } => *looks,
            Self::Misread { .. } => MISREAD_LOOKS,
            Self::Keep | Self::Wait | Self::Away | Self::Impossible | Self::NoKing | Self::Turned => MOVE_LOOKS,
        }
    }

    pub(super) fn agrees(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Turned, Self::Turned) => true,
            (Self::Moves { from, board, .. }, Self::Moves { from: other, board: other_board, .. }) => {
                from == other && board == other_board
            }
            (Self::Board { board, .. }, Self::Board { board: other, .. }) => board == other,
            (Self::Misread { place, read, .. }, Self::Misread { place: other, read: other_read, .. }) => {
                (place, read) == (other, other_read)
            }
            _ => false,
        }
    }
}

impl Explanation {
    /// Suggests the moves, from a node.
    pub(super) fn suggest(self, from: usize) -> Suggestion {
        Suggestion::Moves {
            from,
            moves: self.moves,
            side: Some(self.side),
            board: self.board,
            is_guess: self.is_guess,
            looks: MOVE_LOOKS,
        }
    }

    /// Suggests the moves as a guess, from a node, although others are about as likely.
    pub(super) fn suggest_guess(self, from: usize) -> Suggestion {
        Suggestion::Moves {
            from,
            moves: self.moves,
            side: Some(self.side),
            board: self.board,
            is_guess: true,
            looks: LIKELY_LOOKS,
        }
    }
}
