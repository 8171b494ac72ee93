//! The minimum times between two frames, and between two updates of the figures of a search.

use shogibar_engine::session::Session;
use std::time::Duration;

/// The processor or the graphics card, whichever paints the frames. The painting device limits the frame rate during
/// motion. Without a limit, a display without vertical sync would draw hundreds of frames a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePacer {
    /// A graphics card, for which a frame is cheap.
    Gpu,
    /// The processor, which the engine needs for itself.
    Processor,
}

impl FramePacer {
    /// Returns the minimum time between two frames. The next frame is later if the motion until then is below
    /// [`min_motion_pixels`](Self::min_motion_pixels).
    pub const fn min_frame_time(self) -> Duration {
        Duration::from_millis(match self {
            Self::Gpu => 16,
            Self::Processor => 50,
        })
    }

    /// Returns the minimum time between two updates of search figures. A number that changes within 100 ms cannot be
    /// read.
    pub const fn min_update_interval(self) -> Duration {
        match self {
            Self::Gpu => Duration::from_millis(100),
            Self::Processor => Session::DEFAULT_SNAPSHOT_INTERVAL,
        }
    }

    /// Returns the smallest motion that needs a new frame, in pixels.
    pub const fn min_motion_pixels(self) -> f32 {
        match self {
            Self::Gpu => 1.0,
            Self::Processor => 4.0,
        }
    }
}
