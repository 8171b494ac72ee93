//! The search target of an engine session.

use crate::options::Limit;
use crate::shogi::History;
use std::sync::Arc;
use std::time::Duration;

/// The search target of an engine. A newer target replaces an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTarget {
    /// The position to search; `None` to search nothing.
    pub position: Option<Arc<History>>,
    /// Whether the engine is paused: the process is kept, and searches nothing.
    pub paused: bool,
    /// The limit for this position; `None` for the limit in the [settings](super::SessionConfig).
    pub limit: Option<Limit>,
    /// The longest time for this position where nothing else limits it: neither `limit` nor the engine's own, if the user has
    /// chosen that; `None` for none.
    pub time_limit: Option<Duration>,
    /// Whether only a mate is searched (`go mate`). The limit does not apply.
    pub mate: bool,
    /// Whether the engine plays a game, and this is its turn: it is told a limit in nodes or plies itself, and `time_limit`
    /// holds beside every limit.
    pub plays: bool,
}

impl SearchTarget {
    /// Returns the position to search now; `None` while paused.
    pub(super) fn position_to_search(&self) -> Option<&Arc<History>> {
        self.position.as_ref().filter(|_| !self.paused)
    }
}

impl From<Option<Arc<History>>> for SearchTarget {
    fn from(position: Option<Arc<History>>) -> Self {
        Self { position, ..Self::default() }
    }
}
