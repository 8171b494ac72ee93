//! The age of a displayed value. A value is stale, and drawn in grey, unless its age is [`Freshness::Now`].

use shogibar_shogi::History;

/// The age of a value, seen from the current position; the newest comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Freshness {
    /// The value is of the current position.
    Now,
    /// The value is of the current position, but the process that computed it has ended.
    Outdated,
    /// The value is of another position, this number of moves away in the game.
    Elsewhere(usize),
}

impl Freshness {
    /// Returns the age of a value of the position `searched`, seen from the position `now`.
    pub(super) fn new(searched: &History, is_from_old_process: bool, now: &History) -> Self {
        match (*searched == *now, is_from_old_process) {
            (true, false) => Self::Now,
            (true, true) => Self::Outdated,
            (false, _) => Self::Elsewhere(searched.moves().len().abs_diff(now.moves().len())),
        }
    }

    /// Returns whether the value is of another position.
    pub(super) const fn is_elsewhere(self) -> bool {
        matches!(self, Self::Elsewhere(_))
    }
}
