//! Squares of one picture that look alike are the same piece.

use crate::grid::SIDE;
use crate::network::{CLASSES, EMPTY, HIDDEN, KINDS, Probabilities, likeliest, turned};
use crate::templates::{SquarePicture, correlation};

/// Two pieces are the same when what differs from the mean piece correlates so much.
const ALIKE: f32 = 0.8;
/// A probability counts as at least this.
const LEAST: f32 = 1e-4;
/// With fewer pieces of a side, their mean says nothing of its shape.
const FEWEST: usize = 4;

/// Gives squares that look alike the same probabilities: the geometric mean. Pieces of both sides are compared, one of
/// them turned. What all pieces have in common (the outline, the wood) does not count.
pub fn agree(pictures: &[SquarePicture], squares: &mut [Probabilities]) {
    let classes: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
    // The pictures of the pieces, all of them upright, and the places of their squares.
    let mut pieces: Vec<(usize, bool, SquarePicture)> = Vec::new();
    for side in [false, true] {
        let range = if side { 1 + KINDS..HIDDEN } else { EMPTY + 1..1 + KINDS };
        let places = classes.iter().enumerate().filter(|(_, class)| range.contains(class)).map(|(place, _)| place);
        let upright = |place: usize| {
            let mut picture = *pictures.get(place)?;
            if side {
                picture.reverse();
            }
            Some((place, side, picture))
        };
        let of_side: Vec<_> = places.filter_map(upright).collect();
        if of_side.len() >= FEWEST {
            let mut mean = [0.0; SIDE * SIDE];
            let share = 1.0 / f32::from(u8::try_from(of_side.len()).unwrap_or(u8::MAX));
            for (_, _, picture) in &of_side {
                mean.iter_mut().zip(picture).for_each(|(mean, value)| *mean += value * share);
            }
            pieces.extend(of_side.into_iter().map(|(place, side, mut picture)| {
                picture.iter_mut().zip(&mean).for_each(|(value, mean)| *value -= mean);
                (place, side, picture)
            }));
        }
    }
    // The logarithms of the probabilities as those of an upright piece.
    let logs: Vec<[f32; CLASSES]> = pieces
        .iter()
        .map(|(place, side, _)| {
            let square = squares.get(*place).copied().unwrap_or([0.0; CLASSES]);
            std::array::from_fn(|class| {
                let class = if *side { turned(class) } else { class };
                square.get(class).copied().unwrap_or_default().max(LEAST).ln()
            })
        })
        .collect();
    for (place, side, picture) in &pieces {
        let (mut sum, mut count) = ([0.0_f32; CLASSES], 0.0_f32);
        for ((_, _, other), logs) in pieces.iter().zip(&logs) {
            if correlation(picture, other) >= ALIKE {
                sum.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
                count += 1.0;
            }
        }
        if count < 2.0 {
            continue;
        }
        let powers = sum.map(|log| (log / count).exp());
        let total: f32 = powers.iter().sum();
        let Some(square) = squares.get_mut(*place) else { continue };
        for (class, probability) in square.iter_mut().enumerate() {
            let class = if *side { turned(class) } else { class };
            *probability = powers.get(class).copied().unwrap_or_default() / total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A piece: the same outline for all, and a sign of its kind; the second side's is turned.
    fn piece(kind: usize, side: bool) -> SquarePicture {
        std::array::from_fn(|place| {
            let place = if side { SIDE * SIDE - 1 - place } else { place };
            let (x, y) = (place % SIDE, place / SIDE);
            let outline = if x.abs_diff(16) + y / 3 > 18 { -2.0 } else { 1.0 };
            let inside = x.abs_diff(16) < 8 && y.abs_diff(16) < 8;
            let sign = ((x * (kind + 2) + y * (3 * kind + 1)) / 9).is_multiple_of(2);
            outline - if inside && sign { 1.0 } else { 0.0 }
        })
    }

    #[test]
    fn a_misread_piece_is_what_its_likes_are() {
        let seen = [(1, false), (1, false), (1, true), (1, true), (4, false), (4, true), (6, false), (6, true)];
        let pictures: Vec<SquarePicture> = seen.iter().map(|(kind, side)| piece(*kind, *side)).collect();
        let sure = |class: usize, chance: f32| -> Probabilities {
            std::array::from_fn(|other| if other == class { chance } else { (1.0 - chance) / 29.0 })
        };
        let mut squares: Vec<Probabilities> =
            seen.iter().map(|(kind, side)| sure(kind + if *side { KINDS } else { 0 }, 0.97)).collect();
        squares[3] = sure(28, 0.6);
        squares[6] = sure(13, 0.6);
        squares[7] = sure(20, 0.9);
        agree(&pictures, &mut squares);
        let read: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
        assert_eq!(read, [1, 1, 15, 15, 4, 18, 6, 20]);
    }

    #[test]
    fn what_is_alone_stays() {
        let mut squares = vec![[1.0 / CLASSES as f32; CLASSES]; 3];
        let before = squares.clone();
        agree(&[piece(1, false), piece(2, false)], &mut squares);
        assert_eq!(squares, before);
    }
}
