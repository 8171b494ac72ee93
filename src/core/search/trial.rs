//! Changes of the search that are on trial: each can be switched on in a player of a match (`src/core/training`). None is on in the
//! program. What gains becomes part of the search, the rest is removed.

/// A set of changes on trial, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trials(pub u32);

impl Trials {
    /// The names of the changes, by bit.
    pub const NAMES: &[&str] = &[
        "drops near the own king are reduced less",
        "late move pruning a quarter earlier",
        "best moves in open windows are learned, too",
        "the table's quiet move is learned where it cuts off",
        "positions of principal variations are reduced less",
        "where the null move is refuted by a mate, reductions are smaller",
        "a node after a large reduction is searched deeper or less deep by both static values",
        "futility of quiet moves with smaller margins",
        "futility of captures in the quiescence search with a smaller margin",
        "razoring with smaller margins",
        "moves of the root are ordered by the nodes below them",
        "late moves of the root are reduced as others are",
    ];

    pub(super) const DROP_NEAR_OWN: Self = Self(1);
    pub(super) const EARLIER_PRUNING: Self = Self(1 << 1);
    pub(super) const LEARN_OPEN: Self = Self(1 << 2);
    pub(super) const LEARN_TABLE: Self = Self(1 << 3);
    pub(super) const WAS_OPEN: Self = Self(1 << 4);
    pub(super) const MATE_THREAT: Self = Self(1 << 5);
    pub(super) const HINDSIGHT: Self = Self(1 << 6);
    pub(super) const QUIET_FUTILITY: Self = Self(1 << 7);
    pub(super) const LAST_FUTILITY: Self = Self(1 << 8);
    pub(super) const RAZORING: Self = Self(1 << 9);
    pub(super) const ROOT_NODES: Self = Self(1 << 10);
    pub(super) const ROOT_REDUCTION: Self = Self(1 << 11);

    /// Returns whether each of its bits is a change.
    pub const fn is_known(self) -> bool {
        self.0 >> Self::NAMES.len() == 0
    }

    /// Returns whether a change is on.
    pub(super) const fn has(self, change: Self) -> bool {
        self.0 & change.0 != 0
    }
}
