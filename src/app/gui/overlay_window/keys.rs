//! The keys of the bar's window.

use eframe::egui;
use egui::{Context, Event, Key, Modifiers};
use shogibar_config::{Command, CommandContext};
use shogibar_model::action::AppAction;
use shogibar_ui::shortcut;

/// Returns the commands whose keys were pressed since the last frame, and the number of times: a held key repeats.
pub(super) fn pressed_commands(ctx: &Context) -> Vec<(Command, i32)> {
    let commands: Vec<_> = ctx.input(|input| input.events.iter().filter_map(event_command).collect());
    let mut counted: Vec<(Command, i32)> = Vec::new();
    for command in commands {
        match counted.iter_mut().find(|(known, _)| *known == command) {
            Some((_, times)) => *times = times.saturating_add(1).min(i32::MAX / 10),
            None => counted.push((command, 1)),
        }
    }
    counted
}

/// Returns whether Escape was pressed. Escape only closes a menu or a notice: it must not end a broadcast by accident.
pub(super) fn is_escape_pressed(ctx: &Context) -> bool {
    ctx.input(|input| input.key_pressed(Key::Escape))
}

fn event_command(event: &Event) -> Option<Command> {
    let (keys, repeat) = match event {
        // `pasted_action` handles the pasted text.
        Event::Paste(_) => return None,
        // Shift has no effect without other modifiers.
        Event::Key {
            key,
            pressed: true,
            repeat,
            modifiers,
            ..
        } if modifiers.shift_only() => (shortcut::from_key(*key, Modifiers::NONE), *repeat),
        Event::Key { repeat, .. } => (shortcut::from_event(event), *repeat),
        _ => (shortcut::from_event(event), false),
    };
    let command = Command::with_default_key(&keys?.to_string(), CommandContext::Bar)?;
    // A toggle is not repeated while its key is held.
    let is_step = matches!(
        command,
        Command::Back | Command::Forward | Command::TenBack | Command::TenForward
    );
    (is_step || !repeat).then_some(command)
}

pub(super) fn pasted_action(ctx: &Context) -> Option<AppAction> {
    ctx.input(|input| {
        input.events.iter().find_map(|event| match event {
            Event::Paste(text) => Some(AppAction::PasteText(text.clone())),
            _ => None,
        })
    })
}

/// Returns whether the menu key was pressed, or Shift+F10 in its place.
pub(super) fn is_menu_key_pressed(ctx: &Context) -> bool {
    ctx.input(|input| input.key_pressed(Key::Menu) || input.modifiers.shift && input.key_pressed(Key::F10))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_keys_with_ctrl_or_alt() {
        let check = |modifiers: Modifiers, key: Key, expect: Option<Command>| {
            let event = Event::Key {
                key,
                physical_key: None,
                pressed: true,
                repeat: false,
                modifiers,
            };
            assert_eq!(event_command(&event), expect, "{modifiers:?} {key:?}");
        };
        check(Modifiers::NONE, Key::Space, Some(Command::Pause));
        check(Modifiers::SHIFT, Key::H, Some(Command::Hide));
        check(Modifiers::CTRL, Key::Space, None);
        check(Modifiers::ALT, Key::Space, None);
        check(Modifiers::COMMAND, Key::P, None);
        check(Modifiers::CTRL | Modifiers::ALT, Key::H, None);
        check(Modifiers::ALT, Key::Q, None);
        check(Modifiers::COMMAND, Key::Q, Some(Command::Quit));
        check(Modifiers::SHIFT, Key::K, Some(Command::Players));
        check(Modifiers::COMMAND, Key::K, Some(Command::Palette));
        check(Modifiers::COMMAND | Modifiers::SHIFT, Key::Q, None);
        check(Modifiers::NONE, Key::Escape, None);
        // The system sends this event instead of the key.
        assert_eq!(event_command(&Event::Copy), Some(Command::CopyPicture));
    }
}
