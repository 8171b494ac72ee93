//! Drawing of a board as shapes.

use super::piece::{self, DrawnPiece};
use super::place::{BoardPlace, BoardPlan, PieceStand};
use super::{BoardInput, BoardMode, BoardView, arrow};
use crate::shogi::{Color, Piece, Square};
use crate::text::Lang;
use crate::text::board::BoardWord;
use crate::ui::canvas::{ShapeCanvas, inside, round_font_size};
use crate::ui::text_runs::{self, TextRun, TextRuns};
use crate::ui::{PaintTheme, fonts};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Align, Color32, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

const FILES: [&str; 9] = ["１", "２", "３", "４", "５", "６", "７", "８", "９"];
const RANKS: [&str; 9] = ["一", "二", "三", "四", "五", "六", "七", "八", "九"];

/// The smallest square size with texts beside the board, in points.
const READABLE: f32 = 21.0;

/// The interaction state that is drawn on a board.
#[derive(Clone, Copy, Default)]
pub(super) struct BoardInteraction<'a> {
    pub(super) input: Option<&'a BoardInput>,
    /// The position of a dragged piece.
    pub(super) pointer: Option<Pos2>,
    /// Whether the board has the keyboard focus.
    pub(super) has_focus: bool,
    pub(super) lang: Lang,
}

/// Draws a board into a rectangle, without a held piece.
pub fn draw(fonts: &mut FontsView<'_>, view: &BoardView<'_>, theme: &PaintTheme, rect: Rect) -> Vec<Shape> {
    let mut canvas = ShapeCanvas::new(fonts);
    let plan = BoardPlan::new(view, rect, canvas.pixels_per_point);
    all(&mut canvas, view, theme, &plan, BoardInteraction::default());
    canvas.shapes
}

/// Draws everything except the promotion choice.
pub(super) fn all(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &BoardView<'_>,
    theme: &PaintTheme,
    plan: &BoardPlan,
    touch: BoardInteraction<'_>,
) {
    let mut drawing = BoardDrawing { canvas, view, theme, plan, touch };
    drawing.draw_board();
    drawing.marks();
    drawing.lines();
    if view.style.coordinates && plan.cell.x >= READABLE {
        drawing.coordinates();
    }
    for color in [Color::Black, Color::White] {
        drawing.draw_stand(color);
    }
    if let Some(tray) = &plan.tray {
        drawing.tray(tray);
    }
    drawing.pieces();
    drawing.targets();
    arrow::draw(drawing.canvas, theme, view, plan);
    drawing.cursor();
    drawing.dragged();
}

struct BoardDrawing<'a, 'c, 'f> {
    canvas: &'a mut ShapeCanvas<'c, 'f>,
    view: &'a BoardView<'a>,
    theme: &'a PaintTheme,
    plan: &'a BoardPlan,
    touch: BoardInteraction<'a>,
}

impl BoardDrawing<'_, '_, '_> {
    fn unit(&self) -> f32 {
        self.plan.cell.x
    }

    /// Draws the board with its grain.
    fn draw_board(&mut self) {
        let (ground, theme) = (self.plan.ground, self.theme);
        let radius = (self.unit() * 0.12).min(10.0);
        self.canvas.rounded_rect(
            ground.translate(vec2(0.0, self.unit() * 0.05)),
            radius,
            theme.board_line.gamma_multiply(0.35),
        );
        self.canvas.rounded_rect(ground, radius, theme.board);
        let grain = theme.board_line.gamma_multiply(0.045);
        let inner = ground.shrink2(vec2(radius, 0.0));
        // A fixed pattern of straight grain: narrow and wide lines alternate.
        let mut at = 0.004;
        let mut step: u32 = 7;
        while at < 1.0 {
            step = step * 31 % 97;
            let part = step as f32 / 97.0;
            let x = egui::lerp(inner.x_range(), at);
            let line = Rect::from_x_y_ranges(x..=x + self.unit() * (0.02 + 0.1 * part), ground.y_range());
            self.canvas.fill(line.intersect(inner), grain);
            at += 0.012 + 0.03 * (1.0 - part);
        }
    }

    /// Marks the last move and the held piece.
    fn marks(&mut self) {
        if let Some(mv) = self.view.last_move {
            if let Some(from) = mv.from() {
                self.square(from, self.theme.last_move.gamma_multiply(0.5));
            }
            self.square(mv.to(), self.theme.last_move);
        }
        if let Some(BoardPlace::Square(square)) = self.touch.input.and_then(BoardInput::held) {
            self.square(square, self.theme.arrow.gamma_multiply(0.4));
        }
    }

    fn square(&mut self, square: Square, color: Color32) {
        let rect = self.plan.square(square);
        self.canvas.fill(rect, color);
    }

    fn lines(&mut self) {
        let (grid, cell, color) = (self.plan.grid, self.plan.cell, self.theme.board_line);
        let width = self.canvas.snap_to_pixels(self.unit() * 0.018).max(1.0 / self.canvas.pixels_per_point);
        let edge = width + self.canvas.snap_to_pixels(self.unit() * 0.012);
        for line in 0_u8..=9 {
            let width = if line % 9 == 0 { edge } else { width };
            let at = grid.min + cell * f32::from(line);
            let (x, y) = (at.x - width / 2.0, at.y - width / 2.0);
            let reach = edge / 2.0;
            let upright = Rect::from_min_max(pos2(x, grid.top() - reach), pos2(x + width, grid.bottom() + reach));
            self.canvas.fill(upright, color);
            let level = Rect::from_min_max(pos2(grid.left() - reach, y), pos2(grid.right() + reach, y + width));
            self.canvas.fill(level, color);
        }
        for (column, row) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
            let at = grid.min + vec2(column, row) * cell;
            self.canvas.shapes.push(Shape::circle_filled(at, (self.unit() * 0.055).max(1.5), color));
        }
    }

    fn coordinates(&mut self) {
        let (grid, ground, cell) = (self.plan.grid, self.plan.ground, self.plan.cell);
        let size = round_font_size((self.unit() * 0.27).max(7.0));
        let color = self.theme.board_line;
        for (place, (file, rank)) in FILES.into_iter().zip(RANKS).enumerate() {
            let place = place as f32 + 0.5;
            let near = place * cell;
            let (x, y) = if self.view.flipped {
                (grid.left() + near.x, grid.bottom() - near.y)
            } else {
                (grid.right() - near.x, grid.top() + near.y)
            };
            let above = pos2(x, ground.top().midpoint(grid.top()));
            self.canvas.letters(file, above, fonts::pieces(size), color, false);
            let beside = pos2(grid.right().midpoint(ground.right()), y);
            self.canvas.letters(rank, beside, fonts::pieces(size), color, false);
        }
    }

    fn pieces(&mut self) {
        let dragged = self.touch.input.and_then(BoardInput::dragged);
        for square in Square::all() {
            let Some(piece) = self.view.position.piece_on(square) else { continue };
            let strength = if dragged == Some(BoardPlace::Square(square)) { 0.25 } else { 1.0 };
            let at = self.plan.square(square).center();
            piece::draw(self.canvas, self.theme, DrawnPiece::from_view(self.view, piece), at, self.plan.cell, strength);
        }
    }

    /// Draws a side's hand with its name, its clock, and a line if the side is to move.
    fn draw_stand(&mut self, color: Color) {
        let stand = self.plan.stand_of(color);
        let (theme, unit) = (self.theme, self.unit());
        self.canvas.rounded_rect(stand.rect, (unit * 0.12).min(8.0), theme.board.gamma_multiply(0.24));
        let held = self.touch.input.and_then(BoardInput::held);
        for (kind, count, rect) in &stand.slots {
            let is_held = held == Some(BoardPlace::Hand(color, *kind));
            self.slot(Piece { color, kind: *kind }, *count, *rect, is_held);
        }
        if unit >= READABLE {
            self.words(color, stand);
        }
        if self.view.position.side_to_move() == color {
            // The line is drawn even where no text fits.
            let thick = (unit * 0.06).clamp(2.0, 6.0);
            let line = Rect::from_min_max(pos2(stand.rect.left(), stand.rect.bottom() - thick), stand.rect.max);
            let reach = stand.words.right().min(stand.rect.left() + unit * 3.2);
            self.canvas.fill(line.with_max_x(reach).shrink2(vec2(unit * 0.14, 0.0)), theme.accent);
        }
    }

    fn words(&mut self, color: Color, stand: &PieceStand) {
        let (theme, unit, side) = (self.theme, self.unit(), self.view.side(color));
        let scale = (unit * 0.26).clamp(11.0, 44.0) / 15.0;
        let mark = if color == Color::Black { "☗" } else { "☖" };
        let runs = [
            TextRun::regular(mark, theme.text),
            TextRun::regular(" ", theme.text),
            TextRun::regular(if side.name.is_empty() { side.title } else { side.name }, theme.text),
        ];
        let clock = TextRun::regular(side.clock, theme.quiet);
        let rect = stand.words;
        if rect.height() > unit * 0.8 && !side.clock.is_empty() {
            let (above, below) = (rect.with_max_y(rect.center().y), rect.with_min_y(rect.center().y));
            self.line(&runs, 15.0, scale, above.translate(vec2(0.0, unit * 0.06)));
            self.line(&[clock], 13.5, scale, below.translate(vec2(0.0, -unit * 0.1)));
        } else {
            self.line(&runs, 15.0, scale, rect);
        }
    }

    fn line(&mut self, runs: &[TextRun<'_>], size: f32, scale: f32, rect: Rect) {
        let galley = TextRuns::line(runs, size).fit(self.canvas.fonts, rect.width(), scale);
        if galley.rect.width() > rect.width() + 0.5 {
            return;
        }
        let left = Align::LEFT.align_size_within_range(galley.rect.width(), rect.x_range()).min;
        let baseline = rect.center().y + text_runs::baseline(size, scale);
        let at = pos2(left, baseline - text_runs::ascent(&galley));
        self.canvas.shapes.push(Shape::galley(at, galley, Color32::PLACEHOLDER));
    }

    /// Draws the pieces of a kind beside the board, with their count.
    fn slot(&mut self, piece: Piece, count: u8, rect: Rect, is_held: bool) {
        let unit = self.unit();
        let drawn = DrawnPiece::from_view(self.view, piece);
        let at = rect.center() - vec2(unit * 0.04, unit * 0.02);
        if is_held {
            self.canvas.rounded_rect(rect.shrink(unit * 0.03), unit * 0.1, self.theme.arrow.gamma_multiply(0.4));
        }
        let size = self.plan.cell * 0.94;
        piece::draw(self.canvas, self.theme, drawn, at, size, 1.0);
        if count > 1 {
            let text = count.to_string();
            let size = round_font_size((unit * 0.25).max(8.0));
            let font = fonts::TextWeight::Bold.at(size);
            let half = size * if count > 9 { 0.72 } else { 0.55 };
            let center = inside(rect, 0.5, 0.5) + vec2(unit * 0.36, unit * 0.4);
            let center = pos2(center.x.min(rect.right() - half + unit * 0.1), center.y);
            self.canvas.rounded_rect(
                Rect::from_center_size(center, vec2(half * 2.0, size * 1.12)),
                size * 0.56,
                self.theme.panel.to_opaque(),
            );
            self.canvas.letters(&text, center, font, self.theme.text, false);
        }
    }

    fn tray(&mut self, tray: &PieceStand) {
        let edge = Stroke::new(1.0, self.theme.board_line.gamma_multiply(0.4));
        self.canvas.rounded_rect(tray.rect, 6.0, self.theme.board.gamma_multiply(0.12));
        let outline = egui::epaint::RectShape::stroke(tray.rect, 6, edge, egui::StrokeKind::Inside);
        self.canvas.shapes.push(outline.into());
        // A picture needs no label.
        if self.unit() >= READABLE && self.touch.input.is_some() {
            let scale = (self.unit() * 0.22).clamp(9.0, 40.0) / 15.0;
            let word = TextRun::regular(BoardWord::Box.text(self.touch.lang), self.theme.quiet);
            self.line(&[word], 15.0, scale, tray.words);
        }
        let held = self.touch.input.and_then(BoardInput::held);
        for (kind, count, rect) in &tray.slots {
            let piece = Piece { color: self.view.near(), kind: *kind };
            self.slot(piece, *count, *rect, held == Some(BoardPlace::Box(*kind)));
        }
    }

    /// Marks the targets of a held piece: dots on empty squares, rings around pieces that can be captured.
    fn targets(&mut self) {
        let Some(input) = self.touch.input.filter(|_| self.view.style.targets) else { return };
        let color = self.theme.piece_ink.gamma_multiply(0.42);
        for square in input.targets() {
            let rect = self.plan.square(*square);
            if self.view.position.piece_on(*square).is_some() {
                let stroke = Stroke::new(self.unit() * 0.075, self.theme.arrow.gamma_multiply(0.75));
                let ring = rect.shrink(self.unit() * 0.05);
                self.canvas.shapes.push(Shape::circle_stroke(ring.center(), ring.width() / 2.0, stroke));
            } else {
                self.canvas.shapes.push(Shape::circle_filled(rect.center(), self.unit() * 0.13, color));
            }
        }
    }

    /// Outlines the place of the keyboard cursor.
    fn cursor(&mut self) {
        if !self.touch.has_focus {
            return;
        }
        let place = self.touch.input.and_then(BoardInput::cursor);
        let rect = place.and_then(|place| self.plan.rect(place)).unwrap_or(self.plan.ground);
        let stroke = Stroke::new((self.unit() * 0.05).clamp(2.0, 5.0), self.theme.arrow);
        let shape = egui::epaint::RectShape::stroke(rect, 3, stroke, egui::StrokeKind::Inside);
        self.canvas.shapes.push(shape.into());
    }

    /// Draws the dragged piece at the pointer, slightly enlarged.
    fn dragged(&mut self) {
        let Some((place, at)) = self.touch.input.and_then(BoardInput::dragged).zip(self.touch.pointer) else { return };
        let piece = match place {
            BoardPlace::Square(square) => self.view.position.piece_on(square),
            BoardPlace::Hand(color, kind) => Some(Piece { color, kind }),
            BoardPlace::Box(kind) => Some(Piece { color: self.view.near(), kind }),
            BoardPlace::Stand(_) | BoardPlace::Tray => None,
        };
        if let Some(piece) = piece {
            let lifted: Vec2 = self.plan.cell * 1.14;
            piece::draw(self.canvas, self.theme, DrawnPiece::from_view(self.view, piece), at, lifted, 1.0);
        }
    }
}

/// Returns whether the board accepts input.
pub(super) const fn is_live(view: &BoardView<'_>) -> bool {
    !matches!(view.mode, BoardMode::ReadOnly)
}
