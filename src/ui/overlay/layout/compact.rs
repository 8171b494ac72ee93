//! The bar and two small lines, for a corner of a stream: the best move and the evaluation.

use super::{NoticeArea, draw_layout, notice_outside_tray, tray_sentence};
use crate::PartWord;
use crate::overlay::canvas::OverlayCanvas;
use crate::overlay::chips::Chip;
use crate::overlay::context_line::{self, LineEnd};
use crate::overlay::ends::{self, BarEnd};
use crate::overlay::remaining_space::RemainingSpace;
use crate::overlay::shares::{self, BarAxis};
use crate::overlay::style::CardPlace;
use crate::overlay::texts::{self, LINE_FONT_SIZE, NAME_FONT_SIZE};
use crate::overlay::turning_card;
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Rect, Vec2, vec2};
use shogibar_config::Layout;
use shogibar_games::bar::{BarNotice, BarView, EngineView};
use shogibar_games::{Label, phrase};

/// The design size of the layout with the context line, in points.
pub(super) const DESIGN_SIZE: Vec2 = vec2(280.0, 93.0);
/// The design size of the layout without the context line, in points.
const DESIGN_SIZE_WITHOUT_CONTEXT: Vec2 = vec2(280.0, 80.0);
/// The height of a line of text, in points at scale 1.
pub(super) const LINE_HEIGHT: f32 = 24.0;
/// The minimum size for the percentages, the bar and a line, in points at scale 1.
const MIN_SIZE: Vec2 = vec2(170.0, 64.0);

/// The font size of a percentage, in points at scale 1.
const PERCENT_FONT_SIZE: f32 = 30.0;
/// The font size of the best move, in points at scale 1.
const MOVE_FONT_SIZE: f32 = 18.0;
/// The minimum width of the name of an engine, in points at scale 1.
const MIN_NAME_WIDTH: f32 = 40.0;
/// The maximum width of the label before the best move, as a fraction of the line's width.
const MAX_LABEL_FRACTION: f32 = 0.16;

/// The height of the row with the bar and the percentages, in points at scale 1.
pub(super) const BAR_ROW_HEIGHT: f32 = 38.0;
/// The height of the bar in the row with the percentages, in points at scale 1.
const BAR_HEIGHT: f32 = 22.0;
/// The smallest width with the bar between the percentages, in points at scale 1.
const MIN_WIDTH_WITH_BAR_BETWEEN: f32 = 220.0;
/// The additional height of a row with the bar below the percentages, in points at scale 1.
pub(super) const BAR_BELOW_HEIGHT: f32 = 14.0;
/// The height of percentages above the bar, in points at scale 1.
const NUMBERS_HEIGHT: f32 = 32.0;
/// The margin at the upper and lower edge, in points at scale 1.
pub(super) const VERTICAL_MARGIN: f32 = 7.0;
/// The height of the context line at the lower edge, in points at scale 1.
const CONTEXT_HEIGHT: f32 = 18.0;
/// The margin above the context line, in points at scale 1.
const CONTEXT_MARGIN: f32 = 3.0;
/// The font size of the context line, in points at scale 1.
const CONTEXT_FONT_SIZE: f32 = 9.0;

/// Returns whether there is room for more than one line.
pub(super) fn has_room(size: Vec2) -> bool {
    super::layout_scale(size, DESIGN_SIZE_WITHOUT_CONTEXT, MIN_SIZE) >= super::MIN_SCALE
}

/// Draws the view into `rect`. A tall window, or one with room for one line only, has another layout.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, share: f32, rect: Rect) {
    if super::is_tall(rect.size()) {
        return draw_layout(Layout::Vertical, canvas, view, share, rect);
    }
    if !has_room(rect.size()) {
        return draw_layout(Layout::Bar, canvas, view, share, rect);
    }
    canvas.scale = super::layout_scale(rect.size(), DESIGN_SIZE_WITHOUT_CONTEXT, MIN_SIZE);
    canvas.draw_background(rect, rect);
    let scale = canvas.scale;
    let mut room = RemainingSpace(rect.shrink2(vec2(14.0 * scale, VERTICAL_MARGIN * scale)));
    // Parts are added by importance while there is room.
    let mut free = room.0.height() - BAR_ROW_HEIGHT * scale;
    let mut has_room_for = |wanted: bool, height: f32| {
        let fits = wanted && free >= height * scale * 0.9;
        free -= if fits { height * scale } else { 0.0 };
        fits
    };
    let mut has_room = |wanted: bool| has_room_for(wanted, LINE_HEIGHT);
    let style = canvas.style;
    let best = has_room(style.shows_candidates() || style.shows_footer() || view.notice().is_some());
    let others: Vec<_> = view
        .engines
        .iter()
        .enumerate()
        .filter(|(nth, _)| {
            *nth != view.lead_index && has_room(style.shows_candidates() || style.shows_numbers())
        })
        .collect();
    let header = has_room(style.shows_header());
    let context_height = CONTEXT_HEIGHT + CONTEXT_MARGIN - VERTICAL_MARGIN;
    let has_context = has_room_for(context_line::is_wanted(canvas, view), context_height);
    let mut has_room = |wanted: bool| has_room_for(wanted, LINE_HEIGHT);
    let has_position =
        header && has_room(!has_no_evaluation(view) && !view.position_text.concat().is_empty());
    // The remaining height enlarges the bar up to a limit, and then the margins.
    let higher = free.clamp(0.0, 26.0 * scale);
    let above = (free - higher).max(0.0) / 2.0;
    room.cut_top(above);
    if has_context {
        room.cut_bottom(context_height * scale);
        let bounds = room
            .0
            .with_min_y(rect.bottom() - CONTEXT_HEIGHT * scale)
            .with_max_y(rect.bottom());
        // Of several engines, each has its own line.
        let end = if view.engines.len() > 1 {
            LineEnd::Figures
        } else {
            LineEnd::Engines
        };
        context_line::draw_below_hairline(canvas, view, end, CONTEXT_FONT_SIZE, bounds);
    }
    room.cut_bottom(above);
    if header {
        let row = room.cut_top(LINE_HEIGHT * scale);
        draw_names(canvas, view, row);
    }
    let row = room.cut_top(BAR_ROW_HEIGHT * scale + higher);
    let notices = if best {
        NoticeArea::Line
    } else {
        NoticeArea::Nowhere
    };
    let is_notice_shown = draw_numbers_and_bar(canvas, view, share, notices, row);
    let height =
        room.0.height() / (usize::from(best) + others.len() + usize::from(has_position)).max(1) as f32;
    if best {
        let row = room.cut_top(height);
        draw_best(canvas, view, notice_outside_tray(view, is_notice_shown), row);
    }
    for (nth, engine) in others {
        let row = room.cut_top(height);
        draw_other_engine(canvas, engine, nth, row);
    }
    if has_position {
        draw_position(canvas, view, room.0);
    }
}

fn has_no_evaluation(view: &BarView) -> bool {
    view.lead().candidates.is_empty() && view.evaluation.is_empty() && view.advantage.is_empty()
}

/// Draws a name at each end, and a threat of mate beside the name of the side to move.
pub(super) fn draw_names(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    let half = bounds.width() / 2.0 - 6.0 * canvas.scale;
    let [left, right] = BarEnd::left_and_right(canvas);
    let row = bounds.with_max_y(bounds.bottom() - 2.0 * canvas.scale);
    for (end, room) in [
        (left, row.with_max_x(row.left() + half)),
        (right, row.with_min_x(row.right() - half)),
    ] {
        let taken = ends::draw_name(canvas, view, end, NAME_FONT_SIZE, room, false);
        ends::draw_threat(canvas, view, end, NAME_FONT_SIZE, (taken, room));
    }
}

/// Draws the move number and the last move in the middle.
fn draw_position(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, bounds: Rect) {
    texts::draw_position_line(canvas, view, bounds, Align::Center);
}

/// Draws the bar between the percentages, or below them if the bar would be too short. `other` is the room for a notice
/// outside the bar. Returns whether the bar shows a notice.
pub(super) fn draw_numbers_and_bar(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    share: f32,
    other: NoticeArea,
    bounds: Rect,
) -> bool {
    let scale = canvas.scale;
    let mut room = RemainingSpace(bounds);
    let is_narrow = canvas.style.shows_numbers() && bounds.width() < MIN_WIDTH_WITH_BAR_BETWEEN * scale;
    if is_narrow && bounds.height() >= (BAR_ROW_HEIGHT + BAR_BELOW_HEIGHT) * scale {
        let row = room.cut_top(NUMBERS_HEIGHT * scale);
        for end in BarEnd::left_and_right(canvas) {
            ends::draw_number(canvas, view, end, PERCENT_FONT_SIZE, row, end.align);
        }
        let bar = room
            .0
            .with_min_y(room.0.top() + 4.0 * scale)
            .with_max_y(room.0.bottom() - 4.0 * scale);
        return shares::draw(
            canvas,
            view,
            share,
            tray_sentence(view, other),
            bar,
            BarAxis::Across,
        );
    }
    if canvas.style.shows_numbers() {
        let (width, gap) = (ends::number_width(canvas, PERCENT_FONT_SIZE), 8.0 * scale);
        let [left, right] = BarEnd::left_and_right(canvas);
        let (first, second) = (room.cut_left(width + gap), room.cut_right(width + gap));
        ends::draw_number(
            canvas,
            view,
            left,
            PERCENT_FONT_SIZE,
            first.with_max_x(first.left() + width),
            Align::LEFT,
        );
        ends::draw_number(
            canvas,
            view,
            right,
            PERCENT_FONT_SIZE,
            second.with_min_x(second.right() - width),
            Align::RIGHT,
        );
    }
    let height = bounds.height() - (BAR_ROW_HEIGHT - BAR_HEIGHT) * scale;
    let bar = Rect::from_center_size(room.0.center(), vec2(room.0.width(), height));
    shares::draw(
        canvas,
        view,
        share,
        tray_sentence(view, other),
        bar,
        BarAxis::Across,
    )
}

/// Draws the best move and the evaluation, or instead of them a notice.
fn draw_best(canvas: &mut OverlayCanvas<'_, '_>, view: &BarView, notice: Option<&BarNotice>, bounds: Rect) {
    if let Some(card) = &view.turning_card
        && canvas.style.card_place == CardPlace::InLine
    {
        return turning_card::draw_line(canvas, card, NAME_FONT_SIZE, bounds);
    }
    let (scale, theme) = (canvas.scale, canvas.theme());
    let mut room = RemainingSpace(bounds);
    let signal = texts::shown_signal(canvas, view);
    let mark = room.cut_right(texts::signal_width(canvas, signal));
    texts::draw_signal(
        canvas,
        signal,
        mark.translate(vec2(mark.width() - 9.0 * scale, 0.0)),
    );
    if let Some(notice) = notice {
        return texts::draw_notice_line(canvas, notice, NAME_FONT_SIZE, room.0, Align::LEFT);
    }
    if has_no_evaluation(view) {
        return draw_position(canvas, view, room.0);
    }
    let engine = view.lead();
    let shade = ends::shade_if_stale(canvas, theme.text, engine.is_stale, 0.5);
    let word = engine
        .candidates
        .first()
        .map(|best| best.word.as_str())
        .unwrap_or_default();
    let threat = if word.is_empty() {
        None
    } else {
        Chip::threat(canvas, view, LINE_FONT_SIZE)
    };
    let label = [TextRun::bold(
        Label::Best.text(canvas.style.lang),
        ends::shade_if_stale(canvas, theme.best, engine.is_stale, 0.5),
    )];
    let label = TextRuns::line(&label, LINE_FONT_SIZE);
    let width = canvas.width(label) + 6.0 * scale;
    if let Some(chip) = threat {
        let at = room.cut_left(chip.width(canvas) + 6.0 * scale);
        let rect = chip.draw(canvas, at.left(), at);
        canvas.add_named_part(PartWord::Threat, chip.word, rect);
    } else if !word.is_empty() && width <= room.0.width() * MAX_LABEL_FRACTION {
        let at = room.cut_left(width);
        canvas.draw_line(label, MOVE_FONT_SIZE, at, Align::LEFT);
    }
    let runs = [TextRun::bold(word, shade)];
    let text = TextRuns::line(&runs, MOVE_FONT_SIZE);
    let width = if word.is_empty() {
        0.0
    } else {
        (canvas.width(text) + 0.5).min(room.0.width() * 0.6)
    };
    let at = room.cut_left(width);
    canvas.draw_line(text, MOVE_FONT_SIZE, at, Align::LEFT);
    canvas.add_named_part(PartWord::BestMove, word, at);
    room.cut_left(if width > 0.0 { 10.0 * scale } else { 0.0 });
    room.0 = texts::draw_live(canvas, view, LINE_FONT_SIZE, room.0);
    let evaluation = texts::evaluation_runs(view, theme);
    let short = [evaluation[0]];
    let fits = canvas.width(TextRuns::line(&evaluation, LINE_FONT_SIZE)) <= room.0.width();
    // Without room for both, the number is drawn without the words.
    let evaluation = if fits || view.evaluation.is_empty() {
        &evaluation[..]
    } else {
        &short[..]
    };
    let shown = canvas.draw_line(
        TextRuns::line(evaluation, LINE_FONT_SIZE),
        MOVE_FONT_SIZE,
        room.0,
        Align::RIGHT,
    );
    texts::add_evaluation_parts(canvas, view, shown);
}

/// Draws the short line of an engine that is not the lead engine.
fn draw_other_engine(canvas: &mut OverlayCanvas<'_, '_>, engine: &EngineView, nth: usize, bounds: Rect) {
    let theme = canvas.theme();
    let shade = ends::shade_if_stale(canvas, theme.quiet, engine.is_stale, 0.5);
    let number = phrase::number(nth);
    let word = engine
        .candidates
        .first()
        .map(|best| best.word.as_str())
        .unwrap_or_default();
    let percent = engine
        .percent
        .map(|percent| format!(" {percent}%"))
        .unwrap_or_default();
    let piece = if percent.is_empty() { "" } else { ends::BLACK_PIECE };
    let values = phrase::together(&[&percent, &engine.evaluation], canvas.style.lang);
    canvas.engine = Some(nth);
    let mut room = RemainingSpace(bounds);
    let signal = texts::signal_with_mark(engine.signal);
    let mark = room.cut_right(texts::signal_width(canvas, signal));
    texts::draw_signal(
        canvas,
        signal,
        mark.translate(vec2(mark.width() - 9.0 * canvas.scale, 0.0)),
    );
    let runs = [
        TextRun::regular(&number, shade),
        TextRun::regular(" ", shade),
        TextRun::bold(word, shade),
    ];
    let text = TextRuns::line(&runs, NAME_FONT_SIZE);
    let at = room.cut_left((canvas.width(text) + 0.5).min(room.0.width() * 0.6));
    canvas.draw_line(text, NAME_FONT_SIZE, at, Align::LEFT);
    canvas.add_named_part(PartWord::BestMove, word, at);
    room.cut_left(10.0 * canvas.scale);
    let text = if let Some(notice) = &engine.notice {
        [
            TextRun::regular("", shade),
            TextRun::regular(&notice.text, texts::notice_color(theme, notice)),
        ]
    } else {
        let piece_color = ends::black_piece_color(canvas, engine.is_stale);
        [
            TextRun::regular(piece, piece_color),
            TextRun::regular(&values, shade),
        ]
    };
    let shown = canvas.draw_line(
        TextRuns::line(&text, LINE_FONT_SIZE),
        NAME_FONT_SIZE,
        room.0,
        Align::RIGHT,
    );
    let name = [TextRun::regular(&engine.name, shade)];
    let between = room.0.with_max_x(shown.left() - 10.0 * canvas.scale);
    if between.width() > MIN_NAME_WIDTH * canvas.scale {
        canvas.draw_squeezed(
            TextRuns::line(&name, LINE_FONT_SIZE),
            NAME_FONT_SIZE,
            between,
            Align::LEFT,
        );
    }
    let texts = phrase::together(&[&engine.name, &format!("{piece}{values}")], canvas.style.lang);
    canvas.add_named_part(PartWord::Engine, texts, room.0);
    canvas.engine = None;
}
