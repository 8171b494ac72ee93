//! The keyboard shortcuts of the page.

mod list;

pub(super) use list::KeyList;

use super::{StudyAction, StudyFrame};
use crate::config::{Modifier, Shortcut, StudyKeys};
use crate::text::study::StudyCommand;
use eframe::egui;
use egui::{Context, Event, Key, KeyboardShortcut, Modifiers, Ui};

/// The maximum length of a move in words, in characters.
const LONGEST_MOVE: usize = 12;

/// The keyboard use by a widget, which limits the shortcuts of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeysInUse {
    /// A text is being typed.
    TextInput,
    /// The move entry field is focused and empty.
    EmptyMoveEntry,
    /// Another widget is focused and is operated by keys.
    OtherWidget,
    /// No widget uses the keyboard.
    None,
}

impl KeysInUse {
    pub(super) fn read(ctx: &Context) -> Self {
        match ctx.egui_wants_keyboard_input() {
            _ if ctx.text_edit_focused() => Self::TextInput,
            true => Self::OtherWidget,
            false => Self::None,
        }
    }

    /// Returns whether a shortcut is left to the page.
    fn leaves(self, keys: &Shortcut) -> bool {
        let is_for_all = keys.has(Modifier::Ctrl) && !keys.has(Modifier::Alt);
        let is_f = keys.key().len() > 1 && keys.key().starts_with('F');
        match self {
            Self::TextInput => is_f || is_for_all && !is_edit(keys.key()),
            // Only keys that are not part of a move.
            Self::EmptyMoveEntry => is_f || is_for_all || is_way(keys.key()),
            Self::OtherWidget => is_for_all || !matches!(keys.key(), "Up" | "Down" | "Left" | "Right" | "Space"),
            Self::None => true,
        }
    }
}

/// Returns whether a key with Ctrl edits a text or moves the cursor in it.
fn is_edit(key: &str) -> bool {
    let letters = matches!(key, "A" | "C" | "H" | "K" | "U" | "V" | "W" | "X" | "Y" | "Z");
    letters || is_way(key) || matches!(key, "Insert" | "Delete" | "Space")
}

/// Returns whether a key moves the cursor in a text, or navigates in a game.
fn is_way(key: &str) -> bool {
    matches!(key, "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "PageUp" | "PageDown")
}

/// Returns the shortcut that was pressed; `None` if it is not a valid combination.
fn shortcut(key: Key, held: Modifiers) -> Option<Shortcut> {
    let all = [(held.command, Modifier::Ctrl), (held.alt, Modifier::Alt), (held.shift, Modifier::Shift)];
    // On a Mac, Control and Command are different keys.
    let is_other = held.ctrl && !held.command;
    let held = all.into_iter().filter(|(is_held, _)| *is_held).map(|(_, modifier)| modifier);
    if is_other { None } else { Shortcut::new(held, key.name()) }
}

/// Returns a shortcut as it is shown on buttons.
fn shown(ctx: &Context, keys: &Shortcut) -> String {
    let held = keys.modifiers().fold(Modifiers::NONE, |held, one| {
        held | match one {
            Modifier::Ctrl => Modifiers::COMMAND,
            Modifier::Alt => Modifiers::ALT,
            Modifier::Shift => Modifiers::SHIFT,
            Modifier::Super => Modifiers::NONE,
        }
    });
    let Some(key) = Key::from_name(keys.key()) else { return String::new() };
    let text = ctx.format_shortcut(&KeyboardShortcut::new(held, key));
    let sign = match key {
        Key::ArrowUp => "↑",
        Key::ArrowDown => "↓",
        Key::ArrowLeft => "←",
        Key::ArrowRight => "→",
        _ => key.symbol_or_name(),
    };
    let held = [key.name(), key.symbol_or_name()].into_iter().find_map(|name| text.strip_suffix(name));
    held.unwrap_or_default().to_owned() + sign
}

/// Returns the first shortcut of a command as it is shown on buttons; empty if there is none.
pub(super) fn text(ctx: &Context, command: StudyCommand, keys: &StudyKeys) -> String {
    keys.keys_of(command).first().map(|keys| shown(ctx, keys)).unwrap_or_default()
}

/// Returns all shortcuts of a command as they are shown on buttons.
fn all(ctx: &Context, command: StudyCommand, keys: &StudyKeys) -> String {
    keys.keys_of(command).iter().map(|keys| shown(ctx, keys)).collect::<Vec<_>>().join("　")
}

/// Returns the commands whose shortcuts were pressed, and consumes these events. Leaves out keys in use by a widget.
pub(super) fn take_commands(
    ui: &Ui,
    keys: &StudyKeys,
    busy: KeysInUse,
    mut is_wanted: impl FnMut(StudyCommand) -> bool,
) -> Vec<StudyCommand> {
    let mut found = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let pressed = match event {
                // egui reports these without their keys.
                Event::Copy => Shortcut::new([Modifier::Ctrl], "C"),
                Event::Cut => Shortcut::new([Modifier::Ctrl], "X"),
                Event::Key { key, pressed: true, modifiers, .. } => shortcut(*key, *modifiers),
                _ => None,
            };
            let pressed = pressed.filter(|keys| busy.leaves(keys));
            let Some(command) =
                pressed.and_then(|pressed| keys.command(&pressed)).filter(|command| is_wanted(*command))
            else {
                return true;
            };
            found.push(command);
            // Copy must also reach a selected text.
            matches!(event, Event::Copy)
        });
    });
    found
}

/// Handles shortcuts and paste events. While a text is typed, most keys belong to the text.
pub(super) fn pressed(ui: &Ui, frame: &mut StudyFrame<'_>, busy: KeysInUse) {
    let is_record = |text: &str| busy != KeysInUse::EmptyMoveEntry || !may_be_move(text);
    if busy != KeysInUse::TextInput {
        ui.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Paste(text) if is_record(text) => {
                    frame.act(StudyAction::Paste(text.clone()));
                    false
                }
                _ => true,
            });
        });
    }
    for command in take_commands(ui, frame.view.keys, busy, |_| true) {
        if frame.view.allows(command) {
            frame.act(StudyAction::Run(command));
        }
    }
}

/// Returns whether a text pasted into the move entry field may be a move.
fn may_be_move(text: &str) -> bool {
    text.trim().chars().count() <= LONGEST_MOVE && !text.trim().contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configurable_keys_exist_in_egui() {
        let ctx = Context::default();
        for name in Shortcut::key_names() {
            let key = Key::from_name(name).expect(name);
            let keys = shortcut(key, Modifiers::COMMAND);
            assert_eq!(keys.map(|keys| keys.to_string()).as_deref(), Some(format!("Ctrl+{name}").as_str()));
        }
        for command in StudyCommand::ALL {
            assert!(!text(&ctx, *command, &StudyKeys::default()).is_empty(), "{command:?}");
        }
        assert_eq!(shortcut(Key::Questionmark, Modifiers::SHIFT), Shortcut::parse("Questionmark"));
    }

    #[test]
    fn typing_keeps_the_keys_of_a_text() {
        let check = |text: &str, types, has| {
            let keys = Shortcut::parse(text).unwrap();
            assert_eq!(
                (KeysInUse::TextInput.leaves(&keys), KeysInUse::OtherWidget.leaves(&keys)),
                (types, has),
                "{text}"
            );
            assert!(KeysInUse::None.leaves(&keys));
            let is_letter = matches!(text, "H" | "F" | "Space" | "Ctrl+Alt+Q");
            assert_eq!(KeysInUse::EmptyMoveEntry.leaves(&keys), !is_letter, "{text}");
        };
        check("Ctrl+S", true, true);
        check("Ctrl+Shift+S", true, true);
        check("F1", true, true);
        check("Ctrl+Z", false, true);
        check("Ctrl+Left", false, true);
        check("Ctrl+Alt+Q", false, true);
        check("H", false, true);
        check("F", false, true);
        check("Up", false, false);
        check("Space", false, false);
        check("PageUp", false, true);
    }
}
