//! The outputs in the workspace: what the next run shows on them, from its first moment on.

use super::values::stored_game;
use super::{AppModel, GameId};
use crate::kifu::{NodeId, Record};
use crate::outputs::OutputId;
use crate::shogi::History;
use crate::workspace::{WorkspaceGame, WorkspacePages, WorkspacePosition};
use shogibar_programme::{Credit, Delay, DelayLine, OutputChoices, OutputFrame};
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
            let is_shown = self.is_kept_by_outputs(*id);
            let on_air = is_shown.then(|| self.shown_position(*id, false));
            match stored_game(game) {
                Some(stored) => {
                    // Without its changes, the game of the file is another one.
                    let position = on_air.clone().filter(|_| !game.is_unsaved());
                    add(*id, WorkspaceGame { on_air: position, ..stored });
                    if on_air.is_some() && game.is_unsaved() {
                        add(*id, WorkspaceGame { on_air, ..WorkspaceGame::default() });
                    }
                }
                None if on_air.is_some() && !game.is_blank() => {
                    add(*id, WorkspaceGame { on_air, ..WorkspaceGame::default() });
                }
                None => {}
            }
        }
        for id in self.programme.closed_games.keys() {
            let on_air = Some(self.shown_position(*id, true));
            add(*id, WorkspaceGame { on_air, ..WorkspaceGame::default() });
        }
        (games, indices)
    }

    /// Returns whether the outputs that show a game have to show it in the next run, too.
    fn is_kept_by_outputs(&self, game: GameId) -> bool {
        self.is_game_on_air(game) || self.programme.restored_frames.contains_key(&game)
    }

    /// Returns the position of a game that viewers see.
    fn shown_position(&self, game: GameId, is_closed: bool) -> WorkspacePosition {
        let bar = self.output_frame(game, None).bar;
        let [black, white] = bar.players.map(Option::unwrap_or_default);
        WorkspacePosition { usi: bar.history.usi(), black, white, event: bar.event, closed: is_closed }
    }

    /// Adds a game of the workspace. Until it is read, outputs show its former position. Returns the id of the game.
    pub(super) fn restore_on_air(&mut self, stored: &WorkspaceGame) -> GameId {
        let position = stored.on_air.as_ref().and_then(|shown| Some((shown, History::from_usi(&shown.usi).ok()?)));
        let Some((shown, history)) = position else { return self.add_game() };
        let frame = frame_of(shown, history);
        if shown.closed {
            let id = GameId(self.next_id());
            self.programme.closed_games.insert(id, frame.ended());
            return id;
        }
        let id = self.add_game();
        if !stored.has_source() {
            self.restore_scratch_game(id, &frame);
        }
        if stored.delay.is_empty() {
            self.programme.restored_frames.insert(id, frame);
        } else {
            self.programme.delays.insert(id, DelayLine::standing(frame, self.now));
        }
        id
    }

    /// Makes a position with its moves the record of a game, which counts as unsaved.
    fn restore_scratch_game(&mut self, id: GameId, frame: &OutputFrame) {
        let history = &frame.bar.history;
        let mut record = Record::new(history.start());
        record.add_line(NodeId::START, history.moves());
        for (key, name) in PLAYER_KEYS.into_iter().zip(&frame.bar.players) {
            record.headers_mut().extend(name.clone().map(|name| (key.to_owned(), name)));
        }
        if !frame.bar.event.is_empty() {
            record.headers_mut().push(("棋戦".to_owned(), frame.bar.event.clone()));
        }
        if let Some(record) = self.game_mut(id).and_then(|game| game.file.show_games(&[Arc::new(record)], true)) {
            self.show_record(id, record);
            self.with_game(id, |game| game.go_to(history.moves().len()));
        }
    }

    /// Drops the positions of the former run whose games are read.
    pub(super) fn drop_restored_frames(&mut self) {
        let games = &self.games;
        let awaits = |id: &GameId| games.iter().any(|(known, game)| known == id && !super::values::is_read(game));
        self.programme.restored_frames.retain(|id, _| awaits(id));
    }

    /// Adds the user's choices for viewers to a game of the workspace.
    pub(super) fn with_choices(&self, id: GameId, game: WorkspaceGame) -> WorkspaceGame {
        let own = self.programme.own_answers.get(&id).copied().unwrap_or_default();
        let Some(choices) = self.programme.own_choices(id) else { return WorkspaceGame { own, ..game } };
        WorkspaceGame {
            numbers_only: choices.numbers_only,
            delay: if choices.delay == Delay::None { String::new() } else { choices.delay.to_string() },
            own,
            credit: choices.credit.to_string(),
            ..game
        }
    }

    /// Restores the user's choices for viewers of a game.
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
        if stored.own {
            self.programme.own_answers.insert(id, true);
        }
    }

    /// Returns the pages of the workspace. `indices` are the indices of the stored games.
    pub(super) fn workspace_pages(&self, indices: &BTreeMap<GameId, usize>) -> WorkspacePages {
        let pages = OutputId::Pages;
        let is_closed = self.is_closed_on_air(self.game_of_output(pages));
        if !self.is_locked(pages) && !self.programme.clients.has_current && !is_closed {
            return WorkspacePages::default();
        }
        let game = indices.get(&self.game_of_output(pages)).copied();
        WorkspacePages { game, locked: self.is_locked(pages), open: self.programme.clients.has_current }
    }

    /// Restores the pages. A page that was open counts as open until the pages report which are.
    pub(super) fn restore_pages(&mut self, pages: &WorkspacePages, ids: &[GameId]) {
        self.programme.are_pages_locked = pages.locked;
        self.programme.clients.has_current = pages.open;
        if let Some(game) = pages.game.and_then(|game| ids.get(game)) {
            self.programme.page_game = *game;
        }
    }
}

/// Returns the state of a game at a stored position.
fn frame_of(shown: &WorkspacePosition, history: History) -> OutputFrame {
    let mut frame = OutputFrame::default().at(&Arc::new(history));
    frame.bar.event.clone_from(&shown.event);
    frame.bar.players = [&shown.black, &shown.white].map(|name| Some(name.clone()).filter(|name| !name.is_empty()));
    frame
}
