//! How a position stands, in the steps that broadcasts name.

use super::{Model, Value};
use crate::shogi::Color;

/// How far a side is ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// 有望: from 200 cp at K = 600.
    Promising,
    /// 有利: from 400 cp at K = 600.
    Better,
    /// 優勢: from 600 cp at K = 600.
    Superior,
    /// 勝勢: from 1500 cp at K = 600.
    Winning,
    /// A mate or a sentinel.
    Won,
}

/// Who is ahead and how far; `None` for 互角.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Situation(pub Option<(Color, Standing)>);

impl Situation {
    /// The situation a value stands for. The steps are those of `ShogiHome`, taken at K = 600 and
    /// scaled to the engine's own K, so that a word always means the same win rate.
    pub fn of(value: Value, model: Model) -> Self {
        let cp = match value {
            Value::Cp(cp) => f64::from(cp) * Model::DEFAULT_K / model.k(),
            Value::Won(winner) | Value::Mate { winner, .. } => return Self(Some((winner, Standing::Won))),
        };
        let standing = match cp.abs() {
            ahead if ahead >= 1500.0 => Standing::Winning,
            ahead if ahead >= 600.0 => Standing::Superior,
            ahead if ahead >= 400.0 => Standing::Better,
            ahead if ahead >= 200.0 => Standing::Promising,
            _ => return Self(None),
        };
        Self(Some((if cp > 0.0 { Color::Black } else { Color::White }, standing)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_the_same_win_rate_at_every_scale() {
        let check = |cp, k, expect| assert_eq!(Situation::of(Value::Cp(cp), Model::new(k)).0, expect, "{cp} at {k}");
        let black = |standing| Some((Color::Black, standing));
        check(199, 600.0, None);
        check(200, 600.0, black(Standing::Promising));
        check(400, 600.0, black(Standing::Better));
        check(600, 600.0, black(Standing::Superior));
        check(1500, 600.0, black(Standing::Winning));
        check(-1500, 600.0, Some((Color::White, Standing::Winning)));
        check(300, 300.0, black(Standing::Superior));
        check(1200, 1200.0, black(Standing::Superior));
        assert_eq!(Situation::of(Value::Won(Color::White), Model::default()).0, Some((Color::White, Standing::Won)));
    }
}
