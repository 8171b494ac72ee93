//! The life cycle of one engine as a pure function: events in, effects out. Time is part of an event; the core never
//! sleeps, reads or starts anything.
//!
//! The core guarantees, for every sequence of events:
//! - one `go` at a time;
//! - no `position`, `isready` or `setoption` during a search, since several engines deadlock on them;
//! - nothing after `quit`;
//! - no value under a position that it does not belong to;
//! - a limited number of restarts for a process that ends.

mod mate;
mod restart_history;
mod search;
#[cfg(test)]
mod tests;

use self::restart_history::RestartHistory;
use self::search::{GoLimitSupport, LatestSearch};
use super::snapshot::{EngineFailure, EngineState, FailureKind, Restart, SearchResult, Snapshot};
use super::timeouts::{ANSWER_SILENCE, MAX_HANDSHAKE_FACTOR, PREPARING_SILENCE, QUIT_TIMEOUT};
use super::{SearchTarget, SessionConfig};
use crate::observer::{Handshake, HandshakeStep, PvTable, SearchInfo, SearchTracker};
use crate::options::{RejectedOption, resolve, resolve_model};
use crate::process::ExitReason;
use crate::usi::{OptionKind, Reply, SearchId, reply};
use shogibar_shogi::score::WinRateModel;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of last lines that are shown with a failure.
const MAX_LAST_LINES: usize = 6;
/// The length at which a last line is cut, in characters.
const MAX_LAST_LINE_CHARS: usize = 200;

/// An input of the session's [`Core`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The search target has changed. A newer target replaces an older one.
    Target(SearchTarget),
    /// A button option of the engine, by name, is to be pressed.
    Press(String),
    /// The user retries: the engine is to be restarted in any state.
    Retry,
    /// The engine has printed a line.
    Line(&'a str),
    /// The engine could not be started.
    NotStarted(FailureKind),
    /// The last lines of the standard error of this process. The lines replace those of an earlier event.
    Stderr(Vec<String>),
    /// The process has ended, or has closed its output while it was still running (`None`).
    Closed(Option<ExitReason>),
    /// The engine does not read its input.
    NotReading,
    /// The deadline has passed.
    Deadline,
    /// The session is to end.
    Quit,
}

/// An output of the session's [`Core`], for the shell to carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Start the process of the engine.
    Start,
    /// Send the engine a line.
    Send(String),
    /// Kill the engine and its children.
    Kill,
}

/// The phase of an engine's life cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// `usi` was sent, and `usiok` has not arrived.
    Handshaking,
    /// The first `isready` was sent, and `readyok` has not arrived.
    Preparing,
    /// The engine is ready and does not search.
    Idle,
    /// `isready` was sent between two searches, so that late output of the first one arrives before `readyok`.
    Synchronizing,
    /// `go` was sent.
    Searching,
    /// `stop` was sent, and the answer has not arrived.
    Stopping,
    /// The process has ended and is restarted at the deadline.
    Backoff,
    /// `quit` was sent, and the process has not ended.
    Quitting,
    /// No process runs and no restart is due.
    Exited,
}

/// The state machine of one engine.
#[derive(Debug)]
pub struct Core {
    config: SessionConfig,
    phase: Phase,
    /// The time of the current step.
    now: Duration,
    /// The time at which the phase times out; `None` for no timeout.
    deadline: Option<Duration>,
    /// The effects of the current step.
    effects: Vec<Effect>,
    /// The name from `id name`, from this process or an earlier one.
    engine: String,
    rejected_options: Vec<RejectedOption>,
    model: WinRateModel,
    /// Whether the program has ever sent `usiok`. Without it, the program is not taken for an engine and is not
    /// restarted.
    has_usiok: bool,
    restart_history: RestartHistory,
    /// Whether the session was asked to end.
    has_quit: bool,
    process: RunningProcess,
    /// The time at which the phase began.
    phase_since: Duration,
    target: SearchTarget,
    /// `setoption` lines of pressed buttons, sent when no search runs.
    pressed_buttons: Vec<String>,
    latest_search: Option<LatestSearch>,
    /// The number of answered `new_game_per_search` searches.
    completed_game_searches: u64,
    /// Whether the engine accepts limits in `go`, as the first such search showed.
    go_limit_support: GoLimitSupport,
    tracker: SearchTracker,
    pv_table: PvTable,
    /// The latest search output.
    search_info: Option<SearchInfo>,
    /// Whether `search_info` is from an earlier process.
    is_from_old_process: bool,
    /// The reported state: a failure, a restart, or a position that cannot be searched. `None` for the state of the
    /// phase.
    reported_state: Option<EngineState>,
    /// The value of [`Snapshot::waited_seconds`] at the last step.
    waited_seconds: u64,
    /// The number of changes of the snapshot.
    revision: u64,
}

/// The state of the current process, reset at every start.
#[derive(Debug, Default)]
struct RunningProcess {
    start_time: Duration,
    last_output_time: Duration,
    handshake: Handshake,
    /// The last lines of output, oldest first.
    last_lines: VecDeque<String>,
    /// The last lines of the standard error, oldest first.
    stderr_tail: Vec<String>,
    /// Whether the engine has sent a second `bestmove`, or a value after its answer. The engine then gets `isready`
    /// before every search.
    has_late_output: bool,
    has_searched: bool,
}

impl Core {
    /// Creates a session at the time `now`, and returns its first effects.
    pub fn start(config: SessionConfig, now: Duration) -> (Self, Vec<Effect>) {
        let model = config.model.unwrap_or_default();
        let mut core = Self {
            config,
            phase: Phase::Exited,
            now,
            deadline: None,
            effects: Vec::new(),
            engine: String::new(),
            rejected_options: Vec::new(),
            model,
            has_usiok: false,
            restart_history: RestartHistory::default(),
            has_quit: false,
            process: RunningProcess::default(),
            phase_since: now,
            target: SearchTarget::default(),
            pressed_buttons: Vec::new(),
            latest_search: None,
            completed_game_searches: 0,
            go_limit_support: GoLimitSupport::Untried,
            tracker: SearchTracker::default(),
            pv_table: PvTable::default(),
            search_info: None,
            is_from_old_process: false,
            reported_state: None,
            waited_seconds: 0,
            revision: 0,
        };
        core.start_process();
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Applies one event at the time `now`, which never goes back, and returns the effects.
    pub fn step(&mut self, now: Duration, event: Event<'_>) -> Vec<Effect> {
        self.now = now;
        match event {
            Event::Target(target) => self.set_target(target),
            Event::Press(button) => self.press(&button),
            Event::Retry => self.retry(),
            Event::Line(line) => self.on_line(line),
            Event::NotStarted(kind) => self.fail(kind),
            Event::Stderr(lines) => self.process.stderr_tail = lines,
            Event::Closed(exit) => self.on_closed(exit),
            Event::NotReading => self.fail(FailureKind::NotReading),
            Event::Deadline => self.on_deadline(),
            Event::Quit => self.quit(),
        }
        let (_, waited) = self.state_and_wait();
        if self.waited_seconds != waited {
            self.waited_seconds = waited;
            self.bump_revision();
        }
        std::mem::take(&mut self.effects)
    }

    /// Returns when [`Event::Deadline`] is due, if no other event comes first; `None` without a deadline.
    pub fn deadline(&self) -> Option<Duration> {
        // The user sees for how many seconds an answer is awaited, so each full second is a deadline.
        let is_starting = matches!(self.phase, Phase::Handshaking | Phase::Preparing);
        let awaits_answer = is_starting || matches!(self.phase, Phase::Synchronizing | Phase::Stopping);
        let timers = [
            (is_starting, self.process.start_time),
            (awaits_answer, self.silent_since()),
        ];
        let ticks = timers
            .into_iter()
            .filter(|(counts, _)| *counts)
            .map(|(_, since)| {
                let seconds = self.now.saturating_sub(since).as_secs() + 1;
                since + Duration::from_secs(seconds)
            });
        ticks.chain(self.deadline).min()
    }

    /// Returns the time of the last output, or of the last change of phase if that is later.
    fn silent_since(&self) -> Duration {
        self.process.last_output_time.max(self.phase_since)
    }

    /// Returns whether no process runs and no restart is due.
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Exited
    }

    /// Returns a number that changes with every change of the [`snapshot`](Self::snapshot).
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns the number of completed `new_game_per_search` searches. The shell publishes at once when this number
    /// changes: the scheduler waits for it. In the other mode the number is always 0, and the snapshot may wait for
    /// output after `bestmove`.
    pub const fn completed_game_searches(&self) -> u64 {
        self.completed_game_searches
    }

    /// Returns the age of the search in progress; `None` without one. Output of a search becomes less urgent with its
    /// age.
    pub fn search_age(&self) -> Option<Duration> {
        (self.phase == Phase::Searching).then(|| self.now.saturating_sub(self.phase_since))
    }

    /// Returns the search in progress; `None` without one.
    pub fn current_search(&self) -> Option<SearchId> {
        self.tracker.current().map(|search| search.id)
    }

    /// Returns the search in progress if it has an evaluation.
    pub fn valued_search(&self) -> Option<SearchId> {
        self.current_search()
            .filter(|search| self.pv_table.has_value(*search))
    }

    /// Returns the current snapshot.
    pub fn snapshot(&mut self) -> Snapshot {
        self.update_search_info();
        let (state, waited) = self.state_and_wait();
        Snapshot {
            engine: self.engine.clone(),
            state,
            waited_seconds: waited,
            model: self.model,
            rejected_options: self.rejected_options.clone(),
            multipv: usize::try_from(self.config.multipv).unwrap_or(usize::MAX),
            result: self.result(),
            mate: self.mate_search(),
            refuses_limits: self.go_limit_support == GoLimitSupport::Refused,
            search_info: self.search_info.clone(),
            is_from_old_process: self.is_from_old_process,
        }
    }

    /// Returns the answer of the latest search if that has ended and was no mate search.
    fn result(&self) -> Option<SearchResult> {
        let searched = self
            .finished_search()
            .filter(|searched| searched.mate.is_none())?;
        Some(SearchResult {
            history: Arc::clone(&searched.history),
            best_move: searched.best_move,
        })
    }

    fn finished_search(&self) -> Option<&LatestSearch> {
        if matches!(self.phase, Phase::Idle | Phase::Synchronizing) {
            self.latest_search.as_ref()
        } else {
            None
        }
    }

    /// Returns the activity of the engine, and the number of seconds for which an answer has been awaited.
    fn state_and_wait(&self) -> (EngineState, u64) {
        let since = |at| self.now.saturating_sub(at);
        let silence = since(self.silent_since());
        if let Some(reported_state) = &self.reported_state {
            let starting = matches!(self.phase, Phase::Handshaking | Phase::Preparing);
            return (
                reported_state.clone(),
                if starting {
                    since(self.process.start_time).as_secs()
                } else {
                    0
                },
            );
        }
        match self.phase {
            Phase::Handshaking => (EngineState::Starting, since(self.process.start_time).as_secs()),
            Phase::Preparing if silence >= PREPARING_SILENCE => (EngineState::Silent, silence.as_secs()),
            Phase::Preparing => (EngineState::Preparing, since(self.process.start_time).as_secs()),
            Phase::Synchronizing | Phase::Stopping if silence >= ANSWER_SILENCE => {
                (EngineState::Silent, silence.as_secs())
            }
            Phase::Searching | Phase::Stopping | Phase::Synchronizing => (EngineState::Thinking, 0),
            Phase::Idle if self.target.is_paused => (EngineState::Paused, 0),
            Phase::Idle | Phase::Backoff | Phase::Quitting | Phase::Exited => (EngineState::Idle, 0),
        }
    }

    fn on_line(&mut self, line: &str) {
        self.store_last_line(line);
        self.process.last_output_time = self.now;
        let reply = reply::parse(line);
        match self.phase {
            Phase::Handshaking => self.on_handshake(line, &reply),
            Phase::Preparing => self.on_preparing(&reply),
            Phase::Searching | Phase::Stopping => self.on_search_reply(&reply),
            Phase::Idle => self.on_idle_reply(&reply),
            Phase::Synchronizing => self.on_synchronizing_reply(&reply),
            Phase::Backoff | Phase::Quitting | Phase::Exited => {}
        }
    }

    fn on_handshake(&mut self, line: &str, reply: &Reply) {
        match self.process.handshake.on_received(line, reply) {
            HandshakeStep::Done => return self.send_options(),
            HandshakeStep::NotUsi => return self.fail(FailureKind::NotUsi),
            HandshakeStep::Continues => {}
        }
        if matches!(reply, Reply::IdName(_)) {
            self.engine.clone_from(&self.process.handshake.identity().name);
            self.bump_revision();
        }
        let timeout = self.config.usi_ok_timeout;
        let last = self.process.start_time + timeout * MAX_HANDSHAKE_FACTOR;
        self.deadline = Some(last.min(self.now + timeout));
    }

    /// Sends the options after `usiok`, then `isready`.
    fn send_options(&mut self) {
        let options = &self.process.handshake.identity().options;
        let config = &self.config;
        self.model = resolve_model(
            config.model,
            &self.engine,
            options,
            &config.options,
            &config.presets,
        );
        let resolved = resolve(options, &self.engine, &self.config.option_request());
        for line in &resolved.lines {
            self.send(line);
        }
        self.rejected_options = resolved.rejected_options;
        self.has_usiok = true;
        self.send("isready");
        self.enter(Phase::Preparing, None);
    }

    fn on_preparing(&mut self, reply: &Reply) {
        if matches!(reply, Reply::ReadyOk) {
            self.send("usinewgame");
            self.enter(Phase::Idle, None);
            self.search_if_wanted();
        }
    }

    fn on_deadline(&mut self) {
        if self.deadline.is_none_or(|deadline| self.now < deadline) {
            return;
        }
        self.deadline = None;
        match self.phase {
            Phase::Handshaking => self.fail(FailureKind::NoUsiOk(self.config.usi_ok_timeout.as_secs())),
            Phase::Synchronizing => self.fail(FailureKind::NoReadyOk(self.sync_timeout().as_secs())),
            Phase::Searching => self.on_time_up(),
            Phase::Stopping => self.fail(FailureKind::NoStop),
            Phase::Backoff => self.start_process(),
            Phase::Quitting => {
                self.effects.push(Effect::Kill);
                self.enter(Phase::Exited, None);
            }
            Phase::Preparing | Phase::Idle | Phase::Exited => {}
        }
    }

    fn on_closed(&mut self, exit: Option<ExitReason>) {
        match self.phase {
            Phase::Backoff | Phase::Exited => {}
            Phase::Quitting => self.enter(Phase::Exited, None),
            Phase::Handshaking => self.fail(FailureKind::EndedAtOnce(exit)),
            Phase::Preparing | Phase::Idle | Phase::Synchronizing | Phase::Searching | Phase::Stopping => {
                self.fail(FailureKind::Crashed(exit));
            }
        }
    }

    /// Kills a failed process, and restarts it if that may help.
    fn fail(&mut self, kind: FailureKind) {
        if matches!(self.phase, Phase::Backoff | Phase::Exited) {
            return;
        }
        for line in std::mem::take(&mut self.process.stderr_tail) {
            self.store_last_line(&line);
        }
        self.detect_go_limit_refusal();
        self.kill_process();
        if self.has_quit {
            return self.enter(Phase::Exited, None);
        }
        let mut failure = EngineFailure {
            kind,
            last_lines: self.process.last_lines.iter().cloned().collect(),
            restart_count: 0,
        };
        let next = if self.has_usiok {
            self.restart_history
                .schedule_next(self.now, &self.config.restart_policy)
        } else {
            None
        };
        if let Some(next) = next {
            self.reported_state = Some(EngineState::Restarting(Restart {
                failure,
                number: next.number,
                pause: Some(next.pause),
            }));
            self.enter(Phase::Backoff, Some(next.pause));
        } else {
            failure.restart_count = self.restart_history.count();
            self.reported_state = Some(EngineState::Failed(failure));
            self.enter(Phase::Exited, None);
        }
    }

    /// Kills the process and drops its pending searches. The last search output stays visible.
    fn kill_process(&mut self) {
        self.effects.push(Effect::Kill);
        self.update_search_info();
        self.is_from_old_process = self.search_info.is_some();
        self.tracker.reset();
        self.latest_search = None;
    }

    /// Starts the program, for the first time or again.
    fn start_process(&mut self) {
        self.effects.push(Effect::Start);
        self.pressed_buttons.clear();
        self.process = RunningProcess {
            start_time: self.now,
            last_output_time: self.now,
            ..RunningProcess::default()
        };
        if let Some(EngineState::Restarting(restart)) = &mut self.reported_state {
            restart.pause = None;
        }
        self.send("usi");
        self.enter(Phase::Handshaking, Some(self.config.usi_ok_timeout));
    }

    /// Starts the engine again in any state, unless the session was asked to end. Forgets earlier restarts.
    fn retry(&mut self) {
        if self.has_quit {
            return;
        }
        if !matches!(self.phase, Phase::Backoff | Phase::Exited) {
            self.kill_process();
        }
        self.reported_state = None;
        self.has_usiok = false;
        self.go_limit_support = GoLimitSupport::Untried;
        self.restart_history = RestartHistory::default();
        self.start_process();
    }

    /// Presses a button of the engine between two searches. A search in progress is stopped and then repeated. During
    /// the handshake and after the end of a process the press is ignored.
    fn press(&mut self, button: &str) {
        let mut options = self.process.handshake.identity().options.iter();
        let option = options.find(|option| option.name == button && option.kind == OptionKind::Button);
        let Some(line) = option.and_then(|option| option.setoption("").ok()) else {
            return;
        };
        match self.phase {
            Phase::Idle => self.send(&line),
            Phase::Searching => {
                self.pressed_buttons.push(line);
                self.abort_search();
            }
            Phase::Preparing | Phase::Synchronizing | Phase::Stopping => self.pressed_buttons.push(line),
            Phase::Handshaking | Phase::Backoff | Phase::Quitting | Phase::Exited => {}
        }
    }

    /// Ends the session: sends `quit` to a running engine, after `stop` during a search.
    fn quit(&mut self) {
        if std::mem::replace(&mut self.has_quit, true) {
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
                self.enter(Phase::Quitting, Some(QUIT_TIMEOUT));
            }
        }
    }

    /// Updates the latest search output from the PV table.
    fn update_search_info(&mut self) {
        // Without a line of rank 1 the search has no value for the bar yet.
        if let Some(shown) = self.pv_table.shown().filter(|shown| shown.best().is_some()) {
            self.search_info = Some(shown);
        }
    }

    /// Changes the phase. `timeout` is the time until the phase's deadline; `None` for no deadline. At the beginning of
    /// `Idle`, pressed buttons are sent.
    fn enter(&mut self, phase: Phase, timeout: Option<Duration>) {
        self.phase = phase;
        self.phase_since = self.now;
        self.deadline = timeout.map(|timeout| self.now + timeout);
        self.bump_revision();
        if phase == Phase::Idle {
            for line in std::mem::take(&mut self.pressed_buttons) {
                self.send(&line);
            }
        }
    }

    /// Stores a line for the message about a failure. Blank lines are left out.
    fn store_last_line(&mut self, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        if self.process.last_lines.len() == MAX_LAST_LINES {
            self.process.last_lines.pop_front();
        }
        self.process
            .last_lines
            .push_back(line.chars().take(MAX_LAST_LINE_CHARS).collect());
    }

    fn send(&mut self, line: &str) {
        self.effects.push(Effect::Send(line.to_owned()));
    }

    const fn bump_revision(&mut self) {
        self.revision += 1;
    }
}
