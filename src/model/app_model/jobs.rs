//! The jobs that the model starts, and their results.

use super::{AppEffect, AppModel, BarEntry};
use crate::ids::{BarId, EngineId, GameId};
use crate::jobs::{Job, JobKey, JobResult};
use shogibar_games::move_facts::MoveFacts;
use shogibar_games::reasons::ShownMove;
use shogibar_shogi::History;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The state of the job about the last move of a position on a bar.
#[derive(Clone, Debug)]
struct LastMoveQuery {
    history: Arc<History>,
    progress: QueryProgress,
    /// Whether the reason of the move was requested, and is not known to be empty.
    is_requested: bool,
}

/// What the lines around the last move are known from. Another one may give another reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct QueryProgress {
    /// The followed engine.
    engine: Option<EngineId>,
    /// The depth of the engine in plies, and whether that is enough for a meaningful line. `None` before a search.
    search: Option<(u32, bool)>,
    /// The revision of the record with its evaluations.
    revision: u64,
}

/// The jobs that were started.
#[derive(Debug, Default)]
pub(super) struct StartedJobs {
    /// The positions of the games on the bars whose facts were requested.
    facts: BTreeMap<GameId, Arc<History>>,
    last_moves: BTreeMap<BarId, LastMoveQuery>,
    /// The game whose reasons were requested last.
    explained_game: Option<GameId>,
}

impl AppModel {
    /// Applies a result of a job, unless it is about another position or record than the present one.
    pub(super) fn on_job_result(&mut self, result: JobResult) {
        match result {
            JobResult::Facts(id, facts) => {
                let is_shown = *self.game(id).history() == facts.history;
                if is_shown && facts.has_threat_of_mate() {
                    self.effects
                        .push(AppEffect::Run(Job::Brinkmate(id, facts.clone())));
                }
                self.with_game(id, |game| game.set_facts(facts));
            }
            JobResult::Brinkmate(id, facts) => self.with_game(id, |game| game.set_facts(facts)),
            JobResult::LastMove(bar, shown, facts) => self.set_last_move_facts(bar, shown, *facts),
            JobResult::Reason {
                game,
                first_revision,
                node,
                reason,
            } => self.with_game(game, |game| game.set_reason(first_revision, node, reason)),
            JobResult::Mate(id, history, outcome) => {
                if let Some(inquiry) = self.game_mut(id).and_then(|game| game.inquiry.as_mut()) {
                    inquiry.set_built_in_answer(&history, outcome);
                }
            }
            JobResult::ShelfProgress(..) | JobResult::ShelfScanned(..) | JobResult::ShelfAnswer(..) => {
                self.on_shelf_result(result);
            }
            JobResult::DrillDeck(..)
            | JobResult::MistakeProgress(..)
            | JobResult::Mistakes(..)
            | JobResult::MistakesCollected(..) => self.on_drill_result(result),
            JobResult::VideoProgress(number, progress) => self.video.set_progress(number, progress),
            JobResult::VideoMade(number, made) => self.on_video_made(number, made),
        }
    }

    fn set_last_move_facts(&mut self, bar: BarId, shown: Box<ShownMove>, facts: MoveFacts) {
        if *self.game(self.bar(bar).game()).history() != shown.history {
            return;
        }
        if let Some(query) = self.jobs.last_moves.get_mut(&bar)
            && facts.list.is_empty()
        {
            // A deeper search may find more, so the reason is searched for again.
            query.is_requested = false;
        }
        self.with_bar(bar, |bar| bar.set_last_reason(shown, facts));
    }

    /// Requests the facts about the positions on the bars, once for each position.
    pub(super) fn find_facts(&mut self) {
        let shown: BTreeSet<_> = self.bars.iter().map(|entry| entry.bar.game()).collect();
        self.jobs.facts.retain(|game, _| shown.contains(game));
        for id in shown {
            let history = Arc::clone(self.game(id).history());
            let wanted = self.jobs.facts.get(&id);
            // Nothing can be proved about an empty board: no request is made for it at the start.
            if !self.game(id).is_blank() && wanted.is_none_or(|known| *known != history) {
                self.jobs.facts.insert(id, Arc::clone(&history));
                self.effects.push(AppEffect::Run(Job::Facts(id, history)));
            }
        }
    }

    /// Requests the proved facts about last moves with a large loss. They are requested again if none were found and
    /// the search has progressed.
    pub(super) fn find_last_move_facts(&mut self) {
        let mut queries = BTreeMap::new();
        let mut effects = Vec::new();
        for BarEntry { id, bar, .. } in &self.bars {
            let game = self.game(bar.game());
            let progress = QueryProgress {
                engine: bar.lead_engine().map(|engine| engine.id),
                search: bar.lead_progress(game),
                revision: game.document().revision(),
            };
            let known = self
                .jobs
                .last_moves
                .get(id)
                .filter(|known| known.history == *game.history());
            // A deeper search may find more, so the reason is searched for again once the search has progressed.
            let mut query = known.cloned().unwrap_or_else(|| LastMoveQuery {
                history: Arc::clone(game.history()),
                progress: QueryProgress::default(),
                is_requested: false,
            });
            // The reason is that of the followed engine.
            query.is_requested &= query.progress.engine == progress.engine;
            if game.doubt().is_none()
                && !query.is_requested
                && (known.is_none() || query.progress != progress)
            {
                query.progress = progress;
                let shown = bar.shown_move(game).filter(ShownMove::has_large_loss);
                query.is_requested = shown.is_some();
                effects.extend(
                    shown.map(|shown| AppEffect::Run(Job::LastMove(bar.game(), *id, Box::new(shown)))),
                );
            }
            queries.insert(*id, query);
        }
        self.jobs.last_moves = queries;
        self.effects.extend(effects);
    }

    /// Updates the insight into the game on the open study page, and requests the missing reasons of its moves. Returns
    /// whether the insight is complete.
    pub(super) fn update_insight(&mut self) -> bool {
        if !self.is_study_open {
            return true;
        }
        let (id, scales) = (self.study_game(), &self.scales);
        let Some((_, game)) = self.games.iter_mut().find(|(known, _)| *known == id) else {
            return true;
        };
        let is_complete = game.update_insight(scales);
        // The requests for another game have ended those for this one.
        let is_other = self.jobs.explained_game.replace(id) != Some(id);
        if let Some(nodes) = game.take_moves_to_explain(is_other) {
            self.effects.push(if nodes.is_empty() {
                AppEffect::Cancel(JobKey::Reasons)
            } else {
                AppEffect::Run(Job::Reasons(id, Box::new(game.reason_request(nodes))))
            });
        }
        is_complete
    }
}
