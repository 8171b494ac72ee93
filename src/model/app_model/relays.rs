//! Relays: the games of shogi GUIs, each with the engine behind it.

use super::{AppEffect, AppModel, BarId, EngineId, EngineInfo, MAX_ENGINES_PER_BAR};
use crate::bars::BarEngine;
use crate::ids::{FeedId, GameId, RelayId};
use crate::observed_game::ObservedGame;
use shogibar_engine::observer::SearchInfo;
use shogibar_engine::process::ExitReason;
use shogibar_engine::session::{EngineFailure, EngineState, FailureKind};
use shogibar_kifu::ClockTime;
use shogibar_shogi::score::WinRateModel;

/// The maximum number of bars that relays open.
const MAX_RELAY_BARS: usize = 16;

impl AppModel {
    /// Records a new relay. Its game is shown once it has a position: a GUI may start an engine only to list its
    /// options.
    pub(super) fn on_relay_connected(&mut self, relay: RelayId, name: String) {
        self.waiting_relays.insert(relay, name);
    }

    /// Shows the game of a relay. The bar has an ended relay of the same engine, or a blank game, or is new. Two
    /// engines that play each other may share a bar.
    fn show_relay(&mut self, relay: RelayId, name: &str) {
        let info = EngineInfo {
            name: name.to_owned(),
            // The name that the engine reports is more useful than a path.
            is_profile: !name.contains(['/', '\\']),
            candidates: 1,
            threads: 0,
            relay: Some(relay),
        };
        let bar = match self.bar_for_relay(name) {
            Some(bar) if self.replace_ended_relay(bar, &info) => return,
            Some(bar) => {
                // The first of two relays on a bar replaces the engines; the second does not replace the first.
                if self.relays_of(bar).next().is_none() {
                    self.end_engines(bar);
                }
                bar
            }
            // There are too many bars: the game is not shown.
            None if self.bars.len() >= MAX_RELAY_BARS => return,
            None => {
                let game = self.add_game();
                let is_hidden = self.bars.iter().all(|entry| entry.bar.is_hidden());
                self.add_hidden_bar(game, is_hidden)
            }
        };
        self.add_engine(bar, info);
        self.begin_relayed_game(relay, self.bar(bar).game(), name);
    }

    /// Applies a change of a relay's game.
    pub(super) fn on_relay_changed(&mut self, relay: RelayId, observed: ObservedGame) {
        if observed.position.is_some()
            && let Some(name) = self.waiting_relays.remove(&relay)
        {
            self.show_relay(relay, &name);
        }
        let Some((bar, id)) = self.relay_engine(relay) else {
            return;
        };
        if let Some(position) = &observed.position {
            let known = self.relay_games.get(&relay).copied();
            // The user may have closed the game or opened a file in its place. The relay then gets a new game.
            let game = known.filter(|game| self.game(*game).relayed_engine.is_some());
            let followed = game.and_then(|game| {
                self.game_mut(game)?
                    .follow(relay, position, observed.number)
                    .then_some(())
            });
            if followed.is_none() {
                let name = game
                    .and_then(|game| self.game(game).relayed_engine.clone())
                    .unwrap_or_default();
                let new = self.add_game();
                if game == Some(self.bar(bar).game()) {
                    self.present(bar, new);
                }
                self.begin_relayed_game(relay, new, &name);
                if let Some(game) = self.game_mut(new) {
                    game.follow(relay, position, observed.number);
                }
            }
        }
        let game = self.relay_games.get(&relay).copied();
        if let Some(game) = game.and_then(|game| self.game_mut(game)) {
            game.is_over = observed.is_over;
            if let Some((position, remaining)) = &observed.clocks {
                game.reported_clocks
                    .add(position, remaining.map(|time| time.map(ClockTime::Remaining)));
            }
        }
        let mut snapshot = observed.snapshot;
        let is_unreached = |info: &mut SearchInfo| {
            !observed.position.as_ref().is_none_or(|now| {
                now.start() == info.history.start() && now.moves().starts_with(info.history.moves())
            })
        };
        if let Some(unreached) = snapshot.search_info.take_if(is_unreached) {
            snapshot.search_info = self.store_unreached_values(bar, id, &unreached, snapshot.model);
        }
        self.on_snapshot(id, snapshot);
    }

    /// Stores values after moves that the game does not have, such as an expected move. The bar shows them once these
    /// moves are played. Returns the values that the bar shows meanwhile.
    fn store_unreached_values(
        &mut self,
        bar: BarId,
        id: EngineId,
        info: &SearchInfo,
        model: WinRateModel,
    ) -> Option<SearchInfo> {
        let entry = self.bars.iter().find(|entry| entry.id == bar)?;
        let report = &entry.bar.engine(id)?.report;
        let (game, name, shown) = (
            entry.bar.game(),
            report.name.clone(),
            report.snapshot.search_info.clone(),
        );
        self.game_mut(game)?.add_values(&name, info, model);
        shown
    }

    /// Records the end of a relay. The relay's values stay on the bar, in grey.
    pub(super) fn on_relay_ended(&mut self, relay: RelayId, failure: Option<ExitReason>) {
        self.waiting_relays.remove(&relay);
        if let Some(game) = self
            .relay_games
            .get(&relay)
            .copied()
            .and_then(|game| self.game_mut(game))
        {
            game.stop_following(FeedId::Relay(relay));
        }
        let Some((bar, id)) = self.relay_engine(relay) else {
            return;
        };
        let report = self.bar(bar).engine(id).map(|engine| &engine.report);
        if let Some(report) = report {
            let mut snapshot = report.snapshot.clone();
            snapshot.is_from_old_process = true;
            snapshot.state = failure.map_or(EngineState::Disconnected, |reason| {
                let kind = FailureKind::Crashed(Some(reason));
                EngineState::Failed(EngineFailure {
                    kind,
                    last_lines: Vec::new(),
                    restart_count: 0,
                })
            });
            self.on_snapshot(id, snapshot);
        }
    }

    /// Makes a game the one of a relay. `name` is the path or name of the relay's engine.
    fn begin_relayed_game(&mut self, relay: RelayId, game: GameId, name: &str) {
        self.relay_games.insert(relay, game);
        if let Some(game) = self.game_mut(game) {
            let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
            game.relayed_engine.get_or_insert_with(|| file.to_owned());
        }
    }

    /// Returns the bar for a new relay of the engine `name`; `None` if a new bar is needed.
    fn bar_for_relay(&self, name: &str) -> Option<BarId> {
        let bars = || self.window_bars().map(|(bar, _)| bar);
        let ended = bars().find(|bar| {
            self.relays_of(*bar)
                .any(|(engine, is_ended)| is_ended && engine.info.name == name)
        });
        let shared = || {
            if !self.settings.shares_relay_bar {
                return None;
            }
            let has_room = |bar: &BarId| {
                let mut relays = self.relays_of(*bar);
                let is_live = relays.next().is_some_and(|(_, is_ended)| !is_ended);
                is_live && relays.next().is_none() && self.engine_names(*bar).len() < MAX_ENGINES_PER_BAR
            };
            // Another bar or the pages may be locked to the game, too.
            let is_locked = |bar: &BarId| {
                self.outputs_of(self.bar(*bar).game())
                    .into_iter()
                    .any(|output| self.is_locked(output))
            };
            bars().find(|bar| !is_locked(bar) && has_room(bar))
        };
        ended
            .or_else(shared)
            .or_else(|| bars().find(|bar| self.is_free(*bar)))
    }

    /// Returns the engines of a bar that run behind relays, and whether each relay has ended.
    pub(super) fn relays_of(&self, bar: BarId) -> impl Iterator<Item = (&BarEngine, bool)> {
        let relays = self
            .bar(bar)
            .engines()
            .iter()
            .filter(|engine| !engine.is_managed());
        relays.map(|engine| {
            (
                engine,
                matches!(
                    engine.report.snapshot.state,
                    EngineState::Disconnected | EngineState::Failed(_)
                ),
            )
        })
    }

    /// Replaces an ended relay of this engine by a new one. Returns whether there was one.
    fn replace_ended_relay(&mut self, bar: BarId, info: &EngineInfo) -> bool {
        let ended = self
            .relays_of(bar)
            .find(|(old, is_ended)| *is_ended && old.info.name == info.name);
        let Some((old, relay)) = ended.map(|(old, _)| (old.id, old.info.relay)) else {
            return false;
        };
        if let (Some(game), Some(new)) = (relay.and_then(|old| self.relay_games.remove(&old)), info.relay) {
            self.relay_games.insert(new, game);
        }
        let id = EngineId(self.next_id());
        // The values of the old relay stay until the new one has values.
        if let Some(engine) = self.entry_mut(bar).and_then(|entry| entry.bar.engine_mut(old)) {
            (engine.id, engine.info) = (id, info.clone());
        }
        true
    }

    fn end_engines(&mut self, bar: BarId) {
        let Some(entry) = self.entry_mut(bar) else { return };
        let ended: Vec<_> = entry
            .bar
            .managed_engines()
            .map(|engine| AppEffect::EndEngine(engine.id))
            .collect();
        entry.displace_engines();
        self.effects.extend(ended);
    }

    fn relay_engine(&self, relay: RelayId) -> Option<(BarId, EngineId)> {
        self.bars.iter().find_map(|entry| {
            let mut engines = entry.bar.engines().iter();
            let engine = engines.find(|engine| engine.info.relay == Some(relay))?;
            Some((entry.id, engine.id))
        })
    }
}
