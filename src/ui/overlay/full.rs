//! The full layout: names, bar and percentages above, candidates and the engine's figures below.

use super::frame::{Frame, MOST_CANDIDATES};
use super::sheet::{Picture, Sheet};
use super::{candidates, columns, share};
use crate::bar::{Notice, SideView, View};
use crate::shogi::Color;
use crate::text::Part;
use crate::ui::Theme;
use crate::ui::lettering::{Run, Text};
use eframe::egui;
use egui::epaint::text::FontsView;
use egui::{Align, Color32, CornerRadius, Rect, vec2};

// The sizes of type, in points at scale 1.
const PERCENT: f32 = 34.0;
const SIGN: f32 = 18.0;
const LABEL: f32 = 24.0;
const NAME: f32 = 15.0;
const LINE: f32 = 13.5;
const QUIET: f32 = 12.5;

/// Draws the view into `rect`.
pub(super) fn draw(fonts: &mut FontsView<'_>, view: &View, share: f32, theme: &Theme, rect: Rect) -> Picture {
    let asked = view.engines.iter().map(|engine| engine.asked).max().unwrap_or(0).min(MOST_CANDIDATES);
    let mut frame = Frame::of(rect, asked);
    let columns = columns::of(view, &frame);
    if columns.is_some() {
        // For the headings.
        frame = Frame::of(rect, asked + 1);
    }
    let mut sheet = Sheet { fonts, theme, scale: frame.scale, engine: None, picture: Picture::default() };
    let corner = share::whole(sheet.radius(theme.panel_corner));
    sheet.fill(rect, CornerRadius::same(corner), theme.panel);
    header(&mut sheet, view, &frame, columns.is_some());
    share::draw(&mut sheet, view, share, frame.bar);
    percentage(&mut sheet, view, Color::Black, frame.black);
    percentage(&mut sheet, view, Color::White, frame.white);
    if frame.count > 0 {
        sheet.fill(frame.separator, CornerRadius::ZERO, theme.separator);
        match (&view.notice, columns) {
            (None, Some(columns)) => columns::draw(&mut sheet, view, &frame, &columns),
            _ => one_engine(&mut sheet, view, &frame),
        }
    }
    sheet.picture
}

/// The engine that stands for all, and the evaluation that the bar shows.
fn one_engine(sheet: &mut Sheet<'_, '_>, view: &View, frame: &Frame) {
    let left = figures(sheet, view, frame);
    match view.notice() {
        Some(notice) => self::notice(sheet, notice, left),
        None => candidates::draw(sheet, view.lead(), &frame.rows_from(0, left.x_range())),
    }
}

/// The names at the ends, the place in the game between them, and the evaluation where it has no other place.
fn header(sheet: &mut Sheet<'_, '_>, view: &View, frame: &Frame, evaluated: bool) {
    let (bounds, gap) = (frame.names, 14.0 * sheet.scale);
    let theme = sheet.theme;
    let [before, last, after] = view.place.each_ref().map(|part| part.trim());
    // A little air around the move, which the words themselves do not ask for in Japanese.
    let space = Run::bold(if last.is_empty() { "" } else { " " }, theme.text);
    let (before, after) = (Run::regular(before, theme.quiet), Run::regular(after, theme.quiet));
    let mut runs = vec![before, space, Run::bold(last, theme.text), space, after];
    let [evaluation, between, situation] = head(view, theme);
    if evaluated {
        runs.extend([Run::regular("　", theme.quiet), evaluation, between, situation]);
    }
    // The smallest window has no other room for a notice.
    let notice = view.notice().filter(|_| frame.count == 0);
    if let Some(notice) = notice {
        runs = vec![Run::regular(&notice.text, notice_color(theme, notice))];
    }
    let place = Text::line(&runs, LINE);
    let reserved = sheet.width(place).min(bounds.width() * if evaluated { 0.5 } else { 0.36 });
    let most = (bounds.width() - reserved) / 2.0 - gap;
    let black = name(sheet, &view.black, view, Color::Black, bounds.with_max_x(bounds.left() + most));
    let white = name(sheet, &view.white, view, Color::White, bounds.with_min_x(bounds.right() - most));
    // In the middle of the window, whatever the names.
    let side = black.width().max(white.width()) + gap;
    let shown = sheet.line(place, NAME, bounds.shrink2(vec2(side, 0.0)), Align::Center);
    match notice {
        Some(notice) => sheet.name(Part::Notice, notice.text.as_str(), shown),
        None => sheet.name(Part::Place, view.place.concat(), shown),
    }
    if evaluated {
        sheet.name(Part::Evaluation, view.evaluation.as_str(), shown);
        sheet.name(Part::Situation, view.situation.as_str(), shown);
    }
}

/// A piece and a name, underlined where it is that side's turn; gives back how much room they take.
fn name(sheet: &mut Sheet<'_, '_>, side: &SideView, view: &View, color: Color, bounds: Rect) -> Rect {
    let (scale, theme) = (sheet.scale, sheet.theme);
    let (piece, gap) = (vec2(14.0, 15.0) * scale, 8.0 * scale);
    let runs = [Run::regular(&side.name, theme.text)];
    let (at, text, part) = match color {
        Color::Black => (bounds.left(), bounds.with_min_x(bounds.left() + piece.x + gap), Part::BlackName),
        Color::White => (bounds.right() - piece.x, bounds.with_max_x(bounds.right() - piece.x - gap), Part::WhiteName),
    };
    let align = if color == Color::Black { Align::LEFT } else { Align::RIGHT };
    let written = sheet.line(Text::line(&runs, NAME), NAME, text, align);
    let piece = Rect::from_min_size(egui::pos2(at, bounds.center().y - piece.y / 2.0), piece);
    sheet.piece(piece, color == Color::Black, theme.text);
    sheet.name(part, side.name.as_str(), written.union(piece));
    let taken = bounds.with_min_x(written.left().min(piece.left())).with_max_x(written.right().max(piece.right()));
    if view.to_move == Some(color) {
        let line = taken.with_min_y(taken.bottom()).with_max_y(taken.bottom() + 2.0 * scale);
        sheet.fill(line, CornerRadius::ZERO, theme.accent);
        sheet.name(Part::ToMove, side.name.as_str(), line);
    }
    taken
}

/// A side's percentage at its end of the bar, or how the game was decided.
fn percentage(sheet: &mut Sheet<'_, '_>, view: &View, color: Color, bounds: Rect) {
    let theme = sheet.theme;
    let (side, align, part) = match color {
        Color::Black => (&view.black, Align::LEFT, Part::BlackPercent),
        Color::White => (&view.white, Align::RIGHT, Part::WhitePercent),
    };
    let shade = if view.stale { theme.stale } else { theme.text };
    if let Some(decided) = &view.decided {
        // The winner's end says how; where nobody won both do, unless the bar says just that.
        if decided.winner.map_or(decided.label != decided.text, |winner| winner == color) {
            sheet.line(Text::line(&[Run::bold(&decided.label, shade)], LABEL), LABEL, bounds, align);
        }
        return;
    }
    let Some(percent) = side.percent else {
        sheet.line(Text::line(&[Run::bold("–", theme.stale)], PERCENT), PERCENT, bounds, align);
        return;
    };
    // The sign stands on the baseline of the digits.
    let digits = percent.to_string();
    let (digits, sign) = ([Run::bold(&digits, shade)], [Run::regular("%", shade)]);
    let (digits, sign) = (Text::line(&digits, PERCENT), Text::line(&sign, SIGN));
    let (first, second) = (sheet.width(digits), sheet.width(sign));
    let gap = 2.0 * sheet.scale;
    let left = align.align_size_within_range(first + gap + second, bounds.x_range()).min;
    sheet.line(digits, PERCENT, bounds.with_min_x(left).with_max_x(left + first + 0.5), Align::LEFT);
    let rest = bounds.with_min_x(left + first + gap);
    sheet.line(sign, PERCENT, rest.with_max_x(rest.left() + second + 0.5), Align::LEFT);
    sheet.name(part, format!("{percent}%"), bounds);
}

/// The evaluation, and what the engine did for it, at the right end; gives back what is left of the
/// rows beside them.
fn figures(sheet: &mut Sheet<'_, '_>, view: &View, frame: &Frame) -> Rect {
    let (scale, theme) = (sheet.scale, sheet.theme);
    let engine = view.lead();
    let quiet = if engine.stale { theme.stale } else { theme.quiet };
    let head = head(view, theme);
    let [first, second] = engine.figures.each_ref().map(|line| [Run::regular(line, quiet)]);
    let lines = [Text::line(&head, NAME), Text::line(&first, QUIET), Text::line(&second, QUIET)];
    let most = if frame.count > 1 { lines.len() } else { 1 };
    let shown: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).take(most).collect();

    let widest = shown.iter().map(|line| sheet.width(*line)).fold(0.0, f32::max);
    if shown.is_empty() {
        return frame.rows;
    }
    // In steps, so that the lines of moves do not change their length with every figure.
    let step = 24.0 * scale;
    let width = ((widest / step).ceil() * step).min(frame.rows.width() * 0.36);
    let column = frame.rows.with_min_x(frame.rows.right() - width);
    // Far apart, or as close as two rows force them to be.
    let middles: [f32; 3] = match frame.count {
        1 => [column.height() / scale / 2.0, 0.0, 0.0],
        2 => [12.0, 32.0, 49.0],
        _ => [13.0, 36.0, 55.0],
    };
    for (line, middle) in shown.into_iter().zip(middles) {
        let middle = column.top() + middle * scale;
        let bounds = Rect::from_x_y_ranges(column.x_range(), middle - 9.0 * scale..=middle + 9.0 * scale);
        sheet.line(line, line.size, bounds, Align::RIGHT);
    }
    sheet.name(Part::Evaluation, view.evaluation.as_str(), column);
    sheet.name(Part::Situation, view.situation.as_str(), column);
    sheet.name(Part::Engine, engine.figures.join("　").trim(), column);
    frame.rows.with_max_x(column.left() - 22.0 * scale)
}

/// The evaluation and the situation in words.
fn head<'a>(view: &'a View, theme: &Theme) -> [Run<'a>; 3] {
    let shade = if view.stale { theme.stale } else { theme.text };
    let space = if view.evaluation.is_empty() || view.situation.is_empty() { "" } else { " " };
    [&view.evaluation, space, &view.situation].map(|text| Run::bold(text, shade))
}

/// A sentence in place of the candidates, with the last lines of the engine below it.
pub(super) fn notice(sheet: &mut Sheet<'_, '_>, notice: &Notice, bounds: Rect) {
    let theme = sheet.theme;
    let line = 22.0 * sheet.scale;
    // The sentence goes first, but where there is room for more than two lines one is a detail's.
    let reserved = if notice.details.is_empty() || bounds.height() < 3.0 * line { 0.0 } else { line };
    let room = ((bounds.height() - reserved) / line).floor().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let text =
        Text { runs: &[Run::regular(&notice.text, notice_color(theme, notice))], size: NAME, lines: room as usize };
    let written = sheet.block(text, bounds);
    sheet.name(Part::Notice, [std::slice::from_ref(&notice.text), &notice.details].concat().join("\n"), bounds);

    let height = 17.0 * sheet.scale;
    let mut top = written.bottom() + 4.0 * sheet.scale;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few lines")]
    let fitting = ((bounds.bottom() + 2.0 * sheet.scale - top) / height).floor().max(0.0) as usize;
    // The last ones: there the engine says what happened to it.
    for detail in notice.details.iter().skip(notice.details.len().saturating_sub(fitting)) {
        let row = bounds.with_min_y(top).with_max_y(top + height);
        sheet.line(Text::line(&[Run::regular(detail, theme.quiet)], QUIET), QUIET, row, Align::LEFT);
        top += height;
    }
}

fn notice_color(theme: &Theme, notice: &Notice) -> Color32 {
    if notice.failure { theme.accent } else { theme.quiet }
}
