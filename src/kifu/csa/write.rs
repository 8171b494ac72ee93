//! The CSA writer, version 2.2 or 3.0. Of a record with variations, only the main line is written.

use super::super::end::{End, EndMark, Outcome, Reason};
use super::super::record::{NodeId, Notes, Record, Step};
use super::super::time::Millis;
use super::super::{handicap, kif};
use super::{END_MARKS, HEADER_NAMES};
use shogibar_shogi::{Color, Notation, PieceKind, Position, Square, Style};
use std::fmt::Write as _;

/// A CSA version that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum CsaVersion {
    /// Version 2.2.
    V2,
    /// Version 3.0.
    V3,
}

/// Returns the word after `%` for an end, with `mover` to move; `None` if CSA has no word for it.
pub(in super::super) fn end_word(end: &End, mover: Color, version: CsaVersion) -> Option<&'static str> {
    let means = |(word, mark): &&(&str, EndMark)| {
        // An end stores the word of a mark whose reason is `Other`.
        let words = if mark.reason == Reason::Other {
            end.words().strip_prefix('%') == Some(*word)
        } else {
            end.words().is_empty()
        };
        words && end.reason == mark.reason && end.outcome == mark.outcome_for(mover)
    };
    let (word, _) = END_MARKS.iter().find(means)?;
    (version == CsaVersion::V3 || *word != "MAX_MOVES").then_some(*word)
}

/// Returns the end as CSA can hold it in a position. `None` if CSA has no word for it. The end of an illegal move is
/// `None` as well if CSA cannot write the move, or the end is a draw.
pub(in super::super) fn fit_end(end: &End, now: &Position, version: CsaVersion) -> Option<End> {
    let mover = now.side_to_move();
    if !end.is_cut() {
        return end_word(end, mover, version).map(|_| end.clone());
    }
    let is_stated = !matches!(end.outcome, Outcome::Draw);
    let words = super::moves::parse_move(end.words())
        .map(|_| end.words().to_owned())
        .or_else(|| csa_words(end.words(), now))?;
    // The words of a legal move would be read as a move.
    let is_illegal = super::moves::parse_move(&words).is_none_or(|spelled| !now.is_legal(spelled.on(now)));
    (is_stated && is_illegal).then(|| End::new(Reason::IllegalMove, end.outcome, &words))
}

/// Converts a move in KIF or USI notation to CSA; `None` if it is not such a move.
fn csa_words(words: &str, now: &Position) -> Option<String> {
    let (from, to, after) = kif::parse_unplayed_move(words, now)?;
    let from = from.map_or_else(
        || "00".to_owned(),
        |from| format!("{}{}", from.file(), from.rank()),
    );
    Some(format!(
        "{}{from}{}{}{}",
        sign(now.side_to_move()),
        to.file(),
        to.rank(),
        after.csa()
    ))
}

/// Renames the headers as a CSA reader would. Removes the name of the start, which the board shows, and colons before
/// the names of players.
pub(in super::super) fn rename_headers(headers: &mut Vec<(String, String)>) {
    headers.retain(|(key, _)| key != "手合割");
    for (key, value) in headers.iter_mut() {
        match super::header_key(key) {
            "下手" => "先手".clone_into(key),
            "上手" => "後手".clone_into(key),
            read if read != key.as_str() => *key = read.to_owned(),
            _ => {}
        }
        // A reader ignores colons before a name.
        if matches!(key.as_str(), "先手" | "後手") {
            *value = value
                .trim_start_matches(|c: char| c == ':' || c.is_whitespace())
                .to_owned();
        }
    }
}

pub(in super::super) fn write(record: &Record, version: CsaVersion) -> String {
    let mut out = String::new();
    out.push_str(match version {
        CsaVersion::V2 => "V2.2\n",
        CsaVersion::V3 => "'CSA encoding=UTF-8\nV3.0\n",
    });
    write_headers(&mut out, record);
    write_position(&mut out, record.start());
    let mut walk = record.walk();
    write_notes(&mut out, record.node(NodeId::START).notes());
    for id in record.main_line() {
        let node = record.node(id);
        match node.step() {
            Step::Start => {}
            Step::Move(mv) => {
                // A record contains only legal moves.
                let _legal = Notation::new(Style::Csa).write(&mut out, walk.position(), *mv, None);
                out.push('\n');
                walk.go(id);
            }
            Step::End(end) => write_end(&mut out, end, walk.position(), version),
        }
        if let Some(Millis(spent)) = node.time.spent {
            let (seconds, millis) = (spent / 1000, spent % 1000);
            let _infallible = match millis {
                0 => writeln!(out, "T{seconds}"),
                _ => writeln!(out, "T{seconds}.{millis:03}"),
            };
        }
        write_notes(&mut out, node.notes());
    }
    out
}

fn write_headers(out: &mut String, record: &Record) {
    for (key, value) in record.headers() {
        let _infallible = match key.as_str() {
            "先手" => writeln!(out, "N+{value}"),
            "後手" => writeln!(out, "N-{value}"),
            key => {
                let key = HEADER_NAMES
                    .iter()
                    .find(|(_, kif)| *kif == key)
                    .map_or(key, |(csa, _)| csa);
                writeln!(out, "${key}:{value}")
            }
        };
    }
}

/// Writes the start: `PI` with the removed pieces of a handicap, or the whole board and the hands. The side to move
/// follows.
fn write_position(out: &mut String, start: &Position) {
    let _infallible = match handicap::name(start) {
        Some(_) => write_standard_without(out, start),
        None => write_whole_board(out, start),
    };
    out.push(sign(start.side_to_move()));
    out.push('\n');
}

/// Writes `PI` with the pieces that the start lacks.
fn write_standard_without(out: &mut String, start: &Position) -> std::fmt::Result {
    let standard = Position::startpos();
    write!(out, "PI")?;
    for square in Square::all().filter(|square| start.piece_on(*square).is_none()) {
        if let Some(piece) = standard.piece_on(square) {
            write!(out, "{}{}{}", square.file(), square.rank(), piece.kind.csa())?;
        }
    }
    writeln!(out)
}

fn write_whole_board(out: &mut String, start: &Position) -> std::fmt::Result {
    for rank in 1..=9 {
        write!(out, "P{rank}")?;
        for file in (1..=9).rev() {
            match Square::new(file, rank).and_then(|square| start.piece_on(square)) {
                Some(piece) => write!(out, "{}{}", sign(piece.color), piece.kind.csa())?,
                None => write!(out, " * ")?,
            }
        }
        writeln!(out)?;
    }
    for color in [Color::Black, Color::White] {
        let hand = start.hand(color);
        if !hand.is_empty() {
            write!(out, "P{}", sign(color))?;
            for kind in PieceKind::IN_HAND {
                for _ in 0..hand.count(kind) {
                    write!(out, "00{}", kind.csa())?;
                }
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

fn write_end(out: &mut String, end: &End, now: &Position, version: CsaVersion) {
    let mover = now.side_to_move();
    if end.is_cut() {
        let _infallible = writeln!(out, "{}", end.words());
        // The mark is relative to the side to move after the illegal move; the opponent may have resigned as well.
        match end.outcome {
            Outcome::Win(winner) if winner == mover => out.push_str("%TORYO\n"),
            Outcome::Win(_) => out.push_str("%ILLEGAL_MOVE\n"),
            Outcome::Draw | Outcome::Open => {}
        }
    } else if let Some(word) = end_word(end, mover, version) {
        let _infallible = writeln!(out, "%{word}");
    }
}

fn write_notes(out: &mut String, notes: &Notes) {
    for (sign, text) in [("'*", &notes.comment), ("'", &notes.remark)] {
        for line in text.iter().flat_map(|text| text.split('\n')) {
            let _infallible = writeln!(out, "{sign}{line}");
        }
    }
}

fn sign(color: Color) -> char {
    if color == Color::Black { '+' } else { '-' }
}
