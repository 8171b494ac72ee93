//! The screen of Windows.

use super::super::ScreenArea;
use super::{ScreenPicture, on_screen};
use crate::game::SourceProblem;
use shogibar_eye::picture::{Picture, grey};
use windows::Win32::Foundation::{POINT, RECT};
use windows::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, BitBlt, CAPTUREBLT, CreateCompatibleBitmap, CreateCompatibleDC,
    DIB_RGB_COLORS, DeleteDC, DeleteObject, GetDC, GetDIBits, HDC, ReleaseDC, SRCCOPY, SelectObject,
};
use windows::Win32::UI::WindowsAndMessaging::{
    FindWindowExW, GA_ROOT, GetAncestor, GetSystemMetrics, GetWindowRect, GetWindowTextW, GetWindowThreadProcessId,
    IsWindowVisible, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN, SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, WindowFromPoint,
};

/// The screens of this desktop.
#[derive(Debug)]
pub(in crate::screen) struct GdiScreen;

impl GdiScreen {
    #[expect(clippy::unnecessary_wraps, reason = "other systems may refuse")]
    pub(in crate::screen) const fn open() -> Result<Self, SourceProblem> {
        Ok(Self)
    }

    /// Takes a picture of what of an area is on the screen, or of all of it.
    ///
    /// # Errors
    /// Fails with `ScreenGone` where the desktop cannot be read now, as while it is locked.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    pub(in crate::screen) fn read(&self, area: Option<ScreenArea>) -> Result<ScreenPicture, SourceProblem> {
        let area = on_screen(area, screen().ok_or(SourceProblem::ScreenGone)?).ok_or(SourceProblem::AreaGone)?;
        let picture = copy(area).and_then(|bytes| {
            let pixels = bytes.as_chunks::<4>().0.iter().map(|[blue, green, red, _]| grey(*red, *green, *blue));
            Picture::new(usize::try_from(area.width).ok()?, usize::try_from(area.height).ok()?, pixels.collect())
        });
        let picture = picture.ok_or(SourceProblem::ScreenGone)?;
        Ok(ScreenPicture::new(picture, area.left, area.top))
    }
}

impl GdiScreen {
    /// Returns the areas of the windows of a process: this program's have boards of their own.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    #[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
    pub(in crate::screen) fn own_windows(&self, own_process: u32) -> Vec<ScreenArea> {
        let (mut areas, mut before) = (Vec::new(), None);
        // SAFETY: a window that is gone meanwhile is only an error; the places of the results outlive the calls.
        while let Ok(window) = unsafe { FindWindowExW(None, before, None, None) } {
            before = Some(window);
            let (mut process, mut edges) = (0, RECT::default());
            // SAFETY: as above.
            let is_known = unsafe {
                GetWindowThreadProcessId(window, Some(&raw mut process));
                IsWindowVisible(window).as_bool() && GetWindowRect(window, &raw mut edges).is_ok()
            };
            let size = |from: i32, to: i32| u32::try_from(i64::from(to) - i64::from(from)).ok();
            if is_known
                && process == own_process
                && let Some((width, height)) = size(edges.left, edges.right).zip(size(edges.top, edges.bottom))
            {
                areas.push(ScreenArea { left: edges.left, top: edges.top, width, height });
            }
        }
        areas
    }

    /// Returns the title of the window that is seen at a place, unless it is of this process, which would have to answer itself.
    #[expect(clippy::unused_self, reason = "other systems have a connection")]
    #[expect(unsafe_code, reason = "the system's interface to windows has no safe form")]
    pub(in crate::screen) fn title_at(&self, (x, y): (i32, i32), own_process: u32) -> Option<String> {
        let (mut title, mut process) = ([0; 200], 0);
        // SAFETY: a window that is gone meanwhile has no title; `title` and `process` outlive the calls.
        let length = unsafe {
            let window = GetAncestor(WindowFromPoint(POINT { x, y }), GA_ROOT);
            GetWindowThreadProcessId(window, Some(&raw mut process));
            if process == own_process { 0 } else { GetWindowTextW(window, &mut title) }
        };
        Some(String::from_utf16_lossy(title.get(..usize::try_from(length).ok()?)?))
    }
}

/// Returns the area of all screens.
#[expect(unsafe_code, reason = "the system's interface to screens has no safe form")]
fn screen() -> Option<ScreenArea> {
    // SAFETY: the call only reads a number.
    let number = |index| unsafe { GetSystemMetrics(index) };
    let (left, top) = (number(SM_XVIRTUALSCREEN), number(SM_YVIRTUALSCREEN));
    let size = |index| u32::try_from(number(index)).ok().filter(|size| *size > 0);
    Some(ScreenArea { left, top, width: size(SM_CXVIRTUALSCREEN)?, height: size(SM_CYVIRTUALSCREEN)? })
}

/// Returns the pixels of an area: blue, green, red and a byte of no meaning, row by row.
#[expect(unsafe_code, reason = "the system's interface to screens has no safe form")]
fn copy(area: ScreenArea) -> Option<Vec<u8>> {
    let (width, height) = (i32::try_from(area.width).ok()?, i32::try_from(area.height).ok()?);
    let mut bytes = vec![0_u8; usize::try_from(area.width).ok()?.checked_mul(area.height.try_into().ok()?)? * 4];
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
    // SAFETY: every handle is looked at before it is used and given back once; `bytes` holds `height` rows of `width`
    // pixels of 32 bits, as `info` says.
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
            let copied = BitBlt(memory, 0, 0, width, height, Some(screen), area.left, area.top, SRCCOPY | CAPTUREBLT);
            SelectObject(memory, before);
            if copied.is_ok() {
                let lines = area.height;
                rows =
                    GetDIBits(memory, bitmap, 0, lines, Some(bytes.as_mut_ptr().cast()), &raw mut info, DIB_RGB_COLORS);
            }
        }
        let _freed = DeleteObject(bitmap.into());
        let _freed = DeleteDC(memory);
        ReleaseDC(None, screen);
        (rows == height).then_some(bytes)
    }
}
