//! The decisions of an observer, without socket and clock.

use super::line::{self, ObserverLine};
use super::merge::merge;
use super::{CsaPacing, MAX_LOG_BYTES};
use crate::address::CsaAddress;
use crate::game::{EndCause, GameChoice, LiveGame, MAX_CHOICES, SourceEvent, SourceProblem, SourceState};
use crate::output::REPORT_INTERVAL;
use shogibar_kifu::{CsaLog, Record};
use std::sync::Arc;
use std::time::Duration;

/// An input of the core that follows a CSA server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsaEvent {
    /// The connection is established.
    Connected,
    /// The connection failed, or has ended.
    Failed(SourceProblem),
    /// A line of the server, without its end.
    Line(Vec<u8>),
    /// The game's file was fetched. Holds the game.
    File(Arc<Record>),
    /// The deadline has passed.
    Deadline,
}

/// A command to a CSA server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsaCommand {
    /// Name and password, which the shell has.
    Login,
    /// A request for the list of games.
    List,
    /// The log of a game and its further moves.
    Monitor(String),
    /// A blank line, which keeps the connection open.
    KeepAlive,
    /// A logout, before the connection is closed.
    Logout,
}

/// An output of the core that follows a CSA server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CsaEffect {
    /// Connect.
    Connect,
    /// Send a command.
    Send(CsaCommand),
    /// Close the connection.
    Disconnect,
    /// Request a fetch of the game's file, which may have changed.
    RequestRefresh,
    /// Report an event.
    Report(SourceEvent),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObserverPhase {
    /// The connection is not established yet.
    Connecting,
    /// The login was sent.
    LoggingIn,
    /// The login was refused; the reason may follow.
    Refused,
    /// The list of games was requested.
    Listing,
    /// The log of the game was requested.
    Opening,
    /// The log arrives move by move.
    Watching,
    /// The user chooses from the list.
    Choosing,
    /// The game is over; its file may still have an evaluation.
    Closing,
    /// The connection was lost, and the next one waits.
    Pausing,
    /// The source has ended.
    Over,
}

/// The state machine of an observer.
#[derive(Debug)]
pub struct CsaCore {
    address: CsaAddress,
    pacing: CsaPacing,
    phase: ObserverPhase,
    now: Duration,
    /// The time at which the phase ends without an answer; `None` for a phase without a limit.
    deadline: Option<Duration>,
    /// The time of the last command to the server.
    last_sent_time: Duration,
    last_line_time: Duration,
    /// The time of the last line of the observed game's log.
    last_log_time: Duration,
    /// The time at which the list of games is requested again.
    next_list_time: Duration,
    /// The time at which the received lines are reported; `None` without unreported lines. Lines that the server has
    /// closed with `+OK` are reported earlier.
    next_report_time: Option<Duration>,
    /// The arrival time of the first line that is not reported yet; `None` without one.
    pending_since: Option<Duration>,
    /// The time of the last report of the log; `None` before the first.
    last_report_time: Option<Duration>,
    /// The number of lost connections in a row.
    failures: u32,
    /// The time at which the login was accepted; `None` without a connection.
    admitted_at: Option<Duration>,
    /// The ids of the games in the list that is arriving.
    list: Vec<String>,
    /// The last list that was reported as a choice; `None` before the first.
    reported_list: Option<Vec<String>>,
    log: CsaLog,
    /// Whether the server has closed the log with `+OK`.
    is_closed: bool,
    /// Whether the log has the end of the game.
    has_end: bool,
    /// The game from the log; `None` before the first report.
    monitored_record: Option<Arc<Record>>,
    /// The game from its file; `None` before the file was fetched.
    file_record: Option<Arc<Record>>,
    /// The game that was reported last; `None` before the first.
    reported_record: Option<Arc<Record>>,
    /// The state that was reported last; `None` before the first.
    state: Option<SourceState>,
    effects: Vec<CsaEffect>,
}

impl CsaCore {
    /// Starts to observe at the time `now`. Returns the core and its first effects.
    pub fn start(address: CsaAddress, pacing: CsaPacing, now: Duration) -> (Self, Vec<CsaEffect>) {
        let mut core = Self {
            address,
            pacing,
            phase: ObserverPhase::Connecting,
            now,
            deadline: None,
            last_sent_time: now,
            last_line_time: now,
            last_log_time: now,
            next_list_time: now,
            next_report_time: None,
            pending_since: None,
            last_report_time: None,
            failures: 0,
            admitted_at: None,
            list: Vec::new(),
            reported_list: None,
            log: CsaLog::default(),
            is_closed: false,
            has_end: false,
            monitored_record: None,
            file_record: None,
            reported_record: None,
            state: None,
            effects: Vec::new(),
        };
        core.set_state(SourceState::Waiting);
        core.effects.push(CsaEffect::Connect);
        let effects = std::mem::take(&mut core.effects);
        (core, effects)
    }

    /// Returns when [`CsaEvent::Deadline`] is due; `None` while only the network can bring news.
    pub fn deadline(&self) -> Option<Duration> {
        let is_idle = matches!(self.phase, ObserverPhase::Watching | ObserverPhase::Choosing);
        let timers = is_idle.then_some([
            self.last_sent_time + self.pacing.keep_alive_interval,
            self.last_line_time + self.pacing.silence_timeout,
        ]);
        let list = (self.phase == ObserverPhase::Choosing).then_some(self.next_list_time);
        timers
            .into_iter()
            .flatten()
            .chain(list)
            .chain(self.deadline)
            .chain(self.next_report_time)
            .min()
    }

    /// Returns the number of lines of the log that were parsed since its last request.
    #[cfg(test)]
    pub(super) const fn parsed_lines(&self) -> usize {
        self.log.parsed_lines()
    }

    /// Returns whether the source has ended.
    pub fn is_over(&self) -> bool {
        self.phase == ObserverPhase::Over
    }

    /// Applies one event at the time `now`, and returns the effects.
    pub fn step(&mut self, now: Duration, event: CsaEvent) -> Vec<CsaEffect> {
        self.now = now;
        match event {
            _ if self.is_over() => {}
            CsaEvent::Connected => self.on_connected(),
            CsaEvent::Failed(problem) => self.lose(problem),
            CsaEvent::Line(line) => self.on_line(&line),
            CsaEvent::File(record) => {
                self.file_record = Some(record);
                self.report();
            }
            CsaEvent::Deadline => self.on_deadline(),
        }
        std::mem::take(&mut self.effects)
    }

    fn on_connected(&mut self) {
        if self.phase == ObserverPhase::Connecting {
            self.last_line_time = self.now;
            self.send(CsaCommand::Login);
            self.enter(ObserverPhase::LoggingIn, Some(self.pacing.answer_timeout));
        }
    }

    fn send(&mut self, command: CsaCommand) {
        self.last_sent_time = self.now;
        self.effects.push(CsaEffect::Send(command));
    }

    /// Enters a phase. `wait` limits the time for an answer.
    fn enter(&mut self, phase: ObserverPhase, wait: Option<Duration>) {
        self.phase = phase;
        self.deadline = wait.map(|wait| self.now + wait);
    }

    fn on_line(&mut self, line: &[u8]) {
        self.last_line_time = self.now;
        let watched_game = self.address.game.clone();
        match (self.phase, line::parse(line)) {
            (ObserverPhase::LoggingIn, ObserverLine::LoginOk) => {
                self.admitted_at = Some(self.now);
                self.request_list();
            }
            (ObserverPhase::LoggingIn, ObserverLine::LoginIncorrect) => {
                self.enter(
                    ObserverPhase::Refused,
                    Some(self.pacing.answer_timeout.min(Duration::from_secs(1))),
                );
            }
            (ObserverPhase::LoggingIn | ObserverPhase::Refused, ObserverLine::NameInUse) => {
                self.lose(SourceProblem::NameInUse);
            }
            (ObserverPhase::Refused, _) => self.end(EndCause::Refused(SourceProblem::WrongLogin)),
            (
                ObserverPhase::Listing | ObserverPhase::Watching | ObserverPhase::Choosing,
                ObserverLine::Listed(id),
            ) if self.list.len() < MAX_CHOICES => {
                self.list.push(id.to_owned());
            }
            (_, ObserverLine::ListEnd) => self.on_list_end(),
            (ObserverPhase::Opening | ObserverPhase::Watching, ObserverLine::Log { game, text })
                if Some(game) == watched_game.as_deref() =>
            {
                self.on_log_line(text);
            }
            (ObserverPhase::Opening | ObserverPhase::Watching, ObserverLine::LogEnd { game })
                if Some(game) == watched_game.as_deref() =>
            {
                self.is_closed = true;
                self.enter(ObserverPhase::Watching, None);
                self.report_soon();
            }
            _ => {}
        }
    }

    fn request_list(&mut self) {
        self.list.clear();
        self.next_list_time = self.now + self.pacing.list_interval;
        self.send(CsaCommand::List);
        self.enter(ObserverPhase::Listing, Some(self.pacing.answer_timeout));
    }

    fn on_list_end(&mut self) {
        let list = std::mem::take(&mut self.list);
        let Some(game) = self.address.game.clone() else {
            if matches!(self.phase, ObserverPhase::Listing | ObserverPhase::Choosing) {
                self.choose(list);
            }
            return;
        };
        let is_there = list.contains(&game);
        match self.phase {
            ObserverPhase::Listing if is_there => self.monitor(game),
            ObserverPhase::Listing if self.reported_record.is_some() => self.close(EndCause::Gone),
            ObserverPhase::Listing => self.end(EndCause::Refused(SourceProblem::NoSuchGame)),
            ObserverPhase::Watching if !is_there => self.close(EndCause::Gone),
            _ => {}
        }
    }

    /// Waits for a choice of the user. Reports the list of games if it has changed.
    fn choose(&mut self, list: Vec<String>) {
        self.enter(ObserverPhase::Choosing, None);
        self.set_state(SourceState::Waiting);
        if self.reported_list.as_ref() == Some(&list) {
            return;
        }
        // The server lists the oldest first.
        let games = list
            .iter()
            .rev()
            .map(|id| GameChoice {
                title: title(id),
                address: id.clone(),
            })
            .collect();
        self.reported_list = Some(list);
        self.effects.push(CsaEffect::Report(SourceEvent::Games(games)));
    }

    /// Requests the log of a game.
    fn monitor(&mut self, game: String) {
        (self.log, self.is_closed, self.has_end) = (CsaLog::default(), false, false);
        self.last_log_time = self.now;
        self.send(CsaCommand::Monitor(game));
        self.enter(ObserverPhase::Opening, Some(self.pacing.answer_timeout));
    }

    fn on_log_line(&mut self, text: &[u8]) {
        if self.log.size() + text.len() > MAX_LOG_BYTES {
            return self.lose(SourceProblem::TooLarge);
        }
        self.last_log_time = self.now;
        self.log.add(text);
        if text.starts_with(b"'$END_TIME:") {
            self.has_end = true;
            return self.report_soon();
        }
        // The log up to now arrives at once. A server that does not close it with `+OK` gets more time.
        let quiet = if self.phase == ObserverPhase::Opening {
            self.pacing.quiet_time * 10
        } else {
            self.pacing.quiet_time
        };
        let since = *self.pending_since.get_or_insert(self.now);
        let latest = self.earliest_report_time().max(since + quiet + REPORT_INTERVAL);
        self.next_report_time = Some((self.now + quiet).min(latest));
    }

    /// Returns when the log may be reported again.
    fn earliest_report_time(&self) -> Duration {
        self.last_report_time
            .map_or(self.now, |at| self.now.max(at + REPORT_INTERVAL))
    }

    /// Reports the log now, or as soon as it may be reported again.
    fn report_soon(&mut self) {
        let at = self.earliest_report_time();
        if at > self.now {
            self.next_report_time = Some(at);
        } else {
            self.read_log();
        }
    }

    /// Reads the game from the log and reports it. Leaves the server if the log has the end of the game.
    fn read_log(&mut self) {
        (self.pending_since, self.next_report_time, self.last_report_time) = (None, None, Some(self.now));
        let read = self.log.record().filter(|read| !self.is_cut(read));
        if let Some(read) = read {
            let before = self.monitored_record.as_ref().map_or(0, |record| record.len());
            if read.len() != before {
                self.effects.push(CsaEffect::RequestRefresh);
            }
            if self.monitored_record.as_deref() != Some(&read) {
                self.monitored_record = Some(Arc::new(read));
            }
        }
        self.report();
        if self.has_end && self.phase != ObserverPhase::Over {
            self.close(EndCause::GameOver);
        }
    }

    /// Returns whether a log that is not closed yet is only the beginning of the game from an earlier connection.
    fn is_cut(&self, read: &Record) -> bool {
        !self.is_closed
            && self.monitored_record.as_ref().is_some_and(|known| {
                let is_longer = known.start() == read.start() && known.len() > read.len();
                let mut pairs = known.main_line().zip(read.main_line());
                is_longer && pairs.all(|(one, other)| known.node(one).step() == read.node(other).step())
            })
    }

    /// Reports the game from the log and the file, if it has changed.
    fn report(&mut self) {
        let merged = match (&self.monitored_record, &self.file_record) {
            (Some(monitor), Some(file)) => merge(monitor, file),
            (Some(record), None) | (None, Some(record)) => Arc::clone(record),
            (None, None) => return,
        };
        let is_news = self.reported_record.as_ref() != Some(&merged);
        let game = LiveGame::from_record(self.address.game.clone().unwrap_or_default(), Arc::clone(&merged));
        let is_ended = game.is_ended;
        if is_news {
            self.reported_record = Some(merged);
            self.effects.push(CsaEffect::Report(SourceEvent::Game(game)));
        }
        if matches!(self.phase, ObserverPhase::Opening | ObserverPhase::Watching)
            && self.monitored_record.is_some()
        {
            self.set_state(SourceState::Live);
        }
        let has_file_end = self.file_record.as_ref().is_some_and(|file| file.end().is_some());
        match self.phase {
            ObserverPhase::Closing if has_file_end => self.end(EndCause::GameOver),
            ObserverPhase::Opening | ObserverPhase::Watching if is_ended => self.close(EndCause::GameOver),
            _ => {}
        }
    }

    /// Leaves the server after the game. Waits for the end of the game in its file, if there is a file. Otherwise ends
    /// the source.
    fn close(&mut self, cause: EndCause) {
        let has_file_end = self.file_record.as_ref().is_some_and(|file| file.end().is_some());
        if self.address.file.is_none() || has_file_end || self.phase == ObserverPhase::Closing {
            let is_over = self
                .reported_record
                .as_ref()
                .is_some_and(|record| record.end().is_some());
            return self.end(if is_over { EndCause::GameOver } else { cause });
        }
        self.effects.push(CsaEffect::RequestRefresh);
        self.effects.push(CsaEffect::Send(CsaCommand::Logout));
        self.effects.push(CsaEffect::Disconnect);
        self.next_report_time = None;
        self.enter(ObserverPhase::Closing, Some(self.pacing.last_file_timeout));
    }

    fn end(&mut self, cause: EndCause) {
        if !matches!(self.phase, ObserverPhase::Closing | ObserverPhase::Refused) {
            self.effects.push(CsaEffect::Send(CsaCommand::Logout));
        }
        self.effects.push(CsaEffect::Disconnect);
        self.next_report_time = None;
        self.enter(ObserverPhase::Over, None);
        self.set_state(SourceState::Ended(cause));
    }

    fn on_deadline(&mut self) {
        if self.next_report_time.is_some_and(|at| at <= self.now) {
            self.enter(ObserverPhase::Watching, None);
            self.read_log();
        }
        let is_due = self.deadline.is_some_and(|at| at <= self.now);
        match self.phase {
            ObserverPhase::Pausing if is_due => {
                self.effects.push(CsaEffect::Connect);
                self.enter(ObserverPhase::Connecting, None);
            }
            ObserverPhase::Refused if is_due => self.end(EndCause::Refused(SourceProblem::WrongLogin)),
            ObserverPhase::LoggingIn if is_due => self.lose(SourceProblem::Timeout),
            // The server sends no lists.
            ObserverPhase::Listing if is_due => match self.address.game.clone() {
                Some(game) => self.monitor(game),
                None => self.lose(SourceProblem::Timeout),
            },
            ObserverPhase::Opening if is_due => self.lose(SourceProblem::NoSuchGame),
            ObserverPhase::Closing if is_due => self.end(EndCause::GameOver),
            ObserverPhase::Watching | ObserverPhase::Choosing => self.check_idle(),
            _ => {}
        }
    }

    /// Sends a keep-alive or requests the list when due. A connection without any line counts as lost.
    fn check_idle(&mut self) {
        if self.last_line_time + self.pacing.silence_timeout <= self.now {
            return self.lose(SourceProblem::Timeout);
        }
        let is_quiet = self.last_log_time + self.pacing.list_interval <= self.now;
        if self.phase == ObserverPhase::Choosing && self.next_list_time <= self.now {
            self.list.clear();
            self.next_list_time = self.now + self.pacing.list_interval;
            self.send(CsaCommand::List);
        } else if self.last_sent_time + self.pacing.keep_alive_interval <= self.now {
            // The list shows whether a quiet game still exists, and keeps the connection alive.
            if self.phase == ObserverPhase::Watching && is_quiet {
                self.list.clear();
                self.send(CsaCommand::List);
                self.effects.push(CsaEffect::RequestRefresh);
            } else {
                self.send(CsaCommand::KeepAlive);
            }
        }
    }

    /// Closes the connection after a problem, and plans the next one.
    fn lose(&mut self, problem: SourceProblem) {
        if matches!(
            self.phase,
            ObserverPhase::Pausing | ObserverPhase::Over | ObserverPhase::Closing
        ) {
            return;
        }
        if self.phase == ObserverPhase::Refused && problem != SourceProblem::NameInUse {
            return self.end(EndCause::Refused(SourceProblem::WrongLogin));
        }
        if self.next_report_time.is_some() {
            self.read_log();
            if matches!(self.phase, ObserverPhase::Closing | ObserverPhase::Over) {
                return;
            }
        }
        self.effects.push(CsaEffect::Disconnect);
        // A server that accepts and then closes connections is not contacted every few seconds.
        if self
            .admitted_at
            .take()
            .is_some_and(|at| at + self.pacing.retry.max <= self.now)
        {
            self.failures = 0;
        }
        self.failures += 1;
        let pause = self.pacing.retry.after(self.failures);
        self.list.clear();
        self.enter(ObserverPhase::Pausing, Some(pause));
        self.set_state(SourceState::Lost {
            problem,
            retry_in: pause,
        });
    }

    fn set_state(&mut self, state: SourceState) {
        if self.state.as_ref() != Some(&state) {
            self.state = Some(state.clone());
            self.effects.push(CsaEffect::Report(SourceEvent::State(state)));
        }
    }
}

/// Returns the title of a listed game: `black - white (event, 12:30)`. Servers form the id `server+event+black+white+`
/// with the start as 14 digits. Any other id is its own title.
fn title(id: &str) -> String {
    let parts: Vec<_> = id.split('+').collect();
    let [_, event, black, white, start] = parts.as_slice() else {
        return id.to_owned();
    };
    let is_start = start.len() == 14 && start.bytes().all(|byte| byte.is_ascii_digit());
    match start.get(8..10).zip(start.get(10..12)) {
        Some((hour, minute)) if is_start && !black.is_empty() && !white.is_empty() => {
            format!("{black} - {white} ({event}, {hour}:{minute})")
        }
        _ => id.to_owned(),
    }
}
