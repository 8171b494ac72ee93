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
    Other(FoundContent),
}

/// What a file turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundContent {
    /// PNG, JPEG, GIF, WebP.
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

impl fmt::Display for FoundContent {
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
