//! Checks of the points of an entering king.

use crate::board::Board;
use crate::claim::Claim;
use crate::geometry::is_in_camp;
use crate::verdict::{Checked, false_fact, require};
use shogibar_shogi::{Color, PieceKind, Position};

/// The number of pieces that must be in the camp for a declaration, without the king.
const DECLARATION_PIECES: u8 = 10;

/// The points of a side with an entering king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Points {
    /// The points of all pieces, on the board and in hand.
    pub(crate) total: u8,
    /// The points of the pieces in the camp and in hand.
    pub(crate) in_camp: u8,
    /// The points missing for a declaration, of 28 for Black and 27 for White.
    pub(crate) deficit: u8,
    pub(crate) missing_pieces: u8,
}

/// Checks [`FactKind::EnteringKing`](shogibar_facts::FactKind::EnteringKing).
pub(crate) fn entering_king(claim: &Claim<'_>, stated: Points) -> Checked {
    let board = claim.board()?;
    let king = board
        .king(claim.side())
        .ok_or_else(|| false_fact("there is no king"))?;
    require(is_in_camp(king, claim.side()), || {
        "the king is not in the camp".to_owned()
    })?;
    let counted = count_points(
        &board,
        claim.side(),
        handicap_points(claim.game.start(), claim.side()),
    );
    require(counted == stated, || {
        format!("counted {counted:?}, stated {stated:?}")
    })
}

/// Counts the points of a side. `handicap` are the points for the pieces of a handicap.
fn count_points(board: &Board, side: Color, handicap: u8) -> Points {
    let side_points = |square, piece: shogibar_shogi::Piece| {
        (piece.color == side && piece.kind != PieceKind::King).then_some((square, points(piece.kind)))
    };
    let on_board: Vec<_> = board
        .pieces()
        .filter_map(|(square, piece)| side_points(square, piece))
        .collect();
    let camp: Vec<u8> = on_board
        .iter()
        .filter(|(square, _)| is_in_camp(*square, side))
        .map(|(_, each)| *each)
        .collect();
    let hand: u8 = PieceKind::IN_HAND
        .into_iter()
        .map(|kind| points(kind) * board.count(side, kind))
        .sum();
    let all = on_board.iter().map(|(_, each)| each).sum::<u8>() + hand + handicap;
    let in_camp = camp.iter().sum::<u8>() + hand + handicap;
    let needed: u8 = if side == Color::Black { 28 } else { 27 };
    let pieces = u8::try_from(camp.len()).unwrap_or(u8::MAX);
    Points {
        total: all,
        in_camp,
        deficit: needed.saturating_sub(in_camp),
        missing_pieces: DECLARATION_PIECES.saturating_sub(pieces),
    }
}

/// Returns the points of a piece for a declaration.
const fn points(kind: PieceKind) -> u8 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook => 5,
        _ => 1,
    }
}

/// Returns the points of the pieces that `side` has removed as a handicap; 0 if the side gave none. Only the giver has
/// fewer pieces than in an even game, and no piece is in hand.
fn handicap_points(start: &Position, side: Color) -> u8 {
    let (full, start) = (Board::new(&Position::startpos()), Board::new(start));
    let is_in_hand = PieceKind::IN_HAND
        .into_iter()
        .any(|kind| start.count(side, kind) + start.count(side.flip(), kind) > 0);
    if is_in_hand || piece_count(&start, side.flip()) != piece_count(&full, side.flip()) {
        return 0;
    }
    board_points(&full, side).saturating_sub(board_points(&start, side))
}

fn piece_count(board: &Board, side: Color) -> usize {
    board.pieces().filter(|(_, piece)| piece.color == side).count()
}

/// Returns the points of a side's pieces on the board.
fn board_points(board: &Board, side: Color) -> u8 {
    board
        .pieces()
        .filter(|(_, piece)| piece.color == side)
        .map(|(_, piece)| points(piece.kind))
        .sum()
}
