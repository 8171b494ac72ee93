//! The life cycle of one engine: its process, its commands and its output.
//!
//! [`core`] implements the life cycle as a pure function of events. [`Session`] runs the core with a real
//! program, real threads and a real clock.

pub mod core;
mod recorder;
mod shell;
mod snapshot;
mod stderr_tail;
mod target;
mod timeouts;

pub use recorder::TrafficRecorder;
pub use shell::Session;
pub use snapshot::{
    EngineFailure, EngineState, FailureKind, MateOutcome, MateSearch, Restart, SearchResult, Snapshot,
};
pub use target::SearchTarget;
pub use timeouts::FIRST_OUTPUT_TIMEOUT;

use crate::options::{EngineNumber, Limit, OptionRequest, Presets};
use shogibar_shogi::score::WinRateModel;
use std::collections::BTreeMap;
use std::time::Duration;

/// The configuration of an engine session.
#[derive(Clone, Debug, PartialEq)]
pub struct SessionConfig {
    /// The number of candidates to request, from 1.
    pub multipv: u32,
    /// The number of threads that the engine may use, from 1.
    pub threads: u32,
    /// The size of the hash table, in MB.
    pub hash_mb: u32,
    /// The win-rate model; `None` unless the user has set it.
    pub model: Option<WinRateModel>,
    /// The limit after which the search of a position ends.
    pub limit: Limit,
    /// Whether the user has chosen the limit for this engine. Otherwise the time limit of the target applies.
    pub has_user_limit: bool,
    /// Whether every search is a separate game.
    ///
    /// The engine gets `isready` and `usinewgame` before each search, so that no value depends on earlier searches. A
    /// limit in nodes or plies is also sent to the engine, which then stops by its count. A `stop` would arrive at a
    /// random moment.
    pub new_game_per_search: bool,
    /// The longest time for a position; `None` where a search continues until the position changes. This time applies
    /// to every limit that is not a time.
    pub time_limit: Option<Duration>,
    /// The longest wait for `usiok`, counted from the engine's last line.
    pub usi_ok_timeout: Duration,
    /// The longest time that a search may continue after `stop`.
    pub stop_timeout: Duration,
    /// The policy for restarting an engine that ended.
    pub restart_policy: RestartPolicy,
    /// The presets for known engines.
    pub presets: Presets,
    /// The values that the user has set for the options of the engine.
    pub options: BTreeMap<String, String>,
}

impl SessionConfig {
    /// Returns the options to send to the engine before its first search.
    pub const fn option_request(&self) -> OptionRequest<'_> {
        let numbers = [
            (EngineNumber::MultiPv, self.multipv),
            (EngineNumber::Threads, self.threads),
            (EngineNumber::Hash, self.hash_mb),
        ];
        OptionRequest {
            numbers,
            presets: &self.presets,
            options: &self.options,
        }
    }
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            multipv: 3,
            threads: 1,
            hash_mb: 256,
            model: None,
            limit: Limit::Infinite,
            has_user_limit: false,
            new_game_per_search: false,
            time_limit: None,
            usi_ok_timeout: timeouts::USI_OK_TIMEOUT,
            stop_timeout: timeouts::STOP_TIMEOUT,
            restart_policy: RestartPolicy::default(),
            presets: Presets::default(),
            options: BTreeMap::new(),
        }
    }
}

/// The policy for restarting an engine that ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestartPolicy {
    /// The pauses before the restarts, one for each. After the last of these restarts the engine is given up.
    pub pauses: Vec<Duration>,
    /// The period in which a restart counts towards the limit.
    pub period: Duration,
}

impl RestartPolicy {
    /// Creates a policy without restarts.
    pub const fn never() -> Self {
        Self {
            pauses: Vec::new(),
            period: Duration::ZERO,
        }
    }
}

impl Default for RestartPolicy {
    /// Creates a policy that allows five restarts in ten minutes.
    fn default() -> Self {
        let pauses = [500, 2_000, 8_000, 30_000, 30_000].map(Duration::from_millis);
        Self {
            pauses: pauses.into(),
            period: Duration::from_mins(10),
        }
    }
}
