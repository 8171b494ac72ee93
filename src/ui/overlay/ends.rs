//! The two ends of the bar: a side's name and its percentage.

use super::canvas::OverlayCanvas;
use crate::bar::BarView;
use crate::shogi::Color;
use crate::text::{Label, PartWord};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, pos2, vec2};

/// An end of the bar.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarEnd {
    /// The side at this end.
    pub(super) color: Color,
    /// The alignment of its text.
    pub(super) align: Align,
}

impl BarEnd {
    /// Returns the left end and the right one.
    pub(super) fn both(canvas: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        let [left, right] = canvas.look.ends();
        [Self { color: left, align: Align::LEFT }, Self { color: right, align: Align::RIGHT }]
    }

    /// Returns the lower end and the upper one.
    pub(super) fn upright(canvas: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        canvas.look.ends().map(|color| Self { color, align: Align::Center })
    }
}

/// The size of a piece symbol, and its distance to the name, in points at scale 1.
const PIECE: egui::Vec2 = vec2(14.0, 15.0);
const GAP: f32 = 8.0;

/// The width of a label in place of a percentage, as a multiple of the percentage's font size.
const LABEL: f32 = 1.9;

/// Returns the preferred width of a side's piece symbol and name.
pub(super) fn name_width(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, color: Color, size: f32) -> f32 {
    let name = canvas.width(TextRuns::line(&[TextRun::regular(&view.side(color).name, canvas.theme().text)], size));
    // The extra half point allows for rounding.
    PIECE.x * canvas.scale + if name > 0.0 { GAP * canvas.scale + name + 0.5 } else { 0.0 }
}

/// Draws a piece symbol and a name, underlined if the side is to move. Returns the room that they take.
pub(super) fn name(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, end: BarEnd, size: f32, bounds: Rect) -> Rect {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let BarEnd { color, align } = end;
    let (name, part) = match color {
        Color::Black => (&view.black.name, PartWord::BlackName),
        Color::White => (&view.white.name, PartWord::WhiteName),
    };
    let (piece, gap) = (PIECE * scale, GAP * scale);
    let runs = [TextRun::regular(name, theme.text)];
    // In the centre, symbol and name are centred together.
    let around = match align {
        Align::Center => {
            let width = name_width(canvas, view, color, size).min(bounds.width());
            Rect::from_center_size(bounds.center(), vec2(width, bounds.height()))
        }
        Align::Min | Align::Max => bounds,
    };
    let (at, text) = match align {
        Align::Max => (around.right() - piece.x, around.with_max_x(around.right() - piece.x - gap)),
        Align::Min | Align::Center => (around.left(), around.with_min_x(around.left() + piece.x + gap)),
    };
    let inner = if align == Align::RIGHT { Align::RIGHT } else { Align::LEFT };
    let written = canvas.line(TextRuns::line(&runs, size), size, text, inner);
    let piece = Rect::from_min_size(pos2(at, bounds.center().y - piece.y / 2.0), piece);
    canvas.piece(piece, color == Color::Black, theme.text);
    canvas.name(part, name.as_str(), written.union(piece));
    let taken = if name.is_empty() { piece } else { piece.union(written) };
    let taken = Rect::from_x_y_ranges(taken.x_range(), bounds.y_range());
    if view.to_move == Some(color) {
        let line = taken.with_min_y(taken.bottom()).with_max_y(taken.bottom() + 2.0 * scale);
        canvas.underline(line);
        let player = if name.is_empty() { color_name(canvas, color) } else { name.as_str() };
        canvas.name(PartWord::ToMove, player, line);
    }
    taken
}

/// Returns the name of a side, for a screen reader, where the player's name is hidden.
fn color_name(canvas: &OverlayCanvas<'_, '_>, color: Color) -> &'static str {
    let label = if color == Color::Black { Label::Black } else { Label::White };
    label.text(canvas.look.lang)
}

/// Returns the width of a percentage or of the label in its place.
pub(super) fn percent_width(canvas: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
    let text_color = canvas.theme().text;
    let digits = canvas.width(TextRuns::line(&[TextRun::bold("88", text_color)], size));
    let sign = canvas.width(TextRuns::line(&[TextRun::regular("%", text_color)], sign(size)));
    // The label has up to four letters.
    (digits + sign + 3.0 * canvas.scale).max(LABEL * size * canvas.scale)
}

/// Draws a side's percentage at its end of the bar, or the label of the result.
pub(super) fn percentage(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, end: BarEnd, size: f32, bounds: Rect) {
    if !canvas.look.shows_numbers() {
        return;
    }
    let theme = canvas.theme();
    let BarEnd { color, align } = end;
    let part = if color == Color::Black { PartWord::BlackPercent } else { PartWord::WhitePercent };
    let shade = if view.stale { theme.stale } else { theme.text };
    if let Some(decided) = &view.decided {
        // The label is drawn at the winner's end. For a draw it is drawn at both ends, unless the bar has the same
        // text.
        if decided.winner.map_or(decided.label != decided.text, |winner| winner == color) {
            let label = size * 24.0 / 34.0;
            canvas.line(TextRuns::line(&[TextRun::bold(&decided.label, shade)], label), label, bounds, align);
        }
        return;
    }
    let Some(percent) = view.side(color).percent else {
        canvas.line(TextRuns::line(&[TextRun::bold("–", theme.stale)], size), size, bounds, align);
        return;
    };
    // The percent sign is on the baseline of the digits.
    let digits = percent.to_string();
    let (digits, sign) = ([TextRun::bold(&digits, shade)], ([TextRun::regular("%", shade)], sign(size)));
    let (digits, sign) = (TextRuns::line(&digits, size), TextRuns::line(&sign.0, sign.1));
    let (first, second) = (canvas.width(digits), canvas.width(sign));
    let gap = 2.0 * canvas.scale;
    let left = align.align_size_within_range(first + gap + second, bounds.x_range()).min;
    canvas.line(digits, size, bounds.with_min_x(left).with_max_x(left + first + 0.5), Align::LEFT);
    let rest = bounds.with_min_x(left + first + gap);
    canvas.line(sign, size, rest.with_max_x(rest.left() + second + 0.5), Align::LEFT);
    canvas.name(part, format!("{percent}%"), bounds);
}

/// Returns the font size of the percent sign beside digits.
const fn sign(digits: f32) -> f32 {
    digits * 18.0 / 34.0
}
