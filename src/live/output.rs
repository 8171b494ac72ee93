//! Where the threads of a source report to.

use crate::game::SourceEvent;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// What is called with each event, on a thread of the source. It returns soon.
pub(crate) type SourceListener = Box<dyn FnMut(SourceEvent) + Send>;

/// Where a source's thread reports to.
pub(crate) struct SourceOutput {
    listener: SourceListener,
    is_stopped: Arc<AtomicBool>,
    start: Instant,
}

impl SourceOutput {
    pub(crate) fn new(listener: SourceListener, is_stopped: &Arc<AtomicBool>) -> Self {
        #[expect(clippy::disallowed_methods, reason = "the shell's clock")]
        let start = Instant::now();
        Self { listener, is_stopped: Arc::clone(is_stopped), start }
    }

    pub(crate) fn report(&mut self, event: SourceEvent) {
        if !self.is_stopped() {
            (self.listener)(event);
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns the moment from which the times of the core count.
    pub(crate) const fn start_time(&self) -> Instant {
        self.start
    }
}
