//! The advantage of a side, in the levels that broadcasts use.

use super::{Value, WinRateModel};
use crate::shogi::Color;

/// The advantage of a side, in the words of Japanese commentators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AdvantageLevel {
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

/// The side that is ahead, and its level; `None` for 互角.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advantage(pub Option<(Color, AdvantageLevel)>);

impl Advantage {
    /// Returns the advantage for a value. The thresholds are those of `ShogiHome`, which apply at K = 600. They
    /// are scaled to the engine's K, so a level always means the same win rate.
    pub fn from_value(value: Value, model: WinRateModel) -> Self {
        match value {
            Value::Cp(cp) => Self::from_default_scale(model.to_default_scale(cp)),
            Value::Won(winner) | Value::Mate { winner, .. } => Self(Some((winner, AdvantageLevel::Won))),
        }
    }

    /// Returns the advantage for a win rate of Black without a value, such as a mean of several. The thresholds are
    /// those of [`from_value`](Self::from_value). The result is never [`Won`](AdvantageLevel::Won).
    pub fn from_win_rate(rate: f64) -> Self {
        Self::from_default_scale(WinRateModel::default().cp(rate.clamp(0.0, 1.0)))
    }

    /// Returns the advantage at `cp` centipawns of an engine whose K is the default.
    fn from_default_scale(cp: f64) -> Self {
        let level = match cp.abs() {
            ahead if ahead >= 1500.0 => AdvantageLevel::Winning,
            ahead if ahead >= 600.0 => AdvantageLevel::Superior,
            ahead if ahead >= 400.0 => AdvantageLevel::Better,
            ahead if ahead >= 200.0 => AdvantageLevel::Promising,
            _ => return Self(None),
        };
        Self(Some((if cp > 0.0 { Color::Black } else { Color::White }, level)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_a_win_rate_the_level_of_its_value() {
        for cp in [-1501, -600, -599, -399, -199, 0, 199, 201, 401, 650, 1499, 1501] {
            let (value, model) = (Value::Cp(cp), WinRateModel::new(750.0));
            assert_eq!(Advantage::from_win_rate(model.win_rate(value)), Advantage::from_value(value, model), "{cp}");
        }
        let end = |color| Advantage(Some((color, AdvantageLevel::Winning)));
        assert_eq!([0.0, 1.0].map(Advantage::from_win_rate), [end(Color::White), end(Color::Black)]);
        assert_eq!(Advantage::from_win_rate(f64::NAN), Advantage(None));
    }

    #[test]
    fn gives_the_same_level_for_the_same_win_rate_at_every_scale() {
        let check = |cp, k, expect| {
            assert_eq!(Advantage::from_value(Value::Cp(cp), WinRateModel::new(k)).0, expect, "{cp} at {k}");
        };
        let black = |level| Some((Color::Black, level));
        check(199, 600.0, None);
        check(200, 600.0, black(AdvantageLevel::Promising));
        check(400, 600.0, black(AdvantageLevel::Better));
        check(600, 600.0, black(AdvantageLevel::Superior));
        check(1500, 600.0, black(AdvantageLevel::Winning));
        check(-1500, 600.0, Some((Color::White, AdvantageLevel::Winning)));
        check(300, 300.0, black(AdvantageLevel::Superior));
        check(1200, 1200.0, black(AdvantageLevel::Superior));
        assert_eq!(
            Advantage::from_value(Value::Won(Color::White), WinRateModel::default()).0,
            Some((Color::White, AdvantageLevel::Won))
        );
    }
}
