//! Checks of attacks: forks, skewers, pins, discovered attacks, trapped pieces.

use crate::board::Board;
use crate::claim::Claim;
use crate::gains;
use crate::geometry;
use crate::line::{Capture, Line};
use crate::material;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::Gain;
use shogibar_shogi::{Color, Move, Piece, PieceKind, Square};

/// Checks [`FactKind::Fork`](shogibar_facts::FactKind::Fork).
pub(crate) fn fork(claim: &Claim<'_>, piece: PieceKind, squares: &[Square], gain: Gain) -> Checked {
    let line = claim.line()?;
    claim.require_to_move(line.first()?)?;
    let [attacker, targets @ ..] = squares else {
        return Err(false_fact("there are no squares"));
    };
    let board = require_attacker(claim, &line, piece, *attacker)?;
    require(targets.len() >= 2, || {
        "fewer than two pieces are attacked".to_owned()
    })?;
    for (index, target) in targets.iter().enumerate() {
        require(!targets.iter().take(index).any(|other| other == target), || {
            format!("{target} is named twice")
        })?;
        require_target(board, claim.side(), *attacker, *target)?;
    }
    for target in targets {
        require_worthy(claim, board, piece, *target)?;
    }
    require_one_captured(claim, &line, *attacker, targets)?;
    require_gain(claim, &line, gain)
}

/// Checks [`FactKind::Skewer`](shogibar_facts::FactKind::Skewer).
pub(crate) fn skewer(claim: &Claim<'_>, piece: PieceKind, squares: [Square; 3], gain: Gain) -> Checked {
    let line = claim.line()?;
    claim.require_to_move(line.first()?)?;
    let [attacker, front, behind] = squares;
    let board = require_attacker(claim, &line, piece, attacker)?;
    require_target(board, claim.side(), attacker, front)?;
    require_behind(board, attacker, front, behind)?;
    let worth = |square| worth(claim, board, square);
    let [front_piece, back_piece] = [board.piece_on(front), board.piece_on(behind)];
    let is_worth = back_piece.is_some_and(|piece| piece.kind != PieceKind::Pawn);
    require(is_worth, || "the piece behind is a pawn".to_owned())?;
    require(
        back_piece.is_some_and(|piece| piece.color != claim.side()),
        || format!("no target stands on {behind}"),
    )?;
    require(front_piece.is_some() && worth(behind) <= worth(front), || {
        "the piece behind has more value".to_owned()
    })?;
    require_one_captured(claim, &line, attacker, &[front, behind])?;
    require_gain(claim, &line, gain)
}

/// Checks [`FactKind::Pin`](shogibar_facts::FactKind::Pin).
pub(crate) fn pin(claim: &Claim<'_>, piece: PieceKind, squares: [Square; 3], gain: Gain) -> Checked {
    let line = claim.line()?;
    claim.require_to_move(line.first()?)?;
    let [attacker, pinned, king] = squares;
    let (_, _, board) = line.step(claim.fact.lead)?;
    require(board.has(claim.side(), piece, attacker), || {
        format!("no {} stands on {attacker}", piece.letter())
    })?;
    require(board.king(claim.side().flip()) == Some(king), || {
        format!("the king does not stand on {king}")
    })?;
    // The pinned piece must be attacked.
    require_target(board, claim.side(), attacker, pinned)?;
    require_behind(board, attacker, pinned, king)?;
    let captured = line
        .fate(claim.fact.lead + 1, pinned)
        .filter(|capture| capture.square == pinned);
    require(captured.is_some(), || {
        "the line does not take the pinned piece on its square".to_owned()
    })?;
    require_gain(claim, &line, gain)
}

/// Checks [`FactKind::Discovered`](shogibar_facts::FactKind::Discovered).
pub(crate) fn discovered(claim: &Claim<'_>, piece: PieceKind, squares: [Square; 3], gain: Gain) -> Checked {
    let line = claim.line()?;
    claim.require_to_move(line.first()?)?;
    let [attacker, cover, target] = squares;
    let (mv, before, board) = line.step(claim.fact.lead)?;
    require(mv.from() == Some(cover), || {
        format!("the first move does not leave {cover}")
    })?;
    require(before.has(claim.side(), piece, attacker), || {
        format!("no {} stands on {attacker}", piece.letter())
    })?;
    require(!before.attacks(attacker, target), || {
        "the target was attacked before".to_owned()
    })?;
    require_target(board, claim.side(), attacker, target)?;
    let since = claim.fact.lead + 1;
    let takes = |mv: &Move| mv.from() == Some(attacker) && mv.to() == target;
    let index = line
        .moves()
        .iter()
        .skip(since)
        .position(takes)
        .map(|index| index + since);
    let stays = |index: usize| {
        line.fate(since, target)
            .is_some_and(|capture| capture.index == index)
    };
    require(index.is_some_and(stays), || {
        "the line does not take the target by that piece".to_owned()
    })?;
    require_gain(claim, &line, gain)
}

/// Checks [`FactKind::Trapped`](shogibar_facts::FactKind::Trapped).
pub(crate) fn trapped(claim: &Claim<'_>, piece: PieceKind, square: Square, gain: Gain) -> Checked {
    let line = claim.line()?;
    let side = claim.side();
    let them = side.flip();
    claim.require_to_move(line.first()?)?;
    let (_, before, board) = line.step(claim.fact.lead)?;
    let value = claim.config.piece_value;
    let is_large = piece != PieceKind::King && value(piece) >= value(PieceKind::Silver);
    require(is_large, || format!("{} is less than a silver", piece.letter()))?;
    require(board.has(them, piece, square), || {
        format!("no {} stands on {square}", piece.letter())
    })?;
    require(!board.in_check(), || "the owner is in check".to_owned())?;
    require(board.is_attacked(side, square), || {
        "the piece is not attacked".to_owned()
    })?;
    require(
        line.fate(claim.fact.lead + 1, square)
            .is_some_and(|capture| capture.piece.color == them),
        || "the line does not take the piece".to_owned(),
    )?;
    require_lost_anywhere(claim, board, square)?;
    require(!before.in_check(), || {
        "the side is in check before the first move".to_owned()
    })?;
    let was_lost = require_lost_anywhere(claim, &before.passed(), square).is_ok();
    require(!was_lost, || "the piece had no way out before".to_owned())?;
    require_gain(claim, &line, gain)
}

/// Requires that the piece on a square, whose side is to move, is lost there and after each of its moves.
fn require_lost_anywhere(claim: &Claim<'_>, board: &Board, square: Square) -> Checked {
    let (value, owner) = (claim.config.piece_value, board.side());
    let stays = material::exchange_gain(&board.passed(), square, value);
    require(stays > 0, || "the piece is not lost where it stands".to_owned())?;
    for mv in board
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.from() == Some(square))
    {
        let next = board.after(mv);
        let won = material::material(&next, owner, value) - material::material(board, owner, value);
        let lost = material::exchange_gain(&next, mv.to(), value);
        require(lost > 0 && lost > won, || format!("{mv} saves the piece"))?;
    }
    Ok(())
}

/// Requires that a gain is positive, and is the gain along the line. A part of it must come after the lead.
fn require_gain(claim: &Claim<'_>, line: &Line, gain: Gain) -> Checked {
    gains::require_positive_gain(claim, line, gain)?;
    let (_, before, _) = line.step(claim.fact.lead)?;
    let won = gains::settled(claim, line.last()?)
        - material::material(before, claim.side(), claim.config.piece_value);
    require(won > 0, || format!("the gain is {won} after the lead"))
}

/// Requires that the first move goes to a square, with such a piece of the side. Returns the board after the move.
fn require_attacker<'a>(
    claim: &Claim<'_>,
    line: &'a Line,
    piece: PieceKind,
    square: Square,
) -> Checked<&'a Board> {
    let (mv, _, board) = line.step(claim.fact.lead)?;
    require(mv.to() == square, || {
        format!("the first move does not go to {square}")
    })?;
    require(board.has(claim.side(), piece, square), || {
        format!("no {} stands on {square}", piece.letter())
    })?;
    Ok(board)
}

/// Requires that the piece on a square attacks a piece of the opponent of `side` on another.
fn require_target(board: &Board, side: Color, attacker: Square, target: Square) -> Checked {
    let is_theirs = board.piece_on(target).is_some_and(|piece| piece.color != side);
    require(is_theirs, || {
        format!("no piece of the opponent stands on {target}")
    })?;
    require(board.attacks(attacker, target), || {
        format!("{attacker} does not attack {target}")
    })
}

fn require_worthy(claim: &Claim<'_>, board: &Board, attacker: PieceKind, target: Square) -> Checked {
    let Some(piece) = board.piece_on(target) else {
        return Ok(());
    };
    let is_dear = worth(claim, board, target) > (claim.config.piece_value)(attacker);
    let is_loose = piece.kind != PieceKind::Pawn && !board.is_attacked(piece.color, target);
    require(is_dear || is_loose, || {
        format!("the piece on {target} is no target: it is guarded, or a pawn")
    })
}

/// Requires that `behind` is the next occupied square after `front`, on a line along which the attacker slides.
fn require_behind(board: &Board, attacker: Square, front: Square, behind: Square) -> Checked {
    let direction = geometry::direction_between(attacker, front);
    let goes_on =
        board
            .piece_on(attacker)
            .zip(direction)
            .is_some_and(|(Piece { kind, color }, direction)| {
                let mut beyond = geometry::ray(front, direction).iter();
                geometry::range(kind, color, direction) > 1
                    && beyond.find(|square| board.piece_on(**square).is_some()) == Some(&behind)
            });
    require(goes_on, || {
        format!("{behind} is not the next behind {front} as seen from {attacker}")
    })
}

fn require_one_captured(claim: &Claim<'_>, line: &Line, attacker: Square, squares: &[Square]) -> Checked {
    let since = claim.fact.lead + 1;
    let takes = |capture: Capture| line.mover_stood_on(since, capture.index, attacker);
    require(
        squares
            .iter()
            .any(|square| line.fate(since, *square).is_some_and(takes)),
        || "the attacker takes none of the attacked pieces".to_owned(),
    )
}

/// Returns the value of the piece on a square, in the unit of the piece values; a king has the highest value.
fn worth(claim: &Claim<'_>, board: &Board, square: Square) -> i32 {
    board.piece_on(square).map_or(0, |piece| match piece.kind {
        PieceKind::King => i32::MAX,
        kind => (claim.config.piece_value)(kind),
    })
}
