//! The board on the screen: looked at a few times a second, inside its frame alone. No picture is kept or sent; `take_picture` has one for a report.

pub(crate) mod area;
mod capture;
mod core;
pub(crate) mod shell;

pub use area::ScreenArea;
pub use capture::{OwnWindow, ScreenPicture};
pub use core::ScreenCore;
pub use shogibar_eye::track::BoardCorrection;

/// How a board on the screen is followed. It may change at any time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenFollowing {
    /// Whether replays and variations are followed too.
    pub everything: bool,
    /// Whether White is at the bottom of the picture.
    pub is_turned: bool,
}

/// Takes a picture of the whole screen.
///
/// # Errors
/// Fails where the desktop does not show programs the screen, and where the screen is gone.
pub fn take_picture() -> Result<shogibar_eye::picture::Picture, crate::SourceProblem> {
    Ok(capture::ScreenReader::open()?.read(None)?.picture)
}
