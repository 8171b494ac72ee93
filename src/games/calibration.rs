//! Win-rate curves fitted to games with results.
//!
//! - [`rate`] finds the evaluations of a record that count, by engine. It is pure.
//! - [`fn@collect`] reads the records of files and folders, a file on each processor at a time.
//! - [`GamePool`] holds the games, each once, and [`Calibration`] the curve of each engine.
//! - [`UserGame`] is a game of the user's own use, and [`user_fits`] the fits to those.

mod collect;
mod fits;
mod net;
mod pool;
mod rated;
#[cfg(test)]
mod tests;
mod user_games;

pub use collect::{CollectedGames, RecordSource, collect};
pub use fits::FEW_GAMES;
pub use fits::{CONSTANTS, Calibration, EngineCurve, HeldOutLoss, NoCurve};
pub use net::{NetComparison, compare_nets, is_fit_of_other_net, net_of, net_of_program};
pub use pool::{GamePool, NamedEngine, PoolRemark, UnratedCount};
pub use rated::{CountedRemark, FIRST_PLY, PlyRange, RatedRecord, UnratedReason, identify, rate};
pub use user_games::{UserFit, UserGame, user_fits};
