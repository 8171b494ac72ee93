//! How often frames are painted, and how often the figures of a search change.

use crate::session::Session;
use std::time::Duration;

/// The processor or the graphics card, whichever paints the frames. It sets the frame rate during motion. A display
/// without vertical sync would draw hundreds of frames a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FramePacer {
    /// A graphics card, for which a frame is cheap.
    Gpu,
    /// The processor, which the engine needs for itself.
    Processor,
}

impl FramePacer {
    /// The minimum time between two frames. The next frame is later if nothing moves by a [step](Self::step) before.
    pub const fn frame(self) -> Duration {
        Duration::from_millis(match self {
            Self::Gpu => 16,
            Self::Processor => 50,
        })
    }

    /// The minimum time between two updates of search figures. A number that changes within 100 ms cannot be read.
    pub const fn interval(self) -> Duration {
        match self {
            Self::Gpu => Duration::from_millis(100),
            Self::Processor => Session::DEFAULT_INTERVAL,
        }
    }

    /// The smallest motion that is worth a frame, in pixels.
    pub const fn step(self) -> f32 {
        match self {
            Self::Gpu => 1.0,
            Self::Processor => 4.0,
        }
    }
}
