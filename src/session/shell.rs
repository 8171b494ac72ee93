//! A session with a real program, real threads and a real clock.

use super::core::{Core, Effect, Event};
use super::{FailureKind, Mailbox, Settings, Snapshot};
use crate::shogi::History;
use crate::text::Exit;
use crate::threads::{self, Thread};
use crate::usi::process::{Output, Process, Program, StartError};
use crate::usi::words::decode;
use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Lines that may wait for the session; an engine that prints faster is held back by its pipe.
const INBOX: usize = 1024;

/// The shortest time between two snapshots: a screen shows no more, and an engine may print
/// hundreds of lines in a tenth of a second.
const PUBLISH_EVERY: Duration = Duration::from_millis(16);

/// How long an engine whose output has ended is given to end itself, so that it can be said how.
const SETTLE: Duration = Duration::from_millis(300);

/// A running engine. Dropping it ends the engine.
pub struct Session {
    wish: Mailbox<Option<Arc<History>>>,
    snapshots: Mailbox<Snapshot>,
    inbox: SyncSender<Letter>,
    // Dropped last: waits until the engine is gone.
    _thread: Thread,
}

/// What reaches the session's thread.
enum Letter {
    Output(Output),
    /// The wish has changed.
    Wish,
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
    pub fn start(program: Program, settings: Settings, wake: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (inbox, letters) = sync_channel(INBOX);
        let (wish, snapshots) = (Mailbox::default(), Mailbox::default());
        let mut shell = Shell {
            letters,
            wish: Mailbox::clone(&wish),
            snapshots: Mailbox::clone(&snapshots),
            wake: Box::new(wake),
            process: None,
            published: None,
        };
        let to_shell = inbox.clone();
        let thread = threads::named("session", move || shell.run(&program, settings, to_shell))?;
        Ok(Self { wish, snapshots, inbox, _thread: thread })
    }

    /// Says which position is wanted; the newest wish counts. Never blocks.
    pub fn wish(&self, history: Option<Arc<History>>) {
        self.wish.put(history);
        // A full inbox means that the session is awake, and it looks at the wish first.
        let _awake_already = self.inbox.try_send(Letter::Wish);
    }

    /// The newest snapshot, once; `None` when nothing has changed since.
    pub fn snapshot(&self) -> Option<Snapshot> {
        self.snapshots.take()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The session's thread empties its inbox without end, so this cannot hang; an error means
        // that it has ended already.
        let _ended_already = self.inbox.send(Letter::Quit);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

/// The thread of a session.
struct Shell {
    letters: Receiver<Letter>,
    wish: Mailbox<Option<Arc<History>>>,
    snapshots: Mailbox<Snapshot>,
    wake: Box<dyn Fn() + Send>,
    process: Option<Process>,
    /// The revision that was published last, and when.
    published: Option<(u64, Duration)>,
}

impl Shell {
    fn run(&mut self, program: &Program, settings: Settings, inbox: SyncSender<Letter>) {
        #[expect(clippy::disallowed_methods, reason = "the session's clock: time enters its core as an event")]
        let started = Instant::now();
        let now = || started.elapsed();
        let (mut core, effects) = Core::start(settings, now());
        let listener = move |output| {
            // An error means that the session has ended; the engine is about to.
            let _session_ended = inbox.send(Letter::Output(output));
        };
        match program.start(listener) {
            Ok(process) => {
                self.process = Some(process);
                self.carry_out(&mut core, effects, now());
            }
            Err(error) => {
                core.step(now(), Event::NotStarted(why_not_started(&error)));
            }
        }
        let mut quit = false;
        while !(core.is_over() && quit) {
            self.publish(&mut core, now());
            let letter = match self.next_letter(&core, now()) {
                Ok(letter) => Some(letter),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if let Some(wish) = self.wish.take() {
                let effects = core.step(now(), Event::Wish(wish));
                self.carry_out(&mut core, effects, now());
            }
            quit |= matches!(letter, Some(Letter::Quit));
            let effects = self.deliver(&mut core, letter, now());
            self.carry_out(&mut core, effects, now());
        }
    }

    fn next_letter(&self, core: &Core, now: Duration) -> Result<Letter, RecvTimeoutError> {
        let unpublished = self.published.filter(|(revision, _)| *revision != core.revision());
        let publish_at = unpublished.map(|(_, at)| at + PUBLISH_EVERY);
        match publish_at.into_iter().chain(core.deadline()).min() {
            Some(at) => self.letters.recv_timeout(at.saturating_sub(now)),
            None => self.letters.recv().map_err(|_closed| RecvTimeoutError::Disconnected),
        }
    }

    fn deliver(&mut self, core: &mut Core, letter: Option<Letter>, now: Duration) -> Vec<Effect> {
        let event = match letter {
            Some(Letter::Output(Output::Line(bytes))) => {
                let line = decode(&bytes);
                let mut effects = core.step(now, Event::Line(&line));
                // A flood must not keep a deadline from passing.
                effects.extend(core.step(now, Event::Deadline));
                return effects;
            }
            Some(Letter::Output(Output::Closed)) => {
                let Some(mut process) = self.process.take() else { return Vec::new() };
                process.settle(SETTLE);
                Event::Closed(how_it_ended(process.end()), process.complaints())
            }
            Some(Letter::Quit) => Event::Quit,
            Some(Letter::Wish) => return Vec::new(),
            None => Event::Deadline,
        };
        core.step(now, event)
    }

    fn carry_out(&mut self, core: &mut Core, effects: Vec<Effect>, now: Duration) {
        for effect in effects {
            match effect {
                Effect::Kill => self.process = None,
                Effect::Send(line) => {
                    let blocked = self.process.as_ref().is_some_and(|process| process.send(line).is_err());
                    if blocked {
                        core.step(now, Event::NotReading);
                        self.process = None;
                    }
                }
            }
        }
    }

    fn publish(&mut self, core: &mut Core, now: Duration) {
        let due = self.published.is_none_or(|(revision, at)| revision != core.revision() && now >= at + PUBLISH_EVERY);
        if due {
            self.snapshots.put(core.snapshot());
            self.published = Some((core.revision(), now));
            (self.wake)();
        }
    }
}

fn why_not_started(error: &StartError) -> FailureKind {
    match error {
        StartError::NotFound(path) => FailureKind::NotFound(path.display().to_string()),
        StartError::NotAProgram(path) => FailureKind::NotAProgram(path.display().to_string()),
        StartError::Refused(path, why) => FailureKind::NotStarted(path.display().to_string(), why.to_string()),
    }
}

fn how_it_ended(status: Option<ExitStatus>) -> Exit {
    #[cfg(unix)]
    let signal = status.and_then(|status| std::os::unix::process::ExitStatusExt::signal(&status));
    #[cfg(not(unix))]
    let signal = None;
    let code = status.and_then(|status| status.code());
    code.map(Exit::Code).or_else(|| signal.map(Exit::Signal)).unwrap_or(Exit::Unknown)
}
