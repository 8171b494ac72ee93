//! What an analysis is to be like.

use super::AnalysisScope;
use crate::config::Limit;
use crate::kifu::evaluation::Dialect;
use std::time::Duration;

/// What an analysis is to be like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The engines, by what the user calls them, each of which searches every position; the usual one where none is named.
    pub engines: Vec<String>,
    /// How many engines run at once, at least; each of those named runs, and copies of one share its positions.
    pub jobs: usize,
    /// When a position has been searched enough.
    pub limit: Limit,
    /// How many lines they are asked for.
    pub multipv: u32,
    /// Threads for each; what its profile says, or what suits the machine, where nothing is said.
    pub threads: Option<u32>,
    /// The same for the memory of its table, in MB.
    pub hash_mb: Option<u32>,
    /// Which positions.
    pub scope: AnalysisScope,
    /// Whether those are searched again that the same engine has searched by the same limit.
    pub again: bool,
    /// How many times as long both positions of a swing are searched again, before marks are given; below 2 they are not.
    pub deepen: u32,
    /// How evaluations are written.
    pub dialect: Dialect,
    /// Whether the engine's line is added where the move that was played has a mark.
    pub adds_variations: bool,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            engines: Vec::new(),
            jobs: 1,
            limit: Limit::Time(Duration::from_secs(1)),
            multipv: 1,
            threads: None,
            hash_mb: None,
            scope: AnalysisScope::default(),
            again: false,
            deepen: super::DEEPEN,
            dialect: Dialect::ShogiHome,
            adds_variations: false,
        }
    }
}
