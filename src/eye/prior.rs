//! What a square is likely to show before it is seen.
//!
//! The network was trained on boards on which all kinds of pieces are equally frequent, and many squares are hidden. In a game
//! most pieces are pawns, a promoted knight on its own side's first row is rare, and few pictures have a hidden square.

use crate::network::{EMPTY, HIDDEN, KINDS, Probabilities};

/// How many of 10,000 squares of a row have nothing, then each kind of one side: from the side's last row to its first.
/// `eye-frequencies` counted them in 13,075 positions of 100 public games.
const SHARES: [[f32; 9]; KINDS + 1] = [
    [4848.0, 6738.0, 4170.0, 6298.0, 7766.0, 6298.0, 4170.0, 6738.0, 4848.0],
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
/// No kind is rarer: some boards come from problems, or were set up by hand.
const LEAST: f32 = 10.0;
/// How many of 10,000 squares had a kind of one side, and nothing, while the network was trained.
const TRAINED: f32 = 280.0;
const TRAINED_EMPTY: f32 = 2000.0;
/// Hidden squares were so many times as frequent in the training as they are in pictures.
const HIDDEN_TOO_OFTEN: f32 = 20.0;
/// The share of the prior that counts, in the exponent: not every board is from the middle of a game.
const STRENGTH: f32 = 0.7;

/// Weighs the probabilities of 81 squares, from the top left, by how often their classes stand there.
pub fn weigh(squares: &mut [Probabilities]) {
    for (place, square) in squares.iter_mut().enumerate() {
        let row = place / 9;
        let share = |kind: usize, row: usize| SHARES.get(kind).and_then(|rows| rows.get(row)).copied();
        let (mut before, mut after) = (0.0, 0.0);
        for (class, probability) in square.iter_mut().enumerate().take(HIDDEN) {
            let (share, trained) = match class {
                EMPTY => (share(0, row), TRAINED_EMPTY),
                1..=KINDS => (share(class, row), TRAINED),
                _ => (share(class - KINDS, 8_usize.saturating_sub(row)), TRAINED),
            };
            before += *probability;
            *probability *= (share.unwrap_or(LEAST).max(LEAST) / trained).powf(STRENGTH);
            after += *probability;
        }
        if after > 0.0 {
            // The sum of what is seen stays, that of hidden falls, and all of it is one again.
            let [seen @ .., hidden] = square;
            *hidden /= HIDDEN_TOO_OFTEN;
            let all = before + *hidden;
            *hidden /= all;
            for probability in seen {
                *probability *= before / after / all;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{CLASSES, likeliest};

    #[test]
    fn what_is_rare_there_must_be_seen_clearly() {
        let mut squares = vec![[0.0; CLASSES]; 81];
        // Black's first row: a silver or a promoted silver; White's first row: the same; the middle: perhaps hidden, surely hidden.
        (squares[76][4], squares[76][12]) = (0.45, 0.55);
        (squares[4][18], squares[4][26]) = (0.45, 0.55);
        (squares[78][4], squares[78][12]) = (0.05, 0.95);
        (squares[40][EMPTY], squares[40][HIDDEN]) = (0.4, 0.6);
        (squares[41][EMPTY], squares[41][HIDDEN]) = (0.01, 0.99);
        weigh(&mut squares);
        assert_eq!([76, 4, 78, 40, 41].map(|place| likeliest(&squares[place]).0), [4, 18, 12, EMPTY, HIDDEN]);
        let sum = |place: usize| squares[place].iter().sum::<f32>();
        assert!([76, 4, 40, 41].iter().all(|place| (sum(*place) - 1.0).abs() < 1e-5));
        assert!(sum(0).abs() < 1e-9, "what says nothing stays so");
    }
}
