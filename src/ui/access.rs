//! Support for screen readers and keyboard focus.

use eframe::egui;
use egui::{Id, Memory, Response, Ui};

/// Sets the screen reader label of a field.
pub fn name(field: &Response, name: &str) {
    field.ctx.accesskit_node_builder(field.id, |node| node.set_label(name));
}

/// Sets the text that a screen reader reads instead of a symbol.
pub(super) fn text(sign: &Response, words: &str) {
    sign.ctx.accesskit_node_builder(sign.id, |node| node.set_value(words));
}

/// The widget that has the keyboard focus in a scrolling page.
#[derive(Debug, Default)]
pub(super) struct KeyboardFocus(Option<Id>);

impl KeyboardFocus {
    /// Scrolls to the widget that got the focus since the last frame. Call it after the whole page was drawn.
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
