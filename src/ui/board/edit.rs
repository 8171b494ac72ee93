//! Editing of a position. Every change returns a new position, and removed pieces go to the box.

use super::BoardSlot;
use shogibar_shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// The kinds of pieces in the box, in their display order.
const BOX_KINDS: [PieceKind; 8] = [
    PieceKind::King,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Gold,
    PieceKind::Silver,
    PieceKind::Knight,
    PieceKind::Lance,
    PieceKind::Pawn,
];

pub(super) fn box_counts(position: &Position) -> [(PieceKind, u8); 8] {
    let setup = Setup::from_position(position);
    BOX_KINDS.map(|kind| (kind, setup.unused_count(kind)))
}

/// Returns the position with a piece moved from one slot to another; `None` if there is no piece. Two pieces on squares
/// are exchanged. A piece that is replaced by one from a hand goes to that hand. A piece from the box is Black's, but a
/// second king is White's.
pub(super) fn move_piece(position: &Position, from: BoardSlot, to: BoardSlot) -> Option<Position> {
    let mut setup = Setup::from_position(position);
    let piece = take_piece(&mut setup, from)?;
    match to {
        BoardSlot::Square(square) => {
            let replaced = setup.piece_on(square);
            setup.put(square, Some(piece));
            if let (Some(replaced), BoardSlot::Square(from)) = (replaced, from) {
                setup.put(from, Some(replaced));
            } else if let (Some(replaced), BoardSlot::Hand(color, _)) = (replaced, from) {
                add_to_hand(&mut setup, color, replaced.kind);
            }
        }
        BoardSlot::Hand(color, _) | BoardSlot::Stand(color) => add_to_hand(&mut setup, color, piece.kind),
        BoardSlot::Box(_) | BoardSlot::Tray => {}
    }
    Some(build_position(&setup, position))
}

/// Returns the position with a piece moved to the box; `None` if there is no piece.
pub(super) fn remove(position: &Position, slot: BoardSlot) -> Option<Position> {
    move_piece(position, slot, BoardSlot::Tray)
}

/// Returns the position with the next state of the piece on a square: promoted, or else unpromoted and of the other
/// side. Returns `None` if the square is empty.
pub(super) fn flip_piece(position: &Position, square: Square) -> Option<Position> {
    let Piece { color, kind } = position.piece_on(square)?;
    let next = match kind.promoted() {
        Some(promoted) => Piece {
            color,
            kind: promoted,
        },
        None => Piece {
            color: color.flip(),
            kind: kind.unpromoted(),
        },
    };
    let mut setup = Setup::from_position(position);
    setup.put(square, Some(next));
    Some(build_position(&setup, position))
}

/// Returns the position with the other side to move.
pub(super) fn pass(position: &Position) -> Position {
    position.with_side_to_move(position.side_to_move().flip())
}

/// Builds the position of a setup, with the side to move and the move number of `position`.
fn build_position(setup: &Setup, position: &Position) -> Position {
    setup.build(position.side_to_move(), position.move_number())
}

/// Removes a piece from a square or a hand and returns it, or returns a piece of the box; `None` if there is none.
fn take_piece(setup: &mut Setup, from: BoardSlot) -> Option<Piece> {
    match from {
        BoardSlot::Square(square) => {
            let piece = setup.piece_on(square)?;
            setup.put(square, None);
            Some(piece)
        }
        BoardSlot::Hand(color, kind) => setup
            .remove_from_hand(color, kind)
            .then_some(Piece { color, kind }),
        BoardSlot::Box(kind) => {
            let is_second = kind == PieceKind::King && has_king(setup, Color::Black);
            let color = if is_second { Color::White } else { Color::Black };
            (setup.unused_count(kind) > 0).then_some(Piece { color, kind })
        }
        BoardSlot::Stand(_) | BoardSlot::Tray => None,
    }
}

/// Puts a piece into a hand. A king cannot be in a hand, so it goes to the box.
fn add_to_hand(setup: &mut Setup, color: Color, kind: PieceKind) {
    let _in_the_box = setup.add_to_hand(color, kind.unpromoted(), 1);
}

fn has_king(setup: &Setup, color: Color) -> bool {
    let king = Some(Piece {
        color,
        kind: PieceKind::King,
    });
    Square::all().any(|square| setup.piece_on(square) == king)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogibar_shogi::any;

    fn square(usi: &str) -> BoardSlot {
        BoardSlot::Square(Square::from_usi(usi.as_bytes()).unwrap())
    }

    #[test]
    fn moves_pieces_between_squares_hands_and_box() {
        let check = |sfen: &str, from, to, expect: Option<&str>| {
            let put = move_piece(&Position::from_sfen(sfen).unwrap(), from, to);
            assert_eq!(
                put.map(|position| position.sfen()).as_deref(),
                expect,
                "{sfen}: {from:?} to {to:?}"
            );
        };
        let start = "4k4/9/9/9/4+p4/9/9/9/4K4 b R 3";
        check(
            start,
            square("5e"),
            square("1i"),
            Some("4k4/9/9/9/9/9/9/9/4K3+p b R 3"),
        );
        check(
            start,
            square("5e"),
            square("5i"),
            Some("4k4/9/9/9/4K4/9/9/9/4+p4 b R 3"),
        );
        check(
            start,
            square("5e"),
            BoardSlot::Stand(Color::Black),
            Some("4k4/9/9/9/9/9/9/9/4K4 b RP 3"),
        );
        check(
            start,
            square("5i"),
            BoardSlot::Stand(Color::Black),
            Some("4k4/9/9/9/4+p4/9/9/9/9 b R 3"),
        );
        let rook = BoardSlot::Hand(Color::Black, PieceKind::Rook);
        check(start, rook, square("5e"), Some("4k4/9/9/9/4R4/9/9/9/4K4 b P 3"));
        check(
            start,
            rook,
            BoardSlot::Hand(Color::White, PieceKind::Pawn),
            Some("4k4/9/9/9/4+p4/9/9/9/4K4 b r 3"),
        );
        check(
            start,
            rook,
            BoardSlot::Tray,
            Some("4k4/9/9/9/4+p4/9/9/9/4K4 b - 3"),
        );
        check(
            start,
            BoardSlot::Box(PieceKind::Gold),
            square("1a"),
            Some("4k3G/9/9/9/4+p4/9/9/9/4K4 b R 3"),
        );
        check(
            start,
            BoardSlot::Box(PieceKind::Gold),
            square("5e"),
            Some("4k4/9/9/9/4G4/9/9/9/4K4 b R 3"),
        );
        check(start, BoardSlot::Box(PieceKind::King), square("1a"), None);
        let (empty, box_of) = ("9/9/9/9/9/9/9/9/9 b - 1", BoardSlot::Box);
        check(
            empty,
            box_of(PieceKind::King),
            square("5i"),
            Some("9/9/9/9/9/9/9/9/4K4 b - 1"),
        );
        check(
            "9/9/9/9/9/9/9/9/4K4 b - 1",
            box_of(PieceKind::King),
            square("5a"),
            Some("4k4/9/9/9/9/9/9/9/4K4 b - 1"),
        );
        check(start, square("1a"), square("1b"), None);
        check(start, square("5e"), square("5e"), Some(start));
    }

    #[test]
    fn flips_pieces_through_promotion_and_side() {
        let mut position = Position::from_sfen("9/9/9/9/4S4/9/9/9/9 b - 1").unwrap();
        let five_five = Square::new(5, 5).unwrap();
        let mut seen = Vec::new();
        for _ in 0..4 {
            position = flip_piece(&position, five_five).unwrap();
            seen.push(position.sfen().split(' ').next().unwrap().to_owned());
        }
        assert_eq!(
            seen,
            ["+S", "s", "+s", "S"].map(|piece| format!("9/9/9/9/4{piece}4/9/9/9/9"))
        );
        assert_eq!(pass(&position).side_to_move(), Color::White);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(ProptestConfig::default().cases.div_ceil(4)))]
        #[test]
        fn arbitrary_moves_keep_the_position_valid(sfen in any::sfen(0.3), moves in proptest::collection::vec((0..120_usize, 0..120_usize), 12)) {
            let slot = |number: usize| match number {
                0..81 => BoardSlot::Square(Square::all().nth(number).unwrap()),
                81..95 => BoardSlot::Hand(Color::Black, PieceKind::ALL[number - 81]),
                95..109 => BoardSlot::Box(PieceKind::ALL[number - 95]),
                109..115 => BoardSlot::Stand(Color::White),
                _ => BoardSlot::Tray,
            };
            let mut position = Position::from_sfen(&sfen).unwrap();
            for (from, to) in moves {
                position = move_piece(&position, slot(from), slot(to)).unwrap_or(position);
                let _reasons = position.problems();
                prop_assert_eq!(Position::from_sfen(&position.sfen()), Ok(position.clone()));
            }
        }
    }
}
