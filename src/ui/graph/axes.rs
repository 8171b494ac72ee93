//! The axes of the graph: background, middle line, labels and move numbers.

use super::GraphView;
use super::scale::{GraphMeasure, GraphScale};
use crate::ui::PaintTheme;
use crate::ui::canvas::ShapeCanvas;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{Align2, Color32, Pos2, Rect, Shape, Stroke, pos2};

/// The font size of labels, in points.
pub(super) const FIGURES: f32 = 11.0;
/// The room for labels on either side and below, in points.
const BESIDE: f32 = 38.0;
const BELOW: f32 = 17.0;
/// The smallest graph with labels, in points.
const LEAST: egui::Vec2 = egui::vec2(260.0, 90.0);
/// The possible steps between move numbers.
const STEPS: [usize; 10] = [5, 10, 20, 25, 50, 100, 200, 500, 1000, 5000];

/// Returns the rectangle of the curves within the whole graph.
pub(crate) fn inside(view: &GraphView<'_>, rect: Rect) -> Rect {
    if rect.width() < LEAST.x || rect.height() < LEAST.y {
        return rect;
    }
    let right = if GraphMeasure::for_kind(view.kind).1.is_some() { BESIDE } else { 8.0 };
    Rect::from_min_max(pos2(rect.left() + BESIDE, rect.top() + 6.0), pos2(rect.right() - right, rect.bottom() - BELOW))
}

/// Returns the background of the curves: dark enough for White's side, and light enough for Black's.
pub(super) fn ground(theme: &PaintTheme) -> Color32 {
    if is_dark(theme) { theme.rail.lerp_to_gamma(theme.text, 0.16) } else { theme.rail }
}

/// Returns whether the theme is light on dark.
pub(super) fn is_dark(theme: &PaintTheme) -> bool {
    theme.text.intensity() > 0.5
}

/// Returns a blue that contrasts with the background.
pub(super) fn blue(theme: &PaintTheme) -> Color32 {
    theme.arrow.to_opaque().lerp_to_gamma(theme.text, if is_dark(theme) { 0.35 } else { 0.0 })
}

/// Draws the background and the labels.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    has_figures: bool,
) {
    let rect = scale.rect;
    canvas.rounded_rect(rect, 3.0, ground(theme));
    let line = theme.tick.gamma_multiply(0.3);
    let (main, other) = GraphMeasure::for_kind(view.kind);
    let is_roomy = rect.height() > 180.0 || (main == GraphMeasure::WinRate && rect.height() > 100.0);
    for (height, text) in main.ticks(is_roomy) {
        let y = scale.y(height);
        if height != 0.0 && height.abs() < 0.99 {
            level(canvas, rect, y, line);
        }
        if has_figures {
            write(canvas, theme, (pos2(rect.left() - 6.0, y), Align2::RIGHT_CENTER), &text);
        }
    }
    for (height, text) in
        other.filter(|_| has_figures).map(|other| other.ticks(rect.height() > 180.0)).unwrap_or_default()
    {
        write(canvas, theme, (pos2(rect.right() + 6.0, scale.y(height)), Align2::LEFT_CENTER), &text);
    }
    numbers(canvas, view, theme, scale, has_figures);
    let middle = canvas.snap_to_pixels(scale.middle()) + 0.5 / canvas.pixels_per_point;
    let dashes = Shape::dashed_line(
        &[pos2(rect.left(), middle), pos2(rect.right(), middle)],
        Stroke::new(1.0, theme.tick),
        4.0,
        3.0,
    );
    canvas.shapes.extend(dashes);
}

/// Draws the numbers of some moves, as many as fit.
fn numbers(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    has_figures: bool,
) {
    let per_ply = scale.rect.width() / view.plies.max(1) as f32;
    let Some(step) = STEPS.into_iter().find(|step| *step as f32 * per_ply >= 48.0) else { return };
    for ply in (step..=view.plies).step_by(step) {
        let x = canvas.snap_to_pixels(scale.x(ply));
        let line = Rect::from_min_max(pos2(x, scale.rect.top()), pos2(x, scale.rect.bottom()));
        canvas.fill(line, theme.tick.gamma_multiply(0.16));
        if has_figures {
            let below = scale.rect.bottom() + BELOW * 0.55;
            // The last number must not extend beyond the graph.
            let is_last = x + 16.0 > scale.rect.right();
            let (at, align) =
                if is_last { (scale.rect.right(), Align2::RIGHT_CENTER) } else { (x, Align2::CENTER_CENTER) };
            write(canvas, theme, (pos2(at, below), align), &ply.to_string());
        }
    }
}

fn level(canvas: &mut ShapeCanvas<'_, '_>, rect: Rect, y: f32, color: Color32) {
    let y = canvas.snap_to_pixels(y);
    canvas.fill(Rect::from_min_max(pos2(rect.left(), y), pos2(rect.right(), y)), color);
}

fn write(canvas: &mut ShapeCanvas<'_, '_>, theme: &PaintTheme, (at, align): (Pos2, Align2), text: &str) {
    let galley = canvas.fonts.layout_no_wrap(text.to_owned(), TextWeight::Regular.at(FIGURES), theme.quiet);
    let rect = align.anchor_size(at, galley.mesh_bounds.size());
    let at = rect.min - galley.mesh_bounds.min;
    canvas.shapes.push(Shape::galley(at.to_pos2(), galley, theme.quiet));
}
