//! An engine's candidates, each in a row: rank, move, win rate, loss and the moves expected after it.

use super::sheet::Sheet;
use crate::bar::{CandidateView, EngineView};
use crate::text::{Label, Lang, Part};
use crate::ui::Theme;
use crate::ui::fonts::Weight;
use crate::ui::lettering::{Run, Text};
use eframe::egui;
use egui::{Align, Color32, Rangef, Rect};

// The sizes of type, in points at scale 1.
const MOVE: f32 = 18.0;
const VALUE: f32 = 16.0;
const LINE: f32 = 13.5;
const QUIET: f32 = 12.5;

/// The least width of a line of moves that shows one of them.
const LINE_LEAST: f32 = 84.0;

/// From this loss on, in points of win rate, it has a colour; from the second on another.
const LOSS: u8 = 6;
const BLUNDER: u8 = 20;

/// The columns, in points of the screen. They are as wide for one candidate as for the next.
#[derive(Clone, Copy, Debug)]
struct Columns {
    rank: Rangef,
    word: Rangef,
    value: Rangef,
    note: Rangef,
    /// What is left.
    line: Rangef,
}

/// The width of a row without the moves expected after it, in points at scale 1.
pub(super) const CELL: f32 = 250.0;

/// Draws an engine's candidates, one in each of the `rows`, as many as there are of both.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, engine: &EngineView, rows: &[Rect]) {
    let Some(first) = rows.first() else { return };
    let shown = engine.candidates.get(..rows.len()).unwrap_or(&engine.candidates);
    // As wide for one as for the next, also where they stand beside each other.
    let columns = columns(sheet, shown, *first);
    for (candidate, bounds) in shown.iter().zip(rows) {
        row(sheet, candidate, engine.stale, &columns.moved(bounds.left() - first.left()), *bounds);
    }
    if let Some(best) = shown.first() {
        sheet.name(Part::BestMove, best.word.as_str(), first.with_max_x(columns.word.max));
    }
}

impl Columns {
    /// The same so much further to the right.
    fn moved(self, by: f32) -> Self {
        let moved = |range: Rangef| Rangef::new(range.min + by, range.max + by);
        let Self { rank, word, value, note, line } = self;
        let [rank, word, value, note, line] = [rank, word, value, note, line].map(moved);
        Self { rank, word, value, note, line }
    }
}

fn columns(sheet: &mut Sheet<'_, '_>, candidates: &[CandidateView], bounds: Rect) -> Columns {
    let (scale, numbers) = (sheet.scale, sheet.look.shows_numbers());
    let mut widest = |text: fn(&CandidateView) -> &str, weight: Weight, size: f32, least: f32| {
        candidates.iter().fold(least * scale, |widest, candidate| {
            let runs = [Run { text: text(candidate), weight, color: Color32::PLACEHOLDER }];
            widest.max(sheet.width(Text::line(&runs, size)))
        })
    };
    // Six kanji, as in ▲同　銀右上, are usual: no column moves for them.
    let word = widest(|candidate| &candidate.word, Weight::Bold, MOVE, 108.0).min(bounds.width() * 0.4);
    let least = if numbers { 34.0 } else { 0.0 };
    let value = widest(|candidate| &candidate.value, Weight::Regular, VALUE, least).min(bounds.width() * 0.2);
    let mut x = bounds.left();
    let mut take = |gap: f32, width: f32| {
        let start = (x + gap).min(bounds.right());
        x = (start + width).min(bounds.right());
        Rangef::new(start, x)
    };
    let rank = take(0.0, 20.0 * scale);
    let word = take(8.0 * scale, word);
    let value = take(if numbers { 10.0 * scale } else { 0.0 }, value);
    let note = take(if bounds.width() < 500.0 * scale { 8.0 } else { 14.0 } * scale, 44.0 * scale);
    let line = take(14.0 * scale, f32::INFINITY);
    Columns { rank, word, value, note, line }
}

fn row(sheet: &mut Sheet<'_, '_>, candidate: &CandidateView, stale: bool, columns: &Columns, bounds: Rect) {
    let theme = sheet.theme();
    let (text, quiet) = if stale { (theme.stale, theme.stale) } else { (theme.text, theme.quiet) };
    let (note, weight, size) = match candidate.loss {
        // The same word in every language.
        None => (Label::Best.text(Lang::default()).to_owned(), Weight::Bold, QUIET),
        Some(_) if !sheet.look.shows_loss() => (String::new(), Weight::Regular, LINE),
        Some(0) => ("0".to_owned(), Weight::Regular, LINE),
        Some(loss) => (format!("−{loss}"), Weight::Regular, LINE),
    };
    let color = if stale { quiet } else { note_color(theme, candidate.loss) };
    let rank = candidate.rank.to_string();
    let cells = [
        (Run::regular(&rank, quiet), QUIET, columns.rank, Align::LEFT),
        (Run::bold(&candidate.word, text), MOVE, columns.word, Align::LEFT),
        (Run::regular(&candidate.value, text), VALUE, columns.value, Align::RIGHT),
        (Run { text: &note, weight, color }, size, columns.note, Align::RIGHT),
    ];
    for (run, size, column, align) in cells {
        sheet.line(Text::line(&[run], size), MOVE, Rect::from_x_y_ranges(column, bounds.y_range()), align);
    }
    let said = [candidate.word.as_str(), &candidate.value, &note];
    let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
    sheet.name(Part::Candidate(candidate.rank), said.join(" "), bounds.with_max_x(columns.note.max));
    if columns.line.span() >= LINE_LEAST * sheet.scale && sheet.look.shows_lines() {
        let cell = Rect::from_x_y_ranges(columns.line, bounds.y_range());
        // Apart by more than the space within 同　歩 lets one overlook.
        let line = candidate.line.replace(' ', "  ");
        sheet.line(Text::line(&[Run::regular(&line, quiet)], LINE), MOVE, cell, Align::LEFT);
        sheet.name(Part::Line(candidate.rank), candidate.line.as_str(), cell);
    }
}

fn note_color(theme: &Theme, loss: Option<u8>) -> Color32 {
    match loss {
        None => theme.accent,
        Some(loss) if loss >= BLUNDER => theme.blunder,
        Some(loss) if loss >= LOSS => theme.loss,
        Some(_) => theme.quiet,
    }
}
