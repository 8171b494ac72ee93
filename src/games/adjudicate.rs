//! Decides when a game in which an engine plays is over.

use shogibar_engine::usi::BestMove;
use shogibar_kifu::{End, Outcome, Reason};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move, Position};

/// The number of plies after which a game is a draw.
pub const MAX_PLIES: u16 = 320;

/// The number of last evaluations of each engine that must be certain of the same winner.
const CERTAIN_EVALUATIONS: usize = 4;

/// The end mark of CSA for a game that an engine could not continue.
const FAILURE_END_MARK: &str = "%ERROR";

/// The reason why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEnd {
    /// The side to move is mated, or has no move.
    Mate,
    /// The side to move wins by declaration (入玉, 27 points).
    Declaration,
    /// The side to move resigns.
    Resignation,
    /// The side to move has no time left.
    TimeUp,
    /// The last evaluations of both engines are certain of this winner.
    Certain(Color),
    /// The position has occurred four times.
    Repetition,
    /// This side has given check throughout a repetition, and loses.
    PerpetualCheck(Color),
    /// The game has [`MAX_PLIES`] plies, and is a draw.
    MaxPlies,
    /// The side to move has played an illegal move, or wrongly declared a win.
    IllegalMove,
    /// The engine of the side to move has failed.
    Failed,
}

/// Decides when a game is over, by its last position, its evaluations and its number of plies.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    /// The minimum evaluation of a certain win, in centipawns; `None` if games are played to their end.
    resign_cp: Option<u32>,
    /// The certain winner by each evaluation, in the order of the game; `None` for an uncertain one.
    certain_winners: Vec<Option<Color>>,
    /// The number of plies of the game.
    plies: u16,
}

impl GameEnd {
    /// Returns why a game is over by the rules, without an action of a player; `None` if the game continues.
    pub fn from_position(now: &Position) -> Option<Self> {
        let Some(repetition) = now.repetition() else {
            return now.legal_moves().is_empty().then_some(Self::Mate);
        };
        let winner = repetition.winner(now.side_to_move());
        Some(winner.map_or(Self::Repetition, |winner| Self::PerpetualCheck(winner.flip())))
    }

    /// Returns the winner of a game that ends when `mover` is to move; `None` for a draw.
    pub fn winner(self, mover: Color) -> Option<Color> {
        match self {
            Self::Mate | Self::Resignation | Self::TimeUp | Self::IllegalMove | Self::Failed => {
                Some(mover.flip())
            }
            Self::Declaration => Some(mover),
            Self::Certain(winner) => Some(winner),
            Self::PerpetualCheck(loser) => Some(loser.flip()),
            Self::Repetition | Self::MaxPlies => None,
        }
    }

    /// Returns whether the end of a record is a failure of the engine to move.
    pub fn is_failure(end: &End) -> bool {
        end.reason == Reason::Other && end.words() == FAILURE_END_MARK
    }

    /// Returns the end as a record has it. If an engine has failed, the record's end has no winner, but an end mark
    /// that [`Self::is_failure`] recognizes.
    pub fn record_end(self, mover: Color) -> End {
        let reason = match self {
            Self::Mate => Reason::Checkmate,
            Self::Declaration => Reason::Declaration,
            Self::Resignation | Self::Certain(_) => Reason::Resignation,
            Self::TimeUp => Reason::TimeUp,
            Self::Repetition => Reason::Repetition,
            Self::PerpetualCheck(_) | Self::IllegalMove => Reason::Foul,
            Self::MaxPlies => Reason::MaxMoves,
            Self::Failed => return End::new(Reason::Other, Outcome::Open, FAILURE_END_MARK),
        };
        End::new(reason, self.winner(mover).map_or(Outcome::Draw, Outcome::Win), "")
    }
}

impl Adjudicator {
    /// Creates an adjudicator for a game. With `resign_cp`, the game ends once the last evaluations of both engines
    /// give one side this number of centipawns or more, or a mate. Without it, evaluations do not end the game.
    pub const fn new(resign_cp: Option<u32>) -> Self {
        Self {
            resign_cp,
            certain_winners: Vec::new(),
            plies: 0,
        }
    }

    /// Records a move with the evaluation by the engine that played the move, from Black's view; `None` without one.
    pub fn on_move(&mut self, value: Option<Value>) {
        self.plies = self.plies.saturating_add(1);
        self.certain_winners.push(value.and_then(|value| match value {
            Value::Cp(cp) if self.resign_cp.is_some_and(|limit| cp.unsigned_abs() >= limit) => {
                Some(if cp > 0 { Color::Black } else { Color::White })
            }
            value => value.winner(),
        }));
    }

    /// Returns the reason why the game is over in a position; `None` if the game continues.
    pub fn end(&self, now: &Position) -> Option<GameEnd> {
        let mover = now.side_to_move();
        if let Some(end) = GameEnd::from_position(now) {
            return Some(end);
        }
        if now.can_declare_win() {
            return Some(GameEnd::Declaration);
        }
        let last_winners = self.certain_winners.iter().rev().take(2 * CERTAIN_EVALUATIONS);
        if self.resign_cp.is_some() && self.certain_winners.len() >= 2 * CERTAIN_EVALUATIONS {
            // The losing side resigns when it is to move.
            let winner = mover.flip();
            if last_winners.clone().all(|certain| *certain == Some(winner)) {
                return Some(GameEnd::Certain(winner));
            }
        }
        (self.plies >= MAX_PLIES).then_some(GameEnd::MaxPlies)
    }

    /// Returns the move of a `bestmove` in a position.
    ///
    /// # Errors
    /// Fails if the `bestmove` ends the game: returns the reason.
    pub fn interpret(now: &Position, best: BestMove) -> Result<Move, GameEnd> {
        match best {
            BestMove::Move(mv) if now.is_legal(mv) => Ok(mv),
            BestMove::Resign => Err(GameEnd::Resignation),
            BestMove::Win if now.can_declare_win() => Err(GameEnd::Declaration),
            BestMove::Move(_) | BestMove::Win | BestMove::None => Err(GameEnd::IllegalMove),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_shogi::History;

    fn position(usi: &str) -> Position {
        History::from_usi(usi).unwrap().now().clone()
    }

    /// Checks the end of a game in a position after moves with these evaluations in centipawns.
    fn check(usi: &str, resign: Option<u32>, values: &[i32], expect: Option<GameEnd>) {
        let mut adjudicator = Adjudicator::new(resign);
        for cp in values {
            adjudicator.on_move(Value::from_cp(*cp));
        }
        assert_eq!(adjudicator.end(&position(usi)), expect, "{usi} {values:?}");
    }

    #[test]
    fn a_game_ends_by_the_rules() {
        check("startpos", None, &[], None);
        let round = "2h3h 8b7b 3h2h 7b8b ";
        check(&format!("startpos moves {}", round.repeat(2)), None, &[], None);
        check(
            &format!("startpos moves {}", round.repeat(3)),
            None,
            &[],
            Some(GameEnd::Repetition),
        );
        // Black gives check from 5h and 4h in turn.
        let checks = "sfen 4k4/9/9/9/9/9/9/7R1/K8 b - 1 moves 2h5h 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h 5a4a 5h4h 4a5a 4h5h";
        check(checks, None, &[], Some(GameEnd::PerpetualCheck(Color::Black)));
        check(
            "sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1",
            None,
            &[],
            Some(GameEnd::Mate),
        );
        let entered = "sfen 1K7/+R+B+RPPPPPP/PP1+B+P4/9/9/9/9/9/4k4 b 4G4S4N4L8P 1";
        check(entered, None, &[], Some(GameEnd::Declaration));
        check("startpos", None, &[0; 319], None);
        check("startpos", None, &[0; 320], Some(GameEnd::MaxPlies));
    }

    #[test]
    fn a_long_certain_score_ends_a_game() {
        let black_to_move = |values: &[i32], expect| check("startpos", Some(2000), values, expect);
        black_to_move(&[-2500; 8], Some(GameEnd::Certain(Color::White)));
        black_to_move(&[-2500; 7], None);
        black_to_move(&[2500; 8], None);
        black_to_move(&[-2500, -2500, -2500, -1900, -2500, -2500, -2500, -2500], None);
        black_to_move(&[-30_000; 8], Some(GameEnd::Certain(Color::White)));
        check(
            "startpos moves 7g7f",
            Some(2000),
            &[2500; 9],
            Some(GameEnd::Certain(Color::Black)),
        );
        check("startpos", None, &[-2500; 8], None);
    }

    #[test]
    fn answers_are_moves_or_ends() {
        let start = position("startpos");
        let legal = Move::from_usi("7g7f").unwrap();
        let check = |best, expect| assert_eq!(Adjudicator::interpret(&start, best), expect, "{best:?}");
        check(BestMove::Move(legal), Ok(legal));
        check(
            BestMove::Move(Move::from_usi("7g7e").unwrap()),
            Err(GameEnd::IllegalMove),
        );
        check(BestMove::Resign, Err(GameEnd::Resignation));
        check(BestMove::Win, Err(GameEnd::IllegalMove));
        check(BestMove::None, Err(GameEnd::IllegalMove));
        assert_eq!(GameEnd::Resignation.winner(Color::Black), Some(Color::White));
        assert_eq!(GameEnd::Declaration.winner(Color::Black), Some(Color::Black));
        assert_eq!(GameEnd::MaxPlies.winner(Color::Black), None);
    }
}
