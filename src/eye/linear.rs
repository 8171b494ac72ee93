//! Linear equations.

/// Solves `N` equations with `N` unknowns by Gaussian elimination. Each row has the factors of the unknowns, then the
/// sum; `M` is `N` + 1. `None` where the solution is not unique.
#[expect(
    clippy::indexing_slicing,
    reason = "indices below N in arrays of N rows of N + 1"
)]
pub fn solve<const N: usize, const M: usize>(mut rows: [[f64; M]; N]) -> Option<[f64; N]> {
    const { assert!(M == N + 1, "a row has a factor for each unknown, and the sum") };
    for pivot in 0..N {
        let best = (pivot..N).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()))?;
        rows.swap(pivot, best);
        let head = rows[pivot];
        if head[pivot].abs() < 1e-9 {
            return None;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(index, _)| *index != pivot) {
            let factor = row[pivot] / head[pivot];
            row.iter_mut()
                .zip(&head)
                .for_each(|(value, other)| *value -= factor * other);
        }
    }
    Some(std::array::from_fn(|index| rows[index][N] / rows[index][index]))
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn equations_are_solved() {
        assert_eq!(solve([[1.0, 1.0, 3.0], [1.0, -1.0, 1.0]]), Some([2.0, 1.0]));
        assert_eq!(solve([[1.0, 1.0, 3.0], [2.0, 2.0, 6.0]]), None);
    }
}
