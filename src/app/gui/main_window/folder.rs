//! The controller of the page for the analysis of a folder.

use crate::app::effects::folder::{DroppedPath, FolderThread};
use crate::app::gui::SharedViewer;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use eframe::egui;
use egui::Ui;
use shogibar_base::Lang;
use shogibar_base::threads::{self, lock};
use shogibar_engine::process;
use shogibar_games::analysis::EngineScales;
use shogibar_games::folder::{self, FolderStage};
use shogibar_games::folder_text::FolderPhrase;
use shogibar_live::LiveAddress;
use shogibar_model::action::AppAction;
use shogibar_model::folder_analysis::{FolderAnalysis, FolderAnalysisJob, FolderPhase};
use shogibar_model::record_file::WakeFn;
use shogibar_ui::PaintTheme;
use shogibar_ui::folder::{FolderAction, FolderPage, FolderRunState, FolderView};
use shogibar_ui::page_tabs::MainPage;
use std::path::PathBuf;
use std::sync::Arc;

/// The page, its model, and the thread behind it.
pub(super) struct FolderController {
    viewer: SharedViewer,
    page: FolderPage,
    analysis: FolderAnalysis,
    /// The thread; `None` before the first analysis or dropped path.
    thread: Option<FolderThread>,
    /// The names of all engines.
    engines: Vec<String>,
    scales: EngineScales,
    /// The page that the user asked for.
    requested_page: Option<MainPage>,
}

impl FolderController {
    pub(super) fn new(viewer: SharedViewer) -> Self {
        Self {
            viewer,
            page: FolderPage::default(),
            analysis: FolderAnalysis::default(),
            thread: None,
            engines: Vec::new(),
            scales: EngineScales::default(),
            requested_page: None,
        }
    }

    pub(super) fn set_engines(&mut self, names: Vec<String>, scales: EngineScales) {
        (self.engines, self.scales) = (names, scales);
    }

    /// Returns whether a folder is being analysed or has results.
    pub(super) fn is_in_use(&self) -> bool {
        *self.analysis.phase() != FolderPhase::Idle
    }

    /// Removes and returns the page that the user asked for.
    pub(super) const fn take_requested_page(&mut self) -> Option<MainPage> {
        self.requested_page.take()
    }

    /// Applies the results of the thread. Called for every frame, even while the page is closed.
    pub(super) fn poll(&mut self) {
        let Some(thread) = &self.thread else { return };
        for event in thread.poll() {
            self.analysis.on_event(event);
        }
        for dropped in thread.take_dropped() {
            match dropped {
                DroppedPath::Folder(path) => {
                    self.page.set_input(&path);
                    self.requested_page = Some(MainPage::Folder);
                }
                DroppedPath::File(path) => lock(&self.viewer).act_on_study(AppAction::OpenFile(path)),
            }
        }
    }

    /// Finds out whether a path that was dropped on another page is a folder. A path that is not a folder is opened as
    /// a record.
    pub(super) fn inspect_dropped(&mut self, ctx: &egui::Context, wake: &WakeFn) {
        let dropped: Option<PathBuf> = ctx.input(|input| match input.raw.dropped_files.as_slice() {
            [only] if !shogibar_kifu::has_record_extension(only.path()) => Some(only.path().to_owned()),
            _ => None,
        });
        let Some(path) = dropped else { return };
        ctx.input_mut(|input| input.raw.dropped_files.clear());
        self.thread(wake).inspect(path);
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
        let dropped = ui.input(|input| input.raw.dropped_files.first().map(|file| file.path().to_owned()));
        if !self.analysis.is_running()
            && let Some(path) = dropped
        {
            self.page.set_input(&path);
        }
        let (running, ended) = match self.analysis.phase() {
            FolderPhase::Idle => (None, ""),
            FolderPhase::Running => (Some(FolderRunState::Running), ""),
            FolderPhase::Paused => (Some(FolderRunState::Paused), ""),
            FolderPhase::Ending => (Some(FolderRunState::Ending), ""),
            FolderPhase::Ended(Ok(FolderStage::Finished)) => (None, FolderPhrase::Finished.text(lang)),
            FolderPhase::Ended(Ok(_)) => (None, FolderPhrase::Cancelled.text(lang)),
            FolderPhase::Ended(Err(why)) => (None, why.as_str()),
        };
        let view = FolderView {
            engines: &self.engines,
            run_state: running,
            outcome_text: ended,
            progress: self.is_in_use().then(|| self.analysis.progress()),
            rows: self.analysis.rows(),
            problems: self.analysis.problems(),
        };
        let actions = self.page.show(ui, &view, theme, lang);
        let acted = !actions.is_empty();
        for action in actions {
            self.apply(action, lang, wake, dialogs);
        }
        acted
    }

    /// Applies the result of a dialog.
    pub(super) fn apply_choice(&mut self, is_output: bool, choice: DialogResult) {
        // Without a dialog the user can type the path, so nothing is reported.
        let DialogResult::Chosen(path) = choice else {
            return;
        };
        if is_output {
            self.page.set_output(&path);
        } else {
            self.page.set_input(&path);
        }
    }

    /// Carries out an action of the page.
    fn apply(&mut self, action: FolderAction, lang: Lang, wake: &WakeFn, dialogs: &Dialogs) {
        let choose = |is_output| {
            let wake = Arc::clone(wake);
            dialogs.open(DialogPurpose::Folder { is_output }, move || wake());
        };
        let effect = match action {
            FolderAction::ChooseInput => return choose(false),
            FolderAction::ChooseOutput => return choose(true),
            FolderAction::Begin(input, output, options) => {
                let scales = self.scales.clone();
                self.analysis.start(FolderAnalysisJob {
                    input,
                    output,
                    options: *options,
                    scales,
                    lang,
                })
            }
            FolderAction::TogglePause => self.analysis.toggle_pause(),
            FolderAction::Cancel => self.analysis.cancel(),
            FolderAction::Open(path) => {
                lock(&self.viewer).act_on_study(AppAction::OpenAddresses(vec![LiveAddress::Path(path)]));
                self.requested_page = Some(MainPage::Study);
                return;
            }
            FolderAction::OpenTable => return self.open_table(),
        };
        if let Some(effect) = effect {
            self.thread(wake).run(effect);
        }
    }

    /// Opens the table in the browser, on a separate thread.
    fn open_table(&self) {
        let page = self
            .analysis
            .output()
            .join(folder::HTML_TABLE_NAME)
            .display()
            .to_string();
        let browse = move || {
            // Tests open no browser.
            let _opened = !cfg!(test) && process::browse(&page);
        };
        if let Ok(thread) = threads::spawn("browser", browse) {
            thread.detach();
        }
    }

    /// Returns the thread, which is created if necessary.
    fn thread(&mut self, wake: &WakeFn) -> &mut FolderThread {
        let (viewer, wake) = (&self.viewer, Arc::clone(wake));
        self.thread
            .get_or_insert_with(|| FolderThread::new(lock(viewer).engine_factory(), wake))
    }
}
