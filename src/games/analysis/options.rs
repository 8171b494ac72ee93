//! What the user has chosen for an analysis.

use super::AnalysisScope;
use crate::kifu::evaluation::Dialect;
use crate::options::Limit;
use std::time::Duration;

/// What the user has chosen for an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The engines, by the user's names; each of them searches every position. If empty, the default engine is used.
    pub engines: Vec<String>,
    /// The minimum number of engine processes. Each named engine runs at least once; copies of one engine share its
    /// positions.
    pub jobs: usize,
    /// Further hosts on which each engine runs, through ssh, as `ssh` names them; several times for several copies.
    pub hosts: Vec<String>,
    /// The search limit per position.
    pub limit: Limit,
    /// The number of lines requested (`multipv`).
    pub multipv: u32,
    /// The threads per engine; `None` for the value of its profile, or one that suits the machine.
    pub threads: Option<u32>,
    /// The hash table size per engine, in MB; `None` for the default, as for the threads.
    pub hash_mb: Option<u32>,
    /// The range of positions that are searched.
    pub scope: AnalysisScope,
    /// Whether positions are searched again that the same engine has searched with the same limit.
    pub repeats_searches: bool,
    /// The factor of the limit for a second search of both positions of a swing, before marks are given. There is no
    /// second search below 2.
    pub deepen: u32,
    /// The dialect in which evaluations are written.
    pub dialect: Dialect,
    /// Whether the engine's line is added as a variation where a move has a mark.
    pub adds_variations: bool,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            jobs: 1,
            hosts: Vec::new(),
            limit: Limit::Time(Duration::from_secs(1)),
            multipv: 1,
            threads: None,
            hash_mb: None,
            scope: AnalysisScope::default(),
            repeats_searches: false,
            deepen: super::DEEPEN,
            dialect: Dialect::ShogiHome,
            adds_variations: false,
        }
    }
}
