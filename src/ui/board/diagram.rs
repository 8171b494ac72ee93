//! A small board without the pieces in hand.

use super::layout::{BoardPlan, size_for_width};
use super::{BoardView, draw};
use crate::PaintTheme;
use eframe::egui;
use egui::{Rect, Ui, Vec2};

/// Draws a board without its hands, as large as fits a rectangle, in the middle of the rectangle. Returns the rectangle
/// of the board.
pub fn draw_diagram(ui: &Ui, rect: Rect, view: &BoardView<'_>, theme: &PaintTheme) -> Rect {
    let all = rect_with_hands(view, rect);
    let board = BoardPlan::new(view, all, ui.pixels_per_point()).board;
    let shapes = ui.fonts_mut(|fonts| draw(fonts, view, theme, all));
    // The hands are above and below the board, so this rectangle cuts them off.
    ui.painter()
        .with_clip_rect(board.intersect(ui.clip_rect()))
        .extend(shapes);
    board
}

/// Returns the rectangle for the board and its hands, such that the board alone fits `rect`.
fn rect_with_hands(view: &BoardView<'_>, rect: Rect) -> Rect {
    let size = size_for_width(view, rect.width());
    let board = BoardPlan::new(view, Rect::from_center_size(rect.center(), size), 1.0)
        .board
        .size();
    let part = (rect.height() / board.y.max(1.0)).min(1.0);
    Rect::from_center_size(rect.center(), Vec2::new(size.x * part, size.y * part))
}
