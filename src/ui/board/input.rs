//! What a living board keeps from frame to frame, and what clicks and keys come to: no drawing, and no window.

use super::keys::{BoardDirection, next, rows};
use super::place::BoardPlace;
use super::{BoardAction, BoardMode, BoardView, edit};
use crate::shogi::{Color, Move, Position, Square};

/// What a board keeps from frame to frame.
#[derive(Clone, Debug, Default)]
pub struct BoardInput {
    held: Option<HeldPiece>,
    /// A move of which it is asked whether it promotes.
    choice: Option<PromotionChoice>,
    /// What the keys are at, once they have been used.
    cursor: Option<BoardPlace>,
    /// Whether the keys came to the board only because of the choice.
    has_borrowed: bool,
}

/// A piece that was taken up.
#[derive(Clone, Debug)]
struct HeldPiece {
    place: BoardPlace,
    /// Where: once there is another position it is let go.
    position: Position,
    /// Where it can go.
    targets: Vec<Square>,
    /// Whether it follows the pointer.
    is_dragged: bool,
}

/// A move that may promote, or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PromotionChoice {
    pub(super) from: Square,
    pub(super) to: Square,
    /// What Enter chooses.
    pub(super) promotes: bool,
}

impl BoardInput {
    /// Whether a piece is held, or it is asked whether one promotes: Escape belongs to the board then.
    pub const fn is_busy(&self) -> bool {
        self.held.is_some() || self.choice.is_some()
    }

    /// Lets go of what is held.
    pub fn release(&mut self) {
        (self.held, self.choice) = (None, None);
    }

    /// Asks whether the piece of a square promotes as it moves to another.
    pub fn ask(&mut self, from: Square, to: Square, position: &Position) {
        let position = position.clone();
        self.held =
            Some(HeldPiece { place: BoardPlace::Square(from), position, targets: Vec::new(), is_dragged: false });
        self.choice = Some(PromotionChoice { from, to, promotes: true });
    }

    /// What is held, if anything.
    pub fn held(&self) -> Option<BoardPlace> {
        self.held.as_ref().map(|held| held.place)
    }

    pub(super) fn targets(&self) -> &[Square] {
        self.held.as_ref().map_or(&[], |held| &held.targets)
    }

    pub(super) fn dragged(&self) -> Option<BoardPlace> {
        self.held.as_ref().filter(|held| held.is_dragged).map(|held| held.place)
    }

    pub(super) const fn choice(&self) -> Option<PromotionChoice> {
        self.choice
    }

    pub(super) const fn cursor(&self) -> Option<BoardPlace> {
        self.cursor
    }

    pub(super) const fn has_borrowed(&self) -> bool {
        self.has_borrowed
    }

    /// Whether the keys are to come to the board or to leave it again, of which it is said whether it has them.
    pub(super) const fn lend_keys(&mut self, has_focus: bool) -> bool {
        let is_asked = self.choice.is_some();
        let changes = if is_asked { !has_focus } else { self.has_borrowed && has_focus };
        self.has_borrowed = is_asked && (self.has_borrowed || changes);
        changes
    }

    /// Lets the keys be at a place.
    pub(super) const fn go(&mut self, at: Option<BoardPlace>) {
        if at.is_some() {
            self.cursor = at;
        }
    }

    /// To be called before anything else: what was held in another position is let go.
    pub(super) fn follow(&mut self, view: &BoardView<'_>) {
        let stays = |held: &HeldPiece| view.mode != BoardMode::Still && held.position == *view.position;
        if self.held.as_ref().is_some_and(|held| !stays(held)) {
            self.release();
        }
    }

    /// A click: takes up a piece, puts it down, or lets it go.
    pub(super) fn click(&mut self, at: Option<BoardPlace>, view: &BoardView<'_>) -> Option<BoardAction> {
        if self.choice.is_some() {
            self.release();
            return None;
        }
        let Some(place) = at else {
            self.release();
            return None;
        };
        match self.held() {
            None => {
                if let (BoardPlace::Stand(color), BoardMode::Edit) = (place, view.mode) {
                    return pass_to(color, view);
                }
                self.take(place, view);
                None
            }
            Some(held) if held == place => {
                self.release();
                None
            }
            Some(held) => {
                let action = self.put(held, place, view);
                // Another piece instead: whoever clicks on his own piece has thought better of it.
                if action.is_none() && self.choice.is_none() {
                    self.release();
                    self.take(place, view);
                }
                action
            }
        }
    }

    /// The pointer sets out from a place with its button down.
    pub(super) fn pick_up(&mut self, at: Option<BoardPlace>, view: &BoardView<'_>) {
        self.choice = None;
        match at {
            Some(place) => self.take(place, view),
            None => self.release(),
        }
        if let Some(held) = &mut self.held {
            held.is_dragged = true;
        }
    }

    /// The pointer lets go over a place, or beyond the board.
    pub(super) fn drop(&mut self, at: Option<BoardPlace>, view: &BoardView<'_>) -> Option<BoardAction> {
        let held = self.dragged()?;
        if at == Some(held) {
            // Not far enough to be meant as one: it stays in the hand, as after a click.
            if let Some(held) = &mut self.held {
                held.is_dragged = false;
            }
            return None;
        }
        let action = at.and_then(|place| self.put(held, place, view));
        if self.choice.is_none() {
            self.release();
        }
        action
    }

    /// The answer to the question.
    pub(super) fn choose(&mut self, promote: bool) -> Option<BoardAction> {
        let PromotionChoice { from, to, .. } = self.choice?;
        self.release();
        Some(BoardAction::Play(Move::Board { from, to, promote }))
    }

    /// The other answer is the one that Enter gives.
    pub(super) fn cancel_press(&mut self) {
        if let Some(choice) = &mut self.choice {
            choice.promotes = !choice.promotes;
        }
    }

    /// Enter: as a click where the keys are at.
    pub(super) fn enter(&mut self, view: &BoardView<'_>) -> Option<BoardAction> {
        if let Some(PromotionChoice { promotes, .. }) = self.choice {
            return self.choose(promotes);
        }
        let at = self.cursor.unwrap_or_else(|| Self::first(view));
        self.cursor = Some(at);
        self.click(Some(at), view)
    }

    /// Moves what the keys are at by one place; beyond the edge of the board are the hands, and the box.
    pub(super) fn step(&mut self, direction: BoardDirection, view: &BoardView<'_>) {
        // What the keys were at may be gone, as the last piece of a hand is.
        let at = self.cursor.filter(|at| rows(view).iter().flatten().any(|place| place == at));
        self.cursor = Some(at.map_or_else(|| Self::first(view), |at| next(at, direction, view).unwrap_or(at)));
    }

    /// Turns the piece of a place over, or gives it to the other side.
    pub(super) fn flip_piece(&mut self, at: Option<BoardPlace>, view: &BoardView<'_>) -> Option<BoardAction> {
        self.release();
        let Some(BoardPlace::Square(square)) = at else { return None };
        edit::flip_piece(view.position, square).map(Box::new).map(BoardAction::Edit)
    }

    /// Puts the piece of a place into the box.
    pub(super) fn remove(&mut self, at: Option<BoardPlace>, view: &BoardView<'_>) -> Option<BoardAction> {
        self.release();
        edit::remove(view.position, at?).map(Box::new).map(BoardAction::Edit)
    }

    /// Whether a click at a place would do something.
    pub(super) fn can_be_touched(&self, place: BoardPlace, view: &BoardView<'_>) -> bool {
        let is_target = matches!(place, BoardPlace::Square(square) if self.targets().contains(&square));
        let is_put = view.mode == BoardMode::Edit && self.held.is_some();
        is_target || is_put || may_be_taken(place, view)
    }

    fn first(view: &BoardView<'_>) -> BoardPlace {
        let last = view.last_move.map(Move::to);
        last.or_else(|| Square::new(5, 5)).map_or(BoardPlace::Stand(Color::Black), BoardPlace::Square)
    }

    /// Takes up a piece, where there is one that may be moved.
    fn take(&mut self, place: BoardPlace, view: &BoardView<'_>) {
        self.held = None;
        if may_be_taken(place, view) {
            let targets = if view.mode == BoardMode::Play { targets(place, view.position) } else { Vec::new() };
            let position = view.position.clone();
            self.held = Some(HeldPiece { place, position, targets, is_dragged: false });
        }
    }

    /// Puts what is held to a place, if it can go there; asks where there is a choice.
    fn put(&mut self, held: BoardPlace, to: BoardPlace, view: &BoardView<'_>) -> Option<BoardAction> {
        if view.mode == BoardMode::Edit {
            let position = edit::put(view.position, held, to)?;
            self.release();
            return Some(BoardAction::Edit(Box::new(position)));
        }
        let BoardPlace::Square(to) = to else { return None };
        let mv = match held {
            BoardPlace::Hand(_, kind) => Some(Move::Drop { kind, to }),
            BoardPlace::Square(from) => {
                let ways = [false, true].map(|promote| Move::Board { from, to, promote });
                match ways.map(|mv| view.position.is_legal(mv)) {
                    [true, true] => {
                        self.choice = Some(PromotionChoice { from, to, promotes: true });
                        if let Some(held) = &mut self.held {
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

/// A click on the name of the side that is not to move gives it the turn.
fn pass_to(color: Color, view: &BoardView<'_>) -> Option<BoardAction> {
    (view.position.side_to_move() != color).then(|| BoardAction::Edit(Box::new(edit::pass(view.position))))
}

fn may_be_taken(place: BoardPlace, view: &BoardView<'_>) -> bool {
    let position = view.position;
    let color = match place {
        BoardPlace::Square(square) => position.piece_on(square).map(|piece| piece.color),
        BoardPlace::Hand(color, kind) => (position.hand(color).count(kind) > 0).then_some(color),
        BoardPlace::Box(_) => Some(Color::Black),
        BoardPlace::Stand(_) | BoardPlace::Tray => None,
    };
    match view.mode {
        BoardMode::Still => false,
        BoardMode::Edit => color.is_some(),
        BoardMode::Play => color == Some(position.side_to_move()) && !matches!(place, BoardPlace::Box(_)),
    }
}

/// Where the piece of a place can go.
fn targets(place: BoardPlace, position: &Position) -> Vec<Square> {
    let goes = |mv: &Move| match (*mv, place) {
        (Move::Board { from, .. }, BoardPlace::Square(square)) => from == square,
        (Move::Drop { kind, .. }, BoardPlace::Hand(_, held)) => kind == held,
        _ => false,
    };
    let mut squares: Vec<Square> = position.legal_moves().iter().filter(|mv| goes(mv)).map(|mv| mv.to()).collect();
    squares.sort_unstable();
    squares.dedup();
    squares
}

#[cfg(test)]
mod tests;
