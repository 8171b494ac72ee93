//! Lines of KI2: several moves per line in common Japanese notation.

use super::{KifReader, ends, header, moves, play_words};
use crate::kifu::builder::{CutReason, SourceText};
use crate::kifu::scan::{Line, Scanner};
use crate::kifu::time::{self, Time};
use crate::kifu::warning::{RecordProblem, quote};
use crate::shogi::{Color, SIDE_MARKS, notation, numeral};

/// The separators between the key of a header and its value.
const COLONS: [char; 2] = [':', '：'];

/// The brackets around a time.
const BRACKETS: [char; 4] = ['(', '（', '[', '［'];
const CLOSED: [char; 4] = [')', '）', ']', '］'];

impl KifReader<'_, '_, '_> {
    /// Returns whether a line is a KI2 line. Before the first move it must contain nothing else.
    pub(super) fn is_line_of_ki2(&self, text: &str) -> bool {
        // Some programs put side marks before headers, too: `▲先手：A`.
        let is_marked = text.starts_with(SIDE_MARKS) && header::read(text).is_none();
        if !self.game.draft.is_begun() && !self.game.in_moves {
            return is_marked || is_ki2(text) && is_all_ki2(text);
        }
        is_marked || is_ki2(text) && header::read(text).is_none()
    }

    /// Reads the moves of a KI2 line. The first may have a number.
    pub(super) fn read_moves(&mut self, line: Line<'_>, text: &str, mut number: Option<u32>) {
        // Such times are ambiguous: the time of the next move, or the time of day.
        let has_times_in_front = time_in_front(text).is_some();
        let mut scanner = Scanner::new(text);
        loop {
            scanner.skip_blanks();
            let before = scanner.rest;
            if before.is_empty() || before.starts_with('#') {
                return self.remark(before.strip_prefix('#'));
            }
            if let Some((_, rest)) = split_time(before).filter(|_| has_times_in_front) {
                let time = before.get(..before.len() - rest.len()).unwrap_or(before);
                self.warnings.add(line.spot(before), RecordProblem::UnknownLine(quote(time)));
                scanner.rest = rest;
                continue;
            }
            if let Some((time, rest)) = split_time(before) {
                self.builder().0.time(time);
                scanner.rest = rest;
                continue;
            }
            if before.starts_with(BRACKETS) {
                let (inside, rest) = split_brackets(before).unwrap_or((before, ""));
                self.warnings.add(line.spot(before), RecordProblem::Time(quote(inside)));
                scanner.rest = rest;
                continue;
            }
            if before.starts_with(COLONS) {
                scanner.rest = self.skip_remark(line, before);
                continue;
            }
            let target_before = self.game.start.last_target();
            self.count(line, text, number.take());
            let (builder, warnings) = self.builder();
            let prev = builder.last_to().or(target_before);
            let read = notation::read_first(before, builder.now(), prev);
            scanner.rest = read.as_ref().map_or_else(|| after_first_word(before), |(_, rest)| rest);
            let words = before.get(..before.len() - scanner.rest.len()).unwrap_or(before).trim();
            let source = SourceText { words, spot: line.spot(before), time: Time::default() };
            let mark = if read.is_none() { ends::first_mark(unmarked(before)) } else { None };
            match (read, mark) {
                (None, Some((mark, word))) => builder.mark(mark, SourceText { words: word, ..source }, warnings),
                (read, _) if builder.can_continue(source.spot, warnings) => match read {
                    Some((read, _)) => play_words(builder, &read, source, warnings),
                    None => builder.cut(CutReason::Unreadable, source, warnings),
                },
                _ => {}
            }
            if scanner.rest.len() == before.len() {
                return; // This is not a word, and it has been reported.
            }
        }
    }

    /// Skips a remark after a colon, up to the next move of the side to move.
    fn skip_remark<'t>(&mut self, line: Line<'_>, text: &'t str) -> &'t str {
        let (builder, warnings) = self.builder();
        let others = match builder.now().side_to_move() {
            Color::Black => ['△', '☖'],
            Color::White => ['▲', '☗'],
        };
        let signs = text.char_indices().filter(|(_, c)| SIDE_MARKS.contains(c) && !others.contains(c));
        let moves = signs.filter_map(|(at, _)| text.split_at_checked(at));
        let next = moves.into_iter().find(|(_, rest)| moves::spell(&mut Scanner::new(rest)).is_some());
        let (remark, rest) = next.unwrap_or((text, ""));
        warnings.add(line.spot(text), RecordProblem::AfterMove(quote(remark)));
        rest
    }
}

/// Returns a text without leading blanks and side marks.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}

/// Returns the text after a first word that is not a KI2 move.
fn after_first_word(text: &str) -> &str {
    let text = unmarked(text);
    let word = ends::first_mark(text).map(|(_, word)| word);
    let word = word.or_else(|| text.split([' ', '　']).next()).unwrap_or_default();
    text.get(word.len()..).unwrap_or_default()
}

/// Returns whether a line begins like a KI2 line: with a side mark or a move.
pub(in super::super) fn is_ki2(text: &str) -> bool {
    let mut chars = time_in_front(text).unwrap_or(text).chars();
    let mut next = chars.next();
    let is_marked = next.is_some_and(|c| SIDE_MARKS.contains(&c));
    if is_marked {
        next = chars.as_str().trim_start().chars().next();
    }
    match next {
        Some('同') => true,
        Some(c) if numeral(c).is_some() => is_marked || moves::spell(&mut Scanner::new(text)).is_some(),
        Some(_) => is_marked && ends::first_mark(chars.as_str()).is_some(),
        None => false,
    }
}

/// Returns whether a line begins with a complete move, so that a colon after it does not make a header. A time may
/// precede the move.
pub(super) fn begins_with_a_move(text: &str) -> bool {
    let text = time_in_front(text).unwrap_or(text);
    let is_marked = text.starts_with(SIDE_MARKS);
    if !is_marked && !text.starts_with(|c: char| c == '同' || numeral(c).is_some()) {
        return false;
    }
    let mut scanner = Scanner::new(text);
    let rest = match (moves::spell(&mut scanner), ends::first_mark(unmarked(text))) {
        (Some(_), _) => scanner.rest,
        (None, Some((_, word))) => unmarked(text).get(word.len()..).unwrap_or_default(),
        (None, None) => return false,
    };
    let next = rest.trim_start();
    let is_followed = moves::spell(&mut Scanner::new(next)).is_some() || ends::first_mark(next).is_some();
    let is_parted =
        rest.starts_with(|c: char| c.is_whitespace() || c.is_ascii_punctuation() || "、。，！？".contains(c));
    next.is_empty() || next.starts_with(BRACKETS) || next.starts_with(COLONS) || is_followed || is_marked && is_parted
}

/// Returns whether a line contains only KI2 moves, with times and a remark after a colon.
pub(super) fn is_all_ki2(text: &str) -> bool {
    let mut rest = time_in_front(text).unwrap_or(text);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c));
        let has_moves = rest.len() < text.len();
        if rest.is_empty() || has_moves && (rest.starts_with(COLONS) || rest.starts_with('#')) {
            return true;
        }
        let mut scanner = Scanner::new(rest);
        rest = match (moves::spell(&mut scanner), ends::first_mark(rest)) {
            (Some(_), _) => scanner.rest,
            (None, Some((_, word))) => rest.get(word.len()..).unwrap_or_default(),
            (None, None) => match after_time(rest) {
                Some(after) if has_moves => after,
                _ => return false,
            },
        };
    }
}

/// Returns the text after any leading times.
pub(super) fn after_times(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = after_time(rest) {
        rest = after.trim_start();
    }
    rest
}

fn after_time(text: &str) -> Option<&str> {
    let bare = || split_time(text).map(|(_, rest)| rest);
    split_brackets(text).map(|(_, rest)| rest).or_else(bare)
}

/// Returns the text after leading times if it is a move.
fn time_in_front(text: &str) -> Option<&str> {
    let mut rest = text;
    while let Some((_, after)) = split_time(rest) {
        rest = after.trim_start();
    }
    (rest.len() < text.len() && moves::spell(&mut Scanner::new(rest)).is_some()).then_some(rest)
}

/// Splits off a leading time, in brackets or bare: `(0:01)`, `［0:01］`, `0:01`.
fn split_time(text: &str) -> Option<(Time, &str)> {
    let inside = text.strip_prefix(BRACKETS);
    let mut scanner = Scanner::new(inside.unwrap_or(text));
    let mut digits = scanner;
    // Digits alone may be a number or a square.
    if inside.is_none() && (digits.number().is_none() || !digits.eat(':')) {
        return None;
    }
    let time = time::read(&mut scanner)?;
    if inside.is_some() {
        scanner.rest = scanner.rest.strip_prefix(CLOSED)?;
    }
    Some((time, scanner.rest.trim_start_matches('+')))
}

/// Splits off leading brackets. Returns their content and the rest.
fn split_brackets(text: &str) -> Option<(&str, &str)> {
    let (inside, rest) = text.strip_prefix(BRACKETS)?.split_once(CLOSED)?;
    Some((inside, rest.trim_start_matches('+')))
}
