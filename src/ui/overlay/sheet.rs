//! The sheet a layout draws on. It keeps, beside the shapes, where each text was allowed to be and
//! where it came to be, so that a test can measure that nothing overlaps.

use crate::text::Part;
use crate::ui::Theme;
use crate::ui::lettering::{self, Text};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::epaint::{PathShape, RectShape};
use egui::{Align, Color32, CornerRadius, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, pos2, vec2};
use std::sync::Arc;

/// A drawn view.
#[derive(Debug, Default)]
pub struct Picture {
    /// What to paint, in this order.
    pub shapes: Vec<Shape>,
    /// The texts among the shapes.
    pub texts: Vec<Lettering>,
    /// What a screen reader is told.
    pub named: Vec<Named>,
}

/// A text on a picture.
#[derive(Clone, Debug)]
pub struct Lettering {
    /// The whole text, even where only its beginning is shown.
    pub text: String,
    /// Whether only the beginning is shown.
    pub elided: bool,
    /// Where it may be.
    pub bounds: Rect,
    /// Where its letters are.
    pub ink: Rect,
}

/// A part of a picture that has a name.
#[derive(Clone, Debug)]
pub struct Named {
    /// What it is.
    pub part: Part,
    /// What it says.
    pub value: String,
    /// Where it is.
    pub rect: Rect,
}

/// A picture being drawn.
pub(super) struct Sheet<'a, 'f> {
    pub(super) fonts: &'a mut FontsView<'f>,
    pub(super) theme: &'a Theme,
    /// Points of the screen for a point of the layout.
    pub(super) scale: f32,
    pub(super) picture: Picture,
}

impl Sheet<'_, '_> {
    /// The width a text would like to have.
    pub(super) fn width(&mut self, text: Text<'_>) -> f32 {
        text.width(self.fonts, self.scale)
    }

    /// A line of text in `bounds`, in its middle by height, on one baseline with every other text of
    /// the same `base` size there; gives back where it came to be.
    pub(super) fn line(&mut self, text: Text<'_>, base: f32, bounds: Rect, align: Align) -> Rect {
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        if galley.rect.width() > bounds.width() + 0.5 {
            // Not even the ellipsis fits.
            return Rect::from_min_size(bounds.left_center(), vec2(0.0, 0.0));
        }
        let left = align.align_size_within_range(galley.rect.width(), bounds.x_range()).min;
        let baseline = bounds.center().y + lettering::baseline(base, self.scale);
        self.place(&galley, pos2(left, baseline - lettering::ascent(&galley)), bounds)
    }

    /// A text of several lines from the top of `bounds`; gives back where it came to be.
    pub(super) fn block(&mut self, text: Text<'_>, bounds: Rect) -> Rect {
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        self.place(&galley, bounds.left_top(), bounds)
    }

    fn place(&mut self, galley: &Arc<Galley>, at: Pos2, bounds: Rect) -> Rect {
        // As the tessellator will do it.
        let pixels = galley.pixels_per_point;
        let at = (at.to_vec2() * pixels).round() / pixels;
        if galley.mesh_bounds.is_positive() {
            self.picture.texts.push(Lettering {
                text: galley.job.text.clone(),
                elided: galley.elided,
                bounds,
                ink: galley.mesh_bounds.translate(at),
            });
        }
        self.add(Shape::galley(at.to_pos2(), Arc::clone(galley), Color32::PLACEHOLDER));
        galley.rect.translate(at)
    }

    /// Tells a screen reader what stands at a place.
    pub(super) fn name(&mut self, part: Part, value: impl Into<String>, rect: Rect) {
        let value = value.into();
        if !value.is_empty() {
            self.picture.named.push(Named { part, value, rect });
        }
    }

    /// A filled rectangle with round corners.
    pub(super) fn fill(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        self.add(RectShape::filled(rect, corners, color));
    }

    /// The edge of a rectangle with round corners, on its inside.
    pub(super) fn edge(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        let stroke = Stroke::new(self.scale.max(1.0), color);
        self.add(RectShape::stroke(rect, corners, stroke, StrokeKind::Inside));
    }

    /// A shogi piece seen from its player, its outline filled (☗) or not (☖).
    pub(super) fn piece(&mut self, bounds: Rect, filled: bool, color: Color32) {
        let inside = bounds.shrink(0.5 * self.scale);
        let at = |x: f32, y: f32| inside.lerp_inside(vec2(x, y));
        let outline = vec![at(0.5, 0.0), at(0.9, 0.24), at(1.0, 1.0), at(0.0, 1.0), at(0.1, 0.24)];
        let stroke = Stroke::new(1.1 * self.scale, color);
        self.add(if filled {
            PathShape::convex_polygon(outline, color, stroke)
        } else {
            PathShape::closed_line(outline, stroke)
        });
    }

    fn add(&mut self, shape: impl Into<Shape>) {
        self.picture.shapes.push(shape.into());
    }
}
