//! The candidates of an engine, one per row: rank, move, win rate, loss and the following moves.

use super::canvas::OverlayCanvas;
use super::ends;
use super::texts::{LINE_FONT_SIZE, QUIET_FONT_SIZE};
use crate::fonts::{TextFont, TextWeight};
use crate::text_runs::{TextRun, TextRuns};
use crate::{PaintTheme, PartWord};
use eframe::egui;
use egui::{Align, Color32, Rangef, Rect, vec2};
use shogibar_base::Lang;
use shogibar_games::Label;
use shogibar_games::bar::{CandidateView, EngineView};

/// The font size of a move, in points at scale 1.
const MOVE_FONT_SIZE: f32 = 18.0;
/// The font size of a win rate, in points at scale 1.
const VALUE_FONT_SIZE: f32 = 16.0;

/// The minimum width of the column of following moves, in points at scale 1.
const MIN_LINE_WIDTH: f32 = 84.0;
/// The minimum width of the column of following moves beside the candidate, in points at scale 1. With less, the moves
/// are drawn below the candidate if there is room.
const MIN_SAME_ROW_LINE_WIDTH: f32 = 240.0;

// The widths of the columns do not depend on the contents, so that nothing moves sideways.
/// The width of the column of the rank, in points at scale 1.
const RANK_WIDTH: f32 = 28.0;
/// The width of the column of the win rate, in points at scale 1.
const VALUE_WIDTH: f32 = 34.0;
/// The width of the column of the loss or mate, in points at scale 1.
const NOTE_WIDTH: f32 = 52.0;
/// The gap before the column of the win rate, in points at scale 1.
const VALUE_GAP: f32 = 10.0;
/// The additional width of a mate's text compared with a loss, in points at scale 1.
const MATE_NOTE_EXTRA_WIDTH: f32 = 28.0;

/// The height of the line of a candidate that has its following moves below, in points at scale 1.
const CANDIDATE_LINE_HEIGHT: f32 = 26.0;
/// The height of the line of following moves below a candidate, in points at scale 1.
const MOVES_LINE_HEIGHT: f32 = 20.0;
/// The maximum height of a row with one line, in points at scale 1.
const MAX_ROW_HEIGHT: f32 = 44.0;
/// The maximum height of a row with two lines, in points at scale 1.
const MAX_TWO_LINE_ROW_HEIGHT: f32 = 84.0;

/// The strength of a row's colours, from 0 to 1, while the row belongs to another position.
const STALE_STRENGTH: f32 = 0.5;

/// The minimum loss of a candidate that is coloured and bold, in percentage points of win rate.
const MIN_COLORED_LOSS_POINTS: u8 = 6;
/// The minimum loss of a candidate that has the stronger colour, in percentage points of win rate.
const MIN_BLUNDER_LOSS_POINTS: u8 = 20;

/// The columns of a row, in points of the screen.
#[derive(Clone, Copy, Debug)]
struct CandidateColumns {
    /// The column of the rank; `None` in narrow rows.
    rank: Option<Rangef>,
    /// The column of the move.
    word: Rangef,
    /// The column of the win rate; a longer text extends to the left.
    value: Rangef,
    /// The column of the loss or mate; `None` in the narrowest rows.
    note: Option<Rangef>,
    /// The column of the following moves: the rest of the width.
    line: Rangef,
}

/// The width of a row without the following moves, in points at scale 1.
pub(super) const CELL_WIDTH: f32 = 250.0;

/// Returns the width of the column of the candidate's move, in points at scale 1. Moves of six kanji, as ▲同　銀右上, are
/// common.
const fn word_width(lang: Lang) -> f32 {
    match lang {
        Lang::Ja => 108.0,
        Lang::En => 84.0,
    }
}

/// Draws an engine's candidates, one in each row, until the candidates or the rows run out.
pub(super) fn draw(canvas: &mut OverlayCanvas<'_, '_>, engine: &EngineView, rows: &[Rect]) {
    let Some(first) = rows.first() else { return };
    for (candidate, bounds) in engine.candidates.iter().zip(rows) {
        draw_row(canvas, candidate, engine.is_stale, *bounds);
    }
    if !engine.is_elsewhere
        && let Some(best) = engine.candidates.first()
    {
        let columns = candidate_columns(canvas, *first);
        canvas.add_named_part(
            PartWord::BestMove,
            best.word.as_str(),
            first.with_max_x(columns.word.max),
        );
    }
}

/// Returns the maximum height of a row of this width, in points of the screen.
pub(super) fn max_row_height(canvas: &OverlayCanvas<'_, '_>, across: Rect) -> f32 {
    let is_short = canvas.style.shows_lines()
        && candidate_columns(canvas, across).line.span() < MIN_SAME_ROW_LINE_WIDTH * canvas.scale;
    canvas.scale
        * if is_short {
            MAX_TWO_LINE_ROW_HEIGHT
        } else {
            MAX_ROW_HEIGHT
        }
}

fn candidate_columns(canvas: &OverlayCanvas<'_, '_>, bounds: Rect) -> CandidateColumns {
    let scale = canvas.scale;
    let word = word_width(canvas.style.lang);
    let number = if canvas.style.shows_numbers() {
        VALUE_GAP + VALUE_WIDTH
    } else {
        0.0
    };
    let width = bounds.width() / scale;
    let has_note = width >= word + number + NOTE_WIDTH;
    let has_rank = width >= RANK_WIDTH + word + number + NOTE_WIDTH;
    let mut x = bounds.left();
    let mut take = |gap: f32, width: f32| {
        let start = (x + gap * scale).min(bounds.right());
        x = (start + width * scale).min(bounds.right());
        Rangef::new(start, x)
    };
    let rank = has_rank.then(|| take(0.0, RANK_WIDTH));
    let word = take(0.0, if has_note { word } else { width - number });
    let value = if number > 0.0 {
        take(VALUE_GAP, VALUE_WIDTH)
    } else {
        take(0.0, 0.0)
    };
    let apart = if width < 500.0 { 4.0 } else { 6.0 };
    let note = has_note.then(|| take(apart, NOTE_WIDTH));
    let line = take(14.0, f32::INFINITY);
    CandidateColumns {
        rank,
        word,
        value,
        note,
        line,
    }
}

/// Draws a candidate with the following moves: beside the candidate, or below if the row is narrow and high.
fn draw_row(canvas: &mut OverlayCanvas<'_, '_>, candidate: &CandidateView, is_stale: bool, bounds: Rect) {
    let (unit, mut across) = (canvas.scale, candidate_columns(canvas, bounds));
    let quiet = ends::shade_if_stale(canvas, canvas.theme().quiet, is_stale, STALE_STRENGTH);
    let shows_line = canvas.style.shows_lines() && !candidate.line.is_empty();
    let is_short = across.line.span() < MIN_SAME_ROW_LINE_WIDTH * unit;
    if !candidate.mate_note.is_empty()
        && let Some(note) = &mut across.note
    {
        // A mate's text is longer than a loss: the line of moves begins later.
        note.max = (note.max + MATE_NOTE_EXTRA_WIDTH * unit).min(bounds.right());
        across.line.min = (across.line.min + MATE_NOTE_EXTRA_WIDTH * unit).min(bounds.right());
    }
    let is_below = canvas.style.shows_lines()
        && is_short
        && bounds.height() >= (CANDIDATE_LINE_HEIGHT + MOVES_LINE_HEIGHT) * unit;
    let (above, line) = if is_below {
        let middle = bounds.center().y + (CANDIDATE_LINE_HEIGHT - MOVES_LINE_HEIGHT) / 2.0 * unit;
        let above = bounds
            .with_min_y(middle - CANDIDATE_LINE_HEIGHT * unit)
            .with_max_y(middle);
        (
            above,
            bounds
                .with_min_x(across.word.min)
                .with_min_y(middle)
                .with_max_y(middle + MOVES_LINE_HEIGHT * unit),
        )
    } else {
        (bounds, Rect::from_x_y_ranges(across.line, bounds.y_range()))
    };
    draw_cells(canvas, candidate, is_stale, &across, above);
    if shows_line && (is_below || line.width() >= MIN_LINE_WIDTH * unit) {
        let moves = fitting_moves(canvas, &candidate.line, line.width());
        let base = if is_below { LINE_FONT_SIZE } else { MOVE_FONT_SIZE };
        canvas.draw_line(
            TextRuns::line(&[TextRun::regular(&moves, quiet)], LINE_FONT_SIZE),
            base,
            line,
            Align::LEFT,
        );
        canvas.add_named_part(PartWord::Line(candidate.rank), candidate.line.as_str(), line);
    }
}

fn fitting_moves(canvas: &mut OverlayCanvas<'_, '_>, line: &str, width: f32) -> String {
    // The gap between moves is wider than the space inside 同　歩.
    const MOVE_SEPARATOR: &str = "  ";
    let mut text_width = |text: &str| {
        canvas.width(TextRuns::line(
            &[TextRun::regular(text, Color32::PLACEHOLDER)],
            LINE_FONT_SIZE,
        ))
    };
    let whole = line.replace(' ', MOVE_SEPARATOR);
    if text_width(&whole) <= width {
        return whole;
    }
    let mut room = width - text_width(&format!("{MOVE_SEPARATOR}…"));
    let mut moves: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        room -= text_width(word)
            + if moves.is_empty() {
                0.0
            } else {
                text_width(MOVE_SEPARATOR)
            };
        if room < 0.0 {
            break;
        }
        moves.push(word);
    }
    if !moves.is_empty() {
        moves.push("…");
    }
    moves.join(MOVE_SEPARATOR)
}

/// Draws the rank, the move, the win rate, and the loss or mate of a candidate.
fn draw_cells(
    canvas: &mut OverlayCanvas<'_, '_>,
    candidate: &CandidateView,
    is_stale: bool,
    columns: &CandidateColumns,
    bounds: Rect,
) {
    let theme = canvas.theme();
    let [text, quiet] =
        [theme.text, theme.quiet].map(|color| ends::shade_if_stale(canvas, color, is_stale, STALE_STRENGTH));
    let is_best = candidate.loss.is_none() && candidate.rank == 1 && candidate.mate_note.is_empty();
    let (note, weight, size) = match candidate.loss {
        _ if !candidate.mate_note.is_empty() => {
            (candidate.mate_note.clone(), TextWeight::Regular, LINE_FONT_SIZE)
        }
        None if is_best => (
            Label::Best.text(canvas.style.lang).to_owned(),
            TextWeight::Bold,
            QUIET_FONT_SIZE,
        ),
        Some(loss) if canvas.style.shows_loss() => {
            let weight = if loss >= MIN_COLORED_LOSS_POINTS {
                TextWeight::Bold
            } else {
                TextWeight::Regular
            };
            (
                if loss == 0 {
                    "±0".to_owned()
                } else {
                    format!("−{loss}")
                },
                weight,
                LINE_FONT_SIZE,
            )
        }
        _ => (String::new(), TextWeight::Regular, LINE_FONT_SIZE),
    };
    let loss = if candidate.mate_note.is_empty() {
        candidate.loss
    } else {
        None
    };
    let color = ends::shade_if_stale(canvas, note_color(theme, loss, is_best), is_stale, STALE_STRENGTH);
    let rank = candidate.rank.to_string();
    let (word, value) = (
        [TextRun::bold(&candidate.word, text)],
        [TextRun::bold(&candidate.percent, text)],
    );
    let (word, value) = (
        TextRuns::line(&word, MOVE_FONT_SIZE),
        TextRuns::line(&value, VALUE_FONT_SIZE),
    );
    let ([word, value], [at_word, at_value]) = fit_word_and_value(canvas, word, value, columns);
    let on_note = if is_best {
        canvas.text_on_best_color()
    } else {
        color
    };
    let note = [TextRun {
        text: &note,
        font: TextFont::Text(weight),
        color: on_note,
    }];
    let rank = [TextRun::regular(&rank, quiet)];
    let cells = [
        (TextRuns::line(&rank, QUIET_FONT_SIZE), columns.rank, Align::LEFT),
        (word, Some(at_word), Align::LEFT),
        (value, Some(at_value), Align::RIGHT),
        (
            TextRuns::line(&note, size),
            if is_best { None } else { columns.note },
            Align::RIGHT,
        ),
    ];
    for (cell, column, align) in cells {
        let Some(column) = column else { continue };
        canvas.draw_squeezed(
            cell,
            MOVE_FONT_SIZE,
            Rect::from_x_y_ranges(column, bounds.y_range()),
            align,
        );
    }
    if is_best && let Some(column) = columns.note {
        draw_best_mark(
            canvas,
            TextRuns::line(&note, size),
            color,
            Rect::from_x_y_ranges(column, bounds.y_range()),
        );
    }
    let [note] = note;
    let texts = [candidate.word.as_str(), &candidate.percent, note.text];
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let end = columns.note.unwrap_or(columns.value).max;
    canvas.add_named_part(
        PartWord::Candidate(candidate.rank),
        texts.join(" "),
        bounds.with_max_x(end),
    );
}

/// Draws the mark of the best move at the right end of the column.
fn draw_best_mark(canvas: &mut OverlayCanvas<'_, '_>, word: TextRuns<'_>, color: Color32, bounds: Rect) {
    let pad = 0.45 * word.size * canvas.scale;
    let width = (canvas.width(word) + 2.0 * pad).min(bounds.width());
    let height = 1.4 * word.size * canvas.scale;
    let chip = Rect::from_center_size(bounds.center(), vec2(width, height.min(bounds.height())));
    let chip = chip.translate(vec2(bounds.right() - chip.right(), 0.0));
    canvas.draw_chip(chip, color, Color32::TRANSPARENT);
    canvas.draw_chip_text(word, chip);
}

/// Returns a move and its value with their columns. A mate is longer than a number and extends to the left. If the move
/// is long as well, both texts become smaller.
fn fit_word_and_value<'t>(
    canvas: &mut OverlayCanvas<'_, '_>,
    word: TextRuns<'t>,
    value: TextRuns<'t>,
    columns: &CandidateColumns,
) -> ([TextRuns<'t>; 2], [Rangef; 2]) {
    let wanted = canvas.width(value) + 0.5;
    if wanted <= columns.value.span() || value.is_empty() {
        let word = canvas.shrink_to_width(word, columns.word.span());
        return ([word, value], [columns.word, columns.value]);
    }
    let gap = 6.0 * canvas.scale;
    let both = columns.value.max - columns.word.min - gap;
    let left = (both - canvas.width(word)).max(both * 0.4);
    let value = canvas.shrink_to_width(value, left);
    let width = (canvas.width(value) + 0.5).min(both * 0.6);
    let word = canvas.shrink_to_width(word, both - width);
    let start = columns.value.max - width;
    (
        [word, value],
        [
            Rangef::new(columns.word.min, start - gap),
            Rangef::new(start, columns.value.max),
        ],
    )
}

/// Returns the colour of the loss, of a mate, or of the mark of the best move.
fn note_color(theme: &PaintTheme, loss: Option<u8>, is_best: bool) -> Color32 {
    match loss {
        None if is_best => theme.best,
        Some(loss) if loss >= MIN_BLUNDER_LOSS_POINTS => theme.blunder,
        Some(loss) if loss >= MIN_COLORED_LOSS_POINTS => theme.loss,
        None | Some(_) => theme.quiet,
    }
}
