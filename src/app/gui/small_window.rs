//! A small window beside the bar, above all others.

use super::placement::WindowPlacement;
use super::screen_geometry::WantedRoom;
use eframe::egui;
use egui::{
    Context, Frame, Key, Margin, Pos2, Rect, Stroke, Ui, Vec2, ViewportBuilder, ViewportId, WindowLevel,
    X11WindowType, pos2,
};
use shogibar_ui::dialog::DialogStatus;

/// The gap between the bar and the small window, in points.
const BAR_GAP: f32 = 6.0;

/// A small separate window with some content.
#[derive(Debug)]
pub(super) struct SmallWindow<C> {
    pub(super) content: C,
    size: Vec2,
    /// The position of the window in points; `None` if windows cannot be placed.
    position: Option<Pos2>,
    /// Whether the window has had the focus, so that it can lose it.
    had_focus: bool,
}

impl<C> SmallWindow<C> {
    /// Opens the window below the bar. Without room there, the window opens where it covers neither the bar nor a
    /// `taken` area of the screen, in pixels.
    pub(super) fn open(
        ctx: &Context,
        placement: &WindowPlacement,
        taken: &[Rect],
        size: Vec2,
        content: C,
    ) -> Self {
        let below = pos2(0.0, ctx.content_rect().height() + BAR_GAP);
        let bar = ctx.input(|input| input.viewport().clone());
        let scale = ctx.pixels_per_point();
        let at_bar = placement.position_for(ctx, below, size).filter(|at| {
            let window = Rect::from_min_size(*at, size);
            !bar.outer_rect.is_some_and(|bar| bar.intersects(window))
                && !taken.iter().any(|rect| (*rect / scale).intersects(window))
        });
        let at = at_bar
            .or_else(|| {
                let room = placement.room_beside(
                    placement.rect_of(&bar)?,
                    taken,
                    WantedRoom::without_frame(size),
                )?;
                Some(room.position())
            })
            .or_else(|| placement.position_for(ctx, below, size));
        Self {
            content,
            size,
            position: at,
            had_focus: false,
        }
    }

    /// Draws one frame. Returns the result of `draw`, or `Closed` when the user closes the window. A window that
    /// `closes_without_focus` also closes once it has lost the focus.
    pub(super) fn show<T>(
        &mut self,
        ctx: &Context,
        name: &str,
        title: &str,
        closes_without_focus: bool,
        draw: impl FnOnce(&mut C, &mut Ui) -> DialogStatus<T>,
    ) -> DialogStatus<T> {
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
        let builder = self
            .position
            .iter()
            .fold(builder, |builder, at| builder.with_position(*at));
        let id = ViewportId::from_hash_of((ctx.viewport_id(), name));
        let mut draw = Some(draw);
        let content = &mut self.content;
        let (done, ends, focused) = ctx.show_viewport_immediate(id, builder, |ui, _| {
            let style = ui.style();
            let frame = Frame::NONE
                .fill(style.visuals.panel_fill)
                .inner_margin(Margin::same(12));
            let frame = frame.stroke(Stroke::new(
                1.0,
                style.visuals.widgets.noninteractive.bg_stroke.color,
            ));
            let done = frame.show(ui, |ui| {
                ui.set_min_size(ui.available_size());
                draw.take().map_or(DialogStatus::Open, |draw| draw(content, ui))
            });
            let (escaped, closed, focused) = ui.input(|input| {
                (
                    input.key_pressed(Key::Escape),
                    input.viewport().close_requested(),
                    input.viewport().focused,
                )
            });
            (done.inner, escaped || closed, focused)
        });
        self.had_focus |= focused == Some(true);
        let is_left = ends || closes_without_focus && self.had_focus && focused == Some(false);
        match done {
            DialogStatus::Open if is_left => DialogStatus::Closed,
            done => done,
        }
    }
}
