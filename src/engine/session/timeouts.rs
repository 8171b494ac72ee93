//! The longest waits for an engine. A timeout stops the search or kills the process. A silence only changes the state
//! that is shown.
//!
//! The timeouts for `usiok` and `stop` are fields of [`SessionConfig`](super::SessionConfig); here are their defaults.

use std::time::Duration;

/// The default of the longest wait for `usiok`, counted from the engine's last line. A probe has other limits, which
/// are in `machine/discovery.rs`.
pub(super) const USI_OK_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time for the whole handshake, as a multiple of the timeout for `usiok`.
pub(super) const MAX_HANDSHAKE_FACTOR: u32 = 6;
/// The time without output after which a loading engine is shown as silent. Loading can take minutes, so a loading
/// engine is never killed.
pub(super) const PREPARING_SILENCE: Duration = Duration::from_mins(1);

/// The longest silence after `isready` between two searches.
pub(super) const SYNC_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest silence after `isready` at the start of a new game: the engine may clear a table of gigabytes.
pub(super) const NEW_GAME_TIMEOUT: Duration = Duration::from_mins(1);

/// The longest initial silence of a search, if the engine ended the previous one by itself. After announcing a mate,
/// gpsusi hangs for good in such a search. So the engine gets `stop`, and is restarted if it does not answer.
pub const FIRST_OUTPUT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest silence of a search without a time limit. Some engines print their only line after `stop`.
pub(super) const SILENT_SEARCH_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest time of a mate search.
pub(super) const MATE_TIMEOUT: Duration = Duration::from_mins(1);
/// The longest time of a mate search by an engine that searches for the best move instead.
pub(super) const PLAIN_MATE_TIMEOUT: Duration = Duration::from_secs(10);

/// The default of the longest time that a search may continue after `stop`.
pub(super) const STOP_TIMEOUT: Duration = Duration::from_secs(5);
/// The time after which an engine that has not answered `stop`, or `isready` between two searches, is
/// shown as silent. Real engines answer in a fifth of a second.
pub(super) const ANSWER_SILENCE: Duration = Duration::from_secs(2);
/// The time after `bestmove` in which values still belong to the finished search. An engine that prints values later is
/// still searching. Without output before `bestmove`, any later value means this.
pub(super) const LATE_OUTPUT_TIME: Duration = Duration::from_millis(500);

/// The longest wait for a process to end after `quit`. Some engines do not end in the middle of a search.
pub(super) const QUIT_TIMEOUT: Duration = Duration::from_millis(500);

/// The minimum timeout for `usiok` and `stop` of a remote engine: the network may stall for up to a minute.
pub(super) const REMOTE_TIMEOUT: Duration = Duration::from_mins(1);
