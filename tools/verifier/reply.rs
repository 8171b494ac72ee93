//! Checks of the facts that the reply took or missed the chance that a move gave.

use crate::claim::Claim;
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_facts::{FactKind, FactPosition};
use shogibar_shogi::Move;

/// The minimum loss with which a move gives a chance or a reply misses one, in points of win rate.
const MIN_CHANCE_POINTS: f64 = 10.0;

/// The loss below which a reply takes the chance, in points of win rate.
const MAX_REPLY_LOSS_POINTS: f64 = 5.0;

/// Checks [`FactKind::Punished`].
pub(crate) fn punished(claim: &Claim<'_>) -> Checked {
    let reply = require_reply(claim)?;
    let loss = require_loss(claim, claim.ply)?;
    require(loss < MAX_REPLY_LOSS_POINTS, || {
        format!("the reply {reply} loses {loss:.2} points")
    })
}

/// Checks [`FactKind::Unpunished`].
pub(crate) fn unpunished(claim: &Claim<'_>) -> Checked {
    let reply = require_reply(claim)?;
    require(!is_known_punishment(claim, reply), || {
        format!("the reply {reply} is the move that takes the chance")
    })?;
    let loss = require_loss(claim, claim.ply)?;
    require(loss >= MIN_CHANCE_POINTS, || {
        format!("the reply {reply} loses {loss:.2} points only")
    })
}

/// Returns the reply in the game. Requires that the line begins with the reply, that the side of the fact plays the
/// reply, and that the move before gave a chance.
fn require_reply(claim: &Claim<'_>) -> Checked<Move> {
    let _played = claim.played()?;
    claim.require_at(FactPosition::After)?;
    claim.require_to_move(&claim.board()?)?;
    let _legal = claim.line()?;
    let reply = claim.reply().ok_or_else(|| false_fact("the game has no reply"))?;
    let first = claim.fact.line.first();
    require(first == Some(&reply), || {
        format!("the reply in the game is {reply}")
    })?;
    let loss = require_loss(claim, claim.ply.saturating_sub(1))?;
    require(loss >= MIN_CHANCE_POINTS, || {
        format!("the move loses {loss:.2} points only")
    })?;
    Ok(reply)
}

/// Returns whether the reply is the best candidate, or begins the line of another fact that punishes the move.
fn is_known_punishment(claim: &Claim<'_>, reply: Move) -> bool {
    let best = claim
        .game
        .candidates(claim.ply)
        .first()
        .and_then(|candidate| candidate.line.first());
    let punishes = |kind: &FactKind| {
        matches!(
            kind,
            FactKind::MateAllowed { .. }
                | FactKind::EngineMateAllowed { .. }
                | FactKind::ThreatUnmet { .. }
                | FactKind::LosesPiece { .. }
                | FactKind::LosesMaterial { .. }
                | FactKind::LetsPromote { .. }
        )
    };
    let lines = claim
        .facts
        .iter()
        .filter(|fact| fact.at == FactPosition::After && punishes(&fact.kind));
    best == Some(&reply)
        || lines
            .filter_map(|fact| fact.line.first())
            .any(|first| *first == reply)
}

/// Returns the loss by the move after `ply` moves, in points of win rate.
fn require_loss(claim: &Claim<'_>, ply: usize) -> Checked<f64> {
    claim.loss(ply)?.ok_or_else(|| undecided("there are no values"))
}
