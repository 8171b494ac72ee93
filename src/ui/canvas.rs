//! Drawing of shapes and centred characters, shared by boards, graphs, reports and pictures of win-rate curves.

use crate::text_runs;
use eframe::egui;
use egui::epaint::text::{FontsView, LayoutJob};
use egui::epaint::{PathShape, RectShape, TextShape};
use egui::{Color32, CornerRadius, FontId, Galley, Pos2, Rect, Shape, Stroke, Vec2, vec2};
use std::f32::consts::{FRAC_1_SQRT_2, PI};
use std::sync::Arc;

/// A list of shapes with methods that add shapes, and the fonts for texts.
pub(crate) struct ShapeCanvas<'a, 'f> {
    pub fonts: &'a mut FontsView<'f>,
    pub shapes: Vec<Shape>,
    pub pixels_per_point: f32,
}

impl<'a, 'f> ShapeCanvas<'a, 'f> {
    /// Creates an empty list of shapes.
    pub(crate) fn new(fonts: &'a mut FontsView<'f>) -> Self {
        // The fonts do not give their scale, but a laid out text does.
        let pixels_per_point = fonts.layout_job(LayoutJob::default()).pixels_per_point;
        Self {
            fonts,
            shapes: Vec::with_capacity(256),
            pixels_per_point,
        }
    }

    /// Returns a length in points, rounded to whole pixels.
    pub(crate) fn snap_to_pixels(&self, points: f32) -> f32 {
        (points * self.pixels_per_point).round() / self.pixels_per_point
    }

    /// Adds a filled rectangle on whole pixels, at least one pixel thick.
    pub(crate) fn fill(&mut self, rect: Rect, color: Color32) {
        let pixel = 1.0 / self.pixels_per_point;
        let min = egui::pos2(self.snap_to_pixels(rect.left()), self.snap_to_pixels(rect.top()));
        let size = vec2(
            self.snap_to_pixels(rect.width()).max(pixel),
            self.snap_to_pixels(rect.height()).max(pixel),
        );
        self.shapes
            .push(RectShape::filled(Rect::from_min_size(min, size), CornerRadius::ZERO, color).into());
    }

    /// Adds a filled rectangle with rounded corners.
    pub(crate) fn rounded_rect(&mut self, rect: Rect, radius: f32, color: Color32) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        let corners = CornerRadius::same(radius.round() as u8);
        self.shapes.push(RectShape::filled(rect, corners, color).into());
    }

    pub(crate) fn polygon(&mut self, points: Vec<Pos2>, fill: Color32, stroke: Stroke) {
        self.shapes
            .push(PathShape::convex_polygon(points, fill, stroke).into());
    }

    /// Adds a text with its upper left corner at a point, and an outline that separates it from the background.
    pub(crate) fn draw_outlined(&mut self, galley: &Arc<Galley>, at: Pos2, outline_color: Color32) {
        let far = 1.25_f32.max(1.0 / self.pixels_per_point);
        let near = far * FRAC_1_SQRT_2;
        let straight = [vec2(far, 0.0), vec2(0.0, far), vec2(-far, 0.0), vec2(0.0, -far)];
        let slanting = [
            vec2(near, near),
            vec2(-near, near),
            vec2(-near, -near),
            vec2(near, -near),
        ];
        for offset in straight.into_iter().chain(slanting) {
            let copy = TextShape::new(at + offset, Arc::clone(galley), outline_color);
            self.shapes
                .push(copy.with_override_text_color(outline_color).into());
        }
        self.shapes
            .push(Shape::galley(at, Arc::clone(galley), Color32::PLACEHOLDER));
    }

    /// Adds a text centred at a point, rotated by half a turn if `is_rotated`.
    pub(crate) fn draw_text(
        &mut self,
        text: &str,
        center: Pos2,
        font: FontId,
        color: Color32,
        is_rotated: bool,
    ) {
        let size = font.size;
        let galley = self.fonts.layout_no_wrap(text.to_owned(), font, color);
        let middle = vec2(
            galley.rect.width() / 2.0,
            text_runs::ascent(&galley) - size * text_runs::MIDDLE_FRACTION,
        );
        let (at, angle) = if is_rotated {
            (center + middle, PI)
        } else {
            (center - middle, 0.0)
        };
        let shape = TextShape::new(at, galley, Color32::PLACEHOLDER);
        self.shapes.push(
            if is_rotated {
                shape.with_angle(angle)
            } else {
                shape
            }
            .into(),
        );
    }
}

/// Returns a font size, rounded to half points: each font size takes room in the glyph atlas.
pub(crate) fn round_font_size(size: f32) -> f32 {
    ((size * 2.0).round() / 2.0).max(1.0)
}

/// Returns the point at these fractions of a rectangle.
pub(crate) fn point_in(rect: Rect, x: f32, y: f32) -> Pos2 {
    rect.min + Vec2::new(x, y) * rect.size()
}
