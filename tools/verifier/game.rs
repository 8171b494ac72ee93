//! A game with the values that an engine gave its positions.

use crate::board::Board;
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Move, Position};

/// A line of an engine for a position, with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The moves, the candidate first. Not empty.
    pub line: Vec<Move>,
    /// The value, from Black's view.
    pub value: Value,
}

/// A game that facts are about.
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The board after each number of moves, from the start.
    boards: Vec<Board>,
    /// The candidates after each number of moves, the best first.
    candidates: Vec<Vec<Candidate>>,
    model: WinRateModel,
}

impl Game {
    /// Creates a game from its start and moves. The moves end before the first illegal one.
    ///
    /// `candidates` has the candidates of each position from the start, the best first; empty for a position without
    /// candidates. `model` converts the values of the candidates to win rates.
    pub fn new(
        start: &Position,
        moves: &[Move],
        candidates: Vec<Vec<Candidate>>,
        model: WinRateModel,
    ) -> Self {
        let mut boards = vec![Board::new(start)];
        for mv in moves {
            match boards.last() {
                Some(board) if board.is_legal(*mv) => boards.push(board.after(*mv)),
                _ => break,
            }
        }
        let moves = moves.iter().copied().take(boards.len() - 1).collect();
        Self {
            start: start.without_history(),
            moves,
            boards,
            candidates,
            model,
        }
    }

    /// Returns the moves of the game.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the board after `ply` moves.
    pub(crate) fn board(&self, ply: usize) -> Option<&Board> {
        self.boards.get(ply)
    }

    /// Returns the candidates after `ply` moves, the best one first.
    pub(crate) fn candidates(&self, ply: usize) -> &[Candidate] {
        self.candidates.get(ply).map_or(&[], Vec::as_slice)
    }

    pub(crate) const fn model(&self) -> WinRateModel {
        self.model
    }
}
