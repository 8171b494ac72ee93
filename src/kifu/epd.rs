//! FEN and EPD, the position formats of chess programs: `XBoard`, Fairy-Stockfish, GNU Shogi's tools.
//!
//! The board is as in SFEN, the rest as in chess. `w` is the side that moves first, which is Black here. The hands are
//! in square brackets after the board, with one letter per piece. Moves are numbered in pairs. EPD operations may
//! follow. Move operations become lines of the record, the others comments. GNU Shogi's own files are read as well.

pub(super) mod format;
mod gnushogi;

pub(super) use gnushogi::is_gnushogi;

use super::builder::{Builder, SourceText};
use super::evaluation::{self, Dialect, EvaluatedPoint, Evaluation, Source};
use super::games::{self, GameSink};
use super::record::NodeId;
use super::scan::Line;
use super::warning::{RecordProblem, Warnings, quote};
use super::{board_word, psn};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move, PieceKind, Position, Setup, SfenError};
use std::collections::HashMap;

/// Returns whether a line is a position in FEN or EPD, and not in SFEN.
pub(super) fn is_epd(text: &str) -> bool {
    let (board, rest) = split_board(text);
    if !board_word::is_board(board) {
        return false;
    }
    let mut words = rest.split_ascii_whitespace();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    // EPD without hands has one or two fields more than SFEN.
    rest.starts_with('[')
        || matches!(words.next(), Some("b" | "w"))
            && match (words.next(), words.next()) {
                (Some("-"), Some("-")) => true,
                (Some(third), Some(fourth)) => is_number(third) && is_number(fourth),
                _ => false,
            }
}

/// Splits a text into its first field and the rest.
fn split_board(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| c.is_whitespace() || c == '[')
        .unwrap_or(text.len());
    let (board, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    (board, rest.trim_start())
}

/// Parses the position at the start of a text. Returns it with the rest of the text.
pub(super) fn parse_position(text: &str) -> Result<(Position, &str), SfenError> {
    let (board, rest) = split_board(text);
    let mut setup = Setup::from_position(&Position::from_sfen(&format!("{board} b -"))?);
    let mut rest = match rest
        .strip_prefix('[')
        .map(|rest| rest.split_once(']').unwrap_or((rest, "")))
    {
        Some((hands, rest)) => {
            add_hands(&mut setup, hands)?;
            rest
        }
        None => rest,
    };
    let mut next = |is_field: fn(&str) -> bool| {
        let trimmed = rest.trim_start();
        let word = trimmed
            .split_ascii_whitespace()
            .next()
            .filter(|word| is_field(word))?;
        rest = trimmed.get(word.len()..).unwrap_or_default();
        Some(word)
    };
    let first = match next(|word| matches!(word, "b" | "w")).ok_or(SfenError::Missing("side to move"))? {
        "w" => Color::Black,
        _ => Color::White,
    };
    let (_castling, _en_passant) = (next(|word| word == "-"), next(|word| word == "-"));
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let (half_moves, moves) = (next(is_number), next(is_number));
    let pairs: u32 = moves
        .or(half_moves)
        .and_then(|number| number.parse().ok())
        .unwrap_or(1);
    let number = pairs
        .max(1)
        .saturating_sub(1)
        .saturating_mul(2)
        .saturating_add(u32::from(first == Color::White) + 1);
    Ok((
        setup.build(first, u16::try_from(number).unwrap_or(u16::MAX)),
        rest,
    ))
}

/// Adds pieces in hand, given as `PPbr`, or with counts as `2Pbr`.
fn add_hands(setup: &mut Setup, hands: &str) -> Result<(), SfenError> {
    let wrong = || SfenError::Hands(quote(hands));
    let mut count = 0_u8;
    for c in hands.chars().filter(|c| *c != '-' && !c.is_whitespace()) {
        if let Some(digit) = c.to_digit(10) {
            count = count
                .saturating_mul(10)
                .saturating_add(u8::try_from(digit).unwrap_or(0));
            continue;
        }
        let kind = PieceKind::from_letter(c).ok_or_else(wrong)?;
        let color = if c.is_ascii_uppercase() {
            Color::Black
        } else {
            Color::White
        };
        setup
            .add_to_hand(color, kind, std::mem::take(&mut count).max(1))
            .map_err(|_too_many| wrong())?;
    }
    Ok(())
}

/// Reads the positions of a text, one per line, or a file of GNU Shogi. Returns the number of games.
pub(super) fn read(text: &str, mut games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    if let Some(record) = gnushogi::read(text, warnings) {
        games.add(record);
        return games.finish(warnings);
    }
    games::read_lines(text, games, warnings, read_game, |_, _, _, _, _| false)
}

/// Reads the position of a line with its operations. Returns `None` for an invalid position, which becomes a warning.
fn read_game(line: Line<'_>, text: &str, warnings: &mut Warnings) -> Option<Builder> {
    match parse_position(text) {
        Ok((position, operations)) => {
            let mut builder = Builder::new(position);
            let played = HashMap::new();
            Operations {
                builder: &mut builder,
                children: played,
                line,
                warnings,
            }
            .read(operations);
            Some(builder)
        }
        Err(error) => {
            warnings.add(
                line.spot(text),
                RecordProblem::InvalidPosition(quote(text), error),
            );
            None
        }
    }
}

/// The operations after a position, which end with semicolons.
struct Operations<'b, 'w, 'l> {
    builder: &'b mut Builder,
    /// The child node for each played move at each node.
    children: HashMap<(NodeId, Move), NodeId>,
    line: Line<'l>,
    warnings: &'w mut Warnings,
}

impl Operations<'_, '_, '_> {
    fn read(&mut self, text: &str) {
        let mut rest = text.trim_start();
        while !rest.is_empty() {
            let mut is_quoted = false;
            let end = rest.find(|c| {
                is_quoted ^= c == '"';
                c == ';' && !is_quoted
            });
            let (operation, after) = end
                .and_then(|end| rest.split_at_checked(end))
                .unwrap_or((rest, ""));
            rest = after.strip_prefix(';').unwrap_or_default().trim_start();
            let (name, words) = operation
                .split_once(char::is_whitespace)
                .unwrap_or((operation, ""));
            self.read_operation(operation.trim(), name, words.trim());
        }
    }

    /// Reads an operation: `whole` with its name and its words.
    fn read_operation(&mut self, whole: &str, name: &str, words: &str) {
        match name {
            "" => {}
            "pv" => self.play(words),
            "bm" => {
                for word in words.split_ascii_whitespace() {
                    self.play(word);
                }
            }
            "id" | "c0" | "c1" | "c2" | "c3" | "c4" | "c5" | "c6" | "c7" | "c8" | "c9" => {
                self.builder.add_comment(words.trim_matches('"'));
            }
            "ce" | "dm" => {
                let comment = self
                    .value_comment(name, words)
                    .unwrap_or_else(|| whole.to_owned());
                self.builder.add_comment(&comment);
            }
            _ => self.builder.add_comment(whole),
        }
    }

    /// Plays moves from the start as a line of the record. Reuses existing nodes.
    fn play(&mut self, words: &str) {
        for word in words.split_ascii_whitespace() {
            let source = SourceText::new(word, self.line.spot(word));
            let (builder, warnings) = (&mut *self.builder, &mut *self.warnings);
            if !builder.can_continue(source.spot, warnings) {
                continue;
            }
            match psn::read_move(word, builder.now()) {
                Ok(mv) => {
                    let before = builder.current_node();
                    match self.children.get(&(before, mv)) {
                        Some(child) => builder.go(*child),
                        None => builder.play(mv, source, warnings),
                    }
                    if builder.is_unfinished() {
                        self.children.insert((before, mv), builder.current_node());
                    }
                }
                Err(cut) => builder.cut(cut, source, warnings),
            }
        }
        self.builder.go(NodeId::START);
    }

    /// Returns the comment for the value of `ce` or `dm`, in the notation of `ShogiHome`; `None` without a valid
    /// number. Both operations are relative to the side to move.
    fn value_comment(&self, name: &str, words: &str) -> Option<String> {
        let position = self.builder.now();
        let mover = position.side_to_move();
        let number: i32 = words.trim_start_matches('+').parse().ok()?;
        let value = if name == "ce" {
            Value::Cp(if mover == Color::Black {
                number
            } else {
                number.checked_neg()?
            })
        } else {
            let winner = if number < 0 { mover.flip() } else { mover };
            let plies = number.unsigned_abs().checked_mul(2)?;
            Value::Mate {
                winner,
                plies: Some(if number < 0 { plies } else { plies.checked_sub(1)? }),
            }
        };
        let evaluation = Evaluation {
            value: Some(value),
            ..Evaluation::new(Dialect::ShogiHome, Source::Analysis)
        };
        evaluation::write(
            &evaluation,
            Dialect::ShogiHome,
            EvaluatedPoint {
                position,
                last_to: None,
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Format, ReadGames};

    fn reading(text: &str) -> ReadGames {
        let reading = super::super::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(reading.format, Format::Epd, "{text}");
        reading
    }

    const USUAL: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
    const AFTER: &str = "lnsgkg1nl/1r5s1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL";
    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

    #[test]
    fn reads_positions_of_every_writer() {
        let check = |text: &str, sfen: &str| {
            let reading = reading(text);
            assert_eq!(reading.games[0].start().sfen(), sfen, "{text}");
            assert_eq!(reading.warnings, [], "{text}");
        };
        let usual = Position::startpos().sfen();
        check(&format!("{USUAL}[-] w 0 1"), &usual);
        check(&format!("{USUAL} [] w - - 0 1"), &usual);
        check(&format!("{USUAL} w 0 1"), &usual);
        check(&format!("{USUAL} w - - 0 1"), &usual);
        check(&format!("{AFTER}[Bb] w - - 0 3"), &format!("{AFTER} b Bb 5"));
        check(
            &format!("{KINGS}[GGPPPPRBpprb] b - - 0 4"),
            &format!("{KINGS} w RB2G4Prb2p 8"),
        );
        check(&format!("{KINGS}[2P] b"), &format!("{KINGS} w 2P 2"));
        check(&format!("{KINGS}[-] w 0 99999999999"), &format!("{KINGS} b - 1"));
        check(&format!("{KINGS}[-] w 0 4999999"), &format!("{KINGS} b - 65535"));
    }

    #[test]
    fn reads_operations_as_moves_and_comments() {
        let check = |operations: &str, moves: &[&str], comment: Option<&str>, warnings: usize| {
            let text = format!("4k4/9/4P4/9/9/9/9/9/4K4[GG] w - - {operations}");
            let reading = reading(&text);
            let record = &reading.games[0];
            let found = record
                .all()
                .filter_map(|id| record.node(id).mv().map(|mv| mv.to_string()));
            assert_eq!(found.collect::<Vec<_>>(), moves, "{operations}");
            assert_eq!(record.node(NodeId::START).comment(), comment, "{operations}");
            assert_eq!(reading.warnings.len(), warnings, "{:?}", reading.warnings);
        };
        check("bm G*5b;", &["G*5b"], None, 0);
        check(
            "bm G5b G-4b; id \"tsume; 3\"; c0 easy",
            &["G*5b"],
            Some("tsume; 3\neasy"),
            1,
        );
        check(
            "pv P-5b+ Kx5b G*5c; bm G*5b P5b+;",
            &["5c5b+", "5a5b", "G*5c", "G*5b"],
            None,
            0,
        );
        check("ce 120;", &[], Some("互角\n#評価値=120"), 0);
        check("dm 2;", &[], Some("#詰み=先手勝ち:3手"), 0);
        check("ce high; acd 12", &[], Some("ce high\nacd 12"), 0);
        check("0 1 bm G*5b", &["G*5b"], None, 0);
    }

    #[test]
    fn reads_one_position_per_line() {
        let reading = reading(&format!(
            "# one\n{KINGS}[-] w\n\n{KINGS}[X] w\n{KINGS}[-] b 0 1\n"
        ));
        assert_eq!(reading.games.len(), 2);
        assert_eq!(
            reading.games[0].node(NodeId::START).notes().remark.as_deref(),
            Some(" one")
        );
        assert_eq!(reading.warnings.len(), 1, "{:?}", reading.warnings);
    }

    #[test]
    fn adds_a_final_remark_to_the_last_node() {
        let game = &reading("4k4/9/4P4/9/9/9/9/9/4K4[GG] w - - bm G*5b;\n# last\n").games[0];
        let last = game.main_line().last().expect("a move");
        assert_eq!(game.node(last).notes().remark.as_deref(), Some(" last"));
    }
}
