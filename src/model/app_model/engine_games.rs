//! The game of the user against an engine: its engine, and the user's actions.

use super::{AppEffect, AppModel, BarId, EngineId, EngineInfo, EngineShare, GameId};
use crate::action::EngineGameAction;
use shogibar_base::CauseText;
use shogibar_engine::session::{EngineState, SearchTarget, Snapshot};
use shogibar_games::engine_game::{
    EngineGame, EngineGameRefusal, EngineGameSettings, EngineGameState, EngineTurn, begin_record,
};
use shogibar_games::engine_game_text::EngineGamePhrase;
use shogibar_games::study::{Document, DocumentEdit};
use shogibar_games::{EngineMessage, RecordRemark};
use shogibar_kifu::Record;
use shogibar_shogi::Move;
use std::sync::Arc;
use std::time::Duration;

/// The engine that plays the game of the user. There is one such game at a time.
#[derive(Debug)]
pub(super) struct EnginePlayer {
    pub(super) game: GameId,
    /// The engine's identity. `None` while no engine runs: the game is over or interrupted, or the engine has failed.
    id: Option<EngineId>,
    /// Whether the engine was started and has not failed.
    is_running: bool,
    /// The turn that was sent to the engine last; `None` if the engine had no turn.
    turn: Option<EngineTurn>,
}

impl AppModel {
    /// Starts a game against an engine from the position on view, in a new tab.
    pub(super) fn begin_engine_game(&mut self, bar: BarId, settings: EngineGameSettings) {
        let source = self.game(self.bar(bar).game());
        let (history, players) = (Arc::clone(source.history()), source.players());
        let has_game = self.engine_game().is_some_and(EngineGame::is_in_progress);
        let refusal = match begin_record(&history, &settings, players.as_deref(), self.settings.lang) {
            Ok(_) if has_game => RecordRemark::EngineGame(EngineGamePhrase::AlreadyPlaying).into(),
            Ok(record) => return self.open_engine_game(bar, &Arc::new(record), settings),
            Err(EngineGameRefusal::Over) => RecordRemark::EngineGame(EngineGamePhrase::OverHere).into(),
            Err(EngineGameRefusal::Unsearchable(why)) => EngineMessage::Unsearchable(why).into(),
        };
        self.notices.set_result(&refusal, bar, true);
    }

    /// Opens the record of a new game against an engine in a new tab. An earlier game against an engine ends.
    fn open_engine_game(&mut self, bar: BarId, record: &Arc<Record>, settings: EngineGameSettings) {
        self.end_player();
        let id = self.add_game();
        self.present(bar, id);
        self.with_game(id, |game| {
            game.open(Arc::clone(record));
            game.played_against_engine = Some(EngineGame::new(settings, game.document()));
        });
        self.engine_player = Some(EnginePlayer {
            game: id,
            id: None,
            is_running: false,
            turn: None,
        });
    }

    pub(super) fn engine_game(&self) -> Option<&EngineGame> {
        self.engine_player
            .as_ref()
            .and_then(|player| self.game(player.game).engine_game())
    }

    pub(super) fn is_playing(&self, game: GameId) -> bool {
        self.engine_player
            .as_ref()
            .is_some_and(|player| player.game == game)
            && self.engine_game().is_some_and(EngineGame::is_in_progress)
    }

    /// Returns the game against an engine that is played without visible values, if there is one.
    pub(crate) fn game_without_values(&self) -> Option<GameId> {
        let game = self.engine_game()?;
        let is_left = matches!(
            game.state(),
            EngineGameState::Over(..) | EngineGameState::Interrupted
        );
        if is_left || game.settings().shows_values {
            return None;
        }
        self.engine_player.as_ref().map(|player| player.game)
    }

    pub(super) fn is_engine_game_clock_running(&self) -> bool {
        self.engine_game().is_some_and(EngineGame::is_clock_running)
    }

    /// Sets the time for the following events. The time never goes back.
    pub fn set_time(&mut self, now: Duration) {
        self.now = now;
        if let Some(id) = self.engine_player.as_ref().map(|player| player.game) {
            self.with_game(id, |game| game.now = now);
        }
    }

    /// Ends the game against an engine if its clock has run out. Returns whether anything has changed.
    pub(super) fn check_clock(&mut self) -> bool {
        let was_on = self.engine_game().is_some_and(EngineGame::is_in_progress);
        self.with_engine_game(EngineGame::check_clock);
        was_on != self.engine_game().is_some_and(EngineGame::is_in_progress)
    }

    /// Runs `work` on the game against an engine, its record and the present time, if there is such a game.
    fn with_engine_game(&mut self, work: impl FnOnce(&mut EngineGame, &mut Document, Duration)) {
        let (now, id) = (self.now, self.engine_player.as_ref().map(|player| player.game));
        if let Some(game) = id.and_then(|id| self.game_mut(id)) {
            game.with_engine_game(|played, document| work(played, document, now));
        }
    }

    /// Carries out an edit in a game that is played. Returns whether the record may be edited as usual.
    pub(super) fn edit_played(&mut self, id: GameId, edit: &DocumentEdit) -> bool {
        if !self.is_playing(id) {
            return true;
        }
        let refusal = match edit {
            DocumentEdit::GoTo(_)
            | DocumentEdit::Go(_)
            | DocumentEdit::GoToBranch { .. }
            | DocumentEdit::GoToSibling { .. }
            | DocumentEdit::SetComment(..)
            | DocumentEdit::ToggleMark(..)
            | DocumentEdit::ClearMarks(_) => return true,
            DocumentEdit::Play(mv) => return self.play_move(id, *mv),
            DocumentEdit::UndoChange if self.game(id).document().undoes_comment() => return true,
            DocumentEdit::UndoChange => {
                self.with_engine_game(EngineGame::take_back);
                return false;
            }
            _ => EngineGamePhrase::NotDuringGame,
        };
        self.show_refusal(id, refusal);
        false
    }

    /// Plays a move of the user in the newest position. In an earlier position, only a move of the record is allowed:
    /// it is a step forward. Returns whether the record may be edited as usual.
    fn play_move(&mut self, id: GameId, mv: Move) -> bool {
        let document = self.game(id).document();
        let Some(played) = self.game(id).engine_game() else {
            return true;
        };
        if !played.is_at_tip(document) {
            let is_step = document.record().child_by(document.last_move(), mv).is_some();
            if !is_step {
                self.show_refusal(id, EngineGamePhrase::OnlyNewest);
            }
            return is_step;
        }
        if !played.is_users_turn(document) {
            self.show_refusal(id, EngineGamePhrase::NotYourTurn);
        }
        self.with_engine_game(|played, document, now| _ = played.play(document, mv, now));
        false
    }

    /// Shows why an action is not carried out during a game against an engine.
    pub(super) fn show_refusal(&mut self, id: GameId, why: EngineGamePhrase) {
        self.notices.show(
            RecordRemark::EngineGame(why).into(),
            Some(self.bar_of_or_study(id)),
        );
    }

    /// Carries out an action of the user in the game of a bar.
    pub(super) fn act_in_engine_game(&mut self, id: GameId, action: EngineGameAction) {
        if self.engine_player.as_ref().is_none_or(|player| player.game != id) {
            return;
        }
        match action {
            EngineGameAction::Resign => self.with_engine_game(EngineGame::resign),
            EngineGameAction::TakeBack => self.with_engine_game(EngineGame::take_back),
            EngineGameAction::Interrupt => self.with_engine_game(EngineGame::interrupt),
            EngineGameAction::Declare => self.with_engine_game(EngineGame::declare),
            EngineGameAction::Resume => self.with_engine_game(|played, document, _| played.resume(document)),
            EngineGameAction::Close => {
                self.with_engine_game(EngineGame::interrupt);
                self.end_player();
            }
        }
    }

    fn end_player(&mut self) {
        let Some(player) = self.engine_player.take() else {
            return;
        };
        self.effects.extend(player.id.map(AppEffect::EndEngine));
        self.with_game(player.game, |game| game.played_against_engine = None);
    }

    /// Starts or ends the engine of the game, and sets its search target.
    pub(super) fn update_player(&mut self) {
        let Some(id) = self.engine_player.as_ref().map(|player| player.game) else {
            return;
        };
        let game = self.game(id);
        let Some(current) = game.engine_game().filter(|played| played.is_in(game.document())) else {
            // The tab is closed, or shows another record.
            return self.end_player();
        };
        let name = current.settings().engine.clone();
        let turn = current.engine_turn(game.document());
        let (is_on, new_id) = (current.is_in_progress(), EngineId(self.last_id + 1));
        let Some(player) = &mut self.engine_player else {
            return;
        };
        match player.id {
            None if is_on => {
                (player.id, player.turn) = (Some(new_id), None);
                self.last_id += 1;
                self.effects.push(AppEffect::StartEngine {
                    id: new_id,
                    name,
                    share: EngineShare::PLAYER,
                });
            }
            Some(id) if !is_on => {
                (player.id, player.is_running) = (None, false);
                self.effects.push(AppEffect::EndEngine(id));
            }
            Some(id) if player.is_running && player.turn != turn => {
                player.turn.clone_from(&turn);
                let target = turn.map_or_else(SearchTarget::default, |turn| SearchTarget {
                    position: Some(turn.history),
                    limit: Some(turn.limit),
                    time_limit: turn.max_time,
                    is_playing: true,
                    ..SearchTarget::default()
                });
                self.effects.push(AppEffect::SetTarget(id, target));
            }
            _ => {}
        }
    }

    pub(super) fn is_player(&self, id: EngineId) -> bool {
        self.engine_player
            .as_ref()
            .is_some_and(|player| player.id == Some(id))
    }

    pub(super) fn on_player_started(&mut self, result: Result<EngineInfo, CauseText>) {
        match (result, &mut self.engine_player) {
            (Ok(_), Some(player)) => player.is_running = true,
            (Ok(_), None) => {}
            (Err(why), _) => {
                let name = self
                    .engine_game()
                    .map(|played| played.settings().engine.clone())
                    .unwrap_or_default();
                self.fail_player(EngineMessage::NotStarted(name, why));
            }
        }
    }

    /// Reports a failure of the engine of the game, and marks the engine as not running.
    fn fail_player(&mut self, why: EngineMessage) {
        self.with_engine_game(|played, _, now| played.fail(why, now));
        if let Some(player) = &mut self.engine_player {
            player.is_running = false;
        }
    }

    /// Applies the output of the engine: a move, or a failure. Returns whether the game has changed.
    pub(super) fn on_player_snapshot(&mut self, snapshot: Snapshot) -> bool {
        let Some(player) = &self.engine_player else {
            return false;
        };
        let asked = player.turn.clone();
        let before = self.engine_game().map(|played| played.state().clone());
        match snapshot.state {
            EngineState::Failed(failure) => self.fail_player(EngineMessage::Failed(failure.kind)),
            EngineState::Unsearchable(why) => self.fail_player(EngineMessage::Unsearchable(why)),
            EngineState::Idle | EngineState::Thinking => {
                self.with_engine_game(|played, _, now| played.set_engine_ready(true, now));
            }
            _ => self.with_engine_game(|played, _, now| played.set_engine_ready(false, now)),
        }
        let is_answer = |turn: &EngineTurn| {
            snapshot
                .result
                .as_ref()
                .filter(|result| result.history == turn.history)
        };
        if let Some(result) = asked.as_ref().and_then(is_answer) {
            let best = result.best_move;
            self.with_engine_game(|played, document, now| played.apply_best_move(document, best, now));
            return true;
        }
        before != self.engine_game().map(|played| played.state().clone())
    }
}
