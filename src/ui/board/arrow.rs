//! Arrows for an engine's moves. The rank of a move is shown by the opacity of the arrow and by a number at the tail. A
//! drop is shown by a ghost: the transparent piece.

use super::BoardView;
use super::layout::BoardPlan;
use super::piece::{self, DrawnPiece};
use crate::PaintTheme;
use crate::canvas::{ShapeCanvas, round_font_size};
use crate::fonts::TextWeight;
use eframe::egui;
use egui::{Color32, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use shogibar_shogi::{Move, Piece};

const SHAFT_WIDTH: f32 = 0.085;
/// The length and the width of an arrow's head, in widths of a square.
const HEAD_SIZE: Vec2 = vec2(0.28, 0.27);
/// The distance of an arrow's start from the centre of its piece, in widths of a square.
const START_DISTANCE: f32 = 0.43;
/// The distance of an arrow's tip from the centre of its target, in widths of a square.
const TIP_DISTANCE: f32 = 0.14;
/// The radius of the dot with the number, in widths of a square.
const DOT_RADIUS: f32 = 0.135;
/// The minimum radius of the dot with the number, in points.
const MIN_DOT_RADIUS: f32 = 6.0;
/// The width of a square, in points, below which a single arrow has no number: the number would hide the arrow. Such an
/// arrow is bolder, and its target is tinted.
const MIN_NUMBERED_SQUARE_WIDTH: f32 = 26.0;
/// The opacities of the first ranks. The last one is also the opacity of all further ranks.
const RANK_OPACITIES: [f32; 3] = [1.0, 0.66, 0.42];
/// The opacity of a ghost: the piece of a drop.
const GHOST_OPACITY: f32 = 0.55;
const GHOST_BACKGROUND_OPACITY: f32 = 0.22;
const TARGET_TINT_OPACITY: f32 = 0.4;

/// Returns the opacity of a move of this rank, from 1: of its arrow, and of its dot in the list of candidates.
pub(crate) fn rank_opacity(rank: usize) -> f32 {
    RANK_OPACITIES
        .get(rank.saturating_sub(1))
        .or(RANK_OPACITIES.last())
        .copied()
        .unwrap_or(1.0)
}

/// Draws the arrows, the best last, and their numbers above all of them. A single arrow on a small board has no number.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    theme: &PaintTheme,
    view: &BoardView<'_>,
    plan: &BoardPlan,
) {
    let mut numbers = Vec::new();
    let is_small = view.arrows.len() == 1 && plan.cell.x < MIN_NUMBERED_SQUARE_WIDTH;
    for (nth, arrow) in view.arrows.iter().enumerate().rev() {
        // Arrows between the same two squares are drawn side by side, and so are drops on the same square.
        let [before, together] = [nth, view.arrows.len()].map(|count| {
            view.arrows
                .iter()
                .take(count)
                .filter(|other| (other.mv.from(), other.mv.to()) == (arrow.mv.from(), arrow.mv.to()))
                .count() as f32
        });
        let color = theme.arrow.gamma_multiply(rank_opacity(arrow.rank));
        let drawing = ArrowDrawing {
            theme,
            plan,
            rank: arrow.rank,
            color,
            better_count: before,
            total_count: together,
            is_small,
        };
        let to = plan.square_rect(arrow.mv.to());
        let at = match arrow.mv {
            Move::Board { from, .. } => {
                if is_small {
                    canvas.rounded_rect(to, 0.0, theme.arrow.gamma_multiply(TARGET_TINT_OPACITY));
                }
                drawing.draw_shaft_and_head(canvas, plan.square_rect(from).center(), to.center())
            }
            Move::Drop { kind, .. } => {
                let piece = Piece {
                    color: view.position.side_to_move(),
                    kind,
                };
                drawing.draw_ghost(canvas, DrawnPiece::from_view(view, piece), to)
            }
        };
        numbers.push((drawing, at));
    }
    if is_small {
        return;
    }
    for (drawing, at) in numbers {
        drawing.draw_number(canvas, at);
    }
}

/// An arrow that is being drawn.
struct ArrowDrawing<'a> {
    theme: &'a PaintTheme,
    plan: &'a BoardPlan,
    /// The rank among the candidates, from 1.
    rank: usize,
    /// The colour of the arrow, in the opacity of the rank.
    color: Color32,
    /// The number of better arrows with the same squares.
    better_count: f32,
    /// The number of all arrows with the same squares, this one included.
    total_count: f32,
    /// Whether this is the only arrow on a small board.
    is_small: bool,
}

impl ArrowDrawing<'_> {
    /// Returns the width of a square, in points.
    fn square_width(&self) -> f32 {
        self.plan.cell.x
    }

    fn hairline(&self) -> Stroke {
        let width = if self.is_small {
            0.4
        } else {
            (self.square_width() * 0.02).clamp(0.8, 2.0)
        };
        Stroke::new(width, self.theme.piece.gamma_multiply(0.9))
    }

    /// Draws an arrow between the centres of two squares. Returns the position of the arrow's number.
    fn draw_shaft_and_head(&self, canvas: &mut ShapeCanvas<'_, '_>, from: Pos2, to: Pos2) -> Pos2 {
        let square_width = self.square_width();
        let along = (to - from).normalized();
        let across = along.rot90();
        let (width, head) = if self.is_small {
            (2.0 * SHAFT_WIDTH, 1.8 * HEAD_SIZE)
        } else {
            (SHAFT_WIDTH, HEAD_SIZE)
        };
        let (edge, short) = if self.is_small {
            (START_DISTANCE / 2.0, 0.0)
        } else {
            (START_DISTANCE, TIP_DISTANCE)
        };
        let (tail, tip) = (
            from + along * edge * square_width,
            to - along * short * square_width,
        );
        let neck = tip - along * head.x.min((tip - tail).length() / square_width) * square_width;
        let (half, wide) = (
            across * (width * square_width / 2.0),
            across * (head.y * square_width / 2.0),
        );
        // Both shapes share the line at the neck and do not overlap, so that a transparent colour is painted once.
        canvas.polygon(
            vec![tail + half, neck + half, neck - half, tail - half],
            self.color,
            Stroke::NONE,
        );
        canvas.polygon(vec![neck + wide, tip, neck - wide], self.color, Stroke::NONE);
        let outline = vec![
            tail + half,
            neck + half,
            neck + wide,
            tip,
            neck - wide,
            neck - half,
            tail - half,
        ];
        canvas.shapes.push(Shape::closed_line(outline, self.hairline()));
        tail + across * (2.2 * self.dot_radius() * self.better_count)
    }

    /// Draws a piece that would be dropped, in a dashed square. Several pieces on one square are smaller. Returns the
    /// position of the number.
    fn draw_ghost(&self, canvas: &mut ShapeCanvas<'_, '_>, piece: DrawnPiece, square: Rect) -> Pos2 {
        let square_width = self.square_width();
        let rect = square.shrink(square_width * 0.045);
        let (is_first, is_last) = (
            self.better_count + 1.5 > self.total_count,
            self.better_count < 0.5,
        );
        if is_first {
            canvas.rounded_rect(
                rect,
                square_width * 0.06,
                self.theme.arrow.gamma_multiply(GHOST_BACKGROUND_OPACITY),
            );
        }
        let aside =
            square_width * 0.92 / self.total_count * (self.better_count - (self.total_count - 1.0) / 2.0);
        let size = self.plan.cell * (1.24 / self.total_count).min(1.0);
        piece::draw(
            canvas,
            self.theme,
            piece,
            square.center() + vec2(aside, 0.0),
            size,
            GHOST_OPACITY,
        );
        if is_last {
            let line = [
                rect.left_top(),
                rect.right_top(),
                rect.right_bottom(),
                rect.left_bottom(),
                rect.left_top(),
            ];
            let (stroke, dash) = (
                Stroke::new((square_width * 0.04).max(1.2), self.color),
                square_width * 0.1,
            );
            canvas
                .shapes
                .extend(Shape::dashed_line(&line, stroke, dash, dash * 0.6));
        }
        rect.left_top()
            + vec2(
                square_width * 0.09
                    + (square_width * 0.92 / self.total_count).max(2.2 * self.dot_radius())
                        * self.better_count,
                square_width * 0.09,
            )
    }

    /// Returns the radius of the dot with the number, in points.
    fn dot_radius(&self) -> f32 {
        (self.square_width() * DOT_RADIUS).max(MIN_DOT_RADIUS)
    }

    /// Draws the rank in a dot.
    fn draw_number(&self, canvas: &mut ShapeCanvas<'_, '_>, at: Pos2) {
        let (dot_radius, theme) = (self.dot_radius(), self.theme);
        canvas.shapes.push(Shape::circle_filled(
            at,
            dot_radius + self.hairline().width,
            theme.piece,
        ));
        canvas
            .shapes
            .push(Shape::circle_filled(at, dot_radius, theme.arrow.to_opaque()));
        let font = TextWeight::Bold.at(round_font_size(dot_radius * 1.45));
        canvas.draw_text(&self.rank.to_string(), at, font, theme.piece, false);
    }
}
