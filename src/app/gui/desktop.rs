//! What the desktop can do with a window.

#[cfg(target_os = "linux")]
use super::window;
use crate::config::Reach;
use crate::ui::overlay::Painter;

/// What the desktop cannot do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Nothing shines through a window: it would be black instead.
    pub(super) opaque: bool,
    /// No window can be kept on top, or say where it stands.
    pub(super) unplaced: bool,
    /// How far keys reach that are to work everywhere.
    pub(super) keys: Reach,
}

impl Limits {
    /// Those of this desktop, as far as they can be told.
    #[cfg(target_os = "linux")]
    pub(super) fn here() -> Self {
        if !window::is_x11() {
            // By its protocol; what a compositor does on its user's behalf is its own.
            return Self { opaque: false, unplaced: true, keys: Reach::Nowhere };
        }
        let server = Server::here().unwrap_or_default();
        let keys = if server.is_xwayland || window::is_on_wayland() { Reach::X11 } else { Reach::Everywhere };
        Self { opaque: server.composited == Some(false), unplaced: false, keys }
    }

    /// The same by now: a compositor may have come or gone.
    #[cfg(target_os = "linux")]
    pub(super) fn again(self) -> Self {
        // A test has the desktop that it says.
        let server = if window::is_x11() && !cfg!(test) { Server::here() } else { None };
        server.map_or(self, |server| Self { opaque: server.composited == Some(false), ..self })
    }

    /// Nothing comes and goes elsewhere.
    #[cfg(not(target_os = "linux"))]
    pub(super) const fn again(self) -> Self {
        self
    }

    /// Windows and macOS have none of these.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn here() -> Self {
        Self::default()
    }
}

/// Who paints, by what OpenGL says that draws: Mesa's two ways without a card, Chrome's, and those of Windows.
pub(super) fn painter(renderer: &str) -> Painter {
    const SOFTWARE: [&str; 5] = ["llvmpipe", "softpipe", "SwiftShader", "Microsoft Basic Render", "GDI Generic"];
    if SOFTWARE.iter().any(|name| renderer.contains(name)) { Painter::Processor } else { Painter::Card }
}

/// What the X server says of itself.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct Server {
    /// Whether a compositor runs: it owns a selection that is named for it (EWMH, "Compositing Managers").
    composited: Option<bool>,
    /// Whether it is `XWayland`, which says so by an extension since 23.1.
    is_xwayland: bool,
}

#[cfg(target_os = "linux")]
impl Server {
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
    use super::{Painter, painter};

    #[test]
    fn tells_a_graphics_card_from_none() {
        for software in ["llvmpipe (LLVM 15.0.6, 256 bits)", "D3D12 (Microsoft Basic Render Driver)", "GDI Generic"] {
            assert_eq!(painter(software), Painter::Processor, "{software}");
        }
        for card in ["NVIDIA GeForce RTX 4070/PCIe/SSE2", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)", "Apple M2", ""] {
            assert_eq!(painter(card), Painter::Card, "{card}");
        }
    }
}
