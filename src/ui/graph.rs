//! The graph of a game: the evaluation of each position by several engines, the marked moves and the move times.
//!
//! [`draw()`] turns a [`GraphView`] into shapes in any rectangle. A window and a picture file show the same graph.
//! [`GraphInput`] adds mouse and keyboard input, keeps the zoom, and returns [`GraphAction`]s.

mod axes;
pub(super) mod curve;
mod draw;
mod input;
mod marks;
mod scale;
mod times;
mod tooltip;
mod zoom;

use shogibar_games::analysis::MoveMark;
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};

pub use axes::plot_rect;
pub use curve::curve_sample;
pub use draw::{curve_color, draw, live_color};
pub use input::GraphInput;
pub use marks::{dot_with_ring, mark_color, mark_letter};
pub use zoom::GraphZoom;

/// What the graph of a game shows.
#[derive(Clone, Copy, Debug)]
pub struct GraphView<'a> {
    /// The number of moves of the game. Plies go from 0, the start, to this number.
    pub plies: usize,
    /// The current ply. A ply beyond the game means that there is no current ply.
    pub current_ply: usize,
    /// The evaluations of each engine; the judging engine comes first.
    pub series: &'a [GraphSeries<'a>],
    /// Whether the first series judges the game. Among `series`, only the area of the judge is filled.
    pub has_judge: bool,
    /// The values that were shown live, by engine, for plies without a value in the record. The area of the first live
    /// series is filled.
    pub live_series: &'a [GraphSeries<'a>],
    /// Values by background searches, by ply from 0, for plies without other values. They are drawn fainter.
    pub filled_values: &'a [Option<(Value, WinRateModel)>],
    /// The game from which the shown variation branches off; `None` while the game itself is shown.
    pub game: Option<GraphGame<'a>>,
    /// Black's share of the bar, which is the height of the point at the current ply. `None` unless several engines
    /// contribute and none of them judges.
    pub bar_share: Option<f32>,
    /// The position of the engine names.
    pub name_position: GraphNamePosition,
    /// The moves that are marked on the curve.
    pub marks: &'a [GraphMark],
    /// The seconds of each move, by ply less one. If the list is empty, times are hidden.
    pub move_times: &'a [Option<u32>],
    /// The side that makes the first move.
    pub first_mover: Color,
    /// The moves in words, by ply less one; may be shorter than the game.
    pub moves: &'a [String],
    /// The reasons why moves were bad, in a few words, by ply less one. An unknown reason is empty. The list may be
    /// shorter than the game.
    pub reasons: &'a [String],
    /// The names of the sides, Black's first.
    pub titles: [&'a str; 2],
    /// The values that the graph draws.
    pub kind: GraphKind,
    /// Whether White is at the top.
    pub is_flipped: bool,
    /// Whether the evaluations are hidden for now. The graph must then not reveal them in any other way.
    pub is_hidden: bool,
    /// The plies in view.
    pub zoom: GraphZoom,
}

/// The game from which a variation branches off.
#[derive(Clone, Copy, Debug)]
pub struct GraphGame<'a> {
    /// The last ply that the variation shares with the game.
    pub branch_ply: usize,
    /// The values of the game by ply, from 0, each with its model.
    pub values: &'a [Option<(Value, WinRateModel)>],
}

/// The position of the engine names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphNamePosition {
    /// Beside the ends of the curves, in the graph.
    Inside,
    /// Beside the graph; the caller draws them.
    Beside,
}

/// The evaluations of a game by one engine.
#[derive(Clone, Copy, Debug)]
pub struct GraphSeries<'a> {
    /// The name of the engine.
    pub name: &'a str,
    /// The values by ply, from 0, in Black's view; may be shorter than the game.
    pub values: &'a [Option<Value>],
    /// The model that converts the values to win rates.
    pub model: WinRateModel,
}

/// The mark of a move in the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GraphMark {
    /// The ply after the move.
    pub ply: usize,
    /// The severity of the mark.
    pub kind: MoveMark,
    /// Whether the move is decisive. Its dot has a ring.
    pub is_decisive: bool,
}

/// The values that a graph draws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum GraphKind {
    /// Black's win rate.
    #[default]
    WinRate,
    /// The evaluation in centipawns, compressed towards its ends.
    Evaluation,
    /// The win rate, and the evaluation as a thinner line.
    Both,
}

/// A user action on the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphAction {
    /// Go to this ply.
    Go(usize),
}

impl GraphSeries<'_> {
    /// Returns the engine's value at a ply, with the win-rate model; `None` without a value.
    fn value(&self, ply: usize) -> Option<(Value, WinRateModel)> {
        self.values
            .get(ply)
            .copied()
            .flatten()
            .map(|value| (value, self.model))
    }
}

impl GraphView<'_> {
    /// Returns the number of plies that are drawn: that of the variation or that of the game, whichever is larger.
    fn drawn_plies(&self) -> usize {
        self.game
            .map_or(0, |game| game.values.len().saturating_sub(1))
            .max(self.plies)
    }

    /// Returns the value shown at a ply: up to the branch of a variation that of the game, otherwise that of the judge,
    /// then a live value, then that of any other engine. Returns `None` if none has a value.
    fn value(&self, ply: usize) -> Option<(Value, WinRateModel)> {
        let (judge, others) = self
            .series
            .split_at(usize::from(self.has_judge).min(self.series.len()));
        let game = self
            .game
            .filter(|game| ply <= game.branch_ply)
            .and_then(|game| *game.values.get(ply)?);
        let mut all = judge.iter().chain(self.live_series).chain(others);
        game.or_else(|| all.find_map(|series| series.value(ply)))
    }

    /// Returns whether there is no value of the game, of an engine or of a live search.
    fn is_empty(&self) -> bool {
        let has_game = self
            .game
            .is_some_and(|game| game.values.iter().any(Option::is_some));
        !has_game
            && self
                .series
                .iter()
                .chain(self.live_series)
                .all(|series| series.values.iter().all(Option::is_none))
    }
}

#[cfg(test)]
mod tests;
