//! The upright bar. The first side of `OverlayStyle::ends` is at the bottom: Black, as on a board, unless the user has
//! swapped them. The candidates are beside or below the bar where there is room.

use super::{NoticeArea, draw_layout, tray_sentence};
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::context_line;
use crate::overlay::ends::{self, BarEnd, BeforeBest, ClockPosition};
use crate::overlay::remaining_space::RemainingSpace;
use crate::overlay::shares::{self, BarAxis};
use crate::overlay::{list, rows, texts, turning_card};
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rect, Vec2, vec2};
use shogibar_config::{Layout, OverlayPart};
use shogibar_games::bar::{BarNotice, BarView};
use shogibar_shogi::Color;

/// The default size of the layout with the lines of the context, in points.
pub(super) const DESIGN_SIZE: Vec2 = vec2(140.0, 677.0);
/// The size of the window for which the ends were designed, in points.
const DESIGN_WINDOW_SIZE: Vec2 = vec2(220.0, 960.0);
/// The design size with candidates and their following moves beside the bar, in points at scale 1.
const BESIDE_DESIGN_SIZE: Vec2 = vec2(420.0, 230.0);
/// The width of the bar with its ends if candidates are beside it, in points at scale 1.
const BESIDE_BAR_WIDTH: f32 = 100.0;
/// The height of the parts beside the bar except the rows, in points at scale 1.
const BESIDE_FIXED_HEIGHT: f32 = 82.0;
/// The height of a row beside the bar, in points at scale 1.
const BESIDE_ROW_HEIGHT: f32 = 40.0;
/// The minimum size for the numbers and the bar, in points at scale 1.
const MIN_SIZE: Vec2 = vec2(60.0, 138.0);
/// The minimum height of a wide window, in points of the screen. A lower window has the layout in one line.
const MIN_HEIGHT: f32 = 110.0;

/// The font size of a name, in points of the design window.
const NAME_FONT_SIZE: f32 = 27.0;
/// The font size of a clock, in points of the design window.
const CLOCK_FONT_SIZE: f32 = 22.0;
/// The font size of a win rate, in points of the design window.
const NUMBER_FONT_SIZE: f32 = 58.0;
/// The font size of a move, in points of the design window.
const MOVE_FONT_SIZE: f32 = 23.0;
/// The font size of the lines of the context, in points of the design window.
const CONTEXT_FONT_SIZE: f32 = 17.0;
/// The height of a line of the context, in points of the design window.
const CONTEXT_LINE_HEIGHT: f32 = 24.0;
/// The minimum ratio of height to width of a window with the lines of the context.
const MIN_CONTEXT_ASPECT_RATIO: f32 = 4.7;
/// The number of lines of the context: event, opening and castles.
const CONTEXT_LINES: usize = 3;
/// The minimum height of a row, as a multiple of the smallest readable font size.
const MIN_ROW_HEIGHT_EMS: f32 = 14.0 / 11.0;
/// The smallest width with names, in points of the screen.
const MIN_WIDTH_WITH_NAMES: f32 = 60.0;
/// The smallest width with clocks, in points of the screen.
const MIN_WIDTH_WITH_CLOCKS: f32 = 100.0;

/// The minimum length of the bar, as a fraction of the window's height.
const MIN_BAR_FRACTION: f32 = 0.58;
/// The height of a character in the bar, in ems.
const CHARACTER_HEIGHT: f32 = 1.08;

/// The maximum scale of the text of a failure below the bar.
const MAX_FAILURE_SCALE: f32 = 1.2;
/// The maximum height of a failure below the bar, as a fraction of the window's height.
const MAX_FAILURE_FRACTION: f32 = 0.3;
/// The margin of a failure, in points of the screen.
const FAILURE_MARGIN: f32 = 4.0;

/// The width of a list below the bar, in points at scale 1.
const LIST_WIDTH: f32 = 360.0;
/// The height of the bar above a list, in points at scale 1.
const BAR_ABOVE_LIST_HEIGHT: f32 = 360.0;
/// The height of the figures below the rows of the list, in points at scale 1.
const LIST_FOOTER_HEIGHT: f32 = 34.0;
/// The additional height for each further engine, in points.
pub(super) const EXTRA_ENGINE_HEIGHT: f32 = 0.0;

/// Draws the view into `rect`, or in one line if the window is wide and low.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    if rect.height() < MIN_HEIGHT && rect.width() > rect.height() {
        return draw_layout(Layout::Bar, canvas, view, share, rect);
    }
    let lists = canvas.style.shows_candidates();
    let alone = super::layout_scale(rect.size(), vec2(BESIDE_BAR_WIDTH, 440.0), MIN_SIZE);
    let beside = lists && rect.width() >= (BESIDE_BAR_WIDTH + rows::CELL_WIDTH) * alone;
    let rows = super::reserved_rows(view) * view.engines.len().max(1) + usize::from(view.engines.len() > 1);
    let list = rows as f32 * super::CANDIDATE_ROW_HEIGHT + LIST_FOOTER_HEIGHT;
    let with_list = (rect.size() / vec2(LIST_WIDTH, BAR_ABOVE_LIST_HEIGHT + list)).min_elem();
    let below = lists && !beside && with_list >= super::MIN_SCALE;
    canvas.scale = match (beside, below) {
        (true, _) => {
            let height = BESIDE_DESIGN_SIZE
                .y
                .max(BESIDE_FIXED_HEIGHT + BESIDE_ROW_HEIGHT * rows as f32);
            super::layout_scale(rect.size(), vec2(BESIDE_DESIGN_SIZE.x, height), MIN_SIZE)
        }
        (false, true) => with_list,
        (false, false) => alone,
    };
    canvas.draw_background(rect, rect);
    // A hidden evaluation has no list.
    let other = if view.is_hidden {
        NoticeArea::Nowhere
    } else {
        NoticeArea::Lines
    };
    let scale = canvas.scale;
    let mut room = RemainingSpace(rect.shrink2(vec2(4.0, 0.0)));
    if beside {
        let column = room.cut_left((BESIDE_BAR_WIDTH * scale).max(room.0.height() * 0.22));
        room.cut_left(14.0 * scale);
        let is_notice_shown = draw_upright_bar(canvas, view, share, other, column);
        if !view.is_hidden {
            let list = room
                .0
                .with_max_x(room.0.right() - 10.0 * scale)
                .shrink2(vec2(0.0, 10.0 * scale));
            let card = view.turning_card.as_ref();
            if !card.is_some_and(|card| turning_card::draw_in_place(canvas, card, list)) {
                draw_beside(canvas, view, is_notice_shown, list);
            }
        }
    } else if below {
        let list = room
            .cut_bottom(list * scale + 10.0 * scale)
            .shrink2(vec2(10.0 * scale, 0.0));
        let list = list.with_max_y(list.bottom() - 10.0 * scale);
        let line = room.cut_bottom(16.0 * scale);
        let line = line.with_min_y(line.center().y).with_max_y(line.center().y + 1.0);
        canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
        let is_notice_shown = draw_upright_bar(canvas, view, share, other, room.0);
        if !view.is_hidden {
            list::draw(canvas, view, is_notice_shown, super::reserved_rows(view), list);
        }
    } else {
        draw_upright_bar(canvas, view, share, NoticeArea::Nowhere, room.0);
    }
}

/// The heights of the rows at an end of the bar, the outer ones first, in points of the screen; 0 for absent rows.
#[derive(Clone, Copy, Debug)]
struct EndRows {
    name: f32,
    clock: f32,
    number: f32,
    /// The height of the row of the move.
    mv: f32,
    /// Whether names are broken into two lines, because one is too long.
    has_broken_names: bool,
}

impl EndRows {
    /// Returns the rows that fit at both ends of a bar in `bounds`. `unit` is the number of points of the screen per
    /// point of the design window.
    fn fit(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect, unit: f32) -> Self {
        let style = canvas.style;
        let min_row_height = MIN_ROW_HEIGHT_EMS * canvas.min_font_size();
        let line = |is_shown: bool, height: f32| {
            if is_shown {
                (height * unit).max(min_row_height)
            } else {
                0.0
            }
        };
        let has_clock = view.black.clock.or(view.white.clock).is_some();
        let name_size = (NAME_FONT_SIZE * unit).max(canvas.min_font_size());
        let has_broken_names = [&view.black, &view.white].into_iter().any(|side| {
            let text = [TextRun::bold(&side.name, canvas.theme().text)];
            let width = canvas.width(TextRuns::line(&text, name_size / canvas.scale));
            side.name.contains(' ') && width > (bounds.width() - 1.1 * name_size) / 0.82
        });
        let name = line(
            style.shows_header() && bounds.width() >= MIN_WIDTH_WITH_NAMES,
            NAME_FONT_SIZE * if has_broken_names { 1.9 } else { 1.26 },
        );
        let name = if has_broken_names && name > 0.0 {
            name.max(2.0 * min_row_height)
        } else {
            name
        };
        let mut rows = Self {
            name,
            clock: line(
                style.shows(OverlayPart::Clocks) && has_clock && bounds.width() >= MIN_WIDTH_WITH_CLOCKS,
                CLOCK_FONT_SIZE * 1.2,
            ),
            number: line(style.shows_numbers(), NUMBER_FONT_SIZE * 1.12),
            mv: line(ends::has_end_move(canvas), MOVE_FONT_SIZE * 1.4),
            has_broken_names: has_broken_names && name > 0.0,
        };
        // The least important row is left out first.
        let max_height = bounds.height() * 0.27;
        if rows.total() > max_height {
            rows.clock = 0.0;
        }
        if rows.total() > max_height {
            rows.mv = 0.0;
        }
        if rows.total() > max_height {
            (rows.name, rows.has_broken_names) = (0.0, false);
        }
        rows
    }

    /// Returns the total height of the rows, in points of the screen.
    const fn total(self) -> f32 {
        self.name + self.clock + self.number + self.mv
    }
}

/// Draws the bar with its ends, and a long failure below them. `other` is the room for notices outside the bar. Returns
/// whether the bar shows a notice.
fn draw_upright_bar(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    share: f32,
    other: NoticeArea,
    bounds: Rect,
) -> bool {
    let mut room = RemainingSpace(bounds);
    let min_size = canvas.min_font_size();
    // A failure that is short enough is written in the bar, so that the ends keep their positions.
    let fits = |notice: &&BarNotice| {
        let ems = notice.text.chars().count().max(1) as f32 * CHARACTER_HEIGHT;
        bounds.height() * MIN_BAR_FRACTION / ems >= min_size
    };
    let failure = view
        .notice()
        .filter(|notice| notice.is_failure && other == NoticeArea::Nowhere && !fits(notice));
    if let Some(failure) = failure {
        draw_failure(canvas, failure, &mut room);
    }
    // A long failure has the place of the context.
    let has_context = other == NoticeArea::Nowhere
        && failure.is_none()
        && bounds.height() >= MIN_CONTEXT_ASPECT_RATIO * bounds.width()
        && context_line::is_wanted(canvas, view);
    if has_context {
        draw_context(canvas, view, &mut room);
    }
    let unit = (room.0.size() / DESIGN_WINDOW_SIZE).min_elem();
    let (scale, pad) = (canvas.scale, (8.0 * unit).max(3.0));
    if view.live_mark.is_some() && canvas.style.shows(OverlayPart::Signal) {
        let size = (CLOCK_FONT_SIZE * unit).max(min_size);
        room.cut_top(pad);
        let row = room.cut_top(1.3 * size);
        // A list has the context line.
        let has_formation = other == NoticeArea::Nowhere && !has_context;
        texts::draw_number_and_live(canvas, view, size / scale, row, has_formation);
    }
    let rows = EndRows::fit(canvas, view, room.0, unit);
    let [lower, upper] = BarEnd::lower_and_upper(canvas);
    for (end, is_upper) in [(upper, true), (lower, false)] {
        let mut take = |height: f32| {
            if is_upper {
                room.cut_top(height)
            } else {
                room.cut_bottom(height)
            }
        };
        take(pad);
        // The name is always above the clock.
        let (name, clock) = if is_upper {
            let name = take(rows.name);
            (name, take(rows.clock))
        } else {
            let clock = take(rows.clock);
            (take(rows.name), clock)
        };
        let number = take(rows.number);
        let mv = take(rows.mv);
        take(pad * 0.75);
        let font = |size: f32| (size * unit).max(min_size) / scale;
        if rows.name > 0.0 {
            draw_name(canvas, view, end, font(NAME_FONT_SIZE), name, rows);
        }
        if rows.clock > 0.0 {
            ends::draw_clock(
                canvas,
                view,
                end,
                font(CLOCK_FONT_SIZE),
                clock,
                ClockPosition::Beside,
            );
        }
        if rows.number > 0.0 {
            ends::draw_number(canvas, view, end, font(NUMBER_FONT_SIZE), number, Align::Center);
        }
        if rows.mv > 0.0 {
            ends::draw_move(canvas, view, end, BeforeBest::Threat, font(MOVE_FONT_SIZE), mv);
        }
    }
    let width = (bounds.width() * 0.5)
        .min(room.0.height() * 0.4)
        .max(bounds.width().min(24.0));
    let bar = Rect::from_center_size(room.0.center(), vec2(width, room.0.height()));
    let sentence = if failure.is_none() {
        tray_sentence(view, other)
    } else {
        None
    };
    shares::draw(canvas, view, share, sentence, bar, BarAxis::Up)
}

/// Draws the lines of the context at the bottom. The credit, or the other one of two engines, has a further line.
fn draw_context(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, room: &mut RemainingSpace) {
    let unit = room.0.width() / DESIGN_WINDOW_SIZE.x;
    let min_size = canvas.min_font_size();
    let count = CONTEXT_LINES + usize::from(view.engines.len() > 1 || !view.credit.is_empty());
    let height = (CONTEXT_LINE_HEIGHT * unit).max(MIN_ROW_HEIGHT_EMS * min_size);
    let size = CONTEXT_FONT_SIZE * unit / canvas.scale;
    room.cut_bottom(height / 3.0);
    let block = room.cut_bottom(height * count as f32);
    context_line::draw_stacked(canvas, view, count, size, block.shrink2(vec2(height / 3.0, 0.0)));
}

/// Draws a failure at the bottom, in as many lines as it needs and as there is room for.
fn draw_failure(canvas: &mut OverlayCanvas<'_, '_>, notice: &BarNotice, room: &mut RemainingSpace) {
    let scale = canvas.scale;
    canvas.scale = scale.min(MAX_FAILURE_SCALE);
    let lines = texts::max_notice_lines(canvas, notice, room.0.width() - 2.0 * FAILURE_MARGIN);
    let max_lines = (room.0.height() * MAX_FAILURE_FRACTION / texts::notice_line_height(canvas))
        .floor()
        .max(1.0);
    room.cut_bottom(4.0);
    let block = room.cut_bottom(lines.min(max_lines) * texts::notice_line_height(canvas));
    texts::draw_notice(canvas, notice, block.shrink2(vec2(FAILURE_MARGIN, 0.0)));
    canvas.scale = scale;
}

/// Draws a name in the middle, in two lines if names are broken and this one has a space.
fn draw_name(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    font_size: f32,
    bounds: Rect,
    rows: EndRows,
) {
    let has_clock = rows.clock > 0.0;
    let words = view.side(end.color).name.clone();
    match words.split_once([' ', '\u{3000}']) {
        Some((first, rest)) if rows.has_broken_names => {
            let (above, below) = bounds.split_top_bottom_at_fraction(0.5);
            let mut broken = view.clone();
            let side = if end.color == Color::Black {
                &mut broken.black
            } else {
                &mut broken.white
            };
            first.clone_into(&mut side.name);
            ends::draw_name(canvas, &broken, end, font_size * 0.84, above, has_clock);
            let runs = [TextRun::bold(rest, canvas.theme().text)];
            canvas.draw_squeezed(
                TextRuns::line(&runs, font_size * 0.84),
                font_size * 0.84,
                below,
                Align::Center,
            );
        }
        _ => {
            ends::draw_name(canvas, view, end, font_size, bounds, has_clock);
        }
    }
}

/// Draws the position line (move number and last move) and all candidates.
fn draw_beside(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, is_notice_shown: bool, bounds: Rect) {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let mut room = RemainingSpace(bounds);
    if !view.position_text.concat().is_empty() {
        texts::draw_position_line(canvas, view, room.cut_top(26.0 * scale), Align::LEFT);
        let line = room.cut_top(10.0 * scale);
        let line = line.with_min_y(line.center().y).with_max_y(line.center().y + 1.0);
        canvas.fill(line, CornerRadius::ZERO, theme.separator);
    }
    list::draw(canvas, view, is_notice_shown, super::reserved_rows(view), room.0);
}
