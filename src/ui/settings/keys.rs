//! Fields in which a combination of keys is pressed.

use super::SettingsFrame;
use crate::config::{HotKey, HotKeyError, Keys};
use crate::text::Lang;
use crate::text::settings::{self, SettingItem, SettingsPhrase};
use crate::ui::access::name;
use crate::ui::key_presses::{KeyPresses, held, held_modifiers, pressed};
use eframe::egui;
use egui::{Button, EventFilter, RichText, Ui, vec2};

/// What the fields keep from frame to frame.
#[derive(Debug, Default)]
pub(super) struct KeyFields {
    /// The one that waits for keys.
    listening: Option<SettingItem>,
    /// What is wrong with those that were pressed last, and in which.
    wrong: Option<(SettingItem, KeyProblem)>,
}

/// What is wrong with keys.
#[derive(Clone, Debug, PartialEq, Eq)]
enum KeyProblem {
    /// They are no combination.
    Keys(HotKeyError),
    /// The other field has them.
    Taken(SettingItem),
    /// They are those of the clipboard.
    Reserved,
}

impl KeyFields {
    pub(super) const fn is_listening(&self) -> bool {
        self.listening.is_some()
    }

    pub(super) fn show(&mut self, ui: &mut Ui, item: SettingItem, sheet: &mut SettingsFrame<'_>) {
        if self.listening == Some(item)
            && let Some(pressed) = pressed(ui)
        {
            self.take(item, pressed, &mut sheet.settings.keys);
        }
        ui.horizontal(|ui| self.field(ui, item, sheet));
        let wrong = self.wrong.as_ref().filter(|(of, _)| *of == item).map(|(_, wrong)| wrong.text(sheet.lang));
        // As somebody wrote it into the file.
        let as_set = HotKey::parse(setting(&mut sheet.settings.keys, item)).err();
        let wrong = wrong.or_else(|| Some(settings::hot_key(&as_set?, sheet.lang)));
        sheet.line(ui, wrong.as_deref().map_or(Ok(""), Err));
    }

    /// The button that shows the keys and waits for others, and the one that takes them away.
    fn field(&mut self, ui: &mut Ui, item: SettingItem, sheet: &mut SettingsFrame<'_>) {
        let (lang, label) = (sheet.lang, item.label(sheet.lang));
        let keys = setting(&mut sheet.settings.keys, item);
        let was_listening = self.listening == Some(item);
        let text = if was_listening {
            RichText::new(held(ui).unwrap_or_else(|| SettingsPhrase::PressKeys.text(lang).to_owned()))
                .color(sheet.theme.accent)
        } else if keys.is_empty() {
            RichText::new(SettingsPhrase::NoKeys.text(lang)).color(sheet.theme.quiet)
        } else {
            RichText::new(keys.as_str())
        };
        let spoken = format!("{label}: {}", text.text());
        let button = ui.add(Button::new(text).selected(was_listening).min_size(vec2(240.0, 24.0)));
        name(&button, &spoken);
        if button.clicked() {
            self.wrong = None;
            self.listening = (!was_listening).then_some(item);
            button.request_focus();
        } else if was_listening {
            // Tab goes on to the next field, and so ends the waiting.
            let all = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(button.id, all));
            if !button.has_focus() {
                self.listening = None;
            }
        }
        let clear = SettingsPhrase::Clear.text(lang);
        let button = ui.add_enabled(!keys.is_empty(), Button::new(clear));
        name(&button, &format!("{label}: {clear}"));
        if button.clicked() {
            keys.clear();
            (self.listening, self.wrong) = (None, None);
        }
    }

    /// Takes what was pressed, if it is a combination that is free.
    fn take(&mut self, item: SettingItem, pressed: KeyPresses, keys: &mut Keys) {
        let combination = match pressed {
            KeyPresses::Escape => {
                (self.listening, self.wrong) = (None, None);
                return;
            }
            KeyPresses::Clipboard(_) => Err(KeyProblem::Reserved),
            KeyPresses::Key(key, modifiers) => {
                HotKey::new(held_modifiers(modifiers), key.name()).map_err(KeyProblem::Keys)
            }
        };
        let other = if item == SettingItem::HideKey { SettingItem::ClickThroughKey } else { SettingItem::HideKey };
        let combination = combination.and_then(|key| {
            let taken = HotKey::parse(setting(keys, other)) == Ok(Some(key.clone()));
            if taken { Err(KeyProblem::Taken(other)) } else { Ok(key) }
        });
        match combination {
            Ok(key) => {
                *setting(keys, item) = key.to_string();
                (self.listening, self.wrong) = (None, None);
            }
            Err(wrong) => self.wrong = Some((item, wrong)),
        }
    }
}

impl KeyProblem {
    fn text(&self, lang: Lang) -> String {
        match self {
            Self::Keys(error) => settings::hot_key(error, lang),
            Self::Taken(other) => settings::taken(*other, lang),
            Self::Reserved => SettingsPhrase::Reserved.text(lang).to_owned(),
        }
    }
}

/// The keys of a field.
const fn setting(keys: &mut Keys, item: SettingItem) -> &mut String {
    match item {
        SettingItem::HideKey => &mut keys.hide,
        _ => &mut keys.click_through,
    }
}
