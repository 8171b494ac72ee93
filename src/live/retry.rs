//! The pause before a source is tried again after a failure.
//!
//! The pauses of files and of the screen do not grow, since they burden no server. They are `FILE_CHECK_INTERVAL` in
//! `live/file.rs`, and `CAPTURE_RETRY_PAUSE` in `live/screen/core.rs`.

use std::time::Duration;

/// The minimum pause after the answer that there were too many requests.
pub(crate) const TOO_MANY_REQUESTS_PAUSE: Duration = Duration::from_mins(1);

/// The maximum number of times that the first pause is doubled.
const MAX_DOUBLINGS: u32 = 16;

/// The pauses between the attempts to reach a server. Each failure in a row doubles the pause, up to a maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryPauses {
    /// The pause after the first failure.
    pub first: Duration,
    /// The longest pause.
    pub max: Duration,
}

impl Default for RetryPauses {
    /// Creates the pauses for a connection that stays open.
    fn default() -> Self {
        Self {
            first: Duration::from_secs(5),
            max: Duration::from_mins(1),
        }
    }
}

impl RetryPauses {
    /// Returns the pause after a number of failures in a row, from 1.
    pub fn after(self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(MAX_DOUBLINGS);
        self.first.saturating_mul(1 << doublings).min(self.max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_pause_up_to_the_maximum() {
        let pauses = RetryPauses {
            first: Duration::from_secs(5),
            max: Duration::from_mins(1),
        };
        let seconds = [1, 2, 3, 4, 5, 6, 40, u32::MAX].map(|failures| pauses.after(failures).as_secs());
        assert_eq!(seconds, [5, 10, 20, 40, 60, 60, 60, 60]);
    }

    #[test]
    fn the_maximum_limits_the_first_pause() {
        let pauses = RetryPauses {
            first: Duration::from_mins(2),
            max: Duration::from_mins(1),
        };
        assert_eq!(
            [0, 1, 2].map(|failures| pauses.after(failures)),
            [Duration::from_mins(1); 3]
        );
        let pauses = RetryPauses {
            first: Duration::MAX,
            max: Duration::MAX,
        };
        assert_eq!(pauses.after(9), Duration::MAX);
    }
}
