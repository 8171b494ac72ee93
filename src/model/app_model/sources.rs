//! Sources: games that are followed from a file, an address or a server.

use super::{AppEffect, AppModel, BarId};
use crate::game::{Game, GameSource};
use crate::ids::{FeedId, GameId, SourceId};
use crate::outputs::OutputId;
use shogibar_games::RecordRemark;
use shogibar_live::source_text::SourceRemark;
use shogibar_live::{
    BoardCorrection, EndCause, GameChoice, LiveAddress, LiveGame, ScreenFollowing, SourceEvent, SourceState,
};

impl AppModel {
    /// Returns whether any source is running, so that further moves or games may be reported.
    pub fn has_running_source(&self) -> bool {
        self.games
            .iter()
            .any(|(_, game)| game.source().is_some_and(GameSource::is_running))
    }

    pub(super) fn game_followed_from(&self, address: &LiveAddress) -> Option<GameId> {
        let found = self
            .games
            .iter()
            .find(|(_, game)| game.source().is_some_and(|source| source.address == *address));
        found.map(|(id, _)| *id)
    }

    /// Opens an address as a new game, unless a game follows this address already. Returns the game.
    pub(super) fn open_address(&mut self, address: LiveAddress) -> GameId {
        let known = self.game_followed_from(&address);
        if address == LiveAddress::Clipboard && self.watches_clipboard() {
            // There is no game before a text is copied.
            return known.unwrap_or_else(|| self.study_game());
        }
        let id = known.unwrap_or_else(|| self.add_game());
        let is_running = self.game(id).source().is_some_and(GameSource::is_running);
        let is_remembered = !matches!(
            address,
            LiveAddress::Clipboard | LiveAddress::Screen(_) | LiveAddress::Path(_)
        );
        if is_remembered && self.recent_files.add_address(&address) {
            self.effects
                .push(AppEffect::StoreRecent(self.recent_files.files().to_vec()));
        }
        if !is_running {
            self.start_source(id, address);
        }
        id
    }

    /// Returns whether a text copied in any program becomes a game.
    pub const fn watches_clipboard(&self) -> bool {
        self.clipboard.is_some()
    }

    /// Begins to watch the clipboard, or stops. A game that was opened from the clipboard stays open.
    pub(super) fn watch_clipboard(&mut self, watches: bool) {
        match (self.clipboard, watches) {
            (None, true) => {
                let followed = self
                    .game_followed_from(&LiveAddress::Clipboard)
                    .and_then(|id| self.game(id).source());
                if let Some(source) = followed.filter(|source| source.is_running()) {
                    // The user has opened the clipboard as an address before.
                    self.clipboard = Some(source.id);
                    return;
                }
                let id = SourceId(self.next_id());
                self.clipboard = Some(id);
                self.effects
                    .push(AppEffect::StartSource(id, LiveAddress::Clipboard, None));
            }
            (Some(id), false) => {
                if let Some(game) = self.game_followed_from(&LiveAddress::Clipboard) {
                    self.end_source(game);
                }
                self.clipboard = None;
                self.effects.push(AppEffect::EndSource(id));
            }
            _ => {}
        }
    }

    /// Shows a copied game, unless it is open already. This program itself may have copied it.
    fn on_copied(&mut self, id: SourceId, live: LiveGame) {
        let is_shown = |game: &Game| {
            let (own, copied) = (game.document().record(), &live.record);
            let is_position = copied.is_empty() && *copied.start() == game.history().now().without_history();
            is_position || own.start() == copied.start() && own.moves().eq(copied.moves())
        };
        let known = self.game_followed_from(&LiveAddress::Clipboard);
        if self
            .games
            .iter()
            .any(|(other, game)| Some(*other) != known && is_shown(game))
        {
            return;
        }
        let game = known.unwrap_or_else(|| {
            let (bar, blank) = (self.study_bar, self.study_game());
            let game = if self.game(blank).is_blank() {
                self.tab_in_place_of(blank)
            } else {
                self.add_game()
            };
            if let Some(game) = self.game_mut(game) {
                game.set_source(id, &LiveAddress::Clipboard);
            }
            self.present(bar, game);
            game
        });
        self.show_in_study(game);
        let found = live
            .container_and_count
            .map(|(container, games)| (container, games, live.record.len()));
        self.on_live_game(game, live);
        if let Some((container, games, moves)) = found.filter(|(container, ..)| container.is_excerpt()) {
            let found = RecordRemark::Found(container, games, moves);
            self.notices
                .set_result(&found.into(), self.bar_of_or_study(game), false);
        }
    }

    /// Follows an address in a game. If the game has an ended source of this address, that is continued.
    pub(super) fn start_source(&mut self, game: GameId, address: LiveAddress) {
        let id = SourceId(self.next_id());
        let Some(game) = self.game_mut(game) else { return };
        let ended = game.set_source(id, &address);
        let source = game.source().filter(|source| source.is_screen());
        let begun = source.and_then(GameSource::resumable_game);
        let screen = source
            .map(|source| source.screen)
            .filter(|screen| *screen != ScreenFollowing::default());
        self.effects.extend(ended.map(AppEffect::EndSource));
        self.effects.push(AppEffect::StartSource(id, address, begun));
        self.effects
            .extend(screen.map(|screen| AppEffect::SetScreen(id, screen)));
    }

    /// Ends the source of a game. The game keeps its record.
    pub(super) fn end_source(&mut self, game: GameId) {
        self.end_opening(game);
        let source = self
            .game_mut(game)
            .and_then(Game::take_source)
            .map(|source| source.id);
        // A source that watches the clipboard goes on without a game.
        self.effects.extend(
            source
                .filter(|id| Some(*id) != self.clipboard)
                .map(AppEffect::EndSource),
        );
    }

    /// Applies an event of a source to its game.
    pub(super) fn on_source_event(&mut self, id: SourceId, event: SourceEvent) {
        if let (SourceEvent::Game(live), true) = (&event, self.clipboard == Some(id)) {
            return self.on_copied(id, live.clone());
        }
        // An event is ignored if its game was closed, or follows another source by now.
        let Some(game) = self
            .games
            .iter()
            .find(|(_, game)| game.source().is_some_and(|source| source.id == id))
            .map(|(id, _)| *id)
        else {
            return;
        };
        if matches!(event, SourceEvent::Game(_) | SourceEvent::Games(_)) {
            self.end_opening(game);
        }
        match event {
            SourceEvent::Game(live) => self.on_live_game(game, live),
            SourceEvent::State(state) if self.give_up_address(game, &state) => {}
            SourceEvent::State(state) => self.on_source_state(game, state),
            SourceEvent::Games(choices) => self.on_choices(game, choices),
            SourceEvent::NotCorrected => {
                self.notices.show(
                    SourceRemark::NotCorrected.into(),
                    Some(self.bar_of_or_study(game)),
                );
            }
            SourceEvent::Board(area) => self.with_game(game, |game| {
                if let Some(source) = &mut game.source {
                    source.board = Some(area);
                }
            }),
        }
    }

    /// Shows the game that a source reports. A different game replaces the present one, or gets a new tab if the
    /// present one must be kept.
    fn on_live_game(&mut self, id: GameId, live: LiveGame) {
        let is_locked = self
            .outputs()
            .any(|output| self.game_of_output(output) == id && self.is_locked(output));
        let mut id = id;
        let other = is_locked
            .then(|| self.take_other_restored_frame(id, &live.record))
            .flatten();
        if let Some(shown) = other {
            // The address has another game than in the former run.
            let new = self.pass_source_on(id);
            if self.game(id).path().is_none() {
                self.restore_scratch_game(id, &shown);
            }
            id = new;
        }
        let Some(game) = self.game_mut(id) else { return };
        let source = game
            .source()
            .filter(|source| source.game.as_ref().is_some_and(|known| *known != live.id));
        // Only an address that names one game is not expected to have another.
        let is_next = source.is_some_and(|source| matches!(source.address, LiveAddress::Web(_)));
        if game.is_other_game(&live) && (game.keeps_record() || is_locked) {
            let stays = game.stays_behind() || is_locked;
            let new = self.pass_source_on(id);
            let bars: Vec<BarId> = self
                .bars
                .iter()
                .filter(|entry| entry.bar.game() == id && !stays)
                .map(|entry| entry.id)
                .collect();
            for bar in bars {
                self.show(bar, new);
            }
            id = new;
        }
        if self.game(id).is_other_game(&live) {
            // The former game is replaced, so its evaluations are stored now.
            self.store_results(id, &[]);
            if let Some(game) = self.game_mut(id) {
                game.own_answer = None;
            }
        }
        if is_next {
            self.notices
                .show(SourceRemark::NextGame.into(), Some(self.bar_of_or_study(id)));
        }
        let Some(game) = self.game_mut(id) else { return };
        let (is_first, was_over) = (game.awaits_source(), game.is_over);
        game.apply_live_game(live);
        let has_ended = game.is_over && !was_over;
        if is_first {
            self.go_to_open_position(id);
        }
        if has_ended {
            self.store_results(id, &[]);
        }
    }

    fn pass_source_on(&mut self, id: GameId) -> GameId {
        let source = self.game_mut(id).and_then(Game::take_source);
        let new = self.add_game();
        if let Some(game) = self.game_mut(new) {
            game.source = source;
        }
        new
    }

    /// Applies a new state of the source of a game. An ended source is stopped.
    fn on_source_state(&mut self, id: GameId, state: SourceState) {
        let Some(game) = self.game_mut(id) else { return };
        let Some(source) = &game.source else { return };
        let (source_id, has_game) = (source.id, source.game.is_some());
        game.set_source_state(state.clone());
        let SourceState::Ended(cause) = state else { return };
        game.stop_following(FeedId::Source(source_id));
        self.effects.push(AppEffect::EndSource(source_id));
        if has_game && !matches!(cause, EndCause::GameOver | EndCause::Stopped) {
            let (bar, is_failure) = (self.bar_of_or_study(id), matches!(cause, EndCause::Refused(_)));
            self.notices
                .set_result(&SourceRemark::Ended(cause).into(), bar, is_failure);
        }
    }

    /// Starts to read a board off the screen, or stops the reading. A later start continues the game, unless a part of
    /// it is unknown.
    pub(super) fn read_screen(&mut self, bar: BarId, id: GameId) {
        let Some(source) = self.game(id).source().filter(|source| source.is_screen()) else {
            return self.open_all(bar, vec![LiveAddress::Screen(None)]);
        };
        if !source.is_running() {
            let address = source.address().clone();
            return self.start_source(id, address);
        }
        if source.game.is_some() {
            self.on_source_state(id, SourceState::Ended(EndCause::Stopped));
        } else {
            self.end_source(id);
        }
        self.notices
            .show(SourceRemark::Ended(EndCause::Stopped).into(), Some(bar));
    }

    /// Changes how the board on the screen is followed, and shows a notice.
    pub(super) fn change_screen(
        &mut self,
        bar: BarId,
        id: GameId,
        change: impl FnOnce(&mut ScreenFollowing) -> SourceRemark,
    ) {
        let source = self.game_mut(id).and_then(|game| game.source.as_mut());
        let remark = match source.filter(|source| source.is_running() && source.is_screen()) {
            Some(source) => {
                let remark = change(&mut source.screen);
                let effect = AppEffect::SetScreen(source.id, source.screen);
                self.effects.push(effect);
                remark
            }
            None => SourceRemark::NoScreen,
        };
        self.notices.show(remark.into(), Some(bar));
    }

    /// Applies the user's correction to a board on the screen.
    pub(super) fn correct_board(&mut self, bar: BarId, correction: Box<BoardCorrection>) {
        let source = self.game(self.bar(bar).game()).source();
        match source.filter(|source| source.is_running() && source.is_screen()) {
            Some(source) => self.effects.push(AppEffect::CorrectScreen(source.id, correction)),
            None => self.notices.show(SourceRemark::NoScreen.into(), Some(bar)),
        }
    }

    /// Stores the games that a source lists. Without a user, the newest one is followed. The only game of a first list
    /// is followed, too. A list from which the user may be choosing stays.
    fn on_choices(&mut self, id: GameId, choices: Vec<GameChoice>) {
        let Some(source) = self.game_mut(id).and_then(|game| game.source.as_mut()) else {
            return;
        };
        let chosen = source.chosen_index();
        let is_only = choices.len() == 1 && source.choices().is_empty();
        source.set_choices(choices, chosen);
        let newest = self
            .game(id)
            .source()
            .filter(|source| source.awaits_choice())
            .and_then(newest_choice_index);
        if (self.chooses_newest || is_only)
            && let Some(newest) = newest
        {
            let bar = self.bar_of_or_study(id);
            self.choose(bar, id, newest);
        }
    }

    /// Follows one of the games that the source of a game lists, by its index. The chosen game replaces the list. If
    /// another game was already chosen from the list, the new one gets a new tab.
    pub(super) fn choose(&mut self, bar: BarId, id: GameId, index: usize) {
        let Some(source) = self.game(id).source() else {
            return;
        };
        let Some(choice) = source.choices().get(index) else {
            return;
        };
        let (choices, is_list) = (source.choices().to_vec(), source.awaits_choice());
        let address = match source.address() {
            LiveAddress::Csa(csa) => LiveAddress::Csa(csa.with_game(&choice.address)),
            LiveAddress::Path(_) => {
                return self.open_all(bar, vec![LiveAddress::Path(choice.address.clone().into())]);
            }
            _ => match LiveAddress::parse(&choice.address) {
                Ok(address) => address.with_login_of(source.address()),
                Err(_) => return,
            },
        };
        if let Some(known) = self.game_followed_from(&address) {
            _ = self.present(bar, known);
            return;
        }
        let before = self.shown_games();
        let new = if is_list {
            self.end_source(id);
            id
        } else {
            self.add_game()
        };
        self.start_source(new, address);
        if let Some(source) = self.game_mut(new).and_then(|game| game.source.as_mut()) {
            source.set_choices(choices, Some(index));
        }
        self.present(bar, new);
        if !is_list {
            self.await_addresses(bar, &[new], &before);
        }
    }

    /// Adds a bar for each of these sources without a bar, up to the maximum number of bars. Beside a bar on air, none is
    /// added: the games are tabs of the study page.
    pub(super) fn add_source_bars(&mut self, beside: BarId, sources: &[GameId]) {
        if self.is_preview(beside) || self.is_on_air(OutputId::Bar(beside)) {
            return;
        }
        for game in sources {
            if self.bars.len() < self.max_bars && self.bar_of(*game).is_none() {
                self.add_bar_with(beside, *game, Vec::new());
            }
        }
    }
}

/// Switches between following only the game on the screen, and following replays and variations, too. Returns the
/// notice about the change.
pub(super) const fn toggle_follows_everything(screen: &mut ScreenFollowing) -> SourceRemark {
    screen.follows_everything ^= true;
    if screen.follows_everything {
        SourceRemark::FollowsEverything
    } else {
        SourceRemark::FollowsGame
    }
}

/// Switches the side that is at the bottom of the board on the screen. Returns the notice about the change.
pub(super) const fn swap_screen(screen: &mut ScreenFollowing) -> SourceRemark {
    screen.is_rotated ^= true;
    SourceRemark::TurnsPicture(screen.is_rotated)
}

/// Returns the index of the newest game in a source's list that may be chosen without asking the user. Games on another
/// web server may not.
fn newest_choice_index(source: &GameSource) -> Option<usize> {
    let is_near = |address: &str| match (source.address(), LiveAddress::parse(address)) {
        (LiveAddress::Web(list), Ok(LiveAddress::Web(game))) => list.is_same_server(&game),
        (LiveAddress::Web(_), _) => false,
        _ => true,
    };
    source
        .choices()
        .iter()
        .position(|choice| is_near(&choice.address))
}
