//! An engine's life: what it is told and when, and whose every line is.
//!
//! [`core`] is the whole of it as a pure function of events; [`Session`] runs it with a real
//! program, real threads and a real clock.

pub mod core;
mod latest;
mod options;
pub mod pv_table;
mod shell;
mod snapshot;
mod target;
pub mod tracker;
pub mod traffic;

pub use latest::Latest;
pub use pv_table::{Candidate, PvTable, PvUpdate, SearchInfo, SearchStats};
pub use shell::Session;
pub use snapshot::{EngineFailure, EngineState, FailureKind, Restart, SearchResult, Snapshot};
pub use target::SearchTarget;
pub use tracker::{SearchId, SearchTracker, TrackedSearch};
pub use traffic::TrafficLog;

use crate::config::{EngineNumber, Limit, Presets};
use std::collections::BTreeMap;
use std::time::Duration;

/// How an engine is to be run.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// Candidates to ask for, from 1.
    pub multipv: u32,
    /// Threads the engine may use, from 1.
    pub threads: u32,
    /// Memory for its table, in MB.
    pub hash_mb: u32,
    /// The scale from centipawns to win rates, where the user has set it.
    pub k: Option<f64>,
    /// When a position has been searched enough.
    pub limit: Limit,
    /// Whether every position is a game of its own: the engine is made ready and told of a new game before
    /// each, so that no value depends on what was searched before, and is told of a limit in nodes or plies
    /// itself, so that it stops by its own count and not when our `stop` happens to reach it.
    pub new_game_each: bool,
    /// The longest time for a position, whatever its limit, unless that is a time itself.
    pub time_limit: Duration,
    /// How long an engine may take to say `usiok`, counted from its last line.
    pub usi_ok_within: Duration,
    /// How long a search may go on after `stop`.
    pub stopped_within: Duration,
    /// Whether and when an engine that ended is started again.
    pub restarts: Restarts,
    /// What is known of engines.
    pub presets: Presets,
    /// The engine's own options, as the user has set them.
    pub options: BTreeMap<String, String>,
}

impl SessionConfig {
    /// What goes by another name in every engine.
    pub const fn numbers(&self) -> [(EngineNumber, u32); 3] {
        [
            (EngineNumber::MultiPv, self.multipv),
            (EngineNumber::Threads, self.threads),
            (EngineNumber::Hash, self.hash_mb),
        ]
    }
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            multipv: 3,
            threads: 1,
            hash_mb: 256,
            k: None,
            limit: Limit::Infinite,
            new_game_each: false,
            time_limit: Duration::from_mins(1),
            usi_ok_within: Duration::from_secs(10),
            stopped_within: Duration::from_secs(5),
            restarts: Restarts::default(),
            presets: Presets::default(),
            options: BTreeMap::new(),
        }
    }
}

/// Whether and when an engine that ended is started again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// How long to wait before the first, the second, the third …; after as many it is given up.
    pub pauses: Vec<Duration>,
    /// For how long a restart counts.
    pub within: Duration,
}

impl Restarts {
    /// An engine that ends is given up at once.
    pub const fn never() -> Self {
        Self { pauses: Vec::new(), within: Duration::ZERO }
    }
}

impl Default for Restarts {
    /// Five times in ten minutes.
    fn default() -> Self {
        let pauses = [500, 2_000, 8_000, 30_000, 30_000].map(Duration::from_millis);
        Self { pauses: pauses.into(), within: Duration::from_mins(10) }
    }
}
