//! The viewer: the model of the application, and the threads and engines that carry out its effects.

use super::analysis_controller::AnalysisController;
use super::effects::files::{self as file_effects, FileThreads};
use super::model::{AppEffect, AppEvent, AppModel, EngineId, EngineInfo};
use super::record_file::{RecordFile, WakeFn};
#[cfg(feature = "gui")]
use super::state::GameJudge;
use super::state::{AppAction, AppState};
#[cfg(feature = "gui")]
use crate::bar::BarNotice;
use crate::bar::{BarView, FollowMode};
use crate::files;
use crate::kifu::{self, Record, Warning};
use crate::session::Session;
use crate::store::Store;
use crate::study::Document;
use crate::text::{Lang, Message};
use crate::threads::{self, lock};
use crate::traffic::TrafficLog;
use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The capacity of the inbox. A thread with an event waits for room.
const INBOX: usize = 256;

/// An engine that was started.
#[derive(Debug)]
pub struct StartedEngine {
    /// What it was started with.
    pub info: EngineInfo,
    /// The session that runs it.
    pub session: Session,
}

/// Starts an engine by its name. The number says how many engines run at once. Slow: it reads the user's engines and
/// looks for the program.
pub type StartEngine = Box<dyn Fn(&str, usize) -> anyhow::Result<StartedEngine> + Send>;

/// The most engines at once: the bar has room for as many side by side.
pub const MOST_ENGINES: usize = 2;

/// What came of an effect, on another thread.
enum InboxMessage {
    Event(AppEvent),
    Started(EngineId, anyhow::Result<StartedEngine>),
}

/// What a viewer is made of, beside its model.
#[expect(missing_debug_implementations, reason = "it holds callbacks")]
pub struct ViewerParts {
    /// The engines that run already.
    pub engines: Vec<StartedEngine>,
    /// Which of them the bar follows.
    pub follow: FollowMode,
    /// Starts engines.
    pub start: StartEngine,
    /// Analyses games.
    pub analysis: AnalysisController,
    /// Called from another thread when there is something new to [`view`](Viewer::view).
    pub wake: WakeFn,
    /// Set when the program is to end.
    pub interrupted: Arc<AtomicBool>,
}

/// The model, its engines, and the threads for its files.
pub struct Viewer {
    model: AppModel,
    sessions: BTreeMap<EngineId, Session>,
    start: Arc<Mutex<StartEngine>>,
    analysis: AnalysisController,
    wake: WakeFn,
    interrupted: Arc<AtomicBool>,
    inbox: Receiver<InboxMessage>,
    sender: SyncSender<InboxMessage>,
    /// `None` once the program ends.
    files: Option<FileThreads>,
    view: BarView,
    /// The least time between two updates of the bar; that of the sessions until it is set.
    interval: Option<Duration>,
    log: TrafficLog,
}

impl Viewer {
    /// Creates a viewer of a model. The store, where there is one, has the autosave copies.
    pub fn new(mut model: AppModel, store: Option<&Store>, parts: ViewerParts) -> Self {
        let ViewerParts { engines, follow, start, analysis, wake, interrupted } = parts;
        let (sender, inbox) = sync_channel(INBOX);
        let (outbox, waker) = (sender.clone(), Arc::clone(&wake));
        let listener = move |event| {
            // An error means that the program ends.
            let _sent = outbox.send(InboxMessage::Event(AppEvent::File(event)));
            waker();
        };
        let files = Some(FileThreads::start(store, Arc::new(listener)));
        let mut sessions = BTreeMap::new();
        for StartedEngine { info, session } in engines {
            let (id, target) = model.add_engine(info);
            session.set_target(target);
            sessions.insert(id, session);
        }
        model.state_mut().follow(follow);
        let view = model.state().view();
        let mut viewer = Self {
            model,
            sessions,
            start: Arc::new(Mutex::new(start)),
            analysis,
            wake,
            interrupted,
            inbox,
            sender,
            files,
            view,
            interval: None,
            log: TrafficLog::default(),
        };
        // The effects of a record that was opened before.
        viewer.handle(AppEvent::Edited);
        viewer
    }

    /// Sets the log whose problems the viewer reports.
    #[must_use]
    pub fn with_log(self, log: TrafficLog) -> Self {
        Self { log, ..self }
    }

    /// Removes the log. The caller reports its problems from then on.
    pub fn take_log(&mut self) -> TrafficLog {
        std::mem::take(&mut self.log)
    }

    /// Ends the engines. Waits until they have exited and all their output is in the log.
    pub fn end_engines(&mut self) {
        self.sessions.clear();
    }

    /// Ends the threads for files. Waits until all is written: the autosave copy, and a save in progress.
    pub fn close_files(&mut self) {
        self.files = None;
    }

    /// The names of the running engines, the one that the bar follows first.
    pub fn engines(&self) -> Vec<&str> {
        self.model.engine_names()
    }

    /// The largest number of candidates that an engine is asked for.
    pub fn candidates(&self) -> usize {
        let most = self.model.engine_infos().map(|info| info.candidates).max().unwrap_or_default();
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    /// Applies an action of the user.
    pub fn act(&mut self, action: &AppAction) {
        self.handle(AppEvent::Action(action.clone()));
        self.view = self.model.state().view();
    }

    /// Runs a change of the record.
    pub fn edit<T>(&mut self, work: impl FnOnce(&mut Document) -> T) -> T {
        let (done, effects) = self.model.edit(work);
        self.carry_out(effects);
        self.view = self.model.state().view();
        done
    }

    /// Applies an event, and carries out its effects.
    fn handle(&mut self, event: AppEvent) {
        let effects = self.model.update(event);
        self.carry_out(effects);
    }

    fn carry_out(&mut self, effects: Vec<AppEffect>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            effects.extend(self.run(effect));
        }
    }

    /// Carries out an effect. Returns the effects of what came of it at once.
    fn run(&mut self, effect: AppEffect) -> Vec<AppEffect> {
        match effect {
            AppEffect::File(effect) => {
                let failed = self.files.as_ref().and_then(|files| files.run(effect));
                return failed.map(|event| self.model.update(AppEvent::File(event))).unwrap_or_default();
            }
            AppEffect::StartEngine { id, name, count } => return self.start_engine(id, name, count),
            // The engine may take time to exit.
            AppEffect::EndEngine(id) => threads::drop_in_background(self.sessions.remove(&id)),
            AppEffect::SetTarget(id, target) => {
                if let Some(session) = self.sessions.get(&id) {
                    session.set_target(target);
                }
            }
            AppEffect::Press(id, button) => {
                if let Some(session) = self.sessions.get(&id) {
                    session.press(&button);
                }
            }
            AppEffect::Analyse(options) => {
                if let Err(problem) = self.analysis.begin(self.model.state().document(), *options) {
                    return self.model.update(AppEvent::Problem(*problem));
                }
                return self.model.update(AppEvent::AnalysisRunning(true));
            }
            AppEffect::PauseAnalysis => self.analysis.pause(),
            AppEffect::EndAnalysis => {
                let (analysis, model) = (&mut self.analysis, &mut self.model);
                let ((), mut effects) = model.edit(|document| analysis.end(document));
                effects.extend(self.model.update(AppEvent::AnalysisRunning(false)));
                return effects;
            }
            AppEffect::DropAnalysis => {
                self.analysis.abandon();
                return self.model.update(AppEvent::AnalysisRunning(false));
            }
        }
        Vec::new()
    }

    fn start_engine(&mut self, id: EngineId, name: String, count: usize) -> Vec<AppEffect> {
        let (start, sender, wake) = (Arc::clone(&self.start), self.sender.clone(), Arc::clone(&self.wake));
        let work = move || {
            let started = lock(&start)(&name, count);
            // An error means that the program ends.
            let _sent = sender.send(InboxMessage::Started(id, started));
            wake();
        };
        match threads::spawn("engine-start", work) {
            Ok(thread) => {
                thread.detach();
                Vec::new()
            }
            Err(why) => self.model.update(AppEvent::EngineStarted(id, Err((&why).into()))),
        }
    }

    /// Handles the messages of other threads. Returns whether there were any.
    fn poll_inbox(&mut self) -> bool {
        let mut is_any = false;
        while let Ok(message) = self.inbox.try_recv() {
            is_any = true;
            match message {
                InboxMessage::Event(event) => self.handle(event),
                InboxMessage::Started(id, Ok(StartedEngine { info, session })) => {
                    if let Some(interval) = self.interval {
                        session.set_interval(interval);
                    }
                    self.sessions.insert(id, session);
                    self.handle(AppEvent::EngineStarted(id, Ok(info)));
                }
                InboxMessage::Started(id, Err(error)) => {
                    self.handle(AppEvent::EngineStarted(id, Err(format!("{error:#}").into())));
                }
            }
        }
        is_any
    }

    fn poll_analysis(&mut self) -> bool {
        if !self.analysis.is_running() {
            return false;
        }
        let (analysis, model) = (&mut self.analysis, &mut self.model);
        let (update, effects) = model.edit(|document| analysis.poll(document));
        self.carry_out(effects);
        if let Some(message) = update.message {
            self.handle(if update.failed { AppEvent::Problem(message) } else { AppEvent::Notice(message) });
        }
        if !self.analysis.is_running() {
            self.handle(AppEvent::AnalysisRunning(false));
        }
        update.is_new
    }

    /// The controller of the game analysis.
    pub const fn analysis(&self) -> &AnalysisController {
        &self.analysis
    }

    /// The file of the current record.
    pub const fn record_file(&self) -> &RecordFile {
        self.model.record_file()
    }

    /// Applies all new events and returns the bar's contents. Called for every frame.
    pub fn view(&mut self) -> &BarView {
        let mut is_new = false;
        for problem in self.log.problems() {
            self.handle(AppEvent::Notice(problem));
            is_new = true;
        }
        is_new |= self.poll_inbox() | self.poll_analysis();
        let snapshots = self.sessions.iter().filter_map(|(id, session)| Some((*id, session.snapshot()?)));
        for (id, snapshot) in snapshots.collect::<Vec<_>>() {
            self.handle(AppEvent::Snapshot(id, Box::new(snapshot)));
            is_new = true;
        }
        if is_new {
            self.view = self.model.state().view();
        }
        &self.view
    }

    /// Sets the least time between two updates of the bar, also for engines that are started later.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = Some(interval);
        for session in self.sessions.values() {
            session.set_interval(interval);
        }
    }

    /// Whether the engines use fewer than `processors` now, as far as is known. An analysis uses all.
    pub fn leaves_free(&self, processors: usize) -> bool {
        if self.analysis.is_running() {
            return false;
        }
        let threads = self.model.engine_infos().filter_map(|info| usize::try_from(info.threads).ok()).sum::<usize>();
        let state = self.model.state();
        state.is_paused_now() || state.is_search_done() || threads < processors
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.model.state().lang()
    }

    /// Whether any engine has reported an evaluation yet.
    pub fn has_spoken(&self) -> bool {
        self.model.state().has_evaluation()
    }

    /// Whether the program is to end.
    pub fn is_over(&self) -> bool {
        self.model.quits() || self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the evaluation of the current position is final, as of the last [`view`](Self::view).
    pub fn is_settled(&self) -> bool {
        self.model.state().is_search_done() && !self.model.is_starting_engine()
    }
}

#[cfg(feature = "gui")]
impl super::gui::Host for Viewer {
    fn view(&mut self) -> &BarView {
        Self::view(self)
    }

    fn act(&mut self, action: &AppAction) {
        Self::act(self, action);
    }

    fn engines(&self) -> Vec<&str> {
        Self::engines(self)
    }

    fn document(&self) -> &Document {
        self.model.state().document()
    }

    fn history(&self) -> &Arc<crate::shogi::History> {
        self.model.state().history()
    }

    fn edit(&mut self, work: &mut dyn FnMut(&mut Document)) {
        Self::edit(self, work);
    }

    fn side_notice(&self) -> Option<BarNotice> {
        self.model.state().side_notice()
    }

    fn leaves_free(&self, processors: usize) -> bool {
        Self::leaves_free(self, processors)
    }

    fn set_interval(&mut self, interval: Duration) {
        Self::set_interval(self, interval);
    }

    fn is_paused(&self) -> bool {
        self.model.state().is_paused()
    }

    fn record_file(&self) -> &RecordFile {
        Self::record_file(self)
    }

    fn analysis(&self) -> &AnalysisController {
        Self::analysis(self)
    }

    fn judge_by(&mut self, judging: Option<GameJudge>) {
        self.model.state_mut().set_judge(judging);
    }

    fn lang(&self) -> Lang {
        Self::lang(self)
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("sessions", &self.sessions).field("model", &self.model).finish_non_exhaustive()
    }
}

/// Opens a record from a file and reports its warnings. If it cannot be read, the record stays and the bar
/// reports the error.
pub fn open(state: &mut AppState, record_file: &mut RecordFile, path: &Path) -> Vec<Warning> {
    // Taken before reading: a write during the read is then noticed.
    let stamp = files::stamp(path);
    let read = file_effects::read(path).map(|reading| record_file.set_opened(path, reading, stamp));
    show(state, read)
}

/// Opens a record from its bytes, as [`open`] does. `name` is the name to report if it is no record.
pub fn open_bytes(state: &mut AppState, name: &str, bytes: &[u8]) -> Vec<Warning> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(name.to_owned(), why));
    let read = kifu::read_first(bytes, Path::new(name)).map_err(|error| unreadable((&error).into()));
    show(state, read.map(Some))
}

type FirstRecord<R> = Option<(R, Vec<Warning>)>;

fn show<R: Into<Arc<Record>>>(state: &mut AppState, read: Result<FirstRecord<R>, Box<Message>>) -> Vec<Warning> {
    match read {
        Ok(Some((record, warnings))) => {
            state.open(record);
            if let Some(first) = warnings.first() {
                state.show_notice(&Message::RecordWarnings(warnings.len(), first.clone()));
            }
            warnings
        }
        Ok(None) => Vec::new(),
        Err(problem) => {
            state.show_problem(&problem);
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests;
