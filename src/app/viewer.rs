//! The viewer: what is on view and the engines that look at it.

use super::analyst::Analyst;
use super::papers::{Event, Intent, Papers, Saved};
#[cfg(feature = "gui")]
use super::state::Judging;
use super::state::{Action, State};
#[cfg(feature = "gui")]
use crate::bar::Notice;
use crate::bar::{Follow, Heard, View};
use crate::files;
use crate::kifu::{self, Reading, Record, Warning};
use crate::session::{Session, TrafficLog};
use crate::shogi::Position;
use crate::study::{Answer, Document};
use crate::text::{Lang, Message, PaperRemark};
use crate::threads;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// An engine that was started.
#[derive(Debug)]
pub struct Started {
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
pub type Start = Box<dyn Fn(&str, usize) -> anyhow::Result<Started> + Send>;

/// The most engines at once: the bar has room for as many side by side.
pub const MOST_ENGINES: usize = 2;

/// What is on view and the engines that look at it.
pub struct Viewer {
    state: State,
    start: Start,
    engines: Vec<Started>,
    interrupted: Arc<AtomicBool>,
    papers: Papers,
    analyst: Analyst,
    /// The revision of which a copy is kept aside.
    kept: u64,
    /// Whether the user wants the program to end, and nothing is lost by that.
    quits: bool,
    view: View,
    /// The least time between two numbers on the bar; the sessions' own until it is set.
    interval: Option<Duration>,
    log: TrafficLog,
}

impl Viewer {
    /// Puts what `state` holds before engines, of which the bar follows these, until it is `interrupted`.
    pub fn new(
        mut state: State,
        (engines, follow): (Vec<Started>, Follow),
        start: Start,
        (papers, analyst, interrupted): (Papers, Analyst, Arc<AtomicBool>),
    ) -> Self {
        for engine in &engines {
            state.watch_with(engine.heard());
        }
        state.follow(follow);
        let view = state.view();
        let kept = state.document().revision();
        let viewer = Self {
            state,
            start,
            engines,
            interrupted,
            papers,
            analyst,
            kept,
            quits: false,
            view,
            interval: None,
            log: TrafficLog::default(),
        };
        viewer.wish();
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

    fn wish(&self) {
        for engine in &self.engines {
            engine.session.wish(self.state.wish());
        }
    }

    /// Puts another engine in the place of the one that the bar follows; one that is in use is started anew.
    fn change_engine(&mut self, name: &str) {
        let place = self.engines.iter().position(|engine| engine.name == name).unwrap_or_else(|| self.state.lead());
        let Some(started) = self.start(name, self.engines.len()) else { return };
        if let Some(engine) = self.engines.get_mut(place) {
            self.state.change(place, started.heard());
            threads::farewell(std::mem::replace(engine, started));
        }
    }

    /// Has another engine look beside the one that the bar follows, or one of two no longer.
    fn change_company(&mut self, name: &str) {
        let count = self.engines.len();
        if let Some(place) = self.engines.iter().position(|engine| engine.name == name) {
            if count > 1 {
                self.state.dismiss_engine(place);
                threads::farewell(self.engines.remove(place));
            }
            return;
        }
        let Some(started) = self.start(name, count + 1) else { return };
        if count < MOST_ENGINES {
            self.state.watch_with(started.heard());
            self.engines.push(started);
        } else if let Some((place, engine)) =
            self.engines.iter_mut().enumerate().rfind(|(place, _)| *place != self.state.lead())
        {
            self.state.change(place, started.heard());
            threads::farewell(std::mem::replace(engine, started));
        }
    }

    fn rename(&mut self, old: &str, new: &str) {
        for (place, engine) in self.engines.iter_mut().enumerate().filter(|(_, engine)| engine.name == old) {
            new.clone_into(&mut engine.name);
            self.state.rename(place, new);
        }
    }

    fn start(&mut self, name: &str, count: usize) -> Option<Started> {
        match (self.start)(name, count.min(MOST_ENGINES)) {
            Ok(started) => {
                if let Some(interval) = self.interval {
                    started.session.set_interval(interval);
                }
                Some(started)
            }
            Err(error) => {
                self.state.complain(&Message::EngineNotStarted(name.to_owned(), format!("{error:#}").into()));
                None
            }
        }
    }

    /// Does what the user asked for.
    pub fn act(&mut self, action: &Action) {
        if action.is_of_the_user() {
            self.state.dismiss();
        }
        match action {
            Action::Step(moves) => self.state.step(*moves),
            Action::First => self.state.go_to(0),
            Action::Last => self.state.go_to(usize::MAX),
            Action::Pause => self.state.pause(),
            Action::Hide => self.state.hide(),
            Action::Dismiss => self.state.take_back(),
            Action::Seen => self.state.see(),
            Action::Passed => self.state.forget(),
            Action::Study(studies) => self.state.study(*studies),
            Action::Speak(lang) => self.state.speak(*lang),
            Action::Remark(remark) => self.state.mention(remark),
            Action::Follow => self.state.follow_next(),
            Action::Open(path) => self.intend(Intent::Open(path.clone())),
            Action::OpenAll(files) => self.intend(Intent::OpenAll(files.clone())),
            Action::Turn(at) => self.intend(Intent::Turn(*at)),
            Action::New => self.intend(Intent::Show(Box::new(Record::new(&Position::startpos())))),
            Action::Paste(text) => self.paste(text),
            Action::Save if self.is_saved() => self.state.remark(&PaperRemark::NothingToSave.into()),
            Action::Save => self.save(None),
            Action::SaveAs(path) => self.save(Some(path)),
            Action::SaveUnasked(path) => {
                let saved = self.papers.save_unasked(path, self.state.document().record());
                self.take_in_saved(saved);
            }
            Action::Answer(answer) => self.answer(*answer),
            Action::BringBack(brings) => self.bring_back(*brings),
            Action::Start(position) => self.intend(Intent::Show(Box::new(Record::new(position)))),
            Action::Analyse(commission) => {
                if let Err(trouble) = self.analyst.begin(self.state.document(), (**commission).clone()) {
                    self.state.complain(&trouble);
                }
            }
            Action::PauseAnalysis => self.analyst.pause(),
            Action::EndAnalysis => self.state.work(|document| self.analyst.end(document)),
            Action::Quit => self.intend(Intent::Quit),
            Action::Engine(name) => self.change_engine(name),
            Action::Beside(name) => self.change_company(name),
            Action::Rename(old, new) => self.rename(old, new),
            Action::Press(engine, button) => {
                for engine in self.engines.iter().filter(|started| started.name == *engine) {
                    engine.session.press(button);
                }
            }
        }
        self.refresh();
    }

    /// Passes on what has changed: to the engines, to the bar, to the copy that is kept aside.
    fn refresh(&mut self) {
        self.state.yield_to(self.analyst.is_at_work());
        self.wish();
        self.view = self.state.view();
        let document = self.state.document();
        if std::mem::replace(&mut self.kept, document.revision()) != document.revision() {
            self.papers.keep_aside(document.is_changed().then(|| document.shared()));
        }
    }

    fn intend(&mut self, intent: Intent) {
        if let Some(intent) = self.papers.intend(intent, self.state.document().is_changed()) {
            self.carry_out(intent);
        }
    }

    fn carry_out(&mut self, intent: Intent) {
        let revision = self.state.document().revision();
        match intent {
            Intent::Open(path) => self.papers.open(&path, revision),
            Intent::OpenAll(files) => self.papers.open_all(files, revision),
            Intent::Turn(at) => {
                if let Some(game) = self.papers.turn(at, revision) {
                    self.show(game);
                }
            }
            Intent::Show(record) => {
                self.papers.leave();
                self.show(*record);
            }
            Intent::Quit => {
                self.papers.keep_aside(None);
                self.quits = true;
            }
        }
    }

    fn answer(&mut self, answer: Answer) {
        let is_doubted = self.papers.doubt().is_some();
        match answer {
            Answer::Cancel if is_doubted => self.papers.think_better(),
            Answer::Cancel => {
                self.papers.answered();
            }
            Answer::Discard => {
                self.papers.think_better();
                if let Some(intent) = self.papers.answered() {
                    self.carry_out(intent);
                }
            }
            Answer::Save if is_doubted => {
                let saved = self.papers.save_all_the_same(self.state.document().record());
                self.take_in_saved(saved);
            }
            // Where there is no file to save in, or not safely, the question stands until one is chosen.
            Answer::Save => {
                self.papers.agree();
                if self.papers.path().is_some() {
                    self.save(None);
                }
            }
        }
    }

    /// Whether all of the record is in its file, which is there.
    fn is_saved(&self) -> bool {
        !self.state.document().is_changed() && self.papers.path().is_some_and(Path::exists)
    }

    /// Saves, into another file where one is named.
    fn save(&mut self, path: Option<&Path>) {
        let saved = self.papers.save(path, self.state.document().record());
        self.take_in_saved(saved);
    }

    fn take_in_saved(&mut self, saved: Result<Option<Saved>, PaperRemark>) {
        match saved {
            Ok(Some(Saved::Record(remark))) => {
                self.state.work(|document| document.saved(document.revision()));
                self.papers.keep_aside(None);
                if let Some(intent) = self.papers.saved() {
                    self.carry_out(intent);
                }
                self.state.remark(&remark.into());
            }
            Ok(Some(Saved::Position(remark))) => self.state.remark(&remark.into()),
            Ok(None) => {}
            Err(trouble) => self.state.complain(&trouble.into()),
        }
    }

    fn paste(&mut self, text: &str) {
        let record = kifu::read(text.as_bytes()).ok().and_then(Reading::into_first);
        match record {
            Some((record, _)) => self.intend(Intent::Show(Box::new(record))),
            None => self.state.remark(&PaperRemark::NothingToPaste.into()),
        }
    }

    fn bring_back(&mut self, brings: bool) {
        match self.papers.left_behind().first() {
            Some(first) if brings => self.intend(Intent::Open(first.copy.clone())),
            _ => self.papers.throw_away(),
        }
    }

    /// Takes in what became of the record's file; whether anything did.
    fn hear_of_papers(&mut self) -> bool {
        let document = self.state.document();
        let was_asking = self.papers.asks();
        let events = self.papers.hear(document.is_changed().then(|| document.revision()));
        let is_any = !events.is_empty() || was_asking != self.papers.asks();
        for event in events {
            match event {
                Event::Opened(record, remark) => {
                    self.show(record);
                    if let Some(remark) = remark {
                        self.state.remark(&remark);
                    }
                }
                Event::BroughtBack(record, copy) => {
                    self.show(record);
                    self.state.work(Document::unsaved);
                    // Which keeps it aside; only then is the copy that was left behind not needed.
                    self.refresh();
                    self.papers.brought_back(copy);
                }
                // It is another record to the analysis, too.
                Event::Followed(record) => {
                    self.state.caught_up();
                    self.state.work(|document| {
                        self.analyst.end(document);
                        document.follow(record);
                    });
                }
                Event::Said(trouble) => self.state.complain(&trouble),
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

    fn hear_of_analysis(&mut self) -> bool {
        if !self.analyst.is_at_work() {
            return false;
        }
        let analyst = &mut self.analyst;
        let heard = self.state.work(|document| analyst.hear(document));
        if let Some(said) = heard.said {
            if heard.failed { self.state.complain(&said) } else { self.state.remark(&said) }
        }
        if heard.is_new {
            self.refresh();
        }
        heard.is_new
    }

    /// Who analyses the record on view.
    pub const fn analyst(&self) -> &Analyst {
        &self.analyst
    }

    /// The file of the record on view, and what is to be done with it.
    pub const fn papers(&self) -> &Papers {
        &self.papers
    }

    /// What the bar says now.
    pub fn view(&mut self) -> &View {
        for trouble in self.log.trouble() {
            self.state.remark(&trouble);
            self.refresh();
        }
        let mut heard = self.hear_of_papers() | self.hear_of_analysis();
        for (place, engine) in self.engines.iter().enumerate() {
            if let Some(snapshot) = engine.session.snapshot() {
                self.state.hear(place, snapshot);
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
        self.state.rests() || self.state.is_settled() || threads < processors
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
    fn view(&mut self) -> &View {
        Self::view(self)
    }

    fn act(&mut self, action: &Action) {
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

    fn work(&mut self, work: &mut dyn FnMut(&mut Document)) {
        self.state.work(work);
        self.refresh();
    }

    fn aside(&self) -> Option<Notice> {
        self.state.aside()
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

    fn papers(&self) -> &Papers {
        Self::papers(self)
    }

    fn analyst(&self) -> &Analyst {
        Self::analyst(self)
    }

    fn judge_by(&mut self, judging: Option<Judging>) {
        self.state.judge_by(judging);
    }

    fn lang(&self) -> Lang {
        Self::lang(self)
    }

    fn is_over(&self) -> bool {
        Self::is_over(self)
    }
}

impl Started {
    /// The engine as nothing has been heard of it yet.
    fn heard(&self) -> Heard {
        // Of a path only the file says which engine it is.
        let file = Path::new(&self.name).file_name().filter(|_| !self.is_profile);
        let name = file.map_or_else(|| self.name.clone(), |file| file.to_string_lossy().into_owned());
        Heard { name, is_profile: self.is_profile, ..Heard::default() }
    }
}

impl std::fmt::Debug for Viewer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Viewer").field("engines", &self.engines).field("state", &self.state).finish_non_exhaustive()
    }
}

/// Puts a record from a file on view and says what of it was not understood; where it cannot be read,
/// what was on view stays and the bar says why.
pub fn open(state: &mut State, papers: &mut Papers, path: &Path) -> Vec<Warning> {
    // Before it is read: what is written meanwhile is read again.
    let stamp = files::stamp(path);
    let read = super::papers::read(path).map(|reading| papers.adopt(path, reading, stamp));
    show(state, read)
}

/// The same for what has been read already; `name` is what it is called if it is no record.
pub fn open_bytes(state: &mut State, name: &str, bytes: &[u8]) -> Vec<Warning> {
    let unreadable = |why| Box::new(Message::RecordUnreadable(name.to_owned(), why));
    let read = kifu::read_first(bytes, Path::new(name)).map_err(|error| unreadable((&error).into()));
    show(state, read.map(Some))
}

type First<R> = Option<(R, Vec<Warning>)>;

fn show<R: Into<Arc<Record>>>(state: &mut State, read: Result<First<R>, Box<Message>>) -> Vec<Warning> {
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
            state.complain(&trouble);
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests;
