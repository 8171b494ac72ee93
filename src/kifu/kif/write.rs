//! The KIF, KI2 and BOD writer.

use super::draw;
use super::fit::{Flavour, is_start_drawn};
use super::header;
use crate::end::End;
use crate::record::{NodeId, Notes, Record, Step};
use crate::time::{Millis, Time, UsedTimes};
use crate::walk::Walk;
use shogibar_shogi::{Color, Marks, Notation, Style};
use std::fmt::Write as _;

/// The width of a KIF move and the blanks after it, in half-width columns.
const MOVE_WIDTH: usize = 13;

/// The number of moves per line in KI2.
const MOVES_PER_LINE: usize = 6;

/// Writes a record that was fitted to the format. `encoding` is declared in the first line of KIF.
pub(in super::super) fn write(record: &Record, flavour: Flavour, encoding: &str) -> String {
    let mut writer = KifWriter {
        record,
        is_handicap: record.is_handicap(),
        flavour,
        out: String::new(),
        walk: record.walk(),
        used_times: UsedTimes::default(),
        moves_on_line: 0,
    };
    if flavour == Flavour::Kif {
        let _infallible = writeln!(writer.out, "#KIF version=2.0 encoding={encoding}");
    }
    writer.write_headers();
    if flavour == Flavour::Kif {
        writer.out.push_str("手数----指手---------消費時間--\n");
    }
    writer.write_notes(record.node(NodeId::START).notes());
    writer.write_lines();
    writer.out
}

/// A writer of one record in KIF or KI2.
struct KifWriter<'r> {
    record: &'r Record,
    /// Whether the text calls the sides 下手 and 上手.
    is_handicap: bool,
    flavour: Flavour,
    out: String,
    walk: Walk<'r>,
    used_times: UsedTimes,
    /// The number of moves on the current KI2 line.
    moves_on_line: usize,
}

impl KifWriter<'_> {
    /// Writes the headers, and the diagram of the start if it is drawn.
    fn write_headers(&mut self) {
        let start = self.record.start();
        for (key, value) in self.record.headers() {
            write_header(&mut self.out, key, value);
        }
        if is_start_drawn(self.record) {
            draw::write_diagram(&mut self.out, start, self.is_handicap);
        }
    }

    /// Writes the main line and the variations.
    fn write_lines(&mut self) {
        for first in self.record.lines() {
            if Some(first) != self.record.first_child(NodeId::START) {
                let _infallible = writeln!(self.out, "\n変化：{}手", self.record.node(first).turn_number());
            }
            self.write_line(first);
        }
    }

    fn write_line(&mut self, first: NodeId) {
        let record = self.record;
        for id in std::iter::once(first).chain(record.line_after(first)) {
            let node = record.node(id);
            match node.step() {
                Step::Start => {}
                Step::Move(_) => {
                    let parent = record.parent(id).unwrap_or(NodeId::START);
                    self.walk.go(parent);
                    self.write_move(id);
                    self.write_notes(node.notes());
                }
                Step::End(end) => {
                    self.walk.go(id);
                    self.write_end(id, end);
                }
            }
        }
        self.end_line();
    }

    /// Writes the move of a node with its number and time in KIF, or its side mark in KI2.
    fn write_move(&mut self, id: NodeId) {
        let node = self.record.node(id);
        let Some(mv) = node.mv() else { return };
        let notation = match self.flavour {
            Flavour::Kif => {
                let _infallible = write!(self.out, "{:>4} ", node.ply());
                Notation::new(Style::Kif)
            }
            Flavour::Ki2 => {
                self.separate_move();
                Notation {
                    marks: Marks::Triangle,
                    ..Notation::new(Style::Japanese)
                }
            }
        };
        let from = self.out.len();
        // A record contains only legal moves.
        let _legal = notation.write(&mut self.out, self.walk.position(), mv, self.walk.last_to());
        if self.flavour == Flavour::Kif {
            self.write_time(id, from, usize::from(node.ply()));
        }
    }

    /// Separates a KI2 move from the one before it.
    fn separate_move(&mut self) {
        if self.moves_on_line == MOVES_PER_LINE {
            self.end_line();
        } else if self.moves_on_line > 0 {
            self.out.push(' ');
        }
        self.moves_on_line += 1;
    }

    /// Ends the current KI2 line, if it has moves.
    fn end_line(&mut self) {
        if self.moves_on_line > 0 {
            self.out.push('\n');
            self.moves_on_line = 0;
        }
    }

    /// Writes the time after the words that begin at the byte `from` of the output, and the sign of a branch.
    fn write_time(&mut self, id: NodeId, from: usize, turn: usize) {
        let time = self.record.node(id).time;
        let total = self.used_times.add(turn, time);
        if time != Time::default() {
            let words = self.out.get(from..).unwrap_or_default();
            let width: usize = words.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            self.out
                .extend(std::iter::repeat_n(' ', MOVE_WIDTH.saturating_sub(width).max(1)));
            push_time(&mut self.out, time.spent.unwrap_or_default(), total);
        }
        if self.record.next_sibling(id).is_some() {
            self.out.push('+');
        }
        self.out.push('\n');
    }

    /// Writes the words, the summary and the notes of an end.
    fn write_end(&mut self, id: NodeId, end: &End) {
        let record = self.record;
        let node = record.node(id);
        let now = self.walk.position();
        let end_words = self
            .flavour
            .end_words(end, node.ply(), now.side_to_move(), self.is_handicap);
        let turn = usize::from(node.ply()) + 1;
        match self.flavour {
            Flavour::Kif => {
                if let Some(word) = &end_words.word {
                    let _infallible = write!(self.out, "{turn:>4} ");
                    let from = self.out.len();
                    self.out.push_str(word);
                    self.write_time(id, from, turn);
                }
                // A strict reader requires the summary to be last. But if only the summary states the end, comments on
                // the end must follow the summary.
                let summary = end_words
                    .summary
                    .map(|summary| summary + "\n")
                    .unwrap_or_default();
                if end_words.word.is_some() {
                    self.write_notes(node.notes());
                    if let Some(mark) = end_words.result {
                        let _infallible = writeln!(self.out, "{:>4} {mark}", turn + 1);
                    }
                    self.out.push_str(&summary);
                } else {
                    self.out.push_str(&summary);
                    self.write_notes(node.notes());
                }
            }
            Flavour::Ki2 => {
                if let Some(word) = end_words.word {
                    self.separate_move();
                    self.out.push_str(&word);
                }
                self.end_line();
                if let Some(summary) = &end_words.summary {
                    self.out.push_str(summary);
                    self.out.push('\n');
                }
                self.write_notes(node.notes());
            }
        }
    }

    fn write_notes(&mut self, notes: &Notes) {
        let Notes {
            comment,
            remark,
            bookmark,
        } = notes;
        if comment.is_some() || remark.is_some() || bookmark.is_some() {
            self.end_line();
        }
        for (sign, text) in [('*', comment), ('#', remark), ('&', bookmark)] {
            for line in text.iter().flat_map(|text| text.split('\n')) {
                self.out.push(sign);
                self.out.push_str(line);
                self.out.push('\n');
            }
        }
    }
}

/// Writes a time in whole seconds: `( 0:16/00:00:16)`.
fn push_time(out: &mut String, Millis(spent): Millis, Millis(total): Millis) {
    let (spent, total) = (spent / 1000, total / 1000);
    let (hours, minutes, seconds) = (total / 3600, total / 60 % 60, total % 60);
    let _infallible = write!(
        out,
        "({:>2}:{:02}/{hours:02}:{minutes:02}:{seconds:02})",
        spent / 60,
        spent % 60
    );
}

fn write_header(out: &mut String, key: &str, value: &str) {
    let is_bare = value.is_empty() && header::BARE_KEYS.contains(&key);
    let _infallible = if is_bare {
        writeln!(out, "{key}")
    } else {
        writeln!(out, "{key}：{value}")
    };
}

/// Writes the last position of the main line as a diagram, with the headers and the last move.
pub(in super::super) fn write_bod(record: &Record) -> String {
    let mut out = String::new();
    for (key, value) in record.headers().iter().filter(|(key, _)| key != "手合割") {
        write_header(&mut out, key, value);
    }
    let mut walk = record.walk();
    let mut before_last = None;
    for id in record.main_line() {
        if let Some(mv) = record.node(id).mv() {
            before_last = Some((record.parent(id).unwrap_or(NodeId::START), mv));
        }
    }
    let last_move = before_last.map(|(before, mv)| {
        walk.go(before);
        let is_black = walk.position().side_to_move() == Color::Black;
        let mut words = if is_black {
            "▲".to_owned()
        } else {
            "△".to_owned()
        };
        let _legal = Notation::new(Style::Kif).write(&mut words, walk.position(), mv, None);
        words
    });
    let last = record.main_line().last().unwrap_or(NodeId::START);
    let now = walk.go(last);
    draw::write_diagram(&mut out, now, record.is_handicap());
    let number = now.move_number().saturating_sub(1);
    if number > 0 {
        let words = last_move
            .map(|words| format!("  {words}  まで"))
            .unwrap_or_default();
        let _infallible = writeln!(out, "手数＝{number}{words}");
    }
    out
}
