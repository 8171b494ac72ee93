//! The viewer: what is on view and the engines that look at it.

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
use crate::session::{Session, TrafficLog};
use crate::shogi::Position;
use crate::study::{Document, UnsavedAnswer};
use crate::text::{Lang, Message, PaperRemark};
use crate::threads;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An engine that was started.
#[derive(Debug)]
pub struct StartedEngine {
    /// What the user calls it.
    pub name: String,
    /// Whether that is the name of a profile.
    pub is_profile: bool,
    /// How many candidates it is asked for.
    pub candidates: u32,
    /// How many threads it searches with.
    pub threads: u32,
    /// Where it runs.
    pub session: Session,
}

/// Starts an engine, by what the user calls it, as one of so many.
pub type StartEngine = Box<dyn Fn(&str, usize) -> anyhow::Result<StartedEngine> + Send>;

/// The most engines at once: the bar has room for as many side by side.
pub const MOST_ENGINES: usize = 2;

/// What is on view and the engines that look at it.
pub struct Viewer {
    state: AppState,
    start: StartEngine,
    engines: Vec<StartedEngine>,
    interrupted: Arc<AtomicBool>,
    record_file: RecordFile,
    analyst: AnalysisController,
    /// The revision of which a copy is kept aside.
    kept: u64,
    /// Whether the user wants the program to end, and nothing is lost by that.
    quits: bool,
    view: BarView,
    /// The least time between two numbers on the bar; the sessions' own until it is set.
    interval: Option<Duration>,
    log: TrafficLog,
}

impl Viewer {
    /// Puts what `state` holds before engines, of which the bar follows these, until it is `interrupted`.
    pub fn new(
        mut state: AppState,
        (engines, follow): (Vec<StartedEngine>, FollowMode),
        start: StartEngine,
        (record_file, analyst, interrupted): (RecordFile, AnalysisController, Arc<AtomicBool>),
    ) -> Self {
        for engine in &engines {
            state.add_engine(engine.engine_report());
        }
        state.follow(follow);
        let view = state.view();
        let kept = state.document().revision();
        let viewer = Self {
            state,
            start,
            engines,
            interrupted,
            record_file,
            analyst,
            kept,
            quits: false,
            view,
            interval: None,
            log: TrafficLog::default(),
        };
        viewer.update_search_target();
        viewer
    }

    /// The same, which says what goes wrong with a log.
    #[must_use]
    pub fn with_log(self, log: TrafficLog) -> Self {
        Self { log, ..self }
    }

    /// Gives up the log: whoever takes it says what goes wrong with it, and the view no longer does.
    pub fn take_log(&mut self) -> TrafficLog {
        std::mem::take(&mut self.log)
    }

    /// Ends the engines, and waits until they have ended and all they said is in the log.
    pub fn end_engines(&mut self) {
        self.engines.clear();
    }

    /// What the user calls the engines in use, the one that the bar follows first.
    pub fn engines(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.engines.iter().map(|engine| engine.name.as_str()).collect();
        let lead = self.state.lead().min(names.len());
        if let Some(names) = names.get_mut(..=lead) {
            names.rotate_right(1);
        }
        names
    }

    /// The most candidates that one of the engines is asked for.
    pub fn candidates(&self) -> usize {
        let most = self.engines.iter().map(|engine| engine.candidates).max().unwrap_or_default();
        usize::try_from(most).unwrap_or(usize::MAX)
    }

    fn update_search_target(&self) {
        for engine in &self.engines {
            engine.session.set_target(self.state.search_target());
        }
    }

    /// Puts another engine in the place of the one that the bar follows; one that is in use is started anew.
    fn change_engine(&mut self, name: &str) {
        let place = self.engines.iter().position(|engine| engine.name == name).unwrap_or_else(|| self.state.lead());
        let Some(started) = self.start(name, self.engines.len()) else { return };
        if let Some(engine) = self.engines.get_mut(place) {
            self.state.change(place, started.engine_report());
            threads::drop_in_background(std::mem::replace(engine, started));
        }
    }

    /// Has another engine look beside the one that the bar follows, or one of two no longer.
    fn toggle_second_engine(&mut self, name: &str) {
        let count = self.engines.len();
        if let Some(place) = self.engines.iter().position(|engine| engine.name == name) {
            if count > 1 {
                self.state.dismiss_engine(place);
                threads::drop_in_background(self.engines.remove(place));
            }
            return;
        }
        let Some(started) = self.start(name, count + 1) else { return };
        if count < MOST_ENGINES {
            self.state.add_engine(started.engine_report());
            self.engines.push(started);
        } else if let Some((place, engine)) =
            self.engines.iter_mut().enumerate().rfind(|(place, _)| *place != self.state.lead())
        {
            self.state.change(place, started.engine_report());
            threads::drop_in_background(std::mem::replace(engine, started));
        }
    }

    fn rename(&mut self, old: &str, new: &str) {
        for (place, engine) in self.engines.iter_mut().enumerate().filter(|(_, engine)| engine.name == old) {
            new.clone_into(&mut engine.name);
            self.state.rename(place, new);
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

    /// Does what the user asked for.
    pub fn act(&mut self, action: &AppAction) {
        if action.is_of_the_user() {
            self.state.dismiss();
        }
        match action {
            AppAction::Step(moves) => self.state.step(*moves),
            AppAction::First => self.state.go_to(0),
            AppAction::Last => self.state.go_to(usize::MAX),
            AppAction::Pause => self.state.pause(),
            AppAction::Hide => self.state.hide(),
            AppAction::Dismiss => self.state.take_back(),
            AppAction::Seen => self.state.see(),
            AppAction::Passed => self.state.forget(),
            AppAction::Study(studies) => self.state.study(*studies),
            AppAction::Speak(lang) => self.state.set_language(*lang),
            AppAction::Remark(remark) => self.state.mention(remark),
            AppAction::Follow => self.state.follow_next(),
            AppAction::Open(path) => self.intend(PendingAction::Open(path.clone())),
            AppAction::OpenAll(files) => self.intend(PendingAction::OpenAll(files.clone())),
            AppAction::Turn(at) => self.intend(PendingAction::Turn(*at)),
            AppAction::New => self.intend(PendingAction::Show(Box::new(Record::new(&Position::startpos())))),
            AppAction::Paste(text) => self.paste(text),
            AppAction::Save if self.is_saved() => self.state.remark(&PaperRemark::NothingToSave.into()),
            AppAction::Save => self.save(None),
            AppAction::SaveAs(path) => self.save(Some(path)),
            AppAction::SaveUnasked(path) => {
                let saved = self.record_file.save_without_questions(path, self.state.document().record());
                self.on_saved(saved);
            }
            AppAction::Answer(answer) => self.answer(*answer),
            AppAction::BringBack(brings) => self.answer_recovery(*brings),
            AppAction::Start(position) => self.intend(PendingAction::Show(Box::new(Record::new(position)))),
            AppAction::Analyse(commission) => {
                if let Err(trouble) = self.analyst.begin(self.state.document(), (**commission).clone()) {
                    self.state.show_problem(&trouble);
                }
            }
            AppAction::PauseAnalysis => self.analyst.pause(),
            AppAction::EndAnalysis => self.state.work(|document| self.analyst.end(document)),
            AppAction::Quit => self.intend(PendingAction::Quit),
            AppAction::Engine(name) => self.change_engine(name),
            AppAction::Beside(name) => self.toggle_second_engine(name),
            AppAction::Rename(old, new) => self.rename(old, new),
            AppAction::Press(engine, button) => {
                for engine in self.engines.iter().filter(|started| started.name == *engine) {
                    engine.session.press(button);
                }
            }
        }
        self.refresh();
    }

    /// Passes on what has changed: to the engines, to the bar, to the copy that is kept aside.
    fn refresh(&mut self) {
        self.state.set_analysis_running(self.analyst.is_at_work());
        self.update_search_target();
        self.view = self.state.view();
        let document = self.state.document();
        if std::mem::replace(&mut self.kept, document.revision()) != document.revision() {
            self.record_file.autosave(document.is_changed().then(|| document.shared()));
        }
    }

    fn intend(&mut self, intent: PendingAction) {
        if let Some(intent) = self.record_file.intend(intent, self.state.document().is_changed()) {
            self.carry_out(intent);
        }
    }

    fn carry_out(&mut self, intent: PendingAction) {
        let revision = self.state.document().revision();
        match intent {
            PendingAction::Open(path) => self.record_file.open(&path, revision),
            PendingAction::OpenAll(files) => self.record_file.open_all(files, revision),
            PendingAction::Turn(at) => {
                if let Some(game) = self.record_file.select(at, revision) {
                    self.show(game);
                }
            }
            PendingAction::Show(record) => {
                self.record_file.leave();
                self.show(*record);
            }
            PendingAction::Quit => {
                self.record_file.autosave(None);
                self.quits = true;
            }
        }
    }

    fn answer(&mut self, answer: UnsavedAnswer) {
        let is_doubted = self.record_file.doubt().is_some();
        match answer {
            UnsavedAnswer::Cancel if is_doubted => self.record_file.cancel_save(),
            UnsavedAnswer::Cancel => {
                self.record_file.answered();
            }
            UnsavedAnswer::Discard => {
                self.record_file.cancel_save();
                if let Some(intent) = self.record_file.answered() {
                    self.carry_out(intent);
                }
            }
            UnsavedAnswer::Save if is_doubted => {
                let saved = self.record_file.save_despite_conflict(self.state.document().record());
                self.on_saved(saved);
            }
            // Where there is no file to save in, or not safely, the question stands until one is chosen.
            UnsavedAnswer::Save => {
                self.record_file.confirm_pending();
                if self.record_file.path().is_some() {
                    self.save(None);
                }
            }
        }
    }

    /// Whether all of the record is in its file, which is there.
    fn is_saved(&self) -> bool {
        !self.state.document().is_changed() && self.record_file.path().is_some_and(Path::exists)
    }

    /// Saves, into another file where one is named.
    fn save(&mut self, path: Option<&Path>) {
        let saved = self.record_file.save(path, self.state.document().record());
        self.on_saved(saved);
    }

    fn on_saved(&mut self, saved: Result<Option<SaveOutcome>, PaperRemark>) {
        match saved {
            Ok(Some(SaveOutcome::Record(remark))) => {
                self.state.work(|document| document.saved(document.revision()));
                self.record_file.autosave(None);
                if let Some(intent) = self.record_file.saved() {
                    self.carry_out(intent);
                }
                self.state.remark(&remark.into());
            }
            Ok(Some(SaveOutcome::Position(remark))) => self.state.remark(&remark.into()),
            Ok(None) => {}
            Err(trouble) => self.state.show_problem(&trouble.into()),
        }
    }

    fn paste(&mut self, text: &str) {
        let record = kifu::read(text.as_bytes()).ok().and_then(ReadGames::into_first);
        match record {
            Some((record, _)) => self.intend(PendingAction::Show(Box::new(record))),
            None => self.state.remark(&PaperRemark::NothingToPaste.into()),
        }
    }

    fn answer_recovery(&mut self, brings: bool) {
        match self.record_file.left_behind().first() {
            Some(first) if brings => self.intend(PendingAction::Open(first.copy.clone())),
            _ => self.record_file.throw_away(),
        }
    }

    /// Takes in what became of the record's file; whether anything did.
    fn poll_record_file(&mut self) -> bool {
        let document = self.state.document();
        let was_asking = self.record_file.asks();
        let events = self.record_file.poll(document.is_changed().then(|| document.revision()));
        let is_any = !events.is_empty() || was_asking != self.record_file.asks();
        for event in events {
            match event {
                RecordEvent::Opened(record, remark) => {
                    self.show(record);
                    if let Some(remark) = remark {
                        self.state.remark(&remark);
                    }
                }
                RecordEvent::BroughtBack(record, copy) => {
                    self.show(record);
                    self.state.work(Document::unsaved);
                    // Which keeps it aside; only then is the copy that was left behind not needed.
                    self.refresh();
                    self.record_file.recovered(copy);
                }
                // It is another record to the analysis, too.
                RecordEvent::Followed(record) => {
                    self.state.mark_current();
                    self.state.work(|document| {
                        self.analyst.end(document);
                        document.follow(record);
                    });
                }
                RecordEvent::Said(trouble) => self.state.show_problem(&trouble),
            }
        }
        if is_any {
            self.refresh();
        }
        is_any
    }

    fn show(&mut self, record: impl Into<Arc<Record>>) {
        self.state.work(|document| self.analyst.end(document));
        self.state.open(record);
    }

    fn poll_analysis(&mut self) -> bool {
        if !self.analyst.is_at_work() {
            return false;
        }
        let analyst = &mut self.analyst;
        let heard = self.state.work(|document| analyst.poll(document));
        if let Some(said) = heard.said {
            if heard.failed { self.state.show_problem(&said) } else { self.state.remark(&said) }
        }
        if heard.is_new {
            self.refresh();
        }
        heard.is_new
    }

    /// Who analyses the record on view.
    pub const fn analyst(&self) -> &AnalysisController {
        &self.analyst
    }

    /// The file of the record on view, and what is to be done with it.
    pub const fn record_file(&self) -> &RecordFile {
        &self.record_file
    }

    /// What the bar says now.
    pub fn view(&mut self) -> &BarView {
        for trouble in self.log.problems() {
            self.state.remark(&trouble);
            self.refresh();
        }
        let mut heard = self.poll_record_file() | self.poll_analysis();
        for (place, engine) in self.engines.iter().enumerate() {
            if let Some(snapshot) = engine.session.snapshot() {
                self.state.update_engine(place, snapshot);
                heard = true;
            }
        }
        if heard {
            self.view = self.state.view();
        }
        &self.view
    }

    /// Sets the least time between two numbers on the bar, also for engines that are started later.
    pub fn set_interval(&mut self, interval: Duration) {
        self.interval = Some(interval);
        for engine in &self.engines {
            engine.session.set_interval(interval);
        }
    }

    /// Whether engines leave one of so many processors free now, as far as is known. An analysis is to have them all.
    pub fn leaves_free(&self, processors: usize) -> bool {
        if self.analyst.is_at_work() {
            return false;
        }
        let threads = self.engines.iter().filter_map(|engine| usize::try_from(engine.threads).ok()).sum::<usize>();
        self.state.is_paused_now() || self.state.is_settled() || threads < processors
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.state.lang()
    }

    /// Whether an engine has said anything of any position.
    pub fn has_spoken(&self) -> bool {
        self.state.has_spoken()
    }

    /// Whether it is to end.
    pub fn is_over(&self) -> bool {
        self.quits || self.interrupted.load(Ordering::Relaxed)
    }

    /// Whether nothing more will be said of the position on view, as of the last [`view`](Self::view).
    pub fn is_settled(&self) -> bool {
        self.state.is_settled()
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
        self.state.work(work);
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

    fn analyst(&self) -> &AnalysisController {
        Self::analyst(self)
    }

    fn judge_by(&mut self, judging: Option<GameJudge>) {
        self.state.judge_by(judging);
    }

    fn lang(&self) -> Lang {
        Self::lang(self)
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }
}

impl StartedEngine {
    /// The engine as nothing has been heard of it yet.
    fn engine_report(&self) -> EngineReport {
        // Of a path only the file says which engine it is.
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

/// Puts a record from a file on view and says what of it was not understood; where it cannot be read,
/// what was on view stays and the bar says why.
pub fn open(state: &mut AppState, record_file: &mut RecordFile, path: &Path) -> Vec<Warning> {
    // Before it is read: what is written meanwhile is read again.
    let stamp = files::stamp(path);
    let read = super::record_file::read(path).map(|reading| record_file.set_opened(path, reading, stamp));
    show(state, read)
}

/// The same for what has been read already; `name` is what it is called if it is no record.
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
                state.remark(&Message::RecordWarnings(warnings.len(), first.clone()));
            }
            warnings
        }
        Ok(None) => Vec::new(),
        Err(trouble) => {
            state.show_problem(&trouble);
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests;
