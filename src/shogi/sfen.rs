//! SFEN, USI's notation of positions.

use super::{Color, OtherGame, PieceKind, Position, Square};
use rsshogi::board::{BoardArray, PositionState};
use rsshogi::types::{Hand, HandPiece, Piece};
use std::fmt::Write as _;
use thiserror::Error;

/// An error in an SFEN. Ranks and squares have USI's names.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SfenError {
    /// The text is a chess position.
    #[error("this is a chess FEN, not a shogi SFEN")]
    ChessFen,
    /// The board is that of another game.
    #[error("this is {0}, not shogi")]
    OtherGame(OtherGame),
    /// The board, the side or the hands are missing.
    #[error("the {0} is missing")]
    Missing(&'static str),
    /// The number of ranks is not nine.
    #[error("a board has 9 ranks, not {0}")]
    Ranks(usize),
    /// A rank is too short or too long.
    #[error("rank {0} does not have 9 squares")]
    RankLength(char),
    /// A letter is not a piece, or a promoted piece does not exist.
    #[error("'{0}' is no piece")]
    Piece(String),
    /// The side to move is neither `b` nor `w`.
    #[error("the side to move is '{0}', not b or w")]
    Side(String),
    /// The hands cannot be read.
    #[error("the hands '{0}' cannot be read")]
    Hands(String),
    /// The move number is not a number up to 65535.
    #[error("the move number '{0}' is not a number from 0 to 65535")]
    MoveNumber(String),
    /// Text follows the move number.
    #[error("'{0}' follows the position")]
    Trailing(String),
}

/// Parses an SFEN. The move number is 1 if it is missing.
pub(super) fn parse(text: &str) -> Result<PositionState, SfenError> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().ok_or(SfenError::Missing("board"))?;
    if is_chess(board) {
        return Err(SfenError::ChessFen);
    }
    let board = parse_board(board)?;
    let side_to_move = match fields.next().ok_or(SfenError::Missing("side to move"))? {
        "b" => Color::Black,
        "w" => Color::White,
        other => return Err(SfenError::Side(excerpt(other))),
    };
    let hands = parse_hands(fields.next().ok_or(SfenError::Missing("hands"))?)?;
    let ply = fields.next().map_or(Ok(1), parse_move_number)?;
    match fields.next() {
        Some(rest) => Err(SfenError::Trailing(excerpt(rest))),
        None => Ok(PositionState {
            board,
            hands,
            side_to_move,
            ply,
        }),
    }
}

/// Returns whether there are eight ranks of chess pieces. A shogi board without a rank has other letters as well.
fn is_chess(board: &str) -> bool {
    board.split('/').count() == 8 && board.bytes().all(|b| b"pnbrqkPNBRQK12345678/".contains(&b))
}

fn parse_move_number(text: &str) -> Result<u16, SfenError> {
    let error = || SfenError::MoveNumber(excerpt(text));
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(error());
    }
    text.parse().map_err(|_not_a_number| error())
}

fn parse_board(text: &str) -> Result<BoardArray, SfenError> {
    let ranks = text.split('/').count();
    if ranks != 9 {
        let other = OtherGame::on_board(text.split('/').map(rank_width));
        return Err(other.map_or(SfenError::Ranks(ranks), SfenError::OtherGame));
    }
    let mut board = BoardArray::empty();
    for (rank, row) in (1_u8..).zip(text.split('/')) {
        parse_rank(&mut board, rank, row)?;
    }
    Ok(board)
}

/// Returns the number of squares of a rank of any length.
fn rank_width(row: &str) -> usize {
    let (mut width, mut gap) = (0_usize, 0_usize);
    for c in row.chars().filter(|c| *c != '+') {
        match c.to_digit(10) {
            Some(digit) => gap = gap.saturating_mul(10).saturating_add(digit as usize),
            None => width = width.saturating_add(std::mem::take(&mut gap)).saturating_add(1),
        }
    }
    width.saturating_add(gap)
}

/// Parses a rank, from file 9 to file 1, into `board`.
fn parse_rank(board: &mut BoardArray, rank: u8, row: &str) -> Result<(), SfenError> {
    let wrong_length = || SfenError::RankLength(char::from(b'a' + rank - 1));
    let mut file = 9_u8;
    let mut chars = row.chars();
    while let Some(c) = chars.next() {
        if let Some(gap) = c
            .to_digit(10)
            .and_then(|digit| u8::try_from(digit).ok())
            .filter(|digit| *digit > 0)
        {
            file = file.checked_sub(gap).ok_or_else(wrong_length)?;
            continue;
        }
        let piece = if c == '+' {
            parse_promoted(chars.next())?
        } else {
            parse_piece(c, false)?
        };
        let square = Square::new(file, rank).ok_or_else(wrong_length)?;
        board.set(square.to_rules(), piece);
        file -= 1;
    }
    if file == 0 { Ok(()) } else { Err(wrong_length()) }
}

fn parse_promoted(letter: Option<char>) -> Result<Piece, SfenError> {
    letter.map_or_else(|| Err(SfenError::Piece("+".to_owned())), |c| parse_piece(c, true))
}

fn parse_piece(letter: char, promoted: bool) -> Result<Piece, SfenError> {
    let error = || {
        SfenError::Piece(if promoted {
            format!("+{letter}")
        } else {
            letter.to_string()
        })
    };
    let base = PieceKind::from_letter(letter).ok_or_else(error)?;
    let kind = if promoted {
        base.promoted().ok_or_else(error)?
    } else {
        base
    };
    let color = if letter.is_ascii_uppercase() {
        Color::Black
    } else {
        Color::White
    };
    Ok(Piece::from_parts(color, kind.to_rules()))
}

/// Parses hands in any order, since engines and tools differ in it. A kind may also be written letter by letter. No
/// hand holds more than a set has.
fn parse_hands(text: &str) -> Result<[Hand; Color::COUNT], SfenError> {
    let error = || SfenError::Hands(excerpt(text));
    let (mut black, mut white) = (Hand::ZERO, Hand::ZERO);
    if text == "-" {
        return Ok([black, white]);
    }
    let mut count: Option<u32> = None;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            count = Some(count.unwrap_or(0) * 10 + digit).filter(|n| (1..=18).contains(n));
            if count.is_none() {
                return Err(error());
            }
            continue;
        }
        let kind = PieceKind::from_letter(c).ok_or_else(error)?;
        let piece = HandPiece::from_piece_type(kind.to_rules()).ok_or_else(error)?;
        let hand = if c.is_ascii_uppercase() {
            &mut black
        } else {
            &mut white
        };
        let added = count.take().unwrap_or(1);
        if hand.count(piece) + added > u32::from(kind.count_in_set()) {
            return Err(error());
        }
        *hand = hand.checked_add(piece, added).ok_or_else(error)?;
    }
    if count.is_some() || text.is_empty() {
        Err(error())
    } else {
        Ok([black, white])
    }
}

/// Returns the beginning of a text from outside the program, so that error messages stay short.
pub fn excerpt(text: &str) -> String {
    const MAX_EXCERPT_CHARS: usize = 40;
    match text
        .char_indices()
        .nth(MAX_EXCERPT_CHARS)
        .and_then(|(end, _)| text.get(..end))
    {
        Some(beginning) => format!("{beginning}…"),
        None => text.to_owned(),
    }
}

pub(super) fn write(position: &Position) -> String {
    let mut out = String::with_capacity(96);
    for rank in 1..=9 {
        if rank > 1 {
            out.push('/');
        }
        write_rank(&mut out, position, rank);
    }
    out.push_str(if position.side_to_move() == Color::Black {
        " b "
    } else {
        " w "
    });
    write_hands(&mut out, position);
    let _infallible = write!(out, " {}", position.move_number());
    out
}

fn write_rank(out: &mut String, position: &Position, rank: u8) {
    let mut gap = 0_u8;
    for piece in (1..=9)
        .rev()
        .map(|file| Square::new(file, rank).and_then(|square| position.piece_on(square)))
    {
        let Some(piece) = piece else {
            gap += 1;
            continue;
        };
        push_gap(out, std::mem::take(&mut gap));
        if piece.kind.is_promoted() {
            out.push('+');
        }
        out.push(colored_letter(piece.kind.letter(), piece.color));
    }
    push_gap(out, gap);
}

/// Appends the number of empty squares in a row, 1–9; nothing for 0.
fn push_gap(out: &mut String, gap: u8) {
    if gap > 0 {
        out.push(char::from(b'0' + gap));
    }
}

fn write_hands(out: &mut String, position: &Position) {
    let before = out.len();
    for color in [Color::Black, Color::White] {
        for kind in PieceKind::IN_HAND {
            match position.hand(color).count(kind) {
                0 => continue,
                1 => {}
                n => out.push_str(&n.to_string()),
            }
            out.push(colored_letter(kind.letter(), color));
        }
    }
    if out.len() == before {
        out.push('-');
    }
}

/// Returns the letter of a side's piece: upper case for Black, lower case for White.
const fn colored_letter(letter: char, color: Color) -> char {
    match color {
        Color::Black => letter,
        Color::White => letter.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use proptest::prelude::*;

    /// Checks the text as it is read and written again, or the error.
    fn check(text: &str, expect: Result<&str, &SfenError>) {
        let written = Position::from_sfen(text).map(|position| position.sfen());
        assert_eq!(written.as_ref().map(String::as_str), expect, "{text}");
    }

    #[expect(clippy::needless_pass_by_value, reason = "a row of a table")]
    fn wrong(text: &str, error: SfenError) {
        check(text, Err(&error));
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL";

    #[test]
    fn reads_positions() {
        check(&format!("{START} b - 1"), Ok(&format!("{START} b - 1")));
        check(&format!("  {START}\tb -  "), Ok(&format!("{START} b - 1")));
        check(&format!("{START} w - 0"), Ok(&format!("{START} w - 0")));
        check(&format!("{START} b - 009999"), Ok(&format!("{START} b - 9999")));
        check("9/9/9/9/9/9/9/9/9 b -", Ok("9/9/9/9/9/9/9/9/9 b - 1"));
        check(
            "111111111/45/9/9/9/9/9/9/8+p b - 7",
            Ok("9/9/9/9/9/9/9/9/8+p b - 7"),
        );
        check(
            "9/9/9/9/9/9/9/9/9 w 2pGl18P2r 5",
            Ok("9/9/9/9/9/9/9/9/9 w G18P2rl2p 5"),
        );
        check(
            "9/9/9/9/9/9/9/9/9 b PSPpbpb 19",
            Ok("9/9/9/9/9/9/9/9/9 b S2P2b2p 19"),
        );
        check("9/9/9/9/9/9/9/9/9 b PP2Ppp", Ok("9/9/9/9/9/9/9/9/9 b 4P2p 1"));
    }

    #[test]
    fn reports_missing_and_extra_fields() {
        wrong("", SfenError::Missing("board"));
        wrong("startpos", SfenError::Ranks(1));
        wrong(START, SfenError::Missing("side to move"));
        wrong(&format!("{START} b"), SfenError::Missing("hands"));
        wrong(
            &format!("{START} b - 1 moves"),
            SfenError::Trailing("moves".to_owned()),
        );
    }

    #[test]
    fn rejects_invalid_boards() {
        wrong("9/9/9/9/9/9/9/9 b -", SfenError::Ranks(8));
        wrong("9/9/9/9/9/9/9/9/9/9 b -", SfenError::Ranks(10));
        wrong("9/9/9/9/9/9/9/9/8 b -", SfenError::RankLength('i'));
        wrong("9/9/91/9/9/9/9/9/9 b -", SfenError::RankLength('c'));
        wrong("9/9p/9/9/9/9/9/9/9 b -", SfenError::RankLength('b'));
        wrong("9/0/9/9/9/9/9/9/9 b -", SfenError::Piece("0".to_owned()));
        wrong("x8/9/9/9/9/9/9/9/9 b -", SfenError::Piece("x".to_owned()));
        wrong("+g8/9/9/9/9/9/9/9/9 b -", SfenError::Piece("+g".to_owned()));
        wrong("+9/9/9/9/9/9/9/9/9 b -", SfenError::Piece("+9".to_owned()));
        wrong("8+/9/9/9/9/9/9/9/9 b -", SfenError::Piece("+".to_owned()));
        wrong("歩8/9/9/9/9/9/9/9/9 b -", SfenError::Piece("歩".to_owned()));
        wrong("９/9/9/9/9/9/9/9/9 b -", SfenError::Piece("９".to_owned()));
    }

    #[test]
    fn recognizes_chess_fens() {
        wrong(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            SfenError::ChessFen,
        );
        wrong("8/8/8/4k3/8/8/8/4K3 b - - 0 1", SfenError::ChessFen);
        wrong(
            "lnsgkgsnl/1r5b1/ppppppppp/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
            SfenError::Ranks(8),
        );
    }

    #[test]
    fn names_the_game_of_another_board() {
        let other =
            |text: &str, files, ranks| wrong(text, SfenError::OtherGame(OtherGame::Board { files, ranks }));
        other("rbsgk/4p/5/P4/KGSBR b - 1", 5, 5);
        other("p+nks+l/5/5/5/+LSK+NP w - 1", 5, 5);
        other("gle/1c1/1C1/ELG b - 1", 3, 4);
        other(&format!("{}12 b - 1", "12/".repeat(11)), 12, 12);
    }

    #[test]
    fn rejects_invalid_sides_hands_and_numbers() {
        wrong("9/9/9/9/9/9/9/9/9 B -", SfenError::Side("B".to_owned()));
        for hands in [
            "k",
            "0p",
            "p2",
            "19p",
            "3R",
            "RrR2R",
            "18pp",
            "+p",
            "2",
            "P-",
            "1000000000000p",
            "ｐ",
        ] {
            wrong(
                &format!("9/9/9/9/9/9/9/9/9 b {hands}"),
                SfenError::Hands(hands.to_owned()),
            );
        }
        for number in ["x", "-1", "+1", "65536", "99999999999999999999", "１"] {
            wrong(
                &format!("9/9/9/9/9/9/9/9/9 b - {number}"),
                SfenError::MoveNumber(number.to_owned()),
            );
        }
        wrong(&"x".repeat(1000), SfenError::Ranks(1));
        wrong("99999999999999999999P/9 b -", SfenError::Ranks(2));
        wrong(
            &format!("{START} {}", "さ".repeat(99)),
            SfenError::Side(format!("{}…", "さ".repeat(40))),
        );
    }

    proptest! {
        #[test]
        fn accepts_any_text(text in "(?s).{0,80}") {
            let _either = Position::from_sfen(&text);
        }

        #[test]
        fn written_positions_are_read_back(text in "([1-9+PLNSGBRKplnsgbrk]{1,6}/){8}[1-9PLNSGBRK]{1,4} [bw] [-1-9PLNSGBRplnsgbr]{1,5}( [0-9]{1,4})?") {
            if let Ok(position) = Position::from_sfen(&text) {
                prop_assert_eq!(Position::from_sfen(&position.sfen()), Ok(position));
            }
        }

        #[test]
        fn reads_back_every_board(text in any::sfen(0.4)) {
            let position = Position::from_sfen(&text).unwrap();
            let written = position.sfen();
            prop_assert_eq!(Position::from_sfen(&written).unwrap(), position);
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            prop_assert_eq!(letters(&written), letters(&text));
        }
    }
}
