//! The analysis of a folder, in the background.

use crate::app::effects::analysis::SharedEngineFactory;
use shogibar_base::Lang;
use shogibar_base::threads::{self, Thread, lock};
use shogibar_games::analysis::AnalysisEngine;
use shogibar_games::folder::{self, FolderControl, FolderEvent, FolderStage, FolderTask, FolderWakes};
use shogibar_games::folder_text as text;
use shogibar_model::folder_analysis::{FolderAnalysisEvent, FolderAnalysisJob, FolderEffect};
use shogibar_model::record_file::WakeFn;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The minimum time between two wakes for the progress alone.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(200);

/// A path that was dropped on a window, with its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DroppedPath {
    /// A folder of records.
    Folder(PathBuf),
    /// A file, or a path of unknown kind.
    File(PathBuf),
}

/// Runs the analysis of a folder. Non-blocking: called from the UI thread. Dropping it ends the analysis.
pub struct FolderThread {
    factory: SharedEngineFactory,
    wake: WakeFn,
    events: Arc<Mutex<Vec<FolderAnalysisEvent>>>,
    dropped_paths: Arc<Mutex<Vec<DroppedPath>>>,
    /// The analysis that was started last, which may have ended.
    last_run: Option<(FolderControl, Thread)>,
}

impl FolderThread {
    /// Creates the thread without an analysis. `wake` is called when there is an event to poll, usually from
    /// another thread.
    pub fn new(factory: SharedEngineFactory, wake: WakeFn) -> Self {
        Self {
            factory,
            wake,
            events: Arc::default(),
            dropped_paths: Arc::default(),
            last_run: None,
        }
    }

    /// Carries out an effect of the folder analysis.
    pub fn run(&mut self, effect: FolderEffect) {
        match effect {
            FolderEffect::Start(job) => self.start(*job),
            FolderEffect::Pause(is_paused) => {
                if let Some((control, _)) = &self.last_run {
                    control.set_paused(is_paused);
                }
            }
            FolderEffect::Cancel => {
                if let Some((control, _)) = &self.last_run {
                    control.cancel();
                }
            }
        }
    }

    /// Removes and returns the events since the last call.
    pub fn poll(&self) -> Vec<FolderAnalysisEvent> {
        std::mem::take(&mut lock(&self.events))
    }

    /// Finds out whether a path is a folder, on another thread. [`take_dropped`](Self::take_dropped) has the answer.
    pub fn inspect(&self, path: PathBuf) {
        let (dropped, wake) = (Arc::clone(&self.dropped_paths), Arc::clone(&self.wake));
        let inspect = move || {
            let found = if path.is_dir() {
                DroppedPath::Folder(path)
            } else {
                DroppedPath::File(path)
            };
            lock(&dropped).push(found);
            wake();
        };
        if let Ok(thread) = threads::spawn("dropped", inspect) {
            thread.detach();
        }
    }

    /// Removes and returns the dropped paths whose kind was found out since the last call.
    pub fn take_dropped(&self) -> Vec<DroppedPath> {
        std::mem::take(&mut lock(&self.dropped_paths))
    }

    fn start(&mut self, job: FolderAnalysisJob) {
        let lang = job.lang;
        let (control, wakes) = FolderControl::new();
        let (factory, events, wake) = (
            Arc::clone(&self.factory),
            Arc::clone(&self.events),
            Arc::clone(&self.wake),
        );
        let folder_control = control.clone();
        let work = move || {
            let mut outbox = EventOutbox {
                events,
                wake,
                reported_at: None,
            };
            let ended = analyze(&job, &factory, &folder_control, &wakes, &mut outbox);
            outbox.put(FolderAnalysisEvent::Ended(ended));
        };
        match threads::spawn("folder", work) {
            // The thread of a former analysis has ended.
            Ok(thread) => self.last_run = Some((control, thread)),
            Err(error) => self.report_not_started(&error, lang),
        }
    }

    fn report_not_started(&self, error: &io::Error, lang: Lang) {
        let why = shogibar_base::file_error_text::io_error(error, lang);
        lock(&self.events).push(FolderAnalysisEvent::Ended(Err(why)));
        (self.wake)();
    }
}

impl Drop for FolderThread {
    fn drop(&mut self) {
        if let Some((control, _thread)) = &self.last_run {
            control.cancel();
        }
    }
}

impl std::fmt::Debug for FolderThread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FolderThread")
            .field("is_running", &self.last_run.is_some())
            .finish_non_exhaustive()
    }
}

/// The events for the window, and the function that wakes it.
struct EventOutbox {
    events: Arc<Mutex<Vec<FolderAnalysisEvent>>>,
    wake: WakeFn,
    /// The time of the last progress report.
    reported_at: Option<Instant>,
}

impl EventOutbox {
    /// Queues an event. A progress replaces a progress that waits before it.
    fn put(&mut self, event: FolderAnalysisEvent) {
        let is_progress = matches!(event, FolderAnalysisEvent::Progress(_));
        let mut waiting = lock(&self.events);
        waiting.pop_if(|last| is_progress && matches!(last, FolderAnalysisEvent::Progress(_)));
        waiting.push(event);
        drop(waiting);
        #[expect(clippy::disallowed_methods, reason = "the clock for the pace of repaints")]
        let now = Instant::now();
        let is_early = self
            .reported_at
            .is_some_and(|reported_at| now.saturating_duration_since(reported_at) < PROGRESS_INTERVAL);
        if !is_progress || !is_early {
            self.reported_at = Some(now);
            (self.wake)();
        }
    }
}

/// Analyses a folder. Returns its outcome, or a sentence about the failure.
fn analyze(
    job: &FolderAnalysisJob,
    factory: &SharedEngineFactory,
    control: &FolderControl,
    wakes: &FolderWakes,
    outbox: &mut EventOutbox,
) -> Result<FolderStage, String> {
    let FolderAnalysisJob {
        input,
        output,
        options,
        scales,
        lang,
    } = job;
    let scan = folder::scan(input, output, options.scope, *lang).map_err(|error| error.0)?;
    for problem in &scan.problems {
        outbox.put(FolderAnalysisEvent::Problem(problem.clone()));
    }
    if scan.games.is_empty() {
        return Err(text::no_game(&input.display().to_string(), *lang));
    }
    let positions = scan.games.iter().map(|game| game.positions).sum();
    let engines: Vec<AnalysisEngine> =
        lock(factory)(options, positions).map_err(|error| format!("{error:#}"))?;
    let task = FolderTask {
        output: output.clone(),
        options: options.clone(),
        judge: None,
        scales: scales.clone(),
        lang: *lang,
        render: shogibar_ui::report::html,
        reports_json: false,
    };
    let mut observe = |event: FolderEvent<'_>| {
        outbox.put(match event {
            FolderEvent::Progress(progress, _) => FolderAnalysisEvent::Progress(progress),
            FolderEvent::Game(row, _) => FolderAnalysisEvent::Game(Box::new(row.clone())),
            FolderEvent::Problem(why) => FolderAnalysisEvent::Problem(why.to_owned()),
        });
    };
    let summary = folder::run(&task, scan, engines, control, wakes, &mut observe).map_err(|error| error.0)?;
    if summary.stage == FolderStage::Failed {
        return Err(engine_problems(&summary.progress, *lang));
    }
    Ok(summary.stage)
}

fn engine_problems(progress: &shogibar_games::analysis::Progress, lang: Lang) -> String {
    let problems = progress.engines.iter().filter_map(|engine| {
        let problem = shogibar_games::bar::problem_notice(&engine.state, engine.overdue_seconds, lang)?;
        Some(format!("{}: {}", engine.name, problem.text))
    });
    problems.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::effects::analysis::EngineFactory;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn an_analysis_without_a_thread_wakes_the_window() {
        let wakes = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&wakes);
        let wake = Arc::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        });
        let factory: EngineFactory = Box::new(|_, _| Ok(Vec::new()));
        let thread = FolderThread::new(Arc::new(Mutex::new(factory)), wake);
        thread.report_not_started(&io::Error::from(io::ErrorKind::WouldBlock), Lang::En);
        assert!(matches!(thread.poll()[..], [FolderAnalysisEvent::Ended(Err(_))]));
        assert_eq!(wakes.load(Ordering::Relaxed), 1);
    }
}
