//! Arrows and circles that a user draws. Each colour has a line of its own, so that the colours are told apart without
//! seeing them. A light edge separates the lines from the wood and the pieces, in every theme.

use super::layout::BoardPlan;
use crate::canvas::ShapeCanvas;
use crate::theme::board_mark_color;
use eframe::egui;
use egui::{Color32, Pos2, Shape, Stroke, Vec2};
use shogibar_kifu::board_mark::{BoardMark, MarkColor, MarkShape};
use std::f32::consts::TAU;

/// The opacity of a mark, through which the piece below can be read.
const OPACITY: f32 = 0.86;
/// The opacity of a mark that is being drawn.
const DRAFT_OPACITY: f32 = 0.6;
/// The opacity of the edge, as a share of that of the mark.
const EDGE_OPACITY: f32 = 0.8;

// All lengths are in widths of a square.

/// The width of the light edge.
const EDGE_WIDTH: f32 = 0.022;
/// The distance of an arrow's tail from the centre of its square.
const TAIL_DISTANCE: f32 = 0.4;
/// The distance of an arrow's tip from the centre of its square.
const TIP_DISTANCE: f32 = 0.12;
/// The radius of a circle, to the middle of its line.
const CIRCLE_RADIUS: f32 = 0.455;
const CIRCLE_WIDTH: f32 = 0.07;
const SHAFT_WIDTH: f32 = 0.11;
/// The length and half the width of a closed head.
const CLOSED_HEAD: [f32; 2] = [0.27, 0.15];
/// The length and half the width of an open head, to the middle of its lines.
const OPEN_HEAD: [f32; 2] = [0.25, 0.18];
const OPEN_HEAD_WIDTH: f32 = 0.085;
/// The distance of the two lines of a green shaft from its middle.
const PAIR_DISTANCE: f32 = 0.06;
const PAIR_WIDTH: f32 = 0.052;
/// The distance between the two circles of a green mark.
const PAIR_CIRCLE_DISTANCE: f32 = 0.115;
const DASHED_SHAFT_WIDTH: f32 = 0.095;
const DASH: f32 = 0.14;
const DASH_GAP: f32 = 0.1;
const ROUND_HEAD_RADIUS: f32 = 0.115;
const CIRCLE_DASHES: u8 = 13;
/// The share of a dash in its part of a circle.
const CIRCLE_DASH_SHARE: f32 = 0.56;
/// The number of straight pieces of a dash of a circle.
const ARC_PIECES: u8 = 4;

/// Draws marks, and the one that is being drawn above them.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    plan: &BoardPlan,
    marks: &[BoardMark],
    draft: Option<BoardMark>,
) {
    for mark in marks {
        draw_mark(canvas, plan, *mark, OPACITY);
    }
    if let Some(draft) = draft {
        draw_mark(canvas, plan, draft, DRAFT_OPACITY);
    }
}

fn draw_mark(canvas: &mut ShapeCanvas<'_, '_>, plan: &BoardPlan, mark: BoardMark, opacity: f32) {
    let unit = plan.cell.x;
    let parts = match mark.shape {
        MarkShape::Arrow { from, to } => {
            let [from, to] = [from, to].map(|square| plan.square_rect(square).center());
            arrow_parts(from, to, unit, mark.color)
        }
        MarkShape::Circle(square) => circle_parts(plan.square_rect(square).center(), unit, mark.color),
    };
    let edge = Color32::WHITE.gamma_multiply(opacity * EDGE_OPACITY);
    // The edges of all parts are below the parts, so that no edge crosses a line.
    canvas
        .shapes
        .extend(parts.iter().map(|part| part.edge(EDGE_WIDTH * unit, edge)));
    let color = board_mark_color(mark.color).gamma_multiply(opacity);
    canvas.shapes.extend(parts.iter().map(|part| part.shape(color)));
}

/// A part of a mark, in points.
#[derive(Debug)]
enum MarkPart {
    /// A line through points.
    Line(Vec<Pos2>, f32),
    /// A circle: centre, radius, width of the line.
    Ring(Pos2, f32, f32),
    /// A disc: centre and radius.
    Disc(Pos2, f32),
    /// A filled triangle.
    Triangle([Pos2; 3]),
}

impl MarkPart {
    fn shape(&self, color: Color32) -> Shape {
        match self {
            Self::Line(points, width) => Shape::line(points.clone(), Stroke::new(*width, color)),
            Self::Ring(center, radius, width) => {
                Shape::circle_stroke(*center, *radius, Stroke::new(*width, color))
            }
            Self::Disc(center, radius) => Shape::circle_filled(*center, *radius, color),
            Self::Triangle(points) => Shape::convex_polygon(points.to_vec(), color, Stroke::NONE),
        }
    }

    /// Returns the shape of the edge around the part.
    fn edge(&self, width: f32, color: Color32) -> Shape {
        match self {
            Self::Line(points, line) => Shape::line(
                with_longer_ends(points, width),
                Stroke::new(line + 2.0 * width, color),
            ),
            Self::Ring(center, radius, line) => {
                Shape::circle_stroke(*center, *radius, Stroke::new(line + 2.0 * width, color))
            }
            Self::Disc(center, radius) => Shape::circle_filled(*center, radius + width, color),
            Self::Triangle(points) => Shape::closed_line(points.to_vec(), Stroke::new(2.0 * width, color)),
        }
    }
}

/// Returns the points of a line with both ends moved outwards.
fn with_longer_ends(points: &[Pos2], by: f32) -> Vec<Pos2> {
    let mut points = points.to_vec();
    if let [first, second, ..] = points.as_mut_slice() {
        *first += (*first - *second).normalized() * by;
    }
    if let [.., second, last] = points.as_mut_slice() {
        *last += (*last - *second).normalized() * by;
    }
    points
}

fn arrow_parts(from: Pos2, to: Pos2, unit: f32, color: MarkColor) -> Vec<MarkPart> {
    let along = (to - from).normalized();
    let across = along.rot90();
    let (tail, tip) = (
        from + along * TAIL_DISTANCE * unit,
        to - along * TIP_DISTANCE * unit,
    );
    let corners = |[length, half_width]: [f32; 2]| {
        let neck = tip - along * length * unit;
        [
            neck + across * half_width * unit,
            neck - across * half_width * unit,
        ]
    };
    match color {
        MarkColor::Blue => {
            let [left, right] = corners(CLOSED_HEAD);
            let neck = tip - along * CLOSED_HEAD[0] * unit;
            vec![
                MarkPart::Line(vec![tail, neck], SHAFT_WIDTH * unit),
                MarkPart::Triangle([left, tip, right]),
            ]
        }
        MarkColor::Green => {
            let [left, right] = corners(OPEN_HEAD);
            let shaft = |side: f32| pair_line(tail, tip, along, across * side, unit);
            vec![
                shaft(1.0),
                shaft(-1.0),
                MarkPart::Line(vec![left, tip, right], OPEN_HEAD_WIDTH * unit),
            ]
        }
        MarkColor::Purple => {
            let center = tip - along * ROUND_HEAD_RADIUS * unit;
            let mut parts = dashes(
                tail,
                center - along * (ROUND_HEAD_RADIUS + DASH_GAP / 2.0) * unit,
                unit,
            );
            parts.push(MarkPart::Disc(center, ROUND_HEAD_RADIUS * unit));
            parts
        }
    }
}

/// Returns one of the two lines of a green shaft, up to the line of the head.
fn pair_line(tail: Pos2, tip: Pos2, along: Vec2, side: Vec2, unit: f32) -> MarkPart {
    let aside = side * PAIR_DISTANCE * unit;
    // Beside the middle, the head's line is further back.
    let [length, half_width] = OPEN_HEAD;
    let back = PAIR_DISTANCE * length / half_width + OPEN_HEAD_WIDTH / 2.0;
    MarkPart::Line(
        vec![tail + aside, tip + aside - along * back * unit],
        PAIR_WIDTH * unit,
    )
}

/// Returns the dashes of a line. The first begins at `from`, the last ends at `to`.
fn dashes(from: Pos2, to: Pos2, unit: f32) -> Vec<MarkPart> {
    let length = (to - from).length() / unit;
    let count = ((length + DASH_GAP) / (DASH + DASH_GAP)).round().max(1.0);
    let dash = (length - DASH_GAP * (count - 1.0)) / count;
    let along = (to - from).normalized() * unit;
    let starts = std::iter::successors(Some(0.0), |start| Some(start + dash + DASH_GAP));
    starts
        .take_while(|start| start + dash / 2.0 < length)
        .map(|start| {
            let points = vec![from + along * start, from + along * (start + dash)];
            MarkPart::Line(points, DASHED_SHAFT_WIDTH * unit)
        })
        .collect()
}

fn circle_parts(center: Pos2, unit: f32, color: MarkColor) -> Vec<MarkPart> {
    let radius = CIRCLE_RADIUS * unit;
    match color {
        MarkColor::Blue => vec![MarkPart::Ring(center, radius, CIRCLE_WIDTH * unit)],
        MarkColor::Green => [0.0, PAIR_CIRCLE_DISTANCE]
            .map(|inwards| MarkPart::Ring(center, radius - inwards * unit, PAIR_WIDTH * unit))
            .into(),
        MarkColor::Purple => (0..CIRCLE_DASHES)
            .map(|dash| {
                let part = TAU / f32::from(CIRCLE_DASHES);
                let start = f32::from(dash) * part;
                let points = (0..=ARC_PIECES).map(|piece| {
                    let share = f32::from(piece) / f32::from(ARC_PIECES);
                    center + Vec2::angled(start + share * CIRCLE_DASH_SHARE * part) * radius
                });
                MarkPart::Line(points.collect(), CIRCLE_WIDTH * unit)
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    #[test]
    fn dashes_fill_the_line() {
        for length in [0.1, 0.3, 0.6, 3.0, 11.0] {
            let parts = dashes(pos2(0.0, 0.0), pos2(40.0 * length, 0.0), 40.0);
            let ends = parts.iter().map(|part| match part {
                MarkPart::Line(points, _) => (points[0].x, points[1].x),
                part => panic!("{part:?}"),
            });
            let ends: Vec<_> = ends.collect();
            assert!(ends[0].0.abs() < 0.01, "{length}");
            assert!(
                (ends[ends.len() - 1].1 - 40.0 * length).abs() < 0.1,
                "{length} {ends:?}"
            );
            assert!(
                ends.windows(2).all(|pair| pair[0].1 < pair[1].0),
                "{length} {ends:?}"
            );
        }
    }
}
