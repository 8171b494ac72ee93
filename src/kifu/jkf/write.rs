//! The JKF writer.

use super::super::record::{NodeId, Notes, Record, Step};
use super::super::time::{Millis, Time, UsedTimes};
use super::super::walk::Walk;
use super::{RELATIVE_LETTERS, ends, start};
use shogibar_shogi::{Color, Move, PieceKind, Position, Square, disambiguation};
use std::fmt::Write as _;

pub(in super::super) fn write(record: &Record) -> String {
    let mut out = String::from("{\"header\":{");
    write_headers(&mut out, record);
    out.push_str("},\"initial\":");
    write_initial(&mut out, record.start());
    out.push_str(",\"moves\":[{");
    write_comments(&mut out, None, record.node(NodeId::START).notes(), "");
    out.push('}');
    MovesWriter {
        out: &mut out,
        record,
        walk: record.walk(),
        used_times: UsedTimes::default(),
    }
    .write();
    out.push_str("]}\n");
    out
}

fn write_headers(out: &mut String, record: &Record) {
    let mut comma = "";
    for (key, value) in record.headers() {
        out.push_str(comma);
        write_string(out, key);
        out.push(':');
        write_string(out, value);
        comma = ",";
    }
}

/// Writes the value of `initial`, the start position.
fn write_initial(out: &mut String, position: &Position) {
    if let Some(preset) = start::preset(position) {
        let _infallible = write!(out, "{{\"preset\":\"{preset}\"}}");
        return;
    }
    let _infallible = write!(
        out,
        "{{\"preset\":\"{}\",\"data\":{{\"board\":[",
        start::OTHER_PRESET
    );
    for square in Square::all() {
        out.push_str(match (square.file(), square.rank()) {
            (1, 1) => "[",
            (_, 1) => "],[",
            _ => ",",
        });
        match position.piece_on(square) {
            Some(piece) => {
                let color = side_number(piece.color);
                let _infallible = write!(out, "{{\"color\":{color},\"kind\":\"{}\"}}", piece.kind.csa());
            }
            None => out.push_str("{}"),
        }
    }
    let _infallible = write!(
        out,
        "]],\"color\":{},\"hands\":[",
        side_number(position.side_to_move())
    );
    for (side, end) in [(Color::Black, "},"), (Color::White, "}]}}")] {
        let mut sign = '{';
        for kind in PieceKind::IN_HAND.into_iter().rev() {
            let _infallible = write!(
                out,
                "{sign}\"{}\":{}",
                kind.csa(),
                position.hand(side).count(kind)
            );
            sign = ',';
        }
        out.push_str(end);
    }
}

/// A writer of the array `moves`.
struct MovesWriter<'o, 'r> {
    out: &'o mut String,
    record: &'r Record,
    walk: Walk<'r>,
    used_times: UsedTimes,
}

impl MovesWriter<'_, '_> {
    /// Writes every node after the start. The variations of a move are in its own entry.
    fn write(&mut self) {
        let record = self.record;
        let Some(mut node) = record.first_child(NodeId::START) else {
            return;
        };
        // The open entries, each with the variation that is being written.
        let mut inside: Vec<(NodeId, NodeId)> = Vec::new();
        self.out.push(',');
        loop {
            self.write_entry(node);
            let is_first = record.parent(node).and_then(|parent| record.first_child(parent)) == Some(node);
            if is_first && let Some(variation) = record.next_sibling(node) {
                self.out.push_str(",\"forks\":[[");
                inside.push((node, variation));
                node = variation;
                continue;
            }
            self.out.push('}');
            loop {
                if let Some(next) = record.first_child(node) {
                    self.out.push(',');
                    node = next;
                    break;
                }
                let Some((owner, variation)) = inside.last_mut() else {
                    return;
                };
                if let Some(next) = record.next_sibling(*variation) {
                    self.out.push_str("],[");
                    *variation = next;
                    node = next;
                    break;
                }
                self.out.push_str("]]}");
                node = *owner;
                inside.pop();
                self.add_used_time(node);
            }
        }
    }

    /// Adds the time of a node again, because its line continues after its variations.
    fn add_used_time(&mut self, id: NodeId) {
        let node = self.record.node(id);
        self.used_times.add(node.turn_number(), node.time);
    }

    /// Writes the content of a node, without the end of the JSON object.
    fn write_entry(&mut self, id: NodeId) {
        let node = self.record.node(id);
        let before = self.walk.go(self.record.parent(id).unwrap_or(NodeId::START));
        let mover = before.side_to_move();
        self.out.push('{');
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => {
                write_comments(self.out, None, node.notes(), ",");
                self.out.push_str("\"move\":{");
                write_move(self.out, self.walk.position(), *mv, self.walk.last_to());
                self.out.push('}');
            }
            Step::End(end) => {
                let (code, line) = ends::to_code(end, mover, node.comment());
                write_comments(self.out, line.as_deref(), node.notes(), ",");
                let _infallible = write!(self.out, "\"special\":\"{code}\"");
            }
        }
        let total = self.used_times.add(node.turn_number(), node.time);
        if node.time != Time::default() {
            write_time(self.out, node.time.spent.unwrap_or_default(), total);
        }
    }
}

/// Writes the members of `move`.
fn write_move(out: &mut String, before: &Position, mv: Move, last_to: Option<Square>) {
    let to = mv.to();
    let moved = mv
        .from()
        .and_then(|from| before.piece_on(from))
        .map(|piece| piece.kind);
    let _infallible = write!(out, "\"color\":{},", side_number(before.side_to_move()));
    if let Some(from) = mv.from() {
        let _infallible = write!(out, "\"from\":{{\"x\":{},\"y\":{}}},", from.file(), from.rank());
    }
    let kind = match mv {
        Move::Drop { kind, .. } => Some(kind),
        Move::Board { .. } => moved,
    };
    let piece = kind.map_or("", PieceKind::csa);
    let _infallible = write!(
        out,
        "\"to\":{{\"x\":{},\"y\":{}}},\"piece\":\"{piece}\"",
        to.file(),
        to.rank()
    );
    if last_to == Some(to) {
        out.push_str(",\"same\":true");
    }
    if let Move::Board { from, promote, .. } = mv {
        if promote {
            out.push_str(",\"promote\":true");
        } else if moved.is_some_and(|kind| before.can_promote(kind, from, to)) {
            out.push_str(",\"promote\":false");
        }
    }
    if let Some(captured) = before.piece_on(to) {
        let _infallible = write!(out, ",\"capture\":\"{}\"", captured.kind.csa());
    }
    let relative: String = disambiguation(before, mv)
        .into_iter()
        .filter_map(|word| {
            RELATIVE_LETTERS
                .iter()
                .find(|(_, known)| *known == word)
                .map(|(letter, _)| *letter)
        })
        .collect();
    if !relative.is_empty() {
        let _infallible = write!(out, ",\"relative\":\"{relative}\"");
    }
}

/// Writes a time. As other writers do, writes the time of a move without hours, if necessary with more than 59 minutes.
fn write_time(out: &mut String, Millis(spent): Millis, Millis(total): Millis) {
    let (now, total) = (spent / 1000, total / 1000);
    let _infallible = write!(
        out,
        ",\"time\":{{\"now\":{{\"m\":{},\"s\":{}}},\"total\":{{\"h\":{},\"m\":{},\"s\":{}}}}}",
        now / 60,
        now % 60,
        total / 3600,
        total / 60 % 60,
        total % 60
    );
}

/// Writes the comment lines of a node: bookmark names, `line` with the details of an end, and the comment. `after`
/// follows them if there are any.
fn write_comments(out: &mut String, line: Option<&str>, notes: &Notes, after: &str) {
    let bookmarks = notes
        .bookmark
        .iter()
        .flat_map(|names| names.split('\n'))
        .map(|name| ("&", name));
    let texts = line
        .into_iter()
        .chain(notes.comment.iter().flat_map(|comment| comment.split('\n')));
    let mut sign = "\"comments\":[\"";
    for (mark, text) in bookmarks.chain(texts.map(|text| ("", text))) {
        out.push_str(sign);
        out.push_str(mark);
        write_escaped(out, text);
        out.push('"');
        sign = ",\"";
    }
    if sign == ",\"" {
        out.push(']');
        out.push_str(after);
    }
}

/// Returns JKF's number of a side: 0 for Black, 1 for White.
fn side_number(color: Color) -> u8 {
    u8::from(color == Color::White)
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    write_escaped(out, text);
    out.push('"');
}

/// Writes a text with JSON's escape sequences, without quotes around it.
fn write_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest
        .bytes()
        .position(|byte| matches!(byte, b'"' | b'\\' | ..0x20))
    {
        let (plain, special) = rest.split_at_checked(at).unwrap_or((rest, ""));
        out.push_str(plain);
        let mut chars = special.chars();
        let _infallible = match chars.next() {
            Some('\n') => write!(out, "\\n"),
            Some('\t') => write!(out, "\\t"),
            Some(c @ ('"' | '\\')) => write!(out, "\\{c}"),
            Some(c) => write!(out, "\\u{:04x}", u32::from(c)),
            None => Ok(()),
        };
        rest = chars.as_str();
    }
    out.push_str(rest);
}
