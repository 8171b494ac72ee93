//! Shapes as SVG elements, in colours that follow the light or dark mode of a page.

use super::fonts::{self, TextWeight};
use super::text_runs;
use eframe::egui;
use egui::emath::Rot2;
use egui::epaint::{ColorMode, PathShape, TextShape};
use egui::{Color32, Pos2, Rect, Shape, Stroke, pos2, vec2};
use shogibar_games::report::HtmlPage;

/// The width of the outline of a text, in points.
const EDGE: f32 = 2.5;

/// A colour in the light and in the dark theme.
pub(crate) type SvgColor = [Color32; 2];

/// Writes shapes that were drawn in two themes. Consecutive shapes in the same paint become one element.
#[derive(Debug, Default)]
pub(crate) struct SvgWriter {
    /// The colours of the elements, by the number of their CSS variable.
    pub colors: Vec<SvgColor>,
    page: HtmlPage,
    /// The paint of the path that is being written.
    path: Option<SvgPaint>,
    /// The outline of the next text.
    edge: Option<SvgColor>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct SvgPaint {
    fill: SvgColor,
    stroke: SvgColor,
    width: f32,
}

impl SvgWriter {
    /// Returns the elements of the same shapes in both themes.
    pub(crate) fn elements(&mut self, [light, dark]: &[Vec<Shape>; 2]) -> HtmlPage {
        for (light, dark) in light.iter().zip(dark) {
            self.shape(light, dark);
        }
        self.end_path();
        std::mem::take(&mut self.page)
    }

    fn shape(&mut self, light: &Shape, dark: &Shape) {
        match (light, dark) {
            (Shape::Circle(light), Shape::Circle(dark)) => {
                self.begin_path([light.fill, dark.fill], [light.stroke, dark.stroke]);
                let square = Rect::from_center_size(light.center, vec2(2.0, 2.0) * light.radius);
                self.rounded_rect(square, light.radius);
            }
            (Shape::Rect(light), Shape::Rect(dark)) => {
                self.begin_path([light.fill, dark.fill], [light.stroke, dark.stroke]);
                let radius = light.corner_radius.nw.into();
                self.rounded_rect(light.rect, f32::min(radius, light.rect.size().min_elem() / 2.0));
            }
            (Shape::LineSegment { points, stroke: light }, Shape::LineSegment { stroke: dark, .. }) => {
                self.begin_path([Color32::TRANSPARENT; 2], [*light, *dark]);
                self.points(points);
            }
            (Shape::Path(light), Shape::Path(dark)) => {
                self.begin_path([light.fill, dark.fill], [stroke(light), stroke(dark)]);
                self.points(&light.points);
                if light.closed {
                    self.page.raw("Z");
                }
            }
            (Shape::Mesh(light), Shape::Mesh(dark)) => {
                for corners in light.indices.chunks_exact(3) {
                    let corners: Vec<_> = corners
                        .iter()
                        .filter_map(|corner| usize::try_from(*corner).ok())
                        .filter_map(|corner| light.vertices.get(corner).zip(dark.vertices.get(corner)))
                        .collect();
                    let Some((one, other)) = corners.first() else { continue };
                    self.begin_path([one.color, other.color], [Stroke::NONE; 2]);
                    self.points(&corners.iter().map(|(vertex, _)| vertex.pos).collect::<Vec<_>>());
                    self.page.raw("Z");
                }
            }
            (Shape::Text(light), Shape::Text(dark)) => self.text(light, dark),
            _ => {}
        }
    }

    /// Begins a path, or continues the one in the same paint.
    fn begin_path(&mut self, fill: SvgColor, [light, dark]: [Stroke; 2]) {
        let paint = SvgPaint { fill, stroke: [light.color, dark.color], width: light.width };
        if self.path == Some(paint) {
            return;
        }
        self.end_path();
        self.path = Some(paint);
        self.page.raw("<path");
        self.color(" fill=\"", paint.fill);
        if paint.width > 0.0 {
            self.color(" stroke=\"", paint.stroke);
            self.page.raw(" stroke-width=\"").at(paint.width.into()).raw("\"");
        }
        self.page.raw(" d=\"");
    }

    fn end_path(&mut self) {
        if self.path.take().is_some() {
            self.page.raw("\"/>\n");
        }
    }

    /// Writes an attribute with a colour.
    fn color(&mut self, open: &'static str, color: SvgColor) {
        if color == [Color32::TRANSPARENT; 2] {
            self.page.raw(open).raw("none\"");
            return;
        }
        let number = self.colors.iter().position(|known| *known == color).unwrap_or_else(|| {
            self.colors.push(color);
            self.colors.len() - 1
        });
        self.page.raw(open).raw("var(--c").count(number).raw(")\"");
    }

    fn point(&mut self, point: Pos2) {
        self.page.point((point.x.into(), point.y.into()));
    }

    fn points(&mut self, points: &[Pos2]) {
        for (place, point) in points.iter().enumerate() {
            self.page.raw(if place == 0 { "M" } else { "L" });
            self.point(*point);
        }
    }

    fn rounded_rect(&mut self, rect: Rect, radius: f32) {
        let inner = rect.shrink(radius);
        let corners = [
            ("M", pos2(rect.left(), inner.top())),
            ("A", pos2(inner.left(), rect.top())),
            ("L", pos2(inner.right(), rect.top())),
            ("A", pos2(rect.right(), inner.top())),
            ("L", pos2(rect.right(), inner.bottom())),
            ("A", pos2(inner.right(), rect.bottom())),
            ("L", pos2(inner.left(), rect.bottom())),
            ("A", pos2(rect.left(), inner.bottom())),
        ];
        for (command, to) in corners.into_iter().filter(|(command, _)| radius > 0.0 || *command != "A") {
            self.page.raw(command);
            if command == "A" {
                self.page.point((radius.into(), radius.into())).raw(" 0 0 1 ");
            }
            self.point(to);
        }
        self.page.raw("Z");
    }

    /// Writes a text of one line, centred where it was laid out: the page may have another font.
    fn text(&mut self, light: &TextShape, dark: &TextShape) {
        if let (Some(light), Some(dark)) = (light.override_text_color, dark.override_text_color) {
            self.edge = Some([light, dark]);
            return;
        }
        let (Some(one), Some(other)) = (light.galley.job.sections.first(), dark.galley.job.sections.first()) else {
            return;
        };
        self.end_path();
        let font = &one.format.font_id;
        self.page.raw(match &font.family {
            family if *family == fonts::pieces(1.0).family => "<text class=\"kanji\"",
            family if *family == TextWeight::Bold.family() => "<text class=\"bold\"",
            _ => "<text",
        });
        self.color(" fill=\"", [one.format.color, other.format.color]);
        if let Some(edge) = self.edge.take() {
            self.color(" stroke=\"", edge);
            self.page.raw(" stroke-width=\"").at(EDGE.into()).raw("\"");
        }
        self.page.raw(" font-size=\"").at(font.size.into()).raw("\" transform=\"translate(");
        let middle = vec2(light.galley.rect.center().x, text_runs::ascent(&light.galley));
        self.point(light.pos + Rot2::from_angle(light.angle) * middle);
        self.page.raw(if light.angle == 0.0 { ")\">" } else { ")rotate(180)\">" });
        self.page.element("", light.galley.text(), "</text>\n");
    }
}

/// Returns the stroke of a path, which has one colour.
const fn stroke(path: &PathShape) -> Stroke {
    let color = match path.stroke.color {
        ColorMode::Solid(color) => color,
        ColorMode::UV(_) => Color32::TRANSPARENT,
    };
    Stroke { width: path.stroke.width, color }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(shapes: Vec<Shape>) -> String {
        SvgWriter::default().elements(&[shapes.clone(), shapes]).finish()
    }

    #[test]
    fn writes_shapes_as_paths() {
        let (red, rect) = (Color32::RED, Rect::from_min_max(pos2(1.0, 2.0), pos2(9.0, 8.0)));
        let check = |shape, expect: &str| assert_eq!(written(vec![shape]), expect);
        check(Shape::rect_filled(rect, 0, red), "<path fill=\"var(--c0)\" d=\"M1 2L9 2L9 8L1 8Z\"/>\n");
        let arcs = "M1 4A2 2 0 0 1 3 2L7 2A2 2 0 0 1 9 4L9 6A2 2 0 0 1 7 8L3 8A2 2 0 0 1 1 6Z";
        check(Shape::rect_filled(rect, 2, red), &format!("<path fill=\"var(--c0)\" d=\"{arcs}\"/>\n"));
        let line = [rect.min, rect.max];
        let expect = "<path fill=\"none\" stroke=\"var(--c0)\" stroke-width=\"1.5\" d=\"M1 2L9 8\"/>\n";
        check(Shape::line_segment(line, Stroke::new(1.5, red)), expect);
        check(Shape::line(line.to_vec(), Stroke::new(1.5, red)), expect);
    }

    #[test]
    fn joins_shapes_of_one_paint() {
        let rect = |left, color| Shape::rect_filled(Rect::from_min_size(pos2(left, 0.0), vec2(1.0, 1.0)), 0, color);
        let page = written(vec![rect(0.0, Color32::RED), rect(2.0, Color32::RED), rect(4.0, Color32::BLUE)]);
        assert_eq!(page.matches("<path").count(), 2, "{page}");
    }
}
