//! The controller of the engines page.

use crate::app::engine_manager::EngineManager;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::app::gui::{SharedViewer, browser};
use crate::app::user_fits::UserFitLoader;
use eframe::egui;
use egui::Ui;
use shogibar_base::threads::{self, lock};
use shogibar_base::{Lang, Latest};
use shogibar_config::{BUILT_IN_NAME, Profile, Remark, engines_text};
use shogibar_engine::options::EngineNumber;
use shogibar_games::analysis::EngineScales;
use shogibar_model::action::AppAction;
use shogibar_model::record_file::WakeFn;
use shogibar_relay::link;
use shogibar_ui::PaintTheme;
use shogibar_ui::engines::{EnginesAction, EnginesPage, EnginesView, PathPurpose};
use shogibar_ui::study::EngineSearch;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The engines page and the manager behind it.
pub(super) struct EnginesController {
    viewer: SharedViewer,
    manager: EngineManager,
    page: EnginesPage,
    /// The engines that the program was started with. They may have no profile.
    start_engines: Vec<String>,
    /// The file for a shogi GUI that was made last, or the error.
    relay_link: Latest<io::Result<PathBuf>>,
    /// The engine whose file for a shogi GUI was made last, and a sentence about that file.
    relay_notice: Option<(String, String)>,
    user_fits: UserFitLoader,
}

impl EnginesController {
    pub(super) fn new(viewer: SharedViewer, manager: EngineManager) -> Self {
        let start_engines = {
            let viewer = lock(&viewer);
            let bars: Vec<_> = viewer.model().bars().map(|(id, _)| id).collect();
            bars.into_iter()
                .flat_map(|bar| viewer.engine_names(bar))
                .map(str::to_owned)
                .collect()
        };
        Self {
            viewer,
            manager,
            page: EnginesPage::default(),
            start_engines,
            relay_link: Latest::default(),
            relay_notice: None,
            user_fits: UserFitLoader::default(),
        }
    }

    /// Prepares the page before it is shown: reads the profiles, and selects the engine in use. Starts the scan for
    /// engines, and the fits to the user's games. `wake` is called when later results arrive.
    pub(super) fn open(&mut self, wake: &WakeFn) {
        self.manager.reload();
        self.manager.start_scan();
        let wake = Arc::clone(wake);
        self.user_fits
            .start(self.manager.folder(), self.manager.profiles(), move || wake());
        let viewer = lock(&self.viewer);
        let in_use = viewer.engine_names(viewer.model().study_bar());
        self.page.select(
            in_use.first().copied().unwrap_or_default(),
            self.manager.profiles(),
        );
    }

    /// Starts to read the profiles again.
    pub(super) fn reload(&mut self) {
        self.manager.reload();
    }

    /// Applies the results of other threads. Called for every frame, even while the page is closed. Returns whether
    /// the profiles may have changed.
    pub(super) fn poll(&mut self) -> bool {
        let Some(renamed) = self.manager.poll() else {
            return false;
        };
        for (shown, stored) in renamed {
            self.rename(&shown, stored);
        }
        true
    }

    pub(super) fn names(&self) -> Vec<String> {
        let profiles = self
            .manager
            .profiles()
            .into_iter()
            .map(|profile| profile.name().to_owned());
        let mut names: Vec<_> = profiles.chain([BUILT_IN_NAME.to_owned()]).collect();
        let others: Vec<_> = self
            .start_engines
            .iter()
            .filter(|name| !names.contains(name))
            .cloned()
            .collect();
        names.extend(others);
        names
    }

    pub(super) fn searches(&self) -> Vec<EngineSearch> {
        let search = |profile: &Profile| EngineSearch {
            name: profile.name().to_owned(),
            multipv: profile.number(EngineNumber::MultiPv),
            limit: profile.limit,
        };
        let profiles = self.manager.profiles();
        profiles
            .iter()
            .chain(profiles.get(BUILT_IN_NAME))
            .map(search)
            .collect()
    }

    pub(super) fn set_search(&mut self, search: EngineSearch) {
        let EngineSearch { name, multipv, limit } = search;
        let Some(before) = self.manager.profiles().get(&name).cloned() else {
            return;
        };
        let mut after = before.clone();
        after.set_number(EngineNumber::MultiPv, multipv);
        after.limit = limit;
        self.manager.store(before, after);
        lock(&self.viewer).act_on_study(AppAction::ReplaceEngine(name));
    }

    pub(super) fn scales(&self) -> EngineScales {
        EngineScales::from_profiles(self.manager.profiles())
    }

    /// Stores the changes of the page before it is left.
    pub(super) fn leave(&mut self, wake: &WakeFn, dialogs: &Dialogs) {
        for action in self.page.flush() {
            self.apply(action, wake, dialogs);
        }
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
        let (in_use, problems) = {
            let viewer = lock(&self.viewer);
            let in_use: Vec<_> = viewer
                .engine_names(viewer.model().study_bar())
                .into_iter()
                .map(str::to_owned)
                .collect();
            (in_use, viewer.model().engine_problems())
        };
        let (found, searching) = self.manager.found_engines(lang);
        let problem = self.manager.problem(lang);
        match self.relay_link.take() {
            Some(Ok(path)) => {
                let path = path.display().to_string();
                self.relay_notice = Some((
                    self.page.selected_engine().to_owned(),
                    engines_text::relay_made(&path, lang),
                ));
                ui.copy_text(path);
            }
            Some(Err(error)) => {
                self.relay_notice = Some((
                    self.page.selected_engine().to_owned(),
                    engines_text::relay_not_made(&error, lang),
                ));
            }
            None => {}
        }
        self.forget_other_notice();
        let view = EnginesView {
            profiles: self.manager.profiles(),
            found_engines: &found,
            is_searching: searching,
            probe: self.manager.probe(),
            in_use: &in_use,
            defaults: &self.manager.default_numbers(),
            presets: self.manager.presets(),
            error: problem.as_deref(),
            relay_notice: self.relay_notice.as_ref().map(|(_, notice)| notice.as_str()),
            problems: &problems,
            hint: self.manager.hint(lang),
            user_fits: self.user_fits.poll(),
        };
        let mut actions = self.page.show(ui, &view, theme, lang);
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        actions.extend(
            dropped
                .iter()
                .map(|file| EnginesAction::Add(vec![file.path().display().to_string()])),
        );
        let acted = !actions.is_empty();
        for action in actions {
            self.apply(action, wake, dialogs);
        }
        acted
    }

    /// Forgets the sentence about a file for a shogi GUI when another engine is selected.
    fn forget_other_notice(&mut self) {
        let selected = self.page.selected_engine();
        self.relay_notice.take_if(|(engine, _)| engine != selected);
    }

    /// Applies the result of a dialog.
    pub(super) fn apply_choice(&mut self, purpose: &PathPurpose, choice: DialogResult) {
        match choice {
            DialogResult::Chosen(path) if *purpose == PathPurpose::Engine => {
                self.add(vec![path.display().to_string()]);
            }
            DialogResult::Chosen(path) => self.page.apply_path(purpose, &path),
            DialogResult::Cancelled => {}
            DialogResult::NoDialog => self.manager.report(Remark::NoEngineDialog),
        }
    }

    /// Adds an engine with this command line, and selects it.
    fn add(&mut self, words: Vec<String>) {
        if let Some(name) = self.manager.add(words) {
            self.page.select(&name, self.manager.profiles());
        }
    }

    /// Applies a new name of an engine to the page and the bars.
    fn rename(&mut self, old: &str, new: String) {
        if self.page.selected_engine() == old {
            self.page.select(&new, self.manager.profiles());
        }
        lock(&self.viewer).act_on_study(AppAction::RenameEngine(old.to_owned(), new));
    }

    /// Makes the file that a shogi GUI registers for an engine, on a thread.
    fn make_relay_link(&self, name: String, wake: &WakeFn) {
        let (relay, folder, waker) = (self.relay_link.clone(), self.manager.folder(), Arc::clone(wake));
        let work = move || {
            relay.put(
                folder
                    .ok_or_else(|| io::ErrorKind::NotFound.into())
                    .and_then(|folder| link::make(&folder, &name)),
            );
            waker();
        };
        match threads::spawn("relay link", work) {
            Ok(thread) => thread.detach(),
            Err(error) => {
                self.relay_link.put(Err(error));
                wake();
            }
        }
    }

    /// Carries out an action of the page.
    fn apply(&mut self, action: EnginesAction, wake: &WakeFn, dialogs: &Dialogs) {
        match action {
            EnginesAction::Probe(profile) => self.manager.probe_engine(&profile),
            EnginesAction::Add(words) => self.add(words),
            EnginesAction::Choose(purpose) => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::Engines(purpose), move || wake());
            }
            EnginesAction::ShowStrongEngines => {
                let lang = lock(&self.viewer).lang();
                browser::open_from_main_window(&self.viewer, browser::strong_engines_url(lang), wake);
            }
            EnginesAction::Duplicate(name) => {
                if let Some(copy) = self.manager.duplicate(&name) {
                    self.page.select(&copy, self.manager.profiles());
                }
            }
            EnginesAction::Rename(old, new) => {
                if let Some(new) = self.manager.rename(&old, &new) {
                    self.rename(&old, new);
                }
            }
            EnginesAction::Remove(name) => self.manager.remove(&name),
            EnginesAction::MakeDefault(name) => {
                self.manager.make_default(&name);
                lock(&self.viewer).act_on_study(AppAction::ForgetEngines);
            }
            EnginesAction::UseInGui(name) => self.make_relay_link(name, wake),
            EnginesAction::ToggleSecondEngine(name) => {
                lock(&self.viewer).act_on_study(AppAction::ToggleSecondEngine(name));
            }
            EnginesAction::Use(name) => lock(&self.viewer).act_on_study(AppAction::ReplaceEngine(name)),
            EnginesAction::PressButton(option) => {
                let engine = self.page.selected_engine().to_owned();
                lock(&self.viewer).act_on_study(AppAction::PressButton(engine, option));
            }
            EnginesAction::Store { before, after } => self.manager.store(*before, *after),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::effects::profiles::ProfileFile;
    use crate::app::gui::test_viewer::{actions, test_viewer};
    use crate::app::test_folder::TestFolder;
    use shogibar_config::{Profile, Profiles};
    use shogibar_engine::session::SessionConfig;

    #[test]
    fn takes_back_a_name_that_cannot_be_stored() {
        let folder = TestFolder::new();
        folder.write("config", "no folder");
        let mut profiles = Profiles::default();
        profiles.add(Profile::new("a", ["a".to_owned()])).unwrap();
        let file = Arc::new(ProfileFile::new(Some(folder.store()), profiles));
        let manager = EngineManager::new(Arc::clone(&file), SessionConfig::default());
        let viewer = test_viewer();
        let mut engines = EnginesController::new(Arc::clone(&viewer), manager);
        engines.page.select("a", engines.manager.profiles());
        let wake: WakeFn = Arc::new(|| {});
        engines.apply(
            EnginesAction::Rename("a".to_owned(), " b".to_owned()),
            &wake,
            &Dialogs::default(),
        );
        assert_eq!(
            (engines.page.selected_engine(), engines.names()),
            ("b", vec!["b".to_owned(), BUILT_IN_NAME.to_owned()])
        );
        file.finish();
        assert!(engines.poll() && !engines.poll());
        assert_eq!(
            (engines.page.selected_engine(), engines.names()),
            ("a", vec!["a".to_owned(), BUILT_IN_NAME.to_owned()])
        );
        let renames = [("a", "b"), ("b", "a")]
            .map(|(old, new)| AppAction::RenameEngine(old.to_owned(), new.to_owned()));
        assert_eq!(*lock(&actions(&viewer)), renames);
        assert!(engines.manager.problem(Lang::En).unwrap().contains("config"));
        engines.relay_notice = Some(("a".to_owned(), "copied".to_owned()));
        engines.forget_other_notice();
        assert!(engines.relay_notice.is_some());
        engines.page.select(BUILT_IN_NAME, engines.manager.profiles());
        engines.forget_other_notice();
        assert_eq!(engines.relay_notice, None, "it was about another engine");
    }
}
