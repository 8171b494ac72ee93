//! The second pass of an analysis: what a swing is, and the longer limit. `swing_positions` in
//! `scheduler/task_queue.rs` chooses the positions.

use super::review::reaches;
use shogibar_engine::options::Limit;

/// The default factor of the limit for the positions of a swing.
pub const DEFAULT_DEEPEN_FACTOR: u32 = 5;

/// The minimum change of the win rate by a move that is a swing, in percentage points.
const MIN_SWING_POINTS: f64 = 10.0;

/// Returns whether two win rates, from 0 to 1, differ by a swing or more.
pub(super) fn is_swing(before: f64, after: f64) -> bool {
    reaches((before - after).abs() * 100.0, MIN_SWING_POINTS)
}

/// Returns the limit of the second search: `factor` times the limit of the first. One more ply takes about twice as
/// long, so a depth limit grows by one ply per doubling, rounded up. Returns `None` for no second search: if `factor`
/// is below 2, or the limit is infinite.
pub fn deepened_limit(limit: Limit, factor: u32) -> Option<Limit> {
    if factor < 2 {
        return None;
    }
    match limit {
        Limit::Infinite => None,
        Limit::Time(time) => Some(Limit::Time(time.saturating_mul(factor))),
        Limit::Nodes(nodes) => Some(Limit::Nodes(nodes.saturating_mul(factor.into()))),
        Limit::Depth(depth) => Some(Limit::Depth(
            depth.saturating_add(factor.next_power_of_two().ilog2()),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn deepened_multiplies_the_limit() {
        let check = |limit: Limit, factor, expect: Option<Limit>| {
            assert_eq!(deepened_limit(limit, factor), expect, "{limit}");
        };
        let time = |seconds| Limit::Time(Duration::from_secs(seconds));
        check(time(2), 5, Some(time(10)));
        check(Limit::Nodes(1000), 5, Some(Limit::Nodes(5000)));
        check(Limit::Nodes(u64::MAX), 5, Some(Limit::Nodes(u64::MAX)));
        check(Limit::Depth(10), 2, Some(Limit::Depth(11)));
        check(Limit::Depth(10), 4, Some(Limit::Depth(12)));
        check(Limit::Depth(10), 5, Some(Limit::Depth(13)));
        check(time(2), 0, None);
        check(time(2), 1, None);
        check(Limit::Infinite, 5, None);
    }

    #[test]
    fn swing_starts_at_ten_points() {
        assert!(is_swing(0.5, 0.6) && is_swing(0.6, 0.5) && is_swing(0.8, 0.9));
        assert!(!is_swing(0.5, 0.599) && !is_swing(0.5, 0.5));
    }
}
