//! The second pass of an analysis: what is a swing, and how much longer its positions are searched.

use super::engine_result;
use super::review::reaches;
use crate::config::Limit;

/// How many times as long the positions of a swing are searched, where nothing else is said.
pub const DEEPEN: u32 = 5;

/// From how many points of win rate on a change between two positions is a swing.
const SWING: f64 = 10.0;

/// Whether two win rates from 0 to 1 lie as far apart as a swing.
pub(super) fn is_swing(before: f64, after: f64) -> bool {
    reaches((before - after).abs() * 100.0, SWING)
}

/// The limit of the second search, `factor` times the first. No search grows in proportion to its depth: a ply more
/// takes about twice as long, so a depth gets one for each doubling, rounded up. `None` where nothing is searched again.
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

/// Whether an evaluation of one [signature](super::signature) does for what another asks: the same engine, as many lines, and a
/// limit of the same kind that is at least as large.
pub(super) fn does_for(found: &str, wanted: &str) -> bool {
    if found == wanted {
        return true;
    }
    let parts = |signature| {
        let (limit, lines) = engine_result::limit(signature)?;
        Some((engine_result::engine(signature)?, lines, limit))
    };
    let (Some((found, in_lines, reached)), Some((wanted, lines, asked))) = (parts(found), parts(wanted)) else {
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
    fn a_second_search_is_longer() {
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
    fn a_longer_search_does_for_a_shorter_one() {
        let check = |found, wanted, expect| assert_eq!(does_for(found, wanted), expect, "{found} for {wanted}");
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
    fn ten_points_are_a_swing() {
        assert!(is_swing(0.5, 0.6) && is_swing(0.6, 0.5) && is_swing(0.8, 0.9));
        assert!(!is_swing(0.5, 0.599) && !is_swing(0.5, 0.5));
    }
}
