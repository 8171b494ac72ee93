//! A game of a scheduler, with the tasks of each group of engines.

use super::super::AnalysisPlan;
use super::engine_group::EngineGroup;
use super::task_queue::{SearchCount, TaskQueue};
use super::worker::{Worker, WorkerJob};
use super::{AnalysisGame, Finding, FindingKind, PassSettings};
use shogibar_engine::options::Limit;
use shogibar_kifu::Record;
use std::sync::Arc;
use std::time::Duration;

/// The sums of several games: the numbers of searches, and the number of games that are over.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameTotals {
    pub(super) first_pass: SearchCount,
    pub(super) second_pass: SearchCount,
    finished_games: usize,
    /// The number of finished games that at least one group of engines has completed.
    completed_games: usize,
}

impl GameTotals {
    pub(super) const fn add(&mut self, other: Self) {
        self.first_pass = self.first_pass.plus(other.first_pass);
        self.second_pass = self.second_pass.plus(other.second_pass);
        self.finished_games += other.finished_games;
        self.completed_games += other.completed_games;
    }

    pub(super) const fn has_result(&self) -> bool {
        self.finished_games == 0 || self.completed_games > 0
    }
}

/// A game that is being analysed.
#[derive(Debug)]
pub(super) struct ScheduledGame {
    pub(super) number: usize,
    record: Arc<Record>,
    plan: AnalysisPlan,
    pass_settings: PassSettings,
    /// The tasks of each group; empty until the groups are known.
    queues: Vec<TaskQueue>,
}

impl ScheduledGame {
    pub(super) fn new(game: AnalysisGame) -> Self {
        let AnalysisGame {
            number,
            record,
            plan,
            pass_settings,
        } = game;
        Self {
            number,
            record,
            plan,
            pass_settings,
            queues: Vec::new(),
        }
    }

    /// Creates the queue of each group with the positions to search. Returns the findings of the other positions, which
    /// are known already.
    pub(super) fn enqueue_unknown(&mut self, groups: &[EngineGroup]) -> Vec<Finding> {
        self.queues = groups
            .iter()
            .map(|group| TaskQueue::new(self.number, group))
            .collect();
        self.queues
            .iter_mut()
            .flat_map(|queue| queue.enqueue_unknown(&self.plan, &self.pass_settings))
            .collect()
    }

    pub(super) fn queue(&mut self, group: usize) -> Option<&mut TaskQueue> {
        self.queues.get_mut(group)
    }

    /// Records the outcome of a position. Returns the finding; `None` for an unknown group or position.
    pub(super) fn record_outcome(
        &mut self,
        group: usize,
        job: &WorkerJob,
        outcome: FindingKind,
    ) -> Option<Finding> {
        let queue = self.queues.get_mut(group)?;
        queue.count_search(job.is_deep);
        queue.record_outcome(&self.plan, job.task, job.is_deep, outcome)
    }

    /// Begins the next round of a group if all positions of the group are completed. Closes the queue if all engines of
    /// the group are lost. Returns the findings of the new round that are known from an earlier run.
    pub(super) fn advance(&mut self, group: usize, workers: &[Worker]) -> Vec<Finding> {
        let is_busy = self.is_searched_by(group, workers);
        let Some(queue) = self.queues.get_mut(group) else {
            return Vec::new();
        };
        if workers
            .iter()
            .filter(|worker| worker.group == Some(group))
            .all(|worker| worker.is_lost)
        {
            queue.close();
        }
        if is_busy {
            Vec::new()
        } else {
            queue.advance(&self.plan, &self.pass_settings)
        }
    }

    fn is_searched_by(&self, group: usize, workers: &[Worker]) -> bool {
        workers.iter().any(|worker| {
            worker.group == Some(group) && worker.job.as_ref().is_some_and(|job| job.game == self.number)
        })
    }

    /// Returns the next search of a group, and the ply of its position; `None` if no position is waiting.
    pub(super) fn next_job(&mut self, group: usize, deep_limit: Option<Limit>) -> Option<(WorkerJob, u16)> {
        let (task, is_deep) = self.queues.get_mut(group)?.take_next()?;
        let (node, ply) = self.plan.tasks.get(task).map(|task| (task.node, task.ply))?;
        let limit = if is_deep { deep_limit } else { None };
        let history = Arc::new(self.record.history_at(node));
        Some((
            WorkerJob {
                game: self.number,
                task,
                is_deep,
                limit,
                history,
                crashes: 0,
            },
            ply,
        ))
    }

    pub(super) fn count_time(&mut self, now: Duration, group: usize, workers: &[Worker], is_running: bool) {
        let is_busy = is_running && self.is_searched_by(group, workers);
        if let Some(queue) = self.queues.get_mut(group) {
            queue.count_time(now, is_busy);
        }
    }

    /// Returns the number of positions that are not assigned to an engine.
    pub(super) fn waiting_position_count(&self) -> usize {
        if self.queues.is_empty() {
            self.plan.tasks.len()
        } else {
            self.queues.iter().map(TaskQueue::waiting_position_count).sum()
        }
    }

    /// Returns whether no group searches the game any more.
    pub(super) fn is_over(&self) -> bool {
        !self.queues.is_empty() && self.queues.iter().all(TaskQueue::is_over)
    }

    pub(super) fn totals(&self) -> GameTotals {
        if self.queues.is_empty() {
            return GameTotals {
                first_pass: SearchCount::with_total(self.plan.tasks.len()),
                ..GameTotals::default()
            };
        }
        let mut totals = GameTotals::default();
        for queue in &self.queues {
            let (first_pass, second_pass) = (queue.first_pass, queue.second_pass);
            totals.add(GameTotals {
                first_pass,
                second_pass,
                ..GameTotals::default()
            });
        }
        if self.is_over() {
            totals.finished_games = 1;
            totals.completed_games = usize::from(self.queues.iter().any(TaskQueue::is_complete));
        }
        totals
    }

    /// Estimates the remaining time; `None` before the first search has ended, and when the game is over. `under_way`
    /// returns the number of running searches of a group.
    pub(super) fn remaining_time(
        &self,
        now: Duration,
        under_way: impl Fn(usize) -> usize,
    ) -> Option<Duration> {
        self.queues
            .iter()
            .enumerate()
            .filter_map(|(group, queue)| queue.remaining_time(now, under_way(group)))
            .max()
    }
}
