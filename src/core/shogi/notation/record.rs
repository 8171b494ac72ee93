//! The moves of the record formats KIF and CSA.
//!
//! KIF looks like the official notation and is another grammar: the origin in parentheses, 打 on
//! every drop, no 右 左 直 上 寄 引 and no 不成.

use super::japanese::{SAME, push_origin};
use super::{MoveContext, Notation, glyph};
use crate::shogi::Color;

pub(super) fn write_kif(notation: Notation, out: &mut String, act: &MoveContext<'_>) {
    if act.same {
        out.push_str(SAME);
    } else {
        glyph::push_square(notation, out, act.to);
    }
    out.push_str(glyph::piece(notation, act.kind));
    match act.from {
        None => out.push('打'),
        Some(from) => {
            if act.promotes {
                out.push('成');
            }
            push_origin(out, from);
        }
    }
}

pub(super) fn write_csa(out: &mut String, act: &MoveContext<'_>) {
    out.push(match act.color {
        Color::Black => '+',
        Color::White => '-',
    });
    match act.from {
        None => out.push_str("00"),
        Some(from) => glyph::push_half(out, from),
    }
    glyph::push_half(out, act.to);
    let after = if act.promotes { act.kind.promoted() } else { None };
    out.push_str(after.unwrap_or(act.kind).csa());
}
