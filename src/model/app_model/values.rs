//! The values that engines have shown, stored for the next run.

use super::{AppEffect, AppModel, Game, GameId};
use crate::game::{GameSource, StoredValues};
use crate::workspace::{WorkspaceGame, absolute};
use shogibar_live::LiveAddress;
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The maximum number of closed games whose values remain stored.
const MAX_CLOSED_GAMES: usize = 50;

/// The values of closed and open games that are stored for the next run.
#[derive(Debug, Default)]
pub(super) struct ValueStore {
    /// The values of closed games, the newest last.
    closed_values: Vec<Arc<StoredValues>>,
    open_games: BTreeMap<GameId, (u64, Arc<StoredValues>)>,
    /// Whether some of `closed_values` are not stored yet.
    has_archived: bool,
}

impl ValueStore {
    pub(super) fn new(values: Vec<StoredValues>) -> Self {
        let mut store = Self::default();
        for values in values {
            store.archive(values);
        }
        store.has_archived = false;
        store
    }

    /// Stores the values of a game that is no longer open.
    pub(super) fn archive(&mut self, values: StoredValues) {
        self.closed_values.retain(|known| known.game != values.game);
        self.closed_values.push(Arc::new(values));
        self.has_archived = true;
        let surplus = self.closed_values.len().saturating_sub(MAX_CLOSED_GAMES);
        self.closed_values.drain(..surplus);
    }
}

impl AppModel {
    /// Returns the stored shares of a game that is not open, by ply up to a position; empty without stored values.
    pub(super) fn stored_shares(&self, game: &WorkspaceGame, history: &History) -> Vec<Option<f32>> {
        let stored = self
            .values
            .closed_values
            .iter()
            .find(|values| values.game == game.name());
        stored.map(|values| values.shares(history)).unwrap_or_default()
    }

    /// Restores the stored values of a game, when its record is shown for the first time.
    pub(super) fn restore_values(&mut self, id: GameId) {
        let Some(name) = stored_game(self.game(id)).map(|game| game.name()) else {
            return;
        };
        let Some(at) = self
            .values
            .closed_values
            .iter()
            .position(|values| values.game == name)
        else {
            return;
        };
        let values = self.values.closed_values.remove(at);
        if let Some(game) = self.game_mut(id) {
            game.restore_values(&values);
        }
    }

    /// Stores the values of all games, if any have changed since the last call.
    pub(super) fn store_values(&mut self) {
        let mut open = BTreeMap::new();
        let mut has_changed = false;
        for (id, game) in &mut self.games {
            for values in std::mem::take(&mut game.unstored_values) {
                self.values.archive(values);
            }
            // While another file is being read, the values belong to the former record.
            if is_read(game) {
                game.values_name = stored_game(game).map(|game| game.name());
            }
            let (Some(version), Some(name)) = (game.values_version(), game.values_name) else {
                continue;
            };
            let known = self.values.open_games.remove(id);
            let same = known
                .filter(|(known, values)| *known == version && values.game == name)
                .map(|(_, values)| values);
            has_changed |= same.is_none();
            let Some(values) = same.or_else(|| game.stored_values().map(Arc::new)) else {
                continue;
            };
            open.insert(*id, (version, values));
        }
        has_changed |= std::mem::take(&mut self.values.has_archived);
        self.values.open_games = open;
        if has_changed {
            let is_open = |name: u64| {
                self.values
                    .open_games
                    .values()
                    .any(|(_, values)| values.game == name)
            };
            let closed = self
                .values
                .closed_values
                .iter()
                .filter(|values| !is_open(values.game));
            let open = self.values.open_games.values().map(|(_, values)| values);
            let all = closed.chain(open).cloned().collect();
            self.effects.push(AppEffect::StoreValues(all));
        }
    }
}

/// Returns whether a game shows the content of its file or its source.
pub(super) fn is_read(game: &Game) -> bool {
    game.unread_path.is_none() && game.file.opening_path().is_none() && !game.awaits_source()
}

/// Returns the stored data of a game; `None` for one without a file or an address.
pub(super) fn stored_game(game: &Game) -> Option<WorkspaceGame> {
    let source = game
        .source()
        .map(GameSource::address)
        .or(game.open_at.source.as_ref());
    let source = source.filter(|address| !matches!(address, LiveAddress::Clipboard | LiveAddress::Screen(_)));
    // The displayed form of an address has no password.
    let address = source.map(ToString::to_string).unwrap_or_default();
    let path = game.path().map(absolute).filter(|path| path.to_str().is_some());
    let path = path.or_else(|| (!address.is_empty()).then(Default::default))?;
    let document = game.document();
    let is_read = is_read(game);
    // The last position of a game in progress is followed.
    let is_followed = document.is_at_tip() && document.record().decisive_end().is_none();
    let ply = if is_read {
        (!is_followed).then_some(document.ply())
    } else {
        game.open_at.ply
    };
    let number = if is_read {
        game.file.game_titles().1
    } else {
        game.open_at.game
    };
    let line = if is_read {
        game.variation()
    } else {
        game.open_at.line.clone()
    };
    Some(WorkspaceGame {
        path,
        address,
        game: number,
        ply,
        line,
        ..WorkspaceGame::default()
    })
}
