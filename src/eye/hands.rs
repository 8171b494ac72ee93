//! Reads the pieces in hand beside a board.
//!
//! Programs and broadcasts show hands to the right and left of the board, or above and below. Numbers beside pieces are
//! not read: the pieces missing on the board give the counts.

use crate::grid::{Grid, PICTURE_SIDE, Point, column_and_row};
use crate::joint::{PIECE_COUNTS, unpromoted_kind};
use crate::network::{EMPTY, HIDDEN, KIND_COUNT, Network, Probabilities};
use crate::picture::Picture;
use crate::templates::SquarePicture;
use crate::track::Hands;
use shogibar_shogi::PieceKind;

/// The number of kinds that can be in hand, in the order of the classes: pawn to rook.
const HAND_KIND_COUNT: usize = 7;
/// The distance from the board up to which pieces in hand are searched, in squares: horizontally and vertically.
const SEARCH_REACH: Point = (5.0, 2.6);
/// The tried sizes of a piece in hand, in squares of the board.
const PIECE_SIZES: [f32; 6] = [0.55, 0.65, 0.75, 0.85, 0.95, 1.05];
/// The distance that the map covers beside the board, in squares: horizontally and vertically.
const MAP_MARGINS: Point = (SEARCH_REACH.0 + 0.5, SEARCH_REACH.1 + 0.5);
/// The number of steps of the map per square of the board.
const STEPS_PER_SQUARE: usize = 12;
/// The width and height of the map in steps.
const MAP_SIZE: (usize, usize) = (map_steps(MAP_MARGINS.0), map_steps(MAP_MARGINS.1));
/// The side of the part with the letters of a piece, as a share of the piece's size.
const INNER_SHARE: f32 = 0.8;
/// The side of the area around a piece, as a share of the piece's size.
const OUTER_SHARE: f32 = 1.15;
/// The least contrast of a piece in hand, as a share of the contrast of the board's pieces. Fainter pieces are not in
/// hand.
const MIN_CONTRAST_SHARE: f32 = 0.6;
/// The least probability of a certain piece.
const MIN_CERTAIN_PROBABILITY: f32 = 0.7;
/// A candidate is dropped above this probability of an empty or hidden square.
const MAX_EMPTY_PROBABILITY: f32 = 0.9;
/// The upper limit of the lower hand, in rows from the top of the board. The lower limit of the upper hand mirrors this
/// limit.
const HAND_LIMIT_ROW: f32 = 3.0;
/// The least contrast of a piece, as a multiple of the contrast around the piece.
const MIN_CONTRAST_RATIO: f32 = 1.6;
/// The maximum number of candidates that are read.
const MAX_CANDIDATES: usize = 160;
/// The offset of the repeated readings of a candidate, as a share of the candidate's size.
const REREAD_OFFSET_SHARE: f32 = 0.06;

/// The pieces in hand that were seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeenHands {
    /// The numbers of visible pieces. The hand of the side at the bottom of the picture comes first.
    pub visible_pieces: Hands,
    /// Whether the hands are complete: the pieces beside the board are those that the board lacks.
    pub is_whole: bool,
}

impl SeenHands {
    /// Returns the hands in SFEN; `None` where they are incomplete. The side at the bottom is Black.
    pub fn sfen(&self) -> Option<String> {
        let mut text = String::new();
        for (side, hand) in self.visible_pieces.iter().enumerate() {
            for (kind, count) in PieceKind::IN_HAND
                .into_iter()
                .zip(hand)
                .filter(|(_, count)| **count > 0)
            {
                let letter = kind.letter();
                if *count > 1 {
                    text += &count.to_string();
                }
                text.push(if side == 0 {
                    letter
                } else {
                    letter.to_ascii_lowercase()
                });
            }
        }
        let text = if text.is_empty() { "-".to_owned() } else { text };
        self.is_whole.then_some(text)
    }
}

/// A spot beside the board that may show a piece.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    /// The middle in squares from the top left corner of the board.
    middle: Point,
    /// The side in squares of the board.
    size: f32,
    /// The contrast inside minus the contrast around, in grey levels a step of the map.
    contrast: f32,
}

/// A piece that was read beside the board.
#[derive(Clone, Copy, Debug)]
struct HandPiece {
    candidate: Candidate,
    /// The kind in the order of the classes, 0 to 6.
    kind: usize,
    /// 0 for the side at the bottom, 1 for the other.
    side: usize,
    /// The probability. A piece below [`MIN_CERTAIN_PROBABILITY`] is in doubt.
    probability: f32,
}

impl HandPiece {
    /// Returns the weight of the piece: the product of the squared probability, the contrast and the area.
    fn weight(&self) -> f32 {
        self.probability
            * self.probability
            * self.candidate.contrast
            * self.candidate.size
            * self.candidate.size
    }
}

/// Reads the pieces in hand beside a board. `classes` are the board's 81 squares, from the top left, row by row.
/// Returns empty and incomplete hands where squares are hidden or a kind is too frequent.
pub fn read_hands(picture: &Picture, network: &Network, grid: &Grid, classes: &[usize]) -> SeenHands {
    let Some(missing) = count_missing(classes) else {
        return SeenHands::default();
    };
    if missing == [0; HAND_KIND_COUNT] {
        return SeenHands {
            is_whole: true,
            ..SeenHands::default()
        };
    }
    let map = ContrastMap::new(picture, grid);
    let candidates = map.candidates(map.median_piece_contrast(classes) * MIN_CONTRAST_SHARE);
    let is_all = candidates.len() < MAX_CANDIDATES;
    let pieces = pieces_of_one_size(read_candidates(picture, network, grid, candidates));
    let mut hands = count_pieces(&pieces, &missing);
    hands.is_whole &= is_all;
    hands
}

/// Returns the number of missing pieces of each kind on the board. `None` where squares are hidden or a kind is too
/// frequent.
fn count_missing(classes: &[usize]) -> Option<[usize; HAND_KIND_COUNT]> {
    let mut missing = PIECE_COUNTS.map(usize::from);
    for class in classes.iter().copied().filter(|class| *class != EMPTY) {
        if class >= HIDDEN {
            return None;
        }
        let count = missing.get_mut(unpromoted_kind((class - 1) % KIND_COUNT))?;
        *count = count.checked_sub(1)?;
    }
    missing.first_chunk().copied()
}

/// Returns the pieces that candidates show. Candidates that seem empty or hidden at first are dropped. Others are read
/// at four further offsets, because their positions are approximate.
fn read_candidates(
    picture: &Picture,
    network: &Network,
    grid: &Grid,
    candidates: Vec<Candidate>,
) -> Vec<HandPiece> {
    const OFFSETS: [(f32, f32); 4] = [
        (-REREAD_OFFSET_SHARE, 0.0),
        (REREAD_OFFSET_SHARE, 0.0),
        (0.0, -REREAD_OFFSET_SHARE),
        (0.0, REREAD_OFFSET_SHARE),
    ];
    let read = |candidates: &[Candidate], offsets: &[(f32, f32)]| {
        let mut pictures: Vec<SquarePicture> =
            vec![[0.0; PICTURE_SIDE * PICTURE_SIDE]; candidates.len() * offsets.len()];
        let all = candidates
            .iter()
            .flat_map(|candidate| offsets.iter().map(move |offset| (candidate, offset)));
        for ((candidate, (right, below)), values) in all.zip(&mut pictures) {
            let Candidate {
                middle: (across, down),
                size,
                ..
            } = *candidate;
            grid.read_area(
                picture,
                (across + (right - 0.5) * size, down + (below - 0.5) * size),
                size,
                values,
            );
        }
        network.classify(pictures.as_flattened())
    };
    let first = read(&candidates, &[(0.0, 0.0)]);
    let (candidates, first): (Vec<Candidate>, Vec<Probabilities>) = candidates
        .into_iter()
        .zip(first)
        .filter(|(_, read)| read[EMPTY] + read[HIDDEN] <= MAX_EMPTY_PROBABILITY)
        .unzip();
    let others = read(&candidates, &OFFSETS);
    let all = candidates
        .into_iter()
        .zip(first)
        .zip(others.chunks_exact(OFFSETS.len()));
    all.filter_map(|((candidate, mut read), others)| {
        for (class, chance) in read.iter_mut().enumerate() {
            let sum: f32 = others.iter().filter_map(|other| other.get(class)).sum();
            *chance = (*chance + sum) / (OFFSETS.len() + 1) as f32;
        }
        piece_at(candidate, &read)
    })
    .collect()
}

/// Returns the likeliest piece in hand of a candidate. `None` where other classes are likelier, and where the candidate
/// is beyond the limit of the piece's side.
fn piece_at(candidate: Candidate, read: &Probabilities) -> Option<HandPiece> {
    let of_hand = (0..2).flat_map(|side| (0..HAND_KIND_COUNT).map(move |kind| (side, kind)));
    let chances = of_hand
        .filter_map(|(side, kind)| Some((side, kind, *read.get(EMPTY + 1 + side * KIND_COUNT + kind)?)));
    let chances: Vec<(usize, usize, f32)> = chances.collect();
    let sum: f32 = chances.iter().map(|(.., chance)| chance).sum();
    let (side, kind, chance) = chances
        .into_iter()
        .max_by(|one, other| one.2.total_cmp(&other.2))?;
    let sure = chance / sum * (1.0 - read[EMPTY] - read[HIDDEN]);
    let is_at_home = if side == 0 {
        candidate.middle.1 > HAND_LIMIT_ROW
    } else {
        candidate.middle.1 < 9.0 - HAND_LIMIT_ROW
    };
    // Below 0.5, a king or a promoted piece is likely, which no hand has.
    (sum >= 0.5 && is_at_home).then_some(HandPiece {
        candidate,
        kind,
        side,
        probability: sure,
    })
}

/// Returns the pieces of the size with the greatest total weight. Of overlapping pieces, the one with the greater
/// weight remains.
fn pieces_of_one_size(mut pieces: Vec<HandPiece>) -> Vec<HandPiece> {
    pieces.sort_by(|one, other| other.weight().total_cmp(&one.weight()));
    let of_size = |size: f32| {
        let mut apart: Vec<HandPiece> = Vec::new();
        for one in pieces
            .iter()
            .filter(|one| are_similar_sizes(one.candidate.size, size))
        {
            if apart
                .iter()
                .all(|other| distance(&one.candidate, &other.candidate) >= 0.6 * size)
            {
                apart.push(*one);
            }
        }
        apart
    };
    let weight = |pieces: &Vec<HandPiece>| pieces.iter().map(HandPiece::weight).sum::<f32>();
    let heaviest = PIECE_SIZES
        .map(of_size)
        .into_iter()
        .max_by(|one, other| weight(one).total_cmp(&weight(other)));
    heaviest.unwrap_or_default()
}

/// Returns the distance of two candidates in squares: the greater of across and down.
fn distance(one: &Candidate, other: &Candidate) -> f32 {
    (one.middle.0 - other.middle.0)
        .abs()
        .max((one.middle.1 - other.middle.1).abs())
}

/// Returns whether two sizes differ by less than a factor of 1.22.
fn are_similar_sizes(one: f32, other: f32) -> bool {
    (one / other).ln().abs() < 0.2
}

/// Returns the number of pieces in hand, by side and kind.
///
/// Programs often show one piece and a number beside it. So one piece may stand for all missing ones of its kind. The
/// conditions are: both hands are seen, every missing kind is seen, and no hand shows a kind twice. No piece may be in
/// doubt, or of a kind that the board does not lack. Otherwise each certain piece counts as one; a kind counts as 0 if
/// more pieces are seen than the board lacks.
fn count_pieces(pieces: &[HandPiece], missing: &[usize; HAND_KIND_COUNT]) -> SeenHands {
    let sure = || {
        pieces
            .iter()
            .filter(|piece| piece.probability >= MIN_CERTAIN_PROBABILITY)
    };
    let seen = |kind: usize, side: usize| {
        sure()
            .filter(|piece| piece.kind == kind && piece.side == side)
            .count()
    };
    let kinds = || {
        missing
            .iter()
            .copied()
            .enumerate()
            .filter(|(_, missing)| *missing > 0)
    };
    let both_sides = [0, 1]
        .into_iter()
        .all(|side| sure().any(|piece| piece.side == side));
    // No piece is in doubt, or of a kind that the board does not lack. If only one side's pieces are seen, pieces on
    // the other side's half may be both hands.
    let is_clear = pieces.iter().all(|piece| {
        piece.probability >= MIN_CERTAIN_PROBABILITY
            && missing.get(piece.kind).is_some_and(|missing| *missing > 0)
            && (both_sides || (piece.candidate.middle.1 > 4.5) == (piece.side == 0))
    });
    let has_numbers =
        is_clear && both_sides && kinds().all(|(kind, _)| seen(kind, 0).max(seen(kind, 1)) == 1);
    let mut hands = SeenHands {
        is_whole: is_clear,
        ..SeenHands::default()
    };
    for (kind, missing) in kinds() {
        let counts = match [seen(kind, 0), seen(kind, 1)] {
            [1, 0] if has_numbers => [missing, 0],
            [0, 1] if has_numbers => [0, missing],
            [bottom, top] if bottom + top <= missing => [bottom, top],
            _ => [0, 0],
        };
        hands.is_whole &= counts[0] + counts[1] == missing;
        for (hand, count) in hands.visible_pieces.iter_mut().zip(counts) {
            // Hands begin with the rook.
            if let Some(number) = hand.get_mut(HAND_KIND_COUNT - 1 - kind) {
                *number = u8::try_from(count).unwrap_or(u8::MAX);
            }
        }
    }
    hands
}

/// A summed-area table of the contrast between neighbouring points of a picture, on the board and beside it.
#[derive(Debug)]
struct ContrastMap(Vec<f32>);

impl ContrastMap {
    fn new(picture: &Picture, grid: &Grid) -> Self {
        let (width, height) = MAP_SIZE;
        let points: Vec<f32> = (0..=height)
            .flat_map(|y| (0..=width).map(move |x| (x, y)))
            .map(|(x, y)| {
                let position =
                    |index: usize, edge: f32| (index as f32 + 0.5) / STEPS_PER_SQUARE as f32 - edge;
                let (x, y) = grid.pixel(position(x, MAP_MARGINS.0), position(y, MAP_MARGINS.1));
                picture.interpolate(x, y)
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

    /// Returns the sum of the contrasts in a square around a point, and the area of the square in steps.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the map"
    )]
    fn sum(&self, middle: Point, side: f32) -> (f32, f32) {
        let (across, down) = middle;
        let index = |position: f32, edge: f32, most: usize| {
            ((position + edge) * STEPS_PER_SQUARE as f32)
                .round()
                .clamp(0.0, most as f32) as usize
        };
        let (left, right) = [-0.5, 0.5]
            .map(|half| index(across + half * side, MAP_MARGINS.0, MAP_SIZE.0))
            .into();
        let (top, bottom) = [-0.5, 0.5]
            .map(|half| index(down + half * side, MAP_MARGINS.1, MAP_SIZE.1))
            .into();
        let at = |x: usize, y: usize| self.0.get(y * (MAP_SIZE.0 + 1) + x).copied().unwrap_or_default();
        let sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        (sum, ((right - left) * (bottom - top)) as f32)
    }

    /// Returns the mean contrast inside a piece at a point, and around it.
    fn contrast(&self, middle: Point, size: f32) -> (f32, f32) {
        let ((inner, inner_area), (outer, outer_area)) = (
            self.sum(middle, INNER_SHARE * size),
            self.sum(middle, OUTER_SHARE * size),
        );
        (
            inner / inner_area.max(1.0),
            (outer - inner) / (outer_area - inner_area).max(1.0),
        )
    }

    /// Returns the median contrast of the pieces on the board; [`f32::MAX`] without pieces.
    fn median_piece_contrast(&self, classes: &[usize]) -> f32 {
        let pieces = classes
            .iter()
            .enumerate()
            .filter(|(_, class)| **class != EMPTY)
            .map(|(index, _)| index);
        let mut contrasts: Vec<f32> = pieces
            .map(|index| {
                let (column, row) = column_and_row(index);
                self.contrast((column + 0.5, row + 0.5), 1.0).0
            })
            .collect();
        contrasts.sort_by(f32::total_cmp);
        contrasts.get(contrasts.len() / 2).copied().unwrap_or(f32::MAX)
    }

    /// Returns the candidates beside the board: spots of a piece's size with at least the contrast `least`, and less
    /// around them. Candidates with the greatest difference come first.
    fn candidates(&self, least: f32) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let (columns, rows) = MAP_SIZE;
        for (y, x) in (0..rows).flat_map(|y| (0..columns).map(move |x| (y, x))) {
            let middle = (
                x as f32 / STEPS_PER_SQUARE as f32 - MAP_MARGINS.0,
                y as f32 / STEPS_PER_SQUARE as f32 - MAP_MARGINS.1,
            );
            let beyond = (middle.0 - 4.5).abs().max((middle.1 - 4.5).abs()) - 4.5;
            for size in PIECE_SIZES.into_iter().filter(|size| beyond >= size / 2.0) {
                let is_in_reach =
                    |position: f32, reach: f32| (position - 4.5).abs() + size / 2.0 <= 4.5 + reach;
                if !is_in_reach(middle.0, SEARCH_REACH.0) || !is_in_reach(middle.1, SEARCH_REACH.1) {
                    continue;
                }
                let (inside, around) = self.contrast(middle, size);
                if inside >= least && inside > MIN_CONTRAST_RATIO * around {
                    candidates.push(Candidate {
                        middle,
                        size,
                        contrast: inside - around,
                    });
                }
            }
        }
        candidates.sort_by(|one, other| other.contrast.total_cmp(&one.contrast));
        let mut distinct: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            if distinct.len() < MAX_CANDIDATES
                && !distinct.iter().any(|other| {
                    distance(&candidate, other) < 0.25 * candidate.size
                        && are_similar_sizes(candidate.size, other.size)
                })
            {
                distinct.push(candidate);
            }
        }
        distinct
    }
}

/// Returns the number of steps of the map: across the board and `edge` squares on each side.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a few squares"
)]
const fn map_steps(edge: f32) -> usize {
    ((9.0 + 2.0 * edge) * STEPS_PER_SQUARE as f32) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a pawn in the hand of the side at the bottom.
    fn piece(middle: (f32, f32), size: f32, probability: f32) -> HandPiece {
        HandPiece {
            candidate: Candidate {
                middle,
                size,
                contrast: 20.0,
            },
            kind: 0,
            side: 0,
            probability,
        }
    }

    /// Returns pieces that were seen: in capitals for the side at the bottom, in small letters for the other side. The
    /// pieces after ? are in doubt.
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
            all.push(HandPiece {
                kind,
                side,
                ..piece((10.0, if side == 0 { 8.0 } else { 1.0 }), 0.8, sure)
            });
        }
        all
    }

    #[test]
    fn pieces_missing_on_the_board_give_the_counts_in_hand() {
        let count = |pieces: &str, missing: [usize; HAND_KIND_COUNT]| {
            let hands = count_pieces(&seen(pieces), &missing);
            (hands.sfen(), hands.visible_pieces)
        };
        // Missing: pawns, lances, knights, silvers, golds, bishops, rooks; hands begin with the rook.
        assert_eq!(
            count("PBs", [3, 0, 0, 1, 0, 1, 0]).0.as_deref(),
            Some("B3Ps"),
            "one piece stands for three"
        );
        assert_eq!(
            count("PPpp", [4, 0, 0, 0, 0, 0, 0]).0.as_deref(),
            Some("2P2p"),
            "each is shown"
        );
        assert_eq!(count("Pp", [2, 0, 0, 0, 0, 0, 0]).0.as_deref(), Some("Pp"));
        assert_eq!(
            count("Pp", [5, 0, 0, 0, 0, 0, 0]),
            (None, [[0, 0, 0, 0, 0, 0, 1]; 2]),
            "two numbers that are not read"
        );
        assert_eq!(
            count("PPP", [3, 0, 0, 0, 0, 0, 0]).0.as_deref(),
            Some("3P"),
            "the other hand is empty"
        );
        let of_one_side = [[0, 0, 0, 0, 0, 0, 1], [0; 7]];
        assert_eq!(
            count("P", [3, 0, 0, 0, 0, 0, 0]),
            (None, of_one_side),
            "the other hand may be out of the picture"
        );
        assert_eq!(
            count("Pg", [3, 0, 0, 0, 1, 1, 0]).0,
            None,
            "the bishop is not seen"
        );
        assert_eq!(
            count("PPP", [2, 0, 0, 0, 0, 0, 0]),
            (None, [[0; 7]; 2]),
            "more than there can be"
        );
        assert_eq!(
            count("PPSg", [2, 0, 0, 2, 1, 0, 0]).0,
            None,
            "each is shown, so the second silver was missed"
        );
        assert_eq!(
            count("Ps?s", [1, 0, 0, 2, 0, 0, 0]).0,
            None,
            "a candidate is in doubt"
        );
        assert_eq!(
            count("Pgs", [1, 0, 0, 0, 1, 0, 0]).0,
            None,
            "the board lacks no silver: something was misread"
        );
    }

    #[test]
    fn a_hand_on_the_half_of_the_other_side_may_be_both_hands() {
        let whole = |row: f32| count_pieces(&[piece((10.0, row), 0.8, 0.9)], &[1, 0, 0, 0, 0, 0, 0]).is_whole;
        assert_eq!([8.0, 4.0].map(whole), [true, false]);
    }

    #[test]
    fn pieces_of_another_size_and_the_same_piece_again_do_not_count() {
        let at = |x: f32, size: f32, sure: f32| piece((x, 8.0), size, sure);
        let pieces = vec![
            at(10.0, 0.8, 0.9),
            at(10.2, 0.75, 0.85),
            at(11.0, 0.85, 0.8),
            at(13.0, 0.55, 0.7),
        ];
        let candidates: Vec<f32> = pieces_of_one_size(pieces)
            .into_iter()
            .map(|one| one.candidate.middle.0)
            .collect();
        assert_eq!(candidates, [10.0, 11.0]);
    }

    #[test]
    fn promoted_pieces_are_not_missing_and_hidden_squares_may_hide_anything() {
        let mut classes = vec![EMPTY; 81];
        classes[..3].copy_from_slice(&[1, 9, 28]);
        assert_eq!(count_missing(&classes), Some([16, 4, 4, 4, 4, 2, 1]));
        classes[80] = HIDDEN;
        assert_eq!(count_missing(&classes), None);
        assert_eq!(count_missing(&[6, 6, 20]), None, "three bishops");
    }
}
