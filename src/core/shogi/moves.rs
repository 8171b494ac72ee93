//! A move, before any position gives it meaning.

use super::{PieceKind, Square};
use std::fmt;

/// A move as USI writes it: where from and to, or what is dropped where. Whether it is legal, and
/// whose it is, only a [`Position`](super::Position) knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece on the board moves.
    Board {
        /// The square it leaves.
        from: Square,
        /// The square it goes to.
        to: Square,
        /// Whether it promotes.
        promote: bool,
    },
    /// A piece in hand is put on the board.
    Drop {
        /// What is dropped, one of [`PieceKind::IN_HAND`].
        kind: PieceKind,
        /// Where.
        to: Square,
    },
}

impl Move {
    /// Reads USI's spelling: `7g7f`, `8h2b+`, `P*5e`. `None` for anything else (`resign` included).
    pub fn from_usi(text: &str) -> Option<Self> {
        match *text.as_bytes() {
            [letter @ b'A'..=b'Z', b'*', file, rank] => {
                let kind = PieceKind::from_letter(letter.into()).filter(|kind| *kind != PieceKind::King)?;
                Some(Self::Drop { kind, to: Square::from_usi(&[file, rank])? })
            }
            [from_file, from_rank, to_file, to_rank, ref rest @ ..] => {
                let promote = match rest {
                    [] => false,
                    [b'+'] => true,
                    _ => return None,
                };
                let from = Square::from_usi(&[from_file, from_rank])?;
                Some(Self::Board { from, to: Square::from_usi(&[to_file, to_rank])?, promote })
            }
            _ => None,
        }
    }

    /// The square the move ends on.
    pub const fn to(self) -> Square {
        match self {
            Self::Board { to, .. } | Self::Drop { to, .. } => to,
        }
    }

    /// The square a piece leaves; `None` for a drop.
    pub const fn from(self) -> Option<Square> {
        match self {
            Self::Board { from, .. } => Some(from),
            Self::Drop { .. } => None,
        }
    }
}

impl fmt::Display for Move {
    /// USI's spelling.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board { from, to, promote } => write!(f, "{from}{to}{}", if *promote { "+" } else { "" }),
            Self::Drop { kind, to } => write!(f, "{}*{to}", kind.letter()),
        }
    }
}
