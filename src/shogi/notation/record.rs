//! The move notation of the record formats KIF and CSA.
//!
//! KIF resembles the official notation but has another grammar. The origin is in parentheses, and every drop has 打.
//! There is no 右 左 直 上 寄 引 and no 不成.

use super::japanese::{SAME_SQUARE, push_origin};
use super::{MoveContext, Notation, glyph};
use crate::Color;

/// Appends a move in KIF's notation, without the mark of its side.
pub(super) fn write_kif(notation: Notation, out: &mut String, context: &MoveContext<'_>) {
    if context.is_same_target {
        out.push_str(SAME_SQUARE);
    } else {
        glyph::push_square(notation, out, context.to);
    }
    out.push_str(glyph::piece_name(notation, context.kind));
    match context.from {
        None => out.push('打'),
        Some(from) => {
            if context.promotes {
                out.push('成');
            }
            push_origin(out, from);
        }
    }
}

/// Appends a move in CSA's notation, with the sign of its side: `+2726FU`.
pub(super) fn write_csa(out: &mut String, context: &MoveContext<'_>) {
    out.push(match context.color {
        Color::Black => '+',
        Color::White => '-',
    });
    match context.from {
        None => out.push_str("00"),
        Some(from) => glyph::push_half_width(out, from),
    }
    glyph::push_half_width(out, context.to);
    let after = if context.promotes {
        context.kind.promoted()
    } else {
        None
    };
    out.push_str(after.unwrap_or(context.kind).csa());
}
