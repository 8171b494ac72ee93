//! The only moves (この一手) of a game while it is watched: by the candidates of a confirmed search, once they have stood for
//! a second. A move that is no longer the only one is taken back.

use super::live_losses::SearchedValue;
use super::standing::Standing;
use shogibar_engine::observer::{SearchInfo, SearchStats};
use shogibar_games::bar::OnlyMove;

/// The only moves of positions, by engine.
pub(super) type LiveOnlyMoves = Standing<OnlyMove>;

impl LiveOnlyMoves {
    /// Applies the candidates of a search. `key` is the hash of the position, `before` the search of the position before
    /// the last move.
    pub(super) fn update(
        &mut self,
        engine: usize,
        key: u64,
        info: &SearchInfo,
        [before, search]: [Option<SearchedValue>; 2],
        has_ended: bool,
    ) {
        let before = before.as_ref().map(|search| &search.stats);
        let confirmed = search.filter(|search| search.is_confirmed(before));
        let only =
            confirmed.and_then(|search| OnlyMove::find(info, search.model).map(|only| (only, search.stats)));
        if self
            .newest(engine, key)
            .is_some_and(|known| !only.is_some_and(|(only, _)| only.mv == known.mv))
        {
            self.take_back(engine, key);
        }
        match only {
            Some((only, SearchStats { time, .. })) => {
                self.state(engine, key, only, time.unwrap_or_default(), has_ended);
            }
            None => self.drop_pending(engine),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_engine::observer::Candidate;
    use shogibar_shogi::score::{Value, WinRateModel};
    use shogibar_shogi::{History, Move};
    use std::sync::Arc;

    fn candidates(values: [i32; 2]) -> Vec<Candidate> {
        let moves = ["2g2f", "7g7f"].map(|usi| Move::from_usi(usi).unwrap());
        let candidate = |(rank, (cp, mv)): (u16, (i32, Move))| Candidate {
            rank: rank.into(),
            value: Value::Cp(cp),
            bound: None,
            depth: Some(12),
            pv: vec![mv],
        };
        (1_u16..)
            .zip(values.into_iter().zip(moves))
            .map(candidate)
            .collect()
    }

    /// Applies searches of the start, each with the values of two candidates, the depth and the time in milliseconds.
    /// Returns the shown margin after each.
    fn shown(searches: &[([i32; 2], u32, u64)]) -> Vec<Option<u8>> {
        let mut only = LiveOnlyMoves::default();
        let history = Arc::new(History::default());
        let shown = |(values, depth, time): &([i32; 2], u32, u64)| {
            let list = candidates(*values);
            let stats = SearchStats {
                depth: Some(*depth),
                time: Some(*time),
                ..SearchStats::default()
            };
            let search = SearchedValue {
                value: list[0].value,
                stats,
                model: WinRateModel::default(),
            };
            let info = SearchInfo {
                history: Arc::clone(&history),
                candidates: list,
                stats,
            };
            only.update(0, 7, &info, [None, Some(search)], false);
            only.get(0, 7).map(|only| only.points)
        };
        searches.iter().map(shown).collect()
    }

    #[test]
    fn an_only_move_is_shown_once_it_stands_and_is_taken_back() {
        let searches = [
            ([300, 0], 9, 900),
            ([300, 0], 12, 1_500),
            ([300, 0], 13, 2_400),
            ([300, -60], 13, 2_500),
            ([300, 290], 14, 3_000),
        ];
        assert_eq!(shown(&searches), [None, None, None, Some(14), None]);
        let searches = [
            ([300, 0], 12, 1_000),
            ([300, 290], 12, 1_600),
            ([300, 0], 13, 2_100),
            ([300, 0], 13, 3_100),
        ];
        assert_eq!(shown(&searches), [None, None, None, Some(12)], "it has been away");
    }
}
