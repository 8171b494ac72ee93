//! Dots on the marked moves, with labels that never overlap.

use super::scale::GraphScale;
use super::{GraphMark, GraphView, axes};
use crate::analysis::MoveMark;
use crate::text::Lang;
use crate::ui::PaintTheme;
use crate::ui::canvas::ShapeCanvas;
use crate::ui::fonts::TextWeight;
use eframe::egui;
use egui::{Align2, Color32, Pos2, Rect, Shape, Vec2, vec2};

/// The font size of labels and the radius of dots, in points.
const WORDS: f32 = 12.0;
const DOT: f32 = 4.5;
/// Up to this many dots all have a label.
const FEW: usize = 8;

/// Returns the colour of a mark on the graph, in a list, or beside a move.
pub fn color(mark: MoveMark, theme: &PaintTheme) -> Color32 {
    match mark {
        MoveMark::Inaccuracy => theme.quiet,
        MoveMark::Dubious => theme.doubtful,
        // A theme without its own colour for blunders uses its red accent.
        MoveMark::Mistake | MoveMark::Blunder if theme.blunder == theme.loss => theme.accent,
        MoveMark::Mistake | MoveMark::Blunder => theme.blunder,
    }
}

/// Draws the marks that have a point on the curve; the worst get their labels first.
pub(super) fn draw(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &PaintTheme,
    scale: &GraphScale,
    (lang, lines): (Lang, &[Vec<Pos2>]),
) {
    let place = |ply| super::scale::place(view, scale, ply);
    let mut marks: Vec<(GraphMark, Pos2)> = view
        .marks
        .iter()
        .filter_map(|mark| Some((*mark, place(mark.ply).filter(|_| mark.ply <= view.plies)?)))
        .collect();
    // The dot of a worse move is drawn over that of a lesser one.
    marks.sort_by_key(|(mark, _)| mark.kind);
    let mut taken: Vec<Rect> =
        marks.iter().map(|(_, at)| Rect::from_center_size(*at, Vec2::splat(2.0 * DOT))).collect();
    for (mark, at) in &marks {
        canvas.shapes.push(Shape::circle_filled(*at, DOT + 1.5, theme.panel.to_opaque()));
        canvas.shapes.push(Shape::circle_filled(*at, DOT, color(mark.kind, theme)));
        if mark.kind == MoveMark::Blunder {
            canvas.shapes.push(Shape::circle_filled(*at, DOT * 0.4, theme.panel.to_opaque()));
        }
    }
    // Too many labels would hide the curve: of many marks, only bad moves get one.
    let least = if marks.len() > FEW { MoveMark::Mistake } else { MoveMark::Inaccuracy };
    for (mark, at) in marks.iter().rev().filter(|(mark, _)| mark.kind >= least) {
        let color = color(mark.kind, theme);
        let galley =
            canvas.fonts.layout_no_wrap(mark.kind.label().text(lang).to_owned(), TextWeight::Bold.at(WORDS), color);
        let size = galley.mesh_bounds.size();
        let Some(room) = free(*at, size, scale.rect, (&taken, lines)) else { continue };
        let offset = room.min - galley.mesh_bounds.min;
        canvas.edged(&galley, offset.to_pos2(), axes::ground(theme).gamma_multiply(0.8));
        taken.push(room);
    }
}

/// Returns a free rectangle for a label beside a dot, preferably away from the curves; `None` where there is no room.
fn free(at: Pos2, size: Vec2, bounds: Rect, (taken, lines): (&[Rect], &[Vec<Pos2>])) -> Option<Rect> {
    let near = DOT + 3.0;
    let mut rooms = Vec::with_capacity(24);
    for away in [0.0, size.y, 2.0 * size.y] {
        let (flat, steep) = (near - away.min(near), near + away);
        for (align, offset) in [
            (Align2::LEFT_BOTTOM, vec2(near, -2.0 - away)),
            (Align2::RIGHT_BOTTOM, vec2(-near, -2.0 - away)),
            (Align2::LEFT_TOP, vec2(near, 2.0 + away)),
            (Align2::RIGHT_TOP, vec2(-near, 2.0 + away)),
            (Align2::CENTER_BOTTOM, vec2(flat, -steep)),
            (Align2::CENTER_TOP, vec2(flat, steep)),
        ] {
            rooms.push(align.anchor_size(at + offset, size));
        }
    }
    let is_free = |room: &Rect| taken.iter().all(|other| !other.intersects(room.expand(1.5)));
    rooms.retain(|room| bounds.contains_rect(*room) && is_free(room));
    let clear = rooms.iter().find(|room| !lines.iter().any(|line| crosses(line, **room)));
    clear.or_else(|| rooms.first()).copied()
}

/// Returns whether a line, which runs from left to right, comes near a rectangle.
fn crosses(line: &[Pos2], room: Rect) -> bool {
    let first = line.partition_point(|point| point.x < room.left()).saturating_sub(1);
    let near = line.get(first..).unwrap_or_default();
    near.windows(2).take_while(|pair| pair.first().is_some_and(|point| point.x <= room.right())).any(|pair| {
        let [one, other] = pair else { return false };
        let at = |x: f32| {
            let part = if other.x > one.x { ((x - one.x) / (other.x - one.x)).clamp(0.0, 1.0) } else { 0.0 };
            egui::lerp(one.y..=other.y, part)
        };
        let (left, right) = (at(room.left()), at(room.right()));
        let is_beside = other.x < room.left() || one.x > room.right();
        !is_beside && left.min(right) <= room.bottom() && left.max(right) >= room.top()
    })
}
