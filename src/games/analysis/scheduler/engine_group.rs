//! The engines of an analysis that share the positions.

use super::WorkerStatus;
use shogibar_shogi::score::WinRateModel;

/// The engines with one signature, which share the positions of every game.
#[derive(Debug)]
pub(super) struct EngineGroup {
    /// The index of the first engine of the group.
    pub(super) engine: usize,
    /// The signature of the results in the first pass.
    pub(super) signature: String,
    /// The signature of the second pass; empty if there is none.
    pub(super) deep_signature: String,
    pub(super) model: WinRateModel,
}

impl EngineGroup {
    pub(super) fn new(engine: usize, status: &WorkerStatus) -> Self {
        let (signature, deep_signature) = (status.signature.clone(), status.deep_signature.clone());
        Self {
            engine,
            signature,
            deep_signature,
            model: status.model,
        }
    }
}
