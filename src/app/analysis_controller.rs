//! The analysis of a whole game, in the background.

use super::record_file::WakeFn;
use crate::analysis::{
    self, Analysis, AnalysisEngine, AnalysisOptions, AnalysisStage, EngineScales, Finding, FindingKind, GameReview,
    Progress, SecondPass,
};
use crate::kifu::{NodeId, Record};
use crate::shogi::Move;
use crate::study::Document;
use crate::text::{Message, RecordRemark};
use crate::threads::{self, lock};
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};

/// Creates the engines for an analysis of so many positions.
pub type EngineFactory = Box<dyn Fn(&AnalysisOptions, usize) -> anyhow::Result<Vec<AnalysisEngine>> + Send>;

/// Controls the analysis of the current record. Non-blocking: called from the UI thread.
pub struct AnalysisController {
    /// Shared with the background thread that looks for the engines.
    factory: Arc<Mutex<EngineFactory>>,
    wake: WakeFn,
    running: Option<RunningAnalysis>,
}

struct RunningAnalysis {
    stage: AnalysisPhase,
    options: AnalysisOptions,
    progress: Option<Progress>,
    is_paused: bool,
    /// The findings so far. They are written again if the user undoes a change beneath them.
    findings: Vec<Finding>,
}

/// The phase of an analysis.
enum AnalysisPhase {
    /// The positions and the engines are looked for.
    Start(BackgroundTask<Result<Analysis, Box<Message>>>),
    /// The positions are searched.
    Search(Analysis),
    /// All positions are searched, and better variations are looked for.
    Lines(BackgroundTask<AddedLines>),
}

/// Variations, each after a node.
type AddedLines = Vec<(NodeId, Vec<Move>)>;

/// The news of an analysis since the last poll.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysisUpdate {
    /// Whether anything is new.
    pub is_new: bool,
    /// The final message, if the analysis is over.
    pub message: Option<Message>,
    /// Whether that message reports a failure.
    pub failed: bool,
}

impl AnalysisUpdate {
    const fn from_message(message: Message) -> Self {
        Self { is_new: true, message: Some(message), failed: false }
    }
}

impl AnalysisController {
    /// Creates a controller without an analysis. `wake` is called from another thread when there is news to poll.
    pub fn new(factory: EngineFactory, wake: WakeFn) -> Self {
        Self { factory: Arc::new(Mutex::new(factory)), wake, running: None }
    }

    /// Starts an analysis, unless one runs. Later failures are reported by [`poll`](Self::poll).
    ///
    /// # Errors
    /// Fails with a message if the thread cannot be started.
    pub fn begin(&mut self, document: &Document, options: AnalysisOptions) -> Result<(), Box<Message>> {
        if self.is_running() {
            return Ok(());
        }
        let (record, factory, wake) = (document.shared(), Arc::clone(&self.factory), Arc::clone(&self.wake));
        let wanted = options.clone();
        let start = move || start(record, &wanted, &factory, wake);
        let task = BackgroundTask::send("analysis-start", start, Arc::clone(&self.wake));
        let task = task.map_err(|error| Box::new(not_started(&options, &error.into())))?;
        let (progress, findings) = (None, Vec::new());
        self.running =
            Some(RunningAnalysis { stage: AnalysisPhase::Start(task), options, progress, is_paused: false, findings });
        Ok(())
    }

    /// Whether an analysis runs.
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The progress; `None` where no analysis runs.
    pub fn progress(&self) -> Option<&Progress> {
        self.running.as_ref()?.progress.as_ref()
    }

    /// The engines' signatures, if a second pass may still change their findings; else empty.
    pub fn running_engines(&self) -> Vec<&str> {
        let running = self.running.as_ref().filter(|running| running.options.deepen > 1);
        running.and_then(|running| running.progress.as_ref()).map(Progress::signatures).unwrap_or_default()
    }

    /// Pauses or resumes the analysis.
    pub fn pause(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.is_paused = !running.is_paused;
        running.apply_pause();
    }

    /// Ends the analysis. Its findings stay in the record, as one change that can be undone.
    pub fn end(&mut self, document: &mut Document) {
        let Some(mut running) = self.running.take() else { return };
        let findings =
            if let AnalysisPhase::Search(analysis) = &running.stage { analysis.findings() } else { Vec::new() };
        running.apply_findings(document, findings);
        document.finish_analysis();
        // The engines may take time to exit.
        threads::drop_in_background(running.stage);
    }

    /// Ends the analysis without its last findings: its record is no longer shown.
    pub fn abandon(&mut self) {
        if let Some(running) = self.running.take() {
            threads::drop_in_background(running.stage);
        }
    }

    /// Applies new findings to the document. An analysis that is over is ended.
    pub fn poll(&mut self, document: &mut Document) -> AnalysisUpdate {
        let Some(running) = &mut self.running else { return AnalysisUpdate::default() };
        if document.is_shaken() {
            for finding in &running.findings {
                apply_finding(document, finding, &running.options);
            }
        }
        let update = running.step(document, &self.wake);
        if update.message.is_some() {
            self.end(document);
        }
        update
    }
}

impl RunningAnalysis {
    fn apply_pause(&self) {
        if let AnalysisPhase::Search(analysis) = &self.stage {
            if self.is_paused { analysis.pause() } else { analysis.resume() }
        }
    }

    fn step(&mut self, document: &mut Document, wake: &WakeFn) -> AnalysisUpdate {
        match &self.stage {
            AnalysisPhase::Start(task) => match task.result() {
                Err(TryRecvError::Empty) => AnalysisUpdate::default(),
                Ok(Ok(analysis)) => {
                    self.stage = AnalysisPhase::Search(analysis);
                    self.apply_pause();
                    AnalysisUpdate { is_new: true, ..AnalysisUpdate::default() }
                }
                Ok(Err(message)) => AnalysisUpdate { failed: true, ..AnalysisUpdate::from_message(*message) },
                Err(TryRecvError::Disconnected) => {
                    AnalysisUpdate { failed: true, ..AnalysisUpdate::from_message(RecordRemark::AnalysisFailed.into()) }
                }
            },
            AnalysisPhase::Search(_) => self.search(document, wake),
            AnalysisPhase::Lines(task) => match task.result() {
                Err(TryRecvError::Empty) => AnalysisUpdate::default(),
                lines => {
                    for (before, line) in lines.unwrap_or_default() {
                        // The node may have been deleted meanwhile.
                        if document.record().is_attached(before) {
                            document.add_analysis_line(before, &line);
                        }
                    }
                    AnalysisUpdate::from_message(RecordRemark::Analysed.into())
                }
            },
        }
    }

    fn search(&mut self, document: &mut Document, wake: &WakeFn) -> AnalysisUpdate {
        let AnalysisPhase::Search(analysis) = &self.stage else { return AnalysisUpdate::default() };
        let progress = analysis.progress();
        // Read after the progress: once that says that all is done, all findings are here.
        let findings = analysis.findings();
        let is_new = progress.is_some() || !findings.is_empty();
        self.progress = progress.or_else(|| self.progress.take());
        self.apply_findings(document, findings);
        let over = self.progress.as_ref().map(|progress| progress.stage).filter(|stage| stage.is_over());
        let Some(stage) = over else { return AnalysisUpdate { is_new, ..AnalysisUpdate::default() } };
        if stage == AnalysisStage::Failed {
            return AnalysisUpdate::from_message(RecordRemark::AnalysisFailed.into());
        }
        if self.options.adds_variations
            && let Ok(lines) = self.better_lines(document, wake)
        {
            threads::drop_in_background(std::mem::replace(&mut self.stage, AnalysisPhase::Lines(lines)));
            return AnalysisUpdate { is_new, ..AnalysisUpdate::default() };
        }
        AnalysisUpdate::from_message(RecordRemark::Analysed.into())
    }

    fn apply_findings(&mut self, document: &mut Document, findings: Vec<Finding>) {
        for finding in &findings {
            apply_finding(document, finding, &self.options);
        }
        self.findings.extend(findings);
    }

    /// Starts to look for the engine's better variations wherever the played move has a mark.
    fn better_lines(&self, document: &Document, wake: &WakeFn) -> io::Result<BackgroundTask<AddedLines>> {
        let mut scales = EngineScales::default();
        for result in self.findings.iter().filter_map(engine_result) {
            scales.learn(&result.engine, result.model);
        }
        let record = document.shared();
        let review =
            move || GameReview::new(&record, |_| None, |evaluation| scales.model(evaluation)).better_lines(&record);
        BackgroundTask::send("lines", review, Arc::clone(wake))
    }
}

/// Prepares and starts an analysis. Slow, as it reads every comment and looks for programs.
fn start(
    record: Arc<Record>,
    options: &AnalysisOptions,
    factory: &Mutex<EngineFactory>,
    wake: WakeFn,
) -> Result<Analysis, Box<Message>> {
    let plan = analysis::plan(&record, options.scope);
    if plan.tasks.is_empty() {
        return Err(Box::new(RecordRemark::NothingToAnalyse.into()));
    }
    let engines = lock(factory)(options, plan.tasks.len()).map_err(|error| Box::new(not_started(options, &error)))?;
    let passes = SecondPass { again: options.again, deepen: options.deepen, ..SecondPass::default() };
    let analysis = Analysis::start(record, plan, passes, engines, move || wake());
    analysis.map_err(|error| Box::new(not_started(options, &error.into())))
}

fn not_started(options: &AnalysisOptions, why: &anyhow::Error) -> Message {
    Message::EngineNotStarted(options.engines.join(" "), format!("{why:#}").into())
}

fn engine_result(finding: &Finding) -> Option<&analysis::EngineResult> {
    match &finding.outcome {
        FindingKind::Searched(result) | FindingKind::Known(result) => Some(result),
        FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => None,
    }
}

fn apply_finding(document: &mut Document, finding: &Finding, options: &AnalysisOptions) {
    let Some(result) = engine_result(finding) else { return };
    // The node may have been deleted meanwhile.
    if !document.record().is_attached(finding.node) {
        return;
    }
    if let Some(comment) = analysis::annotated(document.record(), finding.node, result, options.dialect) {
        document.annotate(finding.node, comment);
    }
}

/// A task on its own thread, and the channel for its result.
struct BackgroundTask<T>(Receiver<T>);

impl<T: Send + 'static> BackgroundTask<T> {
    /// Starts a task. `wake` is called when it is done. Its result is dropped if nothing waits for it.
    fn send(name: &str, work: impl FnOnce() -> T + Send + 'static, wake: WakeFn) -> io::Result<Self> {
        let (sender, result) = sync_channel(1);
        let thread = threads::spawn(name, move || {
            let _receiver_is_gone = sender.send(work());
            wake();
        })?;
        thread.detach();
        Ok(Self(result))
    }

    /// Returns the result, once. Fails with `Empty` until it is there, and with `Disconnected` if the task failed.
    fn result(&self) -> Result<T, TryRecvError> {
        self.0.try_recv()
    }
}

impl std::fmt::Debug for AnalysisController {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AnalysisController").field("is_running", &self.is_running()).finish_non_exhaustive()
    }
}
