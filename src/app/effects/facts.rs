//! Finds proved facts about the positions on view and the moves that led to them, on a separate thread.

use super::requests::RequestThread;
use shogibar_builtin::Control;
use shogibar_games::position_facts::PositionFacts;
use shogibar_games::reasons::ShownMove;
use shogibar_model::AppEvent;
use shogibar_model::ids::{BarId, GameId};
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A request for facts about a game.
#[derive(Debug)]
pub enum FactRequest {
    /// The facts of a position. This cancels all other requests for the game.
    Position(Arc<History>),
    /// The facts about the last move of a position, for a bar.
    LastMove(BarId, Box<ShownMove>),
}

/// The key of a [`FactStep`]. The thread carries out the step with the least key first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FactKey {
    Position(GameId),
    LastMove(GameId, BarId),
    /// The last key, as the search for a brinkmate takes longest.
    Brinkmate(GameId),
}

impl FactKey {
    const fn game(self) -> GameId {
        match self {
            Self::Position(game) | Self::LastMove(game, _) | Self::Brinkmate(game) => game,
        }
    }
}

/// A task of the thread that finds facts.
#[derive(Debug)]
enum FactStep {
    Position(GameId, Arc<History>),
    LastMove(BarId, Box<ShownMove>),
    Brinkmate(GameId),
}

/// The thread that finds facts about positions and last moves. Dropping it ends its search.
#[derive(Debug)]
pub struct FactThread(RequestThread<FactKey, FactStep>);

impl FactThread {
    /// Starts the thread; `done` receives the facts and reasons, as events. `None` where the system has no thread.
    pub fn start(done: impl Fn(AppEvent) + Send + 'static) -> Option<Self> {
        let mut worker = FactWorker {
            partial_facts: BTreeMap::new(),
            on_done: done,
        };
        RequestThread::start("facts", move |step, control| worker.work(step, control)).map(Self)
    }

    /// Starts to look for facts about a game.
    pub fn find(&self, game: GameId, request: FactRequest) {
        match request {
            FactRequest::Position(history) => {
                let is_of_game = |key: FactKey| key.game() == game;
                self.0.request(
                    FactKey::Position(game),
                    FactStep::Position(game, history),
                    is_of_game,
                );
                self.0
                    .request(FactKey::Brinkmate(game), FactStep::Brinkmate(game), |_| false);
            }
            FactRequest::LastMove(bar, shown) => {
                self.0.request(
                    FactKey::LastMove(game, bar),
                    FactStep::LastMove(bar, shown),
                    |_| false,
                );
            }
        }
    }
}

/// The state of the thread that finds facts.
struct FactWorker<D> {
    /// The facts of positions for which the search for a brinkmate has not ended.
    partial_facts: BTreeMap<GameId, PositionFacts>,
    on_done: D,
}

impl<D: Fn(AppEvent)> FactWorker<D> {
    /// Carries out a step, and reports its result, unless a newer request has stopped the step.
    fn work(&mut self, step: FactStep, control: &Control) {
        let found = match step {
            FactStep::Position(game, history) => {
                let facts = PositionFacts::find(history, control);
                self.partial_facts.insert(game, facts.clone());
                Some(AppEvent::Facts(game, Box::new(facts)))
            }
            FactStep::LastMove(bar, shown) => {
                let reason = shown.proved_facts(control);
                Some(AppEvent::LastReason(bar, shown, Box::new(reason)))
            }
            FactStep::Brinkmate(game) => {
                let facts = self.partial_facts.remove(&game);
                let facts = facts.and_then(|mut facts| facts.find_brinkmate(control).then_some(facts));
                facts.map(|facts| AppEvent::Facts(game, Box::new(facts)))
            }
        };
        if let Some(event) = found.filter(|_| !control.is_stopped()) {
            (self.on_done)(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_facts::{Fact, FactKind};
    use std::sync::mpsc::sync_channel;

    fn is_threat(fact: &Fact) -> bool {
        matches!(fact.kind, FactKind::ThreatOfMate { .. })
    }

    #[test]
    fn the_facts_of_the_newest_position_are_found() {
        let (sender, found) = sync_channel(16);
        let thread = FactThread::start(move |event| sender.send(event).unwrap()).unwrap();
        let position = |usi: &str| Arc::new(History::from_usi(usi).unwrap());
        let threatened = position("sfen 4k4/9/4P4/9/9/9/9/9/4K4 w G 1");
        thread.find(GameId(1), FactRequest::Position(position("startpos")));
        thread.find(GameId(2), FactRequest::Position(Arc::clone(&threatened)));
        let mut last = BTreeMap::new();
        while last.len() < 2 {
            if let AppEvent::Facts(game, facts) = found.recv().unwrap() {
                last.insert(game, facts);
            }
        }
        assert_eq!(last[&GameId(2)].history, threatened);
        assert!(last[&GameId(2)].list.iter().any(is_threat));
        assert!(last[&GameId(1)].list.is_empty());
    }
}
