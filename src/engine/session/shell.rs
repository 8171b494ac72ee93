//! An engine session with a real program, real threads and a real clock.

use super::core::{Core, Effect, Event};
use super::stderr_tail::StderrTail;
use super::timeouts::REMOTE_TIMEOUT;
use super::{FailureKind, SearchTarget, SessionConfig, Snapshot, TrafficRecorder};
use crate::process::{ExitReason, Output, Process, Program, StartError};
use crate::usi::SearchId;
use crate::usi::lines::LineSplitter;
use crate::usi::tokens::decode;
use shogibar_base::Latest;
use shogibar_base::threads::{self, Thread};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The capacity of the inbox, in messages of at most 64 KiB. An engine that prints faster is held back by its pipe.
const INBOX_CAPACITY: usize = 64;

/// The shortest time between two snapshots. A screen shows no more, and an engine may print hundreds of lines in a
/// tenth of a second.
const MIN_SNAPSHOT_INTERVAL: Duration = Duration::from_millis(16);
/// The shortest time between two snapshots of a search that has a value and is younger than [`STEADY_SEARCH_AGE`].
/// Drawing uses the processor that the engine needs.
const EARLY_VALUE_INTERVAL: Duration = Duration::from_millis(100);
/// The age of a search from which the interval of [`Session::set_snapshot_interval`] applies.
const STEADY_SEARCH_AGE: Duration = Duration::from_millis(500);

/// The longest wait for the exit of an engine after its output has ended. The exit status is then known.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// The interval of the check whether an engine has exited with its output still open. A child process may hold the
/// output.
const EXIT_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// A running engine. Dropping the session ends the engine.
pub struct Session {
    target: Latest<SearchTarget>,
    snapshots: Latest<Snapshot>,
    inbox: SyncSender<ShellMessage>,
    /// The interval of [`set_snapshot_interval`](Self::set_snapshot_interval), in milliseconds.
    interval: Arc<AtomicU32>,
    // Dropped last, because the drop waits until the engine has ended.
    _thread: Thread,
}

enum ShellMessage {
    /// The next bytes of the output, with the number of the process.
    Output(u64, Vec<u8>),
    /// The end of the output, with the number of the process.
    Closed(u64),
    /// The search target has changed.
    Target,
    /// The engine's button of this name is to be pressed.
    Press(String),
    /// The engine is to be restarted.
    Retry,
    /// The engine is to be ended.
    Quit,
}

impl Session {
    /// The default of [`set_snapshot_interval`](Self::set_snapshot_interval), which leaves the processor to the engine.
    pub const DEFAULT_SNAPSHOT_INTERVAL: Duration = Duration::from_millis(400);

    /// Starts an engine. `wake` is called on another thread whenever there is a new snapshot to
    /// [`take`](Self::snapshot).
    ///
    /// This function returns at once; a failure of the engine is a state in the snapshot.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub fn start(
        program: Program,
        config: SessionConfig,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        Self::start_recorded(program, config, Arc::new(()), wake)
    }

    /// Starts an engine, as [`start`](Self::start) does, and records its traffic.
    ///
    /// # Errors
    /// Fails if the system cannot start a thread.
    pub fn start_recorded(
        program: Program,
        config: SessionConfig,
        recorder: Arc<dyn TrafficRecorder>,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (inbox, messages) = sync_channel(INBOX_CAPACITY);
        let (target, snapshots) = (Latest::default(), Latest::default());
        let interval = Arc::new(AtomicU32::new(milliseconds(Self::DEFAULT_SNAPSHOT_INTERVAL)));
        let mut shell = SessionThread {
            messages,
            target: Latest::clone(&target),
            snapshots: Latest::clone(&snapshots),
            wake: Box::new(wake),
            program,
            inbox: inbox.clone(),
            process: None,
            lines: LineSplitter::default(),
            stderr_tail: StderrTail::default(),
            process_count: 0,
            last_poll: Duration::ZERO,
            last_published: None,
            interval: Arc::clone(&interval),
            recorder,
        };
        let thread = threads::spawn("session", move || shell.run(config))?;
        Ok(Self {
            target,
            snapshots,
            inbox,
            interval,
            _thread: thread,
        })
    }

    /// Sets the search target; a newer target replaces an older one. Never blocks.
    pub fn set_target(&self, target: impl Into<SearchTarget>) {
        self.target.put(target.into());
        // A full inbox means that the session is awake, and it reads the target first.
        let _awake_already = self.inbox.try_send(ShellMessage::Target);
    }

    /// Sets the minimum time between two snapshots of a search that has a value and is at least half a second old. The
    /// default is [`DEFAULT_SNAPSHOT_INTERVAL`](Self::DEFAULT_SNAPSHOT_INTERVAL). Never blocks.
    pub fn set_snapshot_interval(&self, interval: Duration) {
        self.interval.store(milliseconds(interval), Ordering::Relaxed);
    }

    /// Presses the engine's button of this name, as soon as no search runs.
    pub fn press(&self, button: &str) {
        // An error means that the session has ended, which happens only when it is dropped.
        let _ended_already = self.inbox.send(ShellMessage::Press(button.to_owned()));
    }

    /// Restarts the engine in any state, and resets the restart limit.
    pub fn retry(&self) {
        // An error means that the session has ended, which happens only when it is dropped.
        let _ended_already = self.inbox.send(ShellMessage::Retry);
    }

    /// Ends the engine. Dropping the session does the same and waits for the end.
    pub fn quit(&self) {
        // The session's thread always empties its inbox, so this cannot block forever. An error means
        // that the thread has ended already.
        let _ended_already = self.inbox.send(ShellMessage::Quit);
    }

    /// Removes and returns the newest snapshot; `None` when nothing has changed since the last call.
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.snapshots.take()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.quit();
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

/// The state at the last published snapshot.
#[derive(Clone, Copy)]
struct PublishedState {
    revision: u64,
    completed_game_searches: u64,
    /// The time at which the snapshot was published.
    published_at: Duration,
    /// The search that was in progress if the published snapshot had a value of it.
    valued_search: Option<SearchId>,
}

impl PublishedState {
    fn next_time(self, core: &Core, interval: Duration) -> Duration {
        // A value of an earlier search does not delay the first one of this search.
        let has_value = self.valued_search.is_some() && self.valued_search == core.current_search();
        self.published_at + min_snapshot_interval(core.search_age(), has_value, interval)
    }
}

struct SessionThread {
    messages: Receiver<ShellMessage>,
    target: Latest<SearchTarget>,
    snapshots: Latest<Snapshot>,
    wake: Box<dyn Fn() + Send>,
    program: Program,
    /// The inbox, for the threads that read the engine's output.
    inbox: SyncSender<ShellMessage>,
    process: Option<Process>,
    /// The output of the process.
    lines: LineSplitter,
    stderr_tail: StderrTail,
    /// The number of processes started. The output of earlier processes is ignored.
    process_count: u64,
    /// The time of the last check whether the process runs.
    last_poll: Duration,
    /// The state at the last published snapshot; `None` before the first.
    last_published: Option<PublishedState>,
    /// The interval of [`Session::set_snapshot_interval`], in milliseconds.
    interval: Arc<AtomicU32>,
    recorder: Arc<dyn TrafficRecorder>,
}

impl SessionThread {
    /// Runs the session until it is asked to end and the engine has ended.
    fn run(&mut self, mut config: SessionConfig) {
        #[expect(
            clippy::disallowed_methods,
            reason = "the session's clock: time enters its core as an event"
        )]
        let started = Instant::now();
        let now = || started.elapsed();
        if self.program.is_remote() {
            config.usi_ok_timeout = config.usi_ok_timeout.max(REMOTE_TIMEOUT);
            config.stop_timeout = config.stop_timeout.max(REMOTE_TIMEOUT);
        }
        let (mut core, effects) = Core::start(config, now());
        self.apply_effects(&mut core, effects, now());
        let mut quit = false;
        while !(core.is_over() && quit) {
            self.publish(&mut core, now());
            let message = match self.next_message(&core, now()) {
                Ok(message) => Some(message),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(target) = self.target.take() {
                self.step(&mut core, Event::Target(target), now());
            }
            quit |= matches!(message, Some(ShellMessage::Quit));
            self.on_message(&mut core, message, now());
            self.poll_child(&mut core, now());
        }
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(self.interval.load(Ordering::Relaxed).into())
    }

    /// Waits for a message. Fails with a timeout when a snapshot, a deadline or a check of the process is due.
    fn next_message(&self, core: &Core, now: Duration) -> Result<ShellMessage, RecvTimeoutError> {
        let unpublished = self
            .last_published
            .filter(|published| published.revision != core.revision());
        let publish_at = unpublished.map(|published| published.next_time(core, self.interval()));
        let poll_at = self
            .process
            .as_ref()
            .map(|_| self.last_poll + EXIT_CHECK_INTERVAL);
        match publish_at.into_iter().chain(core.deadline()).chain(poll_at).min() {
            Some(at) => self.messages.recv_timeout(at.saturating_sub(now)),
            None => self
                .messages
                .recv()
                .map_err(|_closed| RecvTimeoutError::Disconnected),
        }
    }

    fn on_message(&mut self, core: &mut Core, message: Option<ShellMessage>, now: Duration) {
        match message {
            Some(ShellMessage::Output(process, bytes)) if self.is_running(process) => {
                let mut lines = std::mem::take(&mut self.lines);
                lines.split(&bytes, |line| self.on_line(core, process, line, now));
                self.lines = lines;
            }
            Some(ShellMessage::Closed(process)) if self.is_running(process) => {
                let mut lines = std::mem::take(&mut self.lines);
                lines.finish(|line| self.on_line(core, process, line, now));
                self.on_exit(core, now);
            }
            Some(ShellMessage::Press(button)) => self.step(core, Event::Press(button), now),
            Some(ShellMessage::Retry) => self.step(core, Event::Retry, now),
            Some(ShellMessage::Quit) => self.step(core, Event::Quit, now),
            Some(ShellMessage::Output(..) | ShellMessage::Closed(_) | ShellMessage::Target) | None => {}
        }
        // Output without a pause must not delay a deadline, so the deadline is checked after every message.
        if core.deadline().is_some_and(|deadline| deadline <= now) {
            self.step(core, Event::Stderr(self.stderr_tail.lines()), now);
            self.step(core, Event::Deadline, now);
        }
    }

    /// Handles a line of output. An earlier line may have ended the process.
    fn on_line(&mut self, core: &mut Core, process: u64, line: &[u8], now: Duration) {
        if self.is_running(process) {
            self.recorder.record_output(line);
            self.step(core, Event::Line(&decode(line)), now);
        }
    }

    const fn is_running(&self, process: u64) -> bool {
        self.process.is_some() && process == self.process_count
    }

    /// Handles the end of a process, or of its output, and reports its exit.
    fn on_exit(&mut self, core: &mut Core, now: Duration) {
        let Some(mut process) = self.process.take() else {
            return;
        };
        process.wait_exit(EXIT_GRACE);
        let exit = process.end();
        self.recorder.record_note(&exit_note(exit));
        self.step(core, Event::Stderr(self.stderr_tail.lines()), now);
        self.step(core, Event::Closed(exit), now);
    }

    /// Checks every second whether the process still runs. The end of a process is usually seen by the end of its
    /// output, unless a child process keeps the output open.
    fn poll_child(&mut self, core: &mut Core, now: Duration) {
        if now >= self.last_poll + EXIT_CHECK_INTERVAL
            && let Some(process) = &mut self.process
        {
            self.last_poll = now;
            if process.had_exited_before() {
                self.on_exit(core, now);
            }
        }
    }

    /// Applies an event to the core, and carries out the effects.
    fn step(&mut self, core: &mut Core, event: Event<'_>, now: Duration) {
        let effects = core.step(now, event);
        self.apply_effects(core, effects, now);
    }

    /// Carries out effects, and those of the events that they cause.
    fn apply_effects(&mut self, core: &mut Core, effects: Vec<Effect>, now: Duration) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Kill => {
                    if self.process.take().is_some() {
                        self.recorder.record_note("ended by us");
                    }
                }
                Effect::Start => {
                    if let Err(error) = self.start(now) {
                        self.recorder.record_note(&format!("not started: {error}"));
                        effects.extend(core.step(now, Event::NotStarted(FailureKind::NotStarted(error))));
                    }
                }
                Effect::Send(mut line) => {
                    let is_refused = self.process.as_ref().is_some_and(|process| {
                        self.recorder.record_sent(&line);
                        line.push('\n');
                        process.send(line.into_bytes()).is_err()
                    });
                    if is_refused {
                        effects.extend(core.step(now, Event::Stderr(self.stderr_tail.lines())));
                        effects.extend(core.step(now, Event::NotReading));
                    }
                }
            }
        }
    }

    /// Starts the program as the next process.
    fn start(&mut self, now: Duration) -> Result<(), StartError> {
        self.process = None;
        self.process_count += 1;
        self.last_poll = now;
        let (number, inbox) = (self.process_count, self.inbox.clone());
        self.lines = LineSplitter::default();
        let on_output = move |output: Output<'_>| {
            // An error means that the session has ended, and the engine ends with it.
            _ = inbox.send(match output {
                Output::Bytes(bytes) => ShellMessage::Output(number, bytes.to_vec()),
                Output::Closed => ShellMessage::Closed(number),
            });
        };
        let (recorder, tail, mut stderr_lines) = (
            Arc::clone(&self.recorder),
            StderrTail::default(),
            LineSplitter::default(),
        );
        self.stderr_tail = StderrTail::clone(&tail);
        let on_stderr = move |output: Output<'_>| {
            let add = |line: &[u8]| {
                recorder.record_stderr(line);
                tail.add(line);
            };
            match output {
                Output::Bytes(bytes) => stderr_lines.split(bytes, add),
                Output::Closed => stderr_lines.finish(add),
            }
        };
        self.process = Some(self.program.start(on_output, on_stderr)?);
        self.recorder
            .record_note(&format!("started {}", command_line(&self.program)));
        Ok(())
    }

    /// Publishes a snapshot if it has changed and is due.
    fn publish(&mut self, core: &mut Core, now: Duration) {
        let due = self.last_published.is_none_or(|published| {
            // A caller may wait for the result with the next position ready, so a completed search is published at
            // once.
            let is_completed = published.completed_game_searches != core.completed_game_searches();
            published.revision != core.revision()
                && (is_completed || now >= published.next_time(core, self.interval()))
        });
        if due {
            self.snapshots.put(core.snapshot());
            self.last_published = Some(PublishedState {
                revision: core.revision(),
                completed_game_searches: core.completed_game_searches(),
                published_at: now,
                valued_search: core.valued_search(),
            });
            (self.wake)();
        }
    }
}

impl Drop for SessionThread {
    fn drop(&mut self) {
        // Later output of the engine's child processes is not recorded.
        self.recorder.close();
    }
}

/// Returns the program and its arguments. The environment is left out, because it may hold secrets.
fn command_line(program: &Program) -> String {
    let words =
        std::iter::once(program.path.as_os_str()).chain(program.arguments.iter().map(OsString::as_os_str));
    words
        .map(|word| word.display().to_string())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns how a process ended, for the log.
fn exit_note(exit: Option<ExitReason>) -> String {
    match exit {
        Some(ExitReason::Code(code)) => format!("ended with code {code}"),
        Some(ExitReason::Signal(signal)) => format!("ended by signal {signal}"),
        None => "closed its output".to_owned(),
    }
}

/// Returns the minimum time between two snapshots. `interval` is that of [`Session::set_snapshot_interval`].
fn min_snapshot_interval(search_age: Option<Duration>, has_value: bool, interval: Duration) -> Duration {
    match search_age {
        Some(age) if has_value && age >= STEADY_SEARCH_AGE => interval,
        Some(_) if has_value => EARLY_VALUE_INTERVAL,
        _ => MIN_SNAPSHOT_INTERVAL,
    }
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn publishes_the_first_value_at_once_and_later_ones_at_intervals() {
        let check = |search_age: Option<u64>, has_value, expect| {
            let found = min_snapshot_interval(
                search_age.map(Duration::from_millis),
                has_value,
                Session::DEFAULT_SNAPSHOT_INTERVAL,
            );
            assert_eq!(found, Duration::from_millis(expect), "{search_age:?} {has_value}");
        };
        check(None, true, 16);
        check(Some(0), false, 16);
        check(Some(70), false, 16);
        check(Some(30_000), false, 16);
        check(Some(10), true, 100);
        check(Some(499), true, 100);
        check(Some(500), true, 400);
        let cheap = Duration::from_millis(100);
        assert_eq!(
            min_snapshot_interval(Some(Duration::from_secs(9)), true, cheap),
            cheap,
            "where drawing is cheap"
        );
    }
}
