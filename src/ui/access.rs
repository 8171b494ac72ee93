//! For those who hear the screen instead of seeing it, and those who have no mouse.

use eframe::egui;
use egui::{Id, Memory, Response, Ui};

/// Gives a field a name for screen readers.
pub(super) fn name(field: &Response, name: &str) {
    field.ctx.accesskit_node_builder(field.id, |node| node.set_label(name));
}

/// Gives a text that is a sign only the words that it stands for.
pub(super) fn text(sign: &Response, words: &str) {
    sign.ctx.accesskit_node_builder(sign.id, |node| node.set_value(words));
}

/// What has the keyboard in a page that scrolls.
#[derive(Debug, Default)]
pub(super) struct KeyboardFocus(Option<Id>);

impl KeyboardFocus {
    /// Scrolls to what has got the keyboard since the last frame; to be called when all of the page was shown.
    pub(super) fn bring_into_view(&mut self, ui: &Ui) {
        let focused = ui.memory(Memory::focused);
        if std::mem::replace(&mut self.0, focused) == focused {
            return;
        }
        let field = focused.and_then(|id| ui.ctx().read_response(id));
        // What stands beside the page is in view anyway.
        if let Some(field) = field.filter(|field| ui.max_rect().x_range().contains(field.rect.center().x)) {
            ui.scroll_to_rect(field.rect.expand(16.0), None);
        }
    }
}
