//! The marks of bad moves (緩手, 疑問手, 悪手, 大悪手), and the minimum loss for each mark.

use crate::Label;

/// The severity of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveMark {
    /// 緩手: a loss of 5 points or more.
    Inaccuracy,
    /// 疑問手: a loss of 10 points or more.
    Dubious,
    /// 悪手: a loss of 20 points or more.
    Mistake,
    /// 大悪手: a loss of 50 points or more.
    Blunder,
}

impl MoveMark {
    /// All marks, from the least to the most severe.
    pub const ALL: [Self; 4] = [Self::Inaccuracy, Self::Dubious, Self::Mistake, Self::Blunder];

    /// Returns the label of the mark.
    pub const fn label(self) -> Label {
        match self {
            Self::Inaccuracy => Label::Inaccuracy,
            Self::Dubious => Label::Dubious,
            Self::Mistake => Label::Mistake,
            Self::Blunder => Label::Blunder,
        }
    }

    /// Returns whether lists of mistakes have the moves with this mark: doubtful moves and worse ones.
    pub fn is_listed(self) -> bool {
        self >= Self::Dubious
    }

    /// Returns the minimum loss for this mark, in percentage points of win rate.
    pub const fn min_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Dubious => 10.0,
            Self::Mistake => 20.0,
            Self::Blunder => 50.0,
        }
    }

    /// Returns the mark for a loss in points; `None` below 5 points.
    pub fn from_loss(loss: f64) -> Option<Self> {
        Self::ALL
            .into_iter()
            .rev()
            .find(|mark| reaches(loss, mark.min_loss()))
    }
}

/// Returns whether a difference of win rates reaches a minimum, both in points. A rounding error in the last bits does
/// not count.
pub(in crate::analysis) fn reaches(points: f64, min_points: f64) -> bool {
    const ROUNDING_ERROR: f64 = 1e-9;
    points + ROUNDING_ERROR >= min_points
}
