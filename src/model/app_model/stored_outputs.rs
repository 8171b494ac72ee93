//! The outputs in the workspace: what the next run shows on them, from its first moment on.

use super::values::{is_read, stored_game};
use super::{AppModel, Game, GameId};
use crate::outputs::OutputId;
use crate::workspace::{StoredClock, WorkspaceGame, WorkspacePages, WorkspacePosition};
use shogibar_kifu::{ClockTime, NodeId, Record};
use shogibar_programme::{Credit, Delay, DelayLine, OutputChoices, OutputFrame};
use shogibar_shogi::History;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The headers of the players' names, Black's first.
const PLAYER_KEYS: [&str; 2] = ["先手", "後手"];

impl AppModel {
    /// Returns the games to store, and the index of each. A game without a file or address is stored while an output on
    /// air shows it; otherwise only its autosave copy stays.
    pub(super) fn workspace_games(&self) -> (Vec<WorkspaceGame>, BTreeMap<GameId, usize>) {
        let (mut games, mut indices) = (Vec::new(), BTreeMap::new());
        let mut add = |id: GameId, game: WorkspaceGame| {
            indices.insert(id, games.len());
            games.push(self.with_choices(id, game));
        };
        for (id, game) in &self.games {
            let on_air = self.is_shown_on_air(*id).then(|| self.shown_position(*id, false));
            // Without the user's changes, the game of the file may be another one.
            let mut stored = stored_game(game);
            if game.source().is_none()
                && let (Some(stored), Some(tip)) = (&mut stored, self.live_tip_beside(*id))
            {
                // The next run has no relay that is at another position than the record.
                (stored.ply, stored.line) = (Some(tip.moves().len()), String::new());
            }
            let (in_source, beside) = match &on_air {
                Some(shown) if stored.is_none() || !is_in_source(game, shown) => (None, on_air),
                _ => (on_air, None),
            };
            let is_beside = beside.is_some() && self.is_held(*id);
            let number = self.page_number(*id);
            if let Some(stored) = stored {
                // Pages with the number show the game beside it.
                let number = if is_beside { 0 } else { number };
                add(
                    *id,
                    WorkspaceGame {
                        number,
                        on_air: in_source,
                        ..stored
                    },
                );
            }
            if is_beside {
                add(
                    *id,
                    WorkspaceGame {
                        number,
                        on_air: beside,
                        ..WorkspaceGame::default()
                    },
                );
            }
        }
        for id in self.programme.closed_games.keys() {
            let (number, on_air) = (self.page_number(*id), Some(self.shown_position(*id, true)));
            add(
                *id,
                WorkspaceGame {
                    number,
                    on_air,
                    ..WorkspaceGame::default()
                },
            );
        }
        (games, indices)
    }

    /// Returns whether viewers may be watching a game, or were in the former run and wait until the game is read.
    fn is_shown_on_air(&self, game: GameId) -> bool {
        self.is_game_on_air(game) || self.programme.restored_frames.contains_key(&game)
    }

    /// Returns whether an output on air stays at a game although it has neither a file nor an address.
    fn is_held(&self, game: GameId) -> bool {
        let is_listed = self
            .programme
            .listed_games
            .as_ref()
            .is_some_and(|listed| listed.contains(&game));
        let has_content = !self.game(game).is_blank() || self.output_frame(game, None).ply() > 0;
        has_content
            && (is_listed
                || self.outputs_of(game).into_iter().any(|output| match output {
                    OutputId::Pages => self.is_locked(output) || self.programme.clients.has_current,
                    OutputId::Bar(_) => self.is_locked(output),
                }))
    }

    fn shown_position(&self, game: GameId, is_closed: bool) -> WorkspacePosition {
        let bar = self.output_frame(game, None).bar;
        let [black, white] = bar.players.map(Option::unwrap_or_default);
        // The clocks of a game against an engine run, and end with the program.
        let is_engine_game = self.game(game).engine_game().is_some();
        let [black_clock, white_clock] = if is_engine_game { [None; 2] } else { bar.clocks };
        WorkspacePosition {
            usi: bar.history.usi(),
            black,
            white,
            event: bar.event,
            handicap: bar.is_handicap,
            live: self.game(game).is_running_live() || self.game(game).open_at.is_live,
            closed: is_closed,
            black_clock: black_clock.map(StoredClock::from),
            white_clock: white_clock.map(StoredClock::from),
        }
    }

    /// Adds a game of the workspace. Until it is read, outputs show its former position. Returns the id of the game.
    pub(super) fn restore_on_air(&mut self, stored: &WorkspaceGame) -> GameId {
        let position = stored
            .on_air
            .as_ref()
            .and_then(|shown| Some((shown, History::from_usi(&shown.usi).ok()?)));
        let Some((shown, history)) = position else {
            return self.add_game();
        };
        let id = GameId(self.next_id());
        let shares = self.stored_shares(stored, &history);
        let frame = frame_of(id, shown, history, shares);
        if shown.closed {
            self.programme.closed_games.insert(id, frame.ended());
            return id;
        }
        self.add_game_with_id(id);
        if !stored.has_source() {
            self.restore_scratch_game(id, &frame);
        }
        if !stored.delay.is_empty() || self.programme.default_choices.delay != Delay::None {
            self.programme
                .delays
                .insert(id, DelayLine::standing(frame.clone(), self.now));
        }
        self.programme.restored_frames.insert(id, frame);
        id
    }

    /// Makes a position with its moves the record of a game. Its autosave copy is offered to the user beside it.
    pub(super) fn restore_scratch_game(&mut self, id: GameId, frame: &OutputFrame) {
        let (history, record) = (&frame.bar.history, Arc::new(record_of(frame)));
        if let Some(record) = self
            .game_mut(id)
            .and_then(|game| game.file.show_games(&[record], false))
        {
            self.show_record(id, record);
            self.with_game(id, |game| {
                game.go_to(history.moves().len());
                game.reported_clocks.add(history, frame.bar.clocks);
            });
        }
    }

    /// Removes and returns what outputs show of a game of the former run, if the game that was read is another one.
    pub(super) fn take_other_restored_frame(&mut self, id: GameId, read: &Record) -> Option<OutputFrame> {
        let shown = self.programme.restored_frames.get(&id)?;
        let history = &shown.bar.history;
        let has_line = || {
            history
                .moves()
                .iter()
                .try_fold(NodeId::START, |node, mv| read.child_by(node, *mv))
                .is_some()
        };
        let is_same = read.is_version_of(&record_of(shown)) || read.start() == history.start() && has_line();
        if is_same {
            None
        } else {
            self.programme.restored_frames.remove(&id)
        }
    }

    /// Returns whether a game of the former run is not read yet, so that outputs show its former position.
    pub(super) fn awaits_former_game(&self, id: GameId) -> bool {
        self.programme.restored_frames.contains_key(&id) && awaits_content(self.game(id))
    }

    /// Returns what outputs show of a game of the former run that is not read yet; `None` for all other games.
    pub(super) fn restored_frame(&self, id: GameId) -> Option<OutputFrame> {
        if !self.awaits_former_game(id) {
            return None;
        }
        let mut frame = self.programme.restored_frames.get(&id)?.clone();
        frame.bar.live_mark = self.game(id).live_mark();
        Some(frame)
    }

    /// Drops the positions of the former run whose games are read.
    pub(super) fn drop_restored_frames(&mut self) {
        let games = &self.games;
        let awaits = |id: &GameId| {
            games
                .iter()
                .any(|(known, game)| known == id && awaits_content(game))
        };
        self.programme.restored_frames.retain(|id, _| awaits(id));
    }

    pub(super) fn with_choices(&self, id: GameId, game: WorkspaceGame) -> WorkspaceGame {
        let is_over = self.game(id).has_ended();
        let own = (self.is_own_by_rule(id) && !is_over)
            .then_some(true)
            .or_else(|| self.game(id).own_answer);
        let Some(choices) = self.programme.game_choices(id) else {
            return WorkspaceGame { own, ..game };
        };
        WorkspaceGame {
            numbers_only: choices.numbers_only,
            delay: stored_delay(choices.delay),
            own,
            credit: choices.credit.to_string(),
            ..game
        }
    }

    pub(super) fn restore_choices(&mut self, id: GameId, stored: &WorkspaceGame) {
        let choices = OutputChoices {
            numbers_only: stored.numbers_only,
            delay: stored.delay.parse().unwrap_or_default(),
            credit: Credit::new(&stored.credit),
            ..OutputChoices::default()
        };
        if choices != OutputChoices::default() {
            *self.programme.choices_mut(id) = choices;
        }
        if let Some(game) = self.game_mut(id) {
            game.own_answer = stored.own;
        }
    }

    /// Returns the pages of the workspace. `indices` are the indices of the stored games.
    pub(super) fn workspace_pages(&self, indices: &BTreeMap<GameId, usize>) -> WorkspacePages {
        let pages = OutputId::Pages;
        let listed = self.programme.listed_games.as_ref();
        let listed = listed.map(|games| {
            games
                .iter()
                .filter_map(|game| indices.get(game).copied())
                .collect()
        });
        let is_closed = self.is_closed_on_air(self.game_of_output(pages));
        let clients = &self.programme.clients;
        if !self.is_locked(pages) && !clients.has_current && !clients.has_lists && !is_closed {
            return WorkspacePages {
                listed,
                ..WorkspacePages::default()
            };
        }
        let game = indices.get(&self.game_of_output(pages)).copied();
        WorkspacePages {
            game,
            locked: self.is_locked(pages),
            open: clients.has_current,
            listed,
        }
    }

    /// Gives the games of the workspace their numbers of the former run, so that an address saved in OBS shows the same
    /// game.
    pub(super) fn restore_numbers(&mut self, games: &[WorkspaceGame], ids: &[GameId]) {
        let stored = || ids.iter().zip(games).filter(|(_, game)| game.number > 0);
        self.programme.numbers.clear();
        self.programme.last_number = stored().map(|(_, game)| game.number).max().unwrap_or_default();
        self.programme
            .numbers
            .extend(stored().map(|(id, game)| (*id, game.number)));
        let all: Vec<_> = ids
            .iter()
            .copied()
            .chain(self.games.iter().map(|(id, _)| *id))
            .collect();
        for id in all {
            self.programme.number_game(id);
        }
    }

    /// Restores the pages. A page that was open counts as open until the pages report which are.
    pub(super) fn restore_pages(&mut self, pages: &WorkspacePages, ids: &[GameId]) {
        self.programme.are_pages_locked = pages.locked;
        self.programme.clients.has_current = pages.open;
        self.programme.clients.has_lists = pages.listed.is_some();
        let listed = pages.listed.as_ref();
        self.programme.listed_games =
            listed.map(|listed| listed.iter().filter_map(|game| ids.get(*game).copied()).collect());
        if let Some(game) = pages.game.and_then(|game| ids.get(game)) {
            self.programme.page_game = *game;
        }
    }
}

pub(super) fn stored_delay(delay: Delay) -> String {
    if delay == Delay::None {
        String::new()
    } else {
        delay.to_string()
    }
}

/// Returns whether the next run finds a position in the file of a game, or at its address.
fn is_in_source(game: &Game, shown: &WorkspacePosition) -> bool {
    let words = |usi: &str| format!("{usi} ");
    let is_on_disk =
        |record: &Arc<Record>| words(&record.history(usize::MAX).usi()).starts_with(&words(&shown.usi));
    game.source().is_some() || !game.is_unsaved() || game.file().record_on_disk().is_some_and(is_on_disk)
}

/// Returns whether a game of the former run is not read yet: its file, or the game at its address.
fn awaits_content(game: &Game) -> bool {
    !is_read(game)
        || game
            .source()
            .is_some_and(|source| source.game.is_none() && source.is_running())
}

/// Returns the names and the moves of a shown position as a record.
fn record_of(frame: &OutputFrame) -> Record {
    let mut record = Record::from_history(&frame.bar.history);
    for (key, name) in PLAYER_KEYS.into_iter().zip(&frame.bar.players) {
        record
            .headers_mut()
            .extend(name.clone().map(|name| (key.to_owned(), name)));
    }
    if !frame.bar.event.is_empty() {
        record
            .headers_mut()
            .push(("棋戦".to_owned(), frame.bar.event.clone()));
    }
    record
}

/// Returns the state of a game at a stored position. `shares` are Black's stored shares by ply.
fn frame_of(
    id: GameId,
    shown: &WorkspacePosition,
    history: History,
    shares: Vec<Option<f32>>,
) -> OutputFrame {
    let history = Arc::new(history);
    let mut known = OutputFrame::default();
    (known.bar.graph, known.bar.history) = (shares, Arc::clone(&history));
    let mut frame = known.at(&history);
    frame.bar.clocks = [shown.black_clock, shown.white_clock].map(|clock| clock.map(ClockTime::from));
    frame.bar.game = id.0;
    frame.bar.is_handicap = shown.handicap;
    frame.bar.event.clone_from(&shown.event);
    frame.bar.players =
        [&shown.black, &shown.white].map(|name| Some(name.clone()).filter(|name| !name.is_empty()));
    frame
}
