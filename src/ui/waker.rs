//! Waking the window from another thread.

use eframe::egui;
use egui::{Context, ViewportId};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The least time between what changed and the frame that shows it.
const DELAY: Duration = Duration::from_millis(16);

/// Asks the window to draw itself again; to be called from any thread whenever what is shown has
/// changed. Several calls before the next frame cost one frame.
#[derive(Clone)]
pub struct ViewportWaker {
    ctx: Context,
    window: ViewportId,
    /// Another window, which is woken as well while this holds.
    other: Option<(ViewportId, Arc<AtomicBool>)>,
}

impl ViewportWaker {
    /// A waker of one window of a context.
    pub const fn new(ctx: Context, window: ViewportId) -> Self {
        Self { ctx, window, other: None }
    }

    /// Has another window be woken as well, while `shows` holds: a hidden one would be drawn for nobody.
    #[must_use]
    pub fn with(self, other: ViewportId, shows: Arc<AtomicBool>) -> Self {
        Self { other: Some((other, shows)), ..self }
    }

    /// Wakes the window. With a delay, because an immediate request paints two frames, and because a
    /// flood of calls must not cost more frames than the eye can see.
    pub fn wake(&self) {
        self.ctx.request_repaint_after_for(DELAY, self.window);
        if let Some((other, shows)) = &self.other
            && shows.load(Ordering::Relaxed)
        {
            self.ctx.request_repaint_after_for(DELAY, *other);
        }
    }
}

impl std::fmt::Debug for ViewportWaker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Waker").field("window", &self.window).finish_non_exhaustive()
    }
}
