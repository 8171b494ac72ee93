//! The delay of outputs behind a game.

use crate::frame::OutputFrame;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest wait for a move after the end of the game.
const MAX_WAIT_AFTER_END: Duration = Duration::from_secs(10);

/// The time between two moves while an output catches up with a shorter delay.
const CATCH_UP_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum number of positions that are held back. Of more, the oldest are left out.
const MAX_FRAMES: usize = 1024;

/// The longest delay in moves.
pub const MAX_DELAY_MOVES: u16 = 500;

/// The longest delay in seconds: a day.
pub const MAX_DELAY_SECONDS: u32 = 24 * 60 * 60;

/// A delay of outputs behind a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    /// No delay.
    #[default]
    None,
    /// This number of moves, from 1 to [`MAX_DELAY_MOVES`].
    Moves(u16),
    /// This number of seconds, from 1 to [`MAX_DELAY_SECONDS`].
    Seconds(u32),
    /// Until the game is over.
    End,
}

/// A text is no delay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseDelayError;

impl fmt::Display for ParseDelayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of moves (5), of seconds (30s), of minutes (15m), or end")
    }
}

impl std::error::Error for ParseDelayError {}

impl FromStr for Delay {
    type Err = ParseDelayError;

    /// Reads a number of moves (`5`), of seconds (`30s`), of minutes (`15m`), or `end`.
    fn from_str(text: &str) -> Result<Self, ParseDelayError> {
        if text == "end" {
            return Ok(Self::End);
        }
        let (number, unit) = match text.strip_suffix('s') {
            Some(number) => (number, Some(1)),
            None => text.strip_suffix('m').map_or((text, None), |number| (number, Some(60))),
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ParseDelayError);
        }
        let number: u32 = number.parse().map_err(|_too_large| ParseDelayError)?;
        let delay = match unit {
            _ if number == 0 => Some(Self::None),
            None => u16::try_from(number).ok().filter(|moves| *moves <= MAX_DELAY_MOVES).map(Self::Moves),
            Some(unit) => number.checked_mul(unit).filter(|seconds| *seconds <= MAX_DELAY_SECONDS).map(Self::Seconds),
        };
        delay.ok_or(ParseDelayError)
    }
}

impl fmt::Display for Delay {
    /// Writes the delay as [`from_str`](Self::from_str) reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("0"),
            Self::Moves(moves) => write!(f, "{moves}"),
            Self::Seconds(seconds) if seconds.is_multiple_of(60) => write!(f, "{}m", seconds / 60),
            Self::Seconds(seconds) => write!(f, "{seconds}s"),
            Self::End => f.write_str("end"),
        }
    }
}

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
        Self { frames: vec![TimedFrame { frame, arrival: now }], shown_since: now, is_over }
    }

    /// Records the present state of the game, at its newest position.
    pub fn record(&mut self, frame: OutputFrame, delay: Delay, now: Duration) {
        self.is_over = frame.is_over;
        if self.frames.is_empty() {
            // The positions before the first frame have no times, so only their number counts.
            let shown = match delay {
                Delay::None => frame.ply(),
                Delay::Moves(moves) => frame.ply().saturating_sub(moves.into()),
                Delay::Seconds(_) | Delay::End => 0,
            };
            self.frames.push(TimedFrame { frame: frame.earlier(shown), arrival: now });
            self.shown_since = now;
        }
        let is_before = |known: &TimedFrame| {
            let (known, new) = (&known.frame.bar.history, &frame.bar.history);
            known.start() == new.start() && new.moves().starts_with(known.moves())
        };
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
        let is_later = self.frames.first().is_some_and(|shown| next.frame.ply() > shown.frame.ply());
        let is_in_time = self.is_allowed(next, delay, now) && (shown_for >= CATCH_UP_INTERVAL || !is_later);
        if is_in_time || self.is_over && self.is_reached_after_end(delay, shown_for) {
            self.frames.remove(0);
            self.shown_since = now;
        }
    }

    /// Returns whether the delay allows a position.
    fn is_allowed(&self, timed: &TimedFrame, delay: Delay, now: Duration) -> bool {
        let newest = self.frames.last().map_or(0, |newest| newest.frame.ply());
        match delay {
            Delay::None => true,
            Delay::Moves(moves) => timed.frame.ply() + usize::from(moves) <= newest,
            Delay::Seconds(seconds) => now.saturating_sub(timed.arrival) >= Duration::from_secs(seconds.into()),
            Delay::End => false,
        }
    }

    /// Returns whether the next position follows after the end of the game: as it was played, but at most 10 s later.
    fn is_reached_after_end(&self, delay: Delay, shown_for: Duration) -> bool {
        let [shown, next, ..] = self.frames.as_slice() else { return false };
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
