//! The results of searches for a mate.

use super::Core;
use super::search::LatestSearch;
use crate::score::UsiScore;
use crate::session::{MateOutcome, MateSearch};
use crate::shogi::{History, Move};
use crate::usi::{Info, MateAnswer, Reply};
use std::sync::Arc;

impl Core {
    /// Returns the result of the latest search if it was one for a mate.
    pub(super) fn mate_search(&self) -> Option<MateSearch> {
        let searched = self.finished_search()?;
        Some(MateSearch { history: Arc::clone(&searched.history), result: searched.mate.clone()? })
    }
}

impl LatestSearch {
    /// Notes what an `info` of a mate search states. Returns whether it is a whole mate: some engines search on, and then
    /// answer `go mate` with `bestmove`.
    pub(super) fn note_mate(&mut self, info: &Info) -> bool {
        let mates = info.score.is_some_and(|score| matches!(score.raw, UsiScore::Mate { wins: true, .. }));
        if self.is_mate && mates && is_mate(&self.history, &info.pv) {
            self.mating_line.clone_from(&info.pv);
            return true;
        }
        false
    }

    /// Returns the result that an answer gives. `is_stopped` is whether the session has stopped the search.
    pub(super) fn mate_outcome(&self, reply: &Reply, is_stopped: bool) -> MateOutcome {
        let answer = match reply {
            Reply::Checkmate(answer) => answer,
            _ if self.mating_line.is_empty() => return MateOutcome::NotImplemented,
            _ => return MateOutcome::Mate(self.mating_line.clone()),
        };
        match answer {
            // Some engines send no moves if there is none.
            MateAnswer::Moves(moves) if moves.is_empty() => MateOutcome::NoMate,
            MateAnswer::Moves(moves) if is_mate(&self.history, moves) => MateOutcome::Mate(moves.clone()),
            // gpsusi sends an illegal move if it finds none.
            MateAnswer::Moves(_) => MateOutcome::Timeout,
            MateAnswer::NoMate if is_stopped => MateOutcome::Timeout,
            MateAnswer::NoMate => MateOutcome::NoMate,
            MateAnswer::Timeout => MateOutcome::Timeout,
            MateAnswer::NotImplemented => MateOutcome::NotImplemented,
        }
    }
}

/// Returns whether all moves are legal, and the last one mates.
fn is_mate(history: &History, moves: &[Move]) -> bool {
    let mut history = history.clone();
    moves.iter().all(|mv| history.play(*mv).is_ok()) && history.now().is_mate()
}
