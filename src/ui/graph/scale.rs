//! The mapping from plies and values to points of the graph.

use super::{GraphKind, GraphSeries, GraphView};
use crate::score::Value;
use crate::shogi::Color;
use eframe::egui;
use egui::{Pos2, Rect, pos2};

/// The evaluation at the border, in centipawns; only a mate is beyond it.
const MOST: f32 = 3000.0;
/// The evaluation up to which the scale is nearly linear.
const BEND: f32 = 600.0;
/// The maximum height of an evaluation, as a fraction of the way from the middle to the border.
const REACH: f32 = 0.94;

/// Which measure of a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphMeasure {
    WinRate,
    Evaluation,
}

/// The coordinates of plies and values in a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphScale {
    pub(super) rect: Rect,
    plies: usize,
    flipped: bool,
}

impl GraphScale {
    pub(super) const fn new(view: &GraphView<'_>, rect: Rect) -> Self {
        Self { rect, plies: view.plies, flipped: view.flipped }
    }

    /// Returns the x coordinate of a ply.
    pub(super) fn x(&self, ply: usize) -> f32 {
        let part = ply as f32 / self.plies.max(1) as f32;
        egui::lerp(self.rect.x_range(), part)
    }

    /// Returns the ply nearest to an x coordinate.
    pub(super) fn ply(&self, x: f32) -> usize {
        let part = ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such a cast saturates")]
        let ply = (part * self.plies as f32).round() as usize;
        ply.min(self.plies)
    }

    /// Returns the y coordinate of a height from −1, White's win, to 1, Black's.
    pub(super) fn y(&self, height: f32) -> f32 {
        let height = if self.flipped { -height } else { height };
        let height = if height.is_finite() { height.clamp(-1.0, 1.0) } else { 0.0 };
        egui::lerp(self.rect.bottom()..=self.rect.top(), height.midpoint(1.0))
    }

    pub(super) fn middle(&self) -> f32 {
        self.rect.center().y
    }

    pub(super) fn at(&self, ply: usize, height: f32) -> Pos2 {
        pos2(self.x(ply), self.y(height))
    }
}

impl GraphMeasure {
    /// Returns the main measure of a graph, and the second one if there is one.
    pub(super) const fn for_kind(kind: GraphKind) -> (Self, Option<Self>) {
        match kind {
            GraphKind::WinRate => (Self::WinRate, None),
            GraphKind::Evaluation => (Self::Evaluation, None),
            GraphKind::Both => (Self::WinRate, Some(Self::Evaluation)),
        }
    }

    /// Returns the height of an engine's value, from −1 to 1.
    pub(super) fn height(self, series: &GraphSeries<'_>, value: Value) -> f32 {
        match (self, value) {
            (Self::WinRate, value) => {
                #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
                let rate = series.model.win_rate(value) as f32;
                2.0 * rate - 1.0
            }
            (Self::Evaluation, Value::Cp(cp)) => evaluation(cp),
            (Self::Evaluation, Value::Won(Color::Black) | Value::Mate { winner: Color::Black, .. }) => 1.0,
            (Self::Evaluation, Value::Won(Color::White) | Value::Mate { winner: Color::White, .. }) => -1.0,
        }
    }

    /// Returns the heights of grid lines with their labels. There are more if `is_roomy`.
    pub(super) fn ticks(self, is_roomy: bool) -> Vec<(f32, String)> {
        match self {
            Self::WinRate => {
                let rates: &[i16] = if is_roomy { &[100, 75, 50, 25, 0] } else { &[100, 50, 0] };
                rates.iter().map(|rate| (f32::from(*rate) / 50.0 - 1.0, format!("{rate}%"))).collect()
            }
            Self::Evaluation => {
                let centipawns: &[i32] =
                    if is_roomy { &[3000, 1000, 300, 0, -300, -1000, -3000] } else { &[3000, 1000, 0, -1000, -3000] };
                centipawns.iter().map(|cp| (evaluation(*cp), crate::text::graph::centipawns(*cp))).collect()
            }
        }
    }
}

/// Returns the height of an evaluation: linear near the middle, compressed further out.
fn evaluation(cp: i32) -> f32 {
    let cp = (cp as f32).clamp(-MOST, MOST);
    REACH * (cp / BEND).asinh() / (MOST / BEND).asinh()
}

/// Returns the point of the first curve at a ply; on the middle where it has no value.
pub(super) fn place(view: &GraphView<'_>, scale: &GraphScale, ply: usize) -> Option<Pos2> {
    let series = view.series.first()?;
    let (main, _) = GraphMeasure::for_kind(view.kind);
    let height = series.value(ply).map_or(0.0, |value| main.height(series, value));
    Some(scale.at(ply, height))
}
