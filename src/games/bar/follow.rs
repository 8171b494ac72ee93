//! The evaluation by the engines that the bar follows: one engine, or the mean of all.

use super::freshness::Freshness;
use super::input::{EngineReport, FollowMode};
use shogibar_engine::observer::SearchStats;
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, History};
use std::sync::Arc;

#[derive(Clone, Copy, Debug)]
pub(super) struct SearchProgress {
    /// The depth of the search in plies.
    depth: u32,
    /// The time of the search in milliseconds.
    time: u64,
}

/// The progress below which values count as shallow. Reaching the depth or the time is enough.
const SHALLOW_LIMIT: SearchProgress = SearchProgress { depth: 6, time: 500 };
/// The progress from which missing candidates are no longer expected. Reaching the depth or the time is enough.
pub(super) const COMPLETE_PROGRESS: SearchProgress = SearchProgress {
    depth: 10,
    time: 2_000,
};

/// Returns whether a search has neither reached this progress nor ended with a result. A search of an ended process may
/// continue after a restart. A search with a mate, or without a reported depth or time, has reached the progress.
pub(super) fn has_not_reached(snapshot: &Snapshot, progress: SearchProgress) -> bool {
    let Some(shown) = &snapshot.search_info else {
        return false;
    };
    let SearchStats { depth, time, .. } = shown.stats;
    let has_ended = snapshot
        .result
        .as_ref()
        .is_some_and(|answer| answer.history == shown.history);
    let may_go_on = matches!(
        snapshot.state,
        EngineState::Thinking | EngineState::Silent | EngineState::Restarting(_) | EngineState::Failed(_)
    );
    may_go_on
        && !has_ended
        && shown.best().is_some_and(|best| best.value.winner().is_none())
        && depth.is_some_and(|depth| depth < progress.depth && time.is_some_and(|time| time < progress.time))
}

/// Returns whether the values of an engine are shallow, so that they will change soon.
pub(super) fn is_shallow(snapshot: &Snapshot) -> bool {
    has_not_reached(snapshot, SHALLOW_LIMIT)
}

/// Returns whether the search of an engine is so deep that its first line hardly changes any more.
pub fn is_settled(snapshot: &Snapshot) -> bool {
    snapshot.search_info.is_some() && !has_not_reached(snapshot, COMPLETE_PROGRESS)
}

/// An engine's value of a position.
#[derive(Clone, Debug)]
pub(super) struct EngineEval {
    pub(super) age: Freshness,
    pub(super) value: Value,
    is_shallow: bool,
    model: WinRateModel,
    /// The position of the value, and the moves that led to it.
    history: Arc<History>,
}

impl EngineEval {
    /// Returns the latest value of an engine, of the current position or of another one; `None` without a value.
    pub(super) fn from_snapshot(snapshot: &Snapshot, now: &History) -> Option<Self> {
        let shown = snapshot.search_info.as_ref()?;
        let age = Freshness::new(&shown.history, snapshot.is_from_old_process, now);
        let (value, is_shallow) = (shown.best()?.value, is_shallow(snapshot));
        Some(Self {
            age,
            value,
            is_shallow,
            model: snapshot.model,
            history: Arc::clone(&shown.history),
        })
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
    /// The value of a single engine, or of several engines that have the same winner; `None` otherwise. The centipawns
    /// of two engines have different scales, so they have no mean.
    pub(super) value: Option<Value>,
    /// Whether the evaluation is the mean of several engines.
    pub(super) is_mean: bool,
    /// Whether the evaluation consists only of shallow values, so that it will change soon.
    pub(super) is_shallow: bool,
}

impl Consensus {
    /// Computes the consensus of the followed engines; `None` if none has a value. Only the values of the position
    /// nearest to the current one count. A shallow value does not count beside a deeper one.
    pub(super) fn compute(engines: &[EngineReport], follow: FollowMode, now: &History) -> Option<Self> {
        let followed = engines
            .iter()
            .enumerate()
            .filter(|(engine, _)| follow.follows(*engine));
        let mut evals: Vec<_> = followed
            .filter_map(|(_, report)| EngineEval::from_snapshot(&report.snapshot, now))
            .collect();
        let nearest = evals.iter().min_by_key(|eval| eval.age)?;
        // The values of different positions have no mean.
        let (age, history) = (nearest.age, Arc::clone(&nearest.history));
        evals.retain(|eval| eval.history == history);
        if evals.iter().any(|eval| !eval.is_shallow) {
            evals.retain(|eval| !eval.is_shallow);
        }
        let count = u32::try_from(evals.len()).unwrap_or(u32::MAX);
        let win_rate = evals.iter().map(EngineEval::win_rate).sum::<f64>() / f64::from(count);
        let value = common_value(&evals);
        let is_shallow = evals.iter().all(|eval| eval.is_shallow);
        Some(Self {
            age,
            win_rate,
            value,
            is_mean: count > 1,
            is_shallow,
        })
    }
}

/// Returns the value if there is only one. Returns the shortest win if all values have the same winner, else `None`.
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
        check(
            2,
            &[
                FollowMode::One(1),
                FollowMode::Mean,
                FollowMode::One(0),
                FollowMode::One(1),
            ],
        );
        check(
            3,
            &[
                FollowMode::One(1),
                FollowMode::One(2),
                FollowMode::Mean,
                FollowMode::One(0),
            ],
        );
    }
}
