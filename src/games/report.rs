//! The report of a game: players and result, statistics of each side, graph, decisive moves and moves. Pure.
//!
//! [`Report`] has the contents. [`html()`] writes a self-contained HTML page, [`summary()`] a few lines to copy, and
//! [`JsonReport`] JSON for scripts. `ui::report` draws the report as a picture, and the pictures of the HTML page.

mod content;
mod graph;
mod html;
mod html_builder;
mod json;
mod json_facts;
mod summary;
mod variations;

use crate::analysis::{AssessedMove, DecisiveMove, SideSummary};
use crate::report_text::ReportWord;
use shogibar_base::Lang;
use shogibar_kifu::Millis;
use shogibar_shogi::score::{Value, percent};
use shogibar_shogi::{Color, Move, Position};

pub use html::write_theme_colors;
pub use html::{ReportDrawing, ReportDrawings, html, is_html};
pub use html_builder::HtmlBuilder;
pub use json::JsonReport;
pub use json_facts::JsonFact;
pub use summary::summary;

/// The maximum number of played moves that are shown at a decisive move.
const MAX_PLAYED_MOVES: usize = 6;

/// The contents of the report of a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The language of the texts.
    pub lang: Lang,
    /// The names of the sides, Black's first: 先手 and 後手, or 下手 and 上手 in a handicap game.
    pub titles: [&'static str; 2],
    /// The players' names, Black's first; `None` where unknown.
    pub players: [Option<String>; 2],
    /// The other headers of the record, as keys and values. Standard keys are in the language of the report.
    pub headers: Vec<(String, String)>,
    /// The number of moves, the winner and the reason of the end, in words.
    pub result: String,
    /// The move statistics of each side.
    pub sides: [SideSummary; 2],
    /// The judging evaluator and the number of moves that it has evaluated, in words; empty without evaluations.
    pub judge: String,
    /// The label of the judge's curve; empty where there is no judge.
    pub judge_curve: String,
    /// The curves of the evaluators other than the judge.
    pub other_curves: Vec<ReportCurve>,
    /// The side that makes the first move.
    pub first_mover: Color,
    /// The start and the moves, and the end if the record states one.
    pub rows: Vec<ReportRow>,
    /// The decisive moves, in order.
    pub decisive_moves: Vec<ReportDecisiveMove>,
    /// The number of moves whose reasons are still searched for.
    pub missing_reasons: usize,
    /// The numbers of the mistakes and doubtful moves, in order.
    pub mistakes: Vec<usize>,
}

/// A move of the game, or its start or end.
#[derive(Clone, Debug)]
pub struct ReportRow {
    /// The number of the move; 0 for the start. The end has the number after the last move.
    pub number: usize,
    /// The move, or the end of the game.
    pub word: String,
    /// Whether the row is the end.
    pub is_end: bool,
    /// The time used for the move; `None` where the record has none.
    pub time_spent: Option<Millis>,
    /// The value of the position in Black's view, and Black's win rate from 0 to 1; `None` without an evaluation.
    pub value: Option<(Value, f64)>,
    /// The assessment of the move; `None` for the start and the end, and without evaluations.
    pub assessed_move: Option<AssessedMove>,
    /// The judge's best move instead of the move, in words; empty where it is not known.
    pub best_words: String,
    /// The comment without the evaluations that programs wrote into it.
    pub comment: String,
    /// The name of a bookmark; empty where there is none.
    pub bookmark: String,
    /// The variations of the record that replace the move.
    pub variations: Vec<ReportVariation>,
}

/// A variation of the record, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportVariation {
    /// The number of the variation's first move.
    pub number: usize,
    /// The nesting depth: 1 for a variation of the main line.
    pub depth: usize,
    /// The moves and the end of the variation in words, each with its comment.
    pub moves: Vec<(String, String)>,
}

/// The values of the positions by an evaluator that does not judge the game.
#[derive(Clone, Debug)]
pub struct ReportCurve {
    /// The name of the evaluator.
    pub name: String,
    /// The value in Black's view, and Black's win rate from 0 to 1, by ply from the start; `None` without an
    /// evaluation.
    pub values: Vec<Option<(Value, f64)>>,
}

/// A decisive move of the game.
#[derive(Clone, Debug)]
pub struct ReportDecisiveMove {
    /// The move with its loss and mark.
    pub decisive_move: DecisiveMove,
    /// The effects of the move on forced mates and on the lead, in words.
    pub effects: Vec<String>,
    /// The sentence about the proved facts of the move; may be empty.
    pub sentence: String,
    /// The move in words.
    pub word: String,
    /// The win rates of the side that made the move, before and after it, in percent.
    pub rates: [u8; 2],
    /// The position before the move.
    pub position_before: Position,
    /// The move that led to the position before the assessed move; `None` at the start.
    pub last_move: Option<Move>,
    /// The position before the move, in words: the last move that led to it.
    pub position_text: String,
    /// The judge's best move; `None` where it is not known.
    pub best_move: Option<Move>,
    /// The judge's line in words, which starts with the best move; empty where there is none.
    pub line: Vec<String>,
    /// The judge's line after the move played, in words; empty where there is none.
    pub punish_line: Vec<String>,
}

impl Report {
    /// Returns rows with a label and names: the judge, and the evaluators of the other curves. Rows without a name are
    /// left out.
    pub fn evaluator_rows(&self) -> Vec<(&'static str, String)> {
        let names: Vec<_> = self
            .other_curves
            .iter()
            .map(|curve| curve.name.as_str())
            .collect();
        let rows = [
            (ReportWord::Judge, self.judge.clone()),
            (ReportWord::Others, names.join(self.lang.pick("、", ", "))),
        ];
        let rows = rows.into_iter().filter(|(_, names)| !names.is_empty());
        rows.map(|(word, names)| (word.text(self.lang), names)).collect()
    }

    /// Returns the name of a side.
    pub const fn title(&self, side: Color) -> &'static str {
        let [black, white] = self.titles;
        if matches!(side, Color::Black) {
            black
        } else {
            white
        }
    }

    /// Returns the players' names, Black's first. An unknown name is replaced by the name of the side.
    pub fn names(&self) -> [&str; 2] {
        let [black, white] = &self.players;
        let [first, second] = self.titles;
        [
            black.as_deref().unwrap_or(first),
            white.as_deref().unwrap_or(second),
        ]
    }

    /// Returns a decisive move and the moves that followed it in the game, in words.
    pub fn played_from(&self, decisive: &ReportDecisiveMove) -> Vec<String> {
        let row = usize::from(decisive.decisive_move.assessed_move.ply);
        self.rows
            .iter()
            .skip(row)
            .take(MAX_PLAYED_MOVES)
            .map(|row| row.word.clone())
            .collect()
    }

    /// Returns whether any position has a value.
    pub fn is_analysed(&self) -> bool {
        self.positions().any(|row| row.value.is_some())
    }

    /// Returns the positions of the game: the start, and the one after each move.
    pub fn positions(&self) -> impl Iterator<Item = &ReportRow> {
        self.rows.iter().filter(|row| !row.is_end)
    }
}

impl ReportRow {
    /// Returns Black's win rate in percent; `None` without an evaluation.
    pub fn percent(&self) -> Option<u8> {
        self.value
            .map(|(value, rate)| percent(rate, value.winner().is_some()).0)
    }
}
