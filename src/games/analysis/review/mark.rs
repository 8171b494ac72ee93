//! The marks of bad moves (緩手, 疑問手, 悪手, 大悪手), and how many points of loss make each.

use crate::text::Label;

/// The severity of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveMark {
    /// 緩手: a loss of 5 points or more.
    Inaccuracy,
    /// 疑問手: 10 points or more.
    Dubious,
    /// 悪手: 20 points or more.
    Mistake,
    /// 大悪手: 50 points or more.
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

    /// Returns whether a list of mistakes has moves with this mark: a doubtful move or a worse one.
    pub fn is_listed(self) -> bool {
        self >= Self::Dubious
    }

    /// Returns the smallest loss for this mark, in points.
    pub const fn min_loss(self) -> f64 {
        match self {
            Self::Inaccuracy => 5.0,
            Self::Dubious => 10.0,
            Self::Mistake => 20.0,
            Self::Blunder => 50.0,
        }
    }

    /// Returns the mark for a loss in points; `None` below the smallest bound.
    pub fn from_loss(loss: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| reaches(loss, mark.min_loss()))
    }
}

/// Returns whether a difference of win rates, in points, reaches a bound. Allows for rounding: equal differences may
/// differ in the last bit.
pub(in crate::analysis) fn reaches(points: f64, min_points: f64) -> bool {
    const LAST_BIT: f64 = 1e-9;
    points + LAST_BIT >= min_points
}
