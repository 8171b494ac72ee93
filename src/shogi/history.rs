//! A start position and the moves played from it: the content of USI's `position`.

use super::sfen::excerpt;
use super::{IllegalMove, Move, Position, SfenError};
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use thiserror::Error;

/// A start position, the moves played from it and the resulting position.
///
/// Engines always get the whole history, so that they detect repetitions. Notation needs the last
/// move to write 同.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    start: Position,
    moves: Vec<Move>,
    now: Position,
}

/// Only the moves are hashed: games from different starts rarely have the same moves.
impl Hash for History {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.moves.hash(state);
    }
}

/// The reason why the text of a `position` command cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum HistoryError {
    /// The text begins with neither `startpos` nor `sfen`.
    #[error("expected startpos or sfen, found '{0}'")]
    Start(String),
    /// The SFEN is invalid.
    #[error(transparent)]
    Sfen(#[from] SfenError),
    /// A word in the list of moves is not a move.
    #[error("move {number}, '{text}', is no move")]
    NotAMove {
        /// The number of the move, from 1.
        number: usize,
        /// The beginning of the word in place of the move.
        text: String,
    },
    /// A move is illegal.
    #[error("move {number}, {mv}, is illegal: {reason}")]
    Illegal {
        /// The number of the move, from 1.
        number: usize,
        /// The illegal move.
        mv: Move,
        /// The reason why the move is illegal.
        reason: IllegalMove,
    },
}

/// The even start position, without moves.
impl Default for History {
    fn default() -> Self {
        Self::new(Position::startpos())
    }
}

impl History {
    /// Creates a history without moves.
    pub fn new(start: Position) -> Self {
        Self {
            now: start.clone(),
            start,
            moves: Vec::new(),
        }
    }

    /// Parses the text after USI's `position`: `startpos moves 7g7f`, `sfen … moves …`.
    ///
    /// # Errors
    /// Fails if the text cannot be read or a move is illegal.
    pub fn from_usi(text: &str) -> Result<Self, HistoryError> {
        let mut words = text.split_ascii_whitespace();
        let start: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
        let start = match start.as_slice() {
            ["startpos"] => Position::startpos(),
            ["sfen", sfen @ ..] => Position::from_sfen(&sfen.join(" "))?,
            other => return Err(HistoryError::Start(excerpt(&other.join(" ")))),
        };
        let mut history = Self::new(start);
        for (number, text) in (1..).zip(words) {
            let mv = Move::from_usi(text).ok_or_else(|| HistoryError::NotAMove {
                number,
                text: excerpt(text),
            })?;
            history
                .play(mv)
                .map_err(|reason| HistoryError::Illegal { number, mv, reason })?;
        }
        Ok(history)
    }

    /// Returns the text after USI's `position` for this history.
    pub fn usi(&self) -> String {
        let mut out = if self.start == Position::startpos() {
            "startpos".to_owned()
        } else {
            format!("sfen {}", self.start.sfen())
        };
        if !self.moves.is_empty() {
            out.push_str(" moves");
        }
        for mv in &self.moves {
            let _infallible = write!(out, " {mv}");
        }
        out
    }

    /// Plays one more move.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal; the history is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.now.play(mv)?;
        self.moves.push(mv);
        Ok(())
    }

    /// Returns the history without its last move; `None` where it has no moves.
    pub fn without_last(&self) -> Option<Self> {
        let (_, moves) = self.moves.split_last()?;
        Some(self.up_to(moves.len()))
    }

    /// Returns the history up to a position: its first `ply` moves, or all if it has no more.
    #[must_use]
    pub fn up_to(&self, ply: usize) -> Self {
        let mut history = Self::new(self.start.clone());
        for mv in self.moves.iter().take(ply) {
            // The moves of a history are legal.
            if history.play(*mv).is_err() {
                break;
            }
        }
        history
    }

    /// Returns the number of moves that two histories share; `None` for different starts.
    pub fn shared_ply(&self, other: &Self) -> Option<usize> {
        if self.start != other.start {
            return None;
        }
        let pairs = self.moves.iter().zip(&other.moves);
        Some(pairs.take_while(|(mv, other)| mv == other).count())
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the moves, in the order they were played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns the position after the last move.
    pub const fn now(&self) -> &Position {
        &self.now
    }

    /// Returns the move that led to [`now`](Self::now); `None` without moves.
    pub fn last_move(&self) -> Option<Move> {
        self.moves.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Checks the text as it is read and written again, or the error.
    fn check(text: &str, expect: Result<&str, &str>) {
        let read = History::from_usi(text);
        let read_back = read
            .map(|history| history.usi())
            .map_err(|error| error.to_string());
        assert_eq!(
            read_back.as_deref(),
            expect.map_err(str::to_owned).as_deref(),
            "{text}"
        );
    }

    const KINGS: &str = "8k/9/9/9/9/9/9/9/K8 b - 1";

    #[test]
    fn reads_and_writes_positions() {
        check("startpos", Ok("startpos"));
        check(" startpos  moves ", Ok("startpos"));
        check(
            "startpos moves 7g7f\t3c3d  8h2b+",
            Ok("startpos moves 7g7f 3c3d 8h2b+"),
        );
        check(
            &format!("sfen {KINGS} moves 9i9h"),
            Ok(&format!("sfen {KINGS} moves 9i9h")),
        );
        check("sfen 8k/9/9/9/9/9/9/9/K8 b -", Ok(&format!("sfen {KINGS}")));
        check(
            "sfen 8k/9/9/9/9/9/9/9/K8 b - moves 9i9h",
            Ok(&format!("sfen {KINGS} moves 9i9h")),
        );
        let start = Position::startpos().sfen();
        check(&format!("sfen {start} moves 7g7f"), Ok("startpos moves 7g7f"));
    }

    #[test]
    fn reports_errors_in_a_history() {
        check("", Err("expected startpos or sfen, found ''"));
        check(
            "startpos 7g7f",
            Err("expected startpos or sfen, found 'startpos 7g7f'"),
        );
        check(
            "startposmoves 7g7f",
            Err("expected startpos or sfen, found 'startposmoves 7g7f'"),
        );
        check("moves 7g7f", Err("expected startpos or sfen, found ''"));
        check("sfen", Err("the board is missing"));
        check("sfen moves", Err("the board is missing"));
        check("startpos moves 7g7f resign", Err("move 2, 'resign', is no move"));
        check("startpos moves moves", Err("move 1, 'moves', is no move"));
        check(
            "startpos moves 7g7f 7g7f",
            Err("move 2, 7g7f, is illegal: there is no piece on 7g"),
        );
    }

    #[test]
    fn plays_only_legal_moves() {
        let mut history = History::from_usi("startpos moves 7g7f").unwrap();
        assert_eq!(
            (history.start(), history.now().move_number()),
            (&Position::startpos(), 2)
        );
        let before = history.clone();
        assert_eq!(
            history.play(Move::from_usi("7f7e").unwrap()),
            Err(IllegalMove::OpponentsPiece(square("7f")))
        );
        assert_eq!(history, before);
        assert_eq!(history.play(Move::from_usi("3c3d").unwrap()), Ok(()));
        assert_eq!(history.last_move(), Move::from_usi("3c3d"));
    }

    fn square(usi: &str) -> crate::Square {
        crate::Square::from_usi(usi.as_bytes()).unwrap()
    }

    #[test]
    fn detects_repetition() {
        let round = "2h3h 8b7b 3h2h 7b8b ";
        let history =
            |rounds| History::from_usi(&format!("startpos moves {}", round.repeat(rounds))).unwrap();
        assert_eq!(history(2).now().repetition(), None);
        assert_eq!(history(3).now().repetition(), Some(crate::Repetition::Draw));
    }

    proptest! {
        #[test]
        fn accepts_any_text(text in "(startpos|sfen)?.{0,20}(moves)?[ a-i1-9PG*+]{0,40}") {
            if let Ok(history) = History::from_usi(&text) {
                prop_assert_eq!(History::from_usi(&history.usi()), Ok(history));
            }
        }
    }
}
