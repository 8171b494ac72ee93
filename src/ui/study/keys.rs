//! The keyboard shortcuts of the page.

mod list;

pub(super) use list::KeyList;

use super::{StudyAction, StudyFrame};
use crate::shortcut::{self, button_text};
use eframe::egui;
use egui::{Context, Event, Ui};
use shogibar_config::{Command, ModifierKey, Shortcut, StudyKeys};
use shogibar_model::action::AppAction;

/// The maximum length of a move in words, in characters.
const MAX_MOVE_CHARS: usize = 12;

/// The use of the keyboard by a widget, which limits the shortcuts of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeysInUse {
    /// A text is being typed.
    TextInput,
    /// The move entry field is focused and empty.
    EmptyMoveEntry,
    /// Another widget has the focus and handles keys.
    OtherWidget,
    /// No widget uses the keyboard.
    None,
}

impl KeysInUse {
    /// Returns how the focused widget uses the keyboard. An empty move entry field counts as a text field.
    pub(super) fn read(ctx: &Context) -> Self {
        match ctx.egui_wants_keyboard_input() {
            _ if ctx.text_edit_focused() => Self::TextInput,
            true => Self::OtherWidget,
            false => Self::None,
        }
    }

    /// Returns whether the widget leaves a shortcut to the page.
    fn allows(self, keys: &Shortcut) -> bool {
        let is_for_all = keys.has(ModifierKey::Ctrl) && !keys.has(ModifierKey::Alt);
        let is_f = keys.key().len() > 1 && keys.key().starts_with('F');
        match self {
            Self::TextInput => is_f || is_for_all && !is_text_edit_key(keys.key()),
            // Only keys that cannot be part of a move are left to the page.
            Self::EmptyMoveEntry => is_f || is_for_all || is_navigation_key(keys.key()),
            Self::OtherWidget => {
                is_for_all || !matches!(keys.key(), "Up" | "Down" | "Left" | "Right" | "Space")
            }
            Self::None => true,
        }
    }
}

fn is_text_edit_key(key: &str) -> bool {
    let letters = matches!(key, "A" | "C" | "H" | "K" | "U" | "V" | "W" | "X" | "Y" | "Z");
    letters || is_navigation_key(key) || matches!(key, "Insert" | "Delete" | "Space")
}

/// Returns whether a key moves the cursor in a text, or navigates in a game.
fn is_navigation_key(key: &str) -> bool {
    matches!(
        key,
        "Up" | "Down" | "Left" | "Right" | "Home" | "End" | "PageUp" | "PageDown"
    )
}

/// Returns the first shortcut of a command in the form that buttons show; empty if the command has none.
pub(super) fn shortcut_text(ctx: &Context, command: Command, keys: &StudyKeys) -> String {
    keys.keys_of(command)
        .first()
        .map(|keys| button_text(ctx, keys))
        .unwrap_or_default()
}

/// Returns all shortcuts of a command in the form that buttons show.
pub(super) fn all_shortcuts_text(ctx: &Context, command: Command, keys: &StudyKeys) -> String {
    keys.keys_of(command)
        .iter()
        .map(|keys| button_text(ctx, keys))
        .collect::<Vec<_>>()
        .join("　")
}

/// Returns the wanted commands whose shortcuts were pressed, and consumes these events except copies. Keys that a
/// widget uses are left out.
pub(super) fn take_commands(
    ui: &Ui,
    keys: &StudyKeys,
    keys_in_use: KeysInUse,
    mut is_wanted: impl FnMut(Command) -> bool,
) -> Vec<Command> {
    let mut found = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let pressed = shortcut::from_event(event).filter(|keys| keys_in_use.allows(keys));
            let Some(command) = pressed
                .and_then(|pressed| keys.command(&pressed))
                .filter(|command| is_wanted(*command))
            else {
                return true;
            };
            found.push(command);
            // A copy must also reach a selected text, so its event stays in the input.
            matches!(event, Event::Copy)
        });
    });
    found
}

/// Handles shortcuts and paste events. While a text is typed, most keys belong to the text.
pub(super) fn handle_shortcuts(ui: &Ui, frame: &mut StudyFrame<'_>, keys_in_use: KeysInUse) {
    if keys_in_use != KeysInUse::TextInput {
        ui.input_mut(|input| {
            input.events.retain(|event| match event {
                Event::Paste(text) if keys_in_use != KeysInUse::EmptyMoveEntry || !may_be_move(text) => {
                    frame.act(AppAction::PasteText(text.clone()));
                    false
                }
                _ => true,
            });
        });
    }
    for command in take_commands(ui, frame.view.keys, keys_in_use, |_| true) {
        if frame.view.allows(command) {
            frame.act(StudyAction::Command(command));
        }
    }
}

fn may_be_move(text: &str) -> bool {
    text.trim().chars().count() <= MAX_MOVE_CHARS && !text.trim().contains('\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_config::CommandContext;

    #[test]
    fn every_command_of_the_page_shows_its_key() {
        for command in Command::all_in(CommandContext::Study) {
            assert!(
                !shortcut_text(&Context::default(), command, &StudyKeys::default()).is_empty(),
                "{command:?}"
            );
        }
    }

    #[test]
    fn typing_keeps_the_keys_of_a_text() {
        let check = |text: &str, types, has| {
            let keys = Shortcut::parse(text).unwrap();
            assert_eq!(
                (
                    KeysInUse::TextInput.allows(&keys),
                    KeysInUse::OtherWidget.allows(&keys)
                ),
                (types, has),
                "{text}"
            );
            assert!(KeysInUse::None.allows(&keys));
            let is_letter = matches!(text, "H" | "F" | "Space" | "Ctrl+Alt+Q");
            assert_eq!(KeysInUse::EmptyMoveEntry.allows(&keys), !is_letter, "{text}");
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
