//! The pieces in hand, read beside a board.
//!
//! Programs and broadcasts put them to the right and left of the board, above and below. What lies there and looks like the
//! board's own pieces is read; what a game lacks on the board says how many of them there are.

use crate::grid::{Grid, SIDE};
use crate::legal::{COUNTS, base};
use crate::network::{EMPTY, HIDDEN, KINDS, Network, Probabilities};
use crate::picture::Picture;
use crate::reader::square_picture;
use crate::templates::{SquarePicture, correlation};
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
/// It correlates at least so much with the mean piece of its side on the board.
const LEAST_LIKE: f32 = 0.35;
/// With fewer pieces of a side, their mean says nothing.
const FEWEST: usize = 4;
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
    let means = mean_pieces(picture, grid, classes);
    let mean_of = |side: usize| means.get(side).and_then(Option::as_deref);
    let map = ContrastMap::new(picture, grid);
    let usual = map.usual_contrast(classes);
    let mut found: Vec<(f32, Found)> = Vec::new();
    for (place, size) in map.places(usual * LEAST_CONTRAST) {
        let Some((class, sure, seen)) = read_place(picture, network, grid, place, size) else { continue };
        let (side, kind) = ((class - 1) / KINDS, (class - 1) % KINDS);
        let is_missing = missing.get(kind).is_some_and(|count| *count > 0);
        let mean = mean_of(side).or_else(|| mean_of(1 - side));
        let is_like = mean.is_none_or(|mean| likeness(&seen, mean) >= LEAST_LIKE);
        if is_missing && is_like {
            found.push((sure, Found { place, size, kind, side }));
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

/// Returns the mean picture of the pieces of each side on the board, where it has enough of them.
fn mean_pieces(picture: &Picture, grid: &Grid, classes: &[usize]) -> [Option<Box<SquarePicture>>; 2] {
    [0, 1].map(|side| {
        let is_piece = |class: usize| class > EMPTY && class < HIDDEN && (class - 1) / KINDS == side;
        let places = classes.iter().enumerate().filter(|(_, class)| is_piece(**class)).map(|(place, _)| place);
        let (mut mean, mut count) = (Box::new([0.0; SIDE * SIDE]), 0);
        for place in places {
            let seen = square_picture(picture, grid, place);
            mean.iter_mut().zip(&seen).for_each(|(mean, value)| *mean += value);
            count += 1;
        }
        (count >= FEWEST).then_some(mean)
    })
}

/// Reads a place: returns the class, one of a piece that can be in hand, its probability and the picture.
fn read_place(
    picture: &Picture,
    network: &Network,
    grid: &Grid,
    (across, down): (f32, f32),
    size: f32,
) -> Option<(usize, f32, SquarePicture)> {
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
    (sure >= LEAST_SURE).then_some((best, sure, first))
}

/// Keeps what does not overlap, the surest first, and of that what has about the size of most.
fn of_one_size(mut found: Vec<(f32, Found)>) -> Vec<Found> {
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    let mut kept: Vec<(f32, Found)> = Vec::new();
    for (sure, one) in found {
        let overlaps = |(_, other): &(f32, Found)| {
            let far = (one.place.0 - other.place.0).abs().max((one.place.1 - other.place.1).abs());
            far < 0.5 * one.size.max(other.size)
        };
        if !kept.iter().any(overlaps) {
            kept.push((sure, one));
        }
    }
    let near = |one: f32, other: f32| (one / other).ln().abs() < 0.2;
    let weight = |size: f32| -> f32 { kept.iter().filter(|(_, one)| near(one.size, size)).map(|(sure, _)| sure).sum() };
    let usual = SIZES.into_iter().max_by(|one, other| weight(*one).total_cmp(&weight(*other))).unwrap_or(1.0);
    kept.into_iter().map(|(_, one)| one).filter(|one| near(one.size, usual)).collect()
}

/// Counts the pieces in hand. A kind that one side alone has is there as often as it is missing on the board, if each of its pieces is shown
/// or the other side's are seen, too. Else those are known that are shown.
fn count_pieces(found: &[Found], missing: &[usize; IN_HAND]) -> SeenHands {
    let mut hands = SeenHands { is_whole: true, ..SeenHands::default() };
    let has_seen = [0, 1].map(|side| found.iter().any(|one| one.side == side));
    for (kind, missing) in missing.iter().copied().enumerate().filter(|(_, missing)| *missing > 0) {
        let seen = [0, 1].map(|side| found.iter().filter(|one| one.kind == kind && one.side == side).count());
        let counts = match seen {
            [0, 0] => [0, 0],
            [_, 0] if has_seen[1] => [missing, 0],
            [0, _] if has_seen[0] => [0, missing],
            [own, other] if own + other <= missing => seen,
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

/// Returns how much two pictures have in common where no line of the board is.
fn likeness(one: &SquarePicture, other: &SquarePicture) -> f32 {
    let inner = |picture: &SquarePicture| -> SquarePicture {
        std::array::from_fn(|place| {
            let (x, y) = (place % SIDE, place / SIDE);
            let is_inner = (4..SIDE - 4).contains(&x) && (4..SIDE - 4).contains(&y);
            if is_inner { picture.get(place).copied().unwrap_or_default() } else { 0.0 }
        })
    };
    correlation(&inner(one), &inner(other))
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
    fn places(&self, least: f32) -> Vec<((f32, f32), f32)> {
        let mut places = Vec::new();
        let (columns, rows) = map_size();
        for (y, x) in (0..rows).step_by(2).flat_map(|y| (0..columns).step_by(2).map(move |x| (y, x))) {
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
        let mut kept: Vec<((f32, f32), f32)> = Vec::new();
        for (_, place, size) in places {
            let is_near = |(other, of): &((f32, f32), f32)| {
                (place.0 - other.0).abs().max((place.1 - other.1).abs()) < 0.25 * size && (size / of).ln().abs() < 0.2
            };
            if kept.len() < MOST_PLACES && !kept.iter().any(is_near) {
                kept.push((place, size));
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
