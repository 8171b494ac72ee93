//! Win-rate curves fitted to games with results.
//!
//! - [`rate_record`] finds the evaluations of a record that count, by engine. Pure.
//! - [`fn@collect`] reads the records of files and folders, one file on each processor at a time.
//! - [`net_of`] identifies the net of an engine, because a fit is only valid for one net.
//! - [`GamePool`] has the games, each once, and [`Calibration`] the curve of each engine.
//! - [`UserGame`] is a game in which the user has run an engine, and [`user_fits`] returns the fits to such games.

mod collect;
mod fits;
mod net;
mod pool;
mod rated;
#[cfg(test)]
mod tests;
mod user_games;

pub use collect::{CollectedGames, RecordSource, collect};
pub use fits::{COMMON_SCALES, Calibration, EngineCurve, HeldOutLoss, MIN_FIT_GAMES, NoCurve};
pub use net::{NetComparison, compare_nets, is_fit_of_other_net, net_of, net_of_program};
pub use pool::{GamePool, NamedEngine, PoolRemark, RemarkCount};
pub use rated::{
    CountedRemark, DEFAULT_FIRST_PLY, PlyRange, RatedRecord, UnratedReason, identify, rate_record,
};
pub use user_games::{UserFit, UserGame, user_fits};
