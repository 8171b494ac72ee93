//! Assesses the moves of a record by the evaluations in its comments.
//!
//! The comments of any program are used, so a record that was analysed elsewhere gets marks, too.
//!
//! - A game is judged by one of its [evaluators](Evaluators). Everything below uses only that evaluator.
//! - The *loss* of a move is the decrease of the win rate of the side that moves, in percentage points. If the win rate
//!   rises, the loss is 0. The loss is known if the judge has evaluated the positions before and after the move. A
//!   position in which the game is over by the rules needs no evaluation. The judge's best move has no loss: a fall
//!   of the win rate was then found by a deeper search, and is no error of the player.
//! - A *mark* is given by the loss ([`MoveMark::from_loss`]).
//! - The *mean loss* and the *agreement* of a side leave out moves of a decided game ([`AssessedMove::is_decided`]).
//!   Both exist for each [phase](GamePhase), too.
//! - The *accuracy* of a side is in percent, by the formula of lichess (see `accuracy`).
//! - A move is *decisive* if it has changed who is ahead: see [`DecisiveMove`]. A game may have no such move.

mod accuracy;
mod evaluators;
mod mark;
mod phase;
mod sources;
mod stored_reasons;
mod summary;

pub use evaluators::{Evaluator, Evaluators};
pub use mark::MoveMark;
pub(super) use mark::reaches;
pub use phase::GamePhase;
pub use sources::{best_informed, lines_by};
pub use stored_reasons::{MoveReason, MoveReasons, ReasonBasis};
pub use summary::{
    AHEAD_PERCENT, DecisiveMove, LeadChange, MIN_DECISIVE_LOSS_POINTS, MoveStats, ReviewSummary, SideSummary,
};

use super::plan::value_by_rules;
use crate::analysis_text as text;
use shogibar_base::Lang;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::score::{Value, WinRateModel, percent};
use shogibar_shogi::{Color, Move};
use std::collections::{BTreeMap, HashMap};

/// The win rate above which a game is decided, from 0 to 1.
const DECIDED_WIN_RATE: f64 = 0.9;

/// The judge's value of a position, with its pv.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionValue {
    /// The value, from Black's view.
    pub value: Value,
    /// Black's win rate, from 0 to 1.
    pub rate: f64,
    /// The pv of the evaluation, which begins with the best move; empty where there is none.
    pub line: Vec<Move>,
    /// The signature of the engine that evaluated the position; `None` without a name, or for a value by the rules.
    pub engine: Option<String>,
}

/// A move with its loss and mark, by the judge's values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssessedMove {
    /// The node that the move leads to.
    pub node: NodeId,
    /// The number of the move in its line, from 1.
    pub ply: u16,
    /// The assessed move.
    pub mv: Move,
    /// The side that moved.
    pub side: Color,
    /// The loss in percentage points of win rate, from 0 to 100; 0 for the judge's best move.
    pub loss: f64,
    /// The judge's best move; `None` where it is not known.
    pub best: Option<Move>,
    /// The mark; `None` if the move was not bad.
    pub mark: Option<MoveMark>,
    /// Whether the game was decided before and after the move: the same side had a win rate of over 90 %.
    pub is_decided: bool,
    /// The mate that the side had before the move and does not have after it. `None` without such a mate, and for the
    /// judge's best move.
    pub missed_mate: Option<ForcedMate>,
    /// The mate that the other side has only since the move. `None` without such a mate, and for the judge's best move.
    pub allowed_mate: Option<ForcedMate>,
}

/// A forced mate by an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForcedMate {
    /// The number of plies; `None` if it is unknown.
    pub plies: Option<u32>,
}

impl ForcedMate {
    /// Returns the mate by a side that a value states; `None` for other values.
    pub fn from_value(value: Value, side: Color) -> Option<Self> {
        match value {
            Value::Mate { winner, plies } if winner == side => Some(Self { plies }),
            _ => None,
        }
    }
}

/// The assessment of the positions and moves of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameReview {
    evaluators: Evaluators,
    judge: Option<Evaluator>,
    /// The judge's values by node. Without a judge, the values of the players for their own moves.
    position_values: BTreeMap<NodeId, PositionValue>,
    moves: BTreeMap<NodeId, Comparison>,
    reasons: MoveReasons,
    /// The value and scale of each evaluator for each position.
    values_by_evaluator: HashMap<(NodeId, Evaluator), (Value, WinRateModel)>,
}

/// A move with the values of the positions before and after it.
#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    assessed: AssessedMove,
    /// The values before and after the move.
    values: [PositionValue; 2],
}

impl AssessedMove {
    /// Returns whether the move was the judge's best move.
    pub fn is_best_move(&self) -> bool {
        self.best == Some(self.mv)
    }

    /// Returns whether the move is an error to learn from: a doubtful move or worse, or one that missed or allowed a mate.
    /// Every decisive move is.
    pub fn is_error(&self) -> bool {
        is_error(self.mark, [self.missed_mate, self.allowed_mate])
    }

    /// Returns the effect of the move on forced mates, in words; empty if there is none.
    pub fn mate_change(&self, lang: Lang) -> String {
        let [missed, allowed] =
            [self.missed_mate, self.allowed_mate].map(|mate| mate.map(|mate| text::mate(mate.plies, lang)));
        text::mate_change(missed.as_deref(), allowed.as_deref(), lang)
    }
}

/// Returns whether a move with this mark, and with these missed and allowed mates, is an error to learn from.
pub(crate) fn is_error(mark: Option<MoveMark>, mates: [Option<ForcedMate>; 2]) -> bool {
    mark.is_some_and(MoveMark::is_listed) || mates.iter().any(Option::is_some)
}

impl GameReview {
    /// Reads every comment of a record and assesses the positions and moves, as
    /// [`with_evaluations`](Self::with_evaluations) does. `choose` selects the judge; `None` stands for [the default
    /// judge](Evaluators::judge).
    pub fn new(
        record: &Record,
        choose: impl FnOnce(&Evaluators) -> Option<Evaluator>,
        model: impl Fn(&Evaluation) -> WinRateModel,
    ) -> Self {
        let mut walk = record.walk();
        let commented = record.all().filter(|node| record.node(*node).comment().is_some());
        let evaluations: HashMap<_, _> = commented.map(|node| (node, walk.evaluations(node))).collect();
        let evaluations = |node| evaluations.get(&node).map_or(&[][..], Vec::as_slice);
        let evaluators = Evaluators::from_values(record, &[], evaluations);
        let judge = choose(&evaluators).or_else(|| evaluators.judge().cloned());
        Self::with_evaluations(record, evaluations, evaluators, judge, model)
    }

    /// Assesses every position and move of a record, including variations. `evaluations_of` returns the evaluations in
    /// the comment of a node, and `model` the scale of an evaluation. The judge is one of the `evaluators`. Without a
    /// judge, no move is assessed, and a position has the value by the player whose move led to it. A value by the
    /// rules takes precedence.
    pub fn with_evaluations<'s>(
        record: &Record,
        evaluations_of: impl Fn(NodeId) -> &'s [Evaluation],
        evaluators: Evaluators,
        judge: Option<Evaluator>,
        model: impl Fn(&Evaluation) -> WinRateModel,
    ) -> Self {
        let mut review = Self {
            evaluators,
            judge,
            ..Self::default()
        };
        let mut walk = record.walk();
        for node in record.all().filter(|node| record.node(*node).end().is_none()) {
            let ruled = value_by_rules(record, &mut walk, node).map(PositionValue::from_rules);
            // The last of several values by the same evaluator counts.
            for evaluation in evaluations_of(node)
                .iter()
                .filter(|evaluation| evaluators::is_value(evaluation))
            {
                let by = review.evaluators.evaluator_of(evaluation, record, node);
                let model = model(evaluation);
                let Some(value) = PositionValue::from_evaluation(evaluation, model) else {
                    continue;
                };
                review
                    .values_by_evaluator
                    .insert((node, by.clone()), (value.value, model));
                let is_judge = review
                    .judge
                    .as_ref()
                    .map_or(matches!(by, Evaluator::Player(_)), |judge| *judge == by);
                if is_judge {
                    review.position_values.insert(node, value);
                }
            }
            // A value by the rules replaces the value of the judge.
            review.position_values.extend(ruled.map(|value| (node, value)));
            let before = if review.judge.is_some() {
                record.parent(node)
            } else {
                None
            };
            let pair = before.and_then(|before| {
                Some([
                    review.position_value(before)?.clone(),
                    review.position_value(node)?.clone(),
                ])
            });
            let comparison = pair.and_then(|values| compare(record, node, values));
            review
                .moves
                .extend(comparison.map(|comparison| (node, comparison)));
        }
        review
    }

    /// Removes all assessed moves, because the known values are not reliable yet.
    pub fn clear_moves(&mut self) {
        self.moves.clear();
    }

    /// Returns the evaluators of the positions of the game.
    pub const fn evaluators(&self) -> &Evaluators {
        &self.evaluators
    }

    /// Returns the judge; `None` if there is none.
    pub const fn judge(&self) -> Option<&Evaluator> {
        self.judge.as_ref()
    }

    /// Returns the value of a position by an evaluator, from Black's view, and the scale of the evaluator; `None`
    /// without a value.
    pub fn value_by(&self, by: &Evaluator, node: NodeId) -> Option<(Value, WinRateModel)> {
        self.values_by_evaluator.get(&(node, by.clone())).copied()
    }

    /// Returns the judge's value of a position, as [`value_by`](Self::value_by) does. Without a judge, returns the
    /// value by the player whose move led to the position.
    pub fn judge_value(&self, node: NodeId) -> Option<(Value, WinRateModel)> {
        match &self.judge {
            Some(judge) => self.value_by(judge, node),
            None => [Color::Black, Color::White]
                .into_iter()
                .find_map(|side| self.value_by(&Evaluator::Player(side), node)),
        }
    }

    /// Returns the value of the position at a node; `None` if the value is unknown.
    pub fn position_value(&self, node: NodeId) -> Option<&PositionValue> {
        self.position_values.get(&node)
    }

    /// Returns the assessment of the move that leads to a node; `None` if the move is not assessed.
    pub fn assessed(&self, node: NodeId) -> Option<&AssessedMove> {
        self.moves.get(&node).map(|comparison| &comparison.assessed)
    }

    /// Returns the values of the positions before and after the move that leads to a node; `None` if the move is not
    /// assessed.
    pub fn compared_values(&self, node: NodeId) -> Option<&[PositionValue; 2]> {
        self.moves.get(&node).map(|comparison| &comparison.values)
    }

    /// Returns every assessed move.
    pub fn moves(&self) -> impl Iterator<Item = &AssessedMove> {
        self.moves.values().map(|comparison| &comparison.assessed)
    }

    /// Returns the judge's line for every move that has a mark, with the node before the move.
    pub fn better_lines(&self, record: &Record) -> Vec<(NodeId, Vec<Move>)> {
        let marked = self
            .moves
            .values()
            .filter(|comparison| comparison.assessed.mark.is_some());
        let better = marked.filter_map(
            |Comparison {
                 assessed,
                 values: [before, _],
             }| { Some((record.parent(assessed.node)?, before.line.clone())) },
        );
        better.collect()
    }
}

/// Assesses the move that leads to a node, by the values before and after it; `None` if the node has no move.
fn compare(record: &Record, node: NodeId, values: [PositionValue; 2]) -> Option<Comparison> {
    let [before, after] = &values;
    let (mv, ply) = (record.node(node).mv()?, record.node(node).ply());
    let black_began = record.start().side_to_move() == Color::Black;
    let side = if (ply % 2 == 1) == black_began {
        Color::Black
    } else {
        Color::White
    };
    let decrease = if side == Color::Black {
        before.rate - after.rate
    } else {
        after.rate - before.rate
    };
    let best = before.line.first().copied();
    let is_best_move = best == Some(mv);
    let loss = if is_best_move {
        0.0
    } else {
        (decrease * 100.0).max(0.0)
    };
    // A mate is neither missed if the side still wins, nor allowed if the side was lost before.
    let (still_wins, was_lost) = (
        after.value.winner() == Some(side),
        before.value.winner() == Some(side.flip()),
    );
    let is_decided = [before, after].iter().all(|value| value.rate > DECIDED_WIN_RATE)
        || [before, after]
            .iter()
            .all(|value| value.rate < 1.0 - DECIDED_WIN_RATE);
    let assessed = AssessedMove {
        node,
        ply,
        mv,
        side,
        loss,
        best,
        mark: MoveMark::from_loss(loss),
        is_decided,
        missed_mate: if is_best_move || still_wins {
            None
        } else {
            ForcedMate::from_value(before.value, side)
        },
        allowed_mate: if is_best_move || was_lost {
            None
        } else {
            ForcedMate::from_value(after.value, side.flip())
        },
    };
    Some(Comparison { assessed, values })
}

impl PositionValue {
    /// Creates the value by an evaluation; `None` for an evaluation without a value.
    fn from_evaluation(evaluation: &Evaluation, model: WinRateModel) -> Option<Self> {
        let value = evaluation.value?;
        Some(Self {
            value,
            rate: model.win_rate(value),
            line: evaluation.pv.clone(),
            engine: evaluation.engine.clone(),
        })
    }

    /// Returns the win rate of a side in whole percent.
    pub fn percent_of(&self, side: Color) -> u8 {
        let (black, white) = percent(self.rate, self.value.winner().is_some());
        if side == Color::Black { black } else { white }
    }

    fn from_rules(value: Value) -> Self {
        Self {
            value,
            rate: WinRateModel::default().win_rate(value),
            line: Vec::new(),
            engine: None,
        }
    }
}

#[cfg(test)]
mod tests;
