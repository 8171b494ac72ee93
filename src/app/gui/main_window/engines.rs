//! The page of engines at work.

use crate::analysis::Scales;
use crate::app::gui::SharedHost;
use crate::app::gui::dialogs::{Choice, Dialogs, Errand};
use crate::app::state::Action;
use crate::app::workshop::{Wake, Workshop};
use crate::config::BUILT_IN;
use crate::text::{Lang, Remark};
use crate::threads::lock;
use crate::ui::Theme;
use crate::ui::engines::{EnginesAction, EnginesPage, EnginesView, Purpose};
use eframe::egui;
use egui::Ui;
use std::sync::Arc;

/// The page, and what it is about.
pub(super) struct EnginesDesk {
    host: SharedHost,
    workshop: Workshop,
    page: EnginesPage,
}

impl EnginesDesk {
    pub(super) fn new(host: SharedHost, workshop: Workshop) -> Self {
        Self { host, workshop, page: EnginesPage::default() }
    }

    /// The page is about to be seen.
    pub(super) fn open(&mut self, wake: &Wake) {
        self.workshop.reload();
        self.workshop.look_around(wake);
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
    pub(super) fn scales(&self) -> Scales {
        Scales::of(self.workshop.profiles())
    }

    /// The page is about to be left: what was changed on it is kept.
    pub(super) fn leave(&mut self, wake: &Wake, dialogs: &Dialogs) {
        for action in self.page.leave() {
            self.obey(action, wake, dialogs);
        }
    }

    /// One frame; whether something was done.
    pub(super) fn show(&mut self, ui: &mut Ui, theme: &Theme, lang: Lang, wake: &Wake, dialogs: &Dialogs) -> bool {
        self.workshop.listen();
        let in_use: Vec<_> = lock(&self.host).engines().into_iter().map(str::to_owned).collect();
        let (found, searching) = self.workshop.found(lang);
        let trouble = self.workshop.trouble(lang);
        let view = EnginesView {
            profiles: self.workshop.profiles(),
            found: &found,
            searching,
            inquiry: self.workshop.inquiry(),
            in_use: &in_use,
            usual: &self.workshop.usual(),
            presets: self.workshop.presets(),
            trouble: trouble.as_deref(),
            hint: self.workshop.hint(lang),
        };
        let mut actions = self.page.show(ui, &view, theme, lang);
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        actions.extend(dropped.iter().map(|file| EnginesAction::Add(vec![file.path().display().to_string()])));
        let acted = !actions.is_empty();
        for action in actions {
            self.obey(action, wake, dialogs);
        }
        acted
    }

    /// What came of a dialog.
    pub(super) fn hear(&mut self, purpose: &Purpose, choice: Choice) {
        match choice {
            Choice::Chosen(path) if *purpose == Purpose::Engine => self.add(vec![path.display().to_string()]),
            Choice::Chosen(path) => self.page.chosen(purpose, &path),
            Choice::Nothing => {}
            Choice::NoDialog => self.workshop.complain(Remark::NoEngineDialog),
        }
    }

    fn add(&mut self, words: Vec<String>) {
        if let Some(name) = self.workshop.add(words) {
            self.page.select(&name, self.workshop.profiles());
        }
    }

    fn obey(&mut self, action: EnginesAction, wake: &Wake, dialogs: &Dialogs) {
        match action {
            EnginesAction::Ask(profile) => self.workshop.ask(&profile, wake),
            EnginesAction::Add(words) => self.add(words),
            EnginesAction::Choose(purpose) => {
                let wake = Arc::clone(wake);
                dialogs.open(Errand::Engines(purpose), move || wake());
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
                    lock(&self.host).act(&Action::Rename(old, new));
                }
            }
            EnginesAction::Remove(name) => self.workshop.remove(&name),
            EnginesAction::MakeDefault(name) => self.workshop.make_default(&name),
            EnginesAction::Beside(name) => lock(&self.host).act(&Action::Beside(name)),
            EnginesAction::Use(name) => lock(&self.host).act(&Action::Engine(name)),
            EnginesAction::Press(option) => {
                let engine = self.page.name().to_owned();
                lock(&self.host).act(&Action::Press(engine, option));
            }
            EnginesAction::Store(profile) => self.workshop.keep(&profile),
        }
    }
}
