//! Finds the reasons why moves of a record were bad, on a separate thread.

use super::requests::RequestThread;
use shogibar_builtin::Control;
use shogibar_games::analysis::{GameReview, MoveReason};
use shogibar_games::reasons::ReasonFinder;
use shogibar_kifu::{NodeId, Record};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

/// The maximum number of reasons that wait to be taken.
const MAX_QUEUED_REASONS: usize = 64;

/// A request for the reasons of moves of a record, in the order of `nodes`.
#[derive(Debug)]
pub struct ReasonRequest {
    /// The first revision of the record, which identifies the record.
    pub first_revision: u64,
    /// The record with the moves.
    pub record: Arc<Record>,
    /// The review of the record.
    pub review: GameReview,
    /// The nodes that the moves lead to.
    pub nodes: Vec<NodeId>,
}

/// A reason that was found for a move of a record.
#[derive(Debug)]
pub struct FoundReason {
    /// The first revision of the record, which identifies the record.
    pub first_revision: u64,
    /// The node that the move leads to.
    pub node: NodeId,
    /// The reason why the move was bad.
    pub reason: MoveReason,
}

/// The thread that finds the reasons why moves were bad. Dropping it ends its search.
#[derive(Debug)]
pub struct ReasonThread {
    requests: RequestThread<(), ReasonRequest>,
    results: Receiver<FoundReason>,
}

impl ReasonThread {
    /// Starts the thread; `wake` is called when it has found a reason. `None` where the system has no thread.
    pub fn start(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let (outbox, found) = sync_channel(MAX_QUEUED_REASONS);
        let mut finder = ReasonFinder::default();
        let work = move |request: ReasonRequest, control: &Control| {
            for node in request.nodes {
                if let Some(reason) = finder.find(&request.record, &request.review, node, control) {
                    let found = FoundReason {
                        first_revision: request.first_revision,
                        node,
                        reason,
                    };
                    // An error means that the receiver has been dropped.
                    let _sent = outbox.send(found);
                    wake();
                }
                if control.is_stopped() {
                    return;
                }
            }
        };
        Some(Self {
            requests: RequestThread::start("reasons", work)?,
            results: found,
        })
    }

    /// Requests reasons. Earlier requests are cancelled.
    pub fn request(&self, request: ReasonRequest) {
        self.requests.request((), request, |()| false);
    }

    /// Removes and returns the reasons found since the last call.
    pub fn take(&self) -> impl Iterator<Item = FoundReason> {
        self.results.try_iter()
    }
}
