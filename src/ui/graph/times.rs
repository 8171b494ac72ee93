//! The time of each move, as columns beneath the curves.

use super::GraphView;
use super::scale::GraphScale;
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use eframe::egui;
use egui::{Color32, Rect, pos2};
use shogibar_shogi::Color;

const COLUMN_OPACITY: f32 = 0.72;

/// Draws the columns into a strip, in the colour of the side that moved.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    strip: Rect,
) {
    let max_time = view
        .move_times
        .iter()
        .flatten()
        .max()
        .copied()
        .unwrap_or_default()
        .max(1);
    let width = (scale.ply_width() * 0.66).clamp(0.8, 9.0);
    let [black, white] =
        [theme.black_area, theme.white_area].map(|area| area.to_opaque().gamma_multiply(COLUMN_OPACITY));
    for (index, time) in view.move_times.iter().take(view.drawn_plies()).enumerate() {
        let Some(seconds) = time.filter(|seconds| *seconds > 0) else {
            continue;
        };
        let x = scale.x(index + 1);
        if x + width < strip.left() || x - width > strip.right() {
            continue;
        }
        // A square root scale: a minute would hide a second, and two hours would hide both.
        let part = (f64::from(seconds) / f64::from(max_time)).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
        let top = strip.bottom() - (strip.height() * part as f32).max(1.0);
        let column = Rect::from_min_max(pos2(x - width / 2.0, top), pos2(x + width / 2.0, strip.bottom()));
        let mover = if index % 2 == 0 {
            view.first_mover
        } else {
            view.first_mover.flip()
        };
        let color: Color32 = if mover == Color::Black { black } else { white };
        canvas
            .shapes
            .push(egui::epaint::RectShape::filled(column.intersect(strip), 0, color).into());
    }
}
