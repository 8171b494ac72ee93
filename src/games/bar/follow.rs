//! The follow mode of the bar: one of the engines, or their mean.

use super::freshness::Freshness;
use super::input::{EngineReport, FollowMode};
use crate::observer::SearchStats;
use crate::score::{Advantage, Value, WinRateModel};
use crate::session::{EngineState, Snapshot};
use crate::shogi::{Color, History};
use std::sync::Arc;

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchProgress {
    /// The depth, in plies.
    depth: u32,
    /// The time, in milliseconds.
    time: u64,
}

/// A search is worth showing from here on.
const WORTH_SHOWING: SearchProgress = SearchProgress { depth: 6, time: 500 };
/// The progress before which a search with missing candidates will have more of them.
pub(super) const COMPLETE: SearchProgress = SearchProgress { depth: 10, time: 2_000 };

/// Returns whether an engine's search has neither reached this progress nor ended with an answer. Its process may have
/// ended. A search that found a mate, or reports neither depth nor time, has reached it.
pub(super) fn is_before(snapshot: &Snapshot, progress: SearchProgress) -> bool {
    let Some(shown) = &snapshot.search_info else { return false };
    let SearchStats { depth, time, .. } = shown.stats;
    let has_ended = snapshot.result.as_ref().is_some_and(|answer| answer.history == shown.history);
    let may_go_on = matches!(
        snapshot.state,
        EngineState::Thinking | EngineState::Silent | EngineState::Restarting(_) | EngineState::Failed(_)
    );
    may_go_on
        && !has_ended
        && shown.best().is_some_and(|best| best.value.winner().is_none())
        && depth.is_some_and(|depth| depth < progress.depth && time.is_some_and(|time| time < progress.time))
}

/// Returns whether an engine's values are shallow, so that they will change soon.
pub(super) fn is_shallow(snapshot: &Snapshot) -> bool {
    is_before(snapshot, WORTH_SHOWING)
}

/// Returns whether an engine's search of a position was deep enough for a meaningful first line.
pub fn is_settled(snapshot: &Snapshot) -> bool {
    snapshot.search_info.is_some() && !is_before(snapshot, COMPLETE)
}

/// An engine's value of a position.
#[derive(Clone, Debug)]
pub(super) struct EngineEval {
    pub(super) age: Freshness,
    pub(super) value: Value,
    is_shallow: bool,
    model: WinRateModel,
    history: Arc<History>,
}

impl EngineEval {
    /// Returns the engine's latest value, of the current position or of an earlier one.
    pub(super) fn from_snapshot(snapshot: &Snapshot, now: &History) -> Option<Self> {
        let shown = snapshot.search_info.as_ref()?;
        let age = Freshness::new(&shown.history, snapshot.is_from_old_process, now);
        let (value, is_shallow) = (shown.best()?.value, is_shallow(snapshot));
        Some(Self { age, value, is_shallow, model: snapshot.model, history: Arc::clone(&shown.history) })
    }

    /// Returns Black's win rate, from 0 to 1.
    pub(super) fn win_rate(&self) -> f64 {
        self.model.win_rate(self.value)
    }
}

/// The evaluation that the bar shows, from values of one position.
#[derive(Debug)]
pub(super) struct Consensus {
    pub(super) age: Freshness,
    /// The mean of Black's win rates, from 0 to 1.
    pub(super) win_rate: f64,
    /// The value, where one engine is followed, or where all followed engines see the same winner. Centipawns of two
    /// engines have different scales, so a mean of them has no meaning.
    pub(super) value: Option<Value>,
    pub(super) situation: Advantage,
    /// Whether the evaluation is the mean of several engines.
    pub(super) is_mean: bool,
    /// Whether the evaluation consists only of shallow values, so that it will change soon.
    pub(super) is_shallow: bool,
}

impl Consensus {
    /// Computes the consensus of the followed engines. Of several engines, only those with values of the nearest
    /// position count, even if the process has ended. A shallow value does not count beside a deeper one.
    pub(super) fn compute(engines: &[EngineReport], follow: FollowMode, now: &History) -> Option<Self> {
        let followed = engines.iter().enumerate().filter(|(engine, _)| follow.has(*engine));
        let mut evals: Vec<_> =
            followed.filter_map(|(_, report)| EngineEval::from_snapshot(&report.snapshot, now)).collect();
        let nearest = evals.iter().min_by_key(|eval| eval.age)?;
        // Values of two positions have no mean.
        let (age, history) = (nearest.age, Arc::clone(&nearest.history));
        evals.retain(|eval| eval.history == history);
        if evals.iter().any(|eval| !eval.is_shallow) {
            evals.retain(|eval| !eval.is_shallow);
        }
        let count = u32::try_from(evals.len()).unwrap_or(u32::MAX);
        let win_rate = evals.iter().map(EngineEval::win_rate).sum::<f64>() / f64::from(count);
        let value = common_value(&evals);
        let situation = match (value, evals.first()) {
            (Some(value), Some(first)) => Advantage::from_value(value, first.model),
            _ => Advantage::from_win_rate(win_rate),
        };
        let is_shallow = evals.iter().all(|eval| eval.is_shallow);
        Some(Self { age, win_rate, value, situation, is_mean: count > 1, is_shallow })
    }
}

/// Returns the single value. For several values with the same winner, returns the shortest win.
fn common_value(evals: &[EngineEval]) -> Option<Value> {
    let values = || evals.iter().map(|eval| eval.value);
    let first = values().next()?;
    match first.winner() {
        _ if evals.len() == 1 => Some(first),
        Some(winner) if values().all(|value| value.winner() == Some(winner)) => match winner {
            Color::Black => values().max(),
            Color::White => values().min(),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::FollowMode;

    #[test]
    fn cycles_through_engines_and_their_mean() {
        let check = |engines, expect: &[FollowMode]| {
            let mut follow = FollowMode::One(0);
            for next in expect {
                follow = follow.next(engines);
                assert_eq!(follow, *next, "of {engines}");
            }
        };
        check(0, &[FollowMode::One(0)]);
        check(1, &[FollowMode::One(0), FollowMode::One(0)]);
        check(2, &[FollowMode::One(1), FollowMode::Mean, FollowMode::One(0), FollowMode::One(1)]);
        check(3, &[FollowMode::One(1), FollowMode::One(2), FollowMode::Mean, FollowMode::One(0)]);
    }
}
