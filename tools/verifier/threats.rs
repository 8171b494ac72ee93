//! Checks of moves that make a threat of mate or a brinkmate.

use crate::alternatives::{Alternative, alternatives, replies_to_better};
use crate::board::Board;
use crate::claim::Claim;
use crate::line::Line;
use crate::mate::{MateResult, MateSearch};
use crate::mates::{passed, require_brinkmate, require_mate_along};
use crate::verdict::{Checked, false_fact, require, undecided};
use shogibar_facts::FactPosition;
use shogibar_shogi::Move;

/// Checks [`FactKind::ThreatMade`](shogibar_facts::FactKind::ThreatMade).
pub(crate) fn threat_made(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    let shown = Shown::new(claim)?;
    require(!shown.before.in_check(), || {
        "the side is in check before the threat".to_owned()
    })?;
    require_mate_along(claim, passed(&shown.after)?, shown.rest, length)?;
    claim.require_no_mate(&shown.before, "before the move already")?;
    let mut others = Vec::new();
    match claim.fact.at {
        FactPosition::Before if claim.fact.line.first() == Some(&claim.played()?) => {}
        FactPosition::Before => others = alternatives(claim)?,
        FactPosition::After => {
            others = alternatives(claim)?;
            others.extend(replies_to_better(claim)?);
        }
    }
    require_none(&others, "a threat", |board| search_threat(claim, board))
}

/// Checks [`FactKind::BrinkmateMade`](shogibar_facts::FactKind::BrinkmateMade).
pub(crate) fn brinkmate_made(claim: &Claim<'_>) -> Checked {
    let shown = Shown::new(claim)?;
    require_brinkmate(claim, &shown.after, shown.rest)?;
    require_none(&alternatives(claim)?, "a brinkmate", |board| {
        search_brinkmate(claim, board)
    })
}

/// The first move of a line, and the moves that mate after it and a pass.
struct Shown<'a> {
    before: Board,
    after: Board,
    rest: &'a [Move],
}

impl<'a> Shown<'a> {
    /// Replays the line up to its first move. The side of the fact must move first.
    fn new(claim: &Claim<'a>) -> Checked<Self> {
        let (board, lead) = (claim.board()?, claim.fact.lead);
        claim.require_to_move(&board)?;
        let (opening, rest) = claim
            .fact
            .line
            .split_at_checked(lead + 1)
            .unwrap_or((&claim.fact.line, &[]));
        let opening = Line::replay(board, opening)?;
        let (_, before, after) = opening.step(lead)?;
        Ok(Self {
            before: *before,
            after: *after,
            rest,
        })
    }
}

/// Requires that none of these moves makes such a threat. `search` searches for it on the board after a move.
fn require_none(moves: &[Alternative], threat: &str, search: impl Fn(&Board) -> MateResult) -> Checked {
    let mut unknown = None;
    for alternative in moves {
        let mv = alternative.mv;
        match search(&alternative.after()) {
            MateResult::Mates => return Err(false_fact(format!("{mv} makes {threat}, too"))),
            MateResult::Escapes => {}
            MateResult::Unknown => unknown = Some(mv),
        }
    }
    unknown.map_or(Ok(()), |mv| {
        Err(undecided(format!("whether {mv} makes {threat} is not decided")))
    })
}

/// Searches for a mate after a pass. In check there is no pass, and so no threat.
pub(crate) fn search_threat(claim: &Claim<'_>, board: &Board) -> MateResult {
    if board.in_check() {
        MateResult::Escapes
    } else {
        claim.search(&board.passed(), claim.config.max_mate_plies)
    }
}

/// Searches for mates after a pass and after each answer. The side to move escapes if one of them does not mate.
fn search_brinkmate(claim: &Claim<'_>, board: &Board) -> MateResult {
    if !board.in_check() && search_threat(claim, board) == MateResult::Escapes {
        return MateResult::Escapes;
    }
    let mut search = MateSearch::new(board.side().flip());
    let mut result = MateResult::Mates;
    for mv in board.legal_moves() {
        match search.search(&board.after(mv), claim.config.max_mate_plies, claim.config.nodes) {
            MateResult::Mates => {}
            MateResult::Escapes => return MateResult::Escapes,
            MateResult::Unknown => result = MateResult::Unknown,
        }
    }
    result
}
