//! Agreement: how often the engine plays the move of a stronger program.

use super::player::Player;
use super::search::search;
use shogibar_shogi::{History, Position};
use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering};

const TABLE_MB: usize = 32;

/// A position, with the move of the stronger program.
struct TestPosition {
    history: History,
    best_move: String,
}

/// Searches each position of a text with `nodes` nodes, as in a new game. Prints the share of positions where the move
/// is `bestmove`. A line has a JSON object with `sfen` and `bestmove`.
pub(crate) fn print_agreement(player: &Player, text: &str, nodes: u64) -> Result<(), Box<dyn Error>> {
    let positions = text.lines().map(parse_position).collect::<Result<Vec<_>, _>>()?;
    let (next, agreed) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let count_agreed = || {
        let mut searcher = player.searcher(TABLE_MB);
        while let Some(position) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            searcher.clear();
            let found = search(&mut searcher, &position.history, nodes);
            let is_same = found.is_some_and(|(mv, _)| mv.to_string() == position.best_move);
            agreed.fetch_add(usize::from(is_same), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(count_agreed);
        }
    });
    let (agreed, count) = (agreed.load(Ordering::Relaxed), positions.len());
    let share = agreed as f64 / count.max(1) as f64;
    let error = 196.0 * (share * (1.0 - share) / count.max(1) as f64).sqrt();
    println!("{agreed} of {count}: {:.1} % ± {error:.1}", 100.0 * share);
    Ok(())
}

fn parse_position(line: &str) -> Result<TestPosition, Box<dyn Error>> {
    let field = |name: &str| {
        let (_, rest) = line.split_once(&format!("\"{name}\": \""))?;
        rest.split_once('"').map(|(value, _)| value)
    };
    let sfen = field("sfen").ok_or_else(|| format!("no position: {line}"))?;
    let best = field("bestmove")
        .ok_or_else(|| format!("no move: {line}"))?
        .to_owned();
    let position = Position::from_sfen(sfen).map_err(|error| format!("{sfen}: {error}"))?;
    Ok(TestPosition {
        history: History::new(position),
        best_move: best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_moves_are_read() {
        let line = r#"{"sfen": "4k4/9/9/9/9/9/9/9/4K4 b P 1", "bestmove": "P*3d", "result": 1}"#;
        let position = parse_position(line).unwrap();
        assert_eq!(position.best_move, "P*3d");
        assert!(position.history.now().sfen().starts_with("4k4/9"));
        assert!(parse_position("{}").is_err());
    }
}
