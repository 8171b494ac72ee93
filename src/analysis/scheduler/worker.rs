//! An engine, and the position it is at.

use super::super::{EngineResult, deepened, known_as, signature};
use super::{WorkerSlot, WorkerStatus};
use crate::config::Limit;
use crate::score::Model;
use crate::session::{EngineState, Restart, SearchTarget, Snapshot};
use crate::shogi::History;
use std::sync::Arc;

/// How often an engine may end at a position before that is given up.
const CRASHES: u32 = 3;

/// An engine, and the position it is at.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) seat: WorkerSlot,
    pub(super) engine: WorkerStatus,
    /// When a position of the second pass has been searched enough; `None` where there is none.
    pub(super) deep_limit: Option<Limit>,
    /// How its evaluations are signed; `None` before it has introduced itself.
    pub(super) signature: Option<String>,
    /// Which of the lanes is its.
    pub(super) lane: Option<usize>,
    pub(super) job: Option<WorkerJob>,
    /// The restart that was last seen.
    pub(super) restart: Option<u32>,
    pub(super) is_lost: bool,
    /// What it answered last, and when that was enough.
    answered: Option<(Arc<History>, Option<Limit>)>,
}

/// A position that an engine is at.
#[derive(Debug)]
pub(super) struct WorkerJob {
    /// Which of the plan's.
    pub(super) task: usize,
    pub(super) is_deep: bool,
    /// When it is enough; `None` for the engine's own limit.
    pub(super) limit: Option<Limit>,
    pub(super) history: Arc<History>,
    pub(super) crashes: u32,
}

impl WorkerJob {
    /// What is wanted of its engine.
    pub(super) fn search_target(&self) -> SearchTarget {
        SearchTarget { limit: self.limit, ..Some(Arc::clone(&self.history)).into() }
    }
}

impl Worker {
    pub(super) fn new(seat: WorkerSlot, deepen: u32) -> Self {
        let deep_limit = deepened(seat.limit, deepen);
        let engine = WorkerStatus {
            name: seat.name.clone(),
            engine: String::new(),
            signature: String::new(),
            deep_signature: String::new(),
            model: Model::default(),
            state: EngineState::Starting,
            waited: 0,
            crashes: 0,
            refuses_limits: false,
            misfits: Vec::new(),
            at: None,
        };
        let (signature, lane, job, restart, answered) = (None, None, None, None, None);
        Self { seat, engine, deep_limit, signature, lane, job, restart, is_lost: false, answered }
    }

    pub(super) const fn is_free(&self) -> bool {
        self.job.is_none() && !self.is_lost
    }

    pub(super) fn status(&self) -> WorkerStatus {
        WorkerStatus { at: self.engine.at.filter(|_| self.job.is_some()), ..self.engine.clone() }
    }

    /// How its evaluations of the second pass are signed; empty where there is none.
    pub(super) fn deep_signature(&self) -> String {
        self.engine.deep_signature.clone()
    }

    pub(super) fn update(&mut self, snapshot: &Snapshot) {
        self.engine.state = snapshot.state.clone();
        self.engine.engine.clone_from(&snapshot.engine);
        self.engine.refuses_limits = snapshot.refuses_limits;
        (self.engine.waited, self.engine.model) = (snapshot.waited, snapshot.model);
        self.engine.misfits.clone_from(&snapshot.misfits);
        let has_introduced_itself = !matches!(snapshot.state, EngineState::Starting | EngineState::Failed(_));
        if self.signature.is_none() && has_introduced_itself {
            let is_said = self.seat.is_profile || snapshot.engine.is_empty();
            let engine = known_as(&snapshot.engine, is_said.then_some(&self.seat.name));
            let signed = |limit| signature(&engine, limit, self.seat.multipv);
            let own = signed(self.seat.limit);
            self.engine.deep_signature = self.deep_limit.map(signed).unwrap_or_default();
            self.engine.signature.clone_from(&own);
            self.signature = Some(own);
        }
    }

    /// Takes note of a restart, and gives back the position where that was one too many.
    pub(super) fn give_up(&mut self, restart: &Restart) -> Option<WorkerJob> {
        // One that is in its pause has just ended; it is told several times.
        let is_new = restart.pause.is_some() && self.restart != Some(restart.nth);
        self.restart = restart.pause.map(|_| restart.nth);
        if !is_new {
            return None;
        }
        self.engine.crashes += 1;
        let job = self.job.as_mut()?;
        job.crashes += 1;
        self.job.take_if(|job| job.crashes >= CRASHES)
    }

    /// Its engine is gone for good: the position it was at, if any, is another's.
    pub(super) fn lose(&mut self) -> Option<WorkerJob> {
        self.is_lost = true;
        self.job.take()
    }

    /// The position that its engine has answered, and what it said of it.
    pub(super) fn answer(&mut self, snapshot: &Snapshot) -> Option<(WorkerJob, Option<EngineResult>)> {
        let answer = snapshot.answer.as_ref()?;
        let is_it = |history: &Arc<History>, other: &Arc<History>| Arc::ptr_eq(history, other) || history == other;
        let limit = self.job.as_ref()?.limit;
        // The same position may be wanted again for longer: what was answered before is told once more meanwhile.
        let is_old = |(history, enough): &(Arc<History>, Option<Limit>)| {
            Arc::ptr_eq(history, &answer.history) && *enough != limit
        };
        if self.answered.as_ref().is_some_and(is_old) {
            return None;
        }
        let job = self.job.take_if(|job| is_it(&job.history, &answer.history))?;
        self.answered = Some((Arc::clone(&answer.history), limit));
        let mut snapshot = snapshot.clone();
        // What it last said may be of the position before.
        snapshot.shown.take_if(|shown| !is_it(&shown.history, &job.history));
        let engine = if job.is_deep { &self.engine.deep_signature } else { &self.engine.signature };
        let judgement = EngineResult::from_snapshot(&snapshot, answer.best, limit.unwrap_or(self.seat.limit), engine);
        Some((job, judgement))
    }
}
