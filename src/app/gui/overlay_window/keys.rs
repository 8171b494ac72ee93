//! What the keyboard asks of the bar's window, and what is dropped on it.

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

/// The commands whose keys went down, and how often since the last frame: a key that is held repeats.
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

/// Whether Escape went down. It closes a menu or a notice, and no more than that: nobody ends a broadcast by it.
pub(super) fn escapes(ctx: &Context) -> bool {
    ctx.input(|input| input.key_pressed(Key::Escape))
}

/// What an event asks for.
fn command(event: &Event) -> Option<MenuEntry> {
    let (key, repeat, modifiers) = match event {
        // What copies comes without its key.
        Event::Copy => return Some(MenuEntry::CopyPicture),
        Event::Key { key, pressed: true, repeat, modifiers, .. } => (*key, *repeat, *modifiers),
        _ => return None,
    };
    let (_, command) = KEYS.into_iter().find(|(known, _)| *known == key)?;
    // What goes to and fro does not while the key is held.
    let is_walk = matches!(command, MenuEntry::Back | MenuEntry::Forward | MenuEntry::TenBack | MenuEntry::TenForward);
    (is_ours(key, modifiers) && (is_walk || !repeat)).then_some(command)
}

/// Whether a key means something here with what is held: with Ctrl or Alt it is the input method's or the system's.
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
    fn keys_with_ctrl_or_alt_are_the_system_s() {
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
        // It comes without its key.
        assert_eq!(command(&Event::Copy), Some(MenuEntry::CopyPicture));
    }
}
