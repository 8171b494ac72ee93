//! Promotions that the other side cannot prevent.

use super::{ComparedLines, MovePositions, ShownMove};
use crate::budget::Budget;
use crate::fact::{Fact, FactKind};
use crate::material::piece_value;
use crate::trades::{Promotion, can_promote_safely, safe_promotions};
use shogibar_shogi::PieceKind;

/// The minimum gain in value by a promotion that is stated, in tenths of a pawn. That of a silver is less.
const MIN_PROMOTION_VALUE: i32 = 20;

/// Returns the promotions that the other side cannot prevent after the better move or after the engine's reply, and
/// that the other moves do not promise.
pub(crate) fn promotion_unstoppable(lines: &ComparedLines<'_>, budget: &Budget) -> Vec<Fact> {
    lines
        .shown_moves()
        .iter()
        .filter_map(|shown| shown_promotion(shown, budget))
        .collect()
}

fn shown_promotion(shown: &ShownMove<'_>, budget: &Budget) -> Option<Fact> {
    let promised = promised_promotions(&shown.positions, budget)?;
    let promotion = promised
        .into_iter()
        .max_by_key(|promotion| promotion_value(promotion.piece))?;
    let lacks = |other: &MovePositions| {
        promised_promotions(other, budget)
            .is_some_and(|others| others.iter().all(|other| other.piece != promotion.piece))
    };
    let kind = FactKind::PromotionUnstoppable {
        piece: promotion.piece,
        square: promotion.square,
    };
    shown.others.iter().all(lacks).then(|| shown.fact(kind, 1))
}

/// Returns the promotions that a move promises, whatever the other side answers; `None` where the budget ends.
fn promised_promotions(
    MovePositions { before, after }: &MovePositions,
    budget: &Budget,
) -> Option<Vec<Promotion>> {
    if before.in_check() || after.in_check() {
        return Some(Vec::new());
    }
    let passed = after.with_side_to_move(before.side_to_move());
    let mut promotions = safe_promotions(&passed);
    promotions.retain(|promotion| {
        promotion_value(promotion.piece) >= MIN_PROMOTION_VALUE && !can_promote_safely(before, *promotion)
    });
    let answers = after.legal_moves();
    if promotions.is_empty() || answers.is_empty() {
        return Some(Vec::new());
    }
    let (nodes, node_work) = (
        answers.len() as u64,
        (promotions.len() * passed.legal_moves().len()) as u64,
    );
    if budget.take(nodes, node_work) < nodes {
        return None;
    }
    for answer in answers {
        let mut next = after.clone();
        if promotions.is_empty() || next.play(answer).is_err() {
            break;
        }
        promotions.retain(|promotion| can_promote_safely(&next, *promotion));
    }
    Some(promotions)
}

/// Returns by how much a promotion raises the value of a piece, in tenths of a pawn.
fn promotion_value(kind: PieceKind) -> i32 {
    kind.promoted()
        .map_or(0, |promoted| piece_value(promoted) - piece_value(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fact::FactPosition;
    use crate::plans::tests::TestLines;

    fn found(sfen: &str, played: &str, better: &str) -> Vec<(FactPosition, String)> {
        let lines = TestLines::new(sfen, played, better);
        let facts = promotion_unstoppable(&lines.compared(), &Budget::new(100_000));
        let text = |kind: &FactKind| match kind {
            FactKind::PromotionUnstoppable { piece, square } => format!("{piece:?} {square}"),
            other => panic!("{other:?}"),
        };
        facts.iter().map(|fact| (fact.at, text(&fact.kind))).collect()
    }

    #[test]
    fn finds_the_promotion_that_the_better_move_promises() {
        let (played, better) = ("5i5h 1b1c", "9e9d 1b1c");
        let promised = vec![(FactPosition::Before, "Pawn 9c".to_owned())];
        assert_eq!(found("9/8k/9/9/P8/9/9/9/4K4 b - 1", played, better), promised);
        assert_eq!(
            found("l8/8k/9/9/P8/9/9/9/4K4 b - 1", played, better),
            [],
            "the lance takes"
        );
        assert_eq!(
            found("9/8k/9/9/P8/9/9/9/4K4 b p 1", played, better),
            [],
            "a pawn takes the way"
        );
        assert_eq!(
            found("9/r7k/9/9/P8/9/9/9/4K4 b - 1", played, better),
            [],
            "the rook checks or takes"
        );
        assert_eq!(
            found("9/8k/9/9/S8/9/9/9/4K4 b - 1", played, better),
            [],
            "a silver"
        );
        let ready = "9/8k/9/P8/9/9/9/9/4K4 b - 1";
        assert_eq!(found(ready, played, "5i4h 1b1c"), [], "it could promote before");
        let both = "9/8k/9/9/PP7/9/9/9/4K4 b - 1";
        assert_eq!(
            found(both, "8e8d 1b1c", better),
            [],
            "the played move promises one, too"
        );
        let lines = TestLines::new("9/8k/9/9/P8/9/9/9/4K4 b - 1", played, better);
        assert_eq!(
            promotion_unstoppable(&lines.compared(), &Budget::new(10)),
            [],
            "the budget ends"
        );
    }

    #[test]
    fn finds_the_promotion_that_the_reply_promises() {
        let sfen = "8k/9/9/9/p8/9/9/2G6/4K4 b - 1";
        let promised = vec![(FactPosition::After, "Pawn 9g".to_owned())];
        assert_eq!(found(sfen, "7h6h 9e9f", "7h8h 1a1b"), promised);
        assert_eq!(
            found(sfen, "7h6h 9e9f", "7h6g 1a1b"),
            [],
            "the same reply promises it after the better move"
        );
        let two = "8k/9/9/9/p7p/9/9/2G6/4K4 b - 1";
        assert_eq!(found(two, "7h6h 9e9f", "7h8h 1a1b"), promised);
        assert_eq!(
            found(two, "7h6h 9e9f", "7h8h 1e1f"),
            [],
            "the reply to the better move promises one, too"
        );
        assert_eq!(
            found(sfen, "7h6h 1a1b", "7h8h 1a1b"),
            [],
            "the engine replies with another move"
        );
    }
}
