//! The card that announces a turning point: in place of the candidates, beside the bar, or in one line above the bar.

use super::canvas::OverlayCanvas;
use super::chips::Chip;
use super::remaining_space::RemainingSpace;
use super::shares;
use crate::PartWord;
use crate::text_runs::{TextRun, TextRuns};
use crate::theme::faded;
use eframe::egui;
use egui::{Align, CornerRadius, Rect, Vec2, pos2, vec2};
use shogibar_games::bar::TurningCard;
use shogibar_shogi::Color;
use shogibar_shogi::score::percent;

/// The minimum height of a card in place of the candidates, as a multiple of the smallest readable font size.
const MIN_HEIGHT_EMS: f32 = 6.0;

/// The size of a card beside an upright bar, in points of the design window, and the width of that window.
const TALL_SIZE: Vec2 = vec2(300.0, 330.0);
const TALL_WINDOW_WIDTH: f32 = 220.0;
/// The height of a card beside an upright bar that shows only numbers, in points of the design window.
const TALL_NUMBERS_HEIGHT: f32 = 240.0;
/// The width of a card beside a bar in one line, as a fraction of the window's width: that of the bar.
const LINE_WIDTH_FRACTION: f32 = 0.423;
/// The height of a wide card, as a fraction of its width.
const WIDE_HEIGHT_FRACTION: f32 = 0.1816;
/// The smallest width of a wide card, as a multiple of the smallest readable font size.
const MIN_WIDTH_EMS: f32 = 30.0;
/// The gap between the bar and a card beside it, in points.
const GAP: f32 = 8.0;
/// The ratio of width to height from which a window counts as one line.
const LINE_ASPECT_RATIO: f32 = 6.0;

/// The font size of the percentages on a narrow card, in points of the design window. It is the smallest one.
const TALL_LABEL_SIZE: f32 = 19.0;
/// The smallest ratio of width to height of a card with the shares beside the texts.
const MIN_WIDE_ASPECT_RATIO: f32 = 2.2;

/// The sizes of a wide card, as fractions of its height: heading, move, loss, better move, reason, label.
const WIDE_FONTS: [f32; 6] = [0.15, 0.21, 0.19, 0.17, 0.135, 0.12];

/// Returns the size of a card beside a bar in a window of this size, in points of the screen.
pub(super) fn size_beside(window: Vec2, card: &TurningCard, min_font_size: f32) -> Vec2 {
    if is_upright(window) {
        let scale = (window.x / TALL_WINDOW_WIDTH).min(1.6).max(min_font_size / 15.0);
        return vec2(TALL_SIZE.x, tall_height(card)) * scale;
    }
    let part = if window.x >= LINE_ASPECT_RATIO * window.y {
        LINE_WIDTH_FRACTION
    } else {
        1.0
    };
    let width = (window.x * part).max(MIN_WIDTH_EMS * min_font_size);
    vec2(
        width,
        (width * WIDE_HEIGHT_FRACTION).max(MIN_HEIGHT_EMS * 1.3 * min_font_size),
    )
}

/// Returns the rectangles that a card of this size may have beside a bar, the best one first: above the bar and below
/// it. The card of an upright bar is on its right or on its left.
pub fn rects_beside(bar: Rect, size: Vec2) -> [Rect; 2] {
    let corners = if is_upright(bar.size()) {
        let top = bar.center().y - size.y / 2.0;
        [bar.right() + GAP, bar.left() - GAP - size.x].map(|left| pos2(left, top))
    } else {
        let left = bar.center().x - size.x / 2.0;
        [bar.top() - GAP - size.y, bar.bottom() + GAP].map(|top| pos2(left, top))
    };
    corners.map(|corner| Rect::from_min_size(corner, size))
}

/// Returns whether the bar in a window of this size is upright, so that a card is at its side.
fn is_upright(window: Vec2) -> bool {
    window.y > window.x
}

/// Draws the card in place of other parts, if there is room. Returns whether it is drawn.
pub(super) fn draw_in_place(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) -> bool {
    if !fits(canvas, card, bounds) {
        return false;
    }
    let theme = canvas.theme();
    if theme.text_edge == egui::Color32::TRANSPARENT {
        let ground = faded(theme.text, theme.panel, 0.06);
        canvas.fill(bounds, CornerRadius::same(3), ground);
    }
    draw_by_shape(canvas, card, bounds);
    true
}

/// Returns whether there is room for the card in place of other parts.
pub(super) fn fits(canvas: &OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) -> bool {
    let min_size = canvas.min_font_size();
    let is_readable = !is_narrow(bounds) || tall_unit(card, bounds) * TALL_LABEL_SIZE >= min_size;
    bounds.height() >= MIN_HEIGHT_EMS * min_size && is_readable
}

/// Draws the texts beside the shares, or above them if the card is narrow.
fn draw_by_shape(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) {
    if is_narrow(bounds) {
        draw_tall(canvas, card, bounds);
    } else {
        draw_wide(canvas, card, bounds);
    }
}

fn is_narrow(bounds: Rect) -> bool {
    bounds.width() < MIN_WIDE_ASPECT_RATIO * bounds.height()
}

/// Returns the number of points of the screen per point of the design of a narrow card.
fn tall_unit(card: &TurningCard, bounds: Rect) -> f32 {
    (bounds.size() / vec2(TALL_SIZE.x, tall_height(card))).min_elem()
}

/// Draws the card over a whole panel beside the bar.
pub(super) fn draw_panel(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) {
    canvas.scale = 1.0;
    canvas.draw_background(bounds, bounds);
    draw_by_shape(canvas, card, bounds);
}

/// Draws the card in one line: the heading, the move with its loss, and the better move.
pub(super) fn draw_line(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, size: f32, bounds: Rect) {
    let gap = 0.5 * size * canvas.scale;
    let mut room = RemainingSpace(bounds);
    let chip = heading(canvas, card, size * 0.85);
    let width = chip.width(canvas);
    chip.draw(canvas, room.0.left(), bounds);
    room.cut_left(width + gap);
    let (first, better) = (first_runs(canvas, card), better_runs(canvas, card));
    let space = [TextRun::regular("　", canvas.theme().text)];
    let whole = [&first[..], &space, &better].concat();
    for runs in [&whole, &first] {
        let text = TextRuns::line(runs, size);
        if canvas.fits_squeezed(text, room.0.size()) {
            canvas.draw_squeezed(text, size, room.0, Align::LEFT);
            break;
        }
    }
    name_card(canvas, card, bounds);
}

/// Notes that the card is drawn, and names it for screen readers.
fn name_card(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) {
    canvas.picture.has_card = true;
    canvas.add_named_part(PartWord::TurningCard, card.text(), bounds);
}

fn heading<'t>(canvas: &OverlayCanvas<'_, '_>, card: &'t TurningCard, size: f32) -> Chip<'t> {
    Chip::last_loss(canvas, &card.heading, size)
}

/// Returns the move and its loss.
fn first_runs<'t>(canvas: &OverlayCanvas<'_, '_>, card: &'t TurningCard) -> Vec<TextRun<'t>> {
    let theme = canvas.theme();
    let space = TextRun::bold(if card.word.is_empty() { "" } else { "  " }, theme.text);
    vec![
        TextRun::bold(&card.word, theme.text),
        space,
        TextRun::bold(&card.loss_text, theme.loss),
    ]
}

/// Returns the better move with its label, or who has gained.
fn better_runs<'t>(canvas: &OverlayCanvas<'_, '_>, card: &'t TurningCard) -> Vec<TextRun<'t>> {
    let theme = canvas.theme();
    if card.word.is_empty() || card.better.is_empty() {
        return vec![TextRun::bold(&card.outcome, theme.text)];
    }
    vec![
        TextRun::bold(&card.better_label, theme.best),
        TextRun::bold(" ", theme.text),
        TextRun::bold(&card.better, theme.text),
        TextRun::regular("  ", theme.quiet),
        TextRun::regular(&card.better_rate, theme.quiet),
    ]
}

/// Draws the texts on the left and the shares on the right.
fn draw_wide(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) {
    let height = bounds.height();
    let theme = canvas.theme();
    let scale = canvas.scale;
    let mut fonts = WIDE_FONTS.map(|part| part * height / scale);
    // A card that is high for its width has the fonts of a lower one.
    let most = 0.065 * bounds.width() / scale;
    if fonts[1] > most {
        let by = most / fonts[1];
        fonts = fonts.map(|size| size * by);
    }
    let [
        heading_size,
        move_size,
        loss_size,
        better_size,
        reason_size,
        label_size,
    ] = fonts;
    let edge = (0.04 * height).max(3.0);
    canvas.fill(
        bounds.with_max_x(bounds.left() + edge),
        CornerRadius::ZERO,
        theme.swing,
    );
    let pad = 0.09 * height;
    let inside = bounds
        .with_min_x(bounds.left() + edge + pad)
        .with_max_x(bounds.right() - pad);
    let line = inside.with_min_y(bounds.bottom() - 0.05 * height);
    draw_remaining_time(canvas, line.with_max_y(line.top() + (0.012 * height).max(1.5)));
    let column = inside.with_max_x(inside.left() + 0.56 * inside.width());
    let row = |top: f32, bottom: f32, within: Rect| {
        within
            .with_min_y(bounds.top() + top * height)
            .with_max_y(bounds.top() + bottom * height)
    };
    // Without a reason, the other lines have its room.
    let has_reason = !card.reason.is_empty();
    let [first, second, third] = if has_reason {
        [(0.06, 0.36), (0.38, 0.62), (0.65, 0.88)]
    } else {
        [(0.10, 0.48), (0.50, 0.84), (0.84, 0.84)]
    };
    let first = row(first.0, first.1, column);
    let chip = heading(canvas, card, heading_size);
    let chip_width = chip.width(canvas);
    chip.draw(canvas, first.left(), first);
    let after = first.with_min_x(first.left() + chip_width + 0.12 * height);
    let runs = first_runs(canvas, card);
    let size = if card.word.is_empty() {
        loss_size
    } else {
        move_size
    };
    canvas.draw_squeezed(TextRuns::line(&runs, size), size, after, Align::LEFT);
    let runs = better_runs(canvas, card);
    let second = row(second.0, second.1, column);
    canvas.draw_squeezed(
        TextRuns::line(&runs, better_size),
        better_size,
        second,
        Align::LEFT,
    );
    if has_reason {
        let runs = [TextRun::bold(&card.reason, theme.text)];
        let third = row(third.0, third.1, column);
        canvas.draw_squeezed(
            TextRuns::line(&runs, reason_size),
            reason_size,
            third,
            Align::LEFT,
        );
    }
    let beside = inside.with_min_x(column.right() + 0.1 * height);
    let rows = [(0.14, 0.44), (0.50, 0.80)].map(|(top, bottom)| row(top, bottom, beside));
    draw_shares(canvas, card, label_size, rows);
    name_card(canvas, card, bounds);
}

/// Draws the texts from the top, and the shares below.
fn draw_tall(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, bounds: Rect) {
    let theme = canvas.theme();
    let unit = tall_unit(card, bounds);
    let strip = bounds.with_max_y(bounds.top() + 8.0 * unit);
    canvas.fill(strip, CornerRadius::ZERO, theme.swing);
    let inside = bounds
        .shrink2(vec2(24.0 * unit, 0.0))
        .with_min_y(strip.bottom() + 18.0 * unit);
    let mut room = RemainingSpace(inside);
    let first = room.cut_top(44.0 * unit);
    let mut draw_row = |canvas: &mut OverlayCanvas<'_, '_>, runs: &[TextRun<'_>], height: f32, size: f32| {
        let size = size * unit / canvas.scale;
        let row = room.cut_top(height * unit);
        canvas.draw_squeezed(TextRuns::line(runs, size), size, row, Align::LEFT);
    };
    let chip = heading(canvas, card, 23.0 * unit / canvas.scale);
    let width = chip.width(canvas);
    chip.draw(canvas, first.left(), first);
    let loss = [TextRun::bold(&card.loss_text, theme.loss)];
    let size = 32.0 * unit / canvas.scale;
    let after = first.with_min_x(first.left() + width + 14.0 * unit);
    canvas.draw_squeezed(TextRuns::line(&loss, size), size, after, Align::LEFT);
    if !card.word.is_empty() {
        draw_row(canvas, &[TextRun::bold(&card.word, theme.text)], 54.0, 36.0);
    }
    let runs = better_runs(canvas, card);
    // There is no room for the win rate that the better move keeps.
    draw_row(
        canvas,
        runs.get(..runs.len().min(3)).unwrap_or_default(),
        38.0,
        23.0,
    );
    if !card.reason.is_empty() {
        draw_row(canvas, &[TextRun::bold(&card.reason, theme.text)], 36.0, 21.0);
    }
    let line = inside.with_min_y(bounds.bottom() - 20.0 * unit);
    draw_remaining_time(canvas, line.with_max_y(line.top() + (3.0 * unit).max(1.5)));
    let mut below = RemainingSpace(inside.with_max_y(bounds.bottom() - 28.0 * unit));
    let second = below.cut_bottom(38.0 * unit);
    let first = below.cut_bottom(38.0 * unit);
    draw_shares(
        canvas,
        card,
        TALL_LABEL_SIZE * unit / canvas.scale,
        [first, second],
    );
    name_card(canvas, card, bounds);
}

/// Returns the design height of a card with the shares below the texts.
const fn tall_height(card: &TurningCard) -> f32 {
    if card.word.is_empty() {
        TALL_NUMBERS_HEIGHT
    } else {
        TALL_SIZE.y
    }
}

/// Draws the shares before the move and after it, each in its row.
fn draw_shares(canvas: &mut OverlayCanvas<'_, '_>, card: &TurningCard, size: f32, rows: [Rect; 2]) {
    let color = canvas.theme().text;
    let widths = card.labels.each_ref().map(|label| {
        let runs = [TextRun::bold(label, color)];
        canvas.width(TextRuns::line(&runs, size))
    });
    let label_width = widths.into_iter().fold(0.0, f32::max) + 1.0;
    let shares = card.shares.into_iter().zip(&card.labels).zip([false, true]);
    for (((share, label), is_after), row) in shares.zip(rows) {
        draw_share(canvas, (share, is_after), (label, label_width), size, row);
    }
}

/// Draws a share with its label and the percentages of both sides. The share after the move is the emphasized one.
fn draw_share(
    canvas: &mut OverlayCanvas<'_, '_>,
    (share, is_after): (f32, bool),
    (label, label_width): (&str, f32),
    size: f32,
    row: Rect,
) {
    let theme = canvas.theme();
    let color = if is_after { theme.text } else { theme.quiet };
    let (black, white) = percent(f64::from(share), false);
    let ends = canvas
        .style
        .ends()
        .map(|side| if side == Color::Black { black } else { white });
    let [left, right] = ends.map(|percent| format!("{percent}%"));
    let unit = size * canvas.scale;
    let mut room = RemainingSpace(row);
    let run = |text| {
        if is_after {
            TextRun::bold(text, color)
        } else {
            TextRun::regular(text, color)
        }
    };
    // A low and narrow card has no labels.
    if row.width() > 3.0 * label_width + 8.0 * unit {
        let bounds = room.cut_left(label_width);
        let runs = [run(label)];
        canvas.draw_squeezed(TextRuns::line(&runs, size), size, bounds, Align::LEFT);
        room.cut_left(0.5 * unit);
    }
    let number_width = {
        let runs = [TextRun::bold("100%", color)];
        canvas.width(TextRuns::line(&runs, size)) + 1.0
    };
    let (first, last) = (room.cut_left(number_width), room.cut_right(number_width));
    room.cut_left(0.4 * unit);
    room.cut_right(0.4 * unit);
    for (text, bounds, align) in [(&left, first, Align::RIGHT), (&right, last, Align::LEFT)] {
        let runs = [run(text)];
        canvas.draw_squeezed(TextRuns::line(&runs, size), size, bounds, align);
    }
    let bar = Rect::from_center_size(
        room.0.center(),
        vec2(room.0.width(), (1.35 * unit).min(row.height())),
    );
    shares::draw_slim(canvas, share, bar);
}

/// Draws the line that becomes shorter until the card ends.
fn draw_remaining_time(canvas: &mut OverlayCanvas<'_, '_>, line: Rect) {
    let theme = canvas.theme();
    canvas.fill(line, CornerRadius::ZERO, faded(theme.quiet, theme.panel, 0.35));
    let part = line.with_max_x(line.left() + canvas.card_time * line.width());
    if part.width() > 0.0 {
        canvas.fill(part, CornerRadius::ZERO, theme.best);
    }
}
