//! The analysis of a whole game, as a state machine without I/O. `effects::analysis` runs it in the background.

use crate::Message;
use shogibar_games::RecordRemark;
use shogibar_games::analysis::{
    self, AnalysisOptions, AnalysisStage, EngineScales, Finding, FindingKind, Progress,
};
use shogibar_games::study::Document;
use shogibar_kifu::{NodeId, Record};
use shogibar_shogi::Move;
use std::sync::Arc;

/// Variations that were found for mistakes: the node before each, and its moves.
pub type AddedLines = Vec<(NodeId, Vec<Move>)>;

/// Work for the analysis of a game, done on other threads.
#[derive(Debug)]
pub enum AnalysisEffect {
    /// Search for the engines, and start them. Answered by [`AnalysisEvent::Started`].
    Start(Arc<Record>, Box<AnalysisOptions>),
    /// Pause the engines.
    Pause,
    /// Resume the engines.
    Resume,
    /// Search for a better variation for every played move that has a mark. Answered by [`AnalysisEvent::Lines`].
    FindLines(Arc<Record>, EngineScales),
    /// End the analysis. Answered by [`AnalysisEvent::Ended`], with the last findings.
    End,
    /// End the analysis without an answer, because its record is no longer shown.
    Drop,
}

/// The result of an [`AnalysisEffect`].
#[derive(Debug)]
pub enum AnalysisEvent {
    /// The engines were started, or could not be started.
    Started(Result<(), Box<Message>>),
    /// The progress and new findings. Without a progress, the last one stays. Once the progress reports the end of the
    /// analysis, all findings are available.
    Findings(Option<Progress>, Vec<Finding>),
    /// The variations that were added for mistakes.
    Lines(AddedLines),
    /// The last findings of an analysis that the user has ended.
    Ended(Vec<Finding>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnalysisPhase {
    /// The engines are being started.
    Starting,
    /// The positions are searched.
    Searching,
    /// All positions are searched. Better variations for mistakes are being searched.
    FindingLines,
}

/// The state of an analysis after an event.
#[derive(Debug)]
pub enum AnalysisOutcome {
    /// The analysis continues, possibly with an effect.
    Running(Option<AnalysisEffect>),
    /// The analysis has ended by itself, with a message for the user.
    Done(Message),
    /// The engines could not be started, with a message for the user.
    Failed(Message),
    /// The user has ended the analysis.
    Ended,
}

/// A running analysis of a game.
#[derive(Debug)]
pub struct RunningAnalysis {
    phase: AnalysisPhase,
    options: AnalysisOptions,
    progress: Option<Progress>,
    is_paused: bool,
    /// All findings up to now. They are written into the record again if the user undoes an earlier change.
    findings: Vec<Finding>,
}

impl RunningAnalysis {
    /// Creates an analysis, and the effect that starts it.
    pub fn start(document: &Document, options: AnalysisOptions) -> (Self, AnalysisEffect) {
        let effect = AnalysisEffect::Start(document.shared_record(), Box::new(options.clone()));
        let phase = AnalysisPhase::Starting;
        (
            Self {
                phase,
                options,
                progress: None,
                is_paused: false,
                findings: Vec::new(),
            },
            effect,
        )
    }

    /// Returns the progress; `None` before the first report.
    pub const fn progress(&self) -> Option<&Progress> {
        self.progress.as_ref()
    }

    /// Returns the signatures of the engines, if a second pass may still change their findings; otherwise an empty
    /// list.
    pub fn running_engines(&self) -> Vec<&str> {
        match &self.progress {
            Some(progress) if self.options.deepen > 1 => progress.signatures(),
            _ => Vec::new(),
        }
    }

    /// Returns the names of the known engines, without their limits.
    pub fn engines(&self) -> Vec<String> {
        let signatures = self
            .progress
            .as_ref()
            .map(Progress::signatures)
            .unwrap_or_default();
        signatures
            .into_iter()
            .filter_map(analysis::signed_engine)
            .map(str::to_owned)
            .collect()
    }

    /// Pauses or resumes the analysis, and returns the effect.
    pub const fn toggle_pause(&mut self) -> AnalysisEffect {
        self.is_paused = !self.is_paused;
        self.pause_effect()
    }

    /// Returns the effect that pauses or resumes the engines, as the user has chosen.
    const fn pause_effect(&self) -> AnalysisEffect {
        if self.is_paused {
            AnalysisEffect::Pause
        } else {
            AnalysisEffect::Resume
        }
    }

    /// Applies an event to the analysis and to the document. Returns the state of the analysis.
    pub fn on_event(&mut self, event: AnalysisEvent, document: &mut Document) -> AnalysisOutcome {
        self.restore_findings(document);
        match event {
            AnalysisEvent::Started(Ok(())) => {
                self.phase = AnalysisPhase::Searching;
                AnalysisOutcome::Running(Some(self.pause_effect()))
            }
            AnalysisEvent::Started(Err(why)) => AnalysisOutcome::Failed(*why),
            AnalysisEvent::Findings(..) if self.phase != AnalysisPhase::Searching => {
                AnalysisOutcome::Running(None)
            }
            AnalysisEvent::Findings(progress, findings) => self.on_findings(progress, findings, document),
            AnalysisEvent::Lines(lines) => {
                for (before, line) in lines {
                    // The node may have been deleted meanwhile; its line is then dropped.
                    if document.record().is_attached(before) {
                        document.add_analysis_line(before, &line);
                    }
                }
                document.finish_analysis();
                AnalysisOutcome::Done(RecordRemark::Analysed.into())
            }
            AnalysisEvent::Ended(findings) => {
                self.apply_findings(document, findings);
                document.finish_analysis();
                AnalysisOutcome::Ended
            }
        }
    }

    /// Writes the findings into the record again, if the user has undone an earlier change.
    pub fn restore_findings(&self, document: &mut Document) {
        if document.take_changed_beneath() {
            for finding in &self.findings {
                apply_finding(document, finding, &self.options);
            }
        }
    }

    /// Applies new findings and progress. At the end of the searches, requests better variations if the user wants
    /// them; otherwise finishes the analysis.
    fn on_findings(
        &mut self,
        progress: Option<Progress>,
        findings: Vec<Finding>,
        document: &mut Document,
    ) -> AnalysisOutcome {
        self.progress = progress.or_else(|| self.progress.take());
        self.apply_findings(document, findings);
        let over = self
            .progress
            .as_ref()
            .map(|progress| progress.stage)
            .filter(|stage| stage.is_over());
        let Some(stage) = over else {
            return AnalysisOutcome::Running(None);
        };
        if stage != AnalysisStage::Failed && self.options.adds_variations {
            self.phase = AnalysisPhase::FindingLines;
            return AnalysisOutcome::Running(Some(AnalysisEffect::FindLines(
                document.shared_record(),
                self.scales(),
            )));
        }
        document.finish_analysis();
        if stage == AnalysisStage::Failed {
            AnalysisOutcome::Done(RecordRemark::AnalysisFailed.into())
        } else {
            AnalysisOutcome::Done(RecordRemark::Analysed.into())
        }
    }

    /// Writes findings into the record, and stores them.
    fn apply_findings(&mut self, document: &mut Document, findings: Vec<Finding>) {
        for finding in &findings {
            apply_finding(document, finding, &self.options);
        }
        self.findings.extend(findings);
    }

    /// Returns the scales of the engines of the findings up to now.
    fn scales(&self) -> EngineScales {
        let mut scales = EngineScales::default();
        for result in self.findings.iter().filter_map(engine_result) {
            scales.learn(&result.engine, result.model);
        }
        scales
    }
}

/// Returns the result of an engine in a finding; `None` if the position was not searched with success.
fn engine_result(finding: &Finding) -> Option<&analysis::EngineResult> {
    match &finding.outcome {
        FindingKind::Searched(result) | FindingKind::Known(result) => Some(result),
        FindingKind::Skipped | FindingKind::Nothing | FindingKind::GivenUp(..) => None,
    }
}

/// Writes a finding into the comment of its node.
fn apply_finding(document: &mut Document, finding: &Finding, options: &AnalysisOptions) {
    let Some(result) = engine_result(finding) else {
        return;
    };
    // The node may have been deleted meanwhile; its finding is then dropped.
    if !document.record().is_attached(finding.node) {
        return;
    }
    if let Some(comment) =
        analysis::annotated_comment(document.record(), finding.node, result, options.dialect)
    {
        document.annotate(finding.node, comment);
    }
}
