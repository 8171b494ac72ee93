//! The mapping from plies and values to points of the graph.

use super::{GraphKind, GraphView};
use eframe::egui;
use egui::{Pos2, Rect, pos2};
use shogibar_shogi::Color;
use shogibar_shogi::score::{Value, WinRateModel};

/// The maximum evaluation on the scale, in centipawns. Larger ones have the same height.
const MAX_CP: f32 = 3000.0;
/// The maximum evaluation for which the scale is nearly linear, in centipawns.
const MAX_LINEAR_CP: f32 = 600.0;
/// The height of the largest evaluation, as a fraction of the distance from the middle to the border. Only a mate or
/// the end of the game is at the border.
const MAX_EVALUATION_HEIGHT: f32 = 0.94;

/// The measure of a value that a curve shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphMeasure {
    WinRate,
    Evaluation,
}

/// The coordinates of plies and values in a rectangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphScale {
    /// The rectangle of the curves.
    pub(super) rect: Rect,
    /// The last ply that can become the current one.
    plies: usize,
    /// The plies at the left and right edge.
    range: [f32; 2],
    is_flipped: bool,
}

impl GraphScale {
    /// Creates the coordinates of a view, with the curves in a rectangle.
    pub(super) fn new(view: &GraphView<'_>, rect: Rect) -> Self {
        let (first, last) = view.zoom.range(view.drawn_plies()).into_inner();
        Self {
            rect,
            plies: view.plies,
            range: [first, last],
            is_flipped: view.is_flipped,
        }
    }

    pub(super) fn x(&self, ply: usize) -> f32 {
        let [first, last] = self.range;
        egui::lerp(
            self.rect.x_range(),
            (ply as f32 - first) / (last - first).max(f32::MIN_POSITIVE),
        )
    }

    /// Returns the ply at an x coordinate as a fractional number, limited to the plies in view.
    pub(super) fn fractional_ply(&self, x: f32) -> f32 {
        let [first, last] = self.range;
        let part = ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        egui::lerp(first..=last, part)
    }

    /// Returns the ply nearest to an x coordinate that can become the current one.
    pub(super) fn ply(&self, x: f32) -> usize {
        self.ply_in_view(x).min(self.plies)
    }

    /// Returns the ply nearest to an x coordinate. The ply may be beyond the end of a variation.
    pub(super) fn ply_in_view(&self, x: f32) -> usize {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        let ply = self.fractional_ply(x).round() as usize;
        ply
    }

    /// Returns the width of a ply, in points.
    pub(super) fn ply_width(&self) -> f32 {
        let [first, last] = self.range;
        self.rect.width() / (last - first).max(f32::MIN_POSITIVE)
    }

    pub(super) fn is_in_view(&self, ply: usize) -> bool {
        let ([first, last], ply) = (self.range, ply as f32);
        first - 0.01 <= ply && ply <= last + 0.01
    }

    pub(super) fn is_upper(&self, side: Color) -> bool {
        (side == Color::Black) != self.is_flipped
    }

    /// Returns the y coordinate of a height from −1, a win of White, to 1, a win of Black.
    pub(super) fn y(&self, height: f32) -> f32 {
        let height = if self.is_flipped { -height } else { height };
        let height = if height.is_finite() {
            height.clamp(-1.0, 1.0)
        } else {
            0.0
        };
        egui::lerp(self.rect.bottom()..=self.rect.top(), height.midpoint(1.0))
    }

    /// Returns the y coordinate of an even position.
    pub(super) fn middle_y(&self) -> f32 {
        self.rect.center().y
    }

    /// Returns the point at a ply and a height from −1 to 1.
    pub(super) fn point(&self, ply: usize, height: f32) -> Pos2 {
        pos2(self.x(ply), self.y(height))
    }
}

impl GraphMeasure {
    pub(super) const fn for_kind(kind: GraphKind) -> (Self, Option<Self>) {
        match kind {
            GraphKind::WinRate => (Self::WinRate, None),
            GraphKind::Evaluation => (Self::Evaluation, None),
            GraphKind::Both => (Self::WinRate, Some(Self::Evaluation)),
        }
    }

    /// Returns the height of a value, from −1 to 1.
    pub(super) fn height(self, value: Value, model: WinRateModel) -> f32 {
        match (self, value) {
            (Self::WinRate, value) => {
                #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
                let rate = model.win_rate(value) as f32;
                2.0 * rate - 1.0
            }
            (Self::Evaluation, Value::Cp(cp)) => evaluation_height(cp),
            (
                Self::Evaluation,
                Value::Won(Color::Black)
                | Value::Mate {
                    winner: Color::Black, ..
                },
            ) => 1.0,
            (
                Self::Evaluation,
                Value::Won(Color::White)
                | Value::Mate {
                    winner: Color::White, ..
                },
            ) => -1.0,
        }
    }

    /// Returns the heights of grid lines with their labels: more lines if `is_roomy`.
    pub(super) fn ticks(self, is_roomy: bool) -> Vec<(f32, String)> {
        match self {
            Self::WinRate => {
                let rates: &[i16] = if is_roomy {
                    &[100, 75, 50, 25, 0]
                } else {
                    &[100, 50, 0]
                };
                // The label is the win rate of the side that leads.
                rates
                    .iter()
                    .map(|&rate| (f32::from(rate) / 50.0 - 1.0, rate.max(100 - rate).to_string()))
                    .collect()
            }
            Self::Evaluation => {
                let centipawns: &[i32] = if is_roomy {
                    &[3000, 1000, 300, 0, -300, -1000, -3000]
                } else {
                    &[3000, 1000, 0, -1000, -3000]
                };
                centipawns
                    .iter()
                    .map(|cp| (evaluation_height(*cp), shogibar_games::graph_text::signed(*cp)))
                    .collect()
            }
        }
    }
}

/// Returns the height of an evaluation, from −1 to 1: linear near the middle, compressed further out.
fn evaluation_height(cp: i32) -> f32 {
    let cp = (cp as f32).clamp(-MAX_CP, MAX_CP);
    MAX_EVALUATION_HEIGHT * (cp / MAX_LINEAR_CP).asinh() / (MAX_CP / MAX_LINEAR_CP).asinh()
}

/// Returns the point of the curve at a ply, in the middle if the ply has no value; `None` without a curve.
pub(super) fn point_at(view: &GraphView<'_>, scale: &GraphScale, ply: usize) -> Option<Pos2> {
    if view.is_empty() {
        return None;
    }
    let (main, _) = GraphMeasure::for_kind(view.kind);
    let height = view
        .value(ply)
        .map_or(0.0, |(value, model)| main.height(value, model));
    Some(scale.point(ply, height))
}
