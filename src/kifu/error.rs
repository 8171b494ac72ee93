//! Errors for files that are not records.

use super::warning::Warning;
use std::fmt;
use thiserror::Error;

/// The reason why nothing in a file is usable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The file is empty or contains only blanks.
    #[error("this is no game record: it is empty")]
    Empty,
    /// The file has this number of bytes, more than [`MAX_BYTES`](super::MAX_BYTES).
    #[error("this is no game record: it has {0} bytes, and the limit is {limit}", limit = super::MAX_BYTES)]
    TooLarge(usize),
    /// The file has other content, detected by its first bytes or because it is not text.
    #[error("this is no game record but {0}")]
    Other(FoundContent),
    /// The file looks like a record, but this problem prevents the reading of every game.
    #[error("this game record cannot be read: line {line}: {problem}", line = .0.line, problem = .0.problem)]
    Unusable(Box<Warning>),
}

/// The content of a file that is not a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundContent {
    /// A PNG, JPEG or GIF image, or a RIFF file such as a WebP image.
    Picture,
    /// An ELF, PE or Mach-O executable: possibly an engine.
    Program,
    /// A ZIP, gzip, 7z, xz or zstd archive.
    Archive,
    /// A PDF document.
    Pdf,
    /// Binary data.
    Binary,
    /// A web page.
    WebPage,
    /// A script that starts with `#!`.
    Script,
    /// An opening book of an engine.
    OpeningBook,
    /// A list of openings with their values.
    Openings,
    /// The weights of an engine's network.
    Net,
    /// A table of analysed games.
    Summary,
    /// The settings of an engine or of a program.
    Settings,
    /// The list of an engine's options.
    EngineOptions,
    /// A game of chess.
    Chess,
    /// A web address that holds no game.
    Address,
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
            Self::OpeningBook => "an opening book",
            Self::Openings => "a list of openings with their values",
            Self::Net => "the network of an engine",
            Self::Summary => "a table of analysed games",
            Self::Settings => "a file of settings",
            Self::EngineOptions => "the list of an engine's options",
            Self::Chess => "a game of chess",
            Self::Address => "a web address: no game is in it",
            Self::Text => "some other text: no move, diagram or header was found",
        })
    }
}
