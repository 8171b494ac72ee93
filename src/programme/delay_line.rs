//! The positions that a delay holds back.

use crate::delay::Delay;
use crate::frame::{OutputFrame, continues};
use std::time::Duration;

/// The longest wait for a move after the end of the game.
const MAX_WAIT_AFTER_END: Duration = Duration::from_secs(10);

/// The time between two moves while an output catches up with a shorter delay.
const CATCH_UP_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of positions that are held back. Of more, the oldest are left out.
const MAX_FRAMES: usize = 1024;

/// A position of the game that was recorded while it was the newest.
#[derive(Clone, Debug)]
struct TimedFrame {
    frame: OutputFrame,
    /// The time at which the position was reached.
    arrival: Duration,
}

/// The positions that outputs have not shown yet, and the one that they show.
#[derive(Clone, Debug, Default)]
pub struct DelayLine {
    /// The shown position first, then the later ones in order. Empty before the first frame.
    frames: Vec<TimedFrame>,
    /// The time since which the first frame is shown.
    shown_since: Duration,
    /// Whether the game is over.
    is_over: bool,
}

impl DelayLine {
    /// Creates a line for outputs that show the present position of a game already. They stay there until the delay is
    /// reached.
    pub fn standing(frame: OutputFrame, now: Duration) -> Self {
        let is_over = frame.is_over;
        Self {
            frames: vec![TimedFrame { frame, arrival: now }],
            shown_since: now,
            is_over,
        }
    }

    /// Records the present state of the game, at its newest position.
    pub fn record(&mut self, frame: OutputFrame, delay: Delay, now: Duration) {
        self.is_over = frame.is_over;
        // Before the record is read, nothing is known of the game.
        let is_new = |shown: &TimedFrame| {
            let (known, new) = (&shown.frame.bar, &frame.bar);
            known.history.moves().is_empty()
                && (known.players != new.players || known.history.start() != new.history.start())
        };
        if self.frames.first().is_some_and(is_new) {
            self.frames.clear();
        }
        if self.frames.is_empty() {
            // The positions before the first frame have no times, so only their number counts.
            let shown = match delay {
                Delay::None => frame.ply(),
                Delay::Moves(moves) => frame.ply().saturating_sub(moves.into()),
                Delay::Seconds(_) | Delay::End => 0,
            };
            self.frames.push(TimedFrame {
                frame: frame.earlier(shown),
                arrival: now,
            });
            self.shown_since = now;
        }
        let is_before = |known: &TimedFrame| continues(&frame.bar.history, &known.frame.bar.history);
        // Moves that were taken back are never shown. The shown position stays.
        let mut index = 0;
        self.frames.retain(|known| {
            index += 1;
            index == 1 || is_before(known)
        });
        match self.frames.last_mut() {
            Some(last) if last.frame.bar.history == frame.bar.history => last.frame = frame,
            _ => self.frames.push(TimedFrame { frame, arrival: now }),
        }
        if self.frames.len() > MAX_FRAMES {
            self.frames.remove(1);
        }
    }

    /// Moves on to the latest position that the delay allows, by one position at a time.
    pub fn advance(&mut self, delay: Delay, now: Duration) {
        let shown_for = now.saturating_sub(self.shown_since);
        let Some(next) = self.frames.get(1) else { return };
        let is_later = self
            .frames
            .first()
            .is_some_and(|shown| next.frame.ply() > shown.frame.ply());
        let is_in_time = self.is_allowed(next, delay, now) && (shown_for >= CATCH_UP_INTERVAL || !is_later);
        if is_in_time || self.is_over && self.is_reached_after_end(delay, shown_for) {
            self.frames.remove(0);
            self.shown_since = now;
        }
    }

    fn is_allowed(&self, timed: &TimedFrame, delay: Delay, now: Duration) -> bool {
        let newest = self.frames.last().map_or(0, |newest| newest.frame.ply());
        match delay {
            Delay::None => true,
            Delay::Moves(moves) => timed.frame.ply() + usize::from(moves) <= newest,
            Delay::Seconds(seconds) => {
                now.saturating_sub(timed.arrival) >= Duration::from_secs(seconds.into())
            }
            Delay::End => false,
        }
    }

    /// Returns whether the next position follows after the end of the game: as it was played, but at most 10 s later.
    fn is_reached_after_end(&self, delay: Delay, shown_for: Duration) -> bool {
        let [shown, next, ..] = self.frames.as_slice() else {
            return false;
        };
        let played = next.arrival.saturating_sub(shown.arrival);
        match delay {
            // Each position follows by its own time, which is that of the game.
            Delay::Seconds(_) => shown_for >= MAX_WAIT_AFTER_END,
            _ => shown_for >= played.min(MAX_WAIT_AFTER_END).max(CATCH_UP_INTERVAL),
        }
    }

    /// Returns the state of the game that outputs show; `None` before the first.
    pub fn shown(&self) -> Option<&OutputFrame> {
        self.frames.first().map(|timed| &timed.frame)
    }

    /// Returns whether outputs show the newest position.
    pub fn is_caught_up(&self) -> bool {
        self.frames.len() < 2
    }

    /// Returns the number of moves by which the shown position is behind the newest.
    pub fn moves_behind(&self) -> usize {
        let ply = |timed: Option<&TimedFrame>| timed.map_or(0, |timed| timed.frame.ply());
        ply(self.frames.last()).saturating_sub(ply(self.frames.first()))
    }
}

#[cfg(test)]
mod tests;
