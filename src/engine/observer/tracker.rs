//! Assigns each line of an engine's output to a search, and each search to its position.

use crate::score::{Bound, Value};
use crate::shogi::History;
use crate::usi::{Reply, Score, SearchId, SearchQueue, UsiCommand};
use std::sync::Arc;

/// The searches that an engine has not answered yet, with their positions. Lines printed after a new `position` still
/// belong to the old search, whose side to move is the other one.
#[derive(Clone, Debug, Default)]
pub struct SearchTracker {
    position: Option<Arc<History>>,
    searches: SearchQueue<Option<Arc<History>>>,
    /// The search whose results are still of use: the newest, until another command replaces it.
    wanted: Option<SearchId>,
}

/// A search that was requested from an engine.
#[derive(Clone, Debug)]
pub struct TrackedSearch {
    /// The identifier of the search.
    pub id: SearchId,
    /// The position searched. `None` where it could not be read or contains an illegal move: what the engine
    /// makes of such a position is unknown.
    pub history: Option<Arc<History>>,
    /// Whether the results are still of use: no newer command replaces them.
    pub wanted: bool,
}

impl TrackedSearch {
    /// Converts a score of this search to Black's view, with its bound. Returns `None` where the position, and
    /// with it the side to move, is unknown. Scores are converted only here.
    pub fn score_for_black(&self, score: Score) -> Option<(Value, Option<Bound>)> {
        let side = self.history.as_ref()?.now().side_to_move();
        Some((score.raw.for_black(side), score.bound.map(|bound| bound.for_black(side))))
    }
}

impl SearchTracker {
    /// Records a line sent to the engine.
    pub fn on_sent(&mut self, line: &str) {
        match UsiCommand::parse(line) {
            UsiCommand::Position(text) => self.set_position(History::from_usi(text).ok().map(Arc::new)),
            UsiCommand::Go(_) => self.start(),
            UsiCommand::NewGame | UsiCommand::Quit => self.wanted = None,
            UsiCommand::Usi => self.reset(),
            UsiCommand::IsReady
            | UsiCommand::SetOption(_)
            | UsiCommand::Stop
            | UsiCommand::PonderHit(_)
            | UsiCommand::GameOver(_)
            | UsiCommand::Other(_) => {}
        }
    }

    /// Records a `position` command, for a caller that has its history.
    pub fn on_position(&mut self, history: Arc<History>) {
        self.set_position(Some(history));
    }

    /// Drops pending searches after a restart, since another process answers from now on. A `usi` that is
    /// sent has the same effect: an engine gets it only after its start.
    pub fn reset(&mut self) {
        self.position = None;
        self.wanted = None;
        self.searches.clear();
    }

    /// Records a line of output and returns the search that it belongs to; `None` for a line outside
    /// any search.
    pub fn on_received(&mut self, reply: &Reply) -> Option<TrackedSearch> {
        self.searches.on_received(reply).map(|(id, history)| self.tracked(id, history))
    }

    /// Returns the search in progress: the oldest without an answer.
    pub fn current(&self) -> Option<TrackedSearch> {
        self.searches.oldest().map(|(id, history)| self.tracked(*id, history.clone()))
    }

    fn tracked(&self, id: SearchId, history: Option<Arc<History>>) -> TrackedSearch {
        TrackedSearch { id, history, wanted: self.wanted == Some(id) }
    }

    fn set_position(&mut self, position: Option<Arc<History>>) {
        self.position = position;
        self.wanted = None;
    }

    fn start(&mut self) {
        self.wanted = Some(self.searches.push(self.position.clone()));
    }
}
