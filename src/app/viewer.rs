//! The viewer: the current record and the engines that analyse its position.

use super::analysis_controller::AnalysisController;
use super::record_file::{PendingAction, RecordEvent, RecordFile, SaveOutcome};
#[cfg(feature = "gui")]
use super::state::GameJudge;
use super::state::{AppAction, AppState};
#[cfg(feature = "gui")]
use crate::bar::BarNotice;
use crate::bar::{BarView, EngineReport, FollowMode};
use crate::files;
use crate::kifu::{self, ReadGames, Record, Warning};
use crate::session::Session;
use crate::shogi::Position;
use crate::study::{Document, UnsavedAnswer};
use crate::text::{Lang, Message, RecordRemark};
use crate::threads;
use crate::traffic::TrafficLog;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An engine that was started.
#[derive(Debug)]
pub struct StartedEngine {
    /// The name that the user gave it.
    pub name: String,
    /// Whether that is the name of a profile.
    pub is_profile: bool,
    /// The number of candidates (`multipv`) that it is asked for.
    pub candidates: u32,
    /// The number of threads it searches with.
    pub threads: u32,
    /// The session that runs it.
    pub session: Session,
}

/// Starts an engine by its name. The number says how many engines run at once.
pub type StartEngine = Box<dyn Fn(&str, usize) -> anyhow::Result<StartedEngine> + Send>;

/// The most engines at once: the bar has room for as many side by side.
pub const MOST_ENGINES: usize = 2;

/// The current record and the engines that analyse its position.
pub struct Viewer {
    state: AppState,
    start: StartEngine,
    engines: Vec<StartedEngine>,
    interrupted: Arc<AtomicBool>,
    record_file: RecordFile,
    analysis: AnalysisController,
    /// The revision of the last autosave.
    autosaved_revision: u64,
    /// Whether the user wants the program to end, and no unsaved changes are lost.
    quits: bool,
    view: BarView,
    /// The least time between two updates of the bar; that of the sessions until it is set.
    interval: Option<Duration>,
    log: TrafficLog,
}

impl Viewer {
    /// Creates a viewer of `state` and its engines. The viewer ends when `interrupted` is set.
    pub fn new(
        mut state: AppState,
        (engines, follow): (Vec<StartedEngine>, FollowMode),
        start: StartEngine,
        (record_file, analysis, interrupted): (RecordFile, AnalysisController, Arc<AtomicBool>),
    ) -> Self {
        for engine in &engines {
            state.add_engine(engine.engine_report());
        }
        state.follow(follow);
        let view = state.view();
        let autosaved_revision = state.document().revision();
        let viewer = Self {
            state,
            start,
            engines,
            interrupted,
            record_file,
            analysis,
            autosaved_revision,
            quits: false,
            view,
            interval: None,
            log: TrafficLog::default(),
        };
        viewer.update_search_target();
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
        self.engines.clear();
    }

    /// The names of the running engines, the one that the bar follows first.
    pub fn engines(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        let lead = self.state.lead().min(names.len());
        if let Some(names) = names.get_mut(..=lead) {
            names.rotate_right(1);
        }
        names
    }

    /// The largest number of candidates that an engine is asked for.
    pub fn candidates(&self) -> usize {
        let most = self.engines.iter().map(|engine| engine.candidates).max().unwrap_or_default();
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    fn update_search_target(&self) {
        for engine in &self.engines {
            engine.session.set_target(self.state.search_target());
        }
    }

    /// Replaces the engine that the bar follows. An engine that already runs is restarted instead.
    fn change_engine(&mut self, name: &str) {
        let index = self.engines.iter().position(|engine| engine.name == name).unwrap_or_else(|| self.state.lead());
        let Some(started) = self.start(name, self.engines.len()) else { return };
        if let Some(engine) = self.engines.get_mut(index) {
            self.state.replace_engine(index, started.engine_report());
            threads::drop_in_background(std::mem::replace(engine, started));
        }
    }

    /// Adds a second engine, or removes the named one if two run.
    ///
    /// With [`MOST_ENGINES`] running, it replaces the one that the bar does not follow.
    fn toggle_second_engine(&mut self, name: &str) {
        let count = self.engines.len();
        if let Some(index) = self.engines.iter().position(|engine| engine.name == name) {
            if count > 1 {
                self.state.dismiss_engine(index);
                threads::drop_in_background(self.engines.remove(index));
            }
            return;
        }
        let Some(started) = self.start(name, count + 1) else { return };
        if count < MOST_ENGINES {
            self.state.add_engine(started.engine_report());
            self.engines.push(started);
        } else if let Some((index, engine)) =
            self.engines.iter_mut().enumerate().rfind(|(index, _)| *index != self.state.lead())
        {
            self.state.replace_engine(index, started.engine_report());
            threads::drop_in_background(std::mem::replace(engine, started));
        }
    }

    fn rename(&mut self, old: &str, new: &str) {
        for (index, engine) in self.engines.iter_mut().enumerate().filter(|(_, engine)| engine.name == old) {
            new.clone_into(&mut engine.name);
            self.state.rename(index, new);
        }
    }

    fn start(&mut self, name: &str, count: usize) -> Option<StartedEngine> {
        match (self.start)(name, count.min(MOST_ENGINES)) {
            Ok(started) => {
                if let Some(interval) = self.interval {
                    started.session.set_interval(interval);
                }
                Some(started)
            }
            Err(error) => {
                self.state.show_problem(&Message::EngineNotStarted(name.to_owned(), format!("{error:#}").into()));
                None
            }
        }
    }

    /// Applies an action of the user.
    pub fn act(&mut self, action: &AppAction) {
        if action.is_user_action() {
            self.state.dismiss();
        }
        match action {
            AppAction::Step(moves) => self.state.step(*moves),
            AppAction::First => self.state.go_to(0),
            AppAction::Last => self.state.go_to(usize::MAX),
            AppAction::Pause => self.state.pause(),
            AppAction::Hide => self.state.hide(),
            AppAction::Dismiss => self.state.clear_transient(),
            AppAction::Seen => self.state.mark_seen(),
            AppAction::DismissTransient => self.state.dismiss_transient(),
            AppAction::Study(studies) => self.state.set_study_open(*studies),
            AppAction::SetLanguage(lang) => self.state.set_language(*lang),
            AppAction::Remark(remark) => self.state.show_transient(remark),
            AppAction::Follow => self.state.follow_next(),
            AppAction::Open(path) => self.intend(PendingAction::Open(path.clone())),
            AppAction::OpenAll(files) => self.intend(PendingAction::OpenAll(files.clone())),
            AppAction::SelectGame(at) => self.intend(PendingAction::Select(*at)),
            AppAction::New => self.intend(PendingAction::Show(Box::new(Record::new(&Position::startpos())))),
            AppAction::Paste(text) => self.paste(text),
            AppAction::Save if self.is_saved() => self.state.show_notice(&RecordRemark::NothingToSave.into()),
            AppAction::Save => self.save(None),
            AppAction::SaveAs(path) => self.save(Some(path)),
            AppAction::SaveChecked(path) => {
                let saved = self.record_file.save_checked(path, self.state.document().record());
                self.on_saved(saved);
            }
            AppAction::Answer(answer) => self.answer(*answer),
            AppAction::Recover(recovers) => self.answer_recovery(*recovers),
            AppAction::Start(position) => self.intend(PendingAction::Show(Box::new(Record::new(position)))),
            AppAction::Analyse(options) => {
                if let Err(problem) = self.analysis.begin(self.state.document(), (**options).clone()) {
                    self.state.show_problem(&problem);
                }
            }
            AppAction::PauseAnalysis => self.analysis.pause(),
            AppAction::EndAnalysis => self.state.edit(|document| self.analysis.end(document)),
            AppAction::Quit => self.intend(PendingAction::Quit),
            AppAction::Engine(name) => self.change_engine(name),
            AppAction::ToggleSecondEngine(name) => self.toggle_second_engine(name),
            AppAction::Rename(old, new) => self.rename(old, new),
            AppAction::Press(engine, button) => {
                for engine in self.engines.iter().filter(|started| started.name == *engine) {
                    engine.session.press(button);
                }
            }
        }
        self.refresh();
    }

    /// Updates the engines, the bar and the autosave after a change.
    fn refresh(&mut self) {
        self.state.set_analysis_running(self.analysis.is_running());
        self.update_search_target();
        self.view = self.state.view();
        let document = self.state.document();
        if std::mem::replace(&mut self.autosaved_revision, document.revision()) != document.revision() {
            self.record_file.autosave(document.is_changed().then(|| document.shared()));
        }
    }

    fn intend(&mut self, action: PendingAction) {
        if let Some(action) = self.record_file.request(action, self.state.document().is_changed()) {
            self.carry_out(action);
        }
    }

    fn carry_out(&mut self, action: PendingAction) {
        let revision = self.state.document().revision();
        match action {
            PendingAction::Open(path) => self.record_file.open(&path, revision),
            PendingAction::OpenAll(files) => self.record_file.open_all(files, revision),
            PendingAction::Select(at) => {
                if let Some(game) = self.record_file.select(at, revision) {
                    self.show(game);
                }
            }
            PendingAction::Show(record) => {
                self.record_file.detach();
                self.show(*record);
            }
            PendingAction::Quit => {
                self.record_file.autosave(None);
                self.quits = true;
            }
        }
    }

    fn answer(&mut self, answer: UnsavedAnswer) {
        let has_conflict = self.record_file.save_conflict().is_some();
        match answer {
            UnsavedAnswer::Cancel if has_conflict => self.record_file.cancel_save(),
            UnsavedAnswer::Cancel => {
                self.record_file.take_pending();
            }
            UnsavedAnswer::Discard => {
                self.record_file.cancel_save();
                if let Some(action) = self.record_file.take_pending() {
                    self.carry_out(action);
                }
            }
            UnsavedAnswer::Save if has_conflict => {
                let saved = self.record_file.save_despite_conflict(self.state.document().record());
                self.on_saved(saved);
            }
            // Without a file to save to, or if saving is refused, the question stays until the user chooses a file.
            UnsavedAnswer::Save => {
                self.record_file.note_save_first();
                if self.record_file.path().is_some() {
                    self.save(None);
                }
            }
        }
    }

    /// Whether the record has no unsaved changes and its file exists.
    fn is_saved(&self) -> bool {
        !self.state.document().is_changed() && self.record_file.path().is_some_and(Path::exists)
    }

    /// Saves to the record's file, or to another one where given.
    fn save(&mut self, path: Option<&Path>) {
        let saved = self.record_file.save(path, self.state.document().record());
        self.on_saved(saved);
    }

    fn on_saved(&mut self, saved: Result<Option<SaveOutcome>, RecordRemark>) {
        match saved {
            Ok(Some(SaveOutcome::Record(remark))) => {
                self.state.edit(|document| document.saved(document.revision()));
                self.record_file.autosave(None);
                if let Some(action) = self.record_file.on_saved() {
                    self.carry_out(action);
                }
                self.state.show_notice(&remark.into());
            }
            Ok(Some(SaveOutcome::Position(remark))) => self.state.show_notice(&remark.into()),
            Ok(None) => {}
            Err(problem) => self.state.show_problem(&problem.into()),
        }
    }

    fn paste(&mut self, text: &str) {
        let record = kifu::read(text.as_bytes()).ok().and_then(ReadGames::into_first);
        match record {
            Some((record, _)) => self.intend(PendingAction::Show(Box::new(record))),
            None => self.state.show_notice(&RecordRemark::NothingToPaste.into()),
        }
    }

    fn answer_recovery(&mut self, recovers: bool) {
        match self.record_file.recoverable().first() {
            Some(first) if recovers => self.intend(PendingAction::Open(first.copy.clone())),
            _ => self.record_file.discard_recoverable(),
        }
    }

    /// Applies the events of the record's file. Returns whether anything has changed.
    fn poll_record_file(&mut self) -> bool {
        let document = self.state.document();
        let was_asking = self.record_file.is_asking();
        let events = self.record_file.poll(document.is_changed().then(|| document.revision()));
        let is_any = !events.is_empty() || was_asking != self.record_file.is_asking();
        for event in events {
            match event {
                RecordEvent::Opened(record, remark) => {
                    self.show(record);
                    if let Some(remark) = remark {
                        self.state.show_notice(&remark);
                    }
                }
                RecordEvent::Recovered(record, copy) => {
                    self.show(record);
                    self.state.edit(Document::unsaved);
                    // This autosaves it; only then is the recovered copy not needed.
                    self.refresh();
                    self.record_file.mark_recovered(copy);
                }
                // The analysis ends, as it belongs to the old record.
                RecordEvent::Reloaded(record) => {
                    self.state.mark_current();
                    self.state.edit(|document| {
                        self.analysis.end(document);
                        document.replace_with_newer(record);
                    });
                }
                RecordEvent::Notice(problem) => self.state.show_problem(&problem),
            }
        }
        if is_any {
            self.refresh();
        }
        is_any
    }

    fn show(&mut self, record: impl Into<Arc<Record>>) {
        self.state.edit(|document| self.analysis.end(document));
        self.state.open(record);
    }

    fn poll_analysis(&mut self) -> bool {
        if !self.analysis.is_running() {
            return false;
        }
        let analysis = &mut self.analysis;
        let update = self.state.edit(|document| analysis.poll(document));
        if let Some(said) = update.message {
            if update.failed { self.state.show_problem(&said) } else { self.state.show_notice(&said) }
        }
        if update.is_new {
            self.refresh();
        }
        update.is_new
    }

    /// The controller of the game analysis.
    pub const fn analysis(&self) -> &AnalysisController {
        &self.analysis
    }

    /// The file of the current record.
    pub const fn record_file(&self) -> &RecordFile {
        &self.record_file
    }

    /// Applies all new events and returns the bar's contents. Called for every frame.
    pub fn view(&mut self) -> &BarView {
        for problem in self.log.problems() {
            self.state.show_notice(&problem);
            self.refresh();
        }
        let mut is_new = self.poll_record_file() | self.poll_analysis();
        for (index, engine) in self.engines.iter().enumerate() {
            if let Some(snapshot) = engine.session.snapshot() {
                self.state.update_engine(index, snapshot);
                is_new = true;
            }
        }
        if is_new {
            self.view = self.state.view();
        }
        &self.view
    }

    /// Sets the least time between two updates of the bar, also for engines that are started later.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = Some(interval);
        for engine in &self.engines {
            engine.session.set_interval(interval);
        }
    }

    /// Whether the engines use fewer than `processors` now, as far as is known. An analysis uses all.
    pub fn leaves_free(&self, processors: usize) -> bool {
        if self.analysis.is_running() {
            return false;
        }
        let threads = self.engines.iter().filter_map(|engine| usize::try_from(engine.threads).ok()).sum::<usize>();
        self.state.is_paused_now() || self.state.is_search_done() || threads < processors
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.state.lang()
    }

    /// Whether any engine has reported an evaluation yet.
    pub fn has_spoken(&self) -> bool {
        self.state.has_evaluation()
    }

    /// Whether the program is to end.
    pub fn is_over(&self) -> bool {
        self.quits || self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether the evaluation of the current position is final, as of the last [`view`](Self::view).
    pub fn is_settled(&self) -> bool {
        self.state.is_search_done()
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
        self.state.document()
    }

    fn history(&self) -> &Arc<crate::shogi::History> {
        self.state.history()
    }

    fn edit(&mut self, work: &mut dyn FnMut(&mut Document)) {
        self.state.edit(work);
        self.refresh();
    }

    fn side_notice(&self) -> Option<BarNotice> {
        self.state.side_notice()
    }

    fn leaves_free(&self, processors: usize) -> bool {
        Self::leaves_free(self, processors)
    }

    fn set_interval(&mut self, interval: Duration) {
        Self::set_interval(self, interval);
    }

    fn is_paused(&self) -> bool {
        self.state.is_paused()
    }

    fn record_file(&self) -> &RecordFile {
        Self::record_file(self)
    }

    fn analysis(&self) -> &AnalysisController {
        Self::analysis(self)
    }

    fn judge_by(&mut self, judging: Option<GameJudge>) {
        self.state.set_judge(judging);
    }

    fn lang(&self) -> Lang {
        Self::lang(self)
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }
}

impl StartedEngine {
    /// The report of the engine before its first output.
    fn engine_report(&self) -> EngineReport {
        // Of a path, only the file name says which engine it is.
        let file = Path::new(&self.name).file_name().filter(|_| !self.is_profile);
        let name = file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into_owned());
        EngineReport { name, is_profile: self.is_profile, ..EngineReport::default() }
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("engines", &self.engines).field("state", &self.state).finish_non_exhaustive()
    }
}

/// Opens a record from a file and reports its warnings. If it cannot be read, the record stays and the bar
/// reports the error.
pub fn open(state: &mut AppState, record_file: &mut RecordFile, path: &Path) -> Vec<Warning> {
    // Taken before reading: a write during the read is then noticed.
    let stamp = files::stamp(path);
    let read = super::record_file::read(path).map(|reading| record_file.set_opened(path, reading, stamp));
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
