//! Changes of the search that are on trial: each can be turned on for a player of a match (`tools/fit`). None
//! is on in the program. A change that gains becomes part of the search, others are removed.

/// A set of changes on trial, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trials(pub u32);

impl Trials {
    /// The names of the changes, by bit.
    pub const NAMES: &[&str] = &["futility of captures in the quiescence search with a smaller margin"];

    /// The futility of captures in the quiescence search with a smaller margin.
    pub(super) const SMALLER_FUTILITY_MARGIN: Self = Self(1);

    /// Returns whether each set bit is a known change.
    pub const fn is_known(self) -> bool {
        self.0 >> Self::NAMES.len() == 0
    }

    pub(super) const fn has(self, change: Self) -> bool {
        self.0 & change.0 != 0
    }
}
