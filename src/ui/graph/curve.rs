//! The lines of curves: split at gaps, clipped, reduced to as few points as the screen can show, and drawn.

use super::scale::{GraphMeasure, GraphScale};
use super::{GraphSeries, GraphView};
use eframe::egui;
use egui::epaint::PathShape;
use egui::{Color32, Pos2, Rangef, Shape, Stroke, pos2};
use shogibar_shogi::score::{Value, WinRateModel};

/// The maximum distance of two values that a curve connects, in plies. A longer gap interrupts the curve.
const MAX_GAP_PLIES: usize = 4;
/// The width of the judge's line, in points.
const JUDGE_LINE_WIDTH: f32 = 2.2;
/// The width of the other lines, in points.
const OTHER_LINE_WIDTH: f32 = 1.5;
/// The length of a dash in the curve of an evaluator other than the judge, in points.
const DASH_LENGTH: f32 = 6.0;
/// The gap between dashes in the curve of an evaluator other than the judge, in points.
const DASH_GAP: f32 = 3.0;

/// Returns the visible lines of the curve of an engine in screen coordinates, each from left to right.
pub(super) fn series_lines(
    view: &GraphView<'_>,
    series: &GraphSeries<'_>,
    measure: GraphMeasure,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let values = series
        .values
        .iter()
        .take(view.plies.saturating_add(1))
        .enumerate();
    let values = values.filter_map(|(ply, value)| value.map(|value| (ply, value, series.model)));
    value_lines(values, measure, scale)
}

/// Returns the visible lines of the curve of these values, which have rising plies. Each line is from left to right.
pub(super) fn value_lines(
    values: impl Iterator<Item = (usize, Value, WinRateModel)>,
    measure: GraphMeasure,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let lines = split_at_gaps(
        values.map(|(ply, value, model)| (ply, scale.point(ply, measure.height(value, model)))),
    );
    let range = scale.rect.x_range();
    lines
        .iter()
        .map(|line| thin_line(&clip_line(line, range)))
        .filter(|line| !line.is_empty())
        .collect()
}

/// Splits a curve through points with rising plies where the gap exceeds [`MAX_GAP_PLIES`].
pub(crate) fn split_at_gaps(points: impl Iterator<Item = (usize, Pos2)>) -> Vec<Vec<Pos2>> {
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    let mut last = None;
    for (ply, point) in points {
        let continues = last.is_some_and(|last| ply - last <= MAX_GAP_PLIES);
        last = Some(ply);
        match lines.last_mut() {
            Some(line) if continues => line.push(point),
            _ => lines.push(vec![point]),
        }
    }
    lines
}

/// Returns the part of a line between two x coordinates.
fn clip_line(line: &[Pos2], range: Rangef) -> Vec<Pos2> {
    if line.len() < 2 || line.iter().all(|point| range.contains(point.x)) {
        return line
            .iter()
            .filter(|point| range.contains(point.x))
            .copied()
            .collect();
    }
    let mut points: Vec<Pos2> = Vec::new();
    for pair in line.windows(2) {
        let [one, other] = *pair else { continue };
        if other.x < range.min || one.x > range.max {
            continue;
        }
        let at = |x: f32| {
            let part = if other.x > one.x {
                (x - one.x) / (other.x - one.x)
            } else {
                0.0
            };
            pos2(x, egui::lerp(one.y..=other.y, part))
        };
        if points.is_empty() {
            points.push(if one.x < range.min { at(range.min) } else { one });
        }
        points.push(if other.x > range.max { at(range.max) } else { other });
    }
    points
}

/// Adds a solid line, or a dot for a single point.
pub(crate) fn add_solid_line(shapes: &mut Vec<Shape>, line: &[Pos2], width: f32, color: Color32) {
    match line {
        [] => {}
        [alone] => shapes.push(Shape::circle_filled(*alone, width * 1.4, color)),
        _ => shapes.push(PathShape::line(line.to_vec(), Stroke::new(width, color)).into()),
    }
}

/// Adds a line of the judge's curve if `is_judge`, otherwise of the dashed curve of another evaluator.
pub(super) fn add_line(shapes: &mut Vec<Shape>, line: &[Pos2], color: Color32, is_judge: bool) {
    match line {
        _ if is_judge => add_solid_line(shapes, line, JUDGE_LINE_WIDTH, color),
        [] | [_] => add_solid_line(shapes, line, OTHER_LINE_WIDTH, color),
        _ => Shape::dashed_line_many(
            line,
            Stroke::new(OTHER_LINE_WIDTH, color),
            DASH_LENGTH,
            DASH_GAP,
            shapes,
        ),
    }
}

/// Returns a horizontal sample of a curve's line for a legend, from a point to the right.
pub fn curve_sample(at: Pos2, width: f32, color: Color32, is_judge: bool) -> Vec<Shape> {
    let mut shapes = Vec::new();
    add_line(&mut shapes, &[at, at + egui::vec2(width, 0.0)], color, is_judge);
    shapes
}

/// Reduces a line to at most four points per screen column: the first, the lowest, the highest and the last. The line
/// looks unchanged.
fn thin_line(line: &[Pos2]) -> Vec<Pos2> {
    let mut points = Vec::new();
    for column in line.chunk_by(|one, other| column_of(*one) == column_of(*other)) {
        let [first, .., last] = column else {
            points.extend_from_slice(column);
            continue;
        };
        let order = |one: &&Pos2, other: &&Pos2| one.y.total_cmp(&other.y);
        let extremes =
            [column.iter().min_by(order), column.iter().max_by(order)].map(Option::<&Pos2>::copied);
        points.push(*first);
        let mut between: Vec<Pos2> = extremes
            .into_iter()
            .flatten()
            .filter(|point| point != first && point != last)
            .collect();
        between.sort_by(|one, other| one.x.total_cmp(&other.x));
        points.extend(between);
        points.push(*last);
    }
    points
}

const fn column_of(point: Pos2) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
    let column = point.x.floor() as i32;
    column
}

/// Returns the line with a point at each crossing of the middle, so that both sides can be filled.
pub(super) fn with_crossings(line: &[Pos2], middle: f32) -> Vec<Pos2> {
    let mut points = Vec::with_capacity(line.len() + 8);
    for pair in line.windows(2) {
        let [one, other] = pair else { continue };
        points.push(*one);
        let (above, below) = (one.y - middle, other.y - middle);
        if above * below < 0.0 {
            points.push(egui::pos2(
                egui::lerp(one.x..=other.x, above / (above - below)),
                middle,
            ));
        }
    }
    points.extend(line.last());
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinning_keeps_extremes() {
        let wild = |at: u16| {
            if at == 777 {
                100.0
            } else {
                f32::from(at % 97 * 31 % 50)
            }
        };
        let line: Vec<Pos2> = (0..5000_u16)
            .map(|at| pos2(f32::from(at) / 50.0, wild(at)))
            .collect();
        let thin = thin_line(&line);
        assert!(thin.len() <= 4 * 101, "{}", thin.len());
        assert!(thin.iter().any(|point| point.y > 99.0), "the peak is there");
        assert!(
            thin.is_sorted_by_key(|point| point.x.to_bits()),
            "from left to right"
        );
        assert_eq!([thin.first(), thin.last()], [line.first(), line.last()]);
        let short: Vec<Pos2> = (0..50_u8).map(|at| pos2(f32::from(at) * 4.0, 1.0)).collect();
        assert_eq!(thin_line(&short), short);
        assert_eq!(thin_line(&[]), []);
    }

    #[test]
    fn a_line_is_cut_at_the_edges() {
        let line: Vec<Pos2> = (0..=10_u8)
            .map(|at| pos2(f32::from(at), f32::from(at) * 2.0))
            .collect();
        let cut = clip_line(&line, Rangef::new(2.5, 4.5));
        assert_eq!(
            cut,
            [pos2(2.5, 5.0), pos2(3.0, 6.0), pos2(4.0, 8.0), pos2(4.5, 9.0)]
        );
        assert_eq!(
            clip_line(&line, Rangef::new(2.2, 2.6)).len(),
            2,
            "between two points"
        );
        assert_eq!(clip_line(&line, Rangef::new(20.0, 30.0)), []);
        assert_eq!(clip_line(&line[..1], Rangef::new(0.0, 1.0)), &line[..1]);
    }

    #[test]
    fn adds_points_where_the_line_crosses_the_middle() {
        let line = [pos2(0.0, 0.0), pos2(2.0, 4.0), pos2(3.0, 4.0)];
        assert_eq!(
            with_crossings(&line, 2.0),
            [pos2(0.0, 0.0), pos2(1.0, 2.0), pos2(2.0, 4.0), pos2(3.0, 4.0)]
        );
        assert_eq!(with_crossings(&line[..1], 2.0), &line[..1]);
    }
}
