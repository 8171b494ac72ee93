//! `shogibar notate`: moves converted to words, or from words.

use super::{CliOutcome, Streams};
use crate::cli::command_error::CommandError;
use crate::cli::notate_text::LineError;
use shogibar_base::Lang;
use shogibar_engine::usi::lines::MAX_LINE_BYTES;
use shogibar_shogi::notation::{SpokenOptions, SpokenSides};
use shogibar_shogi::{Digits, Marks, Move, Notation, Position, Square, Style, notation};
use std::fmt::Write as _;

/// The arguments of `shogibar notate`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Reads lines SFEN TAB PREV TAB MOVES: the position, the USI move that led there or -, \
    and the moves played from it. Writes the moves in words, line by line, or ! TAB and the reason."
)]
pub(super) struct Arguments {
    /// How moves are written; `list` names the styles
    #[arg(long, value_name = "NAME", default_value = "japanese")]
    style: String,
    /// Digits of the Japanese styles: ２六歩 or 2六歩 [default: full; half in japanese-arabic]
    #[arg(long, value_parser = ["full", "half"])]
    digits: Option<String>,
    /// The mark before a move: ▲△ or ☗☖
    #[arg(long, value_parser = ["none", "triangle", "koma"], default_value = "none")]
    marks: String,
    /// The name of the promoted rook
    #[arg(long, value_parser = ["竜", "龍"], default_value = "龍")]
    ryu: String,
    /// The name of the king
    #[arg(long, value_parser = ["玉", "王"], default_value = "玉")]
    king: String,
    /// Write 全 圭 杏 instead of 成銀 成桂 成香
    #[arg(long)]
    short_promoted: bool,
    /// The names of the sides in the spoken styles: センテ ゴテ, or シタテ ウワテ
    #[arg(long, value_parser = ["even", "handicap", "none"], default_value = "even")]
    sides: String,
    /// The word for 同 in the style spoken
    #[arg(long, value_parser = ["オナジク", "ドウ"], default_value = "オナジク")]
    same: String,
    /// Say キョウシャ ケイマ ヒシャ トキン instead of キョウ ケイ ヒ ト in the style spoken
    #[arg(long)]
    long_pieces: bool,
    /// Do the reverse: read MOVES in words of any Japanese form, and write USI moves
    #[arg(long)]
    read: bool,
}

pub(super) fn run(arguments: &Arguments, streams: &mut Streams<'_>) -> anyhow::Result<CliOutcome> {
    if arguments.style == "list" {
        for style in Style::ALL {
            writeln!(streams.out, "{}", style.name())?;
        }
        return Ok(CliOutcome::Done);
    }
    let (notation, lang) = (arguments.notation()?, streams.lang);
    let mut job = NotateJob {
        notation,
        is_reading: arguments.read,
        lang,
        outcome: CliOutcome::Done,
    };
    let mut pending = Vec::new();
    let mut answers = String::new();
    loop {
        let available = streams
            .input
            .fill_buf()
            .map_err(|error| CommandError::Input(error.into()))?;
        let consumed = available.len();
        if consumed == 0 {
            break;
        }
        for piece in available.split_inclusive(|byte| *byte == b'\n') {
            if pending.len() <= MAX_LINE_BYTES {
                pending.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                job.answer(&pending, &mut answers);
                pending.clear();
            }
        }
        streams.input.consume(consumed);
        // All complete lines are answered before the next read, so that a program that waits gets its answer.
        streams.out.write_rows(&answers)?;
        streams.out.flush()?;
        answers.clear();
    }
    if !pending.is_empty() {
        job.answer(&pending, &mut answers);
        streams.out.write_rows(&answers)?;
    }
    Ok(job.outcome)
}

impl Arguments {
    fn notation(&self) -> anyhow::Result<Notation> {
        let style = Style::from_name(&self.style).ok_or_else(|| CommandError::NoStyle(self.style.clone()))?;
        let default = Notation::new(style);
        Ok(Notation {
            digits: match self.digits.as_deref() {
                Some("full") => Digits::Full,
                Some("half") => Digits::Half,
                _ => default.digits,
            },
            marks: match self.marks.as_str() {
                "triangle" => Marks::Triangle,
                "koma" => Marks::Koma,
                _ => Marks::None,
            },
            simple_dragon: self.ryu == "竜",
            upper_king: self.king == "王",
            short_promoted: self.short_promoted,
            spoken: SpokenOptions {
                sides: match self.sides.as_str() {
                    "handicap" => SpokenSides::Handicap,
                    "none" => SpokenSides::None,
                    _ => SpokenSides::Even,
                },
                short_same: self.same == "ドウ",
                long_pieces: self.long_pieces,
            },
            ..default
        })
    }
}

/// The conversion of lines, and its outcome so far.
struct NotateJob {
    notation: Notation,
    /// Whether the input is moves in words, and the output USI moves; else the reverse.
    is_reading: bool,
    lang: Lang,
    outcome: CliOutcome,
}

impl NotateJob {
    /// Appends the answer to an input line: the converted moves, or `!`, a tab and the reason.
    fn answer(&mut self, line: &[u8], out: &mut String) {
        let before = out.len();
        if let Err(error) = self.try_answer(line, out) {
            out.truncate(before);
            let _infallible = write!(out, "!\t{}", error.text(self.lang));
            self.outcome = CliOutcome::Problems;
        }
        out.push('\n');
    }

    /// Appends the converted moves of an input line. The answer to an empty line is empty.
    fn try_answer(&self, line: &[u8], out: &mut String) -> Result<(), LineError> {
        if line.len() > MAX_LINE_BYTES {
            return Err(LineError::TooLong);
        }
        let line = std::str::from_utf8(line).map_err(|_broken_off| LineError::NotUtf8)?;
        let line = line.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
        if line.is_empty() {
            return Ok(());
        }
        let mut fields = line.split('\t');
        let (Some(sfen), Some(prev), Some(moves), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(LineError::Fields);
        };
        let position = Position::from_sfen(sfen)?;
        let prev = if prev == "-" {
            None
        } else {
            Some(parse_move(prev)?.to())
        };
        if self.is_reading {
            read(&position, prev, moves, out)
        } else {
            self.write(position, prev, moves, out)
        }
    }

    /// Writes USI moves in words.
    fn write(
        &self,
        mut position: Position,
        mut prev: Option<Square>,
        moves: &str,
        out: &mut String,
    ) -> Result<(), LineError> {
        let mut moves = (1..).zip(moves.split_ascii_whitespace()).peekable();
        while let Some((number, text)) = moves.next() {
            let mv = parse_move(text)?;
            let illegal = |reason| LineError::Illegal { number, mv, reason };
            self.notation.write(out, &position, mv, prev).map_err(illegal)?;
            if moves.peek().is_some() {
                out.push_str(self.notation.style.separator());
                position.play(mv).map_err(illegal)?;
                prev = Some(mv.to());
            }
        }
        Ok(())
    }
}

/// Writes moves in words as USI moves.
fn read(position: &Position, prev: Option<Square>, words: &str, out: &mut String) -> Result<(), LineError> {
    let moves = notation::read_line(words, position, prev)
        .map_err(|(number, error)| LineError::Unreadable(number, error, Box::new(position.clone())))?;
    for (index, mv) in moves.into_iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        let _infallible = write!(out, "{space}{mv}");
    }
    Ok(())
}

fn parse_move(text: &str) -> Result<Move, LineError> {
    Move::from_usi(text).ok_or_else(|| LineError::NotAMove(text.chars().take(40).collect()))
}
