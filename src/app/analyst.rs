//! A whole game analysed while it is on view.

use super::papers::Wake;
use crate::analysis::{self, Analysis, Commission, Finding, Progress, Review, Said, Searcher};
use crate::config::Presets;
use crate::kifu::evaluation::Evaluation;
use crate::study::Document;
use crate::text::{Message, PaperRemark};
use std::sync::Arc;

/// Finds the engines for an analysis of so many positions.
pub type Recruit = Box<dyn Fn(&Commission, usize) -> anyhow::Result<Vec<Searcher>> + Send>;

/// Who analyses the record on view.
pub struct Analyst {
    recruit: Recruit,
    wake: Wake,
    running: Option<Running>,
}

struct Running {
    analysis: Analysis,
    commission: Commission,
    progress: Option<Progress>,
    is_paused: bool,
}

impl Analyst {
    /// Nobody is at work yet. `wake` is called from another thread whenever there is something to be heard.
    pub fn new(recruit: Recruit, wake: Wake) -> Self {
        Self { recruit, wake, running: None }
    }

    /// Begins; what was under way is ended.
    ///
    /// # Errors
    /// With what to say, where there is nothing to analyse or nobody to do it.
    pub fn begin(&mut self, document: &Document, commission: Commission) -> Result<(), Box<Message>> {
        self.running = None;
        let plan = analysis::plan(document.record(), commission.scope);
        if plan.tasks.is_empty() {
            return Err(Box::new(PaperRemark::NothingToAnalyse.into()));
        }
        let failed = |why: String| Box::new(Message::EngineNotStarted(commission.engines.join(" "), why));
        let searchers = (self.recruit)(&commission, plan.tasks.len()).map_err(|error| failed(format!("{error:#}")))?;
        let (record, wake) = (document.shared(), Arc::clone(&self.wake));
        let known = (analysis::journal::Known::default(), commission.again);
        let analysis = Analysis::start(record, plan, known, searchers, move || wake());
        let analysis = analysis.map_err(|error| failed(error.to_string()))?;
        self.running = Some(Running { analysis, commission, progress: None, is_paused: false });
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

    /// Has it rest, or go on.
    pub fn pause(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.is_paused = !running.is_paused;
        if running.is_paused { running.analysis.pause() } else { running.analysis.resume() }
    }

    /// Ends it. What was found stays in the record.
    pub fn end(&mut self) {
        self.running = None;
    }

    /// Takes in what was found; whether there was anything new, and what is to be said when it is over.
    pub fn hear(&mut self, document: &mut Document) -> (bool, Option<Message>) {
        let Some(running) = &mut self.running else { return (false, None) };
        let progress = running.analysis.progress();
        // Asked for after the progress: when that says that all is done, all is here.
        let findings = running.analysis.findings();
        let is_new = progress.is_some() || !findings.is_empty();
        running.progress = progress.or_else(|| running.progress.take());
        for finding in findings {
            write_down(document, &finding, &running.commission);
        }
        let over = running.progress.as_ref().map(|progress| progress.stage).filter(|stage| stage.is_over());
        let Some(stage) = over else { return (is_new, None) };
        if running.commission.adds_variations {
            add_variations(document);
        }
        let said = match stage {
            analysis::Stage::Failed => PaperRemark::AnalysisFailed,
            _ => PaperRemark::Analysed,
        };
        self.running = None;
        (true, Some(said.into()))
    }
}

fn write_down(document: &mut Document, finding: &Finding, commission: &Commission) {
    let (Said::Judged(judgement) | Said::Known(judgement)) = &finding.said else { return };
    // What was deleted meanwhile needs no comment.
    if !document.record().holds(finding.node) {
        return;
    }
    if let Some(comment) = analysis::annotated(document.record(), finding.node, judgement, commission.dialect) {
        document.annotate(finding.node, comment);
    }
}

/// Adds the engine's line wherever the move that was played has a mark.
fn add_variations(document: &mut Document) {
    let presets = Presets::built_in();
    let model = |said: &Evaluation| presets.model_of(said.engine.as_deref().unwrap_or_default());
    let review = Review::new(document.record(), &[], model);
    for (before, line) in review.better_lines(document.record()) {
        document.add_found(before, &line);
    }
}

impl std::fmt::Debug for Analyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Analyst").field("is_at_work", &self.is_at_work()).finish_non_exhaustive()
    }
}
