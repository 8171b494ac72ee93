//! The full layout: names, the players' moves, bar and numbers at the top, the graph and the candidates below.

use super::frame::{FrameNeeds, MIN_SIZE, OverlayFrame};
use super::{NoticeArea, draw_as, notice_beside, sentence};
use crate::bar::{BarNotice, BarView, EngineSignal, EngineView};
use crate::config::{Layout, OverlayPart};
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::ends::{self, BarEnd, BeforeBest, ClockPosition};
use crate::overlay::style::OverlayRows;
use crate::overlay::texts;
use crate::overlay::tray::{self, BarAxis};
use crate::overlay::{columns, rows, strip};
use eframe::egui;
use egui::{Align, CornerRadius, Rangef, Rect, Vec2, vec2};

/// The design size of the layout, in points: 1300×430 at scale 1.55.
pub(super) const SIZE: Vec2 = vec2(838.0, 277.0);

/// The height of a further row.
pub(super) const ROW: f32 = 27.0;

/// The smallest window width of this layout, in points of the screen.
pub(super) const NARROWEST: f32 = MIN_SIZE.x * super::MIN_SCALE;
/// The smallest window height of this layout, in points of the screen; a lower one shows one line.
const MIN_HEIGHT: f32 = 84.0;

// The font sizes, in points at scale 1.
const NUMBER: f32 = 62.0;
const NUMBER_NARROW: f32 = 46.0;
const NAME: f32 = 20.5;
const CLOCK: f32 = 16.0;
/// The room beside a name for a clock, its label and the triangle, in points at scale 1.
const WITH_CLOCK: f32 = 126.0;
/// The largest font size of a player's move, in points at scale 1.
const MOVE: f32 = 19.5;
/// The largest font size of the text in the middle, in points at scale 1.
const MIDDLE: f32 = 15.0;
/// The largest font size of the reason, in points at scale 1.
const REASON: f32 = 17.0;

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if size.x < NARROWEST {
        return draw_as(Layout::Candidates, canvas, view, share, rect);
    }
    if size.y < MIN_HEIGHT {
        return draw_as(Layout::Bar, canvas, view, share, rect);
    }
    let mut needs = needs(canvas, view);
    let mut frame = OverlayFrame::fit(rect, needs);
    canvas.scale = frame.scale;
    let columns = columns::fit(canvas, view, frame.rows.x_range(), frame.count);
    let columns = columns.filter(|_| canvas.style.shows_candidates());
    let across = cells_across(canvas, &frame);
    if columns.is_some() {
        // One row is for the headings.
        needs.rows += 1;
    } else if across > 1 {
        // Side by side the candidates take fewer rows.
        needs.rows = needs.rows.div_ceil(across).max(1);
    }
    frame = OverlayFrame::fit(rect, needs);
    // The graph and the candidates, which would tell who is winning, are folded away.
    canvas.draw_background(if view.is_hidden { frame.head } else { rect }, rect);
    let [has_header, has_moves] = [frame.header, frame.moves].map(|bounds| bounds.height() > 0.0);
    let has_rows = frame.count > 0 && !view.is_hidden;
    let area = match has_rows {
        true => NoticeArea::Lines,
        false if has_moves || has_header => NoticeArea::Line,
        false => NoticeArea::Nowhere,
    };
    let is_notice_shown = tray::draw(canvas, view, share, sentence(view, area), frame.bar, BarAxis::Across);
    let above = notice_beside(view, is_notice_shown).filter(|_| !has_rows);
    header(canvas, view, above.filter(|_| !has_moves), &frame);
    if has_moves {
        moves(canvas, view, above, frame.moves);
    }
    let size = if frame.left.width() < 100.0 * frame.scale { NUMBER_NARROW } else { NUMBER };
    let size = size.min(frame.bar.height() * 1.2 / frame.scale);
    for (end, bounds) in BarEnd::both(canvas).into_iter().zip([frame.left, frame.right]) {
        ends::number(canvas, view, end, size, bounds, Align::Center);
    }
    if view.is_hidden {
        return;
    }
    let has_candidates = view.engines.iter().any(|engine| !engine.candidates.is_empty());
    if view.decided_win.is_some() && !has_candidates && view.notice().is_none() && needs.graph && has_rows {
        // The game is over: its graph also takes the space of the candidates.
        let below = Rect::from_min_max(frame.graph.left_top(), frame.rows.right_bottom());
        return strip::draw(canvas, view, below, true);
    }
    // The sentence takes the space of the graph, so that nothing moves when the graph appears.
    if frame.graph.height() > 0.0 && !texts::draw_reason(canvas, view, REASON, frame.graph) {
        strip::draw(canvas, view, frame.graph, false);
    }
    if canvas.style.rows == OverlayRows::Free && has_rows && view.notice().is_none() {
        canvas.picture.free_rows = Some(frame.rows);
        return;
    }
    if frame.count > 0 {
        match columns.filter(|_| view.notice.is_none() || texts::in_passing(view).is_some()) {
            Some(columns) => several_engines(canvas, view, &frame, &columns),
            None => one_engine(canvas, view, is_notice_shown, &frame, across),
        }
    }
    if frame.figures.height() > 0.0 {
        texts::figures(canvas, view.lead(), frame.figures);
    }
}

fn needs(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> FrameNeeds {
    let style = canvas.style;
    let rows = if style.shows_candidates() { super::asked(view) } else { usize::from(view.notice().is_some()) };
    FrameNeeds {
        header: style.shows_header(),
        moves: ends::has_end_move(canvas) || style.shows_evaluation() || style.shows_situation(),
        numbers: style.shows_numbers(),
        graph: style.shows(OverlayPart::Graph) && style.shows_numbers() && has_values(view),
        rows,
        figures: view.engines.len() < 2 && (style.shows(OverlayPart::Figures) || style.shows(OverlayPart::Engine)),
    }
}

/// Returns whether the graph has anything to draw, or soon will have because an engine searches.
fn has_values(view: &BarView) -> bool {
    let will_come = |engine: &EngineView| matches!(engine.signal, Some(EngineSignal::Live | EngineSignal::Waiting));
    view.engines.iter().any(will_come) || view.graph.iter().chain(&*view.filled_shares).any(Option::is_some)
}

/// Returns the number of candidates side by side: without the following moves they need little room.
fn cells_across(canvas: &OverlayCanvas<'_, '_>, frame: &OverlayFrame) -> usize {
    if canvas.style.shows_lines() || !canvas.style.shows_candidates() {
        return 1;
    }
    let cells = frame.rows.width() / (rows::CELL * canvas.scale);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number of cells")]
    let cells = cells.floor().max(1.0) as usize;
    cells
}

/// Draws names and clocks at the ends. Between them stands a notice, or else the move number and the live mark.
fn header(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, notice: Option<&BarNotice>, frame: &OverlayFrame) {
    let bounds = frame.header;
    if bounds.height() <= 0.0 {
        return;
    }
    let (scale, third) = (canvas.scale, bounds.width() * 0.38);
    let size = NAME.min(bounds.height() / scale * 0.72);
    // The clocks are left out before a name is cut.
    let has_clocks = view.black.clock.or(view.white.clock).is_some()
        && [&view.black, &view.white].into_iter().all(|side| {
            ends::is_name_read(canvas, &side.name, size, vec2(third - WITH_CLOCK * scale, bounds.height()))
        });
    let clock = if has_clocks { WITH_CLOCK * scale } else { 0.0 };
    let mut used: f32 = 0.0;
    for end in BarEnd::both(canvas) {
        let is_right = end.align == Align::RIGHT;
        let half =
            if is_right { bounds.with_min_x(bounds.right() - third) } else { bounds.with_max_x(bounds.left() + third) };
        let room = if is_right { half.with_min_x(half.left() + clock) } else { half.with_max_x(half.right() - clock) };
        let taken = ends::name(canvas, view, end, size, room, has_clocks);
        let gap = 16.0 * scale;
        let rest = if is_right { half.with_max_x(taken.left() - gap) } else { half.with_min_x(taken.right() + gap) };
        let clock = if has_clocks {
            ends::clock(canvas, view, end, CLOCK.min(size), rest, ClockPosition::Beside)
        } else {
            Rect::NOTHING
        };
        let taken = ends::threat(canvas, view, end, size, (taken.union(clock), half));
        let own = if is_right { bounds.right() - taken.left() } else { taken.right() - bounds.left() };
        used = used.max(if has_clocks { third } else { (own + gap).min(third) });
    }
    let middle = bounds.shrink2(vec2(used + 8.0 * scale, 0.0));
    // The last move has no separate line here, so it is shown in this one.
    if let Some(notice) = notice {
        texts::notice_line(canvas, notice, MIDDLE, middle, Align::Center);
    } else if frame.moves.height() > 0.0 || view.live_mark.is_some() {
        texts::draw_number_and_live(canvas, view, MIDDLE, middle);
    } else {
        texts::draw_position_line(canvas, view, middle, Align::Center);
    }
}

/// Draws the players' own moves at the ends. Between them stands a notice, or else the evaluation. A long notice takes
/// the whole row.
fn moves(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, notice: Option<&BarNotice>, bounds: Rect) {
    let reach = bounds.width() * 0.36;
    let size = MOVE.min(bounds.height() / canvas.scale * 0.72);
    let middle = bounds.shrink2(vec2(reach, 0.0));
    if let Some(notice) = notice.filter(|notice| texts::notice_width(canvas, notice, MIDDLE) > middle.width()) {
        return texts::notice_line(canvas, notice, MIDDLE, bounds, Align::Center);
    }
    let before = if canvas.style.shows_header() { BeforeBest::Label } else { BeforeBest::Threat };
    for end in BarEnd::both(canvas) {
        let is_right = end.align == Align::RIGHT;
        let room =
            if is_right { bounds.with_min_x(bounds.right() - reach) } else { bounds.with_max_x(bounds.left() + reach) };
        ends::end_move(canvas, view, end, before, size, room);
    }
    match notice {
        Some(notice) => texts::notice_line(canvas, notice, MIDDLE, middle, Align::Center),
        None => texts::draw_middle(canvas, view, MIDDLE.min(size), middle),
    }
}

/// Draws each engine in its own column.
fn several_engines(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, frame: &OverlayFrame, columns: &[Rangef]) {
    let rows = frame.rows_across(frame.rows.x_range());
    // A heading without rows is useless.
    let left = match texts::in_passing(view) {
        Some(notice) => match texts::notice_below(canvas, notice, &rows, 2) {
            Some(left) => left,
            None => return texts::notice(canvas, notice, frame.rows),
        },
        None => &rows,
    };
    columns::draw(canvas, view, left, columns);
}

/// Draws the lead engine's candidates, or a notice unless the tray already shows it (`is_notice_shown`).
fn one_engine(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    is_notice_shown: bool,
    frame: &OverlayFrame,
    across: usize,
) {
    let all = frame.rows_across(frame.rows.x_range());
    let rows = texts::in_passing(view).and_then(|notice| texts::notice_below(canvas, notice, &all, 1));
    // The notice replaces the rows if there is no room for both, or if it comes from this engine.
    let notice = if rows.is_some() { view.lead().notice.as_ref() } else { view.notice() };
    let is_own = rows.is_some() || view.notice.is_none();
    let mut rows = rows.unwrap_or(&all);
    match notice.filter(|_| !is_notice_shown) {
        Some(own) if is_own => rows = texts::engine_notice(canvas, view.lead(), own, rows),
        Some(notice) => {
            let bounds = rows.iter().copied().reduce(Rect::union).unwrap_or(frame.rows);
            return texts::notice(canvas, notice, bounds);
        }
        None => {}
    }
    if across > 1 {
        let (left, width) = (frame.rows.left(), frame.rows.width() / across as f32);
        let cell = |nth: usize| Rangef::new(left + width * nth as f32, left + width * (nth + 1) as f32);
        let cells =
            rows.iter().flat_map(|row| (0..across).map(move |nth| Rect::from_x_y_ranges(cell(nth), row.y_range())));
        rows::draw(canvas, view.lead(), &cells.collect::<Vec<_>>());
    } else {
        rows::draw(canvas, view.lead(), rows);
        lines_between(canvas, rows.get(..view.lead().candidates.len()).unwrap_or(rows));
    }
}

/// Draws a thin line between two rows.
fn lines_between(canvas: &mut OverlayCanvas<'_, '_>, rows: &[Rect]) {
    for row in rows.iter().skip(1) {
        let line = row.with_max_y(row.top() + 1.0);
        canvas.fill(line, CornerRadius::ZERO, canvas.theme().separator);
    }
}
