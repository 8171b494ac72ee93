//! What the desktop can do with a window.

use super::Host;
#[cfg(target_os = "linux")]
use super::window_handle;
use crate::config::HotKeyScope;
use crate::ui::overlay::FramePacer;
use std::sync::LazyLock;

/// What the desktop cannot do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DesktopLimits {
    /// Nothing shines through a window: it would be black instead.
    pub(super) opaque: bool,
    /// No window can be kept on top, or say where it stands.
    pub(super) unplaced: bool,
    /// How far keys reach that are to work everywhere.
    pub(super) keys: HotKeyScope,
}

impl DesktopLimits {
    /// Those of this desktop, as far as they can be told.
    #[cfg(target_os = "linux")]
    pub(super) fn here() -> Self {
        if !window_handle::is_x11() {
            // By its protocol; what a compositor does on its user's behalf is its own.
            return Self { opaque: false, unplaced: true, keys: HotKeyScope::Nowhere };
        }
        let server = XServer::here().unwrap_or_default();
        let keys = if server.is_xwayland || window_handle::is_on_wayland() {
            HotKeyScope::X11
        } else {
            HotKeyScope::Everywhere
        };
        Self { opaque: server.composited == Some(false), unplaced: false, keys }
    }

    /// The same by now: a compositor may have come or gone.
    #[cfg(target_os = "linux")]
    pub(super) fn recheck(self) -> Self {
        // A test has the desktop that it says.
        let server = if window_handle::is_x11() && !cfg!(test) { XServer::here() } else { None };
        server.map_or(self, |server| Self { opaque: server.composited == Some(false), ..self })
    }

    /// Nothing comes and goes elsewhere.
    #[cfg(not(target_os = "linux"))]
    pub(super) const fn recheck(self) -> Self {
        self
    }

    /// Windows and macOS have none of these.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn here() -> Self {
        Self::default()
    }
}

/// What windows would be shown on: a property, and how it is.
#[cfg(target_os = "linux")]
pub(super) fn surroundings() -> Vec<(&'static str, &'static str)> {
    let server = if window_handle::is_x11() { XServer::here() } else { None };
    let Some(server) = server else {
        let is_wayland = !window_handle::is_x11() && window_handle::is_on_wayland();
        return vec![("display", if is_wayland { "Wayland" } else { "none: the bar would be shown in the terminal" })];
    };
    let composited = if server.composited == Some(true) { "yes" } else { "no: nothing shines through the bar" };
    vec![("display", if server.is_xwayland { "X11, by XWayland" } else { "X11" }), ("compositor", composited)]
}

/// Windows and macOS are always the same.
#[cfg(not(target_os = "linux"))]
pub(super) const fn surroundings() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// Who paints, by what OpenGL says that draws: Mesa's two ways without a card, Chrome's, and those of Windows.
pub(super) fn painter(renderer: &str) -> FramePacer {
    const SOFTWARE: [&str; 5] = ["llvmpipe", "softpipe", "SwiftShader", "Microsoft Basic Render", "GDI Generic"];
    if SOFTWARE.iter().any(|name| renderer.contains(name)) { FramePacer::Processor } else { FramePacer::Card }
}

/// Whether something may glide: where the processor paints, and engines have all of it, each frame would be theirs.
pub(super) fn may_glide(painter: FramePacer, host: &dyn Host) -> bool {
    // Asking takes a look at several files.
    static PROCESSORS: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    painter == FramePacer::Card || host.leaves_free(*PROCESSORS)
}

/// What the X server says of itself.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct XServer {
    /// Whether a compositor runs: it owns a selection that is named for it (EWMH, "Compositing Managers").
    composited: Option<bool>,
    /// Whether it is `XWayland`, which says so by an extension since 23.1.
    is_xwayland: bool,
}

#[cfg(target_os = "linux")]
impl XServer {
    /// `None` where it cannot be asked.
    fn here() -> Option<Self> {
        use x11rb::protocol::xproto::ConnectionExt as _;
        let (connection, screen) = x11rb::connect(None).ok()?;
        let name = format!("_NET_WM_CM_S{screen}");
        let selection = connection.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom;
        let owner = connection.get_selection_owner(selection).ok()?.reply().ok()?.owner;
        let extension = connection.query_extension(b"XWAYLAND").ok()?.reply().ok()?;
        Some(Self { composited: Some(owner != x11rb::NONE), is_xwayland: extension.present })
    }
}

#[cfg(test)]
mod tests {
    use super::{FramePacer, may_glide, painter};
    use crate::app::gui::recording_host::RecordingHost;
    use crate::study::Document;

    #[test]
    fn tells_a_graphics_card_from_none() {
        for software in ["llvmpipe (LLVM 15.0.6, 256 bits)", "D3D12 (Microsoft Basic Render Driver)", "GDI Generic"] {
            assert_eq!(painter(software), FramePacer::Processor, "{software}");
        }
        for card in ["NVIDIA GeForce RTX 4070/PCIe/SSE2", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "Apple M2", ""] {
            assert_eq!(painter(card), FramePacer::Card, "{card}");
        }
    }

    #[test]
    fn no_frame_is_taken_from_an_engine_for_beauty() {
        let mut host = RecordingHost::new(Document::default());
        let mut check = |painter, leaves_free, expect| {
            host.leaves_free = leaves_free;
            assert_eq!(may_glide(painter, &host), expect, "{painter:?}, {leaves_free}");
        };
        check(FramePacer::Card, false, true);
        check(FramePacer::Processor, false, false);
        check(FramePacer::Processor, true, true);
    }
}
