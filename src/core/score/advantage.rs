//! How a position stands, in the steps that broadcasts name.

use super::{Model, Value};
use crate::shogi::Color;

/// How far a side is ahead.
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

/// Who is ahead and how far; `None` for 互角.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advantage(pub Option<(Color, AdvantageLevel)>);

impl Advantage {
    /// The situation a value stands for. The steps are those of `ShogiHome`, taken at K = 600 and
    /// scaled to the engine's own K, so that a word always means the same win rate.
    pub fn from_value(value: Value, model: Model) -> Self {
        match value {
            Value::Cp(cp) => Self::at(f64::from(cp) * Model::DEFAULT_K / model.k()),
            Value::Won(winner) | Value::Mate { winner, .. } => Self(Some((winner, AdvantageLevel::Won))),
        }
    }

    /// The situation a win rate of Black's stands for that is nobody's value, as a mean of several: the
    /// same words for the same rates, and never decided.
    pub fn from_win_rate(rate: f64) -> Self {
        let rate = rate.clamp(0.0, 1.0);
        Self::at((rate / (1.0 - rate)).ln() * Model::DEFAULT_K)
    }

    /// The situation at so many centipawns of an engine whose K is the default.
    fn at(cp: f64) -> Self {
        let standing = match cp.abs() {
            ahead if ahead >= 1500.0 => AdvantageLevel::Winning,
            ahead if ahead >= 600.0 => AdvantageLevel::Superior,
            ahead if ahead >= 400.0 => AdvantageLevel::Better,
            ahead if ahead >= 200.0 => AdvantageLevel::Promising,
            _ => return Self(None),
        };
        Self(Some((if cp > 0.0 { Color::Black } else { Color::White }, standing)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_has_the_word_of_its_value() {
        for cp in [-1501, -600, -599, -399, -199, 0, 199, 201, 401, 650, 1499, 1501] {
            let (value, model) = (Value::Cp(cp), Model::new(750.0));
            assert_eq!(Advantage::from_win_rate(model.win_rate(value)), Advantage::from_value(value, model), "{cp}");
        }
        let end = |color| Advantage(Some((color, AdvantageLevel::Winning)));
        assert_eq!([0.0, 1.0].map(Advantage::from_win_rate), [end(Color::White), end(Color::Black)]);
        assert_eq!(Advantage::from_win_rate(f64::NAN), Advantage(None));
    }

    #[test]
    fn a_word_means_the_same_win_rate_at_every_scale() {
        let check =
            |cp, k, expect| assert_eq!(Advantage::from_value(Value::Cp(cp), Model::new(k)).0, expect, "{cp} at {k}");
        let black = |standing| Some((Color::Black, standing));
        check(199, 600.0, None);
        check(200, 600.0, black(AdvantageLevel::Promising));
        check(400, 600.0, black(AdvantageLevel::Better));
        check(600, 600.0, black(AdvantageLevel::Superior));
        check(1500, 600.0, black(AdvantageLevel::Winning));
        check(-1500, 600.0, Some((Color::White, AdvantageLevel::Winning)));
        check(300, 300.0, black(AdvantageLevel::Superior));
        check(1200, 1200.0, black(AdvantageLevel::Superior));
        assert_eq!(
            Advantage::from_value(Value::Won(Color::White), Model::default()).0,
            Some((Color::White, AdvantageLevel::Won))
        );
    }
}
