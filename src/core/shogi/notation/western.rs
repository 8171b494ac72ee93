//! The styles of players in the West: Hodges, Hosking, numeric, and Kitao–Kawasaki, which names the
//! pieces in Japanese. Piece, origin where needed, kind of move, target, promotion.

use super::{Act, Notation, Style, glyph};
use crate::shogi::{PieceKind, Square};

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
