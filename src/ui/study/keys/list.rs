//! The window in which the keyboard shortcuts are listed and changed.

use super::super::{StudyAction, StudyFrame};
use super::all_shortcuts_text;
use crate::access::set_accessible_label;
use crate::key_capture::{CapturedKey, held_modifiers_text, take_pressed_key};
use crate::shortcut::{self, button_text};
use crate::study_text::{self, StudyPhrase};
use eframe::egui;
use egui::{Button, EventFilter, Grid, Key, Label, Modifiers, RichText, ScrollArea, Ui, vec2};
use shogibar_config::settings_text::SettingsPhrase as Word;
use shogibar_config::{Command, CommandContext, ModifierKey, Shortcut, StudyKeys, command_text};

/// The smallest height of the list, in points.
const MIN_LIST_HEIGHT: f32 = 100.0;
/// The largest height of the list, in points.
const MAX_LIST_HEIGHT: f32 = 400.0;
/// The height of the window without the list, with a margin, in points.
const HEIGHT_WITHOUT_LIST: f32 = 190.0;

/// The state of the window between frames.
#[derive(Debug, Default)]
pub(in super::super) struct KeyList {
    is_open: bool,
    key_capture: Option<KeyCapture>,
    notice: Option<KeyNotice>,
}

/// The command for which a key is being recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeyCapture {
    command: Command,
    /// Whether the command keeps its existing keys.
    adds_key: bool,
}

#[derive(Clone, Debug)]
enum KeyNotice {
    /// The key cannot be used.
    Unusable,
    /// Another command already uses the key: the recording, the pressed key, and the other command.
    Taken(KeyCapture, Shortcut, Command),
}

impl KeyList {
    pub(in super::super) fn toggle(&mut self) {
        *self = Self {
            is_open: !self.is_open,
            ..Self::default()
        };
    }

    pub(in super::super) const fn is_recording_key(&self) -> bool {
        self.key_capture.is_some()
    }

    pub(in super::super) fn show(&mut self, ui: &Ui, frame: &mut StudyFrame<'_>) {
        if !self.is_open {
            return;
        }
        let mut keys = frame.view.keys.clone();
        if let Some(capture) = self.key_capture {
            if let Some(pressed) = take_pressed_key(ui) {
                self.assign_pressed_key(capture, pressed, &mut keys);
            }
        } else if ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape)) {
            self.is_open = false;
        }
        let mut is_open = self.is_open;
        frame
            .new_dialog_window(command_text(Command::Keys, frame.lang))
            .open(&mut is_open)
            .show(ui.ctx(), |ui| {
                ui.set_width(520.0);
                let hint = RichText::new(StudyPhrase::KeysHint.text(frame.lang))
                    .size(12.5)
                    .color(frame.theme.quiet);
                ui.add(Label::new(hint).wrap());
                ui.add_space(6.0);
                // The height does not depend on the height of this window, which grows to its contents only in later
                // frames.
                let height = (ui.ctx().content_rect().height() - HEIGHT_WITHOUT_LIST)
                    .clamp(MIN_LIST_HEIGHT, MAX_LIST_HEIGHT);
                let area = ScrollArea::vertical()
                    .max_height(height)
                    .min_scrolled_height(height);
                area.auto_shrink([false, true]).show(ui, |ui| {
                    let grid = Grid::new("keys")
                        .num_columns(3)
                        .striped(true)
                        .min_col_width(0.0)
                        .spacing([16.0, 3.0]);
                    grid.show(ui, |ui| {
                        self.show_rows(ui, &mut keys, frame);
                    });
                });
                self.show_foot(ui, &mut keys, frame);
            });
        if !is_open {
            *self = Self::default();
        }
        if keys != *frame.view.keys {
            frame.act(StudyAction::SetKeys(Box::new(keys)));
        }
    }

    fn show_rows(&mut self, ui: &mut Ui, keys: &mut StudyKeys, frame: &StudyFrame<'_>) {
        for command in Command::all_in(CommandContext::Study) {
            self.show_row(ui, command, keys, frame);
            // What the command clears is drawn with the mouse, which no other row tells.
            if command == Command::ClearMarks {
                ui.label(StudyPhrase::DrawMarks.text(frame.lang));
                ui.label(StudyPhrase::DrawMarksButton.text(frame.lang))
                    .on_hover_text(StudyPhrase::DrawMarksHint.text(frame.lang));
                ui.end_row();
            }
        }
    }

    fn show_row(&mut self, ui: &mut Ui, command: Command, keys: &mut StudyKeys, frame: &StudyFrame<'_>) {
        let (lang, label) = (frame.lang, command_text(command, frame.lang));
        ui.label(label);
        let is_recording = self.key_capture.is_some_and(|capture| capture.command == command);
        let current = all_shortcuts_text(ui.ctx(), command, keys);
        let text = match (is_recording, current.is_empty()) {
            (true, _) => {
                let held =
                    held_modifiers_text(ui).unwrap_or_else(|| StudyPhrase::PressKeys.text(lang).to_owned());
                RichText::new(held).color(frame.theme.accent)
            }
            (false, true) => RichText::new(Word::NoKeys.text(lang)).color(frame.theme.quiet),
            (false, false) => RichText::new(&current),
        };
        let spoken = format!("{label}: {}", text.text());
        let button = ui.add(
            Button::new(text)
                .selected(is_recording)
                .min_size(vec2(200.0, 22.0)),
        );
        set_accessible_label(&button, &spoken);
        if is_recording && button.clicked() {
            self.key_capture = None;
        } else if is_recording {
            // Tab moves the focus to the next widget and so ends the recording.
            let all = EventFilter {
                tab: false,
                horizontal_arrows: true,
                vertical_arrows: true,
                escape: true,
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(button.id, all));
            if !button.has_focus() {
                self.key_capture = None;
            }
        }
        let mut wanted = (!is_recording && button.clicked()).then_some(false);
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            let small = |ui: &mut Ui, sign: &str, phrase: StudyPhrase, is_possible: bool| {
                let one = ui.add_enabled(is_possible, Button::new(sign).frame_when_inactive(false));
                set_accessible_label(&one, &format!("{label}: {}", phrase.text(lang)));
                one.on_hover_text(phrase.text(lang)).clicked()
            };
            if small(ui, "+", StudyPhrase::AddKey, !current.is_empty()) {
                wanted = Some(true);
            }
            if small(ui, "×", StudyPhrase::NoKey, !current.is_empty()) {
                keys.choose(command, Vec::new());
                (self.key_capture, self.notice) = (None, None);
            }
            if small(
                ui,
                StudyPhrase::Usual.text(lang),
                StudyPhrase::UsualKey,
                keys.has_changed_keys(command),
            ) {
                keys.reset(command);
                (self.key_capture, self.notice) = (None, None);
            }
        });
        if let Some(adds) = wanted {
            self.key_capture = Some(KeyCapture {
                command,
                adds_key: adds,
            });
            self.notice = None;
            button.request_focus();
        }
        ui.end_row();
    }

    /// Draws the notice about a pressed key, the button that restores the defaults, and the manual button.
    fn show_foot(&mut self, ui: &mut Ui, keys: &mut StudyKeys, frame: &mut StudyFrame<'_>) {
        let lang = frame.lang;
        ui.separator();
        ui.horizontal(|ui| {
            let default = Button::new(StudyPhrase::UsualKeys.text(lang));
            if ui.add_enabled(keys.is_changed(), default).clicked() {
                *keys = StudyKeys::default();
                (self.key_capture, self.notice) = (None, None);
            }
            if ui.button(command_text(Command::Manual, lang)).clicked() {
                frame.act(StudyAction::Command(Command::Manual));
            }
            let Some(notice) = self.notice.clone() else { return };
            let text = |text: String| RichText::new(text).color(frame.theme.blunder);
            match notice {
                KeyNotice::Unusable => _ = ui.label(text(StudyPhrase::UnusableKey.text(lang).to_owned())),
                KeyNotice::Taken(capture, wanted, other) => {
                    ui.label(text(study_text::taken(
                        &button_text(ui.ctx(), &wanted),
                        other,
                        lang,
                    )));
                    if ui.button(study_text::take_over(capture.command, lang)).clicked() {
                        assign_key(capture, wanted, keys);
                        self.notice = None;
                    }
                }
            }
        });
    }

    /// Assigns a pressed key to the command, if the key is free. Escape ends the recording; Backspace removes all keys
    /// of the command.
    fn assign_pressed_key(&mut self, capture: KeyCapture, pressed: CapturedKey, keys: &mut StudyKeys) {
        let command = capture.command;
        let wanted = match pressed {
            CapturedKey::Escape => return (self.key_capture, self.notice) = (None, None),
            CapturedKey::Key(Key::Backspace, held) if held.is_none() => {
                keys.choose(command, Vec::new());
                return (self.key_capture, self.notice) = (None, None);
            }
            CapturedKey::Key(key, held) => shortcut::from_key(key, held),
            // The paste event is used for pasting only.
            CapturedKey::Clipboard(Key::V) if command != Command::Paste => None,
            CapturedKey::Clipboard(key) => Shortcut::new([ModifierKey::Ctrl], key.name()),
        };
        let Some(wanted) = wanted else {
            self.notice = Some(KeyNotice::Unusable);
            return;
        };
        self.key_capture = None;
        let other = keys.command(&wanted).filter(|other| *other != command);
        if other.is_none() {
            assign_key(capture, wanted.clone(), keys);
        }
        self.notice = other.map(|other| KeyNotice::Taken(capture, wanted, other));
    }
}

/// Assigns a key to the command: beside its other keys or instead of them.
fn assign_key(capture: KeyCapture, wanted: Shortcut, keys: &mut StudyKeys) {
    let mut shortcuts = if capture.adds_key {
        keys.keys_of(capture.command)
    } else {
        Vec::new()
    };
    shortcuts.retain(|one| *one != wanted);
    shortcuts.push(wanted);
    keys.choose(capture.command, shortcuts);
}
