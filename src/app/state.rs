//! What is on view: a game, a place in it, and what engines say of it. Pure.

mod recorded;

use crate::analysis::AnalysisOptions;
use crate::analysis::{Evaluator, Evaluators};
use crate::bar::{self, BarInput, BarNotice, BarView, Ending, EngineReport, FollowMode};
use crate::kifu::Record;
use crate::session::{self, SearchTarget, Snapshot};
use crate::shogi::{Color, History, Position};
use crate::study::{Document, UnsavedAnswer};
use crate::text::{Lang, Message, PaperRemark};
use std::path::PathBuf;
use std::sync::Arc;

/// What a user can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum AppAction {
    /// So many moves on, or back where it is negative.
    Step(i32),
    /// To the start of the game.
    First,
    /// To its end.
    Last,
    /// That the engines rest, or that they go on.
    Pause,
    /// That the bar follows the next engine, or their mean.
    Follow,
    /// Another record, from a file.
    Open(PathBuf),
    /// The first of several files, with the others at hand.
    OpenAll(Vec<PathBuf>),
    /// Another of what is at hand.
    Turn(usize),
    /// A game without a move, from the even start.
    New,
    /// A record or a position, as it was copied.
    Paste(String),
    /// The record into its file.
    Save,
    /// The record into another file.
    SaveAs(PathBuf),
    /// The same, where nobody was asked yet whether a file of that name is to be replaced.
    SaveUnasked(PathBuf),
    /// What is to become of changes that are not saved.
    Answer(UnsavedAnswer),
    /// The first of what a program left behind, or away with it.
    BringBack(bool),
    /// An analysis of the whole game.
    Analyse(Box<AnalysisOptions>),
    /// That it rests, or goes on.
    PauseAnalysis,
    /// Its end.
    EndAnalysis,
    /// A game from this position on.
    Start(Box<Position>),
    /// The end of the program.
    Quit,
    /// Hide what tells who is winning, or show it again.
    Hide,
    /// Something to be said on the bar in passing.
    Remark(Message),
    /// What was said in passing is to be taken back.
    Dismiss,
    /// Nothing: what was said has been seen.
    Seen,
    /// Nothing: what was said in passing on the page of the game has been said long enough.
    Passed,
    /// Whether the page is open on which the record is studied.
    Study(bool),
    /// Another language on the screen.
    Speak(Lang),
    /// Another engine beside the one that the bar follows; one of two looks no longer.
    Beside(String),
    /// Another engine, by what the user calls it; the same one is started anew.
    Engine(String),
    /// Another name for an engine in use.
    Rename(String, String),
    /// That in an engine, by what the user calls it, a button is pressed.
    Press(String, String),
}

impl AppAction {
    /// Whether it is the user's doing: what was said to him before has then been seen.
    pub const fn is_of_the_user(&self) -> bool {
        !matches!(self, Self::Remark(_) | Self::Dismiss | Self::Passed | Self::Speak(_) | Self::Study(_))
    }
}

/// Something that is said in place of the candidates.
#[derive(Clone, Debug)]
struct AppNotice {
    message: Message,
    /// Whether it is about something that went wrong.
    failure: bool,
}

/// Why engines rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct PauseReason {
    /// The user wants it so.
    paused: bool,
    /// What they say is hidden: nobody searches for what nobody sees.
    hidden: bool,
    /// Others are at work.
    yields: bool,
}

/// What is on view.
#[derive(Debug)]
pub struct AppState {
    document: Document,
    /// Whether that is what the user asked for, and not the board that we begin with.
    opened: bool,
    history: Arc<History>,
    last_word: String,
    engines: Vec<EngineReport>,
    follow: FollowMode,
    rest: PauseReason,
    /// What came of what the user did last.
    said: Option<AppNotice>,
    /// What is said in passing, before all else.
    passing: Option<AppNotice>,
    /// Why the record that was asked for cannot be read, while nothing else has been put on view.
    unread: Option<AppNotice>,
    /// Whether the page is open on which the record is studied: what is said of its file is said there, and not on a bar
    /// that others may be watching.
    studies: bool,
    lang: Lang,
    /// Who judges the record that has this first revision.
    judging: Option<(u64, GameJudge)>,
}

/// Those who evaluate a record, and the one of them who judges it.
pub type GameJudge = (Evaluators, Evaluator);

impl AppState {
    /// An empty board, at which nobody looks.
    pub fn new(lang: Lang) -> Self {
        let document = Document::default();
        let history = Arc::new(document.history());
        Self {
            document,
            opened: false,
            history,
            last_word: String::new(),
            engines: Vec::new(),
            follow: FollowMode::One(0),
            rest: PauseReason::default(),
            said: None,
            passing: None,
            unread: None,
            studies: false,
            judging: None,
            lang,
        }
    }

    /// Has one more engine look.
    pub fn add_engine(&mut self, engine: EngineReport) {
        self.engines.push(engine);
    }

    /// Has another engine look in place of one, counted from 0.
    pub fn change(&mut self, place: usize, engine: EngineReport) {
        if let Some(before) = self.engines.get_mut(place) {
            *before = engine;
        }
    }

    /// Calls an engine, counted from 0, something else.
    pub fn rename(&mut self, place: usize, name: &str) {
        if let Some(engine) = self.engines.get_mut(place) {
            name.clone_into(&mut engine.name);
        }
    }

    /// Has an engine, counted from 0, look no longer.
    pub fn dismiss_engine(&mut self, place: usize) {
        if place < self.engines.len() {
            self.engines.remove(place);
            self.follow = FollowMode::One(0);
        }
    }

    /// The engine that the bar follows, counted from 0; the first where it follows their mean.
    pub const fn lead(&self) -> usize {
        self.follow.lead()
    }

    /// Says whom the bar follows; an engine that does not look is none to follow.
    pub fn follow(&mut self, follow: FollowMode) {
        if follow.lead() < self.engines.len() {
            self.follow = follow;
        }
    }

    /// Has the bar follow the next engine, and after the last their mean.
    pub fn follow_next(&mut self) {
        self.follow = self.follow.next(self.engines.len());
    }

    /// Has the engines rest, or go on.
    pub const fn pause(&mut self) {
        self.rest.paused = !self.rest.paused;
    }

    /// Has the engines rest while others are at work: they would have to share the processors.
    pub const fn set_analysis_running(&mut self, others: bool) {
        self.rest.yields = others;
    }

    /// Whether the engines rest because the user wants it.
    pub const fn is_paused(&self) -> bool {
        self.rest.paused
    }

    /// Whether the engines rest, for whatever reason.
    pub fn is_paused_now(&self) -> bool {
        self.rest != PauseReason::default()
    }

    /// Hides what tells who is winning, or shows it again. Nobody searches for what nobody sees.
    pub const fn hide(&mut self) {
        self.rest.hidden = !self.rest.hidden;
    }

    /// Puts a record on view: a finished game at its start, to be walked through, one that goes on at its tip.
    pub fn open(&mut self, record: impl Into<Arc<Record>>) {
        let record = record.into();
        let is_over = record.decided().is_some();
        self.opened = true;
        self.dismiss();
        self.unread = None;
        self.work(|document| {
            document.open(record);
            document.go_to(if is_over { 0 } else { document.tip() });
        });
    }

    /// The record on view, and the place in it.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// The game up to what is on view.
    pub const fn history(&self) -> &Arc<History> {
        &self.history
    }

    /// Has something be done in the record on view, or with it.
    pub fn work<T>(&mut self, work: impl FnOnce(&mut Document) -> T) -> T {
        let place = |document: &Document| (document.revision(), document.here());
        let before = place(&self.document);
        let done = work(&mut self.document);
        if place(&self.document) == before {
            return done;
        }
        let history = self.document.history();
        if history != *self.history {
            self.unread = None;
            self.history = Arc::new(history);
            self.last_word = bar::last_word(&self.history, self.lang);
        }
        done
    }

    /// Says that something went wrong; what was on view stays. Where that is nothing, and a record was asked for, it
    /// is said for as long: what is on the board is not what was asked for.
    pub fn show_problem(&mut self, trouble: &Message) {
        let said = Some(AppNotice { message: trouble.clone(), failure: true });
        if !self.opened && matches!(trouble, Message::RecordUnreadable(..)) {
            self.unread = said;
        } else {
            self.said = said;
        }
    }

    /// Says something worth knowing.
    pub fn remark(&mut self, remark: &Message) {
        self.said = Some(AppNotice { message: remark.clone(), failure: false });
    }

    /// Says something in passing: what else is said comes back after it.
    pub fn mention(&mut self, remark: &Message) {
        self.passing = Some(AppNotice { message: remark.clone(), failure: false });
    }

    /// Says whether the page is open on which the record is studied.
    pub const fn study(&mut self, studies: bool) {
        self.studies = studies;
    }

    /// The user has put away what stands on the page of the game, be it for good or not.
    pub fn see(&mut self) {
        self.unread = None;
    }

    /// Takes back what is said on the page of the game, where it was said in passing: no more than that, for what went
    /// wrong meanwhile waits behind it.
    pub fn forget(&mut self) {
        let is_shown = |said: &Option<AppNotice>| said.as_ref().is_some_and(|said| self.is_aside(said));
        let first = if is_shown(&self.passing) { &mut self.passing } else { &mut self.said };
        first.take_if(|said| !said.failure && said.message.passes());
    }

    /// What others wrote to the file is on view now: that it was not is nothing to be said any more.
    pub fn mark_current(&mut self) {
        let is_that = |said: &mut AppNotice| match &said.message {
            Message::Paper(remark) => matches!(**remark, PaperRemark::ChangedElsewhere(_)),
            _ => false,
        };
        self.said.take_if(is_that);
    }

    /// Takes back what was said in passing.
    pub fn take_back(&mut self) {
        self.passing = None;
    }

    /// Takes back what was said, as the user has seen it: what stands before the engines first, and then what of
    /// their settings does not fit them.
    pub fn dismiss(&mut self) {
        let seen = [self.passing.take(), self.said.take()];
        if seen.iter().all(Option::is_none) && self.unread.is_none() {
            for engine in &mut self.engines {
                engine.told |= !engine.snapshot.misfits.is_empty();
            }
        }
    }

    /// Goes to the position after `ply` moves of the line on view. The end of a game, be it finished or interrupted, is
    /// a step of its own after the last move, so that its last position can still be looked at; it is where all larger
    /// numbers lead.
    pub fn go_to(&mut self, ply: usize) {
        self.work(|document| document.go_to(ply));
    }

    /// Goes so many moves on, or back, and no further than the game goes.
    pub fn step(&mut self, moves: i32) {
        let (distance, ply) = (usize::try_from(moves.unsigned_abs()).unwrap_or(usize::MAX), self.document.place());
        self.go_to(if moves < 0 { ply.saturating_sub(distance) } else { ply.saturating_add(distance) });
    }

    /// Takes in what an engine says, counted from 0.
    pub fn update_engine(&mut self, engine: usize, snapshot: Snapshot) {
        if let Some(heard) = self.engines.get_mut(engine) {
            heard.snapshot = snapshot;
        }
    }

    /// What the record says of the position on view, to be heard in an engine's place; `None` where it says
    /// nothing.
    pub fn recorded(&self) -> Option<Snapshot> {
        let judging = self.judging.as_ref().filter(|(first, _)| *first == self.document.first_revision());
        let judging = judging.map(|(_, judging)| judging);
        recorded::snapshot(self.document.record(), self.document.last_move(), &self.history, judging)
    }

    /// Takes note of who judges the record on view: what it says at rest is by that one.
    pub fn judge_by(&mut self, judging: Option<GameJudge>) {
        let judging = judging.map(|judging| (self.document.first_revision(), judging));
        if self.judging != judging {
            self.judging = judging;
        }
    }

    /// Whether an engine has said anything of any position.
    pub fn has_spoken(&self) -> bool {
        self.engines.iter().any(|heard| heard.snapshot.shown.is_some())
    }

    /// Speaks another language.
    pub fn set_language(&mut self, lang: Lang) {
        self.lang = lang;
        self.last_word = bar::last_word(&self.history, lang);
    }

    /// The language of the screen.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// The position to search; none where the game is over, and where the record that was asked for could
    /// not be read: an evaluation would look like one of it.
    pub fn search_target(&self) -> SearchTarget {
        let is_sought = self.unread.is_none() && self.ending().is_none();
        let position = is_sought.then(|| Arc::clone(&self.history));
        SearchTarget { position, paused: self.is_paused_now(), limit: None }
    }

    /// Whether there is nothing more to come: nothing is to be searched, or every engine has finished with
    /// the position on view, or is of no use.
    pub fn is_settled(&self) -> bool {
        let finished = |heard: &EngineReport| {
            let answered = heard.snapshot.answer.as_ref().is_some_and(|answer| answer.history == self.history);
            let failed =
                matches!(heard.snapshot.state, session::EngineState::Failed(_) | session::EngineState::Unsearchable(_));
            answered || failed
        };
        self.engines.iter().all(finished) || self.search_target().position.is_none()
    }

    /// What the bar says.
    pub fn view(&self) -> BarView {
        let notice = self.to_say().find(|said| !self.is_aside(said)).map(|said| said.notice(self.lang));
        let recorded = self.at_rest();
        let (engines, follow) = match &recorded {
            Some(recorded) => (std::slice::from_ref(recorded), FollowMode::One(0)),
            None => (self.engines.as_slice(), self.follow),
        };
        let view = bar::view(&BarInput {
            players: [Color::Black, Color::White].map(|color| self.document.record().player(color)),
            handicap: self.document.record().is_handicap(),
            history: &self.history,
            ply: self.history.moves().len(),
            last_word: &self.last_word,
            ending: self.ending(),
            pause: self.document.pause(),
            engines,
            follow,
            paused: self.rest.paused,
            notice: notice.as_ref(),
            lang: self.lang,
        });
        if self.rest.hidden { view.hidden(self.lang) } else { view }
    }

    /// What is to be said on the page on which the record is studied.
    pub fn side_notice(&self) -> Option<BarNotice> {
        self.to_say().find(|said| self.is_aside(said)).map(|said| said.notice(self.lang))
    }

    fn to_say(&self) -> impl Iterator<Item = &AppNotice> {
        [&self.passing, &self.said, &self.unread].into_iter().flatten()
    }

    fn is_aside(&self, said: &AppNotice) -> bool {
        self.studies && said.message.is_for_the_page()
    }

    /// What the record says of the position on view, to be heard while the engines rest; `None` where they do not, and
    /// where one of them has looked at it before.
    fn at_rest(&self) -> Option<EngineReport> {
        let has_looked =
            |heard: &EngineReport| heard.snapshot.shown.as_ref().is_some_and(|shown| shown.history == self.history);
        if !self.is_paused_now() || self.engines.iter().any(has_looked) {
            return None;
        }
        self.recorded().map(EngineReport::from)
    }

    fn ending(&self) -> Option<Ending> {
        let stated = self.document.ending().filter(|_| self.document.is_at_end());
        stated.or_else(|| Ending::on_board(&self.history))
    }
}

impl AppNotice {
    fn notice(&self, lang: Lang) -> BarNotice {
        let text = self.message.text(lang);
        let notice = if self.failure { BarNotice::failure(text, Vec::new()) } else { BarNotice::new(text) };
        BarNotice { passes: !self.failure && self.message.passes(), ..notice }
    }
}

#[cfg(test)]
mod tests;
