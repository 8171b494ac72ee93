//! Shared engines: the engines of the bars search more games in turn than there are bars.

use super::turns::TurnRequest;
use super::{AppEffect, AppModel, BarEntry, EngineId};
use crate::bar::{BarNotice, EngineReport};
use crate::game::{Game, GameSource};
use crate::ids::GameId;
use crate::observer::SearchInfo;
use crate::session::Snapshot;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

/// The maximum number of bars that are added automatically for sources opened together.
pub(super) const MAX_SHARED_BARS: usize = 4;

/// The games without a bar that the engines of the bars also search, in turn with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EngineSharing {
    /// No game without a bar.
    Off,
    /// The games whose source is running.
    Live,
    /// All games, with or without a source.
    All,
}

impl AppModel {
    /// Returns whether games without a bar are also searched.
    pub const fn shares_engines(&self) -> bool {
        !matches!(self.engine_sharing, EngineSharing::Off)
    }

    /// Sets whether the engines of the bars also search live games without a bar.
    pub(super) fn share_with_live_games(&mut self, shares: bool) {
        self.engine_sharing = if shares { EngineSharing::Live } else { EngineSharing::Off };
        self.set_targets();
    }

    /// Returns the reason why a game cannot be shown: its file cannot be read, or its source has refused it.
    pub fn game_problem(&self, id: GameId) -> Option<BarNotice> {
        let game = self.game(id);
        let notice = game.unreadable().or_else(|| game.source_notice()).map(|notice| notice.text(self.settings.lang));
        notice.filter(|notice| notice.is_failure)
    }

    /// Returns the number of engine sets and the number of games, if the games are searched in turn.
    pub fn shared_engines(&self) -> Option<(usize, usize)> {
        Some(self.turns.counts()).filter(|_| self.turns.is_needed())
    }

    /// Returns the report with the stored values of a game without a bar. `None` if no engine searches the game, and
    /// none has searched its position.
    pub(crate) fn shared_report(&self, game: GameId) -> Option<EngineReport> {
        let bar = self.bar(self.study_bar);
        let lead = &bar.lead_engine()?.report;
        let (shown, is_searched) = (self.game(game), self.shares_engines());
        // A value of another position is shown only if a search will replace it.
        let is_of_this = |info: &&SearchInfo| is_searched || info.history == *shown.history();
        let search_info = shown.latest_values(&lead.name).filter(is_of_this).cloned();
        if search_info.is_none() && !is_searched {
            return None;
        }
        let snapshot = Snapshot { search_info, result: None, mate: None, ..lead.snapshot.clone() };
        Some(EngineReport { snapshot, ..lead.clone() })
    }

    /// Goes to the newest position of a game, and reads its file if it was not read yet.
    pub(super) fn show_newest(&mut self, id: GameId) {
        if let Some(game) = self.game_mut(id) {
            game.go_to(usize::MAX);
        }
        self.read_file(id);
    }

    /// Counts a tick, and changes the turns, if the games are searched in turn.
    pub(super) fn on_tick(&mut self) {
        if self.turns.is_needed() {
            self.turns.tick();
            self.set_targets();
        }
    }

    /// Decides which bar's engines search which game.
    pub(super) fn update_turns(&mut self) {
        let is_free = |entry: &&BarEntry| {
            let asks = self
                .game(entry.bar.game())
                .inquiry()
                .is_some_and(|inquiry| inquiry.answer.is_none() && !inquiry.is_built_in);
            entry.bar.managed_engines().next().is_some()
                && !entry.bar.is_paused_now()
                && !entry.bar.has_failed()
                && !asks
                && !self.is_preview(entry.id)
        };
        let bars: Vec<_> = self.bars.iter().filter(is_free).map(|entry| entry.id).collect();
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let is_own = |game: &GameId| {
            let mut shown = self.bars.iter().filter(|entry| entry.bar.game() == *game && !bars.contains(&entry.id));
            shown.any(|entry| entry.bar.has_only_relays() || entry.bar.managed_engines().next().is_some())
        };
        let is_wanted = |id: GameId, game: &Game| match self.engine_sharing {
            EngineSharing::Off => false,
            EngineSharing::Live => {
                self.window_bars().any(|(_, bar)| bar.game() == id) || game.source().is_some_and(GameSource::is_running)
            }
            EngineSharing::All => true,
        };
        let wanted =
            self.games.iter().filter(|(id, game)| is_wanted(*id, game) && !is_own(id) && !self.hides_values(*id));
        let requests = wanted.filter_map(|(id, game)| {
            let position = hasher.hash_one(game.search_position()?);
            Some(TurnRequest { game: *id, position })
        });
        let requests: Vec<_> = requests.collect();
        self.turns.update(&bars, &requests);
        let needs_ticks = self.turns.is_needed() || self.is_engine_game_clock_running() || self.has_delay();
        if needs_ticks != self.is_ticking {
            self.is_ticking = needs_ticks;
            self.effects.push(AppEffect::SetTicking(self.is_ticking));
        }
    }

    /// Stores the values of a snapshot with all other games that have the searched position. Returns the snapshot for
    /// the bar, with its former values if the bar's game does not have the position.
    pub(super) fn store_values_of_other_games(&mut self, bar: usize, id: EngineId, snapshot: Snapshot) -> Snapshot {
        let Some(entry) = self.bars.get(bar).filter(|_| self.turns.is_needed()) else { return snapshot };
        let Some(report) = entry.bar.engine(id).map(|engine| &engine.report) else { return snapshot };
        let Some(info) = &snapshot.search_info else { return snapshot };
        let shown = entry.bar.game();
        let (name, before) = (report.name.clone(), report.snapshot.clone());
        // Several games may have this position. The values are stored with each.
        for (_, game) in self.games.iter_mut().filter(|(id, _)| *id != shown) {
            if game.search_position() == Some(&info.history) {
                game.add_values(&name, info, snapshot.model);
            }
        }
        if self.game(shown).search_position() == Some(&info.history) {
            return snapshot;
        }
        Snapshot { search_info: before.search_info, result: before.result, ..snapshot }
    }
}
