//! The record formats: which part of the source reads and writes each.

use super::csa::format::{Csa, CsaFile};
use super::epd::format::Epd;
use super::format::{Encoding, Format};
use super::jkf::format::Jkf;
use super::kif::Flavour;
use super::kif::format::{Bod, KifFile};
use super::prose::format::Prose;
use super::psn::format::Psn;
use super::record_format::{ReadFormat, WriteFormat};
use super::target::Target;
use super::usen::format::Usen;
use super::usi::format::{PositionLine, Sfen, UsiLines, UsiLog};
use std::fmt;

impl Format {
    /// Returns how the format is recognised and read.
    pub(super) fn rules(self) -> &'static dyn ReadFormat {
        match self {
            Self::Kif => &Flavour::Kif,
            Self::Ki2 => &Flavour::Ki2,
            Self::Csa => &Csa,
            Self::Jkf => &Jkf,
            Self::Usi => &UsiLines,
            Self::Usen => &Usen,
            Self::Epd => &Epd,
            Self::Psn => &Psn,
            Self::UsiLog => &UsiLog,
            Self::Prose => &Prose,
        }
    }
}

impl Target {
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

    /// Returns the encoding of the format.
    pub fn encoding(self) -> Encoding {
        self.rules().encoding()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rules().name())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.rules().title())
    }
}
