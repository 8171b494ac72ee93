//! The results of searches for a mate.

use crate::session::MateOutcome;
use crate::usi::{Info, MateAnswer, Reply};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{History, Move};

/// The results of a search for a mate up to now.
#[derive(Debug, Default)]
pub(super) struct MateProgress {
    /// The moves of a mate from an `info`; empty without one.
    line: Vec<Move>,
    /// The outcome, once the engine has answered.
    outcome: Option<MateOutcome>,
}

impl MateProgress {
    /// Records the mate in an `info` of a search of this position. Returns whether the moves of the `info` end in mate.
    /// The search can then be stopped: some engines continue, and then answer `go mate` with `bestmove`.
    pub(super) fn record(&mut self, info: &Info, history: &History) -> bool {
        let mates = info
            .score
            .is_some_and(|score| matches!(score.raw, UsiScore::Mate { wins: true, .. }));
        let is_whole = mates && is_mate(history, &info.pv);
        if is_whole {
            self.line.clone_from(&info.pv);
        }
        is_whole
    }

    /// Records the answer to the search. `is_stopped` is whether the session has stopped the search.
    pub(super) fn end(&mut self, reply: &Reply, history: &History, is_stopped: bool) {
        self.outcome = Some(self.outcome_of(reply, history, is_stopped));
    }

    /// Returns the outcome; `None` before the engine has answered.
    pub(super) const fn outcome(&self) -> Option<&MateOutcome> {
        self.outcome.as_ref()
    }

    /// Returns the outcome that an answer means. A mate of an earlier `info` counts if the answer is a `bestmove`.
    fn outcome_of(&self, reply: &Reply, history: &History, is_stopped: bool) -> MateOutcome {
        let answer = match reply {
            Reply::Checkmate(answer) => answer,
            _ if self.line.is_empty() => return MateOutcome::NotImplemented,
            _ => return MateOutcome::Mate(self.line.clone()),
        };
        match answer {
            MateAnswer::Moves(moves) if is_mate(history, moves) => MateOutcome::Mate(moves.clone()),
            // Some engines send no moves if there is no mate. A stopped search proves nothing.
            MateAnswer::Moves(moves) if moves.is_empty() && !is_stopped => MateOutcome::NoMate,
            MateAnswer::NoMate if !is_stopped => MateOutcome::NoMate,
            // gpsusi sends an illegal move if it finds no mate.
            MateAnswer::Moves(_) | MateAnswer::NoMate | MateAnswer::Timeout => MateOutcome::Timeout,
            MateAnswer::NotImplemented => MateOutcome::NotImplemented,
        }
    }
}

fn is_mate(history: &History, moves: &[Move]) -> bool {
    let mut history = history.clone();
    moves.iter().all(|mv| history.play(*mv).is_ok()) && history.now().is_mate()
}
