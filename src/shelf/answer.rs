//! The queries to the index, and the answers.

use crate::key::ShelfKey;
use shogibar_facts::{FormationName, opening_names};
use shogibar_kifu::Outcome;
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move};

/// The outcomes of a game. Their indices are stored in the file, and order the counts of results.
pub(crate) const OUTCOMES: [Outcome; 4] = [
    Outcome::Open,
    Outcome::Win(Color::Black),
    Outcome::Win(Color::White),
    Outcome::Draw,
];

/// Returns the index of an outcome in [`OUTCOMES`].
pub(crate) fn outcome_index(outcome: Outcome) -> u8 {
    OUTCOMES
        .into_iter()
        .zip(0..)
        .find(|(known, _)| *known == outcome)
        .map_or(0, |(_, index)| index)
}

/// The conditions under which a game is found. The default has none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// A part of the name of one of the players, in upper or lower case; `None` for any players.
    pub player: Option<String>,
    /// The first day as a number, 20261127; `None` for no limit. A limit excludes games without a date.
    pub first_day: Option<u32>,
    /// The last day as a number, 20261127; `None` for no limit. A limit excludes games without a date.
    pub last_day: Option<u32>,
    /// The Japanese names of openings, one of which a game must have; `None` for any opening.
    pub openings: Option<Vec<String>>,
}

/// The words of a filter, as a user writes them. An empty word excludes no game.
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

/// A word that is not a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no day")]
pub struct DayError(pub String);

impl GameFilter {
    /// Reads a filter.
    ///
    /// # Errors
    /// Fails if a day cannot be read.
    pub fn read(words: FilterWords<'_>) -> Result<Self, DayError> {
        let FilterWords {
            player,
            opening,
            first_day: since,
            last_day: until,
        } = words;
        let non_empty = |word: &str| Some(word.trim().to_owned()).filter(|word| !word.is_empty());
        let day = |word: &str, default: [u32; 2]| {
            non_empty(word)
                .map(|word| parse_day(&word, default).ok_or(DayError(word)))
                .transpose()
        };
        Ok(Self {
            player: non_empty(player),
            openings: non_empty(opening).map(|opening| find_openings(&opening)),
            first_day: day(since, [1, 1])?,
            last_day: day(until, [12, 31])?,
        })
    }
}

/// Returns the Japanese names of the openings whose Japanese or English name contains a text.
fn find_openings(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let has_text =
        |named: &FormationName| named.name.contains(&text) || named.name_en.to_lowercase().contains(&text);
    opening_names()
        .filter(has_text)
        .map(|named| named.name.to_owned())
        .collect()
}

/// Parses a day and returns it as a number, 20261127. A missing month and day are taken from `default`. Returns `None`
/// for a text that is no day.
fn parse_day(text: &str, default: [u32; 2]) -> Option<u32> {
    let parts: Vec<u32> = text
        .split(['-', '/'])
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    let (year, month, day) = match parts.as_slice() {
        [year] => (*year, default[0], default[1]),
        [year, month] => (*year, *month, default[1]),
        [year, month, day] if *day <= days_in_month(*year, *month) => (*year, *month, *day),
        _ => return None,
    };
    let is_day = (1000..=9999).contains(&year) && (1..=12).contains(&month) && day > 0;
    is_day.then_some(year * 10_000 + month * 100 + day)
}

const fn days_in_month(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// A query for the games that had a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfQuery {
    /// The key of the position.
    pub key: ShelfKey,
    /// The conditions that the games must meet.
    pub filter: GameFilter,
    /// The maximum number of games that are listed. All games are counted.
    pub limit: usize,
}

impl ShelfQuery {
    /// Creates a query without conditions.
    pub const fn new(key: ShelfKey, limit: usize) -> Self {
        Self {
            key,
            filter: GameFilter {
                player: None,
                first_day: None,
                last_day: None,
                openings: None,
            },
            limit,
        }
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
    /// The value of the position, from Black's view; `None` where the record has none.
    pub value: Option<Value>,
    /// The outcome of the game.
    pub result: Outcome,
    /// The players' names, Black's first.
    pub players: [String; 2],
    /// The day of the game as a number, 20261127; `None` where it is not known.
    pub date: Option<u32>,
}

impl ShelfHit {
    /// Returns the day of the game as a text, 2026-11-27; `None` where it is not known.
    pub fn date_text(&self) -> Option<String> {
        self.date
            .map(|day| format!("{:04}-{:02}-{:02}", day / 10_000, day / 100 % 100, day % 100))
    }
}

/// A move that was played in the position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NextMove {
    /// The move; `None` where the games ended.
    pub mv: Option<Move>,
    /// The number of times that the move was played.
    pub count: u32,
    /// The numbers of games by outcome: open, won by Black, won by White, drawn.
    pub results: [u32; 4],
    /// The value after the move, from Black's view, in the newest game with one; `None` where no game has one.
    pub value: Option<Value>,
}

/// The games that had a position, and how they went on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShelfAnswer {
    /// The number of games. A game that had the position several times counts once, by its first occurrence.
    pub count: u32,
    /// The numbers of games by outcome, in the order of [`NextMove::results`].
    pub results: [u32; 4],
    /// The moves that were played, the most frequent first.
    pub moves: Vec<NextMove>,
    /// The newest games, at most [`ShelfQuery::limit`].
    pub hits: Vec<ShelfHit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_read() {
        let read = |player, opening, since, until| {
            GameFilter::read(FilterWords {
                player,
                opening,
                first_day: since,
                last_day: until,
            })
        };
        assert_eq!(read("", " ", "", ""), Ok(GameFilter::default()));
        let filter = read(" 山田", "ranging", "2026", "2026-02").unwrap();
        assert_eq!(
            (filter.player.as_deref(), filter.first_day, filter.last_day),
            (Some("山田"), Some(20_260_101), Some(20_260_231))
        );
        assert_eq!(
            read("", "四間", "2026/3/4", "").unwrap().first_day,
            Some(20_260_304)
        );
        assert!(
            read("", "四間", "", "")
                .unwrap()
                .openings
                .unwrap()
                .iter()
                .all(|name| name.contains("四間"))
        );
        for no_day in [
            "x",
            "26",
            "2026-13",
            "2026-1-32",
            "2026-02-31",
            "2026-2-29",
            "2026-1-2-3",
            "2026--1",
        ] {
            assert_eq!(read("", "", no_day, ""), Err(DayError(no_day.to_owned())));
        }
    }
}
