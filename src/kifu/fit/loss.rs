//! The losses of writing a record.

use std::fmt;

/// Content that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The number of the first move, which the format counts from 1.
    FirstNumber(u16),
    /// The number of lost header lines.
    Headers(usize),
    /// The number of lost comments.
    Comments(usize),
    /// The number of lost remarks, which are for readers of the raw file.
    Remarks(usize),
    /// The number of lost bookmarks.
    Bookmarks(usize),
    /// The number of lost variations.
    Variations(usize),
    /// The number of moves with a lost time.
    Times(usize),
    /// The number of moves whose fractions of a second are lost.
    Fractions(usize),
    /// The number of ends with lost details. A comment holds the details if the format has comments.
    Ends(usize),
    /// A replaced character.
    Character {
        /// The original character.
        character: char,
        /// The number of occurrences.
        count: usize,
        /// The replacement.
        replacement: &'static str,
    },
    /// The number of lost games of a file, in a format that holds one game.
    Games(usize),
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FirstNumber(number) => write!(f, "that the first move is number {number}"),
            Self::Headers(count) => write!(f, "headers: {count}"),
            Self::Comments(count) => write!(f, "comments: {count}"),
            Self::Remarks(count) => write!(f, "remarks: {count}"),
            Self::Bookmarks(count) => write!(f, "bookmarks: {count}"),
            Self::Variations(count) => write!(f, "variations: {count}"),
            Self::Times(count) => write!(f, "times of moves: {count}"),
            Self::Fractions(count) => write!(f, "fractions of a second: {count}"),
            Self::Ends(count) => write!(f, "how a line ended: {count}"),
            Self::Character {
                character,
                count,
                replacement,
            } => {
                write!(
                    f,
                    "the character '{character}' (U+{:04X}; occurrences: {count}); it became '{replacement}'",
                    u32::from(*character)
                )
            }
            Self::Games(count) => write!(f, "further games of the file: {count}"),
        }
    }
}
