//! The search limit of a position, and the signature of an analysis, which has the limit.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// A search limit, written as the arguments of `go`: `infinite`, `movetime 60000`, `nodes 1000000`, `depth 20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit: until the search is stopped.
    Infinite,
    /// A time, which is written in whole milliseconds.
    Time(Duration),
    /// A number of nodes.
    Nodes(u64),
    /// A depth in plies.
    Depth(u32),
}

/// The error of a text that is not a search limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a limit is infinite, movetime MS, nodes N or depth N")]
pub struct ParseLimitError;

impl FromStr for Limit {
    type Err = ParseLimitError;

    fn from_str(text: &str) -> Result<Self, ParseLimitError> {
        let mut words = text.split_whitespace();
        let (kind, number, end) = (words.next(), words.next(), words.next());
        let number = number
            .map(|n| n.parse::<u64>().ok().filter(|n| *n > 0).ok_or(ParseLimitError))
            .transpose()?;
        match (kind, number, end) {
            (Some("infinite"), None, None) => Ok(Self::Infinite),
            (Some("movetime"), Some(ms), None) => Ok(Self::Time(Duration::from_millis(ms))),
            (Some("nodes"), Some(nodes), None) => Ok(Self::Nodes(nodes)),
            (Some("depth"), Some(depth), None) => u32::try_from(depth)
                .map(Self::Depth)
                .map_err(|_too_deep| ParseLimitError),
            _ => Err(ParseLimitError),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Infinite => f.write_str("infinite"),
            Self::Time(time) => write!(f, "movetime {}", time.as_millis()),
            Self::Nodes(nodes) => write!(f, "nodes {nodes}"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Splits a signature, which an analysis writes, into the name of the engine, the limit and the number of lines.
/// Examples are `YaneuraOu NNUE 9.00 [nodes 1000000]` and `Lion [depth 12, multipv 3]`. Returns `None` for all other
/// names.
pub fn split_signature(name: &str) -> Option<(&str, Limit, u32)> {
    let (engine, limit) = name.strip_suffix(']')?.rsplit_once(" [")?;
    match limit.split_once(", multipv ") {
        Some((limit, lines)) => Some((engine, limit.parse().ok()?, lines.parse().ok()?)),
        None => Some((engine, limit.parse().ok()?, 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_round_trip_and_invalid_ones_are_refused() {
        for text in [
            "infinite",
            "movetime 60000",
            "nodes 18446744073709551615",
            "depth 20",
        ] {
            assert_eq!(text.parse::<Limit>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "60000",
            "movetime",
            "movetime -1",
            "movetime 0",
            "depth 4294967296",
            "infinite 3",
            "nodes 1 2",
        ] {
            assert_eq!(text.parse::<Limit>(), Err(ParseLimitError), "{text}");
        }
    }
}
