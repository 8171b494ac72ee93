//! Drawing of a graph as shapes.

use super::axes::{self, GraphLayout};
use super::scale::{GraphMeasure, GraphScale, point_at};
use super::{GraphGame, GraphKind, GraphNamePosition, GraphView, curve, marks, times};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use crate::fonts::TextWeight;
use eframe::egui;
use egui::epaint::Mesh;
use egui::epaint::text::FontsView;
use egui::{Align2, Color32, Pos2, Rect, Shape, pos2, vec2};
use shogibar_base::Lang;
use shogibar_games::graph_text::GraphWord;
use shogibar_shogi::Color;

/// The width of the line of live values, in points.
const LIVE_LINE_WIDTH: f32 = 1.8;
/// The width of the line of values that background searches filled in, in points.
const FILLED_LINE_WIDTH: f32 = 1.1;
/// The width of the line of the game beside a variation, in points.
const GAME_LINE_WIDTH: f32 = 1.5;
/// The width of the line of a variation, in points.
const VARIATION_LINE_WIDTH: f32 = 2.8;
/// The opacity of the values that background searches filled in.
const FILLED_OPACITY: f32 = 0.4;
/// The opacity of the game beside a variation.
const GAME_OPACITY: f32 = 0.28;
/// The minimum width of a ply with which a variation has a point for each move, in points.
const MIN_PLY_WIDTH_WITH_POINTS: f32 = 4.0;
/// The font size of the names of the sides in a large graph, in points.
const LARGE_NAME_FONT_SIZE: f32 = 13.5;
/// The radius of the point at the current ply, in points.
const CURRENT_POINT_RADIUS: f32 = 5.0;
/// The length of the sample of a curve before the engine's name, in points.
const SAMPLE_LENGTH: f32 = 20.0;
/// The maximum length of an engine's name, in characters.
const MAX_NAME_CHARS: usize = 36;

/// Returns the shapes of a graph in a rectangle.
pub fn draw(
    fonts: &mut FontsView<'_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    lang: Lang,
    rect: Rect,
) -> Vec<Shape> {
    let mut canvas = ShapeCanvas::new(fonts);
    draw_all(&mut canvas, view, theme, lang, rect);
    canvas.shapes
}

/// Draws all parts of the graph in a rectangle; nothing if the curves have no room.
pub(super) fn draw_all(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    lang: Lang,
    rect: Rect,
) {
    let layout = GraphLayout::new(view, rect);
    let scale = GraphScale::new(view, layout.plot);
    if !(layout.plot.width() > 1.0 && layout.plot.height() > 1.0) {
        return;
    }
    axes::draw(canvas, view, theme, &scale, &layout);
    if let Some(strip) = layout.times {
        times::draw(canvas, view, theme, &scale, strip);
    }
    let lines = match view.game {
        Some(game) => draw_variation(canvas, view, theme, &scale, game, lang),
        None => draw_curves(canvas, view, theme, &scale),
    };
    draw_cursor(canvas, view, theme, &scale, layout.plot_and_times());
    marks::draw(canvas, view, theme, &scale, lang, &lines);
    draw_names(canvas, view, theme, &scale, lang);
}

/// Returns the colour of the curve with this index, from 0. Curves from the fifth on have one colour.
pub const fn curve_color(theme: &PaintTheme, index: usize) -> Color32 {
    match index {
        0 => theme.text,
        1 => theme.other_curve,
        2 => theme.black_word,
        3 => theme.doubtful,
        _ => theme.main_line,
    }
}

/// Returns the colour of the curve with this index, from 0, among the values shown live. `recorded_count` is the number
/// of curves of the record.
pub const fn live_color(theme: &PaintTheme, index: usize, recorded_count: usize) -> Color32 {
    match (index, recorded_count) {
        (0, 1..) => theme.accent,
        _ => curve_color(theme, index + recorded_count),
    }
}

/// Draws the curves of all engines. Returns the lines of the first live curve and of the first recorded one. Without a
/// judge, the recorded one is returned only if there are no live values.
fn draw_curves(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
) -> Vec<Vec<Pos2>> {
    let (main, other) = GraphMeasure::for_kind(view.kind);
    let recorded: Vec<_> = view
        .series
        .iter()
        .map(|series| curve::series_lines(view, series, main, scale))
        .collect();
    let live: Vec<_> = view
        .live_series
        .iter()
        .map(|series| curve::series_lines(view, series, main, scale))
        .collect();
    draw_filled_values(canvas, view, theme, scale, main);
    let judge = if view.has_judge { recorded.first() } else { None };
    for line in judge.into_iter().chain(live.first()).flatten() {
        fill_areas(canvas, line, scale, axes::area_colors(theme));
    }
    // The second measure is drawn for the first engine only, to keep the graph readable.
    if let Some((series, other)) = view
        .series
        .first()
        .or_else(|| view.live_series.first())
        .zip(other)
    {
        for line in curve::series_lines(view, series, other, scale) {
            curve::add_solid_line(
                &mut canvas.shapes,
                &line,
                1.1,
                curve_color(theme, 0).gamma_multiply(0.5),
            );
        }
    }
    for (index, lines) in live.iter().enumerate().rev() {
        let color = live_color(theme, index, recorded.len());
        for line in lines {
            match (index, recorded.len()) {
                (0, 1..) => curve::add_solid_line(&mut canvas.shapes, line, LIVE_LINE_WIDTH, color),
                _ => curve::add_line(&mut canvas.shapes, line, color, index == 0),
            }
        }
    }
    for (index, lines) in recorded.iter().enumerate().rev() {
        for line in lines {
            curve::add_line(
                &mut canvas.shapes,
                line,
                curve_color(theme, index),
                index == 0 && view.has_judge,
            );
        }
    }
    let first = if view.has_judge || live.is_empty() {
        recorded.into_iter().next()
    } else {
        None
    };
    first
        .into_iter()
        .chain(live.into_iter().next())
        .flatten()
        .collect()
}

/// Draws the values that background searches filled in, fainter than all other curves.
fn draw_filled_values(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    measure: GraphMeasure,
) {
    let values = view.filled_values.iter().enumerate();
    let values = values.filter_map(|(ply, value)| value.map(|(value, model)| (ply, value, model)));
    let areas = axes::area_colors(theme).map(|color| color.gamma_multiply(FILLED_OPACITY));
    for line in curve::value_lines(values, measure, scale) {
        fill_areas(canvas, &line, scale, areas);
        curve::add_solid_line(
            &mut canvas.shapes,
            &line,
            FILLED_LINE_WIDTH,
            curve_color(theme, 0).gamma_multiply(FILLED_OPACITY),
        );
    }
}

/// Draws a variation over the faded game. Returns the lines of both.
fn draw_variation(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    game: GraphGame<'_>,
    lang: Lang,
) -> Vec<Vec<Pos2>> {
    let (measure, _) = GraphMeasure::for_kind(view.kind);
    let played = game
        .values
        .iter()
        .enumerate()
        .filter_map(|(ply, value)| value.map(|(value, model)| (ply, value, model)));
    let mut lines = curve::value_lines(played, measure, scale);
    let plies = game.branch_ply..=view.plies;
    let branch = curve::value_lines(
        plies
            .clone()
            .filter_map(|ply| view.value(ply).map(|(value, model)| (ply, value, model))),
        measure,
        scale,
    );
    for line in &lines {
        fill_areas(
            canvas,
            line,
            scale,
            axes::area_colors(theme).map(|area| area.gamma_multiply(GAME_OPACITY)),
        );
        curve::add_solid_line(&mut canvas.shapes, line, GAME_LINE_WIDTH, theme.main_line);
    }
    for line in &branch {
        fill_areas(canvas, line, scale, axes::area_colors(theme));
        curve::add_solid_line(&mut canvas.shapes, line, VARIATION_LINE_WIDTH, theme.accent);
    }
    if scale.ply_width() >= MIN_PLY_WIDTH_WITH_POINTS {
        for ply in
            plies.filter(|ply| *ply > game.branch_ply && view.value(*ply).is_some() && scale.is_in_view(*ply))
        {
            let Some(at) = point_at(view, scale, ply) else {
                continue;
            };
            canvas
                .shapes
                .push(Shape::circle_filled(at, 4.2, theme.card.to_opaque()));
            canvas.shapes.push(Shape::circle_filled(at, 3.2, theme.accent));
        }
    }
    draw_curve_names(canvas, theme, scale, [&lines, &branch], lang);
    lines.extend(branch);
    lines
}

/// Writes the words for the game and the variation beside their curves.
fn draw_curve_names(
    canvas: &mut ShapeCanvas<'_, '_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    [game, branch]: [&[Vec<Pos2>]; 2],
    lang: Lang,
) {
    let rect = scale.rect;
    if rect.height() < 70.0 || rect.width() < 200.0 {
        return;
    }
    let mut put = |word: GraphWord, color, anchor: &dyn Fn(egui::Vec2) -> Pos2| {
        let galley =
            canvas
                .fonts
                .layout_no_wrap(word.text(lang).to_owned(), TextWeight::Bold.at(12.5), color);
        let at = anchor(galley.size());
        let max = (rect.max - galley.size()).max(rect.min);
        canvas.draw_outlined(&galley, at.clamp(rect.min, max), axes::text_outline_color(theme));
    };
    if let Some(last) = branch.last().and_then(|line| line.last()) {
        put(GraphWord::Variation, theme.accent, &|size| {
            let is_room = last.x + 10.0 + size.x < rect.right();
            let x = if is_room {
                last.x + 10.0
            } else {
                rect.right() - size.x - 4.0
            };
            pos2(x, last.y - size.y * if is_room { 0.8 } else { 1.7 })
        });
    }
    let Some(line) = game.first() else { return };
    put(GraphWord::MainLine, theme.main_line, &|size| {
        let x = egui::lerp(rect.x_range(), 0.14);
        let beside = line
            .iter()
            .filter(|point| point.x >= x - 8.0 && point.x <= x + size.x + 8.0);
        let top = beside.map(|point| point.y).fold(rect.center().y, f32::min);
        pos2(x, top - size.y - 5.0)
    });
}

/// Fills the area between the curve and the middle in the colours of Black and White.
fn fill_areas(
    canvas: &mut ShapeCanvas<'_, '_>,
    line: &[Pos2],
    scale: &GraphScale,
    [black, white]: [Color32; 2],
) {
    let middle = scale.middle_y();
    let side = |y: f32| {
        if (y < middle) == scale.is_upper(Color::Black) {
            black
        } else {
            white
        }
    };
    let mut mesh = Mesh::default();
    for pair in curve::with_crossings(line, middle).windows(2) {
        let [one, other] = pair else { continue };
        let far = if (one.y - middle).abs() > (other.y - middle).abs() {
            one.y
        } else {
            other.y
        };
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

/// Draws the line and the point at the current ply. A ply without a value has no point.
fn draw_cursor(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    rect: Rect,
) {
    if view.current_ply > view.plies || !scale.is_in_view(view.current_ply) {
        return;
    }
    let x = canvas.snap_to_pixels(scale.x(view.current_ply) - 1.0);
    canvas.fill(
        Rect::from_min_max(pos2(x, rect.top()), pos2(x + 2.0, rect.bottom())),
        theme.blunder,
    );
    // A position without a value has no point: it would look like an even position.
    let at = match view.bar_share {
        Some(share) if view.kind != GraphKind::Evaluation && !view.is_empty() => {
            Some(scale.point(view.current_ply, 2.0 * share - 1.0))
        }
        _ if view.value(view.current_ply).is_some() => point_at(view, scale, view.current_ply),
        _ => None,
    };
    if let Some(at) = at {
        canvas.shapes.push(Shape::circle_filled(
            at,
            CURRENT_POINT_RADIUS + 1.2,
            theme.card.to_opaque(),
        ));
        canvas
            .shapes
            .push(Shape::circle_filled(at, CURRENT_POINT_RADIUS, theme.blunder));
    }
}

/// Writes the names of the sides at the border, the names of the engines, and a text if there is no curve.
fn draw_names(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    lang: Lang,
) {
    let rect = scale.rect;
    let mut put = |(at, align): (Pos2, Align2), text: &str, weight: egui::FontId, color: Color32| {
        let galley = canvas.fonts.layout_no_wrap(text.to_owned(), weight, color);
        let rect = align.anchor_size(at, galley.size());
        canvas.draw_outlined(&galley, rect.min, axes::text_outline_color(theme));
        rect
    };
    if view.is_empty() {
        let word = if view.is_hidden {
            GraphWord::Hidden
        } else {
            GraphWord::Nothing
        };
        let at = rect.center() - vec2(0.0, 14.0);
        put(
            (at, Align2::CENTER_CENTER),
            word.text(lang),
            TextWeight::Regular.at(12.5),
            theme.quiet,
        );
    }
    if rect.height() < 70.0 || rect.width() < 200.0 {
        return;
    }
    let font = TextWeight::Bold.at(if rect.height() > 140.0 {
        LARGE_NAME_FONT_SIZE
    } else {
        axes::LABEL_FONT_SIZE
    });
    let mut first = Rect::NOTHING;
    let words = [theme.black_word, theme.white_word];
    for ((side, title), color) in [Color::Black, Color::White]
        .into_iter()
        .zip(view.titles)
        .zip(words)
    {
        if scale.is_upper(side) {
            first = put(
                (rect.left_top() + vec2(7.0, 2.0), Align2::LEFT_TOP),
                title,
                font.clone(),
                color,
            );
        } else {
            put(
                (rect.left_bottom() + vec2(7.0, -2.0), Align2::LEFT_BOTTOM),
                title,
                font.clone(),
                color,
            );
        }
    }
    if view.name_position == GraphNamePosition::Beside {
        return;
    }
    let mut left = first.right() + 16.0;
    for (index, series) in view
        .series
        .iter()
        .enumerate()
        .filter(|(_, series)| !series.name.is_empty())
    {
        let (name, color) = (
            series.name.chars().take(MAX_NAME_CHARS).collect::<String>(),
            curve_color(theme, index),
        );
        let name = canvas
            .fonts
            .layout_no_wrap(name, TextWeight::Regular.at(axes::LABEL_FONT_SIZE), color);
        let (middle, width) = (first.center().y, name.size().x);
        if left + SAMPLE_LENGTH + width > rect.right() {
            break;
        }
        canvas.shapes.extend(curve::curve_sample(
            pos2(left, middle),
            SAMPLE_LENGTH,
            color,
            index == 0 && view.has_judge,
        ));
        let at = pos2(left + SAMPLE_LENGTH + 5.0, middle - name.size().y / 2.0);
        canvas.draw_outlined(&name, at, axes::text_outline_color(theme));
        left = at.x + width + 14.0;
    }
}
