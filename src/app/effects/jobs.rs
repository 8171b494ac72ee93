//! The pool that carries out the jobs of the model, and the thread of a kind of jobs.

use super::drill::{collect_mistakes, read_deck};
use shogibar_base::threads::{self, lock};
use shogibar_builtin::{Control, MateResult, solve};
use shogibar_engine::session::MateOutcome;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::reasons::ReasonFinder;
use shogibar_machine::store::Store;
use shogibar_model::ids::GameId;
use shogibar_model::jobs::{Job, JobKey, JobResult, ReasonRequest, ShelfScan, VideoRequest};
use shogibar_shelf::{Shelf, ShelfAnswer, ShelfCounts, ShelfError, ShelfQuery, ShelfUpdate, UpdateControl};
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The number of files after which the progress of a scan is reported.
const FILES_PER_PROGRESS: usize = 100;
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
    ScanShelf,
    AskShelf,
    Drill,
    Video,
}

impl From<JobKey> for JobKind {
    fn from(key: JobKey) -> Self {
        match key {
            JobKey::Facts(_) | JobKey::LastMove(..) | JobKey::Brinkmate(_) => Self::Facts,
            JobKey::Reasons => Self::Reasons,
            JobKey::Mate(_) => Self::Mate,
            JobKey::ScanShelf => Self::ScanShelf,
            JobKey::AskShelf => Self::AskShelf,
            JobKey::ReadDrillDeck | JobKey::CollectMistakes => Self::Drill,
            JobKey::MakeVideo => Self::Video,
        }
    }
}

/// The files that jobs read or write; `None` without a user's folder.
#[derive(Clone)]
struct JobFiles {
    /// The index of the shelf.
    shelf: Option<PathBuf>,
    /// The deck of mistakes.
    drill: Option<PathBuf>,
}

/// The threads that carry out jobs. Each is started with its first job. Dropping the pool ends the jobs, and waits for
/// that at most half a second: a scan then stores what it has read.
#[expect(
    missing_debug_implementations,
    reason = "it holds a callback, which has no Debug"
)]
pub struct JobPool {
    threads: BTreeMap<JobKind, JobThread>,
    files: JobFiles,
    listener: ResultListener,
}

impl JobPool {
    /// Creates a pool. The store, where there is one, has the files of the jobs. `listener` receives the results.
    pub fn new(store: Option<&Store>, listener: ResultListener) -> Self {
        Self {
            threads: BTreeMap::new(),
            files: JobFiles {
                shelf: store.map(Store::window_shelf_file),
                drill: store.map(Store::mistakes_file),
            },
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
            && let Some(thread) = JobThread::start(kind, self.files.clone(), Arc::clone(&self.listener))
        {
            self.threads.insert(kind, thread);
        }
        let Some(thread) = self.threads.get(&kind) else {
            return Err(job);
        };
        thread.run(job);
        Ok(())
    }

    /// Ends the job of a key, if there is one.
    pub fn cancel(&self, key: JobKey) {
        if let Some(thread) = self.threads.get(&key.into()) {
            lock(&thread.shared_jobs).remove(|other| other == key);
        }
    }
}

/// A thread that carries out the jobs of a kind, that with the least key first.
struct JobThread {
    shared_jobs: Arc<Mutex<SharedJobs>>,
    /// Wakes the thread to read `shared_jobs`. Dropped before `_thread`, which ends when this channel closes.
    signal: SyncSender<()>,
    _thread: threads::Thread,
}

/// The waiting jobs, and the control that stops the running one.
#[derive(Default)]
struct SharedJobs {
    /// The jobs, each with the time at which it begins.
    queue: BTreeMap<JobKey, (Instant, Job)>,
    /// The job that runs or has run last, with its control; `None` before the first.
    running_job: Option<(JobKey, Arc<Control>)>,
}

impl JobThread {
    /// Starts the thread. `None` where the system has no thread.
    fn start(kind: JobKind, files: JobFiles, listener: ResultListener) -> Option<Self> {
        let shared_jobs = Arc::<Mutex<SharedJobs>>::default();
        // One signal stands for all waiting jobs.
        let (signal, signals) = sync_channel(1);
        let jobs = Arc::clone(&shared_jobs);
        let body = move || {
            // The user waits for a mate.
            if kind != JobKind::Mate {
                threads::lower_priority();
            }
            let worker = Worker {
                files,
                opened_shelf: None,
                reason_finder: None,
            };
            run(&jobs, &signals, worker, &listener);
        };
        Some(Self {
            _thread: threads::spawn("jobs", body).ok()?,
            shared_jobs,
            signal,
        })
    }

    fn run(&self, job: Job) {
        let key = job.key();
        let mut shared = lock(&self.shared_jobs);
        shared.remove(|other| other.is_replaced_by(key));
        shared.queue.insert(key, (now() + job.pause(), job));
        drop(shared);
        // A full channel has a signal already.
        let _signalled = self.signal.try_send(());
    }
}

impl Drop for JobPool {
    fn drop(&mut self) {
        let ending = std::mem::take(&mut self.threads);
        for thread in ending.values() {
            lock(&thread.shared_jobs).remove(|_| true);
        }
        threads::finish_soon("jobs end", move || drop(ending));
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

    /// Removes the next job from the queue, if its time has come.
    fn next(&mut self, now: Instant) -> NextJob {
        let Some(key) = self
            .queue
            .iter()
            .find(|(_, (time, _))| *time <= now)
            .map(|(key, _)| *key)
        else {
            let times = self.queue.values().map(|(time, _)| *time);
            return NextJob::After(times.min().map(|time| time.saturating_duration_since(now)));
        };
        let control = Arc::new(Control::default());
        self.running_job = Some((key, Arc::clone(&control)));
        match self.queue.remove(&key) {
            Some((_, job)) => NextJob::Now(job, control),
            None => NextJob::After(None),
        }
    }
}

enum NextJob {
    /// A job, and the control that stops it.
    Now(Job, Arc<Control>),
    /// The time until the next job; `None` if the queue is empty.
    After(Option<Duration>),
}

/// Carries out the waiting jobs, until the channel closes.
fn run(shared: &Mutex<SharedJobs>, signals: &Receiver<()>, mut worker: Worker, listener: &ResultListener) {
    loop {
        let next = lock(shared).next(now());
        let signal = match next {
            NextJob::Now(job, control) => {
                worker.run(job, &control, &|result| {
                    // A job that was stopped may have an incomplete result.
                    if !control.is_stopped() {
                        listener(result);
                    }
                });
                continue;
            }
            NextJob::After(Some(pause)) => signals.recv_timeout(pause),
            NextJob::After(None) => signals.recv().map_err(Into::into),
        };
        if signal == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

/// The state of a thread between its jobs.
struct Worker {
    files: JobFiles,
    /// The opened index of the shelf, with its version.
    opened_shelf: Option<(Shelf, u64)>,
    /// Created for the first reasons, as it has a large table.
    reason_finder: Option<ReasonFinder>,
}

impl Worker {
    fn run(&mut self, job: Job, control: &Control, report: &dyn Fn(JobResult)) {
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
            Job::ScanShelf(scan) => self.scan_shelf(&scan, control, report),
            Job::AskShelf(query, version) => {
                let answer = self.ask_shelf(&query, version);
                report(JobResult::ShelfAnswer(query, version, answer));
            }
            Job::ReadDrillDeck => {
                let (deck, problem) = read_deck(self.files.drill.as_deref());
                report(JobResult::DrillDeck(Box::new(deck), problem));
            }
            Job::CollectMistakes(search) => collect_mistakes(&search, control, report),
            Job::MakeVideo(request) => make_video(*request, control, report),
        }
    }

    /// Updates the index of the shelf. A damaged index is built again.
    fn scan_shelf(&self, scan: &ShelfScan, control: &Control, report: &dyn Fn(JobResult)) {
        let begun = now();
        let Some(file) = &self.files.shelf else {
            return report(JobResult::ShelfScanned(
                scan.number,
                Ok(Default::default()),
                Duration::ZERO,
            ));
        };
        let update = if scan.is_damaged {
            Shelf::replace_damaged
        } else {
            Shelf::update
        };
        let mut update_control = UpdateControl {
            is_cancelled: control.stop_flag(),
            progress: &mut |read, count| {
                if read.is_multiple_of(FILES_PER_PROGRESS) {
                    report(JobResult::ShelfProgress(scan.number, [read, count]));
                }
            },
            // The other processor cores are for the engines.
            threads: 1,
        };
        let folders: Vec<_> = scan.folders.iter().map(PathBuf::from).collect();
        let updated = if folders.is_empty() && !file.exists() {
            Ok((ShelfCounts::default(), ShelfUpdate::default()))
        } else {
            let made = file.parent().map_or(Ok(()), shogibar_files::make_folder);
            made.map_err(ShelfError::from)
                .and_then(|()| update(file, &folders, &mut update_control))
                .map(|(shelf, update)| (shelf.counts(), update))
        };
        report(JobResult::ShelfScanned(scan.number, updated, now() - begun));
    }

    /// Answers a query from the index of the shelf, which is opened again for another version.
    fn ask_shelf(&mut self, query: &ShelfQuery, version: u64) -> Result<ShelfAnswer, ShelfError> {
        let opened = match self.opened_shelf.take().filter(|(_, of)| *of == version) {
            Some(opened) => opened,
            None => (
                Shelf::open(self.files.shelf.as_deref().unwrap_or_else(|| Path::new("")))?,
                version,
            ),
        };
        self.opened_shelf.insert(opened).0.ask(query)
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

/// Writes a game as a video.
#[cfg(feature = "gui")]
fn make_video(request: VideoRequest, control: &Control, report: &dyn Fn(JobResult)) {
    use shogibar_ui::overlay::OverlayStyle;
    use std::ops::ControlFlow;
    let VideoRequest {
        number,
        record,
        path,
        pace,
        credit,
        is_hidden,
        scales,
        lang,
    } = request;
    let options = shogibar_video::VideoOptions {
        pace,
        credit,
        is_hidden,
        scales,
        style: OverlayStyle::new(shogibar_ui::theme::ink(), lang),
    };
    let mut reported = None;
    let mut progress = |drawn| {
        // It is called for each picture.
        if reported.replace(drawn) != Some(drawn) {
            report(JobResult::VideoProgress(number, drawn));
        }
        if control.is_stopped() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let ffmpeg = shogibar_video::find_ffmpeg();
    let made = shogibar_video::GameVideo::new(record, &options, control)
        .and_then(|video| shogibar_video::save(&video, &path, ffmpeg.as_deref(), &mut progress))
        .map(|saved| (saved.path, saved.lacks_ffmpeg))
        .map_err(|error| error.cause());
    report(JobResult::VideoMade(number, made));
}

/// A program without windows has no painter.
#[cfg(not(feature = "gui"))]
fn make_video(_request: VideoRequest, _control: &Control, _report: &dyn Fn(JobResult)) {}

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

#[expect(clippy::disallowed_methods, reason = "the durations and the pauses of jobs")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_folder::TestFolder;
    use shogibar_shelf::ShelfKey;
    use shogibar_shogi::{Move, Position};

    fn pool() -> (JobPool, Receiver<JobResult>) {
        let (sender, results) = sync_channel(16);
        let listener = move |result| sender.send(result).unwrap();
        (JobPool::new(None, Arc::new(listener)), results)
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

    #[test]
    fn folders_are_scanned_and_queries_answered() {
        const GAME: &str =
            "先手：山田\n後手：鈴木\n手数----指手---------消費時間--\n1 ７六歩(77)\n2 ３四歩(33)\n3 投了\n";
        let folder = TestFolder::new();
        folder.write("games/a.kifu", GAME);
        folder.write("games/b.kifu", "nothing");
        let index = folder.0.join("data/shelf.index");
        let (mut pool, results) = pool();
        pool.files.shelf = Some(index.clone());
        let scan = |pool: &mut JobPool, is_damaged| {
            pool.run(Job::ScanShelf(Box::new(ShelfScan {
                number: 1,
                folders: vec![folder.0.join("games").display().to_string()],
                pause: Duration::from_millis(1),
                is_damaged,
            })))
            .unwrap();
            match results.recv().unwrap() {
                JobResult::ShelfScanned(1, Ok((counts, update)), _) => {
                    (counts.games, update.unreadable_count)
                }
                other => panic!("{other:?}"),
            }
        };
        let ask = |pool: &mut JobPool, version| {
            let query = ShelfQuery::new(ShelfKey::from_position(&Position::startpos()), 10);
            pool.run(Job::AskShelf(Box::new(query), version)).unwrap();
            match results.recv().unwrap() {
                JobResult::ShelfAnswer(_, _, answer) => answer,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(scan(&mut pool, false), (1, 1), "a file without a record");
        assert_eq!(ask(&mut pool, 1).unwrap().moves[0].mv, Move::from_usi("7g7f"));
        folder.write("games/c.kifu", GAME);
        assert_eq!(scan(&mut pool, false), (2, 1));
        assert_eq!(ask(&mut pool, 2).unwrap().count, 2);
        // A query finds the damage, and reading again repairs it.
        let mut bytes = shogibar_files::read(&index, 1 << 20).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        shogibar_files::write_whole(&index, &bytes).unwrap();
        assert!(matches!(ask(&mut pool, 3), Err(ShelfError::Damaged(_))));
        assert_eq!(scan(&mut pool, true), (2, 1));
        assert_eq!(ask(&mut pool, 4).unwrap().count, 2);
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
        pool.cancel(JobKey::Mate(GameId(1)));
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
