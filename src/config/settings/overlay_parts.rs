//! The parts of the overlay that are shown, and their presets.

use super::super::choice::choice;
use super::super::table_reader::TableReader;
use super::field::{Setting, write_group};
use std::collections::BTreeSet;
use toml::Table;

choice! {
    /// A part of the overlay that can be switched off.
    OverlayPart {
        /// The players' names.
        Names = "names",
        /// The evaluation in numbers: win rates, losses, centipawns.
        Numbers = "numbers",
        /// The evaluation in words: moves, situation, result.
        Words = "words",
        /// The candidates.
        Candidates = "candidates",
        /// The pv of each candidate.
        Lines = "lines",
        /// The loss of each candidate against the best.
        Loss = "loss",
        /// The depth, nodes and speed.
        Figures = "figures",
        /// The engine's name.
        Engine = "engine",
        /// The number of the move.
        MoveNumber = "place",
        /// The last move.
        LastMove = "last_move",
        /// The side to move.
        ToMove = "to_move",
        /// The evaluation in centipawns.
        Evaluation = "evaluation",
        /// The situation in words: 互角 … 勝勢.
        Situation = "situation",
        /// The ticks of the bar.
        Ticks = "ticks",
        /// The marks of the game's and the engine's state: live, behind, waiting, lost.
        Signal = "signal",
        /// The graph of the game up to now.
        Graph = "graph",
        /// The players' clocks.
        Clocks = "clocks",
        /// The marks of a threat of mate and of the only move.
        Threats = "threats",
        /// The opening and the castles.
        Formations = "formations",
        /// The sentence about the last move or the position.
        Reason = "reason",
        /// The card that announces a turning point.
        TurningCard = "turning_card",
    }
}

choice! {
    /// A preset of parts.
    OverlayPreset {
        /// Without the parts that only experts read, for streams.
        Stream = "stream",
        /// All parts.
        Analyst = "analyst",
    }
}

impl OverlayPreset {
    /// Returns the parts of the preset.
    pub fn parts(self) -> OverlayParts {
        let hidden: &[OverlayPart] = match self {
            Self::Stream => &[OverlayPart::Figures, OverlayPart::Engine, OverlayPart::Evaluation],
            Self::Analyst => &[],
        };
        OverlayParts {
            hidden_parts: hidden.iter().copied().collect(),
        }
    }
}

/// The parts that are shown; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OverlayParts {
    hidden_parts: BTreeSet<OverlayPart>,
}

impl OverlayParts {
    /// Returns whether a part is shown.
    pub fn shows(&self, part: OverlayPart) -> bool {
        !self.hidden_parts.contains(&part)
    }

    /// Returns whether each part that a preset hides is hidden.
    pub fn is_within(&self, preset: OverlayPreset) -> bool {
        preset.parts().hidden_parts.is_subset(&self.hidden_parts)
    }

    /// Shows or hides a part.
    pub fn set_shown(&mut self, part: OverlayPart, shown: bool) {
        if shown {
            self.hidden_parts.remove(&part);
        } else {
            self.hidden_parts.insert(part);
        }
    }
}

impl Setting for OverlayParts {
    fn read_at(reader: &mut TableReader<'_>, key: &str) -> Option<Self> {
        let hidden = reader.read_group(key, |group| {
            OverlayPart::ALL
                .iter()
                .copied()
                .filter(|part| bool::read_at(group, part.name()) == Some(false))
                .collect()
        });
        Some(Self { hidden_parts: hidden })
    }

    fn write_at(&self, table: &mut Table, key: &str) {
        write_group(table, key, |group| {
            for part in OverlayPart::ALL {
                self.shows(*part).write_at(group, part.name());
            }
        });
    }

    fn apply_changes(&mut self, before: &Self, after: &Self) {
        for part in before.hidden_parts.symmetric_difference(&after.hidden_parts) {
            self.set_shown(*part, after.shows(*part));
        }
    }
}
