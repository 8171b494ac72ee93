//! The USI commands `go` and `setoption` of this engine, its name and its output.

use super::limits::{Clocks, Limits};
use super::mate::MateResult;
use super::think::{SearchOutcome, SearchReport};
use shogibar_shogi::score::UsiScore;
use shogibar_shogi::{Color, MAX_LEGAL_MOVES, Move};
use std::fmt;
use std::str::SplitAsciiWhitespace;

/// The arguments of the USI command `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits other than time.
    pub limits: Limits,
    /// The clocks of the game.
    pub clocks: Clocks,
    /// The time to use, in milliseconds; `None` without a `movetime` or a time for `mate`.
    pub movetime: Option<u64>,
    /// Whether the answer has to wait for `stop`.
    pub infinite: bool,
    /// Whether the answer has to wait for `ponderhit` or `stop`.
    pub ponder: bool,
    /// Whether to search for a mate instead of a move; `movetime` is then its time limit.
    pub mate: bool,
}

impl Go {
    /// Parses the text after `go`. An unreadable number counts as missing.
    pub fn parse(text: &str) -> Self {
        let mut go = Self::default();
        let mut words = text.split_ascii_whitespace();
        while let Some(word) = words.next() {
            match word {
                "infinite" => go.infinite = true,
                "ponder" => go.ponder = true,
                "movetime" => go.movetime = parse_number(&mut words),
                "depth" => {
                    go.limits.depth = parse_number(&mut words)
                        .map_or(u8::MAX, |depth| u8::try_from(depth).unwrap_or(u8::MAX));
                }
                "nodes" => go.limits.nodes = parse_number(&mut words).unwrap_or(u64::MAX),
                "mate" => (go.mate, go.movetime) = (true, parse_number(&mut words)),
                "btime" => go.clocks.remaining_times[0] = parse_number(&mut words),
                "wtime" => go.clocks.remaining_times[1] = parse_number(&mut words),
                "binc" => go.clocks.increments[0] = parse_number(&mut words).unwrap_or(0),
                "winc" => go.clocks.increments[1] = parse_number(&mut words).unwrap_or(0),
                "byoyomi" => go.clocks.byoyomi = parse_number(&mut words).unwrap_or(0),
                "searchmoves" => go.limits.moves = parse_moves(&mut words),
                _ => {}
            }
        }
        go
    }

    /// Returns the time limit of the search from its start, or from `ponderhit`, in milliseconds. Returns `None` where
    /// only `stop`, `ponderhit` or a limit of another kind ends the search.
    pub fn deadline(&self, side: Color) -> Option<u64> {
        if self.ponder {
            return None;
        }
        match self.movetime {
            deadline @ Some(_) => deadline,
            None if self.mate || self.infinite => None,
            None => self.clocks.budget(side),
        }
    }

    /// Returns whether the answer has to wait for the host even after the search.
    pub const fn has_to_wait(&self) -> bool {
        self.infinite || self.ponder
    }
}

/// Parses the next word as a number of milliseconds, nodes or plies. A negative number counts as zero, since hosts
/// send such clocks. Returns `None` for any other word, which is not consumed unless it is `infinite`.
fn parse_number(words: &mut SplitAsciiWhitespace<'_>) -> Option<u64> {
    let word = words.clone().next()?;
    let number = word
        .parse()
        .ok()
        .or_else(|| word.parse::<i64>().ok().map(|_below_zero| 0));
    if number.is_some() || word == "infinite" {
        words.next();
    }
    number
}

fn parse_moves(words: &mut SplitAsciiWhitespace<'_>) -> Vec<Move> {
    let mut moves = Vec::new();
    while let Some(mv) = words.clone().next().and_then(Move::from_usi) {
        moves.push(mv);
        words.next();
    }
    moves
}

/// The USI options of the built-in engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The size of the transposition table, in MB.
    pub hash: usize,
    /// The number of lines to report.
    pub lines: usize,
    /// The number of threads.
    pub threads: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hash: 32,
            lines: 1,
            threads: 1,
        }
    }
}

/// The maximum size of the transposition table, in MB.
const MAX_HASH_MB: usize = 4096;

/// The maximum number of lines; no position has more moves.
const MAX_LINES: usize = MAX_LEGAL_MOVES as usize;

/// The maximum number of threads.
const MAX_THREADS: usize = 256;

/// The text before the version in the `id name` of the built-in engine.
const BEFORE_VERSION: &str = "Shogibar ";
/// The text between the version and the label.
const BEFORE_LABEL: &str = " (built-in, ";
/// The label: the estimated rating on floodgate (`docs/engine.md`). Earlier versions have other labels.
const RATING_LABEL: &str = "R2400";

/// Returns the text after the `id name` of the built-in engine of any version, such as a search limit. Returns `None`
/// for all other names.
pub fn after_builtin_name(name: &str) -> Option<&str> {
    builtin_version(name).map(|(_, rest)| rest)
}

/// Returns the version in the `id name` of the built-in engine, and the text after the name. Returns `None` for all
/// other names.
pub fn builtin_version(name: &str) -> Option<(&str, &str)> {
    let (version, label) = name.strip_prefix(BEFORE_VERSION)?.split_once(BEFORE_LABEL)?;
    label.split_once(')').map(|(_, rest)| (version, rest))
}

impl Options {
    /// Returns the answer to `usi`: name, version and options.
    pub fn greeting(version: &str) -> String {
        let Self { hash, lines, threads } = Self::default();
        format!(
            "id name {BEFORE_VERSION}{version}{BEFORE_LABEL}{RATING_LABEL})\nid author the Shogibar developers\n\
             option name USI_Hash type spin default {hash} min 1 max {MAX_HASH_MB}\n\
             option name USI_Ponder type check default false\n\
             option name Threads type spin default {threads} min 1 max {MAX_THREADS}\n\
             option name MultiPV type spin default {lines} min 1 max {MAX_LINES}\nusiok"
        )
    }

    /// Applies the text after `setoption`. An unknown name or an invalid value changes nothing.
    pub fn set(&mut self, text: &str) {
        let Some((name, value)) = text
            .strip_prefix("name ")
            .and_then(|text| text.split_once(" value "))
        else {
            return;
        };
        let (name, value) = (name.trim(), value.trim());
        let Ok(value) = value.parse::<usize>() else { return };
        if name.eq_ignore_ascii_case("USI_Hash") {
            self.hash = value.clamp(1, MAX_HASH_MB);
        } else if name.eq_ignore_ascii_case("MultiPV") {
            self.lines = value.clamp(1, MAX_LINES);
        } else if name.eq_ignore_ascii_case("Threads") {
            self.threads = value.clamp(1, MAX_THREADS);
        }
    }
}

impl fmt::Display for SearchReport {
    /// Writes the `info` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            depth,
            seldepth: deepest,
            rank,
            score,
            nodes,
            elapsed,
            table_used,
            line,
        } = self;
        write!(f, "info depth {depth} seldepth {deepest} multipv {rank} score ")?;
        match score {
            UsiScore::Cp(cp) => write!(f, "cp {cp}")?,
            UsiScore::Mate { wins, plies: None } => write!(f, "mate {}", if *wins { '+' } else { '-' })?,
            UsiScore::Mate {
                wins,
                plies: Some(plies),
            } => write!(f, "mate {}{plies}", if *wins { "" } else { "-" })?,
        }
        let nps = nodes.saturating_mul(1000) / (*elapsed).max(1);
        write!(f, " nodes {nodes} nps {nps} hashfull {table_used} time {elapsed}")?;
        if !line.is_empty() {
            write!(f, " pv")?;
            line.iter().try_for_each(|mv| write!(f, " {mv}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for SearchOutcome {
    /// Writes the `bestmove` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Play(mv, None) => write!(f, "bestmove {mv}"),
            Self::Play(mv, Some(reply)) => write!(f, "bestmove {mv} ponder {reply}"),
            Self::Resign => write!(f, "bestmove resign"),
            Self::Declare => write!(f, "bestmove win"),
        }
    }
}

impl fmt::Display for MateResult {
    /// Writes the `checkmate` line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mate { moves, .. } => {
                write!(f, "checkmate")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Self::None => write!(f, "checkmate nomate"),
            Self::Unknown => write!(f, "checkmate timeout"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_keywords_after_searchmoves() {
        let go = Go::parse("searchmoves 7g7f 2g2f movetime 300");
        assert_eq!((go.limits.moves.len(), go.movetime), (2, Some(300)));
        assert!(Go::parse("searchmoves infinite").infinite, "none is given");
    }

    #[test]
    fn built_in_names_of_any_version_are_recognized() {
        let greeting = Options::greeting("1.2.3");
        let name = greeting
            .lines()
            .find_map(|line| line.strip_prefix("id name "))
            .unwrap_or_default();
        assert_eq!(builtin_version(name), Some(("1.2.3", "")));
        assert_eq!(
            builtin_version("Shogibar 0.1.0 (built-in, weak) [nodes 5]"),
            Some(("0.1.0", " [nodes 5]"))
        );
        assert_eq!(builtin_version("Fairy-Stockfish 11.1 (built-in, weak)"), None);
    }

    #[test]
    fn limits_the_time_of_a_mate_search() {
        let check = |text, expect| assert_eq!(Go::parse(text).deadline(Color::Black), expect, "{text}");
        check("mate 500", Some(500));
        check("mate infinite", None);
        check("mate", None);
        check("infinite", None);
        check("movetime 100", Some(100));
    }

    #[test]
    fn clamps_options_to_their_limits() {
        let mut options = Options::default();
        for text in [
            "name USI_Hash value 99999999",
            "name multipv value 0",
            "name Threads value 99999",
            "name Nobody value 3",
            "name MultiPV",
            "x",
        ] {
            options.set(text);
        }
        assert_eq!(
            options,
            Options {
                hash: MAX_HASH_MB,
                lines: 1,
                threads: MAX_THREADS
            }
        );
    }
}
