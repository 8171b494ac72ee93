//! Where the bar's window stands: where it opens, that it stays on the screen, and that it is remembered.

use crate::app::gui::screens::{self, Screen, WindowRect};
use crate::config::{Layout, ScreenPositions, Settings};
use eframe::egui;
use egui::{Context, Pos2, Rect, Vec2, ViewportBuilder, ViewportCommand, ViewportInfo};
use std::time::Duration;

/// How long it has to stand still before that is remembered. The pointer is not asked: once the window manager moves
/// the window, nobody is told that the button was let go.
const SETTLED: Duration = Duration::from_millis(300);
/// So many pixels off is where it was to be.
const NEAR: f32 = 1.0;
/// For so many seconds after another size was asked for, the window may still be as it was before.
const CHANGING: f64 = 1.5;

/// What a window was sized for: the arrangement, and how many engines.
pub(super) type LayoutKey = (Layout, usize);

/// The window on its way to another arrangement.
#[derive(Clone, Copy, Debug)]
struct PendingMove {
    /// Where the user has it, in pixels: it goes back there when an arrangement comes that has room.
    from: Pos2,
    /// Where it was put, so that it stays on its screen.
    to: Pos2,
    /// When, in seconds of the window's clock.
    when: f64,
    /// How large it is to be, in points.
    size: Vec2,
}

/// Where the window stands.
#[derive(Debug)]
pub(in crate::app::gui) struct WindowPlacement {
    screens: Vec<Screen>,
    /// Whether no window can say where it stands here.
    unplaced: bool,
    /// Whether another bar stood where this one would have: its place is that one's to remember.
    is_guest: bool,
    /// Where it opens; `None` leaves that to the system.
    opens: Option<WindowRect>,
    /// How large it opens, in points.
    size: Vec2,
    /// Where it is still to be put. How many pixels a point has is not known before it is on a screen.
    put: Option<Pos2>,
    /// Where it was seen last, and since when, in seconds of the window's clock.
    seen: Option<(WindowRect, f64)>,
    /// What is remembered.
    remembered: Option<WindowRect>,
    /// When that was looked at last, by the same clock.
    now: f64,
    /// Where the last other arrangement took it.
    moved: Option<PendingMove>,
}

impl WindowPlacement {
    /// A window of this size where it stood last, or else where one is put at first.
    pub(super) fn new(places: &ScreenPositions, screens: Vec<Screen>, size: Vec2, unplaced: bool) -> Self {
        let opens = screens::restored(places, &screens, size).or_else(|| screens::default_rect(size, &screens));
        let size = opens.map_or(size, |spot| spot.size);
        let opens = opens.filter(|_| !unplaced);
        let put = opens.map(|spot| spot.at);
        Self {
            screens,
            unplaced,
            is_guest: false,
            opens,
            size,
            put,
            seen: None,
            remembered: None,
            now: 0.0,
            moved: None,
        }
    }

    /// Has it open so many steps from where it stood last, so that it lies on no other bar. Where it stands is not
    /// remembered then.
    pub(super) fn cascade(&mut self, steps: usize) {
        self.is_guest = steps > 0;
        let Some(spot) = self.opens.filter(|_| steps > 0) else { return };
        let there = screens::cascaded(spot, steps, &self.screens);
        (self.opens, self.put, self.remembered) = (Some(there), Some(there.at), Some(there));
    }

    /// Where a window of such sizes has room beside this one.
    pub(super) fn room_beside(&self, window: &ViewportInfo, best: Vec2, least: Vec2) -> Option<WindowRect> {
        let outer = window.outer_rect.filter(|_| !self.unplaced)?;
        let scale = window.native_pixels_per_point?;
        let bar = WindowRect { at: (outer.min.to_vec2() * scale).to_pos2(), size: outer.size(), scale };
        screens::rect_beside(bar, best, least, &self.screens)
    }

    /// The window as it opens.
    pub(super) fn builder(&self) -> ViewportBuilder {
        let builder = ViewportBuilder::default().with_inner_size(self.size);
        match (self.opens, self.screens.first()) {
            // Right at once where all screens have one scale, and mended by `put` where not.
            (Some(spot), Some(main)) => builder.with_position((spot.at.to_vec2() / main.scale).to_pos2()),
            _ => builder,
        }
    }

    /// Puts the window where it is to open, once it is seen to be elsewhere.
    pub(super) fn put(&mut self, ctx: &Context) {
        let Some(there) = self.put.take() else { return };
        let Some(here) = here(ctx) else {
            self.put = Some(there);
            return;
        };
        if (here.at - there).abs().max_elem() > NEAR {
            ctx.send_viewport_cmd(ViewportCommand::OuterPosition((there.to_vec2() / here.scale).to_pos2()));
        }
    }

    /// Whether the window stands still where that has not been remembered yet.
    pub(super) fn is_news(&mut self, ctx: &Context) -> bool {
        let now = ctx.input(|input| input.time);
        let Some(here) = self.here(ctx) else { return false };
        let since = match self.seen {
            Some((there, since)) if there == here => since,
            _ => now,
        };
        (self.seen, self.now) = (Some((here, since)), now);
        if self.is_changing(here.size, now) {
            ctx.request_repaint_after(SETTLED);
            return false;
        }
        if self.remembered == Some(here) {
            return false;
        }
        let rest = SETTLED.as_secs_f64() - (now - since);
        if rest > 0.0 {
            // Asked for in every frame: a frame in between makes the system forget it.
            ctx.request_repaint_after(Duration::from_secs_f64(rest));
        }
        rest <= 0.0
    }

    /// The screens may be others by now.
    pub(super) fn see(&mut self, screens: Vec<Screen>) {
        if !screens.is_empty() {
            self.screens = screens;
        }
    }

    /// Where the window stands, to be remembered, if it is not yet; and how large it was made for this shape, where
    /// that is not the `usual` size.
    pub(super) fn remember(&mut self, settings: &mut Settings, shape: Option<LayoutKey>, usual: Vec2) {
        let Some((here, _)) = self.seen.filter(|(here, _)| self.remembered != Some(*here)) else { return };
        if self.is_changing(here.size, self.now) {
            return;
        }
        self.remembered = Some(here);
        if let Some(place) = screens::place(here, &self.screens).filter(|_| !self.unplaced && !self.is_guest) {
            settings.places.remember(place);
        }
        if let Some((layout, engines)) = shape {
            let is_usual = (here.size - usual).abs().max_elem() <= NEAR;
            settings.sizes.remember(layout, engines, (!is_usual).then(|| screens::sides(here.size).into()));
        }
    }

    /// Gives the window another size, and has it stay wholly on its screen. Where it was moved for that, it comes
    /// back with an arrangement that has room where the user has it.
    pub(super) fn reshape(&mut self, ctx: &Context, size: Vec2) {
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        let when = ctx.input(|input| input.time);
        let here = self.here(ctx);
        let at = here.map(|here| here.at).unwrap_or_default();
        let is_there = |moved: &PendingMove| when - moved.when < CHANGING || (at - moved.to).abs().max_elem() <= NEAR;
        let from = self.moved.filter(is_there).map_or(at, |moved| moved.from);
        // What is seen now belongs to the arrangement before.
        self.seen = None;
        let mut to = from;
        if let Some(here) = here.filter(|_| !self.unplaced) {
            to = screens::within(WindowRect { at: from, size, ..here }, &self.screens).at;
            if to != here.at || self.moved.is_some_and(|moved| when - moved.when < CHANGING) {
                ctx.send_viewport_cmd(ViewportCommand::OuterPosition((to.to_vec2() / here.scale).to_pos2()));
            }
        }
        self.moved = Some(PendingMove { from, to, when, size });
    }

    /// Where a window of this size, in points, opens at a place of this one, so that it is wholly on the screen: as a
    /// builder takes it. `None` where no window can be put anywhere.
    pub(in crate::app::gui) fn at(&self, ctx: &Context, pos: Pos2, size: Vec2) -> Option<Pos2> {
        let here = here(ctx).filter(|_| !self.unplaced)?;
        let spot = WindowRect { at: here.at + pos.to_vec2() * here.scale, size, ..here };
        Some((screens::within(spot, &self.screens).at.to_vec2() / here.scale).to_pos2())
    }

    /// Whether it has not come to the size yet that was asked for, as far as can be told by now.
    fn is_changing(&self, size: Vec2, now: f64) -> bool {
        let is_far = |moved: &PendingMove| (size - moved.size).abs().max_elem() > NEAR;
        self.moved.is_some_and(|moved| now - moved.when < CHANGING && is_far(&moved))
    }

    /// Where the window is, or at least how large.
    fn here(&self, ctx: &Context) -> Option<WindowRect> {
        let size_only =
            || WindowRect { at: Pos2::ZERO, size: ctx.content_rect().size(), scale: ctx.pixels_per_point() };
        if self.unplaced { Some(size_only()) } else { here(ctx) }
    }
}

/// Where the window is; `None` where it is minimised, or the system does not say.
fn here(ctx: &Context) -> Option<WindowRect> {
    let (outer, scale) = ctx.input(|input| (input.viewport().outer_rect, input.pixels_per_point()));
    let outer: Rect = outer.filter(Rect::is_positive)?;
    Some(WindowRect { at: (outer.min.to_vec2() * scale).to_pos2(), size: outer.size(), scale })
}
