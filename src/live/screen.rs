//! Follows a board on the screen.
//!
//! Only the area of the board is read, several times a second. No picture of the screen is stored or sent;
//! `take_picture` takes one for a report.

pub(crate) mod area;
mod capture;
mod core;
mod shared_pieces;
pub(crate) mod shell;

pub use area::ScreenArea;
pub use capture::{ProgramWindow, ScreenPicture};
pub use core::ScreenCore;
pub use shared_pieces::{PieceStorage, SharedPieces};
pub use shogibar_eye::track::BoardCorrection;

/// The settings for following a board on the screen. They may change at any time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScreenFollowing {
    /// Whether replays and variations are followed too.
    pub follows_everything: bool,
    /// Whether White is at the bottom of the picture.
    pub is_rotated: bool,
}

/// Takes a picture of the whole screen.
///
/// # Errors
/// Fails if the desktop does not let programs read the screen, or if the screen is gone.
pub fn take_picture() -> Result<shogibar_eye::picture::Picture, crate::SourceProblem> {
    Ok(capture::ScreenReader::open()?.read(None)?.picture)
}
