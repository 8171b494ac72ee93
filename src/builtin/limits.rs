//! The limits and the control of a search, and the time for a move by the clocks of a game.

use shogibar_shogi::{Color, Move};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The limits of a search besides its [`Control`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum depth, in plies.
    pub depth: u8,
    /// The maximum number of nodes.
    pub nodes: u64,
    /// The number of lines to report, at least 1.
    pub lines: usize,
    /// The only moves to consider; empty for no such limit. The limit is ignored where none of the moves is legal.
    pub moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: u8::MAX,
            nodes: u64::MAX,
            lines: 1,
            moves: Vec::new(),
        }
    }
}

/// The control with which a running search is stopped.
#[derive(Debug)]
pub struct Control {
    is_stopped: AtomicBool,
    /// The milliseconds from the start of the search to its end; `u64::MAX` without a deadline.
    deadline: AtomicU64,
}

impl Default for Control {
    fn default() -> Self {
        Self::new(None)
    }
}

impl Control {
    /// Creates a control that ends the search `deadline` milliseconds after its start; `None` for no deadline.
    pub const fn new(deadline: Option<u64>) -> Self {
        let deadline = match deadline {
            Some(ms) => ms,
            None => u64::MAX,
        };
        Self {
            is_stopped: AtomicBool::new(false),
            deadline: AtomicU64::new(deadline),
        }
    }

    /// Ends the search as soon as it has a result.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    /// Returns the flag that [`stop`](Self::stop) sets.
    pub const fn stop_flag(&self) -> &AtomicBool {
        &self.is_stopped
    }

    /// Sets the deadline: the search ends `deadline` milliseconds after its start.
    pub fn set_deadline(&self, deadline: u64) {
        self.deadline.store(deadline, Ordering::Relaxed);
    }

    /// Returns whether [`stop`](Self::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Returns whether the deadline has passed `elapsed` milliseconds after the start of the search.
    pub(super) fn is_past_deadline(&self, elapsed: u64) -> bool {
        elapsed >= self.deadline.load(Ordering::Relaxed)
    }
}

/// The clocks of a game as in `go`, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// The remaining time of Black and White; `None` where `go` does not state it.
    pub remaining_times: [Option<u64>; 2],
    /// The increment of Black and White for each move.
    pub increments: [u64; 2],
    /// 秒読み: the time for each move once the remaining time is used up.
    pub byoyomi: u64,
}

/// The number of further moves that the remaining time of a game is divided by.
pub const MOVES_TO_GO: u32 = 40;

/// The time that is left on the clock for the delay between engine and clock, in milliseconds.
const TIME_MARGIN_MS: u64 = 120;

impl Clocks {
    /// Returns the time for this move of `side`, in milliseconds; `None` where no clock runs.
    pub fn budget(&self, side: Color) -> Option<u64> {
        let [black, white] = self.remaining_times;
        let remaining = if side == Color::Black { black } else { white };
        let [black, white] = self.increments;
        let increment = if side == Color::Black { black } else { white };
        if remaining.is_none() && increment == 0 && self.byoyomi == 0 {
            return None;
        }
        let remaining = remaining.unwrap_or(0);
        let at_most = remaining
            .saturating_add(increment)
            .saturating_add(self.byoyomi)
            .saturating_sub(TIME_MARGIN_MS);
        let share = (remaining / u64::from(MOVES_TO_GO))
            .saturating_add(increment)
            .saturating_add(self.byoyomi);
        Some(share.min(at_most).max(1))
    }
}
