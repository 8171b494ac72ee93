//! Pictures of the screen, or of an area of it.

use super::ScreenArea;
#[cfg(not(any(target_os = "linux", windows)))]
use crate::game::SourceProblem;
use shogibar_eye::picture::Picture;

#[cfg(target_os = "linux")]
mod x11;
#[cfg(target_os = "linux")]
pub(super) use x11::X11Screen as ScreenReader;

#[cfg(windows)]
mod gdi;
#[cfg(windows)]
pub(super) use gdi::GdiScreen as ScreenReader;

/// A picture of the screen or of a part of it, with its position.
#[derive(Debug)]
pub struct ScreenPicture {
    /// The pixels of the screen.
    pub picture: Picture,
    /// The screen coordinate of the picture's left edge, in pixels.
    pub left: i32,
    /// The screen coordinate of the picture's upper edge, in pixels.
    pub top: i32,
    /// The visible areas of this program's windows.
    pub program_windows: Vec<ProgramWindow>,
}

/// An area of the screen that shows a window of this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramWindow {
    /// The area of the window, in screen coordinates.
    pub area: ScreenArea,
    /// The title of the window.
    pub title: String,
}

impl ProgramWindow {
    #[cfg(any(target_os = "linux", windows))]
    fn without(self, area: ScreenArea) -> impl Iterator<Item = Self> {
        let Self { area: visible, title } = self;
        visible.without(area).into_iter().map(move |area| Self {
            area,
            title: title.clone(),
        })
    }
}

impl ScreenPicture {
    /// Creates a picture without covered areas. `left` and `top` are the screen coordinates of its upper left pixel.
    pub const fn new(picture: Picture, left: i32, top: i32) -> Self {
        Self {
            picture,
            left,
            top,
            program_windows: Vec::new(),
        }
    }

    /// Crops a picture of the whole screen to an area; `None` keeps all of it. Returns `None` where the area is off the
    /// screen.
    pub fn from_screen(screen: &Picture, area: Option<ScreenArea>) -> Option<Self> {
        let (width, height) = (
            u32::try_from(screen.width()).ok()?,
            u32::try_from(screen.height()).ok()?,
        );
        let ScreenArea {
            left,
            top,
            width,
            height,
        } = on_screen(
            area,
            ScreenArea {
                left: 0,
                top: 0,
                width,
                height,
            },
        )?;
        let (x, y) = (usize::try_from(left).ok()?, usize::try_from(top).ok()?);
        let (across, down) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
        let rows = (y..y + down).flat_map(|y| screen.row(y).get(x..x + across).unwrap_or_default());
        Some(Self::new(
            Picture::new(across, down, rows.copied().collect())?,
            left,
            top,
        ))
    }

    /// Stores the visible areas of this program's windows, and fills them with grey, because these windows also show
    /// boards.
    pub(super) fn cover(&mut self, windows: Vec<ProgramWindow>) {
        for ProgramWindow { area, .. } in &windows {
            let offset = |coordinate: i32, origin: i32| i64::from(coordinate) - i64::from(origin);
            let (left, top) = (offset(area.left, self.left), offset(area.top, self.top));
            self.picture.fill(
                (left, top),
                (left + i64::from(area.width), top + i64::from(area.height)),
                128,
            );
        }
        self.program_windows = windows;
    }
}

/// Returns the part of an area that is on the screen; for `None`, all of the screen. Returns `None` where the area is
/// off the screen.
fn on_screen(area: Option<ScreenArea>, screen: ScreenArea) -> Option<ScreenArea> {
    let Some(area) = area else { return Some(screen) };
    let end = |start: i32, size: u32| i64::from(start) + i64::from(size);
    let span = |start: i32, size: u32, screen_start: i32, screen_size: u32| {
        let from = start.max(screen_start);
        let to = end(start, size).min(end(screen_start, screen_size));
        u32::try_from(to - i64::from(from))
            .ok()
            .filter(|size| *size > 0)
            .map(|size| (from, size))
    };
    let (left, width) = span(area.left, area.width, screen.left, screen.width)?;
    let (top, height) = span(area.top, area.height, screen.top, screen.height)?;
    Some(ScreenArea {
        left,
        top,
        width,
        height,
    })
}

/// A reader for systems whose screen cannot be read.
#[cfg(not(any(target_os = "linux", windows)))]
#[derive(Debug)]
pub(super) struct ScreenReader;

#[cfg(not(any(target_os = "linux", windows)))]
impl ScreenReader {
    pub(super) fn open() -> Result<Self, SourceProblem> {
        Err(SourceProblem::ScreenNotReadable)
    }

    pub(super) fn program_windows(&self, _process_id: u32, _needs_order: bool) -> Vec<ProgramWindow> {
        Vec::new()
    }

    pub(super) fn title_at(&self, _point: (i32, i32), _process_id: u32) -> Option<String> {
        None
    }

    pub(super) fn read(&self, _area: Option<ScreenArea>) -> Result<ScreenPicture, SourceProblem> {
        let screen = ScreenArea {
            left: 0,
            top: 0,
            width: 0,
            height: 0,
        };
        on_screen(None, screen).map_or(Err(SourceProblem::ScreenGone), |_| {
            Err(SourceProblem::ScreenNotReadable)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covered_areas_are_grey() {
        let picture = Picture::new(4, 3, vec![0; 12]).unwrap();
        let mut seen = ScreenPicture::new(picture, 100, 50);
        let area = |left, top, width, height| ScreenArea {
            left,
            top,
            width,
            height,
        };
        let areas = [
            area(98, 49, 3, 3),
            area(103, 52, 90, 90),
            area(500, 0, 90, 90),
            area(0, 0, 90, 90),
        ];
        seen.cover(
            areas
                .map(|area| ProgramWindow {
                    area,
                    title: String::new(),
                })
                .into(),
        );
        assert_eq!(seen.picture.pixels(), [128, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 128]);
    }

    #[test]
    fn parts_covered_by_another_window_are_left_out() {
        let area = |left, top, width, height| ScreenArea {
            left,
            top,
            width,
            height,
        };
        let without = |other| {
            area(10, 10, 100, 100)
                .without(other)
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(without(area(200, 0, 50, 50)), ["10,10,100,100"]);
        assert_eq!(without(area(0, 0, 500, 500)), [""; 0]);
        assert_eq!(
            without(area(30, 40, 20, 10)),
            ["10,10,100,30", "10,50,100,60", "10,40,20,10", "50,40,60,10"]
        );
        assert_eq!(without(area(-40, 60, 300, 300)), ["10,10,100,50"]);
    }

    #[test]
    fn an_area_is_cut_at_the_edges_of_the_screen() {
        let area = |text: &str| ScreenArea::parse(text).unwrap();
        let screen = area("-100,0,1000,500");
        let cut = |text: &str| on_screen(Some(area(text)), screen).map(|area| area.to_string());
        assert_eq!(cut("0,0,100,100").as_deref(), Some("0,0,100,100"));
        assert_eq!(cut("-200,450,200,200").as_deref(), Some("-100,450,100,50"));
        assert_eq!(cut("900,0,100,100"), None);
        assert_eq!(
            cut("0,-2147483648,4294967295,4294967295").as_deref(),
            Some("0,0,900,500")
        );
        assert_eq!(on_screen(None, screen), Some(screen));
    }
}
