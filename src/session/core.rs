//! One engine's life as a pure function: events in, effects out. Time is part of an event; nothing
//! here sleeps, reads or starts anything.
//!
//! What it promises on every history of events: one `go` at a time; no `position`, `isready` or
//! `setoption` while a search runs (several engines deadlock on them); nothing after `quit`; no
//! value under a position it was not said of.

use super::snapshot::{Answer, Failure, FailureKind, Snapshot, State};
use super::{Ledger, Offer, Screen, Settings, Shown, options};
use crate::score::Model;
use crate::shogi::{History, Move};
use crate::text::Exit;
use crate::usi::{Best, OptionSpec, Reply, reply};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How long an engine may be silent before it says `readyok`: loading can take minutes.
const READY_OK_WITHIN: Duration = Duration::from_mins(3);
/// How long a search may go on after `stop`.
const STOPPED_WITHIN: Duration = Duration::from_secs(5);
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
    /// The position to search has changed; `None` to search nothing. The newest wish counts.
    Wish(Option<Arc<History>>),
    /// The engine printed a line.
    Line(&'a str),
    /// The engine could not be started.
    NotStarted(FailureKind),
    /// The engine is gone: how it ended, and the last lines of its standard error.
    Closed(Exit, Vec<String>),
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
    Searching,
    Stopping,
    Quitting,
    Gone,
}

/// One engine's life.
#[derive(Debug)]
pub struct Core {
    settings: Settings,
    phase: Phase,
    now: Duration,
    deadline: Option<Duration>,
    effects: Vec<Effect>,
    engine: String,
    options: Vec<OptionSpec>,
    model: Model,
    rubbish: u32,
    heard: u32,
    started: Duration,
    last_lines: VecDeque<String>,
    wish: Option<Arc<History>>,
    /// What was searched last, kept after the search ends, so that a position is not searched again
    /// when the engine stops by itself.
    searched: Option<Arc<History>>,
    /// Whether the search was stopped because something else was wanted: then it is not done.
    broken_off: bool,
    /// What the last search ended with.
    best: Option<Move>,
    ledger: Ledger,
    screen: Screen,
    shown: Option<Shown>,
    trouble: Option<State>,
    revision: u64,
}

impl Core {
    /// A session that begins at `now`, and the first thing to tell the engine.
    pub fn start(settings: Settings, now: Duration) -> (Self, Vec<Effect>) {
        let model = Model::new(settings.k.unwrap_or(Model::DEFAULT_K));
        let mut core = Self {
            phase: Phase::Handshaking,
            now,
            deadline: Some(now + settings.usi_ok_within),
            settings,
            effects: Vec::new(),
            engine: String::new(),
            options: Vec::new(),
            model,
            rubbish: 0,
            heard: 0,
            started: now,
            last_lines: VecDeque::new(),
            wish: None,
            searched: None,
            broken_off: false,
            best: None,
            ledger: Ledger::default(),
            screen: Screen::default(),
            shown: None,
            trouble: None,
            revision: 0,
        };
        core.send("usi");
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Takes one event at the time `now`, which never goes back, and says what is to be done.
    pub fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Wish(wish) => self.wish_for(wish),
            Event::Line(line) => self.hear(line),
            Event::NotStarted(kind) => self.fail(kind),
            Event::Closed(exit, complaints) => self.closed(exit, &complaints),
            Event::NotReading => self.fail(FailureKind::NotReading),
            Event::Deadline => self.deadline_passed(),
            Event::Quit => self.quit(),
        }
        std::mem::take(&mut self.effects)
    }

    /// When [`Event::Deadline`] is due, if nothing else happens before.
    pub const fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// Whether the engine is gone and nothing more will happen.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Gone
    }

    /// Changes whenever a [`snapshot`](Self::snapshot) would be another.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// What is known now.
    pub fn snapshot(&mut self) -> Snapshot {
        // A search that has said a lesser rank first has nothing yet to drive the bar.
        if let Some(shown) = self.screen.shown().filter(|shown| shown.best().is_some()) {
            self.shown = Some(shown);
        }
        let state = self.trouble.clone().unwrap_or(match self.phase {
            Phase::Handshaking => State::Starting,
            Phase::Readying => State::Preparing,
            Phase::Searching | Phase::Stopping => State::Thinking,
            Phase::Idle | Phase::Quitting | Phase::Gone => State::Idle,
        });
        Snapshot {
            engine: self.engine.clone(),
            state,
            model: self.model,
            asked: usize::try_from(self.settings.multipv).unwrap_or(usize::MAX),
            answer: self.searched.clone().filter(|_| self.phase == Phase::Idle).map(|history| {
                let best = self.best.filter(|mv| history.now().is_legal(*mv));
                Answer { history, best }
            }),
            shown: self.shown.clone(),
        }
    }

    fn wish_for(&mut self, wish: Option<Arc<History>>) {
        // The same position again is the same wish, and is then told apart without a look at it.
        self.wish = if wish == self.searched { self.searched.clone() } else { wish };
        match self.phase {
            Phase::Idle => self.search_if_wanted(),
            Phase::Searching if !self.is_searching_the_wish() => {
                self.broken_off = true;
                self.stop();
            }
            // Before it is ready, or while it stops: what is wanted then is taken up in due course.
            Phase::Handshaking
            | Phase::Readying
            | Phase::Searching
            | Phase::Stopping
            | Phase::Quitting
            | Phase::Gone => {}
        }
    }

    fn hear(&mut self, line: &str) {
        self.remember(line);
        let reply = reply::parse(line);
        match self.phase {
            Phase::Handshaking => self.hear_handshake(line, reply),
            Phase::Readying => self.hear_readying(&reply),
            Phase::Searching | Phase::Stopping => self.hear_search(&reply),
            Phase::Idle | Phase::Quitting | Phase::Gone => {}
        }
    }

    fn hear_handshake(&mut self, line: &str, reply: Reply) {
        self.heard += 1;
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
            _ => self.rubbish += 1,
        }
        if self.rubbish > RUBBISH || self.heard > INTRODUCTION {
            return self.fail(FailureKind::NotUsi);
        }
        let patience = self.settings.usi_ok_within;
        let last = self.started + patience * INTRODUCTION_WITHIN;
        self.deadline = Some(last.min(self.now + patience));
    }

    fn prepare(&mut self) {
        let preset_k = self.settings.presets.of(&self.engine).map(|preset| preset.k);
        let k = self.settings.k.or_else(|| options::declared_k(&self.options)).or(preset_k);
        self.model = Model::new(k.unwrap_or(Model::DEFAULT_K));
        for line in options::to_send(&self.options, &self.engine, &self.settings) {
            self.send(&line);
        }
        self.send("isready");
        self.enter(Phase::Readying, Some(READY_OK_WITHIN));
    }

    fn hear_readying(&mut self, reply: &Reply) {
        self.deadline = Some(self.now + READY_OK_WITHIN);
        if matches!(reply, Reply::ReadyOk) {
            self.send("usinewgame");
            self.enter(Phase::Idle, None);
            self.search_if_wanted();
        }
    }

    fn hear_search(&mut self, reply: &Reply) {
        let Some(mut search) = self.ledger.received(reply) else { return };
        match reply {
            Reply::Info(info) => {
                // The ledger knows what was asked; what is wanted by now only we know.
                search.wanted &= self.is_searching_the_wish();
                if self.screen.offer(&search, info) != Offer::Refused {
                    self.changed();
                }
            }
            Reply::BestMove { .. } | Reply::Checkmate(_) => {
                self.best = match reply {
                    Reply::BestMove { best: Best::Move(mv), .. } => Some(*mv),
                    _ => None,
                };
                if self.broken_off {
                    self.searched = None;
                }
                self.enter(Phase::Idle, None);
                self.search_if_wanted();
            }
            _ => {}
        }
    }

    fn search_if_wanted(&mut self) {
        if self.trouble.take().is_some() {
            self.changed();
        }
        let Some(wish) = self.wish.clone() else { return };
        if self.is_searching_the_wish() {
            return;
        }
        if let Err(reason) = wish.now().searchable() {
            self.trouble = Some(State::Unsearchable(reason));
            self.searched = None;
            self.changed();
            return;
        }
        self.send(&format!("position {}", wish.usi()));
        // Time limits are ours: some engines abort on `movetime`, and all obey `stop`.
        self.send("go infinite");
        self.ledger.sent_position(Arc::clone(&wish));
        self.ledger.sent("go infinite");
        self.searched = Some(wish);
        self.broken_off = false;
        self.enter(Phase::Searching, Some(self.settings.time_limit));
    }

    /// Whether the search under way, or the last one, is of the position that is wanted.
    fn is_searching_the_wish(&self) -> bool {
        match (&self.searched, &self.wish) {
            (Some(searched), Some(wish)) => Arc::ptr_eq(searched, wish),
            _ => false,
        }
    }

    fn stop(&mut self) {
        self.send("stop");
        self.enter(Phase::Stopping, Some(STOPPED_WITHIN));
    }

    fn deadline_passed(&mut self) {
        if self.deadline.is_none_or(|deadline| self.now < deadline) {
            return;
        }
        self.deadline = None;
        match self.phase {
            Phase::Handshaking => self.fail(FailureKind::NoUsiOk(self.settings.usi_ok_within.as_secs())),
            Phase::Readying => self.fail(FailureKind::NoReadyOk(READY_OK_WITHIN.as_secs())),
            Phase::Searching => self.stop(),
            Phase::Stopping => self.fail(FailureKind::NoStop),
            Phase::Quitting => {
                self.effects.push(Effect::Kill);
                self.enter(Phase::Gone, None);
            }
            Phase::Idle | Phase::Gone => {}
        }
    }

    fn closed(&mut self, exit: Exit, complaints: &[String]) {
        for line in complaints {
            self.remember(line);
        }
        match self.phase {
            Phase::Gone => {}
            Phase::Quitting => self.enter(Phase::Gone, None),
            Phase::Handshaking => self.fail(FailureKind::EndedAtOnce(exit)),
            Phase::Readying | Phase::Idle | Phase::Searching | Phase::Stopping => {
                self.fail(FailureKind::Crashed(exit));
            }
        }
    }

    fn fail(&mut self, kind: FailureKind) {
        if matches!(self.phase, Phase::Gone) {
            return;
        }
        let quitting = self.phase == Phase::Quitting;
        self.effects.push(Effect::Kill);
        self.enter(Phase::Gone, None);
        if !quitting {
            let last_lines = self.last_lines.iter().cloned().collect();
            self.trouble = Some(State::Failed(Failure { kind, last_lines }));
        }
    }

    fn quit(&mut self) {
        if matches!(self.phase, Phase::Quitting | Phase::Gone) {
            return;
        }
        if self.phase == Phase::Searching {
            self.send("stop");
        }
        self.send("quit");
        self.enter(Phase::Quitting, Some(GONE_WITHIN));
    }

    fn enter(&mut self, phase: Phase, within: Option<Duration>) {
        self.phase = phase;
        self.deadline = within.map(|within| self.now + within);
        self.changed();
    }

    fn remember(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if self.last_lines.len() == LAST_LINES {
            self.last_lines.pop_front();
        }
        self.last_lines.push_back(line.chars().take(LAST_LINE_LENGTH).collect());
    }

    fn send(&mut self, line: &str) {
        self.effects.push(Effect::Send(line.to_owned()));
    }

    const fn changed(&mut self) {
        self.revision += 1;
    }
}
