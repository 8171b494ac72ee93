//! A large piece that no longer plays (遊び駒).

use super::ComparedLines;
use crate::fact::{Fact, FactKind, FactPosition};
use crate::king::answered_plies;
use crate::line::ReplayedLine;
use crate::material::exchange_gain;
use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// The maximum number of safe moves of an idle piece.
const MAX_SAFE_MOVES: u8 = 2;

/// The minimum number of safe moves fewer than before the move, and than at the end of the better line.
const MIN_SAFE_MOVE_LOSS: u8 = 4;

/// Returns the fact that a large piece of the moving side no longer plays; `None` without such a piece.
pub(crate) fn idle_piece(lines: &ComparedLines<'_>) -> Option<Fact> {
    let side = lines.side();
    let large = Square::all().filter(|square| {
        lines
            .before
            .piece_on(*square)
            .is_some_and(|piece| piece.color == side && is_large(piece.kind))
    });
    large.into_iter().find_map(|from| idle_from(lines, from, side))
}

/// Returns the fact that the piece on a square before the move no longer plays.
fn idle_from(lines: &ComparedLines<'_>, from: Square, side: Color) -> Option<Fact> {
    let plies = answered_plies(lines.punishing, side)?;
    let square = square_after(lines.punishing, plies, follow(&[lines.played], from)?)?;
    let safe_moves = safe_moves(lines.punishing.position(plies)?, square, side)?;
    let other_plies = answered_plies(lines.better, side)?;
    let other_square = square_after(lines.better, other_plies, from)?;
    let other_safe_moves = self::safe_moves(lines.better.position(other_plies)?, other_square, side)?;
    let is_idle = safe_moves <= MAX_SAFE_MOVES
        && safe_moves + MIN_SAFE_MOVE_LOSS <= other_safe_moves
        && safe_moves + MIN_SAFE_MOVE_LOSS <= self::safe_moves(lines.before, from, side)?;
    let piece = lines.before.piece_on(from)?.kind;
    let kind = FactKind::IdlePiece {
        piece,
        square,
        safe_moves: [safe_moves, other_safe_moves],
    };
    let line = lines.punishing.moves().get(..plies)?.to_vec();
    is_idle.then_some(Fact {
        kind,
        side,
        at: FactPosition::After,
        lead: 0,
        line,
    })
}

const fn is_large(kind: PieceKind) -> bool {
    matches!(
        kind,
        PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon
    )
}

/// Returns the square of a piece after a number of moves of a line; `None` if the whole line captures or promotes it.
fn square_after(line: &ReplayedLine, plies: usize, from: Square) -> Option<Square> {
    follow(line.moves(), from)?;
    follow(line.moves().get(..plies)?, from)
}

/// Returns the square of a piece after some moves; `None` if it is captured or promotes.
fn follow(moves: &[Move], from: Square) -> Option<Square> {
    moves.iter().try_fold(from, |square, mv| match mv {
        Move::Board { from, to, promote } if *from == square => (!promote).then_some(*to),
        _ => (mv.to() != square).then_some(square),
    })
}

/// Returns the number of squares to which a piece of a side can move safely, as if the side were to move; `None` if the
/// other side is in check.
fn safe_moves(position: &Position, from: Square, side: Color) -> Option<u8> {
    let position = position.with_side_to_move(side);
    position.searchable().ok()?;
    let mut squares: Vec<Square> = Vec::new();
    for mv in position.legal_moves() {
        if mv.from() == Some(from) && !squares.contains(&mv.to()) && is_safe_move(&position, mv) {
            squares.push(mv.to());
        }
    }
    u8::try_from(squares.len()).ok()
}

/// Returns whether no capture of the moved piece gains material.
fn is_safe_move(position: &Position, mv: Move) -> bool {
    let mut next = position.clone();
    next.play(mv).is_ok() && exchange_gain(&next, mv.to()) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plans::tests::TestLines;

    fn found(sfen: &str, played: &str, better: &str) -> Option<(String, [u8; 2])> {
        let lines = TestLines::new(sfen, played, better);
        idle_piece(&lines.compared()).map(|fact| match fact.kind {
            FactKind::IdlePiece {
                piece,
                square,
                safe_moves,
            } => (format!("{piece:?} {square}"), safe_moves),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn finds_a_bishop_that_is_shut_in() {
        let sfen = "4k4/9/9/9/4B4/9/9/2G6/8K b - 1";
        let (shut_in, better) = ("5e9i 5a4a 7h8h", "1i2i 5a4a 2i1i");
        assert_eq!(
            found(sfen, shut_in, better),
            Some(("Bishop 9i".to_owned(), [0, 15]))
        );
        assert_eq!(found(sfen, "5e9i 5a4a 1i1h", better), None, "it is not shut in");
        assert_eq!(
            found(sfen, shut_in, "5e9a+ 5a4a 1i2i"),
            None,
            "the better line promotes it"
        );
        assert_eq!(
            found(sfen, shut_in, "5e9i 5a4a 7h8h"),
            None,
            "it is shut in along the better line, too"
        );
        assert_eq!(
            found(sfen, "5e9i 5a4a", better),
            None,
            "no move of the side is known"
        );
        let before = "4k4/9/9/9/9/9/9/1G7/B7K b - 1";
        assert_eq!(
            found(before, "1i1h 5a4a 1h1g", "8h7h 5a4a 7h7g"),
            None,
            "it was shut in before"
        );
        let taken = "4k4/r8/9/9/4B4/9/9/2G6/8K b - 1";
        assert_eq!(
            found(taken, "5e9i 5a4a 7h8h 9b9i+", better),
            None,
            "it is captured"
        );
    }

    #[test]
    fn counts_moves_that_lose_nothing() {
        let count = |sfen| {
            let position = Position::from_sfen(sfen).unwrap();
            let rook = Square::all().find(|square| {
                position
                    .piece_on(*square)
                    .is_some_and(|piece| is_large(piece.kind))
            });
            safe_moves(&position, rook.unwrap(), Color::Black)
        };
        assert_eq!(count("8k/9/9/9/9/9/9/4R4/K8 w - 1"), Some(16));
        assert_eq!(
            count("8k/9/9/9/9/9/4p4/4R4/K8 w - 1"),
            Some(8 + 1 + 1),
            "behind the pawn it is taken"
        );
        assert_eq!(
            count("4k4/9/9/9/9/9/9/4R4/K8 w - 1"),
            None,
            "the king is in check"
        );
    }
}
