//! Keys as they are pressed to be chosen.

use crate::config::Modifier;
use eframe::egui;
use egui::{Event, Key, Modifiers, Ui};

/// What was pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyPresses {
    /// A key with what is held.
    Key(Key, Modifiers),
    /// What copies, cuts or pastes, by the key that usually does with Ctrl: it comes without one.
    Clipboard(Key),
    /// What ends the waiting.
    Escape,
}

/// What was pressed, which is then nobody else's. Tab is left to whoever moves about by it.
pub(super) fn pressed(ui: &Ui) -> Option<KeyPresses> {
    ui.input_mut(|input| {
        let mut found = None;
        input.events.retain(|event| {
            let pressed = match event {
                Event::Key { key: Key::Tab, modifiers, .. } if modifiers.is_none() || modifiers.shift_only() => {
                    return true;
                }
                Event::Key { key: Key::Escape, pressed: true, modifiers, .. } if modifiers.is_none() => {
                    Some(KeyPresses::Escape)
                }
                Event::Key { key, pressed: true, repeat: false, modifiers, .. } if !is_modifier(*key) => {
                    Some(KeyPresses::Key(*key, *modifiers))
                }
                Event::Copy => Some(KeyPresses::Clipboard(Key::C)),
                Event::Cut => Some(KeyPresses::Clipboard(Key::X)),
                Event::Paste(_) => Some(KeyPresses::Clipboard(Key::V)),
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

pub(super) fn held_modifiers(modifiers: Modifiers) -> impl Iterator<Item = Modifier> {
    let held = [
        (modifiers.ctrl, Modifier::Ctrl),
        (modifiers.alt, Modifier::Alt),
        (modifiers.shift, Modifier::Shift),
        (modifiers.mac_cmd, Modifier::Super),
    ];
    held.into_iter().filter(|(is_held, _)| *is_held).map(|(_, modifier)| modifier)
}

/// What is held while the key is still to come: `Ctrl+Alt+…`
pub(super) fn held(ui: &Ui) -> Option<String> {
    let held: Vec<_> = ui.input(|input| held_modifiers(input.modifiers).map(Modifier::name).collect());
    (!held.is_empty()).then(|| held.join("+") + "+…")
}
