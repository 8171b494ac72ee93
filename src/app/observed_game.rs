//! A game that a shogi GUI plays or analyses with an engine behind a relay, as it is now. No side effects.

use crate::observer::{GuiObserver, ObservedState};
use crate::options::{EngineNumber, Presets, declared_model};
use crate::score::Model;
use crate::session::{EngineState, SearchResult, Snapshot};
use crate::shogi::History;
use std::sync::Arc;

/// The game of a relay, and what the engine says of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObservedGame {
    /// The position of the game; `None` before the first search, and where it cannot be read.
    pub position: Option<Arc<History>>,
    /// The number of games that the relay has seen begin.
    pub number: u64,
    /// Whether the GUI has said that the game is over.
    pub is_over: bool,
    /// The time left to Black and White when the engine last began to search, in milliseconds.
    pub clocks: [Option<u64>; 2],
    /// The state of the engine.
    pub snapshot: Snapshot,
}

impl ObservedGame {
    /// Returns the game of a conversation. `model` is the one of the user's profile, if there is one.
    pub fn from_observer(observer: &mut GuiObserver, model: Option<Model>, presets: &Presets) -> Self {
        let identity = observer.identity().cloned().unwrap_or_default();
        let model = model.or_else(|| declared_model(&identity.options, observer.options()));
        let candidates = observer.options().iter().filter_map(|(name, value)| {
            let value = value.parse().ok().filter(|count| *count > 0);
            value.filter(|_| EngineNumber::from_option(name) == Some(EngineNumber::MultiPv))
        });
        let state = match observer.state() {
            ObservedState::Starting => EngineState::Starting,
            ObservedState::Preparing => EngineState::Preparing,
            ObservedState::Idle if observer.result().is_none() => EngineState::Waiting,
            ObservedState::Idle => EngineState::Idle,
            ObservedState::Thinking => EngineState::Thinking,
            ObservedState::Pondering(expected) => EngineState::Pondering(expected),
        };
        let result =
            observer.result().map(|(history, best)| SearchResult { history: Arc::clone(history), best: *best });
        let snapshot = Snapshot {
            model: model.unwrap_or_else(|| presets.model_of(&identity.name)),
            engine: identity.name,
            state,
            multipv: candidates.max().unwrap_or(1),
            result,
            search_info: observer.shown(),
            ..Snapshot::default()
        };
        let clocks = observer.clocks().map(|clocks| clocks.left).unwrap_or_default();
        Self {
            position: observer.position().cloned(),
            number: observer.games(),
            is_over: observer.is_over(),
            clocks,
            snapshot,
        }
    }
}
