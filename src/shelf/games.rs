//! Reads the games of a record file, with the data that the index stores.

use crate::key::ShelfKey;
use shogibar_facts::Formations;
use shogibar_kifu::evaluation::Evaluation;
use shogibar_kifu::{Outcome, ReadError, Record};
use shogibar_shogi::score::Value;
use shogibar_shogi::{Color, Move};
use std::path::Path;

/// The number of plies from which the openings of a game are recognized.
const OPENING_PLIES: usize = 60;

/// The month or day of a date that lacks it.
const DEFAULT_MONTH_OR_DAY: u32 = 1;

/// A game, as the index stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfGame {
    /// The players' names, Black's first.
    pub players: [String; 2],
    /// The day of the game as a number, 20261127; `None` where it is not known.
    pub date: Option<u32>,
    /// The result of the game.
    pub result: Outcome,
    /// The Japanese names of the game's openings, each once.
    pub openings: Vec<&'static str>,
    /// The positions of the game's main line, the start first.
    pub positions: Vec<ShelfPosition>,
}

/// A position of a game's main line, as the index stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShelfPosition {
    /// The key of the position.
    pub key: ShelfKey,
    /// The next move of the game; `None` at the end of the game.
    pub next_move: Option<Move>,
    /// The value of the position, from Black's view; `None` where the record has none.
    pub value: Option<Value>,
}

/// Calls `game` with each game of a record file. `name` is the file's name; its extension suggests the format.
///
/// # Errors
/// Fails if the file is not a record.
pub fn read_games(bytes: &[u8], name: &Path, game: &mut dyn FnMut(ShelfGame)) -> Result<(), ReadError> {
    shogibar_kifu::read_each(bytes, name, &mut |record| game(game_from_record(&record))).map(|_summary| ())
}

fn game_from_record(record: &Record) -> ShelfGame {
    let nodes: Vec<_> = std::iter::once(shogibar_kifu::NodeId::START)
        .chain(
            record
                .main_line()
                .filter(|node| record.node(*node).mv().is_some()),
        )
        .collect();
    let mut walk = record.walk();
    let mut positions: Vec<ShelfPosition> = Vec::with_capacity(nodes.len());
    for (nth, node) in nodes.iter().enumerate() {
        let has_comment = record.node(*node).comment().is_some();
        let value = if has_comment {
            best_value(&walk.evaluations_without_pvs(*node))
        } else {
            None
        };
        let next = nodes.get(nth + 1).and_then(|next| record.node(*next).mv());
        positions.push(ShelfPosition {
            key: ShelfKey::from_position(walk.go(*node)),
            next_move: next,
            value,
        });
    }
    ShelfGame {
        players: [Color::Black, Color::White]
            .map(|color| record.player(color).unwrap_or_default().to_owned()),
        date: ["開始日時", "対局日", "日付"]
            .into_iter()
            .find_map(|key| parse_date(record.header(key)?)),
        result: record.decisive_end().map_or(Outcome::Open, |end| end.outcome),
        openings: openings_of(record),
        positions,
    }
}

/// Returns the value of the deepest best line; `None` where none has an exact value.
fn best_value(evaluations: &[Evaluation]) -> Option<Value> {
    evaluations
        .iter()
        .filter(|found| {
            !found.is_alternative
                && found.bound.is_none()
                && found.value.is_some()
                && found.rank.is_none_or(|rank| rank == 1)
        })
        .max_by_key(|found| found.depth)
        .and_then(|found| found.value)
}

fn openings_of(record: &Record) -> Vec<&'static str> {
    let formations = Formations::from_history(&record.history(OPENING_PLIES));
    let names =
        [Color::Black, Color::White].map(|side| formations.opening(side).map(|named| named.opening.name));
    let mut names: Vec<_> = names.into_iter().flatten().collect();
    names.dedup();
    names
}

/// Parses a date, and returns its day as a number, 20261127. Dates are `2026/11/27 10:00`, `2026-11` or
/// `2026年11月27日`.
fn parse_date(text: &str) -> Option<u32> {
    let mut numbers = text
        .split(|c: char| !c.is_ascii_digit())
        .filter(|part| !part.is_empty());
    let year: u32 = numbers.next().filter(|year| year.len() == 4)?.parse().ok()?;
    let mut next = |max| {
        numbers
            .next()
            .and_then(|part| part.parse().ok())
            .filter(|number| (1..=max).contains(number))
    };
    let month = next(12);
    let day = month.and_then(|_| next(31));
    Some(year * 10_000 + month.unwrap_or(DEFAULT_MONTH_OR_DAY) * 100 + day.unwrap_or(DEFAULT_MONTH_OR_DAY))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games_of(bytes: &[u8], name: &str) -> Vec<ShelfGame> {
        let mut games = Vec::new();
        let _no_record = read_games(bytes, Path::new(name), &mut |game| games.push(game));
        games
    }

    #[test]
    fn reads_the_positions_and_values_of_a_record() {
        let text = "開始日時：2026/11/27 10:00\n先手：山田\n後手：佐藤\n   1 ７六歩(77)\n*#評価値=120\n   2 ３四歩(33)\n   3 投了\n";
        let games = games_of(text.as_bytes(), "a.kif");
        assert_eq!(games.len(), 1);
        let game = &games[0];
        assert_eq!(
            (game.players[0].as_str(), game.players[1].as_str()),
            ("山田", "佐藤")
        );
        assert_eq!(
            (game.date, game.result),
            (Some(20_261_127), Outcome::Win(Color::White))
        );
        let values: Vec<_> = game.positions.iter().map(|position| position.value).collect();
        assert_eq!(values, [None, Some(Value::Cp(120)), None]);
        let next: Vec<_> = game
            .positions
            .iter()
            .map(|position| position.next_move.map(|mv| mv.to_string()))
            .collect();
        assert_eq!(next, [Some("7g7f".to_owned()), Some("3c3d".to_owned()), None]);
        assert_eq!(games_of(b"Dear Sir", "a.txt"), []);
    }

    #[test]
    fn reads_dates() {
        for (text, day) in [
            ("2026/11/27 10:00", Some(20_261_127)),
            ("2026年1月2日", Some(20_260_102)),
            ("2026-11", Some(20_261_101)),
            ("2026", Some(20_260_101)),
            ("2026/13/01", Some(20_260_101)),
            ("令和8年", None),
            ("", None),
        ] {
            assert_eq!(parse_date(text), day, "{text}");
        }
    }
}
