//! The application as a pure core: [`AppModel::update`] applies an event and returns the effects. No I/O, thread or
//! clock.
//!
//! The model has games and bars. A bar shows one game, on which its engines search. The study page shows the game of
//! one of the bars. `viewer` carries out the effects, whose results are new events.

mod actions;
mod board_page;
mod drill;
mod engine_games;
mod engines;
mod event;
mod files;
mod games;
mod graph_fill;
mod jobs;
mod opening;
mod programme;
mod relays;
mod shared_engines;
mod shelf;
mod sources;
mod stand_in;
mod stored_outputs;
#[cfg(test)]
mod tests;
mod turns;
mod values;
mod video;
#[cfg(test)]
mod view_tests;

use super::action::AppAction;
use super::bars::{Bar, EngineInfo};
use super::game::{Game, OpenPosition, StoredValues};
use super::game_analysis::{AnalysisEvent, AnalysisOutcome};
use super::ids::{BarId, EngineId, GameId, RelayId, SourceId};
use super::notices::{Notice, NoticeQueue};
use super::open_request::OpenRequest;
use super::outputs::{OutputId, Programme};
use super::recent::RecentFiles;
use super::record_file::{RecordFile, RecoverableRecord};
use super::settings::ModelSettings;
use super::workspace::Workspace;
use crate::Message;
pub use drill::DrillState;
use engine_games::EnginePlayer;
use engines::EngineChoice;
pub use engines::{EnginePurpose, EngineShare};
pub use event::{AppEffect, AppEvent};
use graph_fill::GraphFill;
use jobs::StartedJobs;
use opening::{OpenTarget, OpeningAddress, OpeningFiles};
use shared_engines::EngineSharing;
pub use shelf::ShelfState;
use shogibar_base::Lang;
use shogibar_base::visible::visible_file_name;
use shogibar_engine::session::{SearchTarget, Snapshot};
use shogibar_games::analysis::EngineScales;
use shogibar_games::bar::{BarInput, BarNotice, BarView};
use shogibar_games::phrase::game_number;
use shogibar_shogi::Position;
use stand_in::StandIn;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::time::Duration;
use turns::SearchTurns;
pub use turns::TICK_INTERVAL;
use values::ValueStore;
pub use video::VideoState;

/// The maximum number of engines of a bar: more do not fit side by side.
pub const MAX_ENGINES_PER_BAR: usize = 2;

/// The options of the model at the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelOptions {
    /// The largest number of bars whose engines search all games in turn. With `None`, the engines of a bar search only
    /// its game.
    pub shared_bars: Option<usize>,
    /// Whether the newest game of a list is chosen automatically, because no user can choose.
    pub chooses_newest: bool,
    /// Whether the built-in engine replaces engines that cannot be used. Set only where the user can choose another
    /// engine.
    pub uses_stand_in: bool,
}

/// The data that earlier runs have stored.
#[derive(Clone, Debug, Default)]
pub struct StoredFiles {
    /// The recently opened files, the latest first.
    pub recent_files: Vec<PathBuf>,
    /// The records of programs that ended abnormally.
    pub recoverable_records: Vec<RecoverableRecord>,
    /// The folder of the autosave copies; `None` where no files are stored.
    pub autosave_folder: Option<PathBuf>,
    /// The engines' values that were shown in earlier runs, by game.
    pub values: Vec<StoredValues>,
}

/// A bar, its engines and their search targets.
#[derive(Debug)]
struct BarEntry {
    id: BarId,
    bar: Bar,
    choice: EngineChoice,
    target: SearchTarget,
    /// Whether the bar has no engines, and shows the values of another bar with this game.
    borrows_values: bool,
    /// Whether the bar has no engines, because others already worked when it was added.
    shares_engines: bool,
    /// The engines that the user is asked about: to start them, or to share those of other bars. Empty without a
    /// question.
    offered_engines: Vec<String>,
}

/// The state of the program: all games, bars and engines. [`AppModel::update`] applies an event, and returns the
/// effects. Pure.
#[expect(clippy::struct_excessive_bools, reason = "each flag is an independent fact")]
#[derive(Debug)]
pub struct AppModel {
    /// The games, in the order of their tabs. Never empty.
    games: Vec<(GameId, Game)>,
    /// The bars. Never empty, and each shows one of the games.
    bars: Vec<BarEntry>,
    /// The bar whose game the study page shows.
    study_bar: BarId,
    /// The empty game that a look-up of a closed game returns.
    closed_game: Game,
    /// The empty bar that a look-up of a closed bar returns.
    closed_bar: Bar,
    notices: NoticeQueue,
    recent_files: RecentFiles,
    opening_files: Vec<OpeningFiles>,
    /// The addresses that were opened and have no game yet.
    opening_addresses: Vec<OpeningAddress>,
    /// The records of programs that ended abnormally, with unsaved changes.
    recoverable_records: Vec<RecoverableRecord>,
    autosave_folder: Option<PathBuf>,
    /// Whether the study page is open. Notices about a record's file are then shown there, and not on a bar that
    /// others may be watching.
    is_study_open: bool,
    /// Whether the bars are shown nowhere: only that of the study page has engines that search.
    hides_bars: bool,
    settings: ModelSettings,
    /// The scales of the user's engines.
    scales: EngineScales,
    /// The changed position that the user sets up on the study page.
    edited_position: Option<(GameId, Box<Position>)>,
    /// The last id that was given to a game, bar, engine or source.
    last_id: u64,
    /// The games with a question for the user.
    asking_games: BTreeSet<GameId>,
    /// The revisions of games that are saved, or that the user agreed to lose. `None` unless the program is to end.
    quit_revisions: Option<BTreeMap<GameId, u64>>,
    /// The games without a file whose autosave copies stay when the program ends.
    kept_scratch_games: BTreeSet<GameId>,
    /// Whether the program ends: the user has requested it, and every game is saved or may be lost.
    is_quitting: bool,
    /// The workspace that was stored last.
    workspace: Workspace,
    values: ValueStore,
    /// The relays that have no position yet, with the names of their engines.
    waiting_relays: BTreeMap<RelayId, String>,
    relay_games: BTreeMap<RelayId, GameId>,
    /// The source that watches the clipboard, if that is watched.
    clipboard: Option<SourceId>,
    /// Whether the newest game of a source's list is chosen without the user.
    chooses_newest: bool,
    stand_in: StandIn,
    graph_fill: GraphFill,
    /// The games without a bar that the engines of the bars also search.
    engine_sharing: EngineSharing,
    /// The maximum number of bars that are added automatically for sources opened together. Each has an engine.
    max_bars: usize,
    turns: SearchTurns,
    /// Whether the model has asked for [`AppEvent::Tick`]s.
    is_ticking: bool,
    jobs: StartedJobs,
    drill: DrillState,
    shelf: ShelfState,
    video: VideoState,
    programme: Programme,
    /// The engine that plays a game against the user.
    engine_player: Option<EnginePlayer>,
    /// The time of the present event since the program was started.
    now: Duration,
    /// The number of changes that need another window: bars that were added or closed, and requests for the study page.
    window_changes: u64,
    /// The number of requests of other programs for the study page.
    study_requests: u64,
    effects: Vec<AppEffect>,
}

impl AppModel {
    /// Creates the model with one empty game on one bar, without engines.
    pub fn new(lang: Lang, stored: StoredFiles, options: ModelOptions) -> Self {
        let StoredFiles {
            recent_files: recent,
            recoverable_records: recoverable,
            autosave_folder,
            values,
        } = stored;
        let mut model = Self {
            games: Vec::new(),
            bars: Vec::new(),
            study_bar: BarId::default(),
            closed_game: Game::new(lang),
            closed_bar: Bar::default(),
            notices: NoticeQueue::default(),
            recent_files: RecentFiles::new(recent),
            opening_files: Vec::new(),
            opening_addresses: Vec::new(),
            recoverable_records: recoverable,
            autosave_folder,
            is_study_open: false,
            hides_bars: false,
            settings: ModelSettings {
                lang,
                ..ModelSettings::default()
            },
            scales: EngineScales::default(),
            edited_position: None,
            last_id: 0,
            asking_games: BTreeSet::new(),
            quit_revisions: None,
            kept_scratch_games: BTreeSet::new(),
            is_quitting: false,
            workspace: Workspace::default(),
            values: ValueStore::new(values),
            waiting_relays: BTreeMap::new(),
            relay_games: BTreeMap::new(),
            clipboard: None,
            chooses_newest: options.chooses_newest,
            stand_in: StandIn::new(options.uses_stand_in),
            graph_fill: GraphFill::default(),
            engine_sharing: if options.shared_bars.is_some() {
                EngineSharing::All
            } else {
                EngineSharing::Off
            },
            max_bars: options.shared_bars.unwrap_or(shared_engines::MAX_SHARED_BARS),
            turns: SearchTurns::default(),
            is_ticking: false,
            jobs: StartedJobs::default(),
            drill: DrillState::default(),
            shelf: ShelfState::default(),
            video: VideoState::default(),
            programme: Programme::default(),
            engine_player: None,
            now: Duration::ZERO,
            window_changes: 0,
            study_requests: 0,
            effects: Vec::new(),
        };
        let game = model.add_game();
        model.study_bar = model.add_bar_for(game);
        model.set_targets();
        model.workspace = model.current_workspace();
        model
    }

    /// Returns the games, in the order of their tabs.
    pub fn games(&self) -> impl Iterator<Item = (GameId, &Game)> {
        self.games.iter().map(|(id, game)| (*id, game))
    }

    /// Returns a game; an empty one if it is closed.
    pub fn game(&self, id: GameId) -> &Game {
        self.games
            .iter()
            .find(|(known, _)| *known == id)
            .map_or(&self.closed_game, |(_, game)| game)
    }

    fn game_mut(&mut self, id: GameId) -> Option<&mut Game> {
        self.games
            .iter_mut()
            .find(|(known, _)| *known == id)
            .map(|(_, game)| game)
    }

    /// Returns the bars, in order.
    pub fn bars(&self) -> impl Iterator<Item = (BarId, &Bar)> {
        self.bars.iter().map(|entry| (entry.id, &entry.bar))
    }

    /// Returns a bar; an empty one if it is closed.
    pub fn bar(&self, id: BarId) -> &Bar {
        self.bars
            .iter()
            .find(|entry| entry.id == id)
            .map_or(&self.closed_bar, |entry| &entry.bar)
    }

    fn entry_mut(&mut self, id: BarId) -> Option<&mut BarEntry> {
        self.bars.iter_mut().find(|entry| entry.id == id)
    }

    /// Returns whether a bar shows a game that is in progress elsewhere.
    pub fn is_live(&self) -> bool {
        self.bars
            .iter()
            .any(|entry| self.game(entry.bar.game()).is_live())
    }

    /// Returns whether a game of other players is followed: by an address, off the screen, or behind a shogi GUI.
    pub fn follows_others(&self) -> bool {
        self.games.iter().any(|(_, game)| game.follows_others())
    }

    /// Returns the bar whose game the study page shows.
    pub const fn study_bar(&self) -> BarId {
        self.study_bar
    }

    /// Returns the game on the study page.
    pub fn study_game(&self) -> GameId {
        self.bar(self.study_bar).game()
    }

    /// Returns the titles of the games for tabs and menus: the name of the file, the players, or a number. Of equal
    /// titles, the later ones are numbered.
    pub fn game_titles(&self) -> impl Iterator<Item = String> {
        let mut counts = HashMap::new();
        let title = move |(index, (_, game)): (usize, &(GameId, Game))| {
            let title = game
                .title()
                .unwrap_or_else(|| game_number(index + 1, self.settings.lang));
            let count = counts
                .entry(title.clone())
                .and_modify(|count| *count += 1)
                .or_insert(1_usize);
            if *count == 1 {
                title
            } else {
                format!("{title} ({count})")
            }
        };
        self.games.iter().enumerate().map(title)
    }

    /// Returns each game with its title. The players follow the name of a file, because files of broadcasts are often
    /// named by number.
    pub fn titles_with_players(&self) -> impl Iterator<Item = (GameId, String)> {
        self.game_titles()
            .zip(&self.games)
            .map(|(title, (id, game))| match game.players() {
                Some(players) if players != title => (*id, format!("{title}　{players}")),
                _ => (*id, title),
            })
    }

    /// Returns the recently opened files, the latest first.
    pub fn recent_files(&self) -> &[PathBuf] {
        self.recent_files.files()
    }

    /// Returns the number of recoverable records, and the name of the first one's file; `None` where there are none.
    /// Such a record has unsaved changes of a program that ended abnormally.
    pub fn recovery_summary(&self) -> Option<(usize, Option<String>)> {
        let original = self.recoverable_records.first()?.original_file.as_ref();
        Some((
            self.recoverable_records.len(),
            original.and_then(|original| visible_file_name(&original.path)),
        ))
    }

    /// Returns the games that have a question for the user about their records.
    pub const fn asking_games(&self) -> &BTreeSet<GameId> {
        &self.asking_games
    }

    /// Returns whether a game is open.
    pub fn has_game(&self, id: GameId) -> bool {
        self.games.iter().any(|(known, _)| *known == id)
    }

    /// Returns whether a file is being read.
    pub fn is_opening(&self) -> bool {
        self.games
            .iter()
            .any(|(_, game)| game.file.opening_path().is_some())
    }

    /// Returns whether an analysis of a game is running.
    pub fn is_analysing(&self) -> bool {
        self.games.iter().any(|(_, game)| game.analysis.is_some())
    }

    /// Returns whether the program ends. All further events but [`AppEvent::ProgramEnding`] are then ignored.
    pub const fn is_quitting(&self) -> bool {
        self.is_quitting
    }

    /// Returns the settings that the model follows.
    pub const fn settings(&self) -> &ModelSettings {
        &self.settings
    }

    /// Returns the scales of the user's engines.
    pub const fn scales(&self) -> &EngineScales {
        &self.scales
    }

    /// Returns the changed position that the user sets up on the study page.
    pub fn edited_position(&self) -> Option<&Position> {
        self.edited_position.as_ref().map(|(_, position)| &**position)
    }

    /// Returns the event of a change of the settings.
    pub fn changed_settings(&self, change: impl FnOnce(&mut ModelSettings)) -> AppEvent {
        let mut settings = self.settings.clone();
        change(&mut settings);
        AppEvent::Settings(settings)
    }

    /// Applies changed settings to the games, bars and texts.
    fn apply_settings(&mut self, settings: ModelSettings) {
        let before = std::mem::replace(&mut self.settings, settings);
        let ModelSettings {
            lang,
            fills_graph,
            pauses_hidden,
            watches_clipboard,
            shares_engines,
            ..
        } = self.settings;
        self.bars
            .iter_mut()
            .for_each(|entry| entry.bar.set_pauses_hidden(pauses_hidden));
        self.games
            .iter_mut()
            .for_each(|(_, game)| game.set_language(lang));
        self.graph_fill.set_on(fills_graph);
        if before.watches_clipboard != watches_clipboard {
            self.watch_clipboard(watches_clipboard);
        }
        if before.shares_engines != shares_engines {
            self.share_with_live_games(shares_engines);
        }
    }

    /// Stores the evaluations of a game that has a result: the shown ones, and those of `analysed` engines in the
    /// record.
    fn store_results(&mut self, id: GameId, analysed: &[String]) {
        let games = if self.settings.keeps_results {
            self.game(id).user_games(analysed)
        } else {
            Vec::new()
        };
        if !games.is_empty() {
            self.effects.push(AppEffect::StoreResults(games));
        }
    }

    fn store_all_results(&mut self) {
        let games: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
        for id in games {
            self.store_results(id, &[]);
        }
    }

    /// Returns the number of changes that need another window: added or closed bars, and requests for the study page.
    pub const fn window_changes(&self) -> u64 {
        self.window_changes
    }

    /// Returns the number of requests of other programs for the study page.
    pub const fn study_requests(&self) -> u64 {
        self.study_requests
    }

    /// Returns the language of the screen.
    pub const fn lang(&self) -> Lang {
        self.settings.lang
    }

    /// Returns the queue of notices for all windows.
    pub const fn notices(&self) -> &NoticeQueue {
        &self.notices
    }

    /// Returns the present content of a bar for its user, with a notice.
    pub fn private_view(&self, id: BarId) -> BarView {
        let bar = self.bar(id);
        let notice = self.bar_notice(id).map(|notice| notice.text(self.settings.lang));
        let view = self.bar_input(id).view(notice.as_ref(), self.settings.lang);
        if self.awaits_analysis(bar.game()) {
            view.with_pause_for_analysis(self.settings.lang)
        } else {
            view
        }
    }

    /// Returns the present content of a bar, without texts.
    pub(crate) fn bar_input(&self, id: BarId) -> BarInput {
        let (bar, lender) = (self.bar(id), self.bar(self.lender(id)));
        let shared = self.shared_bar(lender);
        BarInput {
            is_hidden: bar.is_hidden_now(),
            ..shared.as_ref().unwrap_or(lender).input(self.game(bar.game()))
        }
    }

    /// Returns the bar whose engines evaluate the game of a bar: that bar itself, or the lender of its values.
    pub fn lender(&self, id: BarId) -> BarId {
        let borrows = self
            .bars
            .iter()
            .find(|entry| entry.id == id)
            .filter(|entry| entry.borrows_values);
        let lender = borrows.and_then(|own| {
            self.bars
                .iter()
                .find(|entry| !entry.borrows_values && entry.bar.game() == own.bar.game())
        });
        lender.map_or(id, |entry| entry.id)
    }

    /// Starts an engine for each bar that shows the values of another bar, once no other bar shows its game.
    fn end_borrowing(&mut self) {
        let alone = self
            .bars
            .iter()
            .filter(|entry| entry.borrows_values && self.lender(entry.id) == entry.id);
        for bar in alone.map(|entry| entry.id).collect::<Vec<_>>() {
            if let Some(entry) = self.entry_mut(bar) {
                entry.borrows_values = false;
            }
            let name = self
                .bars
                .iter()
                .find_map(|entry| self.managed_engine_name(entry.id))
                .unwrap_or_default();
            if !self.offer_sharing(bar, std::slice::from_ref(&name)) {
                self.start_another(bar, name);
            }
        }
    }

    /// Returns the notice on a bar. A bar on air has none. Notices that the open study page shows are left out.
    pub(crate) fn bar_notice(&self, id: BarId) -> Option<&Notice> {
        if self.is_on_air(OutputId::Bar(id)) {
            return None;
        }
        let mut notices = self
            .notices
            .all_on_bars()
            .filter(|notice| notice.bar().unwrap_or(self.study_bar) == id)
            .chain(self.game_notices(id));
        notices.find(|notice| id != self.study_bar || !self.is_for_open_study(notice))
    }

    /// Returns whether the engines of a game pause for the analysis of another one.
    pub fn awaits_analysis(&self, game: GameId) -> bool {
        self.game(game).analysis.is_none() && self.is_analysing()
    }

    /// Returns the notice for the open study page, with its cause.
    pub fn study_notice(&self) -> Option<BarNotice> {
        let mut notices = self.notices_on(self.study_bar);
        notices
            .find(|notice| self.is_for_open_study(notice))
            .cloned()
            .or_else(|| {
                self.game(self.study_game())
                    .stop_remark()
                    .map(|remark| Notice::pending(remark.into()))
            })
            .map(|notice| notice.full_text(self.settings.lang))
    }

    /// Returns the notices for a bar, the most important first: those of the queue, of the record of its game and of
    /// its source. A notice without a bar is for that of the study page.
    fn notices_on(&self, bar: BarId) -> impl Iterator<Item = &Notice> {
        self.notices
            .all()
            .filter(move |notice: &&Notice| notice.bar().unwrap_or(self.study_bar) == bar)
            .chain(self.game_notices(bar))
    }

    fn game_notices(&self, bar: BarId) -> impl Iterator<Item = &Notice> {
        let game = self.game(self.bar(bar).game());
        game.unreadable().into_iter().chain(game.source_notice())
    }

    fn is_for_open_study(&self, notice: &Notice) -> bool {
        self.is_study_open && (notice.is_for_study() || self.is_on_air(OutputId::Bar(self.study_bar)))
    }

    /// Returns whether the bars are shown nowhere.
    pub const fn hides_bars(&self) -> bool {
        self.hides_bars
    }

    /// Applies an event and returns the effects, in order.
    pub fn update(&mut self, event: AppEvent) -> Vec<AppEffect> {
        if self.is_quitting && !matches!(event, AppEvent::ProgramEnding) {
            return Vec::new();
        }
        let mut is_snapshot = matches!(event, AppEvent::Snapshot(..) | AppEvent::Tick);
        let bars = self.bars.len();
        match event {
            AppEvent::Action(bar, action) => self.act(bar, action),
            AppEvent::File(game, event) => self.on_file_event(game, event),
            AppEvent::EngineStarted(id, result) => self.on_engine_started(id, result),
            AppEvent::NetDiffers(id) => self.on_net_differs(id),
            AppEvent::Snapshot(id, snapshot) if self.is_player(id) => {
                is_snapshot = !self.on_player_snapshot(*snapshot);
            }
            AppEvent::Snapshot(id, snapshot) => self.on_snapshot(id, *snapshot),
            AppEvent::Analysis(game, event) => self.on_analysis_event(game, event),
            AppEvent::RelayConnected(relay, name) => self.on_relay_connected(relay, name),
            AppEvent::RelayChanged(relay, observed) => self.on_relay_changed(relay, *observed),
            AppEvent::RelayEnded(relay, failure) => self.on_relay_ended(relay, failure),
            AppEvent::Source(source, event) => self.on_source_event(source, event),
            AppEvent::OpenGiven(addresses, position) => {
                self.open_on(OpenTarget::AtOnce(self.study_bar), addresses);
                self.open_at(position);
            }
            AppEvent::HandedOver(request) => self.open_beside(request),
            AppEvent::SettingsProblems(problems) => {
                self.notices
                    .drop_fixed(Some(&problems), !self.recoverable_records.is_empty());
            }
            AppEvent::PageClients(clients) => self.set_page_clients(clients),
            AppEvent::BoardWindow(is_open) => self.set_board_window(is_open),
            AppEvent::ScalesChanged(scales) => self.scales = scales,
            AppEvent::Control(command, game) => self.control(&command, game),
            AppEvent::ShowNewest(game) => self.show_newest(game),
            AppEvent::Restore(workspace) => self.restore(&workspace),
            AppEvent::ProgramEnding => self.store_all_results(),
            AppEvent::JobResult(result) => self.on_job_result(result),
            AppEvent::JobFailed(job) => {
                for result in job.failed() {
                    self.on_job_result(result);
                }
            }
            AppEvent::DrillLinesStored(problem) => self.on_drill_stored(problem),
            AppEvent::BarsHidden(hides) => self.hides_bars = hides,
            AppEvent::Settings(settings) => self.apply_settings(settings),
            // `finish` reads the records, after every event.
            AppEvent::ReadMore => {}
            AppEvent::Tick => {
                self.on_tick();
                is_snapshot = !self.check_clock();
            }
            AppEvent::Notice(message) => self.notices.set_result(&message, self.study_bar, false),
        }
        self.window_changes += u64::from(self.bars.len() != bars);
        self.finish(is_snapshot)
    }

    /// Reads more comments of the games on the bars, as many as one frame allows. Returns whether comments remain.
    pub fn read_more_comments(&self) -> bool {
        self.bars
            .iter()
            .any(|entry| !self.game(entry.bar.game()).read_comments())
    }

    /// Updates engines, questions and stored data after an event. Removes and returns the effects to carry out.
    fn finish(&mut self, is_snapshot: bool) -> Vec<AppEffect> {
        if is_snapshot {
            self.update_programme();
            if self.has_delay() {
                // Viewers may see a later position now.
                self.store_workspace();
            }
        } else {
            let games: Vec<_> = self.games.iter().map(|(id, _)| *id).collect();
            for id in games {
                self.finish_game(id);
            }
            if !self.is_quitting && !self.games.iter().any(|(_, game)| game.file.delays_quit()) {
                // No game asks or saves for the end of the program any more: the user has cancelled it.
                self.quit_revisions = None;
                self.kept_scratch_games.clear();
            }
            self.show_question();
            self.end_borrowing();
            self.update_player();
            self.set_targets();
            self.update_fill();
            self.find_facts();
            self.update_shelf();
            if !self.update_insight() | self.read_more_comments() {
                self.effects.push(AppEffect::ReadMore);
            }
            self.update_programme();
            self.store_workspace();
            self.store_values();
        }
        self.update_ticking();
        self.find_last_move_facts();
        if !self.bar(self.study_bar).has_failed() {
            self.notices.show_next();
        }
        std::mem::take(&mut self.effects)
    }

    /// Writes the findings of a running analysis again after an undone change, autosaves a game after a change, and
    /// collects the effects of its file.
    fn finish_game(&mut self, id: GameId) {
        let Some(game) = self.game_mut(id) else { return };
        if let Some(analysis) = game.analysis.take() {
            game.edit(|document| analysis.restore_findings(document));
            game.analysis = Some(analysis);
        }
        if game.is_unsaved() {
            // The user has changed the present record, so the file of the tab is no longer read in its place.
            game.unread_path = None;
        }
        let revision = game.document().revision();
        if std::mem::replace(&mut game.autosaved_revision, revision) != revision {
            game.with_file(RecordFile::autosave);
        }
        self.take_effects(id);
    }

    fn take_effects(&mut self, id: GameId) {
        let Some(game) = self.game_mut(id) else { return };
        let (recent, effects) = (game.file.take_recent(), game.file.take_effects());
        if let Some(path) = recent
            && self.recent_files.add(&path)
        {
            self.effects
                .push(AppEffect::StoreRecent(self.recent_files.files().to_vec()));
        }
        self.effects
            .extend(effects.into_iter().map(|effect| AppEffect::File(id, effect)));
    }

    /// Shows a game on the study page when it has a new question for the user.
    fn show_question(&mut self) {
        let games = self.games.iter().filter(|(_, game)| game.file.has_question());
        let asking: BTreeSet<_> = games.map(|(id, _)| *id).collect();
        let new = asking.iter().find(|id| !self.asking_games.contains(id)).copied();
        self.asking_games = asking;
        if let Some(game) = new {
            self.show_in_study(game);
        }
    }

    /// Sets the search targets of the engines, if they have changed.
    fn set_targets(&mut self) {
        let is_analysing = self.is_analysing();
        let (hides_bars, study_bar) = (self.hides_bars, self.study_bar);
        let preview = self.programme.preview.map(|preview| preview.bar);
        let hidden: Vec<_> = self
            .bars
            .iter()
            .map(|entry| self.hides_values(entry.bar.game()))
            .collect();
        for (BarEntry { id, bar, .. }, hides_values) in self.bars.iter_mut().zip(hidden) {
            bar.set_analysis_running(is_analysing);
            // A preview is seen on the study page alone.
            bar.set_unseen(hides_bars && *id != study_bar || preview == Some(*id) && !self.is_study_open);
            bar.set_playing(hides_values);
        }
        self.update_turns();
        let (games, turns, time_limit) = (&self.games, &self.turns, self.settings.position_limit);
        for BarEntry { id, bar, target, .. } in &mut self.bars {
            let searched = match turns.game_of(*id) {
                Some(game) if turns.is_needed() => game,
                _ => bar.game(),
            };
            // The engines rest once the game of their bar is closed.
            let found = games.iter().find(|(id, _)| *id == searched);
            let Some((_, game)) = found else {
                let rest = SearchTarget {
                    is_paused: true,
                    ..SearchTarget::default()
                };
                if *target != rest {
                    *target = rest;
                    let engines = bar.managed_engines();
                    self.effects
                        .extend(engines.map(|engine| AppEffect::SetTarget(engine.id, target.clone())));
                }
                continue;
            };
            let new = SearchTarget {
                time_limit,
                ..bar.search_target(game)
            };
            if searched == bar.game() {
                bar.record_target(&new);
            }
            if *target != new {
                *target = new;
                self.effects.extend(
                    bar.managed_engines()
                        .map(|engine| AppEffect::SetTarget(engine.id, target.clone())),
                );
            }
        }
    }

    fn store_workspace(&mut self) {
        let workspace = self.current_workspace();
        if self.workspace != workspace {
            self.workspace = workspace.clone();
            self.effects.push(AppEffect::StoreWorkspace(workspace));
        }
    }

    /// Applies a snapshot of an engine of a bar, or of the engine that fills the graphs.
    fn on_snapshot(&mut self, id: EngineId, snapshot: Snapshot) {
        if self.is_fill_engine(id) {
            return self.on_fill_snapshot(&snapshot);
        }
        self.update_engine(id, snapshot);
        self.check_usable(id);
    }

    /// Updates the snapshot of an engine, and stores its values with the games that have the searched position. If the
    /// snapshot answers the user's question, the engines return to the game.
    fn update_engine(&mut self, id: EngineId, snapshot: Snapshot) {
        let Some(at) = self.bars.iter().position(|entry| entry.bar.engine(id).is_some()) else {
            return;
        };
        let snapshot = self.store_values_of_other_games(at, id, snapshot);
        let Some(BarEntry { bar, .. }) = self.bars.get_mut(at) else {
            return;
        };
        bar.update_engine(id, snapshot);
        let game = self
            .games
            .iter_mut()
            .find(|(id, _)| *id == bar.game())
            .map(|(_, game)| game);
        let report = bar.engine(id).map(|engine| &engine.report);
        let Some(game) = game else { return };
        if let Some(report) = report {
            game.add_snapshot(&report.name, &report.snapshot);
        }
        let is_lead = bar.lead_engine().is_some_and(|lead| lead.id == id);
        let is_answered = match (&mut game.inquiry, report) {
            (Some(asked), Some(report)) if is_lead => asked.update(&report.snapshot),
            _ => false,
        };
        if is_answered {
            let game = bar.game();
            self.solve_mate(game);
            self.set_targets();
        }
    }

    /// Applies an event of the analysis of a game. At the end of the analysis, shows its message.
    fn on_analysis_event(&mut self, id: GameId, event: AnalysisEvent) {
        let Some(game) = self.game_mut(id) else { return };
        let Some(mut analysis) = game.analysis.take() else {
            return;
        };
        let analysed = analysis.engines();
        match game.edit(|document| analysis.on_event(event, document)) {
            AnalysisOutcome::Running(effect) => {
                game.analysis = Some(analysis);
                self.effects
                    .extend(effect.map(|effect| AppEffect::Analysis(id, effect)));
            }
            AnalysisOutcome::Done(message) => {
                self.store_results(id, &analysed);
                self.notices.set_result(&message, self.bar_of_or_study(id), false);
            }
            AnalysisOutcome::Failed(message) => {
                self.notices.set_result(&message, self.bar_of_or_study(id), true);
            }
            AnalysisOutcome::Ended => {}
        }
    }

    /// Reports a failure about a game. The report stays if the file of the game's tab cannot be read.
    fn show_problem(&mut self, id: GameId, why: &Message) {
        let is_unreadable =
            matches!(why, Message::RecordUnreadable(..)) && self.game(id).unread_path.is_some();
        let stays = is_unreadable && self.game_mut(id).is_some_and(|game| game.set_unreadable(why));
        if !stays {
            self.notices.set_result(why, self.bar_of_or_study(id), true);
        }
    }

    /// Returns the bar for the notices of a game: its own, or else that of the study page.
    fn bar_of_or_study(&self, game: GameId) -> BarId {
        self.bar_of(game).unwrap_or(self.study_bar)
    }

    fn bar_of(&self, game: GameId) -> Option<BarId> {
        self.bars
            .iter()
            .find(|entry| entry.bar.game() == game)
            .map(|entry| entry.id)
    }

    /// Returns a new id for a game, bar, engine or source.
    const fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }
}
