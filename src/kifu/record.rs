//! What a game record says.

use super::end::End;
use super::handicap;
use super::time::Time;
use crate::shogi::{Color, History, Move, Position};

/// A game: who played, from which position, which moves, how long each took and how it ended.
///
/// Its main line for now; variations and comments are counted and reported, not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub(super) headers: Vec<(String, String)>,
    pub(super) start: Position,
    pub(super) nodes: Vec<Node>,
    pub(super) end: Option<End>,
    /// Whether the record itself speaks of 下手 and 上手.
    pub(super) speaks_of_handicap: bool,
}

/// A move of the game and what belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move.
    pub mv: Move,
    /// The time it took.
    pub time: Time,
}

impl Record {
    /// Keys and values in the order of the file. A CSA file's keys are turned into KIF's where there
    /// is one: `N+` is 先手, `$EVENT` 棋戦.
    pub fn headers(&self) -> &[(String, String)] {
        &self.headers
    }

    /// The value of the first header of that key which is not blank.
    pub fn header(&self, key: &str) -> Option<&str> {
        let values = self.headers.iter().filter(|(k, _)| k == key).map(|(_, value)| value.trim());
        values.into_iter().find(|value| !value.is_empty())
    }

    /// The name of a side's player.
    pub fn player(&self, color: Color) -> Option<&str> {
        let [name, in_handicap] = match color {
            Color::Black => ["先手", "下手"],
            Color::White => ["後手", "上手"],
        };
        self.header(name).or_else(|| self.header(in_handicap))
    }

    /// Whether the sides are 下手 and 上手: the record says so, or it starts from a handicap.
    pub fn is_handicap(&self) -> bool {
        self.speaks_of_handicap || handicap::is_one(&self.start)
    }

    /// The position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The moves of the main line, in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// How many moves the main line has.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The game up to and with move `ply` of the main line: 0 is the start, everything past the end
    /// the whole game.
    pub fn history(&self, ply: usize) -> History {
        let mut history = History::new(self.start.clone());
        for node in self.nodes.iter().take(ply) {
            if history.play(node.mv).is_err() {
                break; // Cannot be: every move was played when the record was read.
            }
        }
        history
    }

    /// How the main line ends; `None` when it just stops.
    pub const fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// How the game was decided; `None` when it is unfinished, interrupted, or its end is unknown.
    pub fn decided(&self) -> Option<&End> {
        self.end.as_ref().filter(|end| end.is_decided())
    }
}
