//! Support for screen readers and keyboard focus.

use eframe::egui;
use egui::{Id, Memory, Response, Ui};

/// Sets the label of a field for screen readers.
pub fn set_accessible_label(field: &Response, label: &str) {
    field
        .ctx
        .accesskit_node_builder(field.id, |node| node.set_label(label));
}

pub(super) fn set_accessible_text(symbol: &Response, text: &str) {
    symbol
        .ctx
        .accesskit_node_builder(symbol.id, |node| node.set_value(text));
}

/// The widget that had the keyboard focus in the last frame of a scrolling page.
#[derive(Debug, Default)]
pub(super) struct KeyboardFocus(Option<Id>);

impl KeyboardFocus {
    /// Scrolls to the widget that got the focus since the last frame. To be called after the whole page was drawn.
    pub(super) fn bring_into_view(&mut self, ui: &Ui) {
        let focused = ui.memory(Memory::focused);
        if std::mem::replace(&mut self.0, focused) == focused {
            return;
        }
        let field = focused.and_then(|id| ui.ctx().read_response(id));
        // Widgets beside the scrolling page are visible anyway.
        if let Some(field) = field.filter(|field| ui.max_rect().x_range().contains(field.rect.center().x)) {
            ui.scroll_to_rect(field.rect.expand(16.0), None);
        }
    }
}
