//! One engine's life as a pure function: events in, effects out. Time is part of an event; nothing
//! here sleeps, reads or starts anything.
//!
//! What it promises on every history of events: one `go` at a time; no `position`, `isready` or
//! `setoption` while a search runs (several engines deadlock on them); nothing after `quit`; no
//! value under a position it was not said of; a process that ends is started again, and not without
//! end.

mod restart_policy;
mod search;
#[cfg(test)]
mod tests;

use self::restart_policy::RestartPolicy;
use self::search::{GoLimitSupport, LastSearch};
use super::snapshot::{EngineFailure, EngineState, FailureKind, Restart, SearchResult, Snapshot};
use super::{PvTable, SearchInfo, SearchTarget, SearchTracker, SessionConfig, options};
use crate::config::RejectedOption;
use crate::score::Model;
use crate::text::ProgramExit;
use crate::usi::{OptionKind, OptionSpec, Reply, reply};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long an engine that loads may be silent before it looks as if it had hung. Loading can take
/// minutes, so it is only said, and never killed for it.
const LOADS_SILENTLY: Duration = Duration::from_mins(1);
/// The same for one that was told to stop, or asked whether it is ready between two searches; real
/// ones take a fifth of a second.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);
/// How long an engine may take to go after `quit`; some never do in the middle of a search.
const GONE_WITHIN: Duration = Duration::from_millis(500);
/// Lines that are no USI before we say that the program is no engine. Real ones greet in a few.
const RUBBISH: u32 = 200;
/// The same for all lines before `usiok`; the largest engine has 213 options.
const INTRODUCTION: u32 = 5000;
/// Options beyond these, and longer lines than this in bytes, are rubbish: the longest known has 1.6 kB.
const MOST_OPTIONS: usize = 1000;
const LONGEST_OPTION: usize = 1 << 14;
/// However much it says, an engine has so many times the time it may be silent for to say `usiok`.
const INTRODUCTION_WITHIN: u32 = 6;
/// How many of its last lines are shown with a failure.
const LAST_LINES: usize = 6;
/// Where a kept line is cut, in characters.
const LAST_LINE_LENGTH: usize = 200;

/// What happens to a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// Something else is wanted. The newest wish counts.
    Wish(SearchTarget),
    /// The engine's button of this name is to be pressed.
    Press(String),
    /// The user wants the engine to be started afresh, whatever became of it.
    TryAgain,
    /// The engine printed a line.
    Line(&'a str),
    /// The engine could not be started.
    NotStarted(FailureKind),
    /// The engine is gone: how it ended, and the last lines of its standard error.
    Closed(ProgramExit, Vec<String>),
    /// The engine does not take what it was sent.
    NotReading,
    /// The deadline has passed.
    Deadline,
    /// The session is to end.
    Quit,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Start the engine.
    Start,
    /// Send the engine a line.
    Send(String),
    /// Kill the engine and whatever it started.
    Kill,
}

/// Where the engine is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Handshaking,
    Readying,
    Idle,
    /// Asked whether it is ready between two searches, so that whatever it still had to say is said.
    Fencing,
    Searching,
    Stopping,
    /// Ended, and to be started again when the deadline passes.
    Backoff,
    Quitting,
    Exited,
}

/// One engine's life.
#[derive(Debug)]
pub struct Core {
    settings: SessionConfig,
    phase: Phase,
    now: Duration,
    deadline: Option<Duration>,
    effects: Vec<Effect>,
    engine: String,
    options: Vec<OptionSpec>,
    misfits: Vec<RejectedOption>,
    model: Model,
    /// Whether the program has ever said `usiok`. One that has not is no engine, and is not started
    /// again.
    introduced: bool,
    lives: RestartPolicy,
    quit: bool,
    process: RunningProcess,
    /// When it entered its phase.
    entered: Duration,
    wish: SearchTarget,
    /// Lines for buttons that were pressed, to be sent when nothing is searched.
    pressed: Vec<String>,
    searched: Option<LastSearch>,
    /// How many searches of positions apart were answered.
    answers: u64,
    /// What became of the first search whose limit the engine was told.
    told: GoLimitSupport,
    ledger: SearchTracker,
    screen: PvTable,
    shown: Option<SearchInfo>,
    outdated: bool,
    trouble: Option<EngineState>,
    /// [`Snapshot::waited`] when something last changed.
    waited: u64,
    revision: u64,
}

/// What is known of the process that runs, and not of the one before it.
#[derive(Debug, Default)]
struct RunningProcess {
    started: Duration,
    heard_at: Duration,
    /// Lines before `usiok`: all of them, and those that are no USI.
    heard: u32,
    rubbish: u32,
    last_lines: VecDeque<String>,
    /// Whether it has said a `bestmove` too many, or a value after it: then it is fenced before every
    /// search.
    has_leftovers: bool,
    /// Whether it has searched anything.
    has_searched: bool,
}

impl Core {
    /// A session that begins at `now`, and what is to be done first.
    pub fn start(settings: SessionConfig, now: Duration) -> (Self, Vec<Effect>) {
        let model = Model::new(settings.k.unwrap_or(Model::DEFAULT_K));
        let mut core = Self {
            settings,
            phase: Phase::Exited,
            now,
            deadline: None,
            effects: Vec::new(),
            engine: String::new(),
            options: Vec::new(),
            misfits: Vec::new(),
            model,
            introduced: false,
            lives: RestartPolicy::default(),
            quit: false,
            process: RunningProcess::default(),
            entered: now,
            wish: SearchTarget::default(),
            pressed: Vec::new(),
            searched: None,
            answers: 0,
            told: GoLimitSupport::Untried,
            ledger: SearchTracker::default(),
            screen: PvTable::default(),
            shown: None,
            outdated: false,
            trouble: None,
            waited: 0,
            revision: 0,
        };
        core.spawn();
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Takes one event at the time `now`, which never goes back, and says what is to be done.
    pub fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Wish(wish) => self.set_target(wish),
            Event::Press(button) => self.press(&button),
            Event::TryAgain => self.retry(),
            Event::Line(line) => self.on_line(line),
            Event::NotStarted(kind) => self.fail(kind),
            Event::Closed(exit, complaints) => self.closed(exit, &complaints),
            Event::NotReading => self.fail(FailureKind::NotReading),
            Event::Deadline => self.deadline_passed(),
            Event::Quit => self.quit(),
        }
        let (_, waited) = self.state();
        if self.waited != waited {
            self.waited = waited;
            self.changed();
        }
        std::mem::take(&mut self.effects)
    }

    /// When [`Event::Deadline`] is due, if nothing else happens before.
    pub fn deadline(&self) -> Option<Duration> {
        // While an answer is owed the user sees its seconds, counted from one or the other.
        let starts = matches!(self.phase, Phase::Handshaking | Phase::Readying);
        let owes = starts || matches!(self.phase, Phase::Fencing | Phase::Stopping);
        let counted = [(starts, self.process.started), (owes, self.silent_for())];
        let ticks = counted.into_iter().filter(|(counts, _)| *counts).map(|(_, since)| {
            let seconds = self.now.saturating_sub(since).as_secs() + 1;
            since + Duration::from_secs(seconds)
        });
        ticks.chain(self.deadline).min()
    }

    /// Since when nothing was heard of what it is at.
    fn silent_for(&self) -> Duration {
        self.process.heard_at.max(self.entered)
    }

    /// Whether the engine is gone and nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Exited
    }

    /// Changes whenever a [`snapshot`](Self::snapshot) would be another.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// How many positions that are searched apart have been answered: who gives them out waits for nothing else. On a
    /// bar nobody does, and what an engine prints behind its answer is heard before that is published.
    pub const fn answers(&self) -> u64 {
        self.answers
    }

    /// How long a search has been under way: what comes is the less urgent. `None` where there is none.
    pub fn searching_for(&self) -> Option<Duration> {
        (self.phase == Phase::Searching).then(|| self.now.saturating_sub(self.entered))
    }

    /// Whether an engine has said anything of the position that is searched.
    pub fn has_spoken(&mut self) -> bool {
        self.screen.shown().is_some_and(|shown| shown.best().is_some())
    }

    /// What is known now.
    pub fn snapshot(&mut self) -> Snapshot {
        self.keep_shown();
        let (state, waited) = self.state();
        Snapshot {
            engine: self.engine.clone(),
            state,
            waited,
            model: self.model,
            misfits: self.misfits.clone(),
            asked: usize::try_from(self.settings.multipv).unwrap_or(usize::MAX),
            answer: self.answer(),
            refuses_limits: self.told == GoLimitSupport::Refused,
            shown: self.shown.clone(),
            outdated: self.outdated,
        }
    }

    fn answer(&self) -> Option<SearchResult> {
        let searched = self.searched.as_ref().filter(|_| matches!(self.phase, Phase::Idle | Phase::Fencing))?;
        let best = searched.best.filter(|mv| searched.history.now().is_legal(*mv));
        Some(SearchResult { history: Arc::clone(&searched.history), best })
    }

    /// What it is doing, and for how many seconds it has owed an answer.
    fn state(&self) -> (EngineState, u64) {
        let since = |at| self.now.saturating_sub(at);
        let unheard = since(self.silent_for());
        if let Some(trouble) = &self.trouble {
            let starting = matches!(self.phase, Phase::Handshaking | Phase::Readying);
            return (trouble.clone(), if starting { since(self.process.started).as_secs() } else { 0 });
        }
        match self.phase {
            Phase::Handshaking => (EngineState::Starting, since(self.process.started).as_secs()),
            Phase::Readying if unheard >= LOADS_SILENTLY => (EngineState::Silent, unheard.as_secs()),
            Phase::Readying => (EngineState::Preparing, since(self.process.started).as_secs()),
            Phase::Fencing | Phase::Stopping if unheard >= ANSWERS_WITHIN => (EngineState::Silent, unheard.as_secs()),
            Phase::Searching | Phase::Stopping | Phase::Fencing => (EngineState::Thinking, 0),
            Phase::Idle if self.wish.paused => (EngineState::Paused, 0),
            Phase::Idle | Phase::Backoff | Phase::Quitting | Phase::Exited => (EngineState::Idle, 0),
        }
    }

    fn on_line(&mut self, line: &str) {
        self.remember(line);
        self.process.heard_at = self.now;
        let reply = reply::parse(line);
        match self.phase {
            Phase::Handshaking => self.on_handshake(line, reply),
            Phase::Readying => self.on_readying(&reply),
            Phase::Searching | Phase::Stopping => self.on_search_reply(&reply),
            Phase::Idle => self.on_idle_reply(&reply),
            Phase::Fencing => self.on_fence_reply(&reply),
            Phase::Backoff | Phase::Quitting | Phase::Exited => {}
        }
    }

    fn on_handshake(&mut self, line: &str, reply: Reply) {
        self.process.heard += 1;
        match reply {
            Reply::UsiOk => return self.prepare(),
            Reply::IdName(name) => {
                self.engine = name.chars().take(LAST_LINE_LENGTH).collect();
                self.changed();
            }
            Reply::Option(option) if self.options.len() < MOST_OPTIONS && line.len() <= LONGEST_OPTION => {
                self.options.push(option);
            }
            Reply::IdAuthor(_) | Reply::Info(_) => {}
            _ => self.process.rubbish += 1,
        }
        if self.process.rubbish > RUBBISH || self.process.heard > INTRODUCTION {
            return self.fail(FailureKind::NotUsi);
        }
        let patience = self.settings.usi_ok_within;
        let last = self.process.started + patience * INTRODUCTION_WITHIN;
        self.deadline = Some(last.min(self.now + patience));
    }

    fn prepare(&mut self) {
        let preset_k = self.settings.presets.find(&self.engine).map(|preset| preset.k);
        let k =
            self.settings.k.or_else(|| crate::config::declared_k(&self.options, &self.settings.options)).or(preset_k);
        self.model = Model::new(k.unwrap_or(Model::DEFAULT_K));
        let fit = options::fit(&self.options, &self.engine, &self.settings);
        for line in &fit.lines {
            self.send(line);
        }
        self.misfits = fit.misfits;
        self.introduced = true;
        self.send("isready");
        self.enter(Phase::Readying, None);
    }

    fn on_readying(&mut self, reply: &Reply) {
        if matches!(reply, Reply::ReadyOk) {
            self.send("usinewgame");
            self.enter(Phase::Idle, None);
            self.search_if_wanted();
        }
    }

    fn deadline_passed(&mut self) {
        if self.deadline.is_none_or(|deadline| self.now < deadline) {
            return;
        }
        self.deadline = None;
        match self.phase {
            Phase::Handshaking => self.fail(FailureKind::NoUsiOk(self.settings.usi_ok_within.as_secs())),
            Phase::Fencing => self.fail(FailureKind::NoReadyOk(self.fenced_within().as_secs())),
            Phase::Searching => self.time_is_up(),
            Phase::Stopping => self.fail(FailureKind::NoStop),
            Phase::Backoff => self.spawn(),
            Phase::Quitting => {
                self.effects.push(Effect::Kill);
                self.enter(Phase::Exited, None);
            }
            Phase::Readying | Phase::Idle | Phase::Exited => {}
        }
    }

    fn closed(&mut self, exit: ProgramExit, complaints: &[String]) {
        for line in complaints {
            self.remember(line);
        }
        match self.phase {
            Phase::Backoff | Phase::Exited => {}
            Phase::Quitting => self.enter(Phase::Exited, None),
            Phase::Handshaking => self.fail(FailureKind::EndedAtOnce(exit)),
            Phase::Readying | Phase::Idle | Phase::Fencing | Phase::Searching | Phase::Stopping => {
                self.fail(FailureKind::Crashed(exit));
            }
        }
    }

    /// The process is of no more use: it is killed, and started again where that may help.
    fn fail(&mut self, kind: FailureKind) {
        if matches!(self.phase, Phase::Backoff | Phase::Exited) {
            return;
        }
        self.note_refusal();
        self.give_up();
        if self.quit {
            return self.enter(Phase::Exited, None);
        }
        let mut failure =
            EngineFailure { kind, last_lines: self.process.last_lines.iter().cloned().collect(), restarts: 0 };
        let next = if self.introduced { self.lives.next(self.now, &self.settings.restarts) } else { None };
        if let Some(next) = next {
            self.trouble = Some(EngineState::Restarting(Restart { failure, nth: next.nth, pause: Some(next.pause) }));
            self.enter(Phase::Backoff, Some(next.pause));
        } else {
            failure.restarts = self.lives.count();
            self.trouble = Some(EngineState::Failed(failure));
            self.enter(Phase::Exited, None);
        }
    }

    /// Kills the process. What it owed is void, and what it said stays to be seen.
    fn give_up(&mut self) {
        self.effects.push(Effect::Kill);
        self.keep_shown();
        self.outdated = self.shown.is_some();
        self.ledger.restarted();
        self.searched = None;
    }

    /// Starts the program, the first time or again.
    fn spawn(&mut self) {
        self.effects.push(Effect::Start);
        self.options.clear();
        self.pressed.clear();
        self.process = RunningProcess { started: self.now, heard_at: self.now, ..RunningProcess::default() };
        if let Some(EngineState::Restarting(restart)) = &mut self.trouble {
            restart.pause = None;
        }
        self.send("usi");
        self.enter(Phase::Handshaking, Some(self.settings.usi_ok_within));
    }

    fn retry(&mut self) {
        if self.quit {
            return;
        }
        if !matches!(self.phase, Phase::Backoff | Phase::Exited) {
            self.give_up();
        }
        self.trouble = None;
        self.introduced = false;
        self.told = GoLimitSupport::Untried;
        self.lives = RestartPolicy::default();
        self.spawn();
    }

    /// Presses a button of the engine's: between two searches, so that a search under way is stopped for it
    /// and then begun again. A process that is about to be another forgets it.
    fn press(&mut self, button: &str) {
        let option = self.options.iter().find(|option| option.name == button && option.kind == OptionKind::Button);
        let Some(line) = option.and_then(|option| option.set("").ok()) else { return };
        match self.phase {
            Phase::Idle => self.send(&line),
            Phase::Searching => {
                self.pressed.push(line);
                self.break_off();
            }
            Phase::Readying | Phase::Fencing | Phase::Stopping => self.pressed.push(line),
            Phase::Handshaking | Phase::Backoff | Phase::Quitting | Phase::Exited => {}
        }
    }

    fn quit(&mut self) {
        if std::mem::replace(&mut self.quit, true) {
            return;
        }
        match self.phase {
            Phase::Quitting | Phase::Exited => {}
            Phase::Backoff => self.enter(Phase::Exited, None),
            _ => {
                if self.phase == Phase::Searching {
                    self.send("stop");
                }
                self.send("quit");
                self.enter(Phase::Quitting, Some(GONE_WITHIN));
            }
        }
    }

    /// Takes over what the screen shows now.
    fn keep_shown(&mut self) {
        // A search that has said a lesser rank first has nothing yet to drive the bar.
        if let Some(shown) = self.screen.shown().filter(|shown| shown.best().is_some()) {
            self.shown = Some(shown);
        }
    }

    fn enter(&mut self, phase: Phase, within: Option<Duration>) {
        self.phase = phase;
        self.entered = self.now;
        self.deadline = within.map(|within| self.now + within);
        self.changed();
        if phase == Phase::Idle {
            for line in std::mem::take(&mut self.pressed) {
                self.send(&line);
            }
        }
    }

    fn remember(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if self.process.last_lines.len() == LAST_LINES {
            self.process.last_lines.pop_front();
        }
        self.process.last_lines.push_back(line.chars().take(LAST_LINE_LENGTH).collect());
    }

    fn send(&mut self, line: &str) {
        self.effects.push(Effect::Send(line.to_owned()));
    }

    const fn changed(&mut self) {
        self.revision += 1;
    }
}
