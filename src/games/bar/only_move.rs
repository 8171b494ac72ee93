//! The only move of a position (この一手), by the values of an engine's candidates.

use shogibar_engine::observer::{Candidate, SearchInfo};
use shogibar_facts::{Candidates, LastMove, ValuedMove, is_obvious_move};
use shogibar_shogi::Move;
use shogibar_shogi::score::WinRateModel;

/// The only move of a position (この一手), by the values of the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnlyMove {
    /// The move.
    pub mv: Move,
    /// The loss by the next candidate, in percentage points of win rate.
    pub points: u8,
    /// The number of candidates within 5 points of the best.
    pub holding_count: u8,
}

impl OnlyMove {
    /// Returns the only move by the candidates of a search; `None` without one, and for a move that anybody plays.
    pub fn find(info: &SearchInfo, model: WinRateModel) -> Option<Self> {
        let (history, position) = (&info.history, info.history.now());
        let valued = |candidate: &Candidate| {
            Some(ValuedMove {
                mv: *candidate.pv.first()?,
                value: candidate.value,
            })
        };
        let valued: Vec<_> = info.candidates.iter().filter_map(valued).collect();
        let candidates = Candidates { list: &valued, model };
        let side = position.side_to_move();
        let mv = candidates.only_move(side).filter(|mv| position.is_legal(*mv))?;
        let earlier = history.without_last();
        if is_obvious_move(position, mv, LastMove::of_game(earlier.as_ref(), history)) {
            return None;
        }
        Some(Self {
            mv,
            points: candidates.next_loss_percent(side)?,
            holding_count: candidates.holding_count(side)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_engine::observer::SearchStats;
    use shogibar_shogi::History;
    use shogibar_shogi::score::Value;
    use std::sync::Arc;

    /// Checks whether the first of these moves is the only one after `moves`, as the second is far worse.
    fn check(start: &str, moves: &str, candidates: [&str; 2], expect: bool) {
        let history = Arc::new(History::from_usi(&format!("{start} moves {moves}")).unwrap());
        let black = if history.now().side_to_move() == shogibar_shogi::Color::Black {
            1
        } else {
            -1
        };
        let candidate = |(rank, (cp, mv)): (u16, (i32, &str))| Candidate {
            rank: rank.into(),
            value: Value::Cp(cp * black),
            bound: None,
            depth: Some(12),
            pv: vec![Move::from_usi(mv).unwrap()],
        };
        let candidates = (1_u16..)
            .zip([300, -300].into_iter().zip(candidates))
            .map(candidate)
            .collect();
        let info = SearchInfo {
            history,
            candidates,
            stats: SearchStats::default(),
        };
        assert_eq!(
            OnlyMove::find(&info, WinRateModel::default()).is_some(),
            expect,
            "{moves}"
        );
    }

    #[test]
    fn a_move_that_anybody_plays_is_not_called_the_only_one() {
        check("startpos", "7g7f 3c3d", ["2g2f", "6g6f"], true);
        check("startpos", "7g7f 3c3d 8h2b+", ["3a2b", "8c8d"], false);
        // A capture elsewhere is no recapture.
        check("startpos", "7g7f 3c3d 2g2f 4a3b", ["8h2b+", "6g6f"], true);
        // The recapture loses the rook for a pawn.
        check(
            "sfen 4k4/9/9/9/4ps3/4P4/9/4R4/4K4 w - 1",
            "5e5f",
            ["5h5f", "5i4h"],
            true,
        );
        // In check, the king has three squares, and then two.
        check(
            "sfen 4k4/9/9/9/9/9/9/9/R3K4 b - 1",
            "9i9a",
            ["5a5b", "5a4b"],
            true,
        );
        check(
            "sfen 8k/9/1R7/9/9/9/9/9/R3K4 b - 1",
            "9i9a",
            ["1a1b", "1a2b"],
            false,
        );
    }
}
