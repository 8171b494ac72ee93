//! The zoom of the main window. egui's zoom applies to all windows: the bars would scale with it.
//!
//! Input and content of the window are in zoomed points. The commands for the window, and its position, stay in the
//! points of the system.

use eframe::egui;
use egui::{Context, Event, FullOutput, Id, MouseWheelUnit, Plugin, RawInput, Vec2, ViewportId};
use shogibar_config::WindowZoom as Zoom;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

/// The minimum size at which a page is shown whole, in points. A smaller window is not zoomed in.
const MIN_WHOLE_PAGE_SIZE: Vec2 = Vec2::new(880.0, 560.0);

/// The zoom that the user wants, in percent.
#[derive(Clone, Debug)]
pub(super) struct WantedZoom(Arc<AtomicU8>);

impl Default for WantedZoom {
    fn default() -> Self {
        Self(Arc::new(AtomicU8::new(100)))
    }
}

impl WantedZoom {
    /// Sets the zoom of the next frames. Returns whether it has changed.
    pub(super) fn set(&self, zoom: Zoom) -> bool {
        self.0.swap(zoom.0, Ordering::Relaxed) != zoom.0
    }

    /// Returns the zoom as a factor; 1 for 100 percent.
    fn factor(&self) -> f32 {
        f32::from(self.0.load(Ordering::Relaxed)) / 100.0
    }
}

/// The plugin of egui that zooms the main window only.
pub(super) struct ZoomPlugin {
    wanted_zoom: WantedZoom,
    /// The zoom of this pass; `None` in other windows, and without a zoom.
    factor: Option<f32>,
}

impl ZoomPlugin {
    pub(super) const fn new(wanted: WantedZoom) -> Self {
        Self {
            wanted_zoom: wanted,
            factor: None,
        }
    }
}

pub(super) fn main_window_zoom(ctx: &Context) -> f32 {
    ctx.data(|data| data.get_temp(zoom_id())).unwrap_or(1.0)
}

impl Plugin for ZoomPlugin {
    fn debug_name(&self) -> &'static str {
        "page zoom"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        self.factor = None;
        if input.viewport_id != ViewportId::ROOT {
            return;
        }
        let size = input.screen_rect.map_or(Vec2::ZERO, |rect| rect.size());
        let factor = effective_zoom(self.wanted_zoom.factor(), size);
        ctx.data_mut(|data| data.insert_temp(zoom_id(), factor));
        self.factor = Some(factor).filter(|factor| (factor - 1.0).abs() > f32::EPSILON);
        if let Some(factor) = self.factor {
            zoom_input(input, factor);
        }
    }

    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        if let (Some(factor), Some(ime)) = (self.factor, &mut output.platform_output.ime) {
            for rect in [&mut ime.rect, &mut ime.cursor_rect] {
                *rect = *rect * factor;
            }
        }
    }
}

/// Returns the zoom factor in a window of this size: the wanted factor, but above 1 only as far as the page is still
/// shown whole.
fn effective_zoom(wanted: f32, window: Vec2) -> f32 {
    let room = (window / MIN_WHOLE_PAGE_SIZE).min_elem();
    if room > 0.0 {
        wanted.min(room.max(1.0))
    } else {
        wanted
    }
}

/// Converts the input of the main window from points of the system to zoomed points.
fn zoom_input(input: &mut RawInput, factor: f32) {
    input.screen_rect = input.screen_rect.map(|rect| rect / factor);
    if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
        viewport.native_pixels_per_point = viewport.native_pixels_per_point.map(|scale| scale * factor);
    }
    for event in &mut input.events {
        match event {
            Event::PointerMoved(pos) | Event::PointerButton { pos, .. } | Event::Touch { pos, .. } => {
                *pos = *pos / factor;
            }
            Event::MouseWheel {
                unit: MouseWheelUnit::Point,
                delta,
                ..
            } => *delta /= factor,
            _ => {}
        }
    }
}

fn zoom_id() -> Id {
    Id::unique("page zoom")
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Rect, pos2, vec2};
    use shogibar_config::Percent;

    #[test]
    fn a_zoom_never_cuts_the_page() {
        let check = |percent: u8, size, expect: f32| {
            let wanted = WantedZoom::default();
            wanted.set(Percent(percent));
            let found = effective_zoom(wanted.factor(), size);
            assert!((found - expect).abs() < 0.001, "{percent} {size}: {found}");
        };
        check(80, vec2(880.0, 600.0), 0.8);
        check(100, vec2(400.0, 300.0), 1.0);
        check(200, MIN_WHOLE_PAGE_SIZE, 1.0);
        check(200, MIN_WHOLE_PAGE_SIZE * 1.5, 1.5);
        check(200, vec2(3840.0, 2000.0), 2.0);
    }

    #[test]
    fn the_main_window_is_in_zoomed_points_and_no_other() {
        let (ctx, wanted) = (Context::default(), WantedZoom::default());
        ctx.add_plugin(ZoomPlugin::new(wanted.clone()));
        wanted.set(Percent(200));
        let run = |viewport_id| {
            let size = vec2(2600.0, 1800.0);
            let mut input = RawInput {
                viewport_id,
                ..RawInput::default()
            };
            input.screen_rect = Some(Rect::from_min_size(egui::Pos2::ZERO, size));
            input
                .viewports
                .entry(viewport_id)
                .or_default()
                .native_pixels_per_point = Some(1.0);
            input.events.push(Event::PointerMoved(pos2(100.0, 60.0)));
            let mut found = Vec::new();
            let mut output = ctx.run_ui(input, |ui| {
                let at = ui.input(|input| input.pointer.latest_pos());
                found.push((ui.ctx().content_rect().width(), ui.ctx().pixels_per_point(), at));
            });
            output.textures_delta.clear();
            (found.pop().unwrap(), output.pixels_per_point)
        };
        assert_eq!(
            run(ViewportId::ROOT),
            ((1300.0, 2.0, Some(pos2(50.0, 30.0))), 2.0)
        );
        assert_eq!(
            run(ViewportId::from_hash_of("bar")),
            ((2600.0, 1.0, Some(pos2(100.0, 60.0))), 1.0)
        );
    }
}
