//! The score of a match, the difference in strength, and a sequential test of this difference.
//!
//! Both games of an opening are one draw of a pair of results, since they depend on each other. The variance is that of
//! the pairs, so the interval includes the effect of the openings.

/// The weight of each result of a pair before any game, as a number of pairs. Without it, a few equal results would
/// decide a test.
const PRIOR_RESULT_WEIGHT: f64 = 0.1;

/// The results of a match, from the view of the first engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MatchScore {
    /// The points of each game by its number: 1, 0.5 or 0; `None` for a game that was not played.
    points: Vec<Option<f64>>,
}

/// The difference in strength, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EloEstimate {
    /// The difference; infinite if one engine has all the points.
    pub elo: f64,
    /// The lower end of the interval that holds the difference with a probability of 95 %.
    pub low: f64,
    /// The upper end of the interval that holds the difference with a probability of 95 %.
    pub high: f64,
}

/// A sequential probability ratio test of two differences in Elo, with error rates of 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The difference of the first hypothesis, in Elo.
    pub elo0: f64,
    /// The difference of the second hypothesis, in Elo, which is larger.
    pub elo1: f64,
}

/// The outcome of a sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtDecision {
    /// The difference is `elo0` rather than `elo1`.
    Lower,
    /// The difference is `elo1` rather than `elo0`.
    Higher,
}

impl MatchScore {
    /// Records the points of a game by its number, from 0.
    pub fn set(&mut self, game: usize, points: f64) {
        if self.points.len() <= game {
            self.points.resize(game + 1, None);
        }
        if let Some(known) = self.points.get_mut(game) {
            *known = Some(points);
        }
    }

    /// Returns the numbers of wins, draws and losses of the first engine.
    pub fn counts(&self) -> [usize; 3] {
        let count = |accepts: fn(f64) -> bool| self.played().filter(|points| accepts(*points)).count();
        [
            count(|points| points > 0.75),
            count(|points| (0.25..=0.75).contains(&points)),
            count(|points| points < 0.25),
        ]
    }

    /// Returns the number of games played.
    pub fn games(&self) -> usize {
        self.played().count()
    }

    /// Returns the mean of the points, from 0 to 1; 0.5 without games.
    pub fn mean(&self) -> f64 {
        if self.games() == 0 {
            0.5
        } else {
            self.played().sum::<f64>() / self.games() as f64
        }
    }

    /// Returns the difference in strength; `None` without games.
    pub fn elo(&self) -> Option<EloEstimate> {
        let pairs = self.pair_moments();
        let mean = self.mean();
        // The interval is around the mean with the prior weights: a single won game proves little.
        let spread = 1.96 * (pairs.variance / pairs.count).sqrt();
        (self.games() > 0).then(|| EloEstimate {
            elo: elo_of(mean),
            low: elo_of((pairs.mean - spread).clamp(0.0, mean)),
            high: elo_of((pairs.mean + spread).clamp(mean, 1.0)),
        })
    }

    /// Returns the points of the games that were played.
    fn played(&self) -> impl Iterator<Item = f64> {
        self.points.iter().copied().flatten()
    }

    /// Returns the moments of the mean points of pairs. A game whose partner was not played is left out, unless
    /// there is no pair.
    fn pair_moments(&self) -> PairMoments {
        let mut scores: Vec<f64> = self
            .points
            .chunks(2)
            .filter_map(|two| match two {
                [Some(one), Some(other)] => Some(f64::midpoint(*one, *other)),
                _ => None,
            })
            .collect();
        if scores.is_empty() {
            scores = self.played().collect();
        }
        let outcomes = [0.0, 0.25, 0.5, 0.75, 1.0];
        let weight = |outcome: f64| {
            scores
                .iter()
                .filter(|score| (**score - outcome).abs() < 0.01)
                .count() as f64
                + PRIOR_RESULT_WEIGHT
        };
        let weights = outcomes.map(weight);
        let count: f64 = weights.iter().sum();
        let mean = outcomes
            .iter()
            .zip(weights)
            .map(|(outcome, weight)| outcome * weight)
            .sum::<f64>()
            / count;
        let squares = outcomes
            .iter()
            .zip(weights)
            .map(|(outcome, weight)| (outcome - mean).powi(2) * weight);
        PairMoments {
            count,
            mean,
            variance: squares.sum::<f64>() / count,
        }
    }
}

/// The moments of the mean points of pairs.
struct PairMoments {
    /// The number of pairs, with the prior weights.
    count: f64,
    mean: f64,
    variance: f64,
}

impl Sprt {
    /// The absolute logarithm of the likelihood ratio at which the test ends, for error rates of 5 %.
    pub const LLR_BOUND: f64 = 2.944_438_979_166_440_3;

    /// Returns the logarithm of the ratio of the hypotheses' likelihoods, approximated for many games.
    pub fn llr(self, score: &MatchScore) -> f64 {
        if score.games() == 0 {
            return 0.0;
        }
        let PairMoments {
            count,
            mean,
            variance,
        } = score.pair_moments();
        let [low, high] = [self.elo0, self.elo1].map(expected_score);
        count * (high - low) * (2.0 * mean - low - high) / (2.0 * variance)
    }

    /// Returns the outcome; `None` while more games are needed.
    pub fn decision(self, score: &MatchScore) -> Option<SprtDecision> {
        match self.llr(score) {
            llr if llr >= Self::LLR_BOUND => Some(SprtDecision::Higher),
            llr if llr <= -Self::LLR_BOUND => Some(SprtDecision::Lower),
            _ => None,
        }
    }
}

fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Returns the difference in Elo for a score from 0 to 1, whose ends give infinities.
fn elo_of(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the score of games with these points of the first engine.
    fn score(points: &[f64]) -> MatchScore {
        let mut score = MatchScore::default();
        points
            .iter()
            .enumerate()
            .for_each(|(game, points)| score.set(game, *points));
        score
    }

    #[test]
    fn elo_and_its_interval_follow_the_score() {
        assert_eq!(MatchScore::default().elo(), None);
        let even = score(&[1.0, 0.0].repeat(50));
        let elo = even.elo().unwrap();
        assert!(elo.elo.abs() < 1e-9 && elo.low < 0.0 && elo.high > 0.0, "{elo:?}");
        // Black wins each opening: the results of the pairs do not vary.
        let unpaired = score(&[1.0, 1.0, 0.0, 0.0].repeat(25)).elo().unwrap();
        assert!(unpaired.high > 5.0 * elo.high, "{unpaired:?} {elo:?}");
        let three_of_four = score(&[1.0, 1.0, 1.0, 0.0].repeat(30)).elo().unwrap();
        assert!((three_of_four.elo - 190.85).abs() < 0.1, "{three_of_four:?}");
        assert!(
            three_of_four.low > 120.0 && three_of_four.high < 260.0,
            "{three_of_four:?}"
        );
        assert!(score(&[1.0; 8]).elo().unwrap().elo.is_infinite());
        assert_eq!(score(&[1.0, 0.5, 0.0, 0.5]).counts(), [1, 2, 1]);
    }

    #[test]
    fn a_sequential_test_ends_on_the_right_side() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
        };
        assert_eq!(sprt.decision(&MatchScore::default()), None);
        assert_eq!(sprt.decision(&score(&[1.0, 0.5])), None);
        assert_eq!(
            sprt.decision(&score(&[1.0, 0.5, 0.5, 1.0, 1.0, 0.0].repeat(40))),
            Some(SprtDecision::Higher)
        );
        assert_eq!(
            sprt.decision(&score(&[0.0, 0.5, 0.5, 1.0, 1.0, 0.0].repeat(40))),
            Some(SprtDecision::Lower)
        );
    }

    proptest! {
        #[test]
        fn swapping_the_engines_changes_the_sign(points in proptest::collection::vec(0_u8..3, 1..60)) {
            let points: Vec<f64> = points.into_iter().map(|points| f64::from(points) / 2.0).collect();
            let (one, other) = (score(&points), score(&points.iter().map(|points| 1.0 - points).collect::<Vec<_>>()));
            let [a, b] = [&one, &other].map(|score| score.elo().unwrap());
            let same = |x: f64, y: f64| x.total_cmp(&y).is_eq() || (x - y).abs() < 1e-6;
            prop_assert!(same(a.elo, -b.elo) && same(a.low, -b.high) && same(a.high, -b.low), "{:?} {:?}", a, b);
            prop_assert!(a.low <= a.elo && a.elo <= a.high);
            let [up, down] = [Sprt { elo0: 0.0, elo1: 20.0 }.llr(&one), Sprt { elo0: -20.0, elo1: 0.0 }.llr(&other)];
            prop_assert!((up + down).abs() < 1e-6, "{} {}", up, down);
        }
    }
}
