//! The losses by the moves of a game while it is watched: by the searches of the engines before and after each move.
//!
//! A loss is shown once both searches are [confirmed](SearchedValue::is_confirmed) and it has stood for a second. Then
//! it stays with its move. The engine's own choice has no loss: a fall of the win rate was then found by a deeper search.

use super::standing::Standing;
use shogibar_engine::observer::SearchStats;
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};

/// The minimum time and depth of a confirmed search, in milliseconds and plies.
const CONFIRMED_MILLIS: u64 = 1_000;
const CONFIRMED_DEPTH: u32 = 10;

/// The value of a position by a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchedValue {
    pub(super) value: Value,
    pub(super) stats: SearchStats,
    pub(super) model: WinRateModel,
}

impl SearchedValue {
    /// Returns whether the search is deep enough for a statement about a move: it took a second and has depth 10, it has
    /// half the nodes of the search before it, or it has found a win. `before` is the search of the position before.
    pub(super) fn is_confirmed(&self, before: Option<&SearchStats>) -> bool {
        let SearchStats {
            time, depth, nodes, ..
        } = self.stats;
        let is_long = time.is_some_and(|time| time >= CONFIRMED_MILLIS) && depth >= Some(CONFIRMED_DEPTH);
        let nodes_before = before.and_then(|before| before.nodes);
        let is_as_large = nodes
            .zip(nodes_before)
            .is_some_and(|(nodes, before)| nodes > 0 && nodes >= before / 2);
        is_long || is_as_large || self.value.winner().is_some()
    }

    /// Returns the win rate of a side in whole percent.
    fn percent_of(&self, side: Color) -> u8 {
        self.model.percent_of(self.value, side)
    }
}

/// The losses by the moves of a game, in percentage points of win rate, by engine and position after the move.
pub(super) type LiveLosses = Standing<u8>;

impl LiveLosses {
    /// Applies a search of the position after a move by `mover`. `searches` are the last searches of the positions before
    /// the move before, before the move and after it.
    pub(super) fn update(
        &mut self,
        engine: usize,
        position: u64,
        mover: Color,
        searches: &[Option<SearchedValue>; 3],
        has_ended: bool,
    ) {
        let [earlier, Some(before), Some(after)] = searches else {
            return;
        };
        let are_confirmed = before.is_confirmed(earlier.as_ref().map(|search| &search.stats))
            && after.is_confirmed(Some(&before.stats));
        let loss = before.percent_of(mover).saturating_sub(after.percent_of(mover));
        if !are_confirmed || loss < shogibar_games::bar::MIN_SHOWN_LOSS_POINTS {
            return self.drop_pending(engine);
        }
        self.state(
            engine,
            position,
            loss,
            after.stats.time.unwrap_or_default(),
            has_ended,
        );
    }

    /// Returns the shown losses for the next run: position, engine and points, in order.
    pub(super) fn to_stored(&self) -> Vec<(u64, usize, u8)> {
        let mut losses: Vec<_> = self
            .shown()
            .map(|(engine, position, points)| (position, engine, points))
            .collect();
        losses.sort_unstable();
        losses
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn search(cp: i32, depth: u32, time: u64, nodes: u64) -> SearchedValue {
        let stats = SearchStats {
            depth: Some(depth),
            time: Some(time),
            nodes: Some(nodes),
            ..SearchStats::default()
        };
        SearchedValue {
            value: Value::Cp(cp),
            stats,
            model: WinRateModel::default(),
        }
    }

    /// Applies searches after a move by Black, each with the value in centipawns, the depth, the time and the nodes.
    /// Returns the shown loss after each.
    fn shown(before: Option<SearchedValue>, after: &[(i32, u32, u64, u64)]) -> Vec<Option<u8>> {
        let mut losses = LiveLosses::default();
        let shown = |(cp, depth, time, nodes): &(i32, u32, u64, u64)| {
            let searches = [None, before, Some(search(*cp, *depth, *time, *nodes))];
            losses.update(0, 7, Color::Black, &searches, false);
            losses.get(0, 7)
        };
        after.iter().map(shown).collect()
    }

    #[test]
    fn a_loss_is_shown_once_it_stands_and_then_stays() {
        let before = Some(search(0, 14, 3_000, 1_000_000));
        let after = [
            (-900, 12, 900, 90_000),
            (-300, 12, 1_000, 100_000),
            (-300, 13, 1_900, 200_000),
        ];
        assert_eq!(shown(before, &after), [None; 3], "it stands for 0.9 s");
        let after = [
            (-300, 12, 1_000, 0),
            (-300, 13, 2_000, 0),
            (-420, 14, 2_500, 0),
            (0, 15, 4_000, 0),
        ];
        assert_eq!(shown(before, &after), [None, Some(12), Some(17), Some(17)]);
        let after = [
            (-300, 12, 1_000, 0),
            (0, 13, 1_500, 0),
            (-300, 14, 2_100, 0),
            (-300, 14, 3_100, 0),
        ];
        assert_eq!(
            shown(before, &after),
            [None, None, None, Some(12)],
            "it has been away"
        );
    }

    #[test]
    fn a_loss_stands_while_the_search_prints_nothing() {
        let mut losses = LiveLosses::default();
        let searches = [
            None,
            Some(search(0, 14, 3_000, 0)),
            Some(search(-300, 12, 1_000, 0)),
        ];
        losses.update(0, 7, Color::Black, &searches, false);
        let shown = [100, 900, 1_099, 1_100].map(|millis| {
            losses.tick(Duration::from_millis(millis));
            (losses.get(0, 7), losses.is_waiting())
        });
        assert_eq!(
            shown,
            [(None, true), (None, true), (None, true), (Some(12), false)]
        );
    }

    #[test]
    fn only_confirmed_searches_count() {
        let deep = (-300, 12, 3_000, 0);
        let later = (-300, 12, 4_000, 0);
        assert_eq!(
            shown(None, &[deep, later]),
            [None; 2],
            "nothing is known before the move"
        );
        assert_eq!(
            shown(Some(search(0, 9, 5_000, 0)), &[deep, later]),
            [None; 2],
            "the search before was shallow"
        );
        assert_eq!(
            shown(Some(search(0, 12, 900, 0)), &[deep, later]),
            [None; 2],
            "the search before was short"
        );
        let before = Some(search(0, 14, 3_000, 1_000_000));
        let short = [(-300, 8, 100, 500_000), (-300, 9, 1_100, 600_000)];
        assert_eq!(
            shown(before, &short),
            [None, Some(12)],
            "half the nodes are enough"
        );
    }
}
