//! The texts of `tests/fixtures/texts`, which others have written: their games, names and ends.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test fails by panicking and prints counts"
)]

use serde_json::Value;
use shogibar_kifu::{Outcome, Reason, Record};
use shogibar_shogi::Color;
use std::fs;
use std::path::Path;

/// Returns the word for an end in `expected.jsonl`; `None` without a stated end. A move that could not be played is a
/// foul where the text states the result.
fn end(record: &Record) -> Option<&'static str> {
    Some(
        match record
            .end()
            .filter(|end| !end.is_cut() || end.outcome != Outcome::Open)?
            .reason
        {
            Reason::Resignation => "resign",
            Reason::Checkmate => "checkmate",
            Reason::Repetition => "repetition",
            Reason::TimeUp => "time",
            Reason::Interruption | Reason::Sealed => "interrupted",
            Reason::Impasse | Reason::Declaration => "impasse",
            Reason::Foul | Reason::IllegalMove => "foul",
            Reason::MaxMoves => "max_moves",
            _ => "other",
        },
    )
}

/// Returns whether a game is the expected one: its moves, names and end.
fn is_right(record: &Record, expected: &Value) -> bool {
    let stated = |key: &str| {
        expected
            .get(key)
            .and_then(Value::as_str)
            .filter(|text| !text.is_empty())
    };
    let stated_end = stated("end").map(|end| match end {
        "declaration" => "impasse",
        "perpetual" => "foul",
        end => end,
    });
    let is_perpetual = stated("end") == Some("perpetual") && end(record) == Some("repetition");
    let moves = stated("usi").unwrap().trim_end_matches(" moves");
    record.history(usize::MAX).usi() == moves
        && record.player(Color::Black) == stated("black")
        && record.player(Color::White) == stated("white")
        && (end(record) == stated_end || is_perpetual)
}

#[test]
fn texts_of_others_are_read_as_they_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/texts");
    let expected = fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let (mut texts, mut wrong) = (0, Vec::new());
    for line in expected.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row.get("file").and_then(Value::as_str).unwrap();
        let games = row.get("games").and_then(Value::as_array).unwrap();
        let read = shogibar_kifu::read_named(&fs::read(folder.join(name)).unwrap(), Path::new(name));
        let found = read.map_or_else(|_| Vec::new(), |read| read.games);
        texts += 1;
        if found.len() != games.len()
            || !found
                .iter()
                .zip(games)
                .all(|(game, expected)| is_right(game, expected))
        {
            wrong.push(name.to_owned());
        }
    }
    let list = folder.join("known-wrong.txt");
    println!("{} of {texts} texts are read right", texts - wrong.len());
    if std::env::var_os("SHOGIBAR_BLESS").is_some() {
        fs::write(&list, wrong.join("\n") + "\n").unwrap();
    }
    let known = fs::read_to_string(&list).unwrap_or_default();
    wrong.retain(|name| !known.lines().any(|line| line == name));
    assert!(wrong.is_empty(), "no longer read right: {wrong:?}");
}
