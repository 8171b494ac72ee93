//! Estimates the time that an analysis of a folder takes.

use std::time::Duration;

/// The finished searches of a run and their time, from which the remaining time is estimated. A search of the second
/// pass counts `factor` times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TimeEstimate {
    /// The factor of the limit in the second pass.
    pub(super) factor: u32,
    /// The numbers of searches of the first and of the second pass in this run.
    pub(super) search_counts: [u32; 2],
    /// The time during which the engines were running.
    pub(super) elapsed: Duration,
}

impl TimeEstimate {
    /// Returns the estimated remaining time; `None` before the first search. `first` and `second` are the numbers of
    /// known searches to come in each pass. Searches of the first pass lead to further searches of the second.
    pub(super) fn remaining_time(&self, first: usize, second: usize) -> Option<Duration> {
        let factor = f64::from(self.factor.max(1));
        let [shallow, deep] = self.search_counts.map(f64::from);
        let done = shallow + factor * deep;
        if done < 1.0 {
            return None;
        }
        let deep_share = if shallow < 1.0 { 0.0 } else { deep / shallow };
        let to_come = to_f64(first) * (1.0 + factor * deep_share) + factor * to_f64(second);
        Duration::try_from_secs_f64(self.elapsed.as_secs_f64() / done * to_come).ok()
    }
}

fn to_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn former_games_estimate_the_second_pass_of_later_games() {
        let check = |searched, first, second, expect: Option<f64>| {
            let estimate = TimeEstimate {
                factor: 5,
                search_counts: searched,
                elapsed: Duration::from_secs(100),
            };
            let remaining = estimate
                .remaining_time(first, second)
                .map(|remaining| remaining.as_secs_f64());
            assert!(
                remaining
                    .zip(expect)
                    .is_none_or(|(remaining, expect)| (remaining - expect).abs() < 1e-6),
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
