//! Lines of KI2: moves as people write them, several on a line.

use super::{Reader, ends, header, moves, play_words};
use crate::kifu::builder::{Cut, Said};
use crate::kifu::scan::{Line, Scanner};
use crate::kifu::time::Time;
use crate::shogi::{SIDE_MARKS, notation, numeral};

impl Reader<'_> {
    /// Whether a line is one of KI2. Before the first move it has to be nothing else.
    pub(super) fn is_line_of_ki2(&self, text: &str) -> bool {
        if !self.game.draft.is_begun() && !self.game.in_moves {
            let is_marked = text.starts_with(SIDE_MARKS) && header(text).is_none();
            return is_marked || is_ki2(text) && is_all_ki2(text);
        }
        is_ki2(text) || text.starts_with(SIDE_MARKS)
    }

    /// Reads the moves of a line in KI2.
    pub(super) fn several(&mut self, line: Line<'_>, text: &str) {
        let mut scanner = Scanner::new(text);
        loop {
            scanner.skip_blanks();
            let before = scanner.rest;
            if before.is_empty() || before.starts_with('#') {
                return self.remark(before.strip_prefix('#'));
            }
            if before.starts_with(['(', '（']) {
                let (time, remark) = self.tail(line, scanner);
                self.builder().0.time(time);
                return self.remark(remark);
            }
            let target_before = self.game.start.last_target();
            self.count(line, text, None);
            let (builder, warnings) = self.builder();
            let prev = builder.last_to().or(target_before);
            let read = notation::read_first(before, builder.now(), prev);
            scanner.rest = read.as_ref().map_or_else(|| after_no_move(before), |(_, rest)| rest);
            let words = before.get(..before.len() - scanner.rest.len()).unwrap_or(before).trim();
            let said = Said { words, spot: line.spot(before), time: Time::default() };
            let mark = if read.is_none() { ends::first_mark(unmarked(before)) } else { None };
            match (read, mark) {
                (None, Some((mark, word))) => builder.mark(mark, Said { words: word, ..said }, warnings),
                (read, _) if builder.goes_on(said.spot, warnings) => match read {
                    Some((read, _)) => play_words(builder, &read, said, warnings),
                    None => builder.cut(Cut::Unreadable, said, warnings),
                },
                _ => {}
            }
            if scanner.rest.len() == before.len() {
                return; // A bracket, or whatever else is no word: it has been reported.
            }
        }
    }
}

/// A text without blanks and the mark of a side before it.
fn unmarked(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c))
}

/// What follows the first word of a text in KI2 that is no move.
fn after_no_move(text: &str) -> &str {
    let text = unmarked(text);
    let word = ends::first_mark(text).map(|(_, word)| word);
    let word = word.or_else(|| text.split([' ', '　']).next()).unwrap_or_default();
    text.get(word.len()..).unwrap_or_default()
}

/// Whether a line begins like one of KI2: a side's mark, or a move.
pub(in super::super) fn is_ki2(text: &str) -> bool {
    let mut chars = text.chars();
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

/// Whether a line is moves of KI2 and nothing else.
fn is_all_ki2(text: &str) -> bool {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || SIDE_MARKS.contains(&c));
        if rest.is_empty() {
            return true;
        }
        let mut scanner = Scanner::new(rest);
        rest = match (moves::spell(&mut scanner), ends::first_mark(rest)) {
            (Some(_), _) => scanner.rest,
            (None, Some((_, word))) => rest.get(word.len()..).unwrap_or_default(),
            (None, None) => return false,
        };
    }
}
