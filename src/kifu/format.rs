//! The record formats and encodings that can be read, and the containers of records.

use super::share::ShareSite;
use std::fmt;

/// A record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// KIF, with numbered moves and their origins. A lone BOD diagram is KIF without moves.
    Kif,
    /// KI2, moves in common Japanese notation.
    Ki2,
    /// CSA.
    Csa,
    /// JSON Kifu Format.
    Jkf,
    /// A USI `position` line, or an SFEN.
    Usi,
    /// USEN, a record in characters that are valid in a web address.
    Usen,
    /// FEN or EPD, the position formats of chess programs.
    Epd,
    /// PSN, similar to chess's PGN.
    Psn,
    /// A log of the commands to an engine.
    UsiLog,
    /// Prose with moves in it.
    Prose,
}

/// The container of the games of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// No container: the text is the record.
    Record,
    /// The address of a site.
    Address {
        /// The site; `None` for an unknown one.
        site: Option<ShareSite>,
        /// The number of moves to the position that the address shows; `None` if the address does not state it.
        ply: Option<u16>,
    },
    /// A web page.
    Page,
    /// A log of the commands to an engine.
    Log,
    /// Prose.
    Prose,
    /// A mail, or the quotes of one.
    Mail,
    /// A code block, or other signs around all of a record.
    Quote,
    /// Strings of JSON.
    Json,
}

impl Format {
    /// The formats of which each line of a text is asked for evidence, in this order: the first answer counts.
    pub(super) const IN_ORDER_OF_CLUES: [Self; 7] = [
        Self::Epd,
        Self::Usi,
        Self::Csa,
        Self::Usen,
        Self::Psn,
        Self::Kif,
        Self::Ki2,
    ];

    /// The formats of files, in the order of declaration.
    pub(super) const OF_FILES: [Self; 8] = [
        Self::Kif,
        Self::Ki2,
        Self::Csa,
        Self::Jkf,
        Self::Usi,
        Self::Usen,
        Self::Epd,
        Self::Psn,
    ];

    /// Returns whether the format is KIF or KI2, which share headers, diagrams and comments.
    pub(super) const fn is_kakinoki(self) -> bool {
        matches!(self, Self::Kif | Self::Ki2)
    }
}

impl Container {
    /// Returns whether the container is an address.
    pub const fn is_address(self) -> bool {
        matches!(self, Self::Address { .. })
    }

    /// Returns whether the games are only a part of the text.
    pub fn is_excerpt(self) -> bool {
        self != Self::Record
    }
}

/// The text encoding of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// `Shift_JIS` in the Windows variant.
    ShiftJis,
    /// EUC-JP.
    EucJp,
    /// UTF-16, of either byte order.
    Utf16,
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
