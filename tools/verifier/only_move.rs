//! Checks of the only move.

use crate::board::Board;
use crate::claim::Claim;
use crate::game::Candidate;
use crate::mate::{MateResult, MateSearch};
use crate::material;
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_shogi::Move;

/// The minimum margin of an only move before the next candidate, in points of win rate.
const MIN_MARGIN_POINTS: f64 = 10.0;

/// The maximum loss of a candidate that holds, in points of win rate.
const MAX_HOLDING_LOSS_POINTS: f64 = 5.0;

/// The maximum rounding error of a difference of win rates, in points.
const ROUNDING_TOLERANCE: f64 = 1e-6;

/// Checks [`FactKind::OnlyMove`](shogibar_facts::FactKind::OnlyMove).
pub(crate) fn only_move(claim: &Claim<'_>, holding_count: u8, is_proved: bool) -> Checked {
    let board = claim.board()?;
    claim.require_to_move(&board)?;
    let line = claim.line()?;
    let (mv, next) = line.opening()?;
    require_choice(claim, &board, mv, next)?;
    let candidates = claim.candidates()?;
    if is_proved {
        require_others_mated(claim)?;
    } else {
        require_margin(claim, candidates)?;
    }
    let counted = count_holding(claim, candidates);
    let expected = if is_proved { counted.max(1) } else { counted };
    require(usize::from(holding_count) == expected, || {
        format!("{expected} candidates hold, not {holding_count}")
    })
}

/// Requires that the move is one that not anybody plays. `next` is the board after it.
fn require_choice(claim: &Claim<'_>, board: &Board, mv: Move, next: &Board) -> Checked {
    let count = board.legal_moves().len();
    require(count > 1, || "there is no other legal move".to_owned())?;
    require(count > 2 || !board.in_check(), || {
        format!("the check has {count} answers")
    })?;
    let Some(last) = claim.line_ply()?.checked_sub(1) else {
        return Ok(());
    };
    let (earlier, value) = (claim.board_at(last)?, claim.config.piece_value);
    let is_recapture = claim
        .game
        .moves()
        .get(last)
        .is_some_and(|last| last.to() == mv.to())
        && earlier.piece_on(mv.to()).is_some();
    let won = material::material(next, claim.side(), value) - material::material(board, claim.side(), value);
    let taken_back = material::exchange_gain(next, mv.to(), value);
    require(!is_recapture || won < taken_back, || {
        format!("{mv} takes back at no loss")
    })
}

/// Returns the number of candidates within [`MAX_HOLDING_LOSS_POINTS`] points of the best.
fn count_holding(claim: &Claim<'_>, candidates: &[Candidate]) -> usize {
    let points: Vec<f64> = candidates
        .iter()
        .map(|candidate| claim.points(candidate, claim.side()))
        .collect();
    let best = points.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    points
        .iter()
        .filter(|points| best - **points <= MAX_HOLDING_LOSS_POINTS + ROUNDING_TOLERANCE)
        .count()
}

/// Requires that the stored values show the first move of the line as the only one.
fn require_margin(claim: &Claim<'_>, candidates: &[Candidate]) -> Checked {
    let [best, second, ..] = candidates else {
        return Err(false_fact("there are not two candidates"));
    };
    require(best.line.first() == claim.fact.line.first(), || {
        "another candidate is the best".to_owned()
    })?;
    let margin = claim.points(best, claim.side()) - claim.points(second, claim.side());
    require(margin >= MIN_MARGIN_POINTS - ROUNDING_TOLERANCE, || {
        format!("the next candidate is {margin:.2} points behind")
    })
}

/// Requires that every move but the first of the line is answered by a mate. The first move must not be known to be
/// answered by one.
fn require_others_mated(claim: &Claim<'_>) -> Checked {
    let board = claim.board()?;
    let mut search = MateSearch::new(board.side().flip());
    let mut unknown = None;
    for mv in board.legal_moves() {
        let is_only = claim.fact.line.first() == Some(&mv);
        match search.search(&board.after(mv), claim.config.max_mate_plies, claim.config.nodes) {
            MateResult::Mates if is_only => {
                return Err(false_fact(format!("{mv} is answered by a mate, too")));
            }
            MateResult::Escapes if !is_only => return Err(false_fact(format!("{mv} holds, too"))),
            MateResult::Unknown if !is_only => unknown = Some(mv),
            MateResult::Mates | MateResult::Escapes | MateResult::Unknown => {}
        }
    }
    unknown.map_or(Ok(()), |mv| {
        Err(undecided(format!("whether {mv} holds is not decided")))
    })
}
