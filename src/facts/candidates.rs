//! The only move and the moves that hold, by the values of an engine's candidates.

use shogibar_shogi::score::{Value, WinRateModel, percent};
use shogibar_shogi::{Color, Move};

/// A move with its value, as an engine with several lines gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuedMove {
    /// The first move of the line.
    pub mv: Move,
    /// The value of the line, from Black's view.
    pub value: Value,
}

/// The candidates of a position, the best one first.
#[derive(Clone, Copy, Debug)]
pub struct Candidates<'a> {
    /// The candidates. Facts by values need at least two.
    pub list: &'a [ValuedMove],
    /// The win-rate model of the engine.
    pub model: WinRateModel,
}

/// The minimum margin in win rate, from 0 to 1, between an only move and the next candidate.
const MIN_ONLY_MOVE_MARGIN: f64 = 0.10;

/// The maximum loss in win rate, from 0 to 1, of a move that holds.
const MAX_HOLDING_LOSS: f64 = 0.05;

impl Candidates<'_> {
    /// Returns the number of candidates at most 5 points of win rate behind the best for a side. `None` for fewer than
    /// two candidates, for a repeated move, or if the first is not the best.
    pub fn holding_count(self, side: Color) -> Option<u8> {
        let (best, rates) = self.rates(side)?;
        u8::try_from(
            rates
                .iter()
                .filter(|rate| best - **rate <= MAX_HOLDING_LOSS)
                .count(),
        )
        .ok()
    }

    /// Returns the first candidate if every other is 10 points of win rate or more behind. `None` otherwise, and where
    /// [`Self::holding_count`] returns `None`.
    pub fn only_move(self, side: Color) -> Option<Move> {
        let (best, rates) = self.rates(side)?;
        let is_only = rates
            .iter()
            .skip(1)
            .all(|rate| best - rate >= MIN_ONLY_MOVE_MARGIN);
        self.list
            .first()
            .filter(|_| is_only)
            .map(|candidate| candidate.mv)
    }

    /// Returns how much more a side loses by the second candidate than by the first, in whole percent. `None` where
    /// [`Self::holding_count`] returns `None`.
    pub fn next_loss_percent(self, side: Color) -> Option<u8> {
        let (best, rates) = self.rates(side)?;
        let [shown, next] = [best, *rates.get(1)?].map(|rate| percent(rate, false).0);
        Some(shown.saturating_sub(next))
    }

    /// Returns the win rate of the best candidate, and the win rates of all. `None` for fewer than two candidates, for
    /// a repeated move, or if the first is not the best.
    fn rates(self, side: Color) -> Option<(f64, Vec<f64>)> {
        let rates: Vec<f64> = self
            .list
            .iter()
            .map(|candidate| win_rate_of(self.model, candidate.value, side))
            .collect();
        let best = rates.first().copied()?;
        let moves: Vec<Move> = self.list.iter().map(|candidate| candidate.mv).collect();
        let is_repeated = moves
            .iter()
            .enumerate()
            .any(|(nth, mv)| moves.iter().take(nth).any(|other| other == mv));
        (rates.len() > 1 && !is_repeated && rates.iter().all(|rate| *rate <= best)).then_some((best, rates))
    }
}

/// Returns the win rate of a side by a value, from 0 to 1.
pub(crate) fn win_rate_of(model: WinRateModel, value: Value, side: Color) -> f64 {
    let black = model.win_rate(value);
    if side == Color::Black { black } else { 1.0 - black }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(values: &[i32], side: Color, holding: Option<u8>, has_only_move: bool) {
        let moves = ["7g7f", "2g2f", "6g6f", "5g5f"].map(|usi| Move::from_usi(usi).unwrap());
        let list: Vec<ValuedMove> = moves
            .into_iter()
            .zip(values)
            .map(|(mv, cp)| ValuedMove {
                mv,
                value: Value::Cp(*cp),
            })
            .collect();
        let candidates = Candidates {
            list: &list,
            model: WinRateModel::default(),
        };
        let found = (
            candidates.holding_count(side),
            candidates.only_move(side).is_some(),
        );
        assert_eq!(found, (holding, has_only_move), "{values:?} {side:?}");
    }

    #[test]
    fn counts_the_moves_that_hold() {
        check(&[100, 90, -200], Color::Black, Some(2), false);
        check(&[100, -200, -300], Color::Black, Some(1), true);
        check(&[-300, 100], Color::White, Some(1), true);
        check(&[100], Color::Black, None, false);
        check(&[], Color::Black, None, false);
        check(&[-100, 100], Color::Black, None, false);
    }
}
