//! The legal moves, and the checks among them.

use crate::board::Board;
use crate::geometry;
use shogibar_shogi::{Move, Piece, PieceKind, Square};

/// The kinds that a hand can hold.
const HAND_KINDS: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];

impl Board {
    /// Returns all legal moves, with and without promotion.
    pub(crate) fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(96);
        let targets = self.evasion_squares();
        self.visit_pseudo_legal(targets.as_deref(), |mv| moves.push(mv));
        moves.retain(|mv| self.is_safe(*mv) && !self.is_pawn_drop_mate(*mv));
        moves
    }

    pub(crate) fn has_legal_move(&self) -> bool {
        !self.legal_moves().is_empty()
    }

    /// Returns whether the side to move is in check and has no legal move.
    pub(crate) fn is_mate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        self.legal_moves().contains(&mv)
    }

    pub(crate) fn checks(&self) -> Vec<Move> {
        let Some(king) = self.king(self.side().flip()) else {
            return Vec::new();
        };
        let mut moves = Vec::new();
        let targets = self.evasion_squares();
        self.visit_pseudo_legal(targets.as_deref(), |mv| {
            if self.may_check(mv, king) {
                moves.push(mv);
            }
        });
        moves.retain(|mv| {
            let next = self.after(*mv);
            next.in_check() && !next.is_checked(self.side()) && !self.is_pawn_drop_mate(*mv)
        });
        moves
    }

    pub(crate) fn captures(&self, on: Option<Square>) -> Vec<Move> {
        let mut moves = Vec::new();
        let targets = on.map(|square| vec![square]);
        self.visit_pseudo_legal(targets.as_deref(), |mv| {
            // The king's moves to other squares than `on` are visited as well, so they are filtered out.
            if self.piece_on(mv.to()).is_some() && on.is_none_or(|square| mv.to() == square) {
                moves.push(mv);
            }
        });
        moves.retain(|mv| self.is_safe(*mv));
        moves
    }

    /// Returns whether a move may give check: by its piece, or by leaving a line to the king.
    fn may_check(&self, mv: Move, king: Square) -> bool {
        let moved = match mv {
            Move::Drop { kind, .. } => kind,
            Move::Board { from, promote, .. } => {
                if geometry::direction_between(from, king).is_some() {
                    return true;
                }
                let Some(piece) = self.piece_on(from) else {
                    return false;
                };
                if promote {
                    piece.kind.promoted().unwrap_or(piece.kind)
                } else {
                    piece.kind
                }
            }
        };
        if moved == PieceKind::Knight {
            return geometry::jumps(mv.to(), self.side()).any(|square| square == king);
        }
        geometry::direction_between(mv.to(), king).is_some_and(|direction| {
            let distance = geometry::ray(mv.to(), direction)
                .iter()
                .position(|square| *square == king);
            distance.is_some_and(|distance| geometry::reaches(moved, self.side(), direction, distance + 1))
        })
    }

    /// Returns the squares on which a piece other than the king can end a check. These are the square of the checking
    /// piece and the squares between. `None` without a check; no square for a double check.
    fn evasion_squares(&self) -> Option<Vec<Square>> {
        let king = self.king(self.side())?;
        let checkers = self.attackers(self.side().flip(), king);
        match *checkers.as_slice() {
            [] => None,
            [checker] => {
                let direction = geometry::direction_between(king, checker);
                let Some(direction) = direction else {
                    return Some(vec![checker]);
                };
                let ray = geometry::ray(king, direction);
                let length = ray.iter().position(|square| *square == checker).unwrap_or(0);
                Some(ray.iter().take(length + 1).copied().collect())
            }
            _ => Some(Vec::new()),
        }
    }

    /// Calls `found` with each move by the rules of movement. Only the king may move to squares outside `targets`.
    fn visit_pseudo_legal(&self, targets: Option<&[Square]>, mut found: impl FnMut(Move)) {
        let is_target = |square: Square| targets.is_none_or(|targets| targets.contains(&square));
        for (from, piece) in self.pieces().filter(|(_, piece)| piece.color == self.side()) {
            self.visit_targets(from, piece, |to| {
                if piece.kind == PieceKind::King || is_target(to) {
                    Self::visit_promotions(from, to, piece, &mut found);
                }
            });
        }
        let empty: Vec<Square> = Square::all()
            .filter(|square| is_target(*square) && self.piece_on(*square).is_none())
            .collect();
        for kind in HAND_KINDS
            .into_iter()
            .filter(|kind| self.count(self.side(), *kind) > 0)
        {
            for to in empty.iter().copied().filter(|to| self.can_drop(kind, *to)) {
                found(Move::Drop { kind, to });
            }
        }
    }

    /// Calls `found` with a move as a promotion and as none, as far as the rules of movement allow.
    fn visit_promotions(from: Square, to: Square, piece: Piece, found: &mut impl FnMut(Move)) {
        let is_in_camp = geometry::is_in_camp(from, piece.color) || geometry::is_in_camp(to, piece.color);
        if is_in_camp && piece.kind.promoted().is_some() {
            found(Move::Board {
                from,
                to,
                promote: true,
            });
        }
        if geometry::can_stand(piece.kind, piece.color, to) {
            found(Move::Board {
                from,
                to,
                promote: false,
            });
        }
    }

    fn can_drop(&self, kind: PieceKind, to: Square) -> bool {
        let side = self.side();
        geometry::can_stand(kind, side, to) && (kind != PieceKind::Pawn || !self.has_pawn_on_file_of(to))
    }

    fn has_pawn_on_file_of(&self, square: Square) -> bool {
        (1..=9)
            .filter_map(|rank| Square::new(square.file(), rank))
            .any(|square| self.has(self.side(), PieceKind::Pawn, square))
    }

    /// Returns whether the mover's king is unattacked after a move. A king is never captured.
    fn is_safe(&self, mv: Move) -> bool {
        let takes_king = self
            .piece_on(mv.to())
            .is_some_and(|piece| piece.kind == PieceKind::King);
        !takes_king && !self.after(mv).is_checked(self.side())
    }

    fn is_pawn_drop_mate(&self, mv: Move) -> bool {
        let Move::Drop {
            kind: PieceKind::Pawn,
            ..
        } = mv
        else {
            return false;
        };
        self.king(self.side().flip())
            .is_some_and(|king| self.may_check(mv, king))
            && self.after(mv).is_mate()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogibar_base::random::SplitMix;
    use shogibar_shogi::{Color, Position};

    #[test]
    fn agrees_with_the_rules_of_the_program() {
        let mut checks = 0;
        let mut mates = 0;
        for seed in 0..120 {
            let mut random = SplitMix(seed);
            let mut position = Position::startpos();
            for _ in 0..250 {
                let board = Board::new(&position);
                let expected = position.legal_moves();
                assert_same(board.legal_moves(), &expected, &position);
                assert_eq!(board.in_check(), position.in_check(), "{}", position.sfen());
                assert_eq!(board.is_mate(), position.is_mate(), "{}", position.sfen());
                let gives_check = |mv: &Move| board.after(*mv).in_check();
                assert_same(
                    board.checks(),
                    &expected.iter().copied().filter(gives_check).collect::<Vec<_>>(),
                    &position,
                );
                let squares = Square::all().flat_map(|square| board.captures(Some(square)));
                assert_same(squares.collect(), &board.captures(None), &position);
                let takes = |mv: &Move| position.piece_on(mv.to()).is_some();
                assert_same(
                    board.captures(None),
                    &expected.iter().copied().filter(takes).collect::<Vec<_>>(),
                    &position,
                );
                checks += usize::from(board.in_check());
                mates += usize::from(board.is_mate());
                let Some(mv) = choose(&board, &expected, &mut random) else {
                    break;
                };
                position.play(mv).expect("a legal move");
                assert_eq!(board.after(mv), Board::new(&position), "{}", position.sfen());
            }
        }
        assert!(checks > 500 && mates > 10, "{checks} checks, {mates} mates");
    }

    /// Returns a random move, with preference for checks and captures: they lead to more kinds of positions.
    fn choose(board: &Board, legal: &[Move], random: &mut SplitMix) -> Option<Move> {
        let pools = [board.checks(), board.captures(None), legal.to_vec()];
        let pool = &pools[[2, 2, 1, 0][random.below(4)]];
        let pool = if pool.is_empty() { legal } else { pool };
        (!pool.is_empty()).then(|| pool[random.below(pool.len())])
    }

    fn assert_same(mut found: Vec<Move>, expected: &[Move], position: &Position) {
        let mut expected = expected.to_vec();
        found.sort_by_key(Move::to_string);
        expected.sort_by_key(Move::to_string);
        assert_eq!(found, expected, "{}", position.sfen());
    }

    #[test]
    fn knows_the_special_rules_of_drops() {
        let legal = |sfen: &str, mv: &str| {
            let board = Board::new(&Position::from_sfen(sfen).expect("an SFEN"));
            board.is_legal(Move::from_usi(mv).expect("a move"))
        };
        assert!(
            !legal("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", "P*5e"),
            "two pawns on a file"
        );
        assert!(
            legal("4k4/9/9/9/9/9/4+P4/9/4K4 b P 1", "P*5e"),
            "a promoted pawn is no pawn"
        );
        assert!(
            !legal("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P*4a"),
            "a pawn without a move"
        );
        assert!(
            !legal("4k4/9/9/9/9/9/9/9/4K4 w n 1", "N*4h"),
            "a knight without a move"
        );
        // The rook covers the file, the golds the ranks.
        let mate = "7nk/9/7SG/9/9/9/9/9/K8 b P 1";
        assert!(!legal(mate, "P*1b"), "a mate by a dropped pawn");
        assert!(
            legal(&mate.replace("b P", "b L"), "L*1b"),
            "a mate by a dropped lance"
        );
        assert!(legal("7Rk/9/8P/9/9/9/9/9/K8 b P 1", "P*9d"), "another pawn");
        assert_eq!(
            Board::new(&Position::startpos()).king(Color::White),
            Square::new(5, 1),
            "the king"
        );
    }
}
