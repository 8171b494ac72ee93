//! Moves that anybody plays, so that they are not called the only ones.

use crate::last_move::LastMove;
use crate::material::{exchange_gain, move_gain};
use shogibar_shogi::{Move, Position};

/// The largest number of answers to a check of which none is called the only one.
const MAX_OBVIOUS_ANSWERS: usize = 2;

/// Returns whether anybody plays a move, so that it is not called the only one: it is the only legal move, an answer to
/// a check with at most two answers, or it captures the piece that has just captured, and loses nothing on that square.
pub fn is_obvious_move(position: &Position, mv: Move, last: Option<LastMove<'_>>) -> bool {
    let answers = position.legal_moves().len();
    if answers < 2 || position.in_check() && answers <= MAX_OBVIOUS_ANSWERS {
        return true;
    }
    let is_recapture =
        last.is_some_and(|last| last.mv.to() == mv.to() && last.position_before.piece_on(mv.to()).is_some());
    let mut next = position.clone();
    is_recapture && next.play(mv).is_ok() && move_gain(position, mv) >= exchange_gain(&next, mv.to())
}
