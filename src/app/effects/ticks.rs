//! The clock of games whose searches take turns.

use shogibar_base::threads;
use shogibar_model::TICK_INTERVAL;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};

/// A thread that calls a function every [`TICK_INTERVAL`]. Dropping it ends the thread.
#[derive(Debug)]
pub struct TickThread {
    _stop: SyncSender<()>,
}

impl TickThread {
    /// Starts the thread.
    ///
    /// # Errors
    /// Fails if the system has no thread.
    pub fn start(tick: impl Fn() + Send + 'static) -> io::Result<Self> {
        let (stop, stops) = sync_channel::<()>(0);
        threads::spawn("ticks", move || {
            while stops.recv_timeout(TICK_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                tick();
            }
        })?
        .detach();
        Ok(Self { _stop: stop })
    }
}
