//! The Western styles: Hodges, Hosking, that of 81Dojo, and Kitao–Kawasaki, which names the
//! pieces in Japanese. The parts are piece, origin where needed, kind of move, target and promotion.

use super::parse::MoveWords;
use super::read::{MoveReadError, resolve, unreadable};
use super::{MoveContext, Notation, Style, glyph};
use crate::{Move, PieceKind, Position, Square};

/// Reads a move in a Western style, except Kitao–Kawasaki, which is read as Japanese. Hyphens, crosses and the origin
/// are optional. A possible promotion that is not written is not made.
///
/// # Errors
/// Fails if the text is not readable, or means no legal move, or more than one.
///
/// ```
/// use shogibar_shogi::{Move, Position, notation};
///
/// let start = Position::startpos();
/// assert_eq!(notation::read_western("P-7f", &start), Ok(Move::from_usi("7g7f").unwrap()));
/// assert!(matches!(notation::read_western("G-5h", &start), Err(notation::MoveReadError::Ambiguous(_))));
/// ```
pub fn read_western(text: &str, position: &Position) -> Result<Move, MoveReadError> {
    let words = parse(text).ok_or_else(|| unreadable(text))?;
    resolve(&words, position, None)
}

/// Parses a move: piece, optional star or origin, target and promotion.
fn parse(text: &str) -> Option<MoveWords> {
    let ignored = ['-', '–', 'x', 'X', '×', '='];
    let mut letters = text.trim().chars().filter(|c| !ignored.contains(c)).peekable();
    let is_promoted = letters.next_if_eq(&'+').is_some();
    let kind = PieceKind::from_letter(letters.next()?.to_ascii_uppercase())?;
    let kind = if is_promoted { kind.promoted()? } else { kind };
    // Hosking writes an apostrophe for a drop.
    let is_drop = letters.next_if(|c| ['*', '\''].contains(c)).is_some();
    let first = square(&mut letters)?;
    let (origin, to) = match letters.peek() {
        Some(c) if *c != '+' => (Some(first), square(&mut letters)?),
        _ => (None, first),
    };
    let promotes = letters.next_if_eq(&'+').is_some();
    let is_complete = letters.next().is_none() && !(is_drop && (promotes || origin.is_some()));
    let words = MoveWords {
        to: Some(to),
        kind,
        side: None,
        motion: None,
        origin,
        is_drop,
        promotes: Some(promotes),
    };
    is_complete.then_some(words)
}

/// Parses a square as 7f or 76.
fn square(letters: &mut impl Iterator<Item = char>) -> Option<Square> {
    let file = letters.next()?.to_digit(10)?;
    let rank = letters.next()?.to_ascii_lowercase();
    let rank = rank
        .to_digit(10)
        .or_else(|| u32::from(rank).checked_sub(u32::from('a'))?.checked_add(1))?;
    Square::new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
}

/// Appends a move in one of these styles.
pub(super) fn write(notation: Notation, out: &mut String, context: &MoveContext<'_>) {
    let style = notation.style;
    if style == Style::KitaoKawasaki {
        out.push_str(notation.mark(context.color));
    }
    push_piece(notation, out, context.kind);
    let Some(from) = context.from else {
        out.push(if style == Style::Hosking { '\'' } else { '*' });
        push_square(style, out, context.to);
        return;
    };
    let ambiguous = context.rivals().next().is_some();
    if ambiguous {
        push_origin(style, out, from);
    }
    let captures = context.position.piece_on(context.to).is_some();
    if captures {
        out.push('x');
    } else if ambiguous || style != Style::Hosking {
        // Hosking also writes a hyphen between two squares.
        out.push('-');
    }
    let retakes = captures && context.is_same_target && style == Style::KitaoKawasaki;
    if !retakes {
        push_square(style, out, context.to);
    }
    if context.could_promote() {
        out.push(if context.promotes { '+' } else { '=' });
    }
}

/// Appends a piece: a letter, or in Kitao–Kawasaki the name in kanji. A promoted piece has a plus before it, unless it
/// has a name in one kanji.
fn push_piece(notation: Notation, out: &mut String, kind: PieceKind) {
    let uses_letters = notation.style != Style::KitaoKawasaki;
    let has_short_name = matches!(kind, PieceKind::ProPawn | PieceKind::Horse | PieceKind::Dragon);
    if uses_letters || !has_short_name {
        if kind.is_promoted() {
            out.push('+');
        }
        if uses_letters {
            out.push(kind.letter());
        } else {
            out.push_str(glyph::piece_name(notation, kind.unpromoted()));
        }
    } else {
        out.push_str(glyph::piece_name(notation, kind));
    }
}

/// Appends the origin of an ambiguous move.
fn push_origin(style: Style, out: &mut String, from: Square) {
    if style == Style::KitaoKawasaki {
        super::japanese::push_origin(out, from);
    } else {
        push_square(style, out, from);
    }
}

/// Appends a square: the rank as a letter in Hodges' style, else as a digit.
fn push_square(style: Style, out: &mut String, square: Square) {
    if style == Style::Hodges {
        out.push_str(glyph::half_width_digit(square.file()));
        out.push(square.rank_letter());
    } else {
        glyph::push_half_width(out, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any;
    use proptest::prelude::*;

    #[test]
    fn reads_optional_origins_and_separators() {
        let check = |sfen: &str, text: &str, expect: Result<&str, &str>| {
            let position = Position::from_sfen(sfen).expect(sfen);
            let read = read_western(text, &position)
                .map(|mv| mv.to_string())
                .map_err(|why| why.to_string());
            assert_eq!(read, expect.map(str::to_owned).map_err(str::to_owned), "{text}");
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for text in ["P-7f", "p7f", "P76", "P-76", "P7g-7f", "P77-76", " P-7F "] {
            check(start, text, Ok("7g7f"));
        }
        check(start, "G-5h", Err("it could be 4i5h or 6i5h"));
        check(start, "G4i-5h", Ok("4i5h"));
        check(start, "P-7e", Err("no P can go to 7e like that"));
        check(start, "P*7e", Err("P*7e is illegal: no P in hand"));
        check(start, "Bx7g", Err("8h7g is illegal: 7g is occupied"));
        for text in [
            "",
            "P",
            "P-7",
            "P-0f",
            "P-7k",
            "P7f7f7f",
            "+G-5h",
            "X-7f",
            "P*7f+",
            "76",
            "７六歩",
            "P-7f x",
            "P7g*7f",
        ] {
            assert!(
                matches!(
                    read_western(text, &Position::startpos()),
                    Err(MoveReadError::Unreadable(_))
                ),
                "{text}"
            );
        }
        let open = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b P 1";
        check(open, "Bx2b+", Ok("8h2b+"));
        check(open, "Bx22=", Ok("8h2b"));
        check(open, "B-2b", Ok("8h2b"));
        check(open, "P*7d", Err("P*7d is illegal: two pawns on one file"));
        check("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P'54", Ok("P*5d"));
        check("4k4/9/9/4+R4/9/9/9/9/4K4 b - 1", "+R-4d", Ok("5d4d"));
    }

    proptest! {
        #[test]
        fn output_is_read_back(position in any::position(0.3)) {
            for mv in position.legal_moves() {
                for style in [Style::Hodges, Style::Hosking, Style::Western] {
                    let mut words = String::new();
                    Notation::new(style).write(&mut words, &position, mv, None).expect("it is legal");
                    prop_assert_eq!(read_western(&words, &position), Ok(mv), "{}", words);
                }
            }
        }
    }
}
