//! Whole-game analysis: one engine or several search every position of a record.
//!
//! - [`plan()`] chooses the positions to search.
//! - [`Scheduler`] assigns the positions to engines and takes the results, as a pure function of engine snapshots.
//! - [`Analysis`] runs a scheduler with real engines on its own thread.
//! - [`EngineResult`] is an engine's evaluation of one position.
//! - [`annotate()`] writes results into the comments of the record; [`journal`] stores the results until then.
//! - [`GameReview`] assesses the moves of a record by its comments alone. Any program may have written them.

mod annotate;
mod deepen;
mod engine_result;
mod engines;
mod estimate;
pub mod journal;
mod judged;
mod options;
mod plan;
mod remote;
mod review;
mod run;
mod scales;
mod scheduler;
mod signatures;
mod state;

pub use annotate::{add_variations, annotate, annotated_comment};
pub use deepen::{DEFAULT_DEEPEN_FACTOR, deepened_limit};
pub use engine_result::EngineResult;
pub use engines::create_engines;
pub use estimate::{AnalysisEstimate, estimate};
pub use judged::judged_review;
pub use options::AnalysisOptions;
pub use plan::{AnalysisPlan, AnalysisScope, PositionKey, SearchTask, plan, relocate};
pub(crate) use review::is_error;
pub use review::{
    AHEAD_PERCENT, AssessedMove, DecisiveMove, Evaluator, Evaluators, ForcedMate, GamePhase, GameReview,
    LeadChange, MIN_DECISIVE_LOSS_POINTS, MoveMark, MoveReason, MoveReasons, MoveStats, PositionValue,
    ReasonBasis, ReviewSummary, SideSummary, best_informed, lines_by,
};
pub use run::{Analysis, AnalysisEngine};
pub use scales::EngineScales;
pub use scheduler::{
    AnalysisGame, AnalysisStage, Finding, FindingKind, PassSettings, Progress, Scheduler, WorkerCommand,
    WorkerSlot, WorkerStatus,
};
pub use signatures::{signature, signature_name, signed_engine};
pub use state::{StateError, StateFile, StateFiles, StateWriteError};
