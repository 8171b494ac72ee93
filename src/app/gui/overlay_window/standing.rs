//! Where the bar's window stands: where it opens, that it stays on the screen, and that it is remembered.

use crate::app::gui::screens::{self, Screen, Spot};
use crate::config::{Place, Places};
use eframe::egui;
use egui::{Context, Pos2, Rect, Vec2, ViewportBuilder, ViewportCommand};
use std::time::Duration;

/// How long it has to stand still before that is remembered. The pointer is not asked: once the window manager moves
/// the window, nobody is told that the button was let go.
const SETTLED: Duration = Duration::from_millis(300);
/// So many pixels off is where it was to be.
const NEAR: f32 = 1.0;

/// Where the window stands.
#[derive(Debug)]
pub(super) struct Standing {
    screens: Vec<Screen>,
    /// Whether no window can say where it stands here.
    unplaced: bool,
    /// Where it opens; `None` leaves that to the system.
    opens: Option<Spot>,
    /// How large it opens, in points.
    size: Vec2,
    /// Where it is still to be put. How many pixels a point has is not known before it is on a screen.
    put: Option<Pos2>,
    /// Where it was seen last, and since when, in seconds of the window's clock.
    seen: Option<(Spot, f64)>,
    /// What is remembered.
    remembered: Option<Spot>,
}

impl Standing {
    /// Where it stood last, or else where a window of this size is put at first.
    pub(super) fn new(places: &Places, screens: Vec<Screen>, size: Vec2, unplaced: bool) -> Self {
        let opens = screens::restored(places, &screens).or_else(|| screens::usual(size, &screens));
        let size = opens.map_or(size, |spot| spot.size);
        let opens = opens.filter(|_| !unplaced);
        let put = opens.map(|spot| spot.at);
        Self { screens, unplaced, opens, size, put, seen: None, remembered: None }
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
        self.seen = Some((here, since));
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

    /// Where the window stands, to be remembered, if it is not yet.
    pub(super) fn news(&mut self, places: &Places) -> Option<Place> {
        let (here, _) = self.seen.filter(|(here, _)| self.remembered != Some(*here))?;
        self.remembered = Some(here);
        if self.unplaced {
            screens::size(here.size, places, &self.screens)
        } else {
            screens::place(here, &self.screens)
        }
    }

    /// Gives the window another size, and has it stay wholly on its screen.
    pub(super) fn reshape(&self, ctx: &Context, size: Vec2) {
        ctx.send_viewport_cmd(ViewportCommand::InnerSize(size));
        let Some(here) = here(ctx).filter(|_| !self.unplaced) else { return };
        let there = screens::within(Spot { size, ..here }, &self.screens);
        if there.at != here.at {
            ctx.send_viewport_cmd(ViewportCommand::OuterPosition((there.at.to_vec2() / here.scale).to_pos2()));
        }
    }

    /// Where the window is, or at least how large.
    fn here(&self, ctx: &Context) -> Option<Spot> {
        let size_only = || Spot { at: Pos2::ZERO, size: ctx.content_rect().size(), scale: ctx.pixels_per_point() };
        if self.unplaced { Some(size_only()) } else { here(ctx) }
    }
}

/// Where the window is; `None` where it is minimised, or the system does not say.
fn here(ctx: &Context) -> Option<Spot> {
    let (outer, scale) = ctx.input(|input| (input.viewport().outer_rect, input.pixels_per_point()));
    let outer: Rect = outer.filter(Rect::is_positive)?;
    Some(Spot { at: (outer.min.to_vec2() * scale).to_pos2(), size: outer.size(), scale })
}
