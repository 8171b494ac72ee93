//! Stores the position of the main window from one run to the next.

use super::SIZE;
use crate::app::gui::placement::MIN_UNMOVED_TIME;
use crate::app::gui::screen_geometry::{self, Screen, WindowRect};
use eframe::egui;
use egui::{Context, Pos2, Rect, Vec2, ViewportCommand, ViewportInfo, vec2};
use shogibar_config::{MainWindowSettings, WindowSize};
use std::time::Duration;

/// The time for which a window is kept on its screen after it was opened, in seconds. Systems place a window late.
const FIT_SECONDS: f64 = 2.0;
/// The tolerance of a size, in points.
const SIZE_TOLERANCE: f32 = 1.0;

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
    /// The size with which the window was opened, in points. It is not stored. `None` once the user has changed it.
    opening_size: Option<Vec2>,
    /// The time until which the window is kept on its screen, and not stored, after it was opened. It is in seconds of
    /// the window's clock. `None` after that time.
    fits_until: Option<f64>,
    /// The rectangle that was requested last, so that the window fits its screen.
    requested_rect: Option<Rect>,
    /// Whether the window was opened at a rectangle on the screen. Until the system has moved it there, its present one
    /// does not count.
    is_placed: bool,
}

impl Arrangement {
    /// Returns the stored position of the window on the present screens. Returns `None` if it is unknown, or if the
    /// window would cover any of the `boards`, in pixels.
    pub(in crate::app::gui) fn restored_rect(
        settings: &MainWindowSettings,
        screens: &[Screen],
        boards: &[Rect],
    ) -> Option<WindowRect> {
        #[expect(clippy::cast_precision_loss, reason = "at most 16 384 points")]
        let user_size = |[width, height]: [u32; 2]| vec2(width as f32, height as f32);
        let size = settings.size.map_or(SIZE, |size| user_size(size.sides()));
        let rect = screen_geometry::restored_rect(&settings.positions, screens, size)?;
        let is_clear = !boards.iter().any(|board| board.intersects(rect.rect()));
        is_clear.then_some(rect)
    }

    /// Keeps the window on its screen for some time, because it was opened or has changed its size.
    pub(super) fn begin_fit(&mut self, ctx: &Context) {
        self.fits_until = Some(ctx.input(|input| input.time) + FIT_SECONDS);
        (self.requested_rect, self.is_placed) = (None, false);
        ctx.request_repaint_after(MIN_UNMOVED_TIME);
    }

    /// Records that the window was opened at a rectangle that lies on the screen.
    pub(super) const fn set_placed(&mut self) {
        self.is_placed = true;
    }

    /// Returns whether the window was opened or has changed its size shortly before.
    pub(super) fn is_fitting(&self, ctx: &Context) -> bool {
        self.fits_until
            .is_some_and(|until| ctx.input(|input| input.time) < until)
    }

    /// Cuts the window to its screen, and moves it there, if it was opened shortly before. `min_size` is the minimum
    /// size of its content, in points. `scale` is the number of pixels of a point of the system.
    pub(super) fn fit(&mut self, ctx: &Context, screens: &[Screen], min_size: Vec2, scale: f32) {
        let geometry = ctx.input(|input| geometry_of(input.viewport()));
        let Some(geometry) =
            geometry.filter(|geometry| self.is_fitting(ctx) && !self.is_placed && !geometry.is_maximized)
        else {
            return;
        };
        let Some((position, size)) = fitted(geometry, screens, scale) else {
            return;
        };
        let wanted = Rect::from_min_size(position, size);
        // A window manager may refuse a request, which is not repeated then.
        if self.requested_rect.replace(wanted) == Some(wanted) {
            return;
        }
        if size != geometry.inner_rect.size() {
            ctx.send_viewport_cmd(ViewportCommand::MinInnerSize(min_size.min(size)));
            ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        }
        ctx.send_viewport_cmd(ViewportCommand::OuterPosition(position));
    }

    /// Returns whether the window has not moved for [`MIN_UNMOVED_TIME`], at a position that is not stored yet.
    pub(super) fn is_at_unstored_position(&mut self, ctx: &Context) -> bool {
        let (now, geometry) = ctx.input(|input| (input.time, geometry_of(input.viewport())));
        let Some(geometry) = geometry else { return false };
        if self.is_fitting(ctx) {
            ctx.request_repaint_after(MIN_UNMOVED_TIME);
            return false;
        }
        if self.fits_until.take().is_some() && !geometry.is_maximized {
            // The screen may have forced this size, so it is stored only once the user changes it.
            self.opening_size = Some(geometry.inner_rect.size());
        }
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
        let Some((geometry, _)) = self.last_geometry else {
            return;
        };
        self.stored_geometry = Some(geometry);
        settings.is_maximized = geometry.is_maximized;
        if !geometry.is_maximized {
            let at = geometry.outer_rect.min * scale;
            let size = geometry.inner_rect.size();
            self.opening_size = self
                .opening_size
                .filter(|opening| (*opening - size).abs().max_elem() <= SIZE_TOLERANCE);
            if self.opening_size.is_none() {
                settings.size = Some(WindowSize::new(screen_geometry::sides(size).into()));
            }
            let position = screen_geometry::screen_position(
                WindowRect {
                    corner: at,
                    size: geometry.outer_rect.size(),
                    scale,
                },
                screens,
            );
            if let Some(position) = position {
                settings.positions.store(position);
            }
        }
    }
}

/// Returns the position of a window that fits its screen, and the size of its content, in points. `None` if the window
/// fits already, or the screens are unknown.
fn fitted(geometry: WindowGeometry, screens: &[Screen], scale: f32) -> Option<(Pos2, Vec2)> {
    let outer = geometry.outer_rect;
    let spot = WindowRect {
        corner: outer.min * scale,
        size: outer.size(),
        scale,
    };
    let inside = screen_geometry::within(spot, screens);
    let frame = outer.size() - geometry.inner_rect.size();
    let moved = (inside.corner - spot.corner).abs().max_elem() > SIZE_TOLERANCE * scale;
    let cut = (inside.size - spot.size).abs().max_elem() > SIZE_TOLERANCE;
    (moved || cut).then(|| (inside.corner / scale, (inside.size - frame).max(Vec2::ZERO)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Pos2, RawInput, ViewportId, pos2};
    use shogibar_config::MainWindowSettings;

    fn screen(width: f32, height: f32) -> Vec<Screen> {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        vec![Screen {
            name: "screen".to_owned(),
            rect,
            scale: 1.0,
        }]
    }

    /// A window with a frame of 8×40 points, its context and its arrangement.
    struct Desktop {
        ctx: Context,
        arrangement: Arrangement,
        outer: Rect,
        time: f64,
        screens: Vec<Screen>,
    }

    impl Desktop {
        fn open(screens: Vec<Screen>, outer: Rect) -> Self {
            let mut desktop = Self {
                ctx: Context::default(),
                arrangement: Arrangement::default(),
                outer,
                time: 0.0,
                screens,
            };
            desktop.frame(Arrangement::begin_fit);
            desktop
        }

        /// Runs a frame a tenth of a second later, and carries out its commands. Returns the number of commands.
        fn frame(&mut self, act: impl FnOnce(&mut Arrangement, &Context)) -> usize {
            self.time += 0.1;
            let mut input = RawInput {
                time: Some(self.time),
                ..RawInput::default()
            };
            let window = input.viewports.entry(ViewportId::ROOT).or_default();
            window.outer_rect = Some(self.outer);
            window.inner_rect = Some(Rect::from_min_max(
                self.outer.min + vec2(4.0, 36.0),
                self.outer.max - vec2(4.0, 4.0),
            ));
            let (arrangement, screens, mut act) = (&mut self.arrangement, &self.screens, Some(act));
            let mut output = self.ctx.run_ui(input, |ui| {
                if let Some(act) = act.take() {
                    act(arrangement, ui.ctx());
                    arrangement.fit(ui.ctx(), screens, vec2(880.0, 400.0), 1.0);
                    arrangement.is_at_unstored_position(ui.ctx());
                }
            });
            output.textures_delta.clear();
            let commands: Vec<_> = output
                .viewport_output
                .into_values()
                .flat_map(|output| output.commands)
                .collect();
            for command in &commands {
                match command {
                    ViewportCommand::InnerSize(size) => {
                        self.outer = Rect::from_min_size(self.outer.min, *size + vec2(8.0, 40.0));
                    }
                    ViewportCommand::OuterPosition(at) => {
                        self.outer = Rect::from_min_size(*at, self.outer.size());
                    }
                    _ => {}
                }
            }
            commands.len()
        }

        /// Runs frames until the window is stored. Returns the stored size.
        fn stored_size(&mut self) -> Option<[u32; 2]> {
            (0..30).for_each(|_| _ = self.frame(|_, _| {}));
            let mut settings = MainWindowSettings::default();
            self.arrangement.store(&mut settings, &self.screens, 1.0);
            settings.size.map(WindowSize::sides)
        }
    }

    #[test]
    fn a_window_is_cut_to_a_small_screen_and_that_size_is_not_stored() {
        for (width, height) in [(1280.0, 720.0), (800.0, 600.0)] {
            let outer = Rect::from_min_size(pos2(30.0, 40.0), vec2(1328.0, 880.0));
            let mut desktop = Desktop::open(screen(width, height), outer);
            assert_eq!(desktop.stored_size(), None);
            assert_eq!(
                desktop.outer,
                Rect::from_min_size(Pos2::ZERO, vec2(width, height))
            );
            // A size that the user chooses is stored.
            desktop.outer = Rect::from_min_size(Pos2::ZERO, vec2(708.0, 540.0));
            assert_eq!(desktop.stored_size(), Some([700, 500]));
        }
    }

    #[test]
    fn a_window_is_moved_onto_its_screen_only_after_it_was_opened() {
        let outer = Rect::from_min_size(pos2(1500.0, 700.0), vec2(908.0, 640.0));
        let mut desktop = Desktop::open(screen(1920.0, 1080.0), outer);
        assert_eq!(desktop.stored_size(), None, "the user has not changed its size");
        assert_eq!(desktop.outer.max, pos2(1920.0, 1080.0));
        desktop.outer = outer;
        assert_eq!(desktop.frame(|_, _| {}), 0, "the user has moved it");
    }
}
