//! Checks of pieces that no longer play.

use crate::board::Board;
use crate::claim::Claim;
use crate::king::two_lines;
use crate::line::Line;
use crate::material;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::FactPosition;
use shogibar_shogi::{Move, Piece, PieceKind, Square};

/// The maximum number of safe moves of an idle piece.
const MAX_SAFE_MOVES: u8 = 2;

/// The minimum number of further safe moves before the move, and at the end of the better line.
const MIN_LOST_MOVES: u8 = 4;

/// Checks [`FactKind::IdlePiece`](shogibar_facts::FactKind::IdlePiece). `safe_moves` are the numbers at the end of the
/// line, and at the end of the better one.
pub(crate) fn idle(claim: &Claim<'_>, kind: PieceKind, square: Square, safe_moves: [u8; 2]) -> Checked {
    claim.require_at(FactPosition::After)?;
    claim.require_mover()?;
    let is_large = matches!(
        kind,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon
    );
    require(is_large, || format!("{} is no bishop or rook", kind.letter()))?;
    let [shown, better] = two_lines(claim)?;
    require(shown.moves() == claim.fact.line, || {
        "the line is not the engine's".to_owned()
    })?;
    let moves: Vec<Move> = std::iter::once(claim.played()?)
        .chain(shown.moves().iter().copied())
        .collect();
    let whole = Line::replay(claim.before()?, &moves)?;
    let piece = Piece {
        color: claim.side(),
        kind,
    };
    let from = start(&whole, piece, square)?;
    let other = better
        .follow(from)
        .ok_or_else(|| false_fact("the piece is taken along the better line"))?;
    require(better.last()?.piece_on(other) == Some(piece), || {
        "the better line promotes the piece".to_owned()
    })?;
    for (end, square) in [(whole.last()?, square), (better.last()?, other)] {
        require(!end.in_check(), || "a line ends with a check".to_owned())?;
        let captures = material::quiet_captures(end, claim.config.piece_value);
        let stays = captures
            .iter()
            .all(|mv| mv.from() != Some(square) && mv.to() != square);
        require(stays, || {
            format!("the captures that follow move or take the piece on {square}")
        })?;
    }
    let counted = [
        safe_squares(claim, whole.last()?, square),
        safe_squares(claim, better.last()?, other),
    ];
    require(counted == safe_moves, || {
        format!("it has {counted:?} safe moves, not {safe_moves:?}")
    })?;
    let [few, many] = safe_moves;
    require(few <= MAX_SAFE_MOVES, || format!("it has {few} safe moves"))?;
    require(many >= few + MIN_LOST_MOVES, || {
        format!("by the better line it has {many} safe moves only")
    })?;
    let earlier = safe_squares(claim, whole.first()?, from);
    require(earlier >= few + MIN_LOST_MOVES, || {
        format!("before the move it has {earlier} safe moves only")
    })?;
    claim.require_plan_loss()
}

/// Returns the square on the first board of the piece that ends on a square. It must be such a piece on both boards.
fn start(line: &Line, piece: Piece, square: Square) -> Checked<Square> {
    require(line.last()?.piece_on(square) == Some(piece), || {
        format!("no {} of the side ends on {square}", piece.kind.letter())
    })?;
    let mut same = line
        .first()?
        .pieces()
        .filter(|(_, other)| *other == piece)
        .map(|(from, _)| from);
    let from = same.find(|from| line.follow(*from) == Some(square));
    from.ok_or_else(|| false_fact("the piece is promoted or dropped along the line"))
}

/// Returns the number of squares to which a piece of the side can move, and where no capture of it gains material.
fn safe_squares(claim: &Claim<'_>, board: &Board, from: Square) -> u8 {
    let board = if board.side() == claim.side() {
        *board
    } else {
        board.passed()
    };
    let moves: Vec<Move> = board
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.from() == Some(from))
        .collect();
    let is_safe =
        |mv: &&Move| material::exchange_gain(&board.after(**mv), mv.to(), claim.config.piece_value) == 0;
    let safe: Vec<Square> = moves.iter().filter(is_safe).map(|mv| mv.to()).collect();
    let count = Square::all().filter(|square| safe.contains(square)).count();
    u8::try_from(count).unwrap_or(u8::MAX)
}
