//! The pieces on the board, and the squares that each attacks. Checks and pins do not count.

use shogibar_shogi::{Color, Piece, PieceKind, Position, Square};

/// A step of a piece: files and ranks, as Black moves. A negative rank is forward.
type Step = (i8, i8);

const FORWARD_STEPS: &[Step] = &[(0, -1)];
const KNIGHT_STEPS: &[Step] = &[(1, -2), (-1, -2)];
const SILVER_STEPS: &[Step] = &[(0, -1), (1, -1), (-1, -1), (1, 1), (-1, 1)];
const GOLD_STEPS: &[Step] = &[(0, -1), (1, -1), (-1, -1), (1, 0), (-1, 0), (0, 1)];
const DIAGONAL_STEPS: &[Step] = &[(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT_STEPS: &[Step] = &[(1, 0), (-1, 0), (0, 1), (0, -1)];
const KING_STEPS: &[Step] = &[
    (1, 1),
    (1, -1),
    (-1, 1),
    (-1, -1),
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
];

/// The pieces on the board, by square, with the squares that each attacks.
#[derive(Clone, Debug)]
pub(crate) struct AttackBoard([Option<Piece>; 81]);

impl AttackBoard {
    pub(crate) fn new(position: &Position) -> Self {
        let mut squares = [None; 81];
        for (slot, square) in squares.iter_mut().zip(Square::all()) {
            *slot = position.piece_on(square);
        }
        Self(squares)
    }

    pub(crate) fn piece(&self, square: Square) -> Option<Piece> {
        self.0.get(square.index()).copied().flatten()
    }

    /// Returns the squares of a side's pieces.
    pub(crate) fn squares_of(&self, color: Color) -> impl Iterator<Item = Square> {
        Square::all().filter(move |square| self.piece(*square).is_some_and(|piece| piece.color == color))
    }

    /// Returns the squares with pieces of the other side that the piece on a square attacks.
    pub(crate) fn targets(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.piece(from) else {
            return Vec::new();
        };
        let is_target = |square: &Square| {
            self.piece(*square)
                .is_some_and(|target| target.color != piece.color)
        };
        self.reached_squares(from).into_iter().filter(is_target).collect()
    }

    /// Returns the squares that the piece on a square reaches: those of its single steps, and the first occupied square
    /// on each line along which it slides.
    fn reached_squares(&self, from: Square) -> Vec<Square> {
        let Some(piece) = self.piece(from) else {
            return Vec::new();
        };
        let near = steps(piece.kind)
            .iter()
            .filter_map(|step| step_from(from, *step, piece.color));
        let far = slides(piece.kind)
            .iter()
            .filter_map(|step| self.first_on_ray(from, *step, piece.color));
        near.chain(far).collect()
    }

    /// Returns whether the piece on `from` attacks the piece on `to`, which is of the other side.
    pub(crate) fn attacks(&self, from: Square, to: Square) -> bool {
        self.targets(from).contains(&to)
    }

    /// Returns whether the piece on `from` reaches a square, whatever is on it.
    pub(crate) fn covers(&self, from: Square, to: Square) -> bool {
        let Some(piece) = self.piece(from) else {
            return false;
        };
        let slides_there = |step: &Step| {
            let next = |square: &Square| {
                let is_empty = self.piece(*square).is_none();
                if is_empty {
                    step_from(*square, *step, piece.color)
                } else {
                    None
                }
            };
            std::iter::successors(step_from(from, *step, piece.color), next).any(|square| square == to)
        };
        let is_near = |step: &Step| step_from(from, *step, piece.color) == Some(to);
        steps(piece.kind).iter().any(is_near) || slides(piece.kind).iter().any(slides_there)
    }

    /// Returns whether the king on `king` would be attacked on the square `to`, after moving there.
    pub(crate) fn is_king_attacked_on(&self, king: Square, to: Square) -> bool {
        let mut next = self.clone();
        let moved = self.piece(king);
        for (square, piece) in [(king, None), (to, moved)] {
            if let Some(slot) = next.0.get_mut(square.index()) {
                *slot = piece;
            }
        }
        moved.is_some_and(|king| {
            next.squares_of(king.color.flip())
                .any(|from| next.attacks(from, to))
        })
    }

    /// Returns whether another piece of the same side reaches the square of a piece.
    pub(crate) fn is_guarded(&self, to: Square) -> bool {
        let Some(piece) = self.piece(to) else { return false };
        self.squares_of(piece.color)
            .any(|from| from != to && self.reached_squares(from).contains(&to))
    }

    /// Returns the first and second piece on each line of a sliding piece, if both are the opponent's.
    pub(crate) fn lined_up_pairs(&self, from: Square) -> Vec<[Square; 2]> {
        let Some(piece) = self.piece(from) else {
            return Vec::new();
        };
        let is_target = |square: &Square| {
            self.piece(*square)
                .is_some_and(|target| target.color != piece.color)
        };
        let on_line = |step: &Step| {
            let front = self.first_on_ray(from, *step, piece.color).filter(is_target)?;
            let behind = self.first_on_ray(front, *step, piece.color).filter(is_target)?;
            Some([front, behind])
        };
        slides(piece.kind).iter().filter_map(on_line).collect()
    }

    fn first_on_ray(&self, from: Square, step: Step, color: Color) -> Option<Square> {
        std::iter::successors(step_from(from, step, color), |square| {
            step_from(*square, step, color)
        })
        .find(|square| self.piece(*square).is_some())
    }
}

/// Returns whether a square is between two others on a rank, file or diagonal.
pub(crate) fn is_between(square: Square, ends: [Square; 2]) -> bool {
    let [from, to] = ends;
    let offset = |to: Square| {
        let (files, ranks) = (
            to.file().cast_signed() - from.file().cast_signed(),
            to.rank().cast_signed() - from.rank().cast_signed(),
        );
        let length = files.abs().max(ranks.abs());
        let is_line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
        is_line.then_some((files.signum(), ranks.signum(), length))
    };
    match (offset(square), offset(to)) {
        (Some((files, ranks, near)), Some((to_files, to_ranks, far))) => {
            (files, ranks) == (to_files, to_ranks) && near > 0 && near < far
        }
        _ => false,
    }
}

/// Returns the square one step away from `from`; `None` off the board.
fn step_from(from: Square, (files, ranks): Step, color: Color) -> Option<Square> {
    let forward = if color == Color::Black { 1 } else { -1 };
    let file = from.file().checked_add_signed(files)?;
    Square::new(file, from.rank().checked_add_signed(ranks * forward)?)
}

const fn steps(kind: PieceKind) -> &'static [Step] {
    match kind {
        PieceKind::Pawn => FORWARD_STEPS,
        PieceKind::Knight => KNIGHT_STEPS,
        PieceKind::Silver => SILVER_STEPS,
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => GOLD_STEPS,
        PieceKind::King => KING_STEPS,
        PieceKind::Horse => STRAIGHT_STEPS,
        PieceKind::Dragon => DIAGONAL_STEPS,
        PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook => &[],
    }
}

/// Returns the directions in which a kind moves any distance.
const fn slides(kind: PieceKind) -> &'static [Step] {
    match kind {
        PieceKind::Lance => FORWARD_STEPS,
        PieceKind::Bishop | PieceKind::Horse => DIAGONAL_STEPS,
        PieceKind::Rook | PieceKind::Dragon => STRAIGHT_STEPS,
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shogibar_shogi::any;

    fn square(usi: &str) -> Square {
        Square::from_usi(usi.as_bytes()).unwrap()
    }

    #[test]
    fn finds_pieces_behind_others() {
        let position = Position::from_sfen("4k4/4r4/9/4s4/9/4L4/9/9/4K4 b - 1").unwrap();
        let board = AttackBoard::new(&position);
        assert_eq!(board.lined_up_pairs(square("5f")), [[square("5d"), square("5b")]]);
        assert_eq!(board.targets(square("5f")), [square("5d")]);
        assert!(is_between(square("5d"), [square("5f"), square("5b")]));
        assert!(!is_between(square("5f"), [square("5d"), square("5b")]));
        assert!(!is_between(square("4d"), [square("5f"), square("5b")]));
    }

    #[test]
    fn covers_squares_up_to_the_first_piece() {
        let board = AttackBoard::new(&Position::from_sfen("4k4/9/9/9/4r4/9/4P4/9/4K4 b - 1").unwrap());
        let covered: Vec<Square> = Square::all()
            .filter(|to| board.covers(square("5e"), *to))
            .collect();
        assert_eq!(covered.len(), 8 + 4 + 2, "the rank, and both ends of the file");
        assert!(
            ["5a", "5g"].iter().all(|to| covered.contains(&square(to))) && !covered.contains(&square("5h"))
        );
        assert!(board.covers(square("5a"), square("6b")) && !board.covers(square("5a"), square("5c")));
    }

    proptest! {
        #[test]
        fn attacks_come_from_the_origins_of_moves(sfen in any::sfen(0.3)) {
            let Ok(position) = Position::from_sfen(&sfen) else { return Ok(()) };
            let board = AttackBoard::new(&position);
            let side = position.side_to_move();
            for to in board.squares_of(side.flip()) {
                for from in board.squares_of(side) {
                    let Some(piece) = board.piece(from) else { continue };
                    let is_origin = position.origins(piece.kind, to).any(|square| square == from);
                    prop_assert_eq!(board.attacks(from, to), is_origin, "{} {} {}", from, to, sfen);
                }
            }
        }
    }
}
