//! What the moves of a record were worth, by the evaluations in its comments.
//!
//! It takes what is there, whichever program wrote it, so that a record analysed elsewhere has its marks, too.
//!
//! - A game is judged by one of its [evaluators](Evaluators): all of what follows is by that one alone.
//! - The *loss* of a move is by how much the win rate of its side is less after it than before it, in points
//!   of a hundred; a move after which it is more has lost nothing. It is known where the judge has evaluated both
//!   positions; a position in which the game is over by the rules needs nobody. The judge's own choice loses nothing:
//!   what its value fell by is what a deeper look found out, and not the player's doing.
//! - A *mark* is given by the loss ([`Mark::of_loss`]).
//! - The *accuracy* of a side is 100 minus the mean loss of its moves, and not below 0.
//! - A *turning point* is a move by which the game took another course: see [`Turn`].

mod judge;
mod sources;
mod summary;

pub use judge::{Evaluator, Evaluators};
pub use sources::{best_informed, lines_by};
pub use summary::{LeadChange, ReviewSummary, SideSummary, TurnKind, TurningPoint};

use super::plan::value_by_rules;
use crate::kifu::evaluation::Evaluation;
use crate::kifu::{NodeId, Record};
use crate::score::{Model, Value};
use crate::shogi::{Color, Move};
use crate::text::Label;
use std::collections::{BTreeMap, HashMap};

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveMark {
    /// 緩手: 5 points and more.
    Inaccuracy,
    /// 疑問手: 10 points and more.
    Dubious,
    /// 悪手: 20 points and more.
    Mistake,
    /// 大悪手: 50 points and more.
    Blunder,
}

/// What a position is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionValue {
    /// Its value, in Black's view.
    pub value: Value,
    /// Black's win rate, from 0 to 1.
    pub rate: f64,
    /// The engine's line, its choice first; empty where it does not say.
    pub line: Vec<Move>,
    /// Who says so; `None` where it is not said, and where the rules say it.
    pub engine: Option<String>,
}

/// What a move was worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AssessedMove {
    /// The node it leads to.
    pub node: NodeId,
    /// Which move of its line it is, from 1.
    pub ply: u16,
    /// The move.
    pub mv: Move,
    /// Whose it was.
    pub side: Color,
    /// What it lost, in points of win rate, from 0 to 100; nothing where it was the judge's own choice.
    pub loss: f64,
    /// What the judge would have played; `None` where it does not say.
    pub best: Option<Move>,
    /// How bad it was; `None` where it was not.
    pub mark: Option<MoveMark>,
}

/// What the positions and moves of a record are worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameReview {
    evaluators: Evaluators,
    judge: Option<Evaluator>,
    worths: BTreeMap<NodeId, PositionValue>,
    moves: BTreeMap<NodeId, Comparison>,
    /// What each of the evaluators says of a position.
    by: HashMap<(NodeId, Evaluator), (Value, Model)>,
}

/// A move, and what the positions before and after it are worth.
#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    assessed: AssessedMove,
    worths: [PositionValue; 2],
}

impl MoveMark {
    /// What it is called.
    pub const fn label(self) -> Label {
        match self {
            Self::Inaccuracy => Label::Inaccuracy,
            Self::Dubious => Label::Dubious,
            Self::Mistake => Label::Mistake,
            Self::Blunder => Label::Blunder,
        }
    }

    /// From the least to the worst.
    pub const ALL: [Self; 4] = [Self::Inaccuracy, Self::Dubious, Self::Mistake, Self::Blunder];

    /// From how many points on it is given.
    pub const fn from(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Dubious => 10.0,
            Self::Mistake => 20.0,
            Self::Blunder => 50.0,
        }
    }

    /// The mark for a loss in points; `None` below the least.
    pub fn from_loss(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| reaches(loss, mark.from()))
    }
}

/// Whether a difference of win rates, in points, is as large as a bound. Two rates that lie as far apart may differ by a
/// last bit less.
pub(super) fn reaches(points: f64, least: f64) -> bool {
    const LAST_BIT: f64 = 1e-9;
    points + LAST_BIT >= least
}

impl AssessedMove {
    /// Whether it was what the judge would have played.
    pub fn is_choice(&self) -> bool {
        self.best == Some(self.mv)
    }
}

impl GameReview {
    /// Reads every comment of a record, and looks at its positions and moves as [`of`](Self::of) does. `choose` says
    /// who judges; where it names nobody, [the usual one](Evaluators::judge) does.
    pub fn new(
        record: &Record,
        choose: impl FnOnce(&Evaluators) -> Option<Evaluator>,
        model: impl Fn(&Evaluation) -> Model,
    ) -> Self {
        let mut walk = record.walk();
        let read = record.all().filter(|node| record.node(*node).comment().is_some());
        let said: HashMap<_, _> = read.map(|node| (node, walk.evaluations(node))).collect();
        let said = |node| said.get(&node).map_or(&[][..], Vec::as_slice);
        let evaluators = Evaluators::from_values(record, &[], said);
        let judge = choose(&evaluators).or_else(|| evaluators.judge().cloned());
        Self::from_evaluation(record, said, (evaluators, judge), model)
    }

    /// Looks at every position and move of a record, those of variations included. `said` has the evaluations at
    /// a node, `model` the scale of who made one. The judge is one of the `evaluators`; without one each position has
    /// the value of the player who moved there, and no move is assessed.
    pub fn from_evaluation<'s>(
        record: &Record,
        said: impl Fn(NodeId) -> &'s [Evaluation],
        (evaluators, judge): (Evaluators, Option<Evaluator>),
        model: impl Fn(&Evaluation) -> Model,
    ) -> Self {
        let mut review = Self { evaluators, judge, ..Self::default() };
        let mut walk = record.walk();
        for node in record.all().filter(|node| record.node(*node).end().is_none()) {
            let ruled = value_by_rules(record, &mut walk, node).map(PositionValue::by_the_rules);
            // Of several values by the same the last one counts.
            for value in said(node).iter().filter(|said| judge::is_value(said)) {
                let by = review.evaluators.evaluator_of(value, record, node);
                let model = model(value);
                let Some(worth) = PositionValue::from_evaluation(value, model) else { continue };
                review.by.insert((node, by.clone()), (worth.value, model));
                let is_judge = review.judge.as_ref().map_or(matches!(by, Evaluator::Player(_)), |judge| *judge == by);
                if is_judge {
                    review.worths.insert(node, worth);
                }
            }
            // The rules agree with everybody, and come first.
            review.worths.extend(ruled.map(|worth| (node, worth)));
            let before = record.parent(node).filter(|_| review.judge.is_some());
            let pair = before.and_then(|before| Some([review.worth(before)?.clone(), review.worth(node)?.clone()]));
            let comparison = pair.and_then(|worths| compare(record, node, worths));
            review.moves.extend(comparison.map(|comparison| (node, comparison)));
        }
        review
    }

    /// Leaves the moves without losses and marks: what is known of them is not to be trusted yet.
    pub fn clear_moves(&mut self) {
        self.moves.clear();
    }

    /// Who evaluates the positions of the game.
    pub const fn evaluators(&self) -> &Evaluators {
        &self.evaluators
    }

    /// Who judges it; `None` where nobody does.
    pub const fn judge(&self) -> Option<&Evaluator> {
        self.judge.as_ref()
    }

    /// What one of the evaluators says of a position: its value in Black's view, and what turns it into a win rate.
    pub fn said_by(&self, by: &Evaluator, node: NodeId) -> Option<(Value, Model)> {
        self.by.get(&(node, by.clone())).copied()
    }

    /// What the judge says of a position, as [`said_by`](Self::said_by); where nobody judges, the player who moved there.
    pub fn stated(&self, node: NodeId) -> Option<(Value, Model)> {
        match &self.judge {
            Some(judge) => self.said_by(judge, node),
            None => {
                [Color::Black, Color::White].into_iter().find_map(|side| self.said_by(&Evaluator::Player(side), node))
            }
        }
    }

    /// What the position at a node is worth; `None` where nobody says.
    pub fn worth(&self, node: NodeId) -> Option<&PositionValue> {
        self.worths.get(&node)
    }

    /// What the move that leads to a node was worth; `None` where that is not known.
    pub fn assessed(&self, node: NodeId) -> Option<&AssessedMove> {
        self.moves.get(&node).map(|comparison| &comparison.assessed)
    }

    /// What the positions before and after the move that leads to a node are worth.
    pub fn compared(&self, node: NodeId) -> Option<&[PositionValue; 2]> {
        self.moves.get(&node).map(|comparison| &comparison.worths)
    }

    /// Every move of which it is known what it was worth.
    pub fn moves(&self) -> impl Iterator<Item = &AssessedMove> {
        self.moves.values().map(|comparison| &comparison.assessed)
    }

    /// What the engine would have played wherever the move that was played has a mark: the node before it, and the line.
    pub fn better_lines(&self, record: &Record) -> Vec<(NodeId, Vec<Move>)> {
        let marked = self.moves.values().filter(|comparison| comparison.assessed.mark.is_some());
        let better = marked.filter_map(|Comparison { assessed, worths: [before, _] }| {
            Some((record.parent(assessed.node)?, before.line.clone()))
        });
        better.collect()
    }
}

fn compare(record: &Record, node: NodeId, worths: [PositionValue; 2]) -> Option<Comparison> {
    let [before, after] = &worths;
    let (mv, ply) = (record.node(node).mv()?, record.node(node).ply());
    let black_began = record.start().side_to_move() == Color::Black;
    let side = if (ply % 2 == 1) == black_began { Color::Black } else { Color::White };
    let decrease = if side == Color::Black { before.rate - after.rate } else { after.rate - before.rate };
    let best = before.line.first().copied();
    let loss = if best == Some(mv) { 0.0 } else { (decrease * 100.0).max(0.0) };
    Some(Comparison {
        assessed: AssessedMove { node, ply, mv, side, loss, best, mark: MoveMark::from_loss(loss) },
        worths,
    })
}

impl PositionValue {
    fn from_evaluation(said: &Evaluation, model: Model) -> Option<Self> {
        let value = said.value?;
        Some(Self { value, rate: model.win_rate(value), line: said.pv.clone(), engine: said.engine.clone() })
    }

    fn by_the_rules(value: Value) -> Self {
        Self { value, rate: Model::default().win_rate(value), line: Vec::new(), engine: None }
    }
}

#[cfg(test)]
mod tests;
