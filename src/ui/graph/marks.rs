//! The marked moves: lettered dots on stems, which never overlap.

use super::scale::{GraphScale, point_at};
use super::{GraphMark, GraphView};
use crate::PaintTheme;
use crate::canvas::ShapeCanvas;
use crate::fonts::TextWeight;
use crate::text_runs::MIN_READABLE_FONT_SIZE;
use eframe::egui;
use egui::{Color32, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};
use shogibar_base::Lang;
use shogibar_games::analysis::MoveMark;
use shogibar_games::graph_text::GraphWord;

/// The radius of a point on the curve, in points.
const POINT_RADIUS: f32 = 3.2;
/// The width of the ring around points and dots, in points.
const RING_WIDTH: f32 = 1.5;
/// The radius of a point where many marks would hide the curve, in points.
const SMALL_POINT_RADIUS: f32 = 1.8;
/// The width of the ring around a point where many marks would hide the curve, in points.
const SMALL_RING_WIDTH: f32 = 0.7;
/// The width of the graph per mark, in points, below which points are small.
const MIN_WIDTH_PER_MARK: f32 = 10.0;
/// The radius of dots in a large graph, in points.
const DOT_RADIUS: f32 = 9.0;
/// The font size of the letter in a dot, as a multiple of the radius.
const LETTER_SIZE_FACTOR: f32 = 12.0 / DOT_RADIUS;
/// The radius of dots in a small graph, in points. Their letters have the smallest readable size.
const SMALL_DOT_RADIUS: f32 = MIN_READABLE_FONT_SIZE / LETTER_SIZE_FACTOR;
/// The minimum height of a large graph, in points.
const MIN_LARGE_HEIGHT: f32 = 130.0;
/// The minimum size of a graph with dots, in points.
const MIN_MARKED_SIZE: Vec2 = vec2(120.0, 44.0);
/// The minimum width of a ply with which a small inaccuracy has a dot, in points.
const MIN_PLY_WIDTH_FOR_INACCURACIES: f32 = 12.0;
/// The minimum distance of dots, in points, if the graph has less room than this per dot. The distance keeps the curve
/// visible.
const MIN_DOT_DISTANCE: f32 = 34.0;

/// Returns the colour of a mark on the graph, in a list, or beside a move.
pub const fn mark_color(mark: MoveMark, theme: &PaintTheme) -> Color32 {
    match mark {
        MoveMark::Inaccuracy => theme.quiet,
        MoveMark::Dubious => theme.doubtful,
        MoveMark::Mistake | MoveMark::Blunder => theme.blunder,
    }
}

/// Returns the letter on the dot of a mark.
pub const fn mark_letter(mark: MoveMark, lang: Lang) -> &'static str {
    let letter = match mark {
        MoveMark::Inaccuracy => GraphWord::InaccuracyLetter,
        MoveMark::Dubious => GraphWord::DubiousLetter,
        MoveMark::Mistake => GraphWord::MistakeLetter,
        MoveMark::Blunder => GraphWord::BlunderLetter,
    };
    letter.text(lang)
}

/// The dot with the letter of a marked move.
struct MarkDot {
    /// The severity of the mark.
    kind: MoveMark,
    /// Whether the dot has a ring, for a decisive move.
    is_decisive: bool,
    /// The point on the curve.
    point: Pos2,
    center: Pos2,
    radius: f32,
}

/// Draws the marks in view. Decisive moves and the worst marks get their dots first. A mark without room for a dot is only a point on the
/// curve.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    lang: Lang,
    lines: &[Vec<Pos2>],
) {
    let marks = view
        .marks
        .iter()
        .filter(|mark| mark.ply <= view.plies && scale.is_in_view(mark.ply));
    let mut marks: Vec<(GraphMark, Pos2)> = marks
        .filter_map(|mark| Some((*mark, point_at(view, scale, mark.ply)?)))
        .collect();
    marks.sort_by_key(|(mark, _)| std::cmp::Reverse((mark.is_decisive, mark.kind)));
    let dots = place_dots(view, scale, &marks, lines);
    let ring = theme.card.to_opaque();
    let is_many = marks.len() as f32 * MIN_WIDTH_PER_MARK > scale.rect.width();
    let (point, point_ring) = if is_many {
        (SMALL_POINT_RADIUS, SMALL_RING_WIDTH)
    } else {
        (POINT_RADIUS, RING_WIDTH)
    };
    for dot in &dots {
        canvas.shapes.push(Shape::line_segment(
            [dot.point, dot.center],
            Stroke::new(2.0, mark_color(dot.kind, theme)),
        ));
    }
    // The point of a worse move is drawn over that of a lesser one.
    for (mark, at) in marks.iter().rev() {
        canvas
            .shapes
            .push(Shape::circle_filled(*at, point + point_ring, ring));
        canvas
            .shapes
            .push(Shape::circle_filled(*at, point, mark_color(mark.kind, theme)));
    }
    for MarkDot {
        kind,
        is_decisive,
        center,
        radius,
        ..
    } in dots.into_iter().rev()
    {
        canvas
            .shapes
            .push(Shape::circle_filled(center, radius + RING_WIDTH, ring));
        if is_decisive {
            canvas.shapes.extend(dot_with_ring(center, radius, kind, theme));
        } else {
            canvas
                .shapes
                .push(Shape::circle_filled(center, radius, mark_color(kind, theme)));
        }
        let letter = mark_letter(kind, lang);
        let size = if scale.rect.height() >= MIN_LARGE_HEIGHT {
            DOT_RADIUS
        } else {
            SMALL_DOT_RADIUS
        } * LETTER_SIZE_FACTOR;
        let size = if letter.chars().count() > 1 {
            size * 0.85
        } else {
            size
        };
        canvas.draw_text(letter, center, TextWeight::Bold.at(size), theme.on_mark, false);
    }
}

/// Returns the shapes of a dot with the ring of a decisive move. `radius` is that of the ring's outer edge, in points.
pub fn dot_with_ring(center: Pos2, radius: f32, kind: MoveMark, theme: &PaintTheme) -> [Shape; 3] {
    let (color, gap) = (mark_color(kind, theme), theme.card.to_opaque());
    [(radius, color), (radius - 1.3, gap), (radius - 2.3, color)]
        .map(|(radius, color)| Shape::circle_filled(center, radius, color))
}

/// Returns the dots that have room, those of decisive moves and of the worst marks first; none in a graph smaller than [`MIN_MARKED_SIZE`].
fn place_dots(
    view: &GraphView<'_>,
    scale: &GraphScale,
    marks: &[(GraphMark, Pos2)],
    lines: &[Vec<Pos2>],
) -> Vec<MarkDot> {
    let rect = scale.rect;
    if rect.width() < MIN_MARKED_SIZE.x || rect.height() < MIN_MARKED_SIZE.y {
        return Vec::new();
    }
    let dot = if rect.height() >= MIN_LARGE_HEIGHT {
        DOT_RADIUS
    } else {
        SMALL_DOT_RADIUS
    };
    let mut taken: Vec<Rect> = Vec::new();
    if scale.is_in_view(view.current_ply)
        && let Some(here) = point_at(view, scale, view.current_ply)
    {
        taken.push(Rect::from_center_size(here, Vec2::splat(9.0)));
    }
    let mut dots: Vec<MarkDot> = Vec::new();
    let min_mark = if scale.ply_width() >= MIN_PLY_WIDTH_FOR_INACCURACIES {
        MoveMark::Inaccuracy
    } else {
        MoveMark::Dubious
    };
    let count = marks.iter().take_while(|(mark, _)| mark.kind >= min_mark).count();
    let distance = if count as f32 * MIN_DOT_DISTANCE > rect.width() {
        MIN_DOT_DISTANCE
    } else {
        0.0
    };
    for (mark, at) in marks.iter().take(count) {
        if dots.iter().any(|dot| (dot.point.x - at.x).abs() < distance) {
            continue;
        }
        let radius = if mark.is_decisive { dot + 2.0 } else { dot };
        // A bad move turns the curve away from its side's half. Its dot is in that half, outside the curve.
        let mover = if mark.ply % 2 == 1 {
            view.first_mover
        } else {
            view.first_mover.flip()
        };
        let outward = if scale.is_upper(mover) { 1.0 } else { -1.0 };
        let Some(center) = free_center(*at, radius, outward, rect, &taken, lines) else {
            continue;
        };
        taken.push(Rect::from_center_size(
            center,
            Vec2::splat(2.0 * (radius + RING_WIDTH)),
        ));
        dots.push(MarkDot {
            kind: mark.kind,
            is_decisive: mark.is_decisive,
            point: *at,
            center,
            radius,
        });
    }
    dots
}

/// Returns a free centre for a dot above or below its point, away from the curves if possible. `outward` is the
/// preferred direction: 1 is down, -1 is up. Returns `None` if there is no room.
fn free_center(
    at: Pos2,
    radius: f32,
    outward: f32,
    rect: Rect,
    taken: &[Rect],
    lines: &[Vec<Pos2>],
) -> Option<Pos2> {
    let near = radius + 8.0;
    let room = |center: Pos2| Rect::from_center_size(center, Vec2::splat(2.0 * (radius + RING_WIDTH)));
    let offsets = [
        (outward, 0.0),
        (-outward, 0.0),
        (outward, 1.0),
        (outward, -1.0),
        (-outward, 1.0),
        (-outward, -1.0),
    ];
    let centers = offsets.into_iter().flat_map(|(side, shift)| {
        (0..4_u8).map(move |step| {
            pos2(
                at.x + shift * radius * 1.2,
                at.y + side * (near + f32::from(step) * radius * 1.1),
            )
        })
    });
    let mut centers = centers
        .filter(|center| {
            rect.expand(2.0).contains_rect(room(*center))
                && taken.iter().all(|other| !other.intersects(room(*center)))
        })
        .peekable();
    let first = centers.peek().copied();
    centers
        .find(|center| {
            !lines
                .iter()
                .any(|line| line_crosses(line, room(*center).shrink(1.0)))
        })
        .or(first)
}

/// Returns whether a line, which runs from left to right, crosses a rectangle.
fn line_crosses(line: &[Pos2], room: Rect) -> bool {
    let first = line
        .partition_point(|point| point.x < room.left())
        .saturating_sub(1);
    let near = line.get(first..).unwrap_or_default();
    near.windows(2)
        .take_while(|pair| pair.first().is_some_and(|point| point.x <= room.right()))
        .any(|pair| {
            let [one, other] = pair else { return false };
            let at = |x: f32| {
                let part = if other.x > one.x {
                    ((x - one.x) / (other.x - one.x)).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                egui::lerp(one.y..=other.y, part)
            };
            let (left, right) = (at(room.left()), at(room.right()));
            let is_beside = other.x < room.left() || one.x > room.right();
            !is_beside && left.min(right) <= room.bottom() && left.max(right) >= room.top()
        })
}
