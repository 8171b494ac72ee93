//! The graph of a game: who was winning at each of its moves, as several engines see it, where it turned, and what
//! time each move took.
//!
//! [`draw()`] makes shapes of a [`GraphView`] in any rectangle, so that a window and a picture file show the same;
//! [`show`] lets it be clicked, and gives back [`GraphAction`]s.

mod axes;
mod curve;
mod draw;
mod live;
mod marks;
mod scale;

use crate::analysis::MoveMark;
use crate::score::{Model, Value};
use crate::shogi::Color;

pub use draw::{color as color_of_curve, draw};
pub use live::show;
pub use marks::color as color_of;

/// What the graph shows.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    /// How many moves the game has: the plies go from 0, the start, to this.
    pub plies: usize,
    /// The ply on view; one beyond the game is none.
    pub current: usize,
    /// What each engine says, the one that judges first.
    pub series: &'a [GraphSeries<'a>],
    /// Whether the first of them judges: only such a one has its area filled.
    pub judged: bool,
    /// Where their names stand.
    pub names: GraphNames,
    /// The moves that are marked.
    pub marks: &'a [GraphMark],
    /// The seconds that each move took, by its ply less one; empty where they are not to be shown.
    pub times: &'a [Option<u32>],
    /// Who makes the first move.
    pub first: Color,
    /// The moves in words, by their ply less one; may be shorter than the game.
    pub moves: &'a [String],
    /// What the sides are called, Black's first.
    pub titles: [&'a str; 2],
    /// What is drawn of the values.
    pub kind: GraphKind,
    /// Whether White is above.
    pub flipped: bool,
    /// Whether what engines say is hidden, for now, and not left to be found out.
    pub hidden: bool,
}

/// Where the names of the engines stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNames {
    /// In the graph.
    Inside,
    /// Beside it: whoever shows the graph sees to that.
    Beside,
}

/// What one engine says of a game.
#[derive(Clone, Copy, Debug)]
pub struct GraphSeries<'a> {
    /// The engine.
    pub name: &'a str,
    /// The values by ply, from 0, in Black's view; may be shorter than the game.
    pub values: &'a [Option<Value>],
    /// What they are worth as win rates.
    pub model: Model,
}

/// A marked move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphMark {
    /// The ply after it.
    pub ply: usize,
    /// How bad it was.
    pub kind: MoveMark,
}

/// What is drawn of the values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GraphKind {
    /// Black's win rate.
    #[default]
    WinRate,
    /// The evaluation in centipawns, the less of it the more there is.
    Evaluation,
    /// The win rate, and the evaluation as a thinner line.
    Both,
}

/// What is done on the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphAction {
    /// Go to this ply.
    Go(usize),
}

impl GraphSeries<'_> {
    /// The value that the engine has for a ply.
    fn value(&self, ply: usize) -> Option<Value> {
        self.values.get(ply).copied().flatten()
    }
}

#[cfg(test)]
mod tests;
