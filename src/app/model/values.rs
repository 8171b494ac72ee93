//! The values that were shown, from one run to the next.

use super::{AppEffect, AppModel, Game, GameId};
use crate::app::game::{GameSource, StoredValues};
use crate::app::workspace::{WorkspaceGame, absolute};
use crate::live::LiveAddress;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most games that are not open whose values are stored on.
const MOST_CLOSED: usize = 50;

/// What is stored of the values that were shown.
#[derive(Debug, Default)]
pub(super) struct ValueStore {
    /// Those of games that are not open, the newest last.
    closed: Vec<Arc<StoredValues>>,
    /// Those of the open games, each with its version.
    open: BTreeMap<GameId, (u64, Arc<StoredValues>)>,
    /// Whether those of a game that is no longer open are not stored yet.
    has_closed: bool,
}

impl ValueStore {
    pub(super) fn new(values: Vec<StoredValues>) -> Self {
        Self { closed: values.into_iter().map(Arc::new).collect(), open: BTreeMap::new(), has_closed: false }
    }

    fn close(&mut self, values: Arc<StoredValues>) {
        self.closed.retain(|known| known.game != values.game);
        self.closed.push(values);
        self.has_closed = true;
        let surplus = self.closed.len().saturating_sub(MOST_CLOSED);
        self.closed.drain(..surplus);
    }
}

impl AppModel {
    /// Gives a game that is shown for the first time what an earlier run has shown of it.
    pub(super) fn take_values(&mut self, id: GameId) {
        let Some(name) = remembered(self.game(id)).map(|game| game.name()) else { return };
        let Some(at) = self.values.closed.iter().position(|values| values.game == name) else { return };
        let values = self.values.closed.remove(at);
        if let Some(game) = self.game_mut(id) {
            game.restore_values(&values);
        }
    }

    /// Keeps the values of a game before it is closed, or shows another record.
    pub(super) fn close_values(&mut self, id: GameId) {
        let game = self.game(id);
        let name = remembered(game).filter(|_| game.has_values()).map(|game| game.name());
        if let Some(values) = name.map(|name| Arc::new(game.stored_values(name))) {
            self.values.open.remove(&id);
            self.values.close(values);
        }
    }

    /// Stores the values of the games that have changed since the last time.
    pub(super) fn store_values(&mut self) {
        let mut open = BTreeMap::new();
        let mut has_changed = std::mem::take(&mut self.values.has_closed);
        for (id, game) in self.games.iter().filter(|(_, game)| game.has_values()) {
            let Some(name) = remembered(game).map(|game| game.name()) else { continue };
            let version = game.values_version();
            let known = self.values.open.remove(id);
            let same =
                known.filter(|(known, values)| *known == version && values.game == name).map(|(_, values)| values);
            has_changed |= same.is_none();
            open.insert(*id, (version, same.unwrap_or_else(|| Arc::new(game.stored_values(name)))));
        }
        self.values.open = open;
        if has_changed {
            let open = self.values.open.values().map(|(_, values)| values);
            self.effects.push(AppEffect::StoreValues(self.values.closed.iter().chain(open).cloned().collect()));
        }
    }
}

/// What is remembered of a game; `None` for one without a file or an address.
pub(super) fn remembered(game: &Game) -> Option<WorkspaceGame> {
    let source = game.source().map(GameSource::address).or(game.open_at.source.as_ref());
    let source = source.filter(|address| !matches!(address, LiveAddress::Clipboard | LiveAddress::Screen(_)));
    // As it is shown, an address has no password.
    let address = source.map(ToString::to_string).unwrap_or_default();
    let path = game.path().map(absolute).filter(|path| path.to_str().is_some());
    let path = path.or_else(|| (!address.is_empty()).then(Default::default))?;
    let document = game.document();
    let is_read = game.unread.is_none() && game.file.opening_path().is_none() && !game.awaits_source();
    // The last position of a game in progress is followed.
    let is_followed = document.is_at_tip() && document.record().decisive_end().is_none();
    let ply = if is_read { Some(document.place()).filter(|_| !is_followed) } else { game.open_at.ply };
    let number = if is_read { game.file.game_titles().1 } else { game.open_at.game };
    let line = if is_read { game.variation() } else { game.open_at.line.clone() };
    Some(WorkspaceGame { path, address, game: number, ply, line })
}
