//! A session with a real program, real threads and a real clock.

use super::core::{Core, Effect, Event};
use super::traffic::{Recorder, TrafficLog};
use super::{FailureKind, Latest, SearchTarget, SessionConfig, Snapshot};
use crate::text::ProgramExit;
use crate::threads::{self, Thread};
use crate::usi::process::{OutputLine, Process, Program, StartError};
use crate::usi::tokens::decode;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Lines that may wait for the session; an engine that prints faster is held back by its pipe.
const INBOX: usize = 1024;

/// The shortest time between two snapshots: a screen shows no more, and an engine may print
/// hundreds of lines in a tenth of a second.
const PUBLISH_EVERY: Duration = Duration::from_millis(16);
/// The same once the first value of a search is there: each picture is drawn on the processor that the engine wants.
const PUBLISH_NEXT: Duration = Duration::from_millis(100);
/// The age of a search from which the interval of [`Session::set_interval`] holds.
const STEADY_FROM: Duration = Duration::from_millis(500);
/// That interval until it is set.
const INTERVAL: Duration = Duration::from_millis(400);

/// How long an engine whose output has ended is given to end itself, so that it can be said how.
const SETTLE: Duration = Duration::from_millis(300);

/// How often it is looked whether an engine has ended whose output has not: a child of its own may
/// hold that open.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What is allowed to an engine behind a network: a stall of half a minute is no reason to end it.
const REMOTE_PATIENCE: Duration = Duration::from_mins(1);

/// A running engine. Dropping it ends the engine.
pub struct Session {
    wish: Latest<SearchTarget>,
    snapshots: Latest<Snapshot>,
    inbox: SyncSender<ShellMessage>,
    interval: Arc<AtomicU32>,
    // Dropped last: waits until the engine is gone.
    _thread: Thread,
}

/// What reaches the session's thread.
enum ShellMessage {
    /// What the so-many-eth process printed.
    Output(u64, OutputLine),
    /// The wish has changed.
    Wish,
    Press(String),
    TryAgain,
    Quit,
}

impl Session {
    /// Starts an engine. `wake` is called on another thread whenever there is a new snapshot to
    /// [`take`](Self::snapshot).
    ///
    /// Returns at once; what goes wrong with the engine is a state in the snapshot.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(program: Program, settings: SessionConfig, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        Self::start_recorded(program, settings, TrafficLog::default().recorder(""), wake)
    }

    /// Starts an engine, as [`start`](Self::start) does, whose talk is recorded.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start_recorded(
        program: Program,
        settings: SessionConfig,
        recorder: Recorder,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (inbox, letters) = sync_channel(INBOX);
        let (wish, snapshots) = (Latest::default(), Latest::default());
        let interval = Arc::new(AtomicU32::new(milliseconds(INTERVAL)));
        let mut shell = SessionThread {
            letters,
            wish: Latest::clone(&wish),
            snapshots: Latest::clone(&snapshots),
            wake: Box::new(wake),
            program,
            inbox: inbox.clone(),
            process: None,
            started: 0,
            looked: Duration::ZERO,
            published: None,
            interval: Arc::clone(&interval),
            recorder,
        };
        let thread = threads::named("session", move || shell.run(settings))?;
        Ok(Self { wish, snapshots, inbox, interval, _thread: thread })
    }

    /// Says what is wanted; the newest wish counts. Never blocks.
    pub fn set_target(&self, wish: impl Into<SearchTarget>) {
        self.wish.put(wish.into());
        // A full inbox means that the session is awake, and it looks at the wish first.
        let _awake_already = self.inbox.try_send(ShellMessage::Wish);
    }

    /// Sets the least time between two snapshots of a search that has been under way for half a second and has spoken.
    /// 400 ms until it is set. Never blocks.
    pub fn set_interval(&self, interval: Duration) {
        self.interval.store(milliseconds(interval), Ordering::Relaxed);
    }

    /// Presses the engine's button of this name, as soon as nothing is searched.
    pub fn press(&self, button: &str) {
        // An error means that the session has ended, which it does only when it is dropped.
        let _ended_already = self.inbox.send(ShellMessage::Press(button.to_owned()));
    }

    /// Has the engine started afresh, whatever became of it, with all its restarts before it again.
    pub fn retry(&self) {
        // An error means that the session has ended, which it does only when it is dropped.
        let _ended_already = self.inbox.send(ShellMessage::TryAgain);
    }

    /// Has the engine end. Dropping the session does the same, and waits for it.
    pub fn quit(&self) {
        // The session's thread empties its inbox without end, so this cannot hang; an error means
        // that it has ended already.
        let _ended_already = self.inbox.send(ShellMessage::Quit);
    }

    /// The newest snapshot, once; `None` when nothing has changed since.
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

/// What was published.
#[derive(Clone, Copy)]
struct PublishedState {
    revision: u64,
    /// How many answers were in it.
    answers: u64,
    /// When.
    at: Duration,
    /// Whether it had a value of the search that is under way.
    has_spoken: bool,
}

impl PublishedState {
    /// When something newer may be.
    fn next(self, core: &Core, interval: Duration) -> Duration {
        self.at + pace(core.searching_for(), self.has_spoken, interval)
    }
}

/// The thread of a session.
struct SessionThread {
    letters: Receiver<ShellMessage>,
    wish: Latest<SearchTarget>,
    snapshots: Latest<Snapshot>,
    wake: Box<dyn Fn() + Send>,
    program: Program,
    /// For those who listen to the engine.
    inbox: SyncSender<ShellMessage>,
    process: Option<Process>,
    /// How many processes were started. Lines of those before the last are of no more use.
    started: u64,
    /// When it was last looked whether the process runs.
    looked: Duration,
    /// What was published last.
    published: Option<PublishedState>,
    /// See [`Session::set_interval`], in milliseconds.
    interval: Arc<AtomicU32>,
    recorder: Recorder,
}

impl SessionThread {
    fn run(&mut self, mut settings: SessionConfig) {
        #[expect(clippy::disallowed_methods, reason = "the session's clock: time enters its core as an event")]
        let started = Instant::now();
        let now = || started.elapsed();
        if self.program.is_remote() {
            settings.usi_ok_within = settings.usi_ok_within.max(REMOTE_PATIENCE);
            settings.stopped_within = settings.stopped_within.max(REMOTE_PATIENCE);
        }
        let (mut core, effects) = Core::start(settings, now());
        self.carry_out(&mut core, effects, now());
        let mut quit = false;
        while !(core.is_over() && quit) {
            self.publish(&mut core, now());
            let letter = match self.next_message(&core, now()) {
                Ok(letter) => Some(letter),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(wish) = self.wish.take() {
                let effects = core.step(now(), Event::Wish(wish));
                self.carry_out(&mut core, effects, now());
            }
            quit |= matches!(letter, Some(ShellMessage::Quit));
            let effects = self.on_message(&mut core, letter, now());
            self.carry_out(&mut core, effects, now());
            let effects = self.poll_child(&mut core, now());
            self.carry_out(&mut core, effects, now());
        }
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(self.interval.load(Ordering::Relaxed).into())
    }

    fn next_message(&self, core: &Core, now: Duration) -> Result<ShellMessage, RecvTimeoutError> {
        let unpublished = self.published.filter(|published| published.revision != core.revision());
        let publish_at = unpublished.map(|published| published.next(core, self.interval()));
        let look_at = self.process.as_ref().map(|_| self.looked + LOOK_EVERY);
        match publish_at.into_iter().chain(core.deadline()).chain(look_at).min() {
            Some(at) => self.letters.recv_timeout(at.saturating_sub(now)),
            None => self.letters.recv().map_err(|_closed| RecvTimeoutError::Disconnected),
        }
    }

    fn on_message(&mut self, core: &mut Core, letter: Option<ShellMessage>, now: Duration) -> Vec<Effect> {
        let event = match letter {
            Some(ShellMessage::Output(process, _)) if process != self.started => Event::Deadline,
            Some(ShellMessage::Output(_, OutputLine::Line(bytes))) => {
                self.recorder.output(&bytes);
                let line = decode(&bytes);
                let mut effects = core.step(now, Event::Line(&line));
                // A flood must not keep a deadline from passing.
                effects.extend(core.step(now, Event::Deadline));
                return effects;
            }
            Some(ShellMessage::Output(_, OutputLine::Closed)) => return self.on_exit(core, now),
            Some(ShellMessage::Press(button)) => Event::Press(button),
            Some(ShellMessage::TryAgain) => Event::TryAgain,
            Some(ShellMessage::Quit) => Event::Quit,
            Some(ShellMessage::Wish) | None => Event::Deadline,
        };
        core.step(now, event)
    }

    /// Says how a process ended whose output has ended, or that has ended itself.
    fn on_exit(&mut self, core: &mut Core, now: Duration) -> Vec<Effect> {
        let Some(mut process) = self.process.take() else { return Vec::new() };
        process.wait_exit(SETTLE);
        let exit = how_it_ended(process.end());
        self.recorder.note(&exit_note(exit));
        core.step(now, Event::Closed(exit, process.stderr_tail()))
    }

    /// Looks now and then whether the process still runs. Its output tells when it has said its last
    /// word, unless a child of its own keeps that open.
    fn poll_child(&mut self, core: &mut Core, now: Duration) -> Vec<Effect> {
        let Some(process) = self.process.as_mut().filter(|_| now >= self.looked + LOOK_EVERY) else {
            return Vec::new();
        };
        self.looked = now;
        if process.has_ended_before() { self.on_exit(core, now) } else { Vec::new() }
    }

    fn carry_out(&mut self, core: &mut Core, effects: Vec<Effect>, now: Duration) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Kill => {
                    if self.process.take().is_some() {
                        self.recorder.note("ended by us");
                    }
                }
                Effect::Start => {
                    if let Err(error) = self.start(now) {
                        self.recorder.note(&format!("not started: {error}"));
                        effects.extend(core.step(now, Event::NotStarted(why_not_started(&error))));
                    }
                }
                Effect::Send(line) => {
                    let blocked = self.process.as_ref().is_some_and(|process| {
                        self.recorder.sent(&line);
                        process.send(line).is_err()
                    });
                    if blocked {
                        effects.extend(core.step(now, Event::NotReading));
                    }
                }
            }
        }
    }

    fn start(&mut self, now: Duration) -> Result<(), StartError> {
        self.process = None;
        self.started += 1;
        self.looked = now;
        let (number, inbox) = (self.started, self.inbox.clone());
        let listener = move |output| {
            // An error means that the session has ended; the engine is about to.
            let _session_ended = inbox.send(ShellMessage::Output(number, output));
        };
        let recorder = self.recorder.clone();
        self.process = Some(self.program.start_with_stderr(listener, move |line| recorder.stderr(line))?);
        self.recorder.note(&format!("started {}", command_of(&self.program)));
        Ok(())
    }

    fn publish(&mut self, core: &mut Core, now: Duration) {
        let due = self.published.is_none_or(|published| {
            // Somebody may be waiting for an answer, with the next position at hand.
            let is_answered = published.answers != core.answers();
            published.revision != core.revision() && (is_answered || now >= published.next(core, self.interval()))
        });
        if due {
            self.snapshots.put(core.snapshot());
            let (revision, answers, has_spoken) = (core.revision(), core.answers(), core.has_spoken());
            self.published = Some(PublishedState { revision, answers, at: now, has_spoken });
            (self.wake)();
        }
    }
}

impl Drop for SessionThread {
    fn drop(&mut self) {
        // What is still said by a child that the engine left behind is not recorded.
        self.recorder.close();
    }
}

/// A program and its arguments. Its environment may hold what is nobody's business.
fn command_of(program: &Program) -> String {
    let words = std::iter::once(program.path.as_os_str()).chain(program.arguments.iter().map(OsString::as_os_str));
    words.map(|word| word.display().to_string()).collect::<Vec<_>>().join(" ")
}

/// How a process ended, for the log.
fn exit_note(exit: ProgramExit) -> String {
    match exit {
        ProgramExit::Code(code) => format!("ended with code {code}"),
        ProgramExit::Signal(signal) => format!("ended by signal {signal}"),
        ProgramExit::ClosedOutput => "closed its output".to_owned(),
    }
}

/// How long a snapshot stands at least.
fn pace(searching_for: Option<Duration>, has_spoken: bool, interval: Duration) -> Duration {
    match searching_for {
        Some(age) if has_spoken && age >= STEADY_FROM => interval,
        Some(_) if has_spoken => PUBLISH_NEXT,
        _ => PUBLISH_EVERY,
    }
}

fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX)
}

fn why_not_started(error: &StartError) -> FailureKind {
    match error {
        StartError::NotFound(path) => FailureKind::NotFound(path.display().to_string()),
        StartError::NoFolder(folder) => FailureKind::NoFolder(folder.display().to_string()),
        StartError::NotAProgram(path) => FailureKind::NotAProgram(path.display().to_string()),
        StartError::Refused(path, why) => FailureKind::NotStarted(path.display().to_string(), why.into()),
    }
}

fn how_it_ended(status: Option<ExitStatus>) -> ProgramExit {
    #[cfg(unix)]
    let signal = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    #[cfg(not(unix))]
    let signal = None;
    let code = status.and_then(|status| status.code());
    code.map(ProgramExit::Code).or_else(|| signal.map(ProgramExit::Signal)).unwrap_or(ProgramExit::ClosedOutput)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_is_there_at_once_and_the_others_in_their_time() {
        let check = |searching_for: Option<u64>, has_spoken, expect| {
            let pace = pace(searching_for.map(Duration::from_millis), has_spoken, INTERVAL);
            assert_eq!(pace, Duration::from_millis(expect), "{searching_for:?} {has_spoken}");
        };
        check(None, true, 16);
        check(Some(0), false, 16);
        check(Some(70), false, 16);
        check(Some(30_000), false, 16);
        check(Some(10), true, 100);
        check(Some(499), true, 100);
        check(Some(500), true, 400);
        let cheap = Duration::from_millis(100);
        assert_eq!(pace(Some(Duration::from_secs(9)), true, cheap), cheap, "where drawing is cheap");
    }
}
