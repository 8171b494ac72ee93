//! The place of the main window: kept from one run to the next.

use crate::app::gui::screens::{self, Screen, WindowRect};
use crate::config::{MainWindowSettings, WindowSize};
use eframe::egui;
use egui::{Context, Rect, ViewportInfo, vec2};
use std::time::Duration;

/// How long the window has to stand still before its place is stored.
const SETTLE_TIME: Duration = Duration::from_millis(300);

/// What is stored of the window's place.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    outer: Rect,
    inner: Rect,
    is_maximized: bool,
}

/// Follows the place of the window.
#[derive(Debug, Default)]
pub(in crate::app::gui) struct Arrangement {
    /// The last seen place, and since when, in seconds of the window's clock.
    seen: Option<(Place, f64)>,
    stored: Option<Place>,
}

impl Arrangement {
    /// Returns where the window was at the end of an earlier run, on the screens that are there; `None` if that is not known, or if
    /// it would cover any of these rectangles, in pixels.
    pub(in crate::app::gui) fn restored(
        settings: &MainWindowSettings,
        screens: &[Screen],
        boards: &[Rect],
    ) -> Option<WindowRect> {
        let [width, height] = settings.size?.sides();
        #[expect(clippy::cast_precision_loss, reason = "at most 16 384 points")]
        let size = vec2(width as f32, height as f32);
        let rect = screens::restored(&settings.positions, screens, size)?;
        let is_clear = !boards.iter().any(|board| board.intersects(rect.rect()));
        is_clear.then_some(rect)
    }

    /// Returns whether the window has stood still at a place that is not stored yet.
    pub(super) fn needs_storing(&mut self, ctx: &Context) -> bool {
        let (now, place) = ctx.input(|input| (input.time, place(input.viewport())));
        let Some(place) = place else { return false };
        let since = match self.seen {
            Some((there, since)) if there == place => since,
            _ => now,
        };
        self.seen = Some((place, since));
        let left = SETTLE_TIME.as_secs_f64() - (now - since);
        if self.stored != Some(place) && left > 0.0 {
            ctx.request_repaint_after(Duration::from_secs_f64(left));
        }
        self.stored != Some(place) && left <= 0.0
    }

    /// Stores the place. `scale` is the number of pixels of a point of the system.
    pub(super) fn store(&mut self, settings: &mut MainWindowSettings, screens: &[Screen], scale: f32) {
        let Some((place, _)) = self.seen else { return };
        self.stored = Some(place);
        settings.is_maximized = place.is_maximized;
        if !place.is_maximized {
            let at = place.outer.min * scale;
            settings.size = Some(WindowSize::new(screens::sides(place.inner.size()).into()));
            let position = screens::place(WindowRect { at, size: place.outer.size(), scale }, screens);
            if let Some(position) = position {
                settings.positions.remember(position);
            }
        }
    }
}

/// Returns the place of a window; `None` while it is minimised, or where the system does not tell.
fn place(window: &ViewportInfo) -> Option<Place> {
    let outer = window.outer_rect.filter(Rect::is_positive)?;
    let inner = window.inner_rect.filter(Rect::is_positive)?;
    (window.minimized != Some(true)).then_some(Place { outer, inner, is_maximized: window.maximized == Some(true) })
}
