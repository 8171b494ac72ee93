//! Dots on the marked moves, with words that never lie upon each other.

use super::scale::Scale;
use super::{GraphMark, GraphView, MarkKind};
use crate::text::Lang;
use crate::text::graph::GraphWord;
use crate::ui::Theme;
use crate::ui::canvas::Canvas;
use crate::ui::fonts::Weight;
use eframe::egui;
use egui::{Align2, Color32, Pos2, Rect, Shape, Vec2, vec2};

/// How large words and dots are, in points.
const WORDS: f32 = 12.0;
const DOT: f32 = 4.5;

impl MarkKind {
    const fn word(self) -> GraphWord {
        match self {
            Self::Good => GraphWord::Good,
            Self::Slack => GraphWord::Slack,
            Self::Doubtful => GraphWord::Doubtful,
            Self::Bad => GraphWord::Bad,
            Self::Terrible => GraphWord::Terrible,
        }
    }

    /// What it is called.
    pub const fn text(self, lang: Lang) -> &'static str {
        self.word().text(lang)
    }

    /// The colour of it on the graph, in a list, beside a move.
    pub const fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Good => theme.arrow,
            Self::Slack => theme.quiet,
            Self::Doubtful => theme.doubtful,
            Self::Bad | Self::Terrible => theme.accent,
        }
    }
}

/// Draws the marks that have a place on the line; the worst have their words first.
pub(super) fn draw(
    canvas: &mut Canvas<'_, '_>,
    view: &GraphView<'_>,
    theme: &Theme,
    scale: &Scale,
    (lang, place): (Lang, &dyn Fn(usize) -> Option<Pos2>),
) {
    let mut marks: Vec<(GraphMark, Pos2)> = view
        .marks
        .iter()
        .filter_map(|mark| Some((*mark, place(mark.ply).filter(|_| mark.ply <= view.plies)?)))
        .collect();
    // A dot of a worse move lies over one of a lesser.
    marks.sort_by_key(|(mark, _)| mark.kind);
    let mut taken: Vec<Rect> =
        marks.iter().map(|(_, at)| Rect::from_center_size(*at, Vec2::splat(2.0 * DOT))).collect();
    for (mark, at) in &marks {
        canvas.shapes.push(Shape::circle_filled(*at, DOT + 1.5, theme.panel.to_opaque()));
        canvas.shapes.push(Shape::circle_filled(*at, DOT, mark.kind.color(theme)));
        if mark.kind == MarkKind::Terrible {
            canvas.shapes.push(Shape::circle_filled(*at, DOT * 0.4, theme.panel.to_opaque()));
        }
    }
    for (mark, at) in marks.iter().rev() {
        let color = mark.kind.color(theme);
        let galley = canvas.fonts.layout_no_wrap(mark.kind.text(lang).to_owned(), Weight::Bold.at(WORDS), color);
        let size = galley.mesh_bounds.size();
        let Some(room) = free(*at, size, scale.rect, &taken) else { continue };
        let offset = room.min - galley.mesh_bounds.min;
        canvas.shapes.push(Shape::galley(offset.to_pos2(), galley, color));
        taken.push(room);
    }
}

/// A place for words beside a dot where nothing is yet; none where there is no room.
fn free(at: Pos2, size: Vec2, bounds: Rect, taken: &[Rect]) -> Option<Rect> {
    let (near, far) = (DOT + 3.0, DOT + 3.0 + size.y);
    let ways = [
        (Align2::LEFT_BOTTOM, vec2(near, -2.0)),
        (Align2::RIGHT_BOTTOM, vec2(-near, -2.0)),
        (Align2::LEFT_TOP, vec2(near, 2.0)),
        (Align2::RIGHT_TOP, vec2(-near, 2.0)),
        (Align2::CENTER_BOTTOM, vec2(0.0, -near)),
        (Align2::CENTER_TOP, vec2(0.0, near)),
        (Align2::CENTER_BOTTOM, vec2(0.0, -far - 2.0)),
        (Align2::CENTER_TOP, vec2(0.0, far + 2.0)),
    ];
    let mut rects = ways.into_iter().map(|(align, offset)| align.anchor_size(at + offset, size));
    rects.find(|rect| {
        bounds.contains_rect(*rect) && taken.iter().all(|other| !other.shrink(0.5).intersects(rect.expand(1.5)))
    })
}
