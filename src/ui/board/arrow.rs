//! Arrows for an engine's moves.

use super::piece::{self, DrawnPiece};
use super::place::{BoardPlace, BoardPlan};
use super::{Arrow, BoardView};
use crate::shogi::{Move, Piece};
use crate::ui::PaintTheme;
use crate::ui::canvas::ShapeCanvas;
use eframe::egui;
use egui::{Color32, Pos2, Rect, Shape, Stroke};

/// The widths of the best arrow and of the others, in widths of a square.
const BEST: f32 = 9.0 / 58.0;
const NEXT: f32 = 6.0 / 58.0;

/// Draws the arrows, the best last.
pub(super) fn draw(canvas: &mut ShapeCanvas<'_, '_>, theme: &PaintTheme, view: &BoardView<'_>, plan: &BoardPlan) {
    for arrow in view.arrows.iter().rev() {
        let is_best = arrow.rank <= 1;
        let color = if is_best { theme.arrow } else { theme.arrow_next };
        let width = if is_best { BEST } else { NEXT } * plan.cell.x;
        one(canvas, theme, view, plan, (arrow, color, width));
    }
}

fn one(
    canvas: &mut ShapeCanvas<'_, '_>,
    theme: &PaintTheme,
    view: &BoardView<'_>,
    plan: &BoardPlan,
    (arrow, color, width): (&Arrow, Color32, f32),
) {
    let to = plan.square(arrow.mv.to());
    match arrow.mv {
        Move::Board { from, .. } => point(canvas, plan.square(from).center(), to.center(), color, width),
        Move::Drop { kind, .. } => {
            let side = view.position.side_to_move();
            let drawn = DrawnPiece::from_view(view, Piece { color: side, kind });
            piece::draw(canvas, theme, drawn, to.center(), plan.cell, 0.55);
            canvas.shapes.push(Shape::circle_stroke(to.center(), plan.cell.x * 0.46, Stroke::new(width * 0.6, color)));
            if let Some(from) = plan.rect(BoardPlace::Hand(side, kind)) {
                let rim = Rect::from_center_size(to.center(), plan.cell * 0.92);
                let start = from.center();
                let direction = (rim.center() - start).normalized();
                point(canvas, start, to.center() - direction * plan.cell.x * 0.42, color, width * 0.66);
            }
        }
    }
}

/// Draws an arrow between the centres of two squares.
fn point(canvas: &mut ShapeCanvas<'_, '_>, from: Pos2, to: Pos2, color: Color32, width: f32) {
    let way = to - from;
    let length = way.length();
    if length <= width {
        return;
    }
    let along = way / length;
    let across = along.rot90();
    let head = (width * 2.1).min(length * 0.6);
    let (tip, neck) = (to + along * width * 0.3, to + along * (width * 0.3 - head));
    let half = width / 2.0;
    // Both shapes share the line at the neck and do not overlap, so that a transparent colour is painted once.
    canvas.polygon(
        vec![from + across * half, neck + across * half, neck - across * half, from - across * half],
        color,
        Stroke::NONE,
    );
    canvas.polygon(vec![neck + across * width * 1.25, tip, neck - across * width * 1.25], color, Stroke::NONE);
}
