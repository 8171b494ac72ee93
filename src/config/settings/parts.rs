//! What the overlay shows.

use super::super::choice::choice;
use super::super::warning::TableReader;
use super::field;
use std::collections::BTreeSet;
use toml::Table;

choice! {
    /// A part of the overlay that can be switched off.
    OverlayPart {
        /// The players' names.
        Names = "names",
        /// What is said in figures of who is winning: win rates, losses, centipawns.
        Numbers = "numbers",
        /// What is said in words of it: moves, the situation, the result.
        Words = "words",
        /// The candidates.
        Candidates = "candidates",
        /// The moves expected after each of them.
        Lines = "lines",
        /// What each of them loses against the best.
        Loss = "loss",
        /// Depth, nodes and speed.
        Figures = "figures",
        /// The engine's name.
        Engine = "engine",
        /// The number of the move.
        Place = "place",
        /// The last move.
        LastMove = "last_move",
        /// Whose turn it is.
        ToMove = "to_move",
        /// The evaluation in centipawns.
        Evaluation = "evaluation",
        /// The situation in words: 互角 … 勝勢.
        Situation = "situation",
        /// The ticks of the bar.
        Ticks = "ticks",
        /// The mark of how the engine fares: live, waiting, lost.
        Signal = "signal",
    }
}

/// The parts that are shown: all, where nothing is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayParts {
    hidden: BTreeSet<OverlayPart>,
}

impl OverlayParts {
    /// Whether a part is shown.
    pub fn shows(&self, part: OverlayPart) -> bool {
        !self.hidden.contains(&part)
    }

    /// Shows a part, or does not.
    pub fn show(&mut self, part: OverlayPart, shown: bool) {
        if shown {
            self.hidden.remove(&part);
        } else {
            self.hidden.insert(part);
        }
    }

    pub(super) fn carry_over(&mut self, before: &Self, after: &Self) {
        for part in before.hidden.symmetric_difference(&after.hidden) {
            self.show(*part, after.shows(*part));
        }
    }

    pub(super) fn read(reader: &mut TableReader<'_>) -> Self {
        let hidden = |part: &OverlayPart| field::read(reader, part.name()) == Some(false);
        Self { hidden: OverlayPart::ALL.iter().copied().filter(hidden).collect() }
    }

    pub(super) fn write(&self, table: &mut Table) {
        for part in OverlayPart::ALL {
            field::write(table, part.name(), &self.shows(*part));
        }
    }
}
