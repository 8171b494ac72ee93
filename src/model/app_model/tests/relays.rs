//! The relays of a random history: games that other programs play.

use super::{Fault, ModelSimulation, value_of};
use crate::app_model::AppEvent;
use crate::ids::RelayId;
use crate::observed_game::ObservedGame;
use shogibar_engine::observer::{Candidate, SearchInfo, SearchStats};
use shogibar_engine::session::{EngineState, Snapshot};
use shogibar_shogi::score::Value;
use shogibar_shogi::{History, Move, Position};
use std::sync::Arc;

/// The moves of the games.
const MOVES: [&str; 5] = ["7g7f", "3c3d", "2g2f", "8c8d", "6i7h"];
/// The move by which a game branches off.
const BRANCH_MOVE: &str = "5g5f";

/// A simulated relay that is connected.
pub(super) struct TestRelay {
    id: RelayId,
    number: u64,
    /// The number of moves of the game.
    count: usize,
    branches: bool,
}

impl TestRelay {
    /// Returns the first `count` moves of the game of the relay.
    fn history(&self, count: usize) -> Arc<History> {
        let mut history = History::new(Position::startpos());
        for word in MOVES.iter().take(count) {
            let word = if self.branches && history.moves().len() == 2 {
                BRANCH_MOVE
            } else {
                word
            };
            if history.play(Move::from_usi(word).unwrap()).is_err() {
                break;
            }
        }
        Arc::new(history)
    }
}

impl ModelSimulation {
    /// Connects a relay, unless there are three. `shares_bar`: whether two relays share a bar.
    pub(super) fn connect_relay(&mut self, shares_bar: bool) {
        if self.relays.len() >= 3 {
            return;
        }
        self.set(|settings| settings.shares_relay_bar = shares_bar);
        self.versions += 1;
        let relay = TestRelay {
            id: RelayId(self.versions),
            number: 0,
            count: 0,
            branches: false,
        };
        let name = ["x", "relay", "/a/relay"][self.relays.len()];
        self.handle(AppEvent::RelayConnected(relay.id, name.to_owned()));
        self.relays.push(relay);
    }

    /// Changes the game of a relay, in the way of `what`: a move, a move back, another game, another branch. The
    /// relay's engine reports a value of the position, or of the next one while it ponders.
    pub(super) fn change_relay(&mut self, nth: usize, what: u8) {
        let Some(relay) = self.relays.get_mut(nth) else {
            return;
        };
        match what % 8 {
            0 => relay.count = relay.count.saturating_sub(1),
            1 => (relay.number, relay.count) = (relay.number + 1, 0),
            2 => relay.branches = !relay.branches,
            _ => relay.count = (relay.count + 1).min(MOVES.len()),
        }
        let ponders = what & 16 != 0;
        let position = relay.history(relay.count);
        let searched = if ponders {
            relay.history(relay.count + 1)
        } else {
            Arc::clone(&position)
        };
        let (id, number) = (relay.id, relay.number);
        let value = value_of(&searched);
        let best = Candidate {
            rank: 1,
            value: Value::Cp(value),
            bound: None,
            depth: Some(9),
            pv: Vec::new(),
        };
        let info = SearchInfo {
            history: searched,
            candidates: vec![best],
            stats: SearchStats::default(),
        };
        let snapshot = Snapshot {
            state: EngineState::Thinking,
            search_info: (what & 32 == 0).then_some(info),
            multipv: 1,
            ..Snapshot::default()
        };
        let observed = ObservedGame {
            position: Some(Arc::clone(&position)),
            number,
            snapshot,
            ..ObservedGame::default()
        };
        let id = if self.fault == Fault::ConfusesRelays {
            self.relays[0].id
        } else {
            id
        };
        self.handle(AppEvent::RelayChanged(id, Box::new(observed)));
        self.check_relay(nth, &position);
    }

    pub(super) fn end_relay(&mut self, nth: usize) {
        if nth < self.relays.len() {
            let relay = self.relays.remove(nth);
            self.handle(AppEvent::RelayEnded(relay.id, None));
        }
    }

    /// Checks that the record of the relay's game has its moves, unless the user has replaced it.
    fn check_relay(&mut self, nth: usize, position: &Arc<History>) {
        let relay = self.relays[nth].id;
        if self.model.waiting_relays.contains_key(&relay) {
            self.fail("a relay that has a position is not shown");
        }
        let is_shown = self.model.bars.iter().any(|entry| {
            entry
                .bar
                .engines()
                .iter()
                .any(|engine| engine.info.relay == Some(relay))
        });
        let game = match self.model.relay_games.get(&relay) {
            Some(game) if is_shown => game,
            _ => return,
        };
        let sharing = self
            .model
            .relay_games
            .values()
            .filter(|other| *other == game)
            .count();
        let record = self.model.game(*game).document().record();
        let path = position
            .moves()
            .iter()
            .try_fold(shogibar_kifu::NodeId::START, |node, mv| {
                record.child_by(node, *mv)
            });
        // Relays that share a bar play one game; those of a test may not.
        if path.is_none() && sharing == 1 {
            self.fail("a move of a relay's game is missing");
        }
    }
}
