//! USEN, a record in characters that are valid in a web address. The start comes first. Each line follows with its
//! branch point, its moves of three characters each, and its end.

pub(super) mod format;

use super::board_word;
use super::builder::{Builder, CutReason, SourceText};
use super::end::{EndMark, MarkOutcome, Reason, find_mark};
use super::games::GameSink;
use super::scan::{Line, lines};
use super::warning::{RecordProblem, Warnings, quote};
use shogibar_shogi::{Move, PieceKind, Position, Square};

/// The separators between lines, plain or percent-encoded.
const SEPARATORS: [&str; 3] = ["~", "%7E", "%7e"];

/// The letters of ends.
const END_MARKS: [(&str, EndMark); 5] = [
    ("r", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    ("t", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("i", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    ("j", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    // Writers also use this letter for ends that have no letter.
    ("p", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
];

/// The origins of drops, with the dropped pieces. The squares of the board are 0 to 80.
const DROP_ORIGINS: [(u32, PieceKind); 7] = [
    (90, PieceKind::Gold),
    (91, PieceKind::Pawn),
    (92, PieceKind::Lance),
    (93, PieceKind::Knight),
    (94, PieceKind::Silver),
    (95, PieceKind::Bishop),
    (96, PieceKind::Rook),
];

/// Returns whether a line is a USEN record, possibly within a web address.
pub(super) fn is_usen(text: &str) -> bool {
    let mut sections = sections(within_address(text));
    let start = sections.next().unwrap_or_default();
    let is_line = |section: &str| {
        let (offset, rest) = section.split_once('.').unwrap_or((section, "?"));
        let (moves, mark) = rest.split_once('.').unwrap_or((rest, ""));
        offset.len() < 6
            && offset.bytes().all(|byte| byte.is_ascii_digit())
            && moves.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && mark.len() < 2
    };
    let is_start =
        start.is_empty() || board_word::is_board(start_sfen(start).split(' ').next().unwrap_or_default());
    text.is_ascii() && is_start && sections.next().is_some_and(is_line)
}

/// Returns the part of a web address that can be USEN; the whole text if it is not an address.
fn within_address(text: &str) -> &str {
    let mut parts = text.split(['#', '=', '?', '/', '&']);
    parts
        .find(|part| SEPARATORS.iter().any(|sign| part.contains(sign)))
        .unwrap_or(text)
}

/// Returns the sections of a record, the start first.
fn sections(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let next = text.match_indices(['~', '%']).find_map(|(at, _)| {
            let behind = text.get(at..)?;
            let after = SEPARATORS.iter().find_map(|sign| behind.strip_prefix(sign))?;
            Some((at, after))
        });
        rest = next.map(|(_, after)| after);
        next.map_or(Some(text), |(end, _)| text.get(..end))
    })
}

fn start_sfen(start: &str) -> String {
    start.replace('_', "/").replace('.', " ").replace('z', "+")
}

/// Reads the games of a text, one per line. Returns their number.
pub(super) fn read(text: &str, mut games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    for line in lines(text) {
        let text = line.trimmed();
        if !text.is_empty()
            && games.has_room(line.spot(text))
            && let Some(builder) = read_game(line, within_address(text), warnings)
        {
            games.add(builder.finish(Vec::new(), false, warnings));
        }
    }
    games.finish(warnings)
}

/// Returns the main line of a record as a `position` line; `None` if the record cannot be read.
pub(super) fn position_line(line: Line<'_>, text: &str, warnings: &mut Warnings) -> Option<String> {
    let record = read_game(line, text, warnings)?.finish(Vec::new(), false, warnings);
    Some(format!("position {}", record.history(usize::MAX).usi()))
}

/// Reads the game of a line. Returns `None` without a line of moves, or for an invalid start; a warning reports this.
fn read_game(line: Line<'_>, text: &str, warnings: &mut Warnings) -> Option<Builder> {
    let mut sections = sections(text);
    let start = sections.next().unwrap_or_default();
    let mut sections = sections.peekable();
    let spot = line.spot(start);
    if sections.peek().is_none() {
        warnings.add(spot, RecordProblem::UnknownLine(quote(start)));
        return None;
    }
    let position = if start.is_empty() {
        Ok(Position::startpos())
    } else {
        Position::from_sfen(&start_sfen(start))
    };
    let position = position
        .map_err(|error| warnings.add(spot, RecordProblem::InvalidPosition(quote(start), error)))
        .ok()?;
    let mut builder = Builder::new(position);
    for section in sections {
        let (offset, rest) = section.split_once('.').unwrap_or((section, ""));
        let ply = if offset.is_empty() {
            Some(0)
        } else {
            offset.parse().ok()
        };
        if ply.is_some_and(|ply| builder.branch(ply)) {
            let (moves, mark) = rest.split_once('.').unwrap_or((rest, ""));
            play(&mut builder, line, moves, warnings);
            end_line(&mut builder, line, mark, warnings);
        } else {
            warnings.add(line.spot(section), RecordProblem::NoBranchPoint(quote(section)));
        }
    }
    Some(builder)
}

fn play(builder: &mut Builder, line: Line<'_>, moves: &str, warnings: &mut Warnings) {
    let mut rest = moves;
    while !rest.is_empty() {
        let (words, after) = rest.split_at_checked(3).unwrap_or((rest, ""));
        rest = after;
        let source = SourceText::new(words, line.spot(words));
        if builder.can_continue(source.spot, warnings) {
            builder.play_read(decode_move(words).ok_or(CutReason::Unreadable), source, warnings);
        }
    }
}

/// Ends a line with the letter of its end; empty for a line without one.
fn end_line(builder: &mut Builder, line: Line<'_>, word: &str, warnings: &mut Warnings) {
    if word.is_empty() {
        return;
    }
    let source = SourceText::new(word, line.spot(word));
    match find_mark(&END_MARKS, |known| known == word) {
        Some(mark) => builder.apply_mark(mark, source, warnings),
        None => builder.apply_unknown_mark(source, warnings),
    }
}

/// Decodes a move from three base-36 digits: `(from · 81 + to) · 2 + promotes`. Squares are counted rank by rank from
/// 1a.
fn decode_move(words: &str) -> Option<Move> {
    if words.len() != 3 || !words.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    let number = u32::from_str_radix(words, 36).ok()?;
    let (promote, squares) = (number % 2 == 1, number / 2);
    let to = square(squares % 81)?;
    let from = squares / 81;
    match DROP_ORIGINS.iter().find(|(number, _)| *number == from) {
        Some(_) if promote => None,
        Some((_, kind)) => Some(Move::Drop { kind: *kind, to }),
        None => Some(Move::Board {
            from: square(from)?,
            to,
            promote,
        }),
    }
}

/// Returns the square with this index, counted rank by rank from 1a.
fn square(index: u32) -> Option<Square> {
    let part = |number: u32| u8::try_from(number).ok();
    Square::new(part(index % 9 + 1)?, part(index / 9 + 1)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, read};

    /// Checks the lines of a record from its start, each with moves and end, and the number of warnings.
    fn check(text: &str, start: &str, expected: &[&str], warnings: usize) {
        let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(reading.format, Format::Usen, "{text}");
        let record = &reading.games[0];
        assert_eq!(record.start().sfen(), start, "{text}");
        let leaves = record.all().filter(|id| record.first_child(*id).is_none());
        let lines = leaves.map(|leaf| {
            let mut line: Vec<String> = std::iter::successors(Some(leaf), |id| record.parent(*id))
                .filter_map(|id| {
                    let node = record.node(id);
                    node.mv()
                        .map(|mv| mv.to_string())
                        .or_else(|| node.end().map(|end| end.reason.to_string()))
                })
                .collect();
            line.reverse();
            line.join(" ")
        });
        assert_eq!(lines.collect::<Vec<_>>(), expected, "{text}");
        assert_eq!(reading.warnings.len(), warnings, "{text}: {:?}", reading.warnings);
    }

    #[test]
    fn reads_lines_and_their_ends() {
        let usual = Position::startpos().sfen();
        check("~0.6y2.", &usual, &["2g2f"], 0);
        check("~0..", &usual, &[""], 0);
        check("~0.6y2", &usual, &["2g2f"], 0);
        let game = "7g7f 3c3d 8h2b+ 3a2b B*4e resignation";
        check("~0.7ku2jm8rl09kbxo.r", &usual, &[game], 0);
        check("https://example.org/#~0.7ku2jm8rl09kbxo.r", &usual, &[game], 0);
        check(
            "https://example.org/k?usen=%7E0.7ku2jm8rl09kbxo.r&lang=ja",
            &usual,
            &[game],
            0,
        );
        check(
            "https://example.org/k?lang=ja&usen=~0.7ku2jm8rl09kbxo.r",
            &usual,
            &[game],
            0,
        );
        let branches = ["7g7f 3c3d 2g2f", "7g7f 8c8d 6g6f", "2g2f end by the clock"];
        check("~0.7ku2jm6y2.~1.36e7ga.~0.6y2.t", &usual, &branches, 0);
        let start = "4k4/4+P4/9/9/9/9/9/9/4K4 w - 1";
        check("4k4_4zP4_9_9_9_9_9_9_4K4.w.-~0.0iq.", start, &["5a5b"], 0);
        let start = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G2r2b2g4s4n4l17p 1";
        check(
            "4k4_9_4P4_9_9_9_9_9_4K4.b.2G2r2b2g4s4n4l17p~0.b9q.",
            start,
            &["G*5b"],
            0,
        );
    }

    #[test]
    fn ends_the_line_at_an_unplayable_move() {
        let usual = Position::startpos().sfen();
        check("~0.6y2zzz7ku.", &usual, &["2g2f unreadable move"], 2);
        check("~0.6y26y.", &usual, &["2g2f unreadable move"], 1);
        check("~0.6y26y2.p", &usual, &["2g2f illegal move"], 1);
        check("~0.6y2.x", &usual, &["2g2f end"], 1);
        check("~0.6y2.~5.7ku.~0.7ku.i", &usual, &["2g2f", "7g7f foul"], 1);
    }
}
