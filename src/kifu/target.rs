//! The formats in which records are written.

/// A format to write, with its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// KIF in `Shift_JIS`.
    Kif,
    /// KIF in UTF-8.
    Kifu,
    /// KI2 in `Shift_JIS`.
    Ki2,
    /// KI2 in UTF-8.
    Ki2u,
    /// CSA, version 2.2.
    Csa,
    /// CSA, version 2.2, in `Shift_JIS`. Version 3 states its encoding, and is always written in UTF-8.
    CsaSjis,
    /// CSA, version 3.0.
    Csa3,
    /// JSON Kifu Format.
    Jkf,
    /// The last position as a diagram.
    Bod,
    /// PSN in the dialect of 将棋所.
    Psn,
    /// A USI `position` line.
    Usi,
    /// The last position as SFEN.
    Sfen,
}

impl Target {
    /// All formats, in the order of declaration.
    pub const ALL: [Self; 12] = [
        Self::Kif,
        Self::Kifu,
        Self::Ki2,
        Self::Ki2u,
        Self::Csa,
        Self::CsaSjis,
        Self::Csa3,
        Self::Jkf,
        Self::Bod,
        Self::Psn,
        Self::Usi,
        Self::Sfen,
    ];

    /// Returns this format in UTF-8.
    #[must_use]
    pub const fn in_utf8(self) -> Self {
        match self {
            Self::Kif => Self::Kifu,
            Self::Ki2 => Self::Ki2u,
            Self::CsaSjis => Self::Csa,
            other => other,
        }
    }

    /// Returns `input` if it is this format in another encoding or version, and otherwise this format.
    #[must_use]
    pub const fn or_variant(self, input: Self) -> Self {
        match (self, input) {
            (Self::Kif, Self::Kifu) | (Self::Ki2, Self::Ki2u) | (Self::Csa, Self::CsaSjis | Self::Csa3) => {
                input
            }
            (named, _) => named,
        }
    }
}
