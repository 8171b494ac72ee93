//! The pieces in hand, read beside a board.
//!
//! Programs and broadcasts put them to the right and left of the board, above and below. Numbers beside them are not read: what a
//! game lacks on the board says how many there are.

use crate::grid::{Grid, SIDE};
use crate::joint::{COUNTS, base};
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
/// The width and height of the map in steps.
const MAP_SIZE: (usize, usize) = (map_steps(EDGES.0), map_steps(EDGES.1));
/// The side of the part of a piece's square in which its letters are, in its squares.
const LETTERS: f32 = 0.8;
/// The side of the part beyond which nothing of it is.
const AROUND: f32 = 1.15;
/// A piece has at least this share of the contrast that the board's pieces have: those that are only hinted at are not there.
const LEAST_CONTRAST: f32 = 0.6;
/// A piece is read with at least this probability.
const LEAST_SURE: f32 = 0.7;
/// A place shows nothing where the probability of that is larger.
const NOTHING: f32 = 0.9;
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
    /// The numbers that were seen, first those of the side at the bottom of the picture.
    pub known: Hands,
    /// Whether these are all of them. Two readings agree then: of the places beside the board, and of what it lacks.
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

/// A place beside the board that may show a piece.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// Its middle in squares of the board from the top left corner.
    middle: (f32, f32),
    /// Its side in squares of the board.
    size: f32,
    /// By how many grey levels a step the contrast within is larger than around it.
    apart: f32,
}

/// A piece beside the board.
#[derive(Clone, Copy, Debug)]
struct HandPiece {
    place: Place,
    /// Its kind in the order of the classes, 0 to 6.
    kind: usize,
    /// 0 for the side at the bottom.
    side: usize,
    /// Its probability; below [`LEAST_SURE`] something is there that nobody can tell.
    sure: f32,
}

impl HandPiece {
    /// How much of the picture it explains.
    fn weight(&self) -> f32 {
        self.sure * self.sure * self.place.apart * self.place.size * self.place.size
    }
}

/// Reads the pieces in hand beside a board whose 81 squares have these classes, from the top left, row by row. Nothing is known where
/// squares are hidden or a kind is on the board too often.
pub fn read_hands(picture: &Picture, network: &Network, grid: &Grid, classes: &[usize]) -> SeenHands {
    let Some(missing) = missing(classes) else { return SeenHands::default() };
    if missing == [0; IN_HAND] {
        return SeenHands { is_whole: true, ..SeenHands::default() };
    }
    let map = ContrastMap::new(picture, grid);
    let places = map.places(map.usual_contrast(classes) * LEAST_CONTRAST);
    let is_all = places.len() < MOST_PLACES;
    let pieces = of_one_size(read_places(picture, network, grid, places));
    let mut hands = count_pieces(&pieces, &missing);
    hands.is_whole &= is_all;
    hands
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

/// Reads places: each a little beside itself, too, since where a piece lies is not known well.
fn read_places(picture: &Picture, network: &Network, grid: &Grid, places: Vec<Place>) -> Vec<HandPiece> {
    const NUDGES: [(f32, f32); 4] = [(-NUDGE, 0.0), (NUDGE, 0.0), (0.0, -NUDGE), (0.0, NUDGE)];
    let read = |places: &[Place], nudges: &[(f32, f32)]| {
        let mut pictures: Vec<SquarePicture> = vec![[0.0; SIDE * SIDE]; places.len() * nudges.len()];
        let all = places.iter().flat_map(|place| nudges.iter().map(move |nudge| (place, nudge)));
        for ((place, (right, below)), values) in all.zip(&mut pictures) {
            let Place { middle: (across, down), size, .. } = *place;
            grid.read_area(picture, (across + (right - 0.5) * size, down + (below - 0.5) * size), size, values);
        }
        network.classify(pictures.as_flattened())
    };
    let first = read(&places, &[(0.0, 0.0)]);
    let shows_something = |(_, read): &(Place, Probabilities)| read[EMPTY] + read[HIDDEN] <= NOTHING;
    let (places, first): (Vec<Place>, Vec<Probabilities>) =
        places.into_iter().zip(first).filter(shows_something).unzip();
    let others = read(&places, &NUDGES);
    let all = places.into_iter().zip(first).zip(others.chunks_exact(NUDGES.len()));
    all.filter_map(|((place, mut read), others)| {
        for (class, chance) in read.iter_mut().enumerate() {
            let sum: f32 = others.iter().filter_map(|other| other.get(class)).sum();
            *chance = (*chance + sum) / (NUDGES.len() + 1) as f32;
        }
        piece_at(place, &read)
    })
    .collect()
}

/// Returns the likeliest piece in hand of a place; `None` where it likely shows nothing, or no such piece.
fn piece_at(place: Place, read: &Probabilities) -> Option<HandPiece> {
    let of_hand = (0..2).flat_map(|side| (0..IN_HAND).map(move |kind| (side, kind)));
    let chances = of_hand.filter_map(|(side, kind)| Some((side, kind, *read.get(EMPTY + 1 + side * KINDS + kind)?)));
    let chances: Vec<(usize, usize, f32)> = chances.collect();
    let sum: f32 = chances.iter().map(|(.., chance)| chance).sum();
    let (side, kind, chance) = chances.into_iter().max_by(|one, other| one.2.total_cmp(&other.2))?;
    let sure = chance / sum * (1.0 - read[EMPTY] - read[HIDDEN]);
    let is_at_home = if side == 0 { place.middle.1 > HOME } else { place.middle.1 < 9.0 - HOME };
    // Kings and promoted pieces are not in hand.
    (sum >= 0.5 && is_at_home).then_some(HandPiece { place, kind, side, sure })
}

/// Keeps what is of one size, that of which most is seen, and does not overlap.
fn of_one_size(mut pieces: Vec<HandPiece>) -> Vec<HandPiece> {
    pieces.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    let of_size = |size: f32| {
        let mut kept: Vec<HandPiece> = Vec::new();
        for one in pieces.iter().filter(|one| is_near(one.place.size, size)) {
            let is_apart = |other: &HandPiece| distance(&one.place, &other.place) >= 0.6 * size;
            if kept.iter().all(is_apart) {
                kept.push(*one);
            }
        }
        kept
    };
    let weight = |kept: &Vec<HandPiece>| kept.iter().map(HandPiece::weight).sum::<f32>();
    let kept = SIZES.map(of_size).into_iter().max_by(|one, other| weight(one).total_cmp(&weight(other)));
    kept.unwrap_or_default()
}

/// Returns how far two places are from each other, in squares: the longer of across and down.
fn distance(one: &Place, other: &Place) -> f32 {
    (one.middle.0 - other.middle.0).abs().max((one.middle.1 - other.middle.1).abs())
}

/// Returns whether two sizes are about the same.
fn is_near(one: f32, other: f32) -> bool {
    (one / other).ln().abs() < 0.2
}

/// Counts the pieces in hand. Where nothing is in doubt, and every kind that is missing on the board is seen, pieces of both sides, and none
/// twice, a kind that one side alone has is there as often as it is missing: programs show one piece and its number. Else those count
/// that are shown.
fn count_pieces(pieces: &[HandPiece], missing: &[usize; IN_HAND]) -> SeenHands {
    let sure = || pieces.iter().filter(|piece| piece.sure >= LEAST_SURE);
    let seen = |kind: usize, side: usize| sure().filter(|piece| piece.kind == kind && piece.side == side).count();
    let kinds = || missing.iter().copied().enumerate().filter(|(_, missing)| *missing > 0);
    let both_sides = [0, 1].into_iter().all(|side| sure().any(|piece| piece.side == side));
    // Nothing is in doubt, and no kind is seen that the board does not lack. One side's pieces alone, on the other's half, may be both hands.
    let in_own_half = |piece: &HandPiece| (piece.place.middle.1 > 4.5) == (piece.side == 0);
    let is_clear = pieces.iter().all(|piece| {
        piece.sure >= LEAST_SURE
            && missing.get(piece.kind).is_some_and(|missing| *missing > 0)
            && (both_sides || in_own_half(piece))
    });
    let has_numbers = is_clear && both_sides && kinds().all(|(kind, _)| seen(kind, 0).max(seen(kind, 1)) == 1);
    let mut hands = SeenHands { is_whole: is_clear, ..SeenHands::default() };
    for (kind, missing) in kinds() {
        let counts = match [seen(kind, 0), seen(kind, 1)] {
            [1, 0] if has_numbers => [missing, 0],
            [0, 1] if has_numbers => [0, missing],
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
struct ContrastMap(Vec<f32>);

impl ContrastMap {
    fn new(picture: &Picture, grid: &Grid) -> Self {
        let (width, height) = MAP_SIZE;
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
        Self(sums)
    }

    /// Returns the sum in a square around a place and its area, both in squares of the board.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the map")]
    fn sum(&self, (across, down): (f32, f32), side: f32) -> (f32, f32) {
        let index = |place: f32, edge: f32, most: usize| {
            ((place + edge) * STEPS as f32).round().clamp(0.0, most as f32) as usize
        };
        let (left, right) = [-0.5, 0.5].map(|half| index(across + half * side, EDGES.0, MAP_SIZE.0)).into();
        let (top, bottom) = [-0.5, 0.5].map(|half| index(down + half * side, EDGES.1, MAP_SIZE.1)).into();
        let at = |x: usize, y: usize| self.0.get(y * (MAP_SIZE.0 + 1) + x).copied().unwrap_or_default();
        let sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        (sum, ((right - left) * (bottom - top)) as f32)
    }

    /// Returns the mean contrast inside a piece at a place, and around it.
    fn contrast(&self, place: (f32, f32), size: f32) -> (f32, f32) {
        let ((inner, inner_area), (outer, outer_area)) =
            (self.sum(place, LETTERS * size), self.sum(place, AROUND * size));
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

    /// Returns the places beside the board where something of a piece's size has at least this contrast, and less around it. Those that stand
    /// out most come first.
    fn places(&self, least: f32) -> Vec<Place> {
        let mut places = Vec::new();
        let (columns, rows) = MAP_SIZE;
        for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
            let middle = (x as f32 / STEPS as f32 - EDGES.0, y as f32 / STEPS as f32 - EDGES.1);
            let beyond = (middle.0 - 4.5).abs().max((middle.1 - 4.5).abs()) - 4.5;
            for size in SIZES.into_iter().filter(|size| beyond >= size / 2.0) {
                let is_in_reach = |place: f32, reach: f32| (place - 4.5).abs() + size / 2.0 <= 4.5 + reach;
                if !is_in_reach(middle.0, REACH.0) || !is_in_reach(middle.1, REACH.1) {
                    continue;
                }
                let (inside, around) = self.contrast(middle, size);
                if inside >= least && inside > LEAST_APART * around {
                    places.push(Place { middle, size, apart: inside - around });
                }
            }
        }
        places.sort_by(|one, other| other.apart.total_cmp(&one.apart));
        let mut kept: Vec<Place> = Vec::new();
        for place in places {
            let is_same =
                |other: &Place| distance(&place, other) < 0.25 * place.size && is_near(place.size, other.size);
            if kept.len() < MOST_PLACES && !kept.iter().any(is_same) {
                kept.push(place);
            }
        }
        kept
    }
}

/// Returns the steps of the map across the board and what lies beyond it on both sides.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few squares")]
const fn map_steps(edge: f32) -> usize {
    ((9.0 + 2.0 * edge) * STEPS as f32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(middle: (f32, f32), size: f32, sure: f32) -> HandPiece {
        HandPiece { place: Place { middle, size, apart: 20.0 }, kind: 0, side: 0, sure }
    }

    /// Pieces that were seen: of the side at the bottom in capitals, of the other in small letters; those after ? are in doubt.
    fn seen(pieces: &str) -> Vec<HandPiece> {
        let mut sure = 0.9;
        let mut all = Vec::new();
        for letter in pieces.chars() {
            if letter == '?' {
                sure = 0.4;
                continue;
            }
            let side = usize::from(letter.is_ascii_lowercase());
            let kind = "PLNSGBR".find(letter.to_ascii_uppercase()).expect("a kind");
            all.push(HandPiece { kind, side, ..piece((10.0, if side == 0 { 8.0 } else { 1.0 }), 0.8, sure) });
        }
        all
    }

    #[test]
    fn what_is_missing_on_the_board_says_how_many() {
        let said = |pieces: &str, missing: [usize; IN_HAND]| {
            let hands = count_pieces(&seen(pieces), &missing);
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
        assert_eq!(said("PPSg", [2, 0, 0, 2, 1, 0, 0]).0, None, "each is shown, so the second silver was missed");
        assert_eq!(said("Ps?s", [1, 0, 0, 2, 0, 0, 0]).0, None, "a place is in doubt");
        assert_eq!(said("Pgs", [1, 0, 0, 0, 1, 0, 0]).0, None, "the board lacks no silver: something was misread");
    }

    #[test]
    fn a_hand_on_the_half_of_the_other_side_may_be_both_hands() {
        let whole = |row: f32| count_pieces(&[piece((10.0, row), 0.8, 0.9)], &[1, 0, 0, 0, 0, 0, 0]).is_whole;
        assert_eq!([8.0, 4.0].map(whole), [true, false]);
    }

    #[test]
    fn pieces_of_another_size_and_the_same_piece_again_do_not_count() {
        let at = |x: f32, size: f32, sure: f32| piece((x, 8.0), size, sure);
        let pieces = vec![at(10.0, 0.8, 0.9), at(10.2, 0.75, 0.85), at(11.0, 0.85, 0.8), at(13.0, 0.55, 0.7)];
        let places: Vec<f32> = of_one_size(pieces).into_iter().map(|one| one.place.middle.0).collect();
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
