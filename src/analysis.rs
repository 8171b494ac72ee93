//! Whole-game analysis: every position of a record searched by one engine or several, what that comes to,
//! and how it is kept.
//!
//! [`plan()`] says which positions are to be searched; [`Work`] gives them out to engines and takes their
//! answers, as a pure function of what is heard of them; [`Analysis`] runs that with real engines on a thread
//! of its own. What an engine says of a position is a [`Judgement`]: [`annotate()`] writes it into the record's
//! comments, and [`journal`] keeps it on the way there. [`Review`] says what the moves of a record were worth
//! out of its comments alone, whichever program wrote them.

mod annotate;
mod deepen;
mod engine_result;
mod estimate;
pub mod journal;
mod options;
mod plan;
mod review;
mod run;
mod scales;
mod scheduler;
mod state;

pub use annotate::{add_variations, annotate, annotated};
pub use deepen::{DEEPEN, deepened};
pub use engine_result::{EngineResult, known_as, signature};
pub use estimate::{AnalysisEstimate, effort};
pub use options::AnalysisOptions;
pub use plan::{AnalysisPlan, AnalysisScope, PositionKey, SearchTask, plan, relocate};
pub use review::{
    AssessedMove, Evaluator, Evaluators, GameReview, LeadChange, MoveMark, PositionValue, ReviewSummary, SideSummary,
    TurnKind, TurningPoint, best_informed, lines_by,
};
pub use run::{Analysis, AnalysisEngine};
pub use scales::EngineScales;
pub use scheduler::{
    AnalysisStage, Finding, FindingKind, Progress, Scheduler, SecondPass, WorkerCommand, WorkerSlot, WorkerStatus,
};
pub use state::{StateError, StateFile, StateUnwritable};
