//! Checks of gains along a line: pieces lost and won, exchanges, promotions.

use crate::board::Board;
use crate::claim::Claim;
use crate::line::{Capture, Line};
use crate::material;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::{Exchange, Fact, FactKind, FactPosition, Gain};
use shogibar_shogi::{Color, Move, Piece, PieceKind, Square};

/// The minimum loss of [`FactKind::LosesMaterial`], by itself and compared with the better line, in tenths of a pawn.
const MIN_MATERIAL_LOSS: i32 = 20;

/// The maximum number of plies of the better line that count.
const MAX_BETTER_LINE_PLIES: usize = 16;

/// Checks [`FactKind::LosesPiece`].
pub(crate) fn loses_piece(claim: &Claim<'_>, piece: Piece, square: Square, gain: Gain) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    let line = claim.line()?;
    require_capture(&line, piece, square)?;
    require(gain.0 < 0, || "the side loses nothing".to_owned())?;
    claim.require_gain(&line, gain)
}

/// Checks [`FactKind::LosesMaterial`].
pub(crate) fn loses_material(claim: &Claim<'_>, gain: Gain) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    let line = claim.line()?;
    require(gain.0 < 0, || "the side loses nothing".to_owned())?;
    claim.require_gain_of_any_sign(&line, gain)?;
    let last = line.last()?;
    require(!last.in_check(), || "the line ends with a check".to_owned())?;
    let names_piece =
        |fact: &Fact| fact.side == claim.side() && matches!(fact.kind, FactKind::LosesPiece { .. });
    require(!claim.facts.iter().any(names_piece), || {
        "a piece that is lost stands beside it".to_owned()
    })?;
    let before = claim.before()?;
    let start = material::material(&before, claim.side(), claim.config.piece_value);
    let actual = settled(claim, last) - start;
    require(actual <= -MIN_MATERIAL_LOSS, || {
        format!("the gain is {actual} with the move and the captures that follow")
    })?;
    let better = settled(claim, &better_end(claim, before)?) - start;
    require(better - actual >= MIN_MATERIAL_LOSS, || {
        format!("the gain is {actual}, and {better} along the better line")
    })
}

/// Returns the balance of the side on a board after the captures that follow, in the unit of the piece values.
pub(crate) fn settled(claim: &Claim<'_>, board: &Board) -> i32 {
    let value = claim.config.piece_value;
    let rest = material::quiet_gain(board, value);
    material::material(board, claim.side(), value) + if board.side() == claim.side() { rest } else { -rest }
}

/// Returns the board at the end of the better line, up to its first illegal move.
fn better_end(claim: &Claim<'_>, before: Board) -> Checked<Board> {
    let stored = claim.better_line();
    let better = *stored
        .first()
        .ok_or_else(|| false_fact("there is no better line"))?;
    require(better != claim.played()?, || {
        format!("the better move is the one played, {better}")
    })?;
    require(before.is_legal(better), || {
        format!("the better move {better} is illegal")
    })?;
    let mut board = before;
    for mv in stored.iter().take(MAX_BETTER_LINE_PLIES) {
        if !board.is_legal(*mv) {
            break;
        }
        board = board.after(*mv);
    }
    Ok(board)
}

/// Checks [`FactKind::WinsPiece`].
pub(crate) fn wins_piece(claim: &Claim<'_>, piece: Piece, square: Square, gain: Gain) -> Checked {
    claim.require_to_move(&claim.board()?)?;
    let line = claim.line()?;
    require_capture(&line, piece, square)?;
    require_positive_gain(claim, &line, gain)?;
    require_more_than_recaptured(claim, &line, gain)
}

/// Requires that a gain which begins with a recapture exceeds the gain of the opponent's last move.
fn require_more_than_recaptured(claim: &Claim<'_>, line: &Line, gain: Gain) -> Checked {
    let Some(last) = claim.line_ply()?.checked_sub(1) else {
        return Ok(());
    };
    let (before, board) = (claim.board_at(last)?, claim.board()?);
    let retakes = claim.game.moves().get(last).map(|mv| mv.to()) == line.moves().first().map(|mv| mv.to());
    let value = claim.config.piece_value;
    let captured_gain =
        material::material(&before, claim.side(), value) - material::material(&board, claim.side(), value);
    let won = gain.0 - claim.loss_against_passes(line, gain);
    require(!retakes || won > captured_gain, || {
        format!("the gain of {won} only takes back {captured_gain}")
    })
}

pub(crate) fn require_positive_gain(claim: &Claim<'_>, line: &Line, gain: Gain) -> Checked {
    require(gain.0 > 0, || "the side gains nothing".to_owned())?;
    claim.require_gain(line, gain)
}

fn require_capture(line: &Line, piece: Piece, square: Square) -> Checked {
    let is_captured = line
        .captures()
        .iter()
        .any(|capture| capture.piece == piece && capture.square == square);
    require(is_captured, || {
        format!(
            "no {} of {:?} is taken on {square}",
            piece.kind.letter(),
            piece.color
        )
    })
}

/// Checks [`FactKind::Exchange`].
pub(crate) fn exchange(claim: &Claim<'_>, exchange: Exchange, gain: Gain) -> Checked {
    let line = claim.line()?;
    let captures = line.captures();
    let captured_from = |owner: Color| -> Vec<PieceKind> {
        let of_owner = |capture: &&Capture| capture.piece.color == owner;
        captures
            .iter()
            .filter(of_owner)
            .map(|capture| capture.piece.kind.unpromoted())
            .collect()
    };
    let [got, gave] = [captured_from(claim.side().flip()), captured_from(claim.side())];
    let holds = match exchange {
        Exchange::Bishops => got.contains(&PieceKind::Bishop) && gave.contains(&PieceKind::Bishop),
        Exchange::Rooks => got.contains(&PieceKind::Rook) && gave.contains(&PieceKind::Rook),
        Exchange::RookForBishop => {
            got.contains(&PieceKind::Rook)
                && gave.contains(&PieceKind::Bishop)
                && !gave.contains(&PieceKind::Rook)
        }
        Exchange::TwoForOne => {
            let pieces = |kinds: &[PieceKind]| {
                kinds
                    .iter()
                    .copied()
                    .filter(|kind| *kind != PieceKind::Pawn)
                    .collect()
            };
            let [two, one]: [Vec<PieceKind>; 2] = [pieces(&got), pieces(&gave)];
            let are_generals = two
                .iter()
                .all(|kind| matches!(kind, PieceKind::Gold | PieceKind::Silver));
            are_generals && two.len() == 2 && matches!(*one.as_slice(), [PieceKind::Bishop | PieceKind::Rook])
        }
    };
    require(holds, || {
        format!("the side gets {} and gives {}", letters(&got), letters(&gave))
    })?;
    let is_on_one_square = matches!(*line.moves(), [first, second, ..] if first.to() == second.to())
        && matches!(*captures.as_slice(), [first, second, ..] if first.index == 0 && second.index == 1);
    require(is_on_one_square || exchange == Exchange::TwoForOne, || {
        "not on one square".to_owned()
    })?;
    claim.require_gain_of_any_sign(&line, gain)
}

fn letters(kinds: &[PieceKind]) -> String {
    if kinds.is_empty() {
        "nothing".to_owned()
    } else {
        kinds.iter().map(|kind| kind.letter()).collect()
    }
}

/// Checks [`FactKind::Promotes`].
pub(crate) fn promotes(claim: &Claim<'_>, piece: PieceKind, square: Square) -> Checked {
    claim.require_to_move(&claim.board()?)?;
    require_promotion(
        claim,
        &claim.line()?,
        Piece {
            color: claim.side(),
            kind: piece,
        },
        square,
    )
}

/// Checks [`FactKind::LetsPromote`].
pub(crate) fn lets_promote(claim: &Claim<'_>, piece: PieceKind, square: Square) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    require_promotion(
        claim,
        &claim.line()?,
        Piece {
            color: claim.side().flip(),
            kind: piece,
        },
        square,
    )
}

/// Requires that a piece promotes on a square at the end of the line. No capture of it may gain material.
fn require_promotion(claim: &Claim<'_>, line: &Line, piece: Piece, square: Square) -> Checked {
    let promotes_at = |index: usize, mv: Move| -> bool {
        let Move::Board {
            from,
            to,
            promote: true,
        } = mv
        else {
            return false;
        };
        to == square
            && line
                .board(index)
                .is_some_and(|board| board.piece_on(from) == Some(piece))
    };
    let moves = line.moves();
    let found = moves
        .iter()
        .enumerate()
        .position(|(index, mv)| promotes_at(index, *mv));
    let Some(index) = found else {
        return require(false, || {
            format!("no {} promotes on {square}", piece.kind.letter())
        });
    };
    require(index + 1 == moves.len(), || {
        "the line does not end with the promotion".to_owned()
    })?;
    let gain = material::exchange_gain(line.last()?, square, claim.config.piece_value);
    require(gain == 0, || format!("taking the promoted piece gains {gain}"))
}
