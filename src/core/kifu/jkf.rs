//! JKF, the JSON Kifu Format: a header, a start and a list of moves, each of which may hold lines of others
//! that could have been played in its place.
//!
//! Variations may be nested as deeply as memory allows. The reader takes 32 bytes for each level it is in, and
//! some 400 more where an entry says something before its variations and its move after them; the writer
//! eight. Time is linear in the size of the file, in whatever order its keys stand.
//!
//! JKF has no place for some of what a record says, and comments carry it: a line `&name` is a bookmark, and
//! the first line at an end may say what its code does not (see [`ends`]). So a line of a comment that
//! begins with `&` is a bookmark when it is read again (see [`fit`]); all else that is written is read as it
//! was. A start is always at move 1, and a diagram does not say whether the sides are 下手 and 上手.

mod ends;
mod json;
mod moves;
mod read;
mod source;
mod start;
#[cfg(test)]
mod tests;
mod write;

pub(super) use read::read;
pub(super) use write::write;

use super::record::Notes;

/// JKF's letters for the words that tell a piece from others.
const RELATIVE: [(char, &str); 7] =
    [('L', "左"), ('C', "直"), ('R', "右"), ('U', "上"), ('M', "寄"), ('D', "引"), ('H', "打")];

/// Makes bookmarks of the lines that are going to be read as such.
pub(super) fn fit(notes: &mut Notes) {
    let Some(comment) = notes.comment.take_if(|comment| comment.starts_with('&') || comment.contains("\n&")) else {
        return;
    };
    for line in comment.split('\n') {
        match line.strip_prefix('&') {
            Some(name) => Notes::add(&mut notes.bookmark, name),
            None => Notes::add(&mut notes.comment, line),
        }
    }
}
