//! Finds why moves of a record were bad, on a thread of its own.

use crate::analysis::{GameReview, MoveReason};
use crate::kifu::{NodeId, Record};
use crate::reasons::ReasonFinder;
use crate::search::Control;
use crate::threads::{self, lock};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};

/// The most requests that wait. The newest one counts.
const REQUESTS: usize = 16;
/// The most reasons that wait to be taken.
const FOUND: usize = 64;

/// What is looked for: the reasons of these moves of a record, in this order.
#[derive(Debug)]
pub struct ReasonRequest {
    /// The record, by its first revision.
    pub first_revision: u64,
    /// The record itself.
    pub record: Arc<Record>,
    /// Its review.
    pub review: GameReview,
    /// The moves.
    pub nodes: Vec<NodeId>,
}

/// A reason that was found for a record, which is known by its first revision.
#[derive(Debug)]
pub struct FoundReason {
    /// The first revision.
    pub first_revision: u64,
    /// The node that the move leads to.
    pub node: NodeId,
    /// The reason.
    pub reason: MoveReason,
}

/// The thread. It ends its search when this is dropped.
#[derive(Debug)]
pub struct ReasonThread {
    requests: SyncSender<ReasonRequest>,
    found: Receiver<FoundReason>,
    control: SharedControl,
}

/// Stops the search that runs.
type SharedControl = Arc<Mutex<Arc<Control>>>;

impl ReasonThread {
    /// Starts the thread; `wake` is called when it has found something. `None` where the system has no thread.
    pub fn start(wake: impl Fn() + Send + 'static) -> Option<Self> {
        let (requests, inbox) = sync_channel(REQUESTS);
        let (outbox, found) = sync_channel(FOUND);
        let control = SharedControl::default();
        let shared = Arc::clone(&control);
        let work = move || {
            threads::lower_priority();
            ReasonWorker { finder: ReasonFinder::default(), inbox, outbox, control: shared, wake }.run();
        };
        threads::spawn("reasons", work).ok()?.detach();
        Some(Self { requests, found, control })
    }

    /// Looks for reasons, and for no others any more. Returns whether the request was taken; else it is to be made again.
    pub fn request(&self, request: ReasonRequest) -> bool {
        lock(&self.control).stop();
        self.requests.try_send(request).is_ok()
    }

    /// Takes what was found since the last call.
    pub fn take(&self) -> impl Iterator<Item = FoundReason> {
        self.found.try_iter()
    }
}

impl Drop for ReasonThread {
    fn drop(&mut self) {
        lock(&self.control).stop();
    }
}

/// The work of the thread.
struct ReasonWorker<W> {
    finder: ReasonFinder,
    inbox: Receiver<ReasonRequest>,
    outbox: SyncSender<FoundReason>,
    control: SharedControl,
    wake: W,
}

impl<W: Fn()> ReasonWorker<W> {
    fn run(mut self) {
        let mut next = self.inbox.recv().ok();
        while let Some(request) = next {
            let newer = self.search(&request);
            next = newer.or_else(|| self.inbox.recv().ok());
        }
    }

    /// Finds the reasons of a request. Returns a newer one that ends it.
    fn search(&mut self, request: &ReasonRequest) -> Option<ReasonRequest> {
        let stop = Arc::new(Control::new(None));
        *lock(&self.control) = Arc::clone(&stop);
        for node in &request.nodes {
            if let Some(newer) = self.inbox.try_iter().last() {
                return Some(newer);
            }
            let reason = self.finder.find(&request.record, &request.review, *node, &stop);
            if let Some(reason) = reason.filter(|_| !stop.is_stopped()) {
                let found = FoundReason { first_revision: request.first_revision, node: *node, reason };
                // An error means that nobody wants it any more.
                let _sent = self.outbox.send(found);
                (self.wake)();
            }
        }
        None
    }
}
