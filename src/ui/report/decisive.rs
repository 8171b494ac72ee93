//! The card of a decisive move: the diagram, the loss, the effects, the better line and the line that punishes the
//! move.

use super::{CARD_PADDING, ReportCanvas, ReportFont};
use crate::board::{self, Arrow, BoardMode, BoardSide, BoardView};
use crate::fonts::TextWeight;
use crate::{PaintTheme, graph};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Rect, Shape, Vec2, pos2, vec2};
use shogibar_base::Lang;
use shogibar_games::phrase;
use shogibar_games::report::{Report, ReportDecisiveMove};
use shogibar_games::report_text::{self as text, ReportWord};
use shogibar_shogi::{Color, Position};

/// The width of a diagram, in points.
const DIAGRAM_WIDTH: f32 = 250.0;
/// The height of a diagram's caption, in points.
const CAPTION_HEIGHT: f32 = 22.0;

/// Returns the height of a card, in points.
pub(super) fn card_height() -> f32 {
    diagram_size(DIAGRAM_WIDTH).y + CAPTION_HEIGHT
}

/// Returns the size of a diagram of this width, in points.
pub(super) fn diagram_size(width: f32) -> Vec2 {
    board::size_for_width(&BoardView::new(&Position::startpos(), Lang::Ja), width)
}

impl ReportCanvas<'_, '_, '_> {
    pub(super) fn draw_decisive(&mut self, decisive: &ReportDecisiveMove, rect: Rect) {
        let diagram = Rect::from_min_size(rect.min, vec2(DIAGRAM_WIDTH, rect.height() - CAPTION_HEIGHT));
        let shapes = draw_diagram(self.canvas.fonts, self.report, decisive, self.theme, diagram);
        self.canvas.shapes.extend(shapes);
        let below = pos2(diagram.left(), diagram.bottom() + 4.0);
        self.draw_text_at(
            &decisive.position_text,
            below,
            DIAGRAM_WIDTH,
            ReportFont::quiet(12.5),
        );
        self.draw_texts(decisive, rect.with_min_x(diagram.right() + 1.5 * CARD_PADDING));
    }

    /// Draws the texts of a decisive move below each other: move, loss, effects, sentence, fall and lines.
    fn draw_texts(&mut self, decisive: &ReportDecisiveMove, rect: Rect) {
        let (report, lang, assessed) = (
            self.report,
            self.report.lang,
            decisive.decisive_move.assessed_move,
        );
        let (number, mut y) = (usize::from(assessed.ply), rect.top());
        let mut below = |canvas: &mut Self, text: &str, font, gap: f32| {
            let size = canvas.draw_text_at(text, pos2(rect.left(), y), rect.width(), font);
            y += size.y + gap;
            y
        };
        below(
            self,
            &phrase::move_label(number, &decisive.word, lang),
            self.bold_font(24.0),
            2.0,
        );
        let (loss, color) = match assessed.mark {
            Some(mark) => (
                text::mark_with_loss(mark.label().text(lang), assessed.loss, lang),
                Some(graph::mark_color(mark, self.theme)),
            ),
            None => (text::points(assessed.loss, lang), None),
        };
        below(
            self,
            &loss,
            ReportFont {
                color,
                ..self.bold_font(15.0)
            },
            2.0,
        );
        if !decisive.effects.is_empty() {
            let effects = decisive.effects.join(lang.pick("　", " · "));
            below(
                self,
                &effects,
                ReportFont {
                    lines: 2,
                    ..self.plain_font(16.0)
                },
                2.0,
            );
        }
        if !decisive.sentence.is_empty() {
            below(
                self,
                &decisive.sentence,
                ReportFont {
                    lines: 3,
                    ..self.bold_font(16.0)
                },
                4.0,
            );
        }
        below(
            self,
            &text::fall(report.title(assessed.side), decisive.rates, lang),
            self.plain_font(15.0),
            12.0,
        );
        let blue = ReportFont {
            weight: TextWeight::Bold,
            color: Some(self.theme.arrow.to_opaque()),
            ..ReportFont::quiet(13.5)
        };
        let lines = ReportFont {
            lines: 2,
            ..self.plain_font(16.0)
        };
        let played = report.played_from(decisive);
        for (word, moves, font) in [
            (ReportWord::Best, &decisive.line, blue),
            (ReportWord::Punish, &decisive.punish_line, ReportFont::quiet(13.5)),
            (ReportWord::Played, &played, ReportFont::quiet(13.5)),
        ] {
            if !moves.is_empty() {
                below(self, word.text(lang), font, 1.0);
                below(self, &moves.join(" "), lines, 8.0);
            }
        }
    }
}

/// Returns the shapes of the position before a decisive move, with arrows for the best move and the played one.
pub(super) fn draw_diagram(
    fonts: &mut FontsView<'_>,
    report: &Report,
    decisive: &ReportDecisiveMove,
    theme: &PaintTheme,
    rect: Rect,
) -> Vec<Shape> {
    let side = |color| BoardSide {
        title: report.title(color),
        ..BoardSide::default()
    };
    let best = decisive.best_move.map(|mv| Arrow { mv, rank: 1 });
    let played = Some(decisive.decisive_move.assessed_move.mv)
        .filter(|mv| decisive.best_move != Some(*mv))
        .map(|mv| Arrow { mv, rank: 2 });
    let arrows: Vec<_> = best.into_iter().chain(played).collect();
    let view = BoardView {
        black: side(Color::Black),
        white: side(Color::White),
        last_move: decisive.last_move,
        arrows: &arrows,
        mode: BoardMode::ReadOnly,
        ..BoardView::new(&decisive.position_before, report.lang)
    };
    board::draw(fonts, &view, theme, rect)
}
