//! Keyboard navigation on a board.

use super::layout::in_hand;
use super::{BoardSlot, BoardView, edit};
use crate::shogi::Square;

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardDirection {
    Left,
    Right,
    Up,
    Down,
}

impl BoardDirection {
    const fn is_upright(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }
}

/// Returns the square or slot beside another one, as seen on the screen.
pub(super) fn next(at: BoardSlot, direction: BoardDirection, view: &BoardView<'_>) -> Option<BoardSlot> {
    let rows = rows(view);
    let (row, column) = rows.iter().enumerate().find_map(|(row, slots)| {
        let column = slots.iter().position(|slot| *slot == at)?;
        Some((row, column))
    })?;
    let (row, column) = match direction {
        BoardDirection::Left => (row, column.checked_sub(1)?),
        BoardDirection::Right => (row, column + 1),
        BoardDirection::Up => (row.checked_sub(1)?, column),
        BoardDirection::Down => (row + 1, column),
    };
    let slots = rows.get(row)?;
    let is_square = |slot: &BoardSlot| matches!(slot, BoardSlot::Square(_));
    // The board and the rows beside it have no common columns.
    let column = match (is_square(&at), slots.first().is_some_and(is_square)) {
        (true, false) => 0,
        (false, true) => 4,
        // There is nothing beyond the end of a row. A shorter row can be entered, at its last slot.
        (false, false) if direction.is_upright() => column.min(slots.len().saturating_sub(1)),
        (true, true) | (false, false) => column,
    };
    slots.get(column).copied()
}

/// Returns all squares and slots for the cursor, from top to bottom and from left to right. They are the far hand, nine
/// ranks, the near hand and the box. No row is empty.
pub(super) fn rows(view: &BoardView<'_>) -> Vec<Vec<BoardSlot>> {
    let seen = |square: Square| BoardSlot::Square(if view.is_flipped { square.flip() } else { square });
    let rank = |rank: u8| (1..=9_u8).rev().filter_map(|file| Square::new(file, rank)).map(seen).collect();
    let mut rows = vec![kinds(BoardSlot::Stand(view.near().flip()), view)];
    rows.extend((1..=9_u8).map(rank));
    rows.extend([kinds(BoardSlot::Stand(view.near()), view), kinds(BoardSlot::Tray, view)]);
    rows.retain(|row| !row.is_empty());
    rows
}

/// Returns the pieces beside the board in the row of this one. While editing, the stand and the tray are in the row
/// too.
fn kinds(slot: BoardSlot, view: &BoardView<'_>) -> Vec<BoardSlot> {
    let is_edited = view.mode.is_edited();
    match slot {
        BoardSlot::Hand(color, _) | BoardSlot::Stand(color) => {
            let kinds = in_hand(view, color).into_iter().map(|(kind, _)| kind);
            let own = is_edited.then_some(BoardSlot::Stand(color));
            own.into_iter().chain(kinds.map(|kind| BoardSlot::Hand(color, kind))).collect()
        }
        BoardSlot::Box(_) | BoardSlot::Tray if is_edited => {
            let in_box = edit::in_box(view.position).into_iter().filter(|(_, count)| *count > 0);
            std::iter::once(BoardSlot::Tray).chain(in_box.map(|(kind, _)| BoardSlot::Box(kind))).collect()
        }
        BoardSlot::Box(_) | BoardSlot::Tray | BoardSlot::Square(_) => Vec::new(),
    }
}
