//! An analysis with real engines, on a separate thread.

use super::scheduler::{AnalysisGame, Finding, PassSettings, Progress, Scheduler, WorkerCommand, WorkerSlot};
use super::{AnalysisPlan, StateFiles};
use shogibar_base::Latest;
use shogibar_base::threads::{self, Thread, lock};
use shogibar_engine::process::Program;
use shogibar_engine::session::{Session, SessionConfig};
use shogibar_kifu::Record;
use shogibar_machine::traffic::TrafficLog;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{fmt, io};

/// The interval at which the progress is updated without a wake-up.
const UPDATE_INTERVAL: Duration = Duration::from_secs(1);

/// An engine of an analysis, before it is started.
#[derive(Clone, Debug)]
pub struct AnalysisEngine {
    /// The user's name for the engine.
    pub name: String,
    /// Whether `name` is the name of a profile.
    pub is_profile: bool,
    /// The program to start.
    pub program: Program,
    /// The session settings, with a limit and with [`new_game_per_search`](SessionConfig::new_game_per_search).
    pub settings: SessionConfig,
    /// The log of the engine's USI traffic.
    pub log: TrafficLog,
}

/// The search of the positions of games by engines, on a thread. Dropping cancels the search and ends the engines.
pub struct Analysis {
    shared_progress: Arc<SharedProgress>,
    /// Wakes the thread.
    wake_up: SyncSender<()>,
    // The last field, because it is dropped last: dropping waits for the engines to end.
    _thread: Thread,
}

/// The state shared between the analysis thread and the owner of the analysis.
#[derive(Default)]
struct SharedProgress {
    is_paused: AtomicBool,
    is_cancelled: AtomicBool,
    is_closed: AtomicBool,
    /// The games that were added and are not in the scheduler yet.
    games: Mutex<Vec<AnalysisGame>>,
    findings: Mutex<Vec<Finding>>,
    /// The numbers of the games that are over and were not taken yet.
    ended_games: Mutex<Vec<usize>>,
    /// The number of positions that are not assigned to an engine yet.
    waiting_positions: AtomicUsize,
    progress: Latest<Progress>,
}

impl Analysis {
    /// Starts the engines and lets them search the positions of a plan, as [`start_queue`](Self::start_queue) does for
    /// several games.
    ///
    /// # Errors
    /// Fails if the system cannot create a thread.
    pub fn start(
        record: Arc<Record>,
        plan: AnalysisPlan,
        pass_settings: PassSettings,
        engines: Vec<AnalysisEngine>,
        state_files: StateFiles,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let analysis = Self::start_queue(engines, pass_settings.deepen, state_files, wake)?;
        analysis.add(AnalysisGame {
            number: 0,
            record,
            plan,
            pass_settings,
        });
        analysis.close();
        Ok(analysis)
    }

    /// Starts the engines for the games that will be [added](Self::add). `deepen` is the factor of the second pass. The
    /// findings of a game with a state file are stored there before the next search begins.
    /// `wake` is called on another thread when there are new [findings](Self::take_findings) or new progress.
    ///
    /// Does not block. The progress reports the failure of an engine. The bar cannot share the engines.
    ///
    /// # Errors
    /// Fails if the system cannot create a thread.
    pub fn start_queue(
        engines: Vec<AnalysisEngine>,
        deepen: u32,
        state_files: StateFiles,
        wake: impl Fn() + Send + 'static,
    ) -> io::Result<Self> {
        let (wake_up, wake_ups) = sync_channel(1);
        let scheduler = Scheduler::new(
            engines
                .iter()
                .map(|engine| WorkerSlot {
                    name: engine.name.clone(),
                    is_profile: engine.is_profile,
                    limit: engine.settings.limit,
                    multipv: engine.settings.multipv,
                })
                .collect(),
            deepen,
        );
        let sessions = engines.into_iter().map(|engine| {
            let wake_up = wake_up.clone();
            let recorder = engine.log.recorder(&engine.name);
            Session::start_recorded(engine.program, engine.settings, recorder, move || {
                notify(&wake_up);
            })
        });
        let sessions = sessions.collect::<io::Result<Vec<_>>>()?;
        let shared = Arc::<SharedProgress>::default();
        let runner = AnalysisThread {
            scheduler,
            sessions,
            state_files,
            shared_progress: Arc::clone(&shared),
            wake: Box::new(wake),
            last_published: None,
        };
        let thread = threads::spawn("analysis", move || runner.run(&wake_ups))?;
        Ok(Self {
            shared_progress: shared,
            wake_up,
            _thread: thread,
        })
    }

    /// Adds a game at the end of the queue. An engine without a position in an earlier game continues with this game.
    pub fn add(&self, game: AnalysisGame) {
        lock(&self.shared_progress.games).push(game);
        notify(&self.wake_up);
    }

    /// Returns the number of positions of the added games that are not assigned to an engine. When they are few, the
    /// next game should be added.
    pub fn waiting_position_count(&self) -> usize {
        let added: usize = lock(&self.shared_progress.games)
            .iter()
            .map(|game| game.plan.tasks.len())
            .sum();
        added + self.shared_progress.waiting_positions.load(Ordering::Relaxed)
    }

    /// Declares that no more games will be added. The analysis is finished when all games are over.
    pub fn close(&self) {
        self.shared_progress.is_closed.store(true, Ordering::Release);
        notify(&self.wake_up);
    }

    /// Pauses the engines. Interrupted positions are searched again after [`resume`](Self::resume).
    pub fn pause(&self) {
        self.shared_progress.is_paused.store(true, Ordering::Relaxed);
        notify(&self.wake_up);
    }

    /// Resumes the engines.
    pub fn resume(&self) {
        self.shared_progress.is_paused.store(false, Ordering::Relaxed);
        notify(&self.wake_up);
    }

    /// Cancels the analysis. The findings so far can still be taken.
    pub fn cancel(&self) {
        self.shared_progress.is_cancelled.store(true, Ordering::Relaxed);
        notify(&self.wake_up);
    }

    /// Removes and returns the findings since the last call.
    pub fn take_findings(&self) -> Vec<Finding> {
        std::mem::take(&mut lock(&self.shared_progress.findings))
    }

    /// Removes and returns the numbers of the games that are over since the last call. All findings of these games are
    /// available.
    pub fn take_ended_games(&self) -> Vec<usize> {
        std::mem::take(&mut lock(&self.shared_progress.ended_games))
    }

    /// Removes and returns the newest progress; `None` if the progress has not changed since the last call. When the
    /// stage [is over](super::AnalysisStage::is_over), all findings are available.
    pub fn take_progress(&self) -> Option<Progress> {
        self.shared_progress.progress.take()
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

/// Wakes the analysis thread. Does nothing if a wake-up is already pending or the thread has ended.
fn notify(wake_up: &SyncSender<()>) {
    let _already_pending = wake_up.try_send(());
}

struct AnalysisThread {
    scheduler: Scheduler,
    sessions: Vec<Session>,
    state_files: StateFiles,
    shared_progress: Arc<SharedProgress>,
    wake: Box<dyn Fn() + Send>,
    last_published: Option<Progress>,
}

impl AnalysisThread {
    fn run(mut self, wake_ups: &Receiver<()>) {
        #[expect(
            clippy::disallowed_methods,
            reason = "the clock of the analysis: time enters its core as an event"
        )]
        let started = Instant::now();
        while !self.scheduler.stage().is_over() {
            self.step(started.elapsed());
            if !self.scheduler.stage().is_over() {
                let _woken_or_timeout = wake_ups.recv_timeout(UPDATE_INTERVAL);
            }
        }
        // All engines quit at the same time: the sessions are dropped, and waited for, after this.
        self.sessions.iter().for_each(Session::quit);
    }

    /// Applies the requests of the owner and the snapshots of the engines to the scheduler.
    fn step(&mut self, now: Duration) {
        if self.shared_progress.is_cancelled.load(Ordering::Relaxed) {
            self.scheduler.cancel();
        }
        // The flag is read before the games. So no game can be added after the scheduler is closed.
        let is_closed = self.shared_progress.is_closed.load(Ordering::Acquire);
        for game in std::mem::take(&mut *lock(&self.shared_progress.games)) {
            let commands = self.scheduler.add(now, game);
            self.carry_out(commands);
        }
        if is_closed {
            self.scheduler.close();
        }
        let commands = self
            .scheduler
            .set_paused(now, self.shared_progress.is_paused.load(Ordering::Relaxed));
        self.carry_out(commands);
        let mut has_findings = false;
        for engine in 0..self.sessions.len() {
            let Some(snapshot) = self.sessions.get(engine).and_then(Session::snapshot) else {
                continue;
            };
            let commands = self.scheduler.on_snapshot(now, engine, &snapshot);
            has_findings |= self.store_findings();
            self.carry_out(commands);
        }
        has_findings |= self.store_findings();
        self.publish(now, has_findings);
    }

    /// Sets the targets of sessions as the scheduler commands.
    fn carry_out(&self, commands: Vec<WorkerCommand>) {
        for WorkerCommand { engine, target } in commands {
            if let Some(session) = self.sessions.get(engine) {
                session.set_target(target);
            }
        }
    }

    /// Stores the new findings, and hands them to the owner. Returns whether there are any.
    fn store_findings(&mut self) -> bool {
        let findings = self.scheduler.take_findings();
        if findings.is_empty() {
            return false;
        }
        self.state_files.store(&findings);
        lock(&self.shared_progress.findings).extend(findings);
        true
    }

    /// Publishes the progress, and wakes the owner, if anything has changed.
    fn publish(&mut self, now: Duration, has_findings: bool) {
        let ended = self.scheduler.take_ended_games();
        let progress = self.scheduler.progress(now);
        self.shared_progress
            .waiting_positions
            .store(self.scheduler.waiting_position_count(), Ordering::Relaxed);
        if !has_findings && ended.is_empty() && self.last_published.as_ref() == Some(&progress) {
            return;
        }
        lock(&self.shared_progress.ended_games).extend(ended);
        self.last_published = Some(progress.clone());
        self.shared_progress.progress.put(progress);
        (self.wake)();
    }
}
