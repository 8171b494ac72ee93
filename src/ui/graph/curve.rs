//! The line of an engine's values, as few points as the screen can show.

use super::scale::{GraphMeasure, GraphScale};
use super::{GraphSeries, GraphView};
use eframe::egui;
use egui::Pos2;

/// So many plies without a value are passed over; a longer gap is seen.
const GAP: usize = 4;

/// The pieces of the line, each from left to right, with places on the screen.
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
        let goes_on = last.is_some_and(|last| ply - last <= GAP);
        last = Some(ply);
        match lines.last_mut().filter(|_| goes_on) {
            Some(line) => line.push(point),
            None => lines.push(vec![point]),
        }
    }
    for line in &mut lines {
        *line = thinned(line);
    }
    lines
}

/// The same line to the eye with at most four points for each column of the screen: the first, the lowest, the
/// highest and the last.
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

/// The column of the screen that a point is in.
const fn column_of(point: Pos2) -> i32 {
    #[expect(clippy::cast_possible_truncation, reason = "such a cast saturates")]
    let column = point.x.floor() as i32;
    column
}

/// The line with a point on the middle wherever it crosses it, so that what lies on either side can be filled.
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
    fn a_long_line_keeps_its_extremes() {
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
    fn the_middle_is_marked_where_it_is_crossed() {
        let line = [pos2(0.0, 0.0), pos2(2.0, 4.0), pos2(3.0, 4.0)];
        assert_eq!(with_crossings(&line, 2.0), [pos2(0.0, 0.0), pos2(1.0, 2.0), pos2(2.0, 4.0), pos2(3.0, 4.0)]);
        assert_eq!(with_crossings(&line[..1], 2.0), &line[..1]);
    }
}
