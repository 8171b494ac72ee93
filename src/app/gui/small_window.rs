//! A small window at the bar, above all others.

use super::placement::WindowPlacement;
use crate::ui::dialog::DialogEnd;
use eframe::egui;
use egui::{
    Context, Frame, Key, Margin, Pos2, Stroke, Ui, Vec2, ViewportBuilder, ViewportId, WindowLevel, X11WindowType, pos2,
};

/// The distance from the bar, in points.
const GAP: f32 = 6.0;

/// The window, and what it shows.
#[derive(Debug)]
pub(super) struct SmallWindow<C> {
    pub(super) content: C,
    size: Vec2,
    /// Its position in points; `None` where windows cannot be placed.
    at: Option<Pos2>,
    /// Whether it had the focus: once it has not, the user has gone elsewhere.
    had_focus: bool,
}

impl<C> SmallWindow<C> {
    /// Opens the window below the bar, or above it where there is no room.
    pub(super) fn open(ctx: &Context, placement: &WindowPlacement, size: Vec2, content: C) -> Self {
        let below = pos2(0.0, ctx.content_rect().height() + GAP);
        let above = pos2(0.0, -size.y - GAP);
        let bar = ctx.input(|input| input.viewport().outer_rect);
        let place = |wanted: Pos2| placement.position_for(ctx, wanted, size);
        let is_free = |wanted: Pos2, at: Pos2| bar.is_none_or(|bar| ((bar.min + wanted.to_vec2()) - at).y.abs() < 1.0);
        let at = place(below).filter(|at| is_free(below, *at)).or_else(|| place(above));
        Self { content, size, at, had_focus: false }
    }

    /// Draws one frame. One that `needs_focus` closes once the user has gone elsewhere.
    pub(super) fn show<T>(
        &mut self,
        ctx: &Context,
        (name, title, needs_focus): (&str, &str, bool),
        draw: impl FnOnce(&mut C, &mut Ui) -> DialogEnd<T>,
    ) -> DialogEnd<T> {
        let builder = ViewportBuilder::default()
            .with_title(title)
            .with_app_id("shogibar")
            .with_inner_size(self.size)
            .with_resizable(false)
            .with_decorations(false)
            .with_taskbar(false)
            .with_active(true)
            .with_window_type(X11WindowType::Dialog)
            .with_window_level(WindowLevel::AlwaysOnTop);
        let builder = self.at.iter().fold(builder, |builder, at| builder.with_position(*at));
        let id = ViewportId::from_hash_of((ctx.viewport_id(), name));
        let mut draw = Some(draw);
        let content = &mut self.content;
        let (done, ends, focused) = ctx.show_viewport_immediate(id, builder, |ui, _| {
            let style = ui.style();
            let frame = Frame::NONE.fill(style.visuals.panel_fill).inner_margin(Margin::same(12));
            let frame = frame.stroke(Stroke::new(1.0, style.visuals.widgets.noninteractive.bg_stroke.color));
            let done = frame.show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                draw.take().map_or(DialogEnd::Stays, |draw| draw(content, ui))
            });
            let (escaped, closed, focused) = ui.input(|input| {
                (input.key_pressed(Key::Escape), input.viewport().close_requested(), input.viewport().focused)
            });
            (done.inner, escaped || closed, focused)
        });
        self.had_focus |= focused == Some(true);
        let is_left = ends || needs_focus && self.had_focus && focused == Some(false);
        match done {
            DialogEnd::Stays if is_left => DialogEnd::Closed,
            done => done,
        }
    }
}
