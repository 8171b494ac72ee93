//! The placement of the bar's window: its initial position, moving it onto the screen, and storing the position.
//! `screen_geometry` computes the positions.

use super::screen_geometry::{self, Screen, WantedRoom, WindowRect};
use eframe::egui;
use egui::{Context, Pos2, Rect, Vec2, ViewportBuilder, ViewportCommand, ViewportInfo};
use shogibar_config::{Layout, ScreenPositions, Settings, WindowSize};
use std::time::Duration;

/// The time for which a window has to be unmoved before its position is stored. Only the window manager receives the
/// release of the pointer's button.
pub(super) const MIN_UNMOVED_TIME: Duration = Duration::from_millis(300);
/// The tolerance of a position in pixels, and of a size in points.
const GEOMETRY_TOLERANCE: f32 = 1.0;
/// The longest time until the window has a requested size, in seconds.
const MAX_RESIZE_SECONDS: f64 = 1.5;

/// The key of a window's size: the layout, and the number of engines.
pub(super) type LayoutKey = (Layout, usize);

/// A change of the layout, with the window's size and position after it.
#[derive(Clone, Copy, Debug)]
struct LayoutChange {
    /// The user's position, in pixels. It is restored once a layout has room there.
    from: Pos2,
    /// The position to which the window was moved, so that it stays on its screen.
    to: Pos2,
    /// The time of the request, in seconds of the window's clock.
    request_time: f64,
    /// The requested size, in points.
    size: Vec2,
}

/// The position of the window, and its state.
#[derive(Debug)]
pub(super) struct WindowPlacement {
    screens: Vec<Screen>,
    /// Whether the desktop does not report the positions of windows.
    is_position_unknown: bool,
    /// The number of the bar whose position is stored, from 0. `None` if another instance stores the positions.
    bar: Option<usize>,
    /// The initial rectangle; `None` if the system chooses it.
    initial_rect: Option<WindowRect>,
    /// The initial size, in points.
    size: Vec2,
    /// The position that is still to be applied. The scale is not known before the window is on a screen.
    pending_position: Option<Pos2>,
    /// The last rectangle, and the time since when it is unchanged, in seconds of the window's clock.
    last_rect: Option<(WindowRect, f64)>,
    /// The rectangle that was stored.
    stored_rect: Option<WindowRect>,
    /// The time of the last call of [`is_at_unstored_position`](Self::is_at_unstored_position), in seconds of the
    /// window's clock.
    check_time: f64,
    last_change: Option<LayoutChange>,
    /// The size that the window has for want of room, in points. It is not stored. `None` if the window has the wanted
    /// size.
    forced_size: Option<Vec2>,
}

impl WindowPlacement {
    /// Creates the placement of a window of this size: at its last position, or else the default position.
    pub(super) fn new(
        positions: &ScreenPositions,
        screens: Vec<Screen>,
        size: Vec2,
        is_position_unknown: bool,
    ) -> Self {
        let initial_rect = screen_geometry::restored_rect(positions, &screens, size)
            .or_else(|| screen_geometry::default_rect(size, &screens));
        let forced_size = initial_rect
            .map(|spot| spot.size)
            .filter(|actual| *actual != size);
        let size = forced_size.unwrap_or(size);
        // A position that the screen forced is not stored, so that the window returns once there is room.
        let stored_rect = initial_rect.filter(|spot| {
            let position = screen_geometry::screen_position(*spot, &screens);
            position.is_some_and(|at| {
                positions
                    .on_screen(&at.screen)
                    .is_some_and(|stored| *stored != at)
            })
        });
        let initial_rect = if is_position_unknown { None } else { initial_rect };
        let pending_position = initial_rect.map(|spot| spot.corner);
        Self {
            screens,
            is_position_unknown,
            bar: Some(0),
            initial_rect,
            size,
            pending_position,
            last_rect: None,
            stored_rect,
            check_time: 0.0,
            last_change: None,
            forced_size,
        }
    }

    /// Moves the initial position by `steps` steps, so that it covers no other bar.
    pub(super) fn cascade(&mut self, steps: usize) {
        if steps == 0 {
            return;
        }
        let Some(spot) = self.initial_rect else {
            return;
        };
        let shifted = screen_geometry::cascaded(spot, steps, &self.screens);
        (self.initial_rect, self.pending_position, self.stored_rect) =
            (Some(shifted), Some(shifted.corner), Some(shifted));
    }

    /// Moves the initial rectangle to free ground, where it covers neither a `taken` area nor another window, in pixels.
    /// If there is none, it only keeps out of the `taken` areas, if possible.
    pub(super) fn avoid(&mut self, taken: &[Rect], windows: &[Rect]) {
        let Some(spot) = self.initial_rect else { return };
        let inside = screen_geometry::within(spot, &self.screens);
        let clear = screen_geometry::on_free_ground(inside, &[taken, windows].concat(), &self.screens)
            .or_else(|| screen_geometry::on_free_ground(inside, taken, &self.screens))
            .unwrap_or(inside);
        if clear.size != self.size {
            (self.size, self.forced_size) = (clear.size, Some(clear.size));
        }
        (self.initial_rect, self.pending_position, self.stored_rect) =
            (Some(clear), Some(clear.corner), Some(clear));
    }

    /// Gives the window the size, in points, that it had for want of room in an earlier run.
    pub(super) fn force_size(&mut self, size: Vec2) {
        (self.size, self.forced_size) = (size, Some(size));
        for rect in [&mut self.initial_rect, &mut self.stored_rect]
            .into_iter()
            .flatten()
        {
            rect.size = size;
        }
    }

    /// Returns the initial rectangle; `None` if the system chooses it.
    pub(super) const fn initial_rect(&self) -> Option<WindowRect> {
        self.initial_rect
    }

    /// Sets the number of the bar whose position is stored; `None` stores none.
    pub(super) const fn set_bar(&mut self, bar: Option<usize>) {
        self.bar = bar;
    }

    /// Returns the rectangle for another window beside the bar and the `taken` areas, in pixels; `None` without room.
    pub(super) fn room_beside(
        &self,
        bar: WindowRect,
        taken: &[Rect],
        wanted: WantedRoom,
    ) -> Option<WindowRect> {
        screen_geometry::rect_beside(bar, taken, wanted, &self.screens)
    }

    /// Returns the rectangle of a window, also of another window than the bar's; `None` if windows have no position.
    pub(super) fn rect_of(&self, window: &ViewportInfo) -> Option<WindowRect> {
        let outer = window
            .outer_rect
            .filter(|rect| !self.is_position_unknown && rect.is_positive())?;
        let scale = window.native_pixels_per_point?;
        Some(WindowRect {
            corner: outer.min * scale,
            size: outer.size(),
            scale,
        })
    }

    pub(super) fn builder(&self) -> ViewportBuilder {
        let builder = ViewportBuilder::default().with_inner_size(self.size);
        match (self.initial_rect, self.screens.first()) {
            // This is exact if all screens have one scale. Otherwise `apply` corrects it.
            (Some(spot), Some(main)) => builder.with_position(spot.corner / main.scale),
            _ => builder,
        }
    }

    /// Moves the window to its initial position, if the system has put it elsewhere.
    pub(super) fn apply(&mut self, ctx: &Context) {
        let Some(target) = self.pending_position.take() else {
            return;
        };
        let Some(current) = current_rect(ctx) else {
            self.pending_position = Some(target);
            return;
        };
        if (current.corner - target).abs().max_elem() > GEOMETRY_TOLERANCE {
            ctx.send_viewport_cmd(ViewportCommand::OuterPosition(target / current.scale));
        }
    }

    /// Returns whether the window has not moved for [`MIN_UNMOVED_TIME`], at a position or with a size that is not
    /// stored yet.
    pub(super) fn is_at_unstored_position(&mut self, ctx: &Context) -> bool {
        let now = ctx.input(|input| input.time);
        let Some(here) = self.current_rect(ctx) else {
            return false;
        };
        let since = match self.last_rect {
            Some((there, since)) if there == here => since,
            _ => now,
        };
        (self.last_rect, self.check_time) = (Some((here, since)), now);
        if self.is_changing(here.size, now) {
            ctx.request_repaint_after(MIN_UNMOVED_TIME);
            return false;
        }
        if self.stored_rect == Some(here) {
            return false;
        }
        let remaining = MIN_UNMOVED_TIME.as_secs_f64() - (now - since);
        if remaining > 0.0 {
            // Requested in every frame, as an earlier frame cancels the request.
            ctx.request_repaint_after(Duration::from_secs_f64(remaining));
        }
        remaining <= 0.0
    }

    /// Updates the screens, which may have changed.
    pub(super) fn set_screens(&mut self, screens: Vec<Screen>) {
        if !screens.is_empty() {
            self.screens = screens;
        }
    }

    /// Stores the window's position, if it is new. Stores its size for this layout, unless it is the default size.
    pub(super) fn store(
        &mut self,
        settings: &mut Settings,
        layout_key: Option<LayoutKey>,
        default_size: Vec2,
    ) {
        let Some((here, _)) = self.last_rect.filter(|(here, _)| self.stored_rect != Some(*here)) else {
            return;
        };
        if self.is_changing(here.size, self.check_time) {
            return;
        }
        self.stored_rect = Some(here);
        let position = if self.is_position_unknown {
            None
        } else {
            screen_geometry::screen_position(here, &self.screens)
        };
        match position.zip(self.bar) {
            Some((position, 0)) => settings.positions.store(position),
            Some((position, number)) => settings.bars.store_position(number, position),
            None => {}
        }
        let is_near = |size: Vec2| (here.size - size).abs().max_elem() <= GEOMETRY_TOLERANCE;
        self.forced_size = self.forced_size.filter(|size| is_near(*size));
        if let Some(number) = self.bar {
            let forced = self
                .forced_size
                .map(|size| WindowSize::new(screen_geometry::sides(size).into()));
            settings.bars.set_forced_size(number, forced);
        }
        if self.forced_size.is_some() {
            return;
        }
        if let Some((layout, engines)) = layout_key {
            settings.sizes.store(
                layout,
                engines,
                (!is_near(default_size)).then(|| screen_geometry::sides(here.size).into()),
            );
        }
    }

    /// Resizes the window. Keeps it wholly on its screen, and beside the `taken` areas that it does not cover yet, in
    /// pixels. A size above that of the screen is cut.
    ///
    /// If it was moved for that, it returns to the user's position once a layout has room there.
    pub(super) fn reshape(&mut self, ctx: &Context, wanted: Vec2, taken: &[Rect]) {
        let when = ctx.input(|input| input.time);
        let here = self.current_rect(ctx);
        let at = here.map(|here| here.corner).unwrap_or_default();
        let from = self
            .last_change
            .filter(|moved| {
                when - moved.request_time < MAX_RESIZE_SECONDS
                    || (at - moved.to).abs().max_elem() <= GEOMETRY_TOLERANCE
            })
            .map_or(at, |moved| moved.from);
        // The last rectangle belongs to the former layout.
        self.last_rect = None;
        let (mut to, mut size) = (from, wanted);
        if let Some(here) = here {
            size = screen_geometry::within(
                WindowRect {
                    corner: from,
                    size,
                    ..here
                },
                &self.screens,
            )
            .size;
        }
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        self.forced_size = Some(size).filter(|size| *size != wanted);
        if !self.is_position_unknown
            && let Some(here) = here
        {
            let inside = screen_geometry::within(
                WindowRect {
                    corner: from,
                    size,
                    ..here
                },
                &self.screens,
            );
            // If the window covers an area already, the user has put it there.
            let taken: Vec<_> = taken
                .iter()
                .filter(|rect| !rect.intersect(here.rect()).is_positive())
                .copied()
                .collect();
            to = screen_geometry::clear_of(inside, &taken, &self.screens).corner;
            if to != here.corner
                || self
                    .last_change
                    .is_some_and(|moved| when - moved.request_time < MAX_RESIZE_SECONDS)
            {
                ctx.send_viewport_cmd(ViewportCommand::OuterPosition(to / here.scale));
            }
        }
        self.last_change = Some(LayoutChange {
            from,
            to,
            request_time: when,
            size,
        });
    }

    /// Returns the position, in points, of a window of this size that opens at `pos` of the bar's window. The window is
    /// then wholly on the screen.
    ///
    /// Returns `None` if windows cannot be placed.
    pub(in crate::app::gui) fn position_for(&self, ctx: &Context, pos: Pos2, size: Vec2) -> Option<Pos2> {
        if self.is_position_unknown {
            return None;
        }
        let here = current_rect(ctx)?;
        let spot = WindowRect {
            corner: here.corner + pos.to_vec2() * here.scale,
            size,
            ..here
        };
        let at = screen_geometry::within(spot, &self.screens).corner;
        Some(WindowRect { corner: at, ..here }.position())
    }

    /// Returns whether the system may not have applied the requested size yet.
    fn is_changing(&self, size: Vec2, now: f64) -> bool {
        self.last_change.is_some_and(|moved| {
            now - moved.request_time < MAX_RESIZE_SECONDS
                && (size - moved.size).abs().max_elem() > GEOMETRY_TOLERANCE
        })
    }

    /// Returns the current rectangle. If the position is unknown, only the size is valid.
    fn current_rect(&self, ctx: &Context) -> Option<WindowRect> {
        let size_only = || WindowRect {
            corner: Pos2::ZERO,
            size: ctx.content_rect().size(),
            scale: ctx.pixels_per_point(),
        };
        if self.is_position_unknown {
            Some(size_only())
        } else {
            current_rect(ctx)
        }
    }
}

/// Returns the current rectangle; `None` if the window is minimised, or the system does not report it.
fn current_rect(ctx: &Context) -> Option<WindowRect> {
    let (outer, scale) = ctx.input(|input| (input.viewport().outer_rect, input.pixels_per_point()));
    let outer: Rect = outer.filter(Rect::is_positive)?;
    Some(WindowRect {
        corner: outer.min * scale,
        size: outer.size(),
        scale,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{RawInput, ViewportId, pos2, vec2};

    fn screen(width: f32, height: f32) -> Vec<Screen> {
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        vec![Screen {
            name: "screen".to_owned(),
            rect,
            scale: 1.0,
        }]
    }

    /// The bar's window, with its context.
    struct Bar {
        ctx: Context,
        placement: WindowPlacement,
        outer: Rect,
        time: f64,
    }

    impl Bar {
        fn open(placement: WindowPlacement) -> Self {
            let outer = placement.initial_rect.unwrap().rect();
            Self {
                ctx: Context::default(),
                placement,
                outer,
                time: 0.0,
            }
        }

        /// Runs a frame, a second after the last one, and carries out its commands.
        fn frame(&mut self, act: impl FnOnce(&mut WindowPlacement, &Context)) {
            self.time += 1.0;
            let mut input = RawInput {
                time: Some(self.time),
                ..RawInput::default()
            };
            input.viewports.entry(ViewportId::ROOT).or_default().outer_rect = Some(self.outer);
            let (placement, mut act) = (&mut self.placement, Some(act));
            let mut output = self.ctx.run_ui(input, |ui| {
                if let Some(act) = act.take() {
                    act(placement, ui.ctx());
                }
            });
            output.textures_delta.clear();
            for command in output
                .viewport_output
                .into_values()
                .flat_map(|output| output.commands)
            {
                match command {
                    ViewportCommand::InnerSize(size) => {
                        self.outer = Rect::from_min_size(self.outer.min, size);
                    }
                    ViewportCommand::OuterPosition(at) => {
                        self.outer = Rect::from_min_size(at, self.outer.size());
                    }
                    _ => {}
                }
            }
        }

        /// Stores position and size once the window does not move. Returns the size for a layout.
        fn stored_size(&mut self, settings: &mut Settings, layout: Layout) -> Option<[u32; 2]> {
            for _ in 0..3 {
                self.frame(|placement, ctx| _ = placement.is_at_unstored_position(ctx));
            }
            self.placement
                .store(settings, Some((layout, 1)), vec2(838.0, 277.0));
            settings.sizes.get(layout, 1)
        }
    }

    #[test]
    fn a_bar_is_cut_to_a_small_screen_and_that_size_is_not_stored() {
        let mut settings = Settings::default();
        settings.sizes.store(Layout::Full, 1, Some([1900, 400]));
        let size = vec2(1900.0, 400.0);
        let mut bar = Bar::open(WindowPlacement::new(
            &ScreenPositions::default(),
            screen(1280.0, 720.0),
            size,
            false,
        ));
        assert!(
            bar.outer.width() <= 1280.0 && bar.outer.min.x >= 0.0,
            "{:?}",
            bar.outer
        );
        assert_eq!(bar.stored_size(&mut settings, Layout::Full), Some([1900, 400]));
        // Another layout is cut, too.
        bar.frame(|placement, ctx| placement.reshape(ctx, vec2(2000.0, 120.0), &[]));
        assert!(
            bar.outer.width() <= 1280.0 && bar.outer.min.x >= 0.0,
            "{:?}",
            bar.outer
        );
        assert_eq!(bar.stored_size(&mut settings, Layout::Bar), None);
        // A size that the user chooses is stored.
        bar.outer = Rect::from_min_size(bar.outer.min, vec2(700.0, 60.0));
        assert_eq!(bar.stored_size(&mut settings, Layout::Bar), Some([700, 60]));
    }

    #[test]
    fn a_position_that_a_small_screen_forced_is_not_stored() {
        let mut settings = Settings::default();
        let large = screen(1920.0, 1080.0);
        let spot = WindowRect {
            corner: pos2(1000.0, 790.0),
            size: vec2(838.0, 277.0),
            scale: 1.0,
        };
        settings
            .positions
            .store(screen_geometry::screen_position(spot, &large).unwrap());
        let small = screen(1280.0, 720.0);
        let mut bar = Bar::open(WindowPlacement::new(
            &settings.positions,
            small.clone(),
            spot.size,
            false,
        ));
        assert!(small[0].rect.contains_rect(bar.outer), "{:?}", bar.outer);
        bar.stored_size(&mut settings, Layout::Full);
        let again = WindowPlacement::new(&settings.positions, large, spot.size, false);
        assert_eq!(again.initial_rect, Some(spot));
    }

    #[test]
    fn a_larger_layout_keeps_out_of_other_bars() {
        let size = vec2(838.0, 60.0);
        let mut bar = Bar::open(WindowPlacement::new(
            &ScreenPositions::default(),
            screen(1920.0, 1080.0),
            size,
            false,
        ));
        let other = Rect::from_min_max(pos2(400.0, bar.outer.bottom() + 8.0), pos2(1500.0, 1080.0));
        bar.frame(|placement, ctx| placement.reshape(ctx, vec2(838.0, 277.0), &[other]));
        assert!(
            !bar.outer.intersect(other).is_positive() && bar.outer.height() > 270.0,
            "{:?}",
            bar.outer
        );
    }
}
