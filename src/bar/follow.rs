//! Whom the bar follows: one of the engines, or all of them taken together.

use super::EngineReport;
use crate::score::{Advantage, Model, Value};
use crate::session::Snapshot;
use crate::shogi::{Color, History};
use std::sync::Arc;

/// Whom the bar follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FollowMode {
    /// This engine, counted from 0.
    One(usize),
    /// The mean of what they say.
    Mean,
}

impl FollowMode {
    /// The next of so many engines, their mean after the last, and the first after that.
    #[must_use]
    pub const fn next(self, engines: usize) -> Self {
        match self {
            Self::One(engine) if engine + 1 < engines => Self::One(engine + 1),
            Self::One(_) if engines > 1 => Self::Mean,
            Self::One(_) | Self::Mean => Self::One(0),
        }
    }

    /// The engine that stands for the others where there is room for one.
    pub const fn lead(self) -> usize {
        match self {
            Self::One(engine) => engine,
            Self::Mean => 0,
        }
    }

    /// Whether the bar follows this engine, alone or with others.
    pub fn has(self, engine: usize) -> bool {
        match self {
            Self::One(one) => one == engine,
            Self::Mean => true,
        }
    }
}

/// How far from the truth about the position on view a value is; the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Freshness {
    /// It is of this position.
    Now,
    /// It is, and the process that said it is gone.
    Outdated,
    /// It is of another position, so many moves away in the game.
    Elsewhere(usize),
}

impl Freshness {
    /// Whether it is another position's.
    pub(super) const fn is_elsewhere(self) -> bool {
        matches!(self, Self::Elsewhere(_))
    }
}

/// An engine's value of a position.
#[derive(Clone, Debug)]
pub(super) struct EngineEval {
    pub(super) age: Freshness,
    pub(super) value: Value,
    model: Model,
    history: Arc<History>,
}

impl EngineEval {
    /// What an engine holds of the position on view, or held last.
    pub(super) fn from_snapshot(snapshot: &Snapshot, now: &History) -> Option<Self> {
        let shown = snapshot.shown.as_ref()?;
        let age = match (*shown.history == *now, snapshot.outdated) {
            (true, false) => Freshness::Now,
            (true, true) => Freshness::Outdated,
            (false, _) => Freshness::Elsewhere(shown.history.moves().len().abs_diff(now.moves().len())),
        };
        Some(Self { age, value: shown.best()?.value, model: snapshot.model, history: Arc::clone(&shown.history) })
    }

    /// Black's win rate, from 0 to 1.
    pub(super) fn win_rate(&self) -> f64 {
        self.model.win_rate(self.value)
    }
}

/// What the bar is to show: opinions of one age, of one position.
#[derive(Debug)]
pub(super) struct Consensus {
    pub(super) age: Freshness,
    /// Black's win rate, from 0 to 1: the mean of theirs.
    pub(super) win_rate: f64,
    /// The value, where one engine alone is followed, and where all that are know who wins; centipawns of
    /// two engines are of two scales, and their mean would be of none.
    pub(super) value: Option<Value>,
    pub(super) situation: Advantage,
    /// Whether it is of several.
    pub(super) is_mean: bool,
}

impl Consensus {
    /// The verdict of those who are followed; of several those count that have a value for the position on view.
    pub(super) fn compute(engines: &[EngineReport], follow: FollowMode, now: &History) -> Option<Self> {
        let followed = engines.iter().enumerate().filter(|(engine, _)| follow.has(*engine));
        let mut opinions: Vec<_> =
            followed.filter_map(|(_, heard)| EngineEval::from_snapshot(&heard.snapshot, now)).collect();
        let nearest = opinions.iter().min_by_key(|opinion| opinion.age)?;
        // What was said of two positions has no mean.
        let (age, history) = (nearest.age, Arc::clone(&nearest.history));
        opinions.retain(|opinion| opinion.age == age && opinion.history == history);
        let count = u32::try_from(opinions.len()).unwrap_or(u32::MAX);
        let win_rate = opinions.iter().map(EngineEval::win_rate).sum::<f64>() / f64::from(count);
        let value = common_value(&opinions);
        let situation = match (value, opinions.first()) {
            (Some(value), Some(first)) => Advantage::from_value(value, first.model),
            _ => Advantage::from_win_rate(win_rate),
        };
        Some(Self { age, win_rate, value, situation, is_mean: count > 1 })
    }
}

/// The value of the only one, or of the one who knows best how the game is won that all think won.
fn common_value(opinions: &[EngineEval]) -> Option<Value> {
    let values = || opinions.iter().map(|opinion| opinion.value);
    let first = values().next()?;
    match first.winner() {
        _ if opinions.len() == 1 => Some(first),
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
    fn a_key_goes_through_all_and_their_mean() {
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
