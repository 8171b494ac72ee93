//! Fields that record the key combination of a global hot key.

use super::SettingsFrame;
use crate::access::set_accessible_label;
use crate::key_capture::{CapturedKey, held_modifiers, held_modifiers_text, take_pressed_key};
use eframe::egui;
use egui::{Button, EventFilter, RichText, Ui, vec2};
use shogibar_base::Lang;
use shogibar_config::settings_text::{self, SettingItem, SettingsPhrase};
use shogibar_config::{HotKeyError, HotKeySettings, Shortcut};

/// The state of the fields between frames.
#[derive(Debug, Default)]
pub(super) struct KeyFields {
    /// The field that is recording keys; `None` if none is.
    recording_field: Option<SettingItem>,
    /// The field and the problem of the last pressed keys; `None` without a problem.
    problem: Option<(SettingItem, KeyProblem)>,
}

/// The reason why pressed keys cannot become a global hot key.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyProblem {
    /// The keys are not a valid combination.
    Invalid(HotKeyError),
    /// The other field already uses the keys.
    Taken(SettingItem),
    /// The keys are those of copy, cut or paste.
    Reserved,
}

impl KeyFields {
    pub(super) const fn is_recording(&self) -> bool {
        self.recording_field.is_some()
    }

    /// Shows the field of a hot key, and the problem below the field. Stores pressed keys while recording.
    pub(super) fn show(&mut self, ui: &mut Ui, item: SettingItem, frame: &mut SettingsFrame<'_>) {
        if self.recording_field == Some(item)
            && let Some(pressed) = take_pressed_key(ui)
        {
            self.store_keys(item, pressed, &mut frame.settings.keys);
        }
        ui.horizontal(|ui| self.show_buttons(ui, item, frame));
        let problem = self
            .problem
            .as_ref()
            .filter(|(field, _)| *field == item)
            .map(|(_, problem)| problem.text(frame.lang));
        // The settings file may contain an invalid combination, which is reported below the field.
        let set_error = Shortcut::parse_hot_key(keys_of(&mut frame.settings.keys, item)).err();
        let problem = problem.or_else(|| Some(settings_text::hot_key(&set_error?, frame.lang)));
        frame.show_line(ui, problem.as_deref().map_or(Ok(""), Err));
    }

    /// Shows the button that displays and records the keys, and the button that clears them.
    fn show_buttons(&mut self, ui: &mut Ui, item: SettingItem, frame: &mut SettingsFrame<'_>) {
        let (lang, label) = (frame.lang, item.label(frame.lang));
        let keys = keys_of(&mut frame.settings.keys, item);
        let was_recording = self.recording_field == Some(item);
        let text = if was_recording {
            RichText::new(
                held_modifiers_text(ui).unwrap_or_else(|| SettingsPhrase::PressKeys.text(lang).to_owned()),
            )
            .color(frame.theme.accent)
        } else if keys.is_empty() {
            RichText::new(SettingsPhrase::NoKeys.text(lang)).color(frame.theme.quiet)
        } else {
            RichText::new(keys.as_str())
        };
        let label_with_keys = format!("{label}: {}", text.text());
        let button = ui.add(
            Button::new(text)
                .selected(was_recording)
                .min_size(vec2(240.0, 24.0)),
        );
        set_accessible_label(&button, &label_with_keys);
        if button.clicked() {
            self.problem = None;
            self.recording_field = (!was_recording).then_some(item);
            button.request_focus();
        } else if was_recording {
            // Tab is not locked: it moves to the next field and thereby ends the recording.
            let all = EventFilter {
                tab: false,
                horizontal_arrows: true,
                vertical_arrows: true,
                escape: true,
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(button.id, all));
            if !button.has_focus() {
                self.recording_field = None;
            }
        }
        let clear = SettingsPhrase::Clear.text(lang);
        let button = ui.add_enabled(!keys.is_empty(), Button::new(clear));
        set_accessible_label(&button, &format!("{label}: {clear}"));
        if button.clicked() {
            keys.clear();
            (self.recording_field, self.problem) = (None, None);
        }
    }

    fn store_keys(&mut self, item: SettingItem, pressed: CapturedKey, keys: &mut HotKeySettings) {
        let combination = match pressed {
            CapturedKey::Escape => {
                (self.recording_field, self.problem) = (None, None);
                return;
            }
            CapturedKey::Clipboard(_) => Err(KeyProblem::Reserved),
            CapturedKey::Key(key, modifiers) => {
                Shortcut::new_hot_key(held_modifiers(modifiers), key.name()).map_err(KeyProblem::Invalid)
            }
        };
        let combination = combination.and_then(|key| {
            let mut others = KEY_ITEMS.into_iter().filter(|other| *other != item);
            match others.find(|other| Shortcut::parse_hot_key(keys_of(keys, *other)) == Ok(Some(key.clone())))
            {
                Some(other) => Err(KeyProblem::Taken(other)),
                None => Ok(key),
            }
        });
        match combination {
            Ok(key) => {
                *keys_of(keys, item) = key.to_string();
                (self.recording_field, self.problem) = (None, None);
            }
            Err(problem) => self.problem = Some((item, problem)),
        }
    }
}

impl KeyProblem {
    fn text(&self, lang: Lang) -> String {
        match self {
            Self::Invalid(error) => settings_text::hot_key(error, lang),
            Self::Taken(other) => settings_text::taken(*other, lang),
            Self::Reserved => SettingsPhrase::Reserved.text(lang).to_owned(),
        }
    }
}

/// The fields of hot keys.
const KEY_ITEMS: [SettingItem; 4] = [
    SettingItem::HideKey,
    SettingItem::ClickThroughKey,
    SettingItem::LockKey,
    SettingItem::SwitchKey,
];

const fn keys_of(keys: &mut HotKeySettings, item: SettingItem) -> &mut String {
    match item {
        SettingItem::HideKey => &mut keys.hide,
        SettingItem::LockKey => &mut keys.lock,
        SettingItem::SwitchKey => &mut keys.switch,
        _ => &mut keys.click_through,
    }
}
