//! Checks of moves that force an answer.

use crate::alternatives::{Alternative, alternatives, replies_to_better};
use crate::board::Board;
use crate::claim::Claim;
use crate::mate::MateResult;
use crate::material;
use crate::mates::passed;
use crate::threats::search_threat;
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_facts::{FactPosition, Forcing};
use shogibar_shogi::{PieceKind, Square};

/// The minimum gain of the captures that threaten a piece, in tenths of a pawn.
const MIN_THREAT_GAIN: i32 = 40;

/// Checks [`FactKind::Initiative`](shogibar_facts::FactKind::Initiative).
pub(crate) fn initiative(claim: &Claim<'_>, forcing: Forcing) -> Checked {
    let line = claim.line()?;
    claim.require_to_move(line.first()?)?;
    let (before, (mv, after)) = (*line.first()?, line.opening()?);
    require(line.len() == 1, || "the line has more than one move".to_owned())?;
    match forcing {
        Forcing::Check => require(after.in_check(), || format!("{mv} gives no check"))?,
        Forcing::Mate => {
            claim.require_mate(&passed(after)?, claim.config.max_mate_plies)?;
            claim.require_no_mate(&before, "before the move already")?;
        }
        Forcing::Piece { piece, square } => {
            require(after.has(claim.side().flip(), piece, square), || {
                format!("no {} of the opponent stands on {square}", piece.letter())
            })?;
            require_piece_threat(claim, &before, after, square)?;
        }
    }
    let mut others = alternatives(claim)?;
    if claim.fact.at == FactPosition::After {
        others.extend(replies_to_better(claim)?);
    }
    others.iter().try_for_each(|other| require_quiet(claim, other))
}

/// Requires that a move threatens the opponent's piece on a square, as [`Forcing::Piece`] defines it.
fn require_piece_threat(claim: &Claim<'_>, before: &Board, after: &Board, square: Square) -> Checked {
    let value = claim.config.piece_value;
    let piece = after.piece_on(square).map(|piece| piece.kind);
    let is_worth = |kind: PieceKind| kind != PieceKind::King && value(kind) >= value(PieceKind::Knight);
    require(piece.is_some_and(is_worth), || format!("the piece on {square} is less than a knight"))?;
    let gain = material::exchange_gain(&passed(after)?, square, value);
    require(gain >= MIN_THREAT_GAIN, || format!("the captures on {square} gain {gain}"))?;
    let earlier = material::exchange_gain(before, square, value);
    require(earlier * 2 < gain, || format!("the captures on {square} gained {earlier} before, and {gain} after"))?;
    let balance = material::material(after, after.side(), value);
    for mv in after.captures(None) {
        let next = after.after(mv);
        let won =
            material::material(&next, after.side(), value) - balance - material::exchange_gain(&next, mv.to(), value);
        require(won <= gain, || format!("the capture {mv} gains {won}, more than {gain}"))?;
    }
    Ok(())
}

/// Requires that a move forces no answer.
fn require_quiet(claim: &Claim<'_>, other: &Alternative) -> Checked {
    let (board, mv, after) = (&other.board, other.mv, other.after());
    require(!after.in_check(), || format!("{mv} gives check, too"))?;
    for (square, _) in after.pieces().filter(|(_, piece)| piece.color == after.side()) {
        let is_threatened = require_piece_threat(claim, board, &after, square).is_ok();
        require(!is_threatened, || format!("{mv} threatens the piece on {square}"))?;
    }
    let threat = search_threat(claim, &after);
    if threat == MateResult::Escapes {
        return Ok(());
    }
    match (threat, claim.search(board, claim.config.max_mate_plies)) {
        // The mate was there before the move.
        (_, MateResult::Mates) => Ok(()),
        (MateResult::Mates, MateResult::Escapes) => Err(false_fact(format!("{mv} makes a threat of mate, too"))),
        _ => Err(undecided(format!("whether {mv} makes a threat of mate is not decided"))),
    }
}
