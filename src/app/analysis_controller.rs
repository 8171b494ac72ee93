//! A whole game analysed while it is on view.

use super::record_file::WakeFn;
use crate::analysis::{
    self, Analysis, AnalysisEngine, AnalysisOptions, AnalysisStage, EngineScales, Finding, FindingKind, GameReview,
    Progress, SecondPass,
};
use crate::kifu::{NodeId, Record};
use crate::shogi::Move;
use crate::study::Document;
use crate::text::{Message, PaperRemark};
use crate::threads::{self, lock};
use std::io;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex};

/// Finds the engines for an analysis of so many positions.
pub type EngineFactory = Box<dyn Fn(&AnalysisOptions, usize) -> anyhow::Result<Vec<AnalysisEngine>> + Send>;

/// Who analyses the record on view. Nothing that takes its time is waited for: whoever asks draws a window.
pub struct AnalysisController {
    /// Engines are looked for on another thread.
    recruit: Arc<Mutex<EngineFactory>>,
    wake: WakeFn,
    running: Option<RunningAnalysis>,
}

struct RunningAnalysis {
    stage: AnalysisPhase,
    commission: AnalysisOptions,
    progress: Option<Progress>,
    is_paused: bool,
    /// What was found, to be written again where the user takes something back that lies below it.
    findings: Vec<Finding>,
}

/// What an analysis is at.
enum AnalysisPhase {
    /// The positions and the engines are looked for.
    Start(BackgroundTask<Result<Analysis, Box<Message>>>),
    /// The positions are searched.
    Search(Analysis),
    /// All is searched, and the lines that were better are looked for.
    Lines(BackgroundTask<AddedLines>),
}

/// Lines of moves, each after a node.
type AddedLines = Vec<(NodeId, Vec<Move>)>;

/// What has become of an analysis since it was asked last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnalysisUpdate {
    /// Whether there was anything new.
    pub is_new: bool,
    /// What is to be said, as it is over.
    pub said: Option<Message>,
    /// Whether that is of something that went wrong.
    pub failed: bool,
}

impl AnalysisUpdate {
    const fn from_message(said: Message) -> Self {
        Self { is_new: true, said: Some(said), failed: false }
    }
}

impl AnalysisController {
    /// Nobody is at work yet. `wake` is called from another thread whenever there is something to be heard.
    pub fn new(recruit: EngineFactory, wake: WakeFn) -> Self {
        Self { recruit: Arc::new(Mutex::new(recruit)), wake, running: None }
    }

    /// Begins. While one is under way, that goes on; what is in the way of beginning is [heard](Self::hear) later.
    ///
    /// # Errors
    /// With what to say, where the system has no thread to give.
    pub fn begin(&mut self, document: &Document, commission: AnalysisOptions) -> Result<(), Box<Message>> {
        if self.is_at_work() {
            return Ok(());
        }
        let (record, recruit, wake) = (document.shared(), Arc::clone(&self.recruit), Arc::clone(&self.wake));
        let wanted = commission.clone();
        let start = move || start(record, &wanted, &recruit, wake);
        let errand = BackgroundTask::send("recruit", start, Arc::clone(&self.wake));
        let errand = errand.map_err(|error| Box::new(not_started(&commission, &error.into())))?;
        let (progress, findings) = (None, Vec::new());
        self.running = Some(RunningAnalysis {
            stage: AnalysisPhase::Start(errand),
            commission,
            progress,
            is_paused: false,
            findings,
        });
        Ok(())
    }

    /// Whether it is under way.
    pub const fn is_at_work(&self) -> bool {
        self.running.is_some()
    }

    /// How far it is; `None` where nothing is under way.
    pub fn progress(&self) -> Option<&Progress> {
        self.running.as_ref()?.progress.as_ref()
    }

    /// The engines that are at it, by how they sign, where more is to come of what they find before it is marked.
    pub fn running_engines(&self) -> Vec<&str> {
        let running = self.running.as_ref().filter(|running| running.commission.deepen > 1);
        running.and_then(|running| running.progress.as_ref()).map(Progress::signatures).unwrap_or_default()
    }

    /// Has it rest, or go on.
    pub fn pause(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.is_paused = !running.is_paused;
        running.apply_pause();
    }

    /// Ends it. What was found stays in the record, as a change that can be taken back.
    pub fn end(&mut self, document: &mut Document) {
        let Some(mut running) = self.running.take() else { return };
        let findings =
            if let AnalysisPhase::Search(analysis) = &running.stage { analysis.findings() } else { Vec::new() };
        running.apply_findings(document, findings);
        document.analysed();
        // Its engines may take their time to end.
        threads::drop_in_background(running.stage);
    }

    /// Takes in what was found.
    pub fn poll(&mut self, document: &mut Document) -> AnalysisUpdate {
        let Some(running) = &mut self.running else { return AnalysisUpdate::default() };
        if document.is_shaken() {
            for finding in &running.findings {
                apply_finding(document, finding, &running.commission);
            }
        }
        let heard = running.step(document, &self.wake);
        if heard.said.is_some() {
            self.end(document);
        }
        heard
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
            AnalysisPhase::Start(errand) => match errand.result() {
                Err(TryRecvError::Empty) => AnalysisUpdate::default(),
                Ok(Ok(analysis)) => {
                    self.stage = AnalysisPhase::Search(analysis);
                    self.apply_pause();
                    AnalysisUpdate { is_new: true, ..AnalysisUpdate::default() }
                }
                Ok(Err(trouble)) => AnalysisUpdate { failed: true, ..AnalysisUpdate::from_message(*trouble) },
                Err(TryRecvError::Disconnected) => {
                    AnalysisUpdate { failed: true, ..AnalysisUpdate::from_message(PaperRemark::AnalysisFailed.into()) }
                }
            },
            AnalysisPhase::Search(_) => self.search(document, wake),
            AnalysisPhase::Lines(errand) => match errand.result() {
                Err(TryRecvError::Empty) => AnalysisUpdate::default(),
                lines => {
                    for (before, line) in lines.unwrap_or_default() {
                        // What was deleted meanwhile needs no other.
                        if document.record().holds(before) {
                            document.add_found(before, &line);
                        }
                    }
                    AnalysisUpdate::from_message(PaperRemark::Analysed.into())
                }
            },
        }
    }

    fn search(&mut self, document: &mut Document, wake: &WakeFn) -> AnalysisUpdate {
        let AnalysisPhase::Search(analysis) = &self.stage else { return AnalysisUpdate::default() };
        let progress = analysis.progress();
        // Asked for after the progress: when that says that all is done, all is here.
        let findings = analysis.findings();
        let is_new = progress.is_some() || !findings.is_empty();
        self.progress = progress.or_else(|| self.progress.take());
        self.apply_findings(document, findings);
        let over = self.progress.as_ref().map(|progress| progress.stage).filter(|stage| stage.is_over());
        let Some(stage) = over else { return AnalysisUpdate { is_new, ..AnalysisUpdate::default() } };
        if stage == AnalysisStage::Failed {
            return AnalysisUpdate::from_message(PaperRemark::AnalysisFailed.into());
        }
        if self.commission.adds_variations
            && let Ok(lines) = self.better_lines(document, wake)
        {
            threads::drop_in_background(std::mem::replace(&mut self.stage, AnalysisPhase::Lines(lines)));
            return AnalysisUpdate { is_new, ..AnalysisUpdate::default() };
        }
        AnalysisUpdate::from_message(PaperRemark::Analysed.into())
    }

    fn apply_findings(&mut self, document: &mut Document, findings: Vec<Finding>) {
        for finding in &findings {
            apply_finding(document, finding, &self.commission);
        }
        self.findings.extend(findings);
    }

    /// Has the engine's lines looked for wherever the move that was played has a mark.
    fn better_lines(&self, document: &Document, wake: &WakeFn) -> io::Result<BackgroundTask<AddedLines>> {
        let mut scales = EngineScales::default();
        for judgement in self.findings.iter().filter_map(judgement) {
            scales.learn(&judgement.engine, judgement.k);
        }
        let record = document.shared();
        let look = move || GameReview::new(&record, |_| None, |said| scales.model(said)).better_lines(&record);
        BackgroundTask::send("lines", look, Arc::clone(wake))
    }
}

/// Begins an analysis: reading every comment of a record, and looking for programs, takes its time.
fn start(
    record: Arc<Record>,
    commission: &AnalysisOptions,
    recruit: &Mutex<EngineFactory>,
    wake: WakeFn,
) -> Result<Analysis, Box<Message>> {
    let plan = analysis::plan(&record, commission.scope);
    if plan.tasks.is_empty() {
        return Err(Box::new(PaperRemark::NothingToAnalyse.into()));
    }
    let searchers =
        lock(recruit)(commission, plan.tasks.len()).map_err(|error| Box::new(not_started(commission, &error)))?;
    let passes = SecondPass { again: commission.again, deepen: commission.deepen, ..SecondPass::default() };
    let analysis = Analysis::start(record, plan, passes, searchers, move || wake());
    analysis.map_err(|error| Box::new(not_started(commission, &error.into())))
}

fn not_started(commission: &AnalysisOptions, why: &anyhow::Error) -> Message {
    Message::EngineNotStarted(commission.engines.join(" "), format!("{why:#}").into())
}

fn judgement(finding: &Finding) -> Option<&analysis::EngineResult> {
    match &finding.said {
        FindingKind::Judged(judgement) | FindingKind::Known(judgement) => Some(judgement),
        FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => None,
    }
}

fn apply_finding(document: &mut Document, finding: &Finding, commission: &AnalysisOptions) {
    let Some(judgement) = judgement(finding) else { return };
    // What was deleted meanwhile needs no comment.
    if !document.record().holds(finding.node) {
        return;
    }
    if let Some(comment) = analysis::annotated(document.record(), finding.node, judgement, commission.dialect) {
        document.annotate(finding.node, comment);
    }
}

/// Something that is done on a thread of its own, and what comes of it.
struct BackgroundTask<T>(Receiver<T>);

impl<T: Send + 'static> BackgroundTask<T> {
    /// Has something be done, after which `wake` is called. What comes of it is dropped there where nobody waits for
    /// it any more.
    fn send(name: &str, work: impl FnOnce() -> T + Send + 'static, wake: WakeFn) -> io::Result<Self> {
        let (sender, result) = sync_channel(1);
        let thread = threads::named(name, move || {
            let _nobody_waits = sender.send(work());
            wake();
        })?;
        thread.detach();
        Ok(Self(result))
    }

    /// What has come of it, once: nothing yet where that is empty, and nothing ever where it went wrong.
    fn result(&self) -> Result<T, TryRecvError> {
        self.0.try_recv()
    }
}

impl std::fmt::Debug for AnalysisController {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyst").field("is_at_work", &self.is_at_work()).finish_non_exhaustive()
    }
}
