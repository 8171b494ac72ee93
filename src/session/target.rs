//! What is wanted of an engine.

use crate::config::Limit;
use crate::shogi::History;
use std::sync::Arc;

/// What is wanted of an engine. The newest wish counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTarget {
    /// The position to search; `None` to search nothing.
    pub position: Option<Arc<History>>,
    /// Whether the engine is to rest: it is kept as it is, and searches nothing.
    pub paused: bool,
    /// When this position has been searched enough; `None` for the limit in the [settings](super::Settings).
    pub limit: Option<Limit>,
}

impl SearchTarget {
    /// What is to be searched now.
    pub(super) fn search(&self) -> Option<&Arc<History>> {
        self.position.as_ref().filter(|_| !self.paused)
    }
}

impl From<Option<Arc<History>>> for SearchTarget {
    fn from(position: Option<Arc<History>>) -> Self {
        Self { position, ..Self::default() }
    }
}
