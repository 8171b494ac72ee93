//! What a whole line comes to.

use super::{Assessed, Mark, Review};
use crate::kifu::{NodeId, Record};
use crate::shogi::Color;

/// From which win rate on a side is in the lead.
const LEADS: f64 = 0.6;

/// What a line of a record comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// What Black's and White's moves come to.
    pub sides: [Side; 2],
    /// The moves that decided it, in their order.
    pub turning_points: Vec<TurningPoint>,
}

/// What the moves of a side come to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// How many moves there are of which it is known what they were worth.
    pub moves: usize,
    /// 100 minus their mean loss, and not below 0; `None` where there are none.
    pub accuracy: Option<f64>,
    /// How many have each mark, in the order of [`Mark::ALL`].
    pub marks: [usize; 4],
    /// How many were the engine's choice.
    pub choices: usize,
}

/// A move that decided something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPoint {
    /// The move.
    pub assessed: Assessed,
    /// What it decided.
    pub turn: Turn,
}

/// What a move decided.
///
/// A side is in the lead once its win rate is 60 % or more, and stays so until the other side's is: what goes to
/// and fro about the middle is no turn. When the lead is taken, the turning point is the move that cost most of
/// those by which the other side has lost its ground: since it was last sure of its lead, or since the game
/// began. A move that the engine would have played, too, is none of these. A lead that is there from the start, as in a
/// handicap game, is nobody's doing. Where the game has a move that cost more than all of these, 20 points at least
/// (悪手), it is named as well: it threw away a win that was to be had, or might have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// A side took the lead, from the other or, with `None`, from nobody.
    Lead(Option<Color>, Color),
    /// It cost more than every other move of the game.
    Costliest,
}

impl Review {
    /// What the main line of a record comes to.
    pub fn summary(&self, record: &Record) -> Summary {
        self.summary_of(record.main_line())
    }

    /// What a line of moves comes to, each told by the node that it leads to.
    pub fn summary_of(&self, line: impl Iterator<Item = NodeId>) -> Summary {
        let line: Vec<_> = line.collect();
        let moves: Vec<&Assessed> = line.iter().filter_map(|node| self.assessed(*node)).collect();
        let sides =
            [Color::Black, Color::White].map(|side| Side::of(moves.iter().copied().filter(|mv| mv.side == side)));
        Summary { sides, turning_points: self.turning_points(&moves) }
    }

    fn turning_points(&self, moves: &[&Assessed]) -> Vec<TurningPoint> {
        let mut found: Vec<TurningPoint> = Vec::new();
        let mut leader = None;
        // The moves since the leader was last sure of its lead.
        let mut unsure: Vec<&Assessed> = Vec::new();
        for &assessed in moves {
            let Some([before, after]) = self.compared(assessed.node) else { continue };
            // A lead that was there before is no move's doing: from the start, or taken where nobody looked.
            if let Some(ahead) = ahead(before.rate).filter(|ahead| leader != Some(*ahead)) {
                leader = Some(ahead);
                unsure.clear();
            }
            unsure.push(assessed);
            let Some(ahead) = ahead(after.rate) else { continue };
            if leader != Some(ahead) {
                let lost_by = unsure.iter().filter(|mv| mv.side == ahead.flip() && is_a_fault(mv)).copied();
                let costliest = lost_by.max_by(|one, other| one.loss.total_cmp(&other.loss));
                let turn = Turn::Lead(leader, ahead);
                found.extend(costliest.map(|assessed| TurningPoint { assessed: *assessed, turn }));
                leader = Some(ahead);
            }
            unsure.clear();
        }
        let named = found.iter().map(|point| point.assessed.loss).fold(0.0, f64::max);
        let costliest =
            moves.iter().copied().filter(|mv| is_a_fault(mv)).max_by(|one, other| one.loss.total_cmp(&other.loss));
        let is_worse = |mv: &&Assessed| mv.loss > named && mv.mark >= Some(Mark::Mistake);
        found.extend(costliest.filter(is_worse).map(|mv| TurningPoint { assessed: *mv, turn: Turn::Costliest }));
        found.sort_by_key(|point| point.assessed.ply);
        found
    }
}

/// Whether a move cost anything. Of one that the engine would have played, too, only its opinion has changed since.
fn is_a_fault(mv: &Assessed) -> bool {
    mv.loss > 0.0 && !mv.is_choice
}

/// Who is ahead at a win rate of Black's.
fn ahead(rate: f64) -> Option<Color> {
    if rate >= LEADS {
        Some(Color::Black)
    } else if 1.0 - rate >= LEADS {
        Some(Color::White)
    } else {
        None
    }
}

impl Side {
    fn of<'a>(moves: impl Iterator<Item = &'a Assessed>) -> Self {
        let (mut side, mut lost) = (Self::default(), 0.0);
        let mut count = 0.0;
        for assessed in moves {
            side.moves += 1;
            count += 1.0;
            lost += assessed.loss;
            side.choices += usize::from(assessed.is_choice);
            for (mark, with_it) in Mark::ALL.iter().zip(&mut side.marks) {
                *with_it += usize::from(assessed.mark == Some(*mark));
            }
        }
        side.accuracy = (side.moves > 0).then(|| (100.0 - lost / count).max(0.0));
        side
    }
}
