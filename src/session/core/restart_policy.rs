//! How often an engine that ended is started again, and after which pause.

use crate::session::Restarts;
use std::collections::VecDeque;
use std::time::Duration;

/// The restarts of late.
#[derive(Debug, Default)]
pub(super) struct RestartPolicy {
    restarts: VecDeque<Duration>,
}

/// A restart that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PendingRestart {
    /// Which one of late, from 1.
    pub(super) nth: u32,
    pub(super) pause: Duration,
}

impl RestartPolicy {
    /// The restart after an engine has ended at `now`; `None` when it has been started often enough.
    pub(super) fn next(&mut self, now: Duration, restarts: &Restarts) -> Option<PendingRestart> {
        while self.restarts.front().is_some_and(|at| *at + restarts.within <= now) {
            self.restarts.pop_front();
        }
        let pause = *restarts.pauses.get(self.restarts.len())?;
        self.restarts.push_back(now);
        Some(PendingRestart { nth: self.count(), pause })
    }

    /// How many there were of late.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.restarts.len()).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_an_old_restart_is_forgotten() {
        let restarts = Restarts::default();
        let mut lives = RestartPolicy::default();
        let mut check = |second, expect: Option<(u32, u64)>| {
            let next = lives.next(Duration::from_secs(second), &restarts);
            let next = next.map(|next| (next.nth, u64::try_from(next.pause.as_millis()).unwrap()));
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
    fn some_are_never_started_again() {
        assert_eq!(RestartPolicy::default().next(Duration::ZERO, &Restarts::never()), None);
    }
}
