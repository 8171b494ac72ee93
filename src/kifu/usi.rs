//! USI: a `position …` command, an SFEN, or moves alone; one game per line. A line of `shogibar see` is a position,
//! too.

pub(super) mod format;

use super::address;
use super::board_word::{is_board, is_like_a_board};
use super::builder::{Builder, CutReason, SourceText};
use super::end::{EndMark, MarkOutcome, Reason, find_mark};
use super::games::{self, GameSink};
use super::record::Record;
use super::scan::Line;
use super::warning::{RecordProblem, Warnings, quote};
use shogibar_shogi::{Move, Position, SfenError};
use std::iter::{Filter, Peekable};
use std::str::Split;

/// Words in place of a move, as several programs write them.
const END_MARKS: [(&str, EndMark); 28] = [
    (
        "resign",
        EndMark::new(Reason::Resignation, MarkOutcome::MoverLoses),
    ),
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
    (
        "rep_win",
        EndMark::new(Reason::Repetition, MarkOutcome::MoverWins),
    ),
    (
        "rep_loss",
        EndMark::new(Reason::Repetition, MarkOutcome::MoverLoses),
    ),
    (
        "rep_lose",
        EndMark::new(Reason::Repetition, MarkOutcome::MoverLoses),
    ),
    // A repeated position with more or fewer pieces in hand ends an engine's line, but not a game.
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

/// Returns the end mark of a word in place of a move; `None` for an unknown word.
pub(super) fn end_mark(word: &str) -> Option<EndMark> {
    find_mark(&END_MARKS, |known| known.eq_ignore_ascii_case(word))
}

/// The words of a `position` line.
pub(super) type UsiWords<'a> = Peekable<Filter<Split<'a, fn(char) -> bool>, fn(&&'a str) -> bool>>;

/// Returns the words of a line. A board can have `_` for blanks.
pub(super) fn words<'a>(text: &'a str) -> UsiWords<'a> {
    let is_blank: fn(char) -> bool = if text
        .split_ascii_whitespace()
        .take(3)
        .any(|word| word.contains('/') && word.contains('_'))
    {
        |c| c.is_ascii_whitespace() || c == '_'
    } else {
        |c| c.is_ascii_whitespace()
    };
    let is_word: fn(&&'a str) -> bool = |word| !word.is_empty();
    text.split(is_blank).filter(is_word).peekable()
}

/// Returns a text up to the first character that a `position` command cannot have.
pub(super) fn command_part(text: &str) -> &str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && !" /+-*_\t".contains(c));
    text.get(..end.unwrap_or(text.len())).unwrap_or_default()
}

/// Returns the `position` line of an address, or of a line of `shogibar see`; `None` for another text.
fn position_line(text: &str) -> Option<String> {
    seen_board(text)
        .map(|(board, is_rotated)| seen_position(board, "-", is_rotated))
        .or_else(|| address::position_line(text))
}

/// Returns the board in a line of `shogibar see`, and whether White is at the bottom. The fields are the board as the
/// picture shows it, the confidence, the rectangle, and `turned` for White at the bottom. A terminal may have replaced
/// the tabs by blanks. A hidden square is `?`. Returns `None` for another line.
fn seen_board(text: &str) -> Option<(&str, bool)> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().filter(|board| has_nine_ranks(board))?;
    let has_confidence = fields.next()?.parse::<f32>().is_ok();
    let sides: Vec<_> = fields.next()?.split(',').map(str::parse::<i32>).collect();
    let is_seen = has_confidence && sides.len() == 4 && sides.iter().all(Result::is_ok);
    match (fields.next(), fields.next()) {
        (None, None) if is_seen => Some((board, false)),
        (Some("turned"), None) if is_seen => Some((board, true)),
        _ => None,
    }
}

/// Returns whether a text has nine parts divided by `/`, as a board has.
pub(super) fn has_nine_ranks(text: &str) -> bool {
    text.bytes().filter(|byte| *byte == b'/').count() == 8
}

/// Returns the `position` line of a board that was read off a picture, with Black at the bottom and to move. Capitals of
/// `board` and `hands` are the pieces of the side at the bottom of the picture. `is_rotated` means that this is White.
pub(super) fn seen_position(board: &str, hands: &str, is_rotated: bool) -> String {
    if is_rotated {
        let hands: String = hands.chars().map(other_side_letter).collect();
        format!("position sfen {} b {hands} 1", rotate_board(board))
    } else {
        format!("position sfen {board} b {hands} 1")
    }
}

/// Returns a board rotated by 180°: each side gets the pieces of the other.
fn rotate_board(board: &str) -> String {
    let mut rotated = String::with_capacity(board.len());
    let mut letters = board.chars().rev().peekable();
    while let Some(letter) = letters.next() {
        // The mark of a promoted piece stays before its letter.
        rotated.extend(letters.next_if_eq(&'+'));
        rotated.push(other_side_letter(letter));
    }
    rotated
}

/// Returns the letter for a piece of the other side. Other characters are returned unchanged.
const fn other_side_letter(letter: char) -> char {
    if letter.is_ascii_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

/// Returns whether a line is USI: a position, or a line that begins with moves. A damaged board, or the board of
/// another game, counts if the other fields of a position follow.
pub(super) fn is_usi(text: &str) -> bool {
    if seen_board(text).is_some() {
        return true;
    }
    let line = address::position_line(text);
    is_command(line.as_deref().unwrap_or(text))
}

/// Returns whether a text is a position, or begins with moves, as [`is_usi`] does for a text that is no address.
pub(super) fn is_command(text: &str) -> bool {
    let mut words = words(text);
    words.next_if_eq(&"position");
    let first = words.next().unwrap_or_default();
    let is_move = |word: Option<&str>| {
        word.is_none_or(|word| Move::from_usi(word).is_some() || end_mark(word).is_some())
    };
    let is_side = |word: Option<&str>| matches!(word, Some("b" | "w"));
    match first {
        "startpos" => words.next_if_eq(&"moves").is_some() || is_move(words.next()),
        "sfen" => {
            words.next().is_some_and(is_like_a_board)
                && (is_side(words.next()) || words.next().is_some_and(is_hand))
        }
        "moves" => words.peek().is_some() && is_move(words.next()),
        board if is_board(board) => {
            words.peek().is_none() || is_side(words.next()) || words.next().is_some_and(is_hand)
        }
        board if is_like_a_board(board) => is_side(words.next()) && words.next().is_some_and(is_hand),
        word => Move::from_usi(word).is_some() && is_move(words.next()),
    }
}

pub(super) fn is_position(text: &str) -> bool {
    let mut words = words(text);
    words.next_if_eq(&"position");
    words.next_if_eq(&"sfen");
    words.peek().is_some_and(|board| is_board(board))
        && parse_position(&mut words).is_ok()
        && words.next().is_none()
}

/// Returns whether a word may be the hands of a position, even of another game.
pub(super) fn is_hand(word: &str) -> bool {
    word == "-"
        || word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || b"PLNSGBRplnsgbrKQkq".contains(&byte))
}

/// Parses the position at the start of the words. By default Black is to move, the hands are empty and the move number
/// is 1.
pub(super) fn parse_position(words: &mut UsiWords<'_>) -> Result<Position, SfenError> {
    let board = words.next().unwrap_or_default();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut ahead = words.clone();
    ahead.next();
    // Another word in the place of the side is an error, which names it.
    let has_fields = ahead.next().is_some_and(is_hand) && ahead.next().is_some_and(|word| is_number(&word));
    let side = words
        .next_if(|word| matches!(*word, "b" | "w") || has_fields)
        .unwrap_or("b");
    // `2b3g` may be pieces or a move. It counts as pieces if a number or `moves` follows.
    let goes_on = words
        .clone()
        .nth(1)
        .is_some_and(|word| word == "moves" || is_number(&word));
    let hands = words.next_if(|word: &&str| {
        (word.bytes().any(|byte| byte.is_ascii_alphabetic()) || *word == "-")
            && (goes_on || Move::from_usi(word).is_none())
            && *word != "moves"
    });
    let number = words.next_if(is_number);
    let (hands, number) = (hands.unwrap_or("-"), number.unwrap_or("1"));
    Position::from_sfen(&format!("{board} {side} {hands} {number}"))
}

/// Reads the games of a text. Returns their number.
pub(super) fn read(text: &str, games: GameSink<'_>, warnings: &mut Warnings) -> usize {
    games::read_lines(text, games, warnings, read_game, continue_game)
}

/// Plays the moves of a line that goes on with the game whose first line is `first`: a long line was wrapped, or each
/// line has one move. Returns whether the line does. Moves alone that can begin a game do.
fn continue_game(
    builder: &mut Builder,
    first: &str,
    line: Line<'_>,
    text: &str,
    warnings: &mut Warnings,
) -> bool {
    let is_move = |word: &str| Move::from_usi(word).is_some() || end_mark(word).is_some();
    let Some(next) = text.split_ascii_whitespace().next().and_then(Move::from_usi) else {
        return false;
    };
    let has_start = !first.split_ascii_whitespace().next().is_some_and(is_move);
    let has_single_moves = is_move(first) && is_move(text);
    let goes_on = has_start || has_single_moves || !Position::startpos().is_legal(next);
    if !goes_on
        || !builder.is_unfinished()
        || !builder.now().is_legal(next)
        || !text.split_ascii_whitespace().all(is_move)
    {
        return false;
    }
    for word in words(text) {
        play(builder, SourceText::new(word, line.spot(word)), warnings);
    }
    true
}

/// Reads the game of a line. Returns `None` without a valid start; a warning reports this.
fn read_game(line: Line<'_>, text: &str, warnings: &mut Warnings) -> Option<Builder> {
    let line_of_text = position_line(text);
    let mut words = words(line_of_text.as_deref().unwrap_or(text));
    let mut builder = Builder::new(read_start(&mut words, line, text, warnings)?);
    for word in words {
        // Some programs repeat `moves` between the parts of a game.
        if word != "moves" {
            play(&mut builder, SourceText::new(word, line.spot(word)), warnings);
        }
    }
    Some(builder)
}

/// Reads the start position of a line. Returns `None` without a valid one; a warning reports this.
pub(super) fn read_start(
    words: &mut UsiWords<'_>,
    line: Line<'_>,
    text: &str,
    warnings: &mut Warnings,
) -> Option<Position> {
    words.next_if_eq(&"position");
    let first = *words.peek()?;
    match first {
        "startpos" => words.next().map(|_| Position::startpos()),
        _ if first == "sfen" || first.contains('/') => {
            words.next_if_eq(&"sfen");
            let board = words.peek().copied().unwrap_or(first);
            let read = parse_position(words);
            read.map_err(|error| {
                warnings.add(
                    line.spot(board),
                    RecordProblem::InvalidPosition(quote(board), error),
                );
            })
            .ok()
        }
        "moves" => Some(Position::startpos()),
        word if Move::from_usi(word).is_some() || end_mark(word).is_some() => Some(Position::startpos()),
        _ => {
            warnings.add(line.spot(text), RecordProblem::UnknownLine(quote(text)));
            None
        }
    }
}

/// Plays the move of a word, or ends the line.
pub(super) fn play(builder: &mut Builder, source: SourceText<'_>, warnings: &mut Warnings) {
    let is_word = source
        .words
        .bytes()
        .all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if source.words.bytes().all(|byte| byte == b'|') {
        // The frame of a table or of a code block.
    } else if let Some(mark) = end_mark(source.words) {
        builder.apply_mark(mark, source, warnings);
    } else if !builder.can_continue(source.spot, warnings) {
        // The word stands after the end of the line, and has been counted.
    } else if let Some(mv) = Move::from_usi(source.words) {
        builder.play(mv, source, warnings);
    } else if is_word {
        builder.apply_unknown_mark(source, warnings);
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
    use crate::NodeId;
    use crate::{Outcome, ReadGames};
    use shogibar_shogi::Color;

    fn reading(text: &str) -> ReadGames {
        super::super::read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn check(text: &str, games: &[&str], warnings: &[&str]) {
        let reading = reading(text);
        let written: Vec<String> = reading
            .games
            .iter()
            .map(|game| write(game).trim_end().to_owned())
            .collect();
        let expected: Vec<String> = games.iter().map(|game| format!("position {game}")).collect();
        assert_eq!(written, expected, "{text}");
        let found: Vec<String> = reading.warnings.iter().map(ToString::to_string).collect();
        assert_eq!(found, warnings, "{text}");
    }

    const KINGS: &str = "4k4/9/9/9/9/9/9/9/4K4";

    #[test]
    fn reads_every_form_of_start() {
        check(
            "position startpos moves 7g7f 3c3d\n",
            &["startpos moves 7g7f 3c3d"],
            &[],
        );
        check("startpos moves 7g7f", &["startpos moves 7g7f"], &[]);
        check("startpos 7g7f", &["startpos moves 7g7f"], &[]);
        check("startpos", &["startpos"], &[]);
        check("position startpos moves ", &["startpos"], &[]);
        check("7g7f 3c3d\r\n", &["startpos moves 7g7f 3c3d"], &[]);
        check("moves 7g7f 3c3d", &["startpos moves 7g7f 3c3d"], &[]);
        check(
            "position startpos moves 7g7f moves 3c3d",
            &["startpos moves 7g7f 3c3d"],
            &[],
        );
        for start in [
            format!("sfen {KINGS} w - 7"),
            format!("{KINGS} w - 7"),
            format!("position sfen {KINGS} w - 7"),
        ] {
            check(
                &format!("{start} moves 5a5b"),
                &[&format!("sfen {KINGS} w - 7 moves 5a5b")],
                &[],
            );
            check(
                &format!("{start} 5a5b"),
                &[&format!("sfen {KINGS} w - 7 moves 5a5b")],
                &[],
            );
        }
        check(
            &format!("sfen {KINGS} b P moves P*5e"),
            &[&format!("sfen {KINGS} b P 1 moves P*5e")],
            &[],
        );
        check(&format!("{KINGS} b G"), &[&format!("sfen {KINGS} b G 1")], &[]);
        check(KINGS, &[&format!("sfen {KINGS} b - 1")], &[]);
    }

    #[test]
    fn reads_positions_as_they_are_pasted() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL";
        let after = format!("sfen {start} w - 2");
        check(&format!("{start}_w_-_2"), &[&after], &[]);
        check(
            &format!("position sfen {start}_w_-_2_moves_3c3d"),
            &[&format!("{after} moves 3c3d")],
            &[],
        );
        check(
            &format!("https://lishogi.org/analysis/{start}_w_-_2"),
            &[&after],
            &[],
        );
        check(
            &format!("https://example.org/editor/{start}_w_-?orientation=gote#2"),
            &[&format!("sfen {start} w - 1")],
            &[],
        );
        let hands = |hands: &str| format!("{KINGS} b {hands} 19");
        check(&hands("PSPpbpb"), &[&format!("sfen {}", hands("S2P2b2p"))], &[]);
        check(&hands("2ppR"), &[&format!("sfen {}", hands("R3p"))], &[]);
        check(&hands("2b3g"), &[&format!("sfen {}", hands("2b3g"))], &[]);
        check(
            &format!("{KINGS} b 2b3g moves"),
            &[&format!("sfen {KINGS} b 2b3g 1")],
            &[],
        );
        check(
            &format!("{KINGS} b 5i5h 5a5b"),
            &[&format!("sfen {KINGS} b - 1 moves 5i5h 5a5b")],
            &[],
        );
    }

    #[test]
    fn reads_lines_of_shogibar_see() {
        let board = "4k4/9/9/9/9/9/9/P8/+R3K4";
        let (seen, from_below) = (
            format!("sfen {board} b - 1"),
            "sfen 4k3+r/8p/9/9/9/9/9/9/4K4 b - 1",
        );
        check(&format!("{board}\t0.991\t34,127,576,575\n"), &[&seen], &[]);
        check(
            &format!("{board}\t0.991\t34,127,576,575\tturned\n"),
            &[from_below],
            &[],
        );
        check(&format!("{board}   0.991   -4,127,576,575"), &[&seen], &[]);
        let two = format!("{board}\t0.991\t0,0,576,575\n{board}\t0.000\t0,0,90,90\tturned\n");
        check(&two, &[&seen, from_below], &[]);
        let hidden = "4k4/9/9/9/4?4/9/9/9/4K4\t0.991\t34,127,576,575\n";
        let error = super::super::read(hidden.as_bytes())
            .map(|reading| reading.format)
            .expect_err(hidden);
        assert!(
            error
                .to_string()
                .ends_with("'4k4/9/9/9/4?4/9/9/9/4K4' is no position: '?' is no piece"),
            "{error}"
        );
    }

    #[test]
    fn reports_the_error_of_a_position() {
        let check = |text: &str, why: &str| {
            let error = super::super::read(text.as_bytes())
                .map(|reading| reading.format)
                .expect_err(text);
            assert_eq!(
                error.to_string(),
                format!("this game record cannot be read: line 1: {why}")
            );
        };
        let short = "lnsgkgsn/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";
        let no_position = |board: &str, why: &str| {
            let quoted: String = board.chars().take(40).collect();
            check(
                &format!("{board} b - 1"),
                &format!("'{quoted}…' is no position: {why}"),
            );
        };
        no_position(short, "rank a does not have 9 squares");
        no_position(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL",
            "a board has 9 ranks, not 8",
        );
        no_position(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGXGSNL",
            "'X' is no piece",
        );
        let hands = "4k4/9/9/9/9/9/9/9/4K4";
        check(
            &format!("sfen {hands} b 19p 1"),
            &format!("'{hands}' is no position: the hands '19p' cannot be read"),
        );
        let small = "this is minishogi or Kyoto shogi, on a board of 5 by 5 squares, not shogi";
        check(
            "rbsgk/4p/5/P4/KGSBR b - 1",
            &format!("'rbsgk/4p/5/P4/KGSBR' is no position: {small}"),
        );
        check(
            "position sfen pgkst/5/5/5/TSKGP w - 2 moves 1a1b",
            &format!("'pgkst/5/5/5/TSKGP' is no position: {small}"),
        );
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        check(
            &format!("{chess} w KQkq - 0 1"),
            "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK…' is no position: this is a chess FEN, not a shogi SFEN",
        );
    }

    #[test]
    fn reads_one_game_per_line() {
        let both = format!("# first\n{KINGS} b - 1\n\n  {KINGS} w -\n# last");
        check(
            &both,
            &[&format!("sfen {KINGS} b - 1"), &format!("sfen {KINGS} w - 1")],
            &[],
        );
        let games = reading(&both).games;
        let remarks: Vec<_> = games
            .iter()
            .map(|game| game.node(NodeId::START).notes().remark.as_deref())
            .collect();
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
        check(
            "startpos moves 7z7f",
            &["startpos"],
            &["1:16: '7z7f' cannot be read as a move; the line ends here"],
        );
        check(
            "startpos moves abc",
            &["startpos"],
            &["1:16: 'abc' cannot be read as a move; the line ends here"],
        );
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
            let (record, warnings) = reading(&format!("startpos moves 7g7f {word}"))
                .into_first()
                .expect("a game");
            let end = record.end().expect("an end");
            assert_eq!(
                (end.reason, end.outcome, warnings.len()),
                (reason, outcome, 0),
                "{word}"
            );
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
        let check = |text: &str, sfen: &str| {
            assert_eq!(write_sfen(&reading(text).games[0]), format!("{sfen}\n"), "{text}");
        };
        check(
            &format!("{KINGS} b 2P 9 moves P*5e resign"),
            "4k4/9/9/9/4P4/9/9/9/4K4 w P 10",
        );
        check(&format!("{KINGS} b - 9"), &format!("{KINGS} b - 9"));
    }
}
