//! The range of plies that a graph shows.

use std::ops::RangeInclusive;

/// The smallest number of plies in view.
const MIN_PLIES_IN_VIEW: f32 = 8.0;
/// The minimum distance of the current ply from the ends of the range, as a fraction of the plies in view.
const MIN_MARGIN_FRACTION: f32 = 0.08;

/// The plies in view: all, or a range. The ends are fractional numbers, so that the range moves smoothly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GraphZoom {
    /// The first and the last ply in view; `None` is all plies, including those that are played later.
    range: Option<[f32; 2]>,
}

impl GraphZoom {
    /// Returns whether all plies are in view.
    pub const fn is_all(self) -> bool {
        self.range.is_none()
    }

    /// Returns the first and the last ply in view of a game of this length.
    pub fn range(self, plies: usize) -> RangeInclusive<f32> {
        let max_ply = plies.max(1) as f32;
        let [first, last] = self.range.unwrap_or([0.0, max_ply]);
        let length = (last - first).clamp(0.0, max_ply);
        let first = first.clamp(0.0, max_ply - length);
        first..=first + length
    }

    /// Zooms in by a factor about a ply, or out if the factor is below 1.
    pub fn zoom(&mut self, plies: usize, about: f32, factor: f32) {
        if !(factor.is_finite() && factor > 0.0 && about.is_finite()) {
            return;
        }
        let range = self.range(plies);
        let (first, last) = range.into_inner();
        let length = ((last - first) / factor).max(MIN_PLIES_IN_VIEW);
        let part = ((about - first) / (last - first).max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        self.set_range(plies, about - part * length, length);
    }

    /// Moves the range by a number of plies. Does nothing while all plies are in view.
    pub fn pan(&mut self, plies: usize, by: f32) {
        if self.range.is_some() && by.is_finite() {
            let (first, last) = self.range(plies).into_inner();
            self.set_range(plies, first + by, last - first);
        }
    }

    /// Moves the range as little as possible so that a ply is in view, with some room beside it.
    pub fn bring_into_view(&mut self, plies: usize, ply: usize) {
        if self.range.is_none() {
            return;
        }
        let (first, last) = self.range(plies).into_inner();
        let (ply, room) = (ply as f32, (last - first) * MIN_MARGIN_FRACTION);
        let by = (ply + room - last).max(0.0) + (ply - room - first).min(0.0);
        self.set_range(plies, first + by, last - first);
    }

    /// Sets the range from its first ply and its length, moved into the game. A range as long as the game means all
    /// plies.
    fn set_range(&mut self, plies: usize, first: f32, length: f32) {
        let max_ply = plies.max(1) as f32;
        self.range = (length < max_ply).then(|| {
            let first = first.clamp(0.0, max_ply - length);
            [first, first + length]
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(zoom: GraphZoom, plies: usize, expect: RangeInclusive<f32>) {
        let found = zoom.range(plies);
        let is_near = |one: f32, other: f32| (one - other).abs() < 0.01;
        assert!(
            is_near(*found.start(), *expect.start()) && is_near(*found.end(), *expect.end()),
            "{found:?}"
        );
    }

    #[test]
    fn zooms_about_a_ply_and_stays_within_the_game() {
        let mut zoom = GraphZoom::default();
        check(zoom, 100, 0.0..=100.0);
        zoom.zoom(100, 80.0, 2.0);
        check(zoom, 100, 40.0..=90.0);
        zoom.pan(100, 30.0);
        check(zoom, 100, 50.0..=100.0);
        zoom.pan(100, -500.0);
        check(zoom, 100, 0.0..=50.0);
        zoom.zoom(100, 0.0, 1000.0);
        check(zoom, 100, 0.0..=MIN_PLIES_IN_VIEW);
        zoom.zoom(100, 4.0, 0.001);
        assert!(zoom.is_all());
        check(zoom, 0, 0.0..=1.0);
        for odd in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            zoom.zoom(100, 50.0, odd);
            zoom.zoom(100, odd, 1.0);
            zoom.pan(100, odd);
            check(zoom, 100, 0.0..=100.0);
        }
        zoom.zoom(5, 2.0, 4.0);
        assert!(zoom.is_all(), "a short game has nothing to zoom");
    }

    #[test]
    fn a_ply_out_of_view_is_brought_into_view() {
        let mut zoom = GraphZoom::default();
        zoom.bring_into_view(100, 50);
        assert!(zoom.is_all());
        zoom.zoom(100, 0.0, 4.0);
        zoom.bring_into_view(100, 20);
        check(zoom, 100, 0.0..=25.0);
        zoom.bring_into_view(100, 50);
        check(zoom, 100, 27.0..=52.0);
        zoom.bring_into_view(100, 28);
        check(zoom, 100, 26.0..=51.0);
        zoom.bring_into_view(101, 101);
        check(zoom, 101, 76.0..=101.0);
        // A take-back or another record may leave fewer plies, to which the zoom is limited.
        check(zoom, 10, 0.0..=10.0);
    }
}
