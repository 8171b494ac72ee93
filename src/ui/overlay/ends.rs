//! The two ends of the bar: the name, the clock, the win rate and a move of each side. The move is the best one of the
//! side to move, and the last one of the other side.

use super::canvas::OverlayCanvas;
use super::chips::Chip;
use crate::PartWord;
use crate::text_runs::{TextRun, TextRuns};
use crate::theme::{faded, mean_share_color};
use eframe::egui;
use egui::{Align, Color32, CornerRadius, Rect, Vec2, pos2, vec2};
use shogibar_config::OverlayPart;
use shogibar_games::bar::BarView;
use shogibar_games::{Label, phrase};
use shogibar_shogi::Color;

#[derive(Clone, Copy, Debug)]
pub(super) struct BarEnd {
    /// The side at this end.
    pub(super) color: Color,
    /// The alignment of the end's text.
    pub(super) align: Align,
}

impl BarEnd {
    pub(super) fn left_and_right(canvas: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        let [left, right] = canvas.style.ends();
        [
            Self {
                color: left,
                align: Align::LEFT,
            },
            Self {
                color: right,
                align: Align::RIGHT,
            },
        ]
    }

    pub(super) fn lower_and_upper(canvas: &OverlayCanvas<'_, '_>) -> [Self; 2] {
        canvas.style.ends().map(|color| Self {
            color,
            align: Align::Center,
        })
    }

    /// Cuts off a width and then a gap from the outer end of a rectangle. Returns the cut part and the rest.
    fn cut_outer(self, bounds: Rect, width: f32, gap: f32) -> [Rect; 2] {
        let width = width.min(bounds.width());
        let rest = (bounds.width() - width - gap).max(0.0);
        match self.align {
            Align::Max => [
                bounds.with_min_x(bounds.right() - width),
                bounds.with_max_x(bounds.left() + rest),
            ],
            Align::Min | Align::Center => [
                bounds.with_max_x(bounds.left() + width),
                bounds.with_min_x(bounds.right() - rest),
            ],
        }
    }
}

/// The width and the height of a piece, as fractions of the name's font size.
const PIECE_SIZE: egui::Vec2 = vec2(0.78, 0.88);
/// The gap between a piece and the name, as a fraction of the name's font size.
const PIECE_GAP: f32 = 0.3;
/// The size of the triangle at the side to move, as a fraction of the font size beside it.
const TRIANGLE_SIZE: f32 = 0.5;

/// The font size of the percent sign, as a fraction of the number's font size.
const PERCENT_SIGN_SIZE: f32 = 0.42;
/// The font size of the word for a result that replaces a number, as a fraction of the number's font size.
const RESULT_WORD_SIZE: f32 = 0.6;
/// The margin at both sides of the word for a result, as a fraction of the width of its box.
const RESULT_WORD_MARGIN: f32 = 0.06;
/// The strength of a number's colour, from 0 to 1, while the number belongs to another position.
pub(super) const STALE_NUMBER_STRENGTH: f32 = 0.55;

/// The font size of the words beside a move, as a fraction of the move's font size.
const SIDE_TEXT_SIZE: f32 = 0.75;

/// Returns a colour on the panel. If it is stale, only the fraction `part` of its strength remains.
pub(super) fn shade_if_stale(
    canvas: &OverlayCanvas<'_, '_>,
    color: Color32,
    is_stale: bool,
    part: f32,
) -> Color32 {
    let theme = canvas.theme();
    let background = if theme.text_edge == Color32::TRANSPARENT {
        theme.panel
    } else {
        theme.text_edge
    };
    if is_stale {
        faded(color, background, part)
    } else {
        color
    }
}

/// The symbol before Black's win rate.
pub(super) const BLACK_PIECE: &str = "☗";

/// Returns the colour of the symbol before Black's win rate.
pub(super) fn black_piece_color(canvas: &OverlayCanvas<'_, '_>, is_stale: bool) -> Color32 {
    shade_if_stale(
        canvas,
        mean_share_color(canvas.theme(), Color::Black),
        is_stale,
        STALE_NUMBER_STRENGTH,
    )
}

/// Draws a piece and a name. The triangle of the side to move follows, unless it is drawn beside a clock. Returns the
/// used part of `bounds`.
pub(super) fn draw_name(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    font_size: f32,
    bounds: Rect,
    has_clock: bool,
) -> Rect {
    let theme = canvas.theme();
    let side = view.side(end.color);
    let part = if end.color == Color::Black {
        PartWord::BlackName
    } else {
        PartWord::WhiteName
    };
    let unit = font_size * canvas.scale;
    let (piece, gap) = (PIECE_SIZE * unit, PIECE_GAP * unit);
    let runs = [TextRun::bold(&side.name, theme.text)];
    let text = TextRuns::line(&runs, font_size);
    let is_marked = view.to_move == Some(end.color) && (!has_clock || side.clock.is_none());
    let mark = if is_marked {
        gap + TRIANGLE_SIZE * unit
    } else {
        0.0
    };
    let room = (bounds.width() - piece.x - gap - mark).max(0.0);
    let written = if side.name.is_empty() {
        0.0
    } else {
        canvas.squeezed_width(text, vec2(room, bounds.height())).min(room)
    };
    let whole = piece.x + if written > 0.0 { gap + written } else { 0.0 } + mark;
    let around = match end.align {
        // In the centre, piece and name are centred together.
        Align::Center => {
            Rect::from_center_size(bounds.center(), vec2(whole.min(bounds.width()), bounds.height()))
        }
        Align::Min | Align::Max => bounds,
    };
    let [at, rest] = end.cut_outer(around, piece.x, gap);
    let at = Rect::from_center_size(at.center(), piece);
    canvas.draw_piece(at, end.color);
    let [text_rect, after] = end.cut_outer(rest, written + 0.5, gap);
    let align = if end.align == Align::RIGHT {
        Align::RIGHT
    } else {
        Align::LEFT
    };
    canvas.draw_squeezed(text, font_size, text_rect, align);
    let taken = if written > 0.0 { at.union(text_rect) } else { at };
    canvas.add_named_part(part, side.name.as_str(), taken);
    if is_marked {
        let [triangle_rect, _] = end.cut_outer(
            if written > 0.0 { after } else { rest },
            TRIANGLE_SIZE * unit,
            0.0,
        );
        draw_to_move_triangle(canvas, view, end, triangle_rect, end.align != Align::RIGHT);
        return Rect::from_x_y_ranges(taken.union(triangle_rect).x_range(), bounds.y_range());
    }
    Rect::from_x_y_ranges(taken.x_range(), bounds.y_range())
}

/// Returns whether a name is readable in this room, if necessary in narrow text: the whole name or a large part.
pub(super) fn is_name_readable(
    canvas: &mut OverlayCanvas<'_, '_>,
    name: &str,
    font_size: f32,
    room: Vec2,
) -> bool {
    let unit = font_size * canvas.scale;
    let rest = vec2(room.x - (PIECE_SIZE.x + PIECE_GAP) * unit, room.y);
    let runs = [TextRun::bold(name, canvas.theme().text)];
    rest.x >= MIN_READABLE_NAME_WIDTH * unit || canvas.fits_squeezed(TextRuns::line(&runs, font_size), rest)
}

fn draw_to_move_triangle(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    bounds: Rect,
    points_left: bool,
) {
    let length = bounds.width().min(bounds.height());
    let square = Rect::from_center_size(bounds.center(), vec2(length * 0.8, length));
    canvas.draw_triangle(square, points_left);
    let side = view.side(end.color);
    let player = if side.name.is_empty() {
        color_name(canvas, end.color)
    } else {
        side.name.as_str()
    };
    canvas.add_named_part(PartWord::ToMove, player, square);
}

/// Returns the name of a side, for a screen reader, if the player's name is hidden.
fn color_name(canvas: &OverlayCanvas<'_, '_>, color: Color) -> &'static str {
    let label = if color == Color::Black {
        Label::Black
    } else {
        Label::White
    };
    label.text(canvas.style.lang)
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ClockPosition {
    /// Beside the name of the player.
    Beside,
    /// Below a name of this font size, in points at scale 1.
    Below(f32),
}

/// The minimum visible width of a long name that identifies the player, in ems.
const MIN_READABLE_NAME_WIDTH: f32 = 7.0;

const CLOCK_LABEL_SIZE: f32 = 0.7;
/// The gap between a clock and its label, as a fraction of the clock's font size.
const CLOCK_LABEL_GAP: f32 = 0.3;

/// Draws a side's clock after a label, bold and with a triangle if the side is to move. Without room for both, the
/// label is left out. Returns the used rectangle, which includes the room for the triangle.
pub(super) fn draw_clock(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    size: f32,
    bounds: Rect,
    clock: ClockPosition,
) -> Rect {
    let Some(time) = view.side(end.color).clock else {
        return Rect::NOTHING;
    };
    let (theme, unit, words) = (canvas.theme(), size * canvas.scale, phrase::clock_time(time));
    let is_next = view.to_move == Some(end.color);
    let (bold, regular) = (
        [TextRun::bold(&words, theme.text)],
        [TextRun::regular(&words, theme.quiet)],
    );
    let (bold, regular) = (TextRuns::line(&bold, size), TextRuns::line(&regular, size));
    let text = if is_next { bold } else { regular };
    let label = [TextRun::regular(
        phrase::clock_label(time).text(canvas.style.lang),
        theme.quiet,
    )];
    let label = TextRuns::line(&label, size * CLOCK_LABEL_SIZE);
    let (triangle, gap) = (TRIANGLE_SIZE * unit, 0.4 * unit);
    let clock_width = canvas.squeezed_width(text, bounds.size()).min(bounds.width()) + 0.5;
    let before = canvas.width(label) + 0.5 + CLOCK_LABEL_GAP * unit;
    // The bold text is wider. It is measured for both sides, so that a label does not come and go with the turn.
    let widest = before + canvas.width(bold) + 0.5;
    let beside = match clock {
        ClockPosition::Below(name) => (PIECE_SIZE.x + PIECE_GAP) * name * canvas.scale,
        ClockPosition::Beside if end.align == Align::Center => 2.0 * (triangle + gap),
        ClockPosition::Beside => triangle + gap,
    };
    let is_labelled = widest + beside <= bounds.width();
    let width = if is_labelled {
        before + clock_width
    } else {
        clock_width
    };
    // The room for the triangle is reserved, so that the clock does not move.
    let (mark, clock_rect) = if end.align == Align::Center {
        let clock_rect = Rect::from_center_size(bounds.center(), vec2(width, bounds.height()));
        (
            clock_rect
                .translate(vec2(-triangle - gap, 0.0))
                .with_max_x(clock_rect.left() - gap),
            clock_rect,
        )
    } else if let ClockPosition::Below(name) = clock {
        // The triangle is below the piece, the clock below the name.
        let [mark, rest] = end.cut_outer(
            bounds,
            PIECE_SIZE.x * name * canvas.scale,
            PIECE_GAP * name * canvas.scale,
        );
        let [clock_rect, _] = end.cut_outer(rest, width.min(rest.width()), 0.0);
        (
            Rect::from_center_size(mark.center(), vec2(triangle, mark.height())),
            clock_rect,
        )
    } else {
        let [clock_rect, rest] = end.cut_outer(bounds, width, gap);
        let [mark, _] = end.cut_outer(rest, triangle, 0.0);
        (mark, clock_rect)
    };
    let mut digits = clock_rect;
    if is_labelled {
        canvas.draw_line(label, size, clock_rect, Align::LEFT);
        digits = clock_rect.with_min_x(clock_rect.left() + before);
    }
    canvas.draw_squeezed(
        text,
        size,
        digits,
        if end.align == Align::RIGHT {
            Align::RIGHT
        } else {
            Align::LEFT
        },
    );
    let part = if end.color == Color::Black {
        PartWord::BlackClock
    } else {
        PartWord::WhiteClock
    };
    canvas.add_named_part(part, phrase::labelled_clock(time, canvas.style.lang), clock_rect);
    if is_next {
        draw_to_move_triangle(canvas, view, end, mark, mark.center().x > clock_rect.center().x);
    }
    clock_rect.union(mark)
}

/// The gap before a chip beside a name, in ems of the name.
const CHIP_GAP: f32 = 0.45;
/// The font size of a word in a chip beside a name, in ems of the name.
const CHIP_WORD_SIZE: f32 = 0.72;

/// Draws the threat of mate beside the name of the side to move, on the inner side of the `taken` part of `bounds`.
/// Returns the new taken part. Without room, the chip is left out.
pub(super) fn draw_threat(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    size: f32,
    (taken, bounds): (Rect, Rect),
) -> Rect {
    if view.to_move != Some(end.color) {
        return taken;
    }
    let Some(chip) = Chip::threat(canvas, view, size * CHIP_WORD_SIZE) else {
        return taken;
    };
    let (width, gap) = (chip.width(canvas), CHIP_GAP * size * canvas.scale);
    let left = if end.align == Align::RIGHT {
        taken.left() - gap - width
    } else {
        taken.right() + gap
    };
    if left < bounds.left() || left + width > bounds.right() {
        return taken;
    }
    let rect = chip.draw(canvas, left, bounds);
    canvas.add_named_part(PartWord::Threat, chip.word, rect);
    taken.union(rect.with_min_y(taken.top()).with_max_y(taken.bottom()))
}

/// Returns the width of a number: two digits and the percent sign, in points of the screen.
pub(super) fn number_width(canvas: &mut OverlayCanvas<'_, '_>, size: f32) -> f32 {
    let text = canvas.theme().text;
    let digits = canvas.width(TextRuns::line(&[TextRun::digits("88", text)], size));
    digits
        + canvas.width(TextRuns::line(
            &[TextRun::bold("%", text)],
            size * PERCENT_SIGN_SIZE,
        ))
        + 0.06 * size * canvas.scale
        + 1.0
}

/// Draws a side's win rate at its end of the bar, aligned to `align`. The label of a winner or centred dashes may
/// replace the number. Draws nothing if the style hides numbers.
pub(super) fn draw_number(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    size: f32,
    bounds: Rect,
    align: Align,
) {
    if !canvas.style.shows_numbers() {
        return;
    }
    let theme = canvas.theme();
    let part = if end.color == Color::Black {
        PartWord::BlackPercent
    } else {
        PartWord::WhitePercent
    };
    let color = shade_if_stale(canvas, theme.text, view.is_stale, STALE_NUMBER_STRENGTH);
    if let Some(winner) = view.decided_win.as_ref().and_then(|decided| decided.winner) {
        let label = view
            .decided_win
            .as_ref()
            .map(|decided| decided.label.as_str())
            .unwrap_or_default();
        if winner == end.color && !label.is_empty() {
            let runs = [TextRun::bold(label, color)];
            // A word in a box beside the bar has a margin.
            let beside = if align == Align::Center {
                bounds.width() * RESULT_WORD_MARGIN
            } else {
                0.0
            };
            let bounds = bounds.shrink2(vec2(beside, 0.0));
            canvas.draw_squeezed(
                TextRuns::line(&runs, size * RESULT_WORD_SIZE),
                size * RESULT_WORD_SIZE,
                bounds,
                Align::Center,
            );
        } else {
            draw_dashes(canvas, 1, size, bounds);
        }
        return;
    }
    let percent = match view.side(end.color).percent {
        Some(percent) if view.decided_win.is_none() => percent,
        _ => return draw_dashes(canvas, 2, size, bounds),
    };
    let size = canvas.size_within(size, bounds.height());
    // The percent sign is on the baseline of the digits.
    let digits_text = exact_percent(canvas, view, end.color).unwrap_or_else(|| percent.to_string());
    let (digits, sign) = (
        [TextRun::digits(&digits_text, color)],
        [TextRun::bold("%", color)],
    );
    let widths = |canvas: &mut OverlayCanvas<'_, '_>, size: f32| {
        let (digits, sign) = (
            TextRuns::line(&digits, size),
            TextRuns::line(&sign, size * PERCENT_SIGN_SIZE),
        );
        [
            canvas.width(digits),
            canvas.width(sign),
            0.06 * size * canvas.scale,
        ]
    };
    // Without room for three digits, the digits are smaller.
    let whole: f32 = widths(canvas, size).into_iter().sum();
    let size = if whole > bounds.width() {
        size * (bounds.width() - 0.5) / whole
    } else {
        size
    };
    let [first, second, gap] = widths(canvas, size);
    let (digits, sign) = (
        TextRuns::line(&digits, size),
        TextRuns::line(&sign, size * PERCENT_SIGN_SIZE),
    );
    let left = align
        .align_size_within_range(first + gap + second, bounds.x_range())
        .min;
    canvas.draw_line(
        digits,
        size,
        bounds.with_min_x(left).with_max_x(left + first + 0.5),
        Align::LEFT,
    );
    let rest = bounds.with_min_x(left + first + gap);
    canvas.draw_line(
        sign,
        size,
        rest.with_max_x(rest.left() + second + 0.5),
        Align::LEFT,
    );
    canvas.add_named_part(part, format!("{digits_text}%"), bounds);
}

/// Returns a side's win rate with one decimal; `None` unless the style is exact and the share is known.
fn exact_percent(canvas: &OverlayCanvas<'_, '_>, view: &BarView, color: Color) -> Option<String> {
    let share = view
        .share
        .filter(|share| canvas.style.is_exact && share.is_finite())?;
    // The numbers of both sides add up to 100.0.
    let black = (share.clamp(0.0, 1.0) * 1000.0).round() / 10.0;
    Some(format!(
        "{:.1}",
        if color == Color::Black {
            black
        } else {
            100.0 - black
        }
    ))
}

/// Draws this number of dashes instead of a win rate, if there is room.
fn draw_dashes(canvas: &mut OverlayCanvas<'_, '_>, count: usize, size: f32, bounds: Rect) {
    let theme = canvas.theme();
    let color = shade_if_stale(canvas, theme.quiet, true, 0.6);
    let unit = size * canvas.scale;
    let (width, gap, height) = (0.27 * unit, 0.13 * unit, (0.045 * unit).max(1.5));
    let whole = width * count as f32 + gap * (count as f32 - 1.0);
    if whole > bounds.width() {
        return;
    }
    let mut left = bounds.center().x - whole / 2.0;
    for _ in 0..count {
        let dash = Rect::from_min_size(pos2(left, bounds.center().y - height / 2.0), vec2(width, height));
        if theme.text_edge != Color32::TRANSPARENT {
            canvas.fill(
                dash.expand(1.5 * canvas.scale),
                CornerRadius::ZERO,
                theme.text_edge,
            );
        }
        canvas.fill(dash, CornerRadius::ZERO, color);
        left += width + gap;
    }
}

/// Returns whether the style shows a move of a side: the best or the last one.
pub(super) fn has_end_move(canvas: &OverlayCanvas<'_, '_>) -> bool {
    canvas.style.shows(OverlayPart::Words)
        && (canvas.style.shows_candidates() || canvas.style.shows(OverlayPart::LastMove))
}

/// The text before the best move of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BeforeBest {
    Label,
    /// The threat of mate against the side, if there is one.
    Threat,
}

/// Draws a move at the end of a side: the best move of the side to move, or the last move of the other side with its
/// loss.
pub(super) fn draw_move(
    canvas: &mut OverlayCanvas<'_, '_>,
    view: &BarView,
    end: BarEnd,
    before: BeforeBest,
    size: f32,
    bounds: Rect,
) {
    let theme = canvas.theme();
    let [_, last, _] = &view.position_text;
    if view.to_move == Some(end.color) {
        let engine = view.lead();
        // The best move of the former position is a move of the other side.
        let is_shown = canvas.style.shows_candidates() && !view.is_hidden && !engine.is_elsewhere;
        let best = match engine.candidates.first() {
            Some(best) if is_shown => best,
            _ => return,
        };
        let threat = if before == BeforeBest::Threat {
            Chip::threat(canvas, view, size * SIDE_TEXT_SIZE)
        } else {
            None
        };
        let label = [TextRun::bold(
            Label::Best.text(canvas.style.lang),
            shade_if_stale(canvas, theme.best, engine.is_stale, 0.5),
        )];
        let prefix = threat.map_or_else(
            || MovePrefix::Label(TextRuns::line(&label, size * SIDE_TEXT_SIZE)),
            MovePrefix::Chip,
        );
        let word = TextRun::bold(
            &best.word,
            shade_if_stale(canvas, theme.text, engine.is_stale, 0.5),
        );
        let chips = Chip::only_move(canvas, view, size * SIDE_TEXT_SIZE).collect::<Vec<_>>();
        let only = chips.into_iter().find_map(|chip| {
            let gap = ONLY_MOVE_GAP * size * canvas.scale;
            let (width, moved) = (
                chip.width(canvas) + gap,
                canvas.width(TextRuns::line(&[word], size)),
            );
            (width + moved <= bounds.width()).then_some((chip, width, gap))
        });
        let room = only.map_or(bounds, |(_, width, _)| bounds.with_max_x(bounds.right() - width));
        let rect = draw_move_after(canvas, end, prefix, word, size, room);
        canvas.add_named_part(PartWord::SideToMoveBest, best.word.as_str(), rect);
        if let Some((chip, _, gap)) = only {
            let rect = chip.draw(canvas, rect.right() + gap, bounds);
            canvas.add_named_part(PartWord::Threat, chip.word, rect);
        }
    } else if view.last_mover == Some(end.color)
        && canvas.style.shows(OverlayPart::LastMove)
        && !last.trim().is_empty()
    {
        let loss = match view.last_loss {
            Some(loss) if canvas.style.shows_loss() => Some(format!("−{loss}%")),
            _ => None,
        };
        let word = TextRun::bold(last.trim(), theme.text);
        let rect = match &loss {
            Some(loss) => draw_move_with_loss(canvas, end, loss, word, size, bounds),
            None => draw_move_after(canvas, end, MovePrefix::Nothing, word, size, bounds),
        };
        let text = [last.trim(), loss.as_deref().unwrap_or_default()].join(" ");
        canvas.add_named_part(PartWord::LastMove, text.trim_end(), rect);
    }
}

/// The gap before the chip of the only move, in ems of the move.
const ONLY_MOVE_GAP: f32 = 0.35;

/// The text or chip before the move of a side.
#[derive(Clone, Copy, Debug)]
enum MovePrefix<'a> {
    /// Nothing is drawn before the move.
    Nothing,
    Label(TextRuns<'a>),
    Chip(Chip<'a>),
}

impl MovePrefix<'_> {
    /// Returns the width, in points of the screen.
    fn width(self, canvas: &mut OverlayCanvas<'_, '_>) -> f32 {
        match self {
            Self::Nothing => 0.0,
            Self::Label(text) => canvas.width(text) + 0.5,
            Self::Chip(chip) => chip.width(canvas),
        }
    }
}

/// Draws a move after a label or a chip. Returns the rectangle of the move.
fn draw_move_after(
    canvas: &mut OverlayCanvas<'_, '_>,
    end: BarEnd,
    prefix: MovePrefix<'_>,
    word: TextRun<'_>,
    size: f32,
    bounds: Rect,
) -> Rect {
    let word = [word];
    let word = TextRuns::line(&word, size);
    let wanted = prefix.width(canvas);
    let gap = if wanted > 0.0 {
        0.3 * size * canvas.scale
    } else {
        0.0
    };
    let moved = canvas.width(word) + 0.5;
    // Without room for both, the move takes precedence.
    let first = if wanted + gap + moved * 0.7 > bounds.width() {
        0.0
    } else {
        wanted
    };
    let gap = if first > 0.0 { gap } else { 0.0 };
    let moved = moved.min((bounds.width() - first - gap).max(0.0));
    let left = end
        .align
        .align_size_within_range(first + gap + moved, bounds.x_range())
        .min;
    match prefix {
        MovePrefix::Label(text) if first > 0.0 => {
            canvas.draw_line(
                text,
                size,
                bounds.with_min_x(left).with_max_x(left + first),
                Align::LEFT,
            );
        }
        MovePrefix::Chip(chip) if first > 0.0 => {
            let rect = chip.draw(canvas, left, bounds);
            canvas.add_named_part(PartWord::Threat, chip.word, rect);
        }
        MovePrefix::Nothing | MovePrefix::Label(_) | MovePrefix::Chip(_) => {}
    }
    let rect = bounds
        .with_min_x(left + first + gap)
        .with_max_x(left + first + gap + moved);
    canvas.draw_squeezed(word, size, rect, Align::LEFT);
    rect
}

/// Draws a move, with a chip for the loss on the inner side. Returns the rectangle of the move.
fn draw_move_with_loss(
    canvas: &mut OverlayCanvas<'_, '_>,
    end: BarEnd,
    loss: &str,
    word: TextRun<'_>,
    size: f32,
    bounds: Rect,
) -> Rect {
    let word = [word];
    let word = TextRuns::line(&word, size);
    let chip = Chip::last_loss(canvas, loss, size * SIDE_TEXT_SIZE);
    let gap = 0.35 * size * canvas.scale;
    let chip_width = chip.width(canvas);
    let moved = canvas.width(word) + 0.5;
    let room = (bounds.width() - chip_width - gap).max(0.0);
    // Without room for both, only the move is drawn.
    let has_room = room >= moved * 0.7;
    let moved = moved.min(if has_room { room } else { bounds.width() });
    let whole = if has_room { moved + gap + chip_width } else { moved };
    let left = end.align.align_size_within_range(whole, bounds.x_range()).min;
    let move_first = end.align != Align::RIGHT;
    let start = if move_first || !has_room {
        left
    } else {
        left + chip_width + gap
    };
    let rect = bounds.with_min_x(start).with_max_x(start + moved);
    canvas.draw_squeezed(word, size, rect, Align::LEFT);
    if has_room {
        let start = if move_first { left + moved + gap } else { left };
        chip.draw(canvas, start, bounds);
    }
    rect
}
