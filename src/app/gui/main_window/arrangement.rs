//! Stores the position of the main window from one run to the next.

use crate::app::gui::placement::MIN_UNMOVED_TIME;
use crate::app::gui::screen_geometry::{self, Screen, WindowRect};
use crate::config::{MainWindowSettings, WindowSize};
use eframe::egui;
use egui::{Context, Rect, ViewportInfo, vec2};
use std::time::Duration;

/// The position and the size of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
struct WindowGeometry {
    outer_rect: Rect,
    inner_rect: Rect,
    is_maximized: bool,
}

/// Tracks the position of the window, which is stored once it has not changed for [`MIN_UNMOVED_TIME`].
#[derive(Debug, Default)]
pub(in crate::app::gui) struct Arrangement {
    /// The last position, and the time since which it is unchanged, in seconds of the window's clock.
    last_geometry: Option<(WindowGeometry, f64)>,
    /// The position that was stored last in this run.
    stored_geometry: Option<WindowGeometry>,
}

impl Arrangement {
    /// Returns the stored position of the window on the present screens. Returns `None` if it is unknown, or if the
    /// window would cover any of the `boards`, in pixels.
    pub(in crate::app::gui) fn restored_rect(
        settings: &MainWindowSettings,
        screens: &[Screen],
        boards: &[Rect],
    ) -> Option<WindowRect> {
        let [width, height] = settings.size?.sides();
        #[expect(clippy::cast_precision_loss, reason = "at most 16 384 points")]
        let size = vec2(width as f32, height as f32);
        let rect = screen_geometry::restored_rect(&settings.positions, screens, size)?;
        let is_clear = !boards.iter().any(|board| board.intersects(rect.rect()));
        is_clear.then_some(rect)
    }

    /// Returns whether the window has not moved for [`MIN_UNMOVED_TIME`], at a position that is not stored yet.
    pub(super) fn is_at_unstored_position(&mut self, ctx: &Context) -> bool {
        let (now, geometry) = ctx.input(|input| (input.time, geometry_of(input.viewport())));
        let Some(geometry) = geometry else { return false };
        let since = match self.last_geometry {
            Some((there, since)) if there == geometry => since,
            _ => now,
        };
        self.last_geometry = Some((geometry, since));
        let remaining = MIN_UNMOVED_TIME.as_secs_f64() - (now - since);
        if self.stored_geometry != Some(geometry) && remaining > 0.0 {
            ctx.request_repaint_after(Duration::from_secs_f64(remaining));
        }
        self.stored_geometry != Some(geometry) && remaining <= 0.0
    }

    /// Stores the position, the size and whether the window is maximised. `scale` is the number of pixels of a point of
    /// the system.
    pub(super) fn store(&mut self, settings: &mut MainWindowSettings, screens: &[Screen], scale: f32) {
        let Some((geometry, _)) = self.last_geometry else { return };
        self.stored_geometry = Some(geometry);
        settings.is_maximized = geometry.is_maximized;
        if !geometry.is_maximized {
            let at = geometry.outer_rect.min * scale;
            settings.size = Some(WindowSize::new(screen_geometry::sides(geometry.inner_rect.size()).into()));
            let position = screen_geometry::screen_position(
                WindowRect { corner: at, size: geometry.outer_rect.size(), scale },
                screens,
            );
            if let Some(position) = position {
                settings.positions.store(position);
            }
        }
    }
}

/// Returns the position and the size of a window; `None` while it is minimised, or if the system does not report the
/// position.
fn geometry_of(window: &ViewportInfo) -> Option<WindowGeometry> {
    let outer = window.outer_rect.filter(Rect::is_positive)?;
    let inner = window.inner_rect.filter(Rect::is_positive)?;
    (window.minimized != Some(true)).then_some(WindowGeometry {
        outer_rect: outer,
        inner_rect: inner,
        is_maximized: window.maximized == Some(true),
    })
}
