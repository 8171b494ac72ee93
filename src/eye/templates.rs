//! The pictures of one board's pieces, learnt while the game is followed.
//!
//! All pieces of a kind look alike on one screen. Once the game is known, each square shows the picture of its piece.
//! Later squares are compared with these pictures. So a set that the network has never seen is read with certainty,
//! too. A sign is a picture minus the mean picture of its side's kinds.

use crate::grid::PICTURE_SIDE;
use crate::network::{CLASS_COUNT, EMPTY, HIDDEN, KIND_COUNT, Probabilities, likeliest};
use std::ops::RangeInclusive;

/// The maximum number of pictures of a class.
const MAX_PICTURES: usize = 3;
/// The least correlation of a square with the picture of its class.
const MIN_CORRELATION: f32 = 0.86;
/// The least lead of a square's best class over any other class, in correlation.
const MIN_CORRELATION_LEAD: f32 = 0.06;
/// The least correlation of a square with the picture of a class that clearly leads. A grid that is slightly off costs
/// thin letters some correlation.
const MIN_LEADING_CORRELATION: f32 = 0.8;
/// The least lead of a class that clearly leads, in correlation.
const MIN_CLEAR_LEAD: f32 = 0.15;
/// The least correlation of a square's sign with the sign of its class.
const MIN_SIGN_CORRELATION: f32 = 0.7;
/// The least lead of a square's best class over any other class, in the correlation of signs.
const MIN_SIGN_CORRELATION_LEAD: f32 = 0.15;
/// The least number of kinds of a side whose mean is subtracted.
const MIN_KINDS: usize = 5;
/// The least correlation of pictures that count as equal.
const MIN_EQUAL_CORRELATION: f32 = 0.97;
/// The share of the probability that the class of a matching picture receives.
const MATCH_PROBABILITY: f32 = 0.9;
/// The share where the likeliest class has no picture here, so that the square may be another one that looks alike.
const DOUBTFUL_MATCH_PROBABILITY: f32 = 0.5;
/// The least correlation of pictures that are compared at several offsets.
const MIN_OFFSET_CORRELATION: f32 = 0.2;
/// The largest offset of the pieces of both sides from each other, in pixels.
const MAX_COMMON_OFFSET: isize = 4;
/// The least correlation of the mean pieces of both sides at their common offset.
const MIN_MEAN_CORRELATION: f32 = 0.8;
/// The most that an offset of one pixel gains, in correlation.
const MAX_OFFSET_GAIN: f32 = 0.45;
/// The least variance of a picture that is not blank. Grain and noise have less.
const MIN_VARIANCE: f32 = 0.02;
/// The maximum offset of two compared pictures, in pixels.
const MAX_OFFSET: isize = 1;

/// The normalized picture of a square, `PICTURE_SIDE` × `PICTURE_SIDE` values.
pub type SquarePicture = [f32; PICTURE_SIDE * PICTURE_SIDE];

/// A picture of a square with a known class.
#[derive(Clone, Debug)]
struct Template {
    class: usize,
    picture: Box<SquarePicture>,
    /// The sign; `None` while the mean of the side's kinds is unknown.
    sign: Option<Box<SquarePicture>>,
}

/// Pictures of squares with known classes, all of one piece set.
#[derive(Clone, Debug, Default)]
pub struct Templates {
    known_templates: Vec<Template>,
    /// The mean picture of each side's kinds, Black's first; `None` for fewer than [`MIN_KINDS`] kinds.
    mean_pictures: [Option<Box<SquarePicture>>; 2],
}

impl Templates {
    /// Returns whether a class is that of a visible square and has fewer than `MAX_PICTURES` pictures.
    pub fn lacks_pictures(&self, class: usize) -> bool {
        class < HIDDEN && self.pictures_of(class).count() < MAX_PICTURES
    }

    /// Records the picture of a class that [lacks pictures](Self::lacks_pictures), unless an equal picture is known or
    /// a piece has a blank picture. An equal picture of another class is removed, and the new one is not recorded:
    /// either may be wrong.
    pub fn learn(&mut self, class: usize, picture: &SquarePicture) {
        let is_piece_without_picture = class != EMPTY && variance(picture) < MIN_VARIANCE;
        if !self.lacks_pictures(class) || is_piece_without_picture {
            return;
        }
        let before = self.known_templates.len();
        self.known_templates.retain(|known| {
            known.class == class || correlation(&known.picture, picture) < MIN_EQUAL_CORRELATION
        });
        let is_disputed = self.known_templates.len() < before;
        if !is_disputed {
            if self
                .pictures_of(class)
                .any(|known| correlation(known, picture) >= MIN_EQUAL_CORRELATION)
            {
                return;
            }
            self.known_templates.push(Template {
                class,
                picture: Box::new(*picture),
                sign: None,
            });
        }
        self.update_signs();
    }

    /// Creates templates from the pictures and classes of other templates. Further pictures of a class that has enough
    /// are left out.
    pub(crate) fn from_pictures(pictures: impl IntoIterator<Item = (usize, SquarePicture)>) -> Self {
        let mut templates = Self::default();
        for (class, picture) in pictures {
            if templates.lacks_pictures(class) {
                templates.known_templates.push(Template {
                    class,
                    picture: Box::new(picture),
                    sign: None,
                });
            }
        }
        templates.update_signs();
        templates
    }

    /// Adds the pictures of classes that have none here from other templates of the same pieces. A picture that is
    /// known here as another class is left out.
    pub(crate) fn complete(&mut self, other: &Self) {
        let known = &self.known_templates;
        let missing: Vec<Template> = other
            .known_templates
            .iter()
            .filter(|template| {
                known.iter().all(|known| known.class != template.class)
                    && !known
                        .iter()
                        .any(|known| is_similar(&known.picture, &template.picture, MIN_CORRELATION))
            })
            .cloned()
            .collect();
        self.known_templates.extend(missing);
        self.update_signs();
    }

    /// Recomputes the mean picture of each side's kinds, and all signs.
    fn update_signs(&mut self) {
        self.mean_pictures =
            [1..=KIND_COUNT, 1 + KIND_COUNT..=2 * KIND_COUNT].map(|side| self.mean_of_kinds(side));
        for template in self
            .known_templates
            .iter_mut()
            .filter(|template| template.class != EMPTY)
        {
            let common = self
                .mean_pictures
                .get(usize::from(template.class > KIND_COUNT))
                .and_then(Option::as_ref);
            template.sign = common.map(|common| Box::new(without_common(&template.picture, common)));
        }
    }

    /// Returns all pictures with their classes.
    pub fn pictures(&self) -> impl Iterator<Item = (usize, &SquarePicture)> {
        self.known_templates
            .iter()
            .map(|known| (known.class, &*known.picture))
    }

    /// Returns the pictures of pieces with their classes.
    pub fn pieces(&self) -> impl Iterator<Item = (usize, &SquarePicture)> {
        self.pictures().filter(|(class, _)| *class != EMPTY)
    }

    /// Returns whether the mean picture of a side's kinds is known, so that signs can be compared.
    pub const fn separates_kinds(&self) -> bool {
        matches!(self.mean_pictures, [Some(_), _] | [_, Some(_)])
    }

    fn pictures_of(&self, class: usize) -> impl Iterator<Item = &SquarePicture> {
        self.known_templates
            .iter()
            .filter(move |known| known.class == class)
            .map(|known| &*known.picture)
    }

    /// Returns the mean of one picture of each known kind; `None` for fewer than [`MIN_KINDS`] kinds.
    fn mean_of_kinds(&self, kinds: RangeInclusive<usize>) -> Option<Box<SquarePicture>> {
        let shown: Vec<&SquarePicture> = kinds.filter_map(|kind| self.pictures_of(kind).next()).collect();
        (shown.len() >= MIN_KINDS).then(|| Box::new(mean_picture(&shown)))
    }

    /// Raises the probability of the class that the picture matches, as a whole or by its sign alone. Changes nothing
    /// without a match, or where the whole and the sign match different classes.
    pub fn apply(&self, picture: &SquarePicture, probabilities: &mut Probabilities) {
        if let Some(class) = self.matching_class(picture) {
            raise(probabilities, class, MATCH_PROBABILITY);
        }
    }

    /// Applies templates that may lack some classes. Where the likeliest class has no picture here, only another piece
    /// that clearly leads counts, and less.
    pub fn apply_incomplete(&self, picture: &SquarePicture, probabilities: &mut Probabilities) {
        if self.pictures_of(likeliest(probabilities).0).next().is_some() {
            self.apply(picture, probabilities);
        } else if let Some(class) = leading_piece(&self.correlations(picture)) {
            raise(probabilities, class, DOUBTFUL_MATCH_PROBABILITY);
        }
    }

    fn correlations(&self, picture: &SquarePicture) -> [f32; CLASS_COUNT] {
        best_correlations(
            self.known_templates
                .iter()
                .map(|known| (known.class, &*known.picture, picture)),
        )
    }

    fn matching_class(&self, picture: &SquarePicture) -> Option<usize> {
        let whole = self.correlations(picture);
        let signs = self
            .mean_pictures
            .each_ref()
            .map(|common| common.as_ref().map(|common| without_common(picture, common)));
        let sign_of = |class: usize| {
            signs
                .get(usize::from(class > KIND_COUNT))
                .and_then(Option::as_ref)
        };
        let with_sign = self
            .known_templates
            .iter()
            .filter_map(|known| Some((known.class, &**known.sign.as_ref()?, sign_of(known.class)?)));
        let sign = best_correlations(with_sign);
        // An empty square has no sign.
        let looks_empty = whole
            .get(EMPTY)
            .is_some_and(|likeness| *likeness >= MIN_CORRELATION);
        let by_sign = if looks_empty {
            None
        } else {
            clear_winner(&sign, MIN_SIGN_CORRELATION, MIN_SIGN_CORRELATION_LEAD)
        };
        let by_whole =
            clear_winner(&whole, MIN_CORRELATION, MIN_CORRELATION_LEAD).or_else(|| leading_piece(&whole));
        match (by_whole, by_sign) {
            (Some(one), Some(other)) if one != other => None,
            (one, other) => one.or(other),
        }
    }
}

/// Gives a class a share of the probability; the other classes share the rest as before.
fn raise(probabilities: &mut Probabilities, class: usize, share: f32) {
    for (index, probability) in probabilities.iter_mut().enumerate() {
        *probability = *probability * (1.0 - share) + if index == class { share } else { 0.0 };
    }
}

/// Returns the piece whose correlation clearly leads; `None` without one.
fn leading_piece(correlations: &[f32; CLASS_COUNT]) -> Option<usize> {
    clear_winner(correlations, MIN_LEADING_CORRELATION, MIN_CLEAR_LEAD).filter(|class| *class != EMPTY)
}

/// Returns the greatest correlation for each class; −∞ for a class without a picture. `comparisons` have a class, a
/// known picture and the compared one.
fn best_correlations<'a>(
    comparisons: impl Iterator<Item = (usize, &'a SquarePicture, &'a SquarePicture)>,
) -> [f32; CLASS_COUNT] {
    let mut best = [f32::NEG_INFINITY; CLASS_COUNT];
    let mut comparisons: Vec<_> = comparisons
        .map(|(class, known, picture)| (correlation_at(known, picture, 0, 0), class, known, picture))
        .collect();
    comparisons.sort_by(|left, right| right.0.total_cmp(&left.0));
    for (unmoved, class, known, picture) in comparisons {
        let Some(best) = best.get_mut(class) else { continue };
        // The best picture of each class comes first. Only this picture is compared at several offsets.
        *best = if *best < -1.0 {
            correlation(known, picture)
        } else {
            best.max(unmoved)
        };
    }
    best
}

pub(crate) fn mean_picture(pictures: &[&SquarePicture]) -> SquarePicture {
    std::array::from_fn(|pixel: usize| {
        let values = pictures.iter().filter_map(|picture| picture.get(pixel));
        values.sum::<f32>() / pictures.len().max(1) as f32
    })
}

/// Returns the offset down and across, in pixels, at which the second of two mean pictures best correlates with the
/// first. `None` where the two hardly correlate at any offset.
pub(crate) fn common_offset([one, other]: &[SquarePicture; 2]) -> Option<(isize, isize)> {
    // Blank pictures correlate at every offset.
    if variance(one).min(variance(other)) < MIN_VARIANCE {
        return None;
    }
    let reach = -MAX_COMMON_OFFSET..=MAX_COMMON_OFFSET;
    let offsets = reach
        .clone()
        .flat_map(|down| reach.clone().map(move |across| (down, across)));
    let correlations = offsets.map(|offset| (correlation_at(one, other, offset.0, offset.1), offset));
    let (best, offset) = correlations.max_by(|left, right| left.0.total_cmp(&right.0))?;
    (best >= MIN_MEAN_CORRELATION).then_some(offset)
}

/// Returns a picture moved by an offset up and to the left. The rows and columns at the edges are repeated.
pub(crate) fn moved(picture: &SquarePicture, (down, across): (isize, isize)) -> SquarePicture {
    let along = |at: usize, offset: isize| at.saturating_add_signed(offset).min(PICTURE_SIDE - 1);
    std::array::from_fn(|index| {
        let (y, x) = (
            along(index / PICTURE_SIDE, down),
            along(index % PICTURE_SIDE, across),
        );
        picture.get(y * PICTURE_SIDE + x).copied().unwrap_or_default()
    })
}

pub(crate) fn without_common(picture: &SquarePicture, common: &SquarePicture) -> SquarePicture {
    let mut rest = *picture;
    rest.iter_mut()
        .zip(common)
        .for_each(|(value, common)| *value -= common);
    rest
}

/// Returns the class with the greatest correlation. `None` where that is below `least` or leads by less than `margin`.
fn clear_winner(likeness: &[f32; CLASS_COUNT], least: f32, margin: f32) -> Option<usize> {
    let (class, most) = most_alike(likeness, CLASS_COUNT);
    let (_, next) = most_alike(likeness, class);
    (most >= least && most - next >= margin).then_some(class)
}

/// Returns the class with the greatest correlation, and this correlation. Ignores the class `without`.
fn most_alike(likeness: &[f32; CLASS_COUNT], without: usize) -> (usize, f32) {
    let others = likeness
        .iter()
        .copied()
        .enumerate()
        .filter(|(class, _)| *class != without);
    others
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .unwrap_or((0, -1.0))
}

/// Returns whether the correlation of two pictures is at least `least`. Most unlike pictures are told by one comparison
/// without an offset.
pub(crate) fn is_similar(one: &SquarePicture, other: &SquarePicture, least: f32) -> bool {
    let unmoved = correlation_at(one, other, 0, 0);
    unmoved >= least || (unmoved >= least - MAX_OFFSET_GAIN && correlation(one, other) >= least)
}

/// Returns the largest correlation of two pictures at offsets up to [`MAX_OFFSET`], −1 to 1. Below
/// [`MIN_OFFSET_CORRELATION`], returns the correlation without an offset.
pub(crate) fn correlation(one: &SquarePicture, other: &SquarePicture) -> f32 {
    let mut best = correlation_at(one, other, 0, 0);
    if best < MIN_OFFSET_CORRELATION {
        return best;
    }
    for down in -MAX_OFFSET..=MAX_OFFSET {
        for across in -MAX_OFFSET..=MAX_OFFSET {
            best = best.max(correlation_at(one, other, down, across));
        }
    }
    best
}

fn variance(picture: &SquarePicture) -> f32 {
    let count = picture.len() as f32;
    let mean = picture.iter().sum::<f32>() / count;
    picture
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum::<f32>()
        / count
}

/// Returns the correlation of the inner parts of two pictures, the second one moved by some pixels. Two blank pictures
/// have 1, a blank picture and another one have 0.
fn correlation_at(one: &SquarePicture, other: &SquarePicture, down: isize, across: isize) -> f32 {
    const EDGE_WIDTH: usize = 4;
    let (mut sums, mut count) = ([0.0_f32; 5], 0_usize);
    for y in EDGE_WIDTH..PICTURE_SIDE - EDGE_WIDTH {
        let row =
            |picture: &SquarePicture, y: usize, x: usize| -> Option<[f32; PICTURE_SIDE - 2 * EDGE_WIDTH]> {
                picture.get(y * PICTURE_SIDE + x..)?.first_chunk().copied()
            };
        let moved = (y.checked_add_signed(down), EDGE_WIDTH.checked_add_signed(across));
        let (Some(left), (Some(y), Some(x))) = (row(one, y, EDGE_WIDTH), moved) else {
            continue;
        };
        let Some(right) = row(other, y, x) else { continue };
        for (a, b) in left.iter().zip(&right) {
            sums = [
                sums[0] + a,
                sums[1] + b,
                sums[2] + a * a,
                sums[3] + b * b,
                sums[4] + a * b,
            ];
        }
        count += left.len();
    }
    let count = count.max(1) as f32;
    let [a, b, aa, bb, ab] = sums.map(|sum| sum / count);
    let (variance_a, variance_b) = (aa - a * a, bb - b * b);
    match (variance_a < MIN_VARIANCE, variance_b < MIN_VARIANCE) {
        (true, true) => 1.0,
        (false, false) => (ab - a * b) / (variance_a * variance_b).sqrt(),
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the picture whose pixel at (x, y) has the value `of(x, y)`.
    fn picture(of: impl Fn(usize, usize) -> f32) -> SquarePicture {
        std::array::from_fn(|index| of(index % PICTURE_SIDE, index / PICTURE_SIDE))
    }

    /// Returns the pixel at (x, y) of a picture of a cross.
    fn cross(x: usize, y: usize) -> f32 {
        if x.abs_diff(16) < 3 || y.abs_diff(16) < 3 {
            -1.5
        } else {
            0.5
        }
    }

    /// Returns the pixel at (x, y) of a picture of a ring.
    fn ring(x: usize, y: usize) -> f32 {
        let distance = (x.abs_diff(16).pow(2) + y.abs_diff(16).pow(2)) as f32;
        if (36.0..100.0).contains(&distance) {
            -1.5
        } else {
            0.5
        }
    }

    #[test]
    fn blank_pictures_have_no_common_offset() {
        assert_eq!(common_offset(&[picture(|_, _| 0.0), picture(|_, _| 0.1)]), None);
        assert_eq!(common_offset(&[picture(cross), picture(cross)]), Some((0, 0)));
    }

    #[test]
    fn a_known_picture_overrules_the_network() {
        let mut templates = Templates::default();
        templates.learn(4, &picture(cross));
        templates.learn(7, &picture(ring));
        let read = |templates: &Templates, square: &SquarePicture| {
            let mut probabilities = [0.0; CLASS_COUNT];
            probabilities[14] = 1.0;
            templates.apply(square, &mut probabilities);
            likeliest(&probabilities).0
        };
        assert_eq!(read(&templates, &picture(cross)), 4);
        assert_eq!(
            read(&templates, &picture(|x, y| ring(x, y + 1) * 0.8 + 0.1)),
            7,
            "moved, and paler"
        );
        assert_eq!(
            read(&templates, &picture(|x, y| cross(x, y) + ring(x, y))),
            14,
            "like both"
        );
        assert_eq!(
            read(&templates, &picture(|x, y| ((x * 7 + y * 5) % 11) as f32 * 0.2)),
            14,
            "like none"
        );
        assert_eq!(read(&Templates::default(), &picture(cross)), 14);
    }

    #[test]
    fn pictures_that_two_classes_share_are_removed() {
        let mut templates = Templates::default();
        templates.learn(4, &picture(cross));
        templates.learn(4, &picture(cross));
        assert_eq!(templates.known_templates.len(), 1, "the same once");
        templates.learn(7, &picture(cross));
        assert_eq!(templates.known_templates.len(), 0, "one of them is wrong");
        templates.learn(7, &picture(cross));
        assert_eq!(templates.pictures_of(7).count(), 1);
    }

    #[test]
    fn a_removed_picture_is_in_no_mean() {
        let striped =
            |kind: usize| picture(move |x, y| ((x * (kind + 2) + y * (3 * kind + 1)) / 9 % 2) as f32);
        let mut templates = Templates::default();
        for kind in 1..=MIN_KINDS {
            templates.learn(kind, &striped(kind));
        }
        assert!(
            templates.mean_pictures[0].is_some()
                && templates
                    .known_templates
                    .iter()
                    .all(|template| template.sign.is_some())
        );
        templates.learn(KIND_COUNT + 3, &striped(3));
        assert!(
            templates.mean_pictures[0].is_none()
                && templates
                    .known_templates
                    .iter()
                    .all(|template| template.sign.is_none())
        );
    }

    #[test]
    fn an_empty_square_is_no_piece() {
        let mut templates = Templates::default();
        let flat = [0.0; PICTURE_SIDE * PICTURE_SIDE];
        for kind in 2..8 {
            templates.learn(
                kind,
                &picture(|x, y| ((x * (kind + 2) + y * (3 * kind + 1)) / 9 % 2) as f32),
            );
        }
        templates.learn(EMPTY, &flat);
        // The piece was taken off the board while the game still has it there.
        templates.learn(1, &flat);
        assert!(templates.lacks_pictures(1) && templates.pictures_of(1).count() == 0);
        let mut probabilities = [1.0 / CLASS_COUNT as f32; CLASS_COUNT];
        templates.apply(&flat, &mut probabilities);
        assert_eq!(likeliest(&probabilities).0, EMPTY);
    }

    #[test]
    fn signs_separate_pieces_of_one_outline() {
        let piece = |kind: usize| {
            picture(move |x, y| {
                let outline = if x.abs_diff(16) + y / 3 > 18 { -2.0 } else { 1.0 };
                let inside = x.abs_diff(16) < 6 && y.abs_diff(16) < 6;
                outline
                    - if inside && ((x * (kind + 2) + y * (3 * kind + 1)) / 9).is_multiple_of(2) {
                        0.8
                    } else {
                        0.0
                    }
            })
        };
        assert!(
            correlation(&piece(3), &piece(5)) > MIN_CORRELATION,
            "{}",
            correlation(&piece(3), &piece(5))
        );
        let mut templates = Templates::default();
        for kind in 1..8 {
            templates.learn(kind, &piece(kind));
        }
        let read = |picture: &SquarePicture| {
            let mut probabilities = [0.0; CLASS_COUNT];
            probabilities[12] = 1.0;
            templates.apply(picture, &mut probabilities);
            likeliest(&probabilities).0
        };
        assert_eq!(
            (1..8).map(|kind| read(&piece(kind))).collect::<Vec<_>>(),
            (1..8).collect::<Vec<_>>()
        );
        assert_eq!(read(&piece(11)), 12, "of a kind that is not known");
    }
}
