//! The options of an analysis.

use super::AnalysisScope;
use shogibar_engine::options::Limit;
use shogibar_kifu::evaluation::Dialect;
use std::time::Duration;

/// The options of an analysis, as the user has chosen them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisOptions {
    /// The user's names of the engines, each of which searches every position. If empty, the default engine is used.
    pub engines: Vec<String>,
    /// The number of engine processes on this machine, at least one for each engine. Processes of the same engine share
    /// the positions.
    pub jobs: usize,
    /// The hosts on which each engine also runs through `ssh`. A host that is listed twice runs two copies.
    pub hosts: Vec<String>,
    /// The search limit per position.
    pub limit: Limit,
    /// The number of lines requested (`multipv`).
    pub multipv: u32,
    /// The threads per engine; `None` for the value of the profile, or else one that suits the machine.
    pub threads: Option<u32>,
    /// The hash per engine in MB; `None` for the value of the profile, or else one that suits the machine.
    pub hash_mb: Option<u32>,
    /// The range of positions that are searched.
    pub scope: AnalysisScope,
    /// Whether positions are searched again although the same engine has searched them with the limit or a longer one.
    pub repeats_searches: bool,
    /// The factor of the limit for a second search of both positions of a swing. Below 2 there is no second search.
    pub deepen: u32,
    /// The dialect in which evaluations are written.
    pub dialect: Dialect,
    /// Whether the judge's line is added as a variation of each move that has a mark.
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
            deepen: super::DEFAULT_DEEPEN_FACTOR,
            dialect: Dialect::ShogiHome,
            adds_variations: false,
        }
    }
}
