//! The score of a match by pairs of games, and the texts of the score and of the sequential test.

use super::score::{EloEstimate, MatchScore, Sprt, SprtDecision};

/// The score of a match with the numbers of pairs. Both games of a pair begin with the same opening.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PairCounts {
    /// The numbers of pairs by the first player's points in half points, 0–4.
    pairs: [usize; 5],
    pub(crate) score: MatchScore,
}

impl PairCounts {
    /// Adds the half points of two games.
    pub(crate) fn add(&mut self, half_points: [u8; 2]) {
        let first = 2 * self.pairs.iter().sum::<usize>();
        for (number, points) in half_points.into_iter().enumerate() {
            self.score.set(first + number, f64::from(points) / 2.0);
        }
        let points: usize = half_points.into_iter().map(usize::from).sum();
        if let Some(count) = self.pairs.get_mut(points) {
            *count += 1;
        }
    }

    /// Returns the text of wins, draws and losses, the pairs, and the Elo with its interval of 95 %.
    pub(crate) fn text(&self) -> String {
        let [wins, draws, losses] = self.score.counts();
        let elo = self.score.elo().map_or_else(
            || "no games".to_owned(),
            |EloEstimate { elo, low, high }| format!("{elo:+.0} ({low:+.0}…{high:+.0})"),
        );
        format!("+{wins} ={draws} -{losses} {:?}: {elo}", self.pairs)
    }
}

/// Returns the text of a sequential test's state after some games.
pub(crate) fn test_text(test: Sprt, decision: Option<SprtDecision>, score: &MatchScore) -> String {
    let Sprt { elo0, elo1 } = test;
    let state = match decision {
        None => "open".to_owned(),
        Some(decision) => {
            let accepted = if decision == SprtDecision::Higher {
                elo1
            } else {
                elo0
            };
            format!("{accepted} is accepted; the Elo is biased, as the test has ended the match")
        }
    };
    format!(
        "test of {elo0} and {elo1}: {:.2} of ±{:.2}, {state}",
        test.llr(score),
        Sprt::LLR_BOUND
    )
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
    fn elo_is_that_of_the_pairs() {
        let even = counts([20, 10, 40, 10, 20]);
        assert_eq!(even.score.counts(), [90, 20, 90]);
        // The variance of a pair is about (40·0.25 + 20·0.0625) / 100; 1.96·√(0.1126 / 100.5) = 0.0656 is 46 Elo.
        assert_eq!(even.text(), "+90 =20 -90 [20, 10, 40, 10, 20]: +0 (-46…+46)");
        // 64 % are 100 Elo.
        let better = counts([0, 0, 72, 0, 28]).score.elo().unwrap();
        assert!((better.elo - 99.95).abs() < 0.05, "{better:?}");
        // Few pairs prove little, even if all are won.
        assert_eq!(
            counts([0, 0, 0, 0, 3]).text(),
            "+6 =0 -0 [0, 0, 0, 0, 3]: +inf (+145…+inf)"
        );
    }

    #[test]
    fn the_test_decides_by_the_ratio() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 10.0,
        };
        let decision = |pairs| sprt.decision(&counts(pairs).score);
        assert_eq!(decision([0, 100, 250, 100, 50]), Some(SprtDecision::Higher));
        assert_eq!(decision([50, 100, 250, 100, 0]), Some(SprtDecision::Lower));
        assert_eq!(decision([5, 10, 20, 10, 5]), None);
        assert_eq!(decision([0, 0, 0, 0, 5]), None, "too few pairs");
        assert_eq!(decision([0, 0, 0, 0, 99]), Some(SprtDecision::Higher), "all won");
        let text = test_text(
            sprt,
            Some(SprtDecision::Lower),
            &counts([50, 100, 250, 100, 0]).score,
        );
        assert!(
            text.starts_with("test of 0 and 10: -8.65 of ±2.94, 0 is accepted; the Elo is biased"),
            "{text}"
        );
    }
}
