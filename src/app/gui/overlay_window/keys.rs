//! The keys of the bar's window, and the files dropped on it.

use crate::text::MenuEntry;
use eframe::egui;
use egui::{Context, Event, Key, Modifiers};
use std::path::PathBuf;

const KEYS: [(Key, MenuEntry); 20] = [
    (Key::ArrowLeft, MenuEntry::Back),
    (Key::ArrowRight, MenuEntry::Forward),
    (Key::PageUp, MenuEntry::TenBack),
    (Key::PageDown, MenuEntry::TenForward),
    (Key::Home, MenuEntry::First),
    (Key::End, MenuEntry::Last),
    (Key::Space, MenuEntry::Pause),
    (Key::E, MenuEntry::Follow),
    (Key::H, MenuEntry::Hide),
    (Key::T, MenuEntry::ClickThrough),
    (Key::L, MenuEntry::Layout),
    (Key::C, MenuEntry::CopyPicture),
    (Key::P, MenuEntry::SavePicture),
    (Key::B, MenuEntry::Study),
    (Key::K, MenuEntry::Players),
    (Key::S, MenuEntry::Settings),
    (Key::N, MenuEntry::Engines),
    (Key::Q, MenuEntry::Quit),
    (Key::O, MenuEntry::Open),
    (Key::F1, MenuEntry::Manual),
];

/// The commands whose keys were pressed since the last frame, and how often: a held key repeats.
pub(super) fn pressed(ctx: &Context) -> Vec<(MenuEntry, i32)> {
    let commands: Vec<_> = ctx.input(|input| input.events.iter().filter_map(command).collect());
    let mut counted: Vec<(MenuEntry, i32)> = Vec::new();
    for command in commands {
        match counted.iter_mut().find(|(known, _)| *known == command) {
            Some((_, times)) => *times = times.saturating_add(1).min(i32::MAX / 10),
            None => counted.push((command, 1)),
        }
    }
    counted
}

/// Whether Escape was pressed. It only closes a menu or a notice: it must not end a broadcast by accident.
pub(super) fn escapes(ctx: &Context) -> bool {
    ctx.input(|input| input.key_pressed(Key::Escape))
}

/// The command of an event, if any.
fn command(event: &Event) -> Option<MenuEntry> {
    let (key, repeat, modifiers) = match event {
        // The copy shortcut arrives without its key.
        Event::Copy => return Some(MenuEntry::CopyPicture),
        Event::Key { key, pressed: true, repeat, modifiers, .. } => (*key, *repeat, *modifiers),
        _ => return None,
    };
    let (_, command) = KEYS.into_iter().find(|(known, _)| *known == key)?;
    // A toggle is not repeated while its key is held.
    let is_step = matches!(command, MenuEntry::Back | MenuEntry::Forward | MenuEntry::TenBack | MenuEntry::TenForward);
    (is_ours(key, modifiers) && (is_step || !repeat)).then_some(command)
}

/// Whether a key with these modifiers is a command here: with Ctrl or Alt it is the system's.
fn is_ours(key: Key, modifiers: Modifiers) -> bool {
    modifiers.is_none() || modifiers.shift_only() || (matches!(key, Key::Q | Key::O) && modifiers.command_only())
}

/// The files dropped on the window.
pub(super) fn dropped(ctx: &Context) -> Vec<PathBuf> {
    ctx.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_keys_with_ctrl_or_alt() {
        let check = |modifiers: Modifiers, key: Key, expect: Option<MenuEntry>| {
            let event = Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
            assert_eq!(command(&event), expect, "{modifiers:?} {key:?}");
        };
        check(Modifiers::NONE, Key::Space, Some(MenuEntry::Pause));
        check(Modifiers::SHIFT, Key::H, Some(MenuEntry::Hide));
        check(Modifiers::CTRL, Key::Space, None);
        check(Modifiers::ALT, Key::Space, None);
        check(Modifiers::COMMAND, Key::P, None);
        check(Modifiers::CTRL | Modifiers::ALT, Key::H, None);
        check(Modifiers::ALT, Key::Q, None);
        check(Modifiers::COMMAND, Key::Q, Some(MenuEntry::Quit));
        check(Modifiers::NONE, Key::Escape, None);
        // It arrives without its key.
        assert_eq!(command(&Event::Copy), Some(MenuEntry::CopyPicture));
    }
}
