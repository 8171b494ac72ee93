//! An analysis with real engines, on a thread of its own.

use super::AnalysisPlan;
use super::scheduler::{Finding, Progress, Scheduler, SecondPass, WorkerCommand, WorkerSlot};
use crate::kifu::Record;
use crate::session::{Latest, Session, SessionConfig, TrafficLog};
use crate::threads::{self, Thread, lock};
use crate::usi::process::Program;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often it is said how long it still takes.
const TICK: Duration = Duration::from_secs(1);

/// An engine that positions are given to.
#[derive(Clone, Debug)]
pub struct AnalysisEngine {
    /// What the user calls it.
    pub name: String,
    /// Whether that is the name of a profile.
    pub is_profile: bool,
    /// How it is started.
    pub program: Program,
    /// How it is run: with a limit, and [apart](Settings::apart).
    pub settings: SessionConfig,
    /// Where its talk is recorded.
    pub log: TrafficLog,
}

/// A running analysis. Dropping it ends it, and its engines.
pub struct Analysis {
    shared: Arc<SharedProgress>,
    bell: SyncSender<()>,
    // Dropped last: waits until the engines are gone.
    _thread: Thread,
}

/// What the analysis and its owner tell each other.
#[derive(Default)]
struct SharedProgress {
    is_paused: AtomicBool,
    is_cancelled: AtomicBool,
    findings: Mutex<Vec<Finding>>,
    progress: Latest<Progress>,
}

impl Analysis {
    /// Starts the engines and has them search the positions of a plan. `wake` is called on another thread
    /// whenever there is something to [take](Self::findings): what was found, or how far it is.
    ///
    /// Returns at once; what goes wrong with an engine is a state in the progress. An engine has to be free
    /// for this: none is shared with a bar.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub fn start(
        record: Arc<Record>,
        plan: AnalysisPlan,
        passes: SecondPass,
        searchers: Vec<AnalysisEngine>,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (bell, rings) = sync_channel(1);
        let seat = |searcher: &AnalysisEngine| WorkerSlot {
            name: searcher.name.clone(),
            is_profile: searcher.is_profile,
            limit: searcher.settings.limit,
            multipv: searcher.settings.multipv,
        };
        let seats = searchers.iter().map(seat).collect();
        let work = Scheduler::new(record, plan, seats, passes);
        let sessions = searchers.into_iter().map(|searcher| {
            let bell = bell.clone();
            let recorder = searcher.log.recorder(&searcher.name);
            Session::start_recorded(searcher.program, searcher.settings, recorder, move || notify(&bell))
        });
        let sessions = sessions.collect::<io::Result<Vec<_>>>()?;
        let shared = Arc::<SharedProgress>::default();
        let bench = AnalysisThread { work, sessions, shared: Arc::clone(&shared), wake: Box::new(wake), told: None };
        let thread = threads::named("analysis", move || bench.run(&rings))?;
        Ok(Self { shared, bell, _thread: thread })
    }

    /// Has the engines rest. What they were at is searched again when they [go on](Self::resume).
    pub fn pause(&self) {
        self.shared.is_paused.store(true, Ordering::Relaxed);
        notify(&self.bell);
    }

    /// Has the engines go on.
    pub fn resume(&self) {
        self.shared.is_paused.store(false, Ordering::Relaxed);
        notify(&self.bell);
    }

    /// Ends it. What was found so far can still be taken.
    pub fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Relaxed);
        notify(&self.bell);
    }

    /// What was found since this was asked last.
    pub fn findings(&self) -> Vec<Finding> {
        std::mem::take(&mut lock(&self.shared.findings))
    }

    /// How far it is, once; `None` when nothing has changed since. When the stage in it
    /// [is over](super::Stage::is_over), all that was found is there to be taken.
    pub fn progress(&self) -> Option<Progress> {
        self.shared.progress.take()
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.cancel();
    }
}

impl fmt::Debug for Analysis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Analysis").finish_non_exhaustive()
    }
}

/// Wakes the analysis; one that is rung for already is awake, and one that has ended need not be.
fn notify(bell: &SyncSender<()>) {
    let _rung_already = bell.try_send(());
}

/// The thread of an analysis.
struct AnalysisThread {
    work: Scheduler,
    sessions: Vec<Session>,
    shared: Arc<SharedProgress>,
    wake: Box<dyn Fn() + Send>,
    /// What was told last of how far it is.
    told: Option<Progress>,
}

impl AnalysisThread {
    fn run(mut self, rings: &Receiver<()>) {
        #[expect(clippy::disallowed_methods, reason = "the clock of the analysis: time enters its core as an event")]
        let started = Instant::now();
        while !self.work.stage().is_over() {
            self.step(started.elapsed());
            if !self.work.stage().is_over() {
                let _rung_or_time_to_tell = rings.recv_timeout(TICK);
            }
        }
        // All of them before the first is waited for.
        self.sessions.iter().for_each(Session::quit);
    }

    fn step(&mut self, now: Duration) {
        if self.shared.is_cancelled.load(Ordering::Relaxed) {
            self.work.cancel();
        }
        let orders = self.work.pause(now, self.shared.is_paused.load(Ordering::Relaxed));
        self.carry_out(orders);
        for engine in 0..self.sessions.len() {
            let Some(snapshot) = self.sessions.get(engine).and_then(Session::snapshot) else { continue };
            // Before anything else: an engine that waits is one that does not search.
            let orders = self.work.on_snapshot(now, engine, &snapshot);
            self.carry_out(orders);
        }
        self.publish(now);
    }

    fn carry_out(&self, orders: Vec<WorkerCommand>) {
        for WorkerCommand { engine, wish } in orders {
            if let Some(session) = self.sessions.get(engine) {
                session.set_target(wish);
            }
        }
    }

    fn publish(&mut self, now: Duration) {
        let findings = self.work.take_findings();
        let progress = self.work.progress(now);
        if findings.is_empty() && self.told.as_ref() == Some(&progress) {
            return;
        }
        lock(&self.shared.findings).extend(findings);
        self.told = Some(progress.clone());
        self.shared.progress.put(progress);
        (self.wake)();
    }
}
