//! Checks of mates and threats of mate.

use crate::board::Board;
use crate::claim::Claim;
use crate::engine_mates;
use crate::line::Line;
use crate::mate::{MateResult, MateSearch};
use crate::verdict::{Checked, Verdict, false_fact, require, undecided};
use shogibar_facts::FactPosition;
use shogibar_shogi::Move;

/// Checks [`FactKind::Check`](shogibar_facts::FactKind::Check).
pub(crate) fn check(claim: &Claim<'_>) -> Checked {
    let board = claim.board()?;
    claim.require_to_move(&board)?;
    require(board.in_check(), || "there is no check".to_owned())?;
    let _legal = claim.line()?;
    Ok(())
}

/// Checks [`FactKind::Mate`](shogibar_facts::FactKind::Mate).
pub(crate) fn mate(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    let board = claim.board()?;
    claim.require_to_move(&board)?;
    require_mate_by(claim, board, length)
}

/// Checks [`FactKind::MateMissed`](shogibar_facts::FactKind::MateMissed).
pub(crate) fn mate_missed(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    claim.require_at(FactPosition::Before)?;
    claim.require_mover()?;
    let after = claim.board_at(claim.ply)?;
    require(!after.is_mate(), || "the move mates".to_owned())?;
    require_mate_by(claim, claim.board()?, length)?;
    let expected = claim.best_line(claim.ply).first().copied();
    let replies: Vec<Move> = [claim.reply(), expected].into_iter().flatten().collect();
    for reply in &replies {
        require(after.is_legal(*reply), || format!("the reply {reply} is illegal"))?;
        match claim.require_no_mate(&after.after(*reply), &format!("after the reply {reply}")) {
            // The value decides what no search does.
            Err(Verdict::Undecided(_)) if is_lost_by_value(claim) => {}
            other => other?,
        }
    }
    if !replies.is_empty() {
        return Ok(());
    }
    match MateSearch::new(claim.side()).search(&after, claim.config.max_mate_plies, claim.config.nodes) {
        MateResult::Mates => Err(false_fact("the move keeps the mate")),
        MateResult::Escapes => Ok(()),
        MateResult::Unknown => Err(undecided("whether the move keeps the mate is not decided")),
    }
}

/// Returns whether the side does not win by the value after its move.
fn is_lost_by_value(claim: &Claim<'_>) -> bool {
    engine_mates::values(claim).is_ok_and(|[_, after]| !engine_mates::is_won(after, claim.side()))
}

/// Checks [`FactKind::MateAllowed`](shogibar_facts::FactKind::MateAllowed).
pub(crate) fn mate_allowed(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    require_mate_by(claim, claim.board()?, length)?;
    let value_before = engine_mates::values(claim).map(|[before, _]| before);
    if value_before.is_ok_and(|before| !engine_mates::is_won(before, claim.side().flip())) {
        return Ok(());
    }
    require_other_move(claim)
}

fn require_other_move(claim: &Claim<'_>) -> Checked {
    let before = claim.before()?;
    let played = claim.played()?;
    let best = claim
        .game
        .candidates(claim.ply.saturating_sub(1))
        .iter()
        .filter_map(|candidate| candidate.line.first());
    let moves = best
        .copied()
        .chain(before.legal_moves())
        .filter(|mv| *mv != played && before.is_legal(*mv));
    let mut is_known = true;
    for mv in moves {
        match claim.search(&before.after(mv), claim.config.max_mate_plies) {
            MateResult::Mates => {}
            MateResult::Escapes => return Ok(()),
            MateResult::Unknown => is_known = false,
        }
    }
    let why = "every other move is answered by a mate";
    Err(if is_known {
        false_fact(why)
    } else {
        undecided(format!("perhaps {why}"))
    })
}

/// Checks [`FactKind::ThreatOfMate`](shogibar_facts::FactKind::ThreatOfMate).
pub(crate) fn threat_of_mate(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    let board = claim.board()?;
    claim.require_to_move(&board)?;
    require_mate_by(claim, passed(&board)?, length)
}

/// Checks [`FactKind::ThreatUnmet`](shogibar_facts::FactKind::ThreatUnmet).
pub(crate) fn threat_unmet(claim: &Claim<'_>, length: Option<u16>) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    require_mate_by(claim, claim.board()?, length)?;
    match claim.search(&passed(&claim.before()?)?, claim.config.max_mate_plies) {
        MateResult::Mates => Ok(()),
        MateResult::Escapes => Err(false_fact("there was no threat before the move")),
        MateResult::Unknown => Err(undecided(
            "whether there was a threat before the move is not decided",
        )),
    }
}

/// Checks [`FactKind::Brinkmate`](shogibar_facts::FactKind::Brinkmate).
pub(crate) fn brinkmate(claim: &Claim<'_>) -> Checked {
    let board = claim.board()?;
    claim.require_to_move(&board)?;
    require_brinkmate(claim, &board, &claim.fact.line)
}

pub(crate) fn require_brinkmate(claim: &Claim<'_>, board: &Board, moves: &[Move]) -> Checked {
    require_mate_along(claim, passed(board)?, moves, None)?;
    claim.require_no_mate(board, "by the side in the brinkmate")?;
    let mut search = MateSearch::new(board.side().flip());
    let mut unknown = None;
    for mv in board.legal_moves() {
        match search.search(&board.after(mv), claim.config.max_mate_plies, claim.config.nodes) {
            MateResult::Mates => {}
            MateResult::Escapes => return Err(false_fact(format!("{mv} escapes"))),
            MateResult::Unknown => unknown = Some(mv),
        }
    }
    unknown.map_or(Ok(()), |mv| {
        Err(undecided(format!("whether {mv} escapes is not decided")))
    })
}

/// Returns the board after a pass. In check, where no pass is legal, the fact is false.
pub(crate) fn passed(board: &Board) -> Checked<Board> {
    require(!board.in_check(), || "a pass while in check".to_owned())?;
    Ok(board.passed())
}

/// Requires that the line mates on a board against all defences, as [`require_mate_along`] does.
fn require_mate_by(claim: &Claim<'_>, board: Board, length: Option<u16>) -> Checked {
    require_mate_along(claim, board, &claim.fact.line, length)
}

/// Requires that moves mate on a board against all defences. With a length, there must be a mate within this number of
/// plies, and no shorter one.
pub(crate) fn require_mate_along(
    claim: &Claim<'_>,
    board: Board,
    moves: &[Move],
    length: Option<u16>,
) -> Checked {
    require_mate_line(&board, moves, length.unwrap_or(u16::MAX))?;
    claim.require_mate(&board, length.unwrap_or(claim.config.max_mate_plies))?;
    let Some(shorter) = length.and_then(|length| length.checked_sub(2)) else {
        return Ok(());
    };
    match claim.search(&board, shorter) {
        MateResult::Mates => Err(false_fact(format!("there is a mate within {shorter} plies"))),
        MateResult::Escapes => Ok(()),
        MateResult::Unknown => Err(undecided(format!(
            "a mate within {shorter} plies was neither found nor refuted"
        ))),
    }
}

/// Requires that a line of at most `length` plies mates, and that each move of the attacker gives check.
fn require_mate_line(board: &Board, moves: &[Move], length: u16) -> Checked {
    require(moves.len() <= usize::from(length), || {
        format!("the line is longer than {length} plies")
    })?;
    let line = Line::replay(*board, moves)?;
    for index in (0..line.len()).step_by(2) {
        let gives_check = line.board(index + 1).is_some_and(Board::in_check);
        require(gives_check, || {
            format!("move {} of the line gives no check", index + 1)
        })?;
    }
    let last = line.last()?;
    require(last.is_mate() && last.side() != board.side(), || {
        "the line does not end with a mate".to_owned()
    })
}
