//! The page of engines at work.

use crate::analysis::EngineScales;
use crate::app::engine_manager::{EngineManager, WakeEngines};
use crate::app::gui::SharedHost;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::app::state::AppAction;
use crate::config::BUILT_IN;
use crate::text::{Lang, Remark};
use crate::threads::lock;
use crate::ui::PaintTheme;
use crate::ui::engines::{EnginesAction, EnginesPage, EnginesView, PathPurpose};
use eframe::egui;
use egui::Ui;
use std::sync::Arc;

/// The page, and what it is about.
pub(super) struct EnginesController {
    host: SharedHost,
    workshop: EngineManager,
    page: EnginesPage,
}

impl EnginesController {
    pub(super) fn new(host: SharedHost, workshop: EngineManager) -> Self {
        Self { host, workshop, page: EnginesPage::default() }
    }

    /// The page is about to be seen.
    pub(super) fn open(&mut self, wake: &WakeEngines) {
        self.workshop.reload();
        self.workshop.start_scan(wake);
        let host = lock(&self.host);
        let in_use = host.engines();
        self.page.select(in_use.first().copied().unwrap_or_default(), self.workshop.profiles());
    }

    /// What the user calls the engines there are.
    pub(super) fn names(&mut self) -> Vec<String> {
        self.workshop.reload();
        let profiles = self.workshop.profiles().into_iter().map(|profile| profile.name().to_owned());
        profiles.chain([BUILT_IN.to_owned()]).collect()
    }

    /// What their centipawns are worth.
    pub(super) fn scales(&self) -> EngineScales {
        EngineScales::from_profiles(self.workshop.profiles())
    }

    /// The page is about to be left: what was changed on it is kept.
    pub(super) fn leave(&mut self, wake: &WakeEngines, dialogs: &Dialogs) {
        for action in self.page.leave() {
            self.apply(action, wake, dialogs);
        }
    }

    /// One frame; whether something was done.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        theme: &PaintTheme,
        lang: Lang,
        wake: &WakeEngines,
        dialogs: &Dialogs,
    ) -> bool {
        self.workshop.poll();
        let in_use: Vec<_> = lock(&self.host).engines().into_iter().map(str::to_owned).collect();
        let (found, searching) = self.workshop.found(lang);
        let trouble = self.workshop.problem(lang);
        let view = EnginesView {
            profiles: self.workshop.profiles(),
            found: &found,
            searching,
            inquiry: self.workshop.inquiry(),
            in_use: &in_use,
            usual: &self.workshop.default_numbers(),
            presets: self.workshop.presets(),
            trouble: trouble.as_deref(),
            hint: self.workshop.hint(lang),
        };
        let mut actions = self.page.show(ui, &view, theme, lang);
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        actions.extend(dropped.iter().map(|file| EnginesAction::Add(vec![file.path().display().to_string()])));
        let acted = !actions.is_empty();
        for action in actions {
            self.apply(action, wake, dialogs);
        }
        acted
    }

    /// What came of a dialog.
    pub(super) fn apply_choice(&mut self, purpose: &PathPurpose, choice: DialogResult) {
        match choice {
            DialogResult::Chosen(path) if *purpose == PathPurpose::Engine => self.add(vec![path.display().to_string()]),
            DialogResult::Chosen(path) => self.page.chosen(purpose, &path),
            DialogResult::Nothing => {}
            DialogResult::NoDialog => self.workshop.report(Remark::NoEngineDialog),
        }
    }

    fn add(&mut self, words: Vec<String>) {
        if let Some(name) = self.workshop.add(words) {
            self.page.select(&name, self.workshop.profiles());
        }
    }

    fn apply(&mut self, action: EnginesAction, wake: &WakeEngines, dialogs: &Dialogs) {
        match action {
            EnginesAction::Ask(profile) => self.workshop.ask(&profile, wake),
            EnginesAction::Add(words) => self.add(words),
            EnginesAction::Choose(purpose) => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::Engines(purpose), move || wake());
            }
            EnginesAction::Duplicate(name) => {
                if let Some(copy) = self.workshop.duplicate(&name) {
                    self.page.select(&copy, self.workshop.profiles());
                }
            }
            EnginesAction::Rename(old, new) => {
                let was_on_view = self.page.name() == old;
                if self.workshop.rename(&old, &new) {
                    let new = new.trim().to_owned();
                    if was_on_view {
                        self.page.select(&new, self.workshop.profiles());
                    }
                    lock(&self.host).act(&AppAction::Rename(old, new));
                }
            }
            EnginesAction::Remove(name) => self.workshop.remove(&name),
            EnginesAction::MakeDefault(name) => self.workshop.make_default(&name),
            EnginesAction::Beside(name) => lock(&self.host).act(&AppAction::Beside(name)),
            EnginesAction::Use(name) => lock(&self.host).act(&AppAction::Engine(name)),
            EnginesAction::Press(option) => {
                let engine = self.page.name().to_owned();
                lock(&self.host).act(&AppAction::Press(engine, option));
            }
            EnginesAction::Store(profile) => self.workshop.keep(&profile),
        }
    }
}
