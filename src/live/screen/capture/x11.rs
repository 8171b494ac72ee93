//! The screen of X11.

use super::super::ScreenArea;
use super::{ScreenPicture, on_screen};
use crate::game::SourceProblem;
use shogibar_eye::picture::{Picture, grey};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, GetPropertyReply, ImageFormat, ImageOrder, MapState, Screen,
};
use x11rb::rust_connection::RustConnection;

/// A connection to the X server.
#[derive(Debug)]
pub(in crate::screen) struct X11Screen {
    connection: RustConnection,
    root: u32,
    pixels: PixelFormat,
}

/// Where the colours are in a pixel of 32 bits.
#[derive(Clone, Copy, Debug)]
struct PixelFormat {
    /// How far red, green and blue are shifted down to have eight bits.
    shifts: [u32; 3],
    is_little_endian: bool,
}

impl X11Screen {
    /// Connects to the display of the environment.
    ///
    /// # Errors
    /// Fails where there is no X11, and on Wayland, which shows X11 programs only themselves.
    pub(in crate::screen) fn open() -> Result<Self, SourceProblem> {
        let (connection, screen) = x11rb::connect(None).map_err(|_no_display| SourceProblem::ScreenNotReadable)?;
        let is_wayland = connection.query_extension(b"XWAYLAND").ok().and_then(|asked| asked.reply().ok());
        if is_wayland.is_some_and(|extension| extension.present) {
            return Err(SourceProblem::ScreenNotReadable);
        }
        let found = connection.setup().roots.get(screen);
        let found = found.and_then(|screen| Some((screen.root, pixel_format(&connection, screen)?)));
        let (root, pixels) = found.ok_or(SourceProblem::System)?;
        Ok(Self { connection, root, pixels })
    }

    /// Takes a picture of what of an area is on the screen, or of all of it.
    ///
    /// # Errors
    /// Fails with `ScreenGone` where the server does not answer, and with `AreaGone` where nothing of the area is on the screen; both may
    /// come back.
    pub(in crate::screen) fn read(&self, area: Option<ScreenArea>) -> Result<ScreenPicture, SourceProblem> {
        let size = self.connection.get_geometry(self.root).ok().and_then(|asked| asked.reply().ok());
        let size = size.ok_or(SourceProblem::ScreenGone)?;
        let screen = ScreenArea { left: 0, top: 0, width: size.width.into(), height: size.height.into() };
        let area = on_screen(area, screen).ok_or(SourceProblem::AreaGone)?;
        let read = || {
            let (left, top) = (i16::try_from(area.left).ok()?, i16::try_from(area.top).ok()?);
            let (width, height) = (u16::try_from(area.width).ok()?, u16::try_from(area.height).ok()?);
            let asked = self.connection.get_image(ImageFormat::Z_PIXMAP, self.root, left, top, width, height, !0);
            let image = asked.ok()?.reply().ok()?;
            let grey = image.data.as_chunks::<4>().0.iter().map(|pixel| self.pixels.grey(*pixel)).collect();
            Picture::new(width.into(), height.into(), grey)
        };
        let picture = read().ok_or(SourceProblem::ScreenGone)?;
        Ok(ScreenPicture { picture, left: area.left, top: area.top })
    }

    /// Returns the areas in which windows of a process are seen: this program's have boards of their own. What other windows cover of
    /// them is left out.
    pub(in crate::screen) fn own_windows(&self, own_process: u32) -> Vec<ScreenArea> {
        let mut own = Vec::new();
        let (windows, is_stacked) = self.windows();
        for (window, area) in windows {
            if self.is_of(window, own_process) {
                own.push(area);
            } else if is_stacked {
                own = own.into_iter().flat_map(|part: ScreenArea| part.without(area)).collect();
            }
        }
        own
    }

    /// Returns the title of the highest window at a place, but for those of a process. `None` where it is not known which one is the highest.
    pub(in crate::screen) fn title_at(&self, place: (i32, i32), own_process: u32) -> Option<String> {
        let (mut windows, is_stacked) = self.windows();
        windows.retain(|(window, area)| area.contains(place) && !self.is_of(*window, own_process));
        let (window, _) = windows.last().filter(|_| is_stacked || windows.len() == 1)?;
        let title = |name| self.property(*window, name).filter(|title| !title.value.is_empty());
        let title = title(b"_NET_WM_NAME").or_else(|| title(b"WM_NAME"))?;
        Some(String::from_utf8_lossy(&title.value).into_owned())
    }

    /// Returns whether a window says that it is of a process.
    fn is_of(&self, window: u32, process: u32) -> bool {
        self.property(window, b"_NET_WM_PID").and_then(|ids| ids.value32()?.next()) == Some(process)
    }

    fn property(&self, window: u32, name: &[u8]) -> Option<GetPropertyReply> {
        let name = self.connection.intern_atom(true, name).ok()?.reply().ok()?.atom;
        self.connection.get_property(false, window, name, AtomEnum::ANY, 0, 1024).ok()?.reply().ok()
    }

    /// Returns the windows that are shown and their areas, from the lowest to the highest, and whether the order is known: some window
    /// managers do not say it.
    fn windows(&self) -> (Vec<(u32, ScreenArea)>, bool) {
        let area = |window: u32| {
            let is_shown =
                self.connection.get_window_attributes(window).ok()?.reply().ok()?.map_state == MapState::VIEWABLE;
            let size = self.connection.get_geometry(window).ok()?.reply().ok()?;
            let place = self.connection.translate_coordinates(window, self.root, 0, 0).ok()?.reply().ok()?;
            let (left, top) = (place.dst_x.into(), place.dst_y.into());
            is_shown.then(|| ScreenArea { left, top, width: size.width.into(), height: size.height.into() })
        };
        let list = |name| -> Option<Vec<u32>> { Some(self.property(self.root, name)?.value32()?.collect()) };
        let stacked = list(b"_NET_CLIENT_LIST_STACKING").filter(|windows| !windows.is_empty());
        let is_stacked = stacked.is_some();
        let windows = stacked.or_else(|| list(b"_NET_CLIENT_LIST")).unwrap_or_default();
        (windows.into_iter().filter_map(|window| Some((window, area(window)?))).collect(), is_stacked)
    }
}

/// Returns how pixels are laid out; `None` for screens of fewer colours.
fn pixel_format(connection: &RustConnection, screen: &Screen) -> Option<PixelFormat> {
    let setup = connection.setup();
    let bits = setup.pixmap_formats.iter().find(|format| format.depth == screen.root_depth)?.bits_per_pixel;
    let mut visuals = screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
    let visual = visuals.find(|visual| visual.visual_id == screen.root_visual)?;
    let masks = [visual.red_mask, visual.green_mask, visual.blue_mask];
    let is_known = bits == 32 && masks.iter().all(|mask| mask.count_ones() >= 8);
    let shifts = masks.map(|mask| mask.trailing_zeros() + mask.count_ones().saturating_sub(8));
    is_known.then_some(PixelFormat { shifts, is_little_endian: setup.image_byte_order == ImageOrder::LSB_FIRST })
}

impl PixelFormat {
    fn grey(self, pixel: [u8; 4]) -> u8 {
        let pixel = if self.is_little_endian { u32::from_le_bytes(pixel) } else { u32::from_be_bytes(pixel) };
        let [red, green, blue] = self.shifts.map(|shift| (pixel >> shift).to_le_bytes()[0]);
        grey(red, green, blue)
    }
}
