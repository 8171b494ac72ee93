//! Moves in CSA notation.

use shogibar_shogi::{Color, Move, PieceKind, Position, Square};

/// A parsed move, not yet applied to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct CsaMove {
    pub(in super::super) side: Color,
    /// The origin; `None` for a drop.
    pub(in super::super) from: Option<Square>,
    pub(in super::super) to: Square,
    pub(in super::super) kind: PieceKind,
}

impl CsaMove {
    pub(in super::super) fn on(self, now: &Position) -> Move {
        let Self { from, to, kind, .. } = self;
        let Some(from) = from else {
            return Move::Drop { kind, to };
        };
        let before = now.piece_on(from).map(|piece| piece.kind);
        let promote = kind.is_promoted() && before.is_some_and(|before| !before.is_promoted());
        Move::Board { from, to, promote }
    }
}

/// The length of a move, in bytes.
pub(in super::super) const MOVE_BYTES: usize = 7;

/// Parses a move like `+7776FU`.
pub(in super::super) fn parse_move(word: &str) -> Option<CsaMove> {
    let side = color(word.chars().next()?)?;
    let (squares, piece) = word.get(1..)?.split_at_checked(4)?;
    let (from, to) = squares.split_at_checked(2)?;
    let from = if from == "00" { None } else { Some(square(from)?) };
    Some(CsaMove {
        side,
        from,
        to: square(to)?,
        kind: PieceKind::from_csa(piece)?,
    })
}

/// Parses a square of two digits.
pub(super) fn square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => Square::new(file - b'0', rank - b'0'),
        _ => None,
    }
}

pub(super) const fn color(sign: char) -> Option<Color> {
    match sign {
        '+' => Some(Color::Black),
        '-' => Some(Color::White),
        _ => None,
    }
}
