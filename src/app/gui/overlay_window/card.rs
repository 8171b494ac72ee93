//! The card of a turning point, in a window of its own beside a bar that has no room for it.

use super::OverlayWindow;
use eframe::egui;
use egui::{Context, Pos2, Rect, Vec2, ViewportBuilder, ViewportId, WindowLevel, X11WindowType};
use shogibar_base::threads::lock;
use shogibar_ui::PartWord;
use shogibar_ui::overlay::{self, OverlayStyle};

/// The place of the card's window.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardPosition {
    /// The left upper corner, in points.
    corner: Pos2,
    size: Vec2,
}

impl OverlayWindow {
    /// Returns the place of a card beside the bar; `None` without a card, or if windows cannot be placed.
    pub(super) fn card_position(&self, ctx: &Context, style: &OverlayStyle) -> Option<CardPosition> {
        let bar = Rect::from_min_size(Pos2::ZERO, ctx.content_rect().size());
        let size = {
            let mut viewer = lock(&self.setup.viewer);
            overlay::card_size_beside(viewer.bar_view(self.setup.bar), style, bar.size())?
        };
        // A place beyond the edge of the screen is moved over the bar, and the other side is then taken.
        let sides = overlay::card_rects_beside(bar, size);
        let corners = sides
            .into_iter()
            .filter_map(|side| self.placement.position_for(ctx, side.min, size));
        let here = self.placement.position_for(ctx, Pos2::ZERO, bar.size())?;
        let here = Rect::from_min_size(here, bar.size());
        let mut free = corners.filter(|corner| !Rect::from_min_size(*corner, size).intersects(here));
        free.next().map(|corner| CardPosition { corner, size })
    }

    /// Shows the card that the bar has left to the window.
    pub(super) fn show_card(&self, ctx: &Context, style: &OverlayStyle, position: Option<CardPosition>) {
        let (Some(CardPosition { corner, size }), Some(number)) = (position, self.overlay.card_beside())
        else {
            return;
        };
        let level = if self.is_on_top() {
            WindowLevel::AlwaysOnTop
        } else {
            WindowLevel::Normal
        };
        let builder = ViewportBuilder::default()
            .with_title(format!(
                "{} {}",
                self.title(),
                PartWord::TurningCard.text(style.lang)
            ))
            .with_app_id("shogibar")
            .with_inner_size(size)
            .with_position(corner)
            .with_resizable(false)
            .with_decorations(false)
            .with_has_shadow(false)
            .with_taskbar(false)
            .with_active(false)
            .with_transparent(true)
            .with_window_type(X11WindowType::Notification)
            // Windows does not show a window that is created with this and a position.
            .with_mouse_passthrough(cfg!(not(windows)))
            .with_window_level(level);
        // The window of the card before may still be closing.
        let id = ViewportId::from_hash_of((ctx.viewport_id(), "turning-card", number));
        ctx.show_viewport_immediate(id, builder, |ui, _| self.overlay.show_card_beside(ui, style));
    }
}
