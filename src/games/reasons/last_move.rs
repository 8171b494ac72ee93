//! The reason why the last move of a watched game was bad, by the displayed values before and after the move. Pure.

use super::facts_with_texts;
use crate::move_facts::MoveFacts;
use shogibar_builtin::Control;
use shogibar_facts::{FactLimits, LastMove, MoveInput, MoveValues, move_facts};
use shogibar_shogi::score::{Value, WinRateModel};
use shogibar_shogi::{Color, History, Move};
use std::sync::Arc;

/// The minimum loss of a move for which a reason is searched, in win rate. Two rates with this difference may differ by
/// 10 points when they are rounded.
const MIN_EXPLAINED_LOSS_RATE: f64 = 0.09;

/// The last move of a game, and the values that one engine has shown before and after it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownMove {
    /// The game up to the move.
    pub history: Arc<History>,
    /// Whether the sides are called 下手 and 上手.
    pub is_handicap: bool,
    /// The engine's best lines before and after the move.
    pub best_lines: [ShownLine; 2],
    /// The win-rate model of the engine.
    pub model: WinRateModel,
    /// The user's name for the engine; empty for the evaluations of a record.
    pub engine: String,
}

/// The best line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLine {
    /// The value of the position, from Black's view.
    pub value: Value,
    /// The moves of the line.
    pub line: Vec<Move>,
}

impl ShownMove {
    /// Returns the loss of the move for its side in win rate, from 0 to 1; negative for a gain.
    pub fn loss(&self) -> f64 {
        let [before, after] = self
            .best_lines
            .each_ref()
            .map(|best| self.model.win_rate(best.value));
        if self.history.now().side_to_move() == Color::White {
            before - after
        } else {
            after - before
        }
    }

    /// Returns whether the loss is so large that the bar may give a reason: 10 points, or nearly.
    pub fn has_large_loss(&self) -> bool {
        self.loss() >= MIN_EXPLAINED_LOSS_RATE
    }

    /// Returns the facts about the move that were proved before `control` stopped the searches.
    pub fn proved_facts(&self, control: &Control) -> MoveFacts {
        self.proved_facts_with_reply(None, control)
    }

    /// Returns the proved facts about the move, as [`Self::proved_facts`] does. `reply` is the reply in the game, and
    /// the value after it; `None` where the game has no reply.
    pub(super) fn proved_facts_with_reply(
        &self,
        reply: Option<(Move, Option<Value>)>,
        control: &Control,
    ) -> MoveFacts {
        let Some((before, played)) = self.history.without_last().zip(self.history.last_move()) else {
            return MoveFacts::default();
        };
        let earlier = before.without_last();
        let [better, punish] = &self.best_lines;
        let input = MoveInput {
            position_before: before.now(),
            played_move: played,
            last_move: LastMove::of_game(earlier.as_ref(), &before),
            reply: reply.map(|(mv, _)| mv),
            better_line: &better.line,
            punish_line: &punish.line,
            values: MoveValues {
                before: Some(better.value),
                after: Some(punish.value),
                after_reply: reply.and_then(|(_, value)| value),
            },
            model: self.model,
        };
        let facts = move_facts(&input, FactLimits::THOROUGH, control);
        facts_with_texts(facts, &self.history, self.is_handicap)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_the_reason_why_the_last_move_was_bad() {
        let history = History::from_usi("sfen 4k4/4r4/9/9/4B4/9/9/9/K8 b - 1 moves 9i8i").unwrap();
        let moves = |line: &str| {
            line.split_whitespace()
                .map(|mv| Move::from_usi(mv).unwrap())
                .collect()
        };
        let best = |cp, line| ShownLine {
            value: Value::Cp(cp),
            line: moves(line),
        };
        let shown = ShownMove {
            history: Arc::new(history),
            is_handicap: false,
            best_lines: [best(300, "5e4d 5b9b"), best(-900, "5b5e 8i7i")],
            model: WinRateModel::default(),
            engine: String::new(),
        };
        assert!(shown.loss() > 0.2);
        let reason = shown.proved_facts(&Control::new(None));
        assert_eq!(reason.sentences[0], "△5五飛で角をただで取られる。");
        assert_eq!(reason.short_texts[0], "角を取られる");
    }
}
