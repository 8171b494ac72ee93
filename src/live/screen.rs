//! The board on the screen: looked at a few times a second, inside its frame alone. No picture is kept or sent; `take_picture` has one for a report.

mod capture;
mod core;
pub(crate) mod shell;

pub use capture::ScreenPicture;
pub use core::ScreenCore;

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// The smallest width and height of an area: a board of 9 × 9 squares of 10 pixels.
const LEAST: u32 = 90;

/// An area of the screen in pixels. On a desktop of several screens the origin is that of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenArea {
    /// The left edge.
    pub left: i32,
    /// The upper edge.
    pub top: i32,
    /// The width, 90 at least.
    pub width: u32,
    /// The height, 90 at least.
    pub height: u32,
}

impl ScreenArea {
    /// Parses `LEFT,TOP,WIDTH,HEIGHT`. `None` for anything else and for areas too small for a board.
    pub fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split(',').map(str::trim);
        let (left, top) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let (width, height) = (numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?);
        let area = Self { left, top, width, height };
        (numbers.next().is_none() && width.min(height) >= LEAST).then_some(area)
    }
}

impl fmt::Display for ScreenArea {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, top, width, height } = self;
        write!(f, "{left},{top},{width},{height}")
    }
}

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

/// The newest wish, for the thread that looks.
#[derive(Debug, Default)]
pub(crate) struct ScreenWish {
    everything: AtomicBool,
    is_turned: AtomicBool,
}

impl ScreenWish {
    pub(crate) fn set(&self, following: ScreenFollowing) {
        self.everything.store(following.everything, Ordering::Relaxed);
        self.is_turned.store(following.is_turned, Ordering::Relaxed);
    }

    fn get(&self) -> ScreenFollowing {
        ScreenFollowing {
            everything: self.everything.load(Ordering::Relaxed),
            is_turned: self.is_turned.load(Ordering::Relaxed),
        }
    }
}
