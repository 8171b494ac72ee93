//! The number of frames, and the time that they take on the drawing thread. For measurements.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The number of frames at the start that are not timed: they load fonts and open windows.
const WARM_UP_FRAMES: u32 = 30;

/// Counts the frames of the first bar, and times those of all windows.
#[derive(Debug, Default)]
pub(super) struct FrameMeter {
    bar_frame_count: AtomicU32,
    /// The number of frames of all windows.
    frame_count: AtomicU32,
    /// The longest time of a frame, in microseconds.
    longest_micros: AtomicU32,
}

/// The statistics of the drawn frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameStats {
    /// The number of frames of the first bar.
    pub bar_frame_count: u32,
    /// The longest time of a frame of any window on the drawing thread, without the first frames of the program.
    pub longest_frame: Duration,
}

impl FrameMeter {
    pub(super) fn count_bar_frame(&self) {
        self.bar_frame_count.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn bar_frame_count(&self) -> u32 {
        self.bar_frame_count.load(Ordering::Relaxed)
    }

    /// Draws a frame and times it. Returns the result of `draw`.
    #[expect(clippy::disallowed_methods, reason = "the time that a frame takes")]
    pub(super) fn time<T>(&self, draw: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let drawn = draw();
        if self.frame_count.fetch_add(1, Ordering::Relaxed) >= WARM_UP_FRAMES {
            let micros = u32::try_from(start.elapsed().as_micros()).unwrap_or(u32::MAX);
            self.longest_micros.fetch_max(micros, Ordering::Relaxed);
        }
        drawn
    }

    /// Returns the statistics of the frames up to now.
    pub(super) fn stats(&self) -> FrameStats {
        FrameStats {
            bar_frame_count: self.bar_frame_count(),
            longest_frame: Duration::from_micros(self.longest_micros.load(Ordering::Relaxed).into()),
        }
    }
}
