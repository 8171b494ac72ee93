//! The delay of outputs behind a game.

use std::fmt;
use std::str::FromStr;

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
            None => text
                .strip_suffix('m')
                .map_or((text, None), |number| (number, Some(60))),
        };
        if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(ParseDelayError);
        }
        let number: u32 = number.parse().map_err(|_too_large| ParseDelayError)?;
        let delay = match unit {
            _ if number == 0 => Some(Self::None),
            None => u16::try_from(number)
                .ok()
                .filter(|moves| *moves <= MAX_DELAY_MOVES)
                .map(Self::Moves),
            Some(unit) => number
                .checked_mul(unit)
                .filter(|seconds| *seconds <= MAX_DELAY_SECONDS)
                .map(Self::Seconds),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read_and_written() {
        for (text, delay) in [
            ("0", Delay::None),
            ("5", Delay::Moves(5)),
            ("30s", Delay::Seconds(30)),
            ("15m", Delay::Seconds(900)),
            ("end", Delay::End),
        ] {
            assert_eq!(text.parse(), Ok(delay));
            assert_eq!(delay.to_string(), text);
        }
        assert_eq!("0s".parse(), Ok(Delay::None));
        for text in [
            "",
            "s",
            "-1",
            "501",
            "1.5",
            "5 ",
            "86401s",
            "99999999999999999999",
            "END",
            "5手",
            "1h",
        ] {
            assert_eq!(text.parse::<Delay>(), Err(ParseDelayError), "{text}");
        }
    }
}
