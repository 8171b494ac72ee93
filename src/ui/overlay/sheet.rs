//! The sheet a layout draws on. It keeps, beside the shapes, where each text was allowed to be and
//! where it came to be, so that a test can measure that nothing overlaps.

use crate::text::Part;
use crate::ui::Theme;
use crate::ui::lettering::{self, Text};
use eframe::egui;
use egui::epaint::text::{FontsView, LayoutJob};
use egui::epaint::{PathShape, RectShape, TextShape};
use egui::{Align, Color32, CornerRadius, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use std::f32::consts::FRAC_1_SQRT_2;
use std::sync::Arc;

/// The width of an edge around letters and pieces, in points at scale 1.
const EDGE: f32 = 1.5;

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
    /// Of several engines the one whose it is, counted from 0.
    pub engine: Option<usize>,
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
    /// Of several engines the one that is being drawn, counted from 0.
    pub(super) engine: Option<usize>,
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
        self.set(text, base, bounds, align, self.theme.text_edge)
    }

    /// The same upon the bar, which needs no edge to stand out from.
    pub(super) fn line_on_bar(&mut self, text: Text<'_>, base: f32, bounds: Rect, align: Align) -> Rect {
        self.set(text, base, bounds, align, Color32::TRANSPARENT)
    }

    fn set(&mut self, text: Text<'_>, base: f32, bounds: Rect, align: Align, edge: Color32) -> Rect {
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        if galley.rect.width() > bounds.width() + 0.5 {
            // Not even the ellipsis fits.
            return Rect::from_min_size(bounds.left_center(), vec2(0.0, 0.0));
        }
        let left = align.align_size_within_range(galley.rect.width(), bounds.x_range()).min;
        let baseline = bounds.center().y + lettering::baseline(base, self.scale);
        self.place(&galley, pos2(left, baseline - lettering::ascent(&galley)), bounds, edge)
    }

    /// A text of several lines from the top of `bounds`; gives back where it came to be.
    pub(super) fn block(&mut self, text: Text<'_>, bounds: Rect) -> Rect {
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        self.place(&galley, bounds.left_top(), bounds, self.theme.text_edge)
    }

    fn place(&mut self, galley: &Arc<Galley>, at: Pos2, bounds: Rect, edge: Color32) -> Rect {
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
        if edge != Color32::TRANSPARENT {
            self.edge_letters(galley, at, edge);
        }
        self.add(Shape::galley(at.to_pos2(), Arc::clone(galley), Color32::PLACEHOLDER));
        galley.rect.translate(at)
    }

    /// Lays the letters in the colour of their edge below themselves, once in each direction.
    fn edge_letters(&mut self, galley: &Arc<Galley>, at: Vec2, edge: Color32) {
        let pixels = galley.pixels_per_point;
        // Whole pixels, so that the copies are as sharp as the letters.
        let far = (EDGE * self.scale * pixels).round().max(1.0) / pixels;
        let near = (EDGE * self.scale * pixels * FRAC_1_SQRT_2).round().max(1.0) / pixels;
        let straight = [vec2(far, 0.0), vec2(0.0, far), vec2(-far, 0.0), vec2(0.0, -far)];
        let slanting = [vec2(near, near), vec2(-near, near), vec2(-near, -near), vec2(near, -near)];
        for offset in straight.into_iter().chain(slanting) {
            let letters = TextShape::new((at + offset).to_pos2(), Arc::clone(galley), Color32::PLACEHOLDER);
            self.add(letters.with_override_text_color(edge));
        }
    }

    fn pixels_per_point(&mut self) -> f32 {
        // A text is told what the fonts do not tell us.
        self.fonts.layout_job(LayoutJob::default()).pixels_per_point
    }

    /// Tells a screen reader what stands at a place.
    pub(super) fn name(&mut self, part: Part, value: impl Into<String>, rect: Rect) {
        let value = value.into();
        if !value.is_empty() {
            self.picture.named.push(Named { part, engine: self.engine, value, rect });
        }
    }

    /// A filled rectangle with round corners; one without stands on whole pixels, as thin as it may be, so that
    /// nothing of the ground is mixed into it.
    pub(super) fn fill(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        let is_sharp = corners == CornerRadius::ZERO;
        let rect = if is_sharp { on_whole_pixels(rect, self.pixels_per_point()) } else { rect };
        self.add(RectShape::filled(rect, corners, color));
    }

    /// A radius of the theme, at this scale.
    pub(super) fn radius(&self, points: u8) -> f32 {
        f32::from(points) * self.scale
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
        if self.theme.text_edge != Color32::TRANSPARENT {
            let stroke = Stroke::new((1.1 + 2.0 * EDGE) * self.scale, self.theme.text_edge);
            self.add(PathShape::closed_line(outline.clone(), stroke));
        }
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

fn on_whole_pixels(rect: Rect, pixels_per_point: f32) -> Rect {
    let round = |points: Vec2| (points * pixels_per_point).round();
    let size = round(rect.size()).max(Vec2::splat(1.0));
    Rect::from_min_size((round(rect.min.to_vec2()) / pixels_per_point).to_pos2(), size / pixels_per_point)
}
