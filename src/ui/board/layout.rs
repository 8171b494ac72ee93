//! The layout of a board: squares, hands and the box of pieces.

use super::{BoardMode, BoardView};
use crate::shogi::{Color, PieceKind, Setup, Square};
use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// The width of the board's rim with coordinates, in widths of a square.
const WITH_COORDINATES: f32 = 0.424;
/// The width of the board's rim without coordinates, in widths of a square.
const PLAIN: f32 = 0.26;
/// The height of a hand above or below the board, in widths of a square.
const STRIP: f32 = 1.02;
/// The size of a hand beside the board, in widths of a square.
const STAND: Vec2 = vec2(2.3, 6.1);
/// The gap between the board and a hand, in widths of a square.
const GAP: f32 = 0.136;
/// The beginning of a text after the mark of the side, in widths of a square.
const TEXT: f32 = 0.69;
/// The heights of the row of the mark and of all texts of a hand beside the board, in widths of a square.
const HEAD: f32 = 0.66;
const WORDS: f32 = 2.0;

/// A square of the board or a slot beside it that the user can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardSlot {
    /// A square.
    Square(Square),
    /// The pieces of a kind in a side's hand.
    Hand(Color, PieceKind),
    /// The rest of the area of a side's hand, with its name.
    Stand(Color),
    /// The pieces of a kind in the box, while a position is edited.
    Box(PieceKind),
    /// The rest of the box.
    Tray,
}

/// The layout of a board in a rectangle.
#[derive(Clone, Debug)]
pub(super) struct BoardPlan {
    /// The size of a square.
    pub(super) cell: Vec2,
    /// The 81 squares.
    pub(super) grid: Rect,
    /// The board with its rim.
    pub(super) board: Rect,
    /// The areas of the hands, Black's and White's.
    pub(super) stands: [PieceStand; 2],
    /// The area of the box of unused pieces; `None` if the position is not edited.
    pub(super) tray: Option<PieceStand>,
    is_flipped: bool,
}

/// An area for pieces beside the board.
#[derive(Clone, Debug)]
pub(super) struct PieceStand {
    pub(super) rect: Rect,
    /// The area of the text.
    pub(super) words: Rect,
    /// The row of the mark and the clock above the text, for a hand beside the board.
    pub(super) head: Option<Rect>,
    /// The pieces in the hand: kind, count and rectangle.
    pub(super) slots: Vec<(PieceKind, u8, Rect)>,
}

/// Returns the sizes of a board in widths of a square. The hands are above and below in the first, beside it in the
/// second.
fn units(view: &BoardView<'_>) -> ([f32; 2], [f32; 2]) {
    let side = 9.0 + 2.0 * rim(view);
    let board = [side, side];
    let tray = if view.mode.is_edited() { STRIP + GAP } else { 0.0 };
    let [width, height] = board;
    let rows = [width, height + 2.0 * (STRIP + GAP) + tray];
    let columns = [width + 2.0 * (STAND.x + GAP), height + tray];
    (rows, columns)
}

/// Returns the kinds of pieces with a slot in a hand, and their numbers. If a read position is corrected, the pieces in
/// the box have slots, too.
pub(super) fn in_hand(view: &BoardView<'_>, color: Color) -> Vec<(PieceKind, u8)> {
    let hand = view.position.hand(color);
    let setup = Setup::from_position(view.position);
    let may_be_added = |kind| view.mode == BoardMode::Correct && setup.unused_count(kind) > 0;
    let kinds = PieceKind::IN_HAND.into_iter().map(|kind| (kind, hand.count(kind)));
    kinds.filter(|(kind, count)| *count > 0 || may_be_added(*kind)).collect()
}

/// Returns the width of the rim, in widths of a square.
const fn rim(view: &BoardView<'_>) -> f32 {
    if view.style.shows_coordinates { WITH_COORDINATES } else { PLAIN }
}

/// Returns the size of the largest board that fits into this room.
pub fn size_within(view: &BoardView<'_>, room: Vec2, pixels_per_point: f32) -> Vec2 {
    let (_, unit, units) = fitted(view, room, pixels_per_point);
    units * unit
}

/// Returns whether the hands are above and below the board, and the width of a square on whole pixels. The last value
/// is the size of board and hands in widths of a square.
fn fitted(view: &BoardView<'_>, room: Vec2, pixels_per_point: f32) -> (bool, f32, Vec2) {
    let (rows, columns) = units(view);
    let fit = |[across, down]: [f32; 2]| (room.x / across).min(room.y / down).max(0.0);
    let (by_rows, by_columns) = (fit(rows), fit(columns));
    let in_rows = by_rows * 1.04 >= by_columns;
    let (unit, units) = if in_rows { (by_rows, rows) } else { (by_columns, columns) };
    // A size that was fitted before fits again.
    let unit = (unit * pixels_per_point + 0.01).floor() / pixels_per_point;
    (in_rows, unit.max(1.0 / pixels_per_point), Vec2::from(units))
}

/// Returns the preferred size of a board of this width, with the hands above and below it.
pub fn size_for_width(view: &BoardView<'_>, width: f32) -> Vec2 {
    let ([across, down], _) = units(view);
    vec2(width, width / across * down)
}

impl BoardPlan {
    /// Lays out the largest board that fits, with the hands above and below or beside it, on whole pixels.
    pub(super) fn new(view: &BoardView<'_>, rect: Rect, pixels_per_point: f32) -> Self {
        let whole = |points: f32| (points * pixels_per_point).floor() / pixels_per_point;
        let (in_rows, unit, _) = fitted(view, rect.size(), pixels_per_point);
        let cell = Vec2::splat(unit);
        let rim = rim(view) * unit;
        let board_size = Vec2::splat(9.0 * unit + 2.0 * rim);
        let tray = if view.mode.is_edited() { (STRIP + GAP) * unit } else { 0.0 };
        let all = if in_rows {
            board_size + vec2(0.0, 2.0 * (STRIP + GAP) * unit + tray)
        } else {
            board_size + vec2(2.0 * (STAND.x + GAP) * unit, tray)
        };
        let origin = rect.center() - all / 2.0;
        let origin = pos2(whole(origin.x), whole(origin.y));
        let beside = if in_rows { vec2(0.0, STRIP + GAP) } else { vec2(STAND.x + GAP, 0.0) } * unit;
        let board = Rect::from_min_size(origin + vec2(whole(beside.x), whole(beside.y)), board_size);
        let grid = Rect::from_min_size(board.min + Vec2::splat(whole(rim)), Vec2::splat(9.0 * unit));
        let mut plan = Self {
            cell,
            grid,
            board,
            stands: [PieceStand::none(), PieceStand::none()],
            tray: None,
            is_flipped: view.is_flipped,
        };
        plan.stands = [Color::Black, Color::White].map(|color| plan.layout_stand(view, color, in_rows));
        plan.tray = (tray > 0.0).then(|| plan.put_tray(view, in_rows));
        plan
    }

    fn layout_stand(&self, view: &BoardView<'_>, color: Color, in_rows: bool) -> PieceStand {
        let (unit, board) = (self.cell.x, self.board);
        let is_near = color == view.near();
        let held = in_hand(view, color);
        if in_rows {
            let size = vec2(board.width(), STRIP * unit);
            let top = if is_near { board.bottom() + GAP * unit } else { board.top() - (GAP + STRIP) * unit };
            PieceStand::row(Rect::from_min_size(pos2(board.left(), top), size), &held, unit, 3.0 * unit)
        } else {
            let size = STAND * unit;
            let at = if is_near {
                pos2(board.right() + GAP * unit, board.bottom() - size.y)
            } else {
                pos2(board.left() - GAP * unit - size.x, board.top())
            };
            PieceStand::column(Rect::from_min_size(at, size), &held, unit)
        }
    }

    fn put_tray(&self, view: &BoardView<'_>, in_rows: bool) -> PieceStand {
        let unit = self.cell.x;
        let below = if in_rows { 2.0 * GAP + STRIP } else { GAP } * unit;
        let at = self.board.left_bottom() + vec2(0.0, below);
        let in_box: Vec<_> = super::edit::in_box(view.position).into_iter().filter(|(_, count)| *count > 0).collect();
        PieceStand::row(Rect::from_min_size(at, vec2(self.board.width(), STRIP * unit)), &in_box, unit, 1.6 * unit)
    }

    /// Returns the rectangle of a square.
    pub(super) fn square(&self, square: Square) -> Rect {
        let (file, rank) = if self.is_flipped {
            (square.file() - 1, 9 - square.rank())
        } else {
            (9 - square.file(), square.rank() - 1)
        };
        let min = self.grid.min + vec2(f32::from(file), f32::from(rank)) * self.cell;
        Rect::from_min_size(min, self.cell)
    }

    /// Returns the square at a column from the left and a row from the top, both from 0.
    pub(super) fn at(&self, column: u8, row: u8) -> Option<Square> {
        let square = Square::new(9_u8.checked_sub(column)?, row.checked_add(1)?)?;
        Some(if self.is_flipped { square.flip() } else { square })
    }

    pub(super) const fn stand_of(&self, color: Color) -> &PieceStand {
        let [black, white] = &self.stands;
        if matches!(color, Color::Black) { black } else { white }
    }

    /// Returns the rectangle of a square or slot; `None` for pieces that do not exist.
    pub(super) fn rect(&self, slot: BoardSlot) -> Option<Rect> {
        match slot {
            BoardSlot::Square(square) => Some(self.square(square)),
            BoardSlot::Stand(color) => Some(self.stand_of(color).rect),
            BoardSlot::Tray => self.tray.as_ref().map(|tray| tray.rect),
            BoardSlot::Hand(color, kind) => self.stand_of(color).slot(kind),
            BoardSlot::Box(kind) => self.tray.as_ref().and_then(|tray| tray.slot(kind)),
        }
    }

    /// Returns the square or slot at a point.
    pub(super) fn slot_at(&self, at: Pos2) -> Option<BoardSlot> {
        if self.grid.contains(at) {
            let offset = (at - self.grid.min) / self.cell;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
            let (column, row) = ((offset.x as u8).min(8), (offset.y as u8).min(8));
            return self.at(column, row).map(BoardSlot::Square);
        }
        for color in [Color::Black, Color::White] {
            let stand = self.stand_of(color);
            if stand.rect.contains(at) {
                return Some(stand.kind_at(at).map_or(BoardSlot::Stand(color), |kind| BoardSlot::Hand(color, kind)));
            }
        }
        let tray = self.tray.as_ref().filter(|tray| tray.rect.contains(at))?;
        Some(tray.kind_at(at).map_or(BoardSlot::Tray, BoardSlot::Box))
    }
}

impl PieceStand {
    const fn none() -> Self {
        Self { rect: Rect::NOTHING, words: Rect::NOTHING, head: None, slots: Vec::new() }
    }

    /// Lays out pieces at the right end of a row, after a text of this minimum width.
    fn row(rect: Rect, held: &[(PieceKind, u8)], unit: f32, words: f32) -> Self {
        let pad = 0.16 * unit;
        let room = (rect.width() - 2.0 * pad - words).max(0.0);
        let width = (room / held.len().max(1) as f32).min(unit);
        let left = rect.right() - pad - width * held.len() as f32;
        let slot = |index: usize| {
            Rect::from_min_size(pos2(left + index as f32 * width, rect.top()), vec2(width, rect.height()))
        };
        let slots = held.iter().enumerate().map(|(index, (kind, count))| (*kind, *count, slot(index))).collect();
        let words = Rect::from_min_max(rect.min + vec2(TEXT * unit, 0.0), pos2(left - pad, rect.bottom()));
        Self { rect, words, head: None, slots }
    }

    /// Lays out pieces in two columns, with the clock and a text of the whole width above them.
    fn column(rect: Rect, held: &[(PieceKind, u8)], unit: f32) -> Self {
        let words = WORDS * unit;
        let size = vec2(rect.width() / 2.0, unit);
        let slots = held.iter().enumerate().map(|(index, (kind, count))| {
            let (column, row) = (index % 2, index / 2);
            let min = rect.min + vec2(column as f32 * size.x, words + row as f32 * size.y);
            (*kind, *count, Rect::from_min_size(min, size))
        });
        let slots = slots.collect();
        let at = |x: f32, y: f32| rect.min + vec2(x, y) * unit;
        // The triangle of the side to move follows the clock.
        let clock = Rect::from_min_max(at(0.62, 0.16), pos2(rect.right() - 0.22 * unit, at(0.0, HEAD).y));
        let words = Rect::from_min_max(at(0.16, HEAD), pos2(rect.right() - 0.08 * unit, rect.top() + words));
        Self { rect, words, head: Some(clock), slots }
    }

    fn slot(&self, kind: PieceKind) -> Option<Rect> {
        self.slots.iter().find(|(held, ..)| *held == kind).map(|(.., rect)| *rect)
    }

    fn kind_at(&self, at: Pos2) -> Option<PieceKind> {
        self.slots.iter().find(|(.., rect)| rect.contains(at)).map(|(kind, ..)| *kind)
    }
}
