//! A board with separate rules of movement, independent of those of the finder of facts.

use crate::geometry::{self, Direction};
use shogibar_shogi::{Color, Move, Piece, PieceKind, Position, Square};

/// The number of pieces of each kind in a hand, in the order of [`PieceKind::ALL`]: pawn to gold.
pub(crate) type Hand = [u8; 7];

/// Board, hands and side to move. Earlier positions are not stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    squares: [Option<Piece>; 81],
    hands: [Hand; 2],
    kings: [Option<Square>; 2],
    /// The side to move.
    side: Color,
    key: u64,
}

const fn index_of(side: Color) -> usize {
    match side {
        Color::Black => 0,
        Color::White => 1,
    }
}

/// Returns a number for a piece on a square, for [`Board::key`].
const fn key_of(piece: Piece, square: Square) -> u64 {
    let seed = (square.index() as u64 * 16 + piece.kind as u64) * 2 + index_of(piece.color) as u64;
    let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The part of [`Board::key`] for White to move.
const SIDE_KEY: u64 = 0x5851_f42d_4c95_7f2d;

impl Board {
    pub(crate) fn new(position: &Position) -> Self {
        let side = position.side_to_move();
        let key = if side == Color::White { SIDE_KEY } else { 0 };
        let mut board = Self {
            squares: [None; 81],
            hands: [[0; 7]; 2],
            kings: [None; 2],
            side,
            key,
        };
        for square in Square::all() {
            board.put(square, position.piece_on(square));
        }
        for side in [Color::Black, Color::White] {
            for kind in PieceKind::IN_HAND {
                board.add_to_hand(side, kind, position.hand(side).count(kind));
            }
        }
        board
    }

    pub(crate) const fn side(&self) -> Color {
        self.side
    }

    /// Returns a hash of the pieces on the board and the side to move. The hands are not part of the hash.
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.squares.get(square.index()).copied().flatten()
    }

    pub(crate) fn has(&self, side: Color, kind: PieceKind, square: Square) -> bool {
        self.piece_on(square) == Some(Piece { color: side, kind })
    }

    pub(crate) fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> {
        Square::all().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// Returns whether the pieces on the squares and in the hands are equal. The side to move does not count.
    pub(crate) fn has_same_pieces(&self, other: &Self) -> bool {
        self.squares == other.squares && self.hands == other.hands
    }

    pub(crate) fn hand(&self, side: Color) -> Hand {
        self.hands.get(index_of(side)).copied().unwrap_or_default()
    }

    pub(crate) fn count(&self, side: Color, kind: PieceKind) -> u8 {
        self.hand(side).get(kind as usize).copied().unwrap_or(0)
    }

    pub(crate) fn king(&self, side: Color) -> Option<Square> {
        self.kings.get(index_of(side)).copied().flatten()
    }

    /// Sets the piece on a square, and updates the hash and the king's square.
    fn put(&mut self, square: Square, piece: Option<Piece>) {
        let Some(slot) = self.squares.get_mut(square.index()) else {
            return;
        };
        let old = std::mem::replace(slot, piece);
        for piece in [old, piece].into_iter().flatten() {
            self.key ^= key_of(piece, square);
        }
        if let Some(piece) = piece.filter(|piece| piece.kind == PieceKind::King)
            && let Some(king) = self.kings.get_mut(index_of(piece.color))
        {
            *king = Some(square);
        }
    }

    fn add_to_hand(&mut self, side: Color, kind: PieceKind, count: u8) {
        let hand = self
            .hands
            .get_mut(index_of(side))
            .and_then(|hand| hand.get_mut(kind as usize));
        if let Some(held) = hand {
            *held += count;
        }
    }

    fn remove_from_hand(&mut self, side: Color, kind: PieceKind) {
        let hand = self
            .hands
            .get_mut(index_of(side))
            .and_then(|hand| hand.get_mut(kind as usize));
        if let Some(held) = hand {
            *held = held.saturating_sub(1);
        }
    }

    /// Returns the board with the other side to move.
    pub(crate) const fn passed(mut self) -> Self {
        self.side = self.side.flip();
        self.key ^= SIDE_KEY;
        self
    }

    /// Returns the board after a move of a piece of the side to move. The move may be illegal for other reasons.
    pub(crate) fn after(&self, mv: Move) -> Self {
        let mut next = self.passed();
        match mv {
            Move::Board { from, to, promote } => {
                let Some(piece) = self.piece_on(from) else {
                    return next;
                };
                if let Some(captured) = self.piece_on(to) {
                    next.add_to_hand(self.side, captured.kind.unpromoted(), 1);
                }
                let kind = if promote {
                    piece.kind.promoted().unwrap_or(piece.kind)
                } else {
                    piece.kind
                };
                next.put(from, None);
                next.put(to, Some(Piece { kind, ..piece }));
            }
            Move::Drop { kind, to } => {
                next.remove_from_hand(self.side, kind);
                next.put(
                    to,
                    Some(Piece {
                        color: self.side,
                        kind,
                    }),
                );
            }
        }
        next
    }

    /// Calls `found` with each piece of `side` that attacks a square.
    fn visit_attackers(&self, side: Color, square: Square, mut found: impl FnMut(Square, Piece)) {
        for direction in Direction::all() {
            let mut ray = geometry::ray(square, direction).iter().enumerate();
            let first = ray.find_map(|(at, from)| Some((at + 1, *from, self.piece_on(*from)?)));
            let Some((distance, from, piece)) = first else {
                continue;
            };
            if piece.color == side && geometry::reaches(piece.kind, side, direction.opposite(), distance) {
                found(from, piece);
            }
        }
        let knight = Piece {
            color: side,
            kind: PieceKind::Knight,
        };
        for from in geometry::jumps(square, side.flip()).filter(|from| self.piece_on(*from) == Some(knight)) {
            found(from, knight);
        }
    }

    /// Returns the squares of the pieces of `side` that attack a square.
    pub(crate) fn attackers(&self, side: Color, square: Square) -> Vec<Square> {
        let mut squares = Vec::new();
        self.visit_attackers(side, square, |from, _| squares.push(from));
        squares
    }

    /// Returns whether a piece of `side` attacks a square.
    pub(crate) fn is_attacked(&self, side: Color, square: Square) -> bool {
        let mut is_attacked = false;
        self.visit_attackers(side, square, |_, _| is_attacked = true);
        is_attacked
    }

    /// Returns whether the piece on `from` attacks the square `to`.
    pub(crate) fn attacks(&self, from: Square, to: Square) -> bool {
        self.piece_on(from)
            .is_some_and(|piece| self.attackers(piece.color, to).contains(&from))
    }

    /// Returns whether the king of a side is attacked.
    pub(crate) fn is_checked(&self, side: Color) -> bool {
        self.king(side)
            .is_some_and(|king| self.is_attacked(side.flip(), king))
    }

    /// Returns whether the side to move is in check.
    pub(crate) fn in_check(&self) -> bool {
        self.is_checked(self.side)
    }

    /// Calls `found` with each square that the piece on `from` can move to. Squares with pieces of its side are left
    /// out.
    pub(crate) fn visit_targets(&self, from: Square, piece: Piece, mut found: impl FnMut(Square)) {
        let mut visit = |to: Square| {
            let there = self.piece_on(to);
            if there.is_none_or(|other| other.color != piece.color) {
                found(to);
            }
            there.is_none()
        };
        if piece.kind == PieceKind::Knight {
            geometry::jumps(from, piece.color).for_each(|to| {
                let _empty = visit(to);
            });
        }
        for direction in Direction::all() {
            let range = geometry::range(piece.kind, piece.color, direction);
            let _stopped = geometry::ray(from, direction)
                .iter()
                .take(range)
                .all(|to| visit(*to));
        }
    }
}
