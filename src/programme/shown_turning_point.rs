//! A turning point while an output announces it.

use crate::moment::Moment;

/// A turning point that an output announces.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTurningPoint {
    /// The turning point, as far as viewers may see it.
    pub moment: Moment,
    /// The number of the showing. It differs between the showings of the program.
    pub number: u64,
    /// Whether the position after the move is the one that is shown, with these values.
    pub is_current: bool,
}
