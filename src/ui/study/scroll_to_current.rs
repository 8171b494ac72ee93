//! Scrolls a list to the current node.

use super::ROW_HEIGHT;
use eframe::egui;
use egui::Ui;
use shogibar_kifu::NodeId;

/// The node last scrolled to, and the size of the list at that time.
#[derive(Debug)]
pub(super) struct ScrollToCurrent<R> {
    /// The node last scrolled to; `None` before the first scrolling at this size.
    shown_node: Option<NodeId>,
    /// The size of the list at that time; `None` before the first frame.
    room: Option<R>,
}

impl<R> Default for ScrollToCurrent<R> {
    fn default() -> Self {
        Self {
            shown_node: None,
            room: None,
        }
    }
}

impl<R: PartialEq> ScrollToCurrent<R> {
    /// Returns whether a list must scroll to a node now. `room` holds everything on which the scroll range depends. The
    /// scroll range is that of the last frame. After a change of `room`, the list is drawn once before it scrolls.
    pub(super) fn is_due(&mut self, ui: &Ui, node: NodeId, room: R) -> bool {
        if self.room.as_ref() != Some(&room) {
            *self = Self {
                shown_node: None,
                room: Some(room),
            };
            ui.ctx().request_discard("a list has another size");
            return false;
        }
        self.shown_node.replace(node) != Some(node)
    }
}

/// Returns the scroll offset, in points, at which a row and some neighbours are visible. If they are visible already,
/// the current offset is kept.
pub(super) fn offset_in_view(offset: f32, (row, rows): (usize, usize), height: f32) -> f32 {
    let max_offset = (rows as f32 * ROW_HEIGHT - height).max(0.0);
    let (top, margin) = (row as f32 * ROW_HEIGHT, (2.0 * ROW_HEIGHT).min(height / 3.0));
    let (max, min) = (top - margin, top + ROW_HEIGHT + margin - height);
    if offset > max || offset < min {
        (top - (height - ROW_HEIGHT) / 2.0).clamp(0.0, max_offset)
    } else {
        offset.min(max_offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrolls_only_if_the_row_is_not_visible() {
        let check = |offset, row, expect: f32| {
            assert!(
                (offset_in_view(offset, (row, 40), 10.0 * ROW_HEIGHT) - expect * ROW_HEIGHT).abs() < 0.01
            );
        };
        check(0.0, 4, 0.0);
        check(0.0, 20, 15.5);
        check(15.5 * ROW_HEIGHT, 21, 15.5);
        check(15.5 * ROW_HEIGHT, 0, 0.0);
        check(0.0, 39, 30.0);
        check(35.0 * ROW_HEIGHT, 38, 30.0);
    }
}
