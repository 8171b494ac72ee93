//! The report as an HTML page with the pictures of the windows.

use super::{decisive, draw_graph};
use crate::graph::GraphNamePosition;
use crate::svg::SvgWriter;
use crate::{fonts, theme};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Context, Pos2, RawInput, Rect, Vec2, ViewportId, vec2};
use shogibar_games::report::{self, Report, ReportDrawing, ReportDrawings};

/// The size of the graph, in points.
const GRAPH_SIZE: Vec2 = vec2(860.0, 260.0);
/// The width of a diagram, in points.
const DIAGRAM_WIDTH: f32 = 350.0;
/// The pixels per point to which lines are aligned. There are many, because the page may be enlarged.
const PIXELS_PER_POINT: f32 = 4.0;

/// Returns the report as an HTML page with colours for a light and a dark theme.
pub fn html(report: &Report) -> String {
    let ctx = Context::default();
    ctx.set_fonts(fonts::definitions());
    let mut input = RawInput {
        max_texture_side: Some(8192),
        ..RawInput::default()
    };
    input
        .viewports
        .entry(ViewportId::ROOT)
        .or_default()
        .native_pixels_per_point = Some(PIXELS_PER_POINT);
    let mut page = String::new();
    let mut output = ctx.run_ui(input, |ui| {
        page = report::html(report, Some(&ui.fonts_mut(|fonts| drawings(fonts, report))));
    });
    output.textures_delta.clear();
    page
}

/// Draws the graph and the diagrams of a report, each in a light and in a dark theme.
fn drawings(fonts: &mut FontsView<'_>, report: &Report) -> ReportDrawings {
    let themes = [theme::paper(), theme::ink()];
    let mut svg = SvgWriter::default();
    let rect = Rect::from_min_size(Pos2::ZERO, GRAPH_SIZE);
    let [(light, curves), (dark, _)] = themes
        .each_ref()
        .map(|theme| draw_graph(fonts, report, theme, GraphNamePosition::Beside, rect));
    let graph = drawing(GRAPH_SIZE, svg.elements(&[light, dark]));
    let size = decisive::diagram_size(DIAGRAM_WIDTH);
    let rect = Rect::from_min_size(Pos2::ZERO, size);
    let diagrams = report.decisive_moves.iter().map(|decisive| {
        let shapes = themes
            .each_ref()
            .map(|theme| decisive::draw_diagram(fonts, report, decisive, theme, rect));
        drawing(size, svg.elements(&shapes))
    });
    let diagrams = diagrams.collect();
    let curves = [curves.left(), curves.top(), curves.width(), curves.height()].map(f64::from);
    ReportDrawings {
        colors: svg.colors,
        pieces_font: crate::fonts::pieces_data_url(),
        graph,
        curves,
        diagrams,
    }
}

/// Creates a drawing from a size in points and SVG elements.
fn drawing(size: Vec2, elements: report::HtmlBuilder) -> ReportDrawing {
    ReportDrawing {
        size: (size.x.into(), size.y.into()),
        elements,
    }
}
