//! The screen of Windows.

use super::super::ScreenArea;
use super::{ProgramWindow, ScreenPicture, on_screen};
use crate::game::SourceProblem;
use shogibar_eye::picture::{Picture, grey};
use windows::Win32::Foundation::{HWND, LPARAM, POINT, RECT};
use windows::Win32::Graphics::Dwm::{DWMWA_CLOAKED, DWMWA_EXTENDED_FRAME_BOUNDS, DwmGetWindowAttribute};
use windows::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BitBlt, CAPTUREBLT, CreateCompatibleBitmap, CreateCompatibleDC,
    DIB_RGB_COLORS, DeleteDC, DeleteObject, GetDC, GetDIBits, HDC, ReleaseDC, SRCCOPY, SelectObject,
};
use windows::Win32::UI::WindowsAndMessaging::{
    EnumWindows, GA_ROOT, GWL_EXSTYLE, GetAncestor, GetSystemMetrics, GetWindowLongW, GetWindowRect,
    GetWindowTextW, GetWindowThreadProcessId, InternalGetWindowText, IsIconic, IsWindowVisible,
    SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN, SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, WS_EX_LAYERED,
    WindowFromPoint,
};
use windows::core::BOOL;

/// The screens of this desktop.
#[derive(Debug)]
pub(in crate::screen) struct GdiScreen;

impl GdiScreen {
    #[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
    pub(in crate::screen) const fn open() -> Result<Self, SourceProblem> {
        Ok(Self)
    }

    /// Captures an area of the screen, or all of it.
    ///
    /// # Errors
    /// Fails with `ScreenGone` if the desktop cannot be read now, as while it is locked. Fails with `AreaGone` if the
    /// area is off the screen.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    pub(in crate::screen) fn read(&self, area: Option<ScreenArea>) -> Result<ScreenPicture, SourceProblem> {
        let area =
            on_screen(area, screen().ok_or(SourceProblem::ScreenGone)?).ok_or(SourceProblem::AreaGone)?;
        let picture = copy(area).and_then(|bytes| {
            let pixels = bytes
                .as_chunks::<4>()
                .0
                .iter()
                .map(|[blue, green, red, _]| grey(*red, *green, *blue));
            Picture::new(
                usize::try_from(area.width).ok()?,
                usize::try_from(area.height).ok()?,
                pixels.collect(),
            )
        });
        let picture = picture.ok_or(SourceProblem::ScreenGone)?;
        Ok(ScreenPicture::new(picture, area.left, area.top))
    }
}

impl GdiScreen {
    /// Returns the visible areas of a process's windows. Areas below other windows are omitted.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    pub(in crate::screen) fn program_windows(
        &self,
        process_id: u32,
        _needs_order: bool,
    ) -> Vec<ProgramWindow> {
        let (mut visible, mut above) = (Vec::new(), Vec::new());
        for window in windows() {
            let Some(area) = shown_area(window) else { continue };
            if process_of(window) == process_id {
                let uncovered = |parts: Vec<ProgramWindow>, above: &ScreenArea| {
                    parts.into_iter().flat_map(|part| part.without(*above)).collect()
                };
                visible.extend(above.iter().fold(
                    vec![ProgramWindow {
                        area,
                        title: title(window),
                    }],
                    uncovered,
                ));
            } else if !is_layered(window) {
                above.push(area);
            }
        }
        visible
    }

    /// Returns the title of the visible window at a point. The title is empty for windows of the process `process_id`:
    /// this program would have to answer the request.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    #[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
    pub(in crate::screen) fn title_at(&self, point: (i32, i32), process_id: u32) -> Option<String> {
        let (x, y) = point;
        let (mut title, mut process) = ([0; 200], 0);
        // SAFETY: a window that is gone meanwhile has no title; `title` and `process` outlive the calls.
        let length = unsafe {
            let window = GetAncestor(WindowFromPoint(POINT { x, y }), GA_ROOT);
            GetWindowThreadProcessId(window, Some(&raw mut process));
            if process == process_id {
                0
            } else {
                GetWindowTextW(window, &mut title)
            }
        };
        Some(String::from_utf16_lossy(
            title.get(..usize::try_from(length).ok()?)?,
        ))
    }
}

/// Returns the title that the system stores for a window. The window itself is not asked.
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
fn title(window: HWND) -> String {
    let mut title = [0; 200];
    // SAFETY: a window that is gone meanwhile has no title; `title` outlives the call.
    let length = unsafe { InternalGetWindowText(window, &mut title) };
    let title = usize::try_from(length)
        .ok()
        .and_then(|length| title.get(..length));
    String::from_utf16_lossy(title.unwrap_or_default())
}

/// Returns the windows of this desktop, the topmost first.
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
fn windows() -> Vec<HWND> {
    extern "system" fn add(window: HWND, list: LPARAM) -> BOOL {
        // SAFETY: `list` is the vector below, which outlives the call of `EnumWindows` and is used by nothing else meanwhile.
        unsafe { (*(list.0 as *mut Vec<HWND>)).push(window) };
        true.into()
    }
    let mut list: Vec<HWND> = Vec::new();
    // SAFETY: `add` gets the address of `list` only during the call.
    let _some = unsafe { EnumWindows(Some(add), LPARAM(&raw mut list as isize)) };
    list
}

/// Returns the area of a visible window, without its shadow.
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
fn shown_area(window: HWND) -> Option<ScreenArea> {
    let (mut edges, mut cloaked) = (RECT::default(), 0_u32);
    // SAFETY: a window that is gone meanwhile is an error; the results outlive the calls and have the stated size.
    let is_shown = unsafe {
        let asked = DwmGetWindowAttribute(
            window,
            DWMWA_CLOAKED,
            (&raw mut cloaked).cast(),
            size_of::<u32>().try_into().ok()?,
        );
        let is_cloaked = asked.is_ok() && cloaked != 0;
        let frame = DwmGetWindowAttribute(
            window,
            DWMWA_EXTENDED_FRAME_BOUNDS,
            (&raw mut edges).cast(),
            size_of::<RECT>().try_into().ok()?,
        );
        let is_known = frame.is_ok() || GetWindowRect(window, &raw mut edges).is_ok();
        is_known && !is_cloaked && IsWindowVisible(window).as_bool() && !IsIconic(window).as_bool()
    };
    let size = |from: i32, to: i32| u32::try_from(i64::from(to) - i64::from(from)).ok();
    let (width, height) = (size(edges.left, edges.right)?, size(edges.top, edges.bottom)?);
    is_shown.then_some(ScreenArea {
        left: edges.left,
        top: edges.top,
        width,
        height,
    })
}

/// Returns the process identifier of a window; 0 for a window that is gone.
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
fn process_of(window: HWND) -> u32 {
    let mut process = 0;
    // SAFETY: a window that is gone meanwhile has no process; `process` outlives the call.
    unsafe { GetWindowThreadProcessId(window, Some(&raw mut process)) };
    process
}

/// Returns whether a window may be transparent.
#[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
#[expect(clippy::cast_sign_loss, reason = "flags")]
fn is_layered(window: HWND) -> bool {
    // SAFETY: a window that is gone meanwhile has no flags.
    let flags = unsafe { GetWindowLongW(window, GWL_EXSTYLE) };
    flags as u32 & WS_EX_LAYERED.0 != 0
}

#[expect(unsafe_code, reason = "the system's interface to screens has no safe form")]
fn screen() -> Option<ScreenArea> {
    // SAFETY: the call only reads a number.
    let number = |index| unsafe { GetSystemMetrics(index) };
    let (left, top) = (number(SM_XVIRTUALSCREEN), number(SM_YVIRTUALSCREEN));
    let size = |index| u32::try_from(number(index)).ok().filter(|size| *size > 0);
    Some(ScreenArea {
        left,
        top,
        width: size(SM_CXVIRTUALSCREEN)?,
        height: size(SM_CYVIRTUALSCREEN)?,
    })
}

/// Returns the pixels of an area: blue, green, red and a byte of no meaning, row by row.
#[expect(unsafe_code, reason = "the system's interface to screens has no safe form")]
fn copy(area: ScreenArea) -> Option<Vec<u8>> {
    let (width, height) = (i32::try_from(area.width).ok()?, i32::try_from(area.height).ok()?);
    let mut bytes = vec![
        0_u8;
        usize::try_from(area.width)
            .ok()?
            .checked_mul(area.height.try_into().ok()?)?
            * 4
    ];
    let mut info = BITMAPINFO {
        bmiHeader: BITMAPINFOHEADER {
            biSize: u32::try_from(size_of::<BITMAPINFOHEADER>()).ok()?,
            biWidth: width,
            // Negative: the upper row comes first.
            biHeight: -height,
            biPlanes: 1,
            biBitCount: 32,
            biCompression: BI_RGB.0,
            ..BITMAPINFOHEADER::default()
        },
        ..BITMAPINFO::default()
    };
    // SAFETY: every handle is checked before it is used, and released once; `bytes` holds `height` rows of `width`
    // pixels of 32 bits, as `info` states.
    unsafe {
        let screen: HDC = GetDC(None);
        if screen.is_invalid() {
            return None;
        }
        let memory = CreateCompatibleDC(Some(screen));
        let bitmap = CreateCompatibleBitmap(screen, width, height);
        let mut rows = 0;
        if !memory.is_invalid() && !bitmap.is_invalid() {
            let before = SelectObject(memory, bitmap.into());
            let copied = BitBlt(
                memory,
                0,
                0,
                width,
                height,
                Some(screen),
                area.left,
                area.top,
                SRCCOPY | CAPTUREBLT,
            );
            SelectObject(memory, before);
            if copied.is_ok() {
                let lines = area.height;
                rows = GetDIBits(
                    memory,
                    bitmap,
                    0,
                    lines,
                    Some(bytes.as_mut_ptr().cast()),
                    &raw mut info,
                    DIB_RGB_COLORS,
                );
            }
        }
        let _freed = DeleteObject(bitmap.into());
        let _freed = DeleteDC(memory);
        ReleaseDC(None, screen);
        (rows == height).then_some(bytes)
    }
}
