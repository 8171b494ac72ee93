//! The analysis of a folder in the window, as a state machine without I/O. `effects::folder` runs it in the background.

use shogibar_base::Lang;
use shogibar_games::analysis::{AnalysisOptions, EngineScales};
use shogibar_games::folder::{FolderProgress, FolderStage, ResultRow};
use std::path::{Path, PathBuf};

/// The maximum number of problems that the folder page shows. The table of results has all.
const MAX_SHOWN_PROBLEMS: usize = 200;

/// The folders and options of an analysis.
#[derive(Clone, Debug)]
pub struct FolderAnalysisJob {
    /// The folder of the records.
    pub input: PathBuf,
    /// The folder for the results.
    pub output: PathBuf,
    /// The options of the analysis.
    pub options: AnalysisOptions,
    /// The scales of the user's profiles.
    pub scales: EngineScales,
    /// The language of the reports and tables.
    pub lang: Lang,
}

/// Work for the analysis of a folder, done on another thread.
#[derive(Clone, Debug)]
pub enum FolderEffect {
    /// Begin the analysis. Answered by [`FolderAnalysisEvent`]s; the last is [`FolderAnalysisEvent::Ended`].
    Start(Box<FolderAnalysisJob>),
    /// Pause the engines if `true`; otherwise resume them.
    Pause(bool),
    /// End the analysis.
    Cancel,
}

/// An event of the thread that carries out a [`FolderEffect`].
#[derive(Clone, Debug, PartialEq)]
pub enum FolderAnalysisEvent {
    /// The progress has changed.
    Progress(FolderProgress),
    /// A game is over.
    Game(Box<ResultRow>),
    /// A problem with a game or file, as a sentence: lost content, or why it was not analysed.
    Problem(String),
    /// The analysis has ended. An error is the reason why it could not begin, as a sentence.
    Ended(Result<FolderStage, String>),
}

/// The phase of the analysis of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FolderPhase {
    /// No analysis was begun.
    #[default]
    Idle,
    /// The analysis runs.
    Running,
    /// The user has paused the analysis.
    Paused,
    /// The user has ended the analysis, and the engines are ending.
    Ending,
    /// The analysis has ended. An error is the reason why it could not begin, as a sentence.
    Ended(Result<FolderStage, String>),
}

/// The analysis of all games below a folder, as the folder page shows it.
#[derive(Clone, Debug, Default)]
pub struct FolderAnalysis {
    phase: FolderPhase,
    /// The folder for the results.
    output: PathBuf,
    progress: FolderProgress,
    /// The games that are over, by file.
    rows: Vec<ResultRow>,
    /// The problems with games and files, as sentences.
    problems: Vec<String>,
}

impl FolderAnalysis {
    /// Begins an analysis. Returns `None` while another one runs.
    pub fn start(&mut self, job: FolderAnalysisJob) -> Option<FolderEffect> {
        if self.is_running() {
            return None;
        }
        *self = Self {
            phase: FolderPhase::Running,
            output: job.output.clone(),
            ..Self::default()
        };
        Some(FolderEffect::Start(Box::new(job)))
    }

    /// Pauses or resumes the analysis. Returns the effect; `None` if no analysis runs or it is ending.
    pub fn toggle_pause(&mut self) -> Option<FolderEffect> {
        let (phase, is_paused) = match self.phase {
            FolderPhase::Running => (FolderPhase::Paused, true),
            FolderPhase::Paused => (FolderPhase::Running, false),
            FolderPhase::Idle | FolderPhase::Ending | FolderPhase::Ended(_) => return None,
        };
        self.phase = phase;
        Some(FolderEffect::Pause(is_paused))
    }

    /// Ends the analysis. Its findings are stored, and the next analysis of the folder continues from them. Returns the
    /// effect; `None` if no analysis runs or it is ending.
    pub fn cancel(&mut self) -> Option<FolderEffect> {
        if !matches!(self.phase, FolderPhase::Running | FolderPhase::Paused) {
            return None;
        }
        self.phase = FolderPhase::Ending;
        Some(FolderEffect::Cancel)
    }

    /// Applies an event of the thread.
    pub fn on_event(&mut self, event: FolderAnalysisEvent) {
        match event {
            FolderAnalysisEvent::Progress(progress) => self.progress = progress,
            FolderAnalysisEvent::Game(row) => {
                let key = |row: &ResultRow| (row.file.clone(), row.game);
                let at = self.rows.partition_point(|before| key(before) < key(&row));
                self.rows.insert(at, *row);
            }
            FolderAnalysisEvent::Problem(why) => {
                if self.problems.len() < MAX_SHOWN_PROBLEMS {
                    self.problems.push(why);
                }
            }
            FolderAnalysisEvent::Ended(how) => self.phase = FolderPhase::Ended(how),
        }
    }

    /// Returns whether the analysis runs, is paused or is ending.
    pub const fn is_running(&self) -> bool {
        matches!(
            self.phase,
            FolderPhase::Running | FolderPhase::Paused | FolderPhase::Ending
        )
    }

    /// Returns the phase of the analysis.
    pub const fn phase(&self) -> &FolderPhase {
        &self.phase
    }

    /// Returns the progress.
    pub const fn progress(&self) -> FolderProgress {
        self.progress
    }

    /// Returns the games that are over, by file.
    pub fn rows(&self) -> &[ResultRow] {
        &self.rows
    }

    /// Returns the problems with games and files, as sentences, at most `MAX_SHOWN_PROBLEMS`.
    pub fn problems(&self) -> &[String] {
        &self.problems
    }

    /// Returns the folder for the results.
    pub fn output(&self) -> &Path {
        &self.output
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an analysis of the folder `in`.
    fn job() -> FolderAnalysisJob {
        FolderAnalysisJob {
            input: "in".into(),
            output: "out".into(),
            options: AnalysisOptions::default(),
            scales: EngineScales::default(),
            lang: Lang::En,
        }
    }

    #[test]
    fn one_analysis_runs_at_a_time_and_can_be_paused_and_ended() {
        let mut folder = FolderAnalysis::default();
        assert!(folder.toggle_pause().is_none() && folder.cancel().is_none());
        assert!(matches!(folder.start(job()), Some(FolderEffect::Start(_))));
        assert!(folder.start(job()).is_none(), "one runs already");
        assert!(matches!(folder.toggle_pause(), Some(FolderEffect::Pause(true))));
        assert!(matches!(folder.toggle_pause(), Some(FolderEffect::Pause(false))));
        folder.on_event(FolderAnalysisEvent::Problem("a.kif".to_owned()));
        assert!(matches!(folder.cancel(), Some(FolderEffect::Cancel)));
        assert!(folder.is_running() && folder.toggle_pause().is_none());
        folder.on_event(FolderAnalysisEvent::Ended(Ok(FolderStage::Cancelled)));
        assert_eq!((folder.is_running(), folder.problems().len()), (false, 1));
        assert!(folder.start(job()).is_some() && folder.problems().is_empty());
    }
}
