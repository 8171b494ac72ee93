//! The coverage of a triangle: the pixels whose centre lies in it, computed with integers only.

use eframe::egui::Pos2;
use std::ops::Range;

/// The number of steps per pixel. Corners are snapped to these steps.
const STEPS_PER_PIXEL: i64 = 256;
/// The distance from the edge of a pixel to its centre, in steps.
const CENTER_OFFSET: i64 = STEPS_PER_PIXEL / 2;
/// The maximum coordinate, in steps. It is far beyond any picture, and so low that no product overflows.
const MAX_COORDINATE: f64 = (1_i64 << 28) as f64;

/// A corner, in steps from the top left of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Corner {
    x: i64,
    y: i64,
}

impl Corner {
    /// Creates a corner; `None` for NaN coordinates.
    pub(super) fn new(at: Pos2, scale: f32) -> Option<Self> {
        let snap = |at: f32| {
            let at = (f64::from(at) * f64::from(scale) * STEPS_PER_PIXEL as f64).round();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the value is clamped to the range of the type"
            )]
            let at = at.clamp(-MAX_COORDINATE, MAX_COORDINATE) as i64;
            at
        };
        (!at.any_nan() && !scale.is_nan()).then(|| Self {
            x: snap(at.x),
            y: snap(at.y),
        })
    }
}

/// A triangle, whose corners are in the order in which the inside is to the right of each edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    /// The edges, each opposite the corner with the same index.
    edges: [Edge; 3],
    corners: [Corner; 3],
    /// Twice the area, in squared steps.
    area: i64,
    /// Whether the second and the third corner were exchanged. Their weights are exchanged back.
    is_reordered: bool,
}

/// The line from one corner to the next, as a function that is positive to the right of the line.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Corner,
    dx: i64,
    dy: i64,
    /// A correction that puts points on a top or left edge inside, and points on another edge outside. Two triangles
    /// with a common edge therefore share no pixel.
    bias: i64,
}

impl Edge {
    fn new(from: Corner, to: Corner) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let is_top_or_left = dy < 0 || (dy == 0 && dx > 0);
        Self {
            from,
            dx,
            dy,
            bias: if is_top_or_left { 0 } else { -1 },
        }
    }

    /// Returns the cross product of the edge and the vector to the centre of a pixel, which is negative to the left of
    /// the edge.
    fn value_at(&self, column: i64, row: i64) -> i64 {
        let (x, y) = (
            column * STEPS_PER_PIXEL + CENTER_OFFSET,
            row * STEPS_PER_PIXEL + CENTER_OFFSET,
        );
        self.dx * (y - self.from.y) - self.dy * (x - self.from.x)
    }

    fn cut(&self, row: i64, columns: Range<i64>) -> Range<i64> {
        // `fall` is the amount by which the value decreases per column.
        let (value, fall) = (self.value_at(0, row) + self.bias, self.dy * STEPS_PER_PIXEL);
        match fall {
            0 if value < 0 => columns.start..columns.start,
            0 => columns,
            1.. => columns.start..columns.end.min(value.div_euclid(fall) + 1),
            ..0 => columns.start.max(-value.div_euclid(-fall))..columns.end,
        }
    }
}

impl Triangle {
    /// Creates a triangle; `None` if its area is 0.
    pub(super) fn new([first, second, third]: [Corner; 3]) -> Option<Self> {
        let (along, across) = (Edge::new(first, second), Edge::new(first, third));
        let area = along.dx * across.dy - along.dy * across.dx;
        let is_reordered = area < 0;
        let corners = if is_reordered {
            [first, third, second]
        } else {
            [first, second, third]
        };
        let [a, b, c] = corners;
        let edges = [Edge::new(b, c), Edge::new(c, a), Edge::new(a, b)];
        (area != 0).then_some(Self {
            edges,
            corners,
            area: area.abs(),
            is_reordered,
        })
    }

    /// Returns the rows that may have pixels.
    pub(super) fn rows(&self, clip: &Range<i64>) -> Range<i64> {
        let [a, b, c] = self.corners.map(|corner| corner.y.div_euclid(STEPS_PER_PIXEL));
        clip.start.max(a.min(b).min(c))..clip.end.min(a.max(b).max(c) + 1)
    }

    /// Returns the columns of the triangle's pixels in a row.
    pub(super) fn span(&self, row: i64, clip: &Range<i64>) -> Range<i64> {
        let span = self
            .edges
            .iter()
            .fold(clip.clone(), |span, edge| edge.cut(row, span));
        span.start..span.end.max(span.start)
    }

    /// Returns the weights of the corners for the pixels of a row. The weights add up to 1, in the order of the corners
    /// given to [`new`](Self::new).
    pub(super) fn weights(&self, row: i64, columns: Range<i64>) -> impl Iterator<Item = [f64; 3]> {
        let mut values = self.edges.map(|edge| edge.value_at(columns.start, row));
        let (falls, area) = (self.edges.map(|edge| edge.dy * STEPS_PER_PIXEL), self.area as f64);
        columns.map(move |_| {
            let [first, second, third] = values.map(|value| value as f64 / area);
            for (value, fall) in values.iter_mut().zip(falls) {
                *value -= fall;
            }
            if self.is_reordered {
                [first, third, second]
            } else {
                [first, second, third]
            }
        })
    }
}
