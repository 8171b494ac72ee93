//! The curve of an engine's values, reduced to as few points as the screen can show.

use super::scale::{GraphMeasure, GraphScale};
use super::{GraphSeries, GraphView};
use crate::score::{Value, WinRateModel};
use eframe::egui;
use egui::epaint::PathShape;
use egui::{Color32, Pos2, Rangef, Shape, Stroke, pos2};

/// A curve bridges up to this many plies without a value; a longer gap interrupts it.
const GAP: usize = 4;
/// The width of the judge's line, in points.
const LINE: f32 = 2.2;
/// The width of the other lines, in points.
const THIN: f32 = 1.5;
/// The lengths of dashes and gaps in the curves of evaluators other than the judge, in points.
const DASHES: [f32; 2] = [6.0, 3.0];

/// Returns the segments of the curve of an engine in screen coordinates, each from left to right.
pub(super) fn of_series(
    view: &GraphView<'_>,
    series: &GraphSeries<'_>,
    measure: GraphMeasure,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let values = series.values.iter().take(view.plies.saturating_add(1)).enumerate();
    let values = values.filter_map(|(ply, value)| value.map(|value| (ply, value, series.model)));
    of_values(values, measure, scale)
}

/// Returns the visible segments of the curve of these values.
pub(super) fn of_values(
    values: impl Iterator<Item = (usize, Value, WinRateModel)>,
    measure: GraphMeasure,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let lines = pieces(values.map(|(ply, value, model)| (ply, scale.at(ply, measure.height(value, model)))));
    let range = scale.rect.x_range();
    lines.iter().map(|line| thinned(&clipped(line, range))).filter(|line| !line.is_empty()).collect()
}

/// Returns the pieces of a curve through the points of these plies, which rise.
pub(crate) fn pieces(points: impl Iterator<Item = (usize, Pos2)>) -> Vec<Vec<Pos2>> {
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    let mut last = None;
    for (ply, point) in points {
        let continues = last.is_some_and(|last| ply - last <= GAP);
        last = Some(ply);
        match lines.last_mut().filter(|_| continues) {
            Some(line) => line.push(point),
            None => lines.push(vec![point]),
        }
    }
    lines
}

/// Returns the part of a line between two x coordinates.
fn clipped(line: &[Pos2], range: Rangef) -> Vec<Pos2> {
    let is_inside = |point: &&Pos2| range.contains(point.x);
    if line.len() < 2 || line.iter().all(|point| range.contains(point.x)) {
        return line.iter().filter(is_inside).copied().collect();
    }
    let mut points: Vec<Pos2> = Vec::new();
    for pair in line.windows(2) {
        let [one, other] = *pair else { continue };
        if other.x < range.min || one.x > range.max {
            continue;
        }
        let at = |x: f32| {
            let part = if other.x > one.x { (x - one.x) / (other.x - one.x) } else { 0.0 };
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
pub(crate) fn stroke(shapes: &mut Vec<Shape>, line: &[Pos2], width: f32, color: Color32) {
    match line {
        [] => {}
        [alone] => shapes.push(Shape::circle_filled(*alone, width * 1.4, color)),
        _ => shapes.push(PathShape::line(line.to_vec(), Stroke::new(width, color)).into()),
    }
}

/// Adds the line of the judge if `is_judge`, otherwise that of another evaluator.
pub(super) fn add_line(shapes: &mut Vec<Shape>, line: &[Pos2], color: Color32, is_judge: bool) {
    let [dash, gap] = DASHES;
    match line {
        _ if is_judge => stroke(shapes, line, LINE, color),
        [] | [_] => stroke(shapes, line, THIN, color),
        _ => Shape::dashed_line_many(line, Stroke::new(THIN, color), dash, gap, shapes),
    }
}

/// Returns a sample of a curve, from a point to the right.
pub fn sample(at: Pos2, width: f32, color: Color32, is_judge: bool) -> Vec<Shape> {
    let mut shapes = Vec::new();
    add_line(&mut shapes, &[at, at + egui::vec2(width, 0.0)], color, is_judge);
    shapes
}

/// Reduces a line to at most four points per screen column: the first, the lowest, the highest and the last. The line
/// looks unchanged.
fn thinned(line: &[Pos2]) -> Vec<Pos2> {
    let mut points = Vec::new();
    for column in line.chunk_by(|one, other| column_of(*one) == column_of(*other)) {
        let [first, .., last] = column else {
            points.extend_from_slice(column);
            continue;
        };
        let order = |one: &&Pos2, other: &&Pos2| one.y.total_cmp(&other.y);
        let extremes = [column.iter().min_by(order), column.iter().max_by(order)].map(Option::<&Pos2>::copied);
        points.push(*first);
        let mut between: Vec<Pos2> =
            extremes.into_iter().flatten().filter(|point| point != first && point != last).collect();
        between.sort_by(|one, other| one.x.total_cmp(&other.x));
        points.extend(between);
        points.push(*last);
    }
    points
}

/// Returns the screen column of a point.
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
            points.push(egui::pos2(egui::lerp(one.x..=other.x, above / (above - below)), middle));
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
        let wild = |at: u16| if at == 777 { 100.0 } else { f32::from(at % 97 * 31 % 50) };
        let line: Vec<Pos2> = (0..5000_u16).map(|at| pos2(f32::from(at) / 50.0, wild(at))).collect();
        let thin = thinned(&line);
        assert!(thin.len() <= 4 * 101, "{}", thin.len());
        assert!(thin.iter().any(|point| point.y > 99.0), "the peak is there");
        assert!(thin.is_sorted_by_key(|point| point.x.to_bits()), "from left to right");
        assert_eq!([thin.first(), thin.last()], [line.first(), line.last()]);
        let short: Vec<Pos2> = (0..50_u8).map(|at| pos2(f32::from(at) * 4.0, 1.0)).collect();
        assert_eq!(thinned(&short), short);
        assert_eq!(thinned(&[]), []);
    }

    #[test]
    fn a_line_is_cut_at_the_edges() {
        let line: Vec<Pos2> = (0..=10_u8).map(|at| pos2(f32::from(at), f32::from(at) * 2.0)).collect();
        let cut = clipped(&line, Rangef::new(2.5, 4.5));
        assert_eq!(cut, [pos2(2.5, 5.0), pos2(3.0, 6.0), pos2(4.0, 8.0), pos2(4.5, 9.0)]);
        assert_eq!(clipped(&line, Rangef::new(2.2, 2.6)).len(), 2, "between two points");
        assert_eq!(clipped(&line, Rangef::new(20.0, 30.0)), []);
        assert_eq!(clipped(&line[..1], Rangef::new(0.0, 1.0)), &line[..1]);
    }

    #[test]
    fn adds_points_where_the_line_crosses_the_middle() {
        let line = [pos2(0.0, 0.0), pos2(2.0, 4.0), pos2(3.0, 4.0)];
        assert_eq!(with_crossings(&line, 2.0), [pos2(0.0, 0.0), pos2(1.0, 2.0), pos2(2.0, 4.0), pos2(3.0, 4.0)]);
        assert_eq!(with_crossings(&line[..1], 2.0), &line[..1]);
    }
}
