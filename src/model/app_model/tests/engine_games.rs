//! Games against an engine in a random history.

use super::ModelSimulation;
use crate::action::{AppAction, EngineGameAction};
use crate::app_model::{AppEffect, AppEvent, EngineId};
use crate::pages::ObsPagesSnapshot;
use shogibar_engine::options::Limit;
use shogibar_engine::session::{
    EngineFailure, EngineState, FailureKind, SearchResult, SearchTarget, Snapshot,
};
use shogibar_engine::usi::BestMove;
use shogibar_games::engine_game::EngineGameSettings;
use shogibar_games::study::DocumentEdit;
use shogibar_kifu::{Millis, TimeControl};
use shogibar_shogi::{Color, Move};
use std::time::Duration;

impl ModelSimulation {
    /// Does an action in a game against an engine. `what` selects it.
    pub(super) fn play_engine(&mut self, what: u8) {
        let action = match what % 16 {
            0 | 1 => {
                let user = if what & 64 == 0 {
                    Color::Black
                } else {
                    Color::White
                };
                let control = TimeControl {
                    main: Millis(60_000),
                    ..TimeControl::default()
                };
                let settings = EngineGameSettings {
                    engine: super::ENGINES[1].to_owned(),
                    user,
                    limit: Limit::Nodes(100),
                    control: (what & 128 == 0).then_some(control),
                    shows_values: what & 32 == 0,
                };
                AppAction::BeginEngineGame(Box::new(settings))
            }
            2..=4 => match self
                .page()
                .history()
                .now()
                .legal_moves()
                .get(usize::from(what / 16))
            {
                Some(mv) => AppAction::Edit(DocumentEdit::Play(*mv)),
                None => return,
            },
            5..=8 => return self.answer_in_game(what / 16),
            9 => AppAction::EngineGame(EngineGameAction::Resign),
            10 => AppAction::EngineGame(EngineGameAction::TakeBack),
            11 => AppAction::EngineGame(EngineGameAction::Interrupt),
            12 => AppAction::EngineGame(EngineGameAction::Resume),
            13 => AppAction::EngineGame(EngineGameAction::Declare),
            14 if what & 64 == 0 => AppAction::EngineGame(EngineGameAction::Close),
            _ => {
                self.model
                    .set_time(self.model.now + Duration::from_secs(u64::from(what)));
                return self.handle(AppEvent::Tick);
            }
        };
        self.act(action);
    }

    fn player(&self) -> Option<(EngineId, Option<SearchTarget>)> {
        let id = self
            .targets
            .keys()
            .copied()
            .find(|id| self.model.is_player(*id))?;
        Some((id, self.targets.get(&id).cloned().flatten()))
    }

    /// Lets the engine of the game answer or fail. `how` selects it.
    fn answer_in_game(&mut self, how: u8) {
        let Some((id, target)) = self.player() else { return };
        let position = target.and_then(|target| target.position);
        let best = match (how, &position) {
            (0, _) => BestMove::Resign,
            (1, _) => BestMove::None,
            (2, _) => BestMove::Win,
            (nth, Some(position)) => position.now().legal_moves().get(usize::from(nth)).copied().into(),
            (_, None) => BestMove::Move(Move::from_usi("7g7f").unwrap()),
        };
        let failure = || EngineFailure {
            kind: FailureKind::Crashed(None),
            last_lines: Vec::new(),
            restart_count: 0,
        };
        let state = if how == 15 {
            EngineState::Failed(failure())
        } else {
            EngineState::Idle
        };
        let result = position.map(|history| SearchResult {
            history,
            best_move: best,
        });
        self.handle(AppEvent::Snapshot(
            id,
            Box::new(Snapshot {
                state,
                result,
                ..Snapshot::default()
            }),
        ));
    }

    /// Returns the guarantee that the game against an engine breaks, if any.
    pub(super) fn engine_game_problem(&self) -> Option<&'static str> {
        let games = self
            .model
            .games()
            .filter(|(_, game)| game.engine_game().is_some());
        if games.count() > 1 {
            return Some("two games are played at once");
        }
        let played = self
            .model
            .engine_player
            .as_ref()
            .map(|player| self.model.game(player.game));
        let played = played.and_then(|game| Some((game, game.engine_game()?)));
        let wanted = played
            .as_ref()
            .and_then(|(game, played)| played.engine_turn(game.document()));
        if let Some((_, target)) = self.player() {
            let searched = target.and_then(|target| target.position);
            if searched != wanted.map(|turn| turn.history) && self.is_player_ready() {
                return Some("the engine of a game searches another position than that of its turn");
            }
        }
        let (game, played) = played?;
        if !played.settings().shows_values && played.is_in_progress() {
            let shown = self
                .model
                .bars
                .iter()
                .filter(|entry| std::ptr::eq(self.model.game(entry.bar.game()), game));
            if shown
                .map(|entry| self.model.bar_view(entry.id))
                .any(|view| !view.is_hidden)
            {
                return Some("the evaluation is shown during a game");
            }
            let hidden = self.model.game_without_values();
            if hidden.is_some_and(|id| !ObsPagesSnapshot::new(&self.model).hides(id)) {
                return Some("the evaluation is on a page during a game");
            }
        }
        if played.is_in_progress() && !game.document().record().is_attached(game.document().last_move()) {
            return Some("the page shows a move that is not in the record");
        }
        None
    }

    fn is_player_ready(&self) -> bool {
        !self
            .waiting_effects
            .iter()
            .any(|effect| matches!(effect, AppEffect::StartEngine { id, .. } if self.model.is_player(*id)))
    }
}
