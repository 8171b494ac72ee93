//! The styles of players in the West: Hodges, Hosking, numeric, and Kitao–Kawasaki, which names the
//! pieces in Japanese. Piece, origin where needed, kind of move, target, promotion.

use super::{Act, Notation, Style, glyph};
use crate::shogi::{Move, PieceKind, Position, Square};

/// The legal moves that words in one of these styles stand for, but for Kitao–Kawasaki, which is read as Japanese is.
/// Who types leaves out hyphens and crosses, and may name an origin where none is needed; a promotion that is not spoken
/// of is not made. None where the words are for no legal move, several where an origin is missing.
///
/// ```
/// use shogibar_core::shogi::{Move, Position, notation};
///
/// let start = Position::startpos();
/// assert_eq!(notation::read_western("P-7f", &start), [Move::from_usi("7g7f").unwrap()]);
/// assert_eq!(notation::read_western("G-5h", &start).len(), 2);
/// ```
pub fn read_western(text: &str, position: &Position) -> Vec<Move> {
    let said = bare(text);
    let says = |mv: &Move| {
        let Some(kind) = (match *mv {
            Move::Drop { kind, .. } => Some(kind),
            Move::Board { from, .. } => position.piece_on(from).map(|piece| piece.kind),
        }) else {
            return false;
        };
        let mut piece = String::new();
        push_piece(Notation::new(Style::Western), &mut piece, kind);
        [Style::Hodges, Style::Western].into_iter().any(|style| {
            let square = |square| {
                let mut text = String::new();
                push_square(style, &mut text, square);
                text
            };
            let to = square(mv.to());
            match *mv {
                Move::Drop { .. } => said == bare(&format!("{piece}*{to}")),
                Move::Board { from, promote, .. } => {
                    let sign = if promote { "+" } else { "" };
                    [String::new(), square(from)].iter().any(|from| said == bare(&format!("{piece}{from}{to}{sign}")))
                }
            }
        })
    };
    position.legal_moves().into_iter().filter(says).collect()
}

/// Words without what may be left out, and Hosking's sign of a drop as that of the others.
fn bare(text: &str) -> String {
    let kept = text.trim().chars().filter(|c| !['-', 'x', 'X', '=', '×', '–'].contains(c));
    kept.map(|c| if c == '\'' { '*' } else { c.to_ascii_lowercase() }).collect()
}

pub(super) fn write(notation: Notation, out: &mut String, act: &Act<'_>) {
    let style = notation.style;
    if style == Style::KitaoKawasaki {
        out.push_str(notation.mark(act.color));
    }
    push_piece(notation, out, act.kind);
    let Some(from) = act.from else {
        out.push(if style == Style::Hosking { '\'' } else { '*' });
        push_square(style, out, act.to);
        return;
    };
    let ambiguous = act.rivals().next().is_some();
    if ambiguous {
        push_origin(style, out, from);
    }
    let captures = act.position.piece_on(act.to).is_some();
    if captures {
        out.push('x');
    } else if ambiguous || style != Style::Hosking {
        // Between two squares Hosking too puts a hyphen.
        out.push('-');
    }
    let retakes = captures && act.same && style == Style::KitaoKawasaki;
    if !retakes {
        push_square(style, out, act.to);
    }
    if act.could_promote() {
        out.push(if act.promotes { '+' } else { '=' });
    }
}

fn push_piece(notation: Notation, out: &mut String, kind: PieceKind) {
    let by_letter = notation.style != Style::KitaoKawasaki;
    let has_own_name = matches!(kind, PieceKind::ProPawn | PieceKind::Horse | PieceKind::Dragon);
    if by_letter || !has_own_name {
        if kind.is_promoted() {
            out.push('+');
        }
        if by_letter {
            out.push(kind.letter());
        } else {
            out.push_str(glyph::piece(notation, kind.unpromoted()));
        }
    } else {
        out.push_str(glyph::piece(notation, kind));
    }
}

fn push_origin(style: Style, out: &mut String, from: Square) {
    if style == Style::KitaoKawasaki {
        super::japanese::push_origin(out, from);
    } else {
        push_square(style, out, from);
    }
}

fn push_square(style: Style, out: &mut String, square: Square) {
    if style == Style::Hodges {
        out.push_str(glyph::half(square.file()));
        out.push(square.rank_letter());
    } else {
        glyph::push_half(out, square);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shogi::any;
    use proptest::prelude::*;

    #[test]
    fn what_is_typed_may_say_more_or_less_than_is_written() {
        let check = |sfen: &str, text: &str, expect: &[&str]| {
            let position = Position::from_sfen(sfen).expect(sfen);
            let read: Vec<_> = read_western(text, &position).iter().map(Move::to_string).collect();
            assert_eq!(read, expect, "{text}");
        };
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        for text in ["P-7f", "p7f", "P76", "P-76", "P7g-7f", "P77-76", " P-7f "] {
            check(start, text, &["7g7f"]);
        }
        check(start, "G-5h", &["4i5h", "6i5h"]);
        check(start, "G4i-5h", &["4i5h"]);
        check(start, "P-7e", &[]);
        check(start, "", &[]);
        let open = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b P 1";
        check(open, "Bx2b+", &["8h2b+"]);
        check(open, "Bx22=", &["8h2b"]);
        check(open, "B-2b", &["8h2b"]);
        check(open, "P*7d", &[]);
        check("4k4/9/9/9/9/9/9/9/4K4 b P 1", "P'54", &["P*5d"]);
        check("4k4/9/9/4+R4/9/9/9/9/4K4 b - 1", "+R-4d", &["5d4d"]);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(position in any::position(0.3)) {
            for mv in position.legal_moves() {
                for style in [Style::Hodges, Style::Hosking, Style::Western] {
                    let mut words = String::new();
                    Notation::new(style).write(&mut words, &position, mv, None).expect("it is legal");
                    prop_assert_eq!(read_western(&words, &position), [mv], "{}", words);
                }
            }
        }
    }
}
