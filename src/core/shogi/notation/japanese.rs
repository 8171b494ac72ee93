//! The official Japanese notation, and the styles that differ from it only in naming squares.

use super::geometry::{OriginPlace, PieceMotion};
use super::modifier::Modifier;
use super::{MoveContext, Notation, glyph};
use crate::shogi::Square;

/// A full-width space always follows 同, so that columns of moves line up.
pub(super) const SAME: &str = "同　";

pub(super) fn write(notation: Notation, out: &mut String, act: &MoveContext<'_>) {
    out.push_str(notation.mark(act.color));
    if act.same {
        out.push_str(SAME);
    } else {
        glyph::push_square(notation, out, act.to);
    }
    out.push_str(glyph::piece(notation, act.kind));
    let Some(from) = act.from else {
        if act.rivals().next().is_some() {
            out.push('打');
        }
        return;
    };
    let modifier = Modifier::for_move(act, from);
    out.push_str(modifier.place.map_or("", OriginPlace::text));
    out.push_str(modifier.motion.map_or("", PieceMotion::text));
    if let Some(origin) = modifier.origin {
        push_origin(out, origin);
    }
    if act.could_promote() {
        out.push_str(if act.promotes { "成" } else { "不成" });
    }
}

/// Appends an origin as KIF writes it.
pub(super) fn push_origin(out: &mut String, origin: Square) {
    out.push('(');
    glyph::push_half(out, origin);
    out.push(')');
}
