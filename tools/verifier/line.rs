//! The replay of a line of moves.

use crate::board::Board;
use crate::verdict::{Checked, false_fact};
use shogibar_shogi::{Move, Piece, Square};

/// A piece that is captured along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    pub(crate) index: usize,
    pub(crate) piece: Piece,
    pub(crate) square: Square,
}

/// A legal line with the boards along it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    moves: Vec<Move>,
    boards: Vec<Board>,
}

impl Line {
    /// Replays the moves from a board.
    ///
    /// # Errors
    /// Fails if a move is illegal.
    pub(crate) fn replay(start: Board, moves: &[Move]) -> Checked<Self> {
        let mut boards = vec![start];
        let mut board = start;
        for (index, mv) in moves.iter().enumerate() {
            if !board.is_legal(*mv) {
                return Err(false_fact(format!(
                    "move {} of the line, {mv}, is illegal",
                    index + 1
                )));
            }
            board = board.after(*mv);
            boards.push(board);
        }
        Ok(Self {
            moves: moves.to_vec(),
            boards,
        })
    }

    pub(crate) fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the number of moves.
    pub(crate) const fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns the board after `index` moves; `None` beyond the end.
    pub(crate) fn board(&self, index: usize) -> Option<&Board> {
        self.boards.get(index)
    }

    /// Returns the first board.
    ///
    /// # Errors
    /// No error is expected: a line has a first board.
    pub(crate) fn first(&self) -> Checked<&Board> {
        self.boards
            .first()
            .ok_or_else(|| false_fact("the line has no board"))
    }

    /// Returns the last board.
    ///
    /// # Errors
    /// No error is expected: a line has a last board.
    pub(crate) fn last(&self) -> Checked<&Board> {
        self.boards
            .last()
            .ok_or_else(|| false_fact("the line has no board"))
    }

    /// Returns the first move and the board after it.
    ///
    /// # Errors
    /// Fails if the line is empty.
    pub(crate) fn opening(&self) -> Checked<(Move, &Board)> {
        let opening = self.moves.first().copied().zip(self.boards.get(1));
        opening.ok_or_else(|| false_fact("the line is empty"))
    }

    /// Returns the move with this index, and the boards before and after it.
    ///
    /// # Errors
    /// Fails if the line is shorter.
    pub(crate) fn step(&self, index: usize) -> Checked<(Move, &Board, &Board)> {
        let boards = self.boards.get(index).zip(self.boards.get(index + 1));
        let step = self
            .moves
            .get(index)
            .zip(boards)
            .map(|(mv, (before, after))| (*mv, before, after));
        step.ok_or_else(|| false_fact(format!("the line has no move {}", index + 1)))
    }

    /// Returns the pieces captured along the line, in order.
    pub(crate) fn captures(&self) -> Vec<Capture> {
        let steps = self.moves.iter().zip(&self.boards).enumerate();
        steps
            .filter_map(|(index, (mv, board))| {
                Some(Capture {
                    index,
                    piece: board.piece_on(mv.to())?,
                    square: mv.to(),
                })
            })
            .collect()
    }

    /// Returns whether the piece on a square after `since` moves makes the move with this index.
    pub(crate) fn mover_stood_on(&self, since: usize, index: usize, square: Square) -> bool {
        let moves = self.moves.iter().take(index).skip(since);
        let now = moves.copied().try_fold(square, |now, mv| match mv {
            Move::Board { from, to, .. } if from == now => Some(to),
            _ => (mv.to() != now).then_some(now),
        });
        now.is_some() && self.moves.get(index).and_then(|mv| mv.from()) == now
    }

    /// Follows the piece on a square after `index` moves. Returns the capture of the piece; `None` if it is not
    /// captured.
    pub(crate) fn fate(&self, index: usize, square: Square) -> Option<Capture> {
        let mut square = square;
        for (index, mv) in self.moves.iter().enumerate().skip(index) {
            if mv.to() == square {
                let piece = self.boards.get(index)?.piece_on(square)?;
                return Some(Capture { index, piece, square });
            }
            if mv.from() == Some(square) {
                square = mv.to();
            }
        }
        None
    }

    /// Follows the piece on a square from the first board. Returns its square on the last one; `None` if it is captured.
    pub(crate) fn follow(&self, square: Square) -> Option<Square> {
        self.moves.iter().try_fold(square, |square, mv| match mv.from() {
            Some(from) if from == square => Some(mv.to()),
            _ => (mv.to() != square).then_some(square),
        })
    }
}
