//! The moves with which the move that a line shows is compared.

use crate::board::Board;
use crate::claim::Claim;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::FactPosition;
use shogibar_shogi::Move;

/// A legal move that must not do what the first move does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternative {
    /// The board before the move.
    pub(crate) board: Board,
    pub(crate) mv: Move,
}

impl Alternative {
    pub(crate) fn after(&self) -> Board {
        self.board.after(self.mv)
    }
}

/// Returns the alternatives to the first move. From before the move, the line must begin with the better move. The
/// alternatives are then the played move and, after a lead, the moves of the side that follow by the engine's line.
/// From after the move, the line must begin with the engine's reply. The alternatives are then its moves, as far as
/// they are legal after the better move.
pub(crate) fn alternatives(claim: &Claim<'_>) -> Checked<Vec<Alternative>> {
    let first = *claim
        .fact
        .line
        .first()
        .ok_or_else(|| false_fact("the line is empty"))?;
    let (before, played) = (claim.before()?, claim.played()?);
    match claim.fact.at {
        FactPosition::Before => {
            let better = claim.better_line().first();
            require(better == Some(&first), || {
                format!("{first} is not the better move")
            })?;
            require(first != played, || {
                format!("the better move is the one played, {played}")
            })?;
            let moves = std::iter::once(&played).chain(claim.best_line(claim.ply));
            Ok(along(claim, before, moves))
        }
        FactPosition::After => {
            let expected = claim.best_line(claim.ply).first();
            require(expected == Some(&first), || {
                format!("{first} is not the engine's reply")
            })?;
            let (board, _) = after_better(claim)?;
            Ok(along(claim, board, &claim.fact.line))
        }
    }
}

/// Returns the engine's reply to the better move and, after a lead, the moves of the side that follow.
pub(crate) fn replies_to_better(claim: &Claim<'_>) -> Checked<Vec<Alternative>> {
    let (board, moves) = after_better(claim)?;
    require(!moves.is_empty(), || "the better line has no reply".to_owned())?;
    Ok(along(claim, board, moves))
}

fn after_better<'a>(claim: &Claim<'a>) -> Checked<(Board, &'a [Move])> {
    let (better, rest) = claim
        .better_line()
        .split_first()
        .ok_or_else(|| false_fact("there is no better line"))?;
    let before = claim.before()?;
    require(before.is_legal(*better), || {
        format!("the better move {better} is illegal")
    })?;
    Ok((before.after(*better), rest))
}

/// Returns every second of these moves, up to the number of moves that lead to the first move, or to an illegal one.
fn along<'a>(claim: &Claim<'_>, board: Board, moves: impl IntoIterator<Item = &'a Move>) -> Vec<Alternative> {
    let mut found = Vec::new();
    let mut board = board;
    for (index, mv) in moves.into_iter().take(claim.fact.lead + 1).enumerate() {
        if !board.is_legal(*mv) {
            break;
        }
        if index % 2 == 0 {
            found.push(Alternative { board, mv: *mv });
        }
        board = board.after(*mv);
    }
    found
}
