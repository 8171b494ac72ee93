//! Which place on the graph belongs to which ply and value.

use super::{GraphKind, GraphSeries, GraphView};
use crate::score::Value;
use crate::shogi::Color;
use eframe::egui;
use egui::{Pos2, Rect, pos2};

/// The evaluation that lies at the border, in centipawns; beyond it only a mate does.
const MOST: f32 = 3000.0;
/// Up to about here an evaluation is drawn in proportion.
const BEND: f32 = 600.0;
/// How near to the border an evaluation comes, in parts of the way from the middle.
const REACH: f32 = 0.94;

/// What of a value is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphMeasure {
    WinRate,
    Evaluation,
}

/// The place of plies and values in a rectangle.
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

    /// The place of a ply from the left.
    pub(super) fn x(&self, ply: usize) -> f32 {
        let part = ply as f32 / self.plies.max(1) as f32;
        egui::lerp(self.rect.x_range(), part)
    }

    /// The ply nearest to a place.
    pub(super) fn ply(&self, x: f32) -> usize {
        let part = ((x - self.rect.left()) / self.rect.width()).clamp(0.0, 1.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "such a cast saturates")]
        let ply = (part * self.plies as f32).round() as usize;
        ply.min(self.plies)
    }

    /// The place of a height from −1, White's win, to 1, Black's.
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
    /// What a graph draws first, and what beside that.
    pub(super) const fn for_kind(kind: GraphKind) -> (Self, Option<Self>) {
        match kind {
            GraphKind::WinRate => (Self::WinRate, None),
            GraphKind::Evaluation => (Self::Evaluation, None),
            GraphKind::Both => (Self::WinRate, Some(Self::Evaluation)),
        }
    }

    /// How high a value of an engine stands, from −1 to 1.
    pub(super) fn height(self, series: &GraphSeries<'_>, value: Value) -> f32 {
        match (self, value) {
            (Self::WinRate, value) => {
                #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
                let rate = series.model.win_rate(value) as f32;
                2.0 * rate - 1.0
            }
            (Self::Evaluation, Value::Cp(cp)) => evaluation(cp),
            (Self::Evaluation, Value::Won(winner) | Value::Mate { winner, .. }) => {
                if winner == Color::Black {
                    1.0
                } else {
                    -1.0
                }
            }
        }
    }

    /// The heights with a line across, and what is written beside it: more of them where there is room.
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

/// The height of an evaluation: in proportion near the middle, less and less of it further out.
fn evaluation(cp: i32) -> f32 {
    let cp = (cp as f32).clamp(-MOST, MOST);
    REACH * (cp / BEND).asinh() / (MOST / BEND).asinh()
}
