//! The candidates of an engine, one per row: rank, move, win rate, loss and the following moves.

use super::canvas::OverlayCanvas;
use super::ends;
use super::texts::{LINE, QUIET};
use crate::PaintTheme;
use crate::bar::{CandidateView, EngineView};
use crate::fonts::{TextFont, TextWeight};
use crate::text::{Label, Lang, PartWord};
use crate::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Color32, Rangef, Rect, vec2};

// The font sizes, in points at scale 1.
const MOVE: f32 = 18.0;
const VALUE: f32 = 16.0;

/// The minimum width of the column of following moves, in points at scale 1.
const MIN_LINE_WIDTH: f32 = 84.0;
/// The width of the column of following moves below which they go below the candidate, if there is room. In points at
/// scale 1.
const LINE_EASY: f32 = 240.0;

// The widths of the columns, at scale 1. They are independent of the contents, so that nothing moves sideways.
const RANK: f32 = 28.0;
const NUMBER: f32 = 34.0;
const NOTE: f32 = 52.0;
const GAP: f32 = 10.0;
/// The additional width of a mate's text compared with a loss.
const MATE_NOTE: f32 = 28.0;

/// The height of the line of a candidate with its following moves below, in points at scale 1.
const ABOVE: f32 = 26.0;
/// The height of the line of following moves below a candidate, in points at scale 1.
const BELOW: f32 = 20.0;
/// The maximum height of a row with one line, in points at scale 1.
const MAX_ROW_HEIGHT: f32 = 44.0;
/// The maximum height of a row with two lines, in points at scale 1.
const MAX_TWO_LINE_ROW_HEIGHT: f32 = 84.0;

/// The part of its colour that a row keeps while it belongs to another position.
const STALE: f32 = 0.5;

/// The loss of a candidate from which it is coloured and bold, in percentage points of win rate.
const LOSS: u8 = 6;
/// The loss of a candidate from which it has the stronger colour, in percentage points of win rate.
const BLUNDER: u8 = 20;

/// The columns, in points of the screen.
#[derive(Clone, Copy, Debug)]
struct CandidateColumns {
    /// The column of the rank; narrow rows have none.
    rank: Option<Rangef>,
    word: Rangef,
    /// The width of a number; a longer text extends to the left.
    value: Rangef,
    /// The column of the loss or mate; the narrowest rows have none.
    note: Option<Rangef>,
    /// The rest of the width.
    line: Rangef,
}

/// The width of a row without the following moves, in points at scale 1.
pub(super) const CELL: f32 = 250.0;

/// Returns the width of a move: up to six kanji, as in ▲同　銀右上, are common.
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
        row(canvas, candidate, engine.is_stale, *bounds);
    }
    if let Some(best) = engine.candidates.first().filter(|_| !engine.is_elsewhere) {
        let columns = columns(canvas, *first);
        canvas.add_name(PartWord::BestMove, best.word.as_str(), first.with_max_x(columns.word.max));
    }
}

/// Returns the maximum height of a row of this width, in points of the screen.
pub(super) fn max_height(canvas: &OverlayCanvas<'_, '_>, across: Rect) -> f32 {
    let is_short = canvas.style.shows_lines() && columns(canvas, across).line.span() < LINE_EASY * canvas.scale;
    canvas.scale * if is_short { MAX_TWO_LINE_ROW_HEIGHT } else { MAX_ROW_HEIGHT }
}

fn columns(canvas: &OverlayCanvas<'_, '_>, bounds: Rect) -> CandidateColumns {
    let scale = canvas.scale;
    let word = word_width(canvas.style.lang);
    let number = if canvas.style.shows_numbers() { GAP + NUMBER } else { 0.0 };
    let width = bounds.width() / scale;
    let has_note = width >= word + number + NOTE;
    let has_rank = width >= RANK + word + number + NOTE;
    let mut x = bounds.left();
    let mut take = |gap: f32, width: f32| {
        let start = (x + gap * scale).min(bounds.right());
        x = (start + width * scale).min(bounds.right());
        Rangef::new(start, x)
    };
    let rank = has_rank.then(|| take(0.0, RANK));
    let word = take(0.0, if has_note { word } else { width - number });
    let value = if number > 0.0 { take(GAP, NUMBER) } else { take(0.0, 0.0) };
    let apart = if width < 500.0 { 4.0 } else { 6.0 };
    let note = has_note.then(|| take(apart, NOTE));
    let line = take(14.0, f32::INFINITY);
    CandidateColumns { rank, word, value, note, line }
}

fn row(canvas: &mut OverlayCanvas<'_, '_>, candidate: &CandidateView, stale: bool, bounds: Rect) {
    let (unit, mut across) = (canvas.scale, columns(canvas, bounds));
    let quiet = ends::shade(canvas, canvas.theme().quiet, stale, STALE);
    let shows_line = canvas.style.shows_lines() && !candidate.line.is_empty();
    let is_short = across.line.span() < LINE_EASY * unit;
    if let Some(note) = across.note.as_mut().filter(|_| !candidate.mate_note.is_empty()) {
        // A mate's text is longer than a loss: the line of moves begins later.
        note.max = (note.max + MATE_NOTE * unit).min(bounds.right());
        across.line.min = (across.line.min + MATE_NOTE * unit).min(bounds.right());
    }
    let is_below = canvas.style.shows_lines() && is_short && bounds.height() >= (ABOVE + BELOW) * unit;
    let (above, line) = if is_below {
        let middle = bounds.center().y + (ABOVE - BELOW) / 2.0 * unit;
        let above = bounds.with_min_y(middle - ABOVE * unit).with_max_y(middle);
        (above, bounds.with_min_x(across.word.min).with_min_y(middle).with_max_y(middle + BELOW * unit))
    } else {
        (bounds, Rect::from_x_y_ranges(across.line, bounds.y_range()))
    };
    cells(canvas, candidate, stale, &across, above);
    if shows_line && (is_below || line.width() >= MIN_LINE_WIDTH * unit) {
        // Moves need a wider gap than the space inside 同　歩.
        let moves = fitting_moves(canvas, &candidate.line, line.width());
        let base = if is_below { LINE } else { MOVE };
        canvas.draw_line(TextRuns::line(&[TextRun::regular(&moves, quiet)], LINE), base, line, Align::LEFT);
        canvas.add_name(PartWord::Line(candidate.rank), candidate.line.as_str(), line);
    }
}

/// Returns the moves of a line that fit into a width, followed by an ellipsis where moves are left out.
fn fitting_moves(canvas: &mut OverlayCanvas<'_, '_>, line: &str, width: f32) -> String {
    const BETWEEN: &str = "  ";
    let mut wide = |text: &str| canvas.width(TextRuns::line(&[TextRun::regular(text, Color32::PLACEHOLDER)], LINE));
    let whole = line.replace(' ', BETWEEN);
    if wide(&whole) <= width {
        return whole;
    }
    let mut room = width - wide(&format!("{BETWEEN}…"));
    let mut moves: Vec<&str> = Vec::new();
    for word in line.split(' ') {
        room -= wide(word) + if moves.is_empty() { 0.0 } else { wide(BETWEEN) };
        if room < 0.0 {
            break;
        }
        moves.push(word);
    }
    if !moves.is_empty() {
        moves.push("…");
    }
    moves.join(BETWEEN)
}

/// Draws rank, move, value and note.
fn cells(
    canvas: &mut OverlayCanvas<'_, '_>,
    candidate: &CandidateView,
    stale: bool,
    columns: &CandidateColumns,
    bounds: Rect,
) {
    let theme = canvas.theme();
    let [text, quiet] = [theme.text, theme.quiet].map(|color| ends::shade(canvas, color, stale, STALE));
    let is_best = candidate.loss.is_none() && candidate.rank == 1 && candidate.mate_note.is_empty();
    let (note, weight, size) = match candidate.loss {
        _ if !candidate.mate_note.is_empty() => (candidate.mate_note.clone(), TextWeight::Regular, LINE),
        None if is_best => (Label::Best.text(canvas.style.lang).to_owned(), TextWeight::Bold, QUIET),
        Some(loss) if canvas.style.shows_loss() => {
            let weight = if loss >= LOSS { TextWeight::Bold } else { TextWeight::Regular };
            (if loss == 0 { "±0".to_owned() } else { format!("−{loss}") }, weight, LINE)
        }
        _ => (String::new(), TextWeight::Regular, LINE),
    };
    let loss = candidate.loss.filter(|_| candidate.mate_note.is_empty());
    let color = ends::shade(canvas, note_color(theme, loss, is_best), stale, STALE);
    let rank = candidate.rank.to_string();
    let (word, value) = ([TextRun::bold(&candidate.word, text)], [TextRun::bold(&candidate.percent, text)]);
    let (word, value) = (TextRuns::line(&word, MOVE), TextRuns::line(&value, VALUE));
    let ([word, value], [at_word, at_value]) = fit_word_and_value(canvas, word, value, columns);
    let on_note = if is_best { canvas.on_best() } else { color };
    let note = [TextRun { text: &note, font: TextFont::Text(weight), color: on_note }];
    let rank = [TextRun::regular(&rank, quiet)];
    let cells = [
        (TextRuns::line(&rank, QUIET), columns.rank, Align::LEFT),
        (word, Some(at_word), Align::LEFT),
        (value, Some(at_value), Align::RIGHT),
        (TextRuns::line(&note, size), columns.note.filter(|_| !is_best), Align::RIGHT),
    ];
    for (cell, column, align) in cells {
        let Some(column) = column else { continue };
        canvas.squeezed(cell, MOVE, Rect::from_x_y_ranges(column, bounds.y_range()), align);
    }
    if let Some(column) = columns.note.filter(|_| is_best) {
        best(canvas, TextRuns::line(&note, size), color, Rect::from_x_y_ranges(column, bounds.y_range()));
    }
    let [note] = note;
    let texts = [candidate.word.as_str(), &candidate.percent, note.text];
    let texts: Vec<_> = texts.into_iter().filter(|text| !text.is_empty()).collect();
    let end = columns.note.unwrap_or(columns.value).max;
    canvas.add_name(PartWord::Candidate(candidate.rank), texts.join(" "), bounds.with_max_x(end));
}

/// Draws the mark of the best move at the right end of its column.
fn best(canvas: &mut OverlayCanvas<'_, '_>, word: TextRuns<'_>, color: Color32, bounds: Rect) {
    let pad = 0.45 * word.size * canvas.scale;
    let width = (canvas.width(word) + 2.0 * pad).min(bounds.width());
    let height = 1.4 * word.size * canvas.scale;
    let chip = Rect::from_center_size(bounds.center(), vec2(width, height.min(bounds.height())));
    let chip = chip.translate(vec2(bounds.right() - chip.right(), 0.0));
    canvas.draw_chip(chip, color, Color32::TRANSPARENT);
    canvas.draw_chip_text(word, chip);
}

/// Returns a move and its value with their columns. A mate is longer than a number and extends to the left. Where the
/// move is long as well, both texts become smaller.
fn fit_word_and_value<'t>(
    canvas: &mut OverlayCanvas<'_, '_>,
    word: TextRuns<'t>,
    value: TextRuns<'t>,
    columns: &CandidateColumns,
) -> ([TextRuns<'t>; 2], [Rangef; 2]) {
    let wanted = canvas.width(value) + 0.5;
    if wanted <= columns.value.span() || value.is_empty() {
        let word = canvas.shrunk(word, columns.word.span());
        return ([word, value], [columns.word, columns.value]);
    }
    let gap = 6.0 * canvas.scale;
    let both = columns.value.max - columns.word.min - gap;
    let left = (both - canvas.width(word)).max(both * 0.4);
    let value = canvas.shrunk(value, left);
    let width = (canvas.width(value) + 0.5).min(both * 0.6);
    let word = canvas.shrunk(word, both - width);
    let start = columns.value.max - width;
    ([word, value], [Rangef::new(columns.word.min, start - gap), Rangef::new(start, columns.value.max)])
}

fn note_color(theme: &PaintTheme, loss: Option<u8>, is_best: bool) -> Color32 {
    match loss {
        None if is_best => theme.best,
        Some(loss) if loss >= BLUNDER => theme.blunder,
        Some(loss) if loss >= LOSS => theme.loss,
        None | Some(_) => theme.quiet,
    }
}
