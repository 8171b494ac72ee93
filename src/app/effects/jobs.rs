//! The pool that carries out the jobs of the model, and the thread of a kind of jobs.

use shogibar_base::threads::{self, lock};
use shogibar_builtin::{Control, MateResult, solve};
use shogibar_engine::session::MateOutcome;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::reasons::ReasonFinder;
use shogibar_model::ids::GameId;
use shogibar_model::jobs::{Job, JobKey, JobResult, ReasonRequest};
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The maximum duration of the search for a mate, in milliseconds.
const MAX_MATE_SEARCH_MS: u64 = 60_000;

/// The function that receives the results of jobs, on any thread.
pub type ResultListener = Arc<dyn Fn(JobResult) + Send + Sync>;

/// The kinds of jobs. Each has a thread of its own, so that no job waits for a long one of another kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JobKind {
    Facts,
    Reasons,
    Mate,
}

impl From<JobKey> for JobKind {
    fn from(key: JobKey) -> Self {
        match key {
            JobKey::Facts(_) | JobKey::LastMove(..) | JobKey::Brinkmate(_) => Self::Facts,
            JobKey::Reasons => Self::Reasons,
            JobKey::Mate => Self::Mate,
        }
    }
}

/// The threads that carry out jobs. Each is started with its first job. Dropping the pool ends the jobs.
#[expect(
    missing_debug_implementations,
    reason = "it holds a callback, which has no Debug"
)]
pub struct JobPool {
    threads: BTreeMap<JobKind, JobThread>,
    listener: ResultListener,
}

impl JobPool {
    /// Creates a pool. `listener` receives the results.
    pub fn new(listener: ResultListener) -> Self {
        Self {
            threads: BTreeMap::new(),
            listener,
        }
    }

    /// Starts a job, in place of those that it replaces.
    ///
    /// # Errors
    /// Returns the job if the system has no thread.
    pub fn run(&mut self, job: Job) -> Result<(), Job> {
        let kind = job.key().into();
        if !self.threads.contains_key(&kind)
            && let Some(thread) = JobThread::start(kind, Arc::clone(&self.listener))
        {
            self.threads.insert(kind, thread);
        }
        match self.threads.get(&kind) {
            Some(thread) => Ok(thread.run(job)),
            None => Err(job),
        }
    }

    /// Ends the job of a key, if there is one.
    pub fn cancel(&self, key: JobKey) {
        if let Some(thread) = self.threads.get(&key.into()) {
            lock(&thread.shared_jobs).remove(|other| other == key);
        }
    }
}

/// A thread that carries out the jobs of a kind, that with the least key first. Dropping it ends the job that runs.
struct JobThread {
    shared_jobs: Arc<Mutex<SharedJobs>>,
    /// Wakes the thread to read `shared_jobs`.
    signal: SyncSender<()>,
}

/// The waiting jobs, and the control that stops the running one.
#[derive(Default)]
struct SharedJobs {
    queue: BTreeMap<JobKey, Job>,
    /// The job that runs or has run last, with its control; `None` before the first.
    running_job: Option<(JobKey, Arc<Control>)>,
}

impl JobThread {
    /// Starts the thread. `None` where the system has no thread.
    fn start(kind: JobKind, listener: ResultListener) -> Option<Self> {
        let shared_jobs = Arc::<Mutex<SharedJobs>>::default();
        // One signal stands for all waiting jobs.
        let (signal, signals) = sync_channel(1);
        let jobs = Arc::clone(&shared_jobs);
        let body = move || {
            // The user waits for a mate.
            if kind != JobKind::Mate {
                threads::lower_priority();
            }
            run(&jobs, &signals, &listener);
        };
        threads::spawn("jobs", body).ok()?.detach();
        Some(Self { shared_jobs, signal })
    }

    fn run(&self, job: Job) {
        let key = job.key();
        let mut shared = lock(&self.shared_jobs);
        shared.remove(|other| other.is_replaced_by(key));
        shared.queue.insert(key, job);
        drop(shared);
        // A full channel has a signal already.
        let _signalled = self.signal.try_send(());
    }
}

impl Drop for JobThread {
    fn drop(&mut self) {
        lock(&self.shared_jobs).remove(|_| true);
    }
}

impl SharedJobs {
    /// Removes the waiting jobs of some keys, and stops the running job if it has such a key.
    fn remove(&mut self, is_removed: impl Fn(JobKey) -> bool) {
        self.queue.retain(|key, _| !is_removed(*key));
        if let Some((key, control)) = &self.running_job
            && is_removed(*key)
        {
            control.stop();
        }
    }

    /// Removes the next job from the queue. Returns it with the control that stops it; `None` if the queue is empty.
    fn next(&mut self) -> Option<(Job, Arc<Control>)> {
        let (key, job) = self.queue.pop_first()?;
        let control = Arc::new(Control::default());
        self.running_job = Some((key, Arc::clone(&control)));
        Some((job, control))
    }
}

/// Carries out the waiting jobs after each signal, until the channel closes.
fn run(shared: &Mutex<SharedJobs>, signals: &Receiver<()>, listener: &ResultListener) {
    let mut worker = Worker::default();
    while signals.recv().is_ok() {
        loop {
            let next = lock(shared).next();
            let Some((job, control)) = next else { break };
            worker.work(job, &control, &|result| {
                // A job that was stopped may have an incomplete result.
                if !control.is_stopped() {
                    listener(result);
                }
            });
        }
    }
}

/// The state of a thread between its jobs.
#[derive(Default)]
struct Worker {
    /// Created for the first reasons, as it has a large table.
    reason_finder: Option<ReasonFinder>,
}

impl Worker {
    fn work(&mut self, job: Job, control: &Control, report: &dyn Fn(JobResult)) {
        match job {
            Job::Facts(game, history) => {
                let facts = PositionFacts::find(history, control);
                report(JobResult::Facts(game, Box::new(facts)));
            }
            Job::LastMove(_, bar, shown) => {
                let facts = Box::new(shown.proved_facts(control));
                report(JobResult::LastMove(bar, shown, facts));
            }
            Job::Brinkmate(game, mut facts) => {
                facts.find_brinkmate(control);
                report(JobResult::Brinkmate(game, facts));
            }
            Job::Reasons(game, request) => self.find_reasons(game, *request, control, report),
            Job::Mate(game, history) => {
                let outcome = solve_mate(&history, control);
                report(JobResult::Mate(game, history, outcome));
            }
        }
    }

    fn find_reasons(
        &mut self,
        game: GameId,
        request: ReasonRequest,
        control: &Control,
        report: &dyn Fn(JobResult),
    ) {
        let finder = self.reason_finder.get_or_insert_default();
        let ReasonRequest {
            first_revision,
            record,
            review,
            nodes,
        } = request;
        for node in nodes {
            let reason = finder.find(&record, &review, node, control).map(Box::new);
            if control.is_stopped() {
                return;
            }
            report(JobResult::Reason {
                game,
                first_revision,
                node,
                reason,
            });
        }
    }
}

/// Searches for a mate with the built-in search.
fn solve_mate(history: &History, control: &Control) -> MateOutcome {
    control.set_deadline(MAX_MATE_SEARCH_MS);
    let begun = now();
    let clock = || u64::try_from(now().saturating_duration_since(begun).as_millis()).unwrap_or(u64::MAX);
    match solve(history, control, &clock) {
        Ok(MateResult::Mate { moves, .. }) => MateOutcome::Mate(moves),
        Ok(MateResult::None) => MateOutcome::NoMate,
        Ok(MateResult::Unknown) | Err(_) => MateOutcome::Timeout,
    }
}

#[expect(clippy::disallowed_methods, reason = "the duration of a search")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool() -> (JobPool, Receiver<JobResult>) {
        let (sender, results) = sync_channel(16);
        let listener = move |result| sender.send(result).unwrap();
        (JobPool::new(Arc::new(listener)), results)
    }

    fn position(usi: &str) -> Arc<History> {
        Arc::new(History::from_usi(usi).unwrap())
    }

    #[test]
    fn facts_of_several_games_are_found() {
        let (mut pool, results) = pool();
        let threatened = position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
        for (game, history) in [(1, position("startpos")), (2, Arc::clone(&threatened))] {
            pool.run(Job::Facts(GameId(game), history)).unwrap();
        }
        let mut found = BTreeMap::new();
        while found.len() < 2 {
            if let JobResult::Facts(game, facts) = results.recv().unwrap() {
                found.insert(game, facts);
            }
        }
        assert_eq!(found[&GameId(2)].history, threatened);
        assert!(found[&GameId(2)].has_threat_of_mate());
        assert!(found[&GameId(1)].list.is_empty());
    }

    fn outcome(pool: &mut JobPool, results: &Receiver<JobResult>, usi: &str) -> MateOutcome {
        pool.run(Job::Mate(GameId(1), position(usi))).unwrap();
        match results.recv().unwrap() {
            JobResult::Mate(_, _, outcome) => outcome,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_mate_is_found_or_disproved_and_a_cancelled_search_has_no_result() {
        let (mut pool, results) = pool();
        let long = position("startpos moves 7g7f 3c3d 8h2b+ 3a2b B*5e");
        pool.run(Job::Mate(GameId(1), long)).unwrap();
        pool.cancel(JobKey::Mate);
        let mate = outcome(
            &mut pool,
            &results,
            "sfen 4k4/9/4P4/9/9/9/9/9/9 b G2r2b3g4s4n4l17p 1",
        );
        assert!(
            matches!(&mate, MateOutcome::Mate(moves) if moves.len() == 1),
            "{mate:?}"
        );
        assert_eq!(outcome(&mut pool, &results, "startpos"), MateOutcome::NoMate);
    }
}
