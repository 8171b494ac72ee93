//! The accuracy of a side's moves, by the published formula of lichess (lichess.org/page/accuracy).
//!
//! The accuracy of a move falls with the win rate that it lost. Moves count more where the win rate changes much around
//! them. The accuracy of a game is the mean of their weighted and their harmonic mean.

const MOVES_PER_WINDOW_POSITION: usize = 10;

/// The minimum and maximum number of positions of a window.
const WINDOW_SIZES: [usize; 2] = [2, 8];

/// The minimum and maximum weight of a move.
const WEIGHTS: [f64; 2] = [0.5, 12.0];

/// The minimum accuracy of a move in the harmonic mean, in percent.
const MIN_HARMONIC_ACCURACY: f64 = 1.0;

/// Returns the weight of each move of a line: the standard deviation of the win rates around it. `rates` are Black's win
/// rates in percent at the start and after each move; `None` where they are not known.
pub(super) fn weights(rates: &[Option<f64>]) -> Vec<f64> {
    let moves = rates.len().saturating_sub(1);
    let [min, max] = WINDOW_SIZES;
    let size = (moves / MOVES_PER_WINDOW_POSITION).clamp(min, max);
    let window = |mv: usize| {
        // The first moves share the first window. Each later window ends with the position after the move.
        let end = (mv + 2).max(size).min(rates.len());
        rates.get(end.saturating_sub(size)..end).unwrap_or_default()
    };
    let [min, max] = WEIGHTS;
    (0..moves)
        .map(|mv| standard_deviation(window(mv)).clamp(min, max))
        .collect()
}

/// Returns the accuracy of moves in percent; `None` without moves. `moves` have the loss of each move in points of win rate,
/// from 0 to 100, and its weight.
pub(super) fn accuracy(moves: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let (mut count, mut weighted, mut weights, mut inverse) = (0.0, 0.0, 0.0, 0.0);
    for (loss, weight) in moves {
        let accuracy = move_accuracy(loss);
        count += 1.0;
        weighted += accuracy * weight;
        weights += weight;
        inverse += 1.0 / accuracy.max(MIN_HARMONIC_ACCURACY);
    }
    (count > 0.0).then(|| f64::midpoint(weighted / weights, count / inverse))
}

/// Returns the accuracy of a move that lost `loss` points of win rate, in percent.
fn move_accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Returns the standard deviation of the known values; 0 without any.
fn standard_deviation(values: &[Option<f64>]) -> f64 {
    let known = || values.iter().flatten();
    let count: f64 = known().map(|_| 1.0).sum();
    if count == 0.0 {
        return 0.0;
    }
    let mean = known().sum::<f64>() / count;
    (known().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_as_accurate_as_by_the_formula() {
        // 103.1668 × e^(−0.4354) − 3.1669 = 63.58.
        let rounded: Vec<_> = [0.0, 5.0, 10.0, 20.0, 50.0, 100.0]
            .map(|loss| move_accuracy(loss).round())
            .into();
        assert_eq!(rounded, [100.0, 80.0, 64.0, 40.0, 9.0, 0.0]);
    }

    #[test]
    fn a_window_is_a_tenth_of_the_game() {
        let rates = |moves: usize| {
            (0..=moves)
                .map(|ply| Some(if ply < 2 { 50.0 } else { 60.0 }))
                .collect::<Vec<_>>()
        };
        // Two positions each: only the second move has changed the win rate, by a deviation of 5.
        assert_eq!(weights(&rates(4)), [0.5, 5.0, 0.5, 0.5]);
        let wide = weights(&rates(40));
        assert_eq!(wide.len(), 40);
        assert_eq!(
            wide.iter().position(|weight| (*weight - 0.5).abs() < 1e-9),
            Some(4),
            "four positions"
        );
        assert_eq!(
            wide[0].to_bits(),
            wide[2].to_bits(),
            "the first moves share a window"
        );
        assert_eq!(weights(&[Some(0.0), Some(100.0)]), [12.0]);
        assert_eq!(weights(&[None, Some(100.0)]), [0.5]);
        assert!(weights(&[]).is_empty());
    }

    #[test]
    fn mistakes_show_in_the_mean() {
        let game = |losses: &[f64]| accuracy(losses.iter().map(|loss| (*loss, 1.0))).map(f64::round);
        let mut losses = [0.0; 60];
        assert_eq!(game(&losses), Some(100.0));
        (losses[10], losses[20]) = (52.0, 39.0);
        assert_eq!(game(&losses), Some(87.0), "100 minus the mean loss is 98");
        assert_eq!(accuracy(std::iter::empty()), None);
    }
}
