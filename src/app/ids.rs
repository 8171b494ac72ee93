//! The identities of games, bars and relays.

/// The identity of a game, never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(pub(super) u64);

/// The identity of a bar, never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BarId(pub(super) u64);

/// The identity of a connected relay, never reused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelayId(pub(super) u64);
