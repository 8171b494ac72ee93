//! The full layout: names, the players' moves, bar and numbers at the top, the graph and the candidates below.

use super::frame::{FrameNeeds, MIN_SIZE, OverlayFrame};
use super::{NoticeArea, draw_layout, notice_outside_tray, tray_sentence};
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::context_line::{self, LineEnd};
use crate::overlay::ends::{self, BarEnd, BeforeBest, ClockPosition};
use crate::overlay::shares::{self, BarAxis};
use crate::overlay::style::{CardPlace, OverlayRows};
use crate::overlay::{columns, rows, strip, texts, turning_card};
use eframe::egui;
use egui::{Align, CornerRadius, Rangef, Rect, Vec2, vec2};
use shogibar_config::{Layout, OverlayPart};
use shogibar_games::bar::{BarNotice, BarView, EngineSignal, EngineView};

/// The design size of the layout, in points at scale 1. A window of 1300×466 has the scale 1.55.
pub(super) const DESIGN_SIZE: Vec2 = vec2(838.0, 300.0);

/// The height of a further row of candidates, in points at scale 1.
pub(super) const ROW_HEIGHT: f32 = 27.0;

/// The smallest window width of this layout, in points of the screen.
pub(super) const MIN_WIDTH: f32 = MIN_SIZE.x * super::MIN_SCALE;
/// The smallest window height of this layout, in points of the screen. A lower window has the layout in one line.
const MIN_HEIGHT: f32 = 84.0;

/// The font size of a win rate, in points at scale 1.
const NUMBER_FONT_SIZE: f32 = 62.0;
/// The font size of a win rate in a narrow box, in points at scale 1.
const NARROW_NUMBER_FONT_SIZE: f32 = 46.0;
/// The maximum font size of a name, in points at scale 1.
const MAX_NAME_FONT_SIZE: f32 = 20.5;
/// The maximum font size of a clock, in points at scale 1.
const MAX_CLOCK_FONT_SIZE: f32 = 16.0;
/// The largest part of the header's width for the name and the clock of a player.
const SIDE_FRACTION: f32 = 0.38;
/// The same part where the middle only has the move number. It has room for the label of a clock in English.
const SIDE_FRACTION_WITH_CLOCKS: f32 = 0.43;
/// The room beside a name for a clock, its label and the triangle, in points at scale 1.
const CLOCK_ROOM_WIDTH: f32 = 126.0;
/// The maximum font size of a player's move, in points at scale 1.
const MAX_MOVE_FONT_SIZE: f32 = 19.5;
/// The maximum font size of the text in the middle, in points at scale 1.
const MAX_MIDDLE_FONT_SIZE: f32 = 15.0;
/// The maximum font size of the reason, in points at scale 1.
const MAX_REASON_FONT_SIZE: f32 = 17.0;

/// Draws the view into `rect`, or in another layout if the window is too small.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if size.x < MIN_WIDTH {
        return draw_layout(Layout::Candidates, canvas, view, share, rect);
    }
    if size.y < MIN_HEIGHT {
        return draw_layout(Layout::Bar, canvas, view, share, rect);
    }
    let mut needs = frame_needs(canvas, view);
    let mut frame = OverlayFrame::fit(rect, needs);
    canvas.scale = frame.scale;
    let columns = if canvas.style.shows_candidates() {
        columns::fit_columns(canvas, view, frame.rows.x_range(), frame.row_count)
    } else {
        None
    };
    let across = cells_across(canvas, &frame);
    if columns.is_some() {
        // One row is for the headings.
        needs.rows += 1;
    } else if across > 1 {
        // Side by side the candidates take fewer rows.
        needs.rows = needs.rows.div_ceil(across).max(1);
    }
    frame = OverlayFrame::fit(rect, needs);
    // While the evaluation is hidden, the graph and the candidates would reveal it, so they are folded away.
    canvas.draw_background(if view.is_hidden { frame.head } else { rect }, rect);
    let [has_header, has_moves] = [frame.header, frame.moves].map(|bounds| bounds.height() > 0.0);
    let has_rows = frame.row_count > 0 && !view.is_hidden;
    let area = match has_rows {
        true => NoticeArea::Lines,
        false if has_moves || has_header => NoticeArea::Line,
        false => NoticeArea::Nowhere,
    };
    let is_notice_shown = shares::draw(
        canvas,
        view,
        share,
        tray_sentence(view, area),
        frame.bar,
        BarAxis::Across,
    );
    let above = notice_outside_tray(view, is_notice_shown || has_rows);
    draw_header(canvas, view, if has_moves { None } else { above }, &frame);
    let top = if frame.graph.height() > 0.0 {
        &frame.graph
    } else {
        &frame.rows
    }
    .top();
    let bottom = if has_rows { &frame.rows } else { &frame.graph }.bottom();
    let below_bar = frame.rows.with_min_y(top).with_max_y(bottom);
    match &view.turning_card {
        Some(card)
            if canvas.style.card_place == CardPlace::InLine
                && has_moves
                && !view.is_hidden
                && !turning_card::fits(canvas, card, below_bar) =>
        {
            turning_card::draw_line(canvas, card, MAX_MOVE_FONT_SIZE, frame.moves);
        }
        _ if has_moves => draw_moves(canvas, view, above, frame.moves),
        _ => {}
    }
    let size = if frame.left.width() < 100.0 * frame.scale {
        NARROW_NUMBER_FONT_SIZE
    } else {
        NUMBER_FONT_SIZE
    };
    let size = size.min(frame.bar.height() * 1.2 / frame.scale);
    for (end, bounds) in BarEnd::left_and_right(canvas)
        .into_iter()
        .zip([frame.left, frame.right])
    {
        ends::draw_number(canvas, view, end, size, bounds, Align::Center);
    }
    if view.is_hidden {
        return;
    }
    if let Some(card) = &view.turning_card
        && turning_card::draw_in_place(canvas, card, below_bar)
    {
        return draw_context(canvas, view, LineEnd::Engines, &frame);
    }
    let has_candidates = view.engines.iter().any(|engine| !engine.candidates.is_empty());
    let has_no_rows = view.decided_win.is_some() || view.is_numbers_only;
    if has_no_rows && !has_candidates && view.notice().is_none() && needs.graph && has_rows {
        // The game is over, or only numbers are shown: the graph also takes the space of the candidates.
        let below = Rect::from_min_max(frame.graph.left_top(), frame.rows.right_bottom());
        strip::draw(canvas, view, below, true);
        return draw_context(canvas, view, LineEnd::Engines, &frame);
    }
    // The sentence replaces the graph, so that nothing moves when the graph appears.
    if frame.graph.height() > 0.0 && !texts::draw_reason(canvas, view, MAX_REASON_FONT_SIZE, frame.graph) {
        strip::draw(canvas, view, frame.graph, false);
    }
    if canvas.style.rows == OverlayRows::Free && has_rows && view.notice().is_none() {
        canvas.picture.free_rows = Some(frame.rows);
        return;
    }
    let end = if columns.is_some() || view.engines.len() < 2 {
        LineEnd::Figures
    } else {
        LineEnd::Engines
    };
    if frame.row_count > 0 {
        match columns {
            Some(columns) if view.notice.is_none() || texts::notice_beside_candidates(view).is_some() => {
                draw_engine_columns(canvas, view, &frame, &columns);
            }
            _ => draw_lead_engine(canvas, view, is_notice_shown, &frame, across),
        }
    }
    draw_context(canvas, view, end, &frame);
}

fn draw_context(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, end: LineEnd, frame: &OverlayFrame) {
    if frame.context.height() > 0.0 {
        context_line::draw_below_hairline(canvas, view, end, texts::QUIET_FONT_SIZE, frame.context);
    }
}

fn frame_needs(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> FrameNeeds {
    let style = canvas.style;
    let rows = if style.shows_candidates() {
        super::reserved_rows(view)
    } else {
        usize::from(view.notice().is_some())
    };
    FrameNeeds {
        header: style.shows_header(),
        moves: ends::has_end_move(canvas) || style.shows_evaluation() || style.shows_situation(),
        numbers: style.shows_numbers(),
        graph: style.shows(OverlayPart::Graph) && style.shows_numbers() && has_or_awaits_values(view),
        rows,
        context: context_line::is_wanted(canvas, view),
    }
}

/// Returns whether the graph has a value, or will soon have one because an engine searches.
fn has_or_awaits_values(view: &BarView) -> bool {
    let will_come =
        |engine: &EngineView| matches!(engine.signal, Some(EngineSignal::Live | EngineSignal::Waiting));
    view.engines.iter().any(will_come) || view.graph.iter().chain(&*view.filled_shares).any(Option::is_some)
}

/// Returns the number of candidates side by side; 1 if candidates have their following moves.
fn cells_across(canvas: &OverlayCanvas<'_, '_>, frame: &OverlayFrame) -> usize {
    if canvas.style.shows_lines() || !canvas.style.shows_candidates() {
        return 1;
    }
    let cells = frame.rows.width() / (rows::CELL_WIDTH * canvas.scale);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small number of cells"
    )]
    let cells = cells.floor().max(1.0) as usize;
    cells
}

/// Draws names and clocks at the ends. Between them is a notice, or else the move number and the live mark.
fn draw_header(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    notice: Option<&BarNotice>,
    frame: &OverlayFrame,
) {
    let bounds = frame.header;
    if bounds.height() <= 0.0 {
        return;
    }
    let has_times = view.black.clock.or(view.white.clock).is_some();
    // The move number alone needs less room than with the live mark or the last move.
    let is_number_alone = notice.is_none() && frame.moves.height() > 0.0 && view.live_mark.is_none();
    let side_fraction = if has_times && is_number_alone {
        SIDE_FRACTION_WITH_CLOCKS
    } else {
        SIDE_FRACTION
    };
    let (scale, third) = (canvas.scale, bounds.width() * side_fraction);
    let size = MAX_NAME_FONT_SIZE.min(bounds.height() / scale * 0.72);
    // The clocks are left out before a name is cut.
    let has_clocks = has_times
        && [&view.black, &view.white].into_iter().all(|side| {
            ends::is_name_readable(
                canvas,
                &side.name,
                size,
                vec2(third - CLOCK_ROOM_WIDTH * scale, bounds.height()),
            )
        });
    let clock = if has_clocks { CLOCK_ROOM_WIDTH * scale } else { 0.0 };
    let mut used: f32 = 0.0;
    for end in BarEnd::left_and_right(canvas) {
        let is_right = end.align == Align::RIGHT;
        let half = if is_right {
            bounds.with_min_x(bounds.right() - third)
        } else {
            bounds.with_max_x(bounds.left() + third)
        };
        let room = if is_right {
            half.with_min_x(half.left() + clock)
        } else {
            half.with_max_x(half.right() - clock)
        };
        let taken = ends::draw_name(canvas, view, end, size, room, has_clocks);
        let gap = 16.0 * scale;
        let rest = if is_right {
            half.with_max_x(taken.left() - gap)
        } else {
            half.with_min_x(taken.right() + gap)
        };
        let clock = if has_clocks {
            ends::draw_clock(
                canvas,
                view,
                end,
                MAX_CLOCK_FONT_SIZE.min(size),
                rest,
                ClockPosition::Beside,
            )
        } else {
            Rect::NOTHING
        };
        let taken = ends::draw_threat(canvas, view, end, size, (taken.union(clock), half));
        let width = if is_right {
            bounds.right() - taken.left()
        } else {
            taken.right() - bounds.left()
        };
        used = used.max(if has_clocks {
            third
        } else {
            (width + gap).min(third)
        });
    }
    let middle = bounds.shrink2(vec2(used + 8.0 * scale, 0.0));
    // Without a separate line of moves, this line also has the last move.
    if let Some(notice) = notice {
        texts::draw_notice_line(canvas, notice, MAX_MIDDLE_FONT_SIZE, middle, Align::Center);
    } else if frame.moves.height() > 0.0 || view.live_mark.is_some() {
        let has_formation = frame.context.height() <= 0.0;
        texts::draw_number_and_live(canvas, view, MAX_MIDDLE_FONT_SIZE, middle, has_formation);
    } else {
        texts::draw_position_line(canvas, view, middle, Align::Center);
    }
}

/// Draws a move of each player at the ends. Between them is a notice, or else the evaluation. A long notice takes the
/// whole row.
fn draw_moves(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, notice: Option<&BarNotice>, bounds: Rect) {
    let move_width = bounds.width() * 0.36;
    let size = MAX_MOVE_FONT_SIZE.min(bounds.height() / canvas.scale * 0.72);
    let middle = bounds.shrink2(vec2(move_width, 0.0));
    if let Some(notice) =
        notice.filter(|notice| texts::notice_width(canvas, notice, MAX_MIDDLE_FONT_SIZE) > middle.width())
    {
        return texts::draw_notice_line(canvas, notice, MAX_MIDDLE_FONT_SIZE, bounds, Align::Center);
    }
    let before = if canvas.style.shows_header() {
        BeforeBest::Label
    } else {
        BeforeBest::Threat
    };
    for end in BarEnd::left_and_right(canvas) {
        let is_right = end.align == Align::RIGHT;
        let room = if is_right {
            bounds.with_min_x(bounds.right() - move_width)
        } else {
            bounds.with_max_x(bounds.left() + move_width)
        };
        ends::draw_move(canvas, view, end, before, size, room);
    }
    match notice {
        Some(notice) => texts::draw_notice_line(canvas, notice, MAX_MIDDLE_FONT_SIZE, middle, Align::Center),
        None => texts::draw_middle(canvas, view, MAX_MIDDLE_FONT_SIZE.min(size), middle),
    }
}

/// Draws each engine in a column, and below the columns a notice that leaves them room. A longer notice replaces them.
fn draw_engine_columns(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    frame: &OverlayFrame,
    columns: &[Rangef],
) {
    let rows = frame.rows_across(frame.rows.x_range());
    // The notice leaves two rows: a heading and a candidate.
    let left = match texts::notice_beside_candidates(view) {
        Some(notice) => match texts::draw_notice_below(canvas, notice, &rows, 2) {
            Some(left) => left,
            None => return texts::draw_notice(canvas, notice, frame.rows),
        },
        None => &rows,
    };
    columns::draw(canvas, view, left, columns);
}

/// Draws the lead engine's candidates, or a notice unless the tray already shows it (`is_notice_shown`).
fn draw_lead_engine(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    is_notice_shown: bool,
    frame: &OverlayFrame,
    across: usize,
) {
    let all = frame.rows_across(frame.rows.x_range());
    let rows = texts::notice_beside_candidates(view)
        .and_then(|notice| texts::draw_notice_below(canvas, notice, &all, 1));
    // Without room below the rows, the notice of the view replaces them.
    let notice = if rows.is_some() {
        view.lead().notice.as_ref()
    } else {
        view.notice()
    };
    let is_engine_notice = rows.is_some() || view.notice.is_none();
    let mut rows = rows.unwrap_or(&all);
    match notice {
        _ if is_notice_shown => {}
        Some(notice) if is_engine_notice => {
            rows = texts::draw_engine_notice(canvas, view.lead(), notice, rows);
        }
        Some(notice) => {
            let bounds = rows.iter().copied().reduce(Rect::union).unwrap_or(frame.rows);
            return texts::draw_notice(canvas, notice, bounds);
        }
        None => {}
    }
    if across > 1 {
        let (left, width) = (frame.rows.left(), frame.rows.width() / across as f32);
        let cells = rows.iter().flat_map(|row| {
            (0..across).map(move |nth| {
                let cell = Rangef::new(left + width * nth as f32, left + width * (nth + 1) as f32);
                Rect::from_x_y_ranges(cell, row.y_range())
            })
        });
        rows::draw(canvas, view.lead(), &cells.collect::<Vec<_>>());
    } else {
        rows::draw(canvas, view.lead(), rows);
        draw_row_lines(canvas, rows.get(..view.lead().candidates.len()).unwrap_or(rows));
    }
}

fn draw_row_lines(canvas: &mut OverlayCanvas<'_, '_>, rows: &[Rect]) {
    for row in rows.iter().skip(1) {
        let line = row.with_max_y(row.top() + 1.0);
        canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
    }
}
