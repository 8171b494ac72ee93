//! Estimates the time that an analysis of a folder takes.

use std::time::Duration;

/// The finished searches of a run, and their time. A search of the second pass counts `factor` times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeEstimate {
    /// The factor of the limit in the second pass.
    pub(super) factor: u32,
    /// The searches of the first and of the second pass in this run.
    pub(super) search_counts: [u32; 2],
    /// The time in which an engine could search.
    pub(super) elapsed: Duration,
}

impl TimeEstimate {
    /// Returns the remaining time. `first` and `second` are the numbers of known searches to come, in each pass. The
    /// `first` ones lead to further ones of the second pass. Returns `None` before the first search.
    pub(super) fn remaining(&self, first: usize, second: usize) -> Option<Duration> {
        let factor = f64::from(self.factor.max(1));
        let [shallow, deep] = self.search_counts.map(f64::from);
        let done = shallow + factor * deep;
        if done < 1.0 {
            return None;
        }
        let deep_share = if shallow < 1.0 { 0.0 } else { deep / shallow };
        let to_come = number(first) * (1.0 + factor * deep_share) + factor * number(second);
        Duration::try_from_secs_f64(self.elapsed.as_secs_f64() / done * to_come).ok()
    }
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_pass_of_games_to_come_is_foretold_by_that_of_former_games() {
        let check = |searched, first, second, expect: Option<f64>| {
            let estimate = TimeEstimate { factor: 5, search_counts: searched, elapsed: Duration::from_secs(100) };
            let remaining = estimate.remaining(first, second).map(|remaining| remaining.as_secs_f64());
            assert!(
                remaining.zip(expect).is_none_or(|(remaining, expect)| (remaining - expect).abs() < 1e-6),
                "{remaining:?}"
            );
            assert_eq!(remaining.is_some(), expect.is_some());
        };
        check([0, 0], 50, 0, None);
        check([100, 0], 50, 0, Some(50.0));
        check([50, 10], 50, 0, Some(100.0));
        check([50, 10], 0, 2, Some(10.0));
        check([50, 10], 0, 0, Some(0.0));
    }
}
