//! Keyboard navigation on a board.

use super::layout::hand_slots;
use super::{BoardSlot, BoardView, edit};
use shogibar_shogi::Square;

/// A direction on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardDirection {
    Left,
    Right,
    Up,
    Down,
}

impl BoardDirection {
    const fn is_vertical(self) -> bool {
        matches!(self, Self::Up | Self::Down)
    }
}

/// Returns the square or slot that is adjacent in a direction on the screen; `None` if there is none.
pub(super) fn adjacent_slot(
    at: BoardSlot,
    direction: BoardDirection,
    view: &BoardView<'_>,
) -> Option<BoardSlot> {
    let rows = cursor_rows(view);
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
    // The columns of the board and of the rows above and below it do not match. The cursor therefore goes to the first
    // slot of a row, or to the middle file of the board.
    let column = match (is_square(&at), slots.first().is_some_and(is_square)) {
        (true, false) => 0,
        (false, true) => 4,
        // From a longer row, the cursor goes to the last slot of a shorter one.
        (false, false) if direction.is_vertical() => column.min(slots.len().saturating_sub(1)),
        (true, true) | (false, false) => column,
    };
    slots.get(column).copied()
}

/// Returns all squares and slots for the cursor, in rows from top to bottom and from left to right: the far hand, nine
/// ranks, the near hand and the box. No row is empty.
pub(super) fn cursor_rows(view: &BoardView<'_>) -> Vec<Vec<BoardSlot>> {
    let rank = |rank: u8| {
        (1..=9_u8)
            .rev()
            .filter_map(|file| Square::new(file, rank))
            .map(|square| BoardSlot::Square(if view.is_flipped { square.flip() } else { square }))
            .collect()
    };
    let mut rows = vec![slots_in_row_of(BoardSlot::Stand(view.near_side().flip()), view)];
    rows.extend((1..=9_u8).map(rank));
    rows.extend([
        slots_in_row_of(BoardSlot::Stand(view.near_side()), view),
        slots_in_row_of(BoardSlot::Tray, view),
    ]);
    rows.retain(|row| !row.is_empty());
    rows
}

/// Returns the slots of the hand or the box that has this slot; empty for a square. While the position is edited, the
/// first one is the stand or the tray.
fn slots_in_row_of(slot: BoardSlot, view: &BoardView<'_>) -> Vec<BoardSlot> {
    let is_edited = view.mode.is_edited();
    match slot {
        BoardSlot::Hand(color, _) | BoardSlot::Stand(color) => {
            let kinds = hand_slots(view, color).into_iter().map(|(kind, _)| kind);
            let stand = is_edited.then_some(BoardSlot::Stand(color));
            stand
                .into_iter()
                .chain(kinds.map(|kind| BoardSlot::Hand(color, kind)))
                .collect()
        }
        BoardSlot::Box(_) | BoardSlot::Tray if is_edited => {
            let in_box = edit::box_counts(view.position)
                .into_iter()
                .filter(|(_, count)| *count > 0);
            std::iter::once(BoardSlot::Tray)
                .chain(in_box.map(|(kind, _)| BoardSlot::Box(kind)))
                .collect()
        }
        BoardSlot::Box(_) | BoardSlot::Tray | BoardSlot::Square(_) => Vec::new(),
    }
}
