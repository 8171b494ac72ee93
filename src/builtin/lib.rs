//! The search and evaluation of the built-in engine (`docs/engine.md`). `tools/fit/TRIALS.md` lists the gain of each
//! part.
//!
//! The search is a function of a history, limits and a [`Control`], and uses no clock and no thread. [`Go`] and
//! [`Options`] parse the host's commands, and the results are written in USI.

mod accumulators;
mod evaluate;
mod exchange;
mod features;
mod fitted;
mod history;
mod kinds;
mod king_tables;
mod limits;
mod mate;
mod net;
mod node;
mod order;
mod protocol;
mod quiesce;
mod reach;
mod search_state;
mod table;
#[cfg(test)]
mod tests;
mod think;
mod threats;
mod trial;
mod weights;

pub use features::{NetInputs, base_value, net_inputs, visit_features};
pub use fitted::FittedWeights;
pub use king_tables::KingTables;
pub use limits::{Clocks, Control, Limits, MOVES_TO_GO};
pub use mate::{MateResult, mates_within, solve, solve_within};
pub use net::{INPUT_COUNT, Net, NetBase, NetError, NetWeights};
pub use protocol::{Go, Options, after_builtin_name, builtin_version};
pub use think::{SearchOutcome, SearchReport, SearchWorker, Searcher};
pub use trial::Trials;
