//! The formats in which records are written.

use super::Encoding;
use super::csa::format::CsaFile;
use super::jkf::format::Jkf;
use super::kif::format::{Bod, KifFile};
use super::psn::format::Psn;
use super::record_format::WriteFormat;
use super::usi::format::{PositionLine, Sfen};
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

    /// Returns how a record is fitted to the format and written.
    pub(super) fn rules(self) -> &'static dyn WriteFormat {
        match self {
            Self::Kif => &KifFile::KIF,
            Self::Kifu => &KifFile::KIFU,
            Self::Ki2 => &KifFile::KI2,
            Self::Ki2u => &KifFile::KI2U,
            Self::Csa => &CsaFile::V2,
            Self::CsaSjis => &CsaFile::V2_SHIFT_JIS,
            Self::Csa3 => &CsaFile::V3,
            Self::Jkf => &Jkf,
            Self::Bod => &Bod,
            Self::Psn => &Psn,
            Self::Usi => &PositionLine,
            Self::Sfen => &Sfen,
        }
    }

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        self.rules().name()
    }

    /// Returns the format with this name on the command line.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// Returns the file extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.rules().extension()
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

    /// Returns the encoding of the format.
    pub fn encoding(self) -> Encoding {
        self.rules().encoding()
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rules().title())
    }
}
