//! Shortcuts in the events of egui and on buttons.

use eframe::egui;
use egui::{Context, Event, Key, KeyboardShortcut, Modifiers};
use shogibar_config::{ModifierKey, Shortcut};

/// Returns the shortcut of a key with the held modifiers; `None` if it is not a valid combination.
pub fn from_key(key: Key, held: Modifiers) -> Option<Shortcut> {
    let all = [
        (held.command, ModifierKey::Ctrl),
        (held.alt, ModifierKey::Alt),
        (held.shift, ModifierKey::Shift),
    ];
    // On a Mac, Control and Command are different keys.
    let is_other = held.ctrl && !held.command;
    let held = all
        .into_iter()
        .filter(|(is_held, _)| *is_held)
        .map(|(_, modifier)| modifier);
    if is_other {
        None
    } else {
        Shortcut::new(held, key.name())
    }
}

/// Returns the shortcut that was pressed in an event; `None` for another event.
pub fn from_event(event: &Event) -> Option<Shortcut> {
    match event {
        // egui reports these combinations as events without keys.
        Event::Copy => Shortcut::new([ModifierKey::Ctrl], "C"),
        Event::Cut => Shortcut::new([ModifierKey::Ctrl], "X"),
        Event::Key {
            key,
            pressed: true,
            modifiers,
            ..
        } => from_key(*key, *modifiers),
        _ => None,
    }
}

/// Returns a shortcut in the form that buttons show; an empty text if egui does not know the key.
pub fn button_text(ctx: &Context, keys: &Shortcut) -> String {
    let held = keys.modifiers().fold(Modifiers::NONE, |held, one| {
        held | match one {
            ModifierKey::Ctrl => Modifiers::COMMAND,
            ModifierKey::Alt => Modifiers::ALT,
            ModifierKey::Shift => Modifiers::SHIFT,
            ModifierKey::Super => Modifiers::NONE,
        }
    });
    let Some(key) = Key::from_name(keys.key()) else {
        return String::new();
    };
    let text = ctx.format_shortcut(&KeyboardShortcut::new(held, key));
    let sign = match key {
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        _ => key.symbol_or_name(),
    };
    let held = [key.name(), key.symbol_or_name()]
        .into_iter()
        .find_map(|name| text.strip_suffix(name));
    held.unwrap_or_default().to_owned() + sign
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurable_keys_exist_in_egui() {
        for name in Shortcut::key_names() {
            let key = Key::from_name(name).expect(name);
            let keys = from_key(key, Modifiers::COMMAND);
            assert_eq!(
                keys.map(|keys| keys.to_string()).as_deref(),
                Some(format!("Ctrl+{name}").as_str())
            );
        }
        assert_eq!(
            from_key(Key::Questionmark, Modifiers::SHIFT),
            Shortcut::parse("Questionmark")
        );
    }
}
