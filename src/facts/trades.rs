//! Named exchanges (角交換, 二枚換え) and promotions along a line.

use crate::fact::{Exchange, Fact, FactKind, FactPosition};
use crate::line::{Capture, ReplayedLine, moved_kind};
use crate::material::exchange_gain;
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// A promotion along a line that no capture answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promotion {
    pub(crate) piece: PieceKind,
    pub(crate) square: Square,
    /// The number of moves of the line up to the promotion, inclusive.
    pub(crate) plies: usize,
}

/// Returns the named exchange that the first move of a line begins; `None` without one.
pub(crate) fn named_exchange(line: &ReplayedLine) -> Option<Fact> {
    let side = line.side();
    let plies = line.first_quiet_ply()?;
    let captures: Vec<&Capture> = line
        .captures(plies)
        .filter(|capture| capture.kind.unpromoted() != PieceKind::Pawn)
        .collect();
    let by = |color| -> Vec<PieceKind> {
        captures
            .iter()
            .filter(|capture| capture.side == color)
            .map(|capture| capture.kind.unpromoted())
            .collect()
    };
    line.captures(1).next()?;
    let (won, lost) = (by(side), by(side.flip()));
    let on_one_square = is_on_one_square(&captures);
    let (exchange, gainer) = match (won.as_slice(), lost.as_slice()) {
        ([PieceKind::Bishop], [PieceKind::Bishop]) if on_one_square => (Exchange::Bishops, side),
        ([PieceKind::Rook], [PieceKind::Rook]) if on_one_square => (Exchange::Rooks, side),
        ([PieceKind::Rook], [PieceKind::Bishop]) if on_one_square => (Exchange::RookForBishop, side),
        ([PieceKind::Bishop], [PieceKind::Rook]) if on_one_square => (Exchange::RookForBishop, side.flip()),
        (two, [PieceKind::Bishop | PieceKind::Rook]) if are_two_generals(two) => (Exchange::TwoForOne, side),
        ([PieceKind::Bishop | PieceKind::Rook], two) if are_two_generals(two) => {
            (Exchange::TwoForOne, side.flip())
        }
        _ => return None,
    };
    let kind = FactKind::Exchange {
        exchange,
        gain: line.gain(gainer, plies),
    };
    let moves = line.moves().get(..plies)?.to_vec();
    Some(Fact {
        kind,
        side: gainer,
        at: FactPosition::Before,
        lead: 0,
        line: moves,
    })
}

/// Returns whether the first two moves capture on one square. Neither the first captured piece nor its capturer may be
/// promoted before.
fn is_on_one_square(captures: &[&Capture]) -> bool {
    let [first, second] = captures else { return false };
    let was_plain = !first.kind.is_promoted() && !first.capturing_piece.is_promoted();
    (first.ply, second.ply) == (0, 1) && first.square == second.square && was_plain
}

fn are_two_generals(kinds: &[PieceKind]) -> bool {
    kinds.len() == 2
        && kinds
            .iter()
            .all(|kind| matches!(kind, PieceKind::Gold | PieceKind::Silver))
}

/// Returns the promotion by the first or second move of a side in a line, if no capture of the promoted piece gains
/// material.
pub(crate) fn safe_promotion(line: &ReplayedLine, side: Color) -> Option<Promotion> {
    let first = usize::from(line.side() != side);
    [first, first + 2].into_iter().find_map(|ply| {
        let mv = line.moves().get(ply).copied()?;
        let piece = safely_promoted_kind(line.position(ply)?, mv)?;
        let is_taken = line.moves().get(ply + 1).is_some_and(|next| next.to() == mv.to());
        // If the first move went to this square, its piece was captured there.
        let is_second = ply > first
            && line
                .moves()
                .get(first)
                .is_some_and(|before| before.to() == mv.to());
        (!is_taken && !is_second).then_some(Promotion {
            piece,
            square: mv.to(),
            plies: ply + 1,
        })
    })
}

/// Returns whether the side to move can also make this promotion, without a capture that gains in return.
pub(crate) fn can_promote_safely(position: &Position, promotion: Promotion) -> bool {
    let reaches = |mv: &&Move| mv.to() == promotion.square;
    position
        .legal_moves()
        .iter()
        .filter(reaches)
        .any(|mv| safely_promoted_kind(position, *mv) == Some(promotion.piece))
}

/// Returns the promotions of the side to move without a capture that gains in return.
pub(crate) fn safe_promotions(position: &Position) -> Vec<Promotion> {
    let promotion = |mv: &Move| {
        Some(Promotion {
            piece: safely_promoted_kind(position, *mv)?,
            square: mv.to(),
            plies: 1,
        })
    };
    position.legal_moves().iter().filter_map(promotion).collect()
}

fn safely_promoted_kind(position: &Position, mv: Move) -> Option<PieceKind> {
    let Move::Board { promote: true, .. } = mv else {
        return None;
    };
    let kind = moved_kind(position, mv)?;
    let mut next = position.clone();
    next.play(mv).ok()?;
    (exchange_gain(&next, mv.to()) == 0).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_exchanges() {
        let opened = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 3";
        let fact = named_exchange(&ReplayedLine::from_usi(opened, "8h2b+ 3a2b")).unwrap();
        assert!(
            matches!(
                fact.kind,
                FactKind::Exchange {
                    exchange: Exchange::Bishops,
                    ..
                }
            ),
            "{fact:?}"
        );
        assert_eq!((fact.side, fact.line.len()), (Color::Black, 2));
        assert!(
            named_exchange(&ReplayedLine::from_usi(opened, "2g2f 2b8h+ 7i8h")).is_none(),
            "the first move begins nothing"
        );
    }

    #[test]
    fn finds_promotions_that_stand() {
        let fact = safe_promotion(
            &ReplayedLine::from_usi("4k4/9/9/8P/9/9/9/9/4K4 b - 1", "1d1c+ 5a5b"),
            Color::Black,
        )
        .unwrap();
        assert_eq!((fact.piece, fact.plies), (PieceKind::Pawn, 1));
        assert!(
            safe_promotion(
                &ReplayedLine::from_usi("4k3l/9/9/8P/9/9/9/9/4K4 b - 1", "1d1c+ 1a1c+"),
                Color::Black
            )
            .is_none()
        );
        let taken = "l3k4/p8/9/9/9/9/9/L8/L3K4 b - 1";
        assert!(
            safe_promotion(
                &ReplayedLine::from_usi(taken, "9h9b+ 9a9b 9i9b+ 5a4a"),
                Color::Black
            )
            .is_none(),
            "the second on a square"
        );
        let other = ReplayedLine::from_usi("4k4/9/9/8P/9/9/9/9/4K4 b - 1", "1d1c+ 5a5b");
        assert!(safe_promotion(&other, Color::White).is_none());
    }
}
