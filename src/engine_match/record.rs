//! The games of a match, and their records.

use super::openings::Opening;
use shogibar_games::adjudicate::GameEnd;
use shogibar_kifu::evaluation::{self, Dialect, EvaluatedPoint, Evaluation, Source};
use shogibar_kifu::{Edit, Millis, NodeId, Outcome, Record, Step, Target};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move, Position};
use std::time::Duration;

/// A game of a match: its number, from 0. Between two engines, each opening is played twice with the colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MatchGame(pub usize);

/// A move of an engine, with its evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move of the engine.
    pub mv: Move,
    /// The engine's value of the position before the move, from Black's view; `None` if it has printed none.
    pub value: Option<Value>,
    /// The expected moves after the move.
    pub pv: Vec<Move>,
    /// The number of nodes searched; `None` if the engine has not printed it.
    pub nodes: Option<u64>,
    /// The time that the engine took.
    pub elapsed: Duration,
}

/// A game of a match that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedGame {
    /// The opening from which the engines played.
    pub opening: Opening,
    /// The names of Black and White.
    pub names: [String; 2],
    /// The moves after the opening.
    pub moves: Vec<PlayedMove>,
    /// The reason why the game ended.
    pub end: GameEnd,
    /// A sentence about the failure of an engine, or about an illegal move; empty for all other ends.
    pub note: String,
}

impl MatchGame {
    /// Returns the index of the opening in a match of two engines, where each opening is played twice.
    pub const fn opening_index(self) -> usize {
        self.0 / 2
    }

    /// Returns the index of the engine that is Black: 0 for the first and 1 for the second.
    pub const fn black_engine_index(self) -> usize {
        self.0 % 2
    }

    /// Returns the file name of the game's record.
    pub fn file_name(self) -> String {
        format!("{:04}.csa", self.0 + 1)
    }

    /// Returns the points of the first engine: 1, 0.5 or 0.
    pub fn points(self, winner: Option<Color>) -> f64 {
        match winner {
            None => 0.5,
            Some(color) if (color == Color::Black) == (self.black_engine_index() == 0) => 1.0,
            Some(_) => 0.0,
        }
    }

    /// Returns the points of the first engine in a record of this game. Returns `None` if the game is unfinished, or if
    /// the names are not those of `engines`.
    pub fn points_in(self, record: &Record, engines: [&str; 2]) -> Option<f64> {
        let [one, other] = engines;
        let expected = if self.black_engine_index() == 0 {
            [one, other]
        } else {
            [other, one]
        };
        let names = [Color::Black, Color::White].map(|color| record.player(color).unwrap_or_default());
        if names != expected {
            return None;
        }
        let end = record.end()?;
        if GameEnd::is_failure(end) {
            let mover = side_after(record.start().side_to_move(), record.moves().count());
            return Some(self.points(Some(mover.flip())));
        }
        match end.outcome {
            Outcome::Win(winner) => Some(self.points(Some(winner))),
            Outcome::Draw => Some(0.5),
            Outcome::Open => None,
        }
    }
}

impl PlayedGame {
    /// Returns the side to move at the end.
    pub fn mover(&self) -> Color {
        side_after(self.opening.now().side_to_move(), self.moves.len())
    }

    /// Returns the winner; `None` for a draw.
    pub fn winner(&self) -> Option<Color> {
        self.end.winner(self.mover())
    }

    /// Returns the number of plies, including those of the opening.
    pub fn plies(&self) -> usize {
        self.opening.moves().len() + self.moves.len()
    }

    /// Returns the record with the evaluations of both engines.
    pub fn record(&self) -> Record {
        let mut record = Record::new(self.opening.start());
        let names = ["先手", "後手"].into_iter().zip(&self.names);
        record
            .headers_mut()
            .extend(names.map(|(key, name)| (key.to_owned(), name.clone())));
        record
            .headers_mut()
            .push(("棋戦".to_owned(), "shogibar match".to_owned()));
        let moves: Vec<Move> = self
            .opening
            .moves()
            .iter()
            .copied()
            .chain(self.moves.iter().map(|it| it.mv))
            .collect();
        record.add_line(NodeId::START, &moves);
        let nodes: Vec<NodeId> = record.main_line().collect();
        let comments: Vec<Option<String>> = {
            let mut walk = record.walk();
            let played = nodes.iter().skip(self.opening.moves().len()).zip(&self.moves);
            played
                .map(|(node, played)| played.comment(walk.go(*node)))
                .collect()
        };
        let played = nodes
            .iter()
            .skip(self.opening.moves().len())
            .zip(&self.moves)
            .zip(comments);
        for ((node, played), comment) in played {
            let spent = u64::try_from(played.elapsed.as_millis()).unwrap_or(u64::MAX);
            record.node_mut(*node).time.spent = Some(Millis(spent));
            if comment.is_some() {
                record.node_mut(*node).notes_mut().comment = comment;
            }
        }
        let last = nodes.last().copied().unwrap_or(NodeId::START);
        if let Some(end) =
            record.create_detached(last, Step::End(Box::new(self.end.record_end(self.mover()))))
        {
            if !self.note.is_empty() {
                record.node_mut(end).notes_mut().comment = Some(self.note.replace(['\n', '\r'], " "));
            }
            record.edit(Edit::Attach(end, None));
        }
        record
    }

    /// Returns the record as a CSA file. Version 3 is used, which has a word for every end.
    pub fn to_csa(&self) -> Vec<u8> {
        shogibar_kifu::write(&self.record(), Target::Csa3).bytes
    }
}

/// Returns the side to move after `moves` moves.
fn side_after(first: Color, moves: usize) -> Color {
    if moves.is_multiple_of(2) {
        first
    } else {
        first.flip()
    }
}

impl PlayedMove {
    fn comment(&self, now: &Position) -> Option<String> {
        let (value, nodes) = (self.value, self.nodes);
        let evaluation = Evaluation {
            value,
            nodes,
            pv: self.pv.clone(),
            ..Evaluation::new(Dialect::Csa3, Source::Game)
        };
        evaluation::write(
            &evaluation,
            Dialect::Csa3,
            EvaluatedPoint {
                position: now,
                last_to: Some(self.mv.to()),
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::Reason;
    use shogibar_shogi::History;

    /// Returns a game of three plies with an end and a note.
    fn game(end: GameEnd, note: &str) -> PlayedGame {
        let usi = |text: &str| Move::from_usi(text).unwrap();
        let played = |mv, cp, pv: &[&str]| PlayedMove {
            mv: usi(mv),
            value: Some(Value::Cp(cp)),
            pv: pv.iter().map(|mv| usi(mv)).collect(),
            nodes: Some(500),
            elapsed: Duration::from_millis(12),
        };
        PlayedGame {
            opening: History::from_usi("startpos moves 7g7f").unwrap(),
            names: ["A".to_owned(), "B".to_owned()],
            moves: vec![played("3c3d", -40, &["2g2f"]), played("2g2f", 55, &[])],
            end,
            note: note.to_owned(),
        }
    }

    #[test]
    fn a_record_holds_the_evaluations_and_the_end() {
        let text = String::from_utf8(game(GameEnd::Resignation, "").to_csa()).unwrap();
        assert!(text.contains("-3334FU\nT0.012\n'** -40 +2726FU #500\n"), "{text}");
        assert!(text.contains("+2726FU\nT0.012\n'** 55 #500\n%TORYO\n"), "{text}");
        let check = |end, reason, points: f64| {
            let read = shogibar_kifu::read(&game(end, "ended by\nsignal 6").to_csa())
                .unwrap()
                .games
                .remove(0);
            assert_eq!(read.end().map(|end| end.reason), Some(reason), "{end:?}");
            assert_eq!(MatchGame(0).points_in(&read, ["A", "B"]), Some(points), "{end:?}");
            assert_eq!(
                MatchGame(1).points_in(&read, ["B", "A"]),
                Some(1.0 - points),
                "{end:?}"
            );
            assert_eq!(MatchGame(0).points_in(&read, ["A", "C"]), None, "{end:?}");
        };
        // White is to move.
        check(GameEnd::Mate, Reason::Checkmate, 1.0);
        check(GameEnd::Declaration, Reason::Declaration, 0.0);
        check(GameEnd::Certain(Color::Black), Reason::Resignation, 1.0);
        check(GameEnd::Repetition, Reason::Repetition, 0.5);
        check(GameEnd::PerpetualCheck(Color::Black), Reason::Foul, 0.0);
        check(GameEnd::PerpetualCheck(Color::White), Reason::Foul, 1.0);
        check(GameEnd::MaxPlies, Reason::MaxMoves, 0.5);
        check(GameEnd::IllegalMove, Reason::Foul, 1.0);
        check(GameEnd::Failed, Reason::Other, 1.0);
    }

    #[test]
    fn a_record_names_the_failure_of_an_engine() {
        let text = |end| String::from_utf8(game(end, "bestmove\n1a1b").to_csa()).unwrap();
        assert!(text(GameEnd::IllegalMove).ends_with("%ILLEGAL_MOVE\n'*bestmove 1a1b\n"));
        assert!(text(GameEnd::Failed).ends_with("%ERROR\n'*bestmove 1a1b\n"));
        let read = shogibar_kifu::read(text(GameEnd::Failed).as_bytes())
            .unwrap()
            .games
            .remove(0);
        assert!(read.end().is_some_and(GameEnd::is_failure) && !read.end().unwrap().is_decided());
        assert!(!GameEnd::is_failure(
            &GameEnd::IllegalMove.record_end(Color::Black)
        ));
    }

    #[test]
    fn colours_are_swapped_for_each_opening() {
        let plan: Vec<_> = (0..4)
            .map(|game| {
                (
                    MatchGame(game).opening_index(),
                    MatchGame(game).black_engine_index(),
                )
            })
            .collect();
        assert_eq!(plan, [(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert!(MatchGame(1).points(Some(Color::White)) > 0.9);
        assert_eq!(MatchGame(9).file_name(), "0010.csa");
    }
}
