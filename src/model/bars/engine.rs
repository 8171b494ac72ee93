//! An engine of a bar.

use crate::ids::{EngineId, RelayId};
use shogibar_games::bar::EngineReport;
use std::path::Path;

/// The parameters that an engine was started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineInfo {
    /// The user's name for the engine.
    pub name: String,
    /// Whether `name` is the name of a profile.
    pub is_profile: bool,
    /// The number of candidates (`multipv`) that the engine is asked for.
    pub candidates: u32,
    /// The number of threads of the engine.
    pub threads: u32,
    /// The relay of the engine; `None` for one that this program has started.
    pub relay: Option<RelayId>,
}

/// An engine of a bar: its parameters, and its report.
#[derive(Clone, Debug)]
pub struct BarEngine {
    /// The identity of the engine.
    pub id: EngineId,
    /// The parameters that the engine was started with.
    pub info: EngineInfo,
    /// The report of the engine.
    pub report: EngineReport,
}

/// The evaluations of a record are shown like an engine that was never started.
impl From<EngineReport> for BarEngine {
    fn from(report: EngineReport) -> Self {
        Self {
            id: EngineId::default(),
            info: EngineInfo::default(),
            report,
        }
    }
}

impl BarEngine {
    /// Creates an engine that has not reported yet.
    pub fn new(id: EngineId, info: EngineInfo) -> Self {
        // The name of an engine that was given by a path is the name of its file.
        let name = match Path::new(&info.name).file_name() {
            Some(file) if !info.is_profile => file.to_string_lossy().into_owned(),
            _ => info.name.clone(),
        };
        let report = EngineReport {
            name,
            ..EngineReport::default()
        };
        Self { id, info, report }
    }

    /// Returns whether this program has started the engine. Otherwise the engine runs behind a relay.
    pub const fn is_managed(&self) -> bool {
        self.info.relay.is_none()
    }
}
