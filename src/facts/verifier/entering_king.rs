//! Checks of the points of an entering king.

use crate::board::Board;
use crate::claim::Claim;
use crate::geometry::is_in_camp;
use crate::verdict::{Checked, false_fact, require};
use shogibar_core::kifu;
use shogibar_core::shogi::{Color, PieceKind, Position};

/// The pieces that must be in the camp for a declaration, without the king.
const DECLARATION_PIECES: u8 = 10;

/// The points of a side with an entering king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Points {
    /// Those of all pieces, on the board and in hand.
    pub(crate) all: u8,
    /// Those of the pieces in the camp and in hand.
    pub(crate) in_camp: u8,
    /// What is missing for a declaration.
    pub(crate) missing: u8,
    /// The pieces that are missing for a declaration.
    pub(crate) missing_pieces: u8,
}

/// Checks [`FactKind::EnteringKing`](shogibar_facts::FactKind::EnteringKing).
pub(crate) fn entering_king(claim: &Claim<'_>, stated: Points) -> Checked {
    let board = claim.board()?;
    let king = board.king(claim.side()).ok_or_else(|| false_fact("there is no king"))?;
    require(is_in_camp(king, claim.side()), || "the king is not in the camp".to_owned())?;
    let counted = count(&board, claim.side(), handicap_points(claim.game.start(), claim.side()));
    require(counted == stated, || format!("counted {counted:?}, stated {stated:?}"))
}

fn count(board: &Board, side: Color, handicap: u8) -> Points {
    let own = |square, piece: shogibar_core::shogi::Piece| {
        (piece.color == side && piece.kind != PieceKind::King).then_some((square, points(piece.kind)))
    };
    let on_board: Vec<_> = board.pieces().filter_map(|(square, piece)| own(square, piece)).collect();
    let camp: Vec<u8> =
        on_board.iter().filter(|(square, _)| is_in_camp(*square, side)).map(|(_, each)| *each).collect();
    let hand: u8 = PieceKind::IN_HAND.into_iter().map(|kind| points(kind) * board.count(side, kind)).sum();
    let all = on_board.iter().map(|(_, each)| each).sum::<u8>() + hand + handicap;
    let in_camp = camp.iter().sum::<u8>() + hand + handicap;
    let needed: u8 = if side == Color::Black { 28 } else { 27 };
    let pieces = u8::try_from(camp.len()).unwrap_or(u8::MAX);
    Points {
        all,
        in_camp,
        missing: needed.saturating_sub(in_camp),
        missing_pieces: DECLARATION_PIECES.saturating_sub(pieces),
    }
}

const fn points(kind: PieceKind) -> u8 {
    match kind.unpromoted() {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook => 5,
        _ => 1,
    }
}

/// Returns the points of the pieces that the giver of a handicap has removed, for the giver; 0 for the other side.
fn handicap_points(start: &Position, side: Color) -> u8 {
    let board_of = |position: &Position| Board::new(position);
    let is_handicap = kifu::handicaps()
        .filter_map(kifu::handicap)
        .any(|position| board_of(&position).passed() == board_of(start).passed());
    if side != Color::White || !is_handicap {
        return 0;
    }
    let full = board_of(&Position::startpos());
    let total = |board: &Board| -> u8 {
        let on_board = board.pieces().map(|(_, piece)| points(piece.kind)).sum::<u8>();
        let in_hand =
            |owner| -> u8 { PieceKind::IN_HAND.into_iter().map(|kind| points(kind) * board.count(owner, kind)).sum() };
        on_board + in_hand(Color::Black) + in_hand(Color::White)
    };
    total(&full).saturating_sub(total(&board_of(start)))
}
