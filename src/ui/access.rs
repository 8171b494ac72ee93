//! Names for those who hear the screen instead of seeing it.

use eframe::egui;
use egui::Response;

/// Gives a field a name for screen readers.
pub(super) fn name(field: &Response, name: &str) {
    field.ctx.accesskit_node_builder(field.id, |node| node.set_label(name));
}
