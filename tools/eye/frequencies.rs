//! Counts the frequency of each kind of piece on each row, for `src/eye/prior.rs`.
//!
//! usage: eye-frequencies GAMES
//!
//! GAMES is a folder of records in any format. The output has a line for empty squares and one for each kind. A line
//! has the frequencies in 1/10,000 of a row's squares, from the side's last row to its first.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a tool of developers"
)]

use shogibar_eye::network::{EMPTY, KIND_COUNT};
use shogibar_eye_training::games::read_positions;

fn main() -> Result<(), String> {
    let folder = std::env::args().nth(1).ok_or("usage: eye-frequencies GAMES")?;
    let mut counts = [[0_u64; 9]; KIND_COUNT + 1];
    let positions = read_positions(folder.as_ref())?;
    for (index, class) in positions
        .iter()
        .flat_map(|position| position.squares.iter().enumerate())
    {
        let (row, class) = (index / 9, usize::from(*class));
        if class == EMPTY || class > KIND_COUNT {
            counts[class.saturating_sub(KIND_COUNT)][8 - row] += 1;
        }
        if class <= KIND_COUNT {
            counts[class][row] += 1;
        }
    }
    eprintln!("{} positions", positions.len());
    for line in counts {
        println!(
            "{:?},",
            line.map(|count| (count as f64 * 10_000.0 / (18 * positions.len()) as f64).round() as u64)
        );
    }
    Ok(())
}
