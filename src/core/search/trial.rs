//! Changes of the search that are on trial: each can be switched on in a player of a match (`src/core/training`). None is on in the
//! program. What gains becomes part of the search, the rest is removed.

/// A set of changes on trial, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trials(pub u32);

impl Trials {
    /// The names of the changes, by bit.
    pub const NAMES: &[&str] = &[
        "drops near the opponent's king are reduced less",
        "drops near the own king are reduced less",
        "corrections by the pieces in hand",
        "a move that leaves the opponent without a good answer gets a bonus",
        "full searches after reduced ones by how good these were",
        "ProbCut",
        "quiet moves are reduced more where the table's move captures",
        "three moves in the quiescence search after its first ply",
        "futility of captures",
        "drops that attack larger pieces are reduced less",
        "corrected values in the quiescence search",
        "late moves are reduced by a fifth more",
        "late move pruning a quarter earlier",
        "reverse futility with a margin of 80",
        "null move reduced by one ply more",
        "singular extensions from depth 6, with half the margin",
        "history counts a third more in reductions",
        "aspiration windows of 25",
        "quiet checks are ordered earlier",
        "quiet moves are reduced by a fifth less",
    ];

    pub(super) const DROP_NEAR_ENEMY: Self = Self(1);
    pub(super) const DROP_NEAR_OWN: Self = Self(1 << 1);
    pub(super) const HAND_CORRECTION: Self = Self(1 << 2);
    pub(super) const FAIL_LOW_BONUS: Self = Self(1 << 3);
    pub(super) const DEEPER: Self = Self(1 << 4);
    pub(super) const PROB_CUT: Self = Self(1 << 5);
    pub(super) const TABLE_CAPTURE: Self = Self(1 << 6);
    pub(super) const FEW_TACTICAL: Self = Self(1 << 7);
    pub(super) const CAPTURE_FUTILITY: Self = Self(1 << 8);
    pub(super) const ATTACKING_DROP: Self = Self(1 << 9);
    pub(super) const CORRECTED_QUIESCENCE: Self = Self(1 << 10);
    pub(super) const MORE_REDUCTION: Self = Self(1 << 11);
    pub(super) const EARLIER_PRUNING: Self = Self(1 << 12);
    pub(super) const SMALL_MARGIN: Self = Self(1 << 13);
    pub(super) const NULL_REDUCTION: Self = Self(1 << 14);
    pub(super) const SINGULAR: Self = Self(1 << 15);
    pub(super) const HISTORY_REDUCTION: Self = Self(1 << 16);
    pub(super) const ASPIRATION: Self = Self(1 << 17);
    pub(super) const CHECKS_FIRST: Self = Self(1 << 18);
    pub(super) const LESS_REDUCTION: Self = Self(1 << 19);

    /// Returns whether a change is on.
    pub(super) const fn has(self, change: Self) -> bool {
        self.0 & change.0 != 0
    }
}
