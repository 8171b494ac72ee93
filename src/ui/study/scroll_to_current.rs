//! What is on view, brought into view in a list.

use super::ROW;
use crate::kifu::NodeId;
use eframe::egui;
use egui::Ui;

/// What was brought into view, and how much room there was for it.
#[derive(Debug)]
pub(super) struct ScrollToCurrent<R> {
    shown: Option<NodeId>,
    room: Option<R>,
}

impl<R> Default for ScrollToCurrent<R> {
    fn default() -> Self {
        Self { shown: None, room: None }
    }
}

impl<R: PartialEq> ScrollToCurrent<R> {
    /// Whether a list is to be asked now to show a node. `room` is all that decides how far it can go: a list goes no
    /// further than it could when it was drawn last, so that one which has other room is drawn once with that first.
    pub(super) fn is_due(&mut self, ui: &Ui, node: NodeId, room: R) -> bool {
        if self.room.as_ref() != Some(&room) {
            *self = Self { shown: None, room: Some(room) };
            ui.ctx().request_discard("a list has another size");
            return false;
        }
        self.shown.replace(node) != Some(node)
    }
}

/// Where a list of so many rows has to stand for one to be seen with some of those around it, in points from its
/// top: where it stands, if that does.
pub(super) fn brought_into_view(offset: f32, (row, rows): (usize, usize), height: f32) -> f32 {
    let most = (rows as f32 * ROW - height).max(0.0);
    let (top, margin) = (row as f32 * ROW, (2.0 * ROW).min(height / 3.0));
    let (lowest, highest) = (top - margin, top + ROW + margin - height);
    if offset > lowest || offset < highest { (top - (height - ROW) / 2.0).clamp(0.0, most) } else { offset.min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_brought_into_view_only_when_it_is_not() {
        let check = |offset, row, expect: f32| {
            assert!((brought_into_view(offset, (row, 40), 10.0 * ROW) - expect * ROW).abs() < 0.01);
        };
        check(0.0, 4, 0.0);
        check(0.0, 20, 15.5);
        check(15.5 * ROW, 21, 15.5);
        check(15.5 * ROW, 0, 0.0);
        check(0.0, 39, 30.0);
        check(35.0 * ROW, 38, 30.0);
    }
}
