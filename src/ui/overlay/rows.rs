//! An engine's candidates, each in a row: rank, move, win rate, loss and the moves expected after it.

use super::canvas::OverlayCanvas;
use crate::bar::{CandidateView, EngineView};
use crate::text::{Label, Lang, PartWord};
use crate::ui::PaintTheme;
use crate::ui::fonts::TextWeight;
use crate::ui::text_runs::{TextRun, TextRuns};
use eframe::egui;
use egui::{Align, Color32, Rangef, Rect};

// The sizes of type, in points at scale 1.
const MOVE: f32 = 18.0;
const VALUE: f32 = 16.0;
const LINE: f32 = 13.5;
const QUIET: f32 = 12.5;

/// The least width of a line of moves that shows one of them, and of one that shows a few.
const LINE_LEAST: f32 = 84.0;
const LINE_EASY: f32 = 240.0;

// The widths of the columns, at scale 1. They are the same whatever is in them, so that nothing moves sideways.
const RANK: f32 = 28.0;
const NUMBER: f32 = 34.0;
const NOTE: f32 = 52.0;
const GAP: f32 = 10.0;

/// The heights of the two lines of a row where the moves after a candidate stand below it.
const ABOVE: f32 = 26.0;
const BELOW: f32 = 20.0;
/// How high a row becomes, with one line and with two.
const HIGHEST: f32 = 44.0;
const HIGHEST_OF_TWO: f32 = 84.0;

/// From this loss on, in points of win rate, it has a colour; from the second on another.
const LOSS: u8 = 6;
const BLUNDER: u8 = 20;

/// The columns, in points of the screen.
#[derive(Clone, Copy, Debug)]
struct CandidateColumns {
    /// Narrow rows have none.
    rank: Option<Rangef>,
    word: Rangef,
    /// A number is as wide as this; what is longer reaches to the left.
    value: Rangef,
    /// The narrowest rows have none.
    note: Option<Rangef>,
    /// What is left.
    line: Rangef,
}

/// The width of a row without the moves expected after it, in points at scale 1.
pub(super) const CELL: f32 = 250.0;

/// The width of a move: six kanji, as in ▲同　銀右上, are usual.
const fn word_width(lang: Lang) -> f32 {
    match lang {
        Lang::Ja => 108.0,
        Lang::En => 84.0,
    }
}

/// Draws an engine's candidates, one in each of the `rows`, as many as there are of both.
pub(super) fn draw(sheet: &mut OverlayCanvas<'_, '_>, engine: &EngineView, rows: &[Rect]) {
    let Some(first) = rows.first() else { return };
    for (candidate, bounds) in engine.candidates.iter().zip(rows) {
        row(sheet, candidate, engine.stale, *bounds);
    }
    if let Some(best) = engine.candidates.first() {
        let columns = columns(sheet, *first);
        sheet.name(PartWord::BestMove, best.word.as_str(), first.with_max_x(columns.word.max));
    }
}

/// How high a row of this width becomes, in points of the screen.
pub(super) fn highest(sheet: &OverlayCanvas<'_, '_>, across: Rect) -> f32 {
    let is_short = sheet.look.shows_lines() && columns(sheet, across).line.span() < LINE_EASY * sheet.scale;
    sheet.scale * if is_short { HIGHEST_OF_TWO } else { HIGHEST }
}

fn columns(sheet: &OverlayCanvas<'_, '_>, bounds: Rect) -> CandidateColumns {
    let scale = sheet.scale;
    let word = word_width(sheet.look.lang);
    let number = if sheet.look.shows_numbers() { GAP + NUMBER } else { 0.0 };
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
    let apart = if width < 500.0 { 0.0 } else { 6.0 };
    let note = has_note.then(|| take(apart, NOTE));
    let line = take(14.0, f32::INFINITY);
    CandidateColumns { rank, word, value, note, line }
}

fn row(sheet: &mut OverlayCanvas<'_, '_>, candidate: &CandidateView, stale: bool, bounds: Rect) {
    let (unit, across) = (sheet.scale, columns(sheet, bounds));
    let quiet = if stale { sheet.theme().stale } else { sheet.theme().quiet };
    let shows_line = sheet.look.shows_lines() && !candidate.line.is_empty();
    let is_short = across.line.span() < LINE_EASY * unit;
    let is_below = sheet.look.shows_lines() && is_short && bounds.height() >= (ABOVE + BELOW) * unit;
    let (above, line) = if is_below {
        let middle = bounds.center().y + (ABOVE - BELOW) / 2.0 * unit;
        let above = bounds.with_min_y(middle - ABOVE * unit).with_max_y(middle);
        (above, bounds.with_min_x(across.word.min).with_min_y(middle).with_max_y(middle + BELOW * unit))
    } else {
        (bounds, Rect::from_x_y_ranges(across.line, bounds.y_range()))
    };
    cells(sheet, candidate, stale, &across, above);
    if shows_line && (is_below || line.width() >= LINE_LEAST * unit) {
        // Apart by more than the space within 同　歩 lets one overlook.
        let moves = candidate.line.replace(' ', "  ");
        let base = if is_below { LINE } else { MOVE };
        sheet.line(TextRuns::line(&[TextRun::regular(&moves, quiet)], LINE), base, line, Align::LEFT);
        sheet.name(PartWord::Line(candidate.rank), candidate.line.as_str(), line);
    }
}

/// Rank, move, value and note.
fn cells(
    sheet: &mut OverlayCanvas<'_, '_>,
    candidate: &CandidateView,
    stale: bool,
    columns: &CandidateColumns,
    bounds: Rect,
) {
    let theme = sheet.theme();
    let (text, quiet) = if stale { (theme.stale, theme.stale) } else { (theme.text, theme.quiet) };
    let (note, weight, size) = match candidate.loss {
        // The same word in every language.
        None if candidate.rank == 1 => (Label::Best.text(Lang::default()).to_owned(), TextWeight::Bold, QUIET),
        Some(loss) if sheet.look.shows_loss() => {
            (if loss == 0 { "0".to_owned() } else { format!("−{loss}") }, TextWeight::Regular, LINE)
        }
        _ => (String::new(), TextWeight::Regular, LINE),
    };
    let color = if stale { quiet } else { note_color(theme, candidate.loss) };
    let rank = candidate.rank.to_string();
    let (word, value) = ([TextRun::bold(&candidate.word, text)], [TextRun::regular(&candidate.value, text)]);
    let (word, value) = (TextRuns::line(&word, MOVE), TextRuns::line(&value, VALUE));
    let ([word, value], [at_word, at_value]) = beside(sheet, word, value, columns);
    let note = [TextRun { text: &note, weight, color }];
    let rank = [TextRun::regular(&rank, quiet)];
    let cells = [
        (TextRuns::line(&rank, QUIET), columns.rank, Align::LEFT),
        (word, Some(at_word), Align::LEFT),
        (value, Some(at_value), Align::RIGHT),
        (TextRuns::line(&note, size), columns.note, Align::RIGHT),
    ];
    for (cell, column, align) in cells {
        let Some(column) = column else { continue };
        sheet.line(cell, MOVE, Rect::from_x_y_ranges(column, bounds.y_range()), align);
    }
    let [note] = note;
    let said = [candidate.word.as_str(), &candidate.value, note.text];
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    let end = columns.note.unwrap_or(columns.value).max;
    sheet.name(PartWord::Candidate(candidate.rank), said.join(" "), bounds.with_max_x(end));
}

/// A move and its value, and where they stand. A mate is longer than a number and reaches to the left; where the move
/// is long, too, both become smaller.
fn beside<'t>(
    sheet: &mut OverlayCanvas<'_, '_>,
    word: TextRuns<'t>,
    value: TextRuns<'t>,
    columns: &CandidateColumns,
) -> ([TextRuns<'t>; 2], [Rangef; 2]) {
    let wanted = sheet.width(value) + 0.5;
    if wanted <= columns.value.span() || value.is_empty() {
        let word = sheet.shrunk(word, columns.word.span());
        return ([word, value], [columns.word, columns.value]);
    }
    let gap = 6.0 * sheet.scale;
    let both = columns.value.max - columns.word.min - gap;
    let left = (both - sheet.width(word)).max(both * 0.4);
    let value = sheet.shrunk(value, left);
    let width = (sheet.width(value) + 0.5).min(both * 0.6);
    let word = sheet.shrunk(word, both - width);
    let start = columns.value.max - width;
    ([word, value], [Rangef::new(columns.word.min, start - gap), Rangef::new(start, columns.value.max)])
}

fn note_color(theme: &PaintTheme, loss: Option<u8>) -> Color32 {
    match loss {
        None => theme.accent,
        Some(loss) if loss >= BLUNDER => theme.blunder,
        Some(loss) if loss >= LOSS => theme.loss,
        Some(_) => theme.quiet,
    }
}
