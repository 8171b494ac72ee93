//! The score of a match by pairs of games, and the sequential test.

/// The minimum variance of the score of a pair that the test assumes.
const MIN_PAIR_VARIANCE: f64 = 0.01;

/// The numbers of pairs by the first player's points in half points, 0–4. Both games of a pair begin with the same
/// opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PairCounts {
    pairs: [u32; 5],
    wins: u32,
    draws: u32,
    losses: u32,
}

impl PairCounts {
    /// Adds the half points of two games.
    pub(crate) fn add(&mut self, half_points: [usize; 2]) {
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
        if let Some(count) = self.pairs.get_mut(half_points.iter().sum::<usize>()) {
            *count += 1;
        }
    }

    /// Returns the number of pairs.
    pub(crate) fn pair_count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// Returns the mean score of a game, 0–1.
    pub(crate) fn mean(&self) -> f64 {
        let points: f64 = self.shares().map(|(share, count)| share * count).sum();
        points / f64::from(self.pair_count().max(1))
    }

    /// Returns each possible score of a pair, 0–1, with the number of pairs that have it.
    fn shares(&self) -> impl Iterator<Item = (f64, f64)> {
        self.pairs.iter().zip([0.0, 0.25, 0.5, 0.75, 1.0]).map(|(count, share)| (share, f64::from(*count)))
    }

    /// Returns the variance of the score of a pair.
    fn variance(&self) -> f64 {
        let mean = self.mean();
        let squares: f64 = self.shares().map(|(share, count)| count * (share - mean).powi(2)).sum();
        squares / f64::from(self.pair_count().max(1))
    }

    /// Returns the Elo with the bounds of its interval of 95 %: lower, middle, upper.
    pub(crate) fn elo(&self) -> [f64; 3] {
        let error = 1.96 * (self.variance() / f64::from(self.pair_count().max(1))).sqrt();
        [-error, 0.0, error].map(|by| elo_of(self.mean() + by))
    }

    /// Returns the text of wins, draws and losses, the pairs, and the Elo with its interval.
    pub(crate) fn text(&self) -> String {
        let [low, middle, high] = self.elo();
        let Self { wins, draws, losses, pairs } = self;
        format!("+{wins} ={draws} -{losses} {pairs:?}: {middle:+.0} ({low:+.0}…{high:+.0})")
    }
}

/// Returns the Elo of an expected score.
fn elo_of(share: f64) -> f64 {
    -400.0 * (1.0 / share.clamp(0.001, 0.999) - 1.0).log10()
}

/// Returns the expected score, 0–1, at a difference in Elo.
fn share_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The two hypotheses of a sequential probability ratio test, in Elo. Each is rejected wrongly in 5 % of the matches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hypotheses {
    pub(crate) elo0: f64,
    pub(crate) elo1: f64,
}

impl Hypotheses {
    /// The absolute logarithm of the likelihood ratio at which the test ends: that of 0.95 to 0.05.
    const LOG_RATIO_BOUND: f64 = 2.944;

    /// The minimum number of pairs before the test ends.
    const MIN_PAIRS: u32 = 30;

    /// Returns the logarithm of the likelihood ratio, for normally distributed scores of pairs.
    pub(crate) fn log_ratio(self, counts: &PairCounts) -> f64 {
        let [share0, share1] = [self.elo0, self.elo1].map(share_of);
        // If all pairs ended alike, the next ones may still differ, so the variance has a minimum.
        let variance = counts.variance().max(MIN_PAIR_VARIANCE);
        f64::from(counts.pair_count()) * (share1 - share0) * (2.0 * counts.mean() - share0 - share1) / (2.0 * variance)
    }

    /// Returns whether the second hypothesis is accepted; `None` while the test is open.
    pub(crate) fn decision(self, counts: &PairCounts) -> Option<bool> {
        let ratio = self.log_ratio(counts);
        (counts.pair_count() >= Self::MIN_PAIRS && ratio.abs() >= Self::LOG_RATIO_BOUND).then_some(ratio > 0.0)
    }

    /// Returns the text of the test's state.
    pub(crate) fn text(self, counts: &PairCounts) -> String {
        let Self { elo0, elo1 } = self;
        let state = match self.decision(counts) {
            None => "open",
            Some(true) => "accepted",
            Some(false) => "rejected",
        };
        format!(", test of {elo0} and {elo1}: {:.2} of ±{} {state}", self.log_ratio(counts), Self::LOG_RATIO_BOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns counts with these numbers of pairs, made of the games with the fewest draws.
    fn counts(pairs: [u32; 5]) -> PairCounts {
        let mut counts = PairCounts::default();
        for (points, count) in [[0, 0], [0, 1], [0, 2], [1, 2], [2, 2]].into_iter().zip(pairs) {
            (0..count).for_each(|_| counts.add(points));
        }
        counts
    }

    #[test]
    fn elo_is_that_of_the_score() {
        let even = counts([20, 10, 40, 10, 20]);
        assert_eq!((even.pair_count(), even.wins, even.draws, even.losses), (100, 90, 20, 90));
        let [low, middle, high] = even.elo();
        assert!(middle.abs() < 1e-9 && (low + high).abs() < 1e-9, "{low} {high}");
        // The variance of a pair is (40·0.25 + 20·0.0625) / 100 = 0.1125; 1.96·√(0.1125/100) = 0.0657, which is 46 Elo.
        assert!((high - 45.96).abs() < 0.05, "{high}");
        // 64 % are 100 Elo.
        let better = counts([0, 0, 72, 0, 28]);
        assert!((better.elo()[1] - 99.95).abs() < 0.05, "{:?}", better.elo());
    }

    #[test]
    fn the_test_decides_by_the_ratio() {
        let test = Hypotheses { elo0: 0.0, elo1: 10.0 };
        // 0.5 and 0.51439 are the shares; 500 pairs of 0.55 in the mean, variance 0.0475: 500 · 0.01439 · (1.1 -
        // 1.01439) / 0.095.
        let pairs = counts([0, 100, 250, 100, 50]);
        assert!((pairs.mean() - 0.55).abs() < 1e-9, "{}", pairs.mean());
        assert!((test.log_ratio(&pairs) - 6.48).abs() < 0.05, "{}", test.log_ratio(&pairs));
        assert_eq!(test.decision(&pairs), Some(true));
        assert_eq!(test.decision(&counts([50, 100, 250, 100, 0])), Some(false));
        assert_eq!(test.decision(&counts([5, 10, 20, 10, 5])), None);
        assert_eq!(test.decision(&counts([0, 0, 0, 0, 9])), None, "too few pairs");
        assert_eq!(test.decision(&counts([0, 0, 0, 0, 99])), Some(true), "all won");
        // Hypotheses that are equally far from the result have the same likelihood.
        let symmetric = Hypotheses { elo0: -5.0, elo1: 5.0 };
        assert!(symmetric.log_ratio(&counts([20, 10, 40, 10, 20])).abs() < 1e-9);
    }
}
