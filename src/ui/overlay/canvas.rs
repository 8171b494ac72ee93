//! The canvas of a layout. It records the bounds and the actual place of each text, so that tests can check that
//! nothing overlaps.

use super::OverlayStyle;
use crate::bar::EngineSignal;
use crate::text::{Lang, PartWord};
use crate::ui::PaintTheme;
use crate::ui::text_runs::{self, READABLE, TextRun, TextRuns};
use eframe::egui;
use egui::epaint::text::{FontsView, LayoutJob};
use egui::epaint::{PathShape, RectShape, TextShape};
use egui::{Align, Color32, CornerRadius, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2};
use std::sync::Arc;

/// The minimum visible width of a text that is cut off, as a multiple of its size.
const LEGIBLE: f32 = 2.5;

/// The width of the outline around letters and pieces, in points at scale 1.
const EDGE: f32 = 1.5;

/// A drawn view.
#[derive(Debug, Default)]
pub struct OverlayPicture {
    /// The shapes, in painting order.
    pub shapes: Vec<Shape>,
    /// The texts among the shapes.
    pub texts: Vec<PlacedText>,
    /// The parts with screen reader names.
    pub named: Vec<NamedPart>,
}

/// A text on a picture.
#[derive(Clone, Debug)]
pub struct PlacedText {
    /// The whole text, even where only its beginning is visible.
    pub text: String,
    /// Whether only the beginning is visible.
    pub elided: bool,
    /// The font size, in points of the screen.
    pub size: f32,
    /// The rectangle it must stay in.
    pub bounds: Rect,
    /// The rectangle of its glyphs.
    pub ink: Rect,
}

/// A part of a picture with a screen reader name.
#[derive(Clone, Debug)]
pub struct NamedPart {
    /// The kind of part.
    pub part: PartWord,
    /// The index of its engine, from 0, where there are several.
    pub engine: Option<usize>,
    /// Its text.
    pub value: String,
    /// Its rectangle.
    pub rect: Rect,
}

/// A picture being drawn.
pub(super) struct OverlayCanvas<'a, 'f> {
    pub(super) fonts: &'a mut FontsView<'f>,
    pub(super) look: &'a OverlayStyle,
    /// Points of the screen per point of the layout.
    pub(super) scale: f32,
    /// The index of the engine being drawn, from 0, where there are several.
    pub(super) engine: Option<usize>,
    pub(super) picture: OverlayPicture,
}

impl<'a, 'f> OverlayCanvas<'a, 'f> {
    /// Creates an empty canvas.
    pub(super) fn new(fonts: &'a mut FontsView<'f>, look: &'a OverlayStyle) -> Self {
        Self { fonts, look, scale: 1.0, engine: None, picture: OverlayPicture::default() }
    }
}

impl<'a> OverlayCanvas<'a, '_> {
    /// Returns the colours.
    pub(super) const fn theme(&self) -> &'a PaintTheme {
        &self.look.theme
    }

    /// Draws the background.
    pub(super) fn ground(&mut self, rect: Rect) {
        let corner = whole(self.radius(self.theme().panel_corner));
        self.fill(rect, CornerRadius::same(corner), self.theme().panel);
    }

    /// Returns the text in a size that is readable at this scale.
    fn readable<'t>(&self, text: TextRuns<'t>) -> TextRuns<'t> {
        TextRuns { size: text.size.max(READABLE / self.scale), ..text }
    }

    /// Returns the width of the text without wrapping.
    pub(super) fn width(&mut self, text: TextRuns<'_>) -> f32 {
        self.readable(text).width(self.fonts, self.scale)
    }

    /// Returns the text as small as needed for this width, but not smaller than readable.
    pub(super) fn shrunk<'t>(&mut self, text: TextRuns<'t>, width: f32) -> TextRuns<'t> {
        self.readable(text).shrink(self.fonts, width, self.scale)
    }

    /// Draws a line of text, vertically centred in `bounds`. Texts with the same `base` size share a baseline. Returns
    /// the rectangle of the text.
    pub(super) fn line(&mut self, text: TextRuns<'_>, base: f32, bounds: Rect, align: Align) -> Rect {
        self.set(text, base, bounds, align, self.theme().text_edge)
    }

    /// Draws a line of text on the bar, where it needs no outline.
    pub(super) fn line_on_bar(&mut self, text: TextRuns<'_>, base: f32, bounds: Rect, align: Align) -> Rect {
        self.set(text, base, bounds, align, Color32::TRANSPARENT)
    }

    fn set(&mut self, text: TextRuns<'_>, base: f32, bounds: Rect, align: Align, edge: Color32) -> Rect {
        let text = self.readable(text);
        let galley = text.fit(self.fonts, bounds.width(), self.scale);
        let too_little = galley.elided && galley.rect.width() < LEGIBLE * text.size * self.scale;
        if too_little || galley.rect.width() > bounds.width() + 0.5 {
            // Not even the ellipsis fits, or almost nothing before it.
            return Rect::from_min_size(bounds.left_center(), vec2(0.0, 0.0));
        }
        let left = align.align_size_within_range(galley.rect.width(), bounds.x_range()).min;
        let base = base.max(READABLE / self.scale);
        let baseline = bounds.center().y + text_runs::baseline(base, self.scale);
        self.place(&galley, pos2(left, baseline - text_runs::ascent(&galley)), bounds, edge)
    }

    /// Draws a text of several lines from the top of `bounds`. Returns the rectangle of the text.
    pub(super) fn block(&mut self, text: TextRuns<'_>, bounds: Rect) -> Rect {
        let galley = self.readable(text).fit(self.fonts, bounds.width(), self.scale);
        self.place(&galley, bounds.left_top(), bounds, self.theme().text_edge)
    }

    /// Draws a text centred in an upright box: stacked letters in Japanese, otherwise rotated by a quarter turn. Draws
    /// nothing where it does not fit. Returns whether it did.
    pub(super) fn upright(&mut self, run: TextRun<'_>, size: f32, bounds: Rect) -> bool {
        let size = size.max(READABLE / self.scale);
        match self.look.lang {
            Lang::Ja => self.stacked(run, size, bounds),
            Lang::En => self.turned(run, size, bounds),
        }
    }

    fn stacked(&mut self, run: TextRun<'_>, size: f32, bounds: Rect) -> bool {
        let em = size * self.scale;
        let step = |c: char| if c.is_whitespace() { em * 0.5 } else { em * 1.1 };
        let letters: Vec<char> = run.text.chars().take(text_runs::LONGEST).collect();
        let height: f32 = letters.iter().copied().map(step).sum();
        if letters.is_empty() || height > bounds.height() || em > bounds.width() {
            return false;
        }
        let mut top = bounds.center().y - height / 2.0;
        for letter in letters {
            let below = top + step(letter);
            let text = letter.to_string();
            let bounds = bounds.with_min_y(top).with_max_y(below);
            self.line_on_bar(TextRuns::line(&[TextRun { text: &text, ..run }], size), size, bounds, Align::Center);
            top = below;
        }
        true
    }

    fn turned(&mut self, run: TextRun<'_>, size: f32, bounds: Rect) -> bool {
        let galley = TextRuns::line(&[run], size).fit(self.fonts, bounds.height(), self.scale);
        let along = galley.rect.width();
        if run.text.is_empty() || galley.elided || galley.rect.height() * 0.8 > bounds.width() {
            return false;
        }
        // The text is read from the bottom: its baseline is on the right.
        let middle = text_runs::ascent(&galley) - text_runs::baseline(size, self.scale);
        let at = pos2(bounds.center().x - middle, bounds.center().y + along / 2.0);
        let turn = |rect: Rect| {
            Rect::from_min_max(
                pos2(at.x + rect.top(), at.y - rect.right()),
                pos2(at.x + rect.bottom(), at.y - rect.left()),
            )
        };
        self.picture.texts.push(PlacedText {
            text: galley.job.text.clone(),
            elided: galley.elided,
            size: size_of(&galley),
            bounds,
            ink: turn(galley.mesh_bounds),
        });
        let letters = TextShape::new(at, galley, Color32::PLACEHOLDER);
        self.add(letters.with_angle(-FRAC_PI_2));
        true
    }

    fn place(&mut self, galley: &Arc<Galley>, at: Pos2, bounds: Rect, edge: Color32) -> Rect {
        // The tessellator rounds in the same way.
        let pixels = galley.pixels_per_point;
        let at = (at.to_vec2() * pixels).round() / pixels;
        if galley.mesh_bounds.is_positive() {
            self.picture.texts.push(PlacedText {
                text: galley.job.text.clone(),
                elided: galley.elided,
                size: size_of(galley),
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

    /// Draws an outline: copies of the letters in the outline colour below them, offset in each direction.
    fn edge_letters(&mut self, galley: &Arc<Galley>, at: Vec2, edge: Color32) {
        let pixels = galley.pixels_per_point;
        // Whole pixels keep the copies as sharp as the letters.
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
        // The fonts do not give their scale; a laid out text does.
        self.fonts.layout_job(LayoutJob::default()).pixels_per_point
    }

    /// Adds a screen reader name for a rectangle.
    pub(super) fn name(&mut self, part: PartWord, value: impl Into<String>, rect: Rect) {
        let value = value.into();
        if !value.is_empty() {
            self.picture.named.push(NamedPart { part, engine: self.engine, value, rect });
        }
    }

    /// Adds a filled rectangle with rounded corners. One with sharp corners is placed on whole pixels, at least one
    /// thick, so that its edges do not blend with the background.
    pub(super) fn fill(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        let is_sharp = corners == CornerRadius::ZERO;
        let rect = if is_sharp { on_whole_pixels(rect, self.pixels_per_point()) } else { rect };
        self.add(RectShape::filled(rect, corners, color));
    }

    /// Draws a line under a name, with an outline if letters have one.
    pub(super) fn underline(&mut self, line: Rect) {
        let theme = self.theme();
        if theme.text_edge != Color32::TRANSPARENT {
            self.fill(line.expand(EDGE * self.scale), CornerRadius::ZERO, theme.text_edge);
        }
        self.fill(line, CornerRadius::ZERO, theme.accent);
    }

    /// Returns a radius of the theme at this scale.
    pub(super) fn radius(&self, points: u8) -> f32 {
        f32::from(points) * self.scale
    }

    /// Draws the outline of a rectangle with rounded corners, on its inside.
    pub(super) fn edge(&mut self, rect: Rect, corners: CornerRadius, color: Color32) {
        let stroke = Stroke::new(self.scale.max(1.0), color);
        self.add(RectShape::stroke(rect, corners, stroke, StrokeKind::Inside));
    }

    /// Draws an engine's signal. Shapes differ as well as colours: a disc, a ring, two bars or a cross.
    pub(super) fn signal(&mut self, signal: EngineSignal, square: Rect) {
        let theme = self.theme();
        let (center, radius) = (square.center(), square.width() / 2.0);
        let line =
            Stroke::new(square.width() * 0.2, if signal == EngineSignal::Lost { theme.accent } else { theme.quiet });
        if theme.text_edge != Color32::TRANSPARENT {
            self.add(Shape::circle_filled(center, radius + EDGE * self.scale, theme.text_edge));
        }
        match signal {
            EngineSignal::Live => self.add(Shape::circle_filled(center, radius, theme.accent)),
            EngineSignal::Waiting => self.add(Shape::circle_stroke(center, radius - line.width / 2.0, line)),
            EngineSignal::Paused => {
                let pause = square.shrink2(vec2(line.width / 2.0, 0.0));
                let width = square.width() * 0.3;
                self.fill(pause.with_max_x(pause.left() + width), CornerRadius::ZERO, line.color);
                self.fill(pause.with_min_x(pause.right() - width), CornerRadius::ZERO, line.color);
            }
            EngineSignal::Lost => {
                let cross = square.shrink(line.width / 2.0);
                self.add(Shape::line_segment([cross.left_top(), cross.right_bottom()], line));
                self.add(Shape::line_segment([cross.right_top(), cross.left_bottom()], line));
            }
        }
    }

    /// Draws an upright shogi piece, filled (☗) or as an outline (☖).
    pub(super) fn piece(&mut self, bounds: Rect, filled: bool, color: Color32) {
        let inside = bounds.shrink(0.5 * self.scale);
        let at = |x: f32, y: f32| inside.lerp_inside(vec2(x, y));
        let outline = vec![at(0.5, 0.0), at(0.9, 0.24), at(1.0, 1.0), at(0.0, 1.0), at(0.1, 0.24)];
        if self.theme().text_edge != Color32::TRANSPARENT {
            let stroke = Stroke::new((1.1 + 2.0 * EDGE) * self.scale, self.theme().text_edge);
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

/// Returns the font size of a text in points of the screen; 0 for an empty text.
fn size_of(galley: &Galley) -> f32 {
    galley.job.sections.first().map_or(0.0, |section| section.format.font_id.size)
}

/// Converts a radius to egui's type.
pub(super) fn whole(radius: f32) -> u8 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what fits")]
    let radius = radius.round().clamp(0.0, 255.0) as u8;
    radius
}
