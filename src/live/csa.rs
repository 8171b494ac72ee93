//! An observer of a game on a CSA server.
//!
//! The server's `%%MONITOR2ON` sends the game's log up to now, with the players' evaluations, then each move without
//! them. So a move is also a signal to fetch the game's file, if its web address is known.

pub mod core;
pub mod line;
mod merge;
pub(crate) mod shell;
#[cfg(test)]
mod tests;

use crate::retry::RetryPauses;
use std::time::Duration;

/// The longest line of a server, in bytes.
pub const MAX_LINE_BYTES: usize = 16 << 10;

/// The largest log of a game, in bytes.
pub const MAX_LOG_BYTES: usize = 4 << 20;

/// The times of a connection to a CSA server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsaPacing {
    /// The pauses before a new connection.
    pub retry: RetryPauses,
    /// The time after the last command at which a keep-alive is sent. The protocol demands at least 30 s.
    pub keep_alive: Duration,
    /// The time without any line after which the connection counts as lost.
    pub silence: Duration,
    /// The longest wait for an answer.
    pub answer: Duration,
    /// The interval at which the list of games is fetched.
    pub list_every: Duration,
    /// The time without a line after which a move that was not closed by the server is reported.
    pub quiet: Duration,
    /// The longest wait for the game's file after the end.
    pub last_file: Duration,
}

impl Default for CsaPacing {
    fn default() -> Self {
        Self {
            retry: RetryPauses::default(),
            keep_alive: Duration::from_secs(40),
            silence: Duration::from_secs(100),
            answer: Duration::from_secs(20),
            list_every: Duration::from_mins(1),
            quiet: Duration::from_millis(50),
            last_file: Duration::from_secs(30),
        }
    }
}
