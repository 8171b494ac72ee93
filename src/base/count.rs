//! Counts with their English nouns.

use std::fmt::Display;

/// Returns a count with its English noun: `1 move`, `2 moves`. The second noun is an irregular plural.
pub fn counted(count: &dyn Display, nouns: &[&str]) -> String {
    let count = count.to_string();
    match nouns {
        [] => count,
        [noun, ..] if count == "1" => format!("{count} {noun}"),
        [noun] => format!("{count} {noun}s"),
        [_, plural, ..] => format!("{count} {plural}"),
    }
}
