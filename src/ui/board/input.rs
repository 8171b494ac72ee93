//! The state of an interactive board, and the effects of clicks and keys. Nothing here draws or needs a window.

use super::keys::{BoardDirection, adjacent_slot, cursor_rows};
use super::layout::BoardSlot;
use super::{BoardAction, BoardMode, BoardView, edit};
use shogibar_kifu::board_mark::{BoardMark, MarkColor, MarkShape};
use shogibar_shogi::{Color, Move, Position, Square};

/// The state of a board between frames.
#[derive(Clone, Debug, Default)]
pub struct BoardInput {
    /// The piece that the user has picked up; `None` if no piece is held.
    held_piece: Option<HeldPiece>,
    /// The move whose promotion the user has to choose; `None` if no choice is open.
    choice: Option<PromotionChoice>,
    /// The mark that is being drawn; `None` if there is none.
    draft_mark: Option<DraftMark>,
    /// The square or slot of the keyboard cursor; `None` until the cursor is used.
    cursor: Option<BoardSlot>,
    /// Whether the board has the focus only because of the promotion choice.
    has_borrowed_focus: bool,
}

/// The piece that the user has picked up.
#[derive(Clone, Debug)]
struct HeldPiece {
    /// The square or slot from which the piece was picked up.
    slot: BoardSlot,
    /// The position in which the piece was picked up. The piece is released when the position changes.
    position: Position,
    /// The squares that the piece can move to.
    targets: Vec<Square>,
    /// Whether the piece follows the pointer.
    is_dragged: bool,
}

/// A mark that the user draws with the right button.
#[derive(Clone, Debug)]
struct DraftMark {
    /// The square at which the button was pressed.
    start: Square,
    /// The position on which the mark was begun. The mark is given up when the position changes.
    position: Position,
}

/// A move with an open promotion choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PromotionChoice {
    pub(super) from: Square,
    pub(super) to: Square,
    /// Whether Enter selects the promoted piece.
    pub(super) promotes: bool,
}

impl BoardInput {
    /// Returns whether a piece is held, a promotion choice is open, or a mark is being drawn. The board then handles
    /// Escape.
    pub const fn is_busy(&self) -> bool {
        self.held_piece.is_some() || self.choice.is_some() || self.draft_mark.is_some()
    }

    /// Releases the held piece, closes the promotion choice, and gives up the mark that is being drawn.
    pub fn release(&mut self) {
        (self.held_piece, self.choice, self.draft_mark) = (None, None, None);
    }

    /// Opens the promotion choice for a move from one square to another.
    pub fn open_promotion(&mut self, from: Square, to: Square, position: &Position) {
        let position = position.clone();
        self.held_piece = Some(HeldPiece {
            slot: BoardSlot::Square(from),
            position,
            targets: Vec::new(),
            is_dragged: false,
        });
        self.choice = Some(PromotionChoice {
            from,
            to,
            promotes: true,
        });
    }

    /// Returns the square or slot from which the held piece was picked up; `None` if no piece is held.
    pub fn held_slot(&self) -> Option<BoardSlot> {
        self.held_piece.as_ref().map(|held| held.slot)
    }

    /// Returns the squares that the held piece can move to; empty if no piece is held or the position is edited.
    pub(super) fn targets(&self) -> &[Square] {
        self.held_piece.as_ref().map_or(&[], |held| &held.targets)
    }

    /// Returns the square or slot from which the dragged piece was picked up; `None` if no piece is dragged.
    pub(super) fn dragged_slot(&self) -> Option<BoardSlot> {
        self.held_piece
            .as_ref()
            .filter(|held| held.is_dragged)
            .map(|held| held.slot)
    }

    /// Returns the open promotion choice; `None` if no choice is open.
    pub(super) const fn choice(&self) -> Option<PromotionChoice> {
        self.choice
    }

    /// Returns the square or slot of the keyboard cursor; `None` until the cursor is used.
    pub(super) const fn cursor(&self) -> Option<BoardSlot> {
        self.cursor
    }

    /// Returns whether the board has the focus only because of the promotion choice.
    pub(super) const fn has_borrowed_focus(&self) -> bool {
        self.has_borrowed_focus
    }

    /// Returns whether the focus has to move to the board or away from the board. `has_focus` is whether the board has
    /// the focus now.
    pub(super) const fn update_focus(&mut self, has_focus: bool) -> bool {
        let is_open = self.choice.is_some();
        let changes = if is_open {
            !has_focus
        } else {
            self.has_borrowed_focus && has_focus
        };
        self.has_borrowed_focus = is_open && (self.has_borrowed_focus || changes);
        changes
    }

    pub(super) const fn move_cursor(&mut self, at: Option<BoardSlot>) {
        if at.is_some() {
            self.cursor = at;
        }
    }

    /// Handles the start of a drag with the right button. With a held piece, the button only releases the piece.
    pub(super) fn start_mark(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) {
        if self.is_busy() {
            return self.release();
        }
        if let Some(BoardSlot::Square(start)) = at {
            let position = view.position.clone();
            self.draft_mark = Some(DraftMark { start, position });
        }
    }

    /// Returns the mark that is being drawn, up to a square; `None` if there is none, or elsewhere.
    pub(super) fn draft_mark(&self, at: Option<BoardSlot>, color: MarkColor) -> Option<BoardMark> {
        let (draft, Some(BoardSlot::Square(end))) = (self.draft_mark.as_ref()?, at) else {
            return None;
        };
        let shape = MarkShape::between(draft.start, end);
        Some(BoardMark { shape, color })
    }

    /// Handles the end of a drag with the right button. Returns the resulting action.
    pub(super) fn end_mark(&mut self, at: Option<BoardSlot>, color: MarkColor) -> Option<BoardAction> {
        let mark = self.draft_mark(at, color);
        self.draft_mark = None;
        mark.map(BoardAction::Mark)
    }

    /// Releases a piece that was picked up in another position or before the board became read-only. Gives up a mark in
    /// the same way. To be called before anything else in a frame.
    pub(super) fn release_if_position_changed(&mut self, view: &BoardView<'_>) {
        self.draft_mark
            .take_if(|draft| !view.accepts_marks || draft.position != *view.position);
        if self
            .held_piece
            .as_ref()
            .is_some_and(|held| view.mode == BoardMode::ReadOnly || held.position != *view.position)
        {
            self.release();
        }
    }

    /// Handles a click: picks up a piece, moves it, or releases it. Returns the resulting action, if there is one.
    pub(super) fn on_click(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) -> Option<BoardAction> {
        if self.choice.is_some() {
            self.release();
            return None;
        }
        let Some(slot) = at else {
            self.release();
            return None;
        };
        match self.held_slot() {
            None => {
                let action = match slot {
                    BoardSlot::Stand(color) if view.mode == BoardMode::Edit => {
                        return pass_turn_to(color, view);
                    }
                    // If the box has no piece of the kind, the click does nothing.
                    BoardSlot::Hand(..) if view.mode == BoardMode::Correct => return add_to_hand(slot, view),
                    _ => None,
                };
                if action.is_none() {
                    self.pick_up(slot, view);
                }
                action
            }
            Some(held) if held == slot => {
                self.release();
                None
            }
            Some(held) => {
                let action = self.move_held_piece(held, slot, view);
                // A click on another piece of the side picks that one up instead.
                if action.is_none() && self.choice.is_none() {
                    self.release();
                    self.pick_up(slot, view);
                }
                action
            }
        }
    }

    pub(super) fn start_drag(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) {
        self.choice = None;
        match at {
            Some(slot) => self.pick_up(slot, view),
            None => self.release(),
        }
        if let Some(held) = &mut self.held_piece {
            held.is_dragged = true;
        }
    }

    /// Handles the end of a drag, over the board, a hand or the box, or outside. Returns the resulting action.
    pub(super) fn end_drag(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) -> Option<BoardAction> {
        let held = self.dragged_slot()?;
        if at == Some(held) {
            // The pointer did not leave the square or slot: the piece remains held, as after a click.
            if let Some(held) = &mut self.held_piece {
                held.is_dragged = false;
            }
            return None;
        }
        let action = at.and_then(|slot| self.move_held_piece(held, slot, view));
        if self.choice.is_none() {
            self.release();
        }
        action
    }

    /// Closes the promotion choice and returns the chosen move; `None` if no choice is open.
    pub(super) fn choose_promotion(&mut self, promote: bool) -> Option<BoardAction> {
        let PromotionChoice { from, to, .. } = self.choice?;
        self.release();
        Some(BoardAction::Play(Move::Board { from, to, promote }))
    }

    /// Switches the option that Enter selects.
    pub(super) fn toggle_promotion_option(&mut self) {
        if let Some(choice) = &mut self.choice {
            choice.promotes = !choice.promotes;
        }
    }

    /// Handles Enter: applies the selected promotion option, or else clicks at the keyboard cursor. Returns the
    /// resulting action.
    pub(super) fn on_enter(&mut self, view: &BoardView<'_>) -> Option<BoardAction> {
        if let Some(PromotionChoice { promotes, .. }) = self.choice {
            return self.choose_promotion(promotes);
        }
        let at = self.cursor.unwrap_or_else(|| Self::initial_cursor(view));
        self.cursor = Some(at);
        self.on_click(Some(at), view)
    }

    /// Moves the keyboard cursor to the next square or slot in a direction. The hands and the box are beyond the upper
    /// and lower edges of the board.
    pub(super) fn move_cursor_by(&mut self, direction: BoardDirection, view: &BoardView<'_>) {
        // The slot may no longer exist, for example after the last piece of a hand was dropped.
        let at = self
            .cursor
            .filter(|at| cursor_rows(view).iter().flatten().any(|slot| slot == at));
        self.cursor = Some(at.map_or_else(
            || Self::initial_cursor(view),
            |at| adjacent_slot(at, direction, view).unwrap_or(at),
        ));
    }

    /// Handles a right click while a position is edited. Returns the action that changes the piece on a square, or
    /// moves a piece from a corrected hand to the box.
    pub(super) fn change_piece(
        &mut self,
        at: Option<BoardSlot>,
        view: &BoardView<'_>,
    ) -> Option<BoardAction> {
        match at {
            Some(BoardSlot::Hand(..)) if view.mode == BoardMode::Correct => self.remove(at, view),
            _ => self.flip_piece(at, view),
        }
    }

    /// Returns the action that promotes the piece on a square, or else unpromotes it and gives it to the other side;
    /// `None` if there is no piece. Releases the held piece.
    pub(super) fn flip_piece(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) -> Option<BoardAction> {
        self.release();
        let Some(BoardSlot::Square(square)) = at else {
            return None;
        };
        edit::flip_piece(view.position, square)
            .map(Box::new)
            .map(BoardAction::Edit)
    }

    /// Returns the action that moves a piece to the box; `None` if there is none. Releases the held piece.
    pub(super) fn remove(&mut self, at: Option<BoardSlot>, view: &BoardView<'_>) -> Option<BoardAction> {
        self.release();
        edit::remove(view.position, at?)
            .map(Box::new)
            .map(BoardAction::Edit)
    }

    /// Returns whether a click on a square or slot would have an effect.
    pub(super) fn is_clickable(&self, slot: BoardSlot, view: &BoardView<'_>) -> bool {
        let is_target = matches!(slot, BoardSlot::Square(square) if self.targets().contains(&square));
        let is_put = view.mode.is_edited() && self.held_piece.is_some() || add_to_hand(slot, view).is_some();
        is_target || is_put || can_be_picked_up(slot, view)
    }

    /// Returns the square at which the keyboard cursor starts: the target of the last move, or else 5e.
    fn initial_cursor(view: &BoardView<'_>) -> BoardSlot {
        let last = view.last_move.map(Move::to);
        last.or_else(|| Square::new(5, 5))
            .map_or(BoardSlot::Stand(Color::Black), BoardSlot::Square)
    }

    /// Picks up a piece, if the user may move it.
    fn pick_up(&mut self, slot: BoardSlot, view: &BoardView<'_>) {
        self.held_piece = None;
        if can_be_picked_up(slot, view) {
            let targets = if view.mode == BoardMode::Play {
                target_squares(slot, view.position)
            } else {
                Vec::new()
            };
            let position = view.position.clone();
            self.held_piece = Some(HeldPiece {
                slot,
                position,
                targets,
                is_dragged: false,
            });
        }
    }

    /// Returns the action that moves the held piece, if the move is possible, and releases the piece. If the move is
    /// legal with and without promotion, opens the promotion choice and returns `None`.
    fn move_held_piece(
        &mut self,
        held: BoardSlot,
        to: BoardSlot,
        view: &BoardView<'_>,
    ) -> Option<BoardAction> {
        if view.mode.is_edited() {
            let position = edit::move_piece(view.position, held, to)?;
            self.release();
            return Some(BoardAction::Edit(Box::new(position)));
        }
        let BoardSlot::Square(to) = to else { return None };
        let mv = match held {
            BoardSlot::Hand(_, kind) => Some(Move::Drop { kind, to }),
            BoardSlot::Square(from) => {
                let ways = [false, true].map(|promote| Move::Board { from, to, promote });
                match ways.map(|mv| view.position.is_legal(mv)) {
                    [true, true] => {
                        self.choice = Some(PromotionChoice {
                            from,
                            to,
                            promotes: true,
                        });
                        if let Some(held) = &mut self.held_piece {
                            held.is_dragged = false;
                        }
                        return None;
                    }
                    [_, promote] => Some(Move::Board { from, to, promote }),
                }
            }
            _ => None,
        }?;
        if !view.position.is_legal(mv) {
            return None;
        }
        self.release();
        Some(BoardAction::Play(mv))
    }
}

/// Returns the action that gives the turn to a side, after a click on the side's name; `None` if the side is to move.
fn pass_turn_to(color: Color, view: &BoardView<'_>) -> Option<BoardAction> {
    (view.position.side_to_move() != color).then(|| BoardAction::Edit(Box::new(edit::pass(view.position))))
}

/// Returns the action that adds a piece of the box to a hand that is corrected. Returns `None` if the box has no piece
/// of the kind.
fn add_to_hand(to: BoardSlot, view: &BoardView<'_>) -> Option<BoardAction> {
    let BoardSlot::Hand(_, kind) = to else { return None };
    if view.mode != BoardMode::Correct {
        return None;
    }
    let position = edit::move_piece(view.position, BoardSlot::Box(kind), to)?;
    Some(BoardAction::Edit(Box::new(position)))
}

/// Returns whether the user may pick up a piece of a square or slot.
fn can_be_picked_up(slot: BoardSlot, view: &BoardView<'_>) -> bool {
    let position = view.position;
    let color = match slot {
        BoardSlot::Square(square) => position.piece_on(square).map(|piece| piece.color),
        BoardSlot::Hand(color, kind) => (position.hand(color).count(kind) > 0).then_some(color),
        BoardSlot::Box(_) => Some(Color::Black),
        BoardSlot::Stand(_) | BoardSlot::Tray => None,
    };
    match view.mode {
        BoardMode::ReadOnly => false,
        BoardMode::Edit | BoardMode::Correct => color.is_some(),
        BoardMode::Play => color == Some(position.side_to_move()) && !matches!(slot, BoardSlot::Box(_)),
    }
}

/// Returns the target squares of the legal moves of a piece.
fn target_squares(slot: BoardSlot, position: &Position) -> Vec<Square> {
    let goes = |mv: &Move| match (*mv, slot) {
        (Move::Board { from, .. }, BoardSlot::Square(square)) => from == square,
        (Move::Drop { kind, .. }, BoardSlot::Hand(_, held)) => kind == held,
        _ => false,
    };
    let mut squares: Vec<Square> = position
        .legal_moves()
        .iter()
        .filter(|mv| goes(mv))
        .map(|mv| mv.to())
        .collect();
    squares.sort_unstable();
    squares.dedup();
    squares
}

#[cfg(test)]
mod tests;
