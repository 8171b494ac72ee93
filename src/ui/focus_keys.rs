//! Keys that move the focus wait until the texts before these keys have reached their field.
//!
//! egui moves the focus at the beginning of a frame, before a field takes the texts of that frame. If a slow frame
//! holds a text and the key after it, the field would lose the text, or its neighbour would get it.

use crate::ViewportWaker;
use eframe::egui;
use egui::{Context, Event, Key, Plugin, RawInput, ViewportId};
use std::collections::HashMap;

/// Gives each key that moves the focus a frame without other input.
#[derive(Debug, Default)]
pub struct FocusKeys {
    /// The events that wait for the next frame, by window.
    waiting_events: HashMap<ViewportId, Vec<Event>>,
}

impl Plugin for FocusKeys {
    fn debug_name(&self) -> &'static str {
        "focus keys"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        let mut events = self.waiting_events.remove(&input.viewport_id).unwrap_or_default();
        events.append(&mut input.events);
        let later = events.split_off(frame_event_count(&events));
        input.events = events;
        if !later.is_empty() {
            self.waiting_events.insert(input.viewport_id, later);
            ViewportWaker::new(ctx.clone(), input.viewport_id).wake();
        }
    }
}

/// Returns the number of events for this frame: up to the first boundary before or after a key that moves the focus.
fn frame_event_count(events: &[Event]) -> usize {
    let mut before: Option<&Event> = None;
    for (index, event) in events.iter().enumerate().filter(|(_, event)| is_input(event)) {
        if before.is_some_and(|before| moves_focus(before) || moves_focus(event)) {
            return index;
        }
        before = Some(event);
    }
    events.len()
}

/// Returns whether an event is input that the focused widget handles.
const fn is_input(event: &Event) -> bool {
    matches!(
        event,
        Event::Text(_) | Event::Paste(_) | Event::Cut | Event::Ime(_) | Event::Key { pressed: true, .. }
    )
}

const fn moves_focus(event: &Event) -> bool {
    matches!(
        event,
        Event::Key {
            key: Key::Tab | Key::Escape,
            pressed: true,
            ..
        }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::set_accessible_label;
    use crate::fonts;
    use egui::{DragValue, Modifiers, TextEdit, Ui};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    fn key(key: Key) -> Event {
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        }
    }

    fn text(text: &str) -> impl Iterator<Item = Event> {
        text.chars().map(|c| Event::Text(c.to_string()))
    }

    #[test]
    fn a_frame_ends_before_and_after_a_key_that_moves_the_focus() {
        let check =
            |events: &[Event], expect: usize| assert_eq!(frame_event_count(events), expect, "{events:?}");
        let typed: Vec<_> = text("20").collect();
        check(&typed, 2);
        check(&[typed.clone(), vec![key(Key::Tab)]].concat(), 2);
        check(&[vec![key(Key::Tab)], typed.clone()].concat(), 1);
        check(&[key(Key::Backspace), key(Key::Tab)], 1);
        check(&[key(Key::Tab), key(Key::Tab)], 1);
        check(&[key(Key::Escape)], 1);
        check(&[key(Key::Tab), Event::PointerGone], 2);
    }

    #[test]
    fn fields_take_every_character_of_a_slow_frame() {
        let mut window = Harness::builder()
            .with_context_setup(|ctx| {
                ctx.set_fonts(fonts::definitions());
                ctx.add_plugin(FocusKeys::default());
            })
            .build_ui_state(
                |ui: &mut Ui, (nodes, path): &mut (u64, String)| {
                    set_accessible_label(&ui.add(DragValue::new(nodes).range(1..=u64::MAX)), "nodes");
                    set_accessible_label(&ui.add(TextEdit::singleline(path)), "path");
                },
                (1, String::new()),
            );
        window.run();
        window.get_by_label("nodes").focus();
        window.run();
        // Everything is typed within one frame.
        let typed = text("20000")
            .chain([key(Key::Tab)])
            .chain(text("a.kif"))
            .chain([key(Key::Tab)]);
        window.input_mut().events.extend(typed);
        window.run_steps(8);
        assert_eq!(*window.state(), (20_000, "a.kif".to_owned()));
    }
}
