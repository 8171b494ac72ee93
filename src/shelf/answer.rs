//! What is asked of the index, and what it answers.

use crate::key::ShelfKey;
use crate::kifu::Outcome;
use crate::score::Value;
use crate::shogi::{Color, Move};

/// The outcomes of games by the numbers that they have in the file and in counts.
pub(crate) const OUTCOMES: [Outcome; 4] =
    [Outcome::Open, Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw];

/// Returns the number of an outcome.
pub(crate) fn outcome_number(outcome: Outcome) -> u8 {
    OUTCOMES.into_iter().zip(0..).find(|(known, _)| *known == outcome).map_or(0, |(_, number)| number)
}

/// Which games count. The default is all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// A part of the name of one of the players, in any case.
    pub player: Option<String>,
    /// The first day, 20261127. Games without a date do not count then.
    pub from: Option<u32>,
    /// The last day.
    pub to: Option<u32>,
    /// The Japanese names of openings, one of which a game has.
    pub openings: Option<Vec<String>>,
}

/// A question: where a position occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfQuery {
    /// The position.
    pub key: ShelfKey,
    /// Which games count.
    pub filter: GameFilter,
    /// The most hits that are listed. All are counted.
    pub limit: usize,
}

impl ShelfQuery {
    /// Asks for a position in all games.
    pub const fn new(key: ShelfKey, limit: usize) -> Self {
        Self { key, filter: GameFilter { player: None, from: None, to: None, openings: None }, limit }
    }
}

/// A game that had the position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfHit {
    /// The path of its file.
    pub path: String,
    /// Its number in the file, from 1.
    pub number: u32,
    /// The number of moves before the position.
    pub ply: u16,
    /// The next move; `None` at the end of the game.
    pub next: Option<Move>,
    /// The value of the position, from Black's view, where the record has one.
    pub value: Option<Value>,
    /// How the game ended.
    pub result: Outcome,
    /// Black, White.
    pub players: [String; 2],
    /// Its day as a number, 20261127.
    pub date: Option<u32>,
}

/// A move that was played in the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextMove {
    /// The move; `None` where the games ended.
    pub next: Option<Move>,
    /// How often it was played.
    pub count: u32,
    /// How often the games ended so: open, Black has won, White has won, a draw.
    pub results: [u32; 4],
    /// The value after the move, from Black's view, in the newest game that has one.
    pub value: Option<Value>,
    /// The day of that game, for the comparison.
    pub(crate) value_date: Option<u32>,
}

/// Where a position occurred.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShelfAnswer {
    /// In how many games. One that came to the position several times counts once, with the first of them.
    pub count: u32,
    /// How often the games ended so, in the order of [`NextMove::results`].
    pub results: [u32; 4],
    /// The moves that were played, the most frequent first.
    pub moves: Vec<NextMove>,
    /// The newest games, as many as were asked for.
    pub hits: Vec<ShelfHit>,
}
