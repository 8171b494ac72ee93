//! The conversion of centipawns to win rates.

use super::Value;
use crate::Color;
use std::ops::RangeInclusive;

/// The logistic curve from centipawns to win rates, with the scale of an engine.
///
/// `p = 1 / (1 + exp(-cp / K))`. 1000 cp are 97 % with K = 285 and 66 % with
/// K = 1500. So each engine has its own K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateModel {
    k: f64,
}

impl WinRateModel {
    /// The scale of Ponanza, which most programs use: 600.
    pub const DEFAULT_K: f64 = 600.0;

    /// The scales that a user can set, in centipawns.
    pub const K_RANGE: RangeInclusive<f64> = 1.0..=100_000.0;

    /// The models in use: ふかうら王, Ponanza and most later programs, `ShogiDroid`, dlshogi's training, tayayan's bar,
    /// lishogi. `text::engines` describes these to the user.
    pub const PRESETS: [Self; 6] = [
        Self::new(285.0),
        Self::new(Self::DEFAULT_K),
        Self::new(750.0),
        Self::new(756.0865),
        Self::new(1200.0),
        Self::new(1428.57),
    ];

    /// Creates a model with a scale that the user set; `None` if the scale is outside [`K_RANGE`](Self::K_RANGE).
    pub fn from_k(k: f64) -> Option<Self> {
        Self::K_RANGE.contains(&k).then_some(Self { k })
    }

    /// Creates a model with any scale, such as one that an engine reports. The scale is clamped to 1 to 1,000,000; NaN
    /// becomes the default.
    pub const fn new(k: f64) -> Self {
        Self {
            k: if k.is_nan() {
                Self::DEFAULT_K
            } else {
                k.clamp(1.0, 1_000_000.0)
            },
        }
    }

    /// Returns the scale, in centipawns.
    pub const fn k(self) -> f64 {
        self.k
    }

    /// Returns Black's win rate, from 0 to 1. Decided values give exactly 0 or 1, and so do centipawns where
    /// the curve is close enough to its ends.
    pub fn win_rate(self, value: Value) -> f64 {
        match value {
            Value::Cp(cp) => self.logistic(f64::from(cp)),
            Value::Won(winner) | Value::Mate { winner, .. } => match winner {
                Color::Black => 1.0,
                Color::White => 0.0,
            },
        }
    }

    /// Returns the win rate of a side in whole percent, for a value.
    pub fn percent_of(self, value: Value, side: Color) -> u8 {
        let (black, white) = percent(self.win_rate(value), value.winner().is_some());
        if side == Color::Black { black } else { white }
    }

    /// Returns the centipawns of a win rate of Black, from 0 to 1; infinite for 0 and 1.
    pub fn cp(self, win_rate: f64) -> f64 {
        (win_rate / (1.0 - win_rate)).ln() * self.k
    }

    /// Returns the win rate of centipawns. The loser's rate is computed first, so that `p(x) + p(-x)` is exactly 1.
    fn logistic(self, cp: f64) -> f64 {
        let loser = 1.0 / (1.0 + (cp.abs() / self.k).exp());
        if cp < 0.0 { loser } else { 1.0 - loser }
    }
}

impl Default for WinRateModel {
    fn default() -> Self {
        Self::new(Self::DEFAULT_K)
    }
}

/// Returns Black's and White's share in whole percent, which always add up to 100. The share of an undecided value is
/// never 0 or 100.
pub fn percent(win_rate: f64, decided: bool) -> (u8, u8) {
    let black = (win_rate.clamp(0.0, 1.0) * 100.0).round();
    let black = if decided { black } else { black.clamp(1.0, 99.0) };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0..=100 above"
    )]
    let black = black as u8;
    (black, 100 - black)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gives_the_win_rates_of_other_programs() {
        let check = |cp, k, percent: f64| {
            let p = WinRateModel::new(k).win_rate(Value::Cp(cp)) * 100.0;
            assert!((p - percent).abs() < 0.05, "{cp} cp at K = {k}: {p}");
        };
        check(0, 600.0, 50.0);
        check(100, 285.0, 58.7);
        check(1000, 285.0, 97.1);
        check(300, 600.0, 62.2);
        check(800, 600.0, 79.1);
        check(500, 756.0865, 66.0);
        check(-1000, 1428.57, 33.2);
    }

    #[test]
    fn clamps_invalid_scales() {
        assert!((WinRateModel::new(f64::NAN).k() - WinRateModel::DEFAULT_K).abs() < f64::EPSILON);
        assert!((WinRateModel::new(0.0).k() - 1.0).abs() < f64::EPSILON);
        assert!((WinRateModel::new(f64::INFINITY).k() - 1_000_000.0).abs() < f64::EPSILON);
    }

    #[test]
    fn shows_a_hundred_percent_only_for_decided_values() {
        assert_eq!(percent(0.9999, false), (99, 1));
        assert_eq!(percent(0.0001, false), (1, 99));
        assert_eq!(percent(1.0, true), (100, 0));
        assert_eq!(percent(0.625, false), (63, 37));
    }

    fn values() -> impl Strategy<Value = Value> {
        let color = prop_oneof![Just(Color::Black), Just(Color::White)];
        prop_oneof![
            6 => any::<i32>().prop_map(Value::Cp),
            6 => (-3000..3000).prop_map(Value::Cp),
            1 => color.clone().prop_map(Value::Won),
            1 => (color, any::<Option<u32>>()).prop_map(|(winner, plies)| Value::Mate { winner, plies }),
        ]
    }

    proptest! {
        #[test]
        #[expect(clippy::float_cmp, reason = "the rates of both sides add up to exactly 1")]
        fn win_rates_of_both_sides_add_up(cp in -40_000..40_000_i32, k in 0.1..10_000.0_f64) {
            let model = WinRateModel::new(k);
            prop_assert_eq!(model.win_rate(Value::Cp(cp)) + model.win_rate(Value::Cp(-cp)), 1.0);
        }

        #[test]
        fn never_decreases_with_the_value(a in values(), b in values(), k in 0.1..10_000.0_f64) {
            let (low, high) = if a <= b { (a, b) } else { (b, a) };
            let model = WinRateModel::new(k);
            let (low_rate, high_rate) = (model.win_rate(low), model.win_rate(high));
            prop_assert!(low_rate <= high_rate, "{low:?} {low_rate} · {high:?} {high_rate}");
            prop_assert!((0.0..=1.0).contains(&low_rate) && (0.0..=1.0).contains(&high_rate));
        }

        #[test]
        fn percents_add_up_to_a_hundred(rate in any::<f64>(), decided in any::<bool>()) {
            let (black, white) = percent(rate, decided);
            prop_assert_eq!(black + white, 100);
        }
    }
}
