//! The points of a king in the camp of the opponent (入玉).

use crate::fact::{Fact, FactKind, FactPosition};
use shogibar_shogi::{Color, PieceKind, Position, Setup, Square};

/// The number of pieces beside the king that a declaration needs in the camp.
const DECLARATION_PIECES: u8 = 10;

/// Returns the side that gave a handicap: the only side that lacks pieces in this start position. `None` for an even
/// game, if both sides lack pieces, and if pieces are in hand.
pub fn handicap_giver(start: &Position) -> Option<Color> {
    let lacks = [Color::Black, Color::White].map(|side| lacks_pieces(start, side));
    match lacks {
        [true, false] => Some(Color::Black),
        [false, true] => Some(Color::White),
        _ => None,
    }
}

/// Returns the facts of the sides whose king has entered the camp. `giver`, the side that gave a handicap, gets the
/// points of the pieces that are not in the game.
pub(crate) fn entering_kings(position: &Position, giver: Option<Color>) -> Vec<Fact> {
    let sides = [Color::Black, Color::White].into_iter();
    let entered = sides.filter(|side| position.king(*side).is_some_and(|king| is_in_camp(*side, king)));
    let fact = |side| {
        let credit = if giver == Some(side) {
            unused_piece_points(position)
        } else {
            0
        };
        Fact {
            kind: count_points(position, side, credit),
            side,
            at: FactPosition::After,
            lead: 0,
            line: Vec::new(),
        }
    };
    entered.map(fact).collect()
}

/// Counts the points of a side. `credit` are the points for pieces that are not in the game.
fn count_points(position: &Position, side: Color, credit: u8) -> FactKind {
    let hand = position.hand(side);
    let in_hand: u8 = PieceKind::IN_HAND
        .iter()
        .map(|kind| hand.count(*kind) * points(*kind))
        .sum();
    let (mut points_24, mut points_27, mut pieces) = (in_hand + credit, in_hand + credit, 0);
    for square in Square::all() {
        let Some(piece) = position.piece_on(square).filter(|piece| piece.color == side) else {
            continue;
        };
        points_24 += points(piece.kind);
        if is_in_camp(side, square) && piece.kind != PieceKind::King {
            points_27 += points(piece.kind);
            pieces += 1;
        }
    }
    let needed: u8 = if side == Color::Black { 28 } else { 27 };
    FactKind::EnteringKing {
        points_24,
        points_27,
        missing_points: needed.saturating_sub(points_27),
        missing_pieces: DECLARATION_PIECES.saturating_sub(pieces),
    }
}

/// Returns the points of the pieces of a shogi set that are neither on the board nor in a hand.
fn unused_piece_points(position: &Position) -> u8 {
    let setup = Setup::from_position(position);
    PieceKind::IN_HAND
        .iter()
        .map(|kind| setup.unused_count(*kind) * points(*kind))
        .sum()
}

/// Returns the points of a piece for a declaration.
const fn points(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::King => 0,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon => 5,
        _ => 1,
    }
}

/// Returns whether a square is on the last three ranks, as a side moves.
const fn is_in_camp(side: Color, square: Square) -> bool {
    match side {
        Color::Black => square.rank() <= 3,
        Color::White => square.rank() >= 7,
    }
}

/// Returns whether a side has fewer than half of the pieces of any kind. `false` if a piece is in a hand.
fn lacks_pieces(start: &Position, side: Color) -> bool {
    let on_board = |kind: PieceKind| {
        let pieces = Square::all().filter_map(|square| start.piece_on(square));
        pieces
            .filter(|piece| piece.color == side && piece.kind.unpromoted() == kind)
            .count()
    };
    let has_hand = [Color::Black, Color::White].iter().any(|side| {
        PieceKind::IN_HAND
            .iter()
            .any(|kind| start.hand(*side).count(*kind) > 0)
    });
    !has_hand
        && PieceKind::IN_HAND
            .iter()
            .any(|kind| on_board(*kind) < usize::from(kind.count_in_set() / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_kifu::handicap;

    #[test]
    fn finds_the_giver_of_a_handicap() {
        assert_eq!(handicap_giver(&Position::startpos()), None);
        assert_eq!(handicap_giver(&handicap("二枚落ち").unwrap()), Some(Color::White));
        assert_eq!(handicap_giver(&handicap("香落ち").unwrap()), Some(Color::White));
        assert_eq!(
            handicap_giver(&Position::from_sfen("9/9/9/9/9/9/9/9/9 b - 1").unwrap()),
            None
        );
    }

    #[test]
    fn counts_points() {
        let check = |sfen: &str, giver, expect: &[(Color, [u8; 4])]| {
            let found = entering_kings(&Position::from_sfen(sfen).unwrap(), giver);
            let numbers = |fact: &Fact| match fact.kind {
                FactKind::EnteringKing {
                    points_24,
                    points_27,
                    missing_points,
                    missing_pieces,
                } => (fact.side, [points_24, points_27, missing_points, missing_pieces]),
                _ => panic!("{fact:?}"),
            };
            assert_eq!(found.iter().map(numbers).collect::<Vec<_>>(), expect, "{sfen}");
        };
        check(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            None,
            &[],
        );
        // King and gold in the camp, rook outside, bishop and two pawns in hand.
        check(
            "K8/G8/9/9/R8/9/9/9/4k4 b B2P 1",
            None,
            &[(Color::Black, [13, 8, 20, 9]), (Color::White, [0, 0, 27, 10])],
        );
        check("4k4/9/9/9/9/9/9/2K6/9 b - 1", None, &[]);
        check(
            "9/9/9/9/9/9/9/4k4/K8 w r2b4g4s4n4l18p 1",
            Some(Color::White),
            &[(Color::White, [15 + 34 + 5, 15 + 34 + 5, 0, 10])],
        );
    }
}
