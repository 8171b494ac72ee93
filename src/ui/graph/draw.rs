//! Drawing of a graph as shapes.

use super::scale::{GraphMeasure, GraphScale, place};
use super::{GraphNames, GraphView, axes, curve, marks};
use crate::shogi::Color;
use crate::text::Lang;
use crate::text::graph::GraphWord;
use crate::ui::PaintTheme;
use crate::ui::canvas::ShapeCanvas;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::epaint::{Mesh, PathShape};
use egui::{Align2, Color32, Pos2, Rect, Shape, Stroke, pos2};

/// The maximum height of the time bars, as a fraction of the height.
const TIMES: f32 = 0.3;
/// The widths of the lines, in points.
const LINE: f32 = 2.2;
const THIN: f32 = 1.5;
/// The lengths of dashes and gaps in the curves of evaluators other than the judge, in points.
const DASHES: [f32; 2] = [6.0, 3.0];

/// The length of a curve sample before its name, in points.
const SAMPLE: f32 = 20.0;
/// The maximum length of a name, in characters.
const NAME: usize = 36;

/// Draws a graph into a rectangle.
pub fn draw(fonts: &mut FontsView<'_>, view: &GraphView<'_>, theme: &PaintTheme, lang: Lang, rect: Rect) -> Vec<Shape> {
    let mut canvas = ShapeCanvas::new(fonts);
    all(&mut canvas, view, theme, lang, rect);
    canvas.shapes
}

/// Draws everything and returns the scale of the graph.
pub(super) fn all(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    lang: Lang,
    rect: Rect,
) -> GraphScale {
    let inner = axes::inside(view, rect);
    let scale = GraphScale::new(view, inner);
    if !(inner.width() > 1.0 && inner.height() > 1.0) {
        return scale;
    }
    axes::draw(canvas, view, theme, &scale, inner != rect);
    let (main, other) = GraphMeasure::for_kind(view.kind);
    let lines: Vec<_> = view.series.iter().map(|series| curve::lines(view, series, main, &scale)).collect();
    let first = lines.first().map_or(&[][..], Vec::as_slice);
    for line in first.iter().filter(|_| view.judged) {
        fill(canvas, theme, line, &scale);
    }
    times(canvas, view, theme, &scale);
    // The second measure is drawn for the first engine only, to keep the graph readable.
    if let Some((series, other)) = view.series.first().zip(other) {
        for line in curve::lines(view, series, other, &scale) {
            stroke(canvas, &line, 1.1, color(theme, 0).gamma_multiply(0.5));
        }
    }
    for (place, lines) in lines.iter().enumerate().rev() {
        let is_judge = place == 0 && view.judged;
        for line in lines {
            let color = color(theme, place);
            if is_judge { stroke(canvas, line, LINE, color) } else { dashed(canvas, line, THIN, color) }
        }
    }
    current(canvas, view, theme, &scale);
    marks::draw(canvas, view, theme, &scale, (lang, first));
    legend(canvas, view, theme, &scale, lang);
    scale
}

/// Returns the colour of the curve with this index.
pub fn color(theme: &PaintTheme, place: usize) -> Color32 {
    match place {
        0 => theme.text,
        1 => axes::blue(theme),
        2 => theme.loss,
        3 => theme.arrow_next,
        _ => theme.doubtful,
    }
}

/// Fills the area between the curve and the middle: dark on Black's side, light on White's.
fn fill(canvas: &mut ShapeCanvas<'_, '_>, theme: &PaintTheme, line: &[Pos2], scale: &GraphScale) {
    let middle = scale.middle();
    let (black, white) = if axes::is_dark(theme) { (0.85, 0.45) } else { (0.3, 0.9) };
    let side = |y: f32| {
        let is_black = (y < middle) == (scale.y(1.0) < middle);
        if is_black { theme.black.gamma_multiply(black) } else { theme.white.gamma_multiply(white) }
    };
    let mut mesh = Mesh::default();
    for pair in curve::with_crossings(line, middle).windows(2) {
        let [one, other] = pair else { continue };
        let far = if (one.y - middle).abs() > (other.y - middle).abs() { one.y } else { other.y };
        let color = side(far);
        let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
        for at in [*one, *other, pos2(other.x, middle), pos2(one.x, middle)] {
            mesh.colored_vertex(at, color);
        }
        mesh.add_triangle(first, first + 1, first + 2);
        mesh.add_triangle(first, first + 2, first + 3);
    }
    canvas.shapes.push(Shape::mesh(mesh));
}

fn stroke(canvas: &mut ShapeCanvas<'_, '_>, line: &[Pos2], width: f32, color: Color32) {
    match line {
        [] => {}
        [alone] => canvas.shapes.push(Shape::circle_filled(*alone, width * 1.4, color)),
        _ => canvas.shapes.push(PathShape::line(line.to_vec(), Stroke::new(width, color)).into()),
    }
}

fn dashed(canvas: &mut ShapeCanvas<'_, '_>, line: &[Pos2], width: f32, color: Color32) {
    let [dash, gap] = DASHES;
    match line {
        [] | [_] => stroke(canvas, line, width, color),
        _ => canvas.shapes.extend(Shape::dashed_line(line, Stroke::new(width, color), dash, gap)),
    }
}

/// Draws the time of each move as a bar from the bottom, dark for Black and light for White.
fn times(canvas: &mut ShapeCanvas<'_, '_>, view: &GraphView<'_>, theme: &PaintTheme, scale: &GraphScale) {
    let most = view.times.iter().flatten().max().copied().unwrap_or_default().max(1);
    let wide = (scale.rect.width() / view.plies.max(1) as f32 * 0.72).clamp(0.6, 9.0);
    let high = scale.rect.height() * TIMES;
    for (place, time) in view.times.iter().take(view.plies).enumerate() {
        let Some(seconds) = time.filter(|seconds| *seconds > 0) else { continue };
        // A square root scale: a minute would hide a second, and two hours would hide both.
        let part = (f64::from(seconds) / f64::from(most)).sqrt();
        #[expect(clippy::cast_possible_truncation, reason = "a fraction between 0 and 1")]
        let top = scale.rect.bottom() - high * part as f32;
        let x = scale.x(place + 1);
        let bar = Rect::from_min_max(pos2(x - wide / 2.0, top), pos2(x + wide / 2.0, scale.rect.bottom()));
        let mover = if place % 2 == 0 { view.first } else { view.first.flip() };
        let color = theme.text.gamma_multiply(if mover == Color::Black { 0.42 } else { 0.2 });
        canvas.shapes.push(egui::epaint::RectShape::filled(bar.intersect(scale.rect), 0, color).into());
    }
}

/// Marks the current ply.
fn current(canvas: &mut ShapeCanvas<'_, '_>, view: &GraphView<'_>, theme: &PaintTheme, scale: &GraphScale) {
    if view.current > view.plies {
        return;
    }
    let x = canvas.snap_to_pixels(scale.x(view.current) - 0.75);
    let line = Rect::from_min_max(pos2(x, scale.rect.top()), pos2(x + 1.5, scale.rect.bottom()));
    canvas.fill(line, theme.accent);
    if let Some(at) = place(view, scale, view.current) {
        canvas.shapes.push(Shape::circle_filled(at, 3.5, theme.accent));
    }
}

/// Draws the legend of several curves, a text where there is none, and the names of the sides at the border.
fn legend(canvas: &mut ShapeCanvas<'_, '_>, view: &GraphView<'_>, theme: &PaintTheme, scale: &GraphScale, lang: Lang) {
    let rect = scale.rect;
    let mut put = |at: Pos2, align: Align2, text: &str, color: Color32| {
        let galley = canvas.fonts.layout_no_wrap(text.to_owned(), TextWeight::Regular.at(axes::FIGURES), color);
        let place = align.anchor_size(at, galley.size());
        canvas.edged(&galley, place.min, axes::ground(theme).gamma_multiply(0.7));
        place
    };
    if view.series.iter().all(|series| series.values.iter().all(Option::is_none)) {
        let word = if view.hidden { GraphWord::Hidden } else { GraphWord::Nothing };
        put(rect.center() - egui::vec2(0.0, 14.0), Align2::CENTER_CENTER, word.text(lang), theme.quiet);
    }
    if rect.height() < 70.0 || rect.width() < 200.0 {
        return;
    }
    let [black, white] = view.titles;
    let (above, below) = if view.flipped { (white, black) } else { (black, white) };
    let faint = theme.quiet;
    let first = put(rect.left_top() + egui::vec2(6.0, 4.0), Align2::LEFT_TOP, above, faint);
    // The name is drawn above the time bars, if there is room between them and the middle.
    let has_times = view.times.iter().flatten().any(|seconds| *seconds > 0);
    let floor = rect.height() * if has_times { TIMES } else { 0.0 };
    let floor = if floor + 2.0 * axes::FIGURES < rect.height() / 2.0 { floor } else { 0.0 };
    put(rect.left_bottom() + egui::vec2(6.0, -4.0 - floor), Align2::LEFT_BOTTOM, below, faint);
    if view.names == GraphNames::Beside {
        return;
    }
    let mut left = first.right() + 16.0;
    for (place, series) in view.series.iter().enumerate().filter(|(_, series)| !series.name.is_empty()) {
        let (name, color) = (series.name.chars().take(NAME).collect::<String>(), color(theme, place));
        let name = canvas.fonts.layout_no_wrap(name, TextWeight::Regular.at(axes::FIGURES), color);
        let (middle, width) = (rect.top() + 4.0 + name.size().y / 2.0, name.size().x);
        if left + SAMPLE + width > rect.right() {
            break;
        }
        sample(canvas, pos2(left, middle), SAMPLE, color, place == 0 && view.judged);
        let at = pos2(left + SAMPLE + 5.0, rect.top() + 4.0);
        canvas.edged(&name, at, axes::ground(theme).gamma_multiply(0.7));
        left = at.x + width + 14.0;
    }
}

/// Draws a sample of a curve, from a point to the right.
fn sample(canvas: &mut ShapeCanvas<'_, '_>, at: Pos2, width: f32, color: Color32, is_judge: bool) {
    let line = [at, at + egui::vec2(width, 0.0)];
    if is_judge { stroke(canvas, &line, LINE, color) } else { dashed(canvas, &line, THIN, color) }
}
