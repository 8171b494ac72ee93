//! Analyses of whole games, in the background.

use shogibar_base::threads::{self, lock};
use shogibar_games::analysis::{
    self, Analysis, AnalysisEngine, AnalysisOptions, EngineScales, GameReview, PassSettings, StateFiles,
};
use shogibar_games::{EngineMessage, RecordRemark};
use shogibar_kifu::Record;
use shogibar_model::Message;
use shogibar_model::game_analysis::{AddedLines, AnalysisEffect, AnalysisEvent};
use shogibar_model::record_file::WakeFn;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};

/// A function that creates the engines for an analysis of the given number of positions.
pub type EngineFactory = Box<dyn Fn(&AnalysisOptions, usize) -> anyhow::Result<Vec<AnalysisEngine>> + Send>;

/// The factory, shared with the threads that look for engines.
pub type SharedEngineFactory = Arc<Mutex<EngineFactory>>;

/// Runs one analysis. Non-blocking: called from the UI thread.
pub struct AnalysisThreads {
    factory: SharedEngineFactory,
    wake: WakeFn,
    current_work: AnalysisWork,
}

/// The step of an analysis that is in progress.
enum AnalysisWork {
    /// No analysis is in progress.
    Idle,
    /// The search for the positions and the engines.
    Start(BackgroundTask<Result<Analysis, Box<Message>>>),
    /// The engines' search of the positions.
    Search(Analysis),
    /// The search for better variations, which needs no engine.
    FindLines(BackgroundTask<AddedLines>),
}

impl AnalysisThreads {
    /// Creates the threads without an analysis. `wake` is called from another thread when there are events to poll.
    pub fn new(factory: EngineFactory, wake: WakeFn) -> Self {
        Self {
            factory: Arc::new(Mutex::new(factory)),
            wake,
            current_work: AnalysisWork::Idle,
        }
    }

    /// Returns the factory of the analysis engines.
    pub fn factory(&self) -> SharedEngineFactory {
        Arc::clone(&self.factory)
    }

    /// Carries out an effect. Returns an event only if the effect has one at once.
    pub fn run(&mut self, effect: AnalysisEffect) -> Option<AnalysisEvent> {
        match effect {
            AnalysisEffect::Start(record, options) => {
                let (factory, wake, wanted) =
                    (Arc::clone(&self.factory), Arc::clone(&self.wake), options.clone());
                let start = move || start(record, &wanted, &factory, wake);
                match BackgroundTask::start("analysis-start", start, Arc::clone(&self.wake)) {
                    Ok(task) => self.replace(AnalysisWork::Start(task)),
                    Err(why) => {
                        return Some(AnalysisEvent::Started(Err(Box::new(not_started_message(
                            &options,
                            &why.into(),
                        )))));
                    }
                }
            }
            AnalysisEffect::Pause => {
                if let AnalysisWork::Search(analysis) = &self.current_work {
                    analysis.pause();
                }
            }
            AnalysisEffect::Resume => {
                if let AnalysisWork::Search(analysis) = &self.current_work {
                    analysis.resume();
                }
            }
            AnalysisEffect::FindLines(record, scales) => {
                let find = move || better_lines(&record, &scales);
                match BackgroundTask::start("lines", find, Arc::clone(&self.wake)) {
                    Ok(task) => self.replace(AnalysisWork::FindLines(task)),
                    Err(_) => return Some(AnalysisEvent::Lines(Vec::new())),
                }
            }
            AnalysisEffect::End => {
                let findings = if let AnalysisWork::Search(analysis) = &self.current_work {
                    analysis.take_findings()
                } else {
                    Vec::new()
                };
                self.replace(AnalysisWork::Idle);
                return Some(AnalysisEvent::Ended(findings));
            }
            AnalysisEffect::Drop => self.replace(AnalysisWork::Idle),
        }
        None
    }

    /// Returns the next event, if any.
    pub fn poll(&mut self) -> Option<AnalysisEvent> {
        match &self.current_work {
            AnalysisWork::Idle => None,
            AnalysisWork::Start(task) => match task.result() {
                Err(TryRecvError::Empty) => None,
                Ok(Ok(analysis)) => {
                    self.replace(AnalysisWork::Search(analysis));
                    Some(AnalysisEvent::Started(Ok(())))
                }
                failed => {
                    self.replace(AnalysisWork::Idle);
                    let why = failed.ok().and_then(Result::err);
                    Some(AnalysisEvent::Started(Err(
                        why.unwrap_or_else(|| Box::new(RecordRemark::AnalysisFailed.into()))
                    )))
                }
            },
            AnalysisWork::Search(analysis) => {
                let progress = analysis.take_progress();
                // Read after the progress: once the progress reports the end, all findings are there.
                let findings = analysis.take_findings();
                if progress.as_ref().is_some_and(|progress| progress.stage.is_over()) {
                    self.replace(AnalysisWork::Idle);
                }
                (progress.is_some() || !findings.is_empty())
                    .then_some(AnalysisEvent::Findings(progress, findings))
            }
            AnalysisWork::FindLines(task) => match task.result() {
                Err(TryRecvError::Empty) => None,
                lines => {
                    self.replace(AnalysisWork::Idle);
                    Some(AnalysisEvent::Lines(lines.unwrap_or_default()))
                }
            },
        }
    }

    /// Replaces the step in progress. The engines of a search are dropped on another thread.
    fn replace(&mut self, work: AnalysisWork) {
        if let AnalysisWork::Search(analysis) = std::mem::replace(&mut self.current_work, work) {
            // The engines may take time to exit, so they are dropped on another thread.
            threads::drop_in_background(analysis);
        }
    }
}

/// Prepares and starts an analysis. Slow, as every comment is read and programs are searched for. Fails with a message
/// if there is nothing to analyse, or an engine cannot be started.
fn start(
    record: Arc<Record>,
    options: &AnalysisOptions,
    factory: &Mutex<EngineFactory>,
    wake: WakeFn,
) -> Result<Analysis, Box<Message>> {
    let plan = analysis::plan(&record, options.scope);
    if plan.tasks.is_empty() {
        let is_problem = plan.is_mating_problem(&record);
        let remark = if is_problem {
            RecordRemark::IsMatingProblem
        } else {
            RecordRemark::NothingToAnalyse
        };
        return Err(Box::new(remark.into()));
    }
    let engines = lock(factory)(options, plan.tasks.len())
        .map_err(|error| Box::new(not_started_message(options, &error)))?;
    let pass_settings = PassSettings {
        repeats_searches: options.repeats_searches,
        deepen: options.deepen,
        ..PassSettings::default()
    };
    let analysis = Analysis::start(
        record,
        plan,
        pass_settings,
        engines,
        StateFiles::default(),
        move || wake(),
    );
    analysis.map_err(|error| Box::new(not_started_message(options, &error.into())))
}

fn not_started_message(options: &AnalysisOptions, why: &anyhow::Error) -> Message {
    EngineMessage::NotStarted(options.engines.join(" "), format!("{why:#}").into()).into()
}

/// Returns the judge's better variations for every played move that has a mark.
fn better_lines(record: &Record, scales: &EngineScales) -> AddedLines {
    GameReview::new(record, |_| None, |evaluation| scales.model(evaluation)).better_lines(record)
}

/// A task on its own thread, and the channel for its result.
struct BackgroundTask<T>(Receiver<T>);

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts a task. `wake` is called when the task is done. The result is dropped if nothing waits for it.
    fn start(name: &str, work: impl FnOnce() -> T + Send + 'static, wake: WakeFn) -> std::io::Result<Self> {
        let (sender, result) = sync_channel(1);
        let thread = threads::spawn(name, move || {
            let _receiver_is_gone = sender.send(work());
            wake();
        })?;
        thread.detach();
        Ok(Self(result))
    }

    /// Returns the result, once. Fails with `Empty` until the task is done, and with `Disconnected` if it panicked.
    fn result(&self) -> Result<T, TryRecvError> {
        self.0.try_recv()
    }
}

impl std::fmt::Debug for AnalysisThreads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let is_running = !matches!(self.current_work, AnalysisWork::Idle);
        f.debug_struct("AnalysisThreads")
            .field("is_running", &is_running)
            .finish_non_exhaustive()
    }
}
