//! The official Japanese notation, and the styles that differ only in the names of squares.

use super::geometry::{PieceMotion, RelativePosition};
use super::modifier::Modifier;
use super::{MoveContext, Notation, glyph};
use crate::Square;

/// 同 with a full-width space, so that columns of moves line up.
pub(super) const SAME_SQUARE: &str = "同　";

/// Appends a move in one of these styles.
pub(super) fn write(notation: Notation, out: &mut String, context: &MoveContext<'_>) {
    out.push_str(notation.mark(context.color));
    if context.is_same_target {
        out.push_str(SAME_SQUARE);
    } else {
        glyph::push_square(notation, out, context.to);
    }
    out.push_str(glyph::piece_name(notation, context.kind));
    let Some(from) = context.from else {
        if context.rivals().next().is_some() {
            out.push('打');
        }
        return;
    };
    let modifier = Modifier::for_move(context, from);
    out.push_str(modifier.side.map_or("", RelativePosition::text));
    out.push_str(modifier.motion.map_or("", PieceMotion::text));
    if let Some(origin) = modifier.origin {
        push_origin(out, origin);
    }
    if context.could_promote() {
        out.push_str(if context.promotes { "成" } else { "不成" });
    }
}

/// Appends an origin as KIF writes it: `(77)`.
pub(super) fn push_origin(out: &mut String, origin: Square) {
    out.push('(');
    glyph::push_half_width(out, origin);
    out.push(')');
}
