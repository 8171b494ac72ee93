//! When a search ends.

use crate::shogi::{Color, Move};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What bounds a search besides its [`Control`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The last depth, in plies.
    pub depth: u8,
    /// The last node.
    pub nodes: u64,
    /// How many lines to report, at least 1.
    pub lines: usize,
    /// The only moves to consider; all where empty.
    pub moves: Vec<Move>,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: u8::MAX, nodes: u64::MAX, lines: 1, moves: Vec::new() }
    }
}

/// How a running search is told to end.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    deadline: AtomicU64,
}

impl Control {
    /// A search that ends `deadline` milliseconds after its start, or only when told to.
    pub const fn new(deadline: Option<u64>) -> Self {
        let deadline = match deadline {
            Some(ms) => ms,
            None => u64::MAX,
        };
        Self { stop: AtomicBool::new(false), deadline: AtomicU64::new(deadline) }
    }

    /// Ends the search as soon as it has something to say.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ends the search `deadline` milliseconds after its start.
    pub fn stop_at(&self, deadline: u64) {
        self.deadline.store(deadline, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn is_over(&self, elapsed: u64) -> bool {
        elapsed >= self.deadline.load(Ordering::Relaxed)
    }
}

/// The clocks of a game as `go` gives them, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// What Black and White have left.
    pub left: [Option<u64>; 2],
    /// What Black and White get with each move.
    pub increment: [u64; 2],
    /// 秒読み: what each move may take once nothing is left.
    pub byoyomi: u64,
}

/// For how many more moves the time left must do.
const MOVES_TO_COME: u64 = 40;

/// What the way from here to the opponent's clock may cost.
const MARGIN: u64 = 120;

impl Clocks {
    /// How long `side` may think about this move; `None` where no clock runs.
    pub fn budget(&self, side: Color) -> Option<u64> {
        let [black, white] = self.left;
        let left = if side == Color::Black { black } else { white };
        let [black, white] = self.increment;
        let increment = if side == Color::Black { black } else { white };
        if left.is_none() && increment == 0 && self.byoyomi == 0 {
            return None;
        }
        let left = left.unwrap_or(0);
        let at_most = left.saturating_add(increment).saturating_add(self.byoyomi).saturating_sub(MARGIN);
        let fair = (left / MOVES_TO_COME).saturating_add(increment).saturating_add(self.byoyomi);
        Some(fair.min(at_most).max(1))
    }
}
