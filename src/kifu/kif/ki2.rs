//! Lines of KI2: several moves per line in common Japanese notation.

use super::move_line::{
    COLONS, OPENING_BRACKETS, is_all_ki2, is_ki2, move_after_times, split_brackets, split_time,
    without_leading_marks,
};
use super::{KifReader, ends, header, lost_line_ends, moves};
use crate::builder::{CutReason, SourceText};
use crate::scan::{Line, Scanner, digit};
use crate::warning::{RecordProblem, quote};
use shogibar_shogi::{Color, SIDE_MARKS, notation};

impl KifReader<'_, '_, '_> {
    /// Returns whether a line is a KI2 line. Before the first move, a line without a side mark must contain only moves.
    pub(super) fn is_line_of_ki2(&self, text: &str) -> bool {
        // Some programs put side marks before headers, too: `▲先手：A`.
        let is_marked = text.starts_with(SIDE_MARKS) && header::read(text).is_none();
        // Other texts have ▼ and ▽ before the items of a list.
        let is_marked = is_marked && (!text.starts_with(['▼', '▽']) || is_ki2(text));
        if !self.game.draft.is_begun() && !self.game.is_in_moves {
            return is_marked || is_ki2(text) && is_all_ki2(text);
        }
        is_marked || is_ki2(text) && header::read(text).is_none()
    }

    /// Reads the moves of a KI2 line. `number` is the stated number of the first move.
    pub(super) fn read_moves(&mut self, line: Line<'_>, text: &str, mut number: Option<u32>) {
        // A time before a move is ambiguous: the time of that move, or the time of day. So it is not used.
        let has_times_in_front = move_after_times(text).is_some();
        let mut scanner = Scanner::new(text);
        loop {
            scanner.skip_blanks();
            let before = scanner.rest;
            if before.is_empty() || before.starts_with('#') {
                return self.add_remark(before.strip_prefix('#'));
            }
            if let Some((time, rest)) = split_time(before) {
                let words = before.get(..before.len() - rest.len()).unwrap_or(before);
                if has_times_in_front {
                    self.warnings
                        .add(line.spot(before), RecordProblem::UnknownLine(quote(words)));
                } else {
                    let (builder, warnings) = self.builder();
                    builder.set_time(
                        SourceText {
                            words,
                            spot: line.spot(before),
                            time,
                        },
                        warnings,
                    );
                }
                scanner.rest = rest;
                continue;
            }
            if before.starts_with(OPENING_BRACKETS) {
                let (inside, rest) = split_brackets(before).unwrap_or((before, ""));
                let is_time = inside.contains(|c: char| digit(c).is_some()) && !inside.contains(SIDE_MARKS);
                let problem = if is_time {
                    RecordProblem::InvalidTime
                } else {
                    RecordProblem::TextAfterMove
                };
                self.warnings.add(line.spot(before), problem(quote(inside)));
                scanner.rest = rest;
                continue;
            }
            if before.starts_with("まで") {
                let (sentence, rest) = lost_line_ends::split(before);
                if !ends::is_result(sentence) {
                    return self.report_words_behind_moves(line, before);
                }
                self.apply_summary(line, sentence);
                scanner.rest = rest.unwrap_or_default();
                continue;
            }
            // A newspaper prints the minutes of a move as a number in a circle.
            if before.starts_with(|c| ('①'..='⑳').contains(&c) || ('㉑'..='㉟').contains(&c)) {
                scanner.rest = before.trim_start_matches(|c: char| c.is_numeric() && !c.is_ascii());
                continue;
            }
            if before.starts_with(COLONS) {
                scanner.rest = self.skip_remark(line, before);
                continue;
            }
            let target_before = self.game.start.last_target();
            self.check_number(line, text, number.take());
            let (builder, warnings) = self.builder();
            let prev = builder.last_to().or(target_before);
            let read = notation::read_first(before, builder.now(), prev);
            scanner.rest = read
                .as_ref()
                .map_or_else(|| after_first_word(before), |(_, rest)| rest);
            let words = before
                .get(..before.len() - scanner.rest.len())
                .unwrap_or(before)
                .trim();
            let source = SourceText::new(words, line.spot(before));
            let mark = if read.is_none() {
                ends::first_mark(without_leading_marks(before))
            } else {
                None
            };
            match (read, mark) {
                (None, Some((mark, word))) => builder.apply_mark(
                    mark,
                    SourceText {
                        words: word,
                        ..source
                    },
                    warnings,
                ),
                (read, _) if builder.can_continue(source.spot, warnings) => {
                    let read = read.map_or(Err(CutReason::Unreadable), |(read, _)| {
                        read.map_err(CutReason::from)
                    });
                    if read.is_ok() && is_marked_for(words, builder.now().side_to_move().flip()) {
                        warnings.add(source.spot, RecordProblem::WrongSign(quote(words)));
                    }
                    builder.play_read(read, source, warnings);
                }
                _ => {}
            }
            if scanner.rest.len() == before.len() {
                return; // This is not a word, and it has been reported.
            }
        }
    }

    /// Reports the words behind まで, which itself only says that the moves are over.
    fn report_words_behind_moves(&mut self, line: Line<'_>, text: &str) {
        let words = text.trim_start_matches("まで").trim_matches('。');
        if !words.is_empty() {
            self.warnings
                .add(line.spot(text), RecordProblem::TextAfterMove(quote(words)));
        }
    }

    /// Skips a remark after a colon. Returns the text from the next move of the side to move on; empty without such a
    /// move.
    fn skip_remark<'t>(&mut self, line: Line<'_>, text: &'t str) -> &'t str {
        let (builder, warnings) = self.builder();
        let other = builder.now().side_to_move().flip();
        let signs = text.char_indices().filter(|(_, c)| SIDE_MARKS.contains(c));
        let moves = signs.filter_map(|(at, _)| text.split_at_checked(at));
        let mut moves = moves.filter(|(_, rest)| !is_marked_for(rest, other));
        let next = moves.find(|(_, rest)| moves::parse_move(&mut Scanner::new(rest)).is_some());
        let (remark, rest) = next.unwrap_or((text, ""));
        warnings.add(line.spot(text), RecordProblem::TextAfterMove(quote(remark)));
        rest
    }
}

/// Returns whether a move has the mark of a side. The marks ▼ and ▽ may stand for either side, so they do not count.
fn is_marked_for(words: &str, side: Color) -> bool {
    match side {
        Color::Black => words.starts_with(['▲', '☗']),
        Color::White => words.starts_with(['△', '☖']),
    }
}

/// Returns the text after a first word that is not a KI2 move.
fn after_first_word(text: &str) -> &str {
    let text = without_leading_marks(text);
    let word = ends::first_mark(text).map(|(_, word)| word);
    let word = word
        .or_else(|| text.split([' ', '　']).next())
        .unwrap_or_default();
    text.get(word.len()..).unwrap_or_default()
}
