//! Positions given out to engines, and their answers, as a pure function of what is heard of them.

use super::journal::Known;
use super::plan::history;
use super::{Judgement, Key, Task, known_as, signature};
use crate::config::{Limit, Misfit};
use crate::kifu::{NodeId, Record};
use crate::score::Model;
use crate::session::{Failure, Restart, Snapshot, State, Wish};
use crate::shogi::History;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

/// How often an engine may end at a position before that is given up.
const CRASHES: u32 = 3;

/// An engine as it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// What the user calls it.
    pub name: String,
    /// Whether that is the name of a profile, which says more than the engine's own does: which net it runs.
    pub is_profile: bool,
    /// When it has searched a position enough.
    pub limit: Limit,
    /// How many lines it is asked for.
    pub multipv: u32,
}

/// What is to be told an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Which, counted from 0.
    pub engine: usize,
    /// What is wanted of it.
    pub wish: Wish,
}

/// What has become of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where it stands in the record.
    pub node: NodeId,
    /// Which position it is.
    pub key: Key,
    /// What was found.
    pub said: Said,
}

/// What can become of a position.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// An engine has searched it.
    Judged(Judgement),
    /// The same, in an earlier run: it stands in the journal.
    Known(Judgement),
    /// The record has it already.
    Skipped,
    /// The engine has answered, and said nothing of use.
    Nothing,
    /// It was given up: which engine ended at it again and again, and how the last time.
    GivenUp(usize, Failure),
}

/// How far an analysis is.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// How many positions there are in all.
    pub total: usize,
    /// With how many of them it is done, in whichever way.
    pub done: usize,
    /// How many of these were searched in this run.
    pub searched: usize,
    /// How long it still takes, as far as that can be told.
    pub left: Option<Duration>,
    /// The engines.
    pub engines: Vec<Employed>,
}

impl Progress {
    /// That of an analysis in which nothing is searched.
    pub const fn of_nothing() -> Self {
        Self { stage: Stage::Finished, total: 0, done: 0, searched: 0, left: None, engines: Vec::new() }
    }
}

/// What an analysis is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
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
    /// By what the evaluations of its engines are known.
    pub fn signatures(&self) -> Vec<&str> {
        let signatures = self.engines.iter().map(|engine| engine.signature.as_str());
        signatures.filter(|signature| !signature.is_empty()).collect()
    }
}

impl Stage {
    /// Whether nothing more will happen.
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Finished | Self::Cancelled | Self::Failed)
    }
}

/// One engine of an analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct Employed {
    /// What the user calls it.
    pub name: String,
    /// The name it gave itself; empty before that.
    pub engine: String,
    /// How its evaluations are [signed](super::signature); empty before it has introduced itself.
    pub signature: String,
    /// The scale from its centipawns to win rates.
    pub model: Model,
    /// What it is doing.
    pub state: State,
    /// For how many seconds it has owed an answer.
    pub waited: u64,
    /// How often it has ended in the middle.
    pub crashes: u32,
    /// Whether it takes no limits: then the result is not the same on every run.
    pub refuses_limits: bool,
    /// What of the user's options was not sent to it, because it does not fit.
    pub misfits: Vec<Misfit>,
    /// The position it is at: how many moves lead there.
    pub at: Option<u16>,
}

/// What the user wants of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Will {
    GoOn,
    Rest,
    End,
}

/// An engine, and the position it is at.
#[derive(Debug)]
struct Hand {
    seat: Seat,
    engine: Employed,
    /// How its evaluations are signed; `None` before it has introduced itself.
    signature: Option<String>,
    job: Option<Job>,
    /// The restart that was last seen.
    restart: Option<u32>,
    is_lost: bool,
}

#[derive(Debug)]
struct Job {
    task: Task,
    history: Arc<History>,
    crashes: u32,
}

/// Positions to be searched, and the engines that do it.
#[derive(Debug)]
pub struct Work {
    record: Arc<Record>,
    tasks: VecDeque<Task>,
    hands: Vec<Hand>,
    /// What was found in an earlier run.
    known: Known,
    /// Whether what the record has already is searched again.
    again: bool,
    /// Whether every engine has introduced itself, so that it is known what there is to do.
    is_sorted: bool,
    will: Will,
    total: usize,
    done: usize,
    searched: usize,
    findings: Vec<Finding>,
    /// How long it has been searching, up to the moment `since`.
    busy: Duration,
    since: Option<Duration>,
}

impl Work {
    /// Positions of a record for so many engines. With `again`, what the record has of them already does not
    /// count; what is `known` from an earlier run does.
    pub fn new(record: Arc<Record>, tasks: Vec<Task>, seats: Vec<Seat>, known: Known, again: bool) -> Self {
        Self {
            record,
            total: tasks.len(),
            tasks: tasks.into(),
            hands: seats.into_iter().map(Hand::new).collect(),
            known,
            again,
            is_sorted: false,
            will: Will::GoOn,
            done: 0,
            searched: 0,
            findings: Vec::new(),
            busy: Duration::ZERO,
            since: None,
        }
    }

    /// Takes in what is known of an engine at the time `now`, which never goes back, and says what the engines
    /// are to do.
    pub fn hear(&mut self, now: Duration, engine: usize, snapshot: &Snapshot) -> Vec<Order> {
        let Some(hand) = self.hands.get_mut(engine) else { return Vec::new() };
        hand.look_at(snapshot);
        let done = match &snapshot.state {
            State::Restarting(restart) => {
                hand.give_up(restart).map(|task| (task, Said::GivenUp(engine, restart.failure.clone())))
            }
            State::Failed(_) => {
                // Another engine may fare better with what it was at.
                hand.lose().into_iter().for_each(|task| self.tasks.push_front(task));
                None
            }
            // Cannot be: such a position is not planned.
            State::Unsearchable(_) => hand.job.take().map(|job| (job.task, Said::Nothing)),
            _ => {
                hand.restart = None;
                hand.answer(snapshot).map(|(task, judgement)| (task, judgement.map_or(Said::Nothing, Said::Judged)))
            }
        };
        if let Some((task, said)) = done {
            self.searched += usize::from(!matches!(said, Said::GivenUp(..)));
            self.find(&task, said);
        }
        self.give_out(now)
    }

    /// Has the engines rest, or go on.
    pub fn pause(&mut self, now: Duration, paused: bool) -> Vec<Order> {
        let will = if paused { Will::Rest } else { Will::GoOn };
        if self.will == will || self.will == Will::End {
            return Vec::new();
        }
        self.will = will;
        self.count_time(now);
        let given = self.hands.iter().enumerate().filter_map(|(engine, hand)| {
            let position = Some(Arc::clone(&hand.job.as_ref()?.history));
            Some(Order { engine, wish: Wish { position, paused } })
        });
        let mut orders: Vec<_> = given.collect();
        orders.extend(self.give_out(now));
        orders
    }

    /// Ends it. What was found stays.
    pub const fn cancel(&mut self) {
        self.will = Will::End;
    }

    /// What has been found since this was asked last.
    pub fn take_findings(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.findings)
    }

    /// How far it is at a moment.
    pub fn progress(&self, now: Duration) -> Progress {
        Progress {
            stage: self.stage(),
            total: self.total,
            done: self.done,
            searched: self.searched,
            left: self.left(now),
            engines: self.hands.iter().map(Hand::employed).collect(),
        }
    }

    /// What it is doing.
    pub fn stage(&self) -> Stage {
        let is_done = self.is_sorted && self.tasks.is_empty() && self.hands.iter().all(|hand| hand.job.is_none());
        if self.will == Will::End {
            Stage::Cancelled
        } else if is_done {
            Stage::Finished
        } else if self.hands.iter().all(|hand| hand.is_lost) {
            Stage::Failed
        } else if self.will == Will::Rest {
            Stage::Paused
        } else if self.is_sorted {
            Stage::Running
        } else {
            Stage::Starting
        }
    }

    fn find(&mut self, task: &Task, said: Said) {
        self.done += 1;
        self.findings.push(Finding { node: task.node, key: task.key, said });
    }

    /// Gives every engine that has none a position, once it is known which there are to be searched.
    fn give_out(&mut self, now: Duration) -> Vec<Order> {
        if !self.is_sorted && self.hands.iter().all(|hand| hand.signature.is_some() || hand.is_lost) {
            self.is_sorted = true;
            self.sort_out();
        }
        let mut orders = Vec::new();
        if self.is_sorted && self.will == Will::GoOn {
            for (engine, hand) in self.hands.iter_mut().enumerate().filter(|(_, hand)| hand.is_free()) {
                let Some(task) = self.tasks.pop_front() else { break };
                let history = Arc::new(history(&self.record, task.node));
                orders.push(Order { engine, wish: Some(Arc::clone(&history)).into() });
                hand.job = Some(Job { task, history, crashes: 0 });
            }
        }
        self.count_time(now);
        orders
    }

    /// Puts aside what need not be searched: what the record has of these engines, and what an earlier run
    /// has found.
    fn sort_out(&mut self) {
        let signatures: Vec<_> = self.hands.iter().filter_map(|hand| hand.signature.clone()).collect();
        for task in std::mem::take(&mut self.tasks) {
            let mut known = self.known.get(&task.key).map_or(&[][..], Vec::as_slice).iter();
            let known = known.rfind(|judgement| signatures.contains(&judgement.engine)).cloned();
            let is_in_record = !self.again && task.signed.iter().any(|signed| signatures.contains(signed));
            match known {
                // What is not yet in the record comes before what is.
                Some(judgement) => self.find(&task, Said::Known(judgement)),
                None if is_in_record => self.find(&task, Said::Skipped),
                None => self.tasks.push_back(task),
            }
        }
    }

    /// Time counts while somebody is searching.
    fn count_time(&mut self, now: Duration) {
        let is_busy = self.will == Will::GoOn && self.hands.iter().any(|hand| hand.job.is_some());
        match (self.since, is_busy) {
            (None, true) => self.since = Some(now),
            (Some(since), false) => {
                self.busy += now.saturating_sub(since);
                self.since = None;
            }
            _ => {}
        }
    }

    /// What is left takes as long as what is done, position by position. What an engine is at counts as half.
    fn left(&self, now: Duration) -> Option<Duration> {
        let done = u32::try_from(self.searched).ok().filter(|done| *done > 0)?;
        let to_come = u32::try_from(self.total.saturating_sub(self.done)).unwrap_or(u32::MAX);
        let under_way = u32::try_from(self.hands.iter().filter(|hand| hand.job.is_some()).count()).unwrap_or(u32::MAX);
        let busy = self.busy + self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since));
        let each = busy.as_secs_f64() / (f64::from(done) + f64::from(under_way) / 2.0);
        let to_come = (f64::from(to_come) - f64::from(under_way) / 2.0).max(0.0);
        Duration::try_from_secs_f64(each * to_come).ok()
    }
}

impl Hand {
    fn new(seat: Seat) -> Self {
        let engine = Employed {
            name: seat.name.clone(),
            engine: String::new(),
            signature: String::new(),
            model: Model::default(),
            state: State::Starting,
            waited: 0,
            crashes: 0,
            refuses_limits: false,
            misfits: Vec::new(),
            at: None,
        };
        Self { seat, engine, signature: None, job: None, restart: None, is_lost: false }
    }

    const fn is_free(&self) -> bool {
        self.job.is_none() && !self.is_lost
    }

    fn employed(&self) -> Employed {
        let signature = self.signature.clone().unwrap_or_default();
        Employed { signature, at: self.job.as_ref().map(|job| job.task.ply), ..self.engine.clone() }
    }

    fn look_at(&mut self, snapshot: &Snapshot) {
        self.engine.state = snapshot.state.clone();
        self.engine.engine.clone_from(&snapshot.engine);
        self.engine.refuses_limits = snapshot.refuses_limits;
        (self.engine.waited, self.engine.model) = (snapshot.waited, snapshot.model);
        self.engine.misfits.clone_from(&snapshot.misfits);
        let has_introduced_itself = !matches!(snapshot.state, State::Starting | State::Failed(_));
        if self.signature.is_none() && has_introduced_itself {
            let is_said = self.seat.is_profile || snapshot.engine.is_empty();
            let engine = known_as(&snapshot.engine, is_said.then_some(&self.seat.name));
            self.signature = Some(signature(&engine, self.seat.limit, self.seat.multipv));
        }
    }

    /// Takes note of a restart, and gives back the position where that was one too many.
    fn give_up(&mut self, restart: &Restart) -> Option<Task> {
        // One that is in its pause has just ended; it is told several times.
        let is_new = restart.pause.is_some() && self.restart != Some(restart.nth);
        self.restart = restart.pause.map(|_| restart.nth);
        if !is_new {
            return None;
        }
        self.engine.crashes += 1;
        let job = self.job.as_mut()?;
        job.crashes += 1;
        self.job.take_if(|job| job.crashes >= CRASHES).map(|job| job.task)
    }

    /// Its engine is gone for good: the position it was at, if any, is another's.
    fn lose(&mut self) -> Option<Task> {
        self.is_lost = true;
        self.job.take().map(|job| job.task)
    }

    /// The position that its engine has answered, and what it said of it.
    fn answer(&mut self, snapshot: &Snapshot) -> Option<(Task, Option<Judgement>)> {
        let answer = snapshot.answer.as_ref()?;
        let is_it = |history: &Arc<History>, other: &Arc<History>| Arc::ptr_eq(history, other) || history == other;
        let Job { task, history, .. } = self.job.take_if(|job| is_it(&job.history, &answer.history))?;
        let mut snapshot = snapshot.clone();
        // What it last said may be of the position before.
        snapshot.shown.take_if(|shown| !is_it(&shown.history, &history));
        let signature = self.signature.clone().unwrap_or_default();
        Some((task, Judgement::of(&snapshot, answer.best, self.seat.limit, &signature)))
    }
}

#[cfg(test)]
mod tests;
