//! What the moves of a record were worth, by the evaluations in its comments.
//!
//! It takes what is there, whichever program wrote it, so that a record analysed elsewhere has its marks, too.
//!
//! - The *loss* of a move is by how much the win rate of its side is less after it than before it, in points
//!   of a hundred; a move after which it is more has lost nothing. It is known where both positions have an
//!   evaluation by the same engine, or by somebody who is not named in the same part: what lies between two engines
//!   is no move's doing. A position in which the game is over by the rules needs none.
//! - A *mark* is given by the loss ([`Mark::of_loss`]), and never to the engine's own choice: what that loses
//!   is what a deeper look found out, and not the player's doing.
//! - The *accuracy* of a side is 100 minus the mean loss of its moves, and not below 0.
//! - A *turning point* is the move by which the lead was lost: see [`Turn`].

mod informed;
mod summary;

pub use informed::best_informed;
pub use summary::{Side, Summary, Turn, TurningPoint};

use super::plan::ruled;
use crate::kifu::evaluation::Evaluation;
use crate::kifu::{NodeId, Record};
use crate::score::{Model, Value};
use crate::shogi::{Color, Move};
use crate::text::Label;
use std::collections::{BTreeMap, HashMap};

/// How bad a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
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
pub struct Worth {
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
pub struct Assessed {
    /// The node it leads to.
    pub node: NodeId,
    /// Which move of its line it is, from 1.
    pub ply: u16,
    /// The move.
    pub mv: Move,
    /// Whose it was.
    pub side: Color,
    /// What it lost, in points of win rate, from 0 to 100.
    pub loss: f64,
    /// Whether it was what the engine would have played.
    pub is_choice: bool,
    /// How bad it was; `None` where it was not.
    pub mark: Option<Mark>,
}

/// What the positions and moves of a record are worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    worths: BTreeMap<NodeId, Worth>,
    moves: BTreeMap<NodeId, Comparison>,
}

/// A move, and what the positions before and after it are worth to whom it is assessed by.
#[derive(Clone, Debug, PartialEq)]
struct Comparison {
    assessed: Assessed,
    worths: [Worth; 2],
}

impl Mark {
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
    pub fn of_loss(loss: f64) -> Option<Self> {
        // Two rates that are five points apart may differ by a last bit less.
        const LAST_BIT: f64 = 1e-9;
        Self::ALL.into_iter().rev().find(|mark| loss + LAST_BIT >= mark.from())
    }
}

impl Review {
    /// Reads every comment of a record, and looks at its positions and moves as [`of`](Self::of) does.
    pub fn new(record: &Record, engines: &[&str], model: impl Fn(&Evaluation) -> Model) -> Self {
        let mut walk = record.walk();
        let read = record.all().filter(|node| record.node(*node).comment().is_some());
        let said: HashMap<_, _> = read.map(|node| (node, walk.evaluations(node))).collect();
        Self::of(record, |node| said.get(&node).map_or(&[], Vec::as_slice), engines, model)
    }

    /// Looks at every position and move of a record, those of variations included. `said` has the evaluations at
    /// a node, `model` the scale of who made one. Where several speak of one position it is one of `engines` that
    /// counts (each by its name or [signature](super::signature)), where it does, and else the
    /// [best informed](best_informed).
    pub fn of<'s>(
        record: &Record,
        said: impl Fn(NodeId) -> &'s [Evaluation],
        engines: &[&str],
        model: impl Fn(&Evaluation) -> Model,
    ) -> Self {
        let mut review = Self::default();
        let mut walk = record.walk();
        let worth = |said: &Evaluation| Worth::of(said, model(said));
        let stated = |said| informed::stated(said, engines).and_then(worth);
        for node in record.all().filter(|node| record.node(*node).end().is_none()) {
            let here = said(node);
            let ruled = ruled(record, &mut walk, node).map(Worth::by_the_rules);
            let before = record.parent(node).map_or(&[][..], &said);
            let worths = match ruled.clone() {
                // The rules agree with everybody.
                Some(ruled) => stated(before).map(|before| [before, ruled]),
                None => informed::pair(before, here, engines)
                    .and_then(|[before, here]| Some([worth(before)?, worth(here)?])),
            };
            let comparison = worths.and_then(|worths| compare(record, node, worths));
            review.moves.extend(comparison.map(|comparison| (node, comparison)));
            review.worths.extend(ruled.or_else(|| stated(here)).map(|worth| (node, worth)));
        }
        review
    }

    /// What the position at a node is worth; `None` where nobody says.
    pub fn worth(&self, node: NodeId) -> Option<&Worth> {
        self.worths.get(&node)
    }

    /// What the move that leads to a node was worth; `None` where that is not known.
    pub fn assessed(&self, node: NodeId) -> Option<&Assessed> {
        self.moves.get(&node).map(|comparison| &comparison.assessed)
    }

    /// What the positions before and after the move that leads to a node are worth to the one by whom it is assessed:
    /// of several engines that is not always the one that says what [the position](Self::worth) is worth.
    pub fn compared(&self, node: NodeId) -> Option<&[Worth; 2]> {
        self.moves.get(&node).map(|comparison| &comparison.worths)
    }

    /// Every move of which it is known what it was worth.
    pub fn moves(&self) -> impl Iterator<Item = &Assessed> {
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

fn compare(record: &Record, node: NodeId, worths: [Worth; 2]) -> Option<Comparison> {
    let [before, after] = &worths;
    let (mv, ply) = (record.node(node).mv()?, record.node(node).ply());
    let black_began = record.start().side_to_move() == Color::Black;
    let side = if (ply % 2 == 1) == black_began { Color::Black } else { Color::White };
    let decrease = if side == Color::Black { before.rate - after.rate } else { after.rate - before.rate };
    let loss = (decrease * 100.0).max(0.0);
    let is_choice = before.line.first() == Some(&mv);
    let mark = Mark::of_loss(loss).filter(|_| !is_choice);
    Some(Comparison { assessed: Assessed { node, ply, mv, side, loss, is_choice, mark }, worths })
}

impl Worth {
    fn of(said: &Evaluation, model: Model) -> Option<Self> {
        let value = said.value?;
        Some(Self { value, rate: model.win_rate(value), line: said.pv.clone(), engine: said.engine.clone() })
    }

    fn by_the_rules(value: Value) -> Self {
        Self { value, rate: Model::default().win_rate(value), line: Vec::new(), engine: None }
    }
}

#[cfg(test)]
mod tests;
