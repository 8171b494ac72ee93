//! Checks of promotions that cannot be prevented.

use crate::alternatives::{alternatives, replies_to_better};
use crate::board::Board;
use crate::claim::Claim;
use crate::material;
use crate::verdict::{Checked, false_fact, require};
use shogibar_facts::FactPosition;
use shogibar_shogi::{Move, Piece, PieceKind, Square};

/// Checks [`FactKind::PromotionUnstoppable`](shogibar_facts::FactKind::PromotionUnstoppable).
pub(crate) fn unstoppable(claim: &Claim<'_>, kind: PieceKind, square: Square) -> Checked {
    let line = claim.line()?;
    let before = line.first()?;
    claim.require_to_move(before)?;
    let (_, board) = line.opening()?;
    require(line.len() == 1, || "the line has more than one move".to_owned())?;
    require(kind != PieceKind::Silver, || "the piece is a silver".to_owned())?;
    require(!before.in_check(), || "the side is in check".to_owned())?;
    require(!board.in_check(), || "the other side is in check".to_owned())?;
    let promised = Promotion {
        piece: Piece {
            color: claim.side(),
            kind,
        },
        square,
    };
    let letter = kind.letter();
    require(!promised.is_safe(claim, before), || {
        format!("{letter} could promote on {square} before")
    })?;
    if let Some(answer) = promised.prevention(claim, board) {
        return Err(false_fact(format!(
            "{answer} prevents that {letter} promotes on {square}"
        )));
    }
    let mut others = alternatives(claim)?;
    if claim.fact.at == FactPosition::After {
        others.extend(replies_to_better(claim)?);
    }
    for other in others {
        let after = other.after();
        let same = Square::all().find(|square| {
            Promotion {
                square: *square,
                ..promised
            }
            .prevention(claim, &after)
            .is_none()
        });
        require(same.is_none(), || {
            format!("{} promises a promotion, too", other.mv)
        })?;
    }
    claim.require_plan_loss()
}

/// A promotion of a piece on a square.
#[derive(Clone, Copy, Debug)]
struct Promotion {
    piece: Piece,
    square: Square,
}

impl Promotion {
    /// Returns whether such a promotion is legal, and no capture of the promoted piece gains material.
    fn is_safe(self, claim: &Claim<'_>, board: &Board) -> bool {
        let promotes = |mv: &Move| {
            matches!(*mv, Move::Board { from, to, promote: true }
                if to == self.square && board.piece_on(from) == Some(self.piece))
        };
        let gain =
            |mv: Move| material::exchange_gain(&board.after(mv), self.square, claim.config.piece_value);
        board
            .legal_moves()
            .into_iter()
            .filter(promotes)
            .any(|mv| gain(mv) == 0)
    }

    /// Returns an answer of the side to move after which there is no such promotion.
    fn prevention(self, claim: &Claim<'_>, board: &Board) -> Option<Move> {
        board
            .legal_moves()
            .into_iter()
            .find(|answer| !self.is_safe(claim, &board.after(*answer)))
    }
}
