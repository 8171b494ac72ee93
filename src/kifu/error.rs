//! Why something is no record at all.

use std::fmt;
use thiserror::Error;

/// Why nothing of a file can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// No bytes, or nothing but blanks.
    #[error("this is no game record: it is empty")]
    Empty,
    /// More than [`MAX_BYTES`](super::MAX_BYTES).
    #[error("this is no game record: it has {0} bytes, and the limit is {limit}", limit = super::MAX_BYTES)]
    TooLarge(usize),
    /// Something else, known by its first bytes or by not being text.
    #[error("this is no game record but {0}")]
    Other(Found),
    /// A record in a format that is recognised but not read.
    #[error("this is a record in {0}, which is not read yet")]
    NotReadYet(Format),
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// PNG, JPEG, GIF, BMP, WebP.
    Picture,
    /// ELF, PE or Mach-O: an engine, perhaps.
    Program,
    /// ZIP, gzip, 7z, xz, zstd.
    Archive,
    /// PDF.
    Pdf,
    /// Bytes that are no text.
    Binary,
    /// A web page.
    WebPage,
    /// A script that starts with `#!`.
    Script,
    /// Text without a move, a diagram or a header.
    Text,
}

/// A record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// KIF, with numbered moves and their origins; a BOD diagram alone is one without moves.
    Kif,
    /// KI2, moves as people write them.
    Ki2,
    /// CSA
    Csa,
    /// JSON Kifu Format
    Jkf,
    /// A USI `position` line, or an SFEN.
    Usi,
    /// PSN, in the manner of chess's PGN.
    Psn,
}

/// How the characters of a record are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8
    Utf8,
    /// `Shift_JIS`, as Windows has it.
    ShiftJis,
    /// EUC-JP
    EucJp,
    /// UTF-16, of either byte order.
    Utf16,
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Picture => "a picture",
            Self::Program => "a program (an engine?)",
            Self::Archive => "an archive",
            Self::Pdf => "a PDF document",
            Self::Binary => "binary data",
            Self::WebPage => "a web page",
            Self::Script => "a script",
            Self::Text => "some other text: no move, diagram or header was found",
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Kif => "KIF",
            Self::Ki2 => "KI2",
            Self::Csa => "CSA",
            Self::Jkf => "JKF (JSON)",
            Self::Usi => "USI or SFEN",
            Self::Psn => "PSN",
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Utf8 => "UTF-8",
            Self::ShiftJis => "Shift_JIS",
            Self::EucJp => "EUC-JP",
            Self::Utf16 => "UTF-16",
        })
    }
}
