//! The card of a turning point: its diagram, and beside it the loss and the better move.

use super::{PAD, ReportCanvas, ReportFont};
use crate::PaintTheme;
use crate::board::{self, Arrow, BoardMode, BoardSide, BoardView};
use crate::fonts::TextWeight;
use crate::graph;
use crate::shogi::{Color, Position};
use crate::text::report::{self as text, ReportWord};
use crate::text::{Lang, study};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Rect, Shape, Vec2, pos2, vec2};
use shogibar_games::report::{Report, ReportTurningPoint};

/// The width of a diagram, and the height of its caption, in points.
const DIAGRAM: f32 = 250.0;
const CAPTION: f32 = 22.0;
/// The maximum number of played moves shown.
const PLAYED: usize = 6;

/// Returns the height of a turning point, in points.
pub(super) fn height() -> f32 {
    diagram_size(DIAGRAM).y + CAPTION
}

/// Returns the size of a diagram of this width, in points.
pub(super) fn diagram_size(width: f32) -> Vec2 {
    board::size_for_width(&BoardView::new(&Position::startpos(), Lang::Ja), width)
}

impl ReportCanvas<'_, '_, '_> {
    /// Draws a turning point into a rectangle.
    pub(super) fn draw_turning_point(&mut self, turn: &ReportTurningPoint, rect: Rect) {
        let diagram = Rect::from_min_size(rect.min, vec2(DIAGRAM, rect.height() - CAPTION));
        let shapes = draw_diagram(self.canvas.fonts, self.report, turn, self.theme, diagram);
        self.canvas.shapes.extend(shapes);
        let below = pos2(diagram.left(), diagram.bottom() + 4.0);
        self.put(&turn.position_text, below, DIAGRAM, ReportFont::quiet(12.5));
        self.words(turn, rect.with_min_x(diagram.right() + 1.5 * PAD));
    }

    fn words(&mut self, turn: &ReportTurningPoint, rect: Rect) {
        let (report, lang) = (self.report, self.report.lang);
        let (number, mut y) = (usize::from(turn.assessed.ply), rect.top());
        let mut below = |canvas: &mut Self, text: &str, font, gap: f32| {
            let size = canvas.put(text, pos2(rect.left(), y), rect.width(), font);
            y += size.y + gap;
            y
        };
        below(self, &study::place(number, &turn.word, lang), self.bold(24.0), 2.0);
        if let Some(mark) = turn.assessed.mark {
            let color = Some(graph::color_of(mark, self.theme));
            let cost = text::cost(mark.label().text(lang), turn.assessed.loss, lang);
            below(self, &cost, ReportFont { color, ..self.bold(15.0) }, 2.0);
        }
        below(self, &turn.decided, self.plain(16.0), 2.0);
        below(self, &text::fall(report.title(turn.assessed.side), turn.rates, lang), self.plain(15.0), 14.0);
        let blue = ReportFont {
            weight: TextWeight::Bold,
            color: Some(self.theme.arrow.to_opaque()),
            ..ReportFont::quiet(13.5)
        };
        let lines = ReportFont { lines: 5, ..self.plain(16.0) };
        if !turn.line.is_empty() {
            below(self, ReportWord::Best.text(lang), blue, 1.0);
            below(self, &turn.line.join(" "), lines, 12.0);
        }
        below(self, ReportWord::Played.text(lang), ReportFont::quiet(13.5), 1.0);
        let played = report.rows.iter().skip(number).take(PLAYED).map(|row| row.word.as_str());
        below(self, &played.collect::<Vec<_>>().join(" "), lines, 0.0);
    }
}

/// Draws the position before a turning point, with the played move and the best one.
pub(super) fn draw_diagram(
    fonts: &mut FontsView<'_>,
    report: &Report,
    turn: &ReportTurningPoint,
    theme: &PaintTheme,
    rect: Rect,
) -> Vec<Shape> {
    let side = |color| BoardSide { title: report.title(color), ..BoardSide::default() };
    let best = turn.best.map(|mv| Arrow { mv, rank: 1 });
    let played = Some(turn.assessed.mv).filter(|mv| turn.best != Some(*mv)).map(|mv| Arrow { mv, rank: 2 });
    let arrows: Vec<_> = best.into_iter().chain(played).collect();
    let view = BoardView {
        black: side(Color::Black),
        white: side(Color::White),
        last_move: turn.last_move,
        arrows: &arrows,
        mode: BoardMode::ReadOnly,
        ..BoardView::new(&turn.before, report.lang)
    };
    board::draw(fonts, &view, theme, rect)
}
