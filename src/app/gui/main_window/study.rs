//! The controller of the study page.

use super::ZoomStep;
use crate::app::effects::drill;
use crate::app::gui::dialogs::{DialogPurpose, DialogResult, Dialogs};
use crate::app::gui::dropped_files::dropped_action;
use crate::app::gui::palette::{PaletteSettings, PaletteSource, WindowChoice, apply as apply_choice};
use crate::app::gui::{SharedViewer, browser, desktop};
use crate::app::preferences::SharedPreferences;
use crate::app::updates::Version;
use crate::app::viewer::Viewer;
use eframe::egui;
use egui::{Ui, ViewportCommand};
use shogibar_base::threads::{self, lock};
use shogibar_base::{CauseText, Lang};
use shogibar_config::settings_text::SettingGroup;
use shogibar_config::{
    Command, CommandContext, CommandPart, MainCommand, PieceCharacters, StudyKeys, WindowCommand,
};
use shogibar_engine::process::abbreviate_home;
use shogibar_games::RecordRemark;
use shogibar_games::report::{self, Report};
use shogibar_games::study::UnsavedAnswer;
use shogibar_model::action::{AppAction, DrillAction};
use shogibar_model::game::{Game, OpenPosition, reads_screen};
use shogibar_model::game_analysis::RunningAnalysis;
use shogibar_model::ids::GameId;
use shogibar_model::record_file::{self, RecordFile, WakeFn};
use shogibar_model::{AppModel, CopiedItem, Message};
use shogibar_shelf::ShelfHit;
use shogibar_shogi::{Color, History};
use shogibar_ui::board::BoardStyle;
use shogibar_ui::dialog::DialogStatus;
use shogibar_ui::page_tabs::MainPage;
use shogibar_ui::palette::{self, Palette};
use shogibar_ui::settings::SettingTarget;
use shogibar_ui::study::{
    DrillView, EngineSearch, EngineStatus, FileState, GameTab, PathPurposeKind, ShelfRequest, ShelfView,
    SourceStatus, StudyAction, StudyPage, StudyPicture, StudyQuestion, StudyStatus, StudyView,
};
use shogibar_ui::{FramePacer, PaintTheme};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The longest time between the clicks of a double click, in seconds.
const MAX_DOUBLE_CLICK_SECONDS: f64 = 0.4;

/// The study page, and the data computed for it.
pub(super) struct StudyController {
    viewer: SharedViewer,
    preferences: SharedPreferences,
    page: StudyPage,
    /// The names of all engines.
    engines: Vec<String>,
    /// The search settings of the engines with profiles.
    searches: Vec<EngineSearch>,
    /// The search settings that the user has chosen for an engine.
    requested_search: Option<EngineSearch>,
    /// Whether the board is flipped, with White below.
    is_flipped: bool,
    /// The game that was drawn last. The actions of a frame apply to it.
    shown_game: GameId,
    /// The time at which the user last answered a question, in seconds of the window's clock.
    answered_at: Option<f64>,
    /// The output that the user is choosing a file for.
    output: Option<StudyOutput>,
    /// The page that the user asked for.
    requested_page: Option<MainPage>,
    /// Whether the user has hidden the bars' windows.
    hides_bars: bool,
    /// Whether the bars have been notified that the user is guessing a move.
    is_guessing: bool,
    painter: FramePacer,
    /// The commands to run in the next frame.
    commands: Vec<Command>,
    bar_commands: Vec<Command>,
    palette: Option<Palette>,
    next_palette: Option<PaletteSettings>,
    /// The row of the settings that the user asked for.
    requested_setting: Option<SettingTarget>,
}

impl StudyController {
    pub(super) fn new(viewer: SharedViewer, preferences: SharedPreferences) -> Self {
        let arranged = lock(&preferences).settings().main_window.clone();
        let mut page = StudyPage::default();
        page.show_tree(arranged.shows_tree);
        Self {
            viewer,
            preferences,
            page,
            engines: Vec::new(),
            searches: Vec::new(),
            requested_search: None,
            is_flipped: arranged.is_flipped,
            shown_game: GameId::default(),
            answered_at: None,
            output: None,
            requested_page: None,
            hides_bars: arranged.hides_bars,
            is_guessing: false,
            painter: FramePacer::Gpu,
            commands: Vec::new(),
            bar_commands: Vec::new(),
            palette: None,
            next_palette: None,
            requested_setting: None,
        }
    }

    pub(super) fn set_painter(&mut self, painter: FramePacer) {
        self.painter = painter;
        self.page.set_painter(painter);
    }

    /// Returns whether only the small board is shown, above other windows.
    pub(super) const fn is_small(&self) -> bool {
        self.page.is_small()
    }

    pub(super) const fn is_choosing_keys(&self) -> bool {
        self.page.is_recording_key()
    }

    /// Sets the names of all engines, and the search settings of the engines with profiles.
    pub(super) fn set_engines(&mut self, engines: Vec<String>, searches: Vec<EngineSearch>) {
        (self.engines, self.searches) = (engines, searches);
    }

    /// Removes and returns the search settings that the user has chosen, if any.
    pub(super) const fn take_requested_search(&mut self) -> Option<EngineSearch> {
        self.requested_search.take()
    }

    /// Removes and returns the page that the user asked for, if any.
    pub(super) const fn take_requested_page(&mut self) -> Option<MainPage> {
        self.requested_page.take()
    }

    pub(super) const fn hides_bars(&self) -> bool {
        self.hides_bars
    }

    pub(super) fn show_bars(&mut self) {
        self.set_bars_hidden(false);
        self.set_guessing(false);
    }

    fn set_bars_hidden(&mut self, hides: bool) {
        self.hides_bars = hides;
        lock(&self.preferences).change(|settings| settings.main_window.hides_bars = hides);
    }

    /// Notifies the bars whether the user is guessing a move: they then hide their evaluations.
    fn set_guessing(&mut self, guesses: bool) {
        if std::mem::replace(&mut self.is_guessing, guesses) != guesses {
            self.act(AppAction::SetGuessing(guesses));
        }
    }

    /// Draws one frame, and shows the notice of a newer version. Returns whether an action was applied.
    pub(super) fn show(
        &mut self,
        ui: &mut Ui,
        theme: &PaintTheme,
        newer: Option<Version>,
        has_folder: bool,
        lang: Lang,
        wake: &WakeFn,
        dialogs: &Dialogs,
    ) -> bool {
        let newer = newer.map(|version| shogibar_config::settings_text::newer(&version.to_string(), lang));
        let (keys, pieces, motion, shows_arrows) = self.study_settings();
        self.open_drill();
        self.update_shelf();
        let next_palette = self.next_palette.take();
        let opens_palette = self.page.can_run_commands();
        let mut actions = {
            let viewer = Arc::clone(&self.viewer);
            let mut viewer = lock(&viewer);
            let mut bar = viewer.study_view().clone();
            // The bar of this page shows no notice. Of transient notices, the page itself shows only failures.
            let failure = bar.notice.take().filter(|notice| notice.is_failure);
            let (study_bar, study_game) = (viewer.model().study_bar(), viewer.model().study_game());
            self.shown_game = study_game;
            let engine = viewer
                .engine_names(study_bar)
                .first()
                .copied()
                .unwrap_or_default()
                .to_owned();
            let motion = motion && desktop::may_animate(self.painter, &viewer);
            let model = viewer.model();
            let game = model.game(study_game);
            let (problems, record_file) = (model.engine_problems(), game.file());
            let analysis = game.analysis().and_then(RunningAnalysis::progress).cloned();
            let (document, history, notice) =
                (game.document(), game.history(), model.study_notice().or(failure));
            let question = question(model, record_file, lang);
            let (tabs, current_tab) = tabs(model);
            let (game_titles, current_game) = game.game_titles();
            let name = shown_name(game, &tabs, current_tab);
            let (live, source) = (game.live_values(), source_texts(game, lang));
            let view = StudyView {
                document,
                rows: game.rows(),
                insight: game.insight(),
                live_values: &live,
                history,
                bar: &bar,
                name: name.as_deref(),
                recent_files: model.recent_files(),
                file: file_state(record_file),
                is_paused: model.bar(study_bar).is_paused(),
                engine: &engine,
                engines: &self.engines,
                engine_status: EngineStatus {
                    searches: &self.searches,
                    replaced_engine: model.stand_in_for(study_bar),
                    problems: &problems,
                },
                analysis: analysis.as_ref(),
                is_flipped: self.is_flipped,
                keys: &keys,
                has_motion: motion,
                style: BoardStyle {
                    pieces,
                    ..BoardStyle::default()
                },
                question: question.as_ref(),
                tabs: &tabs,
                current_tab,
                game_titles,
                current_game,
                notice: notice.as_ref(),
                status: StudyStatus {
                    bars: model.window_bars().count(),
                    is_bar_hidden: self.hides_bars,
                    shows_arrows,
                    has_folder,
                    newer_version: newer.as_deref(),
                    source: source_status(source.as_ref(), game),
                },
                inquiry: game.inquiry(),
                engine_game: game.engine_game(),
                drill: drill_view(model),
                shelf: shelf_view(model),
                video: model.video().progress(),
            };
            self.page.set_keys_taken(self.palette.is_some());
            let mut actions = self.page.show(ui, &view, theme, lang);
            // While a position is set up or a move is guessed, the commands are dropped.
            let commands = std::mem::take(&mut self.commands);
            if self.page.can_run_commands() {
                actions.extend(commands.into_iter().map(StudyAction::Command));
            }
            if opens_palette && let Some(settings) = next_palette {
                let source = PaletteSource {
                    settings,
                    model,
                    engines: &self.engines,
                    context: CommandContext::Study,
                };
                self.palette = Some(Palette::new(
                    source.rows(ui.ctx(), |command| view.allows(command)),
                ));
            }
            edited_position(&self.page, model, history)
                .into_iter()
                .chain(actions)
                .collect::<Vec<_>>()
        };
        let has_changed_setting = self.show_palette(ui, theme, lang, &mut actions);
        self.apply_all(ui, actions, wake, dialogs) | has_changed_setting
    }

    /// Applies the actions of a frame and the dropped files, and stores whether the tree is shown. Returns whether
    /// there were actions.
    fn apply_all(&mut self, ui: &Ui, actions: Vec<StudyAction>, wake: &WakeFn, dialogs: &Dialogs) -> bool {
        let acted = !actions.is_empty();
        let shows_tree = self.page.shows_tree();
        if lock(&self.preferences).settings().main_window.shows_tree != shows_tree {
            lock(&self.preferences).change(|settings| settings.main_window.shows_tree = shows_tree);
        }
        if let Some(action) = dropped_action(ui.ctx()) {
            self.act(action);
        }
        self.set_guessing(self.page.is_guessing());
        for action in actions {
            self.apply(ui, action, wake, dialogs);
        }
        acted
    }

    /// Shows the command palette while it is open. Adds the chosen command to the actions. Returns whether a setting
    /// was changed.
    fn show_palette(
        &mut self,
        ui: &Ui,
        theme: &PaintTheme,
        lang: Lang,
        actions: &mut Vec<StudyAction>,
    ) -> bool {
        let Some(palette) = self.palette.as_mut() else {
            return false;
        };
        let end = palette::show_over(ui, palette, theme, lang);
        if end == DialogStatus::Open {
            return false;
        }
        self.palette = None;
        let DialogStatus::Done(choice) = end else {
            return false;
        };
        match apply_choice(choice, &self.preferences) {
            Some(WindowChoice::Command(command)) => actions.push(StudyAction::Command(command)),
            Some(WindowChoice::Setting(item)) => self.requested_setting = Some(SettingTarget::Item(item)),
            Some(WindowChoice::Game(game)) => actions.push(AppAction::ShowInStudy(game).into()),
            Some(WindowChoice::Action(action)) => actions.push(action.into()),
            None => return true,
        }
        false
    }

    /// Returns the settings of the page: the keys, the pieces, whether the page is animated, and whether candidates are
    /// drawn on the board.
    fn study_settings(&self) -> (StudyKeys, PieceCharacters, bool, bool) {
        let preferences = lock(&self.preferences);
        let settings = preferences.settings();
        let general = &settings.general;
        (
            settings.study_keys.clone(),
            general.pieces,
            settings.overlay.has_motion,
            general.shows_arrows,
        )
    }

    /// Carries out an action of the page.
    fn apply(&mut self, ui: &Ui, action: StudyAction, wake: &WakeFn, dialogs: &Dialogs) {
        match action {
            StudyAction::Command(command) => match command.part() {
                CommandPart::Model(command) => self.act(AppAction::run(command)),
                CommandPart::Window(command) => self.run_in_window(ui, command, wake, dialogs),
                CommandPart::Main(command) => self.run(ui, command, wake, dialogs),
                CommandPart::Study(command) => self.page.run_next(command),
                CommandPart::Bar(_) => self.bar_commands.push(command),
            },
            StudyAction::App(AppAction::BeginEngineGame(settings)) => {
                let user = settings.user;
                self.act(AppAction::BeginEngineGame(settings));
                self.flip_for_user(user);
            }
            StudyAction::App(action) => self.act(action),
            StudyAction::SetSearch(search) => self.requested_search = Some(*search),
            StudyAction::ChooseMistakeFolder => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::Mistakes, move || wake());
            }
            StudyAction::Shelf(request) => self.run_shelf_request(request, wake, dialogs),
            StudyAction::ShowNewer => {
                browser::open_from_main_window(&self.viewer, browser::NEWEST_RELEASE_URL, wake);
            }
            StudyAction::SetKeys(keys) => {
                lock(&self.preferences).change(|settings| settings.study_keys = *keys);
            }
            StudyAction::CopyText(text) => copy(&mut lock(&self.viewer), ui, text, CopiedItem::Line),
            StudyAction::CopyPicture(picture) => {
                ui.ctx().copy_image(*picture);
                self.act(AppAction::ShowNotice(Message::Copied(CopiedItem::Board)));
            }
            StudyAction::CopyAs(target) => self.copy_record(ui, target),
            StudyAction::CopyAddress(site) => {
                let mut viewer = lock(&self.viewer);
                let address = site.address(study_game(&viewer).history());
                copy(&mut viewer, ui, address, CopiedItem::Address);
            }
            StudyAction::ShowTab(index) => self.act_on_tab(index, AppAction::ShowInStudy),
            StudyAction::CloseTab(index) => self.act_on_tab(index, AppAction::Close),
            StudyAction::Reload => {
                let path = study_game(&lock(&self.viewer)).file().path().map(Path::to_owned);
                if let Some(path) = path {
                    self.act(AppAction::OpenFile(path));
                }
            }
            StudyAction::PathChosen(PathPurposeKind::Save, path) => self.act(save_to_typed_path(path)),
            StudyAction::SavePicture(picture) => {
                self.output = Some(StudyOutput::Picture(picture));
                let path = study_game(&lock(&self.viewer))
                    .suggested_path()
                    .with_extension("png");
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::SaveStudyPicture(path), move || wake());
            }
            StudyAction::SaveVideo => {
                let (game, path) = {
                    let viewer = lock(&self.viewer);
                    let path = study_game(&viewer).suggested_path().with_extension("mp4");
                    (viewer.model().study_game(), path)
                };
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::SaveVideo(game, path), move || wake());
            }
            StudyAction::PathChosen(PathPurposeKind::Video, path) => {
                let game = lock(&self.viewer).model().study_game();
                self.make_video(game, &path, false);
            }
            StudyAction::PathChosen(PathPurposeKind::Report | PathPurposeKind::Picture, path) => {
                self.write_output(path, false, wake);
            }
            StudyAction::PathChosen(PathPurposeKind::Open, path) => self.act(AppAction::OpenFile(path)),
            // The second click of a double click does not answer the next question.
            StudyAction::AnswerUnsaved(_) if !self.accepts_answer(ui) => {}
            StudyAction::AnswerUnsaved(answer) => self.answer(answer, wake, dialogs),
        }
    }

    /// Flips the board if the user's side is not below, once a game against an engine has begun.
    fn flip_for_user(&mut self, user: Color) {
        let has_begun = study_game(&lock(&self.viewer))
            .engine_game()
            .is_some_and(|game| game.settings().user == user);
        if has_begun && (user == Color::White) != self.is_flipped {
            self.flip();
        }
    }

    /// Flips the board, and stores the choice.
    fn flip(&mut self) {
        self.is_flipped = !self.is_flipped;
        lock(&self.preferences).change(|settings| settings.main_window.is_flipped = self.is_flipped);
    }

    /// Requests the deck of mistakes once it is needed.
    fn open_drill(&self) {
        if self.page.is_guess_panel_open() && !lock(&self.viewer).model().drill().is_open() {
            self.act(AppAction::Drill(DrillAction::Open));
        }
    }

    /// Reports what the page shows of the shelf, if the model does not know it.
    fn update_shelf(&self) {
        let mut viewer = lock(&self.viewer);
        let shown = self.page.shown_shelf(study_game(&viewer).history().now());
        if *viewer.model().shelf().shown() != shown {
            viewer.act_on_study(AppAction::ShowShelf(shown));
        }
    }

    fn run_shelf_request(&self, request: ShelfRequest, wake: &WakeFn, dialogs: &Dialogs) {
        match request {
            ShelfRequest::ChooseFolder => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::Shelf, move || wake());
            }
            ShelfRequest::SetFolders(folders) => {
                lock(&self.preferences).change(|settings| settings.shelf.folders = folders);
            }
            ShelfRequest::Open(ShelfHit {
                path, number, ply, ..
            }) => {
                let game = usize::try_from(number).unwrap_or(1).saturating_sub(1);
                let position = OpenPosition {
                    game,
                    ply: Some(ply.into()),
                    ..OpenPosition::default()
                };
                self.act(AppAction::OpenGame(PathBuf::from(path), Box::new(position)));
            }
        }
    }

    /// Answers the question about unsaved changes.
    fn answer(&self, answer: UnsavedAnswer, wake: &WakeFn, dialogs: &Dialogs) {
        self.act(AppAction::Answer(self.shown_game, answer));
        let has_no_file = {
            let viewer = lock(&self.viewer);
            let file = study_game(&viewer).file();
            file.is_asking() && file.save_conflict().is_none() && !file.can_save()
        };
        // If the record cannot be saved to its file, the question waits until the user has chosen another file.
        if answer == UnsavedAnswer::Save && has_no_file {
            self.save(wake, dialogs);
        }
    }

    /// Applies the result of a dialog.
    pub(super) fn apply_choice(&mut self, purpose: &DialogPurpose, choice: DialogResult, wake: &WakeFn) {
        match (purpose, choice) {
            (DialogPurpose::SaveRecord(game, _), DialogResult::Chosen(path)) => {
                // The page may show another game by now, so the record of the dialog's game is saved.
                if lock(&self.viewer).model().has_game(*game) {
                    self.act(AppAction::ShowInStudy(*game));
                    self.act(save_as(path));
                }
            }
            (
                DialogPurpose::SaveReport(_) | DialogPurpose::SaveStudyPicture(_),
                DialogResult::Chosen(path),
            ) => {
                self.write_output(path, true, wake);
            }
            (DialogPurpose::SaveVideo(game, _), DialogResult::Chosen(path)) => {
                self.make_video(*game, &path, true);
            }
            (DialogPurpose::Mistakes, DialogResult::Chosen(folder)) => self.page.set_drill_folder(&folder),
            (DialogPurpose::Shelf, DialogResult::Chosen(folder)) => {
                lock(&self.preferences).change(|settings| {
                    let folder = folder.display().to_string();
                    if !settings.shelf.folders.contains(&folder) {
                        settings.shelf.folders.push(folder);
                    }
                });
            }
            (_, DialogResult::Chosen(path)) => self.act(AppAction::OpenFile(path)),
            // The user can type the folder for the mistakes or the shelf, so nothing is reported.
            (_, DialogResult::Cancelled)
            | (DialogPurpose::Mistakes | DialogPurpose::Shelf, DialogResult::NoDialog) => {}
            (DialogPurpose::SaveRecord(_, path), DialogResult::NoDialog) => {
                self.page.ask_for_path(PathPurposeKind::Save, path);
            }
            (DialogPurpose::SaveReport(path), DialogResult::NoDialog) => {
                self.page.ask_for_path(PathPurposeKind::Report, path);
            }
            (DialogPurpose::SaveVideo(_, path), DialogResult::NoDialog) => {
                self.page.ask_for_path(PathPurposeKind::Video, path);
            }
            (DialogPurpose::SaveStudyPicture(path), DialogResult::NoDialog) => {
                self.page.ask_for_path(PathPurposeKind::Picture, path);
            }
            (_, DialogResult::NoDialog) => self.ask_for_record(),
        }
    }

    /// Writes a game as a video, at the pace of the settings. A name without an extension becomes that of an MP4 file. An
    /// existing file is replaced only if `replaces` is set, as a file dialog has asked the user about it.
    fn make_video(&self, game: GameId, path: &Path, replaces: bool) {
        let is_video = path
            .extension()
            .is_some_and(|end| ["mp4", "png"].iter().any(|known| end.eq_ignore_ascii_case(known)));
        let named = if is_video {
            path.to_owned()
        } else {
            path.with_added_extension("mp4")
        };
        // The dialog has only asked about the name without the extension.
        if !(replaces && named == path) && named.exists() {
            let remark = RecordRemark::ReportExists(named.display().to_string());
            return self.act(AppAction::ShowNotice(remark.into()));
        }
        let pace = lock(&self.preferences).settings().general.video_pace;
        self.act(AppAction::MakeVideo(game, named, pace));
    }

    pub(super) fn run_next(&mut self, command: Command) {
        self.commands.push(command);
    }

    pub(super) fn take_bar_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.bar_commands)
    }

    /// Removes and returns the row of the settings that the user asked for, if any.
    pub(super) const fn take_requested_setting(&mut self) -> Option<SettingTarget> {
        self.requested_setting.take()
    }

    /// Asks which record to open, where no file dialog can be shown.
    pub(super) fn ask_for_record(&mut self) {
        let folder = start_folder(study_game(&lock(&self.viewer)).file());
        self.page.ask_for_path(PathPurposeKind::Open, &folder);
    }

    /// Writes the requested report or picture on a background thread. An existing file is replaced only if `replaces`
    /// is set, as a file dialog has asked the user about it.
    fn write_output(&mut self, path: PathBuf, replaces: bool, wake: &WakeFn) {
        let Some(output) = self.output.take() else { return };
        let (viewer, wake) = (Arc::clone(&self.viewer), Arc::clone(wake));
        let write = move || {
            let named = output.path_with_extension(path.clone());
            // The dialog has only asked about the name without the extension.
            let replaces = replaces && named == path;
            let path = named;
            let notice = if !replaces && path.exists() {
                RecordRemark::ReportExists(path.display().to_string())
            } else {
                output.write(&path)
            };
            lock(&viewer).act_on_study(AppAction::ShowNotice(notice.into()));
            wake();
        };
        if let Ok(thread) = threads::spawn("output", write) {
            thread.detach();
        }
    }

    /// Saves to the record's file, or to one that the user chooses now.
    fn save(&self, wake: &WakeFn, dialogs: &Dialogs) {
        let mut viewer = lock(&self.viewer);
        let file = study_game(&viewer).file();
        if file.can_save() {
            viewer.act_on_study(AppAction::SaveFile);
        } else {
            // The file has more content than would be written, so another path is asked for.
            ask_save_path(&viewer, wake, dialogs);
        }
    }

    fn run_in_window(&mut self, ui: &Ui, command: WindowCommand, wake: &WakeFn, dialogs: &Dialogs) {
        match command {
            WindowCommand::Open => {
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::OpenRecord, move || wake());
            }
            WindowCommand::OpenAddress => self.page.open_address(),
            WindowCommand::Players => self.page.open_players(study_game(&lock(&self.viewer)).document()),
            WindowCommand::CorrectBoard => self.bar_commands.push(Command::CorrectBoard),
            WindowCommand::Paste => ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste),
            WindowCommand::Manual => {
                let lang = lock(&self.viewer).lang();
                browser::open_from_main_window(&self.viewer, browser::manual_url(lang), wake);
            }
            WindowCommand::Study => self.requested_page = Some(MainPage::Study),
            WindowCommand::Settings => self.requested_page = Some(MainPage::Settings),
            WindowCommand::Engines => self.requested_page = Some(MainPage::Engines),
            WindowCommand::AnalyseFolder => self.requested_page = Some(MainPage::Folder),
            WindowCommand::Obs => self.requested_setting = Some(SettingTarget::Group(SettingGroup::Obs)),
            WindowCommand::Palette => self.next_palette = Some(PaletteSettings::new(&self.preferences)),
            // The bar asks first while a live game is shown.
            WindowCommand::Quit => self.bar_commands.push(Command::Quit),
        }
    }

    /// Runs a command that only the main window has.
    fn run(&mut self, ui: &Ui, command: MainCommand, wake: &WakeFn, dialogs: &Dialogs) {
        match command {
            MainCommand::Save => self.save(wake, dialogs),
            MainCommand::SaveAs => ask_save_path(&lock(&self.viewer), wake, dialogs),
            MainCommand::Copy => self.copy_record(ui, shogibar_kifu::Target::Kifu),
            MainCommand::CopyPosition => {
                let mut viewer = lock(&self.viewer);
                let sfen = study_game(&viewer).history().now().sfen();
                copy(&mut viewer, ui, sfen, CopiedItem::Position);
            }
            MainCommand::CopySummary => {
                let mut viewer = lock(&self.viewer);
                let summary = report::summary(&Self::report_of(&viewer));
                copy(&mut viewer, ui, summary, CopiedItem::Summary);
            }
            MainCommand::Report => {
                let viewer = lock(&self.viewer);
                let report = Self::report_of(&viewer);
                let path = study_game(&viewer).suggested_path().with_extension("html");
                drop(viewer);
                self.output = Some(StudyOutput::Report(Box::new(report)));
                let wake = Arc::clone(wake);
                dialogs.open(DialogPurpose::SaveReport(path), move || wake());
            }
            MainCommand::Flip => self.flip(),
            MainCommand::HideBar => self.set_bars_hidden(!self.hides_bars),
            MainCommand::ZoomIn => ZoomStep::In.apply(&self.preferences),
            MainCommand::ZoomOut => ZoomStep::Out.apply(&self.preferences),
            MainCommand::ZoomReset => ZoomStep::Reset.apply(&self.preferences),
            MainCommand::Arrows => {
                lock(&self.preferences).change(|settings| settings.general.shows_arrows ^= true);
            }
        }
    }

    /// Returns a report of the game on the page.
    fn report_of(viewer: &Viewer) -> Report {
        let game = study_game(viewer);
        Report::from_document(game.document(), game.insight(), viewer.lang())
    }

    fn copy_record(&self, ui: &Ui, target: shogibar_kifu::Target) {
        let mut viewer = lock(&self.viewer);
        let written = shogibar_kifu::write(study_game(&viewer).document().record(), target).bytes;
        copy(
            &mut viewer,
            ui,
            String::from_utf8_lossy(&written).into_owned(),
            CopiedItem::Record,
        );
    }

    /// Returns whether enough time has passed since the last answer.
    fn accepts_answer(&mut self, ui: &Ui) -> bool {
        let now = ui.input(|input| input.time);
        let before = self.answered_at.replace(now);
        before.is_none_or(|before| now - before > MAX_DOUBLE_CLICK_SECONDS)
    }

    /// Applies an action on the game of a tab, if there is such a tab.
    fn act_on_tab(&self, index: usize, action: impl FnOnce(GameId) -> AppAction) {
        let game = lock(&self.viewer).model().games().nth(index).map(|(id, _)| id);
        if let Some(game) = game {
            self.act(action(game));
        }
    }

    fn act(&self, action: AppAction) {
        lock(&self.viewer).act_on_study(action);
    }
}

/// Copies a text, and shows a notice. The clipboard watcher ignores this text.
fn copy(viewer: &mut Viewer, ui: &Ui, text: String, item: CopiedItem) {
    viewer.record_copied(&text);
    ui.ctx().copy_text(text);
    viewer.act_on_study(AppAction::ShowNotice(Message::Copied(item)));
}

/// Returns the deck of mistakes, as the page shows it today.
fn drill_view(model: &AppModel) -> DrillView<'_> {
    let drill = model.drill();
    DrillView {
        deck: &drill.deck,
        today: drill::today(),
        collected_files: drill.collected_files,
        outcome: drill.outcome,
        problem: drill.problem(),
    }
}

fn shelf_view(model: &AppModel) -> ShelfView<'_> {
    let shelf = model.shelf();
    ShelfView {
        folders: &model.settings().shelf_folders,
        counts: shelf.counts,
        reading: shelf.reading,
        unreadable_count: shelf.unreadable_count,
        problems: &shelf.problems,
        problem: shelf.problem(),
        answer: shelf.answer.as_ref().map(|(query, answer)| (query, answer)),
    }
}

fn study_game(viewer: &Viewer) -> &Game {
    viewer.model().game(viewer.model().study_game())
}

fn tabs(model: &AppModel) -> (Vec<GameTab>, usize) {
    let current = model.games().position(|(id, _)| id == model.study_game());
    (
        model
            .game_titles()
            .zip(model.games())
            .map(|(title, (_, game))| GameTab {
                title,
                is_unsaved: game.is_unsaved(),
            })
            .collect(),
        current.unwrap_or_default(),
    )
}

fn file_state(file: &RecordFile) -> FileState {
    if file.opening_path().is_some() {
        FileState::Opening
    } else if file.is_changed_on_disk() {
        FileState::ChangedOnDisk
    } else {
        FileState::Unchanged
    }
}

/// Returns the action that stores the position being set up, if it differs from the one in the model.
fn edited_position(page: &StudyPage, model: &AppModel, history: &History) -> Option<StudyAction> {
    let edited = page.edited_position(history.now());
    let is_new = edited != model.edited_position();
    is_new.then(|| AppAction::EditPosition(edited.cloned().map(Box::new)).into())
}

/// Returns the display name of a game. A game without a file has the name of its tab, if there are several tabs.
fn shown_name(game: &Game, tabs: &[GameTab], current: usize) -> Option<String> {
    let tab = if tabs.len() > 1 {
        tabs.get(current).map(|tab| tab.title.clone())
    } else {
        None
    };
    game.file().name().or(tab).or_else(|| game.title())
}

/// Returns the text about the state of the game's source, and the command that it suggests. Returns `None` without a
/// source, and while the user has to choose a game of the source, as a list then has its own button.
fn source_texts(game: &Game, lang: Lang) -> Option<(String, Command)> {
    let source = game.source().filter(|source| !source.awaits_choice());
    source.map(|source| (source.remark().text(lang), source.suggested_command()))
}

/// Returns the status of a game's source from its text and its suggested command; `None` without a text.
fn source_status<'a>(words: Option<&'a (String, Command)>, game: &Game) -> Option<SourceStatus<'a>> {
    words.map(|(words, command)| SourceStatus {
        sentence: words,
        command: *command,
        reads_screen: reads_screen(game),
    })
}

fn question(model: &AppModel, record_file: &RecordFile, lang: Lang) -> Option<StudyQuestion> {
    if let Some(conflict) = record_file.save_conflict() {
        return Some(StudyQuestion::SaveDespite(conflict.text(lang)));
    }
    if record_file.is_asking() {
        let unsaved_at_quit = record_file
            .is_asking_before_quit()
            .then(|| model.unanswered_count());
        return Some(StudyQuestion::Save {
            games: record_file.saved_game_count(),
            unsaved_at_quit,
        });
    }
    model
        .recovery_summary()
        .map(|(count, name)| StudyQuestion::Recover(count, name))
}

/// Asks for the file to save the game on the page to.
fn ask_save_path(viewer: &Viewer, wake: &WakeFn, dialogs: &Dialogs) {
    let (game, path) = (viewer.model().study_game(), study_game(viewer).suggested_path());
    let wake = Arc::clone(wake);
    dialogs.open(DialogPurpose::SaveRecord(game, path), move || wake());
}

fn start_folder(record_file: &RecordFile) -> PathBuf {
    record_file
        .path()
        .and_then(Path::parent)
        .unwrap_or_else(|| Path::new(""))
        .join("")
}

/// The content of a file whose path the user chooses.
enum StudyOutput {
    /// A report, as a picture if the name ends with `png`, otherwise as HTML.
    Report(Box<Report>),
    /// A picture of the page, as PNG.
    Picture(Box<StudyPicture>),
}

impl StudyOutput {
    /// Returns the path with an extension: a picture is a PNG file, whatever its name.
    fn path_with_extension(&self, path: PathBuf) -> PathBuf {
        let is_png = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("png"));
        if is_png || matches!(self, Self::Report(_)) {
            path
        } else {
            path.with_added_extension("png")
        }
    }

    /// Writes the output. Returns a notice with the result.
    fn write(&self, path: &Path) -> RecordRemark {
        let is_png = path
            .extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("png"));
        let bytes = match self {
            Self::Report(report) if is_png => {
                shogibar_ui::report::encode_png(report, None).map_err(|error| error.to_string())
            }
            Self::Report(report) => Ok(shogibar_ui::report::html(report).into_bytes()),
            Self::Picture(picture) => picture.encode_png().map_err(|error| error.to_string()),
        };
        let written = bytes.map_err(CauseText::from).and_then(|bytes| {
            shogibar_files::write_whole(path, &bytes).map_err(|error| CauseText::from(&error))
        });
        match written {
            Ok(()) => RecordRemark::Saved(abbreviate_home(path)),
            Err(why) => RecordRemark::NotSaved(why),
        }
    }
}

/// Returns the action that saves to a path from a dialog. A path without the extension of a format gets one. Its file
/// is not replaced without a question, as the dialog has not asked about it.
fn save_as(path: PathBuf) -> AppAction {
    if record_file::target_of(&path).is_some() {
        AppAction::SaveTo(path)
    } else {
        save_to_typed_path(path)
    }
}

/// Returns the action that saves to a path that the user typed. A path without the extension of a format gets one. An
/// existing file is replaced only after a question.
fn save_to_typed_path(path: PathBuf) -> AppAction {
    let is_named = record_file::target_of(&path).is_some();
    AppAction::SaveChecked(if is_named {
        path
    } else {
        path.with_added_extension("kifu")
    })
}
