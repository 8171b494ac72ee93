//! Games for the tests: legal moves at random, and their texts as they grow.

use shogibar_base::random::SplitMix;
use shogibar_kifu::{Record, Target};
use shogibar_shogi::History;
use std::fmt::Write as _;

/// Plays random legal moves after a beginning.
pub(crate) fn play(beginning: &History, plies: usize, random: &mut SplitMix) -> History {
    let mut history = beginning.clone();
    for _ in 0..plies {
        let legal = history.now().legal_moves();
        let Some(mv) = legal.get(random.below(legal.len())) else {
            break;
        };
        history.play(*mv).unwrap();
    }
    history
}

/// Returns the first `plies` moves of a game.
pub(crate) fn beginning(history: &History, plies: usize) -> History {
    let mut beginning = History::new(shogibar_shogi::Position::startpos());
    for mv in history.moves().iter().take(plies) {
        beginning.play(*mv).unwrap();
    }
    beginning
}

/// Returns the text of a game in a format, with names, times and evaluations where the format is CSA.
pub(crate) fn text(history: &History, is_over: bool, target: Target) -> Vec<u8> {
    let end = if is_over { " resign" } else { "" };
    let usi = format!("position {}{end}\n", history.usi());
    let usi = if history.moves().is_empty() && is_over {
        "position startpos moves resign\n".to_owned()
    } else {
        usi
    };
    let mut record = shogibar_kifu::read(usi.as_bytes())
        .unwrap()
        .into_first()
        .unwrap()
        .0;
    record
        .headers_mut()
        .push(("先手".to_owned(), "山田太郎".to_owned()));
    record.headers_mut().push(("後手".to_owned(), "B".to_owned()));
    let bytes = shogibar_kifu::write(&record, target).bytes;
    if target != Target::Csa {
        return bytes;
    }
    let mut text = String::new();
    for (number, line) in String::from_utf8(bytes).unwrap().lines().enumerate() {
        text.push_str(line);
        text.push('\n');
        if line.len() == 7 && line.starts_with(['+', '-']) {
            writeln!(text, "T{}\n'** {}", number % 37, number * 3).unwrap();
        }
    }
    text.into_bytes()
}

/// Reads the first record of a text.
pub(crate) fn read(bytes: &[u8]) -> Record {
    shogibar_kifu::read(bytes).unwrap().into_first().unwrap().0
}

/// Returns the states of a game that grows, with a take-back on the way: each with whether it is over.
pub(crate) fn growth(plies: usize, random: &mut SplitMix) -> Vec<(History, bool)> {
    let start = History::new(shogibar_shogi::Position::startpos());
    let first = play(&start, plies, random);
    let turn = first.moves().len() / 2;
    let back = turn.saturating_sub(random.below(4));
    let other = play(&beginning(&first, back), plies - back, random);
    let before = (0..=turn).map(|ply| (beginning(&first, ply), false));
    let after = (back..=other.moves().len()).map(|ply| (beginning(&other, ply), false));
    before.chain(after).chain([(other.clone(), true)]).collect()
}
