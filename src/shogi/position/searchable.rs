//! Positions that an engine can search.

use super::illegal::is_dead;
use super::{Color, PieceKind, Position, Square};
use thiserror::Error;

/// The reason why a position is not sent to an engine: several engines crash on such positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unsearchable {
    /// A side has no king, or several.
    #[error("{0:?} must have exactly one king")]
    Kings(Color),
    /// The side that just moved is in check.
    #[error("the side not to move is in check")]
    OpponentInCheck,
    /// There are more pieces of a kind than in a set.
    #[error("too many pieces of kind {}", .0.letter())]
    TooMany(PieceKind),
    /// A side has two unpromoted pawns on a file, 1–9.
    #[error("two pawns on file {0}")]
    TwoPawns(u8),
    /// A piece can never move.
    #[error("the piece on {0} can never move")]
    DeadPiece(Square),
}

impl Position {
    /// Checks that the position can be sent to an engine.
    ///
    /// # Errors
    /// Fails with the first of the [`problems`](Self::problems).
    pub fn searchable(&self) -> Result<(), Unsearchable> {
        self.problems().into_iter().next().map_or(Ok(()), Err)
    }

    /// Checks that the position can be sent to an engine that searches for a mate. The side to move may have no king,
    /// as in mating problems.
    ///
    /// # Errors
    /// Fails with the first of the other [`problems`](Self::problems).
    pub fn searchable_for_mate(&self) -> Result<(), Unsearchable> {
        let side = self.side_to_move();
        self.problems()
            .into_iter()
            .find(|why| *why != Unsearchable::Kings(side) || self.king(side).is_some())
            .map_or(Ok(()), Err)
    }

    /// Returns all reasons against sending this position to an engine, each once; empty for every position of a game.
    pub fn problems(&self) -> Vec<Unsearchable> {
        let mut problems = Vec::new();
        for color in [Color::Black, Color::White] {
            let king = self
                .pieces_of(color)
                .filter(|(_, kind)| *kind == PieceKind::King)
                .count();
            if king != 1 {
                problems.push(Unsearchable::Kings(color));
            }
        }
        self.check_piece_counts(&mut problems);
        for color in [Color::Black, Color::White] {
            self.check_placement(color, &mut problems);
        }
        if self.opponent_in_check() {
            problems.push(Unsearchable::OpponentInCheck);
        }
        problems
    }

    /// Returns the pieces of a side on the board.
    pub(super) fn pieces_of(&self, color: Color) -> impl Iterator<Item = (Square, PieceKind)> {
        Square::all().filter_map(move |square| {
            let piece = self.piece_on(square)?;
            (piece.color == color).then_some((square, piece.kind))
        })
    }

    /// Adds a problem for each kind with more pieces than in a set.
    fn check_piece_counts(&self, problems: &mut Vec<Unsearchable>) {
        for kind in PieceKind::IN_HAND {
            let board = Square::all().filter_map(|square| self.piece_on(square));
            let on_board = board.filter(|piece| piece.kind.unpromoted() == kind).count();
            let in_hand = self.hand(Color::Black).count(kind) + self.hand(Color::White).count(kind);
            if on_board + usize::from(in_hand) > usize::from(kind.count_in_set()) {
                problems.push(Unsearchable::TooMany(kind));
            }
        }
    }

    /// Adds a problem for each piece of a side that can never move, and for each file with two pawns.
    fn check_placement(&self, color: Color, problems: &mut Vec<Unsearchable>) {
        let mut pawns = [0_u8; 10];
        for (square, kind) in self.pieces_of(color) {
            if is_dead(color, kind, square) {
                problems.push(Unsearchable::DeadPiece(square));
            }
            if kind == PieceKind::Pawn
                && let Some(pawns) = pawns.get_mut(usize::from(square.file()))
            {
                *pawns += 1;
                // A file with more than two pawns is reported once.
                if *pawns == 2 {
                    problems.push(Unsearchable::TwoPawns(square.file()));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_every_problem_once() {
        let check = |sfen: &str, expect: &[Unsearchable]| {
            assert_eq!(Position::from_sfen(sfen).unwrap().problems(), expect, "{sfen}");
        };
        check(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            &[],
        );
        let dead = Unsearchable::DeadPiece(Square::new(5, 1).unwrap());
        check(
            "4P4/4P4/4P4/9/9/9/9/9/4K4 b - 1",
            &[Unsearchable::Kings(Color::White), dead, Unsearchable::TwoPawns(5)],
        );
        check(
            "4k4/4G4/4r4/9/9/9/9/9/4K4 b 2R 1",
            &[
                Unsearchable::TooMany(PieceKind::Rook),
                Unsearchable::OpponentInCheck,
            ],
        );
        check(
            "9/9/9/9/9/9/9/9/9 w - 1",
            &[
                Unsearchable::Kings(Color::Black),
                Unsearchable::Kings(Color::White),
            ],
        );
    }
}
