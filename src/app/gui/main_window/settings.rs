//! The page of settings at work.

use crate::app::gui::dialogs::{Choice, Dialogs, Errand};
use crate::app::gui::hot_keys::Pressed;
use crate::app::preferences::{Preferences, SharedPreferences};
use crate::app::typefaces::Typefaces;
use crate::app::updates::News;
use crate::app::workshop::Wake;
use crate::config::Settings;
use crate::text::preference::{self, Group};
use crate::text::{Command, Lang};
use crate::threads::lock;
use crate::ui::Theme;
use crate::ui::settings::{SettingsAction, SettingsPage, SettingsView};
use eframe::egui;
use egui::{Ui, ViewportCommand};
use std::path::Path;
use std::sync::Arc;

/// The page, and what it is about.
pub(super) struct SettingsDesk {
    preferences: SharedPreferences,
    keys: Pressed,
    typefaces: Typefaces,
    page: SettingsPage,
    /// What is known of newer versions.
    news: Option<News>,
}

impl SettingsDesk {
    pub(super) fn new((preferences, keys): (SharedPreferences, Pressed)) -> Self {
        Self { preferences, keys, typefaces: Typefaces::default(), page: SettingsPage::default(), news: None }
    }

    /// The page is about to be seen: where clicks go through the bar and no key brings them back, what does.
    pub(super) fn open(&mut self, wake: &Wake) {
        if lock(&self.preferences).settings().window.click_through && !self.keys.has(Command::ClickThrough) {
            self.page.turn_to(Group::Window);
        }
        lock(&self.preferences).look_around();
        self.typefaces.look_around(wake);
    }

    /// Says here what is known of newer versions.
    pub(super) const fn tell(&mut self, news: News) {
        self.news = Some(news);
    }

    /// Whether keys are being pressed to be chosen.
    pub(super) const fn is_choosing_keys(&self) -> bool {
        self.page.is_listening()
    }

    /// One frame; whether something was done.
    pub(super) fn show(&mut self, ui: &mut Ui, theme: &Theme, lang: Lang, wake: &Wake, dialogs: &Dialogs) -> bool {
        self.typefaces.listen();
        let (before, actions) = {
            let preferences = lock(&self.preferences);
            let trouble: Vec<_> = preferences.trouble().cloned().collect();
            let newest = match self.news.filter(|_| preferences.settings().general.updates) {
                Some(News::Newer(version)) => preference::newer(&version.to_string(), lang),
                Some(News::Newest) => preference::newest(lang).to_owned(),
                Some(News::NoAnswer) => preference::no_answer(lang).to_owned(),
                None => String::new(),
            };
            let log = preferences.log_file().map(|file| file.display().to_string()).unwrap_or_default();
            let view = SettingsView {
                settings: preferences.settings(),
                themes: preferences.themes(),
                fonts: self.typefaces.families(),
                reach: self.keys.reach(),
                has_way_back: self.keys.has(Command::ClickThrough),
                trouble: &trouble,
                done: preferences.done(),
                newest: &newest,
                log: &log,
            };
            let actions = self.page.show(ui, &view, theme, lang);
            (preferences.settings().clone(), actions)
        };
        let acted = !actions.is_empty();
        for action in actions {
            if action == SettingsAction::Close {
                ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            }
            self.obey(action, &before, wake, dialogs);
        }
        acted
    }

    /// Does with a theme what a dialog was opened for, where a file was chosen.
    pub(super) fn hear(&self, choice: Choice, act: impl FnOnce(&mut Preferences, &Path)) {
        let mut preferences = lock(&self.preferences);
        match choice {
            Choice::Chosen(path) => act(&mut preferences, &path),
            Choice::Nothing => {}
            Choice::NoDialog => preferences.say_no_dialog(),
        }
    }

    /// Does what is asked for on a page that was about the settings as they were `before`: others may have changed
    /// them since.
    fn obey(&self, action: SettingsAction, before: &Settings, wake: &Wake, dialogs: &Dialogs) {
        let wake = Arc::clone(wake);
        match action {
            SettingsAction::Change(after) => lock(&self.preferences).change(|kept| kept.carry_over(before, &after)),
            SettingsAction::CopyTheme(name) => lock(&self.preferences).copy_theme(&name),
            SettingsAction::Close => {}
            SettingsAction::ImportTheme => dialogs.open(Errand::ImportTheme, move || wake()),
            SettingsAction::ExportTheme(name) => dialogs.open(Errand::ExportTheme(name), move || wake()),
        }
    }
}
