use super::*;
use crate::ObsPagePainter;
use crate::canvas::ShapeCanvas;
use crate::fonts::{FontChoice, TextWeight};
use crate::overlay::{self, Overlay, OverlayStyle};
use crate::theme;
use egui::{Mesh, Stroke, pos2, vec2};
use shogibar_base::Lang;
use shogibar_config::{Layout, Theme};
use shogibar_games::bar::{BarView, CandidateView, EngineView};
use shogibar_kifu::{ClockTime, Millis};

fn list(shapes: &[Shape]) -> String {
    serde_json::to_string(&DisplayList::from_shapes(shapes, ObsPageFonts::Same(DigitFont::Plain)).items)
        .unwrap()
}

#[test]
fn shapes_become_elements() {
    let (rect, red) = (Rect::from_min_max(pos2(1.0, 2.0), pos2(9.0, 8.0)), Color32::RED);
    let check = |shape: Shape, expect: &str| assert_eq!(list(&[shape]), format!("[{expect}]"));
    let geometry = r#""rx":"2","width":"8","x":"1","y":"2"}"#;
    check(
        Shape::rect_filled(rect, 2, red),
        &format!(r##"["rect",{{"fill":"#ff0000","height":"6",{geometry},""]"##),
    );
    check(Shape::rect_filled(rect, 2, Color32::TRANSPARENT), "");
    let half = Color32::from_rgba_premultiplied(64, 0, 0, 128);
    check(
        Shape::circle_filled(rect.min, 3.0, half),
        r##"["circle",{"cx":"1","cy":"2","fill":"#80000080","r":"3"},""]"##,
    );
    let line = Shape::line_segment([rect.min, rect.max], Stroke::new(1.5, red));
    check(
        line,
        r##"["path",{"d":"M1 2L9 8","fill":"none","stroke":"#ff0000","stroke-width":"1.5"},""]"##,
    );
}

#[test]
fn a_stroke_lies_inside_or_outside_of_its_rectangle() {
    let rect = Rect::from_min_max(pos2(1.0, 2.0), pos2(9.0, 8.0));
    let check = |kind, expect: &str| {
        let found = list(&[Shape::rect_stroke(rect, 3, Stroke::new(2.0, Color32::RED), kind)]);
        assert!(found.contains(expect), "{kind:?}: {found}");
    };
    check(
        StrokeKind::Inside,
        r##""height":"4","rx":"2","stroke":"#ff0000","stroke-width":"2","width":"6","x":"2","y":"3"}"##,
    );
    check(
        StrokeKind::Middle,
        r##""height":"6","rx":"3","stroke":"#ff0000","stroke-width":"2","width":"8","x":"1","y":"2"}"##,
    );
    check(
        StrokeKind::Outside,
        r##""height":"8","rx":"4","stroke":"#ff0000","stroke-width":"2","width":"10","x":"0","y":"1"}"##,
    );
}

/// A text keeps its width with equal fonts, and its middle with others.
#[test]
fn texts_are_placed_for_the_fonts_of_a_page() {
    let ctx = egui::Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut shapes = Vec::new();
    let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
        shapes = ui.fonts_mut(|fonts| {
            let mut canvas = ShapeCanvas::new(fonts);
            canvas.draw_text(
                "歩",
                pos2(30.0, 20.0),
                fonts::piece_font(20.0),
                Color32::RED,
                false,
            );
            canvas.draw_text(
                "歩",
                pos2(30.0, 20.0),
                fonts::piece_font(20.0),
                Color32::RED,
                true,
            );
            let galley =
                canvas
                    .fonts
                    .layout_no_wrap("先手".to_owned(), TextWeight::Bold.at(10.0), Color32::RED);
            canvas.draw_outlined(&galley, pos2(5.0, 0.0), Color32::BLUE);
            canvas.shapes
        });
    });
    output.textures_delta.clear();
    let attributes = |page| {
        let list = DisplayList::from_shapes(&shapes, page);
        let text = |DisplayItem(_, attributes, _): &DisplayItem| {
            let names = ["class", "stroke", "stroke-width", "textLength", "transform", "x"];
            names
                .map(|name| attributes.get(name).cloned().unwrap_or_default())
                .join(" ")
        };
        list.items.iter().map(text).collect::<Vec<_>>()
    };
    let expect = [
        "pieces   20  20",
        "pieces   20 translate(40 12.4)rotate(180) ",
        "bold #0000ff 2.5 20  5",
    ];
    assert_eq!(attributes(ObsPageFonts::Same(DigitFont::Plain)), expect);
    let expect = [
        "pieces     30",
        "pieces    translate(30 12.4)rotate(180) ",
        "bold #0000ff 2.5   15",
    ];
    assert_eq!(attributes(ObsPageFonts::Unknown), expect);
}

fn quad(upper: Color32, lower: Color32) -> Shape {
    let mut mesh = Mesh::default();
    for (x, y, color) in [
        (0.0, 0.0, upper),
        (4.0, 0.0, upper),
        (4.0, 2.0, lower),
        (0.0, 2.0, lower),
    ] {
        mesh.colored_vertex(pos2(x, y), color);
    }
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(0, 2, 3);
    Shape::mesh(mesh)
}

#[test]
fn a_mesh_has_its_gradient_or_its_colors() {
    let path = r#""d":"M0 0L4 0L4 2ZM0 0L4 2L0 2Z","fill":"#;
    let found = list(&[quad(Color32::RED, Color32::BLUE)]);
    assert!(
        found.contains(r##""x1":"0","x2":"0","y1":"0","y2":"2"},"#ff0000 #0000ff"]"##),
        "{found}"
    );
    assert!(found.contains(&format!(r#"{path}"url(#y0)""#)), "{found}");
    assert!(list(&[quad(Color32::RED, Color32::RED)]).contains(&format!(r##"{path}"#ff0000""##)));
    // The areas of a graph change their colour at a line, and have no gradient.
    let (Shape::Mesh(one), Shape::Mesh(mut other)) = (
        quad(Color32::RED, Color32::RED),
        quad(Color32::BLUE, Color32::BLUE),
    ) else {
        panic!("meshes");
    };
    std::sync::Arc::make_mut(&mut other).translate(vec2(4.0, 2.0));
    let mut both = Mesh::clone(&one);
    both.append_ref(&other);
    let found = list(&[Shape::mesh(both)]);
    assert!(
        !found.contains("linearGradient") && found.contains("#0000ff") && found.contains("#ff0000"),
        "{found}"
    );
}

/// A view with names that need to be narrowed, and with candidates.
fn view() -> BarView {
    let mut view = BarView {
        share: Some(0.63),
        evaluation: "+320".to_owned(),
        ..BarView::default()
    };
    for (side, name) in [
        (&mut view.black, "勅使河原 小百合之助"),
        (&mut view.white, "御影 宗一郎 <&>"),
    ] {
        (side.name, side.role, side.percent, side.clock) = (
            name.to_owned(),
            "先手".to_owned(),
            Some(63),
            Some(ClockTime::Remaining(Millis(4_360_000))),
        );
    }
    view.position_text = ["74手目".to_owned(), "△5四歩".to_owned(), "まで".to_owned()];
    view.graph = [Some(0.5), None, Some(0.4), Some(0.7)].into();
    let candidate = |rank| CandidateView {
        rank,
        word: "▲2六歩".to_owned(),
        percent: "63%".to_owned(),
        line: "△3四歩 ▲7六歩".to_owned(),
        ..CandidateView::default()
    };
    view.engines = vec![EngineView {
        name: "水匠".to_owned(),
        candidates: (1..4).map(candidate).collect(),
        multipv: 3,
        ..EngineView::default()
    }];
    view
}

/// The OBS page has the same texts as the window, for any layout and theme. They have the same positions and widths.
#[test]
fn a_page_has_the_texts_of_a_window() {
    let painter = ObsPagePainter::with_fonts(&FontChoice::default());
    for name in Theme::names() {
        for layout in Layout::ALL {
            let theme = theme::from_config(Theme::shipped(name).unwrap());
            let style = OverlayStyle {
                layout: *layout,
                has_motion: false,
                ..OverlayStyle::new(theme, Lang::Ja)
            };
            let (view, size) = (view(), overlay::comfortable_size_of(*layout, &view()));
            let (list, _) = painter.paint(&mut Overlay::default(), &view, &style, size, Rect::NOTHING, 0.0);
            let texts = painter.texts(&view, &style, size);
            // A part in another font is a separate element, and spaces between parts are left out.
            let joined = |texts: &mut dyn Iterator<Item = &str>| {
                texts
                    .flat_map(str::chars)
                    .filter(|c| !c.is_whitespace())
                    .collect::<String>()
            };
            let found = list
                .items
                .iter()
                .filter(|item| item.0 == "text")
                .map(|item| item.2.as_str());
            let found = joined(&mut { found });
            for text in &texts {
                let text = joined(&mut text.trim_end_matches('…').split(' '));
                assert!(
                    found.contains(&text),
                    "{name} {layout:?}: {text} is not in {found}"
                );
            }
            assert!(texts.len() > 6, "{name} {layout:?}: {texts:?}");
            let is_outlined = list
                .items
                .iter()
                .any(|item| item.0 == "text" && item.1.contains_key("stroke"));
            // Words on a hatched share are outlined, too.
            assert!(is_outlined || name != "chroma", "{name} {layout:?}");
            assert!(
                !is_outlined || name == "chroma" || name == "contrast",
                "{name} {layout:?}"
            );
        }
    }
}
