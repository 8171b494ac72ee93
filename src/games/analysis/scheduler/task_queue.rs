//! The search tasks of the engines with one signature in a game, in both passes.

use super::super::deepen::is_swing;
use super::super::signatures::satisfies;
use super::super::{AnalysisPlan, EngineResult};
use super::engine_group::EngineGroup;
use super::{Finding, FindingKind, SecondPass};
use crate::kifu::NodeId;
use crate::score::{Value, WinRateModel};
use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

/// The search tasks of the engines with one signature in a game.
///
/// After the first pass, the positions of every swing are searched longer. This repeats for swings that appear then,
/// until both positions of each have been searched. Each round depends only on the values of earlier rounds. So a
/// resumed analysis has the same result as an uninterrupted one.
#[derive(Debug)]
pub(super) struct TaskQueue {
    /// The number of the game.
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
    /// Black's win rate in each position, as far as it is known.
    rates: HashMap<NodeId, f64>,
    /// The positions one move away from each position.
    neighbours: HashMap<NodeId, Vec<NodeId>>,
    /// The positions that have been part of a swing so far; used to estimate the size of the second pass.
    in_swing: HashSet<NodeId>,
    /// The positions searched for as long as the second pass requires, or given up in it.
    deep_positions: HashSet<usize>,
    pub(super) first_pass: Count,
    pub(super) second_pass: Count,
    /// The duration of the searches in this run up to the time `busy_since`.
    busy_time: Duration,
    busy_since: Option<Duration>,
    factor: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pass {
    First,
    Second,
    Done,
    /// No engine is left for the queue.
    Closed,
}

/// The numbers of positions of a pass: all, done and searched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) total: usize,
    pub(super) done_searches: usize,
    /// The number of searches in this run.
    new_searches: u32,
}

impl Count {
    /// Returns the count of a pass in which nothing is done.
    pub(super) const fn with_total(total: usize) -> Self {
        Self { total, done_searches: 0, new_searches: 0 }
    }

    /// Returns the sum of two counts.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            total: self.total + other.total,
            done_searches: self.done_searches + other.done_searches,
            new_searches: self.new_searches + other.new_searches,
        }
    }

    fn remaining(self) -> f64 {
        number(self.total.saturating_sub(self.done_searches))
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
            first_pass: Count::default(),
            second_pass: Count::default(),
            busy_time: Duration::ZERO,
            busy_since: None,
            factor: 1,
        }
    }

    fn is_deep_enough(&self, signature: &str) -> bool {
        !self.deep_signature.is_empty() && satisfies(signature, &self.deep_signature)
    }

    const fn count_of(&mut self, is_deep: bool) -> &mut Count {
        if is_deep { &mut self.second_pass } else { &mut self.first_pass }
    }

    /// Queues the tasks of the plan that need a search. Returns the findings of the others: results of an earlier run,
    /// and evaluations in the record.
    pub(super) fn enqueue_unknown(&mut self, plan: &AnalysisPlan, second_pass: &SecondPass) -> Vec<Finding> {
        self.factor = second_pass.deepen.max(1);
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
            let known = second_pass.known_results.get(&task.key).map_or(&[][..], Vec::as_slice);
            // A search that gave no value is repeated.
            let has_value = |result: &&EngineResult| result.value().is_some();
            let exact = known.iter().filter(has_value).rfind(|result| result.engine == *signature);
            let longer = || known.iter().filter(has_value).rfind(|result| satisfies(&result.engine, signature));
            let is_done = |(by, value): &&(String, Option<Value>)| value.is_some() && satisfies(by, signature);
            let in_record =
                task.evaluations.iter().rfind(|evaluation| !second_pass.repeats_searches && is_done(evaluation));
            // A result that the record lacks takes precedence over one that it has.
            if let Some(result) = exact.or_else(longer).cloned() {
                findings.extend(self.find(plan, index, false, FindingKind::Known(result)));
            } else if let Some((by, value)) = in_record {
                self.record_value(task.node, *value);
                if self.is_deep_enough(by) {
                    self.deep_positions.insert(index);
                }
                findings.extend(self.find(plan, index, false, FindingKind::Skipped));
            } else {
                self.queue.push_back(index);
            }
        }
        findings
    }

    /// Records the outcome of a pass for a position. `index` is the index of the position in the tasks of the plan.
    /// Returns the finding; `None` if the plan has no such task.
    pub(super) fn find(
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
        Some(Finding { game, node: task.node, key: task.key, engine, is_deep, outcome })
    }

    fn record_value(&mut self, node: NodeId, value: Option<Value>) {
        let Some(rate) = value.map(|value| self.model.win_rate(value)) else { return };
        self.rates.insert(node, rate);
        for neighbour in self.neighbours.get(&node).into_iter().flatten() {
            if self.rates.get(neighbour).is_some_and(|other| is_swing(rate, *other)) {
                self.in_swing.extend([node, *neighbour]);
            }
        }
    }

    /// Returns the next position to search, and whether it is in the second pass.
    pub(super) fn next(&mut self) -> Option<(usize, bool)> {
        Some((self.queue.pop_front()?, self.pass == Pass::Second))
    }

    /// Returns the number of positions that are not assigned.
    pub(super) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Puts an assigned position back.
    pub(super) fn take_back(&mut self, index: usize) {
        self.queue.push_front(index);
    }

    /// Prepares the next round if all assigned positions are completed. Returns its findings that are known from an
    /// earlier run.
    pub(super) fn advance(&mut self, plan: &AnalysisPlan, second_pass: &SecondPass) -> Vec<Finding> {
        let mut findings = Vec::new();
        let deep = self.deep_signature.clone();
        while self.queue.is_empty() && matches!(self.pass, Pass::First | Pass::Second) {
            let round = if deep.is_empty() { Vec::new() } else { self.in_swings(plan) };
            if round.is_empty() {
                self.pass = Pass::Done;
                break;
            }
            self.pass = Pass::Second;
            self.second_pass.total += round.len();
            for index in round {
                let key = plan.tasks.get(index).map(|task| task.key);
                let known = key.and_then(|key| {
                    second_pass.known_results.get(&key)?.iter().rfind(|it| satisfies(&it.engine, &deep))
                });
                match known.cloned() {
                    Some(result) => findings.extend(self.find(plan, index, true, FindingKind::Known(result))),
                    None => self.queue.push_back(index),
                }
            }
        }
        findings
    }

    /// Returns the positions of swings that were not yet searched longer, in plan order.
    fn in_swings(&self, plan: &AnalysisPlan) -> Vec<usize> {
        let in_swing = self.in_swing_now(plan);
        let indices = plan.tasks.iter().enumerate().filter(|(_, task)| in_swing.contains(&task.node));
        indices.map(|(index, _)| index).filter(|index| !self.deep_positions.contains(index)).collect()
    }

    /// Returns the positions before and after every swing.
    fn in_swing_now(&self, plan: &AnalysisPlan) -> HashSet<NodeId> {
        let pairs = plan.moves.iter().filter(|(before, after)| {
            let rates = self.rates.get(before).zip(self.rates.get(after));
            rates.is_some_and(|(before, after)| is_swing(*before, *after))
        });
        pairs.flat_map(|(before, after)| [*before, *after]).collect()
    }

    /// Closes the queue because no engine is left for it. The remaining tasks are dropped.
    pub(super) fn close(&mut self) {
        if matches!(self.pass, Pass::First | Pass::Second) {
            self.pass = Pass::Closed;
            self.queue.clear();
            self.first_pass.total = self.first_pass.done_searches;
            self.second_pass.total = self.second_pass.done_searches;
        }
    }

    /// Returns whether no more searches will come.
    pub(super) const fn is_over(&self) -> bool {
        matches!(self.pass, Pass::Done | Pass::Closed)
    }

    /// Returns whether all searches are completed.
    pub(super) const fn is_complete(&self) -> bool {
        matches!(self.pass, Pass::Done)
    }

    pub(super) const fn count_search(&mut self, is_deep: bool) {
        self.count_of(is_deep).new_searches += 1;
    }

    /// Counts time while an engine of the queue is searching.
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

    /// Estimates the remaining time: the mean time per finished position, times the remaining positions. A position of
    /// the second pass counts `factor` times. A position being searched counts half. Before the second pass begins, its
    /// size is estimated from the share of known positions in swings.
    pub(super) fn remaining(&self, now: Duration, under_way: usize) -> Option<Duration> {
        let factor = f64::from(self.factor);
        let (first, second) = (self.first_pass.new_searches, self.second_pass.new_searches);
        if self.is_over() || first + second == 0 {
            return None;
        }
        let is_second = self.pass == Pass::Second;
        let halves = number(under_way) / 2.0 * if is_second { factor } else { 1.0 };
        let busy = self.busy_time + self.busy_since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        let each = busy.as_secs_f64() / (f64::from(first) + factor * f64::from(second) + halves);
        let long = if is_second { self.second_pass.remaining() } else { self.expected_in_second() };
        let to_come = (self.first_pass.remaining() + factor * long - halves).max(0.0);
        Duration::try_from_secs_f64(each * to_come).ok()
    }

    /// Estimates the number of searches in the second pass, while the first is running.
    fn expected_in_second(&self) -> f64 {
        if self.deep_signature.is_empty() {
            return 0.0;
        }
        number(self.in_swing.len()) * number(self.first_pass.total) / number(self.rates.len().max(1))
    }
}

fn number(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
