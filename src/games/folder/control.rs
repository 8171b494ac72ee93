//! Pauses and cancels an analysis of a folder from other threads.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

/// Pauses and cancels an analysis of a folder. Clones control the same analysis.
#[derive(Clone)]
pub struct FolderControl {
    flags: Arc<ControlFlags>,
    /// Wakes the analysis.
    sender: SyncSender<()>,
}

/// The receiver of the wake-ups, at which the analysis waits.
#[derive(Debug)]
pub struct FolderWakes(pub(super) Receiver<()>);

#[derive(Debug, Default)]
struct ControlFlags {
    is_paused: AtomicBool,
    is_cancelled: AtomicBool,
}

impl FolderControl {
    /// Creates a control, and the receiver for [`run()`](super::run()).
    pub fn new() -> (Self, FolderWakes) {
        let (sender, wakes) = sync_channel(1);
        (
            Self {
                flags: Arc::default(),
                sender,
            },
            FolderWakes(wakes),
        )
    }

    /// Pauses or resumes the engines.
    pub fn set_paused(&self, is_paused: bool) {
        self.flags.is_paused.store(is_paused, Ordering::Relaxed);
        self.wake();
    }

    /// Ends the analysis. The findings are stored for the next run.
    pub fn cancel(&self) {
        self.flags.is_cancelled.store(true, Ordering::Relaxed);
        self.wake();
    }

    pub(super) fn is_paused(&self) -> bool {
        self.flags.is_paused.load(Ordering::Relaxed)
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.flags.is_cancelled.load(Ordering::Relaxed)
    }

    pub(super) fn wake(&self) {
        // If the channel is full, a wake-up is pending already.
        let _already_pending = self.sender.try_send(());
    }
}

impl fmt::Debug for FolderControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FolderControl")
            .field("flags", &self.flags)
            .finish_non_exhaustive()
    }
}
