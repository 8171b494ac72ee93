//! Output of engines.

use super::tokens::Tokens;
use super::{Info, OptionSpec};
use shogibar_shogi::Move;

/// One line of an engine's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: the name of the engine.
    IdName(String),
    /// `id author`: the author of the engine.
    IdAuthor(String),
    /// `option`: an option of the engine.
    Option(OptionSpec),
    /// `usiok`: the end of the handshake.
    UsiOk,
    /// `readyok`: everything is loaded.
    ReadyOk,
    /// `bestmove`: the end of a search.
    BestMove {
        /// The choice of the engine.
        best: BestMove,
        /// The expected answer to the best move; `None` if the engine sends none.
        ponder: Option<Move>,
    },
    /// `checkmate`: the end of a mate search.
    Checkmate(MateAnswer),
    /// `info`: the state of a search, or only text.
    Info(Info),
    /// Any other line: messages, blank lines, anything that is not USI.
    Other,
}

/// The engine's choice in a `bestmove` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// The engine plays this move.
    Move(Move),
    /// The engine resigns.
    Resign,
    /// The engine declares a win by entering king.
    Win,
    /// The engine has sent no readable move: `none`, `(none)`, or no word.
    None,
}

impl From<Option<Move>> for BestMove {
    fn from(best: Option<Move>) -> Self {
        best.map_or(Self::None, Self::Move)
    }
}

/// The engine's answer to `go mate`, in a `checkmate` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// The moves of a mate, up to the first word that is not a move. An engine may send an empty list if there is none.
    Moves(Vec<Move>),
    /// There is no mate, or none was found.
    NoMate,
    /// The time limit was reached.
    Timeout,
    /// The engine has no mate search.
    NotImplemented,
}

/// Parses a line of an engine's output. Never fails: an unreadable line is [`Reply::Other`], and an unreadable value
/// affects only its field.
///
/// ```
/// use shogibar_shogi::score::UsiScore;
/// use shogibar_engine::usi::{Reply, reply::parse};
///
/// let Reply::Info(info) = parse("info depth 9 seldepth 11 score cp -61 pv 2b8h+ 7i8h resign") else { unreachable!() };
/// assert_eq!(info.score.map(|score| score.raw), Some(UsiScore::Cp(-61)));
/// assert_eq!(info.pv.len(), 2);
/// ```
pub fn parse(line: &str) -> Reply {
    let mut words = Tokens::new(line);
    match words.next() {
        Some("info") => Reply::Info(Info::parse(words.remaining())),
        Some("bestmove") => parse_best_move(words),
        Some("checkmate") => Reply::Checkmate(parse_checkmate(words)),
        Some("option") => OptionSpec::parse(words.remaining()).map_or(Reply::Other, Reply::Option),
        Some("id") => match words.next() {
            Some("name") => Reply::IdName(words.remaining().to_owned()),
            // Some engines print this misspelling.
            Some("author" | "auther") => Reply::IdAuthor(words.remaining().to_owned()),
            _ => Reply::Other,
        },
        Some("usiok") => Reply::UsiOk,
        Some("readyok") => Reply::ReadyOk,
        _ => Reply::Other,
    }
}

/// Parses the text after `bestmove`.
fn parse_best_move(mut words: Tokens<'_>) -> Reply {
    let best = match words.next() {
        Some("resign") => BestMove::Resign,
        Some("win") => BestMove::Win,
        Some(word) => Move::from_usi(word).map_or(BestMove::None, BestMove::Move),
        None => BestMove::None,
    };
    let ponder = words
        .find(|word| *word == "ponder")
        .and_then(|_| words.next())
        .and_then(Move::from_usi);
    Reply::BestMove { best, ponder }
}

/// Parses the text after `checkmate`.
fn parse_checkmate(mut words: Tokens<'_>) -> MateAnswer {
    match words.clone().next() {
        Some("nomate") => MateAnswer::NoMate,
        Some("timeout") => MateAnswer::Timeout,
        Some("notimplemented") => MateAnswer::NotImplemented,
        _ => MateAnswer::Moves(std::iter::from_fn(|| words.value(Move::from_usi)).collect()),
    }
}

#[cfg(test)]
mod tests;
