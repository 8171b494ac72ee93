//! Repainting of a window at the request of another thread.

use eframe::egui;
use egui::{Context, ViewportId};
use std::time::Duration;

/// The time between a change and the frame that shows it.
const WAKE_DELAY: Duration = Duration::from_millis(16);

/// Requests a repaint of a window. The caller may be any thread that has changed the contents. Several calls before the
/// next frame cost one frame.
#[derive(Clone, Debug)]
pub struct ViewportWaker {
    ctx: Context,
    window: ViewportId,
}

impl ViewportWaker {
    /// Creates a waker for one window of a context.
    pub const fn new(ctx: Context, window: ViewportId) -> Self {
        Self { ctx, window }
    }

    /// Wakes the window after a delay. An immediate request paints two frames, and frequent calls must not cost more
    /// frames than the user can see.
    pub fn wake(&self) {
        self.ctx.request_repaint_after_for(WAKE_DELAY, self.window);
    }
}
