//! What a format cannot hold.

use std::fmt;

/// Something that a format has no place for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The number of the first move.
    FirstNumber(u16),
    /// So many lines of headers.
    Headers(usize),
    /// So many comments.
    Comments(usize),
    /// So many remarks for people who read the file itself.
    Remarks(usize),
    /// So many bookmarks.
    Bookmarks(usize),
    /// So many variations.
    Variations(usize),
    /// The times of so many moves.
    Times(usize),
    /// The fractions of a second of so many moves.
    Fractions(usize),
    /// What so many ends say; a comment says it instead where comments are held.
    Ends(usize),
    /// A character, how often it stands there, and what stands for it now.
    Character {
        /// The character.
        character: char,
        /// How often.
        count: usize,
        /// What stands for it.
        replacement: &'static str,
    },
    /// Further games of a file.
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
            Self::Character { character, count, replacement } => {
                write!(
                    f,
                    "the character '{character}' (U+{:04X}), {count} times; it became '{replacement}'",
                    u32::from(*character)
                )
            }
            Self::Games(count) => write!(f, "further games of the file: {count}"),
        }
    }
}
