//! Checks of moves that force an answer.

use crate::alternatives::{Alternative, alternatives, replies_to_better};
use crate::board::Board;
use crate::claim::Claim;
use crate::line::Line;
use crate::mate::MateResult;
use crate::material;
use crate::mates::passed;
use crate::threats::search_threat;
use crate::verdict::{Checked, require};
use shogibar_facts::FactPosition;
use shogibar_shogi::{PieceKind, Square};

/// The minimum gain of the captures that threaten a piece, in tenths of a pawn.
const MIN_THREAT_GAIN: i32 = 40;

/// The minimum gain of captures by the opponent instead of an answer, in tenths of a pawn.
const MIN_COUNTER_GAIN: i32 = 20;

/// The gain by the first move from which the move is more than an attack, in tenths of a pawn.
const MIN_MOVE_GAIN: i32 = 20;

/// Checks [`FactKind::Initiative`](shogibar_facts::FactKind::Initiative).
pub(crate) fn initiative(claim: &Claim<'_>, piece: PieceKind, square: Square) -> Checked {
    let line = claim.line()?;
    let before = line.first()?;
    claim.require_to_move(before)?;
    let (mv, after) = line.opening()?;
    require(line.len() == 2, || "the line has not two moves".to_owned())?;
    let engine = claim.best_line(claim.line_ply()?).get(..2);
    let mut others = alternatives(claim)?;
    require(engine == Some(line.moves()), || {
        "the answer is not the engine's".to_owned()
    })?;
    require(!before.in_check(), || "the side is in check".to_owned())?;
    require(!after.in_check(), || format!("{mv} gives check"))?;
    let gain = balance(claim, after) - balance(claim, before);
    require(gain < MIN_MOVE_GAIN, || format!("{mv} gains {gain}"))?;
    require(after.has(claim.side().flip(), piece, square), || {
        format!("no {} of the opponent stands on {square}", piece.letter())
    })?;
    require_attack(claim, before, after, square)?;
    require_answer(claim, &line, square)?;
    if claim.fact.at == FactPosition::After {
        others.extend(replies_to_better(claim)?);
    }
    others.iter().try_for_each(|other| require_quiet(claim, other))?;
    claim.require_plan_loss()
}

/// Returns the balance of the side on a board, in the unit of the piece values.
fn balance(claim: &Claim<'_>, board: &Board) -> i32 {
    material::material(board, claim.side(), claim.config.piece_value)
}

/// Requires that a move attacks the opponent's piece on a square so that an answer is forced.
fn require_attack(claim: &Claim<'_>, before: &Board, after: &Board, square: Square) -> Checked {
    let value = claim.config.piece_value;
    let piece = after.piece_on(square).map(|piece| piece.kind);
    let is_worth = |kind: PieceKind| kind != PieceKind::King && value(kind) >= value(PieceKind::Knight);
    require(piece.is_some_and(is_worth), || {
        format!("the piece on {square} is less than a knight")
    })?;
    let passed = passed(after)?;
    let gain = material::exchange_gain(&passed, square, value);
    require(gain >= MIN_THREAT_GAIN, || {
        format!("the captures on {square} gain {gain}")
    })?;
    let most = material::best_exchange_gain(&passed, value);
    require(gain == most, || {
        format!("the captures on {square} gain {gain}, and others {most}")
    })?;
    let earlier = material::exchange_gain(before, square, value);
    require(earlier * 2 < gain, || {
        format!("the captures on {square} gained {earlier} before, and {gain} after")
    })?;
    let counter = material::best_exchange_gain(after, value);
    require(counter < MIN_COUNTER_GAIN, || {
        format!("captures by the opponent gain {counter}")
    })
}

/// Requires that the answer, the second move of the line, saves the piece attacked on a square, and threatens nothing.
fn require_answer(claim: &Claim<'_>, line: &Line, square: Square) -> Checked {
    let value = claim.config.piece_value;
    let (first, ..) = line.step(0)?;
    let (answer, attacked, board) = line.step(1)?;
    let now = if answer.from() == Some(square) {
        answer.to()
    } else {
        square
    };
    let gain = material::exchange_gain(board, now, value);
    require(gain < MIN_THREAT_GAIN, || {
        format!("after {answer} the captures on {now} still gain {gain}")
    })?;
    if answer.to() == first.to() {
        let is_pawn = attacked.has(claim.side(), PieceKind::Pawn, first.to());
        require(is_pawn, || {
            format!("{answer} captures a piece that moved and is no pawn")
        })?;
        let gain = material::exchange_gain(board, first.to(), value);
        require(gain == 0, || {
            format!("the captures on {} gain {gain} in return", first.to())
        })?;
    }
    require(!board.in_check(), || format!("{answer} gives check"))?;
    let counter = material::best_exchange_gain(&board.passed(), value);
    require(counter < MIN_THREAT_GAIN, || {
        format!("{answer} threatens captures that gain {counter}")
    })?;
    claim.require_no_mate(
        &board.passed(),
        &format!("by the opponent after {answer} and a pass"),
    )
}

/// Requires that a move forces no answer and threatens no mate that is found.
fn require_quiet(claim: &Claim<'_>, other: &Alternative) -> Checked {
    let (board, mv, after) = (&other.board, other.mv, other.after());
    require(!after.in_check(), || format!("{mv} gives check, too"))?;
    for (square, _) in after.pieces().filter(|(_, piece)| piece.color == after.side()) {
        let is_attacked = require_attack(claim, board, &after, square).is_ok();
        require(!is_attacked, || format!("{mv} attacks the piece on {square}"))?;
    }
    let threat = search_threat(claim, &after);
    require(threat != MateResult::Mates, || {
        format!("{mv} makes a threat of mate, too")
    })
}
