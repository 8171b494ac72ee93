//! The queries to the index, and the answers.

use crate::key::ShelfKey;
use crate::kifu::Outcome;
use crate::score::Value;
use crate::shogi::{Color, Move};
use shogibar_facts::{FormationName, opening_names};

/// The outcomes of games, by their numbers in the file and in counts.
pub(crate) const OUTCOMES: [Outcome; 4] =
    [Outcome::Open, Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw];

/// Returns the number of an outcome.
pub(crate) fn outcome_number(outcome: Outcome) -> u8 {
    OUTCOMES.into_iter().zip(0..).find(|(known, _)| *known == outcome).map_or(0, |(_, number)| number)
}

/// The conditions under which a game is found. The default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// A part of the name of one of the players, in any case.
    pub player: Option<String>,
    /// The first day, 20261127. Games without a date do not count then.
    pub from: Option<u32>,
    /// The last day, 20261127. Games without a date do not count then.
    pub to: Option<u32>,
    /// The Japanese names of openings, one of which a game has.
    pub openings: Option<Vec<String>>,
}

/// The words of a filter, as a user writes them. Empty ones let all games through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterWords<'w> {
    /// A part of a player's name.
    pub player: &'w str,
    /// A part of an opening's name, in Japanese or English.
    pub opening: &'w str,
    /// The first day: 2026, 2026-11 or 2026-11-27.
    pub first_day: &'w str,
    /// The last day, in the same forms.
    pub last_day: &'w str,
}

/// The error of a word that is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no day")]
pub struct NoDay(pub String);

impl GameFilter {
    /// Reads a filter.
    ///
    /// # Errors
    /// If a day cannot be read.
    pub fn read(words: FilterWords<'_>) -> Result<Self, NoDay> {
        let FilterWords { player, opening, first_day: since, last_day: until } = words;
        let set = |word: &str| Some(word.trim().to_owned()).filter(|word| !word.is_empty());
        let day = |word: &str, rest: [u32; 2]| set(word).map(|word| day(&word, rest).ok_or(NoDay(word))).transpose();
        Ok(Self {
            player: set(player),
            openings: set(opening).map(|opening| openings(&opening)),
            from: day(since, [1, 1])?,
            to: day(until, [12, 31])?,
        })
    }
}

/// Returns the Japanese names of the openings whose name contains a text, in either language.
fn openings(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let has_text = |named: &FormationName| named.name.contains(&text) || named.name_en.to_lowercase().contains(&text);
    opening_names().filter(has_text).map(|named| named.name.to_owned()).collect()
}

/// Reads a day as a number, 20261127; `rest` completes a year with a month and a day.
fn day(text: &str, rest: [u32; 2]) -> Option<u32> {
    let parts: Vec<u32> = text.split(['-', '/']).map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (year, month, day) = match parts.as_slice() {
        [year] => (*year, rest[0], rest[1]),
        [year, month] => (*year, *month, rest[1]),
        [year, month, day] if *day <= days_of(*year, *month) => (*year, *month, *day),
        _ => return None,
    };
    let is_day = (1000..=9999).contains(&year) && (1..=12).contains(&month) && day > 0;
    is_day.then_some(year * 10_000 + month * 100 + day)
}

/// Returns the number of days of a month.
const fn days_of(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A question: where a position occurred.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfQuery {
    /// The key of the position.
    pub key: ShelfKey,
    /// The conditions for the games.
    pub filter: GameFilter,
    /// The maximum number of hits that are listed. All are counted.
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
    /// The path of the game's file.
    pub path: String,
    /// The number of the game in the file, from 1.
    pub number: u32,
    /// The number of moves before the position.
    pub ply: u16,
    /// The next move; `None` at the end of the game.
    pub next_move: Option<Move>,
    /// The value of the position, from Black's view, where the record has one.
    pub value: Option<Value>,
    /// The outcome of the game.
    pub result: Outcome,
    /// The players' names, Black's first.
    pub players: [String; 2],
    /// The day of the game as a number, 20261127.
    pub date: Option<u32>,
}

impl ShelfHit {
    /// Returns the day as a text, 2026-11-27.
    pub fn day(&self) -> Option<String> {
        self.date.map(|day| format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100))
    }
}

/// A move that was played in the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextMove {
    /// The move; `None` where the games ended.
    pub mv: Option<Move>,
    /// The number of times that the move was played.
    pub count: u32,
    /// The numbers of outcomes: open, Black has won, White has won, a draw.
    pub results: [u32; 4],
    /// The value after the move, from Black's view, in the newest game that has one.
    pub value: Option<Value>,
}

/// The games that had a position, and how they went on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShelfAnswer {
    /// The number of games. A game that had the position several times counts once, with the first of them.
    pub count: u32,
    /// The numbers of outcomes, in the order of [`NextMove::results`].
    pub results: [u32; 4],
    /// The moves that were played, the most frequent first.
    pub moves: Vec<NextMove>,
    /// The newest games, as many as were asked for.
    pub hits: Vec<ShelfHit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read() {
        let read = |player, opening, since, until| {
            GameFilter::read(FilterWords { player, opening, first_day: since, last_day: until })
        };
        assert_eq!(read("", " ", "", ""), Ok(GameFilter::default()));
        let filter = read(" 山田", "ranging", "2026", "2026-02").unwrap();
        assert_eq!(
            (filter.player.as_deref(), filter.from, filter.to),
            (Some("山田"), Some(20_260_101), Some(20_260_231))
        );
        assert_eq!(read("", "四間", "2026/3/4", "").unwrap().from, Some(20_260_304));
        assert!(read("", "四間", "", "").unwrap().openings.unwrap().iter().all(|name| name.contains("四間")));
        for no_day in ["x", "26", "2026-13", "2026-1-32", "2026-02-31", "2026-2-29", "2026-1-2-3", "2026--1"] {
            assert_eq!(read("", "", no_day, ""), Err(NoDay(no_day.to_owned())));
        }
    }
}
