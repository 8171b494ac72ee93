//! A game told on one page: who played and how it ended, how well each side did, the course of the game, where it
//! turned and what would have been better, and every move. Pure.
//!
//! [`Report`] is what is told. [`html()`] writes it as a page that needs nothing but itself, [`summary()`] as a few lines
//! to be copied; `ui::report` draws it as a picture.

mod content;
mod diagram;
mod graph;
mod html;
mod page;
mod summary;
#[cfg(test)]
mod tests;
mod variations;

use crate::analysis::{AssessedMove, SideSummary, TurnKind};
use crate::kifu::Millis;
use crate::score::{Value, percent};
use crate::shogi::{Color, Move, Position};
use crate::text::Lang;
use crate::text::report::ReportWord;

pub use html::{html, is_html};
pub use summary::summary;

/// What a report tells of a game.
#[derive(Clone, Debug)]
pub struct Report {
    /// The language.
    pub lang: Lang,
    /// What the sides are called, Black's first: 先手, or 下手 in a handicap game.
    pub titles: [&'static str; 2],
    /// The players, where they are known.
    pub players: [Option<String>; 2],
    /// What else the record says of the game: keys, in the language as far as they are usual ones, and values.
    pub facts: Vec<(String, String)>,
    /// How many moves were played, who won, and why.
    pub result: String,
    /// What the moves of each side come to.
    pub sides: [SideSummary; 2],
    /// Who judges the game, and how many of its moves that one has evaluated, in words; empty where nobody has.
    pub judge: String,
    /// What that one is called, for its curve; empty where nobody judges.
    pub curve: String,
    /// What others say of the positions.
    pub others: Vec<ReportCurve>,
    /// Who makes the first move.
    pub first: Color,
    /// The start, the moves, and the end where the record states one.
    pub rows: Vec<ReportRow>,
    /// The moves that decided it.
    pub turns: Vec<ReportTurningPoint>,
}

/// A move of the game, or its start or end.
#[derive(Clone, Debug)]
pub struct ReportRow {
    /// Which move of the game it is; 0 for the start. An end has the number of the move in whose place it stands.
    pub number: usize,
    /// The move, or what ends the game.
    pub word: String,
    /// Whether it is the end.
    pub is_end: bool,
    /// How long it took.
    pub spent: Option<Millis>,
    /// What the position is worth: its value in Black's view, and Black's win rate from 0 to 1.
    pub worth: Option<(Value, f64)>,
    /// What the move was worth.
    pub assessed: Option<AssessedMove>,
    /// What somebody remarks on it: the comment without what programs state in it.
    pub comment: String,
    /// The name of a bookmark; empty where there is none.
    pub bookmark: String,
    /// What else could have been played in its place, according to the record.
    pub variations: Vec<ReportVariation>,
}

/// A line of moves that were not played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReportVariation {
    /// The number of its first move.
    pub number: usize,
    /// How many variations it is in: 1 for one to the game itself.
    pub depth: usize,
    /// Its moves and its end in words, each with what somebody remarks on it.
    pub moves: Vec<(String, String)>,
}

/// What somebody says of the positions who does not judge the game.
#[derive(Clone, Debug)]
pub struct ReportCurve {
    /// What it is called.
    pub name: String,
    /// By ply, the start first: the value in Black's view, and Black's win rate from 0 to 1.
    pub worths: Vec<Option<(Value, f64)>>,
}

/// A move that decided something.
#[derive(Clone, Debug)]
pub struct ReportTurningPoint {
    /// What it was worth.
    pub assessed: AssessedMove,
    /// What it decided.
    pub turn: TurnKind,
    /// What it decided, in words.
    pub decided: String,
    /// The move.
    pub word: String,
    /// The win rate of its side before and after it, in percent.
    pub rates: [u8; 2],
    /// The position before it.
    pub before: Position,
    /// The move that led there.
    pub led_by: Option<Move>,
    /// Which position it is: up to which move.
    pub place: String,
    /// What the engine would have played.
    pub best: Option<Move>,
    /// Its line in words, that move first; empty where it does not say.
    pub line: Vec<String>,
}

impl Report {
    /// Who evaluates the game, as facts are told of it: who judges, and who else has a curve.
    pub fn evaluated_by(&self) -> Vec<(&'static str, String)> {
        let others: Vec<_> = self.others.iter().map(|curve| curve.name.as_str()).collect();
        let told =
            [(ReportWord::Judge, self.judge.clone()), (ReportWord::Others, others.join(self.lang.pick("、", ", ")))];
        let told = told.into_iter().filter(|(_, names)| !names.is_empty());
        told.map(|(word, names)| (word.text(self.lang), names)).collect()
    }

    /// What a side is called.
    pub const fn title(&self, side: Color) -> &'static str {
        let [black, white] = self.titles;
        if matches!(side, Color::Black) { black } else { white }
    }

    /// What the players are called, by their side where nobody knows them.
    pub fn names(&self) -> [&str; 2] {
        let [black, white] = &self.players;
        let [first, second] = self.titles;
        [black.as_deref().unwrap_or(first), white.as_deref().unwrap_or(second)]
    }

    /// Whether it is known of any position what it is worth.
    pub fn is_analysed(&self) -> bool {
        self.positions().any(|row| row.worth.is_some())
    }

    /// The positions of the game: the start, and that after each move.
    pub fn positions(&self) -> impl Iterator<Item = &ReportRow> {
        self.rows.iter().filter(|row| !row.is_end)
    }
}

impl ReportRow {
    /// Black's win rate in percent.
    pub fn percent(&self) -> Option<u8> {
        self.worth.map(|(value, rate)| percent(rate, value.winner().is_some()).0)
    }
}
