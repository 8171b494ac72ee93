//! USI: a `position …` command, an SFEN, or moves alone; one game per line.

use super::builder::{Builder, CutReason, SourceText};
use super::end::{EndMark, MarkOutcome, Reason, find_mark};
use super::games::{self, GameSink};
use super::record::Record;
use super::scan::Line;
use super::warning::{RecordProblem, Warnings, quote};
use crate::shogi::{Move, Position, SfenError};
use std::iter::Peekable;
use std::str::SplitAsciiWhitespace;

/// Words in place of a move, as several programs write them. An outcome is relative to the side to move.
const MARKS: [(&str, EndMark); 28] = [
    ("resign", EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses)),
    ("mate", EndMark::new(Reason::Checkmate, MarkOutcome::MoverLoses)),
    ("timeout", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("time_up", EndMark::new(Reason::TimeUp, MarkOutcome::MoverLoses)),
    ("illegal", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    ("foul_lose", EndMark::new(Reason::Foul, MarkOutcome::MoverLoses)),
    ("foul_win", EndMark::new(Reason::Foul, MarkOutcome::MoverWins)),
    ("win", EndMark::new(Reason::Declaration, MarkOutcome::MoverWins)),
    ("draw", EndMark::new(Reason::Other, MarkOutcome::Draw)),
    ("rep_draw", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("sennichite", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("repetition", EndMark::new(Reason::Repetition, MarkOutcome::Draw)),
    ("rep_win", EndMark::new(Reason::Repetition, MarkOutcome::MoverWins)),
    ("rep_loss", EndMark::new(Reason::Repetition, MarkOutcome::MoverLoses)),
    ("rep_lose", EndMark::new(Reason::Repetition, MarkOutcome::MoverLoses)),
    // A repeated position with more or fewer pieces in hand does not end a game, only an engine's search.
    ("rep_sup", EndMark::new(Reason::Other, MarkOutcome::Open)),
    ("rep_inf", EndMark::new(Reason::Other, MarkOutcome::Open)),
    ("jishogi", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("impasse", EndMark::new(Reason::Impasse, MarkOutcome::Draw)),
    ("max_moves", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("maxmoves", EndMark::new(Reason::MaxMoves, MarkOutcome::Draw)),
    ("break", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("chudan", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("interrupt", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("pause", EndMark::new(Reason::Interruption, MarkOutcome::Open)),
    ("nomate", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("no_mate", EndMark::new(Reason::NoMate, MarkOutcome::Open)),
    ("unknown", EndMark::new(Reason::Other, MarkOutcome::Open)),
];

fn mark(word: &str) -> Option<EndMark> {
    find_mark(&MARKS, |known| known.eq_ignore_ascii_case(word))
}

/// The words of a line.
pub(super) type UsiWords<'a> = Peekable<SplitAsciiWhitespace<'a>>;

/// Returns whether a line is USI: a position, or a line that begins with moves.
pub(super) fn is_usi(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let first = words.next().unwrap_or_default();
    let is_move = |word: Option<&str>| word.is_none_or(|word| Move::from_usi(word).is_some() || mark(word).is_some());
    match first {
        "startpos" => words.next_if_eq(&"moves").is_some() || is_move(words.next()),
        "sfen" => words.next().is_some_and(is_board) && matches!(words.next(), Some("b" | "w")),
        "moves" => words.peek().is_some() && is_move(words.next()),
        board if is_board(board) => matches!(words.next(), None | Some("b" | "w")),
        word => Move::from_usi(word).is_some() && is_move(words.next()),
    }
}

/// Returns whether a word looks like the board of an SFEN.
pub(super) fn is_board(word: &str) -> bool {
    let is_part = |byte: u8| b"PLNSGBRKplnsgbrk+/123456789".contains(&byte);
    word.len() < 200 && word.bytes().filter(|byte| *byte == b'/').count() == 8 && word.bytes().all(is_part)
}

/// Parses the position at the start of the words. The defaults for missing fields are Black's turn, empty hands and
/// number 1.
pub(super) fn position(words: &mut UsiWords<'_>) -> Result<Position, SfenError> {
    let board = words.next().unwrap_or_default();
    let side = words.next_if(|word| matches!(*word, "b" | "w")).unwrap_or("b");
    let is_hand = |word: &&str| word.bytes().any(|byte| byte.is_ascii_alphabetic()) || *word == "-";
    let hands = words.next_if(|word| is_hand(word) && Move::from_usi(word).is_none() && *word != "moves");
    let number = words.next_if(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    let (hands, number) = (hands.unwrap_or("-"), number.unwrap_or("1"));
    Position::from_sfen(&format!("{board} {side} {hands} {number}"))
}

/// Reads the games of a text. Returns their number.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    games::read_lines(text, games, warnings, game)
}

/// Reads the game of a line.
fn game(line: Line<'_>, text: &str, warnings: &mut Warnings) -> Option<Builder> {
    let mut words = text.split_ascii_whitespace().peekable();
    words.next_if_eq(&"position");
    let first = *words.peek()?;
    let start = match first {
        "startpos" => words.next().map(|_| Position::startpos()),
        _ if first == "sfen" || first.contains('/') => {
            words.next_if_eq(&"sfen");
            let board = words.peek().copied().unwrap_or(first);
            let read = position(&mut words);
            read.map_err(|error| warnings.add(line.spot(board), RecordProblem::Position(quote(board), error))).ok()
        }
        "moves" => Some(Position::startpos()),
        word if Move::from_usi(word).is_some() || mark(word).is_some() => Some(Position::startpos()),
        _ => {
            warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            None
        }
    };
    let mut builder = Builder::new(start?);
    for word in words {
        // Some programs repeat it between the parts of a game.
        if word != "moves" {
            play(&mut builder, SourceText::new(word, line.spot(word)), warnings);
        }
    }
    Some(builder)
}

/// Plays the move of a word, or ends the line.
pub(super) fn play(builder: &mut Builder, source: SourceText<'_>, warnings: &mut Warnings) {
    let is_word = source.words.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if let Some(mark) = mark(source.words) {
        builder.mark(mark, source, warnings);
    } else if !builder.can_continue(source.spot, warnings) {
        // The word has been counted.
    } else if let Some(mv) = Move::from_usi(source.words) {
        builder.play(mv, source, warnings);
    } else if is_word {
        builder.unknown_mark(source, warnings);
    } else {
        builder.cut(CutReason::Unreadable, source, warnings);
    }
}

/// Writes the main line as a `position` line, without end, comments and times.
pub(super) fn write(record: &Record) -> String {
    format!("position {}\n", record.history(usize::MAX).usi())
}

/// Writes the last position of the main line as an SFEN line.
pub(super) fn write_sfen(record: &Record) -> String {
    format!("{}\n", record.history(usize::MAX).now().sfen())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kifu::NodeId;
    use crate::kifu::{Outcome, ReadGames};
    use crate::shogi::Color;

    fn reading(text: &str) -> ReadGames {
        super::super::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    /// Checks the written form of each game of a text, and the warnings.
    fn check(text: &str, games: &[&str], warnings: &[&str]) {
        let reading = reading(text);
        let written: Vec<String> = reading.games.iter().map(|game| write(game).trim_end().to_owned()).collect();
        let expected: Vec<String> = games.iter().map(|game| format!("position {game}")).collect();
        assert_eq!(written, expected, "{text}");
        let found: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(found, warnings, "{text}");
    }

    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

    #[test]
    fn reads_every_form_of_start() {
        check("position startpos moves 7g7f 3c3d\n", &["startpos moves 7g7f 3c3d"], &[]);
        check("startpos moves 7g7f", &["startpos moves 7g7f"], &[]);
        check("startpos 7g7f", &["startpos moves 7g7f"], &[]);
        check("startpos", &["startpos"], &[]);
        check("position startpos moves ", &["startpos"], &[]);
        check("7g7f 3c3d\r\n", &["startpos moves 7g7f 3c3d"], &[]);
        check("moves 7g7f 3c3d", &["startpos moves 7g7f 3c3d"], &[]);
        check("position startpos moves 7g7f moves 3c3d", &["startpos moves 7g7f 3c3d"], &[]);
        for start in [format!("sfen {KINGS} w - 7"), format!("{KINGS} w - 7"), format!("position sfen {KINGS} w - 7")] {
            check(&format!("{start} moves 5a5b"), &[&format!("sfen {KINGS} w - 7 moves 5a5b")], &[]);
            check(&format!("{start} 5a5b"), &[&format!("sfen {KINGS} w - 7 moves 5a5b")], &[]);
        }
        check(&format!("sfen {KINGS} b P moves P*5e"), &[&format!("sfen {KINGS} b P 1 moves P*5e")], &[]);
        check(&format!("{KINGS} b G"), &[&format!("sfen {KINGS} b G 1")], &[]);
        check(KINGS, &[&format!("sfen {KINGS} b - 1")], &[]);
    }

    #[test]
    fn reads_one_game_per_line() {
        let both = format!("# first\n{KINGS} b - 1\n\n  {KINGS} w -\n# last");
        check(&both, &[&format!("sfen {KINGS} b - 1"), &format!("sfen {KINGS} w - 1")], &[]);
        let games = reading(&both).games;
        let remarks: Vec<_> = games.iter().map(|game| game.node(NodeId::START).notes().remark.as_deref()).collect();
        assert_eq!(remarks, [Some(" first"), Some(" last")]);
    }

    #[test]
    fn ends_the_line_at_an_unplayable_move() {
        let illegal = "1:31: '7g7f' is illegal: there is no piece on 7g; the line ends here";
        check(
            "position startpos moves 7g7f  7g7f 3c3d",
            &["startpos moves 7g7f"],
            &[illegal, "1:36: moves after the end of the line, not read: 1"],
        );
        check("startpos moves 7z7f", &["startpos"], &["1:16: '7z7f' cannot be read as a move; the line ends here"]);
        check("startpos moves abc", &["startpos"], &["1:16: 'abc' cannot be read as a move; the line ends here"]);
        check(
            &format!("startpos\nhello\n{KINGS}/9 b -\n"),
            &["startpos"],
            &[
                "2:1: 'hello' is not understood",
                "3:1: '4k4/9/9/9/9/9/9/9/4K4/9' is no position: a board has 9 ranks, not 10",
            ],
        );
    }

    #[test]
    fn reads_words_that_end_a_game() {
        let check = |word: &str, reason, outcome| {
            let (record, warnings) = reading(&format!("startpos moves 7g7f {word}")).into_first().expect("a game");
            let end = record.end().expect("an end");
            assert_eq!((end.reason, end.outcome, warnings.len()), (reason, outcome, 0), "{word}");
        };
        check("resign", Reason::Resignation, Outcome::Win(Color::Black));
        check("win", Reason::Declaration, Outcome::Win(Color::White));
        check("draw", Reason::Other, Outcome::Draw);
        check("rep_draw", Reason::Repetition, Outcome::Draw);
        check("rep_win", Reason::Repetition, Outcome::Win(Color::White));
        check("rep_loss", Reason::Repetition, Outcome::Win(Color::Black));
        check("rep_inf", Reason::Other, Outcome::Open);
        check("timeout", Reason::TimeUp, Outcome::Win(Color::Black));
        check("chudan", Reason::Interruption, Outcome::Open);
        check("break", Reason::Interruption, Outcome::Open);
        check("illegal", Reason::Foul, Outcome::Win(Color::Black));
    }

    #[test]
    fn writes_the_last_position() {
        let check =
            |text: &str, sfen: &str| assert_eq!(write_sfen(&reading(text).games[0]), format!("{sfen}\n"), "{text}");
        check(&format!("{KINGS} b 2P 9 moves P*5e resign"), "4k4/9/9/9/4P4/9/9/9/4K4 w P 10");
        check(&format!("{KINGS} b - 9"), &format!("{KINGS} b - 9"));
    }
}
