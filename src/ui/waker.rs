//! Waking of a window from another thread.

use eframe::egui;
use egui::{Context, ViewportId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The time between a change and the frame that shows it.
const DELAY: Duration = Duration::from_millis(16);

/// Requests a repaint of a window. Call it from any thread after the contents changed. Several calls before the next
/// frame cost one frame.
#[derive(Clone, Debug)]
pub struct ViewportWaker {
    ctx: Context,
    window: ViewportId,
    /// Another window, which is also woken while the flag is set.
    other: Option<(ViewportId, Arc<AtomicBool>)>,
}

impl ViewportWaker {
    /// Creates a waker for one window of a context.
    pub const fn new(ctx: Context, window: ViewportId) -> Self {
        Self { ctx, window, other: None }
    }

    /// Also wakes another window while `shows` is set. A hidden window would be drawn for nothing.
    #[must_use]
    pub fn with(self, other: ViewportId, shows: Arc<AtomicBool>) -> Self {
        Self { other: Some((other, shows)), ..self }
    }

    /// Wakes the window after a delay. An immediate request paints two frames, and frequent calls must not cost more
    /// frames than the user can see.
    pub fn wake(&self) {
        self.ctx.request_repaint_after_for(DELAY, self.window);
        if let Some((other, shows)) = &self.other
            && shows.load(Ordering::Relaxed)
        {
            self.ctx.request_repaint_after_for(DELAY, *other);
        }
    }
}
