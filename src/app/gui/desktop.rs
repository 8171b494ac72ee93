//! What the desktop can do with a window.

#[cfg(target_os = "linux")]
use super::window;

/// What the desktop cannot do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Limits {
    /// Nothing shines through a window: it would be black instead.
    pub(super) opaque: bool,
    /// No window can be kept on top, or say where it stands.
    pub(super) unplaced: bool,
}

impl Limits {
    /// Those of this desktop, as far as they can be told.
    #[cfg(target_os = "linux")]
    pub(super) fn here() -> Self {
        if window::is_x11() {
            return Self { opaque: composited() == Some(false), unplaced: false };
        }
        // By its protocol; what a compositor does on its user's behalf is its own.
        Self { opaque: false, unplaced: true }
    }

    /// Windows and macOS have none of these.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn here() -> Self {
        Self::default()
    }
}

/// Whether a compositor runs: it owns a selection that is named for it (EWMH, "Compositing Managers"). `None` where
/// the X server does not say.
#[cfg(target_os = "linux")]
fn composited() -> Option<bool> {
    use x11rb::protocol::xproto::ConnectionExt as _;
    let (connection, screen) = x11rb::connect(None).ok()?;
    let name = format!("_NET_WM_CM_S{screen}");
    let selection = connection.intern_atom(false, name.as_bytes()).ok()?.reply().ok()?.atom;
    let owner = connection.get_selection_owner(selection).ok()?.reply().ok()?.owner;
    Some(owner != x11rb::NONE)
}
