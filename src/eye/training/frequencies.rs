//! Counts how often each kind of piece stands on each row in the positions of games, as `src/eye/prior.rs` has it.
//!
//! usage: eye-frequencies GAMES
//!
//! GAMES: a folder of records in any format. Prints a line for nothing and one for each kind: of 10,000 squares of a
//! row, from the side's last row to its first, how many have it.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_eye::network::{EMPTY, KINDS};
use shogibar_eye_training::games::positions;

fn main() -> Result<(), String> {
    let folder = std::env::args().nth(1).ok_or("usage: eye-frequencies GAMES")?;
    let mut counts = [[0_u64; 9]; KINDS + 1];
    let positions = positions(folder.as_ref())?;
    for (place, class) in positions.iter().flat_map(|(squares, _)| squares.iter().enumerate()) {
        let (row, class) = (place / 9, usize::from(*class));
        if class == EMPTY || class > KINDS {
            counts[class.saturating_sub(KINDS)][8 - row] += 1;
        }
        if class <= KINDS {
            counts[class][row] += 1;
        }
    }
    eprintln!("{} positions", positions.len());
    for line in counts {
        println!("{:?},", line.map(|count| (count as f64 * 10_000.0 / (18 * positions.len()) as f64).round() as u64));
    }
    Ok(())
}
