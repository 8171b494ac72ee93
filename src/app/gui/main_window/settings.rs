//! The controller of the settings page.

use crate::app::gui::browser;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::app::gui::hot_keys::HotKeyEvents;
use crate::app::preferences::{SharedPreferences, ThemeTask, run_theme_task};
use crate::app::system_fonts::SystemFonts;
use crate::app::updates::UpdateNews;
use eframe::egui;
use egui::{Ui, ViewportCommand};
use shogibar_base::Lang;
use shogibar_base::threads::lock;
use shogibar_config::settings_text::{self, SettingGroup};
use shogibar_config::{Command, Settings};
use shogibar_model::Message;
use shogibar_model::record_file::WakeFn;
use shogibar_ui::PaintTheme;
use shogibar_ui::settings::{ObsPagesStatus, SettingTarget, SettingsAction, SettingsPage, SettingsView};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The settings page and its data.
pub(super) struct SettingsController {
    preferences: SharedPreferences,
    keys: HotKeyEvents,
    fonts: SystemFonts,
    page: SettingsPage,
    /// The result of the check for updates.
    news: Option<UpdateNews>,
    pages: ObsPagesStatus,
    /// Whether there was no browser to show a page of the program.
    has_no_browser: Arc<AtomicBool>,
}

impl SettingsController {
    pub(super) fn new(preferences: SharedPreferences, keys: HotKeyEvents) -> Self {
        Self {
            preferences,
            keys,
            fonts: SystemFonts::default(),
            page: SettingsPage::default(),
            news: None,
            pages: ObsPagesStatus::default(),
            has_no_browser: Arc::default(),
        }
    }

    /// Prepares the page before it is shown: lists the themes and the fonts. If only the settings can end
    /// click-through, their group is selected.
    pub(super) fn open(&mut self, wake: &WakeFn) {
        if lock(&self.preferences).settings().window.click_through
            && !self.keys.has_global_key(Command::ClickThrough)
        {
            self.show_target(SettingTarget::Group(SettingGroup::Window));
        }
        self.run(ThemeTask::List, wake);
        self.fonts.start_scan(wake);
    }

    /// Shows a row of the page in the next frame.
    pub(super) fn show_target(&mut self, target: SettingTarget) {
        let lang = lock(&self.preferences).lang();
        self.page.show_target(target, lang);
    }

    pub(super) const fn set_news(&mut self, news: UpdateNews) {
        self.news = Some(news);
    }

    pub(super) fn set_obs_pages(&mut self, pages: ObsPagesStatus, lang: Lang) {
        self.pages = pages;
        if self.pages.problem.is_empty() && self.has_no_browser.load(Ordering::Relaxed) {
            self.pages.problem = Message::NoBrowserForPages.text(lang);
        }
    }

    pub(super) const fn is_choosing_keys(&self) -> bool {
        self.page.is_recording_keys()
    }

    /// Draws one frame. Returns whether an action was applied.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        theme: &PaintTheme,
        lang: Lang,
        wake: &WakeFn,
        dialogs: &Dialogs,
    ) -> bool {
        self.fonts.poll();
        let samples = self.fonts.take_samples();
        let (before, actions) = {
            let preferences = lock(&self.preferences);
            let warnings: Vec<_> = preferences.warnings().cloned().collect();
            let news = if preferences.settings().general.checks_updates {
                self.news
            } else {
                None
            };
            let newest = match news {
                Some(UpdateNews::Newer(version)) => settings_text::newer(&version.to_string(), lang),
                Some(UpdateNews::Newest) => settings_text::newest(lang).to_owned(),
                Some(UpdateNews::NoAnswer) => settings_text::no_answer(lang).to_owned(),
                None => String::new(),
            };
            let log = preferences
                .log_file()
                .map(|file| file.display().to_string())
                .unwrap_or_default();
            let view = SettingsView {
                settings: preferences.settings(),
                themes: preferences.themes(),
                fonts: self.fonts.families(),
                font_samples: &samples,
                hot_key_scope: self.keys.scope(),
                can_leave_click_through: self.keys.has_global_key(Command::ClickThrough),
                problems: &warnings,
                last_result: preferences.last_result(),
                update_status: &newest,
                log_path: &log,
                pages: &self.pages,
            };
            let actions = self.page.show(ui, &view, theme, lang);
            (preferences.settings().clone(), actions)
        };
        let acted = !actions.is_empty();
        for action in actions {
            if action == SettingsAction::Close {
                ui.ctx().send_viewport_cmd(ViewportCommand::Close);
            }
            self.apply(action, &before, wake, dialogs);
        }
        acted
    }

    /// Applies the result of a dialog for a theme file. `task` creates the task for a chosen file.
    pub(super) fn apply_choice(
        &self,
        choice: DialogResult,
        task: impl FnOnce(PathBuf) -> ThemeTask,
        wake: &WakeFn,
    ) {
        match choice {
            DialogResult::Chosen(path) => self.run(task(path), wake),
            DialogResult::Cancelled => {}
            DialogResult::NoDialog => lock(&self.preferences).report_no_dialog(),
        }
    }

    /// Carries out a task on theme files, on another thread.
    fn run(&self, task: ThemeTask, wake: &WakeFn) {
        run_theme_task(&self.preferences, task, wake);
    }

    /// Applies an action of the page. `before` holds the settings that the page was drawn with: they may have changed
    /// since.
    fn apply(&self, action: SettingsAction, before: &Settings, wake: &WakeFn, dialogs: &Dialogs) {
        let wake = Arc::clone(wake);
        match action {
            SettingsAction::Change(after) => {
                lock(&self.preferences).change(|stored| stored.apply_changes(before, &after));
            }
            SettingsAction::SampleFonts(names, scale) => self.fonts.draw_samples(names, scale, &wake),
            SettingsAction::CopyTheme(name) => self.run(ThemeTask::Copy(name), &wake),
            SettingsAction::Browse(address) => {
                self.has_no_browser.store(false, Ordering::Relaxed);
                let has_no_browser = Arc::clone(&self.has_no_browser);
                browser::open_served_page(address, move || {
                    has_no_browser.store(true, Ordering::Relaxed);
                    wake();
                });
            }
            SettingsAction::Close => {}
            SettingsAction::ImportTheme => dialogs.open(DialogPurpose::ImportTheme, move || wake()),
            SettingsAction::ExportTheme(name) => {
                dialogs.open(DialogPurpose::ExportTheme(name), move || wake());
            }
        }
    }
}
