//! The search tasks of the engines with one signature in a game, in both passes.

use super::super::deepen::is_swing;
use super::super::signatures::satisfies;
use super::super::{AnalysisPlan, EngineResult};
use super::engine_group::EngineGroup;
use super::{Finding, FindingKind, PassSettings};
use shogibar_kifu::NodeId;
use shogibar_shogi::score::{Value, WinRateModel};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

/// The search tasks of the engines with one signature in a game.
///
/// After the first pass, both positions of every swing are searched longer. The second pass has further rounds while
/// new swings appear. Each round depends only on the values of earlier rounds. So a resumed analysis has the same
/// result as an uninterrupted one.
#[derive(Debug)]
pub(super) struct TaskQueue {
    game: usize,
    /// The index of the first engine of the group.
    engine: usize,
    /// The signature of the results in the first pass.
    signature: String,
    /// The signature of the second pass; empty if there is none.
    deep_signature: String,
    model: WinRateModel,
    pass: Pass,
    /// The positions to search, by index in the plan.
    queue: VecDeque<usize>,
    /// Black's win rate by position, from 0 to 1, where known.
    rates: HashMap<NodeId, f64>,
    /// The positions one move away from each position.
    neighbours: HashMap<NodeId, Vec<NodeId>>,
    /// The positions that have been part of a swing so far, for the estimated size of the second pass.
    in_swing: HashSet<NodeId>,
    /// The indices of the positions that the second pass need not search: searched longer already, or given up.
    deep_positions: HashSet<usize>,
    pub(super) first_pass: SearchCount,
    pub(super) second_pass: SearchCount,
    /// The duration of the searches in this run up to the time `busy_since`.
    busy_time: Duration,
    /// The time at which the running searches have begun; `None` while none is running.
    busy_since: Option<Duration>,
    /// The factor of the limit in the second pass, at least 1.
    factor: u32,
}

/// The pass of a queue, or the reason why the queue has no more searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    First,
    Second,
    /// All searches are completed.
    Done,
    /// No engine is left for the queue.
    Closed,
}

/// The numbers of searches of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SearchCount {
    /// The number of searches that are known so far, completed or not.
    pub(super) total: usize,
    /// The number of completed searches, with any outcome.
    pub(super) done_searches: usize,
    /// The number of searches that engines have made in this run.
    new_searches: u32,
}

impl SearchCount {
    /// Returns the count of a pass without completed searches.
    pub(super) const fn with_total(total: usize) -> Self {
        Self {
            total,
            done_searches: 0,
            new_searches: 0,
        }
    }

    /// Returns the sum of two counts.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            done_searches: self.done_searches + other.done_searches,
            new_searches: self.new_searches + other.new_searches,
        }
    }

    fn remaining_searches(self) -> f64 {
        to_f64(self.total.saturating_sub(self.done_searches))
    }
}

impl TaskQueue {
    pub(super) fn new(game: usize, group: &EngineGroup) -> Self {
        Self {
            game,
            engine: group.engine,
            signature: group.signature.clone(),
            deep_signature: group.deep_signature.clone(),
            model: group.model,
            pass: Pass::First,
            queue: VecDeque::new(),
            rates: HashMap::new(),
            neighbours: HashMap::new(),
            in_swing: HashSet::new(),
            deep_positions: HashSet::new(),
            first_pass: SearchCount::default(),
            second_pass: SearchCount::default(),
            busy_time: Duration::ZERO,
            busy_since: None,
            factor: 1,
        }
    }

    /// Returns whether a result with this signature needs no search in the second pass.
    fn is_deep_enough(&self, signature: &str) -> bool {
        !self.deep_signature.is_empty() && satisfies(signature, &self.deep_signature)
    }

    /// Returns the count of the second pass if `is_deep`, else of the first pass.
    const fn count_of(&mut self, is_deep: bool) -> &mut SearchCount {
        if is_deep {
            &mut self.second_pass
        } else {
            &mut self.first_pass
        }
    }

    /// Queues the tasks of the plan that need a search. Returns the findings of the other tasks: results of an earlier
    /// run, and evaluations in the record.
    pub(super) fn enqueue_unknown(
        &mut self,
        plan: &AnalysisPlan,
        pass_settings: &PassSettings,
    ) -> Vec<Finding> {
        self.factor = pass_settings.deepen.max(1);
        self.first_pass.total = plan.tasks.len();
        for (node, value) in &plan.decided_positions {
            self.rates.insert(*node, WinRateModel::default().win_rate(*value));
        }
        for (before, after) in &plan.moves {
            self.neighbours.entry(*before).or_default().push(*after);
            self.neighbours.entry(*after).or_default().push(*before);
        }
        let mut findings = Vec::new();
        for (index, task) in plan.tasks.iter().enumerate() {
            let signature = &self.signature;
            let known = pass_settings
                .known_results
                .get(&task.key)
                .map_or(&[][..], Vec::as_slice);
            // A search without a value is repeated.
            let has_value = |result: &&EngineResult| result.value().is_some();
            let exact = known
                .iter()
                .filter(has_value)
                .rfind(|result| result.engine == *signature);
            let longer = || {
                known
                    .iter()
                    .filter(has_value)
                    .rfind(|result| satisfies(&result.engine, signature))
            };
            let is_done =
                |(by, value): &&(String, Option<Value>)| value.is_some() && satisfies(by, signature);
            let in_record = task
                .evaluations
                .iter()
                .rfind(|evaluation| !pass_settings.repeats_searches && is_done(evaluation));
            // A result of an earlier run, which the record may lack, takes precedence over an evaluation in the record.
            if let Some(result) = exact.or_else(longer).cloned() {
                findings.extend(self.record_outcome(plan, index, false, FindingKind::Known(result)));
            } else if let Some((by, value)) = in_record {
                self.record_value(task.node, *value);
                if self.is_deep_enough(by) {
                    self.deep_positions.insert(index);
                }
                findings.extend(self.record_outcome(plan, index, false, FindingKind::Skipped));
            } else {
                self.queue.push_back(index);
            }
        }
        findings
    }

    /// Records the outcome of a pass for a position. `index` is the index of the position in the tasks of the plan.
    /// Returns the finding; `None` if the plan has no such task.
    pub(super) fn record_outcome(
        &mut self,
        plan: &AnalysisPlan,
        index: usize,
        is_deep: bool,
        outcome: FindingKind,
    ) -> Option<Finding> {
        let task = plan.tasks.get(index)?;
        self.count_of(is_deep).done_searches += 1;
        if let FindingKind::Searched(result) | FindingKind::Known(result) = &outcome {
            self.record_value(task.node, result.value());
            if self.is_deep_enough(&result.engine) {
                self.deep_positions.insert(index);
            }
        }
        if is_deep {
            self.deep_positions.insert(index);
        }
        let (game, engine) = (self.game, self.engine);
        Some(Finding {
            game,
            node: task.node,
            key: task.key,
            engine,
            is_deep,
            outcome,
        })
    }

    /// Records the value of a position, and the swings by it.
    fn record_value(&mut self, node: NodeId, value: Option<Value>) {
        let Some(rate) = value.map(|value| self.model.win_rate(value)) else {
            return;
        };
        self.rates.insert(node, rate);
        for neighbour in self.neighbours.get(&node).into_iter().flatten() {
            if self
                .rates
                .get(neighbour)
                .is_some_and(|other| is_swing(rate, *other))
            {
                self.in_swing.extend([node, *neighbour]);
            }
        }
    }

    /// Removes and returns the index of the next position to search, and whether the search is of the second pass.
    pub(super) fn take_next(&mut self) -> Option<(usize, bool)> {
        Some((self.queue.pop_front()?, self.pass == Pass::Second))
    }

    /// Returns the number of positions that are not assigned to an engine.
    pub(super) fn waiting_position_count(&self) -> usize {
        self.queue.len()
    }

    pub(super) fn put_back(&mut self, index: usize) {
        self.queue.push_front(index);
    }

    /// Prepares the next round when the queue is empty. Returns the findings of the round that are known from an
    /// earlier run.
    pub(super) fn advance(&mut self, plan: &AnalysisPlan, pass_settings: &PassSettings) -> Vec<Finding> {
        let mut findings = Vec::new();
        let deep = self.deep_signature.clone();
        while self.queue.is_empty() && matches!(self.pass, Pass::First | Pass::Second) {
            let round = if deep.is_empty() {
                Vec::new()
            } else {
                self.swing_positions(plan)
            };
            if round.is_empty() {
                self.pass = Pass::Done;
                break;
            }
            self.pass = Pass::Second;
            self.second_pass.total += round.len();
            for index in round {
                let key = plan.tasks.get(index).map(|task| task.key);
                let known = key.and_then(|key| {
                    pass_settings
                        .known_results
                        .get(&key)?
                        .iter()
                        .rfind(|it| satisfies(&it.engine, &deep))
                });
                match known.cloned() {
                    Some(result) => {
                        findings.extend(self.record_outcome(plan, index, true, FindingKind::Known(result)));
                    }
                    None => self.queue.push_back(index),
                }
            }
        }
        findings
    }

    /// Returns the indices of the positions of swings that were not searched longer yet, in plan order.
    fn swing_positions(&self, plan: &AnalysisPlan) -> Vec<usize> {
        let in_swing = self.swing_nodes(plan);
        let indices = plan
            .tasks
            .iter()
            .enumerate()
            .filter(|(_, task)| in_swing.contains(&task.node));
        indices
            .map(|(index, _)| index)
            .filter(|index| !self.deep_positions.contains(index))
            .collect()
    }

    /// Returns the nodes before and after every swing, by the present win rates.
    fn swing_nodes(&self, plan: &AnalysisPlan) -> HashSet<NodeId> {
        let pairs = plan.moves.iter().filter(|(before, after)| {
            let rates = self.rates.get(before).zip(self.rates.get(after));
            rates.is_some_and(|(before, after)| is_swing(*before, *after))
        });
        pairs.flat_map(|(before, after)| [*before, *after]).collect()
    }

    /// Closes the queue because no engine of the group is left. Drops the remaining tasks.
    pub(super) fn close(&mut self) {
        if matches!(self.pass, Pass::First | Pass::Second) {
            self.pass = Pass::Closed;
            self.queue.clear();
            self.first_pass.total = self.first_pass.done_searches;
            self.second_pass.total = self.second_pass.done_searches;
        }
    }

    /// Returns whether the queue has no more searches: it is complete or closed.
    pub(super) const fn is_over(&self) -> bool {
        matches!(self.pass, Pass::Done | Pass::Closed)
    }

    pub(super) const fn is_complete(&self) -> bool {
        matches!(self.pass, Pass::Done)
    }

    /// Counts a search that an engine has made in this run.
    pub(super) const fn count_search(&mut self, is_deep: bool) {
        self.count_of(is_deep).new_searches += 1;
    }

    /// Counts the time while an engine of the group is searching the game.
    pub(super) fn count_time(&mut self, now: Duration, is_busy: bool) {
        match (self.busy_since, is_busy) {
            (None, true) => self.busy_since = Some(now),
            (Some(since), false) => {
                self.busy_time += now.saturating_sub(since);
                self.busy_since = None;
            }
            _ => {}
        }
    }

    /// Estimates the remaining time: the mean time of a search, times the remaining searches. A search of the second
    /// pass counts `factor` times, and a running search half. Before the second pass begins, the share of known
    /// positions in swings gives the expected number of its searches. Returns `None` before the first search has ended,
    /// and when the queue is over.
    pub(super) fn remaining_time(&self, now: Duration, under_way: usize) -> Option<Duration> {
        let factor = f64::from(self.factor);
        let (first, second) = (self.first_pass.new_searches, self.second_pass.new_searches);
        if self.is_over() || first + second == 0 {
            return None;
        }
        let is_second = self.pass == Pass::Second;
        let halves = to_f64(under_way) / 2.0 * if is_second { factor } else { 1.0 };
        let busy = self.busy_time
            + self
                .busy_since
                .map_or(Duration::ZERO, |since| now.saturating_sub(since));
        let each = busy.as_secs_f64() / (f64::from(first) + factor * f64::from(second) + halves);
        let long = if is_second {
            self.second_pass.remaining_searches()
        } else {
            self.expected_deep_searches()
        };
        let to_come = (self.first_pass.remaining_searches() + factor * long - halves).max(0.0);
        Duration::try_from_secs_f64(each * to_come).ok()
    }

    /// Estimates the number of searches in the second pass while the first pass is running.
    fn expected_deep_searches(&self) -> f64 {
        if self.deep_signature.is_empty() {
            return 0.0;
        }
        to_f64(self.in_swing.len()) * to_f64(self.first_pass.total) / to_f64(self.rates.len().max(1))
    }
}

fn to_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
