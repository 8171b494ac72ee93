//! A square of the board.

use std::fmt;

/// A square in the players' coordinates. Files are 1–9 from the right, ranks 1–9 from the top, as Black sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// Returns the square on `file` and `rank`, each 1–9; `None` outside the board.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file >= 1 && file <= 9 && rank >= 1 && rank <= 9 {
            Some(Self((file - 1) * 9 + rank - 1))
        } else {
            None
        }
    }

    /// Returns all 81 squares, file by file from 1a.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..81).map(Self)
    }

    /// Returns the file, 1–9.
    pub const fn file(self) -> u8 {
        self.0 / 9 + 1
    }

    /// Returns the rank, 1–9.
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Returns the index in a list of squares ordered file by file, 0–80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns this square as seen from the other side of the board.
    #[must_use]
    pub const fn flip(self) -> Self {
        Self(80 - self.0)
    }

    /// Parses USI's two characters, such as `7g`; `None` for other texts.
    pub const fn from_usi(text: &[u8]) -> Option<Self> {
        match *text {
            [file @ b'1'..=b'9', rank @ b'a'..=b'i'] => Self::new(file - b'0', rank - b'a' + 1),
            _ => None,
        }
    }

    /// Returns the rank as USI's letter, `a`–`i`.
    pub const fn rank_letter(self) -> char {
        (b'a' + self.0 % 9) as char
    }

    pub(super) const fn to_rules(self) -> rsshogi::types::Square {
        rsshogi::types::Square::from_index(self.0 as usize)
    }

    /// Returns the rules crate's square as a [`Square`]; `None` for its special values.
    pub(super) const fn from_rules(square: rsshogi::types::Square) -> Option<Self> {
        let raw = square.raw();
        if raw >= 0 && raw < 81 {
            Some(Self(raw.unsigned_abs()))
        } else {
            None
        }
    }
}

impl fmt::Display for Square {
    /// Writes USI's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank_letter())
    }
}
