//! Shared engines: the engines of the bars search more games in turn than there are bars.

use super::turns::TurnRequest;
use super::{AppEffect, AppModel, Bar, BarEntry, EngineId};
use crate::game::{Game, GameSource};
use crate::ids::{BarId, GameId};
use shogibar_engine::session::Snapshot;
use shogibar_games::bar::{BarNotice, EngineReport};
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};

/// The maximum number of bars that are added automatically for sources opened together.
pub(super) const MAX_SHARED_BARS: usize = 4;

/// The number of engines that work at once without a question to the user.
const MAX_UNASKED_ENGINES: usize = 2;

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

impl BarEntry {
    /// Returns whether the user is asked about engines.
    const fn offers_sharing(&self) -> bool {
        !self.offered_engines.is_empty()
    }
}

impl AppModel {
    /// Returns whether games without a bar are also searched.
    pub const fn shares_engines(&self) -> bool {
        !matches!(self.engine_sharing, EngineSharing::Off)
    }

    /// Sets whether the engines of the bars also search live games without a bar.
    pub(super) fn share_with_live_games(&mut self, shares: bool) {
        self.engine_sharing = if shares {
            EngineSharing::Live
        } else {
            EngineSharing::Off
        };
        if shares {
            // This also answers the questions on further bars.
            self.bars
                .iter_mut()
                .for_each(|entry| entry.offered_engines.clear());
        }
        self.set_targets();
    }

    /// Returns the reason why a game cannot be shown: its file cannot be read, or its source has refused it.
    pub fn game_problem(&self, id: GameId) -> Option<BarNotice> {
        let game = self.game(id);
        let notice = game
            .unreadable()
            .or_else(|| game.source_notice())
            .map(|notice| notice.text(self.settings.lang));
        notice.filter(|notice| notice.is_failure)
    }

    /// Returns the number of engine sets and the number of games, if the games are searched in turn.
    pub fn shared_engines(&self) -> Option<(usize, usize)> {
        self.turns.is_needed().then(|| self.turns.counts())
    }

    /// Returns the report with the stored values of a game without a bar. `None` if no engine searches the game, and
    /// none has searched its position.
    pub(crate) fn shared_report(&self, game: GameId) -> Option<EngineReport> {
        let bars = std::iter::once(self.bar(self.study_bar)).chain(self.bars.iter().map(|entry| &entry.bar));
        let lead = &bars.into_iter().find_map(Bar::lead_engine)?.report;
        let (shown, is_searched) = (self.game(game), self.shares_engines());
        // A value of another position is shown only if a search will replace it.
        let search_info = shown
            .latest_values(&lead.name)
            .filter(|info| is_searched || info.history == *shown.history())
            .cloned();
        if search_info.is_none() && !is_searched {
            return None;
        }
        let snapshot = Snapshot {
            search_info,
            result: None,
            mate: None,
            ..lead.snapshot.clone()
        };
        Some(EngineReport {
            snapshot,
            ..lead.clone()
        })
    }

    /// Returns a bar that shows what the engines of other bars have found for the game of this bar. `None` if the bar
    /// has engines, or there is nothing to show.
    pub(super) fn shared_bar(&self, bar: &Bar) -> Option<Bar> {
        if !bar.engines().is_empty() || !self.shares_engines() {
            return None;
        }
        let mut shared = Bar::showing(bar.game());
        shared.add_engine(self.shared_report(bar.game())?);
        Some(shared)
    }

    /// Asks the user whether a bar starts these engines, if several engines already work on this machine. Returns
    /// whether the engines are not started now: the user is asked, or has chosen to share engines before.
    pub(super) fn offer_sharing(&mut self, bar: BarId, engines: &[String]) -> bool {
        let has_user = !self.chooses_newest && self.engine_sharing != EngineSharing::All;
        if !has_user || engines.is_empty() || self.engine_count() + engines.len() <= MAX_UNASKED_ENGINES {
            return false;
        }
        let shares = self.shares_engines();
        if let Some(entry) = self.entry_mut(bar) {
            entry.shares_engines = true;
            entry.offered_engines = if shares { Vec::new() } else { engines.to_vec() };
        }
        true
    }

    /// Returns whether the user is asked on a bar whether it starts an engine or shares those of the other bars.
    pub fn offers_sharing(&self, bar: BarId) -> bool {
        self.bars
            .iter()
            .any(|entry| entry.id == bar && entry.offers_sharing())
    }

    pub(super) fn start_offered_engines(&mut self, bar: BarId) {
        let engines = self
            .entry_mut(bar)
            .map(|entry| std::mem::take(&mut entry.offered_engines))
            .unwrap_or_default();
        for engine in engines {
            self.start_another(bar, engine);
        }
    }

    /// Goes to the newest position of a game, also out of a variation of a game in progress. Reads its file if it was not
    /// read yet.
    pub(super) fn show_newest(&mut self, id: GameId) {
        if self.live_line(id).is_some() {
            return self.return_to_game(id);
        }
        if let Some(game) = self.game_mut(id) {
            game.go_to(usize::MAX);
        }
        self.read_file(id);
    }

    /// Counts a tick: shows the losses and only moves that stand, and changes the turns, if the games are searched in turn.
    pub(super) fn on_tick(&mut self) {
        let now = self.now;
        self.games
            .iter_mut()
            .for_each(|(_, game)| game.tick_statements(now));
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
            let mut shown = self
                .bars
                .iter()
                .filter(|entry| entry.bar.game() == *game && !bars.contains(&entry.id));
            shown.any(|entry| entry.bar.has_only_relays() || entry.bar.managed_engines().next().is_some())
        };
        let is_wanted = |id: GameId, game: &Game| match self.engine_sharing {
            EngineSharing::Off => false,
            EngineSharing::Live => {
                self.window_bars().any(|(_, bar)| bar.game() == id)
                    || game.source().is_some_and(GameSource::is_running)
            }
            EngineSharing::All => true,
        };
        let wanted = self
            .games
            .iter()
            .filter(|(id, game)| is_wanted(*id, game) && !is_own(id) && !self.hides_values(*id));
        let requests = wanted.filter_map(|(id, game)| {
            let position = hasher.hash_one(game.search_position()?);
            Some(TurnRequest { game: *id, position })
        });
        let requests: Vec<_> = requests.collect();
        self.turns.update(&bars, &requests);
    }

    /// Requests ticks, or their end, if the need for them has changed.
    pub(super) fn update_ticking(&mut self) {
        let needs_ticks = self.turns.is_needed()
            || self.is_engine_game_clock_running()
            || self.has_delay()
            || self.awaits_statement()
            || self.programme.cards.is_any_shown();
        if needs_ticks != self.is_ticking {
            self.is_ticking = needs_ticks;
            self.effects.push(AppEffect::SetTicking(self.is_ticking));
        }
    }

    /// Stores the values of a snapshot with all other games that have the searched position. Returns the snapshot for
    /// the bar, with its former values if the bar's game does not have the position.
    pub(super) fn store_values_of_other_games(
        &mut self,
        bar: usize,
        id: EngineId,
        snapshot: Snapshot,
    ) -> Snapshot {
        let entry = match self.bars.get(bar) {
            Some(entry) if self.turns.is_needed() => entry,
            _ => return snapshot,
        };
        let Some(report) = entry.bar.engine(id).map(|engine| &engine.report) else {
            return snapshot;
        };
        let Some(info) = &snapshot.search_info else {
            return snapshot;
        };
        let shown = entry.bar.game();
        let (name, before) = (report.name.clone(), report.snapshot.clone());
        // Several games may have this position. The values are stored with each.
        for (_, game) in self.games.iter_mut().filter(|(id, _)| *id != shown) {
            if game.search_position() == Some(&info.history) {
                game.add_snapshot(&name, &snapshot);
            }
        }
        if self.game(shown).search_position() == Some(&info.history) {
            return snapshot;
        }
        Snapshot {
            search_info: before.search_info,
            result: before.result,
            ..snapshot
        }
    }
}
