//! The prior probability of each class on each row.
//!
//! The network was trained on boards with equally frequent kinds of pieces. In a game most pieces are pawns, and a
//! promoted knight on its own side's first row is rare.

use crate::network::{EMPTY, KIND_COUNT};

/// The frequency of empty squares, then of each kind of one side, in 1/10,000 of a row's squares. Columns run from the
/// side's last row to its first. `eye-frequencies` counted 13,075 positions of 100 public games.
const FREQUENCIES: [[f32; 9]; KIND_COUNT + 1] = [
    [
        4848.0, 6738.0, 4170.0, 6298.0, 7766.0, 6298.0, 4170.0, 6738.0, 4848.0,
    ],
    [0.0, 49.0, 73.0, 203.0, 754.0, 2653.0, 4120.0, 94.0, 48.0],
    [0.0, 4.0, 4.0, 18.0, 22.0, 50.0, 32.0, 169.0, 1692.0],
    [0.0, 0.0, 13.0, 32.0, 110.0, 44.0, 233.0, 18.0, 1371.0],
    [32.0, 36.0, 25.0, 34.0, 101.0, 201.0, 462.0, 579.0, 382.0],
    [25.0, 34.0, 30.0, 29.0, 22.0, 78.0, 266.0, 804.0, 697.0],
    [23.0, 15.0, 12.0, 30.0, 44.0, 85.0, 147.0, 262.0, 41.0],
    [35.0, 13.0, 4.0, 38.0, 19.0, 80.0, 37.0, 495.0, 87.0],
    [7.0, 14.0, 18.0, 13.0, 18.0, 20.0, 72.0, 480.0, 469.0],
    [59.0, 64.0, 113.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [10.0, 17.0, 17.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [10.0, 21.0, 31.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [21.0, 13.0, 33.0, 9.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [52.0, 31.0, 42.0, 26.0, 19.0, 20.0, 14.0, 2.0, 0.0],
    [87.0, 48.0, 24.0, 14.0, 8.0, 9.0, 6.0, 4.0, 5.0],
];
/// The least counted frequency of a kind, in 1/10,000 of a row's squares. Some boards come from problems, or were set
/// up by hand.
const MIN_FREQUENCY: f32 = 10.0;
/// The frequency of each kind of one side in the training, in 1/10,000 of the squares.
const TRAINED_FREQUENCY: f32 = 280.0;
/// The frequency of empty squares in the training, in 1/10,000 of the squares.
const TRAINED_EMPTY_FREQUENCY: f32 = 2000.0;

/// Returns the log-ratio of a class's frequency in games to that in the training. `index` is the square, 0–80 from the
/// top left. The class must not be [`HIDDEN`](crate::network::HIDDEN).
pub fn log_prior(class: usize, index: usize) -> f32 {
    let row = index / 9;
    let (kind, row, trained) = match class {
        EMPTY => (EMPTY, row, TRAINED_EMPTY_FREQUENCY),
        1..=KIND_COUNT => (class, row, TRAINED_FREQUENCY),
        _ => (
            class.saturating_sub(KIND_COUNT),
            8_usize.saturating_sub(row),
            TRAINED_FREQUENCY,
        ),
    };
    let share = FREQUENCIES.get(kind).and_then(|rows| rows.get(row)).copied();
    (share.unwrap_or(MIN_FREQUENCY).max(MIN_FREQUENCY) / trained).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_pieces_of_a_row_count_less_for_both_sides() {
        // Black's first row, White's first row: a promoted silver is rarer than a silver.
        for (index, silver) in [(76, 4), (4, 4 + KIND_COUNT)] {
            assert!(log_prior(silver, index) > log_prior(silver + 8, index) + 3.0);
        }
        assert!((log_prior(3, 10) - log_prior(3 + KIND_COUNT, 80 - 10)).abs() < 1e-6);
    }
}
