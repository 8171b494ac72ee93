//! What stands at the two ends of the bar: a side's name, and its percentage.

use super::canvas::OverlayCanvas;
use crate::bar::BarView;
use crate::shogi::Color;
use crate::text::PartWord;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, pos2, vec2};

/// An end of the bar.
#[derive(Clone, Copy, Debug)]
pub(super) struct BarEnd {
    /// Whose it is.
    pub(super) color: Color,
    /// Where in its box a text stands.
    pub(super) align: Align,
}

impl BarEnd {
    /// The left end and the right one.
    pub(super) fn both(sheet: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        let [left, right] = sheet.look.ends();
        [Self { color: left, align: Align::LEFT }, Self { color: right, align: Align::RIGHT }]
    }

    /// The lower end and the upper one.
    pub(super) fn upright(sheet: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        sheet.look.ends().map(|color| Self { color, align: Align::Center })
    }
}

/// The size of a piece, and its distance to the name, in points at scale 1.
const PIECE: egui::Vec2 = vec2(14.0, 15.0);
const GAP: f32 = 8.0;

/// The width of a label in place of a percentage, in parts of the size of that.
const LABEL: f32 = 1.9;

/// The room that a side's piece and name would like to have.
pub(super) fn name_width(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, color: Color, size: f32) -> f32 {
    let name = sheet.width(TextRuns::line(&[TextRun::regular(&view.side(color).name, sheet.theme().text)], size));
    // As much again as rounding may take.
    PIECE.x * sheet.scale + if name > 0.0 { GAP * sheet.scale + name + 0.5 } else { 0.0 }
}

/// A piece and a name, underlined where it is that side's turn; gives back how much room they take.
pub(super) fn name(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, end: BarEnd, size: f32, bounds: Rect) -> Rect {
    let (scale, theme) = (sheet.scale, sheet.theme());
    let BarEnd { color, align } = end;
    let (name, part) = match color {
        Color::Black => (&view.black.name, PartWord::BlackName),
        Color::White => (&view.white.name, PartWord::WhiteName),
    };
    let (piece, gap) = (PIECE * scale, GAP * scale);
    let runs = [TextRun::regular(name, theme.text)];
    // In the middle both stand there together.
    let around = match align {
        Align::Center => {
            let width = name_width(sheet, view, color, size).min(bounds.width());
            Rect::from_center_size(bounds.center(), vec2(width, bounds.height()))
        }
        Align::Min | Align::Max => bounds,
    };
    let (at, text) = match align {
        Align::Max => (around.right() - piece.x, around.with_max_x(around.right() - piece.x - gap)),
        Align::Min | Align::Center => (around.left(), around.with_min_x(around.left() + piece.x + gap)),
    };
    let inner = if align == Align::RIGHT { Align::RIGHT } else { Align::LEFT };
    let written = sheet.line(TextRuns::line(&runs, size), size, text, inner);
    let piece = Rect::from_min_size(pos2(at, bounds.center().y - piece.y / 2.0), piece);
    sheet.piece(piece, color == Color::Black, theme.text);
    sheet.name(part, name.as_str(), written.union(piece));
    let taken = if name.is_empty() { piece } else { piece.union(written) };
    let taken = Rect::from_x_y_ranges(taken.x_range(), bounds.y_range());
    if view.to_move == Some(color) {
        let line = taken.with_min_y(taken.bottom()).with_max_y(taken.bottom() + 2.0 * scale);
        sheet.underline(line);
        let said = if name.is_empty() { color_name(sheet, color) } else { name.as_str() };
        sheet.name(PartWord::ToMove, said, line);
    }
    taken
}

/// What a side is called where its name is not to be seen.
const fn color_name(sheet: &OverlayCanvas<'_, '_>, color: Color) -> &'static str {
    let label = match color {
        Color::Black => crate::text::Label::Black,
        Color::White => crate::text::Label::White,
    };
    label.text(sheet.look.lang)
}

/// The room that a percentage takes, or what stands in its place.
pub(super) fn percent_width(sheet: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
    let sheet_color = sheet.theme().text;
    let digits = sheet.width(TextRuns::line(&[TextRun::bold("88", sheet_color)], size));
    let sign = sheet.width(TextRuns::line(&[TextRun::regular("%", sheet_color)], sign(size)));
    // Or four letters, as in mate.
    (digits + sign + 3.0 * sheet.scale).max(LABEL * size * sheet.scale)
}

/// A side's percentage at its end of the bar, or how the game was decided.
pub(super) fn percentage(sheet: &mut OverlayCanvas<'_, '_>, view: &BarView, end: BarEnd, size: f32, bounds: Rect) {
    if !sheet.look.shows_numbers() {
        return;
    }
    let theme = sheet.theme();
    let BarEnd { color, align } = end;
    let part = match color {
        Color::Black => PartWord::BlackPercent,
        Color::White => PartWord::WhitePercent,
    };
    let shade = if view.stale { theme.stale } else { theme.text };
    if let Some(decided) = &view.decided {
        // The winner's end says how; where nobody won both do, unless the bar says just that.
        if decided.winner.map_or(decided.label != decided.text, |winner| winner == color) {
            let label = size * 24.0 / 34.0;
            sheet.line(TextRuns::line(&[TextRun::bold(&decided.label, shade)], label), label, bounds, align);
        }
        return;
    }
    let Some(percent) = view.side(color).percent else {
        sheet.line(TextRuns::line(&[TextRun::bold("–", theme.stale)], size), size, bounds, align);
        return;
    };
    // The sign stands on the baseline of the digits.
    let digits = percent.to_string();
    let (digits, sign) = ([TextRun::bold(&digits, shade)], ([TextRun::regular("%", shade)], sign(size)));
    let (digits, sign) = (TextRuns::line(&digits, size), TextRuns::line(&sign.0, sign.1));
    let (first, second) = (sheet.width(digits), sheet.width(sign));
    let gap = 2.0 * sheet.scale;
    let left = align.align_size_within_range(first + gap + second, bounds.x_range()).min;
    sheet.line(digits, size, bounds.with_min_x(left).with_max_x(left + first + 0.5), Align::LEFT);
    let rest = bounds.with_min_x(left + first + gap);
    sheet.line(sign, size, rest.with_max_x(rest.left() + second + 0.5), Align::LEFT);
    sheet.name(part, format!("{percent}%"), bounds);
}

/// The size of the sign beside digits.
const fn sign(digits: f32) -> f32 {
    digits * 18.0 / 34.0
}
