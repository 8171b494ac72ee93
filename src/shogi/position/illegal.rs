//! The reasons for illegal moves, and the promotion rule.

use super::{Color, Move, PieceKind, Position, Square};
use rsshogi::types::Bitboard;
use thiserror::Error;

/// The reason why a move is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum IllegalMove {
    /// The origin is empty.
    #[error("there is no piece on {0}")]
    NoPiece(Square),
    /// The piece belongs to the other side.
    #[error("the piece on {0} is the opponent's")]
    OpponentsPiece(Square),
    /// The piece to drop is not in hand.
    #[error("no {} in hand", .0.letter())]
    NotInHand(PieceKind),
    /// The target holds a piece that cannot be captured, or blocks a drop.
    #[error("{0} is occupied")]
    Occupied(Square),
    /// The piece does not move that way, or another piece blocks it.
    #[error("the piece on {from} cannot reach {to}")]
    OutOfReach {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
    },
    /// The piece cannot promote on this move.
    #[error("it cannot promote there")]
    NoPromotion,
    /// A pawn, lance or knight could never move again.
    #[error("a piece that could not move again")]
    DeadPiece,
    /// 二歩
    #[error("two pawns on one file")]
    TwoPawns,
    /// 打ち歩詰め
    #[error("mate by a dropped pawn")]
    PawnDropMate,
    /// The mover's king could be captured.
    #[error("the king is left in check")]
    LeavesKingInCheck,
    /// The move number is at its limit.
    #[error("the game is too long")]
    TooLong,
    /// The hand would hold more pieces of a kind than a set has.
    #[error("too many {} in hand", .0.letter())]
    HandFull(PieceKind),
}

impl Position {
    /// Checks that a move is legal for the side to move.
    ///
    /// # Errors
    /// Fails with the reason why the move is illegal.
    pub fn check(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_legal(mv) {
            Ok(())
        } else {
            Err(self.why_illegal(mv))
        }
    }

    /// Returns whether a piece of the side to move may promote on a move between the squares.
    pub fn can_promote(&self, kind: PieceKind, from: Square, to: Square) -> bool {
        let near = |square| ranks_ahead(self.side_to_move(), square) <= 2;
        kind.promoted().is_some() && (near(from) || near(to))
    }

    /// Returns the reason why [`play`](Self::play) refused a move.
    pub(super) fn why_illegal(&self, mv: Move) -> IllegalMove {
        let reason = match mv {
            Move::Drop { kind, to } => self.why_no_drop(kind, to),
            Move::Board { from, to, promote } => self.why_no_move(from, to, promote),
        };
        reason.unwrap_or_else(|| {
            if self.is_legal(mv) {
                IllegalMove::TooLong
            } else {
                IllegalMove::LeavesKingInCheck
            }
        })
    }

    /// Returns the reason why a drop is illegal, apart from a check or a limit; `None` without one.
    fn why_no_drop(&self, kind: PieceKind, to: Square) -> Option<IllegalMove> {
        let us = self.side_to_move();
        if self.hand(us).count(kind) == 0 {
            return Some(IllegalMove::NotInHand(kind));
        }
        if self.piece_on(to).is_some() {
            return Some(IllegalMove::Occupied(to));
        }
        if is_dead(us, kind, to) {
            return Some(IllegalMove::DeadPiece);
        }
        if kind != PieceKind::Pawn {
            return None;
        }
        let mut pawns = self.pieces_of(us).filter(|(_, kind)| *kind == PieceKind::Pawn);
        if pawns.any(|(square, _)| square.file() == to.file()) {
            return Some(IllegalMove::TwoPawns);
        }
        let refused = self.blocks_every_check(to) && !self.is_legal(Move::Drop { kind, to });
        refused.then_some(IllegalMove::PawnDropMate)
    }

    /// Returns whether a piece dropped on `to` would block every check.
    fn blocks_every_check(&self, to: Square) -> bool {
        let king = self.0.king_square(self.side_to_move());
        self.0
            .checkers()
            .iter()
            .all(|checker| Bitboard::between(checker, king).test(to.to_rules()))
    }

    /// Returns the reason why a board move is illegal, apart from a check or a limit; `None` without one.
    fn why_no_move(&self, from: Square, to: Square, promote: bool) -> Option<IllegalMove> {
        let us = self.side_to_move();
        let Some(piece) = self.piece_on(from) else {
            return Some(IllegalMove::NoPiece(from));
        };
        if piece.color != us {
            return Some(IllegalMove::OpponentsPiece(from));
        }
        if !self.origins(piece.kind, to).any(|square| square == from) {
            return Some(IllegalMove::OutOfReach { from, to });
        }
        if let Some(target) = self.piece_on(to) {
            if target.color == us || target.kind == PieceKind::King {
                return Some(IllegalMove::Occupied(to));
            }
            if !self.can_be_taken(to) {
                return Some(IllegalMove::HandFull(target.kind.unpromoted()));
            }
        }
        if promote && !self.can_promote(piece.kind, from, to) {
            return Some(IllegalMove::NoPromotion);
        }
        (!promote && is_dead(us, piece.kind, to)).then_some(IllegalMove::DeadPiece)
    }
}

/// Returns the number of ranks between `square` and the far edge, as `color` sees it: 0 on the last rank.
const fn ranks_ahead(color: Color, square: Square) -> u8 {
    match color {
        Color::Black => square.rank() - 1,
        Color::White => 9 - square.rank(),
    }
}

/// Returns whether an unpromoted piece could never move again from `square`.
pub(super) const fn is_dead(color: Color, kind: PieceKind, square: Square) -> bool {
    let ahead = ranks_ahead(color, square);
    match kind {
        PieceKind::Pawn | PieceKind::Lance => ahead == 0,
        PieceKind::Knight => ahead <= 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks a move, its legality and the effect of playing it.
    fn check(sfen: &str, usi: &str, expect: Result<(), IllegalMove>) {
        let mut position = Position::from_sfen(sfen).expect(sfen);
        let mv = Move::from_usi(usi).expect(usi);
        let before = position.clone();
        assert_eq!(position.check(mv), expect, "{usi} in {sfen}");
        assert_eq!(
            position.legal_moves().contains(&mv),
            expect.is_ok(),
            "{usi} in {sfen}"
        );
        assert_eq!(position.play(mv), expect, "{usi} in {sfen}");
        assert_eq!(
            position == before,
            expect.is_err(),
            "{usi} in {sfen}: changed only when played"
        );
    }

    fn square(usi: &str) -> Square {
        Square::from_usi(usi.as_bytes()).expect(usi)
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn rejects_moves_of_the_wrong_piece() {
        check(START, "7g7f", Ok(()));
        check(START, "5e5d", Err(IllegalMove::NoPiece(square("5e"))));
        check(START, "3c3d", Err(IllegalMove::OpponentsPiece(square("3c"))));
        check(START, "P*5e", Err(IllegalMove::NotInHand(PieceKind::Pawn)));
        check(START, "1a1a", Err(IllegalMove::OpponentsPiece(square("1a"))));
        check(
            START,
            "1i1i",
            Err(IllegalMove::OutOfReach {
                from: square("1i"),
                to: square("1i"),
            }),
        );
    }

    #[test]
    fn rejects_moves_to_the_wrong_square() {
        let reach = |from: &str, to: &str| {
            Err(IllegalMove::OutOfReach {
                from: square(from),
                to: square(to),
            })
        };
        check(START, "7g7e", reach("7g", "7e"));
        check(START, "8h2b", reach("8h", "2b"));
        check(START, "2h7h", Ok(()));
        check(START, "2h8h", Err(IllegalMove::Occupied(square("8h"))));
        check(
            "4k4/4P4/9/9/9/9/9/9/4K4 b G 1",
            "G*5b",
            Err(IllegalMove::Occupied(square("5b"))),
        );
        check(
            "4k4/4G4/9/9/9/9/9/9/4K4 b - 1",
            "5b5a",
            Err(IllegalMove::Occupied(square("5a"))),
        );
    }

    #[test]
    fn checks_promotions() {
        check(START, "7g7f+", Err(IllegalMove::NoPromotion));
        check(
            "4k4/9/9/4G4/9/9/9/9/4K4 b - 1",
            "5d5c+",
            Err(IllegalMove::NoPromotion),
        );
        check("4k4/9/9/4S4/9/9/9/9/4K4 b - 1", "5d5c+", Ok(()));
        check("4k4/9/4S4/9/9/9/9/9/4K4 b - 1", "5c6d+", Ok(()));
        check(
            "4k4/8P/9/9/9/9/9/9/4K4 b - 1",
            "1b1a",
            Err(IllegalMove::DeadPiece),
        );
        check("4k4/8P/9/9/9/9/9/9/4K4 b - 1", "1b1a+", Ok(()));
        check(
            "4k4/9/9/8N/9/9/9/9/4K4 b - 1",
            "1d2b",
            Err(IllegalMove::DeadPiece),
        );
        check(
            "4k4/9/9/9/9/9/8l/9/4K4 w - 1",
            "1g1i",
            Err(IllegalMove::DeadPiece),
        );
        check("4k4/9/9/9/9/9/8l/9/4K4 w - 1", "1g1h", Ok(()));
    }

    #[test]
    fn checks_drops() {
        const HANDS: &str = "4k4/9/9/9/9/9/8P/9/4K4 b PLN 1";
        check(HANDS, "P*1e", Err(IllegalMove::TwoPawns));
        check(HANDS, "P*2e", Ok(()));
        check(HANDS, "P*2a", Err(IllegalMove::DeadPiece));
        check(HANDS, "L*2a", Err(IllegalMove::DeadPiece));
        check(HANDS, "N*2b", Err(IllegalMove::DeadPiece));
        check(HANDS, "N*2c", Ok(()));
        check("4k4/9/9/9/9/9/8+P/9/4K4 b P 1", "P*1e", Ok(()));
    }

    #[test]
    fn rejects_only_mate_by_a_dropped_pawn() {
        // The king is in the corner beside its knight; gold and silver guard its squares.
        const MATE: &str = "7nk/9/7GS/9/9/9/9/9/4K4 b P 1";
        check(MATE, "P*1b", Err(IllegalMove::PawnDropMate));
        // The king can escape, or the pawn can be captured.
        check("8k/9/7GS/9/9/9/9/9/4K4 b P 1", "P*1b", Ok(()));
        check("6rnk/6r2/7GS/9/9/9/9/9/4K4 b P 1", "P*1b", Ok(()));
        // The other reason takes precedence: the mover's king is in check and the pawn does not help.
        check(
            "7nk/9/7GS/9/9/9/9/4r4/4K4 b P 1",
            "P*1b",
            Err(IllegalMove::LeavesKingInCheck),
        );
        // The pawn blocks the check between rook and king, and would also mate.
        check("7nk/K7r/7GS/9/9/9/9/9/9 b P 1", "P*2b", Ok(()));
        check(
            "7nk/K6+r1/7GS/9/9/9/9/9/9 b P 1",
            "P*1b",
            Err(IllegalMove::LeavesKingInCheck),
        );
        // A mate by any other piece, or by a pawn that moves, is legal.
        check("7nk/9/7GS/9/9/9/9/9/4K4 b L 1", "L*1b", Ok(()));
    }

    #[test]
    fn requires_an_answer_to_every_check() {
        const CHECKED: &str = "4r3k/9/9/9/9/9/9/9/4K4 b GP 1";
        const PINNED: &str = "4r3k/9/9/9/9/9/9/4G4/4K4 b G 1";
        check(PINNED, "5h4h", Err(IllegalMove::LeavesKingInCheck));
        check(PINNED, "5h5g", Ok(()));
        check(CHECKED, "G*4h", Err(IllegalMove::LeavesKingInCheck));
        check(CHECKED, "P*4h", Err(IllegalMove::LeavesKingInCheck));
        check(CHECKED, "P*5h", Ok(()));
        check(CHECKED, "5i5h", Err(IllegalMove::LeavesKingInCheck));
        check(CHECKED, "5i4h", Ok(()));
        // No drop answers a double check.
        check(
            "4r3k/9/9/9/8b/9/9/9/4K4 b G 1",
            "G*5h",
            Err(IllegalMove::LeavesKingInCheck),
        );
    }

    #[test]
    fn limits_hands_and_move_numbers() {
        check(
            "8k/9/9/9/9/9/4+r4/4L4/K8 b 2R 1",
            "5h5g",
            Err(IllegalMove::HandFull(PieceKind::Rook)),
        );
        check("8k/9/9/9/9/9/4+r4/4L4/K8 b R 1", "5h5g", Ok(()));
        let mut long = Position::from_sfen("8k/9/9/9/9/9/9/9/K8 b - 9999").expect("readable");
        let mut round = ["9i9h", "1a1b", "9h9i", "1b1a"].into_iter().cycle();
        let mut next = || round.next().and_then(Move::from_usi).expect("a move");
        while long.move_number() < u16::MAX {
            assert_eq!(long.play(next()), Ok(()));
        }
        assert_eq!(long.play(next()), Err(IllegalMove::TooLong));
    }

    #[test]
    fn plays_in_positions_that_no_game_reaches() {
        // The side not to move is in check. Any move but capturing the king is legal, and checks are correct after it.
        const LATE: &str = "4k4/4G4/9/9/9/9/9/9/4K4 b P 1";
        check(LATE, "P*1e", Ok(()));
        check(LATE, "5i5h", Ok(()));
        let mut position = Position::from_sfen(LATE).expect("readable");
        position
            .play(Move::from_usi("P*1e").expect("a move"))
            .expect("legal");
        assert!(position.in_check(), "the gold still gives check");
        assert_eq!(position.sfen(), "4k4/4G4/9/9/8P/9/9/9/4K4 w - 2");
        // Without a king no move leaves it in check.
        check("9/9/9/9/4G4/9/9/9/9 b - 1", "5e5d", Ok(()));
        check("4r4/9/9/9/4G4/9/9/9/9 b - 1", "5e4e", Ok(()));
    }
}
