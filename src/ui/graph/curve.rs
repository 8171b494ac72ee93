//! The curve of an engine's values, reduced to as few points as the screen can show.

use super::scale::{GraphMeasure, GraphScale};
use super::{GraphSeries, GraphView};
use eframe::egui;
use egui::Pos2;

/// A curve bridges up to this many plies without a value; a longer gap interrupts it.
const GAP: usize = 4;

/// Returns the pieces of the curve in screen coordinates, each from left to right.
pub(super) fn lines(
    view: &GraphView<'_>,
    series: &GraphSeries<'_>,
    measure: GraphMeasure,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let mut lines: Vec<Vec<Pos2>> = Vec::new();
    let mut last = None;
    let values = series.values.iter().take(view.plies.saturating_add(1)).enumerate();
    for (ply, value) in values.filter_map(|(ply, value)| value.map(|value| (ply, value))) {
        let point = scale.at(ply, measure.height(series, value));
        let continues = last.is_some_and(|last| ply - last <= GAP);
        last = Some(ply);
        match lines.last_mut().filter(|_| continues) {
            Some(line) => line.push(point),
            None => lines.push(vec![point]),
        }
    }
    for line in &mut lines {
        *line = thinned(line);
    }
    lines
}

/// Reduces a line to at most four points per screen column: the first, the lowest, the highest and the last. It looks
/// the same.
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
    #[expect(clippy::cast_possible_truncation, reason = "such a cast saturates")]
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
    use egui::pos2;

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
    fn adds_points_where_the_line_crosses_the_middle() {
        let line = [pos2(0.0, 0.0), pos2(2.0, 4.0), pos2(3.0, 4.0)];
        assert_eq!(with_crossings(&line, 2.0), [pos2(0.0, 0.0), pos2(1.0, 2.0), pos2(2.0, 4.0), pos2(3.0, 4.0)]);
        assert_eq!(with_crossings(&line[..1], 2.0), &line[..1]);
    }
}
