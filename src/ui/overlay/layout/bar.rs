//! The bar in one line: name, number, bar, number, name. Its geometry depends only on the window, so that nothing moves
//! between states.

use super::{NoticeArea, compact, draw_as, notice_beside, sentence};
use crate::bar::{BarNotice, BarView};
use crate::config::{Layout, OverlayPart};
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::ends::{self, BarEnd, BeforeBest, ClockPosition};
use crate::overlay::texts;
use crate::overlay::tray::{self, BarAxis};
use crate::text::{PartWord, phrase};
use crate::text_runs::{MIN_READABLE_FONT, TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};

/// The default size of the layout, in points.
pub(super) const SIZE: Vec2 = vec2(960.0, 72.0);
/// The additional width for each further engine.
pub(super) const OTHER: f32 = 0.0;
/// A window this many times as wide as high has room for one line; others have room for more.
const LONG: f32 = 10.0;

/// The two windows for which the layout was drawn: large and small.
const DRAWN: [Vec2; 2] = [vec2(1900.0, 120.0), vec2(960.0, 72.0)];

/// The margin at both ends of a line, as a fraction of the drawn window's width.
const MARGIN: f32 = 24.0 / 1900.0;
/// The width of a name, as a fraction of the drawn window's width.
const NAMES: f32 = 286.0 / 1900.0;
/// The width of a number, as a fraction of the drawn window's width.
const NUMBERS: f32 = 214.0 / 1900.0;
/// The gap between two parts of a line, as a fraction of the drawn window's width.
const GAP: f32 = 24.0 / 1900.0;

/// The upper and lower edge of the bar with the players' moves above it, as fractions of the height.
const BAR: [f32; 2] = [0.375, 0.9];
/// The upper and lower edge of the bar without moves above it, as fractions of the height.
const BAR_ALONE: [f32; 2] = [0.16, 0.84];
/// The middle of a name above a clock, as a fraction of the height.
const NAME_MIDDLE: f32 = 0.37;
/// The middle of a clock below a name, as a fraction of the height.
const CLOCK_MIDDLE: f32 = 0.71;
/// The middle of the moves above the bar, as a fraction of the height.
const MOVE_MIDDLE: f32 = 0.19;

/// The part of the bar's length above which a player's move is drawn.
const SIDE: f32 = 0.36;

/// The font size of a number in the two drawn windows, in points.
const NUMBER: [f32; 2] = [94.0, 50.0];
/// The font size of a name in the two drawn windows, in points.
const NAME: [f32; 2] = [34.0, 18.0];
/// The font size of a clock in the two drawn windows, in points.
const CLOCK: [f32; 2] = [26.0, 15.0];
/// The font size of a move in the two drawn windows, in points.
const MOVE: [f32; 2] = [28.0, 16.0];
/// The font size of quiet text in the two drawn windows, in points.
const QUIET: [f32; 2] = [22.0, 12.5];

/// A window of at least this size has clocks below the names and moves above the bar.
const TWO_LINES: Vec2 = vec2(560.0, 52.0);
/// A window of at least this width has names.
const WITH_NAMES: f32 = 400.0;

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if super::is_upright(size) {
        draw_as(Layout::Vertical, canvas, view, share, rect);
    } else if size.x < LONG * size.y && compact::has_room(size) {
        draw_as(Layout::Compact, canvas, view, share, rect);
    } else {
        line(canvas, view, share, rect);
    }
}

/// The geometry of a line, which only the window and the shown parts decide.
struct BarLine {
    /// The size of the window between the two designs, in points per design point.
    size: [f32; 2],
    name: [Rect; 2],
    number: [Rect; 2],
    bar: Rect,
    has_two_lines: bool,
}

impl BarLine {
    fn new(canvas: &OverlayCanvas<'_, '_>, rect: Rect) -> Self {
        let size = rect.size().max(vec2(1.0, 1.0));
        let style = canvas.style;
        let unit = DRAWN.map(|drawn| (size / drawn).min_elem());
        let has_two_lines = size.x >= TWO_LINES.x && size.y >= TWO_LINES.y;
        // In a line that is long for its height, the bar gets the rest.
        let width = size.x.min(size.y * DRAWN[0].x / DRAWN[0].y);
        let [margin, gap] = [MARGIN, GAP].map(|part| (part * width).max(4.0));
        let names = if style.shows(OverlayPart::Names) && size.x >= WITH_NAMES { NAMES * width } else { 0.0 };
        let numbers = if style.shows_numbers() { (NUMBERS * width).max(size.y * 1.5).min(size.x * 0.22) } else { 0.0 };
        let across = |left: f32, width: f32| Rect::from_x_y_ranges(left..=left + width, rect.y_range());
        let beside = if numbers > 0.0 { gap } else { 0.0 };
        let start = rect.left() + margin;
        let end = rect.right() - margin;
        let before = names + if names > 0.0 && numbers == 0.0 { gap } else { 0.0 };
        let bar_left = start + before + numbers + beside;
        let bar = across(bar_left, (rect.right() - (bar_left - rect.left())) - bar_left);
        let [top, bottom] = if has_two_lines && Self::has_upper_line(canvas) { BAR } else { BAR_ALONE };
        let bar = bar.with_min_y(egui::lerp(rect.y_range(), top)).with_max_y(egui::lerp(rect.y_range(), bottom));
        Self {
            size: unit,
            name: [across(start, names), across(end - names, names)],
            number: [across(start + before, numbers), across(end - before - numbers, numbers)],
            bar,
            has_two_lines,
        }
    }

    fn has_upper_line(canvas: &OverlayCanvas<'_, '_>) -> bool {
        ends::has_end_move(canvas) || canvas.style.shows(OverlayPart::MoveNumber)
    }

    /// Returns a font size in points of the screen, between those of the two designs.
    fn font(&self, [large, small]: [f32; 2]) -> f32 {
        let [by_large, by_small] = self.size;
        // 1 in the large window and beyond, 0 in the small one.
        let t = ((by_large - 0.505) / (1.0 - 0.505)).clamp(0.0, 1.0);
        egui::lerp(small * by_small..=large * by_large, t).max(MIN_READABLE_FONT)
    }

    /// Returns a row of the line around a height, given as a fraction.
    fn row(rect: Rect, within: Rect, middle: f32, size: f32) -> Rect {
        let y = egui::lerp(rect.y_range(), middle);
        let half = size * 0.7;
        Rect::from_x_y_ranges(within.x_range(), (y - half).max(rect.top())..=(y + half).min(rect.bottom()))
    }
}

/// Draws everything in one line.
fn line(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    canvas.scale = (rect.height() / DRAWN[1].y).clamp(0.6, 2.0);
    let line = BarLine::new(canvas, rect);
    canvas.draw_background(rect, rect);
    // Font sizes are in points of the screen here.
    let unit = canvas.scale;
    let columns = line.name.into_iter().zip(line.number);
    for (end, (name, number)) in BarEnd::both(canvas).into_iter().zip(columns) {
        if name.width() > 0.0 {
            self::name(canvas, view, end, &line, (rect, name));
        }
        let size = line.font(NUMBER).min(rect.height() * 0.8);
        let inward = if end.align == Align::LEFT { Align::RIGHT } else { Align::LEFT };
        let bounds = Rect::from_center_size(number.center(), vec2(number.width(), rect.height()));
        ends::number(canvas, view, end, size / unit, bounds, inward);
    }
    let has_upper_line = line.has_two_lines && BarLine::has_upper_line(canvas);
    let area = if has_upper_line { NoticeArea::Line } else { NoticeArea::Nowhere };
    let is_notice_shown = tray::draw(canvas, view, share, sentence(view, area), line.bar, BarAxis::Across);
    if has_upper_line {
        upper(canvas, view, notice_beside(view, is_notice_shown), &line, rect);
    }
}

/// Draws a name, and a clock below it.
fn name(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, end: BarEnd, line: &BarLine, (rect, within): (Rect, Rect)) {
    let unit = canvas.scale;
    let size = line.font(NAME).min(rect.height() * 0.5);
    let has_clock = line.has_two_lines && canvas.style.shows(OverlayPart::Clocks);
    let middle = if has_clock { NAME_MIDDLE } else { 0.5 };
    let row = BarLine::row(rect, within, middle, size);
    ends::name(canvas, view, end, size / unit, row, has_clock);
    if has_clock {
        let name_size = size;
        let size = line.font(CLOCK);
        let row = BarLine::row(rect, within, CLOCK_MIDDLE, size);
        ends::clock(canvas, view, end, size / unit, row, ClockPosition::Below(name_size / unit));
    }
}

/// Draws the row above the bar: the players' moves, and the number of the move or a notice between them. A long notice
/// has the whole row.
fn upper(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, notice: Option<&BarNotice>, line: &BarLine, rect: Rect) {
    let unit = canvas.scale;
    let size = line.font(MOVE).min(rect.height() * 0.26);
    let row = BarLine::row(rect, line.bar, MOVE_MIDDLE, size);
    let reach = row.width() * SIDE;
    let middle = row.shrink2(vec2(reach, 0.0));
    let quiet = line.font(QUIET).min(size) / unit;
    if let Some(notice) = notice.filter(|notice| texts::notice_width(canvas, notice, quiet) > middle.width()) {
        return texts::notice_line(canvas, notice, quiet, row, Align::Center);
    }
    for end in BarEnd::both(canvas) {
        let room = match end.align {
            Align::Max => row.with_min_x(row.right() - reach),
            Align::Min | Align::Center => row.with_max_x(row.left() + reach),
        };
        ends::end_move(canvas, view, end, BeforeBest::Threat, size / unit, room);
    }
    if let Some(notice) = notice {
        texts::notice_line(canvas, notice, quiet, middle, Align::Center);
    } else if view.engines.len() > 1 && view.live_mark.is_none() && view.decided_win.is_none() && !view.is_hidden {
        others(canvas, view, quiet, middle);
    } else {
        texts::draw_number_and_live(canvas, view, quiet, middle);
    }
}

/// Draws the win rate of each engine that is not the lead engine, or its failure.
fn others(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, size: f32, bounds: Rect) {
    let (lang, theme) = (canvas.style.lang, canvas.theme());
    let others = view.engines.iter().enumerate().filter(|(nth, _)| *nth != view.lead_index);
    // Each has its number, the piece, and the text after it.
    let words: Vec<_> = others
        .map(|(nth, engine)| {
            let number = phrase::number(nth);
            if let Some(notice) = engine.notice.as_ref().filter(|notice| notice.is_failure) {
                return ([format!("{number} {}", notice.text), String::new(), String::new()], [theme.loss; 2]);
            }
            let percent = engine.percent.filter(|_| canvas.style.shows_numbers());
            let piece = if percent.is_some() { ends::BLACK_PIECE } else { "" };
            let percent = match (percent, engine.percent) {
                (Some(percent), _) => format!(" {percent}%"),
                (None, None) if canvas.style.shows_numbers() => "–".to_owned(),
                (None, _) => String::new(),
            };
            let word = engine.candidates.first().map(|best| best.word.as_str()).unwrap_or_default();
            let color = ends::shade(canvas, theme.quiet, engine.is_stale, ends::STALE_NUMBER);
            let rest = phrase::together(&[&percent, word], lang);
            let texts = [format!("{number} "), piece.to_owned(), rest];
            (texts, [color, ends::black_piece_color(canvas, engine.is_stale)])
        })
        .collect();
    let runs: Vec<_> = words
        .iter()
        .flat_map(|([number, piece, rest], [color, own])| {
            let texts = [(number.as_str(), *color), (piece, *own), (rest, *color), ("  ", *color)];
            texts.map(|(text, color)| TextRun::regular(text, color))
        })
        .collect();
    let runs = runs.get(..runs.len().saturating_sub(1)).unwrap_or_default();
    let shown = canvas.squeezed(TextRuns::line(runs, size), size, bounds, Align::Center);
    let texts: Vec<_> = words.iter().map(|(texts, _)| texts.concat()).collect();
    canvas.add_name(PartWord::Engine, texts.join("  "), shown);
}
