//! What engines print.

use super::tokens::Tokens;
use super::{Info, OptionSpec};
use crate::shogi::Move;

/// One line of an engine's output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name`: what the engine is called.
    IdName(String),
    /// `id author`: who wrote it.
    IdAuthor(String),
    /// `option`: something that can be set.
    Option(OptionSpec),
    /// `usiok`: the end of the introduction.
    UsiOk,
    /// `readyok`: all is loaded.
    ReadyOk,
    /// `bestmove`: the end of a search.
    BestMove {
        /// What the engine would do.
        best: BestMove,
        /// The answer it expects.
        ponder: Option<Move>,
    },
    /// `checkmate`: the end of a search for a mate.
    Checkmate(MateAnswer),
    /// `info`: news from a search, or just text.
    Info(Info),
    /// Anything else: chatter, blank lines, what is no USI at all.
    Other,
}

/// What an engine would do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play a move.
    Move(Move),
    /// Resign.
    Resign,
    /// Declare a win by entering king.
    Win,
    /// Nothing that can be read: `none`, `(none)`, no word at all.
    None,
}

/// The answer to `go mate`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateAnswer {
    /// The moves of a mate, up to the first word that is no move. An engine may send an empty list
    /// to say that there is none.
    Moves(Vec<Move>),
    /// There is none, or none was found.
    NoMate,
    /// Time ran out.
    Timeout,
    /// The engine cannot search for mates.
    NotImplemented,
}

/// Reads a line of an engine's output. Never fails: what cannot be read is [`Reply::Other`], and a
/// value that cannot be read loses only itself.
///
/// ```
/// use shogibar::score::Raw;
/// use shogibar::usi::{Reply, reply::parse};
///
/// let Reply::Info(info) = parse("info depth 9 seldepth 11 score cp -61 pv 2b8h+ 7i8h resign") else { unreachable!() };
/// assert_eq!(info.score.map(|score| score.raw), Some(Raw::Cp(-61)));
/// assert_eq!(info.pv.len(), 2);
/// ```
pub fn parse(line: &str) -> Reply {
    let mut words = Tokens::new(line);
    match words.next() {
        Some("info") => Reply::Info(Info::parse(words.remaining())),
        Some("bestmove") => best_move(words),
        Some("checkmate") => Reply::Checkmate(checkmate(words)),
        Some("option") => OptionSpec::parse(words.remaining()).map_or(Reply::Other, Reply::Option),
        Some("id") => match words.next() {
            Some("name") => Reply::IdName(words.remaining().to_owned()),
            // The misspelling is a known one.
            Some("author" | "auther") => Reply::IdAuthor(words.remaining().to_owned()),
            _ => Reply::Other,
        },
        Some("usiok") => Reply::UsiOk,
        Some("readyok") => Reply::ReadyOk,
        _ => Reply::Other,
    }
}

fn best_move(mut words: Tokens<'_>) -> Reply {
    let best = match words.next() {
        Some("resign") => BestMove::Resign,
        Some("win") => BestMove::Win,
        Some(word) => Move::from_usi(word).map_or(BestMove::None, BestMove::Move),
        None => BestMove::None,
    };
    let ponder = words.find(|word| *word == "ponder").and_then(|_| words.next()).and_then(Move::from_usi);
    Reply::BestMove { best, ponder }
}

fn checkmate(mut words: Tokens<'_>) -> MateAnswer {
    match words.clone().next() {
        Some("nomate") => MateAnswer::NoMate,
        Some("timeout") => MateAnswer::Timeout,
        Some("notimplemented") => MateAnswer::NotImplemented,
        _ => MateAnswer::Moves(std::iter::from_fn(|| words.value(Move::from_usi)).collect()),
    }
}

#[cfg(test)]
mod tests;
