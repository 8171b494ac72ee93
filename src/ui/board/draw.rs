//! Drawing of a board as shapes.

use super::layout::{BoardPlan, BoardPlates, BoardSlot, PieceStand};
use super::piece::{self, DrawnPiece};
use super::{BoardInput, BoardMode, BoardView, arrow, mark};
use crate::PaintTheme;
use crate::canvas::{ShapeCanvas, point_in, round_font_size};
use crate::fonts::TextWeight;
use crate::text_runs::{self, TextRun, TextRuns};
use crate::theme::mean_share_color;
use eframe::egui;
use egui::epaint::RectShape;
use egui::epaint::text::FontsView;
use egui::{Align, Color32, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2};
use shogibar_games::phrase;
use shogibar_kifu::ClockTime;
use shogibar_kifu::board_mark::BoardMark;
use shogibar_shogi::board_text::{BoardWord, ranks};
use shogibar_shogi::{Color, Piece, Square};

const FILE_LABELS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The minimum width of a square with which texts are drawn, in points.
const MIN_READABLE_SQUARE_WIDTH: f32 = 21.0;

/// The font size of a name, in points at scale 1.
const NAME_FONT_SIZE: f32 = 15.0;
/// The font size of a clock, in points at scale 1.
const CLOCK_FONT_SIZE: f32 = 13.5;
/// The height of a line, as a multiple of its font size.
const LINE_HEIGHT_FACTOR: f32 = 1.45;

/// The opacity of a piece that may be added to a hand, but is not in it.
const ABSENT_PIECE_OPACITY: f32 = 0.3;

/// The share of the board's wood in the background of a hand.
const STAND_WOOD_SHARE: f32 = 0.07;

/// The interaction state that is drawn on a board.
#[derive(Clone, Copy, Default)]
pub(super) struct BoardInteraction<'a> {
    /// The input state; `None` for a picture without input.
    pub(super) input: Option<&'a BoardInput>,
    /// The last position of the pointer, where a dragged piece is drawn; `None` if it is unknown.
    pub(super) pointer: Option<Pos2>,
    pub(super) has_focus: bool,
    /// The mark that is being drawn; `None` if there is none.
    pub(super) draft_mark: Option<BoardMark>,
}

/// Returns the shapes of a board in a rectangle, without input such as a held piece.
pub fn draw(fonts: &mut FontsView<'_>, view: &BoardView<'_>, theme: &PaintTheme, rect: Rect) -> Vec<Shape> {
    let mut canvas = ShapeCanvas::new(fonts);
    let plan = BoardPlan::new(view, rect, canvas.pixels_per_point);
    draw_all(&mut canvas, view, theme, &plan, BoardInteraction::default());
    canvas.shapes
}

/// Returns the shapes of a board whose players are in areas of their own.
pub fn draw_with_plates(
    fonts: &mut FontsView<'_>,
    view: &BoardView<'_>,
    theme: &PaintTheme,
    plates: &BoardPlates,
) -> Vec<Shape> {
    let mut canvas = ShapeCanvas::new(fonts);
    let plan = BoardPlan::with_plates(view, plates, canvas.pixels_per_point);
    draw_all(&mut canvas, view, theme, &plan, BoardInteraction::default());
    canvas.shapes
}

/// Draws everything except the promotion choice into `canvas`. Coordinates need large enough squares.
pub(super) fn draw_all(
    canvas: &mut ShapeCanvas<'_, '_>,
    view: &BoardView<'_>,
    theme: &PaintTheme,
    plan: &BoardPlan,
    interaction: BoardInteraction<'_>,
) {
    let mut drawing = BoardDrawing {
        canvas,
        view,
        theme,
        plan,
        interaction,
    };
    drawing.draw_board();
    drawing.draw_marks();
    drawing.draw_grid();
    if view.style.shows_coordinates && plan.cell.x >= MIN_READABLE_SQUARE_WIDTH {
        drawing.draw_coordinates();
    }
    for color in [Color::Black, Color::White] {
        drawing.draw_stand(color);
    }
    if let Some(tray) = &plan.tray {
        drawing.draw_tray(tray);
    }
    drawing.draw_pieces();
    drawing.draw_targets();
    arrow::draw(drawing.canvas, theme, view, plan);
    mark::draw(drawing.canvas, plan, view.marks, interaction.draft_mark);
    drawing.draw_cursor();
    drawing.draw_dragged();
}

/// A board that is being drawn.
struct BoardDrawing<'a, 'c, 'f> {
    canvas: &'a mut ShapeCanvas<'c, 'f>,
    view: &'a BoardView<'a>,
    theme: &'a PaintTheme,
    plan: &'a BoardPlan,
    interaction: BoardInteraction<'a>,
}

impl BoardDrawing<'_, '_, '_> {
    /// Returns the width of a square, in points.
    fn square_width(&self) -> f32 {
        self.plan.cell.x
    }

    /// Draws the board without its squares.
    fn draw_board(&mut self) {
        let radius = (self.square_width() * 0.09).min(8.0);
        self.canvas
            .rounded_rect(self.plan.board, radius, self.theme.board);
        let edge = Stroke::new(1.0, self.theme.board_line.gamma_multiply(0.3));
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        let outline = RectShape::stroke(self.plan.board, radius.round() as u8, edge, StrokeKind::Inside);
        self.canvas.shapes.push(outline.into());
    }

    /// Marks the last move and the held piece.
    fn draw_marks(&mut self) {
        if let Some(mv) = self.view.last_move {
            if let Some(from) = mv.from() {
                self.fill_square(from, self.theme.last_move.gamma_multiply(0.5));
            }
            self.fill_square(mv.to(), self.theme.last_move);
        }
        if let Some(BoardSlot::Square(square)) = self.interaction.input.and_then(BoardInput::held_slot) {
            self.fill_square(square, self.theme.arrow.gamma_multiply(0.4));
        }
    }

    fn fill_square(&mut self, square: Square, color: Color32) {
        let rect = self.plan.square_rect(square);
        self.canvas.fill(rect, color);
    }

    fn draw_grid(&mut self) {
        let (grid, cell, color) = (self.plan.grid, self.plan.cell, self.theme.board_line);
        let width = self
            .canvas
            .snap_to_pixels(self.square_width() * 0.018)
            .max(1.0 / self.canvas.pixels_per_point);
        let edge = width + self.canvas.snap_to_pixels(self.square_width() * 0.012);
        for line in 0_u8..=9 {
            let width = if line % 9 == 0 { edge } else { width };
            let at = grid.min + cell * f32::from(line);
            let (x, y) = (at.x - width / 2.0, at.y - width / 2.0);
            let overhang = edge / 2.0;
            let upright = Rect::from_min_max(
                pos2(x, grid.top() - overhang),
                pos2(x + width, grid.bottom() + overhang),
            );
            self.canvas.fill(upright, color);
            let level = Rect::from_min_max(
                pos2(grid.left() - overhang, y),
                pos2(grid.right() + overhang, y + width),
            );
            self.canvas.fill(level, color);
        }
        for (column, row) in [(3.0, 3.0), (6.0, 3.0), (3.0, 6.0), (6.0, 6.0)] {
            let at = grid.min + vec2(column, row) * cell;
            self.canvas.shapes.push(Shape::circle_filled(
                at,
                (self.square_width() * 0.055).max(1.5),
                color,
            ));
        }
    }

    fn draw_coordinates(&mut self) {
        let (grid, board, cell) = (self.plan.grid, self.plan.board, self.plan.cell);
        let size = round_font_size((self.square_width() * 0.25).max(7.0));
        let color = self.theme.board_line;
        for (index, (file, rank)) in FILE_LABELS.into_iter().zip(ranks(self.view.lang)).enumerate() {
            let index = index as f32 + 0.5;
            let near = index * cell;
            let (x, y) = if self.view.is_flipped {
                (grid.left() + near.x, grid.bottom() - near.y)
            } else {
                (grid.right() - near.x, grid.top() + near.y)
            };
            let above = pos2(x, board.top().midpoint(grid.top()));
            self.canvas
                .draw_text(file, above, TextWeight::Bold.at(size), color, false);
            let beside = pos2(grid.right().midpoint(board.right()), y);
            self.canvas
                .draw_text(rank, beside, TextWeight::Bold.at(size), color, false);
        }
    }

    fn draw_pieces(&mut self) {
        let dragged = self.interaction.input.and_then(BoardInput::dragged_slot);
        for square in Square::all() {
            let Some(piece) = self.view.position.piece_on(square) else {
                continue;
            };
            let opacity = if dragged == Some(BoardSlot::Square(square)) {
                0.25
            } else {
                1.0
            };
            let at = self.plan.square_rect(square).center();
            piece::draw(
                self.canvas,
                self.theme,
                DrawnPiece::from_view(self.view, piece),
                at,
                self.plan.cell,
                opacity,
            );
        }
    }

    /// Draws a side's hand with the mark, the name and the clock of the side. The side to move has a triangle.
    fn draw_stand(&mut self, color: Color) {
        let stand = self.plan.stand_of(color);
        let (theme, square_width) = (self.theme, self.square_width());
        let background = theme
            .rail
            .to_opaque()
            .lerp_to_gamma(theme.board, STAND_WOOD_SHARE);
        self.canvas
            .rounded_rect(stand.rect, (square_width * 0.12).min(8.0), background);
        let held = self.interaction.input.and_then(BoardInput::held_slot);
        for (kind, count, rect) in &stand.slots {
            let is_held = held == Some(BoardSlot::Hand(color, *kind));
            self.draw_slot(Piece { color, kind: *kind }, *count, *rect, is_held);
        }
        self.draw_side_mark(color, stand);
        let start = stand.head_rect.unwrap_or(stand.text_rect).left_center();
        let text_end = if square_width >= MIN_READABLE_SQUARE_WIDTH {
            self.draw_name_and_clock(color, stand)
        } else {
            start
        };
        if self.plan.to_move == Some(color) {
            let gap = if stand.head_rect.is_some() { 0.06 } else { 0.14 };
            self.draw_turn_triangle(text_end + vec2(square_width * gap, 0.0));
        }
    }

    /// Draws the mark of a side: a piece in its colour.
    fn draw_side_mark(&mut self, color: Color, stand: &PieceStand) {
        let (theme, square_width) = (self.theme, self.square_width());
        let center = pos2(
            stand.rect.left() + square_width * 0.36,
            stand.head_rect.unwrap_or(stand.text_rect).center().y,
        );
        let rect = Rect::from_center_size(center, vec2(0.38, 0.44) * square_width);
        let points =
            [(0.5, 0.0), (0.86, 0.2), (1.0, 1.0), (0.0, 1.0), (0.14, 0.2)].map(|(x, y)| point_in(rect, x, y));
        let (fill, edge) = match color {
            Color::Black => (mean_share_color(theme, color), Color32::TRANSPARENT),
            Color::White => (mean_share_color(theme, color), theme.on_white),
        };
        self.canvas.polygon(
            points.to_vec(),
            fill,
            Stroke::new((square_width * 0.03).clamp(1.0, 3.0), edge),
        );
    }

    /// Draws the triangle that marks the side to move, with the left corner at a point.
    fn draw_turn_triangle(&mut self, at: Pos2) {
        let size = (self.square_width() * 0.14).max(5.0);
        let points = vec![at, at + vec2(size, -size * 0.58), at + vec2(size, size * 0.58)];
        self.canvas.polygon(points, self.theme.accent, Stroke::NONE);
    }

    /// Draws the name and the clock. Returns the point that the triangle of the side to move follows.
    fn draw_name_and_clock(&mut self, color: Color, stand: &PieceStand) -> Pos2 {
        let (square_width, side) = (self.square_width(), self.view.side(color));
        let scale = self.plan.name_size / NAME_FONT_SIZE;
        let is_turn = self.plan.to_move == Some(color);
        let name = [TextRun::bold(
            if side.name.is_empty() {
                side.title
            } else {
                side.name
            },
            self.theme.text,
        )];
        let rect = stand.text_rect;
        if let Some(head) = stand.head_rect {
            self.draw_name(&name, scale, rect);
            return side.clock.map_or_else(
                || head.left_center(),
                |clock| self.draw_clock(clock, is_turn, scale, head),
            );
        }
        let clock = match side.clock {
            Some(clock) if rect.height() > square_width * 0.8 => clock,
            _ => return self.draw_name(&name, scale, rect),
        };
        let (above, below) = (rect.with_max_y(rect.center().y), rect.with_min_y(rect.center().y));
        self.draw_line(
            &name,
            NAME_FONT_SIZE,
            scale,
            above.translate(vec2(0.0, square_width * 0.1)),
        );
        self.draw_clock(
            clock,
            is_turn,
            scale,
            below.translate(vec2(0.0, -square_width * 0.08)),
        )
    }

    /// Draws a clock, with a label if there is room. Returns the middle of the right end of the text.
    fn draw_clock(&mut self, clock: ClockTime, is_turn: bool, scale: f32, rect: Rect) -> Pos2 {
        let theme = self.theme;
        let label = format!("{} ", phrase::clock_label(clock).text(self.view.lang));
        let time = phrase::clock_time(clock);
        let [label, bold] = [
            TextRun::regular(&label, theme.quiet),
            TextRun::bold(&time, theme.text),
        ];
        let time = if is_turn {
            bold
        } else {
            TextRun::regular(&time, theme.quiet)
        };
        // The bold text is wider. It is measured for both sides, so that a label does not come and go with the turn.
        let has_room =
            TextRuns::line(&[label, bold], CLOCK_FONT_SIZE).width(self.canvas.fonts, scale) <= rect.width();
        let runs = [label, time];
        self.draw_line(
            if has_room {
                runs.as_slice()
            } else {
                std::slice::from_ref(&time)
            },
            CLOCK_FONT_SIZE,
            scale,
            rect,
        )
    }

    /// Draws a name, in several lines if one is too narrow and there is room. Returns the right end of the last line.
    fn draw_name(&mut self, name: &[TextRun<'_>], scale: f32, rect: Rect) -> Pos2 {
        let text = TextRuns::line(name, NAME_FONT_SIZE);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the cast saturates"
        )]
        let lines = (rect.height() / (NAME_FONT_SIZE * scale * LINE_HEIGHT_FACTOR)) as usize;
        if self.plan.squeezes_names || lines < 2 || text.width(self.canvas.fonts, scale) <= rect.width() {
            return self.draw_line(name, NAME_FONT_SIZE, scale, rect);
        }
        let galley = TextRuns { lines, ..text }.fit(self.canvas.fonts, rect.width(), scale);
        let at = pos2(rect.left(), rect.center().y - galley.rect.height() / 2.0);
        let end = galley.rows.last().map_or_else(
            || rect.left_center(),
            |row| at + row.rect().right_center().to_vec2(),
        );
        self.canvas
            .shapes
            .push(Shape::galley(at, galley, Color32::PLACEHOLDER));
        end
    }

    /// Draws a line of text. Returns the middle of the right end, or of the left end of `rect` if the text does not
    /// fit.
    fn draw_line(&mut self, runs: &[TextRun<'_>], size: f32, scale: f32, rect: Rect) -> Pos2 {
        let text = TextRuns::line(runs, size);
        let galley = if self.plan.squeezes_names {
            text.squeeze(self.canvas.fonts, rect.width(), scale)
        } else {
            text.fit(self.canvas.fonts, rect.width(), scale)
        };
        if galley.rect.width() > rect.width() + 0.5 {
            return rect.left_center();
        }
        let end = pos2(rect.left() + galley.rect.width(), rect.center().y);
        let left = Align::LEFT
            .align_size_within_range(galley.rect.width(), rect.x_range())
            .min;
        let baseline = rect.center().y + text_runs::baseline(size, scale);
        let at = pos2(left, baseline - text_runs::ascent(&galley));
        self.canvas
            .shapes
            .push(Shape::galley(at, galley, Color32::PLACEHOLDER));
        end
    }

    /// Draws the pieces of one kind in a hand or in the box, with their count.
    fn draw_slot(&mut self, piece: Piece, count: u8, rect: Rect, is_held: bool) {
        let square_width = self.square_width();
        let drawn = DrawnPiece::from_view(self.view, piece);
        let at = rect.center() - vec2(square_width * 0.04, square_width * 0.02);
        if is_held {
            self.canvas.rounded_rect(
                rect.shrink(square_width * 0.03),
                square_width * 0.1,
                self.theme.arrow.gamma_multiply(0.4),
            );
        }
        let size = self.plan.cell * 0.94;
        piece::draw(
            self.canvas,
            self.theme,
            drawn,
            at,
            size,
            if count > 0 { 1.0 } else { ABSENT_PIECE_OPACITY },
        );
        if count > 1 {
            let text = count.to_string();
            let size = round_font_size((square_width * 0.25).max(8.0));
            let half = size * if count > 9 { 0.78 } else { 0.62 };
            let center = rect.center() + vec2(square_width * 0.33, square_width * 0.27);
            let center = pos2(center.x.min(rect.right() - half + square_width * 0.12), center.y);
            let badge = Rect::from_center_size(center, vec2(half, size * 0.62) * 2.0);
            self.canvas
                .rounded_rect(badge, size * 0.62, self.theme.text.to_opaque());
            self.canvas.draw_text(
                &text,
                center,
                TextWeight::Bold.at(size),
                self.theme.panel.to_opaque(),
                false,
            );
        }
    }

    /// Draws the box of unused pieces.
    fn draw_tray(&mut self, tray: &PieceStand) {
        let edge = Stroke::new(1.0, self.theme.board_line.gamma_multiply(0.4));
        self.canvas
            .rounded_rect(tray.rect, 6.0, self.theme.board.gamma_multiply(0.12));
        let outline = RectShape::stroke(tray.rect, 6, edge, StrokeKind::Inside);
        self.canvas.shapes.push(outline.into());
        // Without input, as in a picture file, the box needs no label.
        if self.square_width() >= MIN_READABLE_SQUARE_WIDTH && self.interaction.input.is_some() {
            let scale = (self.square_width() * 0.22).clamp(9.0, 40.0) / 15.0;
            let word = TextRun::regular(BoardWord::Box.text(self.view.lang), self.theme.quiet);
            self.draw_line(
                &[word],
                15.0,
                scale,
                tray.text_rect.translate(vec2(self.square_width() * -0.5, 0.0)),
            );
        }
        let held = self.interaction.input.and_then(BoardInput::held_slot);
        for (kind, count, rect) in &tray.slots {
            let piece = Piece {
                color: self.view.near_side(),
                kind: *kind,
            };
            self.draw_slot(piece, *count, *rect, held == Some(BoardSlot::Box(*kind)));
        }
    }

    /// Marks the targets of a held piece: dots on empty squares, rings around pieces that can be captured.
    fn draw_targets(&mut self) {
        let input = match self.interaction.input {
            Some(input) if self.view.style.shows_targets => input,
            _ => return,
        };
        let color = self.theme.piece_ink.gamma_multiply(0.42);
        for square in input.targets() {
            let rect = self.plan.square_rect(*square);
            if self.view.position.piece_on(*square).is_some() {
                let stroke = Stroke::new(self.square_width() * 0.075, self.theme.arrow.gamma_multiply(0.75));
                let ring = rect.shrink(self.square_width() * 0.05);
                self.canvas
                    .shapes
                    .push(Shape::circle_stroke(ring.center(), ring.width() / 2.0, stroke));
            } else {
                self.canvas.shapes.push(Shape::circle_filled(
                    rect.center(),
                    self.square_width() * 0.13,
                    color,
                ));
            }
        }
    }

    /// Outlines the square or slot of the keyboard cursor.
    fn draw_cursor(&mut self) {
        if !self.interaction.has_focus {
            return;
        }
        let slot = self.interaction.input.and_then(BoardInput::cursor);
        let rect = slot
            .and_then(|slot| self.plan.rect(slot))
            .unwrap_or(self.plan.board);
        let stroke = Stroke::new((self.square_width() * 0.05).clamp(2.0, 5.0), self.theme.arrow);
        let shape = RectShape::stroke(rect, 3, stroke, StrokeKind::Inside);
        self.canvas.shapes.push(shape.into());
    }

    /// Draws the dragged piece at the pointer, slightly enlarged.
    fn draw_dragged(&mut self) {
        let Some((slot, at)) = self
            .interaction
            .input
            .and_then(BoardInput::dragged_slot)
            .zip(self.interaction.pointer)
        else {
            return;
        };
        let piece = match slot {
            BoardSlot::Square(square) => self.view.position.piece_on(square),
            BoardSlot::Hand(color, kind) => Some(Piece { color, kind }),
            BoardSlot::Box(kind) => Some(Piece {
                color: self.view.near_side(),
                kind,
            }),
            BoardSlot::Stand(_) | BoardSlot::Tray => None,
        };
        if let Some(piece) = piece {
            let lifted: Vec2 = self.plan.cell * 1.14;
            piece::draw(
                self.canvas,
                self.theme,
                DrawnPiece::from_view(self.view, piece),
                at,
                lifted,
                1.0,
            );
        }
    }
}

pub(super) const fn accepts_input(view: &BoardView<'_>) -> bool {
    !matches!(view.mode, BoardMode::ReadOnly)
}
