//! Values for the beginning of a graph, if a game was joined late. The built-in engine searches the earlier positions
//! in the background. These values mark no move, are not part of a summary, and are not written to a record.

use super::engines::EngineShare;
use super::{AppEffect, AppModel, EngineId, EngineInfo};
use crate::ids::GameId;
use shogibar_base::CauseText;
use shogibar_config::BUILT_IN_NAME;
use shogibar_engine::observer::SearchInfo;
use shogibar_engine::options::Limit;
use shogibar_engine::session::{EngineState, SearchTarget, Snapshot};
use shogibar_shogi::History;
use std::sync::Arc;
use std::time::Duration;

const SEARCH_TIME: Duration = Duration::from_millis(200);

/// The number of positions without a value from which an engine is started. In a quick game, fewer may lack a value for
/// a moment.
const MIN_MISSING_POSITIONS: usize = 4;

/// The engine that fills the graphs. The engine is started for the first graph with a gap, and runs while a bar shows a
/// followed game.
#[derive(Debug, Default)]
pub(super) struct GraphFill {
    /// Whether the user wants the graphs to be filled.
    is_on: bool,
    /// Whether the engine cannot be used. Another try follows when the user turns the setting on again.
    has_failed: bool,
    engine: Option<FillEngine>,
}

/// The running or starting engine that fills the graphs.
#[derive(Debug)]
struct FillEngine {
    id: EngineId,
    is_running: bool,
    searched_position: Option<(GameId, Arc<History>)>,
}

impl GraphFill {
    pub(super) const fn set_on(&mut self, is_on: bool) {
        self.has_failed &= self.is_on || !is_on;
        self.is_on = is_on;
    }
}

impl AppModel {
    pub(super) fn is_fill_engine(&self, id: EngineId) -> bool {
        self.graph_fill
            .engine
            .as_ref()
            .is_some_and(|engine| engine.id == id)
    }

    pub(super) fn on_fill_started(&mut self, result: &Result<EngineInfo, CauseText>) {
        if let (Ok(_), Some(engine)) = (result, &mut self.graph_fill.engine) {
            engine.is_running = true;
        } else {
            (self.graph_fill.has_failed, self.graph_fill.engine) = (true, None);
        }
    }

    /// Stores the value of a position once the engine has finished its search.
    pub(super) fn on_fill_snapshot(&mut self, snapshot: &Snapshot) {
        let Some(engine) = &mut self.graph_fill.engine else {
            return;
        };
        if matches!(snapshot.state, EngineState::Failed(_)) {
            self.effects.push(AppEffect::EndEngine(engine.id));
            (self.graph_fill.has_failed, self.graph_fill.engine) = (true, None);
            return;
        }
        let Some((game, history)) = engine.searched_position.take_if(|(_, searched)| {
            let is_refused = matches!(snapshot.state, EngineState::Unsearchable(_));
            is_refused
                || snapshot
                    .result
                    .as_ref()
                    .is_some_and(|result| result.history == *searched)
        }) else {
            return;
        };
        let info = snapshot
            .search_info
            .as_ref()
            .filter(|info| info.history == history);
        let value = info
            .and_then(SearchInfo::best)
            .map(|best| (best.value, snapshot.model));
        if let Some(game) = self.game_mut(game) {
            game.add_fill_value(&history, value);
        }
        self.update_fill();
    }

    /// Sets the next position of the engine. Starts the engine for a graph with a gap, and ends it when no bar shows a
    /// followed game.
    pub(super) fn update_fill(&mut self) {
        let Some(engine) = &self.graph_fill.engine else {
            if self.graph_fill.is_on
                && !self.graph_fill.has_failed
                && self.max_missing_positions() >= MIN_MISSING_POSITIONS
            {
                let id = EngineId(self.next_id());
                self.effects.push(AppEffect::StartEngine {
                    id,
                    name: BUILT_IN_NAME.to_owned(),
                    share: EngineShare::BRIEF,
                });
                self.graph_fill.engine = Some(FillEngine {
                    id,
                    is_running: false,
                    searched_position: None,
                });
            }
            return;
        };
        if !engine.is_running || engine.searched_position.is_some() {
            return;
        }
        let id = engine.id;
        if !self.graph_fill.is_on || self.followed_games().next().is_none() {
            self.effects.push(AppEffect::EndEngine(id));
            self.graph_fill.engine = None;
            return;
        }
        let next = self.followed_games().find_map(|(game, lead)| {
            let missing = self.game(game).missing_plies(lead);
            let history = missing
                .iter()
                .rev()
                .find_map(|ply| self.game(game).searchable_position(*ply))?;
            Some((game, Arc::new(history)))
        });
        if let (Some((game, history)), Some(engine)) = (next, &mut self.graph_fill.engine) {
            let limit = Some(Limit::Time(SEARCH_TIME));
            let target = SearchTarget {
                limit,
                ..Some(Arc::clone(&history)).into()
            };
            engine.searched_position = Some((game, history));
            self.effects.push(AppEffect::SetTarget(id, target));
        }
    }

    /// Returns the followed games on bars whose engines are not paused. Each comes with the name of the engine of its
    /// graph.
    fn followed_games(&self) -> impl Iterator<Item = (GameId, &str)> {
        let bars = self.bars.iter().filter(|entry| !entry.bar.is_paused_now());
        let games = bars.map(|entry| {
            let lead = entry
                .bar
                .lead_engine()
                .map_or("", |lead| lead.report.name.as_str());
            (entry.bar.game(), lead)
        });
        games.filter(|(game, _)| self.game(*game).is_followed())
    }

    /// Returns the largest number of positions without a share in the graph of any followed game.
    fn max_missing_positions(&self) -> usize {
        self.followed_games()
            .map(|(game, lead)| self.game(game).missing_plies(lead).len())
            .max()
            .unwrap_or_default()
    }
}
