//! Assigns positions to engines and takes their results, as a pure function of engine snapshots.
//!
//! Engines with the same signature share the positions; engines with different signatures each search all of them. Each
//! signature has a [`TaskQueue`] with two passes. In the second pass, the positions of swings are searched longer.

mod task_queue;
mod worker;

use super::journal::KnownResults;
use super::{AnalysisPlan, EngineResult, PositionKey};
use crate::kifu::{NodeId, Record};
use crate::options::{Limit, RejectedOption};
use crate::score::Model;
use crate::session::{EngineFailure, EngineState, SearchTarget, Snapshot};
use std::sync::Arc;
use std::time::Duration;
use task_queue::TaskQueue;
use worker::{Worker, WorkerJob};

/// An engine to be used, with its search settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSlot {
    /// The user's name for it.
    pub name: String,
    /// Whether that is the name of a profile. A profile says more than the engine's own name, such as the net it runs.
    pub is_profile: bool,
    /// The search limit per position.
    pub limit: Limit,
    /// The number of lines requested (`multipv`).
    pub multipv: u32,
}

/// Settings for known results and for the second pass.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondPass {
    /// The results of an earlier run, from the journal.
    pub known: KnownResults,
    /// Whether positions that the record already has evaluations for are searched again.
    pub again: bool,
    /// The factor of the limit for the positions of a swing in the second pass; below 2 there is no second pass.
    pub deepen: u32,
}

/// A command to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The index of the engine, from 0.
    pub engine: usize,
    /// The target to search.
    pub target: SearchTarget,
}

/// The outcome for a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The node of the position in the record.
    pub node: NodeId,
    /// The key of the position.
    pub key: PositionKey,
    /// The index of the engine, from 0; for engines that share the positions, that of the first.
    pub engine: usize,
    /// Whether it belongs to the second pass.
    pub is_deep: bool,
    /// The outcome.
    pub outcome: FindingKind,
}

/// The kinds of outcome for a position.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingKind {
    /// An engine has searched the position.
    Searched(EngineResult),
    /// The result of an earlier run, from the journal.
    Known(EngineResult),
    /// The record already has an evaluation.
    Skipped,
    /// The engine has answered without usable information.
    Nothing,
    /// The position was given up: the index of the engine that ended there repeatedly, and its last failure.
    GivenUp(usize, EngineFailure),
}

/// The progress of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// The current stage.
    pub stage: AnalysisStage,
    /// The number of searches in the first pass: the positions, for each group of engines that share them.
    pub total: usize,
    /// The number of them that are completed, with whatever outcome.
    pub done: usize,
    /// The searches of the second pass: the number known so far, and the number completed.
    pub second_pass: [usize; 2],
    /// The number of positions searched in this run.
    pub searched: usize,
    /// The estimated remaining time; `None` if it is unknown.
    pub remaining: Option<Duration>,
    /// The engines.
    pub engines: Vec<WorkerStatus>,
}

/// The stage of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisStage {
    /// The engines are starting: not all have completed the USI handshake.
    #[default]
    Starting,
    /// Positions are being searched.
    Running,
    /// Paused until the user resumes.
    Paused,
    /// All searches are completed.
    Finished,
    /// Cancelled by the user.
    Cancelled,
    /// No engine is left to continue.
    Failed,
}

impl Progress {
    /// Returns the progress of an analysis without searches.
    pub fn idle() -> Self {
        Self { stage: AnalysisStage::Finished, ..Self::default() }
    }

    /// Returns the signatures of its engines, including those of the second pass.
    pub fn signatures(&self) -> Vec<&str> {
        let signatures = self.engines.iter().flat_map(|engine| [&engine.signature, &engine.deep_signature]);
        signatures.map(String::as_str).filter(|signature| !signature.is_empty()).collect()
    }

    /// Returns the state of the current pass: completed and total searches, and whether it is the second pass.
    pub const fn pass(&self) -> ([usize; 2], bool) {
        let [deeper, done] = self.second_pass;
        if self.done == self.total && deeper > 0 { ([done, deeper], true) } else { ([self.done, self.total], false) }
    }
}

impl AnalysisStage {
    /// Returns whether the analysis has ended.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

/// The status of one engine of an analysis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WorkerStatus {
    /// The user's name for it.
    pub name: String,
    /// The name it reports; empty before the USI handshake.
    pub engine: String,
    /// The [signature](super::signature) of its evaluations; empty before the USI handshake.
    pub signature: String,
    /// The signature of its second pass; empty if there is none.
    pub deep_signature: String,
    /// The scale from its centipawns to win rates.
    pub model: Model,
    /// The state of the engine.
    pub state: EngineState,
    /// How long an answer has been overdue, in seconds.
    pub overdue_seconds: u64,
    /// The number of times it ended unexpectedly.
    pub crashes: u32,
    /// Whether it does not support limits; then results differ from run to run.
    pub refuses_limits: bool,
    /// The user's options that were not sent to it because they are invalid for it.
    pub rejected_options: Vec<RejectedOption>,
    /// The ply of the position it is searching; `None` if it is idle.
    pub at: Option<u16>,
}

/// The run mode requested by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunMode {
    Run,
    Pause,
    Cancel,
}

/// The positions to search and the engines that search them.
#[derive(Debug)]
pub struct Scheduler {
    record: Arc<Record>,
    plan: AnalysisPlan,
    passes: SecondPass,
    workers: Vec<Worker>,
    /// One queue per signature, once every engine has completed the USI handshake.
    queues: Option<Vec<TaskQueue>>,
    mode: RunMode,
    searched: usize,
    findings: Vec<Finding>,
}

impl Scheduler {
    /// Creates a scheduler of a plan's positions for these engines.
    pub fn new(record: Arc<Record>, plan: AnalysisPlan, slots: Vec<WorkerSlot>, passes: SecondPass) -> Self {
        let hands = slots.into_iter().map(|slot| Worker::new(slot, passes.deepen)).collect();
        let findings = Vec::new();
        Self { record, plan, passes, workers: hands, queues: None, mode: RunMode::Run, searched: 0, findings }
    }

    /// Updates the state of an engine at the time `now`, which never decreases. Returns commands for the engines.
    pub fn on_snapshot(&mut self, now: Duration, engine: usize, snapshot: &Snapshot) -> Vec<WorkerCommand> {
        let Some(worker) = self.workers.get_mut(engine) else { return Vec::new() };
        worker.update(snapshot);
        let queue = worker.queue.and_then(|queue| self.queues.as_mut()?.get_mut(queue));
        let done = match &snapshot.state {
            EngineState::Restarting(restart) => {
                worker.give_up(restart).map(|job| (job, FindingKind::GivenUp(engine, restart.failure.clone())))
            }
            EngineState::Failed(_) => {
                // Another engine with the same signature may succeed with this position.
                if let (Some(job), Some(queue)) = (worker.lose(), queue) {
                    queue.take_back(job.task);
                }
                None
            }
            // Cannot happen: such positions are not in the plan.
            EngineState::Unsearchable(_) => worker.job.take().map(|job| (job, FindingKind::Nothing)),
            _ => {
                worker.restart = None;
                worker
                    .answer(snapshot)
                    .map(|(job, result)| (job, result.map_or(FindingKind::Nothing, FindingKind::Searched)))
            }
        };
        if let Some((job, outcome)) = done {
            self.searched += usize::from(!matches!(outcome, FindingKind::GivenUp(..)));
            if let Some(queue) =
                self.workers.get(engine).and_then(|worker| self.queues.as_mut()?.get_mut(worker.queue?))
            {
                self.findings.extend(queue.find(&self.plan, (job.task, job.is_deep), outcome));
                queue.count_search(job.is_deep);
            }
        }
        self.assign(now)
    }

    /// Pauses or resumes the engines.
    pub fn pause(&mut self, now: Duration, paused: bool) -> Vec<WorkerCommand> {
        let mode = if paused { RunMode::Pause } else { RunMode::Run };
        if self.mode == mode || self.mode == RunMode::Cancel {
            return Vec::new();
        }
        self.mode = mode;
        let given = self.workers.iter().enumerate().filter_map(|(engine, worker)| {
            let job = worker.job.as_ref()?;
            Some(WorkerCommand { engine, target: SearchTarget { paused, ..job.search_target() } })
        });
        let mut commands: Vec<_> = given.collect();
        commands.extend(self.assign(now));
        commands
    }

    /// Cancels the analysis. Findings so far stay.
    pub const fn cancel(&mut self) {
        self.mode = RunMode::Cancel;
    }

    /// Takes the findings since the last call.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// Returns the progress at the time `now`.
    pub fn progress(&self, now: Duration) -> Progress {
        let queues = self.queues.as_deref().unwrap_or_default();
        let sum = |number: fn(&TaskQueue) -> usize| queues.iter().map(number).sum();
        let total = if self.queues.is_some() { sum(|queue| queue.first.total) } else { self.plan.tasks.len() };
        let left = queues.iter().enumerate().filter_map(|(index, queue)| queue.left(now, self.running_in(index)));
        Progress {
            stage: self.stage(),
            total,
            done: sum(|queue| queue.first.done),
            second_pass: [sum(|queue| queue.second.total), sum(|queue| queue.second.done)],
            searched: self.searched,
            remaining: left.max(),
            engines: self.workers.iter().map(Worker::status).collect(),
        }
    }

    /// Returns the current stage.
    pub fn stage(&self) -> AnalysisStage {
        let queues = self.queues.as_deref().unwrap_or_default();
        let is_any_done = queues.iter().any(TaskQueue::is_complete);
        let are_all_over = queues.iter().all(TaskQueue::is_over) && is_any_done;
        if self.mode == RunMode::Cancel {
            AnalysisStage::Cancelled
        } else if are_all_over {
            AnalysisStage::Finished
        } else if self.workers.iter().all(|worker| worker.is_lost) {
            AnalysisStage::Failed
        } else if self.mode == RunMode::Pause {
            AnalysisStage::Paused
        } else if self.queues.is_some() {
            AnalysisStage::Running
        } else {
            AnalysisStage::Starting
        }
    }

    /// Assigns a position to every idle engine, once the tasks are known.
    fn assign(&mut self, now: Duration) -> Vec<WorkerCommand> {
        if self.queues.is_none() && self.workers.iter().all(|worker| worker.is_known() || worker.is_lost) {
            self.skip_known();
        }
        let mut commands = Vec::new();
        let is_running = self.mode == RunMode::Run;
        let Some(queues) = &mut self.queues else { return commands };
        for (number, queue) in queues.iter_mut().enumerate() {
            let is_member = |worker: &Worker| worker.queue == Some(number);
            if self.workers.iter().filter(|worker| is_member(worker)).all(|worker| worker.is_lost) {
                queue.close();
            }
            if !self.workers.iter().any(|worker| is_member(worker) && worker.job.is_some()) {
                self.findings.extend(queue.advance(&self.plan, &self.passes));
            }
            let free = self
                .workers
                .iter_mut()
                .enumerate()
                .filter(|(_, worker)| is_member(worker) && worker.is_free() && is_running);
            for (engine, worker) in free {
                let Some((task, is_deep)) = queue.next() else { break };
                let Some((node, ply)) = self.plan.tasks.get(task).map(|task| (task.node, task.ply)) else { continue };
                let limit = if is_deep { worker.deep_limit } else { None };
                let job =
                    WorkerJob { task, is_deep, limit, history: Arc::new(self.record.history_at(node)), crashes: 0 };
                commands.push(WorkerCommand { engine, target: job.search_target() });
                worker.engine.at = Some(ply);
                worker.job = Some(job);
            }
            let is_busy = is_running && self.workers.iter().any(|worker| is_member(worker) && worker.job.is_some());
            queue.count_time(now, is_busy);
        }
        commands
    }

    /// Groups the engines that share positions, and skips tasks that need no search.
    fn skip_known(&mut self) {
        let mut queues: Vec<TaskQueue> = Vec::new();
        for (engine, worker) in self.workers.iter_mut().enumerate() {
            if !worker.is_known() {
                continue;
            }
            let signature = worker.engine.signature.clone();
            let existing = queues.iter().position(|queue| queue.signature == signature);
            worker.queue = Some(existing.unwrap_or(queues.len()));
            if existing.is_none() {
                queues.push(TaskQueue::new(
                    engine,
                    [signature, worker.engine.deep_signature.clone()],
                    worker.engine.model,
                ));
            }
        }
        for queue in &mut queues {
            self.findings.extend(queue.skip_known(&self.plan, &self.passes));
        }
        self.queues = Some(queues);
    }

    /// Returns the number of engines of a queue that are searching.
    fn running_in(&self, queue: usize) -> usize {
        self.workers.iter().filter(|worker| worker.queue == Some(queue) && worker.job.is_some()).count()
    }
}

#[cfg(test)]
mod tests;
