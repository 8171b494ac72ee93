//! An engine of an analysis, and the position that it is searching.

use super::super::{EngineResult, deepened_limit, signature, signature_name};
use super::{WorkerSlot, WorkerStatus};
use shogibar_engine::options::Limit;
use shogibar_engine::session::{EngineState, Restart, SearchTarget, Snapshot};
use shogibar_shogi::History;
use std::sync::Arc;

/// The number of crashes of an engine at a position after which the position is given up.
const MAX_CRASHES: u32 = 3;

/// An engine, and the position that it is searching.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) slot: WorkerSlot,
    pub(super) engine: WorkerStatus,
    /// The limit in the second pass; `None` if there is no second pass.
    pub(super) deep_limit: Option<Limit>,
    /// The index of the group of engines with the same signature; `None` before the groups are known.
    pub(super) group: Option<usize>,
    /// The search of the engine; `None` while the engine is idle.
    pub(super) job: Option<WorkerJob>,
    /// The number of the restart whose pause is known already; `None` if the engine is not in such a pause.
    pub(super) restart: Option<u32>,
    /// Whether the engine has failed for good.
    pub(super) is_lost: bool,
    /// The position that the engine answered last, with the limit of that search.
    last_answered: Option<(Arc<History>, Option<Limit>)>,
}

/// A position that an engine is searching.
#[derive(Debug)]
pub(super) struct WorkerJob {
    pub(super) game: usize,
    /// The index of the task in the plan.
    pub(super) task: usize,
    /// Whether the search is of the second pass.
    pub(super) is_deep: bool,
    /// The limit; `None` for the limit of the first pass.
    pub(super) limit: Option<Limit>,
    pub(super) history: Arc<History>,
    /// The number of crashes of the engine at the position.
    pub(super) crashes: u32,
}

impl WorkerJob {
    pub(super) fn search_target(&self) -> SearchTarget {
        SearchTarget {
            limit: self.limit,
            ..Some(Arc::clone(&self.history)).into()
        }
    }
}

impl Worker {
    pub(super) fn new(slot: WorkerSlot, deepen: u32) -> Self {
        let deep_limit = deepened_limit(slot.limit, deepen);
        let engine = WorkerStatus {
            name: slot.name.clone(),
            ..WorkerStatus::default()
        };
        Self {
            slot,
            engine,
            deep_limit,
            group: None,
            job: None,
            restart: None,
            is_lost: false,
            last_answered: None,
        }
    }

    pub(super) const fn is_free(&self) -> bool {
        self.job.is_none() && !self.is_lost
    }

    pub(super) fn status(&self) -> WorkerStatus {
        WorkerStatus {
            ply: if self.job.is_some() { self.engine.ply } else { None },
            ..self.engine.clone()
        }
    }

    /// Returns whether the signature of the engine is known, since the USI handshake is over.
    pub(super) fn is_known(&self) -> bool {
        !self.engine.signature.is_empty()
    }

    pub(super) fn update(&mut self, snapshot: &Snapshot) {
        self.engine.state = snapshot.state.clone();
        self.engine.engine.clone_from(&snapshot.engine);
        self.engine.refuses_limits = snapshot.refuses_limits;
        (self.engine.overdue_seconds, self.engine.model) = (snapshot.waited_seconds, snapshot.model);
        self.engine
            .rejected_options
            .clone_from(&snapshot.rejected_options);
        let is_handshake_over = !matches!(snapshot.state, EngineState::Starting | EngineState::Failed(_));
        if !self.is_known() && is_handshake_over {
            let uses_name = self.slot.is_profile || snapshot.engine.is_empty();
            let engine = signature_name(&snapshot.engine, uses_name.then_some(&self.slot.name));
            let sign = |limit| signature(&engine, limit, self.slot.multipv);
            self.engine.deep_signature = self.deep_limit.map(sign).unwrap_or_default();
            self.engine.signature = sign(self.slot.limit);
        }
    }

    /// Records a restart. Returns the position to give up if the engine has crashed there [`MAX_CRASHES`] times.
    pub(super) fn on_restart(&mut self, restart: &Restart) -> Option<WorkerJob> {
        // The same restart is reported several times: during its pause, and without a pause after it.
        let is_new = restart.pause.is_some() && self.restart != Some(restart.number);
        self.restart = restart.pause.map(|_| restart.number);
        if !is_new {
            return None;
        }
        self.engine.crashes += 1;
        let job = self.job.as_mut()?;
        job.crashes += 1;
        self.job.take_if(|job| job.crashes >= MAX_CRASHES)
    }

    /// Marks the engine as lost for good. Returns the interrupted search, for another engine; `None` if the engine was
    /// idle.
    pub(super) fn mark_lost(&mut self) -> Option<WorkerJob> {
        self.is_lost = true;
        self.job.take()
    }

    /// Removes and returns the search that the engine has ended. The result is `None` if the engine gave neither a
    /// value nor a move. Returns `None` if the snapshot has no result of this search.
    pub(super) fn take_result(&mut self, snapshot: &Snapshot) -> Option<(WorkerJob, Option<EngineResult>)> {
        let answer = snapshot.result.as_ref()?;
        let is_same =
            |history: &Arc<History>, other: &Arc<History>| Arc::ptr_eq(history, other) || history == other;
        let limit = self.job.as_ref()?.limit;
        // While a position is searched again with a longer limit, the snapshot still has the earlier result.
        if self
            .last_answered
            .as_ref()
            .is_some_and(|(history, old_limit)| Arc::ptr_eq(history, &answer.history) && *old_limit != limit)
        {
            return None;
        }
        let job = self.job.take_if(|job| is_same(&job.history, &answer.history))?;
        self.last_answered = Some((Arc::clone(&answer.history), limit));
        let mut snapshot = snapshot.clone();
        // Search info of the previous position is dropped.
        snapshot
            .search_info
            .take_if(|shown| !is_same(&shown.history, &job.history));
        let engine = if job.is_deep {
            &self.engine.deep_signature
        } else {
            &self.engine.signature
        };
        let result = EngineResult::from_snapshot(
            &snapshot,
            answer.legal_best_move(),
            limit.unwrap_or(self.slot.limit),
            engine,
        );
        Some((job, result))
    }
}
