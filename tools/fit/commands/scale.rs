//! The scale K of the engine's values, fitted to the results of recorded games.

use super::data::{RecordedGame, illegal_move_text, part_paths, read_part};
use shogibar_shogi::Color;
use shogibar_shogi::score::{RatedGame, excess_loss, fit, loss};
use std::error::Error;

/// The first ply whose value counts, as in `shogibar calibrate`.
const FIRST_PLY: usize = 20;

/// The groups of plies whose values are fitted, with their names: first all plies, then those of each phase of a game.
const PHASES: [(&str, std::ops::Range<usize>); 4] = [
    ("all plies from 20 on", FIRST_PLY..usize::MAX),
    ("plies 20 to 59", FIRST_PLY..60),
    ("plies 60 to 99", 60..100),
    ("from ply 100 on", 100..usize::MAX),
];

/// Prints K with its interval of 95 %, for all even games of some folders and for each phase.
pub(crate) fn print_scale(folders: &[&str]) -> Result<(), Box<dyn Error>> {
    let mut phases: [Vec<RatedGame>; PHASES.len()] = Default::default();
    for path in part_paths(folders)? {
        let (_, games) = read_part(&path)?;
        for game in games.iter().filter(|game| game.is_even()) {
            let rated = rate_phases(game).ok_or_else(|| illegal_move_text(&path, game))?;
            phases
                .iter_mut()
                .zip(rated)
                .for_each(|(games, game)| games.push(game));
        }
    }
    let fitted = |games| fit(games).ok_or("the games say nothing about K");
    let whole = fitted(&phases[0])?.likeliest_curve;
    for ((name, _), games) in PHASES.iter().zip(&phases) {
        let positions: usize = games.iter().map(|game| game.values.len()).sum();
        let found = fitted(games)?;
        let (k, bonus) = (found.likeliest_curve.k, found.likeliest_curve.bonus);
        let (excess, error) = excess_loss(games, whole, found.likeliest_curve);
        println!(
            "{name}: K {k:.0} ({:.0}…{:.0}), Black's bonus {bonus:.0} cp; {} games, {positions} positions, loss {:.4}; with \
             the K of all {excess:.4} ± {error:.4} more",
            found.k_low,
            found.k_high,
            games.len(),
            loss(games, found.likeliest_curve)
        );
    }
    Ok(())
}

/// Returns the values of a game in each of [`PHASES`]; `None` if the game has an illegal move.
fn rate_phases(game: &RecordedGame) -> Option<[RatedGame; PHASES.len()]> {
    let result = f64::from(game.result.points(Color::Black));
    let mut rated = PHASES.map(|_| RatedGame {
        values: Vec::new(),
        result,
    });
    game.visit(|position, value, ply| {
        let value = if position.side_to_move() == Color::Black {
            value
        } else {
            -value
        };
        let of_ply = rated
            .iter_mut()
            .zip(&PHASES)
            .filter(|(_, (_, plies))| plies.contains(&ply));
        of_ply.for_each(|(rated, _)| rated.values.push(value));
    })?;
    Some(rated)
}
