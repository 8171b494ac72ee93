//! What a whole line comes to.

use super::reaches;
use super::{AssessedMove, GameReview, MoveMark};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;
use crate::text::analysis::SideSums;

/// The win rates, of the side that moves, at which a game takes another course: a lead, the middle, the other's lead.
const LEVELS: [f64; 3] = [0.6, 0.5, 0.4];

/// A move that cost less, in points, is no turning point.
const LEAST: f64 = 10.0;

/// In so many positions, the one after the move included, the win rate stays beyond a level that was crossed.
const STAYS: usize = 3;

/// What a line of a record comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReviewSummary {
    /// What Black's and White's moves come to.
    pub sides: [SideSummary; 2],
    /// The moves that decided it, in their order.
    pub turning_points: Vec<TurningPoint>,
}

/// What the moves of a side come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SideSummary {
    /// How many moves there are of which it is known what they were worth.
    pub moves: usize,
    /// What they lost in the mean, in points; `None` where there are none.
    pub mean_loss: Option<f64>,
    /// How many have each mark, in the order of [`Mark::ALL`].
    pub marks: [usize; 4],
    /// How many were the judge's choice.
    pub choices: usize,
    /// Of how many moves the judge says what it would have played.
    pub judged: usize,
}

/// A move by which the game took another course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// The move.
    pub assessed: AssessedMove,
    /// What it decided.
    pub turn: TurnKind,
}

/// What a move decided.
///
/// A turning point lost 10 points or more, and by it the win rate of its side fell through 60, 50 or 40 %, and stayed
/// below that for three plies: in the position after it and in the next two, as far as the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnKind {
    /// Who gained by it: the side that did not move.
    pub winner: Color,
    /// What became of the lead.
    pub change: LeadChange,
}

/// What becomes of a lead. A side leads at 60 % or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadChange {
    /// The side that moved had the lead, and now the other has.
    Reversal,
    /// The other side takes the lead.
    Lead,
    /// The side that moved had the lead, and nobody has it now.
    Levelled,
    /// Nobody leads, but the better chances go to the other side.
    Edge,
}

impl SideSummary {
    /// 100 minus what its moves lost in the mean, and not below 0; `None` where there are none.
    pub fn accuracy(&self) -> Option<f64> {
        self.mean_loss.map(|loss| (100.0 - loss).max(0.0))
    }

    /// The same as it is told, with how often the judge's choice was played (一致率).
    pub fn sums(&self) -> SideSums {
        let choices = [self.choices, self.judged];
        SideSums { mean_loss: self.mean_loss, choices, accuracy: self.accuracy() }
    }

    fn of<'a>(moves: impl Iterator<Item = &'a AssessedMove>) -> Self {
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
    /// What the main line of a record comes to.
    pub fn summary(&self, record: &Record) -> ReviewSummary {
        self.summary_of(record.main_line())
    }

    /// What a line of moves comes to, each told by the node that it leads to.
    pub fn summary_of(&self, line: impl Iterator<Item = NodeId>) -> ReviewSummary {
        let line: Vec<_> = line.collect();
        let moves: Vec<&AssessedMove> = line.iter().filter_map(|node| self.assessed(*node)).collect();
        let sides = [Color::Black, Color::White]
            .map(|side| SideSummary::of(moves.iter().copied().filter(|mv| mv.side == side)));
        let found = line.iter().enumerate().filter_map(|(place, node)| {
            let assessed = *self.assessed(*node)?;
            let turn = self.turn_kind(&assessed, line.get(place..)?)?;
            Some(TurningPoint { assessed, turn })
        });
        ReviewSummary { sides, turning_points: found.collect() }
    }

    /// What a move decided, which is the first of these; `None` where it decided nothing.
    fn turn_kind(&self, assessed: &AssessedMove, on: &[NodeId]) -> Option<TurnKind> {
        if !reaches(assessed.loss, LEAST) {
            return None;
        }
        let of_side = |rate: f64| if assessed.side == Color::Black { rate } else { 1.0 - rate };
        let [before, _] = self.compared(assessed.node)?;
        let before = of_side(before.rate);
        // A position of which nothing is known says nothing against it.
        let after: Vec<f64> =
            on.iter().take(STAYS).filter_map(|node| self.worth(*node)).map(|worth| of_side(worth.rate)).collect();
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
