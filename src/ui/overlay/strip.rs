//! The graph of the game so far, as a strip. The first side of `OverlayStyle::ends` has the area above the middle.

use super::canvas::OverlayCanvas;
use crate::PartWord;
use crate::graph::{curve, mark_letter};
use crate::text_runs::{TextRun, TextRuns};
use crate::theme::{faded, mean_share_color};
use eframe::egui;
use egui::epaint::Mesh;
use egui::{Align, CornerRadius, Pos2, Rect, Shape, Stroke, pos2, vec2};
use shogibar_games::analysis::MoveMark;
use shogibar_games::bar::BarView;
use shogibar_shogi::Color;

/// The minimum lead that the upper and lower edge of the graph stand for, as a fraction.
const MIN_EDGE_LEAD: f32 = 0.22;
/// The font size of the sides' names, in points at scale 1.
const NAME_FONT_SIZE: f32 = 9.0;
/// The minimum height of a half with the name of its side, as a multiple of the smallest readable font size.
const MIN_NAME_HEIGHT_EMS: f32 = 14.0 / 11.0;
/// The strength of the sides' colours in the halves, from 0 to 1.
const HALF_STRENGTH: f32 = 0.13;

/// The strength of the curve's colours, from 0 to 1, if its values come from background searches.
const FILLED_STRENGTH: f32 = 0.45;

/// The radius of the dot of a mistake, in points at scale 1.
const DOT_RADIUS: f32 = 6.5;
/// The font size of the letter in a dot, as a multiple of the radius.
const LETTER_SIZE_FACTOR: f32 = 1.31;

/// The smallest radius of a dot, in points of the screen. A small dot has a cross instead of a letter.
const MIN_DOT_RADIUS: f32 = 4.0;

/// Draws the graph into `bounds`. The right end is the present. Mistakes have dots with letters, or with a cross if
/// letters are not readable. In the graph of the whole game, doubtful moves have dots as well.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect, is_whole_game: bool) {
    let theme = canvas.theme();
    let background = if canvas.theme().text_edge == egui::Color32::TRANSPARENT {
        theme.panel
    } else {
        theme.tray
    };
    let middle = bounds.center().y;
    let [upper, lower] = canvas.style.ends();
    for (side, half) in [
        (upper, bounds.with_max_y(middle)),
        (lower, bounds.with_min_y(middle)),
    ] {
        let color = faded(mean_share_color(theme, side), background, HALF_STRENGTH);
        canvas.fill(half, CornerRadius::ZERO, color);
    }
    let upward = if upper == Color::Black { 1.0 } else { -1.0 };
    let filled: Vec<_> = view
        .graph
        .iter()
        .enumerate()
        .map(|(ply, share)| share.or_else(|| view.filled_shares.get(ply).copied().flatten()))
        .collect();
    let leads = filled.iter().flatten().map(|share| (share - 0.5).abs() * 2.0);
    let max_lead = leads.fold(MIN_EDGE_LEAD, f32::max).min(1.0);
    let last = view.graph.len().saturating_sub(1);
    let x = |ply: usize| bounds.left() + bounds.width() * ply as f32 / last.max(1) as f32;
    let y = |share: f32| middle - upward * (share - 0.5) * 2.0 / max_lead * (bounds.height() / 2.0 - 1.0);
    let lines_of = |shares: &[Option<f32>]| {
        let known = shares
            .iter()
            .enumerate()
            .filter_map(|(ply, share)| share.map(|share| (ply, share)));
        curve::split_at_gaps(known.map(|(ply, share)| (ply, pos2(x(ply), y(share.clamp(0.0, 1.0))))))
    };
    let (lines, faint) = (
        lines_of(&view.graph),
        lines_of(if view.filled_shares.iter().any(Option::is_some) {
            &filled
        } else {
            &[]
        }),
    );
    let colors = [Color::Black, Color::White].map(|side| mean_share_color(theme, side));
    for line in &faint {
        fill_areas(
            canvas,
            line,
            (middle, upward),
            colors.map(|color| faded(color, background, FILLED_STRENGTH)),
        );
    }
    for line in &lines {
        fill_areas(canvas, line, (middle, upward), colors);
    }
    let axis = bounds.with_min_y(middle - 0.5).with_max_y(middle + 0.5);
    canvas.fill(axis, CornerRadius::ZERO, faded(theme.quiet, background, 0.6));
    let (width, color) = (canvas.scale.max(1.0), faded(theme.text, background, 0.85));
    for line in &faint {
        curve::add_solid_line(
            canvas.shapes_mut(),
            line,
            width,
            faded(theme.text, background, FILLED_STRENGTH),
        );
    }
    for line in &lines {
        curve::add_solid_line(canvas.shapes_mut(), line, width, color);
    }
    let threshold = if is_whole_game {
        MoveMark::Dubious
    } else {
        MoveMark::Mistake
    };
    draw_dots(canvas, &mistakes(view, threshold), bounds, |ply, share| {
        pos2(x(ply), y(share))
    });
    let names = [upper, lower].map(|side| view.side(side).role.as_str());
    let inside = bounds.shrink2(vec2(4.0 * canvas.scale, 0.0));
    for (name, half) in names
        .into_iter()
        .zip([inside.with_max_y(middle), inside.with_min_y(middle)])
    {
        if half.height() >= MIN_NAME_HEIGHT_EMS * canvas.min_font_size() {
            let runs = [TextRun::bold(name, theme.text)];
            canvas.draw_line(
                TextRuns::line(&runs, NAME_FONT_SIZE),
                NAME_FONT_SIZE,
                half,
                Align::LEFT,
            );
        }
    }
    if !view.is_stale
        && view.decided_win.is_none()
        && let Some(now) = lines.iter().flatten().last()
    {
        let width = canvas.scale.max(1.0);
        let cursor = bounds
            .with_min_x(now.x - width / 2.0)
            .with_max_x(now.x + width / 2.0);
        canvas.fill(cursor, CornerRadius::ZERO, theme.seam);
        canvas.add(Shape::circle_filled(*now, 2.2 * canvas.scale, theme.seam));
    }
    let known = view.graph.iter().flatten().count();
    canvas.add_named_part(
        PartWord::Graph,
        if known > 0 {
            known.to_string()
        } else {
            String::new()
        },
        bounds,
    );
}

/// A move with a loss, which has a dot in the strip.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mistake {
    /// The number of the move, from 1.
    ply: usize,
    /// Black's share after the move.
    share: f32,
    /// The severity of the mistake.
    mark: MoveMark,
    /// The loss of the move, in percentage points.
    loss: f64,
}

/// Returns the moves with this mark or a worse one, the worst first. The newest move is left out until the game is
/// decided, because its loss is shown beside the bar.
fn mistakes(view: &BarView, min_mark: MoveMark) -> Vec<Mistake> {
    let Some(last_mover) = view.last_mover else {
        return Vec::new();
    };
    let newest = view.graph.len().saturating_sub(1);
    let mistake = |(before, pair): (usize, &[Option<f32>])| {
        let [Some(from), Some(to)] = pair else { return None };
        let ply = before + 1;
        let mover = if (newest - ply).is_multiple_of(2) {
            last_mover
        } else {
            last_mover.flip()
        };
        let gain = if mover == Color::Black {
            to - from
        } else {
            from - to
        };
        let loss = f64::from(-100.0 * gain);
        let mark = MoveMark::from_loss(loss).filter(|mark| *mark >= min_mark)?;
        Some(Mistake {
            ply,
            share: to.clamp(0.0, 1.0),
            mark,
            loss,
        })
    };
    let mut found: Vec<_> = view.graph.windows(2).enumerate().filter_map(mistake).collect();
    if view.decided_win.is_none() {
        found.retain(|mistake| mistake.ply < newest);
    }
    found.sort_by(|one, other| other.loss.total_cmp(&one.loss));
    found
}

/// Draws the dots of mistakes, the worst first. A dot that would cover an earlier one is left out.
fn draw_dots(
    canvas: &mut OverlayCanvas<'_, '_>,
    mistakes: &[Mistake],
    bounds: Rect,
    point_at: impl Fn(usize, f32) -> Pos2,
) {
    let theme = canvas.theme();
    // A smaller dot has a cross in place of a letter.
    let min_letter_radius = canvas.min_font_size() / LETTER_SIZE_FACTOR;
    let radius = (DOT_RADIUS * canvas.scale)
        .max(min_letter_radius)
        .min(bounds.height() / 2.0 - 1.0);
    if radius < MIN_DOT_RADIUS {
        return;
    }
    let inside = bounds.shrink(radius + 1.0);
    let mut placed: Vec<Pos2> = Vec::new();
    for mistake in mistakes {
        let at = inside.clamp(point_at(mistake.ply, mistake.share));
        if placed.iter().any(|other| other.distance(at) < 1.9 * radius) {
            continue;
        }
        placed.push(at);
        let is_bad = mistake.mark >= MoveMark::Mistake;
        let (fill, on) = if is_bad {
            (theme.swing, theme.on_swing)
        } else {
            (theme.doubtful, theme.on_mark)
        };
        let around = if is_bad && theme.swing_edge != egui::Color32::TRANSPARENT {
            theme.swing_edge
        } else {
            theme.tray
        };
        canvas.add(Shape::circle_filled(at, radius + 1.0, around));
        canvas.add(Shape::circle_filled(at, radius, fill));
        if radius >= min_letter_radius {
            let letter = [TextRun::bold(mark_letter(mistake.mark, canvas.style.lang), on)];
            // The dot does not grow with the user's text size.
            let size = radius * LETTER_SIZE_FACTOR / canvas.scale / canvas.style.text_size.fraction();
            let bounds = Rect::from_center_size(at, egui::Vec2::splat(4.0 * radius));
            canvas.draw_chip_text(TextRuns::line(&letter, size), bounds);
        } else if is_bad {
            let arm = 0.4 * radius;
            for side in [-arm, arm] {
                let line = [at + vec2(-arm, side), at + vec2(arm, -side)];
                canvas.add(Shape::line_segment(line, Stroke::new(0.25 * radius, on)));
            }
        }
    }
}

/// Fills the areas between the curve and the middle in the colours of the sides.
fn fill_areas(
    canvas: &mut OverlayCanvas<'_, '_>,
    points: &[Pos2],
    (middle, upward): (f32, f32),
    [black, white]: [egui::Color32; 2],
) {
    let mut mesh = Mesh::default();
    for pair in points.windows(2) {
        let [one, other] = pair else { continue };
        // A segment that crosses the middle has an area on both sides.
        let crosses = (one.y < middle) != (other.y < middle) && (one.y - other.y).abs() > f32::EPSILON;
        let at = one.lerp(*other, (middle - one.y) / (other.y - one.y));
        let parts = if crosses {
            [(*one, at), (at, *other)]
        } else {
            [(*one, *other), (*other, *other)]
        };
        for (from, to) in parts {
            let far = if (from.y - middle).abs() > (to.y - middle).abs() {
                from.y
            } else {
                to.y
            };
            let color = if (far < middle) == (upward > 0.0) {
                black
            } else {
                white
            };
            let first = u32::try_from(mesh.vertices.len()).unwrap_or(u32::MAX);
            for corner in [from, to, pos2(to.x, middle), pos2(from.x, middle)] {
                mesh.colored_vertex(corner, color);
            }
            mesh.add_triangle(first, first + 1, first + 2);
            mesh.add_triangle(first, first + 2, first + 3);
        }
    }
    canvas.add(Shape::mesh(mesh));
}
