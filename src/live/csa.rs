//! An observer of a game on a CSA server.
//!
//! After `%%MONITOR2ON` the server sends the game's log up to now, with the players' evaluations. Then it sends each
//! move without evaluations. So a move is also a signal to fetch the game's file, if its web address is known.

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

/// The intervals and timeouts of a connection to a CSA server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CsaPacing {
    /// The pauses before a new connection.
    pub retry: RetryPauses,
    /// The time after the last command at which a keep-alive is sent. The protocol demands 30 s or more.
    pub keep_alive_interval: Duration,
    /// The time without any line after which the connection counts as lost.
    pub silence_timeout: Duration,
    /// The longest wait for an answer.
    pub answer_timeout: Duration,
    /// The interval between two requests for the list of games.
    pub list_interval: Duration,
    /// The time without a line after which a move is reported that the server has not closed with `+OK`. The first log
    /// gets ten times as long.
    pub quiet_time: Duration,
    /// The longest wait for the game's file after the end of the game.
    pub last_file_timeout: Duration,
}

impl Default for CsaPacing {
    fn default() -> Self {
        Self {
            retry: RetryPauses::default(),
            keep_alive_interval: Duration::from_secs(40),
            silence_timeout: Duration::from_secs(100),
            answer_timeout: Duration::from_secs(20),
            list_interval: Duration::from_mins(1),
            quiet_time: Duration::from_millis(50),
            last_file_timeout: Duration::from_secs(30),
        }
    }
}
