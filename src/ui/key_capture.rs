//! Reading of key presses for fields that choose a key.

use eframe::egui;
use egui::{Event, Key, Modifiers, Ui};
use shogibar_config::ModifierKey;

/// A key press that a field has captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CapturedKey {
    Key(Key, Modifiers),
    /// The key of copy, cut or paste: C, X or V, with Ctrl by default. egui reports the command instead of the key.
    Clipboard(Key),
    /// Escape, which cancels the choice.
    Escape,
}

/// Removes the keys and texts of this frame from the input. Returns the first key press, if there is one. Tab stays in
/// the input to move the focus.
pub(super) fn take_pressed_key(ui: &Ui) -> Option<CapturedKey> {
    ui.input_mut(|input| {
        let mut found = None;
        input.events.retain(|event| {
            let pressed = match event {
                Event::Key {
                    key: Key::Tab,
                    modifiers,
                    ..
                } if modifiers.is_none() || modifiers.shift_only() => {
                    return true;
                }
                Event::Key {
                    key: Key::Escape,
                    pressed: true,
                    modifiers,
                    ..
                } if modifiers.is_none() => Some(CapturedKey::Escape),
                Event::Key {
                    key,
                    pressed: true,
                    repeat: false,
                    modifiers,
                    ..
                } if !is_modifier(*key) => Some(CapturedKey::Key(*key, *modifiers)),
                Event::Copy => Some(CapturedKey::Clipboard(Key::C)),
                Event::Cut => Some(CapturedKey::Clipboard(Key::X)),
                Event::Paste(_) => Some(CapturedKey::Clipboard(Key::V)),
                Event::Key { .. } | Event::Text(_) => None,
                _ => return true,
            };
            found = found.take().or(pressed);
            false
        });
        found
    })
}

const fn is_modifier(key: Key) -> bool {
    matches!(
        key,
        Key::ShiftLeft
            | Key::ShiftRight
            | Key::ControlLeft
            | Key::ControlRight
            | Key::AltLeft
            | Key::AltRight
            | Key::SuperLeft
            | Key::SuperRight
    )
}

pub(super) fn held_modifiers(modifiers: Modifiers) -> impl Iterator<Item = ModifierKey> {
    let held = [
        (modifiers.ctrl, ModifierKey::Ctrl),
        (modifiers.alt, ModifierKey::Alt),
        (modifiers.shift, ModifierKey::Shift),
        (modifiers.mac_cmd, ModifierKey::Super),
    ];
    held.into_iter()
        .filter(|(is_held, _)| *is_held)
        .map(|(_, modifier)| modifier)
}

/// Returns the text for modifiers that are held before a key is pressed, such as `Ctrl+Alt+…`; `None` if none is held.
pub(super) fn held_modifiers_text(ui: &Ui) -> Option<String> {
    let held: Vec<_> = ui.input(|input| held_modifiers(input.modifiers).map(ModifierKey::name).collect());
    (!held.is_empty()).then(|| held.join("+") + "+…")
}
