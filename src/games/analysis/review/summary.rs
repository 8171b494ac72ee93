//! The summary of a whole line.

use super::{AssessedMove, GameReview, MoveMark, reaches};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;
use crate::text::analysis::SideSums;

/// The win rates of the moving side at which the course of a game changes: a lead, an even game, the other side's lead.
const LEVELS: [f64; 3] = [0.6, 0.5, 0.4];

/// The minimum loss of a turning point, in points.
const LEAST: f64 = 10.0;

/// The number of positions, including the one after the move, for which the win rate must stay below the crossed level.
const STAYS: usize = 3;

/// The summary of a line of a record.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewSummary {
    /// The summaries of Black's and White's moves.
    pub sides: [SideSummary; 2],
    /// The moves that decided the game, in order.
    pub turning_points: Vec<TurningPoint>,
}

/// The summary of one side's moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// The number of assessed moves.
    pub moves: usize,
    /// The mean loss, in points; `None` without assessed moves.
    pub mean_loss: Option<f64>,
    /// The number of moves with each mark, in the order of [`MoveMark::ALL`].
    pub marks: [usize; 4],
    /// The number of moves that were the judge's choice.
    pub choices: usize,
    /// The number of moves for which the judge states its best move.
    pub judged: usize,
}

/// A move that changed the course of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// The move.
    pub assessed: AssessedMove,
    /// The change that it caused.
    pub turn: TurnKind,
}

/// The change caused by a turning point.
///
/// A turning point has a loss of 10 points or more. By it, the win rate of its side falls below 60, 50 or 40 %. The win
/// rate then stays below that level for three plies: in the position after the move and in the next two, if the game
/// continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnKind {
    /// The side that gained: the one that did not move.
    pub winner: Color,
    /// The change of the lead.
    pub change: LeadChange,
}

/// A change of the lead. A side leads at a win rate of 60 % or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadChange {
    /// The side that moved was in the lead, and now the other side is.
    Reversal,
    /// The other side takes the lead.
    Lead,
    /// The side that moved was in the lead, and now neither side is.
    Levelled,
    /// Neither side leads, but the better chances change to the other side.
    Edge,
}

impl SideSummary {
    /// Returns 100 minus the mean loss, at least 0; `None` without assessed moves.
    pub fn accuracy(&self) -> Option<f64> {
        self.mean_loss.map(|loss| (100.0 - loss).max(0.0))
    }

    /// Returns the values to display, including how often the judge's choice was played (一致率).
    pub fn sums(&self) -> SideSums {
        let choices = [self.choices, self.judged];
        SideSums { mean_loss: self.mean_loss, choices, accuracy: self.accuracy() }
    }

    fn from_moves<'a>(moves: impl Iterator<Item = &'a AssessedMove>) -> Self {
        let (mut side, mut lost) = (Self::default(), 0.0);
        let mut count = 0.0;
        for assessed in moves {
            side.moves += 1;
            count += 1.0;
            lost += assessed.loss;
            side.choices += usize::from(assessed.is_choice());
            side.judged += usize::from(assessed.best.is_some());
            for (mark, with_it) in MoveMark::ALL.iter().zip(&mut side.marks) {
                *with_it += usize::from(assessed.mark == Some(*mark));
            }
        }
        side.mean_loss = (side.moves > 0).then(|| lost / count);
        side
    }
}

impl GameReview {
    /// Summarises the main line of a record.
    pub fn summary(&self, record: &Record) -> ReviewSummary {
        self.summary_of(record.main_line())
    }

    /// Summarises a line of moves, given by the nodes that they lead to.
    pub fn summary_of(&self, line: impl Iterator<Item = NodeId>) -> ReviewSummary {
        let line: Vec<_> = line.collect();
        let moves: Vec<&AssessedMove> = line.iter().filter_map(|node| self.assessed(*node)).collect();
        let sides = [Color::Black, Color::White]
            .map(|side| SideSummary::from_moves(moves.iter().copied().filter(|mv| mv.side == side)));
        let found = line.iter().enumerate().filter_map(|(place, node)| {
            let assessed = *self.assessed(*node)?;
            let turn = self.turn_kind(&assessed, line.get(place..)?)?;
            Some(TurningPoint { assessed, turn })
        });
        ReviewSummary { sides, turning_points: found.collect() }
    }

    /// Returns the change caused by a move: the first matching one; `None` if it is no turning point. `on` is the line
    /// from the move onward.
    fn turn_kind(&self, assessed: &AssessedMove, line: &[NodeId]) -> Option<TurnKind> {
        if !reaches(assessed.loss, LEAST) {
            return None;
        }
        let of_side = |rate: f64| if assessed.side == Color::Black { rate } else { 1.0 - rate };
        let [before, _] = self.compared(assessed.node)?;
        let before = of_side(before.rate);
        // Positions without a value are ignored.
        let after: Vec<f64> = line
            .iter()
            .take(STAYS)
            .filter_map(|node| self.position_value(*node))
            .map(|worth| of_side(worth.rate))
            .collect();
        let stays = |level: f64| before >= level && after.iter().all(|rate| *rate < level);
        let [lead, middle, other] = LEVELS.map(stays);
        let had_lead = LEVELS.first().is_some_and(|level| before >= *level);
        let change = match (other, middle, lead) {
            (true, ..) if had_lead => LeadChange::Reversal,
            (true, ..) => LeadChange::Lead,
            (_, true, _) if had_lead => LeadChange::Levelled,
            (_, true, _) => LeadChange::Edge,
            (_, _, true) => LeadChange::Levelled,
            _ => return None,
        };
        Some(TurnKind { winner: assessed.side.flip(), change })
    }
}
