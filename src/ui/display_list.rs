//! Shapes as a list of SVG elements. An OBS page draws the elements, so that the page has the same picture as a window.

use super::fonts;
use eframe::egui;
use egui::emath::Rot2;
use egui::epaint::text::LayoutSection;
use egui::epaint::{ColorMode, Mesh, PathShape, RectShape, TextShape, Vertex};
use egui::{Color32, Galley, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2};
use serde::Serialize;
use shogibar_config::DigitFont;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The maximum difference of a colour channel from the gradient, of 255.
const MAX_GRADIENT_DIFFERENCE: u8 = 4;

/// Shapes as SVG elements, in painting order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DisplayList {
    /// The elements, in painting order.
    pub items: Vec<DisplayItem>,
    /// The outline of the next text: the colour, and the position of the first copy that makes the outline. `None` for
    /// a text without an outline.
    #[serde(skip)]
    text_outline: Option<(Color32, Pos2)>,
    #[serde(skip)]
    fonts: ObsPageFonts,
}

/// The fonts of an OBS page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ObsPageFonts {
    /// The fonts of the layout, with this typeface for the digits of win rates. Each text has exactly the width of the
    /// layout.
    Same(DigitFont),
    /// Unknown fonts. A text has its natural width, and its middle is where the layout has it. The page sets
    /// `text-anchor` to `middle`.
    #[default]
    Unknown,
}

/// An SVG element: its name, its attributes and its text. The text of a `linearGradient` is its two colours.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DisplayItem(pub &'static str, pub BTreeMap<&'static str, String>, pub String);

impl DisplayList {
    /// Creates the list of shapes, for an OBS page with these fonts. Ellipses, Bézier curves and callbacks are left
    /// out.
    pub fn from_shapes<'s>(shapes: impl IntoIterator<Item = &'s Shape>, fonts: ObsPageFonts) -> Self {
        let mut list = Self {
            fonts,
            ..Self::default()
        };
        shapes.into_iter().for_each(|shape| list.add_shape(shape));
        list
    }

    fn add_shape(&mut self, shape: &Shape) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.add_shape(shape)),
            Shape::Rect(rect) => self.add_rect(rect),
            Shape::Circle(circle) => {
                let [x, y] = [circle.center.x, circle.center.y].map(format_number);
                let geometry = [("cx", x), ("cy", y), ("r", format_number(circle.radius))];
                self.add_painted("circle", geometry, circle.fill, circle.stroke);
            }
            Shape::LineSegment { points, stroke } => {
                self.add_painted(
                    "path",
                    [("d", path_data(points, false))],
                    Color32::TRANSPARENT,
                    *stroke,
                );
            }
            Shape::Path(shape) => {
                self.add_painted(
                    "path",
                    [("d", path_data(&shape.points, shape.closed))],
                    shape.fill,
                    path_stroke(shape),
                );
            }
            Shape::Mesh(mesh) => self.add_mesh(mesh),
            Shape::Text(text) => self.add_text(text),
            _ => {}
        }
    }

    /// Adds an element with a fill and a stroke. Adds nothing if both are invisible.
    fn add_painted<const N: usize>(
        &mut self,
        name: &'static str,
        geometry: [(&'static str, String); N],
        fill: Color32,
        stroke: Stroke,
    ) {
        let has_stroke = stroke.width > 0.0 && stroke.color != Color32::TRANSPARENT;
        if fill == Color32::TRANSPARENT && !has_stroke {
            return;
        }
        let mut attributes = BTreeMap::from(geometry);
        attributes.insert("fill", css_color(fill));
        if has_stroke {
            attributes.extend([
                ("stroke", css_color(stroke.color)),
                ("stroke-width", format_number(stroke.width)),
            ]);
        }
        self.items.push(DisplayItem(name, attributes, String::new()));
    }

    /// Adds a rectangle. The stroke of SVG is centred on the outline, while that of egui may be inside or outside.
    fn add_rect(&mut self, shape: &RectShape) {
        let geometry = |rect: Rect, radius: f32| {
            let radius = radius.clamp(0.0, rect.size().min_elem().max(0.0) / 2.0);
            let [x, y, width, height] =
                [rect.left(), rect.top(), rect.width(), rect.height()].map(format_number);
            [
                ("x", x),
                ("y", y),
                ("width", width),
                ("height", height),
                ("rx", format_number(radius)),
            ]
        };
        let radius = f32::from(shape.corner_radius.nw);
        self.add_painted("rect", geometry(shape.rect, radius), shape.fill, Stroke::NONE);
        let outward = match shape.stroke_kind {
            StrokeKind::Inside => -shape.stroke.width / 2.0,
            StrokeKind::Middle => 0.0,
            StrokeKind::Outside => shape.stroke.width / 2.0,
        };
        let radius = if radius > 0.0 { radius + outward } else { 0.0 };
        self.add_painted(
            "rect",
            geometry(shape.rect.expand(outward), radius),
            Color32::TRANSPARENT,
            shape.stroke,
        );
    }

    /// Adds triangles: with a gradient if the colour depends on one coordinate only, else with one path per colour. As
    /// in a window, the edges are not smoothed, so that there are no gaps between triangles.
    fn add_mesh(&mut self, mesh: &Mesh) {
        // The paths are in the order of their first triangles: the order must be equal in each theme.
        let mut paths = Vec::<(String, String)>::new();
        let gradient = self.add_gradient(mesh);
        for corners in mesh.indices.chunks_exact(3) {
            let corners: Vec<_> = corners
                .iter()
                .filter_map(|index| mesh.vertices.get(usize::try_from(*index).ok()?))
                .collect();
            let Some(first) = corners.first() else { continue };
            let points: Vec<_> = corners.iter().map(|corner| corner.pos).collect();
            let fill = gradient.clone().unwrap_or_else(|| css_color(first.color));
            let d = path_data(&points, true);
            match paths.iter_mut().find(|(known, _)| *known == fill) {
                Some((_, paths)) => *paths += &d,
                None => paths.push((fill, d)),
            }
        }
        for (fill, d) in paths {
            let attributes = [
                ("d", d),
                ("fill", fill),
                ("shape-rendering", "crispEdges".to_owned()),
            ];
            self.items
                .push(DisplayItem("path", attributes.into(), String::new()));
        }
    }

    /// Adds the gradient of a mesh. Returns the CSS reference to the gradient; `None` if the mesh has only one colour,
    /// or colours that are no gradient along an axis.
    fn add_gradient(&mut self, mesh: &Mesh) -> Option<String> {
        let first = mesh.vertices.first()?;
        if mesh.vertices.iter().all(|vertex| vertex.color == first.color) {
            return None;
        }
        let gradient_ends = |along: fn(&Vertex) -> f32| {
            let order = |one: &&Vertex, other: &&Vertex| along(one).total_cmp(&along(other));
            let (low, high) = (
                mesh.vertices.iter().min_by(order)?,
                mesh.vertices.iter().max_by(order)?,
            );
            let length = along(high) - along(low);
            if length.is_nan() || length <= 0.0 {
                return None;
            }
            let is_even = mesh.vertices.iter().all(|vertex| {
                let expect = low
                    .color
                    .lerp_to_gamma(high.color, (along(vertex) - along(low)) / length);
                let mut pairs = expect.to_array().into_iter().zip(vertex.color.to_array());
                pairs.all(|(one, other)| one.abs_diff(other) <= MAX_GRADIENT_DIFFERENCE)
            });
            is_even.then_some([low, high])
        };
        let (name, [x1, y1, x2, y2], [low, high]) =
            match (gradient_ends(|at| at.pos.y), gradient_ends(|at| at.pos.x)) {
                (Some([low, high]), _) => ("y", [0.0, low.pos.y, 0.0, high.pos.y], [low, high]),
                (None, Some([low, high])) => ("x", [low.pos.x, 0.0, high.pos.x, 0.0], [low, high]),
                (None, None) => return None,
            };
        let id = format!("{name}{}", self.items.len());
        let mut attributes = BTreeMap::from(
            [("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)].map(|(key, at)| (key, format_number(at))),
        );
        attributes.extend([("id", id.clone()), ("gradientUnits", "userSpaceOnUse".to_owned())]);
        let colors = format!("{} {}", css_color(low.color), css_color(high.color));
        self.items.push(DisplayItem("linearGradient", attributes, colors));
        Some(format!("url(#{id})"))
    }

    /// Adds a text, one element for each part in one font and colour. Copies of the text that were drawn before it in
    /// an overriding colour become its outline.
    fn add_text(&mut self, shape: &TextShape) {
        if let Some(edge) = shape.override_text_color {
            self.text_outline.get_or_insert((edge, shape.pos));
            return;
        }
        let edge = self.text_outline.take().map(|(edge, at)| {
            (
                css_color(edge),
                format_number(2.0 * (at - shape.pos).abs().max_elem()),
            )
        });
        let has_serifs = self.fonts == ObsPageFonts::Same(DigitFont::Serif);
        for part in text_parts(&shape.galley, has_serifs) {
            let mut attributes = BTreeMap::from([
                ("class", part.class.to_owned()),
                ("font-size", format_number(part.size)),
                ("fill", css_color(part.color)),
            ]);
            let mut at = part.baseline_start;
            if self.fonts == ObsPageFonts::Unknown {
                at.x += part.width / 2.0;
            } else {
                attributes.insert("textLength", format_number(part.width));
                attributes.insert("lengthAdjust", "spacingAndGlyphs".to_owned());
            }
            let at = shape.pos + Rot2::from_angle(shape.angle) * at;
            let [x, y] = [at.x, at.y].map(format_number);
            if shape.angle == 0.0 {
                attributes.extend([("x", x), ("y", y)]);
            } else {
                let turn = format_number(shape.angle.to_degrees());
                attributes.insert("transform", format!("translate({x} {y})rotate({turn})"));
            }
            if let Some((color, width)) = edge.clone() {
                attributes.extend([("stroke", color), ("stroke-width", width)]);
            }
            self.items.push(DisplayItem("text", attributes, part.text));
        }
    }
}

/// A part of a laid out text in one font and colour.
struct TextPart {
    text: String,
    /// The CSS class of the font.
    class: &'static str,
    size: f32,
    color: Color32,
    /// The left end of the baseline, relative to the upper left corner of the whole text.
    baseline_start: Vec2,
    width: f32,
}

/// Returns the visible parts of a laid out text. Spaces at the ends are left out.
fn text_parts(galley: &Galley, has_serifs: bool) -> Vec<TextPart> {
    let mut found: Vec<TextPart> = Vec::new();
    let natural = galley
        .rows
        .iter()
        .filter_map(|row| row.glyphs.last())
        .map(|glyph| glyph.pos.x + glyph.advance_width);
    let natural = natural.fold(0.0, f32::max);
    // If the text was made narrower after the layout, its parts are scaled.
    let narrowing = if natural > 0.0 {
        (galley.rect.width() / natural).min(1.0)
    } else {
        1.0
    };
    let (sections, mut byte) = (&galley.job.sections, 0);
    for row in &galley.rows {
        let mut current = None;
        for glyph in &row.glyphs {
            let section = sections.iter().find(|section| section.byte_range.end.0 > byte);
            let Some(LayoutSection {
                byte_range, format, ..
            }) = section.or_else(|| sections.last())
            else {
                continue;
            };
            byte += glyph.chr.len_utf8();
            let left = row.pos.x + glyph.pos.x * narrowing;
            if current != Some(byte_range) {
                current = Some(byte_range);
                let at = egui::vec2(left, row.pos.y + glyph.pos.y);
                let (class, size) = (
                    fonts::css_class(&format.font_id.family, has_serifs),
                    format.font_id.size,
                );
                found.push(TextPart {
                    text: String::new(),
                    class,
                    size,
                    color: format.color,
                    baseline_start: at,
                    width: 0.0,
                });
            }
            if let Some(part) = found.last_mut() {
                part.text.push(glyph.chr);
                part.width = left + glyph.advance_width * narrowing - part.baseline_start.x;
            }
        }
        byte += usize::from(row.ends_with_newline);
    }
    found.retain(|part| !part.text.trim().is_empty());
    found
}

/// Returns the path through the points as SVG path data.
fn path_data(points: &[Pos2], is_closed: bool) -> String {
    let mut d = String::new();
    for (index, point) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        // Writing to a string cannot fail, so the result is ignored.
        _ = write!(
            d,
            "{command}{} {}",
            format_number(point.x),
            format_number(point.y)
        );
    }
    if is_closed { d + "Z" } else { d }
}

/// Returns the stroke of a path; transparent if the stroke has more than one colour.
const fn path_stroke(path: &PathShape) -> Stroke {
    let color = match path.stroke.color {
        ColorMode::Solid(color) => color,
        ColorMode::UV(_) => Color32::TRANSPARENT,
    };
    Stroke {
        width: path.stroke.width,
        color,
    }
}

/// Returns a number with at most two decimals.
fn format_number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// Returns a colour in CSS, with the opacity if it is below 1.
fn css_color(color: Color32) -> String {
    let [red, green, blue, alpha] = color.to_srgba_unmultiplied();
    match alpha {
        0 => "none".to_owned(),
        0xFF => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => format!("#{red:02x}{green:02x}{blue:02x}{alpha:02x}"),
    }
}

#[cfg(test)]
mod tests;
