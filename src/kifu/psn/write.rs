//! The PSN writer in the dialect of 将棋所.

use super::super::end::{End, Outcome, Reason};
use super::super::record::{NodeId, Record, Step};
use super::super::time::{Millis, Time, UsedTimes};
use super::super::walk::Walk;
use super::{
    DECLARATION_COMMENT, END_MARKS, SPECIAL_TAGS, TAG_KEYS, WRITTEN_MARK_COUNT, header_key, mark_at,
};
use shogibar_shogi::{Move, PieceKind, Position};
use std::fmt::Write as _;

const MOVE_WIDTH: usize = 18;

/// Returns the word for an end in a position; `None` if PSN has no word for it.
fn end_word(end: &End, now: &Position) -> Option<&'static str> {
    let mover = now.side_to_move();
    let known = END_MARKS
        .iter()
        .take(WRITTEN_MARK_COUNT)
        .find(|(word, mark)| {
            end.reason == mark.reason && end.outcome == mark_at(now, word, *mark).outcome_for(mover)
        })
        .map(|(word, _)| *word);
    known.or_else(|| {
        (end.reason == Reason::Declaration && end.outcome == Outcome::Win(mover)).then_some("Jishogi")
    })
}

/// Returns the end as PSN holds it in a position; `None` if PSN has no word for it.
pub(in super::super) fn fit_end(end: &End, now: &Position) -> Option<End> {
    end_word(end, now).map(|_| End::new(end.reason, end.outcome, ""))
}

/// Renames the headers as a PSN reader would. Removes empty headers, and the name of the start, which has its own tag.
/// Replaces characters that would end a tag.
pub(in super::super) fn rename_headers(headers: &mut Vec<(String, String)>) {
    headers.retain(|(key, value)| key != "手合割" && !value.is_empty());
    for (key, value) in headers.iter_mut() {
        let read = match key.as_str() {
            "下手" => "先手",
            "上手" => "後手",
            other => header_key(other),
        };
        let mut read = read.replace(|c: char| c.is_whitespace() || matches!(c, '"' | '[' | ']'), "_");
        if SPECIAL_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(&read)) {
            read.insert(0, '_');
        }
        *key = read;
        // The two characters together end a tag.
        *value = value.replace("\"]", "”]");
    }
}

pub(in super::super) fn write(record: &Record) -> String {
    let mut writer = PsnWriter {
        record,
        out: String::new(),
        walk: record.walk(),
        used_times: UsedTimes::default(),
    };
    writer.write_tags();
    writer.write_comment(NodeId::START, None);
    writer.write_lines();
    writer.out
}

struct PsnWriter<'r> {
    record: &'r Record,
    out: String,
    walk: Walk<'r>,
    used_times: UsedTimes,
}

impl PsnWriter<'_> {
    /// Writes the names, the start position and the other headers.
    fn write_tags(&mut self) {
        let start = self.record.start().sfen();
        // Other readers expect the names even if they are empty.
        for (tag, key) in [("Sente", "先手"), ("Gote", "後手")] {
            let mut names = self
                .record
                .headers()
                .iter()
                .filter(|(known, _)| known == key)
                .map(|(_, name)| &**name);
            self.write_tag(tag, names.next().unwrap_or_default());
            names.for_each(|name| self.write_tag(tag, name));
        }
        self.write_tag("SFEN", &start);
        for (key, value) in self.record.headers() {
            if key != "先手" && key != "後手" {
                let tag = TAG_KEYS
                    .iter()
                    .find(|(_, known)| known == key)
                    .map_or(&**key, |(tag, _)| tag);
                self.write_tag(tag, value);
            }
        }
    }

    fn write_tag(&mut self, tag: &str, value: &str) {
        let _infallible = writeln!(self.out, "[{tag} \"{value}\"]");
    }

    /// Writes the main line and the variations.
    fn write_lines(&mut self) {
        let record = self.record;
        for first in record.lines() {
            if Some(first) != record.first_child(NodeId::START) {
                let _infallible = writeln!(self.out, "\nVariation:{}", record.node(first).turn_number());
            }
            self.write_node(first);
            record.line_after(first).for_each(|id| self.write_node(id));
        }
    }

    /// Writes a move or an end with its number, time and comment.
    fn write_node(&mut self, id: NodeId) {
        let record = self.record;
        let node = record.node(id);
        let from = self.out.len();
        let _infallible = write!(self.out, "{}.", node.turn_number());
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => {
                self.walk.go(record.parent(id).unwrap_or(NodeId::START));
                push_move(&mut self.out, self.walk.position(), *mv);
            }
            Step::End(end) => {
                let now = self.walk.go(id);
                self.out.push_str(end_word(end, now).unwrap_or("Interrupt"));
            }
        }
        let width = self.out.len() - from;
        self.out
            .extend(std::iter::repeat_n(' ', MOVE_WIDTH.saturating_sub(width).max(1)));
        self.write_time(id);
        self.write_comment(id, node.end());
    }

    /// Writes `(00:03 / 00:00:03)`, with hours in the first time if necessary. Readers require a time: an unknown one
    /// is written as two zero times.
    fn write_time(&mut self, id: NodeId) {
        let time = self.record.node(id).time;
        let total = self.used_times.add(self.record.node(id).turn_number(), time);
        let (spent, total) = if time == Time::default() {
            (Millis(0), Millis(0))
        } else {
            (time.spent.unwrap_or_default(), total)
        };
        let parts = |Millis(millis)| (millis / 3_600_000, millis / 60_000 % 60, millis / 1000 % 60);
        let (hours, minutes, seconds) = parts(spent);
        let _infallible = match hours {
            0 => write!(self.out, "({minutes:02}:{seconds:02}"),
            _ => write!(self.out, "({hours:02}:{minutes:02}:{seconds:02}"),
        };
        let (hours, minutes, seconds) = parts(total);
        let _infallible = writeln!(self.out, " / {hours:02}:{minutes:02}:{seconds:02})");
    }

    /// Writes a comment, with each brace alone on a line. Some readers ignore the text after the opening brace on its
    /// line, and take any brace at a line end for the closing one.
    fn write_comment(&mut self, id: NodeId, end: Option<&End>) {
        let declared = end
            .filter(|end| end.reason == Reason::Declaration)
            .map(|_| DECLARATION_COMMENT);
        let comment = self.record.node(id).comment();
        if declared.is_none() && comment.is_none() {
            return;
        }
        self.out.push_str("{\n");
        for line in declared
            .into_iter()
            .chain(comment.into_iter().flat_map(|comment| comment.split('\n')))
        {
            self.out.push_str(line);
            if line.trim_end_matches(' ').ends_with('}') {
                self.out.push(' ');
            }
            self.out.push('\n');
        }
        self.out.push_str("}\n");
    }
}

/// Writes a move with its origin: `P7g-7f`, `B8hx2b+`, `+B2b-3c`, `P*5e`.
fn push_move(out: &mut String, position: &Position, mv: Move) {
    let _infallible = match mv {
        Move::Drop { kind, to } => write!(out, "{}*{to}", kind.letter()),
        Move::Board { from, to, promote } => {
            let kind = position
                .piece_on(from)
                .map_or(PieceKind::Pawn, |piece| piece.kind);
            let is_promoted = if kind.is_promoted() { "+" } else { "" };
            let sign = if position.piece_on(to).is_some() { 'x' } else { '-' };
            write!(
                out,
                "{is_promoted}{}{from}{sign}{to}{}",
                kind.letter(),
                if promote { "+" } else { "" }
            )
        }
    };
}
