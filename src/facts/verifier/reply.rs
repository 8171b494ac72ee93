//! Checks of whether the reply took the chance that a move gave.

use crate::claim::Claim;
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_core::shogi::Move;
use shogibar_facts::{FactKind, FactPlace};

/// The points of win rate from which a reply gives the chance away.
const LOSS: f64 = 5.0;

/// Checks [`FactKind::Punished`](shogibar_facts::FactKind::Punished).
pub(crate) fn punished(claim: &Claim<'_>) -> Checked {
    let reply = require_reply(claim)?;
    if is_named(claim, reply) {
        return Ok(());
    }
    let loss = loss_of_reply(claim).ok_or_else(|| undecided("there are no values"))?;
    require(loss < LOSS, || format!("the reply {reply} loses {loss:.2} points"))
}

/// Checks [`FactKind::Unpunished`](shogibar_facts::FactKind::Unpunished).
pub(crate) fn unpunished(claim: &Claim<'_>) -> Checked {
    let reply = require_reply(claim)?;
    require(!is_named(claim, reply), || format!("the reply {reply} is the move that takes the chance"))?;
    let loss = loss_of_reply(claim).ok_or_else(|| undecided("there are no values"))?;
    require(loss >= LOSS, || format!("the reply {reply} loses {loss:.2} points only"))
}

/// Returns the reply in the game, which the line must hold if it holds anything. The side of the fact plays it.
fn require_reply(claim: &Claim<'_>) -> Checked<Move> {
    let _played = claim.played()?;
    claim.require_at(FactPlace::After)?;
    claim.require_to_move(&claim.board()?)?;
    let _legal = claim.line()?;
    let reply = claim.reply().ok_or_else(|| false_fact("the game has no reply"))?;
    let first = claim.fact.line.first();
    require(first.is_none_or(|first| *first == reply), || format!("the reply in the game is {reply}"))?;
    Ok(reply)
}

/// Returns whether the reply is the best candidate, or begins the line of another fact that punishes the move.
fn is_named(claim: &Claim<'_>, reply: Move) -> bool {
    let best = claim.game.candidates(claim.ply).first().and_then(|candidate| candidate.line.first());
    let punishes = |kind: &FactKind| {
        matches!(
            kind,
            FactKind::MateAllowed { .. }
                | FactKind::ThreatUnmet { .. }
                | FactKind::LosesPiece { .. }
                | FactKind::LetsPromote { .. }
        )
    };
    let lines = claim.facts.iter().filter(|fact| fact.at == FactPlace::After && punishes(&fact.kind));
    best == Some(&reply) || lines.filter_map(|fact| fact.line.first()).any(|first| *first == reply)
}

/// Returns what the reply loses of the opponent's win rate, in points, by the stored values.
fn loss_of_reply(claim: &Claim<'_>) -> Option<f64> {
    let replier = claim.game.board(claim.ply)?.side();
    let points = |ply| Some(claim.points(claim.game.candidates(ply).first()?, replier));
    Some(points(claim.ply)? - points(claim.ply + 1)?)
}
