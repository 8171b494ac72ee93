//! Reads moves from their notation.

use super::geometry::{PieceMotion, RelativePosition};
use super::modifier::is_ranging;
use super::parse::{MoveWords, parse, skip_separators};
use crate::sfen::excerpt;
use crate::{IllegalMove, Move, PieceKind, Position, Square};
use thiserror::Error;

/// The reason why a text gives no move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveReadError {
    /// The text is not a move in any Japanese form.
    #[error("'{0}' cannot be read as a move")]
    Unreadable(String),
    /// The text contains 同 without a previous move.
    #[error("同 needs a move before it")]
    NoMoveBefore,
    /// No piece matches the text.
    #[error("no {}{} can go to {to} like that", if .kind.is_promoted() { "+" } else { "" }, .kind.letter())]
    NoSuchMove {
        /// The kind of the piece.
        kind: PieceKind,
        /// The target.
        to: Square,
    },
    /// The only move that matches the text is illegal.
    #[error("{mv} is illegal: {reason}")]
    Illegal {
        /// The illegal move.
        mv: Move,
        /// The reason why the move is illegal.
        reason: IllegalMove,
    },
    /// Several moves match the text.
    #[error("it could be {}", list_moves(.0))]
    Ambiguous(Vec<Move>),
}

/// Reads one move in any Japanese form: with kanji or Arabic numerals of any width or a letter of いろは譜, and an
/// optional mark. Also accepted are 行 and 入 for 上, 生 for 不成, unnecessary modifiers, and KIF's `(77)`. `prev` is
/// the target of the previous move, for 同.
///
/// A possible promotion that is not written is not made, as in KIF.
///
/// # Errors
/// Fails if the text is not readable, or means no legal move, or more than one.
///
/// ```
/// use shogibar_shogi::{Move, Position, notation};
///
/// let read = notation::read("▲五8金（49）", &Position::startpos(), None);
/// assert_eq!(read, Ok(Move::from_usi("4i5h").unwrap()));
/// ```
pub fn read(text: &str, position: &Position, prev: Option<Square>) -> Result<Move, MoveReadError> {
    let (words, rest) = parse(text).ok_or_else(|| unreadable(text))?;
    if rest.trim_start().is_empty() {
        resolve(&words, position, prev)
    } else {
        Err(unreadable(text))
    }
}

/// Reads the first move of a text, and returns the result with the text after it. The result is that of [`read`], with
/// one exception. The caller has to check the legality of a move if only one piece matches the text.
///
/// Returns `None` where the text does not begin with a move.
pub fn read_first<'t>(
    text: &'t str,
    position: &Position,
    prev: Option<Square>,
) -> Option<(Result<Move, MoveReadError>, &'t str)> {
    let (words, rest) = parse(text)?;
    let found = words
        .to
        .or(prev)
        .and_then(|to| unambiguous_move(&words, position, to));
    Some((found.map_or_else(|| resolve(&words, position, prev), Ok), rest))
}

/// Reads a line of alternating moves, separated by spaces, marks or nothing.
///
/// # Errors
/// Fails with the number of the first move, from 1, that cannot be read or played, and the reason.
pub fn read_line(
    text: &str,
    start: &Position,
    prev: Option<Square>,
) -> Result<Vec<Move>, (usize, MoveReadError)> {
    let (mut position, mut prev, mut moves) = (start.without_history(), prev, Vec::new());
    let mut text = skip_separators(text);
    while !text.is_empty() {
        let number = moves.len() + 1;
        let (words, rest) = parse(text).ok_or_else(|| (number, unreadable(text)))?;
        let mv = resolve(&words, &position, prev).map_err(|error| (number, error))?;
        position
            .play(mv)
            .map_err(|reason| (number, MoveReadError::Illegal { mv, reason }))?;
        prev = Some(mv.to());
        moves.push(mv);
        text = skip_separators(rest);
    }
    Ok(moves)
}

/// Returns the error for a text that is not a move. The error quotes the first word.
pub(super) fn unreadable(text: &str) -> MoveReadError {
    MoveReadError::Unreadable(excerpt(
        text.trim().split_ascii_whitespace().next().unwrap_or_default(),
    ))
}

fn list_moves(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" or ")
}

/// Returns the legal move that parsed notation means in a position. `prev` is the target of the previous move, for 同.
pub(super) fn resolve(
    words: &MoveWords,
    position: &Position,
    prev: Option<Square>,
) -> Result<Move, MoveReadError> {
    let to = words.to.or(prev).ok_or(MoveReadError::NoMoveBefore)?;
    let drop = Move::Drop { kind: words.kind, to };
    let board = |from| Move::Board {
        from,
        to,
        promote: words.promotes == Some(true),
    };
    let check_legal = |mv| {
        position
            .check(mv)
            .map(|()| mv)
            .map_err(|reason| MoveReadError::Illegal { mv, reason })
    };
    if words.is_drop {
        return check_legal(drop);
    }
    let matching_pieces = matching_pieces(words, position, to);
    let legal: Vec<Move> = matching_pieces
        .iter()
        .copied()
        .map(board)
        .filter(|mv| position.is_legal(*mv))
        .collect();
    let could_be_drop = words.side.is_none()
        && words.motion.is_none()
        && words.origin.is_none()
        && words.promotes != Some(true);
    match (legal.as_slice(), matching_pieces.as_slice()) {
        ([only], _) => Ok(*only),
        // The pieces on the board may be pinned, or a required 打 may be missing. The move is then the drop.
        ([], _) if could_be_drop && position.is_legal(drop) => Ok(drop),
        ([], [from]) => check_legal(board(*from)),
        ([], []) if could_be_drop && position.hand(position.side_to_move()).count(words.kind) > 0 => {
            check_legal(drop)
        }
        ([], _) => Err(MoveReadError::NoSuchMove { kind: words.kind, to }),
        _ => Err(MoveReadError::Ambiguous(legal)),
    }
}

/// Returns the move of the only piece that matches the text; `None` where [`resolve`] has to decide. The legality of
/// the move is checked only if the text could also mean a drop, since most moves need no check.
fn unambiguous_move(words: &MoveWords, position: &Position, to: Square) -> Option<Move> {
    if words.is_drop || words.side.is_some() {
        return None;
    }
    let mut matching_pieces = matching_motion(words, position, to);
    let from = matching_pieces.next()?;
    if matching_pieces.next().is_some() {
        return None;
    }
    let mv = Move::Board {
        from,
        to,
        promote: words.promotes == Some(true),
    };
    let is_in_hand = position.hand(position.side_to_move()).count(words.kind) > 0;
    (!is_in_hand || position.is_legal(mv)).then_some(mv)
}

/// Returns the pieces that match the text apart from 右, 左 and 直, whether or not their move is legal.
fn matching_motion(words: &MoveWords, position: &Position, to: Square) -> impl Iterator<Item = Square> {
    let color = position.side_to_move();
    position.origins(words.kind, to).filter(move |from| {
        words.origin.is_none_or(|origin| origin == *from)
            && words
                .motion
                .is_none_or(|motion| motion == PieceMotion::between(color, *from, to))
    })
}

fn matching_pieces(words: &MoveWords, position: &Position, to: Square) -> Vec<Square> {
    let color = position.side_to_move();
    let found: Vec<Square> = matching_motion(words, position, to).collect();
    let Some(side) = words.side else { return found };
    let matches_side = |from: &Square| match (is_ranging(words.kind), side) {
        (_, RelativePosition::Straight) => {
            RelativePosition::relative_to(color, *from, to) == side
                && PieceMotion::between(color, *from, to) == PieceMotion::Up
        }
        (false, _) => RelativePosition::relative_to(color, *from, to) == side,
        // Of two 龍 the one further left is 左, wherever the target is.
        (true, _) if found.len() > 1 => found
            .iter()
            .all(|other| other == from || RelativePosition::relative_to(color, *from, *other) == side),
        (true, _) => {
            [side, RelativePosition::Straight].contains(&RelativePosition::relative_to(color, *from, to))
        }
    };
    found.iter().copied().filter(matches_side).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the move in USI notation, or the error.
    fn check(sfen: &str, text: &str, expect: Result<&str, &str>) {
        let position = Position::from_sfen(sfen).expect(sfen);
        let read = read(text, &position, Square::new(5, 5))
            .map(|mv| mv.to_string())
            .map_err(|e| e.to_string());
        assert_eq!(
            read.as_deref(),
            expect.map_err(str::to_owned).as_deref(),
            "{text} in {sfen}"
        );
    }

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
    /// A black silver at 4f can retake on 5e, the target of the previous move. So can a gold at 6f and a knight at 6g.
    const RETAKE: &str = "4k4/9/9/9/4p4/3G1S3/3N5/9/4K4 b GS 1";

    #[test]
    fn reads_squares_and_marks() {
        for text in [
            "７六歩",
            "76歩",
            "７６歩",
            "七六歩",
            "7六歩",
            "７6歩",
            "▲７六歩",
            "△ ７六歩 ",
            "☗　7六 歩",
            "▼76歩",
            "春歩",
        ] {
            check(START, text, Ok("7g7f"));
        }
        for text in ["同　銀", "同銀", "同 銀", "▲同　　銀", "５五銀", "５五同銀"] {
            check(RETAKE, text, Ok("4f5e"));
        }
        let nothing_before = read("同銀", &Position::from_sfen(RETAKE).expect(RETAKE), None);
        assert_eq!(nothing_before, Err(MoveReadError::NoMoveBefore));
    }

    #[test]
    fn reads_modifiers() {
        for text in [
            "５八金右",
            "58金右上",
            "５八金(49)",
            "５八金右（49）",
            "５八金（４九）",
            "５八　金　右",
        ] {
            check(START, text, Ok("4i5h"));
        }
        check(START, "５八金", Err("it could be 4i5h or 6i5h"));
        check(START, "５八金上", Err("it could be 4i5h or 6i5h"));
        check(START, "５八金直", Err("no G can go to 5h like that"));
        check(START, "５八金(77)", Err("no G can go to 5h like that"));
        // Unnecessary modifiers.
        for text in [
            "７六歩直",
            "７六歩上",
            "７六歩直上不成",
            "７六歩(77)",
            "７六歩行",
            "７六歩入",
            "７六歩生",
        ] {
            check(START, text, Ok("7g7f"));
        }
        check(START, "７六歩右", Err("no P can go to 7f like that"));
        check(START, "３八飛右", Ok("2h3h"));
        check(START, "３八飛左", Err("no R can go to 3h like that"));
    }

    #[test]
    fn reads_alternative_piece_names() {
        const ALL: &str = "8k/9/9/9/1+L1+N1+S1+R1/9/1+B1+P5/9/1K1g5 b - 1";
        for (texts, expect) in [
            (["８四成香", "８四杏"], "8e8d"),
            (["６四成桂", "６四圭"], "6e6d"),
            (["４四成銀", "４四全"], "4e4d"),
            (["２四龍", "２四竜"], "2e2d"),
            (["８八玉", "８八王"], "8i8h"),
            (["６八と", "６八成歩"], "6g6h"),
            (["９六馬", "９六馬右"], "8g9f"),
        ] {
            for text in texts {
                check(ALL, text, Ok(expect));
            }
        }
        check(ALL, "６四桂", Err("no N can go to 6d like that"));
        check(ALL, "６四成金", Err("'６四成金' cannot be read as a move"));
    }

    #[test]
    fn reads_promotions() {
        const NEAR: &str = "8k/1P7/9/4S4/9/8R/9/9/8K b - 1";
        check(NEAR, "５三銀成", Ok("5d5c+"));
        check(NEAR, "５三銀生", Ok("5d5c"));
        check(NEAR, "５三銀不成", Ok("5d5c"));
        check(NEAR, "５三銀", Ok("5d5c"));
        check(NEAR, "８一歩成", Ok("8b8a+"));
        check(
            NEAR,
            "８一歩",
            Err("8b8a is illegal: a piece that could not move again"),
        );
        check(NEAR, "５五銀成", Err("no S can go to 5e like that"));
        check(NEAR, "１五飛成", Err("1f1e+ is illegal: it cannot promote there"));
        check(NEAR, "５三銀成生", Err("'５三銀成生' cannot be read as a move"));
    }

    #[test]
    fn reads_drops() {
        check(RETAKE, "６五銀打", Ok("S*6e"));
        check(RETAKE, "６五金打", Ok("G*6e"));
        check(RETAKE, "６五金", Ok("6f6e"));
        check(RETAKE, "１一金", Ok("G*1a"));
        check(RETAKE, "１一金打", Ok("G*1a"));
        check(RETAKE, "１一飛打", Err("R*1a is illegal: no R in hand"));
        check(RETAKE, "１一飛", Err("no R can go to 1a like that"));
        check(RETAKE, "同金打", Err("G*5e is illegal: 5e is occupied"));
        check(START, "１一と打", Err("P*1a is illegal: no P in hand"));
        // The piece is pinned, so the text can only mean a drop; the rule requires 打 anyway.
        check("4r3k/9/9/9/9/9/9/4G4/4K4 b G 1", "４八金", Ok("G*4h"));
        check(
            "4r3k/9/9/9/9/9/9/4G4/4K4 b - 1",
            "４八金",
            Err("5h4h is illegal: the king is left in check"),
        );
        check(
            "8k/9/9/9/9/9/8P/9/8K b P 1",
            "１五歩",
            Err("P*1e is illegal: two pawns on one file"),
        );
    }

    /// Of two dragons the one further left is 左, wherever the target is.
    #[test]
    fn distinguishes_two_dragons_by_relative_position() {
        const PAIR: &str = "8k/9/9/9/9/9/9/7+R1/8+R b - 1";
        check(PAIR, "１七龍左", Ok("2h1g"));
        check(PAIR, "１七竜右", Ok("1i1g"));
        check(PAIR, "１七龍", Err("it could be 1i1g or 2h1g"));
        check(PAIR, "１七龍直", Ok("1i1g"));
    }

    #[test]
    fn rejects_text_that_is_no_move() {
        for (text, quoted) in [
            ("", ""),
            ("　", ""),
            ("投了", "投了"),
            ("７六", "７六"),
            ("７歩", "７歩"),
            ("０六歩", "０六歩"),
            ("７六歩x", "７六歩x"),
            ("７六歩 ３四歩", "７六歩"),
            ("７六歩右左", "７六歩右左"),
            ("７六歩不", "７六歩不"),
            ("７六歩(7", "７六歩(7"),
            ("7g7f", "7g7f"),
        ] {
            check(START, text, Err(&format!("'{quoted}' cannot be read as a move")));
        }
        check(
            START,
            "５六歩(57)(57)",
            Err("'５六歩(57)(57)' cannot be read as a move"),
        );
    }

    #[test]
    fn reads_lines_of_moves() {
        let check = |text: &str, expect: Result<&str, (usize, &str)>| {
            let read = read_line(text, &Position::startpos(), None);
            let read = read.map(|moves| moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" "));
            let read = read.map_err(|(number, error)| (number, error.to_string()));
            assert_eq!(
                read,
                expect
                    .map(str::to_owned)
                    .map_err(|(number, error)| (number, error.to_owned())),
                "{text}"
            );
        };
        let four = Ok("7g7f 3c3d 8h2b+ 3a2b");
        check("７六歩 ３四歩 ２二角成 同　銀", four);
        check("▲７六歩△３四歩▲２二角成△同銀", four);
        check("７六歩　３四歩２二角成 　同 銀  ", four);
        check("７六歩(77) ３四歩(33) ２二角成(88) 同　銀(31)", four);
        check("", Ok(""));
        check("同　歩", Err((1, "同 needs a move before it")));
        check("７六歩 ７六歩", Err((2, "no P can go to 7f like that")));
        check(
            "７六歩 ３四歩 resign",
            Err((3, "'resign' cannot be read as a move")),
        );
    }
}
