//! Squares of one picture that look alike are the same piece.

use crate::network::{CLASSES, EMPTY, HIDDEN, KINDS, Probabilities, likeliest, turned};
use crate::templates::{SquarePicture, correlation, mean_picture, without_common};

/// Two pieces are the same when what differs from the mean piece correlates at least so much.
const ALIKE: f32 = 0.8;
/// A probability counts as at least this.
const LEAST: f32 = 1e-4;
/// Likeness tells kinds apart when it holds for so much more of the pairs of one kind than of the others.
const LEAST_TOLD: f32 = 0.5;
/// With fewer pieces of a side, their mean says nothing of its shape.
const FEWEST: usize = 4;

/// A piece's square, whether it is White's, and its picture, upright and without what all pieces of its side have in common.
type Piece = (usize, bool, SquarePicture);

/// Gives squares that look alike the same probabilities: the geometric mean. Pieces of both sides are compared, one of
/// them turned. What all pieces have in common (the outline, the wood) does not count.
pub fn agree(pictures: &[SquarePicture], squares: &mut [Probabilities]) {
    let classes: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
    let pieces: Vec<Piece> =
        [false, true].into_iter().flat_map(|side| pieces_of_side(pictures, &classes, side)).collect();
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
    let pairs: Vec<(usize, usize, f32)> = pieces
        .iter()
        .enumerate()
        .flat_map(|(one, (_, _, picture))| {
            let others = pieces.iter().enumerate().skip(one + 1);
            others.map(move |(other, (_, _, with))| (one, other, correlation(picture, with)))
        })
        .collect();
    let Some(least) = least_alike(&pairs, &logs) else { return };
    let mut groups: Vec<([f32; CLASSES], f32)> = logs.iter().map(|logs| (*logs, 1.0)).collect();
    for (one, other, _) in pairs.into_iter().filter(|(_, _, correlation)| *correlation >= least) {
        for (to, from) in [(one, other), (other, one)] {
            if let (Some((sum, count)), Some(logs)) = (groups.get_mut(to), logs.get(from)) {
                sum.iter_mut().zip(logs).for_each(|(sum, log)| *sum += log);
                *count += 1.0;
            }
        }
    }
    for ((place, side, _), (sum, count)) in pieces.iter().zip(groups) {
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

/// Returns the pieces of a side, or none where they are too few to tell what they have in common.
fn pieces_of_side(pictures: &[SquarePicture], classes: &[usize], side: bool) -> Vec<Piece> {
    let range = if side { 1 + KINDS..HIDDEN } else { EMPTY + 1..1 + KINDS };
    let places = classes.iter().enumerate().filter(|(_, class)| range.contains(class)).map(|(place, _)| place);
    let upright = |place: usize| {
        let mut picture = *pictures.get(place)?;
        if side {
            picture.reverse();
        }
        Some((place, side, picture))
    };
    let mut pieces: Vec<Piece> = places.filter_map(upright).collect();
    if pieces.len() < FEWEST {
        return Vec::new();
    }
    let mean = mean_picture(&pieces.iter().map(|(_, _, picture)| picture).collect::<Vec<_>>());
    for (_, _, picture) in &mut pieces {
        *picture = without_common(picture, &mean);
    }
    pieces
}

/// Returns the correlation from which on two pieces are the same: that which tells best pairs of one kind from pairs of two, as
/// far as the kinds are known. `None` where none does: letters that can hardly be seen all correlate.
fn least_alike(pairs: &[(usize, usize, f32)], logs: &[[f32; CLASSES]]) -> Option<f32> {
    let chances: Vec<[f32; CLASSES]> = logs.iter().map(|logs| logs.map(f32::exp)).collect();
    let same = |one: usize, other: usize| -> f32 {
        let kinds = chances.get(one).zip(chances.get(other));
        kinds.map_or(0.0, |(one, other)| one.iter().zip(other).map(|(one, other)| one * other).sum())
    };
    let mut judged: Vec<(f32, f32)> =
        pairs.iter().map(|(one, other, correlation)| (*correlation, same(*one, *other).min(1.0))).collect();
    judged.sort_by(|left, right| right.0.total_cmp(&left.0));
    let all_same: f32 = judged.iter().map(|(_, same)| same).sum();
    let all_other: f32 = judged.iter().map(|(_, same)| 1.0 - same).sum();
    let (mut told, mut best) = (0.0, (LEAST_TOLD, None));
    for alike in judged.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq()) {
        told += alike.iter().map(|(_, same)| same / all_same.max(1.0) - (1.0 - same) / all_other.max(1.0)).sum::<f32>();
        if told > best.0 {
            best = (told, alike.first().map(|(correlation, _)| *correlation));
        }
    }
    best.1.map(|least| least.max(ALIKE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::SIDE;

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
    fn pieces_that_are_sure_to_differ_are_not_alike() {
        // Every second piece lies in the shade, and the letters can hardly be seen.
        let pictures: Vec<SquarePicture> = (0..12)
            .map(|place: usize| {
                let shown = piece(1 + place / 2, false);
                std::array::from_fn(|pixel| {
                    let shade = if pixel % SIDE > 20 && place.is_multiple_of(2) { -0.5 } else { 0.0 };
                    0.02 * shown[pixel] + shade
                })
            })
            .collect();
        let mut squares: Vec<Probabilities> = (0..12)
            .map(|place| std::array::from_fn(|class| if class == 1 + place / 2 { 0.95 } else { 0.05 / 29.0 }))
            .collect();
        agree(&pictures, &mut squares);
        let read: Vec<usize> = squares.iter().map(|square| likeliest(square).0).collect();
        assert_eq!(read, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn what_is_alone_stays() {
        let mut squares = vec![[1.0 / CLASSES as f32; CLASSES]; 3];
        let before = squares.clone();
        agree(&[piece(1, false), piece(2, false)], &mut squares);
        assert_eq!(squares, before);
    }
}
