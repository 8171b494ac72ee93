//! Whole-game analysis: every position of a record searched by one engine or several, what that comes to,
//! and how it is kept.
//!
//! [`plan()`] says which positions are to be searched; [`Work`] gives them out to engines and takes their
//! answers, as a pure function of what is heard of them; [`Analysis`] runs that with real engines on a thread
//! of its own. What an engine says of a position is a [`Judgement`]: [`annotate()`] writes it into the record's
//! comments, and [`journal`] keeps it on the way there. [`Review`] says what the moves of a record were worth
//! out of its comments alone, whichever program wrote them.

mod annotate;
mod commission;
mod deepen;
mod effort;
pub mod journal;
mod judgement;
mod plan;
mod review;
mod run;
mod scales;
mod state;
mod work;

pub use annotate::{add_variations, annotate, annotated};
pub use commission::Commission;
pub use deepen::{DEEPEN, deepened};
pub use effort::{Effort, effort};
pub use judgement::{Judgement, known_as, signature};
pub use plan::{Key, Plan, Scope, Task, plan, relocate};
pub use review::{
    Assessed, Change, Evaluator, Evaluators, Mark, Review, Side, Summary, Turn, TurningPoint, Worth, best_informed,
    lines_by,
};
pub use run::{Analysis, Searcher};
pub use scales::Scales;
pub use state::{StateError, StateFile, Unwritable};
pub use work::{Employed, Finding, Order, Passes, Progress, Said, Seat, Stage, Work};
