//! The search target of an engine session.

use crate::options::Limit;
use shogibar_shogi::History;
use std::sync::Arc;
use std::time::Duration;

/// The search target of an engine. A newer target replaces an older one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchTarget {
    /// The position to search; `None` for no search.
    pub position: Option<Arc<History>>,
    /// Whether the engine is paused: the process keeps running, without a search.
    pub is_paused: bool,
    /// The limit for this position; `None` for the limit in the [settings](super::SessionConfig).
    pub limit: Option<Limit>,
    /// The longest time for this position if neither `limit` nor the user's limit for the engine applies. `None` for no
    /// such time.
    pub time_limit: Option<Duration>,
    /// Whether only a mate is searched (`go mate`). The limit does not apply.
    pub is_mate_search: bool,
    /// Whether the engine plays a game, and it is its turn. A limit in nodes or plies is then sent to the engine, and
    /// `time_limit` applies in addition to every limit.
    pub is_playing: bool,
}

impl SearchTarget {
    /// Returns the position to search now; `None` while paused.
    pub(super) fn position_to_search(&self) -> Option<&Arc<History>> {
        if self.is_paused {
            None
        } else {
            self.position.as_ref()
        }
    }
}

impl From<Option<Arc<History>>> for SearchTarget {
    fn from(position: Option<Arc<History>>) -> Self {
        Self {
            position,
            ..Self::default()
        }
    }
}
