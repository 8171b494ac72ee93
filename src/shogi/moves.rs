//! A move without a position.

use super::{PieceKind, Square};
use std::fmt;

/// A move as USI writes it: origin and target, or a dropped piece and its target. Only a
/// [`Position`](super::Position) determines whether the move is legal, and which side plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A move of a piece on the board.
    Board {
        /// The origin.
        from: Square,
        /// The target.
        to: Square,
        /// Whether the piece promotes.
        promote: bool,
    },
    /// A drop of a piece in hand.
    Drop {
        /// The kind of the piece, one of [`PieceKind::IN_HAND`].
        kind: PieceKind,
        /// The target.
        to: Square,
    },
}

/// The value in place of an origin for a drop of the first of [`PieceKind::IN_HAND`]; the other kinds follow.
const FIRST_DROP_CODE: usize = 81;

impl Move {
    /// Parses USI's notation: `7g7f`, `8h2b+`, `P*5e`. Returns `None` for anything else (`resign` included).
    pub fn from_usi(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [letter @ b'A'..=b'Z', b'*', file, rank] => {
                let kind = PieceKind::from_letter(letter.into()).filter(|kind| *kind != PieceKind::King)?;
                Some(Self::Drop {
                    kind,
                    to: Square::from_usi(&[file, rank])?,
                })
            }
            [from_file, from_rank, to_file, to_rank, ref rest @ ..] => {
                let promote = match rest {
                    [] => false,
                    [b'+'] => true,
                    _ => return None,
                };
                let from = Square::from_usi(&[from_file, from_rank])?;
                Some(Self::Board {
                    from,
                    to: Square::from_usi(&[to_file, to_rank])?,
                    promote,
                })
            }
            _ => None,
        }
    }

    /// Returns the move as a number of 15 bits, as stored in files. Bits 0–6 are the [index](Square::index) of the
    /// target, bits 7–13 that of the origin. For a drop, bits 7–13 are 81 plus the index of the kind in
    /// [`PieceKind::IN_HAND`]. Bit 14 is set for a promotion.
    pub fn code(self) -> u16 {
        let (from, promote) = match self {
            Self::Board { from, promote, .. } => (from.index(), promote),
            Self::Drop { kind, .. } => (
                FIRST_DROP_CODE
                    + PieceKind::IN_HAND
                        .iter()
                        .position(|other| *other == kind)
                        .unwrap_or_default(),
                false,
            ),
        };
        u16::try_from(self.to().index() | from << 7 | usize::from(promote) << 14).unwrap_or_default()
    }

    /// Returns the move with a [code](Self::code); `None` if no move has it.
    pub fn from_code(code: u16) -> Option<Self> {
        let part = |shift: u16| usize::from(code >> shift & 0x7F);
        let (to, from, promote) = (Square::all().nth(part(0))?, part(7), code >> 14);
        match (from.checked_sub(FIRST_DROP_CODE), promote) {
            (None, 0 | 1) => Some(Self::Board {
                from: Square::all().nth(from)?,
                to,
                promote: promote == 1,
            }),
            (Some(kind), 0) => Some(Self::Drop {
                kind: *PieceKind::IN_HAND.get(kind)?,
                to,
            }),
            _ => None,
        }
    }

    /// Returns the target.
    pub const fn to(self) -> Square {
        match self {
            Self::Board { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    /// Returns the origin; `None` for a drop.
    pub const fn from(self) -> Option<Square> {
        match self {
            Self::Board { from, .. } => Some(from),
            Self::Drop { .. } => None,
        }
    }
}

impl fmt::Display for Move {
    /// Writes USI's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board { from, to, promote } => write!(f, "{from}{to}{}", if *promote { "+" } else { "" }),
            Self::Drop { kind, to } => write!(f, "{}*{to}", kind.letter()),
        }
    }
}
