use super::*;
use crate::PagePainter;
use crate::bar::{BarView, CandidateView, EngineView};
use crate::config::{Layout, Theme};
use crate::fonts::FontChoice;
use crate::kifu::{ClockTime, Millis};
use crate::overlay::{self, Overlay, OverlayStyle};
use crate::text::Lang;
use crate::theme;
use egui::{Mesh, Stroke, pos2, vec2};

fn list(shapes: &[Shape]) -> String {
    serde_json::to_string(&DisplayList::from_shapes(shapes, Digits::Plain).items).unwrap()
}

#[test]
fn shapes_become_elements() {
    let (rect, red) = (Rect::from_min_max(pos2(1.0, 2.0), pos2(9.0, 8.0)), Color32::RED);
    let check = |shape: Shape, expect: &str| assert_eq!(list(&[shape]), format!("[{expect}]"));
    let place = r#""rx":"2","width":"8","x":"1","y":"2"}"#;
    check(Shape::rect_filled(rect, 2, red), &format!(r##"["rect",{{"fill":"#ff0000","height":"6",{place},""]"##));
    check(Shape::rect_filled(rect, 2, Color32::TRANSPARENT), "");
    let half = Color32::from_rgba_premultiplied(64, 0, 0, 128);
    check(
        Shape::circle_filled(rect.min, 3.0, half),
        r##"["circle",{"cx":"1","cy":"2","fill":"#80000080","r":"3"},""]"##,
    );
    let line = Shape::line_segment([rect.min, rect.max], Stroke::new(1.5, red));
    check(line, r##"["path",{"d":"M1 2L9 8","fill":"none","stroke":"#ff0000","stroke-width":"1.5"},""]"##);
}

/// A mesh of one quad, with the colours of its upper and its lower edge.
fn quad(upper: Color32, lower: Color32) -> Shape {
    let mut mesh = Mesh::default();
    for (x, y, color) in [(0.0, 0.0, upper), (4.0, 0.0, upper), (4.0, 2.0, lower), (0.0, 2.0, lower)] {
        mesh.colored_vertex(pos2(x, y), color);
    }
    mesh.add_triangle(0, 1, 2);
    mesh.add_triangle(0, 2, 3);
    Shape::mesh(mesh)
}

#[test]
fn a_mesh_has_its_gradient_or_its_colours() {
    let path = r#""d":"M0 0L4 0L4 2ZM0 0L4 2L0 2Z","fill":"#;
    let found = list(&[quad(Color32::RED, Color32::BLUE)]);
    assert!(found.contains(r##""x1":"0","x2":"0","y1":"0","y2":"2"},"#ff0000 #0000ff"]"##), "{found}");
    assert!(found.contains(&format!(r#"{path}"url(#y0)""#)), "{found}");
    assert!(list(&[quad(Color32::RED, Color32::RED)]).contains(&format!(r##"{path}"#ff0000""##)));
    // The areas of a graph change their colour at a line, and have no gradient.
    let (Shape::Mesh(one), Shape::Mesh(mut other)) =
        (quad(Color32::RED, Color32::RED), quad(Color32::BLUE, Color32::BLUE))
    else {
        panic!("meshes");
    };
    std::sync::Arc::make_mut(&mut other).translate(vec2(4.0, 2.0));
    let mut both = Mesh::clone(&one);
    both.append_ref(&other);
    let found = list(&[Shape::mesh(both)]);
    assert!(!found.contains("linearGradient") && found.contains("#0000ff") && found.contains("#ff0000"), "{found}");
}

/// A view with names that need to be narrowed, and with candidates.
fn view() -> BarView {
    let mut view = BarView { share: Some(0.63), evaluation: "+320".to_owned(), ..BarView::default() };
    for (side, name) in [(&mut view.black, "勅使河原 小百合之助"), (&mut view.white, "御影 宗一郎 <&>")] {
        (side.name, side.role, side.percent, side.clock) =
            (name.to_owned(), "先手".to_owned(), Some(63), Some(ClockTime::Left(Millis(4_360_000))));
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

/// Whatever the layout and the theme: a page has the texts of a window, at the same places and in the same widths.
#[test]
fn a_page_has_the_texts_of_a_window() {
    let painter = PagePainter::with_fonts(&FontChoice::default());
    for name in Theme::names() {
        for layout in Layout::ALL {
            let theme = theme::from_config(Theme::shipped(name).unwrap());
            let style = OverlayStyle { layout: *layout, motion: false, ..OverlayStyle::new(theme, Lang::Ja) };
            let (view, size) = (view(), overlay::size_of(*layout, &view()));
            let (list, _) = painter.paint(&mut Overlay::default(), (&view, &style), size, 0.0);
            let texts = painter.texts(&view, &style, size);
            // A part in another font is an element of its own, and spaces between parts are left out.
            let joined = |texts: &mut dyn Iterator<Item = &str>| {
                texts.flat_map(str::chars).filter(|c| !c.is_whitespace()).collect::<String>()
            };
            let found = joined(&mut list.texts());
            for text in &texts {
                let text = joined(&mut text.trim_end_matches('…').split(' '));
                assert!(found.contains(&text), "{name} {layout:?}: {text} is not in {found}");
            }
            assert!(texts.len() > 6, "{name} {layout:?}: {texts:?}");
            let is_outlined = list.items.iter().any(|item| item.0 == "text" && item.1.contains_key("stroke"));
            // Words on a hatched share are outlined, too.
            assert!(is_outlined || name != "chroma", "{name} {layout:?}");
            assert!(!is_outlined || name == "chroma" || name == "contrast", "{name} {layout:?}");
        }
    }
}
