//! The formats in which records are written.

use super::decode::Decoded;
use super::{Encoding, Format, csa};
use std::fmt;

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

    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Kif => "kif",
            Self::Kifu => "kifu",
            Self::Ki2 => "ki2",
            Self::Ki2u => "ki2u",
            Self::Csa => "csa",
            Self::CsaSjis => "csa-sjis",
            Self::Csa3 => "csa3",
            Self::Jkf => "jkf",
            Self::Bod => "bod",
            Self::Psn => "psn",
            Self::Usi => "usi",
            Self::Sfen => "sfen",
        }
    }

    /// Returns the format with this name on the command line.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Returns the target for the format and encoding in which a record was read.
    pub(super) fn for_text(format: Format, text: &Decoded<'_>) -> Self {
        let in_shift_jis = text.encoding == Encoding::ShiftJis;
        match format {
            Format::Kif if in_shift_jis => Self::Kif,
            Format::Kif | Format::Prose => Self::Kifu,
            Format::Ki2 if in_shift_jis => Self::Ki2,
            Format::Ki2 => Self::Ki2u,
            Format::Csa if csa::is_version_3(&text.text) => Self::Csa3,
            Format::Csa if in_shift_jis => Self::CsaSjis,
            Format::Csa => Self::Csa,
            Format::Jkf => Self::Jkf,
            Format::Psn => Self::Psn,
            Format::Usi | Format::UsiLog | Format::Usen | Format::Epd => Self::Usi,
        }
    }

    /// Returns the file extension, without the dot.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::CsaSjis | Self::Csa3 => "csa",
            other => other.name(),
        }
    }

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

    pub(super) const fn is_csa(self) -> bool {
        matches!(self, Self::Csa | Self::CsaSjis | Self::Csa3)
    }

    /// Returns the encoding of the format.
    pub const fn encoding(self) -> Encoding {
        match self {
            Self::Kif | Self::Ki2 | Self::CsaSjis => Encoding::ShiftJis,
            _ => Encoding::Utf8,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kif | Self::Kifu => "KIF",
            Self::Ki2 | Self::Ki2u => "KI2",
            Self::Csa | Self::CsaSjis => "CSA V2.2",
            Self::Csa3 => "CSA V3",
            Self::Jkf => "JKF",
            Self::Bod => "BOD",
            Self::Psn => "PSN",
            Self::Usi => "USI",
            Self::Sfen => "SFEN",
        })
    }
}
