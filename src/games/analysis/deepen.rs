//! The second pass of an analysis: the definition of a swing, and the longer limit for its positions.

use super::review::reaches;
use crate::options::{Limit, signed_limit};

/// The default factor by which the limit is multiplied for the positions of a swing.
pub const DEEPEN: u32 = 5;

/// The smallest change of the win rate between two positions that is a swing, in percentage points.
const SWING: f64 = 10.0;

/// Returns whether two win rates, from 0 to 1, differ by a swing or more.
pub(super) fn is_swing(before: f64, after: f64) -> bool {
    reaches((before - after).abs() * 100.0, SWING)
}

/// Returns the limit of the second search: `factor` times the first. Search time is not proportional to depth: one more
/// ply takes about twice as long. So a depth limit grows by one ply per doubling, rounded up. Returns `None` if there
/// is no second search: `factor` is below 2, or the limit is infinite.
pub fn deepened(limit: Limit, factor: u32) -> Option<Limit> {
    if factor < 2 {
        return None;
    }
    match limit {
        Limit::Infinite => None,
        Limit::Time(time) => Some(Limit::Time(time.saturating_mul(factor))),
        Limit::Nodes(nodes) => Some(Limit::Nodes(nodes.saturating_mul(factor.into()))),
        Limit::Depth(depth) => Some(Limit::Depth(depth.saturating_add(factor.next_power_of_two().ilog2()))),
    }
}

/// Returns whether an evaluation with one [signature](super::signature) satisfies a request for another. Both need the
/// same engine and the same number of lines. The existing limit must be of the same kind and at least as large.
pub(super) fn satisfies(found: &str, wanted: &str) -> bool {
    if found == wanted {
        return true;
    }
    let (Some((found, reached, in_lines)), Some((wanted, asked, lines))) = (signed_limit(found), signed_limit(wanted))
    else {
        return false;
    };
    let is_as_long = match (reached, asked) {
        (Limit::Time(reached), Limit::Time(asked)) => reached >= asked,
        (Limit::Nodes(reached), Limit::Nodes(asked)) => reached >= asked,
        (Limit::Depth(reached), Limit::Depth(asked)) => reached >= asked,
        _ => false,
    };
    found == wanted && in_lines == lines && is_as_long
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn deepened_multiplies_the_limit() {
        let check =
            |limit: Limit, factor, expect: Option<Limit>| assert_eq!(deepened(limit, factor), expect, "{limit}");
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
    fn longer_search_satisfies_shorter_request() {
        let check = |found, wanted, expect| assert_eq!(satisfies(found, wanted), expect, "{found} for {wanted}");
        check("A [nodes 5]", "A [nodes 5]", true);
        check("A [nodes 6]", "A [nodes 5]", true);
        check("A [nodes 4]", "A [nodes 5]", false);
        check("A [movetime 5000]", "A [movetime 1000]", true);
        check("A [depth 9]", "A [nodes 5]", false);
        check("B [nodes 6]", "A [nodes 5]", false);
        check("A (net) [nodes 6]", "A [nodes 5]", false);
        check("A [nodes 6, multipv 3]", "A [nodes 5]", false);
        check("A [nodes 6, multipv 3]", "A [nodes 5, multipv 3]", true);
        check("A", "A [nodes 5]", false);
        check("A", "A", true);
    }

    #[test]
    fn swing_starts_at_ten_points() {
        assert!(is_swing(0.5, 0.6) && is_swing(0.6, 0.5) && is_swing(0.8, 0.9));
        assert!(!is_swing(0.5, 0.599) && !is_swing(0.5, 0.5));
    }
}
