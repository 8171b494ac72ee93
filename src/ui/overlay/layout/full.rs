//! The full layout: names, bar and percentages at the top, candidates and the engine's figures below.

use super::draw_as;
use super::frame::{FrameNeeds, LEAST, OverlayFrame};
use crate::bar::BarView;
use crate::config::Layout;
use crate::text::{PartWord, phrase};
use crate::ui::overlay::canvas::OverlayCanvas;
use crate::ui::overlay::ends::{self, BarEnd};
use crate::ui::overlay::share_bar::{self, BarAxis};
use crate::ui::overlay::texts::{self, LINE, NAME, QUIET};
use crate::ui::overlay::{columns, list, rows};
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, CornerRadius, Rangef, Rect, Vec2, vec2};

/// The design size of the layout, in points.
pub(super) const SIZE: Vec2 = vec2(1080.0, 204.0);

/// The smallest window width of this layout, in points of the screen.
pub(super) const NARROWEST: f32 = LEAST.x * super::SMALLEST;

/// The font size of a percentage, in points at scale 1.
const PERCENT: f32 = 34.0;

/// Draws the view into `rect`.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    let size = rect.size();
    if size.x < NARROWEST {
        return draw_as(Layout::Candidates, canvas, view, share, rect);
    }
    if size.y < LEAST.y * super::SMALLEST {
        return draw_as(Layout::Bar, canvas, view, share, rect);
    }
    let mut needs = needs(canvas, view);
    let mut frame = OverlayFrame::fit(rect, needs);
    canvas.scale = frame.scale;
    let columns = columns::fit(canvas, view, frame.rows.x_range(), frame.count);
    let columns = columns.filter(|_| canvas.look.shows_candidates());
    let across = cells_across(canvas, &frame);
    if columns.is_some() {
        // One row is for the headings.
        needs.rows += 1;
    } else if across > 1 {
        // Side by side the candidates take fewer rows, but the figures beside them take two.
        needs.rows = needs.rows.div_ceil(across).max(2);
    }
    frame = OverlayFrame::fit(rect, needs);
    canvas.ground(rect);
    if needs.header {
        header(canvas, view, &frame, columns.is_some());
    }
    share_bar::draw(canvas, view, share, frame.bar, BarAxis::Across);
    let [left, right] = BarEnd::both(canvas);
    ends::percentage(canvas, view, left, PERCENT, frame.left);
    ends::percentage(canvas, view, right, PERCENT, frame.right);
    if frame.count > 0 {
        canvas.fill(frame.separator, CornerRadius::ZERO, canvas.theme().separator);
        match columns.filter(|_| view.notice.is_none() || texts::in_passing(view).is_some()) {
            Some(columns) => several_engines(canvas, view, &frame, &columns),
            None => one_engine(canvas, view, &frame, across),
        }
    }
}

fn needs(canvas: &OverlayCanvas<'_, '_>, view: &BarView) -> FrameNeeds {
    let look = canvas.look;
    let rows = match (look.shows_candidates(), look.shows_foot()) {
        (true, _) => super::asked(view),
        (false, foot) => usize::from(foot),
    };
    // A failure has to be shown somewhere.
    let header = look.shows_header() || (rows == 0 && view.notice().is_some());
    FrameNeeds { header, numbers: look.shows_numbers(), rows }
}

/// Returns the number of candidates side by side: without the following moves they need little room.
fn cells_across(canvas: &OverlayCanvas<'_, '_>, frame: &OverlayFrame) -> usize {
    if canvas.look.shows_lines() || !canvas.look.shows_candidates() {
        return 1;
    }
    // The rest of the width is for the figures.
    let cells = frame.rows.width() * 0.7 / (rows::CELL * canvas.scale);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few")]
    let cells = cells.floor().max(1.0) as usize;
    cells
}

/// Draws every engine in a column of its own.
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

/// Draws the lead engine, and the evaluation that the bar shows.
fn one_engine(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, frame: &OverlayFrame, across: usize) {
    if !canvas.look.shows_candidates() && view.notice().is_none() {
        return list::foot(canvas, view, frame.rows);
    }
    let left = figures(canvas, view, frame);
    let all = frame.rows_across(left.x_range());
    let rows = texts::in_passing(view).and_then(|notice| texts::notice_below(canvas, notice, &all, 1));
    // The notice takes the rows if there is no room for both, or if it is the engine's own.
    let notice = if rows.is_some() { view.lead().notice.as_ref() } else { view.notice() };
    let rows = rows.unwrap_or(&all);
    if let Some(notice) = notice {
        let bounds = rows.iter().copied().reduce(Rect::union).unwrap_or(left);
        return texts::notice(canvas, notice, bounds);
    }
    if across > 1 {
        let width = left.width() / across as f32;
        let cell = |nth: usize| Rangef::new(left.left() + width * nth as f32, left.left() + width * (nth + 1) as f32);
        let cells =
            rows.iter().flat_map(|row| (0..across).map(move |nth| Rect::from_x_y_ranges(cell(nth), row.y_range())));
        rows::draw(canvas, view.lead(), &cells.collect::<Vec<_>>());
    } else {
        rows::draw(canvas, view.lead(), rows);
    }
}

/// Draws the names at the ends, the place in the game between them, and the evaluation where it has no other place.
fn header(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, frame: &OverlayFrame, evaluated: bool) {
    let (bounds, gap) = (frame.names, 14.0 * canvas.scale);
    let theme = canvas.theme();
    let mut runs = texts::place(view, theme);
    if evaluated {
        runs.push(TextRun::regular("　", theme.quiet));
        runs.extend(texts::evaluation(view, theme));
    }
    // The smallest window has no other room for a notice.
    let notice = view.notice().filter(|_| frame.count == 0);
    if let Some(notice) = notice {
        runs = vec![TextRun::regular(&notice.text, texts::notice_color(theme, notice))];
    }
    let place = TextRuns::line(&runs, LINE);
    let reserved = canvas.width(place).min(bounds.width() * if evaluated { 0.5 } else { 0.36 });
    let most = (bounds.width() - reserved) / 2.0 - gap;
    let [left, right] = BarEnd::both(canvas);
    let first = ends::name(canvas, view, left, NAME, bounds.with_max_x(bounds.left() + most));
    let second = ends::name(canvas, view, right, NAME, bounds.with_min_x(bounds.right() - most));
    // The text is centred in the window, independent of the names.
    let side = first.width().max(second.width()) + gap;
    let shown = canvas.line(place, NAME, bounds.shrink2(vec2(side, 0.0)), Align::Center);
    match notice {
        Some(notice) => canvas.name(PartWord::Notice, notice.text.as_str(), shown),
        None => canvas.name(PartWord::Place, view.position_text.concat(), shown),
    }
    if evaluated {
        texts::name_evaluation(canvas, view, shown);
    }
}

/// Draws the evaluation and the engine's figures at the right end. Returns the rest of the rows beside them.
fn figures(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, frame: &OverlayFrame) -> Rect {
    let (scale, theme) = (canvas.scale, canvas.theme());
    let engine = view.lead();
    let quiet = if engine.stale { theme.stale } else { theme.quiet };
    let head = texts::evaluation(view, theme);
    let [depth, speed] = &engine.stats;
    let speed = phrase::together(&[speed, &engine.own_name], canvas.look.lang);
    let (first, second) = ([TextRun::regular(depth, quiet)], [TextRun::regular(&speed, quiet)]);
    let lines = [TextRuns::line(&head, NAME), TextRuns::line(&first, QUIET), TextRuns::line(&second, QUIET)];
    let most = if frame.count > 1 { lines.len() } else { 1 };
    let shown: Vec<_> = lines.into_iter().filter(|line| !line.is_empty()).take(most).collect();

    let mark = texts::signal_width(canvas, engine.signal);
    let widest = shown.iter().map(|line| canvas.width(*line)).fold(0.0, f32::max) + mark;
    if widest <= 0.0 {
        return frame.rows;
    }
    // The width grows in steps, so that the lines of moves do not change their length with every figure.
    let step = 24.0 * scale;
    let width = ((widest / step).ceil() * step).min(frame.rows.width() * 0.36);
    let column = frame.rows.with_min_x(frame.rows.right() - width);
    // The lines are spaced widely, or as closely as two rows require.
    let middles: [f32; 3] = match frame.count {
        1 => [column.height() / scale / 2.0, 0.0, 0.0],
        2 => [12.0, 32.0, 49.0],
        _ => [13.0, 36.0, 55.0],
    };
    // The signal is drawn before the first line.
    let mut marked = false;
    for (line, middle) in shown.into_iter().zip(middles) {
        let middle = column.top() + middle * scale;
        let inside = Rangef::new(column.left() + mark, column.right());
        let bounds = Rect::from_x_y_ranges(inside, middle - 9.0 * scale..=middle + 9.0 * scale);
        let written = canvas.line(line, line.size, bounds, Align::RIGHT);
        if !marked {
            texts::signal(canvas, engine.signal, bounds.with_min_x(written.left() - mark));
            marked = true;
        }
    }
    if !marked {
        let row = column.with_max_y(column.top() + 26.0 * scale);
        texts::signal(canvas, engine.signal, row.with_min_x(row.right() - mark));
    }
    texts::name_evaluation(canvas, view, column);
    canvas.name(PartWord::Engine, phrase::together(&[depth, &speed], canvas.look.lang), column);
    frame.rows.with_max_x(column.left() - 22.0 * scale)
}
