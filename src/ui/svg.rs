//! Pictures as SVG elements, in colours that follow the light or dark mode of a page.

use super::display_list::{DisplayItem, DisplayList, ObsPageFonts};
use eframe::egui::Shape;
use shogibar_games::report::HtmlBuilder;

/// An SVG element as it is drawn in the light and in the dark theme.
type SvgElement<'a> = [&'a DisplayItem; 2];

/// Writes the pictures of a page, each drawn in a light and in a dark theme.
#[derive(Debug, Default)]
pub(crate) struct SvgWriter {
    /// The colours that differ between the themes, by the number of their CSS variable.
    pub colors: Vec<[String; 2]>,
    /// The number of pictures so far, which makes the ids of a page unique.
    picture_count: usize,
}

impl SvgWriter {
    /// Returns the elements of shapes that are drawn in both themes. Consecutive paths with the same paint become one
    /// element.
    pub(crate) fn elements(&mut self, shapes: &[Vec<Shape>; 2]) -> HtmlBuilder {
        let [light, dark] = shapes
            .each_ref()
            .map(|shapes| DisplayList::from_shapes(shapes, ObsPageFonts::Unknown).items);
        let name = |DisplayItem(name, ..): &DisplayItem| *name;
        debug_assert!(
            light.iter().map(name).eq(dark.iter().map(name)),
            "themes differ in colours only"
        );
        self.picture_count += 1;
        let mut page = HtmlBuilder::default();
        let elements: Vec<SvgElement<'_>> = light.iter().zip(&dark).map(<[_; 2]>::from).collect();
        let is_joined = |one: &SvgElement<'_>, next: &SvgElement<'_>| {
            one.iter()
                .zip(next)
                .all(|(one, next)| are_paths_of_one_paint(one, next))
        };
        for joined in elements.chunk_by(is_joined) {
            self.write_element(&mut page, joined);
        }
        page
    }

    /// Writes an element, or several paths as one.
    fn write_element(&mut self, page: &mut HtmlBuilder, joined: &[SvgElement<'_>]) {
        let Some([light, dark]) = joined.first() else {
            return;
        };
        let DisplayItem(name, attributes, text) = light;
        let DisplayItem(_, dark_attributes, dark_text) = dark;
        page.raw("<").raw(name);
        for (key, value) in attributes {
            page.raw(" ").raw(key).raw("=\"");
            match *key {
                "d" => joined
                    .iter()
                    .filter_map(|[DisplayItem(_, path, _), _]| path.get("d"))
                    .for_each(|d| _ = page.text(d)),
                "fill" | "stroke" => {
                    self.write_color(page, [value, dark_attributes.get(key).unwrap_or(value)]);
                }
                "id" => _ = page.raw("p").count(self.picture_count).text(value),
                _ => _ = page.text(value),
            }
            page.raw("\"");
        }
        match *name {
            "text" => _ = page.element(">", text, "</text>\n"),
            "linearGradient" => {
                page.raw(">");
                for (offset, (light, dark)) in text.split(' ').zip(dark_text.split(' ')).enumerate() {
                    page.raw("<stop offset=\"").count(offset).raw("\" stop-color=\"");
                    self.write_color(page, [light, dark]);
                    page.raw("\"/>");
                }
                page.raw("</linearGradient>\n");
            }
            _ => _ = page.raw("/>\n"),
        }
    }

    /// Writes a colour, or the reference to a gradient.
    fn write_color(&mut self, page: &mut HtmlBuilder, color: [&str; 2]) {
        let [light, dark] = color;
        if let Some(id) = light.strip_prefix("url(#") {
            page.raw("url(#p").count(self.picture_count).text(id);
        } else if light == dark {
            page.text(light);
        } else {
            let number = self
                .colors
                .iter()
                .position(|known| *known == color)
                .unwrap_or_else(|| {
                    self.colors.push(color.map(str::to_owned));
                    self.colors.len() - 1
                });
            page.raw("var(--c").count(number).raw(")");
        }
    }
}

/// Returns whether two elements are paths that differ in their points only.
fn are_paths_of_one_paint(one: &DisplayItem, next: &DisplayItem) -> bool {
    let [
        DisplayItem(name, attributes, _),
        DisplayItem(next_name, next_attributes, _),
    ] = [one, next];
    let [paint, other] = [attributes, next_attributes].map(|all| all.iter().filter(|(key, _)| **key != "d"));
    *name == "path" && *next_name == "path" && paint.eq(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eframe::egui::{Color32, Mesh, Rect, Stroke, pos2};

    /// Returns the elements of a drawing in red and in blue.
    fn written(writer: &mut SvgWriter, draw: impl Fn(Color32) -> Vec<Shape>) -> String {
        writer.elements(&[Color32::RED, Color32::BLUE].map(draw)).finish()
    }

    #[test]
    fn writes_colors_of_both_themes_as_variables() {
        let mut writer = SvgWriter::default();
        let rect = Rect::from_min_max(pos2(1.0, 2.0), pos2(9.0, 8.0));
        let page = written(&mut writer, |color| {
            let line = Shape::line_segment([rect.min, rect.max], Stroke::new(1.5, color));
            vec![
                Shape::rect_filled(rect, 2, color),
                line,
                Shape::circle_filled(rect.min, 3.0, Color32::BLACK),
            ]
        });
        let expect = "<rect fill=\"var(--c0)\" height=\"6\" rx=\"2\" width=\"8\" x=\"1\" y=\"2\"/>\n\
            <path d=\"M1 2L9 8\" fill=\"none\" stroke=\"var(--c0)\" stroke-width=\"1.5\"/>\n\
            <circle cx=\"1\" cy=\"2\" fill=\"#000000\" r=\"3\"/>\n";
        assert_eq!(page, expect);
        assert_eq!(writer.colors, [["#ff0000", "#0000ff"]]);
    }

    #[test]
    fn joins_paths_of_one_paint() {
        let page = written(&mut SvgWriter::default(), |color| {
            let line = |left, width| {
                Shape::line_segment(
                    [pos2(left, 0.0), pos2(left + 1.0, 0.0)],
                    Stroke::new(width, color),
                )
            };
            vec![line(0.0, 1.0), line(2.0, 1.0), line(4.0, 3.0)]
        });
        assert_eq!(page.matches("<path").count(), 2, "{page}");
        assert!(
            page.contains("d=\"M0 0L1 0M2 0L3 0\"") && page.contains("d=\"M4 0L5 0\""),
            "{page}"
        );
    }

    #[test]
    fn gradients_of_several_pictures_have_their_own_ids() {
        let mut writer = SvgWriter::default();
        let mut picture = || {
            written(&mut writer, |color| {
                let mut mesh = Mesh::default();
                mesh.colored_vertex(pos2(0.0, 0.0), color);
                mesh.colored_vertex(pos2(4.0, 0.0), color);
                mesh.colored_vertex(pos2(0.0, 2.0), Color32::BLACK);
                mesh.add_triangle(0, 1, 2);
                vec![Shape::mesh(mesh)]
            })
        };
        for id in ["p1y0", "p2y0"] {
            let page = picture();
            assert!(
                page.contains(&format!(" id=\"{id}\"")) && page.contains(&format!(" fill=\"url(#{id})\"")),
                "{page}"
            );
            let stops = "><stop offset=\"0\" stop-color=\"var(--c0)\"/><stop offset=\"1\" stop-color=\"#000000\"/></linear";
            assert!(page.contains(stops), "{page}");
        }
    }
}
