//! Positions given out to engines, and their answers, as a pure function of what is heard of them.

//!
//! Engines of one signature share the positions; engines of different signatures search each of them. Each signature has a
//! [`Lane`]: its first pass, and after that the second, in which the positions of swings are searched longer.

mod task_queue;
mod worker;

use super::journal::KnownResults;
use super::plan::history;
use super::{AnalysisPlan, EngineResult, PositionKey};
use crate::config::{Limit, RejectedOption};
use crate::kifu::{NodeId, Record};
use crate::score::Model;
use crate::session::{EngineFailure, EngineState, SearchTarget, Snapshot};
use std::sync::Arc;
use std::time::Duration;
use task_queue::TaskQueue;
use worker::{Worker, WorkerJob};

/// An engine as it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerSlot {
    /// What the user calls it.
    pub name: String,
    /// Whether that is the name of a profile, which says more than the engine's own does: which net it runs.
    pub is_profile: bool,
    /// When it has searched a position enough.
    pub limit: Limit,
    /// How many lines it is asked for.
    pub multipv: u32,
}

/// What of the positions is not to be searched, and what is to be searched again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SecondPass {
    /// What was found in an earlier run, out of the journal.
    pub known: KnownResults,
    /// Whether what the record has already is searched again.
    pub again: bool,
    /// How many times as long the positions of a swing are searched in the second pass; below 2 there is none.
    pub deepen: u32,
}

/// What is to be told an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkerCommand {
    /// Which, counted from 0.
    pub engine: usize,
    /// What is wanted of it.
    pub wish: SearchTarget,
}

/// What has become of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where it stands in the record.
    pub node: NodeId,
    /// Which position it is.
    pub key: PositionKey,
    /// By which engine, counted from 0; of several that share the positions, the first.
    pub engine: usize,
    /// Whether it is of the second pass.
    pub is_deep: bool,
    /// What was found.
    pub said: FindingKind,
}

/// What can become of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum FindingKind {
    /// An engine has searched it.
    Judged(EngineResult),
    /// The same, in an earlier run: it stands in the journal.
    Known(EngineResult),
    /// The record has it already.
    Skipped,
    /// The engine has answered, and said nothing of use.
    Nothing,
    /// It was given up: which engine ended at it again and again, and how the last time.
    GivenUp(usize, EngineFailure),
}

/// How far an analysis is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub stage: AnalysisStage,
    /// How many searches the first pass has: the positions, for each engine that does not share them with another.
    pub total: usize,
    /// With how many of them it is done, in whichever way.
    pub done: usize,
    /// The same of the second pass: how many it has, as far as that is known yet, and how many are done.
    pub deeper: [usize; 2],
    /// How many positions were searched in this run.
    pub searched: usize,
    /// How long it still takes, as far as that can be told.
    pub left: Option<Duration>,
    /// The engines.
    pub engines: Vec<WorkerStatus>,
}

impl Progress {
    /// That of an analysis in which nothing is searched.
    pub const fn idle() -> Self {
        Self {
            stage: AnalysisStage::Finished,
            total: 0,
            done: 0,
            deeper: [0; 2],
            searched: 0,
            left: None,
            engines: Vec::new(),
        }
    }
}

/// What an analysis is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisStage {
    /// The engines introduce themselves.
    Starting,
    /// Positions are searched.
    Running,
    /// Nothing is searched until the user wants it to go on.
    Paused,
    /// All is done.
    Finished,
    /// The user has ended it.
    Cancelled,
    /// No engine is left to go on with.
    Failed,
}

impl Progress {
    /// By what the evaluations of its engines are known, those of the second pass included.
    pub fn signatures(&self) -> Vec<&str> {
        let signatures = self.engines.iter().flat_map(|engine| [&engine.signature, &engine.deep_signature]);
        signatures.map(String::as_str).filter(|signature| !signature.is_empty()).collect()
    }

    /// How far the pass under way is: how many are done of how many, and whether it is the second.
    pub const fn pass(&self) -> ([usize; 2], bool) {
        let [deeper, done] = self.deeper;
        if self.done == self.total && deeper > 0 { ([done, deeper], true) } else { ([self.done, self.total], false) }
    }
}

impl AnalysisStage {
    /// Whether nothing more will happen.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

/// One engine of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct WorkerStatus {
    /// What the user calls it.
    pub name: String,
    /// The name it gave itself; empty before that.
    pub engine: String,
    /// How its evaluations are [signed](super::signature); empty before it has introduced itself.
    pub signature: String,
    /// The same for those of the second pass; empty where there is none.
    pub deep_signature: String,
    /// The scale from its centipawns to win rates.
    pub model: Model,
    /// What it is doing.
    pub state: EngineState,
    /// For how many seconds it has owed an answer.
    pub waited: u64,
    /// How often it has ended in the middle.
    pub crashes: u32,
    /// Whether it takes no limits: then the result is not the same on every run.
    pub refuses_limits: bool,
    /// What of the user's options was not sent to it, because it does not fit.
    pub misfits: Vec<RejectedOption>,
    /// The position it is at: how many moves lead there.
    pub at: Option<u16>,
}

/// What the user wants of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunMode {
    GoOn,
    Rest,
    End,
}

/// Positions to be searched, and the engines that do it.
#[derive(Debug)]
pub struct Scheduler {
    record: Arc<Record>,
    plan: AnalysisPlan,
    passes: SecondPass,
    hands: Vec<Worker>,
    /// One for each signature, once every engine has introduced itself.
    lanes: Option<Vec<TaskQueue>>,
    will: RunMode,
    searched: usize,
    findings: Vec<Finding>,
}

impl Scheduler {
    /// Positions of a record for these engines.
    pub fn new(record: Arc<Record>, plan: AnalysisPlan, seats: Vec<WorkerSlot>, passes: SecondPass) -> Self {
        let hands = seats.into_iter().map(|seat| Worker::new(seat, passes.deepen)).collect();
        let findings = Vec::new();
        Self { record, plan, passes, hands, lanes: None, will: RunMode::GoOn, searched: 0, findings }
    }

    /// Takes in what is known of an engine at the time `now`, which never goes back, and says what the engines
    /// are to do.
    pub fn on_snapshot(&mut self, now: Duration, engine: usize, snapshot: &Snapshot) -> Vec<WorkerCommand> {
        let Some(hand) = self.hands.get_mut(engine) else { return Vec::new() };
        hand.update(snapshot);
        let lane = hand.lane.and_then(|lane| self.lanes.as_mut()?.get_mut(lane));
        let done = match &snapshot.state {
            EngineState::Restarting(restart) => {
                hand.give_up(restart).map(|job| (job, FindingKind::GivenUp(engine, restart.failure.clone())))
            }
            EngineState::Failed(_) => {
                // Another of the same kind may fare better with what it was at.
                if let (Some(job), Some(lane)) = (hand.lose(), lane) {
                    lane.take_back(job.task);
                }
                None
            }
            // Cannot be: such a position is not planned.
            EngineState::Unsearchable(_) => hand.job.take().map(|job| (job, FindingKind::Nothing)),
            _ => {
                hand.restart = None;
                hand.answer(snapshot)
                    .map(|(job, judgement)| (job, judgement.map_or(FindingKind::Nothing, FindingKind::Judged)))
            }
        };
        if let Some((job, said)) = done {
            self.searched += usize::from(!matches!(said, FindingKind::GivenUp(..)));
            if let Some(lane) = self.hands.get(engine).and_then(|hand| self.lanes.as_mut()?.get_mut(hand.lane?)) {
                self.findings.extend(lane.find(&self.plan, (job.task, job.is_deep), said));
                lane.count_search(job.is_deep);
            }
        }
        self.assign(now)
    }

    /// Has the engines rest, or go on.
    pub fn pause(&mut self, now: Duration, paused: bool) -> Vec<WorkerCommand> {
        let will = if paused { RunMode::Rest } else { RunMode::GoOn };
        if self.will == will || self.will == RunMode::End {
            return Vec::new();
        }
        self.will = will;
        let given = self.hands.iter().enumerate().filter_map(|(engine, hand)| {
            let job = hand.job.as_ref()?;
            Some(WorkerCommand { engine, wish: SearchTarget { paused, ..job.search_target() } })
        });
        let mut orders: Vec<_> = given.collect();
        orders.extend(self.assign(now));
        orders
    }

    /// Ends it. What was found stays.
    pub const fn cancel(&mut self) {
        self.will = RunMode::End;
    }

    /// What has been found since this was asked last.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// How far it is at a moment.
    pub fn progress(&self, now: Duration) -> Progress {
        let lanes = self.lanes.as_deref().unwrap_or_default();
        let sum = |number: fn(&TaskQueue) -> usize| lanes.iter().map(number).sum();
        let total = if self.lanes.is_some() { sum(TaskQueue::total) } else { self.plan.tasks.len() };
        let left = lanes.iter().enumerate().filter_map(|(lane, it)| it.left(now, self.running_in(lane)));
        Progress {
            stage: self.stage(),
            total,
            done: sum(TaskQueue::done),
            deeper: [sum(TaskQueue::deep_total), sum(TaskQueue::deep_done)],
            searched: self.searched,
            left: left.max(),
            engines: self.hands.iter().map(Worker::status).collect(),
        }
    }

    /// What it is doing.
    pub fn stage(&self) -> AnalysisStage {
        let lanes = self.lanes.as_deref().unwrap_or_default();
        let is_any_done = lanes.iter().any(TaskQueue::is_complete);
        let are_all_over = lanes.iter().all(TaskQueue::is_over) && is_any_done;
        if self.will == RunMode::End {
            AnalysisStage::Cancelled
        } else if are_all_over {
            AnalysisStage::Finished
        } else if self.hands.iter().all(|hand| hand.is_lost) {
            AnalysisStage::Failed
        } else if self.will == RunMode::Rest {
            AnalysisStage::Paused
        } else if self.lanes.is_some() {
            AnalysisStage::Running
        } else {
            AnalysisStage::Starting
        }
    }

    /// Gives every engine that has none a position, once it is known which there are to be searched.
    fn assign(&mut self, now: Duration) -> Vec<WorkerCommand> {
        if self.lanes.is_none() && self.hands.iter().all(|hand| hand.signature.is_some() || hand.is_lost) {
            self.skip_known();
        }
        let mut orders = Vec::new();
        let has_gone_on = self.will == RunMode::GoOn;
        let Some(lanes) = &mut self.lanes else { return orders };
        for (number, lane) in lanes.iter_mut().enumerate() {
            let its = |hand: &Worker| hand.lane == Some(number);
            if self.hands.iter().filter(|hand| its(hand)).all(|hand| hand.is_lost) {
                lane.close();
            }
            if !self.hands.iter().any(|hand| its(hand) && hand.job.is_some()) {
                self.findings.extend(lane.advance(&self.plan, &self.passes));
            }
            let free = self.hands.iter_mut().enumerate().filter(|(_, hand)| its(hand) && hand.is_free() && has_gone_on);
            for (engine, hand) in free {
                let Some((task, is_deep)) = lane.next() else { break };
                let Some((node, ply)) = self.plan.tasks.get(task).map(|task| (task.node, task.ply)) else { continue };
                let limit = if is_deep { hand.deep_limit } else { None };
                let job =
                    WorkerJob { task, is_deep, limit, history: Arc::new(history(&self.record, node)), crashes: 0 };
                orders.push(WorkerCommand { engine, wish: job.search_target() });
                hand.engine.at = Some(ply);
                hand.job = Some(job);
            }
            let is_busy = has_gone_on && self.hands.iter().any(|hand| its(hand) && hand.job.is_some());
            lane.count_time(now, is_busy);
        }
        orders
    }

    /// Finds out which engines share the positions, and puts aside what need not be searched.
    fn skip_known(&mut self) {
        let mut lanes: Vec<TaskQueue> = Vec::new();
        for (engine, hand) in self.hands.iter_mut().enumerate() {
            let Some(signature) = hand.signature.clone() else { continue };
            let there = lanes.iter().position(|lane| *lane.signature() == signature);
            hand.lane = Some(there.unwrap_or(lanes.len()));
            if there.is_none() {
                lanes.push(TaskQueue::new(engine, [signature, hand.deep_signature()], hand.engine.model));
            }
        }
        for lane in &mut lanes {
            self.findings.extend(lane.skip_known(&self.plan, &self.passes));
        }
        self.lanes = Some(lanes);
    }

    /// How many engines of a lane are at a position.
    fn running_in(&self, lane: usize) -> usize {
        self.hands.iter().filter(|hand| hand.lane == Some(lane) && hand.job.is_some()).count()
    }
}

#[cfg(test)]
mod tests;
