//! The viewer: the model of the application, and the threads and engines that carry out its effects.

use super::effects::analysis::{AnalysisThreads, SharedEngineFactory};
use super::effects::drill::DrillFileThread;
use super::effects::files::FileThreads;
use super::effects::jobs::JobPool;
#[cfg(feature = "gui")]
use super::effects::local_socket::{ProfileModelFn, SocketServer};
use super::effects::pages::{
    ObsPageControl, ObsPagesAddress, ObsPagesSettings, ObsPagesStarted, ObsPagesSwitch, RunningObsPages,
};
use super::effects::pieces_file::shared_pieces;
use super::effects::sources::SourceThreads;
use super::effects::ticks::TickThread;
use shogibar_base::threads::{self, lock};
use shogibar_base::{Lang, Latest};
use shogibar_config::Profile;
use shogibar_engine::session::{SearchTarget, Session};
use shogibar_files::FileLock;
use shogibar_games::bar::{BarView, FollowMode};
use shogibar_games::calibration::is_fit_of_other_net;
use shogibar_games::study::DrillLine;
use shogibar_kifu::Warning;
use shogibar_machine::store::Store;
use shogibar_machine::traffic::TrafficLog;
use shogibar_model::action::AppAction;
use shogibar_model::ids::{BarId, GameId};
use shogibar_model::pages::control::ControlLog;
use shogibar_model::record_file::WakeFn;
use shogibar_model::settings::ModelSettings;
use shogibar_model::{AppEffect, AppEvent, AppModel, EngineId, EngineInfo, EngineShare, Message};
#[cfg(feature = "gui")]
use shogibar_obs::{ControlAction, ControlFolders, ObsDriver};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The capacity of the inbox. A thread with an event waits while the inbox is full.
const INBOX_CAPACITY: usize = 256;

/// The longest time for which an update handles messages of other threads.
const MAX_UPDATE_TIME: Duration = Duration::from_millis(10);

/// A started engine with its session.
#[derive(Debug)]
pub struct StartedEngine {
    /// The parameters that the engine was started with.
    pub info: EngineInfo,
    /// The session that runs the engine.
    pub session: Session,
    /// The profile of the engine, if it has a K that was fitted to its net.
    pub fitted_profile: Option<Box<Profile>>,
}

/// A function that starts an engine by its name, or the default engine if the name is empty. Slow: it reads the user's
/// engines and searches for the program.
pub type StartEngine = Box<dyn Fn(&str, EngineShare) -> anyhow::Result<StartedEngine> + Send>;

/// A function that reports the warnings of reading a file, or why it cannot be read, to a user at a terminal.
pub type WarningReporter = Box<dyn Fn(&Path, &Result<Vec<Warning>, Message>) + Send>;

/// A message from another thread: an event, an engine that was started, or the result of starting the OBS pages.
enum InboxMessage {
    Event(AppEvent),
    Started(EngineId, anyhow::Result<StartedEngine>),
    Pages(Box<ObsPagesStarted>),
}

/// The sender of messages to the inbox, each of which leads to an update.
#[derive(Clone)]
struct Outbox {
    sender: SyncSender<InboxMessage>,
    wake: WakeFn,
}

impl Outbox {
    /// Sends a message. Waits while the inbox is full.
    fn send(&self, message: InboxMessage) {
        // An error means that the program ends.
        let _sent = self.sender.send(message);
        (self.wake)();
    }

    /// Sends an event, unless the inbox is full.
    fn try_send(&self, event: AppEvent) {
        let _sent = self.sender.try_send(InboxMessage::Event(event));
        (self.wake)();
    }

    /// Returns a function that sends events.
    fn event_sender(&self) -> impl Fn(AppEvent) + Send + Sync + 'static {
        let outbox = self.clone();
        move |event| outbox.send(InboxMessage::Event(event))
    }
}

/// The parts of a viewer besides its model.
#[expect(
    missing_debug_implementations,
    reason = "it holds callbacks, which have no Debug"
)]
pub struct ViewerParts {
    /// The engines of the first bar, which run already.
    pub engines: Vec<StartedEngine>,
    /// The engine that the bar follows, or their mean.
    pub follow: FollowMode,
    /// The lock on the stored workspace; `None` if another instance has it.
    pub(crate) workspace_lock: Option<FileLock>,
    /// Starts engines.
    pub start: StartEngine,
    /// The threads that analyse games.
    pub analysis: AnalysisThreads,
    /// Reports the result of opening files.
    pub report: WarningReporter,
    /// Called from another thread when there are events for the next [`update`](Viewer::update).
    pub wake: WakeFn,
    /// Whether the program has to end, as a signal requests.
    pub is_interrupted: Arc<AtomicBool>,
    /// Whether the engines search nothing until [`Viewer::begin_searches`] is called.
    pub holds_searches: bool,
}

impl ViewerParts {
    /// Creates the parts of a viewer without engines, which can start no engine.
    pub fn without_engines() -> Self {
        Self {
            engines: Vec::new(),
            follow: FollowMode::One(0),
            workspace_lock: None,
            start: Box::new(|_, _| anyhow::bail!("there is none")),
            analysis: AnalysisThreads::new(Box::new(|_, _| Ok(Vec::new())), Arc::new(|| {})),
            report: Box::new(|_, _| {}),
            wake: Arc::new(|| {}),
            is_interrupted: Arc::default(),
            holds_searches: false,
        }
    }
}

/// The model, its engines, and the threads for its files.
pub struct Viewer {
    model: AppModel,
    sessions: BTreeMap<EngineId, Session>,
    held_targets: Option<BTreeMap<EngineId, SearchTarget>>,
    /// Dropped before the lock, so that the next program can open its socket.
    #[cfg(feature = "gui")]
    socket: Option<SocketServer>,
    workspace_lock: Option<FileLock>,
    start: Arc<Mutex<StartEngine>>,
    analysis: AnalysisThreads,
    analysis_game: GameId,
    report: WarningReporter,
    wake: WakeFn,
    is_interrupted: Arc<AtomicBool>,
    inbox: Receiver<InboxMessage>,
    outbox: Outbox,
    /// The threads that read and write files. `None` once the program ends.
    files: Option<FileThreads>,
    sources: SourceThreads,
    /// The timer of the search turns. `None` unless the searches of several games take turns.
    ticks: Option<TickThread>,
    jobs: JobPool,
    /// The file of the deck of mistakes; `None` without a user's folder.
    drill_file: Option<PathBuf>,
    /// The thread that writes to `drill_file`, once it is needed.
    drill_thread: Option<DrillFileThread>,
    /// The view of each bar. A view is missing while it has to be computed again.
    views: BTreeMap<BarId, BarView>,
    /// The private view of the study page's bar; `None` while it has to be computed again.
    study_view: Option<BarView>,
    /// The minimum time between two updates of the bar; `None` for the default of the sessions.
    interval: Option<Duration>,
    log: TrafficLog,
    /// The slot in which changed settings of the user arrive.
    settings: Latest<ModelSettings>,
    pages: ObsPagesSwitch,
    /// The control of OBS; `None` without windows.
    #[cfg(feature = "gui")]
    obs: Option<ObsDriver>,
    /// Whether the control of OBS has seen the present model.
    #[cfg(feature = "gui")]
    is_obs_current: bool,
    controls: ControlLog,
    /// Whether the user wants to see the desk.
    wants_desk: bool,
    /// Whether the user wants to see the board page.
    wants_board_page: bool,
    /// Whether the panel of the outputs takes the focus when it opens; `None` unless it has to open.
    wants_programme: Option<bool>,
    /// The time at which the model's clock started.
    start_time: Instant,
    #[cfg(test)]
    pub(super) actions: Arc<Mutex<Vec<AppAction>>>,
}

impl Viewer {
    /// Creates a viewer of a model. The store, where there is one, has the autosave copies.
    pub fn new(model: AppModel, store: Option<&Store>, parts: ViewerParts) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the clock of a game against an engine")]
        let started = Instant::now();
        let ViewerParts {
            engines,
            follow,
            workspace_lock,
            start,
            analysis,
            report,
            wake,
            ..
        } = parts;
        let (sender, inbox) = sync_channel(INBOX_CAPACITY);
        let outbox = Outbox {
            sender,
            wake: Arc::clone(&wake),
        };
        let send = outbox.event_sender();
        let files = Some(FileThreads::start(
            store,
            Arc::new(move |game, event| send(AppEvent::File(game, event))),
        ));
        let send = outbox.event_sender();
        let notify = move |message| send(AppEvent::Notice(message));
        let send = outbox.event_sender();
        let jobs = JobPool::new(store, Arc::new(move |result| send(AppEvent::JobResult(result))));
        let sources = SourceThreads::new(Arc::clone(&wake), Arc::new(shared_pieces(store, notify)));
        let bar = model.study_bar();
        let mut viewer = Self {
            model,
            sessions: BTreeMap::new(),
            held_targets: parts.holds_searches.then(BTreeMap::new),
            workspace_lock,
            #[cfg(feature = "gui")]
            socket: None,
            start: Arc::new(Mutex::new(start)),
            analysis,
            analysis_game: GameId::default(),
            report,
            wake,
            is_interrupted: parts.is_interrupted,
            inbox,
            outbox,
            files,
            sources,
            ticks: None,
            jobs,
            drill_file: store.map(Store::mistakes_file),
            drill_thread: None,
            views: BTreeMap::new(),
            study_view: None,
            interval: None,
            log: TrafficLog::default(),
            settings: Latest::default(),
            pages: ObsPagesSwitch::default(),
            #[cfg(feature = "gui")]
            obs: None,
            #[cfg(feature = "gui")]
            is_obs_current: false,
            controls: ControlLog::default(),
            wants_desk: false,
            wants_board_page: false,
            wants_programme: None,
            start_time: started,
            #[cfg(test)]
            actions: Arc::default(),
        };
        for StartedEngine {
            info,
            session,
            fitted_profile: fitted,
        } in engines
        {
            let (id, target) = viewer.model.add_engine(bar, info);
            viewer.sessions.insert(id, session);
            viewer.set_target(id, target);
            viewer.check_net(id, fitted);
        }
        viewer.model.follow(bar, follow);
        viewer
    }

    /// Sets the log whose problems the viewer reports.
    #[must_use]
    pub fn with_log(self, log: TrafficLog) -> Self {
        Self { log, ..self }
    }

    /// Sets the slot of settings that the model follows.
    pub fn follow_settings(&mut self, settings: Latest<ModelSettings>) {
        self.settings = settings;
    }

    /// Removes and returns the log, whose problems the caller then reports.
    pub fn take_log(&mut self) -> TrafficLog {
        std::mem::take(&mut self.log)
    }

    /// Ends the engines. Waits until they have exited and all their output is in the log.
    pub fn end_engines(&mut self) {
        self.sessions.clear();
    }

    /// Closes the local socket and ends the file threads. Waits for the autosave copies, at most 5 s for saves in
    /// progress, and at most half a second for the deck of mistakes.
    pub fn shut_down_files(&mut self) {
        #[cfg(feature = "gui")]
        {
            (self.socket, self.obs) = (None, None);
        }
        self.files = None;
        self.drill_thread = None;
    }

    /// Returns the factory for the engines of analyses.
    pub fn engine_factory(&self) -> SharedEngineFactory {
        self.analysis.factory()
    }

    /// Returns the model of the program: its games, bars and notices.
    pub const fn model(&self) -> &AppModel {
        &self.model
    }

    /// Returns the names of a bar's running engines. The engine that the bar follows comes first.
    pub fn engine_names(&self, bar: BarId) -> Vec<&str> {
        self.model.engine_names(bar)
    }

    /// Returns the largest number of candidates that an engine is asked for; 0 without engines.
    pub fn max_candidates(&self) -> usize {
        let max_candidates = self
            .model
            .engine_infos()
            .map(|info| info.candidates)
            .max()
            .unwrap_or_default();
        usize::try_from(max_candidates).unwrap_or(usize::MAX)
    }

    /// Applies an action of the user on a bar.
    pub fn act(&mut self, bar: BarId, action: AppAction) {
        #[cfg(test)]
        lock(&self.actions).push(action.clone());
        self.handle(AppEvent::Action(bar, action));
    }

    /// Applies an action of the user on the bar of the study page.
    pub fn act_on_study(&mut self, action: AppAction) {
        self.act(self.model.study_bar(), action);
    }

    /// Applies an event, and carries out its effects.
    pub fn handle(&mut self, event: AppEvent) {
        self.model.set_time(self.start_time.elapsed());
        let effects = self.model.update(event);
        self.run_all(effects);
    }

    /// Carries out effects, and applies the events that they cause at once.
    fn run_all(&mut self, effects: Vec<AppEffect>) {
        self.views.clear();
        self.study_view = None;
        self.pages.on_change();
        #[cfg(feature = "gui")]
        {
            self.is_obs_current = false;
        }
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            if let Some(event) = self.run(effect) {
                effects.extend(self.model.update(event));
            }
        }
    }

    /// Carries out an effect. Returns an event only if the effect has one at once.
    fn run(&mut self, effect: AppEffect) -> Option<AppEvent> {
        match effect {
            AppEffect::File(game, effect) => {
                let failed = self.files.as_mut().and_then(|files| files.run(game, effect));
                return failed.map(|event| AppEvent::File(game, event));
            }
            AppEffect::CloseFile(game) => self.with_files(|files| files.close(game)),
            AppEffect::DeleteCopies(copies) => self.with_files(|files| files.delete_copies(copies)),
            AppEffect::StoreRecent(recent) => self.with_files(|files| files.store_recent(recent)),
            AppEffect::StoreWorkspace(workspace) if self.workspace_lock.is_some() => {
                self.with_files(|files| files.store_workspace(workspace));
            }
            AppEffect::StoreValues(values) if self.workspace_lock.is_some() => {
                self.with_files(|files| files.store_values(values));
            }
            AppEffect::StoreWorkspace(_) | AppEffect::StoreValues(_) => {}
            AppEffect::StoreDrillLines(lines) => self.store_drill_lines(lines),
            AppEffect::StoreResults(games) => self.with_files(|files| files.store_results(games)),
            AppEffect::ReportOpened(path, result) => (self.report)(&path, &result),
            AppEffect::StartEngine { id, name, share } => return self.start_engine(id, name, share),
            // The engine may take time to exit, so it is dropped on another thread.
            AppEffect::EndEngine(id) => threads::drop_in_background(self.sessions.remove(&id)),
            AppEffect::SetTarget(id, target) => self.set_target(id, target),
            AppEffect::PressButton(id, button) => {
                if let Some(session) = self.sessions.get(&id) {
                    session.press(&button);
                }
            }
            AppEffect::StartSource(id, address, begun) => {
                return self
                    .sources
                    .start(id, address, begun)
                    .map(|event| AppEvent::Source(id, event));
            }
            AppEffect::EndSource(id) => self.sources.end(id),
            AppEffect::CorrectScreen(id, correction) => self.sources.correct_screen(id, *correction),
            AppEffect::ForgetPieces => self.sources.forget_pieces(),
            AppEffect::SetScreen(id, following) => self.sources.set_screen(id, following),
            AppEffect::Run(job) => return self.jobs.run(job).err().map(AppEvent::JobFailed),
            AppEffect::Cancel(key) => self.jobs.cancel(key),
            AppEffect::OpenDesk => self.wants_desk = true,
            AppEffect::OpenBoardPage => self.wants_board_page = true,
            AppEffect::OpenProgramme { takes_focus } => {
                self.wants_programme = Some(takes_focus || self.wants_programme == Some(true));
                (self.wake)();
            }
            AppEffect::ReadMore => {
                // A full inbox needs no signal: handling its messages leads to the next reading.
                self.outbox.try_send(AppEvent::ReadMore);
            }
            AppEffect::SetTicking(is_on) => {
                let outbox = self.outbox.clone();
                // Without a thread, each bar's engines keep searching their game.
                self.ticks = is_on
                    .then(|| TickThread::start(move || outbox.try_send(AppEvent::Tick)))
                    .and_then(Result::ok);
            }
            AppEffect::Analysis(game, effect) => {
                self.analysis_game = game;
                return self
                    .analysis
                    .run(effect)
                    .map(|event| AppEvent::Analysis(game, event));
            }
        }
        None
    }

    /// Sets the search target of an engine. While the searches are held back, stores the target.
    fn set_target(&mut self, id: EngineId, target: SearchTarget) {
        if let Some(held) = &mut self.held_targets {
            held.insert(id, target);
        } else if let Some(session) = self.sessions.get(&id) {
            session.set_target(target);
        }
    }

    /// Starts the searches that were held back.
    pub fn begin_searches(&mut self) {
        for (id, target) in self.held_targets.take().into_iter().flatten() {
            self.set_target(id, target);
        }
    }

    /// Stores lines of the deck of mistakes. Without a file or a thread, the deck lasts until the program ends.
    fn store_drill_lines(&mut self, lines: Vec<DrillLine>) {
        if self.drill_thread.is_none()
            && let Some(file) = self.drill_file.clone()
        {
            let send = self.outbox.event_sender();
            self.drill_thread =
                DrillFileThread::start(file, move |problem| send(AppEvent::DrillLinesStored(problem)));
        }
        if let Some(thread) = &self.drill_thread {
            thread.append(lines);
        }
    }

    /// Runs `work` with the threads for files, unless the program ends.
    fn with_files(&mut self, work: impl FnOnce(&mut FileThreads)) {
        if let Some(files) = &mut self.files {
            work(files);
        }
    }

    /// Starts an engine on a thread, which sends the result to the inbox. Returns an event if the system has no thread.
    fn start_engine(&self, id: EngineId, name: String, share: EngineShare) -> Option<AppEvent> {
        let (start, outbox) = (Arc::clone(&self.start), self.outbox.clone());
        let work = move || {
            let started = lock(&start)(&name, share);
            outbox.send(InboxMessage::Started(id, started));
        };
        match threads::spawn("engine-start", work) {
            Ok(thread) => {
                thread.detach();
                None
            }
            Err(why) => Some(AppEvent::EngineStarted(id, Err((&why).into()))),
        }
    }

    /// Checks on a thread whether an engine's K was fitted to another net than the present one. Reading a net takes
    /// time.
    fn check_net(&self, id: EngineId, fitted: Option<Box<Profile>>) {
        let Some(profile) = fitted else { return };
        let send = self.outbox.event_sender();
        let check = threads::spawn("net", move || {
            if is_fit_of_other_net(&profile) {
                send(AppEvent::NetDiffers(id));
            }
        });
        // Without a thread, the user gets no message about another net.
        if let Ok(thread) = check {
            thread.detach();
        }
    }

    /// Applies the new events of the settings, the sources, other threads, the analysis, the engines and the OBS pages.
    /// Called for every frame. After about 10 ms, the remaining events wait for the next update. Returns whether bars
    /// were added or closed, or the study page was requested, so that the windows have to be updated.
    pub fn update(&mut self) -> bool {
        let windows = self.model.window_changes();
        if let Some(settings) = self
            .settings
            .take()
            .filter(|settings| settings != self.model.settings())
        {
            self.handle(AppEvent::Settings(settings));
        }
        for problem in self.log.take_problems() {
            self.handle(AppEvent::Notice(Message::Log(problem)));
        }
        #[expect(
            clippy::disallowed_methods,
            reason = "the clock for the time limit of an update"
        )]
        let begun = Instant::now();
        while let Some((source, event)) = self.sources.take_one() {
            self.handle(AppEvent::Source(source, event));
            if self.is_over() || begun.elapsed() > MAX_UPDATE_TIME {
                // The remaining messages are handled in the next update.
                (self.wake)();
                break;
            }
        }
        self.handle_messages(begun);
        let snapshots = self
            .sessions
            .iter()
            .filter_map(|(id, session)| Some((*id, session.snapshot()?)));
        for (id, snapshot) in snapshots.collect::<Vec<_>>() {
            self.handle(AppEvent::Snapshot(id, Box::new(snapshot)));
        }
        if let Some(game) = self.pages.take_chosen_game() {
            self.act_on_study(AppAction::ShowInStudy(game));
        }
        if let Some(clients) = self.pages.take_clients() {
            self.handle(AppEvent::PageClients(clients));
        }
        for ObsPageControl { request, game } in self.pages.take_controls() {
            self.controls.record(&request);
            self.handle(AppEvent::Control(request.command, game));
            // The settings are changed by the root window.
            (self.wake)();
        }
        #[cfg(feature = "gui")]
        self.update_obs();
        self.pages.publish(&self.model);
        self.model.window_changes() != windows
    }

    /// Handles the messages of other threads and of the analysis, until [`MAX_UPDATE_TIME`] after the beginning of the
    /// update. If messages are left, another update follows.
    fn handle_messages(&mut self, begun: Instant) {
        for _ in 0..INBOX_CAPACITY {
            let message = self.inbox.try_recv().ok();
            let event = self
                .analysis
                .poll()
                .map(|event| AppEvent::Analysis(self.analysis_game, event));
            if message.is_none() && event.is_none() {
                return;
            }
            if let Some(message) = message {
                self.handle_message(message);
            }
            if let Some(event) = event {
                self.handle(event);
            }
            if self.is_over() || begun.elapsed() > MAX_UPDATE_TIME {
                break;
            }
        }
        (self.wake)();
    }

    /// Applies a message of another thread.
    fn handle_message(&mut self, message: InboxMessage) {
        match message {
            InboxMessage::Event(event) => self.handle(event),
            InboxMessage::Started(
                id,
                Ok(StartedEngine {
                    info,
                    session,
                    fitted_profile: fitted,
                }),
            ) => {
                if let Some(interval) = self.interval {
                    session.set_snapshot_interval(interval);
                }
                self.sessions.insert(id, session);
                self.handle(AppEvent::EngineStarted(id, Ok(info)));
                self.check_net(id, fitted);
            }
            InboxMessage::Started(id, Err(error)) => {
                self.handle(AppEvent::EngineStarted(id, Err(format!("{error:#}").into())));
            }
            InboxMessage::Pages(started) => {
                let was_known = self.pages.problem().is_some();
                self.pages.on_started(*started);
                self.wake_on_page_input();
                if self.pages.problem().is_some() && !was_known {
                    self.handle(AppEvent::Notice(Message::PagesNotServed));
                }
            }
        }
    }

    /// Records a text that the program has copied: the clipboard watcher ignores it.
    #[cfg(feature = "gui")]
    pub fn record_copied(&self, text: &str) {
        self.sources.record_copied(text);
    }

    /// Returns the switch of the OBS pages.
    pub const fn pages(&self) -> &ObsPagesSwitch {
        &self.pages
    }

    /// Returns whether the panel of the outputs takes the focus when it opens; `None` unless it has to open since the last
    /// call.
    #[cfg(feature = "gui")]
    pub const fn take_programme_request(&mut self) -> Option<bool> {
        self.wants_programme.take()
    }

    /// Returns whether the user asked for the desk since the last call.
    #[cfg(feature = "gui")]
    pub const fn take_desk_request(&mut self) -> bool {
        std::mem::replace(&mut self.wants_desk, false)
    }

    /// Returns whether the user asked for the board page since the last call.
    #[cfg(feature = "gui")]
    pub const fn take_board_page_request(&mut self) -> bool {
        std::mem::replace(&mut self.wants_board_page, false)
    }

    /// Returns the log of the requests to the control address.
    pub const fn control_log(&mut self) -> &mut ControlLog {
        &mut self.controls
    }

    /// Serves OBS pages that are already running, or ends the OBS pages. They show the model from the next
    /// [`update`](Self::update) on.
    pub fn set_obs_pages(&mut self, pages: Option<RunningObsPages>) {
        self.pages.set_running(pages);
        self.wake_on_page_input();
    }

    /// Has the running OBS pages call the wake function when they have input.
    fn wake_on_page_input(&self) {
        if let Some(running) = self.pages.running() {
            running.set_wake(Arc::clone(&self.wake));
        }
    }

    /// Serves the OBS pages as the user wants; `None` ends them.
    pub fn request_obs_pages(&mut self, wanted: Option<(ObsPagesAddress, ObsPagesSettings)>) {
        let outbox = self.outbox.clone();
        self.pages.request(wanted, move |started| {
            outbox.send(InboxMessage::Pages(Box::new(started)));
        });
    }

    /// Opens the local socket for a configuration folder, whose lock the caller holds. If the system refuses the
    /// socket, the viewer has none.
    #[cfg(feature = "gui")]
    pub fn open_socket(&mut self, store: &Store, profile_model: ProfileModelFn) {
        let listener = Arc::new(self.outbox.event_sender());
        self.socket = SocketServer::start(store, listener, profile_model).ok();
    }

    /// Starts the control of OBS, whose settings are in the folder of `store`.
    #[cfg(feature = "gui")]
    pub fn start_obs_control(&mut self, store: &Store) {
        let folders = ControlFolders::for_user(store.folder().to_owned());
        self.obs = Some(ObsDriver::start(folders, Arc::clone(&self.wake)));
    }

    /// Returns the model, and the control of OBS; `None` without one.
    #[cfg(feature = "gui")]
    pub const fn model_and_obs(&mut self) -> (&AppModel, Option<&mut ObsDriver>) {
        (&self.model, self.obs.as_mut())
    }

    /// Applies an action of the user on OBS.
    #[cfg(feature = "gui")]
    pub fn act_on_obs(&mut self, action: ControlAction) {
        let url = self.pages.running().map(RunningObsPages::url);
        let lang = self.model.lang();
        if let Some(obs) = &mut self.obs {
            obs.act(action, url.as_deref(), lang);
        }
    }

    /// Applies the news of OBS, and shows the control the game on air if the model has changed.
    #[cfg(feature = "gui")]
    fn update_obs(&mut self) {
        let Some(obs) = &mut self.obs else { return };
        obs.update();
        if obs.control().awaits_pages() {
            let url = self.pages.running().map(RunningObsPages::url);
            if url.is_some() || self.pages.problem().is_some() {
                obs.on_pages(url.as_deref());
            }
        }
        if obs.control().watches()
            && !std::mem::replace(&mut self.is_obs_current, true)
            && let Some((frame, choices)) = self.model.frame_on_air()
        {
            obs.on_frame(&frame, &choices, self.model.lang());
        }
    }

    /// Returns the contents of a bar, as of the last [`update`](Self::update).
    pub fn bar_view(&mut self, bar: BarId) -> &BarView {
        let model = &self.model;
        self.views.entry(bar).or_insert_with(|| model.bar_view(bar))
    }

    /// Applies new events, and returns the present contents of the study page's bar. Viewers may see less of it, or
    /// later.
    pub fn study_view(&mut self) -> &BarView {
        self.update();
        let model = &self.model;
        self.study_view
            .get_or_insert_with(|| model.private_view(model.study_bar()))
    }

    /// Applies new events, and returns the contents of the study page's bar.
    pub fn view(&mut self) -> &BarView {
        self.update();
        self.bar_view(self.model.study_bar())
    }

    /// Sets the minimum time between two updates of the bar, also for engines that are started later.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = Some(interval);
        for session in self.sessions.values() {
            session.set_snapshot_interval(interval);
        }
    }

    /// Returns the language of the screen.
    pub const fn lang(&self) -> Lang {
        self.model.lang()
    }

    /// Returns whether the program has to end.
    pub fn is_over(&self) -> bool {
        self.model.is_quitting() || self.is_interrupted.load(Ordering::Relaxed)
    }

    /// Returns whether the evaluations of all bars are final, as of the last [`update`](Self::update). No engine is
    /// starting, no file is being opened, and no source runs.
    pub fn is_settled(&self) -> bool {
        let model = &self.model;
        let is_done = model
            .bars()
            .all(|(_, bar)| bar.is_search_done(model.game(bar.game())));
        is_done
            && !model.is_starting_engine()
            && !model.is_opening()
            && !model.read_more_comments()
            && !model.has_running_source()
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer")
            .field("sessions", &self.sessions)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
