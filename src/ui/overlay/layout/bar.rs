//! The bar in one line: name, number, bar, number, name. The geometry depends only on the window and the style, so that
//! nothing moves between states.

use super::{NoticeArea, compact, draw_layout, notice_outside_tray, tray_sentence};
use crate::PartWord;
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::context_line::{self, LineEnd};
use crate::overlay::ends::{self, BarEnd, BeforeBest, ClockPosition};
use crate::overlay::shares::{self, BarAxis};
use crate::overlay::style::CardPlace;
use crate::overlay::{texts, turning_card};
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};
use shogibar_config::{Layout, OverlayPart};
use shogibar_games::bar::{BarNotice, BarView};
use shogibar_games::phrase;

/// The default size of the layout, in points. Without the context line, its height is that of [`SMALL_WINDOW_SIZE`].
pub(super) const DESIGN_SIZE: Vec2 = vec2(960.0, 92.0);
/// The additional width for each further engine, in points.
pub(super) const EXTRA_ENGINE_WIDTH: f32 = 0.0;
/// The minimum ratio of width to height of a window that has room for one line only.
const MIN_LINE_ASPECT_RATIO: f32 = 10.0;
/// The maximum ratio of width to height of a window with the context line.
const MAX_CONTEXT_ASPECT_RATIO: f32 = 13.0;
/// The height of the context line, as a fraction of the height of a window with this line.
const CONTEXT_HEIGHT_FRACTION: f32 = 34.0 / 154.0;

/// The size of the large one of the two windows for which the layout was designed, in points.
const LARGE_WINDOW_SIZE: Vec2 = vec2(1900.0, 120.0);
/// The size of the small one of the two windows for which the layout was designed, in points.
const SMALL_WINDOW_SIZE: Vec2 = vec2(960.0, 72.0);

/// The margin at both ends of a line, as a fraction of the large window's width.
const MARGIN_FRACTION: f32 = 24.0 / 1900.0;
const NAME_WIDTH_FRACTION: f32 = 286.0 / 1900.0;
/// The width of a number, as a fraction of the large window's width.
const NUMBER_WIDTH_FRACTION: f32 = 214.0 / 1900.0;
/// The gap between two parts of a line, as a fraction of the large window's width.
const GAP_FRACTION: f32 = 24.0 / 1900.0;

/// The upper and lower edge of the bar with the players' moves above it, as fractions of the height.
const BAR_EDGES: [f32; 2] = [0.375, 0.9];
/// The upper and lower edge of the bar without moves above it, as fractions of the height.
const LONE_BAR_EDGES: [f32; 2] = [0.16, 0.84];
/// The middle of a name above a clock, as a fraction of the height.
const NAME_MIDDLE: f32 = 0.37;
/// The middle of a clock below a name, as a fraction of the height.
const CLOCK_MIDDLE: f32 = 0.71;
/// The middle of the moves above the bar, as a fraction of the height.
const MOVE_MIDDLE: f32 = 0.19;

/// The width of the room for a player's move above the bar, as a fraction of the bar's length.
const MOVE_LENGTH_FRACTION: f32 = 0.36;

/// The font sizes of a number in the large and in the small window, in points.
const NUMBER_FONT_SIZES: [f32; 2] = [94.0, 50.0];
/// The font sizes of a name in the large and in the small window, in points.
const NAME_FONT_SIZES: [f32; 2] = [34.0, 18.0];
/// The font sizes of a clock in the large and in the small window, in points.
const CLOCK_FONT_SIZES: [f32; 2] = [26.0, 15.0];
/// The font sizes of a move in the large and in the small window, in points.
const MOVE_FONT_SIZES: [f32; 2] = [28.0, 16.0];
/// The font sizes of quiet text in the large and in the small window, in points.
const QUIET_FONT_SIZES: [f32; 2] = [22.0, 12.5];
/// The minimum height of the context line, as a multiple of the smallest readable font size.
const MIN_CONTEXT_HEIGHT_EMS: f32 = 1.4;
/// The font size of the context line, as a fraction of its height.
const CONTEXT_FONT_FRACTION: f32 = 0.62;

/// The minimum size of a window with clocks below the names and moves above the bar, in points.
const MIN_TWO_LINE_SIZE: Vec2 = vec2(560.0, 52.0);
/// The minimum width of a window with names, in points.
const MIN_WIDTH_WITH_NAMES: f32 = 400.0;

/// Draws the view into `rect` in one line. A window that is too tall for one line has another layout.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if super::is_tall(size) {
        draw_layout(Layout::Vertical, canvas, view, share, rect);
    } else if size.x < MIN_LINE_ASPECT_RATIO * size.y && compact::has_room(size) {
        draw_layout(Layout::Compact, canvas, view, share, rect);
    } else {
        draw_line_layout(canvas, view, share, rect);
    }
}

/// The geometry of the line, which depends only on the window and the shown parts.
struct BarLine {
    /// The smallest readable font size, in points of the screen.
    min_font_size: f32,
    /// The points of the screen per point of the large and of the small window.
    design_scales: [f32; 2],
    /// The columns of the names, the left one first; without width if names are hidden.
    name_columns: [Rect; 2],
    /// The columns of the numbers, the left one first; without width if numbers are hidden.
    number_columns: [Rect; 2],
    /// The rectangle of the bar.
    bar: Rect,
    /// The left and right ends of the line within its margins.
    margins: [f32; 2],
    /// Whether there is room for clocks below the names and moves above the bar.
    has_two_lines: bool,
}

impl BarLine {
    /// Lays out the line in a window.
    fn new(canvas: &OverlayCanvas<'_, '_>, rect: Rect) -> Self {
        let size = rect.size().max(vec2(1.0, 1.0));
        let style = canvas.style;
        let design_scales = [LARGE_WINDOW_SIZE, SMALL_WINDOW_SIZE].map(|drawn| (size / drawn).min_elem());
        let has_two_lines = size.x >= MIN_TWO_LINE_SIZE.x && size.y >= MIN_TWO_LINE_SIZE.y;
        // In a window that is wider than the large one, the bar gets the additional width.
        let width = size.x.min(size.y * LARGE_WINDOW_SIZE.x / LARGE_WINDOW_SIZE.y);
        let [margin, gap] = [MARGIN_FRACTION, GAP_FRACTION].map(|part| (part * width).max(4.0));
        let names = if style.shows(OverlayPart::Names) && size.x >= MIN_WIDTH_WITH_NAMES {
            NAME_WIDTH_FRACTION * width
        } else {
            0.0
        };
        let numbers = if style.shows_numbers() {
            (NUMBER_WIDTH_FRACTION * width)
                .max(size.y * 1.5)
                .min(size.x * 0.22)
        } else {
            0.0
        };
        let across = |left: f32, width: f32| Rect::from_x_y_ranges(left..=left + width, rect.y_range());
        let beside = if numbers > 0.0 { gap } else { 0.0 };
        let start = rect.left() + margin;
        let end = rect.right() - margin;
        let before = names + if names > 0.0 && numbers == 0.0 { gap } else { 0.0 };
        let bar_left = start + before + numbers + beside;
        let bar = across(bar_left, (rect.right() - (bar_left - rect.left())) - bar_left);
        let [top, bottom] = if has_two_lines && Self::has_upper_line(canvas) {
            BAR_EDGES
        } else {
            LONE_BAR_EDGES
        };
        let bar = bar
            .with_min_y(egui::lerp(rect.y_range(), top))
            .with_max_y(egui::lerp(rect.y_range(), bottom));
        Self {
            min_font_size: canvas.min_font_size(),
            design_scales,
            name_columns: [across(start, names), across(end - names, names)],
            number_columns: [
                across(start + before, numbers),
                across(end - before - numbers, numbers),
            ],
            bar,
            margins: [start, end],
            has_two_lines,
        }
    }

    /// Returns whether the style shows a move or the move number above the bar.
    fn has_upper_line(canvas: &OverlayCanvas<'_, '_>) -> bool {
        ends::has_end_move(canvas) || canvas.style.shows(OverlayPart::MoveNumber)
    }

    /// Returns a font size in points of the screen, interpolated between those of the large and the small window.
    fn font_size(&self, [large, small]: [f32; 2]) -> f32 {
        let [by_large, by_small] = self.design_scales;
        // 1 in the large window and in larger ones, 0 in the small one.
        let t = ((by_large - 0.505) / (1.0 - 0.505)).clamp(0.0, 1.0);
        egui::lerp(small * by_small..=large * by_large, t).max(self.min_font_size)
    }

    /// Returns the row around a fraction of the height, for a text of this font size.
    fn row_around(rect: Rect, within: Rect, middle: f32, size: f32) -> Rect {
        let y = egui::lerp(rect.y_range(), middle);
        let half = size * 0.7;
        Rect::from_x_y_ranges(
            within.x_range(),
            (y - half).max(rect.top())..=(y + half).min(rect.bottom()),
        )
    }
}

/// Draws all parts in one line, and the context line below if there is room.
fn draw_line_layout(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, window: Rect) {
    let context = CONTEXT_HEIGHT_FRACTION * window.height();
    let has_context = window.width() <= MAX_CONTEXT_ASPECT_RATIO * window.height()
        && context >= MIN_CONTEXT_HEIGHT_EMS * canvas.min_font_size()
        && context_line::is_wanted(canvas, view);
    let context = if has_context { context } else { 0.0 };
    let rect = window.with_max_y(window.bottom() - context);
    canvas.scale = (rect.height() / SMALL_WINDOW_SIZE.y).clamp(0.6, 2.0);
    let line = BarLine::new(canvas, rect);
    canvas.draw_background(window, window);
    if has_context {
        let [left, right] = line.margins;
        let bounds = Rect::from_x_y_ranges(left..=right, rect.bottom()..=window.bottom());
        let size = CONTEXT_FONT_FRACTION * context / canvas.scale;
        context_line::draw_below_hairline(canvas, view, LineEnd::Engines, size, bounds);
    }
    // Font sizes are in points of the screen here.
    let unit = canvas.scale;
    let columns = line.name_columns.into_iter().zip(line.number_columns);
    for (end, (name, number)) in BarEnd::left_and_right(canvas).into_iter().zip(columns) {
        if name.width() > 0.0 {
            draw_name(canvas, view, end, &line, (rect, name));
        }
        let size = line.font_size(NUMBER_FONT_SIZES).min(rect.height() * 0.8);
        let inward = if end.align == Align::LEFT {
            Align::RIGHT
        } else {
            Align::LEFT
        };
        let bounds = Rect::from_center_size(number.center(), vec2(number.width(), rect.height()));
        ends::draw_number(canvas, view, end, size / unit, bounds, inward);
    }
    let has_upper_line = line.has_two_lines && BarLine::has_upper_line(canvas);
    let area = if has_upper_line {
        NoticeArea::Line
    } else {
        NoticeArea::Nowhere
    };
    let is_notice_shown = shares::draw(
        canvas,
        view,
        share,
        tray_sentence(view, area),
        line.bar,
        BarAxis::Across,
    );
    if has_upper_line {
        let notice = notice_outside_tray(view, is_notice_shown);
        draw_upper_row(canvas, view, notice, (&line, has_context), rect);
    }
}

/// Draws a name, and a clock below the name if there is room.
fn draw_name(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    line: &BarLine,
    (rect, within): (Rect, Rect),
) {
    let unit = canvas.scale;
    let size = line.font_size(NAME_FONT_SIZES).min(rect.height() * 0.5);
    let has_clock = line.has_two_lines && canvas.style.shows(OverlayPart::Clocks);
    let middle = if has_clock { NAME_MIDDLE } else { 0.5 };
    let row = BarLine::row_around(rect, within, middle, size);
    ends::draw_name(canvas, view, end, size / unit, row, has_clock);
    if has_clock {
        let name_size = size;
        let size = line.font_size(CLOCK_FONT_SIZES);
        let row = BarLine::row_around(rect, within, CLOCK_MIDDLE, size);
        ends::draw_clock(
            canvas,
            view,
            end,
            size / unit,
            row,
            ClockPosition::Below(name_size / unit),
        );
    }
}

/// Draws the row above the bar: the players' moves, and the number of the move or a notice between them. A long notice
/// has the whole row.
fn draw_upper_row(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    notice: Option<&BarNotice>,
    (line, has_context): (&BarLine, bool),
    rect: Rect,
) {
    let unit = canvas.scale;
    let size = line.font_size(MOVE_FONT_SIZES).min(rect.height() * 0.26);
    let row = BarLine::row_around(rect, line.bar, MOVE_MIDDLE, size);
    if let Some(card) = &view.turning_card
        && canvas.style.card_place == CardPlace::InLine
    {
        return turning_card::draw_line(canvas, card, size / unit, row);
    }
    let move_width = row.width() * MOVE_LENGTH_FRACTION;
    let middle = row.shrink2(vec2(move_width, 0.0));
    let quiet = line.font_size(QUIET_FONT_SIZES).min(size) / unit;
    if let Some(notice) = notice.filter(|notice| texts::notice_width(canvas, notice, quiet) > middle.width())
    {
        return texts::draw_notice_line(canvas, notice, quiet, row, Align::Center);
    }
    for end in BarEnd::left_and_right(canvas) {
        let room = match end.align {
            Align::Max => row.with_min_x(row.right() - move_width),
            Align::Min | Align::Center => row.with_max_x(row.left() + move_width),
        };
        ends::draw_move(canvas, view, end, BeforeBest::Threat, size / unit, room);
    }
    if let Some(notice) = notice {
        texts::draw_notice_line(canvas, notice, quiet, middle, Align::Center);
    } else if has_context || view.live_mark.is_some() || view.engines.len() < 2 || view.decided_win.is_some()
    {
        texts::draw_number_and_live(canvas, view, quiet, middle, !has_context);
    } else {
        draw_other_engines(canvas, view, quiet, middle);
    }
}

/// Draws the win rate of each engine that is not the lead engine, or its failure.
fn draw_other_engines(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, size: f32, bounds: Rect) {
    let (lang, theme) = (canvas.style.lang, canvas.theme());
    let others = view
        .engines
        .iter()
        .enumerate()
        .filter(|(nth, _)| *nth != view.lead_index);
    // Each engine has a number, the piece, and the text after the piece.
    let words: Vec<_> = others
        .map(|(nth, engine)| {
            let number = phrase::number(nth);
            if let Some(notice) = engine.notice.as_ref().filter(|notice| notice.is_failure) {
                return (
                    [format!("{number} {}", notice.text), String::new(), String::new()],
                    [theme.loss; 2],
                );
            }
            let percent = if canvas.style.shows_numbers() {
                engine.percent
            } else {
                None
            };
            let piece = if percent.is_some() { ends::BLACK_PIECE } else { "" };
            let percent = match (percent, engine.percent) {
                (Some(percent), _) => format!(" {percent}%"),
                (None, None) if canvas.style.shows_numbers() => "–".to_owned(),
                (None, _) => String::new(),
            };
            let word = engine
                .candidates
                .first()
                .map(|best| best.word.as_str())
                .unwrap_or_default();
            let color =
                ends::shade_if_stale(canvas, theme.quiet, engine.is_stale, ends::STALE_NUMBER_STRENGTH);
            let rest = phrase::together(&[&percent, word], lang);
            let texts = [format!("{number} "), piece.to_owned(), rest];
            (texts, [color, ends::black_piece_color(canvas, engine.is_stale)])
        })
        .collect();
    let runs: Vec<_> = words
        .iter()
        .flat_map(|([number, piece, rest], [color, piece_color])| {
            let texts = [
                (number.as_str(), *color),
                (piece, *piece_color),
                (rest, *color),
                ("  ", *color),
            ];
            texts.map(|(text, color)| TextRun::regular(text, color))
        })
        .collect();
    let runs = runs.get(..runs.len().saturating_sub(1)).unwrap_or_default();
    let shown = canvas.draw_squeezed(TextRuns::line(runs, size), size, bounds, Align::Center);
    let texts: Vec<_> = words.iter().map(|(texts, _)| texts.concat()).collect();
    canvas.add_named_part(PartWord::Engine, texts.join("  "), shown);
}
