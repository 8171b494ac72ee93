//! JKF, the JSON Kifu Format: a header, a start and a list of moves. Each move may hold variations that replace it.
//!
//! Variations may be nested as deeply as memory allows. The reader takes 32 bytes per nesting level, and some 400 more
//! where an entry has its move after its variations and other content before them. The writer takes eight bytes per
//! level. Time is linear in the size of the file, whatever the order of its keys.
//!
//! Comments carry what JKF cannot hold. A line `&name` is a bookmark. The first comment line at an end may hold details
//! that the code of the end lacks (see [`ends`]). So a comment line that begins with `&` becomes a bookmark when it is
//! read again (see [`fit`]). Everything else is unchanged by writing and reading. A start is always at move 1. A
//! diagram does not state whether the sides are called 下手 and 上手.

mod ends;
pub(super) mod format;
mod json;
mod moves;
mod read;
mod seen;
mod source;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub(super) use read::read;
pub(super) use seen::seen_positions;
pub(super) use write::write;

use super::record::Notes;

/// JKF's letters for the disambiguating words of a move.
const RELATIVE_LETTERS: [(char, &str); 7] = [
    ('L', "左"),
    ('C', "直"),
    ('R', "右"),
    ('U', "上"),
    ('M', "寄"),
    ('D', "引"),
    ('H', "打"),
];

/// Moves comment lines that a reader would take for bookmarks to the bookmarks.
pub(super) fn fit(notes: &mut Notes) {
    let Some(comment) = notes
        .comment
        .take_if(|comment| comment.starts_with('&') || comment.contains("\n&"))
    else {
        return;
    };
    for line in comment.split('\n') {
        match line.strip_prefix('&') {
            Some(name) => Notes::add(&mut notes.bookmark, name),
            None => Notes::add(&mut notes.comment, line),
        }
    }
}
