//! Checks of mates that only the engine's values state.

use crate::claim::Claim;
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_facts::FactPosition;
use shogibar_shogi::Color;
use shogibar_shogi::score::Value;

/// Checks [`FactKind::EngineMateMissed`](shogibar_facts::FactKind::EngineMateMissed).
pub(crate) fn missed(claim: &Claim<'_>, length: u16) -> Checked {
    claim.require_at(FactPosition::Before)?;
    let [before, after] = values(claim)?;
    require_mate(before, claim.side(), length)?;
    require(!is_won(after, claim.side()), || {
        "the side still mates after the move".to_owned()
    })?;
    require_line(claim)
}

/// Checks [`FactKind::EngineMateAllowed`](shogibar_facts::FactKind::EngineMateAllowed).
pub(crate) fn allowed(claim: &Claim<'_>, length: u16) -> Checked {
    claim.require_at(FactPosition::After)?;
    let ([before, after], opponent) = (values(claim)?, claim.side().flip());
    require_mate(after, opponent, length)?;
    require(!is_won(before, opponent), || {
        "the opponent had the mate before the move".to_owned()
    })?;
    require_line(claim)
}

/// Returns the stored values before and after the move.
pub(crate) fn values(claim: &Claim<'_>) -> Checked<[Value; 2]> {
    claim.require_mover()?;
    let value = |ply: usize| claim.game.candidates(ply).first().map(|best| best.value);
    let before = claim.ply.checked_sub(1).and_then(value);
    before
        .zip(value(claim.ply))
        .map(|(before, after)| [before, after])
        .ok_or_else(|| undecided("there are no values"))
}

/// Requires that a value is a mate by a side in this number of plies.
fn require_mate(value: Value, side: Color, length: u16) -> Checked {
    let stated = Value::Mate {
        winner: side,
        plies: Some(length.into()),
    };
    require(value == stated, || {
        format!("the value is {value:?}, not {stated:?}")
    })
}

pub(crate) fn is_won(value: Value, side: Color) -> bool {
    matches!(value, Value::Won(winner) | Value::Mate { winner, .. } if winner == side)
}

/// Requires that the line is the engine's, is legal, and begins with another move than the played one.
fn require_line(claim: &Claim<'_>) -> Checked {
    let gives_check = claim.line()?.opening()?.1.in_check();
    require(gives_check, || "the first move gives no check".to_owned())?;
    let line = claim.best_line(claim.line_ply()?);
    require(!line.is_empty() && line == claim.fact.line, || {
        "the line is not the engine's".to_owned()
    })?;
    let played = claim.played()?;
    let better = *claim
        .better_line()
        .first()
        .ok_or_else(|| false_fact("the engine has no move"))?;
    require(better != played, || format!("the engine plays {played}, too"))
}
