//! The layout of a board: squares, hands and the box of pieces.

use super::{BoardMode, BoardView};
use eframe::egui;
use egui::{Pos2, Rect, Vec2, pos2, vec2};
use shogibar_shogi::{Color, PieceKind, Setup, Square};

const RIM_WIDTH_WITH_COORDINATES: f32 = 0.424;
/// The width of the board's rim without coordinates, in widths of a square.
const RIM_WIDTH_WITHOUT_COORDINATES: f32 = 0.26;
/// The height of a hand above or below the board, in widths of a square.
const STRIP_HEIGHT: f32 = 1.02;
/// The size of a hand beside the board, in widths of a square.
const STAND_SIZE: Vec2 = vec2(2.3, 6.1);
/// The gap between the board and a hand, in widths of a square.
const STAND_GAP: f32 = 0.136;
/// The distance of a text from the left edge of its area, in widths of a square. The mark of the side is before the
/// text.
const TEXT_OFFSET: f32 = 0.69;
/// The lower end of the row of the mark in the area of a hand beside the board, in widths of a square.
const STAND_HEAD_BOTTOM: f32 = 0.66;
/// The lower end of the texts in the area of a hand beside the board, in widths of a square.
const STAND_TEXT_BOTTOM: f32 = 2.0;

/// A square of the board or a slot beside it that the user can point at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardSlot {
    /// A square.
    Square(Square),
    /// The pieces of a kind in a side's hand.
    Hand(Color, PieceKind),
    /// The area of a side's hand, with the player's name, outside the pieces.
    Stand(Color),
    /// The pieces of a kind in the box, while a position is edited.
    Box(PieceKind),
    /// The area of the box, outside the pieces.
    Tray,
}

#[derive(Clone, Debug)]
pub(super) struct BoardPlan {
    /// The size of a square, in points.
    pub(super) cell: Vec2,
    /// The rectangle of the 81 squares.
    pub(super) grid: Rect,
    /// The rectangle of the board with its rim.
    pub(super) board: Rect,
    /// The areas of the hands, Black's first.
    pub(super) stands: [PieceStand; 2],
    /// The area of the box of unused pieces; `None` if the position is not edited.
    pub(super) tray: Option<PieceStand>,
    /// The font size of a player's name, in points.
    pub(super) name_size: f32,
    /// The side that is marked as the side to move; `None` without a mark.
    pub(super) to_move: Option<Color>,
    /// Whether a long name becomes smaller and narrower, in place of several lines.
    pub(super) squeezes_names: bool,
    is_flipped: bool,
}

/// The areas of a board whose players are not right beside it, in points.
#[derive(Clone, Copy, Debug)]
pub struct BoardPlates {
    /// The board with its rim.
    pub board: Rect,
    /// The player at the far side of the board.
    pub far: Rect,
    /// The player at the near side.
    pub near: Rect,
    /// The font size of a player's name.
    pub name_size: f32,
    /// The side that is marked as the side to move; `None` without a mark.
    pub to_move: Option<Color>,
}

/// An area for pieces beside the board.
#[derive(Clone, Debug)]
pub(super) struct PieceStand {
    pub(super) rect: Rect,
    /// The area of the text.
    pub(super) text_rect: Rect,
    /// The row of the mark and the clock above the text, for a hand beside the board; `None` for one above or below.
    pub(super) head_rect: Option<Rect>,
    /// The pieces in the area: kind, count and rectangle.
    pub(super) slots: Vec<(PieceKind, u8, Rect)>,
}

/// Returns two sizes of a board with its hands, in widths of a square. In the first, the hands are above and below the
/// board; in the second, they are beside the board.
fn sizes_in_squares(view: &BoardView<'_>) -> ([f32; 2], [f32; 2]) {
    let side = 9.0 + 2.0 * rim_width(view);
    let board = [side, side];
    let tray = if view.mode.is_edited() {
        STRIP_HEIGHT + STAND_GAP
    } else {
        0.0
    };
    let [width, height] = board;
    let rows = [width, height + 2.0 * (STRIP_HEIGHT + STAND_GAP) + tray];
    let columns = [width + 2.0 * (STAND_SIZE.x + STAND_GAP), height + tray];
    (rows, columns)
}

/// Returns the kinds of pieces with a slot in a hand, and the number of each. If a read position is corrected, kinds
/// with pieces in the box have a slot, too.
pub(super) fn hand_slots(view: &BoardView<'_>, color: Color) -> Vec<(PieceKind, u8)> {
    let hand = view.position.hand(color);
    let setup = Setup::from_position(view.position);
    let kinds = PieceKind::IN_HAND
        .into_iter()
        .map(|kind| (kind, hand.count(kind)));
    kinds
        .filter(|(kind, count)| {
            *count > 0 || (view.mode == BoardMode::Correct && setup.unused_count(*kind) > 0)
        })
        .collect()
}

const fn rim_width(view: &BoardView<'_>) -> f32 {
    if view.style.shows_coordinates {
        RIM_WIDTH_WITH_COORDINATES
    } else {
        RIM_WIDTH_WITHOUT_COORDINATES
    }
}

/// Returns the size of the largest board with its hands that fits into `room`, in points.
pub fn size_within(view: &BoardView<'_>, room: Vec2, pixels_per_point: f32) -> Vec2 {
    let (_, unit, sizes_in_squares) = fit_layout(view, room, pixels_per_point);
    sizes_in_squares * unit
}

/// Returns whether the hands are above and below the board, the width of a square in points on whole pixels, and the
/// size of the board with its hands in widths of a square. In a small room, a square is one pixel wide.
fn fit_layout(view: &BoardView<'_>, room: Vec2, pixels_per_point: f32) -> (bool, f32, Vec2) {
    let (rows, columns) = sizes_in_squares(view);
    let fit = |[across, down]: [f32; 2]| (room.x / across).min(room.y / down).max(0.0);
    let (by_rows, by_columns) = (fit(rows), fit(columns));
    let in_rows = by_rows * 1.04 >= by_columns;
    let (unit, sizes_in_squares) = if in_rows {
        (by_rows, rows)
    } else {
        (by_columns, columns)
    };
    // 0.01 is added so that a size that was fitted before fits again.
    let unit = (unit * pixels_per_point + 0.01).floor() / pixels_per_point;
    (
        in_rows,
        unit.max(1.0 / pixels_per_point),
        Vec2::from(sizes_in_squares),
    )
}

/// Returns the preferred size of a board of this width, with the hands above and below it.
pub fn size_for_width(view: &BoardView<'_>, width: f32) -> Vec2 {
    let ([across, down], _) = sizes_in_squares(view);
    vec2(width, width / across * down)
}

impl BoardPlan {
    /// Lays out the largest board that fits, with the hands above and below or beside it, on whole pixels.
    pub(super) fn new(view: &BoardView<'_>, rect: Rect, pixels_per_point: f32) -> Self {
        let whole = |points: f32| (points * pixels_per_point).floor() / pixels_per_point;
        let (in_rows, unit, _) = fit_layout(view, rect.size(), pixels_per_point);
        let cell = Vec2::splat(unit);
        let rim_width = rim_width(view) * unit;
        let board_size = Vec2::splat(9.0 * unit + 2.0 * rim_width);
        let tray = if view.mode.is_edited() {
            (STRIP_HEIGHT + STAND_GAP) * unit
        } else {
            0.0
        };
        let all = if in_rows {
            board_size + vec2(0.0, 2.0 * (STRIP_HEIGHT + STAND_GAP) * unit + tray)
        } else {
            board_size + vec2(2.0 * (STAND_SIZE.x + STAND_GAP) * unit, tray)
        };
        let origin = rect.center() - all / 2.0;
        let origin = pos2(whole(origin.x), whole(origin.y));
        let beside = if in_rows {
            vec2(0.0, STRIP_HEIGHT + STAND_GAP)
        } else {
            vec2(STAND_SIZE.x + STAND_GAP, 0.0)
        } * unit;
        let board = Rect::from_min_size(origin + vec2(whole(beside.x), whole(beside.y)), board_size);
        let grid = Rect::from_min_size(board.min + Vec2::splat(whole(rim_width)), Vec2::splat(9.0 * unit));
        let mut plan = Self {
            cell,
            grid,
            board,
            stands: [PieceStand::empty(), PieceStand::empty()],
            tray: None,
            name_size: (unit * 0.26).clamp(11.0, 44.0),
            to_move: Some(view.position.side_to_move()),
            squeezes_names: false,
            is_flipped: view.is_flipped,
        };
        plan.stands = [Color::Black, Color::White].map(|color| plan.layout_stand(view, color, in_rows));
        plan.tray = (tray > 0.0).then(|| plan.layout_tray(view, in_rows));
        plan
    }

    /// Lays out a board in its area, and the players in theirs, on whole pixels.
    pub(super) fn with_plates(view: &BoardView<'_>, plates: &BoardPlates, pixels_per_point: f32) -> Self {
        let whole = |points: f32| (points * pixels_per_point).floor() / pixels_per_point;
        let width = plates.board.size().min_elem();
        let unit = whole(width / (9.0 + 2.0 * rim_width(view)));
        let corner = pos2(whole(plates.board.left()), whole(plates.board.top()));
        let rim = whole((width - 9.0 * unit) / 2.0);
        let stand = |color| {
            let is_near = color == view.near_side();
            let rect = if is_near { plates.near } else { plates.far };
            // The pieces are as large as on the board, if there is room.
            let unit = unit.min(rect.height() * 0.9);
            let min_text_width = 0.5 * rect.width();
            PieceStand::in_row(rect, &hand_slots(view, color), unit, min_text_width)
        };
        Self {
            cell: Vec2::splat(unit),
            grid: Rect::from_min_size(corner + Vec2::splat(rim), Vec2::splat(9.0 * unit)),
            board: Rect::from_min_size(corner, Vec2::splat(width)),
            stands: [stand(Color::Black), stand(Color::White)],
            tray: None,
            name_size: plates.name_size,
            to_move: plates.to_move,
            squeezes_names: true,
            is_flipped: view.is_flipped,
        }
    }

    /// Lays out the area of a side's hand: in a row above or below the board if `in_rows`, otherwise beside the board.
    fn layout_stand(&self, view: &BoardView<'_>, color: Color, in_rows: bool) -> PieceStand {
        let (unit, board) = (self.cell.x, self.board);
        let is_near = color == view.near_side();
        let held = hand_slots(view, color);
        if in_rows {
            let size = vec2(board.width(), STRIP_HEIGHT * unit);
            let top = if is_near {
                board.bottom() + STAND_GAP * unit
            } else {
                board.top() - (STAND_GAP + STRIP_HEIGHT) * unit
            };
            PieceStand::in_row(
                Rect::from_min_size(pos2(board.left(), top), size),
                &held,
                unit,
                3.0 * unit,
            )
        } else {
            let size = STAND_SIZE * unit;
            let at = if is_near {
                pos2(board.right() + STAND_GAP * unit, board.bottom() - size.y)
            } else {
                pos2(board.left() - STAND_GAP * unit - size.x, board.top())
            };
            PieceStand::in_two_columns(Rect::from_min_size(at, size), &held, unit)
        }
    }

    /// Lays out the area of the box, below the board and the hand there.
    fn layout_tray(&self, view: &BoardView<'_>, in_rows: bool) -> PieceStand {
        let unit = self.cell.x;
        let below = if in_rows {
            2.0 * STAND_GAP + STRIP_HEIGHT
        } else {
            STAND_GAP
        } * unit;
        let at = self.board.left_bottom() + vec2(0.0, below);
        let in_box: Vec<_> = super::edit::box_counts(view.position)
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect();
        PieceStand::in_row(
            Rect::from_min_size(at, vec2(self.board.width(), STRIP_HEIGHT * unit)),
            &in_box,
            unit,
            1.6 * unit,
        )
    }

    pub(super) fn square_rect(&self, square: Square) -> Rect {
        let (file, rank) = if self.is_flipped {
            (square.file() - 1, 9 - square.rank())
        } else {
            (9 - square.file(), square.rank() - 1)
        };
        let min = self.grid.min + vec2(f32::from(file), f32::from(rank)) * self.cell;
        Rect::from_min_size(min, self.cell)
    }

    /// Returns the square at a column from the left and a row from the top, both from 0; `None` beyond the board.
    pub(super) fn square_at(&self, column: u8, row: u8) -> Option<Square> {
        let square = Square::new(9_u8.checked_sub(column)?, row.checked_add(1)?)?;
        Some(if self.is_flipped { square.flip() } else { square })
    }

    /// Returns the area of a side's hand.
    pub(super) const fn stand_of(&self, color: Color) -> &PieceStand {
        let [black, white] = &self.stands;
        if matches!(color, Color::Black) {
            black
        } else {
            white
        }
    }

    /// Returns the rectangle of a square or slot; `None` if the board has no such slot now.
    pub(super) fn rect(&self, slot: BoardSlot) -> Option<Rect> {
        match slot {
            BoardSlot::Square(square) => Some(self.square_rect(square)),
            BoardSlot::Stand(color) => Some(self.stand_of(color).rect),
            BoardSlot::Tray => self.tray.as_ref().map(|tray| tray.rect),
            BoardSlot::Hand(color, kind) => self.stand_of(color).slot_rect(kind),
            BoardSlot::Box(kind) => self.tray.as_ref().and_then(|tray| tray.slot_rect(kind)),
        }
    }

    /// Returns the square or slot at a point; `None` outside the board and the areas beside it.
    pub(super) fn slot_at(&self, at: Pos2) -> Option<BoardSlot> {
        if self.grid.contains(at) {
            let offset = (at - self.grid.min) / self.cell;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the cast saturates"
            )]
            let (column, row) = ((offset.x as u8).min(8), (offset.y as u8).min(8));
            return self.square_at(column, row).map(BoardSlot::Square);
        }
        for color in [Color::Black, Color::White] {
            let stand = self.stand_of(color);
            if stand.rect.contains(at) {
                return Some(
                    stand
                        .kind_at(at)
                        .map_or(BoardSlot::Stand(color), |kind| BoardSlot::Hand(color, kind)),
                );
            }
        }
        let tray = self.tray.as_ref().filter(|tray| tray.rect.contains(at))?;
        Some(tray.kind_at(at).map_or(BoardSlot::Tray, BoardSlot::Box))
    }
}

impl PieceStand {
    /// Creates an area without room.
    const fn empty() -> Self {
        Self {
            rect: Rect::NOTHING,
            text_rect: Rect::NOTHING,
            head_rect: None,
            slots: Vec::new(),
        }
    }

    /// Lays out pieces at the right end of a row, after a text of this minimum width. `unit` is the width of a square.
    fn in_row(rect: Rect, held: &[(PieceKind, u8)], unit: f32, min_text_width: f32) -> Self {
        let pad = 0.16 * unit;
        let room = (rect.width() - 2.0 * pad - min_text_width).max(0.0);
        let width = (room / held.len().max(1) as f32).min(unit);
        let left = rect.right() - pad - width * held.len() as f32;
        let slot = |index: usize| {
            Rect::from_min_size(
                pos2(left + index as f32 * width, rect.top()),
                vec2(width, rect.height()),
            )
        };
        let slots = held
            .iter()
            .enumerate()
            .map(|(index, (kind, count))| (*kind, *count, slot(index)))
            .collect();
        let text_rect = Rect::from_min_max(
            rect.min + vec2(TEXT_OFFSET * unit, 0.0),
            pos2(left - pad, rect.bottom()),
        );
        Self {
            rect,
            text_rect,
            head_rect: None,
            slots,
        }
    }

    /// Lays out pieces in two columns, with the clock and a text of the whole width above them. `unit` is the width of
    /// a square.
    fn in_two_columns(rect: Rect, held: &[(PieceKind, u8)], unit: f32) -> Self {
        let text_bottom = STAND_TEXT_BOTTOM * unit;
        let size = vec2(rect.width() / 2.0, unit);
        let slots = held.iter().enumerate().map(|(index, (kind, count))| {
            let (column, row) = (index % 2, index / 2);
            let min = rect.min + vec2(column as f32 * size.x, text_bottom + row as f32 * size.y);
            (*kind, *count, Rect::from_min_size(min, size))
        });
        let slots = slots.collect();
        let at = |x: f32, y: f32| rect.min + vec2(x, y) * unit;
        // The triangle of the side to move follows the clock.
        let head_rect = Rect::from_min_max(
            at(0.62, 0.16),
            pos2(rect.right() - 0.22 * unit, at(0.0, STAND_HEAD_BOTTOM).y),
        );
        let text_rect = Rect::from_min_max(
            at(0.16, STAND_HEAD_BOTTOM),
            pos2(rect.right() - 0.08 * unit, rect.top() + text_bottom),
        );
        Self {
            rect,
            text_rect,
            head_rect: Some(head_rect),
            slots,
        }
    }

    /// Returns the rectangle of the pieces of a kind; `None` if the area has no such piece.
    fn slot_rect(&self, kind: PieceKind) -> Option<Rect> {
        self.slots
            .iter()
            .find(|(held, ..)| *held == kind)
            .map(|(.., rect)| *rect)
    }

    /// Returns the kind of the pieces at a point; `None` if there are none.
    fn kind_at(&self, at: Pos2) -> Option<PieceKind> {
        self.slots
            .iter()
            .find(|(.., rect)| rect.contains(at))
            .map(|(kind, ..)| *kind)
    }
}
