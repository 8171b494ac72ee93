//! The limits of the desktop for windows, and whether the processor or the graphics card paints their frames.

#[cfg(target_os = "linux")]
use super::window_handle;
use crate::app::viewer::Viewer;
use shogibar_config::HotKeyScope;
use shogibar_ui::FramePacer;
use std::sync::LazyLock;

/// The limits that the desktop environment sets to windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct DesktopLimits {
    /// Whether windows cannot be transparent: they would be black instead.
    pub(super) is_opaque: bool,
    /// Whether windows cannot know their position, nor be kept on top.
    pub(super) is_position_unknown: bool,
    /// The programs in which global keys work.
    pub(super) keys: HotKeyScope,
}

impl DesktopLimits {
    /// Detects the limits of this desktop, as far as possible.
    #[cfg(target_os = "linux")]
    pub(super) fn here() -> Self {
        if !window_handle::is_x11() {
            // Wayland has no protocol for positions and windows on top. Some compositors let their users set both.
            return Self {
                is_opaque: false,
                is_position_unknown: true,
                keys: HotKeyScope::Nowhere,
            };
        }
        let server = XServer::here().unwrap_or_default();
        let keys = if server.is_xwayland || window_handle::is_on_wayland() {
            HotKeyScope::X11
        } else {
            HotKeyScope::Everywhere
        };
        Self {
            is_opaque: server.is_composited == Some(false),
            is_position_unknown: false,
            keys,
        }
    }

    /// Detects again whether a compositor runs: it may have started or ended.
    #[cfg(target_os = "linux")]
    pub(super) fn recheck(self) -> Self {
        // A test keeps the limits that it has set.
        let server = if window_handle::is_x11() && !cfg!(test) {
            XServer::here()
        } else {
            None
        };
        server.map_or(self, |server| Self {
            is_opaque: server.is_composited == Some(false),
            ..self
        })
    }

    /// Returns these limits: on this system they do not change.
    #[cfg(not(target_os = "linux"))]
    pub(super) const fn recheck(self) -> Self {
        self
    }

    /// Returns no limits, as Windows and macOS have none.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn here() -> Self {
        Self::default()
    }
}

/// Returns the display that windows would be shown on, as names and values.
#[cfg(target_os = "linux")]
pub(super) fn display_info() -> Vec<(&'static str, &'static str)> {
    let server = if window_handle::is_x11() {
        XServer::here()
    } else {
        None
    };
    let Some(server) = server else {
        let is_wayland = !window_handle::is_x11() && window_handle::is_on_wayland();
        return vec![(
            "display",
            if is_wayland {
                "Wayland"
            } else {
                "none: the bar would be shown in the terminal"
            },
        )];
    };
    let composited = if server.is_composited == Some(true) {
        "yes"
    } else {
        "no: nothing shines through the bar"
    };
    vec![
        (
            "display",
            if server.is_xwayland {
                "X11, by XWayland"
            } else {
                "X11"
            },
        ),
        ("compositor", composited),
    ]
}

/// Returns an empty list, as the display of Windows and macOS does not vary.
#[cfg(not(target_os = "linux"))]
pub(super) const fn display_info() -> Vec<(&'static str, &'static str)> {
    Vec::new()
}

/// Returns the processor or graphics card that paints the frames, by the name of the OpenGL renderer. Mesa, Chrome and
/// Windows have renderers in software.
pub(super) fn painter(renderer: &str) -> FramePacer {
    const SOFTWARE_RENDERERS: [&str; 5] = [
        "llvmpipe",
        "softpipe",
        "SwiftShader",
        "Microsoft Basic Render",
        "GDI Generic",
    ];
    if SOFTWARE_RENDERERS.iter().any(|name| renderer.contains(name)) {
        FramePacer::Processor
    } else {
        FramePacer::Gpu
    }
}

/// Returns whether animations may run. They may not if the processor paints and the engines use all its cores.
pub(super) fn may_animate(painter: FramePacer, viewer: &Viewer) -> bool {
    // Determined only once, as the system reads several files for this.
    static PROCESSOR_COUNT: LazyLock<usize> =
        LazyLock::new(|| std::thread::available_parallelism().map_or(1, std::num::NonZero::get));
    painter == FramePacer::Gpu || viewer.model().leaves_processors_free(*PROCESSOR_COUNT)
}

/// The properties of the X server.
#[cfg(target_os = "linux")]
#[derive(Default)]
struct XServer {
    /// Whether a compositor runs: it owns a selection with a defined name (EWMH, "Compositing Managers"). `None` if the
    /// server did not answer.
    is_composited: Option<bool>,
    /// Whether the server is `XWayland`: since 23.1 it has an extension of this name.
    is_xwayland: bool,
}

#[cfg(target_os = "linux")]
impl XServer {
    /// Connects to the server and reads its properties; `None` on failure.
    fn here() -> Option<Self> {
        use x11rb::protocol::xproto::ConnectionExt as _;
        let (connection, screen) = x11rb::connect(None).ok()?;
        let name = format!("_NET_WM_CM_S{screen}");
        let selection = connection
            .intern_atom(false, name.as_bytes())
            .ok()?
            .reply()
            .ok()?
            .atom;
        let owner = connection
            .get_selection_owner(selection)
            .ok()?
            .reply()
            .ok()?
            .owner;
        let extension = connection.query_extension(b"XWAYLAND").ok()?.reply().ok()?;
        Some(Self {
            is_composited: Some(owner != x11rb::NONE),
            is_xwayland: extension.present,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::FramePacer;
    use super::painter;

    #[test]
    fn detects_software_renderers() {
        for software in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "D3D12 (Microsoft Basic Render Driver)",
            "GDI Generic",
        ] {
            assert_eq!(painter(software), FramePacer::Processor, "{software}");
        }
        for card in [
            "NVIDIA GeForce RTX 4070/PCIe/SSE2",
            "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
            "Apple M2",
            "",
        ] {
            assert_eq!(painter(card), FramePacer::Gpu, "{card}");
        }
    }
}
