//! The limit on restarts of an engine that ended, and the pauses before them.

use crate::session::RestartPolicy;
use std::collections::VecDeque;
use std::time::Duration;

/// The recent restarts.
#[derive(Debug, Default)]
pub(super) struct RestartHistory {
    /// The times of the restarts that still count, the oldest first.
    restart_times: VecDeque<Duration>,
}

/// A restart that follows after a pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingRestart {
    /// The number of this restart among the recent ones, from 1.
    pub(super) number: u32,
    pub(super) pause: Duration,
}

impl RestartHistory {
    /// Records and returns the restart of an engine that has ended at `now`; `None` when the limit is reached.
    pub(super) fn schedule_next(&mut self, now: Duration, policy: &RestartPolicy) -> Option<PendingRestart> {
        while self
            .restart_times
            .front()
            .is_some_and(|at| *at + policy.period <= now)
        {
            self.restart_times.pop_front();
        }
        let pause = *policy.pauses.get(self.restart_times.len())?;
        self.restart_times.push_back(now);
        Some(PendingRestart {
            number: self.count(),
            pause,
        })
    }

    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.restart_times.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengthens_pauses_and_forgets_old_restarts() {
        let policy = RestartPolicy::default();
        let mut history = RestartHistory::default();
        let mut check = |second, expect: Option<(u32, u64)>| {
            let next = history.schedule_next(Duration::from_secs(second), &policy);
            let next = next.map(|next| (next.number, u64::try_from(next.pause.as_millis()).unwrap()));
            assert_eq!(next, expect, "at {second} s");
        };
        check(10, Some((1, 500)));
        check(11, Some((2, 2_000)));
        check(14, Some((3, 8_000)));
        check(23, Some((4, 30_000)));
        check(54, Some((5, 30_000)));
        check(100, None);
        check(609, None);
        check(610, Some((5, 30_000)));
        check(2_000, Some((1, 500)));
    }

    #[test]
    fn gives_no_restart_for_never() {
        assert_eq!(
            RestartHistory::default().schedule_next(Duration::ZERO, &RestartPolicy::never()),
            None
        );
    }
}
