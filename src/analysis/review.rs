//! What the moves of a record were worth, by the evaluations in its comments.
//!
//! It takes what is there, whichever program wrote it, so that a record analysed elsewhere has its marks, too.
//!
//! - The *loss* of a move is by how much the win rate of its side is less after it than before it, in points
//!   of a hundred; a move after which it is more has lost nothing. It is known where both positions have an
//!   evaluation. A position in which a side is mated needs none.
//! - A *mark* is given by the loss ([`Mark::of_loss`]), and never to the engine's own choice: what that loses
//!   is what a deeper look found out, and not the player's doing.
//! - The *accuracy* of a side is 100 minus the mean loss of its moves, and not below 0.
//! - A *turning point* is the move by which the lead was lost: see [`Turn`].

mod summary;

pub use summary::{Side, Summary, Turn, TurningPoint};

use crate::kifu::evaluation::{Dialect, Evaluation, Source};
use crate::kifu::{NodeId, Record, Walk};
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
    moves: BTreeMap<NodeId, Assessed>,
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
    /// counts (each by its name or [signature](super::signature)), where it does, and else the best informed:
    /// an analysis before somebody's study, and that before a player; of these, the last.
    pub fn of<'s>(
        record: &Record,
        said: impl Fn(NodeId) -> &'s [Evaluation],
        engines: &[&str],
        model: impl Fn(&Evaluation) -> Model,
    ) -> Self {
        let mut walk = record.walk();
        let mut review = Self::default();
        for node in record.all().filter(|node| record.node(*node).end().is_none()) {
            let worth = stated(said(node), engines, &model).or_else(|| ruled(record, &mut walk, node));
            let Some(worth) = worth else { continue };
            // A node comes after its parent.
            let assessed = review.assess(record, node, worth.rate);
            review.moves.extend(assessed.map(|assessed| (node, assessed)));
            review.worths.insert(node, worth);
        }
        review
    }

    /// What the position at a node is worth; `None` where nobody says.
    pub fn worth(&self, node: NodeId) -> Option<&Worth> {
        self.worths.get(&node)
    }

    /// What the move that leads to a node was worth; `None` where that is not known.
    pub fn assessed(&self, node: NodeId) -> Option<&Assessed> {
        self.moves.get(&node)
    }

    /// Every move of which it is known what it was worth.
    pub fn moves(&self) -> impl Iterator<Item = &Assessed> {
        self.moves.values()
    }

    /// What the engine would have played wherever the move that was played has a mark: the node before it, and the line.
    pub fn better_lines(&self, record: &Record) -> Vec<(NodeId, Vec<Move>)> {
        let marked = self.moves().filter(|assessed| assessed.mark.is_some());
        let better = marked.filter_map(|assessed| {
            let before = record.parent(assessed.node)?;
            Some((before, self.worth(before)?.line.clone()))
        });
        better.collect()
    }

    fn assess(&self, record: &Record, node: NodeId, rate: f64) -> Option<Assessed> {
        let (before, mv) = (self.worth(record.parent(node)?)?, record.node(node).mv()?);
        let ply = record.node(node).ply();
        let black_began = record.start().side_to_move() == Color::Black;
        let side = if (ply % 2 == 1) == black_began { Color::Black } else { Color::White };
        let decrease = if side == Color::Black { before.rate - rate } else { rate - before.rate };
        let loss = (decrease * 100.0).max(0.0);
        let is_choice = before.line.first() == Some(&mv);
        let mark = Mark::of_loss(loss).filter(|_| !is_choice);
        Some(Assessed { node, ply, mv, side, loss, is_choice, mark })
    }
}

/// What is said of a position by who knows best.
fn stated(said: &[Evaluation], engines: &[&str], model: &impl Fn(&Evaluation) -> Model) -> Option<Worth> {
    // What is said of another move than the one played is said of another position.
    let best = |said: &&Evaluation| !said.is_alternative && said.value.is_some() && said.rank.unwrap_or(1) <= 1;
    let weight = |said: &&Evaluation| {
        let is_wanted = said.engine.as_deref().is_some_and(|engine| engines.contains(&engine));
        let informed = match said.source {
            Source::Analysis => 2,
            Source::Study => 1,
            Source::Game => 0,
        };
        // An engine that signs has spoken afterwards, in whichever dialect.
        (is_wanted, if said.engine.is_some() && said.dialect != Dialect::ShogiHome { 2 } else { informed })
    };
    let said = said.iter().filter(best).max_by_key(weight)?;
    let value = said.value?;
    Some(Worth { value, rate: model(said).win_rate(value), line: said.pv.clone(), engine: said.engine.clone() })
}

/// What the rules say of a position that ends a line.
fn ruled(record: &Record, walk: &mut Walk<'_>, node: NodeId) -> Option<Worth> {
    let goes_on = record.children(node).any(|child| record.node(child).mv().is_some());
    let position = (!goes_on).then(|| walk.go(node)).filter(|position| position.is_mate())?;
    let winner = position.side_to_move().flip();
    let value = Value::Mate { winner, plies: None };
    Some(Worth { value, rate: Model::default().win_rate(value), line: Vec::new(), engine: None })
}

#[cfg(test)]
mod tests;
