//! The results of searches for a mate.

use super::Core;
use super::search::LatestSearch;
use crate::score::UsiScore;
use crate::session::{MateOutcome, MateSearch};
use crate::shogi::{History, Move};
use crate::usi::{Info, MateAnswer, Reply};
use std::sync::Arc;

/// What a search for a mate has found so far.
#[derive(Debug, Default)]
pub(super) struct MateProgress {
    /// A mate that an `info` states.
    line: Vec<Move>,
    /// The outcome, once the engine has answered.
    outcome: Option<MateOutcome>,
}

impl Core {
    /// Returns the result of the latest search if it was one for a mate.
    pub(super) fn mate_search(&self) -> Option<MateSearch> {
        let searched = self.finished_search()?;
        let result = searched.mate.as_ref()?.outcome.clone()?;
        Some(MateSearch { history: Arc::clone(&searched.history), result })
    }
}

impl LatestSearch {
    /// Notes what an `info` of a mate search states. Returns whether it is a whole mate: some engines search on, and
    /// then answer `go mate` with `bestmove`.
    pub(super) fn note_mate(&mut self, info: &Info) -> bool {
        let mates = info.score.is_some_and(|score| matches!(score.raw, UsiScore::Mate { wins: true, .. }));
        match &mut self.mate {
            Some(progress) if mates && is_mate(&self.history, &info.pv) => {
                progress.line.clone_from(&info.pv);
                true
            }
            _ => false,
        }
    }

    /// Notes the answer to a mate search. `is_stopped` is whether the session has stopped it.
    pub(super) fn end_mate(&mut self, reply: &Reply, is_stopped: bool) {
        if let Some(progress) = self.mate.as_mut().filter(|_| !self.aborted) {
            progress.outcome = Some(progress.outcome_of(reply, &self.history, is_stopped));
        }
    }
}

impl MateProgress {
    fn outcome_of(&self, reply: &Reply, history: &History, is_stopped: bool) -> MateOutcome {
        let answer = match reply {
            Reply::Checkmate(answer) => answer,
            _ if self.line.is_empty() => return MateOutcome::NotImplemented,
            _ => return MateOutcome::Mate(self.line.clone()),
        };
        match answer {
            MateAnswer::Moves(moves) if is_mate(history, moves) => MateOutcome::Mate(moves.clone()),
            // Some engines send no moves if there is none. What was stopped is no proof.
            MateAnswer::Moves(moves) if moves.is_empty() && !is_stopped => MateOutcome::NoMate,
            MateAnswer::NoMate if !is_stopped => MateOutcome::NoMate,
            // gpsusi sends an illegal move if it finds none.
            MateAnswer::Moves(_) | MateAnswer::NoMate | MateAnswer::Timeout => MateOutcome::Timeout,
            MateAnswer::NotImplemented => MateOutcome::NotImplemented,
        }
    }
}

/// Returns whether all moves are legal, and the last one mates.
fn is_mate(history: &History, moves: &[Move]) -> bool {
    let mut history = history.clone();
    moves.iter().all(|mv| history.play(*mv).is_ok()) && history.now().is_mate()
}
