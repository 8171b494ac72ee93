//! The distinction between a line of moves and other lines: the words of KI2 and the times between them.

use super::{ends, moves};
use crate::scan::Scanner;
use crate::time::{self, Time};
use shogibar_shogi::{SIDE_MARKS, numeral};

/// The signs between the key and the value of a header.
pub(super) const COLONS: [char; 2] = [':', '：'];

/// The brackets before a time.
pub(super) const OPENING_BRACKETS: [char; 4] = ['(', '（', '[', '［'];
/// The brackets after a time.
const CLOSING_BRACKETS: [char; 4] = [')', '）', ']', '］'];

/// Returns whether a line begins like a KI2 line: with a side mark or a move.
pub(in super::super) fn is_ki2(text: &str) -> bool {
    let mut chars = move_after_times(text).unwrap_or(text).chars();
    let mut next = chars.next();
    let is_marked = next.is_some_and(|c| SIDE_MARKS.contains(&c));
    if is_marked {
        next = chars.as_str().trim_start().chars().next();
    }
    match next {
        Some('同') => true,
        Some(c) if numeral(c).is_some() => is_marked || moves::parse_move(&mut Scanner::new(text)).is_some(),
        Some(_) => is_marked && ends::first_mark(chars.as_str()).is_some(),
        None => false,
    }
}

/// Returns whether a line begins with a complete move, so that a colon after it does not make a header. A time may
/// precede the move.
pub(super) fn begins_with_a_move(text: &str) -> bool {
    let text = move_after_times(text).unwrap_or(text);
    let is_marked = text.starts_with(SIDE_MARKS);
    if !is_marked && !text.starts_with(|c: char| c == '同' || numeral(c).is_some()) {
        return false;
    }
    let mut scanner = Scanner::new(text);
    let rest = match (
        moves::parse_move(&mut scanner),
        ends::first_mark(without_leading_marks(text)),
    ) {
        (Some(_), _) => scanner.rest,
        (None, Some((_, word))) => without_leading_marks(text).get(word.len()..).unwrap_or_default(),
        (None, None) => return false,
    };
    let next = rest.trim_start();
    let is_followed =
        moves::parse_move(&mut Scanner::new(next)).is_some() || ends::first_mark(next).is_some();
    let is_parted =
        rest.starts_with(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || "、。，！？".contains(c));
    next.is_empty()
        || next.starts_with(OPENING_BRACKETS)
        || next.starts_with(COLONS)
        || is_followed
        || is_marked && is_parted
}

/// Returns whether a line contains only KI2 moves, with times and a remark after a colon.
pub(super) fn is_all_ki2(text: &str) -> bool {
    let mut rest = move_after_times(text).unwrap_or(text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c));
        let has_moves = rest.len() < text.len();
        if rest.is_empty() || has_moves && (rest.starts_with(COLONS) || rest.starts_with('#')) {
            return true;
        }
        let mut scanner = Scanner::new(rest);
        rest = match (moves::parse_move(&mut scanner), ends::first_mark(rest)) {
            (Some(_), _) => scanner.rest,
            (None, Some((_, word))) => rest.get(word.len()..).unwrap_or_default(),
            (None, None) => match after_time(rest) {
                Some(after) if has_moves => after,
                _ => return false,
            },
        };
    }
}

pub(super) fn after_times(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = after_time(rest) {
        rest = after.trim_start();
    }
    rest
}

/// Returns the text after a leading time or other brackets; `None` without them.
fn after_time(text: &str) -> Option<&str> {
    split_brackets(text)
        .map(|(_, rest)| rest)
        .or_else(|| split_time(text).map(|(_, rest)| rest))
}

/// Returns the text after leading times if a move begins there; `None` without a time or a move.
pub(super) fn move_after_times(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((_, after)) = split_time(rest) {
        rest = after.trim_start();
    }
    (rest.len() < text.len() && moves::parse_move(&mut Scanner::new(rest)).is_some()).then_some(rest)
}

/// Splits off a leading time, in brackets or bare: `(0:01)`, `［0:01］`, `0:01`. Returns `None` for other text.
pub(super) fn split_time(text: &str) -> Option<(Time, &str)> {
    let inside = text.strip_prefix(OPENING_BRACKETS);
    let mut scanner = Scanner::new(inside.unwrap_or(text));
    let mut digits = scanner;
    // Digits alone may be a number or a square, so a time without brackets needs a colon.
    if inside.is_none() && (digits.number().is_none() || !digits.eat(':')) {
        return None;
    }
    let time = time::read(&mut scanner)?;
    if inside.is_some() {
        scanner.rest = scanner.rest.strip_prefix(CLOSING_BRACKETS)?;
    }
    Some((time, scanner.rest.trim_start_matches('+')))
}

/// Splits off leading brackets. Returns their content and the rest; `None` without closed brackets.
pub(super) fn split_brackets(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text
        .strip_prefix(OPENING_BRACKETS)?
        .split_once(CLOSING_BRACKETS)?;
    Some((inside, rest.trim_start_matches('+')))
}

/// Returns a text without leading blanks and side marks.
pub(super) fn without_leading_marks(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}
