//! The graph of a game that was joined late: the built-in engine has a brief look at the positions before, in the
//! background. What it says marks no move, counts in no summary and enters no record.

use super::engines::EngineShare;
use super::{AppEffect, AppModel, EngineId, EngineInfo};
use crate::app::ids::GameId;
use crate::config::BUILT_IN;
use crate::observer::SearchInfo;
use crate::options::Limit;
use crate::session::{EngineState, SearchTarget, Snapshot};
use crate::shogi::History;
use crate::text::CauseText;
use std::sync::Arc;
use std::time::Duration;

/// The time for a position.
const BRIEF: Duration = Duration::from_millis(200);

/// An engine is started for so many positions. Fewer are missing where a game goes on quickly.
const MANY: usize = 4;

/// The engine that fills the graphs, while something is missing in one.
#[derive(Debug, Default)]
pub(super) struct GraphFill {
    is_on: bool,
    /// Whether the engine cannot be used. It is not tried again.
    has_failed: bool,
    engine: Option<FillEngine>,
}

#[derive(Debug)]
struct FillEngine {
    id: EngineId,
    is_running: bool,
    /// The game and the position that it looks at.
    searched: Option<(GameId, Arc<History>)>,
}

impl AppModel {
    /// Sets whether the graphs of games that were joined late are filled, from the next event on.
    pub const fn set_fills_graph(&mut self, fills: bool) {
        self.fill.is_on = fills;
    }

    pub(super) fn is_fill_engine(&self, id: EngineId) -> bool {
        self.fill.engine.as_ref().is_some_and(|engine| engine.id == id)
    }

    pub(super) fn on_fill_started(&mut self, result: &Result<EngineInfo, CauseText>) {
        if let (Ok(_), Some(engine)) = (result, &mut self.fill.engine) {
            engine.is_running = true;
        } else {
            (self.fill.has_failed, self.fill.engine) = (true, None);
        }
    }

    /// Takes what the engine says, once it has ended its look at a position.
    pub(super) fn on_fill_snapshot(&mut self, snapshot: &Snapshot) {
        let Some(engine) = &mut self.fill.engine else { return };
        if matches!(snapshot.state, EngineState::Failed(_)) {
            self.effects.push(AppEffect::EndEngine(engine.id));
            (self.fill.has_failed, self.fill.engine) = (true, None);
            return;
        }
        let has_ended = |(_, searched): &mut (GameId, Arc<History>)| {
            let is_refused = matches!(snapshot.state, EngineState::Unsearchable(_));
            is_refused || snapshot.result.as_ref().is_some_and(|result| result.history == *searched)
        };
        let Some((game, history)) = engine.searched.take_if(has_ended) else { return };
        let info = snapshot.search_info.as_ref().filter(|info| info.history == history);
        let value = info.and_then(SearchInfo::best).map(|best| (best.value, snapshot.model));
        if let Some(game) = self.game_mut(game) {
            game.fill(&history, value);
        }
        self.update_fill();
    }

    /// Has the engine look at the next position; starts it for many, and ends it after the last.
    pub(super) fn update_fill(&mut self) {
        if self.fill.has_failed || self.fill.engine.as_ref().is_some_and(|engine| engine.searched.is_some()) {
            return;
        }
        let next = if self.fill.is_on { self.next_unfilled() } else { None };
        let (effect, engine) = match (self.fill.engine.take(), next) {
            (None, Some((.., count))) if count >= MANY => {
                let id = EngineId(self.next_id());
                let start = AppEffect::StartEngine { id, name: BUILT_IN.to_owned(), share: EngineShare::BRIEF };
                (Some(start), Some(FillEngine { id, is_running: false, searched: None }))
            }
            (Some(engine), Some((game, history, _))) if engine.is_running => {
                let limit = Some(Limit::Time(BRIEF));
                let target = SearchTarget { limit, ..Some(Arc::clone(&history)).into() };
                let searched = Some((game, history));
                (Some(AppEffect::SetTarget(engine.id, target)), Some(FillEngine { searched, ..engine }))
            }
            (Some(engine), None) if engine.is_running => (Some(AppEffect::EndEngine(engine.id)), None),
            (engine, _) => (None, engine),
        };
        self.effects.extend(effect);
        self.fill.engine = engine;
    }

    /// Returns the newest position without a share in the graph of a live game on a bar, and how many that game has.
    fn next_unfilled(&self) -> Option<(GameId, Arc<History>, usize)> {
        let bars = self.bars.iter().filter(|entry| !entry.bar.is_paused_now());
        let mut missing = bars.filter_map(|entry| {
            let id = entry.bar.game();
            let game = self.game(id);
            let lead = entry.bar.engines().get(entry.bar.lead()).map_or("", |lead| lead.name.as_str());
            let (history, count) = game.is_live().then(|| game.newest_unfilled(lead)).flatten()?;
            Some((id, Arc::new(history), count))
        });
        missing.next()
    }
}
