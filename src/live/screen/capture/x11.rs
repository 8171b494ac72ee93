//! The screen of X11.

use super::super::ScreenArea;
use super::{ProgramWindow, ScreenPicture, on_screen};
use crate::game::SourceProblem;
use shogibar_eye::picture::{Picture, grey};
use x11rb::atom_manager;
use x11rb::connection::Connection as _;
use x11rb::cookie::Cookie;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ConnectionExt as _, GetPropertyReply, ImageFormat, ImageOrder, MapState, Screen,
};
use x11rb::rust_connection::RustConnection;

/// A connection to the X server.
#[derive(Debug)]
pub(in crate::screen) struct X11Screen {
    connection: RustConnection,
    /// The identifier of the root window.
    root: u32,
    pixels: PixelFormat,
    /// The names of the properties that are requested.
    names: Names,
}

atom_manager! {
    /// The names of the properties of windows.
    Names: NamesCookie {
        windows: b"_NET_CLIENT_LIST".as_slice(),
        stacked_windows: b"_NET_CLIENT_LIST_STACKING".as_slice(),
        title: b"_NET_WM_NAME".as_slice(),
        process: b"_NET_WM_PID".as_slice(),
        frame: b"_NET_FRAME_EXTENTS".as_slice(),
    }
}

/// A visible window of X11.
#[derive(Debug)]
struct ShownWindow {
    id: u32,
    area: ScreenArea,
    /// The process identifier that the window states; `None` if it states none.
    process: Option<u32>,
}

/// The layout of the colours in a pixel of 32 bits.
#[derive(Clone, Copy, Debug)]
struct PixelFormat {
    /// The right shifts for eight bits of red, green and blue.
    shifts: [u32; 3],
    is_little_endian: bool,
}

impl X11Screen {
    /// Connects to the display of the environment.
    ///
    /// # Errors
    /// Fails if there is no X11, and on Wayland, which shows X11 programs only themselves.
    pub(in crate::screen) fn open() -> Result<Self, SourceProblem> {
        let (connection, screen) =
            x11rb::connect(None).map_err(|_no_display| SourceProblem::ScreenNotReadable)?;
        let is_wayland = connection
            .query_extension(b"XWAYLAND")
            .ok()
            .and_then(|asked| asked.reply().ok());
        if is_wayland.is_some_and(|extension| extension.present) {
            return Err(SourceProblem::ScreenNotReadable);
        }
        let found = connection.setup().roots.get(screen);
        let found = found.and_then(|screen| Some((screen.root, pixel_format(&connection, screen)?)));
        let (root, pixels) = found.ok_or(SourceProblem::System)?;
        let names = Names::new(&connection)
            .ok()
            .and_then(|asked| asked.reply().ok())
            .ok_or(SourceProblem::System)?;
        Ok(Self {
            connection,
            root,
            pixels,
            names,
        })
    }

    /// Captures an area of the screen, or all of it.
    ///
    /// # Errors
    /// Fails with `ScreenGone` if the server does not answer. Fails with `AreaGone` if the area is off the screen. Both
    /// may be temporary.
    pub(in crate::screen) fn read(&self, area: Option<ScreenArea>) -> Result<ScreenPicture, SourceProblem> {
        let size = self
            .connection
            .get_geometry(self.root)
            .ok()
            .and_then(|asked| asked.reply().ok());
        let size = size.ok_or(SourceProblem::ScreenGone)?;
        let screen = ScreenArea {
            left: 0,
            top: 0,
            width: size.width.into(),
            height: size.height.into(),
        };
        let area = on_screen(area, screen).ok_or(SourceProblem::AreaGone)?;
        let read = || {
            let (left, top) = (i16::try_from(area.left).ok()?, i16::try_from(area.top).ok()?);
            let (width, height) = (u16::try_from(area.width).ok()?, u16::try_from(area.height).ok()?);
            let asked =
                self.connection
                    .get_image(ImageFormat::Z_PIXMAP, self.root, left, top, width, height, !0);
            let image = asked.ok()?.reply().ok()?;
            let grey = image
                .data
                .as_chunks::<4>()
                .0
                .iter()
                .map(|pixel| self.pixels.grey(*pixel))
                .collect();
            Picture::new(width.into(), height.into(), grey)
        };
        let picture = read().ok_or(SourceProblem::ScreenGone)?;
        Ok(ScreenPicture::new(picture, area.left, area.top))
    }

    /// Returns the visible areas of a process's windows, with their frames. Areas below other windows are omitted.
    /// Returns nothing if the stacking order is needed but unknown.
    pub(in crate::screen) fn program_windows(
        &self,
        process_id: u32,
        needs_order: bool,
    ) -> Vec<ProgramWindow> {
        let mut visible: Vec<ProgramWindow> = Vec::new();
        let (windows, is_stacked) = self.windows();
        if needs_order && !is_stacked {
            return visible;
        }
        for ShownWindow { id, area, process } in windows {
            if process == Some(process_id) {
                visible.push(ProgramWindow {
                    area,
                    title: self.title(id).unwrap_or_default(),
                });
            } else if is_stacked {
                visible = visible.into_iter().flat_map(|part| part.without(area)).collect();
            }
        }
        visible
    }

    /// Returns the title of the topmost window at a point, without those of a process. `None` where the stacking order
    /// is unknown.
    pub(in crate::screen) fn title_at(&self, point: (i32, i32), process_id: u32) -> Option<String> {
        let (mut windows, is_stacked) = self.windows();
        windows.retain(|window| window.area.contains(point.0, point.1) && window.process != Some(process_id));
        if !is_stacked && windows.len() != 1 {
            return None;
        }
        self.title(windows.last()?.id)
    }

    fn title(&self, window: u32) -> Option<String> {
        let title = |name| {
            let title = self.request_property(window, name)?.reply().ok()?;
            (!title.value.is_empty()).then_some(title)
        };
        let title = title(self.names.title).or_else(|| title(AtomEnum::WM_NAME.into()))?;
        Some(String::from_utf8_lossy(&title.value).into_owned())
    }

    fn request_property(
        &self,
        window: u32,
        name: Atom,
    ) -> Option<Cookie<'_, RustConnection, GetPropertyReply>> {
        self.connection
            .get_property(false, window, name, AtomEnum::ANY, 0, 1024)
            .ok()
    }

    /// Returns the visible windows from the lowest to the topmost, and whether this order is known. Some window
    /// managers do not publish it. All requests are sent before the first reply is awaited.
    fn windows(&self) -> (Vec<ShownWindow>, bool) {
        let lists = [self.names.stacked_windows, self.names.windows];
        let [stacked, listed] = lists
            .map(|name| self.request_property(self.root, name))
            .map(|asked| {
                let list = asked?.reply().ok()?;
                let windows: Vec<u32> = list.value32()?.collect();
                (!windows.is_empty()).then_some(windows)
            });
        let is_stacked = stacked.is_some();
        let ids = stacked.or(listed).unwrap_or_default();
        let asked: Vec<_> = ids
            .into_iter()
            .filter_map(|id| {
                let attributes = self.connection.get_window_attributes(id).ok()?;
                let size = self.connection.get_geometry(id).ok()?;
                let position = self.connection.translate_coordinates(id, self.root, 0, 0).ok()?;
                let [frame, process] =
                    [self.names.frame, self.names.process].map(|name| self.request_property(id, name));
                Some((id, attributes, size, position, frame?, process?))
            })
            .collect();
        let answered = asked
            .into_iter()
            .filter_map(|(id, attributes, size, position, frame, process)| {
                // All replies are taken: the library stores the errors of replies that are not.
                let answers = (
                    attributes.reply(),
                    size.reply(),
                    position.reply(),
                    frame.reply(),
                    process.reply(),
                );
                let (Ok(attributes), Ok(size), Ok(position), Ok(frame), Ok(process)) = answers else {
                    return None;
                };
                let frame: Option<Vec<u32>> = frame.value32().map(Iterator::collect);
                let [left, right, top, bottom] =
                    frame.and_then(|frame| frame.try_into().ok()).unwrap_or_default();
                let area = ScreenArea {
                    left: i32::from(position.dst_x).saturating_sub_unsigned(left),
                    top: i32::from(position.dst_y).saturating_sub_unsigned(top),
                    width: u32::from(size.width).saturating_add(left).saturating_add(right),
                    height: u32::from(size.height).saturating_add(top).saturating_add(bottom),
                };
                let process = process.value32().and_then(|mut process| process.next());
                (attributes.map_state == MapState::VIEWABLE).then_some(ShownWindow { id, area, process })
            });
        (answered.collect(), is_stacked)
    }
}

/// Returns the layout of pixels; `None` if they have not 32 bits with at least eight for each colour.
fn pixel_format(connection: &RustConnection, screen: &Screen) -> Option<PixelFormat> {
    let setup = connection.setup();
    let bits = setup
        .pixmap_formats
        .iter()
        .find(|format| format.depth == screen.root_depth)?
        .bits_per_pixel;
    let mut visuals = screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
    let visual = visuals.find(|visual| visual.visual_id == screen.root_visual)?;
    let masks = [visual.red_mask, visual.green_mask, visual.blue_mask];
    let is_known = bits == 32 && masks.iter().all(|mask| mask.count_ones() >= 8);
    let shifts = masks.map(|mask| mask.trailing_zeros() + mask.count_ones().saturating_sub(8));
    is_known.then_some(PixelFormat {
        shifts,
        is_little_endian: setup.image_byte_order == ImageOrder::LSB_FIRST,
    })
}

impl PixelFormat {
    fn grey(self, pixel: [u8; 4]) -> u8 {
        let pixel = if self.is_little_endian {
            u32::from_le_bytes(pixel)
        } else {
            u32::from_be_bytes(pixel)
        };
        let [red, green, blue] = self.shifts.map(|shift| (pixel >> shift).to_le_bytes()[0]);
        grey(red, green, blue)
    }
}
