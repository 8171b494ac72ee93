//! The background of the graph: the half planes of both sides, the middle line, labels and move numbers.

use super::GraphView;
use super::scale::{GraphMeasure, GraphScale};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use crate::fonts::TextWeight;
use eframe::egui;
use egui::{Align2, Color32, Pos2, Rect, Shape, pos2};
use shogibar_shogi::Color;

/// The font size of the labels, in points.
pub(super) const LABEL_FONT_SIZE: f32 = 11.5;
/// The width of the room for labels of win rates, in points.
const SIDE_LABEL_WIDTH: f32 = 30.0;
/// The height of the room for labels below the curves, in points.
const BOTTOM_LABEL_HEIGHT: f32 = 18.0;
/// The width of the room for labels of evaluations, in points.
const EVALUATION_LABEL_WIDTH: f32 = 40.0;
/// The minimum size of a graph with labels, in points.
const MIN_LABELED_SIZE: egui::Vec2 = egui::vec2(260.0, 90.0);
const TIMES_HEIGHT_FRACTION: f32 = 0.13;
/// The opacity of the half planes, which have the colours of the sides.
const HALF_PLANE_OPACITY: f32 = 0.13;
const WHITE_HALF_PLANE_OPACITY_ON_DARK: f32 = 0.09;
const GRID_OPACITY: f32 = 0.2;
/// The possible steps between move numbers, each with its minimum width in points.
const MOVE_NUMBER_STEPS: [(usize, f32); 9] = [
    (1, 60.0),
    (5, 100.0),
    (10, 30.0),
    (20, 34.0),
    (50, 40.0),
    (100, 40.0),
    (200, 40.0),
    (500, 40.0),
    (2000, 40.0),
];

/// The rectangles of the graph's parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct GraphLayout {
    /// The curves.
    pub(super) plot: Rect,
    /// The columns of times; `None` if there are no times.
    pub(super) times: Option<Rect>,
    /// Whether there is room for labels.
    pub(super) has_labels: bool,
}

impl GraphLayout {
    /// Lays out a graph in a rectangle. A small graph has no labels.
    pub(super) fn new(view: &GraphView<'_>, rect: Rect) -> Self {
        let has_labels = rect.width() >= MIN_LABELED_SIZE.x && rect.height() >= MIN_LABELED_SIZE.y;
        let mut plot = rect;
        if has_labels {
            let (main, other) = GraphMeasure::for_kind(view.kind);
            let left = if main == GraphMeasure::WinRate {
                SIDE_LABEL_WIDTH
            } else {
                EVALUATION_LABEL_WIDTH
            };
            let right = if other.is_some() {
                EVALUATION_LABEL_WIDTH
            } else {
                4.0
            };
            let (top, below) = (rect.top() + 6.0, rect.bottom() - BOTTOM_LABEL_HEIGHT);
            plot = Rect::from_min_max(pos2(rect.left() + left, top), pos2(rect.right() - right, below));
        }
        let mut times = None;
        if view.move_times.iter().flatten().any(|seconds| *seconds > 0) {
            let gap = if has_labels { 6.0 } else { 2.0 };
            let bottom = plot.bottom();
            plot.set_height((plot.height() - gap) / (1.0 + TIMES_HEIGHT_FRACTION));
            times = Some(Rect::from_min_max(
                pos2(plot.left(), plot.bottom() + gap),
                pos2(plot.right(), bottom),
            ));
        }
        Self {
            plot,
            times,
            has_labels,
        }
    }

    /// Returns the rectangle of the curves and the columns of times.
    pub(super) fn plot_and_times(&self) -> Rect {
        self.times.map_or(self.plot, |times| times.union(self.plot))
    }
}

/// Returns the rectangle of the curves within the rectangle of the whole graph.
pub fn plot_rect(view: &GraphView<'_>, rect: Rect) -> Rect {
    GraphLayout::new(view, rect).plot
}

/// Returns the colour of the outline of texts, which keeps them readable over a curve.
pub(super) fn text_outline_color(theme: &PaintTheme) -> Color32 {
    theme.card.to_opaque().gamma_multiply(0.8)
}

/// Returns the colours of the areas of Black and of White.
pub(super) const fn area_colors(theme: &PaintTheme) -> [Color32; 2] {
    [theme.black_area, theme.white_area]
}

/// Draws the half planes, the lines and the labels.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    layout: &GraphLayout,
) {
    let rect = scale.rect;
    draw_half_planes(canvas, theme, scale);
    let (main, other) = GraphMeasure::for_kind(view.kind);
    let is_roomy = rect.height() > 180.0 || (main == GraphMeasure::WinRate && rect.height() > 100.0);
    for (height, text) in main.ticks(is_roomy) {
        let y = scale.y(height);
        if height != 0.0 && height.abs() < 0.99 {
            draw_horizontal_line(canvas, rect, y, theme.tick.gamma_multiply(GRID_OPACITY));
        }
        if layout.has_labels {
            draw_label(
                canvas,
                theme,
                pos2(rect.left() - 7.0, y),
                Align2::RIGHT_CENTER,
                &text,
            );
        }
    }
    let other_ticks = match other {
        Some(other) if layout.has_labels => other.ticks(rect.height() > 180.0),
        _ => Vec::new(),
    };
    for (height, text) in other_ticks {
        draw_label(
            canvas,
            theme,
            pos2(rect.right() + 7.0, scale.y(height)),
            Align2::LEFT_CENTER,
            &text,
        );
    }
    draw_move_numbers(canvas, view, theme, scale, layout);
    draw_horizontal_line(canvas, rect, scale.middle_y(), theme.quiet.gamma_multiply(0.8));
}

/// Fills the half of each side with a tint of the side's colour.
fn draw_half_planes(canvas: &mut ShapeCanvas<'_, '_>, theme: &PaintTheme, scale: &GraphScale) {
    let is_dark = theme.text.intensity() > 0.5;
    let middle = canvas.snap_to_pixels(scale.middle_y());
    let (above, below) = scale.rect.split_top_bottom_at_y(middle);
    for (side, area) in [Color::Black, Color::White].into_iter().zip(area_colors(theme)) {
        let tint = if is_dark && side == Color::White {
            WHITE_HALF_PLANE_OPACITY_ON_DARK
        } else {
            HALF_PLANE_OPACITY
        };
        let half = if scale.is_upper(side) { above } else { below };
        canvas.fill(half, area.to_opaque().gamma_multiply(tint));
    }
}

/// Draws move numbers, as many as fit.
fn draw_move_numbers(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    layout: &GraphLayout,
) {
    let rect = scale.rect;
    let Some((step, _)) = MOVE_NUMBER_STEPS
        .into_iter()
        .find(|(step, min_width)| *step as f32 * scale.ply_width() >= *min_width)
    else {
        return;
    };
    let first = scale.ply_in_view(rect.left()).next_multiple_of(step).max(step);
    for ply in (first..=view.drawn_plies())
        .step_by(step)
        .take_while(|ply| scale.is_in_view(*ply))
    {
        let x = canvas.snap_to_pixels(scale.x(ply));
        canvas.fill(
            Rect::from_min_max(pos2(x, rect.top()), pos2(x, rect.bottom())),
            theme.tick.gamma_multiply(GRID_OPACITY),
        );
        if layout.has_labels {
            let below = layout.plot_and_times().bottom() + BOTTOM_LABEL_HEIGHT * 0.55;
            // The last number must not extend beyond the graph, so it is aligned to the right.
            let is_last = x + 16.0 > rect.right();
            let (at, align) = if is_last {
                (rect.right(), Align2::RIGHT_CENTER)
            } else {
                (x, Align2::CENTER_CENTER)
            };
            draw_label(canvas, theme, pos2(at, below), align, &ply.to_string());
        }
    }
}

/// Draws a line of one pixel across a rectangle.
fn draw_horizontal_line(canvas: &mut ShapeCanvas<'_, '_>, rect: Rect, y: f32, color: Color32) {
    let y = canvas.snap_to_pixels(y);
    canvas.fill(
        Rect::from_min_max(pos2(rect.left(), y), pos2(rect.right(), y)),
        color,
    );
}

fn draw_label(canvas: &mut ShapeCanvas<'_, '_>, theme: &PaintTheme, at: Pos2, align: Align2, text: &str) {
    let galley = canvas.fonts.layout_no_wrap(
        text.to_owned(),
        TextWeight::Regular.at(LABEL_FONT_SIZE),
        theme.quiet,
    );
    let rect = align.anchor_size(at, galley.mesh_bounds.size());
    let at = rect.min - galley.mesh_bounds.min;
    canvas
        .shapes
        .push(Shape::galley(at.to_pos2(), galley, theme.quiet));
}
