//! The pieces in hand, read beside a board.
//!
//! Programs and broadcasts put them to the right and left of the board, above and below. What lies there and looks like the
//! board's own pieces is read; what a game lacks on the board says how many of them there are.

use crate::grid::{Grid, SIDE};
use crate::legal::{COUNTS, base};
use crate::network::{EMPTY, HIDDEN, KINDS, Network, Probabilities};
use crate::picture::Picture;
use crate::templates::SquarePicture;
use crate::track::Hands;
use shogibar_core::shogi::PieceKind;

/// The number of kinds that can be in hand, in the order of the classes: pawn to rook.
const IN_HAND: usize = 7;
/// How far beside the board pieces in hand are looked for, in squares: to the sides, and above and below.
const REACH: (f32, f32) = (5.0, 2.6);
/// The sizes of their squares, in the board's.
const SIZES: [f32; 6] = [0.55, 0.65, 0.75, 0.85, 0.95, 1.05];
/// How far the map reaches beyond the board, in squares.
const EDGES: (f32, f32) = (REACH.0 + 0.5, REACH.1 + 0.5);
/// The steps of the map for each square of the board.
const STEPS: usize = 12;
/// The share of a piece's square in which its letters are, and that beyond which nothing of it is.
const INNER: f32 = 0.8;
const OUTER: f32 = 1.15;
/// A piece has at least this share of the contrast that the board's pieces have: those that are only hinted at are not there.
const LEAST_CONTRAST: f32 = 0.6;
/// A piece is read with at least this probability.
const LEAST_SURE: f32 = 0.7;
/// The hand of the side at the bottom lies below this row, that of the other above its mirror image.
const HOME: f32 = 3.0;
/// A piece has more than so many times the contrast of what is around it.
const LEAST_APART: f32 = 1.6;
/// The most places that are read.
const MOST_PLACES: usize = 160;
/// How far from the place that was found it is looked at again, in its own squares.
const NUDGE: f32 = 0.06;

/// What was seen of the pieces in hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenHands {
    /// The numbers that are surely there.
    pub known: Hands,
    /// Whether these are all of them.
    pub is_whole: bool,
}

impl SeenHands {
    /// Returns the hands as an SFEN has them, where they are known whole. The side at the bottom is taken for Black.
    pub fn sfen(&self) -> Option<String> {
        let mut text = String::new();
        for (side, hand) in self.known.iter().enumerate() {
            for (kind, count) in PieceKind::IN_HAND.into_iter().zip(hand).filter(|(_, count)| **count > 0) {
                let letter = kind.letter();
                if *count > 1 {
                    text += &count.to_string();
                }
                text.push(if side == 0 { letter } else { letter.to_ascii_lowercase() });
            }
        }
        let text = if text.is_empty() { "-".to_owned() } else { text };
        self.is_whole.then_some(text)
    }
}

/// A piece that was seen beside the board.
#[derive(Clone, Copy, Debug)]
struct Found {
    /// Its middle and its size in squares of the board.
    place: (f32, f32),
    size: f32,
    /// Its kind in the order of the classes, 0 to 6, and its side.
    kind: usize,
    side: usize,
}

/// Reads the pieces in hand beside a board whose squares have these classes.
pub fn read_hands(picture: &Picture, network: &Network, grid: &Grid, classes: &[usize]) -> SeenHands {
    let Some(missing) = missing(classes) else { return SeenHands::default() };
    if missing == [0; 7] {
        return SeenHands { is_whole: true, ..SeenHands::default() };
    }
    let map = ContrastMap::new(picture, grid);
    let least_contrast = map.usual_contrast(classes) * LEAST_CONTRAST;
    let mut found: Vec<(f32, Found)> = Vec::new();
    for (apart, place, size) in map.places(least_contrast) {
        let Some((class, sure)) = read_place(picture, network, grid, place, size) else { continue };
        let (side, kind) = ((class - 1) / KINDS, (class - 1) % KINDS);
        let is_missing = missing.get(kind).is_some_and(|count| *count > 0);
        let is_at_home = if side == 0 { place.1 > HOME } else { place.1 < 9.0 - HOME };
        if is_missing && is_at_home {
            found.push((sure * sure * apart * size * size, Found { place, size, kind, side }));
        }
    }
    count_pieces(&of_one_size(found), &missing)
}

/// Returns how many pieces of each kind are not on the board; `None` where squares are hidden or a kind is there too often.
fn missing(classes: &[usize]) -> Option<[usize; IN_HAND]> {
    let mut missing = COUNTS;
    for class in classes.iter().copied().filter(|class| *class != EMPTY) {
        if class >= HIDDEN {
            return None;
        }
        let count = missing.get_mut(base((class - 1) % KINDS))?;
        *count = count.checked_sub(1)?;
    }
    missing.first_chunk().copied()
}

/// Reads a place: returns the class, one of a piece that can be in hand, and its probability.
fn read_place(
    picture: &Picture,
    network: &Network,
    grid: &Grid,
    (across, down): (f32, f32),
    size: f32,
) -> Option<(usize, f32)> {
    const NUDGES: [(f32, f32); 5] = [(0.0, 0.0), (-NUDGE, 0.0), (NUDGE, 0.0), (0.0, -NUDGE), (0.0, NUDGE)];
    let mut pictures: Vec<SquarePicture> = vec![[0.0; SIDE * SIDE]; NUDGES.len()];
    for ((right, below), values) in NUDGES.into_iter().zip(&mut pictures) {
        let corner = (across + (right - 0.5) * size, down + (below - 0.5) * size);
        grid.read_area(picture, corner, size, values);
    }
    let first = *pictures.first()?;
    let is_nothing = |read: &Probabilities| read[EMPTY] + read[HIDDEN] > 0.9;
    if network.classify(&first).iter().any(is_nothing) {
        return None;
    }
    let mut mean = [0.0; HIDDEN + 1];
    for read in network.classify(pictures.as_flattened()) {
        mean.iter_mut().zip(read).for_each(|(mean, chance)| *mean += chance / NUDGES.len() as f32);
    }
    // No other kinds can be there.
    let can_be = |class: usize| (class - 1) % KINDS < IN_HAND;
    let of_hand = |class: &usize| can_be(*class);
    let sum: f32 = (EMPTY + 1..HIDDEN).filter(of_hand).filter_map(|class| mean.get(class)).sum();
    let chance = |class: usize| mean.get(class).copied().unwrap_or_default();
    let best = (EMPTY + 1..HIDDEN).filter(of_hand).max_by(|one, other| chance(*one).total_cmp(&chance(*other)))?;
    let sure = chance(best) / sum * (1.0 - mean[EMPTY] - mean[HIDDEN]);
    (sure >= LEAST_SURE).then_some((best, sure))
}

/// Keeps what is of one size, that of which most is seen, and does not overlap. Each comes with its weight.
fn of_one_size(mut found: Vec<(f32, Found)>) -> Vec<Found> {
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let of_size = |size: f32| {
        let mut kept: Vec<(f32, Found)> = Vec::new();
        for one in found.iter().filter(|(_, one)| is_near(one.size, size)) {
            let far = |(_, other): &(f32, Found)| {
                let (across, down) = (one.1.place.0 - other.place.0, one.1.place.1 - other.place.1);
                across.abs().max(down.abs()) >= 0.6 * size
            };
            if kept.iter().all(far) {
                kept.push(*one);
            }
        }
        kept
    };
    let weight = |kept: &Vec<(f32, Found)>| kept.iter().map(|(weight, _)| weight).sum::<f32>();
    let kept = SIZES.map(of_size).into_iter().max_by(|one, other| weight(one).total_cmp(&weight(other)));
    kept.unwrap_or_default().into_iter().map(|(_, one)| one).collect()
}

/// Returns whether two sizes are about the same.
fn is_near(one: f32, other: f32) -> bool {
    (one / other).ln().abs() < 0.2
}

/// Counts the pieces in hand. Where every kind is seen that is missing on the board, and pieces of both sides, then a kind that one
/// side alone has is there as often as it is missing: programs show one piece and its number. Else those are known that are shown.
fn count_pieces(found: &[Found], missing: &[usize; IN_HAND]) -> SeenHands {
    let seen = |kind: usize, side: usize| found.iter().filter(|one| one.kind == kind && one.side == side).count();
    let kinds: Vec<(usize, usize)> = missing.iter().copied().enumerate().filter(|(_, missing)| *missing > 0).collect();
    let both_sides = [0, 1].into_iter().all(|side| found.iter().any(|one| one.side == side));
    let all_kinds = kinds.iter().all(|(kind, _)| seen(*kind, 0) + seen(*kind, 1) > 0);
    let mut hands = SeenHands { is_whole: true, ..SeenHands::default() };
    for (kind, missing) in kinds {
        let counts = match [seen(kind, 0), seen(kind, 1)] {
            [own, 0] if own > 0 && both_sides && all_kinds => [missing, 0],
            [0, other] if other > 0 && both_sides && all_kinds => [0, missing],
            [own, other] if own + other <= missing => [own, other],
            _ => [0, 0],
        };
        hands.is_whole &= counts[0] + counts[1] == missing;
        for (hand, count) in hands.known.iter_mut().zip(counts) {
            // Hands begin with the rook.
            if let Some(number) = hand.get_mut(IN_HAND - 1 - kind) {
                *number = u8::try_from(count).unwrap_or(u8::MAX);
            }
        }
    }
    hands
}

/// How much neighbouring points of a picture differ, in the squares of a board and beside it, as sums from the top left.
#[derive(Debug)]
struct ContrastMap {
    width: usize,
    height: usize,
    sums: Vec<f32>,
}

impl ContrastMap {
    fn new(picture: &Picture, grid: &Grid) -> Self {
        let (width, height) = map_size();
        let points: Vec<f32> = (0..=height)
            .flat_map(|y| (0..=width).map(move |x| (x, y)))
            .map(|(x, y)| {
                let place = |index: usize, edge: f32| (index as f32 + 0.5) / STEPS as f32 - edge;
                let (x, y) = grid.pixel(place(x, EDGES.0), place(y, EDGES.1));
                picture.at(x, y)
            })
            .collect();
        let point = |x: usize, y: usize| points.get(y * (width + 1) + x).copied().unwrap_or_default();
        let mut sums = vec![0.0; (width + 1) * (height + 1)];
        for y in 0..height {
            let mut row = 0.0;
            for x in 0..width {
                row += (point(x + 1, y) - point(x, y)).abs() + (point(x, y + 1) - point(x, y)).abs();
                let above = sums.get(y * (width + 1) + x + 1).copied().unwrap_or_default();
                if let Some(sum) = sums.get_mut((y + 1) * (width + 1) + x + 1) {
                    *sum = above + row;
                }
            }
        }
        Self { width, height, sums }
    }

    /// Returns the sum in a square around a place and its area, both in squares of the board.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the map")]
    fn sum(&self, (across, down): (f32, f32), side: f32) -> (f32, f32) {
        let index = |place: f32, edge: f32, most: usize| {
            ((place + edge) * STEPS as f32).round().clamp(0.0, most as f32) as usize
        };
        let (left, right) = [-0.5, 0.5].map(|half| index(across + half * side, EDGES.0, self.width)).into();
        let (top, bottom) = [-0.5, 0.5].map(|half| index(down + half * side, EDGES.1, self.height)).into();
        let at = |x: usize, y: usize| self.sums.get(y * (self.width + 1) + x).copied().unwrap_or_default();
        let sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        (sum, ((right - left) * (bottom - top)) as f32)
    }

    /// Returns the mean contrast inside a piece at a place, and around it.
    fn contrast(&self, place: (f32, f32), size: f32) -> (f32, f32) {
        let ((inner, inner_area), (outer, outer_area)) = (self.sum(place, INNER * size), self.sum(place, OUTER * size));
        (inner / inner_area.max(1.0), (outer - inner) / (outer_area - inner_area).max(1.0))
    }

    /// Returns the median contrast of the pieces on the board.
    fn usual_contrast(&self, classes: &[usize]) -> f32 {
        let pieces = classes.iter().enumerate().filter(|(_, class)| **class != EMPTY).map(|(place, _)| place);
        let middle = |place: usize| ((place % 9) as f32 + 0.5, (place / 9) as f32 + 0.5);
        let mut contrasts: Vec<f32> = pieces.map(|place| self.contrast(middle(place), 1.0).0).collect();
        contrasts.sort_by(f32::total_cmp);
        contrasts.get(contrasts.len() / 2).copied().unwrap_or(f32::MAX)
    }

    /// Returns the places beside the board where something of a piece's size has at least this contrast, and less around it.
    fn places(&self, least: f32) -> Vec<(f32, (f32, f32), f32)> {
        let mut places = Vec::new();
        let (columns, rows) = map_size();
        for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
            let place = (x as f32 / STEPS as f32 - EDGES.0, y as f32 / STEPS as f32 - EDGES.1);
            for size in SIZES {
                let beyond = |middle: f32, reach: f32| {
                    let beside = (middle + size / 2.0 - 9.0).max(size / 2.0 - middle);
                    (beside >= size, beside <= reach)
                };
                let ((right, near), (below, in_reach)) = (beyond(place.0, REACH.0), beyond(place.1, REACH.1));
                if !(right || below) || !near || !in_reach {
                    continue;
                }
                let (inner, ring) = self.contrast(place, size);
                if inner >= least && inner > LEAST_APART * ring {
                    places.push((inner - ring, place, size));
                }
            }
        }
        places.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut kept: Vec<(f32, (f32, f32), f32)> = Vec::new();
        for (apart, place, size) in places {
            let is_near = |(_, other, of): &(f32, (f32, f32), f32)| {
                (place.0 - other.0).abs().max((place.1 - other.1).abs()) < 0.25 * size && is_near(size, *of)
            };
            if kept.len() < MOST_PLACES && !kept.iter().any(is_near) {
                kept.push((apart, place, size));
            }
        }
        kept
    }
}

/// Returns the width and height of the map.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few squares")]
fn map_size() -> (usize, usize) {
    let steps = |edge: f32| ((9.0 + 2.0 * edge) * STEPS as f32) as usize;
    (steps(EDGES.0), steps(EDGES.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces that were seen: of the side at the bottom in capitals, of the other in small letters.
    fn found(pieces: &str) -> Vec<Found> {
        let piece = |(place, letter): (u8, char)| Found {
            place: (f32::from(place), 0.0),
            size: 0.8,
            kind: "PLNSGBR".find(letter.to_ascii_uppercase()).expect("a kind"),
            side: usize::from(letter.is_ascii_lowercase()),
        };
        (0..).zip(pieces.chars()).map(piece).collect()
    }

    #[test]
    fn what_is_missing_on_the_board_says_how_many() {
        let said = |pieces: &str, missing: [usize; IN_HAND]| {
            let hands = count_pieces(&found(pieces), &missing);
            (hands.sfen(), hands.known)
        };
        // Missing: pawns, lances, knights, silvers, golds, bishops, rooks; hands begin with the rook.
        assert_eq!(said("PBs", [3, 0, 0, 1, 0, 1, 0]).0.as_deref(), Some("B3Ps"), "one piece stands for three");
        assert_eq!(said("PPpp", [4, 0, 0, 0, 0, 0, 0]).0.as_deref(), Some("2P2p"), "each is shown");
        assert_eq!(said("Pp", [2, 0, 0, 0, 0, 0, 0]).0.as_deref(), Some("Pp"));
        assert_eq!(
            said("Pp", [5, 0, 0, 0, 0, 0, 0]),
            (None, [[0, 0, 0, 0, 0, 0, 1]; 2]),
            "two numbers that are not read"
        );
        assert_eq!(said("PPP", [3, 0, 0, 0, 0, 0, 0]).0.as_deref(), Some("3P"), "the other hand is empty");
        let of_one_side = [[0, 0, 0, 0, 0, 0, 1], [0; 7]];
        assert_eq!(said("P", [3, 0, 0, 0, 0, 0, 0]), (None, of_one_side), "the other hand may be out of the picture");
        assert_eq!(said("Pg", [3, 0, 0, 0, 1, 1, 0]).0, None, "the bishop is not seen");
        assert_eq!(said("PPP", [2, 0, 0, 0, 0, 0, 0]), (None, [[0; 7]; 2]), "more than there can be");
    }

    #[test]
    fn pieces_of_another_size_and_the_same_piece_again_do_not_count() {
        let at = |x: f32, size: f32| Found { place: (x, 0.0), size, kind: 0, side: 0 };
        let seen = vec![(0.9, at(10.0, 0.8)), (0.8, at(10.2, 0.75)), (0.7, at(11.0, 0.85)), (0.6, at(13.0, 0.55))];
        let places: Vec<f32> = of_one_size(seen).into_iter().map(|one| one.place.0).collect();
        assert_eq!(places, [10.0, 11.0]);
    }

    #[test]
    fn promoted_pieces_are_not_missing_and_hidden_squares_may_hide_anything() {
        let mut classes = vec![EMPTY; 81];
        classes[..3].copy_from_slice(&[1, 9, 28]);
        assert_eq!(missing(&classes), Some([16, 4, 4, 4, 4, 2, 1]));
        classes[80] = HIDDEN;
        assert_eq!(missing(&classes), None);
        assert_eq!(missing(&[6, 6, 20]), None, "three bishops");
    }
}
